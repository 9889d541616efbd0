//! Büchi automata as text and as pictures.

use super::{Automaton, Formulas, Literal, Transition};
use crate::drawing::{Drawing, Edge};
use std::fmt::Write;

/// What a letter must satisfy, in the words of the formula.
pub(super) fn guard(formulas: &Formulas, guard: &[Literal]) -> String {
    let literal = |&(atom, holds): &Literal| {
        let not = if holds { "" } else { "!" };
        match formulas.called(atom) {
            Some(function) => format!("{not}call({function}())"),
            None => format!("{not}({})", formulas.atoms[atom]),
        }
    };
    match guard {
        [] => "true".to_owned(),
        _ => guard.iter().map(literal).collect::<Vec<_>>().join(" && "),
    }
}

impl Automaton {
    /// The automaton as text, a line for each transition.
    pub fn text(&self, formulas: &Formulas) -> String {
        let mut out = String::from("Büchi automaton, begins in q0; accepting transitions are marked *\n");
        for (state, transitions) in self.transitions.iter().enumerate() {
            for transition in transitions {
                let mark = if transition.accepting { " *" } else { "" };
                // Writing to a string cannot fail.
                let _ = writeln!(
                    out,
                    "q{state} -> q{}: {}{mark}",
                    transition.target,
                    guard(formulas, &transition.guard)
                );
            }
        }
        out
    }

    /// The automaton as a picture.
    pub fn drawing(&self, formulas: &Formulas) -> Drawing {
        let all = self.transitions.iter().enumerate();
        let all = all.flat_map(|(from, list)| list.iter().map(move |transition| (from, transition)));
        let edge = |(from, transition): (usize, &Transition)| Edge {
            from,
            to: transition.target,
            label: guard(formulas, &transition.guard),
            accepting: transition.accepting,
        };
        Drawing::numbered(self.transitions.len(), 0, None, all.map(edge).collect())
    }
}
