//! Bounds of what is read from arrays: a second try, with what static analysis would know if cells held only what is written to them.
//!
//! `∀k. range(k) ⇒ low ≤ a[k] ≤ high` for the bounds of all that is written to an array is one part of it. The others are what
//! follows for variables: the facts of [`analysis::contents`] (the largest element so far is not larger than `high`), and sums, which are at most `high` for
//! each round of a loop: `sum ≤ high · (i - 0)`. All are candidates, and pruned together, since none of them is inductive without the first.

use super::accesses::{Cells, Kind};
use super::counters::{Range, leaves};
use super::limits;
use super::templates::{Source, Templates, add};
use super::{Known, counting, tell};
use crate::context::Context;
use crate::pruning::Pruning;
use analysis::contents::{Bounds, Contents};
use analysis::graph::Graph;
use analysis::interval::Interval;
use base::{EntityRef, Interrupted};
use logic::{Integer, Rational, Sort, Symbol, Term, Terms};
use num_traits::{One, Zero};
use program::Var;

/// What is known, what was shown about heaps, by the index of the node, and the candidates of the first try: those that were lost may follow from bounds.
pub(super) struct SoFar<'a> {
    pub(super) known: &'a Known,
    pub(super) heap: &'a [Vec<Term>],
    pub(super) candidates: &'a [Range],
}

/// The invariants that bounds of arrays give with the candidates of the first try, by the index of the node; nothing if there are no bounds or that cannot be found out.
pub(super) fn with_contents(
    context: &mut Context<'_>,
    graph: &Graph,
    (source, templates): (&Source<'_>, &Templates),
    contents: &Contents<'_>,
    so_far: SoFar<'_>,
) -> Result<Option<Vec<Vec<Term>>>, Interrupted> {
    let mut bounded = Vec::new();
    for (array, cell) in templates.walked(context.terms) {
        let properties = properties(source, contents, (array, cell), context.terms);
        bounded.extend(templates.in_ranges(array, &properties, context.terms));
    }
    bounded.truncate(limits::MOST_CANDIDATES);
    let mut others = sums(source, &contents.added, context.terms);
    others.extend(taken(source, &contents.written, context.terms));
    bounded.extend(others.into_iter().map(|formula| (formula, None)));
    let counting = counting(context.program, graph);
    let mut pruning = Pruning::new(context, graph);
    let mut is_new = false;
    for (node, &location) in graph.nodes.iter() {
        let error = context.program.locations[location].error.is_some();
        if error || graph.is_initial(node) || graph.incoming(node).next().is_none() {
            continue;
        }
        pruning.facts[node] = so_far.known.at(location).to_vec();
        pruning.facts[node].extend(so_far.heap.get(node.index()).into_iter().flatten());
        let found = &mut pruning.candidates[node.index()];
        let variables = &context.program.variables;
        let scope: Vec<Symbol> = context.program.scope(location).map(|var| variables[var].symbol).collect();
        let fits = |&&(candidate, counter): &&Range| {
            let symbols = context.terms.free_symbols(candidate);
            counter.is_none_or(|counter| counting[node].contains(&counter))
                && symbols.iter().all(|symbol| scope.contains(symbol))
        };
        found.extend(so_far.candidates.iter().filter(fits).map(|&(candidate, _)| candidate));
        let count = found.len();
        bounded.iter().filter(fits).for_each(|&(candidate, _)| add(found, candidate));
        for fact in contents.facts.conjuncts(location, context.terms) {
            // What would hold of cells that were never written, too, is no guess.
            if !context.terms.has_quantifier(fact) && !pruning.facts[node].contains(&fact) {
                add(found, fact);
            }
        }
        is_new |= found.len() > count;
    }
    if !is_new {
        return Ok(None);
    }
    let pruned = pruning.run(context)?;
    tell(context, &pruning, "about contents");
    Ok(pruned.settled.then_some(pruning.candidates))
}

/// What is tried of all cells of an array: bounds of what is written, or of what cells begin with and what is added to them.
fn properties(
    source: &Source<'_>,
    contents: &Contents<'_>,
    (array, cell): (Cells, Term),
    terms: &mut Terms,
) -> Vec<Term> {
    let mut found = Vec::new();
    if let Some(bounds) = contents.written.get(&array.var) {
        if let Some(low) = &bounds.low {
            let low = terms.int(low.to_integer());
            found.push(terms.le(low, cell));
        }
        if let Some(high) = &bounds.high {
            let high = terms.int(high.to_integer());
            found.push(terms.le(cell, high));
        }
    }
    if let (Some(begun), Some(added)) = (contents.begun.get(&array.var), contents.added.get(&array.var)) {
        let rounds = rounds(source, array.var, terms);
        let lowest = begun.low.as_ref().map(|begin| terms.int(begin.to_integer()));
        let highest = begun.high.as_ref().map(|begin| terms.int(begin.to_integer()));
        for rounds in &rounds {
            if let (Some(begin), Some(bound)) = (lowest, &added.low) {
                found.extend(grown((cell, begin), rounds, (bound, true), terms));
            }
            if let (Some(begin), Some(bound)) = (highest, &added.high) {
                found.extend(grown((cell, begin), rounds, (bound, false), terms));
            }
        }
    }
    found
}

/// Sums are between the bounds of what is added, times the rounds of a loop.
fn sums(source: &Source<'_>, added: &Bounds, terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    let numbers = |bounds: &Interval| bounds.as_point().is_some();
    // What grows by the same number each time counts, and has its bounds from static analysis.
    let varying = added.iter().filter(|(_, bounds)| !numbers(bounds));
    for (&var, bounds) in varying.take(limits::MOST_ADDED) {
        let sum = source.program.variables.term(terms, var);
        if terms.sort_of(sum) != Sort::INT {
            continue;
        }
        let begins = begins(source, var, terms);
        let rounds = rounds(source, var, terms);
        for (&begin, rounds) in
            begins.iter().flat_map(|begin| rounds.iter().map(move |rounds| (begin, rounds)))
        {
            for (bound, is_low) in [(&bounds.low, true), (&bounds.high, false)] {
                if let Some(bound) = bound {
                    found.extend(grown((sum, begin), rounds, (bound, is_low), terms));
                }
            }
        }
    }
    found
}

/// A term is at least, or at most, what it began with and so much for each round, which may also add nothing.
fn grown(
    (term, begin): (Term, Term),
    (distance, stride): &(Term, Integer),
    (bound, is_low): (&Rational, bool),
    terms: &mut Terms,
) -> Vec<Term> {
    let stride = terms.int(stride.clone());
    let grown = terms.sub(term, begin);
    let grown = terms.mul(&[stride, grown]);
    let zero = Rational::zero();
    let weaker = if is_low { bound.min(&zero) } else { bound.max(&zero) };
    let mut found = Vec::new();
    for bound in [bound, weaker] {
        let factor = terms.int(bound.to_integer());
        let most = terms.mul(&[factor, *distance]);
        let holds = if is_low { terms.le(most, grown) } else { terms.le(grown, most) };
        add(&mut found, holds);
    }
    found
}

/// Variables that may take what is read, as the largest element so far does, and begin with a number that no cell holds: from the first round on they are within
/// the bounds of the cells.
fn taken(source: &Source<'_>, written: &Bounds, terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    for access in source.accesses {
        let (Kind::Read(read), Some(bounds)) = (&access.kind, written.get(&access.array.var)) else {
            continue;
        };
        let Some(relation) = source.program.relation(access.edge) else { continue };
        let takes = |(_, update): &&(Var, Term)| leaves(terms, *update).contains(read);
        let takers: Vec<Var> = relation.updates.iter().filter(takes).map(|&(var, _)| var).collect();
        for var in takers.into_iter().take(limits::MOST_ADDED) {
            let variable = source.program.variables.term(terms, var);
            let begins = begins(source, var, terms);
            let begins: Vec<Integer> =
                begins.iter().filter_map(|&begin| terms.as_integer(begin).cloned()).collect();
            let counted = rounds(source, var, terms);
            for (bound, is_low) in [(&bounds.low, true), (&bounds.high, false)] {
                let Some(bound) = bound.as_ref().map(Rational::to_integer) else { continue };
                let outside = |begin: &Integer| if is_low { *begin < bound } else { *begin > bound };
                if !begins.iter().any(outside) {
                    continue;
                }
                let bound = terms.int(bound);
                let within = if is_low { terms.le(bound, variable) } else { terms.le(variable, bound) };
                for (distance, _) in &counted {
                    let zero = terms.int(0);
                    let first = terms.eq(*distance, zero);
                    let holds = terms.or([first, within]);
                    add(&mut found, holds);
                }
            }
        }
    }
    found
}

/// The ways to count the rounds of a loop that a variable changes in.
fn rounds(source: &Source<'_>, var: Var, terms: &mut Terms) -> Vec<(Term, Integer)> {
    let others = source.counters.iter().filter(|counter| counter.var != var);
    let counted = others.filter_map(|counter| counter.rounds(terms)).flatten();
    counted.take(limits::MOST_ROUNDS).collect()
}

/// The numbers that a variable is set to.
fn begins(source: &Source<'_>, var: Var, terms: &Terms) -> Vec<Term> {
    let mut found = Vec::new();
    for relation in source.program.live_edges().filter_map(|edge| source.program.relation(edge)) {
        let update = relation.update(var).into_iter();
        for leaf in update.flat_map(|update| leaves(terms, update)) {
            if terms.sort_of(leaf) == Sort::INT && terms.is_literal_value(leaf) {
                add(&mut found, leaf);
            }
        }
    }
    found.truncate(limits::MOST_RESETS);
    found
}

impl super::counters::Counter {
    /// How far it is from each of its beginnings, and by how much it moves in a round.
    fn rounds(&self, terms: &mut Terms) -> Option<Vec<(Term, Integer)>> {
        let [step] = self.steps() else { return None };
        let one = Integer::one();
        let mut all = Vec::new();
        for &begin in self.resets() {
            let distance =
                if *step >= one { terms.sub(self.term, begin) } else { terms.sub(begin, self.term) };
            all.push((distance, Integer::from(step.magnitude().clone())));
        }
        Some(all)
    }
}
