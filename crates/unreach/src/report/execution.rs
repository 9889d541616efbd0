//! A failing execution in the words of the source: lines with values, calls indented, repeated iterations folded.

use crate::source::Loaded;
use base::Span;
use certify::Execution;
use certify::replay::{LeftOut, Recorded, RecordedKind};
use ir::interpreter::{FailureKind, Place, Value};
use ir::{StatementKind, Variable};
use serde_json::json;
use std::fmt::Write;

/// Deeper calls are not indented further.
const DEEPEST_INDENT: usize = 20;

/// A line of the listing.
struct Line {
    depth: usize,
    span: Span,
    note: String,
}

/// The execution as text.
pub(super) fn text(loaded: &Loaded, execution: &Execution) -> String {
    let mut out = String::new();
    let (what, span, condition) = failure(loaded, execution);
    let place = loaded.sources.place(span);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{place}: {what}: {condition}");
    let inputs = assignments(loaded, &inputs(loaded, execution));
    if !inputs.is_empty() {
        let _ = writeln!(out, "\nInputs: {inputs}");
    }
    let _ = writeln!(out, "\nExecution:");
    let position = execution.left_out.map_or(execution.events.len(), |left_out| left_out.position);
    let (first, last) = execution.events.split_at(position);
    listing(loaded, first, &mut out);
    if let Some(LeftOut { count, .. }) = execution.left_out {
        let _ = writeln!(out, "      | … {count} steps are not shown");
        listing(loaded, last, &mut out);
    }
    let number = loaded.sources.line_column(span).line;
    let source = loaded.sources.file(span.file).line(number).trim();
    let _ = writeln!(out, "{:<60}  fails", format!("{number:>5} | {source}"));
    let last = assignments(loaded, &execution.last);
    if !last.is_empty() {
        let _ = writeln!(out, "\nThen: {last}");
    }
    out
}

/// Events as lines, repeated ones folded.
fn listing(loaded: &Loaded, events: &[Recorded], out: &mut String) {
    let lines: Vec<Line> = events.iter().filter_map(|event| line(loaded, event)).collect();
    for part in fold(&lines) {
        let _ = match part {
            Part::Line(line) => {
                let number = loaded.sources.line_column(line.span).line;
                let source = loaded.sources.file(line.span.file).line(number).trim();
                let indent = "    ".repeat(line.depth.min(DEEPEST_INDENT));
                let left = format!("{number:>5} | {indent}{source}");
                match line.note.as_str() {
                    "" => writeln!(out, "{left}"),
                    note => writeln!(out, "{left:<60}  {note}"),
                }
            }
            Part::More(count) => writeln!(out, "      | … {count} more times"),
        };
    }
}

/// The execution for machines.
pub(super) fn json(loaded: &Loaded, execution: &Execution) -> serde_json::Value {
    let (what, span, condition) = failure(loaded, execution);
    let place = loaded.sources.line_column(span);
    let values = |values: &[(Variable, Value)]| -> serde_json::Map<String, serde_json::Value> {
        values
            .iter()
            .map(|(variable, value)| {
                (loaded.program.variables[*variable].name.clone(), json!(value.to_string()))
            })
            .collect()
    };
    let steps: Vec<serde_json::Value> = execution
        .events
        .iter()
        .filter_map(|event| {
            let line = line(loaded, event)?;
            let at = loaded.sources.line_column(line.span);
            Some(json!({
                "line": at.line, "column": at.column, "depth": line.depth,
                "source": loaded.sources.text(line.span), "values": values(&event.changed),
            }))
        })
        .collect();
    json!({
        "file": loaded.sources.file(span.file).name, "line": place.line, "column": place.column,
        "what": what, "condition": condition,
        "inputs": values(&inputs(loaded, execution)), "steps": steps, "values": values(&execution.last),
        "steps_left_out": execution.left_out.map_or(0, |left_out| left_out.count),
    })
}

/// What fails, where, and the condition that does not hold.
fn failure<'l>(loaded: &'l Loaded, execution: &Execution) -> (String, Span, &'l str) {
    let program = &loaded.program;
    let place = execution.failure.place;
    let body = program.procedures[place.procedure].body.as_ref().expect("an execution is in a body");
    let block = &body.blocks[place.block];
    let statement = block.statements.get(place.index);
    let span = statement.map_or(block.transfer_span, |statement| statement.span);
    let text = |expr| loaded.sources.text(program.expressions.span(expr));
    match execution.failure.kind {
        FailureKind::Assert(kind) => {
            let what = match kind {
                ir::AssertKind::Assert => "the assertion can fail",
                ir::AssertKind::Invariant => "the loop invariant does not always hold",
            };
            let condition = match statement.map(|statement| &statement.kind) {
                Some(StatementKind::Assert(_, condition)) => text(*condition),
                _ => "",
            };
            (what.to_owned(), span, condition)
        }
        FailureKind::Requires(callee, clause) => {
            let data = &program.procedures[callee];
            let what = format!("a precondition of `{}` can fail", data.name);
            (what, span, text(data.requires[clause].condition))
        }
        FailureKind::Ensures(procedure, clause) => {
            let data = &program.procedures[procedure];
            let what = format!("a postcondition of `{}` can fail", data.name);
            (what, span, text(data.ensures[clause].condition))
        }
    }
}

/// The values that were chosen before the run and that the first procedure can see.
fn inputs(loaded: &Loaded, execution: &Execution) -> Vec<(Variable, Value)> {
    let kinds = |variable: Variable| loaded.program.variables[variable].kind;
    let shown = |(variable, _): &&(Variable, Value)| {
        matches!(
            kinds(*variable),
            ir::VariableKind::Parameter(_) | ir::VariableKind::Global | ir::VariableKind::Constant { .. }
        )
    };
    execution.inputs.iter().filter(shown).cloned().collect()
}

fn assignments(loaded: &Loaded, values: &[(Variable, Value)]) -> String {
    let one = |(variable, value): &(Variable, Value)| {
        format!("{} = {}", loaded.program.variables[*variable].name, shortened(&value.to_string()))
    };
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Long values (maps) are cut.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let start: String = text.chars().take(LONGEST).collect();
    format!("{start}…")
}

/// The line of an event; conditions that front ends made up and plain assumptions of the way taken have none.
fn line(loaded: &Loaded, event: &Recorded) -> Option<Line> {
    let span = span_of(loaded, event.place)?;
    let values = assignments(loaded, &event.changed);
    let note = match event.kind {
        RecordedKind::Statement | RecordedKind::Return => values,
        RecordedKind::Branch(holds) => format!("{holds}"),
        RecordedKind::Enter(procedure) => {
            let name = &loaded.program.procedures[procedure].name;
            let note = format!("in {name}({values})");
            let span = loaded.program.procedures[procedure].span;
            return Some(Line { depth: event.depth - 1, span, note });
        }
    };
    Some(Line { depth: event.depth.saturating_sub(1), span, note })
}

fn span_of(loaded: &Loaded, place: Place) -> Option<Span> {
    let body = loaded.program.procedures[place.procedure].body.as_ref()?;
    let block = &body.blocks[place.block];
    Some(block.statements.get(place.index).map_or(block.transfer_span, |statement| statement.span))
}

/// A part of a folded listing.
enum Part<'l> {
    Line(&'l Line),
    More(usize),
}

/// How long a repeated part may be.
const LONGEST_LOOP: usize = 64;

/// Of more than three repetitions of the same lines, only the first and the last are shown.
fn fold(lines: &[Line]) -> Vec<Part<'_>> {
    let same = |a: usize, b: usize| lines[a].span == lines[b].span && lines[a].depth == lines[b].depth;
    let mut parts = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let repeated = (1..=LONGEST_LOOP).find_map(|length| {
            let mut end = at + length;
            while end < lines.len() && same(end, end - length) {
                end += 1;
            }
            let count = (end - at) / length;
            (count > 3).then_some((length, count))
        });
        match repeated {
            Some((length, count)) => {
                parts.extend(lines[at..at + length].iter().map(Part::Line));
                parts.push(Part::More(count - 2));
                let last = at + length * (count - 1);
                parts.extend(lines[last..last + length].iter().map(Part::Line));
                at = last + length;
            }
            None => {
                parts.push(Part::Line(&lines[at]));
                at += 1;
            }
        }
    }
    parts
}
