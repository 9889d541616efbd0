//! A run that was found by running counts only if it can be run again.
//!
//! The interpreter is driven by what was decided, and by nothing else. If it fails an assertion, and has not passed a
//! statement that allows more than the original program does, then the program is unsafe: the run is an execution of it.

use crate::Certified;
use crate::replay::{
    Events, Execution, NotReplayed, describe_unchecked, execution, is_vague, meets_vagueness,
};
use base::Budget;
use ir::interpreter::{Driver, Event, Interpreter, Limits, Outcome, Reason, State, Value, default_value};
use program::ConcreteRun;

/// How many steps a run may take.
const LIMITS: Limits = Limits { steps: 1_000_000_000, call_depth: 1_500_000, operations: 100_000_000_000 };

/// Runs a run again.
pub fn rerun(
    source: &ir::Program,
    run: &ConcreteRun,
    budget: &Budget,
) -> Result<Certified<Execution>, NotReplayed> {
    let mut interpreter = Interpreter::new(source, budget.clone());
    // Writing down what a long run does to large maps costs more than running, so it is known first what is worth it.
    let mut follower = Follower::new(run, Events::counted());
    interpreter.run(run.procedure, &[], &mut follower, LIMITS).map_err(NotReplayed::Interrupted)?;
    let mut follower = Follower::new(run, Events::of_run(&follower.events));
    let outcome =
        interpreter.run(run.procedure, &[], &mut follower, LIMITS).map_err(NotReplayed::Interrupted)?;
    if follower.vague {
        return Err(NotReplayed::Overapproximated);
    }
    let Outcome::Failed(failure) = outcome else {
        return Err(NotReplayed::Outcome(outcome.describe(source)));
    };
    if let Some(&unchecked) = interpreter.unchecked().first() {
        return Err(NotReplayed::Background(describe_unchecked(source, unchecked)));
    }
    let Follower { inputs, events, .. } = follower;
    Ok(execution(source, &interpreter, (run.clone(), failure), inputs, events))
}

/// What drives a run again, for those who want to watch it.
pub fn driver(run: &ConcreteRun) -> impl Driver + '_ {
    Follower::new(run, Events::counted())
}

/// Drives the interpreter and writes down what happens.
struct Follower<'r> {
    run: &'r ConcreteRun,
    asked: u64,
    next_value: usize,
    next_target: usize,
    /// Whether the run has met an over-approximation.
    vague: bool,
    inputs: Vec<(ir::Variable, Value)>,
    events: Events,
}

impl Follower<'_> {
    fn new(run: &ConcreteRun, events: Events) -> Follower<'_> {
        Follower { run, asked: 0, next_value: 0, next_target: 0, vague: false, inputs: Vec::new(), events }
    }
}

impl Driver for Follower<'_> {
    fn choose(&mut self, source: &ir::Program, variable: ir::Variable, reason: Reason) -> Option<Value> {
        let position = self.asked;
        self.asked += 1;
        let value = match self.run.values.get(self.next_value) {
            Some((at, value)) if *at == position => {
                self.next_value += 1;
                value.clone()
            }
            _ => default_value(source, variable),
        };
        match reason {
            Reason::Initial => self.inputs.push((variable, value.clone())),
            Reason::Havoc => self.events.chose(variable, &value),
            _ => {}
        }
        Some(value)
    }

    fn goto(&mut self, _: &ir::Program, _: ir::Procedure, _: ir::Block) -> Option<usize> {
        let target = *self.run.targets.get(self.next_target)?;
        self.next_target += 1;
        Some(target as usize)
    }

    fn apply(&mut self, source: &ir::Program, function: ir::Function, _: &[Value]) -> Option<Value> {
        let data = &source.functions[function];
        if is_vague(&data.attributes) {
            self.vague = true;
            return None;
        }
        Some(Value::default_of(source, data.result))
    }

    fn observe(&mut self, state: &State<'_>, event: Event<'_>) -> bool {
        self.events.record(state, event);
        self.vague |= meets_vagueness(state);
        !self.vague
    }
}
