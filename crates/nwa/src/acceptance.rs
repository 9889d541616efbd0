//! Whether an automaton accepts a nested word.
//!
//! All runs are followed at once: for each open call, the pairs of the state in which the call was read and the
//! state reached now. This is the determinisation of [`determinization`](crate::determinization) for one word.
//! Only the letters of the word are asked about. Cost: linear in the length of the word times, at worst, the
//! square of the number of states.

use crate::{Budget, Interrupted, LazyNwa, NestedWord, Symbol};

/// Pairs of the state at the last open call (any state at the bottom) and the state now; sorted.
type Pairs<S> = Vec<(S, S)>;

/// Whether some run over the word ends in a final state.
pub fn accepts<A: LazyNwa>(
    mut automaton: A,
    word: &NestedWord,
    budget: &dyn Budget,
) -> Result<bool, Interrupted> {
    let mut buffer = Vec::new();
    automaton.initial(&mut buffer)?;
    let mut now: Pairs<A::State> = buffer.drain(..).map(|state| (state, state)).collect();
    let mut open: Vec<Pairs<A::State>> = Vec::new();
    for &symbol in word.symbols() {
        budget.check()?;
        let mut next = Vec::new();
        match symbol {
            Symbol::Internal(letter) => {
                for &(down, up) in &now {
                    automaton.internal(up, letter, &mut buffer)?;
                    next.extend(buffer.drain(..).map(|target| (down, target)));
                }
            }
            Symbol::Call(letter) => {
                now.sort_unstable_by_key(|&(_, up)| up);
                for same in now.chunk_by(|a, b| a.1 == b.1) {
                    let up = same[0].1;
                    automaton.call(up, letter, &mut buffer)?;
                    next.extend(buffer.drain(..).map(|target| (up, target)));
                }
                open.push(std::mem::take(&mut now));
            }
            Symbol::Return(letter) => {
                let callers = open.pop().expect("in a nested word every return has a call");
                for &(hier, up) in &now {
                    automaton.ret(up, hier, letter, &mut buffer)?;
                    let start = callers.partition_point(|&(_, caller)| caller < hier);
                    let downs = callers[start..].iter().take_while(|&&(_, caller)| caller == hier);
                    for &(down, _) in downs {
                        next.extend(buffer.iter().map(|&target| (down, target)));
                    }
                    buffer.clear();
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        now = next;
        if now.is_empty() {
            return Ok(false);
        }
    }
    for (_, up) in now {
        if automaton.is_final(up)? {
            return Ok(true);
        }
    }
    Ok(false)
}
