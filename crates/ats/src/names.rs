//! The names of letters and states.
//!
//! Letters are shared by all automata of a script, so that operations on two automata agree on them. The names of
//! the states of a result are derived from those of the operands when somebody asks for them.

use base::{EntityRef, PrimaryMap};
use nwa::{Letter, State};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// All letters of a script.
#[derive(Default)]
pub(crate) struct Letters {
    ids: FxHashMap<Rc<str>, Letter>,
    names: PrimaryMap<Letter, Rc<str>>,
}

impl Letters {
    /// The letter with a name.
    pub(crate) fn intern(&mut self, name: &str) -> Letter {
        if let Some(&letter) = self.ids.get(name) {
            return letter;
        }
        let name: Rc<str> = name.into();
        let letter = self.names.push(Rc::clone(&name));
        self.ids.insert(name, letter);
        letter
    }

    /// The name of a letter.
    pub(crate) fn name(&self, letter: Letter) -> &str {
        &self.names[letter]
    }

    /// The name of a letter in quotes.
    pub(crate) fn quoted(&self, letter: Letter) -> String {
        quoted(self.name(letter))
    }
}

/// A name as a script writes it in quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\\\""))
}

/// The names of the states of an automaton.
pub(crate) enum StateNames {
    /// As they were written.
    Written(PrimaryMap<State, Rc<str>>),
    /// `q0`, `q1`, …
    Numbered,
    /// Each state stands for one of another automaton, or is a sink.
    From(Rc<StateNames>, PrimaryMap<State, Option<State>>),
    /// Each state stands for a pair.
    Pairs(Rc<StateNames>, Rc<StateNames>, PrimaryMap<State, (State, State)>),
    /// Each state stands for a class of states.
    Classes(Rc<StateNames>, PrimaryMap<State, Vec<State>>),
}

impl StateNames {
    /// The name of a state.
    pub(crate) fn name(&self, state: State) -> String {
        match self {
            StateNames::Written(names) => names[state].to_string(),
            StateNames::Numbered => format!("q{}", state.index()),
            StateNames::From(names, origin) => {
                origin[state].map_or_else(|| "sink".to_owned(), |state| names.name(state))
            }
            StateNames::Pairs(left, right, origin) => {
                let (l, r) = origin[state];
                format!("({},{})", left.name(l), right.name(r))
            }
            StateNames::Classes(names, classes) => match &classes[state][..] {
                [one] => names.name(*one),
                many => {
                    let names: Vec<String> = many.iter().map(|&state| names.name(state)).collect();
                    format!("{{{}}}", names.join(","))
                }
            },
        }
    }
}
