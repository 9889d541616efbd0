//! Automata as pictures: what there is to draw of each kind of automaton, and how the DOT language says it.

use std::fmt::Write;

/// What there is to draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// The name of the automaton.
    pub name: String,
    /// Its states.
    pub nodes: Vec<Node>,
    /// Where it begins, as a number among the states.
    pub initial: usize,
    /// Its transitions.
    pub edges: Vec<Edge>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What is written at it.
    pub label: String,
    /// Whether it is an error.
    pub is_error: bool,
}

/// A transition between two states by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it begins.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What is written at it.
    pub label: String,
    /// Whether it is an accepting one.
    pub accepting: bool,
}

impl Drawing {
    /// An automaton whose states are numbers, one of them perhaps an error.
    pub(crate) fn numbered(states: usize, initial: usize, error: Option<usize>, edges: Vec<Edge>) -> Drawing {
        let node = |state: usize| Node { label: format!("q{state}"), is_error: Some(state) == error };
        Drawing { name: "property".to_owned(), nodes: (0..states).map(node).collect(), initial, edges }
    }

    /// The picture in the DOT language; accepting transitions are bold.
    pub fn dot(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut out = format!("digraph {} {{\n  rankdir=LR;\n  start [shape=point];\n", quoted(&self.name));
        for (number, node) in self.nodes.iter().enumerate() {
            let shape = if node.is_error { "box, color=red" } else { "ellipse" };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "  q{number} [label={}, shape={shape}];", quoted(&node.label));
        }
        let _ = writeln!(out, "  start -> q{};", self.initial);
        for edge in &self.edges {
            let style = if edge.accepting { ", style=bold" } else { "" };
            let _ = writeln!(out, "  q{} -> q{} [label={}{style}];", edge.from, edge.to, quoted(&edge.label));
        }
        out.push_str("}\n");
        out
    }
}
