//! All interleavings of a program with finitely many states, one step at a time.
//!
//! A havoc gives 0 or 1. Variables that were never assigned are 0: generated programs do not look at them.

#![allow(dead_code, reason = "two tests share this file, and not all of it")]

use super::values::value;
use ir::{Block, Boundary, Procedure, Program, Statement, StatementKind, Transfer, Variable, VariableKind};
use std::collections::{BTreeMap, BTreeSet};

/// What can happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// No execution fails.
    Safe,
    /// One fails.
    Unsafe,
    /// One fails behind a marked statement, and only such.
    Marked,
    /// There are too many states.
    TooLarge,
}

const MOST_STATES: usize = 4_000;

type Values = BTreeMap<Variable, i64>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    procedure: Procedure,
    block: Block,
    index: usize,
    locals: Values,
    old: Values,
    results: Vec<Variable>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Thread {
    id: Vec<i64>,
    stack: Vec<Frame>,
    /// The procedure and its results, when it is over.
    over: Option<(Procedure, Vec<i64>)>,
    atomic: usize,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    globals: Values,
    threads: Vec<Thread>,
    marked: bool,
    /// Whether the present atomic part is in a race.
    raced: bool,
}

enum Outcome {
    Fails,
    Next(State),
}

/// What is an error besides a failing assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Nothing.
    Assertions,
    /// Races and deadlocks, where the program says so by its marks.
    Threads,
}

/// Explores all states of a program without rules about threads.
pub fn run(program: &Program) -> Truth {
    run_by(program, Rules::Assertions)
}

/// Explores all states.
pub fn run_by(program: &Program, rules: Rules) -> Truth {
    let entry = program.entries()[0];
    let globals: Values = program.globals.iter().map(|&global| (global, 0)).collect();
    let mut first = Thread { id: Vec::new(), stack: Vec::new(), over: None, atomic: 0 };
    let initial_globals = globals.clone();
    first.stack.push(frame(program, entry, Vec::new(), &initial_globals, Vec::new()));
    let initial = State { globals, threads: vec![first], marked: false, raced: false };
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut pending = vec![initial];
    let mut marked = false;
    while let Some(state) = pending.pop() {
        if seen.len() > MOST_STATES {
            return Truth::TooLarge;
        }
        let owner = state.threads.iter().position(|thread| thread.atomic > 0);
        if rules == Rules::Threads {
            match (owner, state.raced) {
                (None, true) => return Truth::Unsafe,
                (None, false) if races(program, &state, None) || is_stuck(program, &state, entry) => {
                    return Truth::Unsafe;
                }
                (Some(owner), false) if races(program, &state, Some(owner)) => {
                    let raced = State { raced: true, ..state.clone() };
                    if seen.insert(raced.clone()) {
                        pending.push(raced);
                    }
                }
                _ => {}
            }
        }
        for thread in 0..state.threads.len() {
            if state.threads[thread].over.is_some() || owner.is_some_and(|owner| owner != thread) {
                continue;
            }
            for outcome in steps(program, &state, thread) {
                match outcome {
                    Outcome::Fails if state.marked => marked = true,
                    // An atomic part that fails counts although it does not end.
                    Outcome::Fails => return Truth::Unsafe,
                    Outcome::Next(next) => {
                        if seen.insert(next.clone()) {
                            pending.push(next);
                        }
                    }
                }
            }
        }
    }
    if marked { Truth::Marked } else { Truth::Safe }
}

/// The watched variables that a thread reads and writes in its next step. Maps do not occur in generated programs.
fn accesses(program: &Program, state: &State, thread: usize) -> (BTreeSet<Variable>, BTreeSet<Variable>) {
    let watched = |variable: &Variable| {
        let attributes = &program.variables[*variable].attributes;
        attributes.iter().any(|attribute| attribute.name == "watched")
    };
    let mut exprs: Vec<ir::Expr> = Vec::new();
    let mut written: Vec<Variable> = Vec::new();
    if let Some(frame) = state.threads[thread].stack.last() {
        let block = &program.procedures[frame.procedure].body.as_ref().expect("it runs").blocks[frame.block];
        match (block.statements.get(frame.index).map(|statement| &statement.kind), &block.transfer) {
            (None, Transfer::Branch { condition, .. }) => exprs.push(*condition),
            (None, _) => {}
            (Some(kind), _) => match kind {
                StatementKind::Assign(assignments) => {
                    exprs.extend(assignments.iter().map(|(_, value)| *value));
                    written.extend(assignments.iter().map(|(to, _)| *to));
                }
                StatementKind::Havoc(variables) => written.extend(variables),
                StatementKind::Assume(condition) | StatementKind::Assert(_, condition) => {
                    exprs.push(*condition);
                }
                StatementKind::Call { arguments, .. } => exprs.extend(arguments),
                StatementKind::Fork { thread, arguments, .. } => exprs.extend(thread.iter().chain(arguments)),
                StatementKind::Join { thread, .. } => exprs.extend(thread),
                StatementKind::Atomic(_) => {}
            },
        }
    }
    let parts = program.expressions.post_order(exprs);
    let read = parts.into_iter().filter_map(|part| match program.expressions[part] {
        ir::ExprData::Variable(variable) => Some(variable),
        _ => None,
    });
    (read.filter(watched).collect(), written.into_iter().filter(watched).collect())
}

/// Whether two threads are about to access a watched variable; one of them is the owner, if there is one.
fn races(program: &Program, state: &State, owner: Option<usize>) -> bool {
    let all: Vec<_> = (0..state.threads.len()).map(|thread| accesses(program, state, thread)).collect();
    let meet = |one: usize, other: usize| {
        let ((reads, writes), (other_reads, other_writes)) = (&all[one], &all[other]);
        writes.iter().any(|it| other_reads.contains(it) || other_writes.contains(it))
            || reads.iter().any(|it| other_writes.contains(it))
    };
    let pairs = (0..all.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    let counts = |&(one, other): &(usize, usize)| owner.is_none_or(|owner| owner == one || owner == other);
    pairs.filter(counts).any(|(one, other)| meet(one, other))
}

/// Whether all threads that are not over wait, in a program in which that is an error.
fn is_stuck(program: &Program, state: &State, entry: Procedure) -> bool {
    let attributes = &program.procedures[entry].attributes;
    if !attributes.iter().any(|attribute| attribute.name == "deadlock_free") {
        return false;
    }
    let running: Vec<usize> =
        (0..state.threads.len()).filter(|&thread| state.threads[thread].over.is_none()).collect();
    let waits = |&thread: &usize| {
        let frame = state.threads[thread].stack.last().expect("it runs");
        let body = program.procedures[frame.procedure].body.as_ref().expect("it runs");
        let Some(statement) = body.blocks[frame.block].statements.get(frame.index) else { return false };
        match &statement.kind {
            StatementKind::Join { .. } => steps(program, state, thread).is_empty(),
            StatementKind::Assume(condition) => {
                statement.attributes.iter().any(|attribute| attribute.name == "waits")
                    && eval(program, state, thread, *condition) == 0
            }
            _ => false,
        }
    };
    !running.is_empty() && running.iter().all(waits)
}

fn frame(
    program: &Program,
    procedure: Procedure,
    arguments: Vec<i64>,
    globals: &Values,
    results: Vec<Variable>,
) -> Frame {
    let data = &program.procedures[procedure];
    let body = data.body.as_ref().expect("generated procedures have bodies");
    let others = data.results.iter().chain(&body.locals).map(|&variable| (variable, 0));
    let locals = data.parameters.iter().copied().zip(arguments).chain(others).collect();
    Frame { procedure, block: body.entry(), index: 0, locals, old: globals.clone(), results }
}

fn eval(program: &Program, state: &State, thread: usize, expr: ir::Expr) -> i64 {
    let frame = state.threads[thread].stack.last().expect("it runs");
    value(program, expr, &|variable, old| {
        if old {
            frame.old[&variable]
        } else if program.variables[variable].kind == VariableKind::Global {
            state.globals[&variable]
        } else {
            frame.locals[&variable]
        }
    })
}

fn set(program: &Program, state: &mut State, thread: usize, variable: Variable, value: i64) {
    if program.variables[variable].kind == VariableKind::Global {
        state.globals.insert(variable, value);
    } else {
        let frame = state.threads[thread].stack.last_mut().expect("it runs");
        frame.locals.insert(variable, value);
    }
}

/// Whether the specifications hold in the frame of a thread.
fn holds(program: &Program, state: &State, thread: usize, clauses: &[ir::Specification]) -> bool {
    clauses.iter().all(|clause| eval(program, state, thread, clause.condition) != 0)
}

fn steps(program: &Program, state: &State, thread: usize) -> Vec<Outcome> {
    let frame = state.threads[thread].stack.last().expect("it runs");
    let body = program.procedures[frame.procedure].body.as_ref().expect("it runs");
    let block = &body.blocks[frame.block];
    let go = |target: Block| {
        let mut next = state.clone();
        let frame = next.threads[thread].stack.last_mut().expect("it runs");
        (frame.block, frame.index) = (target, 0);
        Outcome::Next(next)
    };
    match block.statements.get(frame.index) {
        Some(statement) => statement_steps(program, state, thread, statement),
        None => match &block.transfer {
            Transfer::Goto(targets) => targets.iter().map(|&target| go(target)).collect(),
            Transfer::Branch { condition, then, otherwise } => {
                let truth = eval(program, state, thread, *condition) != 0;
                vec![go(if truth { *then } else { *otherwise })]
            }
            Transfer::Return => vec![leave(program, state, thread)],
        },
    }
}

fn leave(program: &Program, state: &State, thread: usize) -> Outcome {
    let mut next = state.clone();
    let frame = next.threads[thread].stack.last().expect("it runs").clone();
    let data = &program.procedures[frame.procedure];
    if !holds(program, state, thread, &data.ensures) {
        return Outcome::Fails;
    }
    let values: Vec<i64> = data.results.iter().map(|result| frame.locals[result]).collect();
    next.threads[thread].stack.pop();
    if next.threads[thread].stack.is_empty() {
        next.threads[thread].over = Some((frame.procedure, values));
        next.threads[thread].atomic = 0;
    } else {
        for (to, value) in frame.results.into_iter().zip(values) {
            set(program, &mut next, thread, to, value);
        }
        advance(&mut next, thread);
    }
    Outcome::Next(next)
}

fn advance(state: &mut State, thread: usize) {
    state.threads[thread].stack.last_mut().expect("it runs").index += 1;
}

fn statement_steps(program: &Program, state: &State, thread: usize, statement: &Statement) -> Vec<Outcome> {
    let mut next = state.clone();
    if ir::Mark::Overapproximation.is_in(&statement.attributes) {
        next.marked = true;
    }
    match &statement.kind {
        StatementKind::Assign(assignments) => {
            for &(to, expr) in assignments {
                let value = eval(program, state, thread, expr);
                set(program, &mut next, thread, to, value);
            }
        }
        StatementKind::Havoc(variables) => {
            let mut all = vec![next];
            for &variable in variables {
                let choices = all.into_iter().flat_map(|state| {
                    [0, 1].map(|value| {
                        let mut chosen = state.clone();
                        set(program, &mut chosen, thread, variable, value);
                        chosen
                    })
                });
                all = choices.collect();
            }
            return all
                .into_iter()
                .map(|mut state| {
                    advance(&mut state, thread);
                    Outcome::Next(state)
                })
                .collect();
        }
        StatementKind::Assume(condition) => {
            if eval(program, state, thread, *condition) == 0 {
                return Vec::new();
            }
        }
        StatementKind::Assert(_, condition) => {
            if eval(program, state, thread, *condition) == 0 {
                return vec![Outcome::Fails];
            }
        }
        StatementKind::Call { procedure, arguments, results } => {
            let values = arguments.iter().map(|&expr| eval(program, state, thread, expr)).collect();
            let called = frame(program, *procedure, values, &state.globals, results.clone());
            next.threads[thread].stack.push(called);
            let requires = &program.procedures[*procedure].requires;
            return vec![if holds(program, &next, thread, requires) {
                Outcome::Next(next)
            } else {
                Outcome::Fails
            }];
        }
        StatementKind::Fork { thread: name, procedure, arguments } => {
            let id = name.iter().map(|&expr| eval(program, state, thread, expr)).collect();
            let values = arguments.iter().map(|&expr| eval(program, state, thread, expr)).collect();
            let started = frame(program, *procedure, values, &state.globals, Vec::new());
            advance(&mut next, thread);
            next.threads.push(Thread { id, stack: vec![started], over: None, atomic: 0 });
            let requires = &program.procedures[*procedure].requires;
            let fine = holds(program, &next, next.threads.len() - 1, requires);
            return vec![if fine { Outcome::Next(next) } else { Outcome::Fails }];
        }
        StatementKind::Join { thread: name, results } => {
            let id: Vec<i64> = name.iter().map(|&expr| eval(program, state, thread, expr)).collect();
            return joins(program, state, thread, &id, results);
        }
        StatementKind::Atomic(Boundary::Begin) => next.threads[thread].atomic += 1,
        StatementKind::Atomic(Boundary::End) => {
            next.threads[thread].atomic = next.threads[thread].atomic.saturating_sub(1);
        }
    }
    advance(&mut next, thread);
    vec![Outcome::Next(next)]
}

fn joins(program: &Program, state: &State, thread: usize, id: &[i64], results: &[Variable]) -> Vec<Outcome> {
    let ty = |variable: &Variable| program.variables[*variable].ty;
    let mut outcomes = Vec::new();
    for (position, other) in state.threads.iter().enumerate() {
        let Some((procedure, values)) = &other.over else { continue };
        let given = &program.procedures[*procedure].results;
        let fits = results.is_empty() || results.iter().map(ty).eq(given.iter().map(ty));
        if other.id != id || !fits || position == 0 {
            continue;
        }
        let mut next = state.clone();
        advance(&mut next, thread);
        for (&to, &value) in results.iter().zip(values) {
            set(program, &mut next, thread, to, value);
        }
        next.threads.remove(position);
        outcomes.push(Outcome::Next(next));
    }
    outcomes
}
