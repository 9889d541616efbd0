//! Observers: automata over the calls, returns, assignments, labels and failing checks of a program, for safety properties.
//!
//! An observer is a deterministic nested word automaton. In a state, the first of its transitions that fits an event is
//! taken; if none fits, the state stays as it is. Entering the state `error` is a failure. A transition on a return may ask for
//! the state in which the matching call was made: that is what a nested word automaton reads at a return. A variable after `for
//! each` stands for all values: the property holds if the observer reaches no error for any value, so one automaton
//! watches each object.
//!
//! [`parse`] reads the language, [`text`] and [`drawing`] show an automaton, [`product`] puts it into a program of `ir`.
//!
//! ```text
//! observer locks;
//! for each m;
//! initial state free {
//!     on call lock(m) goto held;
//!     on call unlock(m) goto error "the lock is not held";
//! }
//! state held {
//!     on call unlock(m) goto free;
//!     on call lock(m) goto error "the lock is taken twice";
//! }
//! ```

mod parse;
mod print;
pub mod product;
mod tokens;

pub use parse::parse;
pub use print::{drawing, text};

use base::{PrimaryMap, Span};

base::id!(
    /// A state of an observer.
    State, "q");
base::id!(
    /// Something that an observer looks for: all its transitions on calls of one function, say.
    Event, "event");

/// An observer.
#[derive(Clone, Debug)]
pub struct Observer {
    /// Its name.
    pub name: String,
    /// The variables that stand for all values.
    pub each: Vec<Name>,
    /// Its states.
    pub states: PrimaryMap<State, StateData>,
    /// Where it begins.
    pub initial: State,
    /// What it looks for.
    pub events: PrimaryMap<Event, EventData>,
    /// Its transitions; of those that fit, the first one counts.
    pub transitions: Vec<Transition>,
}

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateData {
    /// Its name; `error` for all that are errors.
    pub name: String,
    /// What has gone wrong, for an error.
    pub error: Option<String>,
}

/// What an observer looks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventData {
    /// What happens.
    pub kind: EventKind,
    /// To which function, variable or label, or which check; empty for the end of the program.
    pub name: String,
    /// Where it is mentioned first.
    pub span: Span,
}

/// What can happen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EventKind {
    /// A function is called.
    Call,
    /// A call of a function is over.
    Return,
    /// A global variable gets a value.
    Assign,
    /// A label is reached.
    Label,
    /// The program ends in an orderly way.
    Exit,
    /// An assertion or a check fails.
    Fails,
    /// A loop goes into its next round; only formulas ask for that.
    Round,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Where it begins.
    pub from: State,
    /// On what.
    pub event: Event,
    /// What the arguments must be; without it, anything.
    pub arguments: Option<Vec<Pattern>>,
    /// What the result must be.
    pub result: Pattern,
    /// The state in which the matching call was made, if that matters.
    pub called_in: Option<State>,
    /// A condition of the program's language.
    pub condition: Option<Name>,
    /// Where it leads.
    pub to: State,
    /// Where it stands.
    pub span: Span,
}

impl Transition {
    /// The numbers that arguments must be, with the positions of the arguments.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, &Name)> {
        let arguments = self.arguments.iter().flatten().enumerate();
        arguments.filter_map(|(index, pattern)| match pattern {
            Pattern::Number(literal) => Some((index, literal)),
            _ => None,
        })
    }

    /// The number that the result must be.
    pub fn result_number(&self) -> Option<&Name> {
        match &self.result {
            Pattern::Number(literal) => Some(literal),
            _ => None,
        }
    }

    /// Whether the program's language decides whether it is taken.
    pub fn asks_program(&self) -> bool {
        self.condition.is_some() || self.numbers().next().is_some() || self.result_number().is_some()
    }
}

/// What a value must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Anything.
    Any,
    /// Under this name, conditions speak of it; one that stands for all values must be equal to it.
    Name(Name),
    /// This number.
    Number(Name),
}

impl EventKind {
    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            EventKind::Call => "call",
            EventKind::Return => "return",
            EventKind::Assign => "assign",
            EventKind::Label => "at label",
            EventKind::Exit => "exit",
            EventKind::Fails => "fails",
            EventKind::Round => "round",
        }
    }
}

impl Observer {
    /// Whether a name stands for all values.
    pub fn is_each(&self, name: &str) -> bool {
        self.each.iter().any(|each| each.text == name)
    }

    /// The state as executions name it.
    pub fn state_name(&self, state: State) -> &str {
        &self.states[state].name
    }

    /// The transitions on an event with their numbers, in their order.
    pub fn on(&self, event: Event) -> impl Iterator<Item = (usize, &Transition)> {
        self.transitions.iter().enumerate().filter(move |(_, transition)| transition.event == event)
    }
}
