//! Kojak (paper "Splitting via Interpolants", Algorithm 1).
//!
//! While the labelled program graph has an error path: check it; if it is feasible, it is a counterexample; if not,
//! split its nodes on the interpolants and slice away edges that became infeasible. Path-insensitive interpolation
//! (there, Section 4.2) comes from large blocks: an edge of the program is a whole loop-free part of it.
//!
//! Slicing is done when it matters: of the edges that a split left unchecked, only those on the next error path are
//! checked, each once. This removes the same paths as checking all edges after every split, with fewer questions.
//! The error path itself is checked without the labels of its nodes; if it is feasible, it is an execution all the
//! same, and interpolants of the bare path refute the labelled one too.
//!
//! Requires a program without calls. The proof has one state per location, labelled with the disjunction of its
//! reachable nodes: the nodes of a location partition its states, and edges that are missing are infeasible, so the
//! disjunctions are inductive.

mod graph;

use crate::context::Context;
use crate::implication::Implications;
use crate::interpolation::{Interpolation, Sequence};
use crate::predicates::PredicateSet;
use crate::refutation::{Refutation, Refuter, no_interpolants};
use crate::task::Task;
use crate::traces::Trace;
use base::Interrupted;
use graph::{Arc, Graph, Node};
use logic::Term;
use program::{FloydHoareAutomaton, Location, Proof, Verdict};
use rustc_hash::FxHashMap;

base::statistics! {
    /// What the loop did, in the words of the paper's Table 1.
    pub struct KojakStatistics {
        splits: "splits",
        theorem_prover_calls: "theorem prover calls",
        sliced: "edges sliced",
        nodes: "nodes of the labelled program graph",
    }
}

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let interpolation = task.options.interpolation;
    let mut context = task.context();
    let mut engine = Kojak::new(&mut context, interpolation);
    let verdict = engine.run();
    let (own, refuter) = (engine.statistics, engine.refuter.counters());
    drop(engine);
    let triples = context.checker.statistics;
    drop(context);
    task.counted.add(own.entries().chain(refuter).chain(triples.entries()));
    verdict
}

/// The algorithm.
pub struct Kojak<'c, 'p> {
    context: &'c mut Context<'p>,
    refuter: Refuter,
    implications: Implications<'p>,
    graph: Graph<'p>,
    /// What was counted.
    pub statistics: KojakStatistics,
}

impl<'c, 'p> Kojak<'c, 'p> {
    /// The algorithm before its first iteration.
    pub fn new(context: &'c mut Context<'p>, interpolation: Interpolation) -> Kojak<'c, 'p> {
        let top = context.pool.set(Vec::new());
        Kojak {
            refuter: Refuter::new(interpolation),
            implications: Implications::new(context),
            graph: Graph::new(context.program, top),
            context,
            statistics: KojakStatistics::default(),
        }
    }

    /// Runs the algorithm to its end.
    pub fn run(&mut self) -> Result<Verdict, Interrupted> {
        let verdict = self.refinement_loop();
        self.count();
        verdict
    }

    fn refinement_loop(&mut self) -> Result<Verdict, Interrupted> {
        loop {
            self.context.budget.check()?;
            let Some(path) = self.graph.error_path() else { return Ok(Verdict::Safe(self.proof())) };
            if self.slice(&path)? {
                continue;
            }
            let edges = path.iter().map(|&arc| self.graph.arcs[arc].edge).collect();
            let trace = Trace::new(self.context.program, edges);
            match self.refuter.refute(self.context, &trace)? {
                Refutation::Ended(verdict) => return Ok(verdict),
                Refutation::Refuted(interpolants) => {
                    if !self.split_path(&path, &interpolants)? {
                        return Ok(Verdict::Unknown(no_interpolants(&trace)));
                    }
                }
            }
        }
    }

    /// Removes the first infeasible edge of a path; whether there was one.
    fn slice(&mut self, path: &[Arc]) -> Result<bool, Interrupted> {
        for &arc in path.iter().filter(|&&arc| !self.graph.arcs[arc].checked).collect::<Vec<_>>() {
            if self.is_infeasible(arc)? {
                self.graph.remove(arc);
                self.graph.drop_unreachable();
                self.statistics.sliced += 1;
                return Ok(true);
            }
            self.graph.arcs[arc].checked = true;
        }
        Ok(false)
    }

    /// Does the edge never lead from its source's label to its target's?
    fn is_infeasible(&mut self, arc: Arc) -> Result<bool, Interrupted> {
        let graph::ArcData { source, edge, target, .. } = self.graph.arcs[arc];
        let avoided = self.context.pool.conjunction(self.graph.nodes[target].label, self.context.terms);
        let negation = self.context.terms.not(avoided);
        let Some(post) = self.context.predicate_set(negation) else { return Ok(false) };
        self.context.is_valid(self.graph.nodes[source].label, None, edge, post)
    }

    /// Splits the inner nodes of a path; whether any was split.
    fn split_path(&mut self, path: &[Arc], interpolants: &Sequence) -> Result<bool, Interrupted> {
        let mut any = false;
        let nodes: Vec<Node> = path.iter().skip(1).map(|&arc| self.graph.arcs[arc].source).collect();
        for (node, &interpolant) in nodes.into_iter().zip(&interpolants.predicates[1..]) {
            any |= self.split(node, interpolant)?;
        }
        self.graph.drop_unreachable();
        Ok(any)
    }

    /// Splits a node on an interpolant, unless its label already decides it.
    fn split(&mut self, node: Node, interpolant: PredicateSet) -> Result<bool, Interrupted> {
        let label = self.graph.nodes[node].label;
        if self.implications.implies(self.context, label, interpolant)? {
            return Ok(false);
        }
        let formula = self.context.pool.conjunction(interpolant, self.context.terms);
        let negation = self.context.terms.not(formula);
        let Some(negated) = self.context.predicate_set(negation) else { return Ok(false) };
        if self.implications.implies(self.context, label, negated)? {
            return Ok(false);
        }
        let inside = self.conjunction(label, interpolant)?;
        let outside = self.conjunction(label, negated)?;
        self.graph.split(node, formula, inside, outside);
        self.statistics.splits += 1;
        Ok(true)
    }

    /// A label with more predicates, without those that the new ones imply.
    fn conjunction(&mut self, label: PredicateSet, more: PredicateSet) -> Result<PredicateSet, Interrupted> {
        let mut members = self.context.pool.members(more).to_vec();
        for index in 0..self.context.pool.members(label).len() {
            let known = self.context.pool.members(label)[index];
            if !self.implications.implies_one(self.context, more, known)? {
                members.push(known);
            }
        }
        Ok(self.context.pool.set(members))
    }

    fn proof(&mut self) -> Proof {
        let invariants = self.graph.invariants(self.context.terms);
        let program = self.context.program;
        let mut automaton = FloydHoareAutomaton::default();
        let mut states: FxHashMap<Location, program::verdict::State> = FxHashMap::default();
        let mut state = |location: Location, automaton: &mut FloydHoareAutomaton| {
            let label = invariants[location].unwrap_or(Term::FALSE);
            *states.entry(location).or_insert_with(|| automaton.states.push(label))
        };
        for &location in &program.initial {
            let initial = state(location, &mut automaton);
            automaton.initial.push(initial);
        }
        for edge in program.live_edges() {
            let data = &program.edges[edge];
            if invariants[data.source].is_some_and(|label| !label.is_false()) {
                let (source, target) =
                    (state(data.source, &mut automaton), state(data.target, &mut automaton));
                automaton.internal.push((source, edge, target));
            }
        }
        Proof { automata: vec![automaton] }
    }

    fn count(&mut self) {
        let triples = &self.context.checker.statistics;
        let paths = self.refuter.statistics.paths;
        self.statistics.theorem_prover_calls =
            paths + triples.solver + triples.unknown + self.implications.statistics.solver;
        self.statistics.nodes = self.graph.nodes.len() as u64;
    }
}
