//! Abstract interpretation as an engine: the program with its facts is one Floyd-Hoare automaton (paper "Software Model
//! Checking for People who Love Automata", Section 3: "many existing verification methods amount to constructing an
//! annotation for the program and thus to showing that the program is a Floyd-Hoare automaton").
//!
//! The analysis runs on the program with one edge per step; its facts at the cut points label the program with blocks.
//! Every label is checked as a Hoare triple, and what the solver does not confirm is dropped, together with what relied
//! on it. The facts are over-approximations, so normally nothing is dropped. If every error is excluded then, that is a proof;
//! if not, the errors are told that are left.

use crate::context::Context;
use crate::hoare::{Triple, Validity};
use crate::predicates::{Predicate, PredicateSet};
use analysis::{Facts, Precision, analyse};
use base::{Interrupted, SecondaryMap};
use program::{Edge, EdgeKind, Error, FloydHoareAutomaton, Location, Program, Proof};
use std::collections::VecDeque;

/// Programs with more edges are analysed without relations between variables.
const MOST_RELATED_EDGES: usize = 20_000;

base::statistics! {
    /// What the engine did.
    pub struct AnalysisStatistics {
        visits: "visits of locations by the analysis",
        widenings: "widenings",
        facts: "facts at cut points",
        dropped: "facts that the solver did not confirm",
    }
}

/// A proof, or the errors that the facts do not exclude.
pub enum Outcome {
    /// No error is reachable.
    Proven(Proof),
    /// These may be.
    NotShown(Vec<Error>),
}

/// What holds at the locations of a single-step program, as precisely as its size allows.
pub fn facts<'p>(context: &mut Context<'_>, single: &'p Program) -> Result<Facts<'p>, Interrupted> {
    let precision = match single.live_edges().nth(MOST_RELATED_EDGES) {
        Some(_) => Precision::Values,
        None => Precision::Relations,
    };
    analyse(single, context.terms, precision, &context.budget)
}

/// Analyses `single`, the single-step form of the context's program, and proves what follows.
pub fn abstract_interpretation(
    context: &mut Context<'_>,
    single: &Program,
    statistics: &mut AnalysisStatistics,
) -> Result<Outcome, Interrupted> {
    let facts = facts(context, single)?;
    statistics.visits = facts.statistics.visits;
    statistics.widenings = facts.statistics.widenings;
    let mut annotation = Annotation::of_facts(context, &facts);
    statistics.facts = annotation.size(context);
    annotation.prune(context)?;
    statistics.dropped = statistics.facts - annotation.size(context);
    let left = annotation.errors_left(context)?;
    Ok(if left.is_empty() {
        Outcome::Proven(Proof { automata: vec![annotation.automaton(context)] })
    } else {
        Outcome::NotShown(left)
    })
}

/// A formula for every location.
struct Annotation {
    labels: SecondaryMap<Location, Option<PredicateSet>>,
}

/// The location of the call, for a return.
fn call_location(program: &Program, edge: Edge) -> Option<Location> {
    match &program.edges[edge].kind {
        EdgeKind::Return(returning) => Some(program.call_of(returning).0.source),
        _ => None,
    }
}

impl Annotation {
    /// The facts at the ends of the blocks and at calls. Errors are not labelled.
    fn of_facts(context: &mut Context<'_>, facts: &Facts<'_>) -> Annotation {
        let program = context.program;
        let mut labels: SecondaryMap<Location, Option<PredicateSet>> = SecondaryMap::new();
        for edge in program.live_edges() {
            let (source, target) = (program.edges[edge].source, program.edges[edge].target);
            // The call of a return may be one that is never made.
            for location in [source, target].into_iter().chain(call_location(program, edge)) {
                if labels[location].is_some() || program.locations[location].error.is_some() {
                    continue;
                }
                let mut members = Vec::new();
                // Runs begin with anything: what the axioms say about constants holds without saying.
                if !program.initial.contains(&location) {
                    for formula in facts.conjuncts(location, context.terms) {
                        members.extend(context.pool.add(program, context.terms, formula));
                    }
                }
                labels[location] = Some(context.pool.set(members));
            }
        }
        Annotation { labels }
    }

    fn label(&self, location: Location) -> PredicateSet {
        self.labels[location].expect("the ends of edges are labelled")
    }

    fn size(&self, context: &Context<'_>) -> u64 {
        self.labels.values().flatten().map(|&set| context.pool.members(set).len() as u64).sum()
    }

    /// Is a postcondition of an edge confirmed?
    fn holds(&self, context: &mut Context<'_>, edge: Edge, post: Predicate) -> Result<bool, Interrupted> {
        let program = context.program;
        let pre = self.label(program.edges[edge].source);
        let call = call_location(program, edge).map(|location| self.label(location));
        let triple = Triple { pre, call, edge, post };
        Ok(context.checker.check(context.terms, &context.pool, triple)? == Validity::Valid)
    }

    /// Drops what an edge does not preserve, until the rest is inductive.
    fn prune(&mut self, context: &mut Context<'_>) -> Result<(), Interrupted> {
        let program = context.program;
        let edges: Vec<Edge> = program.live_edges().collect();
        let mut relying: SecondaryMap<Location, Vec<Edge>> = SecondaryMap::new();
        for &edge in &edges {
            relying[program.edges[edge].source].push(edge);
            if let Some(location) = call_location(program, edge) {
                relying[location].push(edge);
            }
        }
        let mut queued: SecondaryMap<Edge, bool> = SecondaryMap::new();
        let mut pending: VecDeque<Edge> = edges.into();
        pending.iter().for_each(|&edge| queued[edge] = true);
        while let Some(edge) = pending.pop_front() {
            queued[edge] = false;
            let target = program.edges[edge].target;
            let Some(label) = self.labels[target] else { continue };
            let goals = context.pool.members(label).to_vec();
            let mut kept = Vec::with_capacity(goals.len());
            for &goal in &goals {
                if self.holds(context, edge, goal)? {
                    kept.push(goal);
                }
            }
            if kept.len() == goals.len() {
                continue;
            }
            self.labels[target] = Some(context.pool.set(kept));
            for &other in &relying[target] {
                if !std::mem::replace(&mut queued[other], true) {
                    pending.push_back(other);
                }
            }
        }
        Ok(())
    }

    /// The errors to which an edge leads that the labels do not exclude.
    fn errors_left(&self, context: &mut Context<'_>) -> Result<Vec<Error>, Interrupted> {
        let program = context.program;
        let mut left = Vec::new();
        for edge in program.live_edges() {
            let Some(error) = program.locations[program.edges[edge].target].error else { continue };
            if !self.holds(context, edge, Predicate::bottom())? {
                left.push(error);
            }
        }
        left.sort_unstable();
        left.dedup();
        Ok(left)
    }

    /// The program as a Floyd-Hoare automaton: its locations are the states.
    fn automaton(&self, context: &mut Context<'_>) -> FloydHoareAutomaton {
        let program = context.program;
        let mut automaton = FloydHoareAutomaton::default();
        let mut states: SecondaryMap<Location, Option<program::verdict::State>> = SecondaryMap::new();
        let edges: Vec<Edge> = program.live_edges().collect();
        for &edge in &edges {
            let (source, target) = (program.edges[edge].source, program.edges[edge].target);
            // The call of a return may be one that is never made.
            for location in [source, target].into_iter().chain(call_location(program, edge)) {
                if states[location].is_none() {
                    let formula = match self.labels[location] {
                        Some(label) => context.pool.conjunction(label, context.terms),
                        None => logic::Term::FALSE,
                    };
                    states[location] = Some(automaton.states.push(formula));
                }
            }
        }
        let state = |location: Location| states[location].expect("the ends of edges are states");
        automaton.initial = program.initial.iter().filter_map(|&location| states[location]).collect();
        for &edge in &edges {
            let data = &program.edges[edge];
            let (source, target) = (state(data.source), state(data.target));
            match (&data.kind, call_location(program, edge)) {
                (EdgeKind::Call(_), _) => automaton.calls.push((source, edge, target)),
                (_, Some(call)) => automaton.returns.push((source, state(call), edge, target)),
                _ => automaton.internal.push((source, edge, target)),
            }
        }
        automaton
    }
}
