//! Concrete runs of a few steps inside a loop: hints for abstract states and strategies, never evidence.

use super::modal::Modal;
use super::motion::Motion;
use logic::evaluate::Evaluator;
use logic::{Integer, Linear, Model, Term, Terms, Value};
use num_traits::Zero;
use program::leap::Port;
use program::{Location, Program};

/// A short run.
#[derive(Default, Debug)]
pub struct Run {
    /// The states, with the location of each.
    pub states: Vec<(Location, Model)>,
    /// How it ended.
    pub end: End,
}

/// How a short run ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum End {
    /// It could go on.
    #[default]
    Open,
    /// It reached the exit.
    Exit,
    /// No motion was possible.
    Stuck,
    /// It came to a state in which it was before.
    Cycle,
}

/// Follows the motions from a state of a port until the exit formula holds, for at most so many steps.
/// Choices that are left are made as the default values say. None if a formula could not be evaluated.
pub fn run(
    modal: &mut Modal<'_>,
    motions: &[Motion],
    (start, model): (Location, Model),
    exit: Port,
    steps: usize,
) -> Option<Run> {
    let program = modal.program;
    let mut run = Run { states: vec![(start, model)], end: End::Open };
    let mut seen: Vec<(Location, Vec<Value>)> = Vec::new();
    for _ in 0..steps {
        let (location, state) = run.states.last().expect("a run has a first state");
        let key = (*location, changeable(program, modal.terms, motions, state));
        if seen.contains(&key) {
            run.end = End::Cycle;
            return Some(run);
        }
        seen.push(key);
        let location = *location;
        if location == exit.location && holds(modal.terms, state, exit.formula)? {
            run.end = End::Exit;
            return Some(run);
        }
        let mut next = None;
        for motion in motions.iter().filter(|motion| motion.source == location) {
            if holds(modal.terms, state, motion.relation.guard)? {
                next = Some((motion.target, step(program, modal.terms, motion, state)?));
                break;
            }
        }
        let Some((target, state)) = next else {
            run.end = End::Stuck;
            return Some(run);
        };
        run.states.push((target, state));
    }
    Some(run)
}

/// The values of what the motions can change.
fn changeable(program: &Program, terms: &Terms, motions: &[Motion], state: &Model) -> Vec<Value> {
    let updates = motions.iter().flat_map(|motion| &motion.relation.updates);
    updates.map(|(var, _)| state.value(terms, program.variables[*var].symbol)).collect()
}

fn holds(terms: &mut Terms, state: &Model, formula: Term) -> Option<bool> {
    Some(Evaluator::new(state).evaluate(terms, formula).ok()?.is_true())
}

/// The state after a motion whose guard holds.
pub fn step(program: &Program, terms: &mut Terms, motion: &Motion, state: &Model) -> Option<Model> {
    let mut evaluator = Evaluator::new(state);
    let mut values = Vec::with_capacity(motion.relation.updates.len());
    for &(var, value) in &motion.relation.updates {
        values.push((program.variables[var].symbol, evaluator.evaluate(terms, value).ok()?));
    }
    let mut next = state.clone();
    for (symbol, value) in values {
        next.set(symbol, value);
    }
    Some(next)
}

/// The value of an integer expression in a state.
pub fn value(terms: &mut Terms, state: &Model, linear: &Linear) -> Option<Integer> {
    let mut evaluator = Evaluator::new(state);
    let mut sum = linear.constant.clone();
    for (term, coefficient) in &linear.monomials {
        match evaluator.evaluate(terms, *term).ok()? {
            Value::Int(value) => sum += coefficient * logic::Rational::from_integer(value),
            _ => return None,
        }
    }
    debug_assert!((sum.clone() - sum.floor()).is_zero());
    Some(sum.to_integer())
}
