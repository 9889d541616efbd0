//! How many threads are at some places: variables that are added to a program because its own variables count threads.
//!
//! A program counts threads with a variable x if every piece of a thread adds a constant to it, and what was added since a thread was
//! started depends on where it is only: then x is a sum over all threads. [`Tallies`] finds the places that such sums tell
//! apart, and [`write`](super::write) adds a variable for each class of them: the number of threads there. That is true by construction,
//! whatever the classes are; that x is a sum of these numbers is for engines to prove.
//!
//! If there is no such variable, those threads are counted that may still write some variable: x may be no larger than the number of threads that
//! have written it, and a loop may have counted how many were started.
//!
//! Cost: for every global, the sum of the sizes of all pieces.

use super::fragments::{Piece, Pieces, Target, is_end};
use super::write::{ASLEEP, Stops};
use crate::code::{Action, assigned};
use crate::system::System;
use ir::{BinaryOp, Expr, ExprData, Program, StatementKind, Type, Variable};
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet};

/// With more classes there are too many numbers to reason about.
const MOST_CLASSES: usize = 4;
/// A piece with more ways than this is not looked at.
const MOST_WAYS: usize = 1_000;

/// Classes of places, by the values of control variables.
#[derive(Clone, Default, Debug)]
pub(super) struct Tallies {
    class_of: BTreeMap<usize, usize>,
    count: usize,
}

impl Tallies {
    pub(super) fn of(program: &Program, system: &System, pieces: &[Pieces], stops: &Stops) -> Tallies {
        let mut sums: BTreeSet<BTreeMap<usize, i64>> = BTreeSet::new();
        for &global in program.globals.iter().filter(|&&global| program.variables[global].ty == Type::INT) {
            let sum = Sum { program, system, pieces, stops, global };
            sums.extend(sum.added().filter(|added| added.values().any(|&number| number != 0)));
        }
        if sums.is_empty() && first_thread_counts(program, system) {
            for &global in program.globals.iter().filter(|&&global| program.variables[global].ty == Type::INT)
            {
                sums.extend(still_to_write(system, pieces, stops, global));
            }
        }
        let places: BTreeSet<usize> = sums.iter().flat_map(|sum| sum.keys().copied()).collect();
        let mut classes: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
        let mut tallies = Tallies::default();
        for place in places {
            let kind: Vec<i64> = sums.iter().map(|sum| sum.get(&place).copied().unwrap_or(0)).collect();
            if kind.iter().any(|&number| number != 0) {
                let next = classes.len();
                tallies.class_of.insert(place, *classes.entry(kind).or_insert(next));
            }
        }
        tallies.count = classes.len();
        if tallies.count > MOST_CLASSES { Tallies::default() } else { tallies }
    }

    /// How many classes there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The class of a place, if threads are counted there.
    pub(super) fn class_of(&self, place: usize) -> Option<usize> {
        self.class_of.get(&place).copied()
    }

    /// The places of a class.
    pub(super) fn places(&self, class: usize) -> Vec<usize> {
        self.class_of.iter().filter(|&(_, of)| *of == class).map(|(&place, _)| place).collect()
    }
}

/// Whether the first thread adds a number to a variable after it has started another thread.
fn first_thread_counts(program: &Program, system: &System) -> bool {
    let alone = system.before_forks();
    let adds = |&(to, value): &(Variable, Expr)| match program.expressions[value] {
        ExprData::Binary(BinaryOp::Add, left, right) => {
            matches!(program.expressions[left], ExprData::Variable(variable) if variable == to)
                && matches!(program.expressions[right], ExprData::Int(_))
        }
        _ => false,
    };
    let nodes = system.codes[0].nodes.iter().zip(alone).filter(|(_, alone)| !alone);
    nodes.into_iter().any(|(node, _)| match &node.action {
        Action::Step(statements) => statements.iter().any(|statement| match &statement.kind {
            StatementKind::Assign(assignments) => assignments.iter().any(adds),
            _ => false,
        }),
        _ => false,
    })
}

/// For every place whether a thread there may still write a global, as 1 or 0; nothing if that never changes.
fn still_to_write(
    system: &System,
    pieces: &[Pieces],
    stops: &Stops,
    global: Variable,
) -> Option<BTreeMap<usize, i64>> {
    let mut found = BTreeMap::new();
    for (pool, data) in system.pools.iter().enumerate() {
        for &node in pieces[data.code].keys() {
            let writes = system.may_write((data.code, node), global);
            found.insert(stops.others[&(pool, node)], i64::from(writes));
        }
    }
    (found.values().any(|&number| number == 0) && found.values().any(|&number| number == 1)).then_some(found)
}

/// What threads add to a global.
struct Sum<'a> {
    program: &'a Program,
    system: &'a System,
    pieces: &'a [Pieces],
    stops: &'a Stops,
    global: Variable,
}

impl Sum<'_> {
    /// What a thread has added by place; nothing if that depends on more.
    fn added(&self) -> Option<BTreeMap<usize, i64>> {
        let mut added: BTreeMap<usize, i64> = BTreeMap::new();
        for (pool, data) in self.system.pools.iter().enumerate() {
            let code = data.code;
            let number = |node: usize| match is_end(self.system, code, node) {
                true => self.stops.over.get(&pool).copied().unwrap_or(ASLEEP),
                false => self.stops.others[&(pool, node)],
            };
            let mut pending = vec![(self.system.codes[code].entry, 0)];
            while let Some((node, sum)) = pending.pop() {
                let place = number(node);
                match added.insert(place, sum) {
                    Some(known) if known == sum => continue,
                    Some(_) => return None,
                    None if place == ASLEEP && sum != 0 => return None,
                    None if is_end(self.system, code, node) => continue,
                    None => {}
                }
                for (target, more) in self.ways(code, &self.pieces[code][&node])? {
                    pending.push((target, sum + more));
                }
            }
        }
        Some(added)
    }

    /// The ends of a piece, with what is added on the way.
    fn ways(&self, code: usize, piece: &Piece) -> Option<BTreeSet<(usize, i64)>> {
        let mut ends = BTreeSet::new();
        let mut seen: BTreeSet<(usize, i64)> = BTreeSet::new();
        let mut pending = vec![(0, 0)];
        while let Some((number, sum)) = pending.pop() {
            if !seen.insert((number, sum)) {
                continue;
            }
            if seen.len() > MOST_WAYS {
                return None;
            }
            let step = &piece.steps[number];
            let sum = sum + self.adds(&self.system.codes[code].nodes[step.node].action)?;
            for target in &step.targets {
                match target {
                    Target::Step(next) => pending.push((*next, sum)),
                    Target::Stop(node) => {
                        ends.insert((*node, sum));
                    }
                }
            }
        }
        Some(ends)
    }

    /// What a step adds; nothing if it is not a number.
    fn adds(&self, action: &Action) -> Option<i64> {
        match action {
            Action::Step(statements) => {
                let mut sum = 0;
                for statement in statements {
                    match &statement.kind {
                        StatementKind::Assign(assignments) => {
                            for &(_, value) in assignments.iter().filter(|(to, _)| *to == self.global) {
                                sum += self.summand(value)?;
                            }
                        }
                        _ if assigned(statement).contains(&self.global) => return None,
                        _ => {}
                    }
                }
                Some(sum)
            }
            Action::Join { results, .. } if results.contains(&self.global) => None,
            _ => Some(0),
        }
    }

    /// The number in `x + number` and `x - number`.
    fn summand(&self, value: Expr) -> Option<i64> {
        let expressions = &self.program.expressions;
        let ExprData::Binary(op, left, right) = &expressions[value] else { return None };
        let is_global = |expr: &Expr| matches!(expressions[*expr], ExprData::Variable(v) if v == self.global);
        let number = |expr: &Expr| match &expressions[*expr] {
            ExprData::Int(number) => number.to_i64(),
            _ => None,
        };
        match op {
            BinaryOp::Add if is_global(left) => number(right),
            BinaryOp::Add if is_global(right) => number(left),
            BinaryOp::Subtract if is_global(left) => number(right).map(|number| -number),
            _ => None,
        }
    }
}
