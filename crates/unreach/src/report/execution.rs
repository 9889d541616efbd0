//! A failing execution in the words of the source: lines with values, calls indented, repeated iterations folded.

use super::lanes::Lanes;
use crate::view::View;
use base::Span;
use c::words::Change;
use certify::Execution;
use certify::replay::{LeftOut, Recorded, RecordedKind};
use ir::interpreter::{FailureKind, Place, Value};
use ir::{StatementKind, Variable};
use serde_json::json;
use std::fmt::Write;

/// Deeper calls are not indented further.
const DEEPEST_INDENT: usize = 20;

/// A line of the listing.
pub(super) struct Line {
    pub(super) depth: usize,
    pub(super) span: Span,
    pub(super) note: String,
    pub(super) changes: Vec<Change>,
    /// Whether a procedure is entered here.
    pub(super) entry: bool,
    /// Whose step it is, in a program with threads.
    pub(super) thread: Option<String>,
    /// The procedure whose variables are in scope.
    pub(super) procedure: ir::Procedure,
}

/// An execution in the words of its language.
pub(super) struct Told {
    pub(super) lines: Vec<Line>,
    /// How many of the lines come before the part of the run that was left out.
    pub(super) left_out: Option<usize>,
    /// What the environment chose, and where.
    pub(super) inputs: Vec<(Option<Span>, Change)>,
    /// The last values.
    pub(super) last: Vec<Change>,
}

impl Told {
    /// The name of the thread that fails, if there are threads. In a recursive call, it is the thread that was last to make a step.
    pub(super) fn failing_thread<'t>(&'t self, view: &'t View, execution: &Execution) -> Option<&'t str> {
        let last = self.lines.last().and_then(|line| line.thread.as_deref());
        view.thread_of(execution.failure.place).or(last)
    }
}

pub(super) fn tell(view: &View, execution: &Execution) -> Told {
    let mut told = lines_of(view, execution);
    if view.threads.is_some() {
        // Inside of a recursive call, places say nothing of threads.
        let mut running: Option<String> = None;
        for line in &mut told.lines {
            match &line.thread {
                Some(thread) => running = Some(thread.clone()),
                None => line.thread.clone_from(&running),
            }
        }
    }
    told
}

fn lines_of(view: &View, execution: &Execution) -> Told {
    if let Some(back) = &view.back {
        return super::c_execution::tell(view, back, execution);
    }
    let inputs = changes(view, &inputs(view, execution)).into_iter().map(|change| (None, change)).collect();
    let mut lines = Vec::new();
    let mut left_out = None;
    let entered = entered(view, execution);
    for (position, event) in execution.events.iter().enumerate() {
        if execution.left_out.is_some_and(|gap| gap.position == position) {
            left_out = Some(lines.len());
        }
        lines.extend(line(view, event, entered.get(position).copied().flatten()));
    }
    Told { lines, left_out, inputs, last: changes(view, &execution.last) }
}

/// For each event the state that an observer enters there, if there is an observer and the state is another one than before.
pub(super) fn entered<'v>(view: &'v View, execution: &Execution) -> Vec<Option<&'v str>> {
    view.observed.as_ref().map(|observed| observed.entered(execution)).unwrap_or_default()
}

/// That an observer enters a state.
pub(super) fn state_change(state: &str) -> Change {
    Change { name: "observer".to_owned(), value: state.to_owned() }
}

/// The execution as text.
pub(super) fn text(view: &View, execution: &Execution) -> String {
    let mut out = String::new();
    let (what, span, condition) = failure(view, execution);
    let place = view.sources.place(span);
    let origin = view.sources.origin(span).map(|(file, line)| format!(" (from {file}:{line})"));
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{place}{}: {what}: {condition}", origin.unwrap_or_default());
    let told = tell(view, execution);
    let inputs = told.inputs.iter().map(|(span, change)| match span {
        Some(span) => format!("{} (line {})", text_of(change), view.sources.line_column(*span).line),
        None => text_of(change),
    });
    let inputs = shortened_list(inputs.collect());
    if !inputs.is_empty() {
        let _ = writeln!(out, "\nInputs: {inputs}");
    }
    let thread = told.failing_thread(view, execution);
    let threads = told.lines.iter().filter_map(|line| line.thread.as_deref()).chain(thread);
    let parts = super::meeting::of_failure(view, execution);
    let lanes = Lanes::of(threads.chain(parts.iter().map(|part| part.thread)));
    let _ = writeln!(out, "\nExecution:");
    lanes.iter().for_each(|lanes| lanes.head(&mut out));
    let (first, last) = told.lines.split_at(told.left_out.unwrap_or(told.lines.len()));
    listing(view, first, lanes.as_ref(), &mut out);
    if let Some(LeftOut { count, .. }) = execution.left_out {
        let _ = writeln!(out, "      | … {count} steps are not shown");
        listing(view, last, lanes.as_ref(), &mut out);
    }
    let number = view.sources.line_column(span).line;
    let source = view.sources.file(span.file).line(number).trim();
    match &lanes {
        Some(lanes) => failing_steps(view, lanes, (&parts, thread), span, &mut out),
        None => {
            let thread = thread.map(|name| format!("[{name}] ")).unwrap_or_default();
            let _ = writeln!(out, "{:<60}  fails", format!("{number:>5} | {thread}{source}"));
        }
    }
    let last = shortened_list(told.last.iter().map(text_of).collect());
    if !last.is_empty() {
        let _ = writeln!(out, "\nThen: {last}");
    }
    out
}

/// The step that fails, or those of all threads that have a part in that.
fn failing_steps(
    view: &View,
    lanes: &Lanes,
    (parts, thread): (&[super::meeting::Part<'_>], Option<&str>),
    span: Span,
    out: &mut String,
) {
    for part in parts {
        lanes.step(view, Some(part.thread), part.span, out);
        lanes.text(Some(part.thread), &format!("  {}", part.does), out);
    }
    if parts.is_empty() {
        lanes.step(view, thread, span, out);
        lanes.text(thread, "  fails", out);
    }
}

/// Lines with repeated ones folded.
fn listing(view: &View, lines: &[Line], lanes: Option<&Lanes>, out: &mut String) {
    for part in fold(lines) {
        let _ = match part {
            Part::Line(line) if lanes.is_some() => {
                lanes.iter().for_each(|lanes| lanes.line(view, line, out));
                Ok(())
            }
            Part::Line(line) => {
                let number = view.sources.line_column(line.span).line;
                let source = view.sources.file(line.span.file).line(number).trim();
                let indent = "    ".repeat(line.depth.min(DEEPEST_INDENT));
                let thread = line.thread.as_ref().map(|name| format!("[{name}] ")).unwrap_or_default();
                let left = format!("{number:>5} | {indent}{thread}{source}");
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
pub(super) fn json(view: &View, execution: &Execution) -> serde_json::Value {
    let (what, span, condition) = failure(view, execution);
    let place = view.sources.line_column(span);
    let told = tell(view, execution);
    let values = |changes: &[Change]| -> serde_json::Map<String, serde_json::Value> {
        changes.iter().map(|change| (change.name.clone(), json!(change.value))).collect()
    };
    let step = |line: &Line| {
        let at = view.sources.line_column(line.span);
        let mut step = json!({
            "line": at.line, "column": at.column, "depth": line.depth, "note": line.note,
            "source": view.sources.text(line.span), "values": values(&line.changes),
        });
        if let Some(thread) = &line.thread {
            step["thread"] = json!(thread);
        }
        if line.span.file != span.file {
            step["file"] = json!(view.sources.file(line.span.file).name);
        }
        step
    };
    // A C program may ask the same question several times: its inputs are a list.
    let inputs = if view.back.is_some() {
        let one = |(span, change): &(Option<Span>, Change)| {
            let line = span.map(|span| view.sources.line_column(span).line);
            json!({ "call": change.name, "value": change.value, "line": line })
        };
        json!(told.inputs.iter().map(one).collect::<Vec<_>>())
    } else {
        json!(values(&told.inputs.into_iter().map(|(_, change)| change).collect::<Vec<_>>()))
    };
    json!({
        "file": view.sources.file(span.file).name, "line": place.line, "column": place.column,
        "what": what, "condition": condition, "inputs": inputs,
        "steps": told.lines.iter().map(step).collect::<Vec<_>>(), "values": values(&told.last),
        "steps_left_out": execution.left_out.map_or(0, |left_out| left_out.count),
    })
}

/// What fails, where, and the condition that does not hold.
pub(super) fn failure<'l>(view: &'l View, execution: &Execution) -> (String, Span, &'l str) {
    let program = &view.program;
    let place = execution.failure.place;
    let body = program.procedures[place.procedure].body.as_ref().expect("an execution is in a body");
    let block = &body.blocks[place.block];
    let statement = block.statements.get(place.index);
    let span = statement.map_or(block.transfer_span, |statement| statement.span);
    let text = |expr| view.sources.text(program.expressions.span(expr));
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
            if let (Some(_), Some(stated)) = (&view.observed, statement.and_then(c::words::stated)) {
                return (stated.to_owned(), span, view.sources.text(span));
            }
            if let Some(told) = statement.and_then(|statement| super::meeting::tell(view, statement)) {
                return (told, span, text_at(view, span));
            }
            let in_c = view.back.as_ref().and_then(|_| super::c_execution::failure(view, execution));
            (in_c.unwrap_or_else(|| what.to_owned()), span, condition)
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
        FailureKind::NoDeadlock => ("all threads wait".to_owned(), span, ""),
        FailureKind::NoRace(variable) => {
            let name = &program.variables[variable].name;
            (format!("two threads access `{name}` at the same moment"), span, "")
        }
    }
}

fn text_at(view: &View, span: Span) -> &str {
    view.sources.text(span)
}

/// The values that were chosen before the run and that the first procedure can see.
fn inputs(view: &View, execution: &Execution) -> Vec<(Variable, Value)> {
    let kinds = |variable: Variable| view.program.variables[variable].kind;
    let shown = |(variable, _): &&(Variable, Value)| {
        matches!(
            kinds(*variable),
            ir::VariableKind::Parameter(_) | ir::VariableKind::Global | ir::VariableKind::Constant { .. }
        )
    };
    execution.inputs.iter().filter(shown).cloned().collect()
}

/// Of a map so many entries are shown: a run may change a large one at every step.
const MOST_ENTRIES: usize = 40;

fn changes(view: &View, values: &[(Variable, Value)]) -> Vec<Change> {
    let one = |(variable, value): &(Variable, Value)| {
        let value = format!("{value:.MOST_ENTRIES$}");
        let Some(observed) = &view.observed else {
            return Some(Change { name: view.program.variables[*variable].name.clone(), value });
        };
        if *variable == observed.state || observed.hidden.contains(variable) {
            return None;
        }
        let each = observed.each.iter().any(|each| each.variable == *variable);
        let name = if each {
            observed.name_of_each(*variable)?.to_owned()
        } else {
            view.program.variables[*variable].name.clone()
        };
        Some(Change { name, value })
    };
    values.iter().filter_map(one).collect()
}

fn text_of(change: &Change) -> String {
    format!("{} = {}", change.name, shortened(&change.value))
}

/// How many values are listed.
const LONGEST_LIST: usize = 40;

fn shortened_list(mut items: Vec<String>) -> String {
    let more = items.len().saturating_sub(LONGEST_LIST);
    items.truncate(LONGEST_LIST);
    if more > 0 {
        items.push(format!("… and {more} more"));
    }
    items.join(", ")
}

/// Long texts (values of maps) are cut.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let start: String = text.chars().take(LONGEST).collect();
    format!("{start}…")
}

/// The line of an event; conditions that front ends made up and plain assumptions of the way taken have none.
fn line(view: &View, event: &Recorded, entered: Option<&str>) -> Option<Line> {
    let span = span_of(view, event.place)?;
    let mut changes = changes(view, &event.changed);
    changes.extend(entered.map(state_change));
    let tells_values = matches!(event.kind, RecordedKind::Statement | RecordedKind::Return);
    if view.observed.is_some() && tells_values && changes.is_empty() {
        // Most of these steps are the observer's own.
        return None;
    }
    let values = changes.iter().map(text_of).collect::<Vec<_>>().join(", ");
    let note = match event.kind {
        RecordedKind::Statement | RecordedKind::Return => values,
        RecordedKind::Branch(holds) => format!("{holds}"),
        RecordedKind::Enter(procedure) => {
            let name = &view.program.procedures[procedure].name;
            let note = format!("in {name}({values})");
            let span = view.program.procedures[procedure].span;
            let (depth, thread) = (event.depth - 1, None);
            return Some(Line { depth, span, note, changes, entry: true, thread, procedure });
        }
    };
    let thread = view.thread_of(event.place).map(str::to_owned);
    let (depth, procedure) = (event.depth.saturating_sub(1), event.place.procedure);
    Some(Line { depth, span, note, changes, entry: false, thread, procedure })
}

pub(super) fn span_of(view: &View, place: Place) -> Option<Span> {
    let body = view.program.procedures[place.procedure].body.as_ref()?;
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
    let key = |line: &'_ Line| (line.span, line.depth);
    let same = |a: usize, b: usize| key(&lines[a]) == key(&lines[b]) && lines[a].thread == lines[b].thread;
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
