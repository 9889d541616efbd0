//! Nested words and runs (Nested Interpolants, §2.2).
//!
//! A nested word is a sequence of positions, each internal, a call or a return, with the nesting relation
//! between calls and returns. Because each position knows its kind, the relation is determined: a return
//! matches the last open call. Calls may stay open (`∞` in the paper); a return without a call (`−∞`) is
//! not a nested word.

use crate::{Letter, State};
use std::fmt;

/// One position of a nested word: its letter and its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// An internal position.
    Internal(Letter),
    /// A call position.
    Call(Letter),
    /// A return position.
    Return(Letter),
}

impl Symbol {
    /// The letter at the position.
    pub fn letter(self) -> Letter {
        match self {
            Symbol::Internal(letter) | Symbol::Call(letter) | Symbol::Return(letter) => letter,
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Internal(letter) => write!(f, "{letter}"),
            Symbol::Call(letter) => write!(f, "{letter}<"),
            Symbol::Return(letter) => write!(f, ">{letter}"),
        }
    }
}

/// A return at this position has no call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PendingReturn(pub usize);

impl fmt::Display for PendingReturn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the return at position {} has no call", self.0)
    }
}

impl std::error::Error for PendingReturn {}

/// A nested word. The kinds of its symbols determine the nesting relation, so only the symbols are kept.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NestedWord {
    symbols: Vec<Symbol>,
}

impl NestedWord {
    /// The nested word with these symbols; fails at the first return that has no call.
    pub fn new(symbols: Vec<Symbol>) -> Result<NestedWord, PendingReturn> {
        let mut open = 0usize;
        for (position, symbol) in symbols.iter().enumerate() {
            match symbol {
                Symbol::Internal(_) => {}
                Symbol::Call(_) => open += 1,
                Symbol::Return(_) => open = open.checked_sub(1).ok_or(PendingReturn(position))?,
            }
        }
        Ok(NestedWord { symbols })
    }

    /// The symbols in their order.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether this is the empty word.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// The call predecessor of each return position, `None` at the others. Linear in the length.
    pub fn call_predecessors(&self) -> Vec<Option<usize>> {
        let mut open = Vec::new();
        let predecessor = |(position, symbol): (usize, &Symbol)| match symbol {
            Symbol::Internal(_) => None,
            Symbol::Call(_) => {
                open.push(position);
                None
            }
            Symbol::Return(_) => open.pop(),
        };
        self.symbols.iter().enumerate().map(predecessor).collect()
    }

    /// The positions of the calls that are never returned from, outermost first.
    pub fn pending_calls(&self) -> Vec<usize> {
        let mut open = Vec::new();
        for (position, symbol) in self.symbols.iter().enumerate() {
            match symbol {
                Symbol::Internal(_) => {}
                Symbol::Call(_) => open.push(position),
                Symbol::Return(_) => {
                    open.pop();
                }
            }
        }
        open
    }
}

impl fmt::Display for NestedWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (position, symbol) in self.symbols.iter().enumerate() {
            write!(f, "{}{symbol}", if position == 0 { "" } else { " " })?;
        }
        f.write_str("]")
    }
}

/// A run: a nested word of length n and the n + 1 states that an automaton goes through when it reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run<S = State> {
    /// The word that is read.
    pub word: NestedWord,
    /// The states; `states[i]` is the one before position `i` is read.
    pub states: Vec<S>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EntityRef;

    fn a(index: usize) -> Letter {
        Letter::new(index)
    }

    #[test]
    fn a_return_matches_the_last_open_call() {
        let symbols = vec![
            Symbol::Call(a(0)),
            Symbol::Call(a(0)),
            Symbol::Internal(a(1)),
            Symbol::Return(a(2)),
            Symbol::Call(a(0)),
            Symbol::Return(a(2)),
        ];
        let word = NestedWord::new(symbols).expect("every return has a call");
        assert_eq!(word.call_predecessors(), [None, None, None, Some(1), None, Some(4)]);
        assert_eq!(word.pending_calls(), [0]);
        assert_eq!(word.to_string(), "[a0< a0< a1 >a2 a0< >a2]");
    }

    #[test]
    fn a_return_without_a_call_is_refused() {
        let symbols = vec![Symbol::Call(a(0)), Symbol::Return(a(0)), Symbol::Return(a(0))];
        assert_eq!(NestedWord::new(symbols), Err(PendingReturn(2)));
    }
}
