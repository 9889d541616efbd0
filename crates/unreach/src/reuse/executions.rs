//! What an execution chose, in a form that outlives its program: for every variable the values that it got, in order, and for
//! every jump the ways that were taken.
//!
//! After an edit the interpreter is driven by the same choices. If it fails again, what it decided on the way is an
//! execution, which the independent check runs once more.

use super::align::Correspondence;
use super::outline::{Places, index};
use base::{Budget, EntityRef, Interrupted};
use ir::interpreter::{
    Driver, Event, Interpreter, Limits, Outcome, Reason, Request, State, Value as Chosen, default_value,
};
use ir::{Block, Function, Procedure, Program, Variable};
use num_traits::Zero as _;
use program::ConcreteRun;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// Executions with more choices than this are not kept.
const MOST_CHOICES: usize = 20_000;
/// Executions with more steps than this are not kept, and no longer ones are tried.
const LIMITS: Limits = Limits { steps: 2_000_000, call_depth: 10_000, operations: 200_000_000 };

/// What an execution chose.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Choices {
    /// The procedure that it begins with.
    procedure: usize,
    /// The values of each variable, in order; nothing stands for the default.
    values: BTreeMap<usize, Vec<Value>>,
    /// The targets taken at the end of each block, by its item.
    targets: BTreeMap<usize, Vec<usize>>,
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
        let outcome = Interpreter::new(source, budget.clone()).run(run.procedure, &[], &mut recorder, LIMITS)?;
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
        let Some(procedure) = found.procedures.get(self.procedure).copied().flatten() else { return Ok(None) };
        let procedure = Procedure::new(procedure);
        if source.procedures[procedure].body.is_none() {
            return Ok(None);
        }
        let carried = |list: &[Option<usize>], at: usize| list.get(at).copied().flatten();
        let values = self.values.iter().filter_map(|(&variable, values)| {
            Some((carried(&found.variables, variable)?, values.iter().cloned().collect()))
        });
        let targets = self.targets.iter().filter_map(|(&item, targets)| {
            Some((carried(&found.items, item)?, targets.iter().copied().collect()))
        });
        let mut player = Player {
            places,
            values: values.collect(),
            targets: targets.collect(),
            asked: 0,
            run: ConcreteRun { procedure, values: Vec::new(), targets: Vec::new() },
        };
        let outcome = Interpreter::new(source, budget.clone()).run(procedure, &[], &mut player, LIMITS)?;
        Ok(matches!(outcome, Outcome::Failed(_)).then_some(player.run))
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "procedure": self.procedure,
            "values": self.values.iter().collect::<Vec<_>>(),
            "targets": self.targets.iter().collect::<Vec<_>>(),
        })
    }

    pub(super) fn of_json(value: &Value) -> Option<Choices> {
        let mut choices = Choices { procedure: index(&value["procedure"])?, ..Choices::default() };
        for pair in value["values"].as_array()? {
            choices.values.insert(index(&pair[0])?, pair[1].as_array()?.clone());
        }
        for pair in value["targets"].as_array()? {
            let targets = pair[1].as_array()?.iter().map(index).collect::<Option<_>>()?;
            choices.targets.insert(index(&pair[0])?, targets);
        }
        Some(choices)
    }
}

/// A value in writing; nothing for a kind of value that is not kept, for which the default is tried.
fn write(value: &Chosen) -> Value {
    match value {
        Chosen::Bool(value) => json!(value),
        Chosen::Int(value) => json!(value.to_big().to_string()),
        Chosen::Bits(bits) => json!([bits.width(), bits.unsigned().to_string()]),
        Chosen::Real(value) => json!({ "numerator": value.numer().to_string(), "denominator": value.denom().to_string() }),
        Chosen::Map(_) | Chosen::Element(..) | Chosen::Tuple(_) => Value::Null,
    }
}

/// The value in writing, if it is one for this variable.
fn read(program: &Program, variable: Variable, value: &Value) -> Option<Chosen> {
    let read = match value {
        Value::Bool(value) => Chosen::Bool(*value),
        Value::String(number) => Chosen::int(number.parse::<num_bigint::BigInt>().ok()?),
        Value::Array(parts) => {
            let width = u32::try_from(parts.first()?.as_u64()?).ok()?;
            Chosen::bits(width, &parts.get(1)?.as_str()?.parse().ok()?)
        }
        Value::Object(parts) => {
            let number = |name: &str| parts.get(name)?.as_str()?.parse::<num_bigint::BigInt>().ok();
            let (numerator, denominator) = (number("numerator")?, number("denominator")?);
            if denominator.is_zero() {
                return None;
            }
            Chosen::real(num_rational::Ratio::new(numerator, denominator))
        }
        _ => return None,
    };
    read.has_type(program, program.variables[variable].ty).then_some(read)
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
        self.count += 1;
        let written = if value == default_value(program, variable) { Value::Null } else { write(&value) };
        self.choices.values.entry(variable.index()).or_default().push(written);
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
        self.count += 1;
        self.choices.targets.entry(self.places.end(procedure, block)).or_default().push(target);
        (self.count <= MOST_CHOICES).then_some(target)
    }

    fn apply(&mut self, program: &Program, function: Function, arguments: &[Chosen]) -> Option<Chosen> {
        self.driver.apply(program, function, arguments)
    }

    fn observe(&mut self, state: &State<'_>, event: Event<'_>) -> bool {
        self.driver.observe(state, event)
    }
}

/// Decides as an earlier execution did, and writes down what that is in this program.
struct Player<'p> {
    places: &'p Places,
    values: BTreeMap<usize, VecDeque<Value>>,
    targets: BTreeMap<usize, VecDeque<usize>>,
    asked: u64,
    run: ConcreteRun,
}

impl Driver for Player<'_> {
    fn choose(&mut self, program: &Program, variable: Variable, _: Reason) -> Option<Chosen> {
        let position = self.asked;
        self.asked += 1;
        let kept = self.values.get_mut(&variable.index()).and_then(VecDeque::pop_front);
        let default = default_value(program, variable);
        let Some(value) = kept.and_then(|value| read(program, variable, &value)) else { return Some(default) };
        if value != default {
            self.run.values.push((position, value.clone()));
        }
        Some(value)
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        let item = self.places.end(procedure, block);
        let kept = self.targets.get_mut(&item).and_then(VecDeque::pop_front).unwrap_or(0);
        let transfer = &program.procedures[procedure].body.as_ref()?.blocks[block].transfer;
        let target = if kept < transfer.successors().count() { kept } else { 0 };
        self.run.targets.push(u32::try_from(target).ok()?);
        Some(target)
    }

    fn apply(&mut self, program: &Program, function: Function, _: &[Chosen]) -> Option<Chosen> {
        Some(Chosen::default_of(program, program.functions[function].result))
    }
}
