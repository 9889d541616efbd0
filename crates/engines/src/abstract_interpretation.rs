//! Abstract interpretation as an engine: Floyd-Hoare automata from static analysis (paper "Software Model Checking for
//! People who Love Automata", examples 2 and 3, and Section 3).
//!
//! The analysis runs on the program with one edge per step; its facts label the program with blocks, which so becomes
//! a Floyd-Hoare automaton as far as the facts exclude errors, together with conditions that were checked before ([`crate::available`]). Where they do not, because facts about
//! different paths were joined, the proof is put together from partial results: the path program of one of the traces that are
//! left is analysed alone, the traces that its facts exclude are subtracted, and the analysis goes on with the rest. That
//! partitions the traces without anybody having chosen a partition.
//!
//! Every label that is used is checked as a Hoare triple.

use crate::available::available;
use crate::context::{Context, precision};
use crate::floyd_hoare::from_facts::{Annotation, Outcome, from_facts};
use crate::interpolation::{path_program, validated};
use crate::predicates::Predicate;
use crate::remainder::{Remainder, TooLong};
use crate::task::Task;
pub use analysis::Precision;
use analysis::graph::Graph;
use analysis::{analyse, solve};
use base::Interrupted;
use program::{Error, Program, Proof, Verdict};

/// After so many parts the proof is given up: every part is an analysis of the whole program.
const MOST_PARTS: u64 = 40;

base::statistics! {
    /// What the engine did.
    pub struct AnalysisStatistics {
        visits: "visits of locations by the analysis",
        widenings: "widenings",
        facts: "facts that the proof needs",
        dropped: "facts that the solver did not confirm",
        parts: "parts into which the traces were divided",
    }
}

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    task.by_facts(abstract_interpretation, |counted: &AnalysisStatistics| counted.entries().collect())
}

/// The errors of a task that the facts of one analysis of the whole program do not exclude. All others can be proven together.
pub fn not_excluded(task: &mut Task<'_>) -> Result<Vec<Error>, Interrupted> {
    let single = task.single;
    let mut context = task.context();
    let facts = analyse(single, context.terms, precision(single), &context.budget)?;
    let checked = available(single, context.terms, &context.budget)?;
    let graph = Graph::of_program(context.program);
    let at = |context: &mut Context<'_>, node| {
        let location = graph.nodes[node];
        let mut known = facts.conjuncts(location, context.terms);
        known.extend(checked.conditions(location));
        known
    };
    Ok(from_facts(&mut context, &graph, at)?.left)
}

/// Analyses `single`, the single-step form of the context's program, and proves what follows.
pub fn abstract_interpretation(
    context: &mut Context<'_>,
    single: &Program,
    precision: Precision,
    statistics: &mut AnalysisStatistics,
) -> Result<Outcome, Interrupted> {
    let facts = analyse(single, context.terms, precision, &context.budget)?;
    statistics.visits = facts.statistics().visits;
    statistics.widenings = facts.statistics().widenings;
    let checked = available(single, context.terms, &context.budget)?;
    let graph = Graph::of_program(context.program);
    let at = |context: &mut Context<'_>, node| {
        let location = graph.nodes[node];
        let mut known = facts.conjuncts(location, context.terms);
        known.extend(checked.conditions(location));
        known
    };
    let annotation = from_facts(context, &graph, at)?;
    let mut partition = Partition { remainder: Remainder::of(context.program), proof: Proof::default() };
    partition.take(context, &annotation, &graph, statistics)?;
    if annotation.left.is_empty() {
        return Ok(Outcome::Proven(partition.proof));
    }
    context.prepare_analysis(precision)?;
    partition.go_on(context, annotation.left, statistics)
}

/// A proof in the making.
struct Partition {
    remainder: Remainder,
    proof: Proof,
}

impl Partition {
    /// Takes over what an annotation proves.
    fn take(
        &mut self,
        context: &mut Context<'_>,
        annotation: &Annotation,
        graph: &Graph,
        statistics: &mut AnalysisStatistics,
    ) -> Result<(), Interrupted> {
        statistics.facts += annotation.size();
        statistics.dropped += annotation.dropped;
        if annotation.proves_something() {
            let automaton = annotation.automaton(context, graph);
            if !annotation.left.is_empty() {
                self.remainder.subtract(context, &automaton)?;
            }
            self.proof.automata.push(automaton);
            statistics.parts += 1;
        }
        Ok(())
    }

    /// Proves that these errors are not reachable, part by part.
    fn go_on(
        mut self,
        context: &mut Context<'_>,
        mut left: Vec<Error>,
        statistics: &mut AnalysisStatistics,
    ) -> Result<Outcome, Interrupted> {
        let program = context.program;
        loop {
            let trace = match self.remainder.shortest_trace(program, &context.budget)? {
                Ok(Some(trace)) => trace,
                Ok(None) => break,
                Err(TooLong(_)) => return Ok(Outcome::NotShown(left)),
            };
            let error = program.locations[trace.location(program, trace.len())].error;
            let sequence = match path_program::analyse(context, &trace)? {
                Some(formulas) if statistics.parts < MOST_PARTS => validated(context, &trace, &formulas)?,
                _ => None,
            };
            let Some(sequence) = sequence else {
                return Ok(Outcome::NotShown(error.into_iter().collect()));
            };
            let sets = sequence.predicates.iter();
            let predicates: Vec<Predicate> =
                sets.flat_map(|&set| context.pool.members(set).to_vec()).collect();
            self.proof.automata.push(self.remainder.subtract_on_demand(context, predicates)?);
            statistics.parts += 1;
            // What is left may have become so little that the analysis tells its paths apart.
            let (model, graph) = (context.model()?, self.remainder.graph(program));
            let solution = solve(&model, &graph, &context.budget)?;
            statistics.visits += solution.statistics.visits;
            statistics.widenings += solution.statistics.widenings;
            let at =
                |context: &mut Context<'_>, node| solution.conjuncts((&model, &graph), node, context.terms);
            let annotation = from_facts(context, &graph, at)?;
            self.take(context, &annotation, &graph, statistics)?;
            left = annotation.left;
            if left.is_empty() {
                break;
            }
        }
        Ok(Outcome::Proven(self.proof))
    }
}
