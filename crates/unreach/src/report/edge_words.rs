//! What an edge of a program automaton is called: the source that it stands for.

use crate::view::View;
use base::{EntityRef, Span};
use program::steps::{OriginData, Step};
use program::{Edge, Program};
use std::collections::BTreeSet;

/// How many letters of the source stand at an edge.
const LONGEST_LABEL: usize = 200;

/// An edge in the words of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EdgeWords {
    /// The statements, whichever way is taken through the edge.
    pub(super) label: String,
    /// Their places, without repetitions.
    pub(super) spans: Vec<Span>,
}

/// What an edge stands for.
pub(super) fn edge_words(view: &View, program: &Program, edge: Edge) -> EdgeWords {
    let mut label: Vec<String> = Vec::new();
    let mut spans: BTreeSet<Span> = BTreeSet::new();
    for step in steps(program, edge) {
        let StepWords { span, text } = step_words(view, &step);
        if label.last() != Some(&text) && !text.is_empty() {
            label.push(text);
        }
        spans.extend(span);
    }
    let mut label = label.join(" · ");
    if let Some((end, _)) = label.char_indices().nth(LONGEST_LABEL) {
        label.truncate(end);
        label.push('…');
    }
    EdgeWords { label, spans: spans.into_iter().collect() }
}

/// All steps of an edge, whichever way is taken through it; every step once.
fn steps(program: &Program, edge: Edge) -> Vec<Step> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut pending = vec![program.edges[edge].origin];
    while let Some(origin) = pending.pop() {
        if !seen.insert(origin.index()) {
            continue;
        }
        match &program.origins[origin] {
            OriginData::Step { step, .. } => found.push(step.clone()),
            OriginData::Empty => {}
            OriginData::Sequence(first, second) => pending.extend([*second, *first]),
            OriginData::Choice(_, here, there) => pending.extend([*there, *here]),
        }
    }
    found
}

/// The step of an edge that is a single one.
pub(super) fn single_step(program: &Program, edge: Edge) -> Option<&Step> {
    match &program.origins[program.edges[edge].origin] {
        OriginData::Step { step, .. } => Some(step),
        _ => None,
    }
}

/// A step in the words of the source.
pub(super) struct StepWords {
    /// Its place, if it has one.
    pub(super) span: Option<Span>,
    /// What it is called; empty if it goes without saying.
    pub(super) text: String,
}

/// What a step is called.
pub(super) fn step_words(view: &View, step: &Step) -> StepWords {
    let program = &view.program;
    let text = |span: Span| view.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let decided = |procedure: ir::Procedure, block: ir::Block| {
        let body = program.procedures[procedure].body.as_ref();
        body.map(|body| body.blocks[block].transfer_span)
    };
    let words = |span: Option<Span>, text: String| StepWords { span, text };
    match step {
        Step::Start(procedure) => words(None, format!("start {}", program.procedures[*procedure].name)),
        Step::Enter(procedure) => words(Some(program.procedures[*procedure].span), String::new()),
        Step::Statement(place) | Step::Return(place) => {
            let span = program::build::statement_of(program, *place).span;
            words(Some(span), text(span))
        }
        Step::Call(place) | Step::CheckRequires(place) => {
            words(Some(program::build::statement_of(program, *place).span), String::new())
        }
        Step::Fail(place) | Step::FailRequires(place, _) => {
            let span = program::build::statement_of(program, *place).span;
            words(Some(span), format!("fails: {}", text(span)))
        }
        Step::FailEnsures(procedure, _, clause) => {
            let span = program.procedures[*procedure].ensures[*clause].span;
            words(Some(span), format!("fails: {}", text(span)))
        }
        Step::Branch { procedure, block, holds } => {
            let span = decided(*procedure, *block);
            let said = span.map(text).unwrap_or_default();
            words(span, if *holds { said } else { format!("not ({said})") })
        }
        Step::Goto { procedure, block, .. } => words(decided(*procedure, *block), String::new()),
        Step::Leave(procedure, block) => words(decided(*procedure, *block), String::new()),
    }
}
