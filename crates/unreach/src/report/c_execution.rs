//! An execution of a translated C program in the words of C.
//!
//! What the translation adds for itself (intermediate values, initial values, its own decisions) is followed and not
//! told. How values and memory are named is said by [`c::words`].

use super::execution::{Line, Told};
use crate::view::View;
use base::Span;
use c::BackMap;
use c::words::{Change, Words};
use certify::Execution;
use certify::replay::{Recorded, RecordedKind};
use ir::Statement;
use ir::interpreter::Value;

/// So many changes that a function of the library makes are shown where it is called.
const MOST_EFFECTS: usize = 8;

/// Tells an execution.
pub(super) fn tell(view: &View, back: &BackMap, execution: &Execution) -> Told {
    let words = Words::new(&view.program, back, &execution.inputs);
    let mut transcript = Transcript { view, back, words };
    let mut lines: Vec<Line> = Vec::new();
    let mut inputs = Vec::new();
    let mut left_out = None;
    let entered = super::execution::entered(view, execution);
    for (position, event) in execution.events.iter().enumerate() {
        if execution.left_out.is_some_and(|gap| gap.position == position) {
            left_out = Some(lines.len());
        }
        for changed in &event.changed {
            let input = transcript.input(event, changed).filter(|&(span, _)| !transcript.is_library(span));
            inputs.extend(input.map(|(span, change)| (Some(span), change)));
        }
        let entered = entered.get(position).copied().flatten();
        let Some(line) = transcript.line(event, entered) else { continue };
        if transcript.is_library(line.span) {
            // What a function of the library does is told where it was called, and not how it does that.
            let follows_gap = left_out == Some(lines.len());
            if let Some(call) = lines.last_mut().filter(|_| !follows_gap) {
                transcript.add_effects(call, event, line);
            }
            continue;
        }
        let lines_before = lines.len();
        match lines.last_mut() {
            Some(previous) if left_out != Some(lines_before) && transcript.continues(previous, &line) => {
                previous.span = line.span;
                previous.changes.extend(line.changes);
                if !line.note.is_empty() {
                    previous.note =
                        [&previous.note[..], &line.note[..]].join(", ").trim_matches([',', ' ']).into();
                }
            }
            _ => lines.push(line),
        }
    }
    let place = execution.failure.place.procedure;
    let function = &view.program.procedures[place].name;
    let mut last = transcript.words.last(function);
    last.retain(|change| !is_hidden(&change.name));
    Told { lines, left_out, inputs, last }
}

/// What the failing assertion of the translation states, as `property: what`, and the assertion.
pub(crate) fn failed_assertion<'v>(
    view: &'v View,
    execution: &Execution,
) -> Option<(&'v Statement, &'v str)> {
    let place = execution.failure.place;
    let body = view.program.procedures[place.procedure].body.as_ref()?;
    let statement = body.blocks[place.block].statements.get(place.index)?;
    Some((statement, c::words::stated(statement)?))
}

/// The property that the failed assertion of the translation states.
pub(crate) fn failed_property(view: &View, execution: &Execution) -> Option<String> {
    let (_, stated) = failed_assertion(view, execution)?;
    stated.split_once(": ").map(|(property, _)| property.to_owned())
}

/// What the failed assertion says about the C program, with the values that it speaks of.
pub(super) fn failure(view: &View, execution: &Execution) -> Option<String> {
    let (statement, _) = failed_assertion(view, execution)?;
    c::words::failure(&view.program, statement, &execution.last)
}

struct Transcript<'l> {
    view: &'l View,
    back: &'l BackMap,
    words: Words<'l>,
}

impl Transcript<'_> {
    /// Whether a place is in the models of the library, which nobody has written.
    fn is_library(&self, span: Span) -> bool {
        self.view.sources.file(span.file).name == c::LIBRARY
    }

    /// What the environment answers, if a change is an answer. The variables of a thread that begins get any values, too,
    /// for which nobody has asked.
    fn input(&self, event: &Recorded, changed: &(ir::Variable, Value)) -> Option<(Span, Change)> {
        let (asked, change) = self.words.input(changed)?;
        let is_asked = || super::execution::span_of(self.view, event.place) == Some(asked);
        (self.view.threads.is_none() || is_asked()).then_some((asked, change))
    }

    /// Adds what a step inside of the library does to the objects of the program.
    fn add_effects(&self, call: &mut Line, event: &Recorded, step: Line) {
        let program = &self.view.program;
        if step.entry {
            return;
        }
        let function = &program.procedures[event.place.procedure].name;
        let is_own = |name: &str| {
            let mut variables = self.back.variables.values();
            variables.any(|it| it.function.as_ref() == Some(function) && root(&it.name) == root(name))
        };
        for change in step.changes {
            if is_hidden(&change.name) || is_own(&change.name) {
                continue;
            }
            // A long copy is told by its first cells.
            if call.changes.len() < MOST_EFFECTS {
                let note = format!("{} = {}", change.name, change.value);
                call.note = [&call.note[..], &note[..]].join(", ").trim_matches([',', ' ']).into();
            } else if call.changes.len() == MOST_EFFECTS {
                call.note.push_str(", …");
            }
            call.changes.push(change);
        }
    }

    /// Whether a line goes on where the line before it stopped: further to the right in the same source line.
    fn continues(&self, previous: &Line, line: &Line) -> bool {
        let at = |span: Span| (span.file, self.view.sources.line_column(span).line);
        let same = previous.depth == line.depth && at(previous.span) == at(line.span);
        let same = same && previous.thread == line.thread;
        same && !previous.entry && !line.entry && previous.span.start <= line.span.start
    }

    fn line(&mut self, event: &Recorded, entered: Option<&str>) -> Option<Line> {
        let program = &self.view.program;
        let statements = program.procedures[event.place.procedure].body.as_ref();
        let statements = statements.map(|body| &body.blocks[event.place.block].statements);
        let by = statements.and_then(|statements| statements.get(event.place.index));
        let mut changes = self.words.changes(&event.changed, by);
        changes.extend(entered.map(super::execution::state_change));
        let procedure = &program.procedures[event.place.procedure];
        let thread = self.view.thread_of(event.place).map(str::to_owned);
        let own = is_start(&procedure.name) && thread.is_none();
        let depth = event.depth.saturating_sub(2);
        if let RecordedKind::Enter(callee) = event.kind {
            let data = &program.procedures[callee];
            if is_start(&data.name) {
                return None;
            }
            let plain = |name: &str| name.replacen("\\old(", "", 1).replacen(')', "", 1);
            let arguments: Vec<String> =
                changes.iter().map(|change| format!("{} = {}", plain(&change.name), change.value)).collect();
            // A function that has the name of a variable got a number in the translation.
            let name = data.name.split_once('#').map_or(data.name.as_str(), |(name, _)| name);
            let note = format!("in {name}({})", arguments.join(", "));
            let (span, procedure) = (data.span, callee);
            return Some(Line { depth, span, note, changes, entry: true, thread: None, procedure });
        }
        let span = super::execution::span_of(self.view, event.place)?;
        // Copies of parameters, and whatever else has no place of its own in the source.
        if (own || span == procedure.span) && entered.is_none() {
            return None;
        }
        let told = changes.iter().filter(|change| !is_hidden(&change.name));
        let mut notes: Vec<String> =
            told.map(|change| format!("{} = {}", change.name, change.value)).collect();
        let inputs = event.changed.iter().filter_map(|changed| self.input(event, changed));
        notes.extend(inputs.map(|(_, change)| format!("{} = {}", change.name, change.value)));
        if let RecordedKind::Branch(holds) = event.kind {
            if !self.back.decisions.contains(&(event.place.procedure, event.place.block)) {
                return None;
            }
            notes.push(format!("({}) is {holds}", one_line(self.view.sources.text(span))));
        }
        if notes.is_empty() {
            return None;
        }
        let note = notes.join(", ");
        let procedure = event.place.procedure;
        Some(Line { depth, span, note, changes, entry: false, thread, procedure })
    }
}

/// Whether it is the name of something that the translation has made, that models of the library keep for themselves, or that holds
/// the value of an atomic proposition.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.contains('#') || name.contains("__unreach_") || name.contains("__ltl_")
}

/// The variable at the beginning of an expression.
pub(crate) fn root(name: &str) -> &str {
    let name = name.trim_start_matches(['*', '&', '(']);
    name.split(['[', '.', '-', ')', ' ']).next().unwrap_or(name)
}

/// A piece of source without line breaks, not too long.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    super::execution::shortened(&words.join(" "))
}

/// Whether a procedure is what makes variables ready before `main`, or a copy of it.
fn is_start(name: &str) -> bool {
    let rest = name.strip_prefix(ir::program::START);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}
