//! Values and failures of a translated program in the words of C.
//!
//! A pointer is put together from its base and its offset; a change of memory is told as the change of the object's part
//! that C would name. Memory that gets arbitrary contents as a whole is not told at all.

use crate::translate::{BackMap, CKind, Memory, Part, indexed};
use ir::interpreter::Value;
use ir::{AttributeArgument, Statement, StatementKind, Variable};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// Memory whose contents change at more places than this in one step was not written by an assignment.
const MOST_CELLS: usize = 4;

/// A variable, or a part of an object, with the value that it got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What changed, as C names it.
    pub name: String,
    /// The value, as its type is written.
    pub value: String,
}

/// What an assertion of the translation states, as `property: what`.
pub fn stated(statement: &Statement) -> Option<&str> {
    let attribute = statement.attributes.iter().find(|attribute| attribute.name == "property")?;
    match attribute.arguments.first() {
        Some(AttributeArgument::Text(property)) => Some(property),
        _ => None,
    }
}

/// What a failed assertion of the translation says about the C program. The values are the last ones of the run.
pub fn failure(program: &ir::Program, statement: &Statement, last: &[(Variable, Value)]) -> Option<String> {
    let (property, what) = stated(statement)?.split_once(": ")?;
    Some(match property {
        "unreach-call" => format!("`{what}` is called"),
        "unreach-label" => format!("the label `{what}` is reached"),
        "no-overflow" => {
            let StatementKind::Assert(_, condition) = statement.kind else { return None };
            let value = value_in(program, condition, last);
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
fn value_in(program: &ir::Program, condition: ir::Expr, last: &[(Variable, Value)]) -> Option<String> {
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
    let (_, value) = last.iter().find(|(other, _)| *other == variable)?;
    Some(value.as_int()?.to_big().to_string())
}

/// The values of a run as far as it has come.
pub struct Words<'l> {
    program: &'l ir::Program,
    back: &'l BackMap,
    known: BTreeMap<Variable, Value>,
    /// Everything that was told with its last value, and the function that it is local to.
    seen: Vec<(Option<String>, Change)>,
    /// Where it is in the list, by function and name.
    positions: BTreeMap<(Option<String>, String), usize>,
}

impl<'l> Words<'l> {
    /// A run that begins with some values.
    pub fn new(program: &'l ir::Program, back: &'l BackMap, inputs: &[(Variable, Value)]) -> Words<'l> {
        let known = inputs.iter().cloned().collect();
        Words { program, back, known, seen: Vec::new(), positions: BTreeMap::new() }
    }

    /// What the environment chose, if a change is that.
    pub fn input(&self, (variable, value): &(Variable, Value)) -> Option<(base::Span, Change)> {
        let input = self.back.inputs.iter().find(|input| input.variable == *variable)?;
        let change = Change { name: format!("{}()", input.function), value: scalar(value, input.kind) };
        Some((input.span, change))
    }

    /// The last values of everything that was told and that a function can name.
    pub fn last(self, function: &str) -> Vec<Change> {
        let named = |scope: &Option<String>| scope.as_ref().is_none_or(|scope| scope == function);
        self.seen.into_iter().filter(|(scope, _)| named(scope)).map(|(_, change)| change).collect()
    }

    /// Takes a step of the run: the changes that C can name. The statement is what made them, if any did.
    pub fn changes(&mut self, changed: &[(Variable, Value)], by: Option<&Statement>) -> Vec<Change> {
        let mut told: Vec<(Option<String>, Change)> = Vec::new();
        for (variable, value) in changed {
            if let Some(meaning) = self.back.variables.get(variable) {
                for (path, value) in self.places(by, *variable, value) {
                    let name = indexed(&meaning.name, &path);
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
                for (path, value) in self.places(by, *variable, value) {
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
    fn places(&self, by: Option<&Statement>, variable: Variable, value: &Value) -> Vec<(Vec<String>, Value)> {
        let found = differences(self.known.get(&variable), value).unwrap_or_default();
        if !found.is_empty() {
            return found;
        }
        // A write may leave everything as it was.
        let Some(path) = by.and_then(|by| self.written(by, variable)) else { return Vec::new() };
        let keys: Vec<String> = path.iter().map(Value::to_string).collect();
        at(value, &keys).map(|value| (keys, value)).into_iter().collect()
    }

    /// The keys at which an assignment stores into a map.
    fn written(&self, by: &Statement, variable: Variable) -> Option<Vec<Value>> {
        let StatementKind::Assign(pairs) = &by.kind else { return None };
        let (_, mut expr) = *pairs.iter().find(|(target, _)| *target == variable)?;
        let mut path = Vec::new();
        while let ir::ExprData::Store(_, indices, value) = &self.program.expressions[expr] {
            path.push(self.evaluated(*indices.first()?)?);
            expr = *value;
        }
        (!path.is_empty()).then_some(path)
    }

    /// The value of an index, as far as it is made of variables, numbers and sums.
    fn evaluated(&self, expr: ir::Expr) -> Option<Value> {
        use ir::BinaryOp::{Add, Multiply, Subtract};
        match &self.program.expressions[expr] {
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
    fn offsets(&self, changed: &[(Variable, Value)], base: &Memory, path: &[String]) -> Option<Value> {
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
