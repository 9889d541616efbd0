//! The way from a program of the intermediate language back to its script.

use crate::names::quoted;
use ir::interpreter::Place;
use ir::{Procedure, Variable};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a statement of the program is in a trace of the script (SV-LIB 1.0, Section 7.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepMark {
    /// The outputs and locals of a procedure get their first values.
    InitProcedure(String),
    /// A `havoc` statement.
    Havoc,
    /// This branch of a `choice` is taken.
    Choice(usize),
    /// The variables that a loop or a procedure changes get values that fit its annotation.
    Leap(String),
    /// What an annotation says, after a leap that a trace does not write down.
    Silent,
    /// A property is checked.
    Check(Violated),
}

/// A property that a trace violates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violated {
    /// A tag of the statement, if it has one.
    pub tag: Option<String>,
    /// The attribute as the script writes it.
    pub attribute: String,
}

/// Names, and places of statements that a trace tells.
#[derive(Clone, Default, Debug)]
pub struct Back {
    names: FxHashMap<Variable, String>,
    steps: BTreeMap<Place, StepMark>,
    /// The tags of the loops and procedures, by the places where they begin in the text.
    pub(crate) heads: BTreeMap<base::Span, String>,
    pub(crate) procedures: BTreeMap<Procedure, String>,
}

impl Back {
    pub(crate) fn name(&mut self, variable: Variable, symbol: &str) {
        self.names.insert(variable, symbol.to_owned());
    }

    pub(crate) fn step(&mut self, place: Place, mark: StepMark) {
        self.steps.insert(place, mark);
    }

    /// The symbol of a variable, as the script writes it; none if the script does not have the variable.
    pub fn symbol(&self, variable: Variable) -> Option<String> {
        self.names.get(&variable).map(|symbol| quoted(symbol))
    }

    /// What the statement at a place is in a trace.
    pub fn step_at(&self, place: Place) -> Option<&StepMark> {
        self.steps.get(&place)
    }

    /// The tag of a loop whose head is at a place of the text.
    pub fn tag_at(&self, span: base::Span) -> Option<&str> {
        self.heads.get(&span).map(String::as_str)
    }

    /// The symbol of a procedure; none for what calls the first one.
    pub fn procedure(&self, procedure: Procedure) -> Option<&str> {
        self.procedures.get(&procedure).map(String::as_str)
    }
}
