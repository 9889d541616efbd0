//! Trace abstraction (papers "Nested Interpolants" and "Software Model Checking for People who Love Automata").
//!
//! The program is an automaton of error traces. While it accepts one: take a shortest; if it is feasible, it is a
//! counterexample; if not, its proof is generalised to a Floyd-Hoare automaton, whose traces are all infeasible and
//! are subtracted. When nothing is left, the automata together are a proof of the program.
//!
//! The automata of several traces can be found at the same time (the second paper, Section 3). Traces that end in different edges are
//! analysed together where that pays ([`batch`]), each by an assistant with a thread of its own ([`assistant`]), and subtracted in their order.

mod assistant;
mod batch;

use self::assistant::{Found, Job, Report};
use self::batch::Batches;
use crate::context::{Context, precision};
use crate::crew::{Crew, Finished, Seat};
use crate::floyd_hoare::from_facts::from_facts;
use crate::floyd_hoare::{canonical, from_triples};
use crate::interpolation::{Interpolation, Interpolator, Sequence};
use crate::predicates::{Predicate, PredicatePool, PredicateSet};
use crate::refutation::{no_interpolants, verdict_of_feasible};
use crate::remainder::{Remainder, TooLong};
use crate::task::{self, Attempt, Counted, GUESSES, Progress, SHORTCUT, Task};
use crate::trace_check::{Feasibility, check_trace};
use crate::traces::{Ssa, Trace};
use analysis::graph::Graph;
use base::Interrupted;
use logic::{Term, Terms, Transfer};
use program::{Edge, FloydHoareAutomaton, Program, Proof, Reason, Verdict};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

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
        batches: "times that several traces were analysed together",
        together: "traces that were analysed together with others",
        needless: "traces that those before them in a batch covered",
        effort: "units of effort up to the end of the loop",
        on_one_worker: "units of effort of traces that were analysed together",
        on_two_workers: "units of effort of the busier of two workers on them",
        on_eight_workers: "units of effort of the busiest of eight workers on them",
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
    let mut leap = |context: &mut Context<'_>, to| SHORTCUT(context, single, to, &mut leaps);
    let mut engine = TraceAbstraction::new(&mut context, options, &mut observe);
    engine.on_repetition(&mut leap);
    let begun = match chosen.begin_with {
        Beginning::Facts => engine.analyse(single),
        Beginning::Nothing => Ok(()),
    };
    let verdict = begun.and_then(|()| engine.run_with(chosen, single));
    engine.statistics.effort = engine.context.budget.effort();
    let (own, interpolation) = (engine.statistics, engine.interpolator.statistics);
    let leaps_of_assistants = std::mem::take(&mut engine.leaps_of_assistants);
    let triples = context.checker.statistics;
    drop(context);
    task.counted.add(own.entries().chain(interpolation.entries()));
    let leaps = leaps.entries().iter().chain(leaps_of_assistants.entries()).copied();
    task.counted.add(leaps.chain(triples.entries()));
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
    leaps_of_assistants: Counted,
    /// How often a path was met, with any number of rounds through its loops.
    rounds: FxHashMap<Vec<Edge>, u32>,
    /// How often leaps were tried.
    attempts: u32,
    /// What was counted.
    pub statistics: LoopStatistics,
}

/// Assistants, and how more of them are hired: with a store of terms of their own.
struct Team<'t> {
    crew: Crew<Job, Report>,
    hire: &'t mut dyn FnMut(Seat<Job, Report>, Terms),
    batches: Batches,
}

/// Solvers do not promise to follow formulas by recursion only where their depth is bounded.
const STACK: usize = 64 << 20;

/// Tries to reach an error in another way, when the traces only go round more and more often.
pub type Leap<'c, 'p> = &'c mut dyn FnMut(&mut Context<'p>, Attempt) -> Result<Verdict, Interrupted>;

/// Programs with more edges are not analysed beforehand: that would take minutes before the first trace is looked at.
const MOST_ANALYSED_EDGES: usize = 2_000_000;

/// If static analysis leaves so many errors, guesses from runs are worth their cost.
const MANY_ERRORS: usize = 16;

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
            leaps_of_assistants: Counted::default(),
            rounds: FxHashMap::default(),
            attempts: 0,
            statistics: LoopStatistics::default(),
        }
    }

    /// What to try when successive traces are one path with more and more rounds.
    pub fn on_repetition(&mut self, leap: Leap<'c, 'p>) {
        self.leap = Some(leap);
    }

    /// Analyses `single`, the program in single steps, and removes the traces to errors that its facts exclude (paper
    /// "Software Model Checking for People who Love Automata", Section 3: an automaton from a partial annotation). Where many
    /// errors are left, what runs suggest is tried as well: traces would be refined for each of them. Large programs
    /// are left as they are.
    pub fn analyse(&mut self, single: &Program) -> Result<(), Interrupted> {
        if single.live_edges().nth(MOST_ANALYSED_EDGES).is_some() {
            return Ok(());
        }
        let Context { terms, budget, .. } = &mut *self.context;
        let facts = analysis::analyse(single, terms, precision(single), budget)?;
        let left = single.errors.values().filter(|error| facts.is_reachable(error.location)).count();
        let guesses = match left >= MANY_ERRORS {
            true => GUESSES(self.context, single, &facts, left)?,
            false => BTreeMap::new(),
        };
        if left == single.errors.len() && guesses.is_empty() {
            return Ok(());
        }
        let graph = Graph::of_program(self.context.program);
        let at = |context: &mut Context<'_>, node| {
            let mut formulas = facts.conjuncts(graph.nodes[node], context.terms);
            formulas.extend(guesses.get(&graph.nodes[node]).into_iter().flatten());
            formulas
        };
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

    /// Runs the loop to its end, one trace after the other.
    pub fn run(&mut self) -> Result<Verdict, Interrupted> {
        self.refine(None)
    }

    /// Runs the loop to its end, and has several traces analysed together where that pays, so many at the same time. The verdict
    /// and its evidence do not depend on that number. `single` is the program in single steps, for assistants that leap.
    pub fn run_with(&mut self, chosen: &task::Options, single: &Program) -> Result<Verdict, Interrupted> {
        // Who logs, counts or compares the questions of a run wants to see all of them.
        if self.options.generalisation != Generalisation::OnDemand || !self.context.solvers.are_plain() {
            return self.run();
        }
        let (programs, interpolation) = ((self.context.program, single), self.options.interpolation);
        std::thread::scope(|scope| {
            let mut hire = |seat: Seat<Job, Report>, terms: Terms| {
                let thread = std::thread::Builder::new().name("traces".to_owned()).stack_size(STACK);
                let assistant = move || assistant::assist(programs, interpolation, terms, &seat);
                thread.spawn_scoped(scope, assistant).expect("the system gives us a thread");
            };
            let crew = Crew::new(chosen.workers.get(), &self.context.budget);
            let batches = Batches::new(chosen.effort_per_assistant);
            self.refine(Some(Team { crew, hire: &mut hire, batches }))
        })
    }

    fn refine(&mut self, mut team: Option<Team<'_>>) -> Result<Verdict, Interrupted> {
        loop {
            self.context.budget.check()?;
            let most = team.as_ref().map_or(1, |team| team.batches.most_traces());
            let program = self.context.program;
            let traces = match self.remainder.shortest_traces(program, most, &self.context.budget)? {
                Ok(traces) => traces,
                Err(TooLong(blocks)) => {
                    return Ok(Verdict::Unknown(Reason::TraceCheck(format!("it has {blocks} blocks"))));
                }
            };
            let Some(shortest) = traces.first() else {
                return Ok(Verdict::Safe(std::mem::take(&mut self.proof)));
            };
            let before = self.context.budget.effort();
            let ended = match &mut team {
                Some(members) if members.batches.is_together(traces.len()) => {
                    let (ended, needless) = self.together(members, &traces)?;
                    // A result that is enough ends the run; if not, nobody goes on with what the others have begun.
                    match needless {
                        Some(needless) => {
                            let effort = self.context.budget.effort().saturating_sub(before);
                            members.batches.were_together(effort, needless);
                        }
                        None => team = None,
                    }
                    ended
                }
                members => {
                    let ended = self.one(shortest)?;
                    let effort = self.context.budget.effort().saturating_sub(before);
                    let mut left = 0;
                    for other in &traces[1..] {
                        left += usize::from(self.remainder.has(program, other, &self.context.budget)?);
                    }
                    if let Some(members) = members {
                        members.batches.was_alone(effort, traces.len() - 1, left);
                    }
                    ended
                }
            };
            if let Some(verdict) = ended {
                return Ok(verdict);
            }
        }
    }

    /// Analyses a trace and subtracts what its proof covers, or ends the run.
    fn one(&mut self, trace: &Trace) -> Result<Option<Verdict>, Interrupted> {
        self.tell(trace);
        let mut ssa = Ssa::new(self.context.program, trace, self.context.terms);
        match self.check(trace, &mut ssa)? {
            Feasibility::Feasible(counterexample) => {
                Ok(Some(verdict_of_feasible(self.context.program, trace, *counterexample)))
            }
            Feasibility::Infeasible(core) => {
                if let Some(attempt) = self.time_to_leap(trace)
                    && let Some(verdict) = self.leap_to(attempt)?
                {
                    return Ok(Some(verdict));
                }
                let sequences = self.interpolator.interpolate(self.context, trace, &core)?;
                if sequences.is_empty() {
                    return Ok(Some(Verdict::Unknown(no_interpolants(trace))));
                }
                self.subtract(trace, &sequences)?;
                Ok(None)
            }
            Feasibility::Unknown(why) => Ok(Some(Verdict::Unknown(Reason::TraceCheck(why)))),
        }
    }

    /// Has traces analysed by the team, and subtracts what their proofs cover in the order of the traces. Traces that turn out to be covered by
    /// others then are counted and otherwise forgotten; traces without a proof are looked at again, as what they mean is
    /// to be said in our own terms. No number of covered traces means that the team has not finished.
    fn together(
        &mut self,
        team: &mut Team<'_>,
        traces: &[Trace],
    ) -> Result<(Option<Verdict>, Option<u64>), Interrupted> {
        while team.crew.size() < traces.len() {
            let seat = team.crew.hire(&self.context.budget);
            (team.hire)(seat, self.context.terms.clone());
        }
        let left = Arc::new(self.remainder.clone());
        let mut jobs = Vec::with_capacity(traces.len());
        for trace in traces {
            let (left, leap_to) = (Arc::clone(&left), self.time_to_leap(trace));
            let attempts = self.interpolator.failed_attempts(trace);
            jobs.push(Job { trace: trace.clone(), left, attempts, leap_to });
        }
        let finished = team.crew.work(jobs, &self.context.budget, Report::reaches_an_error)?;
        self.count_batch(&finished);
        tracing::debug!(
            traces = traces.len(),
            effort = self.context.budget.effort(),
            "traces were analysed together"
        );
        for (trace, finished) in traces.iter().zip(&finished) {
            // What an assistant has found is found again, as its evidence is about its own terms.
            match finished.result.as_ref().map(|report| &report.found) {
                Some(Ok(Found::Feasible)) => return Ok((self.one(trace)?, None)),
                Some(&Ok(Found::Leap(attempt))) => return Ok((self.leap_to(attempt)?, None)),
                _ => {}
            }
        }
        let (mut needless, mut open) = (0, Vec::new());
        for (trace, finished) in traces.iter().zip(finished) {
            let Some(report) = finished.result else { continue };
            self.interpolator.remember(trace, report.attempts);
            self.interpolator.statistics.merge(&report.interpolation);
            self.context.checker.statistics.merge(&report.triples);
            self.context.solvers.add_rungs(&report.rungs);
            self.leaps_of_assistants.add(report.leaps.entries().iter().copied());
            let (labels, automaton, predicates) = match report.found? {
                Found::Automaton { labels, automaton, predicates } => (labels, automaton, predicates),
                Found::Feasible | Found::Leap(_) | Found::NoProof => {
                    open.push(trace);
                    continue;
                }
                Found::Failed => panic!("an assistant has failed"),
            };
            if !self.remainder.has(self.context.program, trace, &self.context.budget)? {
                needless += 1;
                continue;
            }
            self.tell(trace);
            let Some(automaton) = in_terms_of(self.context.terms, &labels, automaton) else {
                open.push(trace);
                continue;
            };
            self.statistics.predicates += predicates;
            self.remainder.subtract(self.context, &automaton)?;
            self.proof.automata.push(automaton);
        }
        for trace in open {
            if self.remainder.has(self.context.program, trace, &self.context.budget)?
                && let Some(verdict) = self.one(trace)?
            {
                return Ok((Some(verdict), None));
            }
        }
        Ok((None, Some(needless)))
    }

    fn count_batch(&mut self, finished: &[Finished<Report>]) {
        let efforts: Vec<u64> = finished.iter().map(|one| one.effort).collect();
        self.statistics.batches += 1;
        self.statistics.together += efforts.len() as u64;
        self.statistics.on_one_worker += batch::busiest(&efforts, 1);
        self.statistics.on_two_workers += batch::busiest(&efforts, 2);
        self.statistics.on_eight_workers += batch::busiest(&efforts, 8);
    }

    /// The error of the trace, if its path has been seen often enough to leap there: once per path.
    fn time_to_leap(&mut self, trace: &Trace) -> Option<Attempt> {
        self.leap.as_ref()?;
        let program = self.context.program;
        // What is left of a trace when every edge is listed only where it comes first: the same for all numbers of rounds.
        let mut path: Vec<Edge> = Vec::new();
        for &edge in &trace.edges {
            if !path.contains(&edge) {
                path.push(edge);
            }
        }
        let error = program.locations[trace.location(program, trace.len())].error?;
        let met = self.rounds.entry(path).or_default();
        *met += 1;
        if *met != ROUNDS_BEFORE_LEAP {
            return None;
        }
        self.attempts += 1;
        Some(Attempt { error, before: self.attempts - 1 })
    }

    /// Tries to reach an error by leaps.
    fn leap_to(&mut self, attempt: Attempt) -> Result<Option<Verdict>, Interrupted> {
        let Some(leap) = &mut self.leap else { return Ok(None) };
        match leap(self.context, attempt)? {
            Verdict::Unknown(_) => Ok(None),
            found => Ok(Some(found)),
        }
    }

    /// How many automata have been subtracted so far.
    pub fn proven(&self) -> usize {
        self.proof.automata.len()
    }

    /// Counts a trace that is left, and tells about it.
    fn tell(&mut self, trace: &Trace) {
        self.statistics.iterations += 1;
        self.statistics.longest_trace = self.statistics.longest_trace.max(trace.len() as u64);
        let states = self.remainder.size();
        tracing::debug!(
            iteration = self.statistics.iterations,
            states,
            trace = trace.len(),
            effort = self.context.budget.effort(),
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
    }

    fn check(&mut self, trace: &Trace, ssa: &mut Ssa) -> Result<Feasibility, Interrupted> {
        let mut solver = self.context.session();
        check_trace(self.context.program, trace, ssa, self.context.terms, &mut *solver, &self.context.budget)
    }

    /// Removes everything that is infeasible for the same reason as the trace.
    fn subtract(&mut self, trace: &Trace, sequences: &[Sequence]) -> Result<(), Interrupted> {
        let automaton = match self.options.generalisation {
            Generalisation::OnDemand => {
                let predicates = members(&self.context.pool, sequences);
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

/// All predicates of some sequences.
fn members(pool: &PredicatePool, sequences: &[Sequence]) -> Vec<Predicate> {
    let sets = sequences.iter().flat_map(|sequence| sequence.predicates.iter());
    let mut predicates: Vec<Predicate> = sets.flat_map(|&set| pool.members(set).to_vec()).collect();
    predicates.sort_unstable();
    predicates.dedup();
    predicates
}

/// An automaton whose labels are terms of another store, with labels of this one. None if the stores do not fit.
fn in_terms_of(
    terms: &mut Terms,
    from: &Terms,
    mut automaton: FloydHoareAutomaton,
) -> Option<FloydHoareAutomaton> {
    let mut transfer = Transfer::new(from);
    for label in automaton.states.values_mut() {
        *label = transfer.bring(*label, terms)?;
    }
    Some(automaton)
}
