//! Properties of explicit automata that are read off their transitions.

use crate::automaton::Edge;
use crate::reach::Reach;
use crate::{Budget, EntitySet, Interrupted, Letter, Nwa, State};
use std::fmt;

/// Where an automaton has a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nondeterminism {
    /// There are two initial states.
    Initial(State, State),
    /// There are two internal successors.
    Internal(State, Letter),
    /// There are two call successors.
    Call(State, Letter),
    /// There are two return successors for a state and a hierarchical predecessor.
    Return(State, State, Letter),
}

impl fmt::Display for Nondeterminism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Nondeterminism::Initial(p, q) => write!(f, "both {p} and {q} are initial"),
            Nondeterminism::Internal(q, a) => write!(f, "{q} has several successors with {a}"),
            Nondeterminism::Call(q, a) => write!(f, "{q} has several successors with the call {a}"),
            Nondeterminism::Return(q, h, a) => {
                write!(f, "{q} has several successors with the return {a} over {h}")
            }
        }
    }
}

fn repeated(edges: &[Edge]) -> Option<Letter> {
    edges.windows(2).find(|pair| pair[0].letter == pair[1].letter).map(|pair| pair[0].letter)
}

/// The first choice among the transitions from a state.
fn choice(nwa: &Nwa, state: State) -> Option<Nondeterminism> {
    if let Some(letter) = repeated(nwa.internal(state)) {
        return Some(Nondeterminism::Internal(state, letter));
    }
    if let Some(letter) = repeated(nwa.calls(state)) {
        return Some(Nondeterminism::Call(state, letter));
    }
    let mut returns = nwa.returns(state);
    returns.find_map(|(hier, edges)| Some(Nondeterminism::Return(state, hier, repeated(edges)?)))
}

/// Whether there is at most one initial state and at most one successor for every state (and hierarchical
/// predecessor) and letter, unreachable states included. An error says where there are more. Linear.
pub fn is_deterministic(nwa: &Nwa) -> Result<(), Nondeterminism> {
    if let [first, second, ..] = *nwa.initial() {
        return Err(Nondeterminism::Initial(first, second));
    }
    nwa.states().find_map(|state| choice(nwa, state)).map_or(Ok(()), Err)
}

/// Whether the part that is reachable from final states is deterministic. Linear.
///
/// "Reachable" is over-approximated along the three transition relations, without matching calls and returns, so
/// an answer `true` is certain and independent of what is on the stack.
pub fn is_semi_deterministic(nwa: &Nwa) -> bool {
    deterministic_part(nwa).is_ok()
}

/// The states that are reachable from final states, final states included (over-approximated as in
/// [`is_semi_deterministic`]), if they are deterministic; else a choice that one of them has. Linear.
pub fn deterministic_part(nwa: &Nwa) -> Result<EntitySet<State>, Nondeterminism> {
    let mut seen: EntitySet<State> = EntitySet::new();
    let mut work: Vec<State> = nwa.states().filter(|&state| nwa.is_final(state)).collect();
    for &state in &work {
        seen.insert(state);
    }
    while let Some(state) = work.pop() {
        if let Some(choice) = choice(nwa, state) {
            return Err(choice);
        }
        let returns = nwa.returns(state).flat_map(|(_, edges)| edges);
        for edge in nwa.internal(state).iter().chain(nwa.calls(state)).chain(returns) {
            if seen.insert(edge.state) {
                work.push(edge.state);
            }
        }
    }
    Ok(seen)
}

/// Whether every reachable state has a successor for every letter, with every hierarchical predecessor that it
/// can have, and there is an initial state.
pub fn is_total(nwa: &Nwa, budget: &dyn Budget) -> Result<bool, Interrupted> {
    let complete = |edges: &[Edge], letters: &[Letter]| {
        edges.chunk_by(|a, b| a.letter == b.letter).count() == letters.len()
    };
    let mut automaton = nwa;
    let reach = Reach::compute(&mut automaton, budget)?;
    for data in reach.contexts.values() {
        for &state in &data.members {
            budget.check()?;
            let total = complete(nwa.internal(state), nwa.alphabet().internal())
                && complete(nwa.calls(state), nwa.alphabet().call())
                && data
                    .callers
                    .iter()
                    .all(|&hier| complete(nwa.returns_with(state, hier), nwa.alphabet().ret()));
            if !total {
                return Ok(false);
            }
        }
    }
    Ok(!nwa.initial().is_empty())
}
