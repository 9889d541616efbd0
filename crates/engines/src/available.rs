//! Conditions that were checked on all ways to a location, and that nothing has changed since.
//!
//! Memory is accessed again and again through the same pointers, and each access is checked. Behind the first check its condition
//! holds as long as no variable in it is assigned, also where static analysis over numbers cannot say so, as for the lengths of
//! blocks. This is the analysis of available expressions (Aho, Sethi, Ullman, "Compilers", Section 10.6) for the conditions of errors.
//!
//! What it says is a guess: whoever uses it has every step confirmed. So calls need no care: behind one, what the caller knew counts
//! as far as it speaks of variables that no edge assigns but those of the caller's procedure.
//!
//! Costs: a set of conditions for each location, and as many passes over the edges as loops are nested, in practice.

use base::{Budget, Interrupted, SecondaryMap};
use logic::{Symbol, Term, Terms};
use program::{Edge, EdgeKind, Location, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// With more conditions the sets become large, and the formulas that are asked about as well.
const MOST_CONDITIONS: usize = 1_000;
/// No more conditions than this are told of one location.
const MOST_AT_A_LOCATION: usize = 60;

/// Which conditions are available where.
pub struct Available {
    conditions: Vec<Term>,
    at: SecondaryMap<Location, Option<Set>>,
}

/// A set of conditions, by their numbers.
#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn empty(count: usize) -> Set {
        Set(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn contains(&self, index: usize) -> bool {
        self.0[index / 64] & (1 << (index % 64)) != 0
    }

    /// Leaves what both contain; says whether that is less than before.
    fn intersect(&mut self, other: &Set) -> bool {
        let before = self.clone();
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= theirs);
        *self != before
    }

    /// Leaves what is not in the other.
    fn without(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= !theirs);
    }

    fn add(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }
}

/// The conditions whose failing is an error, and what becomes of them on the edges.
struct Conditions<'p> {
    program: &'p Program,
    all: Vec<Term>,
    numbers: FxHashMap<Term, usize>,
    /// The conditions that speak of a symbol.
    about: FxHashMap<Symbol, Set>,
    /// Conditions that speak of a variable that some edge assigns in another procedure than the conditions' own.
    unsteady: Set,
}

/// Finds out which conditions are available in a single-step program.
pub fn available(program: &Program, terms: &mut Terms, budget: &Budget) -> Result<Available, Interrupted> {
    let conditions = Conditions::of(program, terms);
    let mut at: SecondaryMap<Location, Option<Set>> = SecondaryMap::new();
    let mut waiting: VecDeque<Location> = program.initial.iter().copied().collect();
    for &location in &program.initial {
        at[location] = Some(Set::empty(conditions.all.len()));
    }
    let mut queued: FxHashSet<Location> = waiting.iter().copied().collect();
    if conditions.all.is_empty() {
        waiting.clear();
    }
    while let Some(location) = waiting.pop_front() {
        budget.check()?;
        queued.remove(&location);
        let Some(before) = at[location].clone() else { continue };
        for &edge in &program.outgoing[location] {
            let Some((target, after)) = conditions.behind(edge, &before, &at, terms) else { continue };
            let changed = match &mut at[target] {
                Some(known) => known.intersect(&after),
                unknown => {
                    *unknown = Some(after);
                    true
                }
            };
            if changed && queued.insert(target) {
                waiting.push_back(target);
            }
            if let (true, EdgeKind::Call(call)) = (changed, &program.edges[edge].kind)
                && let Some(frame) = program.frames.get(&call.callee)
                && queued.insert(frame.exit)
            {
                // What holds behind the call depends on what held before it.
                waiting.push_back(frame.exit);
            }
        }
    }
    Ok(Available { conditions: conditions.all, at })
}

impl Available {
    /// The conditions that are available at a location.
    pub fn conditions(&self, location: Location) -> Vec<Term> {
        let Some(set) = &self.at[location] else { return Vec::new() };
        let there = (0..self.conditions.len()).filter(|&index| set.contains(index));
        there.map(|index| self.conditions[index]).take(MOST_AT_A_LOCATION).collect()
    }
}

impl<'p> Conditions<'p> {
    fn of(program: &'p Program, terms: &mut Terms) -> Conditions<'p> {
        let mut all = Vec::new();
        let mut numbers = FxHashMap::default();
        for edge in program.live_edges() {
            let data = &program.edges[edge];
            let (EdgeKind::Internal(relation), Some(_)) = (&data.kind, program.locations[data.target].error)
            else {
                continue;
            };
            let holds = terms.not(relation.guard);
            for condition in terms.conjuncts(holds) {
                if all.len() < MOST_CONDITIONS && !terms.has_quantifier(condition) {
                    numbers.entry(condition).or_insert_with(|| {
                        all.push(condition);
                        all.len() - 1
                    });
                }
            }
        }
        let mut about: FxHashMap<Symbol, Set> = FxHashMap::default();
        for (index, &condition) in all.iter().enumerate() {
            for symbol in terms.free_symbols(condition) {
                about.entry(symbol).or_insert_with(|| Set::empty(all.len())).insert(index);
            }
        }
        let mut unsteady = Set::empty(all.len());
        let globals: FxHashSet<Symbol> =
            program.variables.globals().map(|var| program.variables[var].symbol).collect();
        for edge in program.live_edges() {
            if let EdgeKind::Internal(relation) = &program.edges[edge].kind {
                for (var, _) in &relation.updates {
                    let symbol = program.variables[*var].symbol;
                    if let (true, Some(set)) = (globals.contains(&symbol), about.get(&symbol)) {
                        unsteady.add(set);
                    }
                }
            }
        }
        Conditions { program, all, numbers, about, unsteady }
    }

    /// Where an edge leads, and what is available there; nothing if it is not known yet.
    fn behind(
        &self,
        edge: Edge,
        before: &Set,
        at: &SecondaryMap<Location, Option<Set>>,
        terms: &Terms,
    ) -> Option<(Location, Set)> {
        let data = &self.program.edges[edge];
        let symbol = |var| self.program.variables[var].symbol;
        let mut changed = Set::empty(self.all.len());
        let mut after = match &data.kind {
            EdgeKind::Internal(relation) => {
                let mut after = before.clone();
                for conjunct in terms.conjuncts(relation.guard) {
                    if let Some(&index) = self.numbers.get(&conjunct) {
                        after.insert(index);
                    }
                }
                for &(var, _) in &relation.updates {
                    self.about.get(&symbol(var)).into_iter().for_each(|set| changed.add(set));
                }
                after
            }
            EdgeKind::Call(_) => Set::empty(self.all.len()),
            EdgeKind::Return(returning) => {
                let mut after = at[self.program.edges[returning.call].source].clone()?;
                after.without(&self.unsteady);
                for &(var, _) in &returning.results {
                    self.about.get(&symbol(var)).into_iter().for_each(|set| changed.add(set));
                }
                after
            }
        };
        after.without(&changed);
        Some((data.target, after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::counting_up;

    /// A loop that asserts at its end what no assignment behind an assertion keeps: nothing is available in it.
    #[test]
    fn an_assignment_ends_what_was_checked() {
        let mut terms = Terms::new();
        let (program, _) = counting_up(&mut terms);
        let budget = Budget::unlimited();
        let found = available(&program, &mut terms, &budget).expect("no limit is set");
        for &initial in &program.initial {
            assert!(found.conditions(initial).is_empty());
        }
        for edge in program.live_edges() {
            let data = &program.edges[edge];
            if let EdgeKind::Internal(relation) = &data.kind
                && !relation.updates.is_empty()
            {
                let assigned: Vec<Symbol> =
                    relation.updates.iter().map(|&(var, _)| program.variables[var].symbol).collect();
                for condition in found.conditions(data.target) {
                    let about = terms.free_symbols(condition);
                    assert!(!about.iter().any(|symbol| assigned.contains(symbol)));
                }
            }
        }
    }
}
