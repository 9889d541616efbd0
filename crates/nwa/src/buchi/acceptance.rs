//! Whether a Büchi automaton accepts an ultimately periodic nested word.
//!
//! The stem leads to a set of states. One round of the loop is a relation between states that also says whether a
//! final state was visited on the way; because every return of a loop has its call in the same round, the relation
//! is the same in every round. The word is accepted iff a cycle of rounds with a visit is reachable. Cost: for each
//! of the at most n states before a round, the length of the loop times, at worst, the square of the number of states.

use super::LassoWord;
use crate::{Budget, Interrupted, LazyNwa, NestedWord, Symbol};
use rustc_hash::FxHashMap;

/// Whether some run over the word visits final states infinitely often.
pub fn accepts<A: LazyNwa>(
    mut automaton: A,
    word: &LassoWord,
    budget: &dyn Budget,
) -> Result<bool, Interrupted> {
    let mut start = Vec::new();
    automaton.initial(&mut start)?;
    let mut states: Vec<A::State> = Vec::new();
    let mut ids: FxHashMap<A::State, usize> = FxHashMap::default();
    let mut rounds: Vec<Vec<(usize, bool)>> = Vec::new();
    let mut id = |state, states: &mut Vec<A::State>| {
        *ids.entry(state).or_insert_with(|| {
            states.push(state);
            states.len() - 1
        })
    };
    for (state, _) in read(&mut automaton, &start, word.stem(), budget)? {
        id(state, &mut states);
    }
    while rounds.len() < states.len() {
        let from = [states[rounds.len()]];
        let reached = read(&mut automaton, &from, word.repeated(), budget)?;
        rounds.push(reached.into_iter().map(|(state, visit)| (id(state, &mut states), visit)).collect());
    }
    let components =
        graph::components(rounds.len(), |node, out| out.extend(rounds[node].iter().map(|&(to, _)| to)));
    let component = components.numbers();
    let cycle = |from: usize, (to, visit): (usize, bool)| visit && component[from] == component[to];
    Ok(rounds.iter().enumerate().any(|(from, round)| round.iter().any(|&round| cycle(from, round))))
}

/// A way to a state: the state at the last open call, the state now, and whether a final state was visited.
type Way<S> = (S, S, bool);

/// The states behind a word, and whether a final state behind its start was visited on the way.
fn read<A: LazyNwa>(
    automaton: &mut A,
    from: &[A::State],
    word: &NestedWord,
    budget: &dyn Budget,
) -> Result<Vec<(A::State, bool)>, Interrupted> {
    let mut now: Vec<Way<A::State>> = from.iter().map(|&state| (state, state, false)).collect();
    let mut open: Vec<Vec<Way<A::State>>> = Vec::new();
    let mut buffer = Vec::new();
    for &symbol in word.symbols() {
        budget.check()?;
        let mut next = Vec::new();
        match symbol {
            Symbol::Internal(letter) => {
                for &(down, up, visit) in &now {
                    automaton.internal(up, letter, &mut buffer)?;
                    for target in buffer.drain(..) {
                        next.push((down, target, visit || automaton.is_final(target)?));
                    }
                }
            }
            Symbol::Call(letter) => {
                for &(_, up, _) in &now {
                    automaton.call(up, letter, &mut buffer)?;
                    for target in buffer.drain(..) {
                        next.push((up, target, automaton.is_final(target)?));
                    }
                }
                open.push(std::mem::take(&mut now));
            }
            Symbol::Return(letter) => {
                let callers = open.pop().expect("in a nested word every return has a call");
                for &(hier, up, inside) in &now {
                    automaton.ret(up, hier, letter, &mut buffer)?;
                    for target in buffer.drain(..) {
                        let visit = inside || automaton.is_final(target)?;
                        let below = callers.iter().filter(|&&(_, caller, _)| caller == hier);
                        next.extend(below.map(|&(down, _, before)| (down, target, before || visit)));
                    }
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        now = next;
    }
    // What was visited before a call that is still open counts too.
    let mut visited: Vec<(A::State, bool)> = now.iter().map(|&(_, up, visit)| (up, visit)).collect();
    while let Some(callers) = open.pop() {
        let before = |hier: A::State| callers.iter().any(|&(_, up, visit)| up == hier && visit);
        for (way, (_, visit)) in now.iter().zip(&mut visited) {
            *visit |= before(way.0);
        }
        if open.is_empty() {
            break;
        }
        // Follow each way down by one call.
        let mut lower = Vec::new();
        let mut kept = Vec::new();
        for (way, &(up, visit)) in now.iter().zip(&visited) {
            for &(down, _, _) in callers.iter().filter(|&&(_, caller, _)| caller == way.0) {
                lower.push((down, up, visit));
                kept.push((up, visit));
            }
        }
        (now, visited) = (lower, kept);
    }
    visited.sort_unstable();
    visited.dedup();
    Ok(visited)
}
