//! An execution of a translated C program in the words of C.
//!
//! What the translation adds for itself (intermediate values, initial values, its own decisions) is followed and not
//! told. How values and memory are named is said by [`c::words`].

use super::execution::{Line, Told};
use crate::view::View;
use base::Span;
use c::BackMap;
use c::words::Words;
use certify::Execution;
use certify::replay::{Recorded, RecordedKind};
use ir::Statement;

/// Tells an execution.
pub(super) fn tell(view: &View, back: &BackMap, execution: &Execution) -> Told {
    let words = Words::new(&view.program, back, &execution.inputs);
    let mut transcript = Transcript { view, back, words };
    let mut lines: Vec<Line> = Vec::new();
    let mut inputs = Vec::new();
    let mut left_out = None;
    for (position, event) in execution.events.iter().enumerate() {
        if execution.left_out.is_some_and(|gap| gap.position == position) {
            left_out = Some(lines.len());
        }
        for changed in &event.changed {
            inputs.extend(transcript.words.input(changed).map(|(span, change)| (Some(span), change)));
        }
        let Some(line) = transcript.line(event) else { continue };
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
    Told { lines, left_out, inputs, last: transcript.words.last(function) }
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
pub(super) fn failed_property(view: &View, execution: &Execution) -> Option<String> {
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
    /// Whether a line goes on where the line before it stopped: further to the right in the same source line.
    fn continues(&self, previous: &Line, line: &Line) -> bool {
        let at = |span: Span| (span.file, self.view.sources.line_column(span).line);
        let same = previous.depth == line.depth && at(previous.span) == at(line.span);
        let same = same && previous.thread == line.thread;
        same && !previous.entry && !line.entry && previous.span.start <= line.span.start
    }

    fn line(&mut self, event: &Recorded) -> Option<Line> {
        let program = &self.view.program;
        let statements = program.procedures[event.place.procedure].body.as_ref();
        let statements = statements.map(|body| &body.blocks[event.place.block].statements);
        let by = statements.and_then(|statements| statements.get(event.place.index));
        let changes = self.words.changes(&event.changed, by);
        let procedure = &program.procedures[event.place.procedure];
        let thread = self.view.thread_of(event.place).map(str::to_owned);
        let own = procedure.name == ir::program::START && thread.is_none();
        let depth = event.depth.saturating_sub(2);
        if let RecordedKind::Enter(callee) = event.kind {
            let data = &program.procedures[callee];
            if data.name == ir::program::START {
                return None;
            }
            let plain = |name: &str| name.replacen("\\old(", "", 1).replacen(')', "", 1);
            let arguments: Vec<String> =
                changes.iter().map(|change| format!("{} = {}", plain(&change.name), change.value)).collect();
            let note = format!("in {}({})", data.name, arguments.join(", "));
            return Some(Line { depth, span: data.span, note, changes, entry: true, thread: None });
        }
        let span = super::execution::span_of(self.view, event.place)?;
        // Copies of parameters, and whatever else has no place of its own in the source.
        if own || span == procedure.span {
            return None;
        }
        let mut notes: Vec<String> =
            changes.iter().map(|change| format!("{} = {}", change.name, change.value)).collect();
        let inputs = event.changed.iter().filter_map(|changed| self.words.input(changed));
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
        Some(Line { depth, span, note, changes, entry: false, thread })
    }
}

/// A piece of source without line breaks, not too long.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    super::execution::shortened(&words.join(" "))
}
