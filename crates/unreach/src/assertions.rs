//! The assertions of a program: everything that can fail, where, in the words of the source.
//!
//! They are read off the program of the intermediate language, so they are the same for all front ends: assertions and
//! loop invariants that are written down, preconditions at calls, postconditions at the ends of bodies, and what the C
//! front end checks besides. Linear in the size of the program.

use crate::view::View;
use base::Span;
use ir::{AssertKind, Procedure, Statement, StatementKind};
use std::collections::BTreeSet;

/// Something that can fail.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Assertion {
    /// Where.
    pub span: Span,
    /// What is said there, in one line.
    pub what: String,
    /// The procedure whose body it stands in.
    pub procedure: String,
}

/// All assertions of a program, in the order of the source; copies of one are told once. Places inside of the models of
/// the C library are left out, because nobody has written them.
pub fn assertions(view: &View) -> Vec<Assertion> {
    let mut found = BTreeSet::new();
    for (procedure, data) in view.program.procedures.iter() {
        let Some(body) = &data.body else { continue };
        let mut add = |span: Span, what: String| {
            if !is_library(view, span) {
                found.insert(Assertion { span, what, procedure: data.name.clone() });
            }
        };
        for block in body.blocks.values() {
            for statement in &block.statements {
                for what in failures_of(view, statement) {
                    add(statement.span, what);
                }
            }
        }
        for (span, what) in postconditions(view, procedure) {
            add(span, what);
        }
    }
    found.into_iter().collect()
}

/// Whether a place is in the models of the C library.
pub fn is_library(view: &View, span: Span) -> bool {
    view.sources.file(span.file).name == c::LIBRARY
}

fn failures_of(view: &View, statement: &Statement) -> Vec<String> {
    let text = |expr| one_line(view.sources.text(view.program.expressions.span(expr)));
    match &statement.kind {
        StatementKind::Assert(kind, condition) => {
            let stated = c::words::stated(statement);
            let what = match (stated, kind) {
                (Some(stated), _) => stated.to_owned(),
                (None, AssertKind::Assert) => format!("assert {}", text(*condition)),
                (None, AssertKind::Invariant) => format!("invariant {}", text(*condition)),
            };
            vec![what]
        }
        StatementKind::Call { procedure, .. } => {
            let callee = &view.program.procedures[*procedure];
            let checked = callee.requires.iter().filter(|clause| !clause.free);
            checked.map(|clause| format!("{} requires {}", callee.name, text(clause.condition))).collect()
        }
        _ => Vec::new(),
    }
}

fn postconditions(view: &View, procedure: Procedure) -> Vec<(Span, String)> {
    let data = &view.program.procedures[procedure];
    let text = |expr| one_line(view.sources.text(view.program.expressions.span(expr)));
    let checked = data.ensures.iter().filter(|clause| !clause.free);
    checked.map(|clause| (clause.span, format!("{} ensures {}", data.name, text(clause.condition)))).collect()
}

/// A piece of source without line breaks, not too long.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 120;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
