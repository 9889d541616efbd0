//! What variables hold.

use crate::names::{Letters, StateNames};
use nwa::{Nwa, Symbol};
use std::fmt::Write as _;
use std::rc::Rc;

/// Whether the size of an automaton is fixed by the meaning of the script or depends on how well we did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    /// Everybody must come to this number: states of a definition, reachable states, …
    Exact,
    /// A smaller automaton for the same language is as good: products, determinisation, reductions.
    Improvable,
}

/// An automaton with the names of its states.
#[derive(Clone)]
pub(crate) struct Automaton {
    pub(crate) nwa: Rc<Nwa>,
    pub(crate) names: Rc<StateNames>,
    pub(crate) size: Size,
    /// The pairs of states that were written as epsilon transitions; the automaton has them eliminated.
    pub(crate) epsilon: Rc<[(nwa::State, nwa::State)]>,
    /// The automaton as it was written, if it has epsilon transitions.
    pub(crate) written: Option<Rc<Nwa>>,
}

impl Automaton {
    pub(crate) fn new(nwa: Nwa, names: StateNames, size: Size) -> Automaton {
        Automaton { nwa: Rc::new(nwa), names: Rc::new(names), size, epsilon: Rc::new([]), written: None }
    }
}

/// A value.
#[derive(Clone)]
pub(crate) enum Value {
    /// A number; a count of states or transitions knows what kind of size it is.
    Int(i64, Option<Size>),
    Boolean(bool),
    Text(Rc<str>),
    /// A word, which may have returns without calls; no automaton accepts such a word.
    Word(Rc<[Symbol]>),
    /// Stem and loop of an infinite word.
    Lasso(Rc<[Symbol]>, Rc<[Symbol]>),
    Automaton(Automaton),
    /// The value of an operation that has none, such as `print`.
    Nothing,
    /// What depends on an operation (named here) that is not supported.
    Unsupported(Rc<str>),
}

impl Value {
    pub(crate) fn int(value: i64) -> Value {
        Value::Int(value, None)
    }

    /// The kind of value, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Int(..) => "a number",
            Value::Boolean(_) => "a truth value",
            Value::Text(_) => "a text",
            Value::Word(_) => "a word",
            Value::Lasso(..) => "an infinite word",
            Value::Automaton(_) => "an automaton",
            Value::Nothing => "nothing",
            Value::Unsupported(_) => "an unsupported value",
        }
    }
}

/// A word as a script would write it.
pub(crate) fn word_text(symbols: &[Symbol], letters: &Letters) -> String {
    let mut text = String::new();
    for symbol in symbols {
        if !text.is_empty() {
            text.push(' ');
        }
        let letter = letters.quoted(symbol.letter());
        // Writing to a string cannot fail.
        let _ = match symbol {
            Symbol::Internal(_) => write!(text, "{letter}"),
            Symbol::Call(_) => write!(text, "{letter}<"),
            Symbol::Return(_) => write!(text, ">{letter}"),
        };
    }
    text
}
