//! A proof in the words of the source: what holds at loop heads and at the ends of procedures.

use crate::source::Loaded;
use base::Span;
use serde_json::json;
use std::fmt::Write;

/// Something that holds whenever control is at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Invariant {
    /// What kind of place it is.
    pub(crate) kind: InvariantKind,
    /// The place.
    pub(crate) span: Span,
    /// The formula, in the syntax of Boogie.
    pub(crate) formula: String,
}

/// Where an invariant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum InvariantKind {
    /// At the head of a loop.
    Loop,
    /// When this procedure returns.
    Ensures(String),
}

/// The invariants as text.
pub(super) fn text(loaded: &Loaded, invariants: &[Invariant]) -> String {
    let mut out = String::new();
    for invariant in invariants {
        let place = loaded.sources.place(invariant.span);
        // Writing to a string cannot fail.
        let _ = match &invariant.kind {
            InvariantKind::Loop => writeln!(out, "{place}: loop invariant: {}", invariant.formula),
            InvariantKind::Ensures(name) => writeln!(out, "{place}: {name} ensures: {}", invariant.formula),
        };
    }
    out
}

/// The invariants for machines.
pub(super) fn json(loaded: &Loaded, invariants: &[Invariant]) -> Vec<serde_json::Value> {
    let one = |invariant: &Invariant| {
        let at = loaded.sources.line_column(invariant.span);
        let kind = match &invariant.kind {
            InvariantKind::Loop => "loop",
            InvariantKind::Ensures(_) => "ensures",
        };
        json!({ "kind": kind, "line": at.line, "column": at.column, "formula": invariant.formula })
    };
    invariants.iter().map(one).collect()
}
