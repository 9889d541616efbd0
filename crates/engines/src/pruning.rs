//! Which candidates are invariants, by [`houdini`](crate::houdini), together with the facts.
//!
//! Quantifiers never reach the solver: what is known is used at the indices of the query ([`logic::instantiate`]), and the
//! index for which a candidate is refuted has one name for all candidates. So the solver answers quickly, and an answer
//! "there is a model" may be wrong, which only loses candidates.

use crate::context::Context;
use crate::edge_formula::EdgeFormula;
use crate::houdini::{self, Arc, Goal, Policy, Pruned, Question, Undecided};
use analysis::graph::{Graph, Node};
use analysis::order::weak_topological_order;
use base::{EntityRef, EntitySet, Interrupted, SecondaryMap};
use logic::{Op, Quantifier, Sort, Substitution, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// How much a query may cost: without quantifiers, a query that takes longer is not about a candidate that holds.
const RLIMIT: u32 = 4_000_000;
/// Queries are cheap, and there are many candidates at many nodes.
const POLICY: Policy = Policy { most_queries: 2_000, undecided: Undecided::AskEach };

/// What is known and guessed at the nodes of a graph.
pub(crate) struct Pruning<'g> {
    pub(crate) graph: &'g Graph,
    /// What holds anyway.
    pub(crate) facts: SecondaryMap<Node, Vec<Term>>,
    /// What may hold; by the index of the node.
    pub(crate) candidates: Vec<Vec<Term>>,
    /// What is tried where a candidate is lost: what follows from it.
    pub(crate) weaker: BTreeMap<Term, Vec<Term>>,
    /// The symbols that weaker candidates may have at a node, by its index.
    pub(crate) symbols: Vec<BTreeSet<Symbol>>,
    /// The names of the indices for which candidates are refuted.
    pub(crate) witnesses: [Symbol; 2],
}

impl<'g> Pruning<'g> {
    /// Nothing is known, and nothing guessed.
    pub(crate) fn new(context: &mut Context<'_>, graph: &'g Graph) -> Pruning<'g> {
        let witnesses = ["witness", "other witness"].map(|name| context.terms.fresh_symbol(name, Sort::INT));
        Pruning {
            graph,
            facts: SecondaryMap::new(),
            candidates: vec![Vec::new(); graph.nodes.len()],
            weaker: BTreeMap::new(),
            symbols: vec![BTreeSet::new(); graph.nodes.len()],
            witnesses,
        }
    }
}

impl Pruning<'_> {
    /// Removes what is not inductive.
    pub(crate) fn run<'p>(&mut self, context: &mut Context<'p>) -> Result<Pruned, Interrupted> {
        let mut reached = EntitySet::new();
        reached.extend(weak_topological_order(self.graph).into_iter().map(|element| element.node));
        let fails = |node: Node| context.program.locations[self.graph.nodes[node]].error.is_some();
        let asked: Vec<analysis::graph::Arc> = (self.graph.arcs().iter())
            .filter(|arc| reached.contains(arc.source) && !fails(arc.target))
            .copied()
            .collect();
        let arcs: Vec<Arc> = asked
            .iter()
            .map(|arc| Arc {
                source: arc.source.index(),
                call: arc.call.map(EntityRef::index),
                target: arc.target.index(),
            })
            .collect();
        let mut candidates = std::mem::take(&mut self.candidates);
        let ask = |context: &mut Context<'p>, index: usize, candidates: &[Vec<Term>]| {
            self.question(context, asked[index], candidates)
        };
        let weaker = |context: &Context<'p>, node: usize, stronger: Term| {
            let readable = |symbol: &Symbol| self.symbols[node].contains(symbol);
            let all = self.weaker.get(&stronger).into_iter().flatten().copied();
            all.filter(|&formula| context.terms.free_symbols(formula).iter().all(readable)).collect()
        };
        let pruned = houdini::prune_to_weaker(context, &arcs, &mut candidates, POLICY, ask, weaker);
        self.candidates = candidates;
        pruned
    }

    fn question<'p>(
        &self,
        context: &mut Context<'p>,
        arc: analysis::graph::Arc,
        candidates: &[Vec<Term>],
    ) -> Question<'p> {
        let mut edge = EdgeFormula::new(context.program, arc.edge, context.terms);
        // The goals, with a name instead of their variable, and what is known, at the indices of both.
        let mut goals: Vec<Goal> = Vec::new();
        for &candidate in &candidates[arc.target.index()] {
            let opened = self.opened(context, candidate);
            goals.push(Goal { candidate, after: edge.post.apply(context.terms, opened) });
        }
        let mut known: Vec<Term> = edge.base.clone();
        for &premise in self.facts[arc.source].iter().chain(&candidates[arc.source.index()]) {
            known.push(edge.pre.apply(context.terms, premise));
        }
        // Behind a call, what held there is still known of the caller's variables.
        if let Some(call) = arc.call {
            for &premise in self.facts[call].iter().chain(&candidates[call.index()]) {
                known.push(edge.call.apply(context.terms, premise));
            }
        }
        let count = known.len();
        // What shall exist is refuted for all, so that it is looked for at the indices of what is known.
        for goal in &goals {
            let exists = context.terms.has_quantifier(goal.after);
            known.push(if exists { context.terms.not(goal.after) } else { goal.after });
        }
        // Behind a call two states are spoken of, and instances of instances would be too many.
        let has_calls = self.graph.arcs().iter().any(|arc| arc.call.is_some());
        let mut known = match has_calls {
            true => logic::first_instances(context.terms, &known),
            false => logic::instances(context.terms, &known),
        };
        for (goal, refuted) in goals.iter_mut().zip(known.split_off(count)) {
            if context.terms.has_quantifier(goal.after) {
                goal.after = context.terms.not(refuted);
            }
        }
        // What held at the call often holds word for word where the procedure ends.
        let mut said = BTreeSet::new();
        known.retain(|&formula| said.insert(formula));
        let mut session = context.session();
        session.set_rlimit(Some(RLIMIT));
        for &fact in context.program.axioms.iter().chain(&known) {
            session.assert(context.terms, fact);
        }
        Question { session, goals }
    }

    /// A candidate about all indices, of the index that has a name.
    fn opened(&self, context: &mut Context<'_>, candidate: Term) -> Term {
        if !matches!(context.terms.op(candidate), Op::Quantified(Quantifier::Forall, _)) {
            return candidate;
        }
        let opened = context.terms.open(candidate);
        let witnesses = self.witnesses.map(|witness| context.terms.constant(witness));
        let mut named: Substitution = opened.variables.iter().copied().zip(witnesses).collect();
        named.apply(context.terms, opened.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::counting_up;
    use base::Budget;
    use logic::Terms;
    use smt::Solvers;

    #[test]
    fn what_is_weaker_is_tried_where_the_stronger_candidate_is_lost() {
        let mut terms = Terms::new();
        let (program, x) = counting_up(&mut terms);
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        let mut context = Context::new(&program, &mut terms, &solvers, budget);
        let graph = Graph::of_program(&program);
        let (number, zero) = (program.variables.term(context.terms, x), context.terms.int(0));
        let equal = context.terms.eq(number, zero);
        let [less, more] = [context.terms.le(number, zero), context.terms.ge(number, zero)];
        let mut pruning = Pruning::new(&mut context, &graph);
        pruning.weaker.insert(equal, vec![less, more]);
        for (node, &location) in graph.nodes.iter() {
            let asked = !graph.is_initial(node) && program.locations[location].error.is_none();
            if asked && graph.incoming(node).next().is_some() {
                pruning.candidates[node.index()] = vec![equal];
                pruning.symbols[node.index()].insert(program.variables[x].symbol);
            }
        }
        assert!(pruning.run(&mut context).expect("there is no limit").settled);
        let left: Vec<&Vec<Term>> = pruning.candidates.iter().filter(|list| !list.is_empty()).collect();
        assert!(!left.is_empty() && left.iter().all(|list| **list == [more]), "x counts up from zero");
    }
}
