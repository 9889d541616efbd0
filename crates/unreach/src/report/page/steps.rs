//! What the page steps through: a replayed execution, a chain of leaps, or the first rounds of a run that never ends.
//!
//! All of them are lists of the same shape, so that the page has one way to show them. A step has a place, the depth of
//! calls, a thread, what there is to say, and the values that it changed; for each value whether all procedures see it.

use super::places::Places;
use crate::answer::{Answer, Decision, LeapStage, Leaps};
use crate::report::c_execution::{is_hidden, root};
use crate::report::execution::{Line, failure, tell};
use crate::report::termination::InfiniteReport;
use crate::view::View;
use base::Span;
use c::words::Change;
use certify::Execution;
use ir::{Procedure, VariableKind};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The steps of a decision; none if it has no execution.
pub(super) fn of(decision: &Decision, places: &mut Places<'_>) -> Vec<Value> {
    let Some(view) = decision.view.as_deref() else { return Vec::new() };
    match &decision.answer {
        Answer::Unsafe(execution) => executed(view, execution, places),
        Answer::Leaps(leaps) => match &leaps.execution {
            Some(execution) => executed(view, execution, places),
            None => leapt(leaps, places),
        },
        Answer::Infinite(infinite) => rounds(&infinite.told, places),
        Answer::Safe(_) | Answer::Terminates(_) | Answer::Unknown(_) => Vec::new(),
    }
}

fn executed(view: &View, execution: &Execution, places: &mut Places<'_>) -> Vec<Value> {
    let told = tell(view, execution);
    let mut scopes = Scopes { view, seen: BTreeMap::new() };
    let mut steps = Vec::new();
    for (position, line) in told.lines.iter().enumerate() {
        if told.left_out == Some(position) {
            steps.extend(gap(execution));
        }
        steps.push(step(line, &mut scopes, places));
    }
    if told.left_out == Some(told.lines.len()) {
        steps.extend(gap(execution));
    }
    let (what, span, condition) = failure(view, execution);
    let depth = told.lines.last().map_or(0, |line| line.depth);
    let note = if condition.is_empty() { what } else { format!("{what}: {condition}") };
    let procedure = &view.program.procedures[execution.failure.place.procedure].name;
    steps.push(json!({
        "place": places.of(span), "depth": depth, "note": note, "kind": "fails", "procedure": procedure,
        "thread": told.failing_thread(view, execution), "values": [],
    }));
    steps
}

fn gap(execution: &Execution) -> Option<Value> {
    let count = execution.left_out?.count;
    let note = format!("{count} steps are not shown");
    Some(json!({ "place": null, "depth": 0, "note": note, "kind": "gap", "values": [] }))
}

fn step(line: &Line, scopes: &mut Scopes<'_>, places: &mut Places<'_>) -> Value {
    let values: Vec<Value> = line
        .changes
        .iter()
        .filter(|change| scopes.view.back.is_none() || !is_hidden(&change.name))
        .map(|change| json!([change.name, change.value, scopes.is_local(line.procedure, change)]))
        .collect();
    json!({
        "place": places.of(line.span), "depth": line.depth, "note": line.note, "thread": line.thread,
        "kind": if line.entry { "enters" } else { "" }, "values": values,
        "procedure": scopes.view.program.procedures[line.procedure].name,
    })
}

/// Which names are those of a procedure's own variables.
struct Scopes<'v> {
    view: &'v View,
    seen: BTreeMap<Procedure, BTreeSet<String>>,
}

impl Scopes<'_> {
    fn is_local(&mut self, procedure: Procedure, change: &Change) -> bool {
        let view = self.view;
        let names = self.seen.entry(procedure).or_insert_with(|| locals(view, procedure));
        names.contains(root(&change.name))
    }
}

fn locals(view: &View, procedure: Procedure) -> BTreeSet<String> {
    let program = &view.program;
    let own = |kind| match kind {
        VariableKind::Parameter(owner) | VariableKind::Result(owner) | VariableKind::Local(owner) => {
            owner == procedure
        }
        _ => false,
    };
    match &view.back {
        // The steps of all threads are in one procedure; their variables are told apart by the threads.
        Some(back) if view.threads.is_some() => {
            let locals = back.variables.values().filter(|it| it.function.is_some());
            locals.map(|it| root(&it.name).to_owned()).collect()
        }
        None if view.threads.is_some() => BTreeSet::new(),
        Some(back) => {
            let function = &program.procedures[procedure].name;
            // What is kept does not depend on the order of the map.
            let mine = |it: &&c::CVariable| it.function.as_ref().is_some_and(|name| name == function);
            let names = back.variables.values().filter(mine).map(|it| root(&it.name).to_owned());
            names.chain(["\\result".to_owned()]).collect()
        }
        None => {
            let mine = program.variables.values().filter(|data| own(data.kind));
            mine.map(|data| root(&data.name).to_owned()).collect()
        }
    }
}

/// A chain of leaps: for every loop the port by which it is entered, the rounds, and the port by which it is left.
fn leapt(leaps: &Leaps, places: &mut Places<'_>) -> Vec<Value> {
    let mut steps = Vec::new();
    let mut add = |span: Span, note: String, (kind, values): (&str, &str), places: &mut Places<'_>| {
        steps.push(json!({
            "place": places.of(span), "depth": 0, "note": note, "kind": kind, "values": at_port(values),
        }));
    };
    for stage in &leaps.stages {
        let LeapStage { span, theorem, entry, exit, .. } = stage;
        add(*span, format!("entry port: {entry}"), ("", &stage.entry_values), places);
        let rounds =
            stage.rounds.as_ref().map_or("any number".to_owned(), |rounds| grouped(&rounds.to_string()));
        add(*span, format!("leap × {rounds} (Theorem {theorem})"), ("leap", ""), places);
        for (at, formula) in &stage.region {
            add(*at, format!("all the time: {formula}"), ("", ""), places);
        }
        add(*span, format!("exit port: {exit}"), ("", &stage.exit_values), places);
    }
    add(leaps.error.span, "can fail".to_owned(), ("fails", ""), places);
    steps
}

/// The values at a port, which are told as `x = 1, y = 2`.
fn at_port(told: &str) -> Vec<Value> {
    let pairs = told.split(", ").filter_map(|pair| pair.split_once(" = "));
    pairs.map(|(name, value)| json!([name, value, true])).collect()
}

/// A number with a comma before every third digit from the end.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        let left = digits.len() - position;
        if position > 0 && left.is_multiple_of(3) && digit.is_ascii_digit() {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The rounds of a run that never ends.
fn rounds(told: &InfiniteReport, places: &mut Places<'_>) -> Vec<Value> {
    let place = places.of(told.span);
    let states = told.states.as_ref().map(|states| format!("always: {states}")).unwrap_or_default();
    let mut steps: Vec<Value> = told
        .values
        .iter()
        .enumerate()
        .map(|(round, values)| {
            let values: Vec<Value> = values.iter().map(|(name, value)| json!([name, value, true])).collect();
            let note = format!("round {}. {states}", round + 1);
            json!({ "place": place, "depth": 0, "note": note, "kind": "leap", "values": values })
        })
        .collect();
    let note = format!("and so on, for ever; {} rounds were replayed", told.rounds);
    steps.push(json!({ "place": place, "depth": 0, "note": note, "kind": "fails", "values": [] }));
    steps
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_in_groups() {
        for (digits, text) in
            [("1", "1"), ("500000", "500,000"), ("1000", "1,000"), ("12345678", "12,345,678")]
        {
            assert_eq!(grouped(digits), text);
        }
    }
}
