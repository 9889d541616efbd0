//! Which candidates are invariants (Houdini).
//!
//! Every location begins with all candidates. Those that an edge does not establish from what is known before it are
//! removed, many at a time with the help of a model, until the rest is inductive together with the facts. Quantifiers
//! never reach the solver: what is known is used at the indices of the query ([`logic::instantiate`]), and the index for
//! which a candidate is refuted has one name for all candidates. So the solver answers quickly, and an answer "there is a model" may be wrong,
//! which only loses candidates.

use crate::context::Context;
use crate::edge_formula::EdgeFormula;
use analysis::graph::{Graph, Node};
use analysis::order::weak_topological_order;
use base::{Interrupted, SecondaryMap};
use logic::evaluate::Evaluator;
use logic::{Op, Substitution, Symbol, Term};
use smt::{Answer, Solver};
use std::collections::BTreeSet;

/// How much a query may cost.
const RLIMIT: u32 = 4_000_000;
/// Pruning gives up after so many queries.
const MOST_QUERIES: u64 = 2_000;

/// What is left of the candidates at the nodes of a graph.
pub(super) struct Pruning<'g> {
    pub(super) graph: &'g Graph,
    /// What holds anyway.
    pub(super) facts: SecondaryMap<Node, Vec<Term>>,
    /// What may hold.
    pub(super) candidates: SecondaryMap<Node, Vec<Term>>,
    /// The name of the index for which candidates are refuted.
    pub(super) witness: Symbol,
    pub(super) queries: u64,
}

impl Pruning<'_> {
    /// Removes what is not inductive; false if that took too many queries.
    pub(super) fn run(&mut self, context: &mut Context<'_>) -> Result<bool, Interrupted> {
        let mut position: SecondaryMap<Node, usize> = SecondaryMap::new();
        for (index, element) in weak_topological_order(self.graph).into_iter().enumerate() {
            position[element.node] = index + 1;
        }
        let reached = |node: Node| position[node] > 0;
        // A loop is settled before what comes after it, and what comes into it before what goes around in it.
        let priority = |index: usize| {
            let arc = self.graph.arcs()[index];
            (position[arc.target], position[arc.source] >= position[arc.target], index)
        };
        let fails = |node: Node| context.program.locations[self.graph.nodes[node]].error.is_some();
        let mut pending: BTreeSet<(usize, bool, usize)> = (0..self.graph.arcs().len())
            .filter(|&index| {
                let arc = self.graph.arcs()[index];
                reached(arc.source) && !fails(arc.target)
            })
            .map(priority)
            .collect();
        let mut leaving: SecondaryMap<Node, Vec<usize>> = SecondaryMap::new();
        for &(_, _, index) in &pending {
            leaving[self.graph.arcs()[index].source].push(index);
        }
        while let Some((_, _, index)) = pending.pop_first() {
            let target = self.graph.arcs()[index].target;
            if self.candidates[target].is_empty() {
                continue;
            }
            let before = self.candidates[target].len();
            if !self.check(context, index)? {
                return Ok(false);
            }
            if self.candidates[target].len() < before {
                pending.extend(leaving[target].iter().map(|&index| priority(index)));
            }
        }
        Ok(true)
    }

    /// Removes what an arc does not establish.
    fn check(&mut self, context: &mut Context<'_>, index: usize) -> Result<bool, Interrupted> {
        let arc = self.graph.arcs()[index];
        let mut edge = EdgeFormula::new(context.program, arc.edge, context.terms);
        // The goals, with a name instead of their variable, and what is known, at the indices of both.
        let mut goals: Vec<Term> = Vec::new();
        for &candidate in &self.candidates[arc.target] {
            let opened = self.opened(context, candidate);
            goals.push(edge.post.apply(context.terms, opened));
        }
        let mut known: Vec<Term> = edge.base.clone();
        let premises = self.facts[arc.source].iter().chain(&self.candidates[arc.source]);
        for &premise in premises {
            known.push(edge.pre.apply(context.terms, premise));
        }
        let count = known.len();
        known.extend(&goals);
        let mut known = logic::instances(context.terms, &known);
        known.truncate(count);
        let mut session = context.session();
        session.set_rlimit(Some(RLIMIT));
        for &fact in context.program.axioms.iter().chain(&known) {
            session.assert(context.terms, fact);
        }
        let mut left: Vec<(Term, Term)> = self.candidates[arc.target].iter().copied().zip(goals).collect();
        while !left.is_empty() {
            self.queries += 1;
            if self.queries > MOST_QUERIES {
                return Ok(false);
            }
            if !prune(context, &mut *session, &mut left)? {
                break;
            }
        }
        self.candidates[arc.target] = left.into_iter().map(|(candidate, _)| candidate).collect();
        Ok(true)
    }

    /// A candidate about the index that has a name.
    fn opened(&self, context: &mut Context<'_>, candidate: Term) -> Term {
        if !matches!(context.terms.op(candidate), Op::Quantified(..)) {
            return candidate;
        }
        let opened = context.terms.open(candidate);
        let witness = context.terms.constant(self.witness);
        let mut named: Substitution = opened.variables.iter().map(|&variable| (variable, witness)).collect();
        named.apply(context.terms, opened.body)
    }
}

/// Removes the candidates that a model refutes; says whether there may be more to remove.
fn prune(
    context: &mut Context<'_>,
    session: &mut dyn Solver,
    left: &mut Vec<(Term, Term)>,
) -> Result<bool, Interrupted> {
    let mut refuted = Vec::with_capacity(left.len());
    for &(_, goal) in left.iter() {
        refuted.push(context.terms.not(goal));
    }
    let some = context.terms.or(refuted);
    session.push();
    session.assert(context.terms, some);
    let answer = session.check(context.terms);
    let model = if answer == Answer::Sat { session.model(context.terms).ok() } else { None };
    session.pop();
    context.budget.check()?;
    if answer == Answer::Unsat {
        return Ok(false);
    }
    let before = left.len();
    if let Some(model) = model {
        let mut evaluator = Evaluator::new(&model);
        left.retain(|&(_, goal)| evaluator.evaluate(context.terms, goal).is_ok_and(|value| value.is_true()));
    }
    if left.len() == before {
        // Together they are too much, or the model does not fit our evaluator: ask about each alone.
        one_by_one(context, session, left)?;
        return Ok(false);
    }
    Ok(true)
}

/// Keeps the candidates that alone are established.
fn one_by_one(
    context: &mut Context<'_>,
    session: &mut dyn Solver,
    left: &mut Vec<(Term, Term)>,
) -> Result<(), Interrupted> {
    let mut kept = Vec::with_capacity(left.len());
    for &(candidate, goal) in left.iter() {
        let refuted = context.terms.not(goal);
        session.push();
        session.assert(context.terms, refuted);
        let answer = session.check(context.terms);
        session.pop();
        context.budget.check()?;
        if answer == Answer::Unsat {
            kept.push((candidate, goal));
        }
    }
    *left = kept;
    Ok(())
}
