//! Büchi automata as text and as graphs.

use super::{Automaton, Formulas, Literal};
use std::fmt::Write;

/// What a letter must satisfy, in the words of the formula.
pub(super) fn guard(formulas: &Formulas, guard: &[Literal]) -> String {
    let literal = |&(atom, holds): &Literal| {
        format!("{}({})", if holds { "" } else { "!" }, formulas.atoms[atom])
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

    /// The automaton as a graph in the DOT language; accepting transitions are bold.
    pub fn dot(&self, formulas: &Formulas) -> String {
        let mut out =
            String::from("digraph property {\n  rankdir=LR;\n  start [shape=point];\n  start -> q0;\n");
        for (state, transitions) in self.transitions.iter().enumerate() {
            for transition in transitions {
                let label = guard(formulas, &transition.guard).replace('\\', "\\\\").replace('"', "\\\"");
                let style = if transition.accepting { ", style=bold" } else { "" };
                // Writing to a string cannot fail.
                let _ = writeln!(out, "  q{state} -> q{} [label=\"{label}\"{style}];", transition.target);
            }
        }
        out.push_str("}\n");
        out
    }
}
