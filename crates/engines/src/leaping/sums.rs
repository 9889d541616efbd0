//! What static analysis knows of loops in loops: how a sum goes with the counters of all of them.
//!
//! A variable that grows in the innermost of three loops of a thousand rounds is `1000000·i + 1000·j + k`, which no run of a few steps shows. Static analysis
//! knows it if the inner loops end where a number says. Where an input says it, the input is given a value, for which the same holds: large enough that
//! the product of the rounds of all loops, or the rounds of one, go beyond every number of the program. All of these are candidates for abstract states and nothing else.
//!
//! What the counter of an inner loop is before the first round of an outer one is often left open; then it is best what it is before all other rounds.
//!
//! Costs two analyses of the program, and two more for each value.

use super::atoms;
use super::limits;
use super::modal::Modal;
use super::motion::roots;
use super::paths::Path;
use analysis::{Precision, analyse};
use base::{Budget, Interrupted};
use logic::print::infix;
use logic::{Integer, Op, Sort, Term, Terms};
use program::{Edge, EdgeKind, Location, Program, Relation, Var};
use std::collections::{BTreeMap, BTreeSet};

/// Equations between variables at the heads of nested loops, for inputs that satisfy formulas.
#[derive(Default)]
pub struct Sums {
    pub(super) equations: BTreeMap<Location, Vec<Term>>,
    pub(super) inputs: Vec<Term>,
}

/// Whether there are loops in loops on a path.
pub fn is_nested(path: &Path) -> bool {
    path.loops.iter().any(|at| at.component.len() > 1)
}

/// What is known on a path, where inputs have given values.
pub fn sums(
    (modal, budget): (&mut Modal<'_>, &Budget),
    single: &Program,
    path: &Path,
    inputs: Vec<Term>,
) -> Result<Sums, Interrupted> {
    if single.live_edges().nth(limits::MOST_EDGES_WITH_SUMS).is_some() {
        return Ok(Sums { equations: BTreeMap::new(), inputs });
    }
    let heads: BTreeSet<Location> = path.loops.iter().flat_map(|at| at.component.iter().copied()).collect();
    let given = modal.terms.and(inputs.iter().copied());
    let begin = heads.iter().map(|&head| (head, vec![given])).collect();
    // Where a loop ends, its counter is a number only as soon as its bounds are known, and widening may have gone beyond them at first.
    let bounds = known((modal, budget), single, &begin, |terms, fact| !is_equation(terms, fact))?;
    let begin = bounds.into_iter().map(|(head, facts)| (head, [vec![given], facts].concat())).collect();
    let equations = known((modal, budget), single, &begin, is_equation)?;
    Ok(Sums { equations, inputs })
}

/// Some of the facts at the heads of loops, where formulas are assumed whenever control leaves one of them.
fn known(
    (modal, budget): (&mut Modal<'_>, &Budget),
    single: &Program,
    assumed: &BTreeMap<Location, Vec<Term>>,
    is_wanted: impl Fn(&Terms, Term) -> bool,
) -> Result<BTreeMap<Location, Vec<Term>>, Interrupted> {
    let mut program = single.clone();
    for edge in single.live_edges() {
        if let Some(assumed) = assumed.get(&single.edges[edge].source)
            && let EdgeKind::Internal(relation) = &mut program.edges[edge].kind
        {
            relation.guard = modal.terms.and(assumed.iter().copied().chain([relation.guard]));
        }
    }
    let facts = analyse(&program, modal.terms, Precision::Relations, budget)?;
    let mut found = BTreeMap::new();
    for &head in assumed.keys() {
        let mut known = facts.conjuncts(head, modal.terms);
        known.retain(|&fact| is_wanted(modal.terms, fact));
        for &fact in &known {
            tracing::debug!(location = %head, formula = %infix(modal.terms, fact), "known of a loop");
        }
        found.insert(head, known);
    }
    Ok(found)
}

/// Whether a fact is an equation between two integers or more.
fn is_equation(terms: &Terms, fact: Term) -> bool {
    terms.op(fact) == Op::Eq
        && terms.sort_of(terms.args(fact)[0]) == Sort::INT
        && terms.free_symbols(fact).len() > 1
}

/// What a variable may be where a loop ends, as far as the guards of a program say: the numbers that it is compared with, so far from them.
pub(super) fn ends(terms: &mut Terms, guards: &[Term], var: Term, beside: i64) -> Option<Term> {
    let linear = atoms::linear_parts(terms, guards);
    let only = |linear: &&logic::Linear| linear.monomials.len() == 1 && linear.coefficient(var).is_some();
    let linear = linear.iter().find(only)?.clone();
    let number = atoms::solve(terms, &linear, var)?;
    let beside = terms.int(beside);
    let value = terms.add(&[number, beside]);
    Some(terms.eq(var, value))
}

/// Values of the inputs on which the rounds of nested loops depend: all the same, in different sizes.
pub fn wishes(modal: &mut Modal<'_>, path: &Path) -> Vec<Vec<Term>> {
    let program = modal.program;
    let nested = path.loops.iter().filter(|at| at.component.len() > 1);
    let heads: BTreeSet<Location> = nested.flat_map(|at| at.component.iter().copied()).collect();
    let depth = path.loops.iter().map(|at| at.component.len()).max().unwrap_or(1);
    let inside = |edge: &Edge| heads.contains(&program.edges[*edge].source);
    let relations: Vec<&Relation> =
        program.live_edges().filter(inside).filter_map(|edge| program.relation(edge)).collect();
    let changed: BTreeSet<Var> =
        relations.iter().flat_map(|relation| relation.updates.iter().map(|&(var, _)| var)).collect();
    let guards: Vec<Term> = relations.iter().map(|relation| relation.guard).collect();
    let read = modal.terms.free_symbols_of(&guards);
    let read: BTreeSet<Var> = program.variables.of_symbols(&read).collect();
    let sort = |var: &Var| modal.terms.symbol_data(program.variables[*var].symbol).sort;
    let inputs: Vec<Var> =
        read.into_iter().filter(|var| !changed.contains(var) && sort(var) == Sort::INT).collect();
    if inputs.is_empty() {
        return Vec::new();
    }
    let mut largest = Integer::from(limits::LARGE);
    let all: Vec<Term> = relations.iter().flat_map(|&relation| roots(relation)).collect();
    let terms = &mut *modal.terms;
    terms.for_each_subterm(&all, |term| {
        if let Some(number) = terms.as_integer(term) {
            largest = largest.clone().max(number.clone());
        }
    });
    let rounds = largest.nth_root(u32::try_from(depth).unwrap_or(u32::MAX)) + 1;
    let mut found = Vec::new();
    for value in [rounds, largest + 1] {
        let value = terms.int(value);
        let mut wish = Vec::with_capacity(inputs.len());
        for &input in &inputs {
            let input = program.variables.term(terms, input);
            wish.push(terms.eq(input, value));
        }
        found.push(wish);
    }
    found
}
