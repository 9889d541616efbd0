//! The checks of a program as they are shown: in one line of words, with the procedure that they belong to and what is
//! known about them.
//!
//! What a check is, [`checks`](crate::checks) says. Places inside of the models of the C library are left out here,
//! because nobody has written them. Linear in the size of the program.

use crate::answer::{Answer, Decision};
use crate::checks::{Check, Found, Survey, checks, failing_check};
use crate::view::View;
use base::{SourceMap, Span};
use ir::StatementKind;
use std::collections::BTreeMap;

/// A check as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// The check.
    pub check: Check,
    /// What must hold, in one line.
    pub what: String,
    /// The procedure that it belongs to, if that is known.
    pub procedure: Option<String>,
    /// What is known.
    pub status: Status,
}

/// What is known about a check; the worse, the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// No execution fails there.
    Proven,
    /// All executions fail before.
    NotReached,
    /// Nothing.
    Open,
    /// An execution fails there.
    Fails,
}

impl Status {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Status::Proven => "proven",
            Status::NotReached => "not reached",
            Status::Open => "open",
            Status::Fails => "fails",
        }
    }
}

/// All checks of the program that a decision is about, in the order of their places.
pub fn judged(decision: &Decision) -> Vec<Assertion> {
    let Some(view) = decision.view.as_deref() else { return Vec::new() };
    let failing = failing_check(decision);
    let owners = owners(view);
    let one = |check: Check| {
        let status = match &decision.answer {
            Answer::Safe(_) => Status::Proven,
            _ if failing.as_ref() == Some(&check) => Status::Fails,
            _ if decision.stand.as_ref().is_some_and(|stand| stand.proven.contains(&check)) => Status::Proven,
            _ => Status::Open,
        };
        let procedure = owners.get(&check.span).cloned();
        Assertion { what: words(&view.sources, &check), procedure, status, check }
    };
    let all = checks(&view.program).into_iter();
    all.filter(|check| !is_library(&view.sources, check.span)).map(one).collect()
}

/// All checks of a survey.
pub fn surveyed(survey: &Survey) -> Vec<Assertion> {
    let shown = survey.checks.iter().filter(|(check, _)| !is_library(&survey.sources, check.span));
    shown
        .map(|(check, found)| {
            let (what, check) = (words(&survey.sources, check), check.clone());
            Assertion { check, what, procedure: None, status: status(found) }
        })
        .collect()
}

/// What a survey has found out about a check.
pub fn status(found: &Found) -> Status {
    match found {
        Found::Proven => Status::Proven,
        Found::NotReached => Status::NotReached,
        Found::Fails(_) => Status::Fails,
        Found::Open(_) => Status::Open,
    }
}

/// Whether a place is in the models of the C library.
pub fn is_library(sources: &SourceMap, span: Span) -> bool {
    sources.file(span.file).name == c::LIBRARY
}

/// The procedures that checks belong to, by the places of the checks.
fn owners(view: &View) -> BTreeMap<Span, String> {
    let mut owners = BTreeMap::new();
    // The steps of all threads are in one procedure, which is not that of the source.
    if view.threads.is_some() {
        return owners;
    }
    for data in view.program.procedures.values() {
        let statements =
            data.body.iter().flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
        let asserts = statements.filter(|statement| matches!(statement.kind, StatementKind::Assert(..)));
        let clauses = data.requires.iter().chain(&data.ensures);
        for span in asserts.map(|statement| statement.span).chain(clauses.map(|clause| clause.span)) {
            owners.insert(span, data.name.clone());
        }
    }
    owners
}

/// A check in one line. Checks of C say all there is to say; others go with their condition.
fn words(sources: &SourceMap, check: &Check) -> String {
    const LONGEST: usize = 120;
    if check.what.contains(": ") {
        return check.what.clone();
    }
    let condition: Vec<&str> = sources.text(check.condition).split_whitespace().collect();
    let line = format!("{}: {}", check.what, condition.join(" "));
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
