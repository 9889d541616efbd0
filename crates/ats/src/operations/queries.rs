//! Operations with a number, a truth value or a word as result.

use super::{Apply, Failure};
use crate::value::{Automaton, Value};
use nwa::{Alphabet, NestedWord, NwaBuilder, Symbol};

type Answer = Result<Value, Failure>;

/// A word with a return that has no call is no nested word, so nothing accepts it.
pub(super) fn accepts(automaton: &Automaton, word: &[Symbol], apply: &mut Apply<'_>) -> Answer {
    let Ok(word) = NestedWord::new(word.to_vec()) else { return Ok(Value::Boolean(false)) };
    Ok(Value::Boolean(nwa::accepts(&*automaton.nwa, &word, apply.budget)?))
}

pub(super) fn is_empty(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(nwa::is_empty(&automaton.nwa, apply.budget)?))
}

pub(super) fn is_deterministic(automaton: &Automaton, _: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(nwa::is_deterministic(&automaton.nwa).is_ok()))
}

pub(super) fn is_semi_deterministic(automaton: &Automaton, _: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(nwa::is_semi_deterministic(&automaton.nwa)))
}

pub(super) fn is_total(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(nwa::is_total(&automaton.nwa, apply.budget)?))
}

pub(super) fn is_finite(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(nwa::is_finite(&automaton.nwa, apply.budget)?))
}

pub(super) fn is_universal(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(nwa::universal(&automaton.nwa, apply.budget)?.is_none()))
}

pub(super) fn has_unreachable_states(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    let reachable = nwa::remove_unreachable(&automaton.nwa, apply.budget)?;
    Ok(Value::Boolean(reachable.nwa.num_states() < automaton.nwa.num_states()))
}

/// Whether the first language is included in the union of the others.
pub(super) fn is_included(left: &Automaton, others: &[&Automaton], apply: &mut Apply<'_>) -> Answer {
    let included = match others {
        [right] => nwa::included(&*left.nwa, &*right.nwa, apply.budget)?,
        _ => {
            let nothing = NwaBuilder::new(Alphabet::default()).finish();
            let union = others.iter().fold(nothing, |union, other| nwa::union(&union, &other.nwa));
            nwa::included(&*left.nwa, &union, apply.budget)?
        }
    };
    Ok(Value::Boolean(included.is_none()))
}

pub(super) fn is_equivalent(left: &Automaton, right: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::Boolean(nwa::equivalent(&left.nwa, &right.nwa, apply.budget)?.is_none()))
}

fn count(count: usize, automaton: &Automaton) -> Answer {
    let count = i64::try_from(count).map_err(|_| Failure::Refused("there are too many".to_owned()))?;
    Ok(Value::Int(count, Some(automaton.size)))
}

pub(super) fn number_of_states(automaton: &Automaton, _: &mut Apply<'_>) -> Answer {
    count(automaton.nwa.num_states(), automaton)
}

pub(super) fn number_of_transitions(automaton: &Automaton, _: &mut Apply<'_>) -> Answer {
    count(automaton.nwa.num_transitions(), automaton)
}

pub(super) fn accepted_word(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    match nwa::shortest_run(&automaton.nwa, apply.budget)? {
        Some(run) => Ok(Value::Word(run.word.symbols().into())),
        None => Err(Failure::Refused("the automaton accepts no word".to_owned())),
    }
}

pub(super) fn loop_complexity(automaton: &Automaton, apply: &mut Apply<'_>) -> Answer {
    Ok(Value::int(i64::from(nwa::cycle_rank(&automaton.nwa, apply.budget)?)))
}
