//! The truth about a small program: all its executions, one after the other.
//!
//! The interpreter runs the program again and again; a driver decides what the program leaves open, and counts through all
//! decisions like an odometer. Integers are chosen from a small range; a program must assume that its choices lie in it,
//! and must not use a variable before it has assigned or chosen it.
//!
//! A run is cut short where it comes, after its newest decision, to a state that was there before: what can happen from
//! there on is enumerated already. So loops without a bound are no problem as long as the states are finitely many.

use super::odometer::Odometer;
use base::Budget;
use ir::interpreter::{Driver, Event, Interpreter, Limits, Outcome, Place, Reason, State, Value};
use std::collections::BTreeSet;

/// What the executions of a program are like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// None fails.
    Safe,
    /// One fails.
    Unsafe,
    /// There are too many, or one is too long.
    TooLarge,
}

const MOST_RUNS: usize = 20_000;
const LIMITS: Limits = Limits { steps: 5_000, call_depth: 40, operations: 1_000_000 };

/// Runs the program from its start procedure in all ways.
pub fn truth(program: &ir::Program) -> Truth {
    let entry = program.entries()[0];
    let mut driver = Explorer { odometer: Odometer::default(), seen: BTreeSet::new() };
    for _ in 0..MOST_RUNS {
        driver.odometer.restart();
        let mut interpreter = Interpreter::new(program, Budget::unlimited());
        let outcome = interpreter.run(entry, &[], &mut driver, LIMITS).expect("nothing interrupts the run");
        match outcome {
            Outcome::Failed(_) => return Truth::Unsafe,
            Outcome::Finished | Outcome::Blocked(_) | Outcome::Stopped => {}
            Outcome::OutOfSteps | Outcome::TooManyCalls => return Truth::TooLarge,
            other => panic!("a generated program cannot be run: {other:?}\n{program}"),
        }
        if !driver.odometer.advance() {
            return Truth::Safe;
        }
    }
    Truth::TooLarge
}

/// Where control is and what all variables are, for all active procedures.
type Snapshot = (Vec<Place>, Option<(Place, usize)>, Vec<Value>);

struct Explorer {
    odometer: Odometer,
    seen: BTreeSet<Snapshot>,
}

impl Driver for Explorer {
    fn choose(&mut self, program: &ir::Program, variable: ir::Variable, reason: Reason) -> Option<Value> {
        let ty = program.variables[variable].ty;
        if !matches!(reason, Reason::Havoc | Reason::Contract(_)) {
            // Variables are assigned before they are used, so one value is as good as all.
            return Some(Value::default_of(program, ty));
        }
        Some(self.odometer.value(program, ty))
    }

    fn goto(&mut self, program: &ir::Program, procedure: ir::Procedure, block: ir::Block) -> Option<usize> {
        let body = program.procedures[procedure].body.as_ref()?;
        Some(self.odometer.decide(body.blocks[block].transfer.successors().count()))
    }

    fn observe(&mut self, state: &State<'_>, event: Event<'_>) -> bool {
        let at = match event {
            Event::Jumped(place, target) => Some((place, target)),
            Event::Branched(place, holds) => Some((place, usize::from(holds))),
            _ => return true,
        };
        // A state on the way to the newest decision was seen by the run before, which decided otherwise.
        if self.odometer.follows() {
            return true;
        }
        let program = state.program();
        let places: Vec<Place> = state.frames().collect();
        let mut values: Vec<Value> =
            program.globals.iter().filter_map(|&global| state.value(global)).cloned().collect();
        for (frame, place) in places.iter().enumerate() {
            let data = &program.procedures[place.procedure];
            let locals = data.body.iter().flat_map(|body| &body.locals);
            let own = data.parameters.iter().chain(&data.results).chain(locals);
            values.extend(own.filter_map(|&variable| state.value_in(frame, variable)).cloned());
        }
        self.seen.insert((places, at, values))
    }
}
