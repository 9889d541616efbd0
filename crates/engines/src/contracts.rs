//! Candidates for contracts: what a procedure computes, in the words of its own text and of its callers' assertions.
//!
//! A proof contains what its assertions need and no more, which is often less than what people want to know about a
//! procedure. The program itself has better words: values that are assigned to a result (`r == x - 10`), comparisons
//! of results in callers (`r == 91`), and conditions on parameters (`x > 100`). From them come candidates
//! `condition ==> equation` for the end of a procedure, and for the places behind its calls. Most of them are wrong; whoever uses
//! them prunes them until they are inductive.
//!
//! Costs: a bounded number of candidates for each location, linear in the number of calls.

use crate::horn::WholeProgram;
use logic::{Op, Substitution, Symbol, Term, Terms};
use program::{Call, EdgeKind, Program, ReturnEdge, Var};
use std::collections::{BTreeMap, BTreeSet};

/// So many conditions, and so many equations, are taken from the text for one procedure: their product is what the
/// solver has to prune.
const MOST_WORDS: usize = 8;

/// Where calls of a procedure make more candidates than this, none of them is tried: each could hold at each place behind it, which
/// takes longer than the proof, and nobody would read what is left.
const MOST_BEHIND_CALLS: usize = 400;

/// What can be said about a procedure.
#[derive(Default)]
struct Vocabulary {
    /// The variables that keep the values that were passed.
    parameters: BTreeSet<Var>,
    /// The variables that hand values back.
    results: BTreeSet<Var>,
    /// Comparisons of parameters.
    conditions: Vec<Term>,
    /// Comparisons of results with parameters and numbers.
    equations: Vec<Term>,
}

/// Candidates for every class of a program with calls. `single` is the program in single steps: its edges have the
/// text's own expressions.
pub fn candidates(
    blocks: &Program,
    single: &Program,
    whole: &WholeProgram,
    terms: &mut Terms,
) -> Vec<Vec<Term>> {
    let vocabularies = vocabularies(single, terms);
    let mut contracts: BTreeMap<ir::Procedure, Vec<Term>> = BTreeMap::new();
    for (&procedure, vocabulary) in &vocabularies {
        contracts.insert(procedure, vocabulary.contract(terms));
    }
    // Behind a call its contract may hold for what was passed; how long, pruning finds out.
    let mut behind: BTreeMap<ir::Procedure, Vec<Term>> = BTreeMap::new();
    for edge in single.live_edges() {
        let EdgeKind::Return(returning) = &single.edges[edge].kind else { continue };
        let (call_edge, call) = single.call_of(returning);
        let caller = single.locations[call_edge.source].procedure;
        let Some(contract) = contracts.get(&call.callee) else { continue };
        if let Some(mut passed) = instantiation(single, call, returning, terms) {
            let instances: Vec<Term> = contract.iter().map(|&part| passed.apply(terms, part)).collect();
            behind.entry(caller).or_default().extend(instances);
        }
    }
    behind.retain(|_, instances| instances.len() <= MOST_BEHIND_CALLS);
    let mut candidates = vec![Vec::new(); whole.locations.len()];
    for (class, &location) in whole.locations.iter().enumerate() {
        if whole.initial.contains(&class) {
            continue;
        }
        let procedure = blocks.locations[location].procedure;
        let list: &mut Vec<Term> = &mut candidates[class];
        list.extend(behind.get(&procedure).into_iter().flatten());
        if let Some(vocabulary) = vocabularies.get(&procedure) {
            for &condition in &vocabulary.conditions {
                list.extend([condition, terms.not(condition)]);
            }
            list.extend(&contracts[&procedure]);
        }
        list.sort_unstable();
        list.dedup();
    }
    candidates
}

impl Vocabulary {
    /// Equations, and equations under conditions.
    fn contract(&self, terms: &mut Terms) -> Vec<Term> {
        let mut parts = self.equations.clone();
        for &condition in &self.conditions {
            let negated = terms.not(condition);
            for &equation in &self.equations {
                parts.push(terms.or([negated, equation]));
                parts.push(terms.or([condition, equation]));
            }
        }
        parts
    }

    fn add(&mut self, program: &Program, atom: Term, terms: &Terms) {
        let symbols = terms.free_symbols(atom);
        let vars: Option<Vec<Var>> =
            symbols.iter().map(|&symbol| program.variables.of_symbol(symbol)).collect();
        let Some(vars) = vars else { return };
        let known = |var: &Var| self.parameters.contains(var) || self.results.contains(var);
        if vars.is_empty() || !vars.iter().all(known) {
            return;
        }
        let about_results = vars.iter().any(|var| self.results.contains(var));
        let list = if about_results { &mut self.equations } else { &mut self.conditions };
        if list.len() < MOST_WORDS && !list.contains(&atom) {
            list.push(atom);
        }
    }
}

fn vocabularies(single: &Program, terms: &mut Terms) -> BTreeMap<ir::Procedure, Vocabulary> {
    let mut vocabularies: BTreeMap<ir::Procedure, Vocabulary> = BTreeMap::new();
    let mut calls: Vec<(&Call, &ReturnEdge)> = Vec::new();
    for edge in single.live_edges() {
        let EdgeKind::Return(returning) = &single.edges[edge].kind else { continue };
        let (_, call) = single.call_of(returning);
        let vocabulary = vocabularies.entry(call.callee).or_default();
        vocabulary.parameters.extend(call.bindings.iter().map(|&(parameter, _)| parameter));
        vocabulary.results.extend(returning.results.iter().map(|&(_, result)| result));
        calls.push((call, returning));
    }
    let edges: Vec<_> =
        single.live_edges().filter_map(|edge| single.relation(edge).map(|r| (edge, r))).collect();
    for &(edge, relation) in &edges {
        let procedure = single.locations[single.edges[edge].source].procedure;
        let guards = atoms(relation.guard, terms);
        if let Some(vocabulary) = vocabularies.get_mut(&procedure) {
            let updates = relation.updates.iter().copied();
            let results: Vec<(Var, Term)> =
                updates.filter(|(var, _)| vocabulary.results.contains(var)).collect();
            for (var, value) in results {
                let result = single.variables.term(terms, var);
                let equation = terms.eq(result, value);
                vocabulary.add(single, equation, terms);
            }
            for &atom in &guards {
                vocabulary.add(single, atom, terms);
            }
        }
        // What a caller compares is what the callee should promise.
        for &(call, returning) in &calls {
            let mut inside = renaming_to_callee(single, call, returning, terms);
            for &atom in &guards {
                let renamed = inside.apply(terms, atom);
                if renamed != atom
                    && let Some(vocabulary) = vocabularies.get_mut(&call.callee)
                {
                    vocabulary.add(single, renamed, terms);
                }
            }
        }
    }
    vocabularies
}

/// Comparisons of numbers in a formula.
fn atoms(formula: Term, terms: &Terms) -> Vec<Term> {
    let mut atoms = Vec::new();
    terms.for_each_subterm(&[formula], |term| {
        if matches!(terms.op(term), Op::Le | Op::Lt | Op::Eq) && terms.is_closed(term) {
            atoms.push(term);
        }
    });
    atoms
}

/// The caller's variables that are passed or get results, as the callee's.
fn renaming_to_callee(
    program: &Program,
    call: &Call,
    returning: &ReturnEdge,
    terms: &mut Terms,
) -> Substitution {
    let mut renaming: BTreeMap<Symbol, Term> = BTreeMap::new();
    for &(parameter, value) in &call.bindings {
        if let Some(symbol) = terms.as_symbol(value) {
            let inside = program.variables.term(terms, parameter);
            renaming.entry(symbol).or_insert(inside);
        }
    }
    for &(to, from) in &returning.results {
        let inside = program.variables.term(terms, from);
        renaming.insert(program.variables[to].symbol, inside);
    }
    renaming.into_iter().collect()
}

/// The callee's parameters and results, as what the caller passed and got. Nothing if a result overwrites what was
/// passed: the old value has no name then.
fn instantiation(
    program: &Program,
    call: &Call,
    returning: &ReturnEdge,
    terms: &mut Terms,
) -> Option<Substitution> {
    let overwritten: BTreeSet<Symbol> =
        returning.results.iter().map(|&(to, _)| program.variables[to].symbol).collect();
    let mut instances = Vec::new();
    for &(parameter, value) in &call.bindings {
        if terms.free_symbols(value).iter().any(|symbol| overwritten.contains(symbol)) {
            return None;
        }
        instances.push((program.variables[parameter].symbol, value));
    }
    for &(to, from) in &returning.results {
        let outside = program.variables.term(terms, to);
        instances.push((program.variables[from].symbol, outside));
    }
    Some(instances.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Quantifier, Sort};

    #[test]
    fn what_is_said_of_bound_variables_is_no_comparison() {
        let terms = &mut Terms::new();
        let (x, e) = (terms.symbol("x", Sort::INT), terms.symbol("e", Sort::INT));
        let (number, bound, zero) = (terms.constant(x), terms.constant(e), terms.int(0));
        let (about_bound, about_free) = (terms.le(bound, number), terms.le(number, zero));
        let everywhere = terms.quantify(Quantifier::Forall, &[e], about_bound, &[]);
        let both = terms.and([everywhere, about_free]);
        assert_eq!(atoms(both, terms), [about_free]);
    }
}
