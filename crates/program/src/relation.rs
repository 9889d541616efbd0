//! What an internal edge does to the state.
//!
//! A relation is kept as a guarded update: a `guard` over the state before and over auxiliary constants, and
//! for every modified variable a term for its value after. Variables that are not listed keep their value.
//! Nondeterminism is in the auxiliary constants: `havoc x` updates `x` with a fresh one. So a state `s'` is a
//! successor of `s` exactly if for some values of the auxiliaries the guard holds in `s` and `s'` is the update.
//!
//! Sequential composition is substitution and choice is if-then-else on a selector; both share the parts, so
//! the formula of a loop-free block has as many distinct nodes as the block has statements (times variables).
//! Auxiliary constants belong to one edge of the single-step program; a block never executes one of those twice,
//! so composition needs no renaming.

use crate::variables::{Var, Variables};
use logic::{Sort, Substitution, Symbol, Term, Terms};

/// A guarded update.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// When the edge can be taken: a formula over the state before and the auxiliaries.
    pub guard: Term,
    /// The new values of the modified variables, sorted by variable.
    pub updates: Vec<(Var, Term)>,
    /// The constants that stand for nondeterministic choices, sorted. Some may no longer occur.
    pub auxiliaries: Vec<Symbol>,
}

impl Relation {
    /// Does nothing.
    pub fn skip() -> Relation {
        Relation::assume(Term::TRUE)
    }

    /// Goes on only if the guard holds.
    pub fn assume(guard: Term) -> Relation {
        Relation { guard, updates: Vec::new(), auxiliaries: Vec::new() }
    }

    /// Assigns in parallel.
    pub fn assign(mut updates: Vec<(Var, Term)>) -> Relation {
        updates.sort_unstable();
        Relation { guard: Term::TRUE, updates, auxiliaries: Vec::new() }
    }

    /// Can the edge never be taken, as far as its guard shows?
    pub fn is_blocked(&self) -> bool {
        self.guard.is_false()
    }

    /// The new value of a variable, if it is modified.
    pub fn update(&self, var: Var) -> Option<Term> {
        self.updates.binary_search_by_key(&var, |(v, _)| *v).ok().map(|i| self.updates[i].1)
    }

    /// The replacement of the state's symbols by the values after the edge.
    pub fn substitution(&self, variables: &Variables) -> Substitution {
        self.updates.iter().map(|&(var, value)| (variables[var].symbol, value)).collect()
    }

    /// First this relation, then the other.
    pub fn then(&self, other: &Relation, terms: &mut Terms, variables: &Variables) -> Relation {
        let mut after = self.substitution(variables);
        let other_guard = after.apply(terms, other.guard);
        let guard = terms.and([self.guard, other_guard]);
        let mut updates: Vec<(Var, Term)> =
            self.updates.iter().filter(|(var, _)| other.update(*var).is_none()).copied().collect();
        updates.extend(other.updates.iter().map(|&(var, value)| (var, after.apply(terms, value))));
        let mut relation =
            Relation { guard, updates, auxiliaries: merged(&self.auxiliaries, &other.auxiliaries) };
        relation.normalise(terms, variables);
        relation
    }

    /// Either this relation or the other. Also returns the selector: a formula that holds where this one is meant.
    pub fn or_else(&self, other: &Relation, terms: &mut Terms, variables: &Variables) -> (Relation, Term) {
        let mut auxiliaries = merged(&self.auxiliaries, &other.auxiliaries);
        let selector = match decisive_conjunct(self.guard, other.guard, terms) {
            Some(condition) => condition,
            None => {
                let symbol = terms.fresh_symbol("choice", Sort::BOOL);
                auxiliaries = merged(&auxiliaries, &[symbol]);
                terms.constant(symbol)
            }
        };
        let guard = terms.ite(selector, self.guard, other.guard);
        let mut modified: Vec<Var> = self.updates.iter().chain(&other.updates).map(|(var, _)| *var).collect();
        modified.sort_unstable();
        modified.dedup();
        let mut updates = Vec::with_capacity(modified.len());
        for var in modified {
            let unchanged = variables.term(terms, var);
            let (here, there) =
                (self.update(var).unwrap_or(unchanged), other.update(var).unwrap_or(unchanged));
            updates.push((var, terms.ite(selector, here, there)));
        }
        let mut relation = Relation { guard, updates, auxiliaries };
        relation.normalise(terms, variables);
        (relation, selector)
    }

    /// Sorts, and drops updates that change nothing.
    fn normalise(&mut self, terms: &Terms, variables: &Variables) {
        self.updates.retain(|&(var, value)| terms.as_symbol(value) != Some(variables[var].symbol));
        self.updates.sort_unstable();
    }
}

/// A condition that one guard demands and the other forbids.
fn decisive_conjunct(here: Term, there: Term, terms: &mut Terms) -> Option<Term> {
    let others = terms.conjuncts(there);
    terms.conjuncts(here).into_iter().find(|&conjunct| {
        let negation = terms.not(conjunct);
        others.contains(&negation)
    })
}

fn merged(left: &[Symbol], right: &[Symbol]) -> Vec<Symbol> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all.dedup();
    all
}
