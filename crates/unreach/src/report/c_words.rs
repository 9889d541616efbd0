//! An execution of a translated C program in the words of C.
//!
//! What the translation adds for itself (intermediate values, initial values, its own decisions) is followed and not
//! told. A pointer is put together from its base and its offset; a change of memory is told as the change of the
//! object's part that C would name. Memory that gets arbitrary contents as a whole is not told at all.

use super::execution::{Change, Line, Told};
use crate::view::View;
use base::Span;
use c::{BackMap, CKind, Part};
use certify::Execution;
use certify::replay::{Recorded, RecordedKind};
use ir::interpreter::Value;
use ir::{AttributeArgument, Statement, StatementKind, Variable};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// Memory whose contents change at more places than this in one step was not written by an assignment.
const MOST_CELLS: usize = 4;

/// Tells an execution.
pub(super) fn tell(view: &View, back: &BackMap, execution: &Execution) -> Told {
    let mut transcript = Transcript {
        view,
        back,
        known: execution.inputs.iter().cloned().collect(),
        seen: Vec::new(),
        positions: BTreeMap::new(),
    };
    let mut lines: Vec<Line> = Vec::new();
    let mut inputs = Vec::new();
    let mut left_out = None;
    for (position, event) in execution.events.iter().enumerate() {
        if execution.left_out.is_some_and(|gap| gap.position == position) {
            left_out = Some(lines.len());
        }
        for (variable, value) in &event.changed {
            if let Some(input) = back.inputs.iter().find(|input| input.variable == *variable) {
                let change =
                    Change { name: format!("{}()", input.function), value: scalar(value, input.kind) };
                inputs.push((Some(input.span), change));
            }
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
    let last =
        transcript.seen.into_iter().filter(|(scope, _)| scope.as_ref().is_none_or(|scope| scope == function));
    Told { lines, left_out, inputs, last: last.map(|(_, change)| change).collect() }
}

/// What the failing assertion of the translation states, as `property: what`, and the assertion.
pub(crate) fn failed_assertion<'v>(
    view: &'v View,
    execution: &Execution,
) -> Option<(&'v Statement, &'v str)> {
    let place = execution.failure.place;
    let body = view.program.procedures[place.procedure].body.as_ref()?;
    let statement = body.blocks[place.block].statements.get(place.index)?;
    let attribute = statement.attributes.iter().find(|attribute| attribute.name == "property")?;
    let Some(AttributeArgument::Text(property)) = attribute.arguments.first() else { return None };
    Some((statement, property))
}

/// The property that the failed assertion of the translation states.
pub(super) fn failed_property(view: &View, execution: &Execution) -> Option<String> {
    let (_, stated) = failed_assertion(view, execution)?;
    stated.split_once(": ").map(|(property, _)| property.to_owned())
}

/// What an assertion of the translation says about the C program, with the values that it speaks of.
pub(super) fn failure(view: &View, execution: &Execution) -> Option<String> {
    let (statement, property) = failed_assertion(view, execution)?;
    let (property, what) = property.split_once(": ")?;
    Some(match property {
        "unreach-call" => format!("`{what}` is called"),
        "unreach-label" => format!("the label `{what}` is reached"),
        "no-overflow" => {
            let StatementKind::Assert(_, condition) = statement.kind else { return None };
            let value = value_in(&view.program, condition, execution);
            let value = value.map_or(String::new(), |value| format!(", the result would be {value}"));
            format!("signed overflow (`{}`{value})", what.replacen(" in ", "` in `", 1))
        }
        "assert" if !matches!(what, "assert" | "annotation" | "__VERIFIER_assert") => {
            format!("the assertion can fail: {what}")
        }
        "assert" => "the assertion can fail".to_owned(),
        _ => what.to_owned(),
    })
}

/// The value of the only variable that a condition mentions, if it has a number.
fn value_in(program: &ir::Program, condition: ir::Expr, execution: &Execution) -> Option<String> {
    let mut variables = BTreeSet::new();
    let mut pending = vec![condition];
    while let Some(expr) = pending.pop() {
        match &program.expressions[expr] {
            ir::ExprData::Variable(variable) => _ = variables.insert(*variable),
            ir::ExprData::Binary(_, left, right) => pending.extend([*left, *right]),
            ir::ExprData::Unary(_, inner) => pending.push(*inner),
            _ => {}
        }
    }
    let [variable] = variables.into_iter().collect::<Vec<_>>()[..] else { return None };
    let (_, value) = execution.last.iter().find(|(other, _)| *other == variable)?;
    Some(value.as_int()?.to_big().to_string())
}

struct Transcript<'l> {
    view: &'l View,
    back: &'l BackMap,
    known: BTreeMap<Variable, Value>,
    /// Everything that was told with its last value, and the function that it is local to.
    seen: Vec<(Option<String>, Change)>,
    /// Where it is in the list, by function and name.
    positions: BTreeMap<(Option<String>, String), usize>,
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
        let changes = self.changes(event);
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
        for (variable, value) in &event.changed {
            if let Some(input) = self.back.inputs.iter().find(|input| input.variable == *variable) {
                notes.push(format!("{}() = {}", input.function, scalar(value, input.kind)));
            }
        }
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

    /// The changes that C can name.
    fn changes(&mut self, event: &Recorded) -> Vec<Change> {
        let changed = &event.changed[..];
        let mut told: Vec<(Option<String>, Change)> = Vec::new();
        for (variable, value) in changed {
            if let Some(meaning) = self.back.variables.get(variable) {
                for (path, value) in self.places(event, *variable, value) {
                    let name = c::indexed(&meaning.name, &path);
                    let text = match meaning.part {
                        Part::Whole => scalar(&value, meaning.kind),
                        Part::Base => {
                            let offset = offset_of(changed, self.back, &meaning.name, &path);
                            pointer(self.back, &value, offset.as_ref())
                        }
                        // Told together with the base.
                        Part::Offset => continue,
                    };
                    told.push((meaning.function.clone(), Change { name, value: text }));
                }
            } else if let Some(memory) = self.back.memory.get(variable)
                && memory.part != Part::Offset
            {
                for (path, value) in self.places(event, *variable, value) {
                    let number = |position: usize| path.get(position).and_then(|key| key.parse::<u64>().ok());
                    let (base, offset) = match (memory.only, memory.by_offset) {
                        (Some(base), _) => (Some(base), number(0)),
                        (None, true) => (number(0), number(1)),
                        (None, false) => (number(0), None),
                    };
                    let Some(base) = base else { continue };
                    let name = self.back.cell(memory, base, offset);
                    let kind = memory.cell.map_or(CKind::Integer, |(_, kind)| kind);
                    let text = match memory.part {
                        Part::Whole => scalar(&value, kind),
                        _ => {
                            let offsets = self.offsets(changed, memory, &path);
                            pointer(self.back, &value, offsets.as_ref())
                        }
                    };
                    let scope = self.back.objects.get(&base).and_then(|object| object.function.clone());
                    told.push((scope, Change { name, value: text }));
                }
            }
        }
        self.known.extend(changed.iter().cloned());
        for (scope, change) in told.iter().filter(|(_, change)| !change.name.starts_with('\\')) {
            match self.positions.entry((scope.clone(), change.name.clone())) {
                Entry::Occupied(known) => self.seen[*known.get()].1.value = change.value.clone(),
                Entry::Vacant(unknown) => {
                    unknown.insert(self.seen.len());
                    self.seen.push((scope.clone(), change.clone()));
                }
            }
        }
        told.into_iter().map(|(_, change)| change).collect()
    }

    /// Where a variable was written: keys of nested maps with the new values.
    fn places(&self, event: &Recorded, variable: Variable, value: &Value) -> Vec<(Vec<String>, Value)> {
        let found = differences(self.known.get(&variable), value).unwrap_or_default();
        if !found.is_empty() {
            return found;
        }
        // A write may leave everything as it was.
        let Some(path) = self.written(event, variable) else { return Vec::new() };
        let keys: Vec<String> = path.iter().map(Value::to_string).collect();
        at(value, &keys).map(|value| (keys, value)).into_iter().collect()
    }

    /// The keys at which an assignment stores into a map.
    fn written(&self, event: &Recorded, variable: Variable) -> Option<Vec<Value>> {
        let body = self.view.program.procedures[event.place.procedure].body.as_ref()?;
        let statement = body.blocks[event.place.block].statements.get(event.place.index)?;
        let StatementKind::Assign(pairs) = &statement.kind else { return None };
        let (_, mut expr) = *pairs.iter().find(|(target, _)| *target == variable)?;
        let mut path = Vec::new();
        while let ir::ExprData::Store(_, indices, value) = &self.view.program.expressions[expr] {
            path.push(self.evaluated(*indices.first()?)?);
            expr = *value;
        }
        (!path.is_empty()).then_some(path)
    }

    /// The value of an index, as far as it is made of variables, numbers and sums.
    fn evaluated(&self, expr: ir::Expr) -> Option<Value> {
        use ir::BinaryOp::{Add, Multiply, Subtract};
        match &self.view.program.expressions[expr] {
            ir::ExprData::Int(value) => Some(Value::int(value.clone())),
            ir::ExprData::Variable(variable) => self.known.get(variable).cloned(),
            ir::ExprData::Binary(op @ (Add | Subtract | Multiply), left, right) => {
                let (left, right) = (self.evaluated(*left)?, self.evaluated(*right)?);
                let (left, right) = (left.as_int()?, right.as_int()?);
                Some(Value::Int(match op {
                    Add => left.add(right),
                    Subtract => left.subtract(right),
                    _ => left.multiply(right),
                }))
            }
            _ => None,
        }
    }

    /// The offset of a pointer in memory whose base has just been written.
    fn offsets(&self, changed: &[(Variable, Value)], base: &c::Memory, path: &[String]) -> Option<Value> {
        let is_offset = |variable: &Variable| {
            let other = self.back.memory.get(variable);
            other.is_some_and(|other| other.part == Part::Offset && other.member == base.member)
        };
        let (_, map) = changed.iter().find(|(variable, _)| is_offset(variable))?;
        at(map, path)
    }
}

/// The offset that belongs to a base that has just been written.
fn offset_of(changed: &[(Variable, Value)], back: &BackMap, name: &str, path: &[String]) -> Option<Value> {
    let is_offset = |variable: &Variable| {
        back.variables.get(variable).is_some_and(|other| other.part == Part::Offset && other.name == name)
    };
    let (_, value) = changed.iter().find(|(variable, _)| is_offset(variable))?;
    at(value, path)
}

/// The value in nested maps at a way of integer keys.
fn at(value: &Value, path: &[String]) -> Option<Value> {
    let mut value = value.clone();
    for key in path {
        let key = Value::int(key.parse::<i128>().ok()?);
        value = value.as_map()?.select(&key).clone();
    }
    Some(value)
}

/// Where a value differs from what it was: keys of nested maps with the new values. Nothing if a map was replaced as a
/// whole, or at many places.
fn differences(old: Option<&Value>, new: &Value) -> Option<Vec<(Vec<String>, Value)>> {
    let mut found = Vec::new();
    let mut pending = vec![(Vec::new(), old.cloned(), new.clone())];
    while let Some((path, old, new)) = pending.pop() {
        let Value::Map(new_map) = &new else {
            found.push((path, new));
            if found.len() > MOST_CELLS {
                return None;
            }
            continue;
        };
        let Some(Value::Map(old_map)) = &old else { return None };
        if Arc::ptr_eq(old_map, new_map) {
            continue;
        }
        if old_map.default() != new_map.default() {
            return None;
        }
        for key in old_map.differing_keys(new_map).take(MOST_CELLS + 1) {
            let (before, after) = (old_map.select(key), new_map.select(key));
            let mut path = path.clone();
            path.push(key.to_string());
            pending.push((path, Some(before.clone()), after.clone()));
        }
    }
    found.sort();
    Some(found)
}

/// A pointer.
fn pointer(back: &BackMap, base: &Value, offset: Option<&Value>) -> String {
    let base = base.as_int().and_then(|base| base.to_i64()).and_then(|base| u64::try_from(base).ok());
    let offset = offset.and_then(Value::as_int).and_then(|offset| offset.to_i64());
    match base {
        Some(base) => back.pointer(base, offset.unwrap_or(0).into()),
        None => "an invalid pointer".to_owned(),
    }
}

/// A scalar as its type is written.
fn scalar(value: &Value, kind: CKind) -> String {
    match (kind, value) {
        (CKind::Floating(format), Value::Bits(bits)) => return format.show(&bits.unsigned()),
        // Memory that numbers of several types share.
        (_, Value::Bits(bits)) => return format!("{:#x}", bits.unsigned()),
        _ => {}
    }
    let mut text = value.to_string();
    let number = value.as_int().and_then(|number| number.to_i64());
    if let (CKind::Character, Some(code @ 32..=126)) = (kind, number) {
        // Writing to a string cannot fail.
        let _ = write!(text, " {:?}", char::from(code as u8));
    }
    text
}

/// A piece of source without line breaks, not too long.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    super::execution::shortened(&words.join(" "))
}
