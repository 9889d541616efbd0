//! Trace abstraction (papers "Nested Interpolants" and "Software Model Checking for People who Love Automata").
//!
//! The program is an automaton of error traces. While it accepts one: take a shortest; if it is feasible, it is a
//! counterexample; if not, its proof is generalised to a Floyd-Hoare automaton, whose traces are all infeasible and
//! are subtracted. When nothing is left, the automata together are a proof of the program.

use crate::context::{Context, precision};
use crate::floyd_hoare::from_facts::from_facts;
use crate::floyd_hoare::{canonical, from_triples};
use crate::interpolation::{Interpolation, Interpolator, Sequence};
use crate::predicates::{Predicate, PredicateSet};
use crate::refutation::verdict_of_feasible;
use crate::remainder::Remainder;
use crate::task::{Counted, Progress, SHORTCUT, Task};
use crate::trace_check::{Feasibility, check_trace};
use crate::traces::{Ssa, Trace};
use analysis::graph::Graph;
use base::Interrupted;
use logic::Term;
use program::{Edge, Error, FloydHoareAutomaton, Program, Proof, Reason, Verdict};
use rustc_hash::FxHashMap;

/// How the automaton of a proof is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generalisation {
    /// Deterministic, with triples checked when the difference asks.
    OnDemand,
    /// The canonical interpolant automaton.
    Canonical,
    /// All valid triples over the predicates of the trace.
    Triples,
}

/// What can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Where interpolants come from.
    pub interpolation: Interpolation,
    /// How they are generalised.
    pub generalisation: Generalisation,
}

impl Default for Options {
    fn default() -> Options {
        Options { interpolation: Interpolation::Auto, generalisation: Generalisation::OnDemand }
    }
}

base::statistics! {
    /// What the refinement loop did.
    pub struct LoopStatistics {
        facts: "facts of the analysis that exclude errors beforehand",
        iterations: "iterations of the refinement loop",
        longest_trace: "edges of the longest trace",
        largest_abstraction: "states of the largest abstraction",
        predicates: "predicates in all automata",
    }
}

/// What the loop begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beginning {
    /// What a static analysis of the program excludes.
    Facts,
    /// All error traces of the program.
    Nothing,
}

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let (single, chosen, observe) = (task.single, task.options, task.observe);
    let options = Options { interpolation: chosen.interpolation, generalisation: chosen.generalisation };
    let mut leaps = Counted::default();
    let mut context = task.context();
    let mut observe = |progress| observe(progress);
    let mut leap = |context: &mut Context<'_>, error| SHORTCUT(context, single, error, &mut leaps);
    let mut engine = TraceAbstraction::new(&mut context, options, &mut observe);
    engine.on_repetition(&mut leap);
    let begun = match chosen.begin_with {
        Beginning::Facts => engine.analyse(single),
        Beginning::Nothing => Ok(()),
    };
    let verdict = begun.and_then(|()| engine.run());
    let (own, interpolation) = (engine.statistics, engine.interpolator.statistics);
    let triples = context.checker.statistics;
    drop(context);
    task.counted.add(own.entries().chain(interpolation.entries()));
    task.counted.add(leaps.entries().iter().copied().chain(triples.entries()));
    verdict
}

/// The refinement loop.
pub struct TraceAbstraction<'c, 'p> {
    context: &'c mut Context<'p>,
    options: Options,
    remainder: Remainder,
    interpolator: Interpolator,
    proof: Proof,
    observe: &'c mut dyn FnMut(Progress),
    leap: Option<Leap<'c, 'p>>,
    /// How often a path was met, with any number of rounds through its loops.
    rounds: FxHashMap<Vec<Edge>, u32>,
    /// What was counted.
    pub statistics: LoopStatistics,
}

/// Tries to reach an error in another way, when the traces only go round more and more often.
pub type Leap<'c, 'p> = &'c mut dyn FnMut(&mut Context<'p>, Error) -> Result<Verdict, Interrupted>;

/// Programs with more edges are not analysed beforehand: that would take minutes before the first trace is looked at.
const MOST_ANALYSED_EDGES: usize = 200_000;

/// After so many traces along one path it is time to leap: two or three rounds of a loop are often enough for a proof.
const ROUNDS_BEFORE_LEAP: u32 = 4;

impl<'c, 'p> TraceAbstraction<'c, 'p> {
    /// The loop before its first iteration. `observe` is told about every iteration.
    pub fn new(context: &'c mut Context<'p>, options: Options, observe: &'c mut dyn FnMut(Progress)) -> Self {
        let remainder = Remainder::of(context.program);
        TraceAbstraction {
            context,
            options,
            remainder,
            interpolator: Interpolator::new(options.interpolation),
            proof: Proof::default(),
            observe,
            leap: None,
            rounds: FxHashMap::default(),
            statistics: LoopStatistics::default(),
        }
    }

    /// What to try when successive traces are one path with more and more rounds.
    pub fn on_repetition(&mut self, leap: Leap<'c, 'p>) {
        self.leap = Some(leap);
    }

    /// Analyses `single`, the program in single steps, and removes the traces to errors that its facts exclude (paper
    /// "Software Model Checking for People who Love Automata", Section 3: an automaton from a partial annotation). Large programs
    /// are left as they are.
    pub fn analyse(&mut self, single: &Program) -> Result<(), Interrupted> {
        if single.live_edges().nth(MOST_ANALYSED_EDGES).is_some() {
            return Ok(());
        }
        let Context { terms, budget, .. } = &mut *self.context;
        let facts = analysis::analyse(single, terms, precision(single), budget)?;
        let excluded = |error: &program::ErrorData| !facts.is_reachable(error.location);
        if !single.errors.values().any(excluded) {
            return Ok(());
        }
        let graph = Graph::of_program(self.context.program);
        let at = |context: &mut Context<'_>, node| facts.conjuncts(graph.nodes[node], context.terms);
        let annotation = from_facts(self.context, &graph, at)?;
        self.statistics.facts = annotation.size();
        if annotation.proves_something() {
            let automaton = annotation.automaton(self.context, &graph);
            self.remainder.subtract(self.context, &automaton)?;
            self.proof.automata.push(automaton);
        }
        Ok(())
    }

    /// Removes the traces of an automaton that somebody else has found; all its triples must be valid.
    pub fn begin_with(
        &mut self,
        automaton: impl FnOnce(&mut Context<'p>) -> FloydHoareAutomaton,
    ) -> Result<(), Interrupted> {
        let automaton = automaton(self.context);
        self.remainder.subtract(self.context, &automaton)?;
        self.proof.automata.push(automaton);
        Ok(())
    }

    /// Removes the traces that some formulas prove infeasible; those that are no predicates of the program are left out.
    pub fn try_predicates(&mut self, formulas: &[Term]) -> Result<(), Interrupted> {
        let mut predicates = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            let Context { pool, program, terms, .. } = &mut *self.context;
            predicates.extend(pool.add(program, terms, formula));
        }
        predicates.sort_unstable();
        predicates.dedup();
        let automaton = self.remainder.subtract_on_demand(self.context, predicates)?;
        self.proof.automata.push(automaton);
        Ok(())
    }

    /// Is no trace left?
    pub fn is_done(&self) -> bool {
        self.remainder.size() == 0
    }

    /// Runs the loop to its end.
    pub fn run(&mut self) -> Result<Verdict, Interrupted> {
        loop {
            self.context.budget.check()?;
            let Some(trace) = self.uncovered_trace()? else {
                return Ok(Verdict::Safe(std::mem::take(&mut self.proof)));
            };
            let mut ssa = Ssa::new(self.context.program, &trace, self.context.terms);
            match self.check(&trace, &mut ssa)? {
                Feasibility::Feasible(counterexample) => {
                    return Ok(verdict_of_feasible(self.context.program, &trace, *counterexample));
                }
                Feasibility::Infeasible(core) => {
                    if let Some(verdict) = self.leap(&trace)? {
                        return Ok(verdict);
                    }
                    let sequences = self.interpolator.interpolate(self.context, &trace, &core)?;
                    if sequences.is_empty() {
                        let why = format!("a trace of {} blocks", trace.len());
                        return Ok(Verdict::Unknown(Reason::Interpolation(why)));
                    }
                    self.subtract(&trace, &sequences)?;
                }
                Feasibility::Unknown(why) => return Ok(Verdict::Unknown(Reason::TraceCheck(why))),
            }
        }
    }

    /// Leaps, if the path of the trace has been seen often enough, and once per path.
    fn leap(&mut self, trace: &Trace) -> Result<Option<Verdict>, Interrupted> {
        let Some(leap) = &mut self.leap else { return Ok(None) };
        let program = self.context.program;
        // What is left of a trace when every edge is listed only where it comes first: the same for all numbers of rounds.
        let mut path: Vec<Edge> = Vec::new();
        for &edge in &trace.edges {
            if !path.contains(&edge) {
                path.push(edge);
            }
        }
        let Some(error) = program.locations[trace.location(program, trace.len())].error else {
            return Ok(None);
        };
        let met = self.rounds.entry(path).or_default();
        *met += 1;
        if *met != ROUNDS_BEFORE_LEAP {
            return Ok(None);
        }
        match leap(self.context, error)? {
            Verdict::Unknown(_) => Ok(None),
            found => Ok(Some(found)),
        }
    }

    /// How many automata have been subtracted so far.
    pub fn proven(&self) -> usize {
        self.proof.automata.len()
    }

    /// A shortest error trace of the abstraction.
    fn uncovered_trace(&mut self) -> Result<Option<Trace>, Interrupted> {
        let Some(trace) = self.remainder.shortest_trace(self.context.program, &self.context.budget)? else {
            return Ok(None);
        };
        self.statistics.iterations += 1;
        self.statistics.longest_trace = self.statistics.longest_trace.max(trace.len() as u64);
        let states = self.remainder.size();
        tracing::debug!(
            iteration = self.statistics.iterations,
            states,
            trace = trace.len(),
            "a trace is left"
        );
        self.statistics.largest_abstraction = self.statistics.largest_abstraction.max(states as u64);
        let round = trace.round(self.context.program);
        (self.observe)(Progress {
            iterations: self.statistics.iterations,
            trace: trace.len(),
            states,
            round,
        });
        Ok(Some(trace))
    }

    fn check(&mut self, trace: &Trace, ssa: &mut Ssa) -> Result<Feasibility, Interrupted> {
        let mut solver = self.context.session();
        check_trace(self.context.program, trace, ssa, self.context.terms, &mut *solver, &self.context.budget)
    }

    /// Removes everything that is infeasible for the same reason as the trace.
    fn subtract(&mut self, trace: &Trace, sequences: &[Sequence]) -> Result<(), Interrupted> {
        let automaton = match self.options.generalisation {
            Generalisation::OnDemand => {
                let pool = &self.context.pool;
                let sets = sequences.iter().flat_map(|sequence| sequence.predicates.iter());
                let mut predicates: Vec<Predicate> =
                    sets.flat_map(|&set| pool.members(set).to_vec()).collect();
                predicates.sort_unstable();
                predicates.dedup();
                self.statistics.predicates += predicates.len() as u64;
                self.remainder.subtract_on_demand(self.context, predicates)?
            }
            Generalisation::Canonical => {
                let automaton = canonical::canonical(self.context, trace, &sequences[0])?;
                self.remainder.subtract(self.context, &automaton)?;
                automaton
            }
            Generalisation::Triples => {
                let mut assertions: Vec<PredicateSet> =
                    sequences.iter().flat_map(|s| s.predicates.clone()).collect();
                assertions.sort_unstable();
                assertions.dedup();
                let edges = self.remainder.edges();
                let automaton = from_triples::from_triples(self.context, &assertions, &edges)?;
                self.remainder.subtract(self.context, &automaton)?;
                automaton
            }
        };
        self.proof.automata.push(automaton);
        Ok(())
    }
}
