//! Random automata and words. The same script makes the same ones.

use super::{Apply, Failure};
use crate::names::StateNames;
use crate::value::{Automaton, Size, Value};
use base::EntityRef;
use base::Random;
use nwa::{Alphabet, Letter, NwaBuilder, State, Symbol};

type Answer = Result<Value, Failure>;

/// The largest random automaton, in states and in letters of a kind.
const LARGEST: i64 = 100_000;

/// The largest random automaton, in transitions.
const MOST_TRANSITIONS: usize = 10_000_000;

/// Refuses automata that would be too large.
fn limit(transitions: usize) -> Result<(), Failure> {
    if transitions <= MOST_TRANSITIONS {
        return Ok(());
    }
    let message =
        format!("this automaton would have {transitions} transitions; at most {MOST_TRANSITIONS} are made");
    Err(Failure::Refused(message))
}

fn number(numbers: &[i64], index: usize, default: i64) -> Result<usize, Failure> {
    let value = numbers.get(index).copied().unwrap_or(default);
    usize::try_from(value)
        .ok()
        .filter(|_| value <= LARGEST)
        .ok_or_else(|| Failure::Refused(format!("argument {} must be between 0 and {LARGEST}", index + 1)))
}

fn letters(apply: &mut Apply<'_>, prefix: char, count: usize) -> Vec<Letter> {
    (0..count).map(|index| apply.letters.intern(&format!("{prefix}{index}"))).collect()
}

/// `(states, internal, call, return letters, internal, call, return, hierarchical, acceptance density in percent)`: for
/// each letter as many transitions as the density says in percent of the number of states.
pub(super) fn nwa(numbers: &[i64], apply: &mut Apply<'_>) -> Answer {
    let states = number(numbers, 0, 0)?;
    let internal = letters(apply, 'a', number(numbers, 1, 1)?);
    let call = letters(apply, 'c', number(numbers, 2, 0)?);
    let ret = letters(apply, 'r', number(numbers, 3, 0)?);
    let mut random = Random::new(apply.seed);
    let mut builder =
        NwaBuilder::new(Alphabet::new(internal.iter().copied(), call.iter().copied(), ret.iter().copied()));
    builder.add_states(states);
    if states > 0 {
        builder.set_initial(State::new(0));
        let density = |index| number(numbers, index, 100).map(|percent| states * percent / 100);
        let (internals, calls, returns) = (density(4)?, density(5)?, density(6)?);
        let hiers = number(numbers, 7, 100)?.max(1);
        let returns = returns.saturating_mul(hiers) / 100;
        let of_kind = |letters: usize, each: usize| letters.saturating_mul(each);
        limit(
            of_kind(internal.len(), internals)
                .saturating_add(of_kind(call.len(), calls))
                .saturating_add(of_kind(ret.len(), returns)),
        )?;
        let mut state = || State::new(random.below(states));
        for &letter in &internal {
            apply.budget.check()?;
            for _ in 0..internals {
                builder.add_internal(state(), letter, state());
            }
        }
        for &letter in &call {
            for _ in 0..calls {
                builder.add_call(state(), letter, state());
            }
        }
        for &letter in &ret {
            for _ in 0..returns {
                builder.add_return(state(), state(), letter, state());
            }
        }
        for _ in 0..states * number(numbers, 8, 50)? / 100 {
            let accepting = state();
            builder.set_final(accepting);
        }
    }
    Ok(Value::Automaton(Automaton::new(builder.finish(), StateNames::Numbered, Size::Exact)))
}

/// `(states, letters, accepting states in percent, transitions in percent)`
pub(super) fn dfa(numbers: &[i64], apply: &mut Apply<'_>) -> Answer {
    let states = number(numbers, 0, 0)?;
    let alphabet = letters(apply, 'a', number(numbers, 1, 1)?);
    let (accepting, total) = (number(numbers, 2, 50)?, number(numbers, 3, 100)?);
    limit(states.saturating_mul(alphabet.len()))?;
    let mut random = Random::new(apply.seed);
    let mut builder = NwaBuilder::new(Alphabet::finite(alphabet.iter().copied()));
    builder.add_states(states);
    for state in (0..states).map(State::new) {
        if state.index() == 0 {
            builder.set_initial(state);
        }
        apply.budget.check()?;
        if random.below(100) < accepting {
            builder.set_final(state);
        }
        for &letter in &alphabet {
            if random.below(100) < total {
                builder.add_internal(state, letter, State::new(random.below(states)));
            }
        }
    }
    Ok(Value::Automaton(Automaton::new(builder.finish(), StateNames::Numbered, Size::Exact)))
}

/// `(length, internal, call, return letters)`
pub(super) fn word(numbers: &[i64], apply: &mut Apply<'_>) -> Answer {
    let length = number(numbers, 0, 0)?;
    let internal = letters(apply, 'a', number(numbers, 1, 1)?);
    let call = letters(apply, 'c', number(numbers, 2, 0)?);
    let ret = letters(apply, 'r', number(numbers, 3, 0)?);
    let mut random = Random::new(apply.seed);
    let mut symbols = Vec::with_capacity(length);
    let mut open = 0;
    for _ in 0..length {
        let returns = if open > 0 { ret.len() } else { 0 };
        let choices = internal.len() + call.len() + returns;
        if choices == 0 {
            return Err(Failure::Refused("there are no letters to choose from".to_owned()));
        }
        let choice = random.below(choices);
        symbols.push(if choice < internal.len() {
            Symbol::Internal(internal[choice])
        } else if choice < internal.len() + call.len() {
            open += 1;
            Symbol::Call(call[choice - internal.len()])
        } else {
            open -= 1;
            Symbol::Return(ret[choice - internal.len() - call.len()])
        });
    }
    Ok(Value::Word(symbols.into()))
}
