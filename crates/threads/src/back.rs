//! The way back for executions: a run of a product as a run of the program with its threads.
//!
//! The product is run again, by whatever driver decides what it leaves open, and it is written down which thread made which
//! step: the blocks of a product know whose steps they are. Variables of threads and of inlined calls become those
//! that they are copies of. Nothing is claimed about the result: it is a suggestion, which counts if the interpreter runs
//! it on the program as it was written.

use crate::Step;
use base::{Budget, Interrupted};
use ir::interpreter::{
    Driver, Effect, Event, Integer, Interpreter, Limits, Place, Reason, Request, Schedule, ScheduledStep,
    State, Value,
};
use ir::{Block, Function, Procedure, Program, StatementKind, Transfer, Variable};
use num_bigint::BigInt;
use num_rational::Ratio;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A product, as far as the way back needs it.
#[derive(Clone, Copy)]
pub struct Product<'p> {
    /// The program with one thread.
    pub program: &'p Program,
    /// Whose step a block is.
    pub steps: &'p BTreeMap<Procedure, Vec<Option<Step>>>,
    /// What variables are copies of.
    pub copies: &'p FxHashMap<Variable, Variable>,
}

/// What a run of a product is for the program with its threads.
pub fn schedule(
    product: Product<'_>,
    procedure: Procedure,
    driver: &mut dyn Driver,
    limits: Limits,
    budget: &Budget,
) -> Result<Schedule, Interrupted> {
    let schedule = Schedule { procedure, initial: Vec::new(), steps: Vec::new() };
    let mut recorder = Recorder { product, driver, schedule, in_step: false, slot: 0 };
    Interpreter::new(product.program, budget.clone()).run(procedure, &[], &mut recorder, limits)?;
    Ok(recorder.schedule)
}

struct Recorder<'p, 'd> {
    product: Product<'p>,
    driver: &'d mut dyn Driver,
    schedule: Schedule,
    /// Whether what is chosen now belongs to the last step of the schedule.
    in_step: bool,
    /// The thread whose step was begun last.
    slot: usize,
}

impl Recorder<'_, '_> {
    /// What a variable of the product is in the program.
    fn original(&self, variable: Variable) -> Variable {
        let mut variable = variable;
        while let Some(&copied) = self.product.copies.get(&variable) {
            variable = copied;
        }
        variable
    }

    /// Control is at the beginning of a block.
    fn begin(&mut self, place: Place) {
        self.in_step = false;
        let steps = self.product.steps.get(&place.procedure);
        let step = steps.and_then(|steps| steps.get(base::EntityRef::index(place.block)).copied().flatten());
        let Some(Step { thread: slot, place, effect: Some(effect) }) = step else { return };
        self.slot = slot;
        self.schedule.steps.push(ScheduledStep { slot, place, effect, values: Vec::new() });
        self.in_step = true;
    }

    /// Control is at a place in a recursive call: one step of the product, and many of the program.
    fn begin_inside(&mut self, place: Place) {
        self.in_step = false;
        let body = self.product.program.procedures[place.procedure].body.as_ref();
        let Some(block) = body.map(|body| &body.blocks[place.block]) else { return };
        let is_step = match block.statements.get(place.index) {
            Some(statement) => !matches!(statement.kind, StatementKind::Atomic(_)),
            None => !matches!(block.transfer, Transfer::Goto(_)),
        };
        if is_step {
            let (slot, effect) = (self.slot, Effect::None);
            self.schedule.steps.push(ScheduledStep { slot, place, effect, values: Vec::new() });
            self.in_step = true;
        }
    }
}

impl Driver for Recorder<'_, '_> {
    fn choose(&mut self, program: &Program, variable: Variable, reason: Reason) -> Option<Value> {
        let value = self.driver.choose(program, variable, reason)?;
        let original = self.original(variable);
        match self.schedule.steps.last_mut() {
            Some(step) if self.in_step => step.values.push((original, value.clone())),
            None if original == variable => self.schedule.initial.push((variable, value.clone())),
            _ => {}
        }
        Some(value)
    }

    fn requests(&mut self, place: Place) -> Vec<Request> {
        self.driver.requests(place)
    }

    fn suggest(&mut self, variable: Variable, value: Value) {
        self.driver.suggest(variable, value);
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        self.driver.goto(program, procedure, block)
    }

    fn apply(&mut self, program: &Program, function: Function, arguments: &[Value]) -> Option<Value> {
        self.driver.apply(program, function, arguments)
    }

    fn div_zero(&mut self, dividend: &Integer) -> Integer {
        self.driver.div_zero(dividend)
    }

    fn mod_zero(&mut self, dividend: &Integer) -> Integer {
        self.driver.mod_zero(dividend)
    }

    fn real_div_zero(&mut self, dividend: &Ratio<BigInt>) -> Ratio<BigInt> {
        self.driver.real_div_zero(dividend)
    }

    fn observe(&mut self, state: &State<'_>, event: Event<'_>) -> bool {
        if let Some(place) = state.frames().next_back() {
            let is_inside = !self.product.steps.contains_key(&place.procedure);
            match event {
                // What a procedure does when it is about to return belongs to the step that returns.
                Event::Left(_) if is_inside => {}
                _ if is_inside => self.begin_inside(place),
                Event::Entered(_) | Event::Jumped(..) | Event::Branched(..) => self.begin(place),
                _ => {}
            }
        }
        self.driver.observe(state, event)
    }
}
