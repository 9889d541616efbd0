//! What an execution chose, in a form that outlives its program: for every variable the values that it got, in order, and for
//! every jump the ways that were taken.
//!
//! After an edit the interpreter is driven by the same choices. If it fails again, what it decided on the way is an
//! execution, which the independent check runs once more.

use super::align::Correspondence;
use super::outline::{Places, index};
use base::{Budget, EntityRef, Interrupted};
use ir::interpreter::MapValue;
use ir::interpreter::{
    Driver, Event, Interpreter, Limits, Outcome, Reason, Request, State, Value as Chosen, default_value,
};
use ir::{Block, Function, Procedure, Program, Type, Variable};
use num_traits::Zero as _;
use program::ConcreteRun;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Executions with more choices than this, equal ones in a row being one, are not kept.
const MOST_CHOICES: usize = 20_000;
/// Executions with more steps than this are not kept. The check has run them twice already.
const MOST_STEPS: u64 = 200_000_000;
/// So many steps more than the earlier execution a new one may take, besides twice as many.
const MORE_STEPS: u64 = 100_000;

fn limits(steps: u64) -> Limits {
    Limits { steps, call_depth: 1_500_000, operations: steps.saturating_mul(100) }
}

/// What an execution chose.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Choices {
    /// The procedure that it begins with.
    procedure: usize,
    /// The values of each variable, in order; nothing stands for the default.
    values: BTreeMap<usize, Row<Value>>,
    /// The targets taken at the end of each block, by its item.
    targets: BTreeMap<usize, Row<usize>>,
    /// How long it was.
    steps: u64,
}

/// Choices in order, each with how often it was made in a row.
type Row<T> = VecDeque<(T, u64)>;

/// Adds a choice to a row; says whether it is another than the last.
fn push<T: PartialEq>(row: &mut Row<T>, choice: T) -> bool {
    match row.back_mut() {
        Some((last, count)) if *last == choice => {
            *count += 1;
            false
        }
        _ => {
            row.push_back((choice, 1));
            true
        }
    }
}

/// Takes the first choice of a row.
fn pop<T: Clone>(row: &mut Row<T>) -> Option<T> {
    let (first, count) = row.front_mut()?;
    let choice = first.clone();
    *count -= 1;
    if *count == 0 {
        row.pop_front();
    }
    Some(choice)
}

impl Choices {
    /// What a run chose; nothing if it is too long.
    pub(super) fn of(
        source: &Program,
        places: &Places,
        run: &ConcreteRun,
        budget: &Budget,
    ) -> Result<Option<Choices>, Interrupted> {
        let choices = Choices { procedure: run.procedure.index(), ..Choices::default() };
        let driver = certify::rerun::driver(run);
        let mut recorder = Recorder { driver, places, choices, count: 0 };
        let mut interpreter = Interpreter::new(source, budget.clone());
        let outcome = interpreter.run(run.procedure, &[], &mut recorder, limits(MOST_STEPS))?;
        Ok(matches!(outcome, Outcome::Failed(_)).then_some(recorder.choices))
    }

    /// A run of a new version that chooses the same, if it fails.
    pub(super) fn carried(
        &self,
        found: &Correspondence,
        source: &Program,
        places: &Places,
        budget: &Budget,
    ) -> Result<Option<ConcreteRun>, Interrupted> {
        let Some(procedure) = found.procedures.get(self.procedure).copied().flatten() else {
            return Ok(None);
        };
        let procedure = Procedure::new(procedure);
        if source.procedures[procedure].body.is_none() {
            return Ok(None);
        }
        let carried = |list: &[Option<usize>], at: usize| list.get(at).copied().flatten();
        let values = self
            .values
            .iter()
            .filter_map(|(&variable, values)| Some((carried(&found.variables, variable)?, values.clone())));
        let targets = self
            .targets
            .iter()
            .filter_map(|(&item, targets)| Some((carried(&found.items, item)?, targets.clone())));
        let mut player = Player {
            places,
            values: values.collect(),
            targets: targets.collect(),
            asked: 0,
            run: ConcreteRun { procedure, values: Vec::new(), targets: Vec::new() },
        };
        let limits = limits(self.steps.saturating_mul(2).saturating_add(MORE_STEPS));
        let outcome = Interpreter::new(source, budget.clone()).run(procedure, &[], &mut player, limits)?;
        Ok(matches!(outcome, Outcome::Failed(_)).then_some(player.run))
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "procedure": self.procedure,
            "steps": self.steps,
            "values": self.values.iter().collect::<Vec<_>>(),
            "targets": self.targets.iter().collect::<Vec<_>>(),
        })
    }

    pub(super) fn of_json(value: &Value) -> Option<Choices> {
        let (procedure, steps) = (index(&value["procedure"])?, value["steps"].as_u64()?.min(MOST_STEPS));
        let mut choices = Choices { procedure, steps, ..Choices::default() };
        let count = |value: &Value| value.as_u64().filter(|&count| count > 0);
        for pair in value["values"].as_array()? {
            let row = pair[1].as_array()?.iter().map(|it| Some((it[0].clone(), count(&it[1])?)));
            choices.values.insert(index(&pair[0])?, row.collect::<Option<_>>()?);
        }
        for pair in value["targets"].as_array()? {
            let row = pair[1].as_array()?.iter().map(|it| Some((index(&it[0])?, count(&it[1])?)));
            choices.targets.insert(index(&pair[0])?, row.collect::<Option<_>>()?);
        }
        Some(choices)
    }
}

/// A value in writing; nothing for a value that is not kept, for which the default is tried.
fn write(value: &Chosen) -> Value {
    match value {
        Chosen::Bool(value) => json!(value),
        Chosen::Int(value) => json!(value.to_big().to_string()),
        Chosen::Bits(bits) => json!([bits.width(), bits.unsigned().to_string()]),
        Chosen::Real(value) => {
            json!({ "numerator": value.numer().to_string(), "denominator": value.denom().to_string() })
        }
        Chosen::Map(map) => {
            let mut entries = Vec::new();
            for (key, value) in map.entries().take(MOST_ENTRIES) {
                entries.push(json!([write(key), write(value)]));
            }
            json!({ "default": write(map.default()), "entries": entries })
        }
        Chosen::Tuple(parts) => json!({ "tuple": parts.iter().map(write).collect::<Vec<_>>() }),
        Chosen::Element(_, number) => json!(number),
    }
}

/// Of a map no more entries than this are kept.
const MOST_ENTRIES: usize = 1_000;

/// The value in writing, if it is one of this type.
fn read(program: &Program, ty: Type, value: &Value) -> Option<Chosen> {
    let read = match (value, program.types.as_map(ty)) {
        (Value::Bool(value), _) => Chosen::Bool(*value),
        (Value::String(number), _) => Chosen::int(number.parse::<num_bigint::BigInt>().ok()?),
        (Value::Number(number), _) => Chosen::Element(ty, number.as_u64()?),
        (Value::Array(parts), _) => {
            let width = u32::try_from(parts.first()?.as_u64()?).ok()?;
            Chosen::bits(width, &parts.get(1)?.as_str()?.parse().ok()?)
        }
        (Value::Object(parts), Some((domain, range))) => {
            let default = read(program, range, parts.get("default")?)?;
            let mut map = MapValue::constant(program, domain, default);
            for entry in parts.get("entries")?.as_array()? {
                let key = match domain {
                    [one] => read(program, *one, &entry[0])?,
                    several => {
                        let parts = entry[0]["tuple"].as_array()?.iter().zip(several);
                        Chosen::Tuple(parts.map(|(it, &ty)| read(program, ty, it)).collect::<Option<_>>()?)
                    }
                };
                map.store(key, read(program, range, &entry[1])?).ok()?;
            }
            Chosen::Map(Arc::new(map))
        }
        (Value::Object(parts), None) => {
            let number = |name: &str| parts.get(name)?.as_str()?.parse::<num_bigint::BigInt>().ok();
            let (numerator, denominator) = (number("numerator")?, number("denominator")?);
            if denominator.is_zero() {
                return None;
            }
            Chosen::real(num_rational::Ratio::new(numerator, denominator))
        }
        (Value::Null, _) => return None,
    };
    read.has_type(program, ty).then_some(read)
}

/// Watches what a driver decides.
struct Recorder<'r, D> {
    driver: D,
    places: &'r Places,
    choices: Choices,
    count: usize,
}

impl<D: Driver> Driver for Recorder<'_, D> {
    fn choose(&mut self, program: &Program, variable: Variable, reason: Reason) -> Option<Chosen> {
        let value = self.driver.choose(program, variable, reason)?;
        let written = if value == default_value(program, variable) { Value::Null } else { write(&value) };
        let row = self.choices.values.entry(variable.index()).or_default();
        self.count += usize::from(push(row, written));
        (self.count <= MOST_CHOICES).then_some(value)
    }

    fn requests(&mut self, place: ir::interpreter::Place) -> Vec<Request> {
        self.driver.requests(place)
    }

    fn suggest(&mut self, variable: Variable, value: Chosen) {
        self.driver.suggest(variable, value);
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        let target = self.driver.goto(program, procedure, block)?;
        let row = self.choices.targets.entry(self.places.end(procedure, block)).or_default();
        self.count += usize::from(push(row, target));
        (self.count <= MOST_CHOICES).then_some(target)
    }

    fn apply(&mut self, program: &Program, function: Function, arguments: &[Chosen]) -> Option<Chosen> {
        self.driver.apply(program, function, arguments)
    }

    fn observe(&mut self, state: &State<'_>, event: Event<'_>) -> bool {
        self.choices.steps += 1;
        self.driver.observe(state, event)
    }
}

/// Decides as an earlier execution did, and writes down what that is in this program.
struct Player<'p> {
    places: &'p Places,
    values: BTreeMap<usize, Row<Value>>,
    targets: BTreeMap<usize, Row<usize>>,
    asked: u64,
    run: ConcreteRun,
}

impl Driver for Player<'_> {
    fn choose(&mut self, program: &Program, variable: Variable, _: Reason) -> Option<Chosen> {
        let position = self.asked;
        self.asked += 1;
        let kept = self.values.get_mut(&variable.index()).and_then(pop);
        let default = default_value(program, variable);
        let Some(value) = kept.and_then(|value| read(program, program.variables[variable].ty, &value)) else {
            return Some(default);
        };
        if value != default {
            self.run.values.push((position, value.clone()));
        }
        Some(value)
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        let item = self.places.end(procedure, block);
        let kept = self.targets.get_mut(&item).and_then(pop).unwrap_or(0);
        let transfer = &program.procedures[procedure].body.as_ref()?.blocks[block].transfer;
        let target = if kept < transfer.successors().count() { kept } else { 0 };
        self.run.targets.push(u32::try_from(target).ok()?);
        Some(target)
    }

    fn apply(&mut self, program: &Program, function: Function, _: &[Chosen]) -> Option<Chosen> {
        Some(Chosen::default_of(program, program.functions[function].result))
    }
}
