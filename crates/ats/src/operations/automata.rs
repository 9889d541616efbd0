//! Operations with an automaton as result.

use super::{Apply, Failure};
use crate::names::StateNames;
use crate::value::{Automaton, Size, Value};
use nwa::{Explicit, Nwa, State, reduce as reductions};
use std::rc::Rc;

type Answer = Result<Value, Failure>;

pub(super) fn numbered(nwa: Nwa) -> Answer {
    Ok(Value::Automaton(Automaton::new(nwa, StateNames::Numbered, Size::Improvable)))
}

/// A part of an automaton, whose states keep their names. Its size is as canonical as that of the whole.
fn part(whole: &Automaton, part: Explicit<State>) -> Automaton {
    let origin = part.origin.into_iter().map(|(_, state)| Some(state)).collect();
    Automaton::new(part.nwa, StateNames::From(Rc::clone(&whole.names), origin), whole.size)
}

pub(super) fn classes(whole: &Automaton, quotient: Explicit<Vec<State>>) -> Answer {
    let names = StateNames::Classes(Rc::clone(&whole.names), quotient.origin);
    Ok(Value::Automaton(Automaton::new(quotient.nwa, names, Size::Improvable)))
}

pub(super) fn union(left: &Automaton, right: &Automaton, _: &mut Apply<'_>) -> Answer {
    numbered(nwa::union(&left.nwa, &right.nwa))
}

pub(super) fn intersect(left: &Automaton, right: &Automaton, apply: &mut Apply<'_>) -> Answer {
    let Explicit { nwa, origin } = nwa::intersection(&left.nwa, &right.nwa, apply.budget)?;
    let names = StateNames::Pairs(Rc::clone(&left.names), Rc::clone(&right.names), origin);
    Ok(Value::Automaton(Automaton::new(nwa, names, Size::Improvable)))
}

pub(super) fn difference(minuend: &Automaton, subtrahend: &Automaton, apply: &mut Apply<'_>) -> Answer {
    numbered(nwa::difference(&minuend.nwa, &subtrahend.nwa, apply.budget)?.nwa)
}

pub(super) fn complement(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    numbered(nwa::complement(&automaton.nwa, apply.budget)?)
}

pub(super) fn refuse_choice(automaton: &Automaton) -> Result<(), Failure> {
    nwa::is_deterministic(&automaton.nwa).map_err(|choice| {
        let name = |state| automaton.names.name(state);
        let where_to = match choice {
            nwa::Nondeterminism::Initial(p, q) => format!("`{}` and `{}` are both initial", name(p), name(q)),
            nwa::Nondeterminism::Internal(q, _)
            | nwa::Nondeterminism::Call(q, _)
            | nwa::Nondeterminism::Return(q, _, _) => format!("`{}` has a choice", name(q)),
        };
        Failure::Refused(format!("this operation needs a deterministic automaton, but {where_to}"))
    })
}

pub(super) fn complement_deterministic(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    refuse_choice(automaton)?;
    complement(automaton, apply)
}

pub(super) fn determinize(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    numbered(nwa::determinize(&automaton.nwa, apply.budget)?)
}

fn with_sink(automaton: &Automaton, apply: &Apply<'_>) -> Result<Automaton, Failure> {
    let Explicit { nwa, origin } = nwa::totalize(&automaton.nwa, apply.budget)?;
    Ok(Automaton::new(nwa, StateNames::From(Rc::clone(&automaton.names), origin), Size::Improvable))
}

pub(super) fn totalize(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Automaton(with_sink(automaton, apply)?))
}

pub(super) fn remove_unreachable(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Automaton(part(automaton, nwa::remove_unreachable(&automaton.nwa, apply.budget)?)))
}

pub(super) fn remove_dead_ends(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Automaton(part(automaton, nwa::remove_dead_ends(&automaton.nwa, apply.budget)?)))
}

pub(super) fn remove_non_live_states(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Automaton(part(automaton, nwa::remove_non_live_states(&automaton.nwa, apply.budget)?)))
}

/// Copies the reachable states; the flags ask for a sink, the complement, and the removal of dead ends and of states
/// that are not live, in this order.
pub(super) fn reachable_states_copy(
    automaton: &Automaton,
    [sink, complemented, no_dead_ends, only_live]: [bool; 4],
    apply: &mut Apply<'_>,
) -> Answer {
    let mut result = part(automaton, nwa::remove_unreachable(&automaton.nwa, apply.budget)?);
    if sink {
        result = with_sink(&result, apply)?;
    }
    if complemented {
        refuse_choice(&result)?;
        result = Automaton::new(
            nwa::complement(&result.nwa, apply.budget)?,
            StateNames::Numbered,
            Size::Improvable,
        );
    }
    if no_dead_ends {
        result = part(&result, nwa::remove_dead_ends(&result.nwa, apply.budget)?);
    }
    if only_live {
        result = part(&result, nwa::remove_non_live_states(&result.nwa, apply.budget)?);
    }
    Ok(Value::Automaton(result))
}

pub(super) fn relabel(automaton: &Automaton, _: &mut Apply<'_>) -> Answer {
    let mut copy = automaton.clone();
    copy.names = Rc::new(StateNames::Numbered);
    Ok(Value::Automaton(copy))
}

pub(super) fn minimize_dfa(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    refuse_choice(automaton)?;
    match reductions::minimize_dfa(&automaton.nwa, |_| 0, apply.budget)? {
        Ok(minimal) => classes(automaton, minimal),
        Err(choice) => Err(Failure::Refused(choice.to_string())),
    }
}

pub(super) fn reduce(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    classes(automaton, reductions::reduce(&automaton.nwa, |_| 0, apply.budget)?)
}
