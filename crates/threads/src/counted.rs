//! How often the first thread starts threads in loops.
//!
//! `for (i = 0; i < 5; i++)` around a fork statement starts five threads, and a product with five of them has all executions. So the first
//! thread is followed alone, with the values of its own variables as far as they are known ([`Constants`]): where a fork statement is not reached twice with the
//! same values, it is executed once at most for all values with which it is reached.
//!
//! Guarantee: an upper bound. Variables that others can write are not believed. Cost: the size of the code of the first thread, times the rounds of its loops,
//! but no more than [`MOST_STATES`].

use crate::code::Action;
use crate::constants::{Constants, Known};
use crate::system::System;
use ir::{Program, Variable, VariableKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// More states are not looked at.
const MOST_STATES: usize = 5_000;

/// The first thread alone: where it is, and what is known then.
struct Walk<'a> {
    system: &'a System,
    constants: &'a Constants<'a>,
    globals: Vec<Variable>,
    numbers: FxHashMap<(usize, Known), usize>,
    states: Vec<(usize, Known)>,
    next: Vec<Vec<usize>>,
}

/// For the fork statements of the first thread, how often each is executed at most. Those that are missing may be executed any number of times.
pub(crate) fn executions(
    program: &Program,
    system: &System,
    constants: &Constants<'_>,
) -> BTreeMap<usize, usize> {
    let is_global = |variable: &Variable| program.variables[*variable].kind == VariableKind::Global;
    let globals = constants.variables().iter().copied().filter(is_global).collect();
    let (numbers, states, next) = (FxHashMap::default(), Vec::new(), Vec::new());
    let mut walk = Walk { system, constants, globals, numbers, states, next };
    walk.number(system.codes[0].entry, constants.nothing());
    let mut position = 0;
    while position < walk.states.len() {
        if walk.states.len() > MOST_STATES {
            return BTreeMap::new();
        }
        walk.expand(position);
        position += 1;
    }
    let mut counts: BTreeMap<usize, Option<usize>> = BTreeMap::new();
    for (state, (node, _)) in walk.states.iter().enumerate() {
        if matches!(system.codes[0].nodes[*node].action, Action::Fork { .. }) {
            let count = counts.entry(*node).or_insert(Some(0));
            *count = count.filter(|_| !walk.comes_again(state)).map(|count| count + 1);
        }
    }
    counts.into_iter().filter_map(|(node, count)| Some((node, count?))).collect()
}

impl Walk<'_> {
    fn number(&mut self, node: usize, mut known: Known) -> usize {
        self.constants.forget(&mut known, &self.globals);
        if let Some(&number) = self.numbers.get(&(node, known.clone())) {
            return number;
        }
        let number = self.states.len();
        self.numbers.insert((node, known.clone()), number);
        self.states.push((node, known));
        self.next.push(Vec::new());
        number
    }

    fn expand(&mut self, state: usize) {
        let (node, known) = self.states[state].clone();
        let data = &self.system.codes[0].nodes[node];
        let mut ways: Vec<(usize, Known)> = Vec::new();
        match &data.action {
            Action::Step(statements) => {
                let mut after = known;
                if self.constants.execute(&mut after, statements) {
                    ways.push((data.next[0], after));
                }
            }
            Action::Branch(condition) => {
                let holds = self.constants.holds(&known, *condition);
                for (&next, truth) in data.next.iter().zip([true, false]) {
                    if holds.is_none_or(|holds| holds == truth) {
                        let mut after = known.clone();
                        self.constants.learn(&mut after, *condition, truth);
                        ways.push((next, after));
                    }
                }
            }
            Action::Join { results, .. } => {
                let mut after = known;
                self.constants.forget(&mut after, results);
                ways.push((data.next[0], after));
            }
            Action::Goto | Action::Atomic(_) | Action::Fork { .. } | Action::End => {
                ways.extend(data.next.iter().map(|&next| (next, known.clone())));
            }
        }
        let next = ways.into_iter().map(|(node, known)| self.number(node, known)).collect();
        self.next[state] = next;
    }

    /// Whether a state can come again.
    fn comes_again(&self, state: usize) -> bool {
        let mut seen = vec![false; self.states.len()];
        let mut pending = self.next[state].clone();
        while let Some(next) = pending.pop() {
            if next == state {
                return true;
            }
            if !std::mem::replace(&mut seen[next], true) {
                pending.extend(&self.next[next]);
            }
        }
        false
    }
}
