//! The program automaton as text and as a graph.

use crate::automaton::{Edge, EdgeKind, Location, Program};
use base::SourceMap;
use logic::print::infix_with;
use logic::{Symbol, Term, Terms};
use std::fmt::Write;

/// One line per location and per edge.
pub fn text(source: &ir::Program, program: &Program, terms: &Terms, sources: &SourceMap) -> String {
    let mut out = String::new();
    let initial: Vec<String> = program.initial.iter().map(Location::to_string).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "initial {}", initial.join(" "));
    for &axiom in &program.axioms {
        let _ = writeln!(out, "axiom {}", formula(program, terms, axiom));
    }
    for location in used_locations(program) {
        let data = &program.locations[location];
        let name = &source.procedures[data.procedure].name;
        let error = if data.error.is_some() { ", error" } else { "" };
        let _ = writeln!(out, "{location} in {name} at {}{error}", sources.line_column(data.span));
        for &edge in &program.outgoing[location] {
            let target = program.edges[edge].target;
            let _ = writeln!(out, "  {edge} to {target}: {}", label(source, program, terms, edge));
        }
    }
    out
}

/// A graph in the DOT language.
pub fn dot(source: &ir::Program, program: &Program, terms: &Terms, sources: &SourceMap) -> String {
    let mut out = String::from("digraph program {\n  node [shape=circle, fontname=monospace];\n");
    for location in used_locations(program) {
        let data = &program.locations[location];
        let shape = if data.error.is_some() { ", shape=doublecircle, color=red" } else { "" };
        let start = if program.initial.contains(&location) { ", style=bold" } else { "" };
        let place = sources.line_column(data.span);
        let _ = writeln!(out, "  {location} [label=\"{location}\\n{place}\"{shape}{start}];");
    }
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        let text = label(source, program, terms, edge).replace('\\', "\\\\").replace('"', "\\\"");
        let style = if matches!(data.kind, EdgeKind::Internal(_)) { "" } else { ", style=dashed" };
        let _ = writeln!(out, "  {} -> {} [label=\"{text}\"{style}];", data.source, data.target);
    }
    out.push_str("}\n");
    out
}

/// The locations at an end of an edge that is in use.
pub fn used_locations(program: &Program) -> Vec<Location> {
    let ends = program.live_edges().flat_map(|edge| [program.edges[edge].source, program.edges[edge].target]);
    let mut locations: Vec<Location> = ends.chain(program.initial.iter().copied()).collect();
    locations.sort_unstable();
    locations.dedup();
    locations
}

fn formula(program: &Program, terms: &Terms, formula: Term) -> String {
    let name = |symbol: Symbol| match program.variables.of_symbol(symbol) {
        Some(var) => program.variables[var].name.as_str(),
        None => terms.symbol_data(symbol).name.as_str(),
    };
    infix_with(terms, formula, &name)
}

/// What an edge does.
pub fn label(source: &ir::Program, program: &Program, terms: &Terms, edge: Edge) -> String {
    let name = |var: crate::Var| program.variables[var].name.as_str();
    let assignments = |list: &[(crate::Var, Term)]| {
        let one = |&(var, value): &(crate::Var, Term)| {
            format!("{} := {}", name(var), formula(program, terms, value))
        };
        list.iter().map(one).collect::<Vec<_>>()
    };
    match &program.edges[edge].kind {
        EdgeKind::Internal(relation) => {
            let mut parts = Vec::new();
            if !relation.guard.is_true() {
                parts.push(format!("assume {}", formula(program, terms, relation.guard)));
            }
            parts.extend(assignments(&relation.updates));
            if parts.is_empty() { "skip".to_owned() } else { parts.join("; ") }
        }
        EdgeKind::Call(call) => {
            let callee = &source.procedures[call.callee].name;
            format!("call {callee}: {}", assignments(&call.bindings).join("; "))
        }
        EdgeKind::Return(returning) => {
            let (data, call) = program.call_of(returning);
            let callee = &source.procedures[call.callee].name;
            let results =
                returning.results.iter().map(|&(to, from)| format!("{} := {}", name(to), name(from)));
            format!("return of {callee} to {}: {}", data.source, results.collect::<Vec<_>>().join("; "))
        }
    }
}
