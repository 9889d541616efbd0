//! What every engine gets, and the one shape that all of them have.
//!
//! An engine is a function from a [`Task`] to a [`Verdict`]: [`Run`]. It reads the program in the form that it likes
//! (source, single steps or blocks), puts what it counted into [`Task::counted`], and answers; that its evidence is
//! right, others check.

use crate::context::{Context, precision};
use crate::floyd_hoare::from_facts::Outcome;
use crate::guessing;
use crate::interpolation::Interpolation;
use crate::leaping;
use crate::predicate_abstraction::Abstraction;
use crate::termination::Aim;
use crate::trace_abstraction::{Beginning, Generalisation};
use analysis::Precision;
use base::{Budget, Interrupted};
use logic::{Term, Terms};
use program::{BlockProgram, Error, Location, Program, Reason, SingleSteps, Verdict};
use smt::Solvers;
use std::collections::BTreeMap;
use std::num::NonZero;

/// The shape of an engine.
pub type Run = fn(&mut Task<'_>) -> Result<Verdict, Interrupted>;

/// A question to an engine: can an error of the program be reached?
pub struct Task<'t> {
    /// The program as the front end gives it.
    pub source: &'t ir::Program,
    /// Its automaton with one edge per step.
    pub single: &'t SingleSteps,
    /// Its automaton with one edge per block.
    pub blocks: &'t BlockProgram,
    /// The store of all terms.
    pub terms: &'t mut Terms,
    /// Makes solver sessions and Horn solvers.
    pub solvers: &'t Solvers,
    /// When to stop.
    pub budget: Budget,
    /// What can be chosen.
    pub options: &'t Options,
    /// Is told how far a refinement loop has come.
    pub observe: &'t dyn Fn(Progress),
    /// What the engine counted, also if it does not come to its end.
    pub counted: Counted,
}

/// What can be chosen about engines. The defaults are what the plan uses; the rest is for experiments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Where interpolants come from.
    pub interpolation: Interpolation,
    /// How trace abstraction generalises the proof of a trace.
    pub generalisation: Generalisation,
    /// What trace abstraction begins with.
    pub begin_with: Beginning,
    /// What predicate abstraction can say about a location.
    pub abstraction: Abstraction,
    /// Where leaps shall lead to; to any error if nothing is said.
    pub goal: Option<Goal>,
    /// What the termination engine looks for.
    pub termination: Aim,
    /// On how many threads an engine may work at once. What it finds does not depend on that.
    pub workers: NonZero<usize>,
    /// For so much effort of its own, trace abstraction may have one assistant. Tests have them sooner.
    pub effort_per_assistant: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            interpolation: Interpolation::Auto,
            generalisation: Generalisation::OnDemand,
            begin_with: Beginning::Facts,
            abstraction: Abstraction::Cartesian,
            goal: None,
            termination: Aim::All,
            workers: NonZero::<usize>::MIN,
            effort_per_assistant: 1_000_000,
        }
    }
}

/// Where leaps shall lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The errors, of which one is enough.
    pub errors: Vec<Error>,
    /// The loops on the way, if somebody has named them.
    pub through: Option<Vec<Location>>,
}

/// How far a refinement loop has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Iterations so far.
    pub iterations: u64,
    /// The length of the current trace.
    pub trace: usize,
    /// The states of the current abstraction.
    pub states: usize,
    /// The place that the trace passes most often, if it goes round.
    pub round: Option<Round>,
}

/// A place that a trace passes several times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// The place.
    pub span: base::Span,
    /// How often it is passed.
    pub times: u32,
}

/// Name, meaning and value of a counter.
pub type Counter = (&'static str, &'static str, u64);

/// What an engine counted.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Counted(Vec<Counter>);

impl Counted {
    /// Adds the counters of a part of the engine.
    pub fn add(&mut self, counters: impl IntoIterator<Item = Counter>) {
        self.0.extend(counters);
    }

    /// All counters, in the order in which they were added.
    pub fn entries(&self) -> &[Counter] {
        &self.0
    }

    /// The value of the first counter of that name; zero if there is none.
    pub fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|(known, ..)| *known == name).map_or(0, |&(.., value)| value)
    }
}

impl Task<'_> {
    /// A context over the program with its blocks.
    pub fn context(&mut self) -> Context<'_> {
        Context::new(&self.blocks.program, self.terms, self.solvers, self.budget.clone())
    }

    /// Runs an engine that proves what follows from facts: of static analysis, of runs, about arrays.
    pub(crate) fn by_facts<S: Default>(
        &mut self,
        find: FindFacts<S>,
        entries: impl FnOnce(&S) -> Vec<Counter>,
    ) -> Result<Verdict, Interrupted> {
        let single = self.single;
        let mut statistics = S::default();
        let mut context = self.context();
        let outcome = find(&mut context, single, precision(single), &mut statistics);
        let triples = context.checker.statistics;
        drop(context);
        self.counted.add(entries(&statistics));
        self.counted.add(triples.entries());
        Ok(match outcome? {
            Outcome::Proven(proof) => Verdict::Safe(proof),
            Outcome::NotShown(errors) => Verdict::Unknown(Reason::NotShown {
                first: errors.first().map(|&error| single.errors[error].span),
                others: errors.len().saturating_sub(1),
            }),
        })
    }
}

/// How an engine finds facts about a single-step program, and what they prove about the blocks of the context.
pub(crate) type FindFacts<S> =
    fn(&mut Context<'_>, &Program, Precision, &mut S) -> Result<Outcome, Interrupted>;

/// Tries to reach an error in another way when a refinement loop only goes round more and more often. The single-step
/// program comes second.
pub(crate) type Shortcut =
    fn(&mut Context<'_>, &Program, Attempt, &mut Counted) -> Result<Verdict, Interrupted>;

/// What a shortcut is to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// The error.
    pub error: Error,
    /// How many attempts there were before it in the same run, all in vain: the more, the less is spent on the next.
    pub before: u32,
}

/// The shortcut of trace abstraction. Engines do not know each other, so it is chosen here.
pub(crate) const SHORTCUT: Shortcut = leaping::shortcut;

/// What may hold at locations beside the facts of static analysis, which leave so many errors.
pub(crate) type Guesses = fn(
    &mut Context<'_>,
    &Program,
    &analysis::Facts<'_>,
    usize,
) -> Result<BTreeMap<Location, Vec<Term>>, Interrupted>;

/// The guesses of trace abstraction.
pub(crate) const GUESSES: Guesses = guessing::guesses;
