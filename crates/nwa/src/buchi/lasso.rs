//! Infinite nested words of the form u·vʷ, and runs over them.
//!
//! An *ultimately periodic* nested word is written as a stem u and a loop v that is repeated for ever. Calls may stay
//! pending, in the stem (a procedure that never returns) and in the loop (recursion that goes deeper in every round).
//! A return must have a call. [`LassoWord`] keeps the form in which *every return of the loop has its call in the same
//! round*: a loop such as `>r c<` is rotated to `c< >r`, and the stem gets longer. Then each round can be read without
//! knowing the ones before. A loop with more returns than calls has no such form: it is no nested word.

use crate::{NestedWord, PendingReturn, Run, State, Symbol};
use std::fmt;

/// Why a stem and a loop are not an infinite nested word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLasso {
    /// The loop is empty.
    EmptyLoop,
    /// Sooner or later there is a return without a call.
    PendingReturn,
}

impl fmt::Display for NoLasso {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoLasso::EmptyLoop => "the loop of an infinite word must not be empty",
            NoLasso::PendingReturn => "the infinite word has a return without a call",
        })
    }
}

impl std::error::Error for NoLasso {}

impl From<PendingReturn> for NoLasso {
    fn from(_: PendingReturn) -> NoLasso {
        NoLasso::PendingReturn
    }
}

/// The infinite nested word that consists of a stem and a loop that is repeated for ever.
///
/// ```
/// use nwa::{EntityRef, Letter, Symbol, buchi::LassoWord};
///
/// let (call, ret) = (Symbol::Call(Letter::new(0)), Symbol::Return(Letter::new(1)));
/// // The return of each round belongs to the call of the round before: the loop is rotated.
/// let word = LassoWord::new(vec![call], vec![ret, call]).unwrap();
/// assert_eq!(word.to_string(), "[a0< >a1, a0< >a1]");
/// assert!(LassoWord::new(vec![call], vec![ret]).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LassoWord {
    stem: NestedWord,
    repeated: NestedWord,
}

impl LassoWord {
    /// The infinite word with this stem and this loop.
    pub fn new(stem: Vec<Symbol>, repeated: Vec<Symbol>) -> Result<LassoWord, NoLasso> {
        if repeated.is_empty() {
            return Err(NoLasso::EmptyLoop);
        }
        let start = lowest(&repeated);
        let (mut stem, mut repeated) = (stem, repeated);
        stem.extend_from_slice(&repeated[..start]);
        repeated.rotate_left(start);
        Ok(LassoWord { stem: NestedWord::new(stem)?, repeated: NestedWord::new(repeated)? })
    }

    /// What is read once.
    pub fn stem(&self) -> &NestedWord {
        &self.stem
    }

    /// What is read again and again. Its returns have their calls in it.
    pub fn repeated(&self) -> &NestedWord {
        &self.repeated
    }

    /// Stem and loop together.
    pub fn len(&self) -> usize {
        self.stem.len() + self.repeated.len()
    }

    /// Never: a loop has at least one symbol.
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// The first position at which the number of open calls is least, provided that a round does not close more than it
/// opens.
fn lowest(symbols: &[Symbol]) -> usize {
    let (mut open, mut least, mut position) = (0i64, 0i64, 0);
    for (index, symbol) in symbols.iter().enumerate() {
        match symbol {
            Symbol::Internal(_) => {}
            Symbol::Call(_) => open += 1,
            Symbol::Return(_) => open -= 1,
        }
        if open < least {
            (least, position) = (open, index + 1);
        }
    }
    // After the last symbol means before the first one of the next round.
    if position == symbols.len() { 0 } else { position }
}

impl fmt::Display for LassoWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |word: &NestedWord| {
            let text = word.to_string();
            text[1..text.len() - 1].to_owned()
        };
        write!(f, "[{}, {}]", inner(&self.stem), inner(&self.repeated))
    }
}

/// A run over an infinite word that visits a final state in every round: one over the stem, and one over the loop that
/// starts and ends in the state in which the stem ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LassoRun<S = State> {
    /// The run over the stem.
    pub stem: Run<S>,
    /// The run over one round. Its first and its last state are the last one of the stem.
    pub repeated: Run<S>,
}

impl<S> LassoRun<S> {
    /// The word that is read.
    pub fn word(&self) -> LassoWord {
        LassoWord { stem: self.stem.word.clone(), repeated: self.repeated.word.clone() }
    }

    /// The same run with other names for the states.
    pub fn map<T>(self, mut name: impl FnMut(S) -> T) -> LassoRun<T> {
        let mut rename =
            |run: Run<S>| Run { word: run.word, states: run.states.into_iter().map(&mut name).collect() };
        LassoRun { stem: rename(self.stem), repeated: rename(self.repeated) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EntityRef;
    use crate::Letter;

    fn word(stem: &str, repeated: &str) -> Result<String, NoLasso> {
        let symbols = |text: &str| {
            text.chars()
                .map(|c| match c {
                    '<' => Symbol::Call(Letter::new(1)),
                    '>' => Symbol::Return(Letter::new(2)),
                    _ => Symbol::Internal(Letter::new(0)),
                })
                .collect()
        };
        LassoWord::new(symbols(stem), symbols(repeated)).map(|word| word.to_string())
    }

    #[test]
    fn returns_of_a_loop_have_their_calls_in_the_same_round() {
        assert_eq!(word("<", ".>.<").unwrap(), "[a1< a0 >a2, a0 a1< a0 >a2]");
        assert_eq!(word("", "<.").unwrap(), "[, a1< a0]");
        assert_eq!(word("<<", "><<").unwrap(), "[a1< a1< >a2, a1< a1< >a2]");
        assert_eq!(word("", "<>").unwrap(), "[, a1< >a2]");
    }

    #[test]
    fn what_is_no_infinite_nested_word_is_refused() {
        assert_eq!(word(".", ""), Err(NoLasso::EmptyLoop));
        assert_eq!(word("<<<", ">"), Err(NoLasso::PendingReturn));
        assert_eq!(word("", "><"), Err(NoLasso::PendingReturn));
        assert_eq!(word(">", "."), Err(NoLasso::PendingReturn));
    }
}
