//! A run of a program with threads counts only if the interpreter runs it on the program as it was written.
//!
//! The schedule says which thread makes which step and what it chooses; the interpreter runs `fork`, `join` and
//! atomic parts itself. Steps that the schedule leaves out (jumps, ends of procedures) are made when the thread is next
//! wanted. A jump with several targets goes the shortest way to where the thread's next step is. However good or bad the schedule is:
//! if the run fails an assertion, it is an execution of the program, and the program is unsafe.

use crate::replay::{NotReplayed, describe_unchecked, is_vague, meets_vagueness};
use base::Budget;
use ir::interpreter::{
    Driver, Effect, Event, Failure, Interpreter, Limits, Outcome, Place, Reason, Schedule, ScheduledStep,
    State, Value, default_value,
};
use ir::marks::Mark;
use ir::{Block, Procedure, Program, StatementKind, Transfer, Variable};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// How many steps a run may take.
const LIMITS: Limits = Limits { steps: 100_000_000, call_depth: 100_000, operations: 10_000_000_000 };

/// Runs a schedule on a program with threads; what fails.
pub fn run_schedule(
    source: &Program,
    schedule: &Schedule,
    budget: &Budget,
) -> Result<crate::Certified<Failure>, NotReplayed> {
    let mut follower = Follower {
        initial: schedule.initial.iter().cloned().collect(),
        steps: schedule.steps.iter().cloned().collect(),
        threads: FxHashMap::from_iter([(0, 0)]),
        running: 0,
        started: 0,
        vague: false,
    };
    let mut interpreter = Interpreter::new(source, budget.clone());
    let outcome =
        interpreter.run(schedule.procedure, &[], &mut follower, LIMITS).map_err(NotReplayed::Interrupted)?;
    if follower.vague {
        return Err(NotReplayed::Overapproximated);
    }
    if let Some(&unchecked) = interpreter.unchecked().first() {
        return Err(NotReplayed::Background(describe_unchecked(source, unchecked)));
    }
    match outcome {
        Outcome::Failed(failure) => Ok(crate::Certified::new(failure)),
        other => {
            Err(NotReplayed::Outcome(format!("on the program with its threads, {}", other.describe(source))))
        }
    }
}

struct Follower {
    initial: FxHashMap<Variable, Value>,
    /// The steps that are still to be made.
    steps: VecDeque<ScheduledStep>,
    /// The thread of a slot.
    threads: FxHashMap<usize, usize>,
    running: usize,
    /// The thread that was started last.
    started: usize,
    vague: bool,
}

impl Follower {
    fn thread(&self, slot: usize) -> Option<usize> {
        self.threads.get(&slot).copied()
    }

    /// Where an event happens, as schedules name it.
    fn place(event: Event<'_>, state: &State<'_>) -> Option<Place> {
        match event {
            // Where an atomic part begins and ends is no step.
            Event::Executed(_, statement) if matches!(statement.kind, StatementKind::Atomic(_)) => None,
            Event::Executed(place, _) | Event::Branched(place, _) | Event::Left(place) => Some(place),
            Event::Entered(_) => state.frames().rev().nth(1),
            Event::Jumped(..) | Event::Returned(_) => None,
        }
    }

    /// The thread that another one meets, if it has no steps left before that and has not yet come to where they meet. What it
    /// still does until then are steps that schedules leave out.
    fn late(&self, state: &State<'_>) -> Option<usize> {
        let meeting = self.steps.iter().position(|step| matches!(step.effect, Effect::Meets { .. }))?;
        let Effect::Meets { slot, place, variable } = self.steps[meeting].effect else { return None };
        let mut before = self.steps.iter().take(meeting);
        let is_done = !before.any(|step| step.slot == slot || step.effect == Effect::Starts(slot));
        let thread = self.thread(slot)?;
        (is_done && !is_at(state, thread, place, variable)).then_some(thread)
    }

    /// The first step of the schedule was made, if this is it.
    fn made(&mut self, thread: usize, place: Place) {
        let Some(first) = self.steps.front() else { return };
        let is_step = !matches!(first.effect, Effect::Meets { .. } | Effect::Stuck);
        if self.thread(first.slot) != Some(thread) || first.place != place || !is_step {
            return;
        }
        if let Effect::Starts(slot) = first.effect {
            self.threads.insert(slot, self.started);
        }
        self.steps.pop_front();
    }
}

impl Driver for Follower {
    fn choose(&mut self, program: &Program, variable: Variable, reason: Reason) -> Option<Value> {
        let planned = match reason {
            Reason::Initial => self.initial.remove(&variable),
            _ => {
                let values = self.steps.front_mut().map(|step| &mut step.values);
                let chosen = values.and_then(|values| {
                    let position = values.iter().position(|(chosen, _)| *chosen == variable)?;
                    Some(values.remove(position).1)
                });
                chosen.or_else(|| self.initial.remove(&variable))
            }
        };
        Some(planned.unwrap_or_else(|| default_value(program, variable)))
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        let own = |step: &&ScheduledStep| self.thread(step.slot) == Some(self.running);
        let wanted = self.steps.iter().find(own).map(|step| step.place);
        let is_joined = self.steps.iter().any(|step| match step.effect {
            Effect::Joins(slot) => self.thread(slot) == Some(self.running),
            _ => false,
        });
        let body = program.procedures[procedure].body.as_ref()?;
        let Transfer::Goto(targets) = &body.blocks[block].transfer else { return None };
        let way = |&position: &usize| {
            let from = targets[position];
            let way = match wanted {
                Some(place) if place.procedure == procedure => distance(body, from, |to| to == place.block),
                // Nothing is planned here any more, so the procedure goes to its end, or to where it waits with all others.
                None if !is_joined => distance(body, from, |to| returns(body, to) || waits(body, to)),
                _ => distance(body, from, |to| returns(body, to)),
            };
            way.unwrap_or(usize::MAX)
        };
        (0..targets.len()).min_by_key(way)
    }

    fn schedule(&mut self, state: &State<'_>, ready: &[usize]) -> Option<usize> {
        let can = |thread: &usize| ready.contains(thread);
        if let Some(late) = self.late(state).filter(can) {
            self.running = late;
            return Some(late);
        }
        let next = match self.steps.front() {
            None => ready.first().copied(),
            Some(step) => {
                let joined = match step.effect {
                    // The thread that is waited for has come to its last step, but not yet to its end.
                    Effect::Joins(slot) => self.thread(slot),
                    // Threads come to where they wait by steps that schedules leave out.
                    Effect::Stuck => ready.iter().copied().find(|&thread| !state.is_at_wait(thread)),
                    _ => None,
                };
                self.thread(step.slot)
                    .filter(|_| step.effect != Effect::Stuck)
                    .filter(can)
                    .or(joined.filter(can))
            }
        };
        self.running = next?;
        next
    }

    fn meeting(&mut self, state: &State<'_>) -> Option<(usize, usize)> {
        let &ScheduledStep { slot, place, effect, .. } = self.steps.front()?;
        let Effect::Meets { slot: other, place: at, variable } = effect else { return None };
        let (one, other) = (self.thread(slot)?, self.thread(other)?);
        let there = is_at(state, one, place, variable) && is_at(state, other, at, variable);
        if there {
            self.steps.pop_front();
        }
        there.then_some((one, other))
    }

    fn stuck(&mut self, _: &State<'_>) -> bool {
        self.steps.front().is_some_and(|step| step.effect == Effect::Stuck)
    }

    fn join(&mut self, threads: &[usize]) -> Option<usize> {
        let wanted = match self.steps.front()?.effect {
            Effect::Joins(slot) => self.thread(slot),
            _ => None,
        };
        wanted.filter(|thread| threads.contains(thread)).or(threads.first().copied())
    }

    fn apply(&mut self, source: &Program, function: ir::Function, _: &[Value]) -> Option<Value> {
        let data = &source.functions[function];
        if is_vague(&data.attributes) {
            self.vague = true;
            return None;
        }
        Some(Value::default_of(source, data.result))
    }

    fn observe(&mut self, state: &State<'_>, event: Event<'_>) -> bool {
        let thread = state.thread();
        if matches!(event, Event::Entered(_)) && state.frames().len() == 1 {
            self.started = thread;
        } else if let Some(place) = Self::place(event, state) {
            self.made(thread, place);
        }
        self.vague |= meets_vagueness(state);
        !self.vague
    }
}

/// Whether a thread is about to make a step, and this accesses the variable.
fn is_at(state: &State<'_>, thread: usize, place: Place, variable: Variable) -> bool {
    state.next_accesses(thread).is_some_and(|(at, accesses)| {
        at == place && accesses.iter().any(|access| access.variable == variable)
    })
}

fn returns(body: &ir::Body, block: Block) -> bool {
    body.blocks[block].transfer == Transfer::Return
}

fn waits(body: &ir::Body, block: Block) -> bool {
    body.blocks[block].statements.iter().any(|statement| {
        Mark::Waits.is_in(&statement.attributes) || matches!(statement.kind, StatementKind::Join { .. })
    })
}

/// How many blocks lie between the beginning of one block and that of one that is wanted, on the shortest way.
fn distance(body: &ir::Body, from: Block, is_wanted: impl Fn(Block) -> bool) -> Option<usize> {
    let mut seen = BTreeSet::from([from]);
    let mut pending = VecDeque::from([(from, 0)]);
    while let Some((block, steps)) = pending.pop_front() {
        if is_wanted(block) {
            return Some(steps);
        }
        for next in body.blocks[block].transfer.successors() {
            if seen.insert(next) {
                pending.push_back((next, steps + 1));
            }
        }
    }
    None
}
