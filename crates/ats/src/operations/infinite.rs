//! Operations on Büchi automata: languages of infinite words.

use super::automata::{classes, numbered, refuse_choice};
use super::{Apply, Failure, Lasso};
use crate::names::StateNames;
use crate::value::{Automaton, Size, Value};
use nwa::Explicit;
use nwa::buchi::{self, LassoWord};
use std::rc::Rc;

type Answer = Result<Value, Failure>;

/// A stem and a loop that are no infinite nested word are accepted by nothing.
pub(super) fn accepts(
    automaton: &Automaton,
    Lasso { stem, repeated }: Lasso<'_>,
    apply: &mut Apply<'_>,
) -> Answer {
    let Ok(word) = LassoWord::new(stem.to_vec(), repeated.to_vec()) else { return Ok(Value::Boolean(false)) };
    Ok(Value::Boolean(buchi::accepts(&*automaton.nwa, &word, apply.budget)?))
}

pub(super) fn is_empty(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(buchi::is_empty(&automaton.nwa, apply.budget)?))
}

pub(super) fn accepted_word(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    match buchi::shortest_lasso(&automaton.nwa, apply.budget)? {
        Some(run) => Ok(Value::Lasso(run.stem.word.symbols().into(), run.repeated.word.symbols().into())),
        None => Err(Failure::Refused("the automaton accepts no infinite word".to_owned())),
    }
}

pub(super) fn intersect(left: &Automaton, right: &Automaton, apply: &mut Apply<'_>) -> Answer {
    let Explicit { nwa, origin } = buchi::intersection(&left.nwa, &right.nwa, apply.budget)?;
    let names = StateNames::Pairs(Rc::clone(&left.names), Rc::clone(&right.names), origin);
    Ok(Value::Automaton(Automaton::new(nwa, names, Size::Improvable)))
}

pub(super) fn difference(minuend: &Automaton, subtrahend: &Automaton, apply: &mut Apply<'_>) -> Answer {
    numbered(buchi::difference(&*minuend.nwa, &subtrahend.nwa, apply.budget)?.nwa)
}

/// Larger complements are not reduced: it would take longer than the complement itself.
const REDUCED: usize = 500;

/// The complement by the method that suits the automaton, reduced. Scripts may name an optimisation and bound the ranks
/// of another construction; the complement is exact here without either.
pub(super) fn complement(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    let complement = buchi::complement(&automaton.nwa, apply.budget)?;
    if complement.num_states() > REDUCED {
        return numbered(complement);
    }
    numbered(buchi::reduce(&complement, |_| 0, apply.budget)?.nwa)
}

pub(super) fn complement_deterministic(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    refuse_choice(automaton)?;
    complement(automaton, apply)
}

pub(super) fn complement_semi_deterministic(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    if !nwa::is_semi_deterministic(&automaton.nwa) {
        let message = "this operation needs a semi-deterministic automaton: no choice behind final states";
        return Err(Failure::Refused(message.to_owned()));
    }
    complement(automaton, apply)
}

pub(super) fn is_included(left: &Automaton, right: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(buchi::included(&left.nwa, &right.nwa, apply.budget)?.is_none()))
}

pub(super) fn is_equivalent(left: &Automaton, right: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(buchi::equivalent(&left.nwa, &right.nwa, apply.budget)?.is_none()))
}

pub(super) fn reduce(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    classes(automaton, buchi::reduce(&automaton.nwa, |_| 0, apply.budget)?)
}
