//! A proof in the words of the source: what holds at loop heads and at the ends of procedures.

use super::formula::readable;
use crate::view::View;
use base::{Budget, Interrupted, Span};
use logic::Terms;
use program::{BlockProgram, EdgeKind, Location, Program, Proof};
use serde_json::json;
use std::fmt::Write;

/// Something that holds whenever control is at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// What kind of place it is.
    pub kind: InvariantKind,
    /// The place.
    pub span: Span,
    /// The formula, in the words of the source.
    pub formula: String,
}

/// Where an invariant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    /// At the head of a loop.
    Loop,
    /// When this procedure returns.
    Ensures(String),
}

/// The invariants as text.
pub(super) fn text(view: &View, invariants: &[Invariant]) -> String {
    let mut out = String::new();
    for invariant in invariants {
        let place = view.sources.place(invariant.span);
        // Writing to a string cannot fail.
        let _ = match &invariant.kind {
            InvariantKind::Loop => writeln!(out, "{place}: loop invariant: {}", invariant.formula),
            InvariantKind::Ensures(name) => writeln!(out, "{place}: {name} ensures: {}", invariant.formula),
        };
    }
    out
}

/// The invariants for machines.
pub(super) fn json(view: &View, invariants: &[Invariant]) -> Vec<serde_json::Value> {
    let one = |invariant: &Invariant| {
        let at = view.sources.line_column(invariant.span);
        let kind = match &invariant.kind {
            InvariantKind::Loop => "loop",
            InvariantKind::Ensures(_) => "ensures",
        };
        json!({ "kind": kind, "line": at.line, "column": at.column, "formula": invariant.formula })
    };
    invariants.iter().map(one).collect()
}

/// What a proof says about loop heads and about the ends of procedures that are called.
pub(crate) fn invariants(
    view: &View,
    single: &Program,
    blocks: &BlockProgram,
    proof: &Proof,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Vec<Invariant>, Interrupted> {
    let Some(found) = engines::annotation::invariants(&blocks.program, proof, terms, budget)? else {
        return Ok(Vec::new());
    };
    let mut shown = Vec::new();
    for (location, formula) in found {
        let data = &single.locations[location];
        let exit_of = single.frames.get(&data.procedure).filter(|frame| frame.exit == location);
        let kind = if exit_of.is_some() {
            InvariantKind::Ensures(view.program.procedures[data.procedure].name.clone())
        } else if is_loop_head(&blocks.program, location) {
            InvariantKind::Loop
        } else {
            continue;
        };
        if !formula.is_true() {
            let formula = readable(single, view.back.as_ref(), formula, terms);
            shown.extend(formula.map(|formula| Invariant { kind, span: data.span, formula }));
        }
    }
    shown.sort_by_key(|invariant| invariant.span);
    Ok(shown)
}

/// Does a block lead from the location back to it, directly or through other cut points of the procedure?
fn is_loop_head(program: &Program, location: Location) -> bool {
    let mut seen = base::EntitySet::new();
    let mut pending = vec![location];
    while let Some(at) = pending.pop() {
        for &edge in &program.outgoing[at] {
            let data = &program.edges[edge];
            if !matches!(data.kind, EdgeKind::Internal(_)) {
                continue;
            }
            if data.target == location {
                return true;
            }
            if seen.insert(data.target) {
                pending.push(data.target);
            }
        }
    }
    false
}
