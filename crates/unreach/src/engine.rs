//! The engines, as the command line names them.
//!
//! Every engine gets a program automaton with blocks and answers with a verdict and with what it counted.

use crate::arguments::{AbstractionKind, BlockSize, Engine, InterpolationSource};
use crate::decide::Options;
use base::{Budget, Interrupted, SourceMap};
use engines::abstract_interpretation::Precision;
use engines::context::Context;
use engines::floyd_hoare::from_facts::Outcome;
use engines::impact::Impact;
use engines::interpolation::{Interpolation, Level};
use engines::kojak::Kojak;
use engines::leaping::search::LeapStatistics;
use engines::predicate_abstraction::{Abstraction, PredicateAbstraction};
use engines::refutation::Refuter;
use engines::search::Search;
use logic::Terms;
use program::{Program, Reason, SingleSteps, Verdict};
use smt::Solvers;
use std::fmt::Display;
use transform::CannotInline;

/// What an engine counted: the columns of the paper's Table 1, and everything as text.
#[derive(Default)]
pub(crate) struct Counted {
    pub(crate) splits: u64,
    pub(crate) theorem_prover_calls: u64,
    pub(crate) text: Vec<String>,
}

impl Engine {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::TraceAbstraction => "trace-abstraction",
            Engine::Leaping => "leaping",
            Engine::Search => "search",
            Engine::Kojak => "kojak",
            Engine::Impact => "impact",
            Engine::PredicateAbstraction => "predicate-abstraction",
            Engine::AbstractInterpretation => "abstract-interpretation",
            Engine::Horn => "horn",
            Engine::Guessing => "guessing",
            Engine::Quantified => "quantified",
        }
    }

    /// Does it need a program without calls?
    pub(crate) fn wants_inlining(self) -> bool {
        matches!(self, Engine::Kojak | Engine::Impact | Engine::Leaping)
    }

    /// Can it show that a program is safe?
    pub(crate) fn proves(self) -> bool {
        !matches!(self, Engine::Leaping | Engine::Search)
    }

    /// The single-step program as the engine wants it. Calls are inlined if the engine cannot do without, or if that
    /// was chosen and the program stays small.
    pub(crate) fn prepare(
        self,
        single: SingleSteps,
        calls: Calls,
        terms: &mut Terms,
    ) -> Result<SingleSteps, Reason> {
        let most = match calls {
            _ if self.wants_inlining() => transform::inline::MOST_LOCATIONS,
            Calls::Kept => return Ok(single),
            Calls::InlinedIfSmall => SMALL_GROWTH * single.locations.len() + SMALL,
        };
        match transform::inline(&single, terms, most) {
            Ok(inlined) => Ok(transform::trim(inlined.program)),
            Err(_) if !self.wants_inlining() => Ok(single),
            Err(CannotInline::Recursion(_)) => Err(Reason::Recursion(self.name())),
            Err(CannotInline::TooLarge(most)) => {
                Err(Reason::Unsupported(format!("more than {most} locations after inlining")))
            }
        }
    }
}

/// What becomes of calls before an engine starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Calls {
    /// They stay, and proofs speak of what procedures do.
    Kept,
    /// They are replaced by the procedures, unless there is recursion or the program becomes much larger.
    InlinedIfSmall,
}

/// A program that grows by no more than this factor, and by so many locations, stays small.
const SMALL_GROWTH: usize = 4;
const SMALL: usize = 500;

impl From<BlockSize> for transform::BlockSize {
    fn from(size: BlockSize) -> transform::BlockSize {
        match size {
            BlockSize::Single => transform::BlockSize::Single,
            BlockSize::Straight => transform::BlockSize::Straight,
            BlockSize::LoopFree => transform::BlockSize::LoopFree,
        }
    }
}

/// Where the command line wants interpolants to come from.
pub(crate) fn interpolation(options: &Options) -> Interpolation {
    let level =
        [Level::Plain, Level::LiveVariables, Level::Core][usize::from(options.interpolation_level) - 1];
    match options.interpolation {
        InterpolationSource::Auto => Interpolation::Auto,
        InterpolationSource::Own => Interpolation::Own,
        InterpolationSource::Analysis => Interpolation::Analysis,
        InterpolationSource::PathProgram => Interpolation::PathProgram,
        InterpolationSource::Houdini => Interpolation::Houdini,
        InterpolationSource::Farkas => Interpolation::Farkas,
        InterpolationSource::Craig => Interpolation::Craig,
        InterpolationSource::StrongestPost => Interpolation::StrongestPost(level),
        InterpolationSource::WeakestPre => Interpolation::WeakestPre(level),
    }
}

/// Runs Kojak.
pub(crate) fn kojak(
    program: &Program,
    interpolation: Interpolation,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> (Result<Verdict, Interrupted>, Counted) {
    let mut context = Context::new(program, terms, solvers, budget.clone());
    let mut engine = Kojak::new(&mut context, interpolation);
    let verdict = engine.run();
    let statistics = engine.statistics;
    let text = texts(statistics.to_string(), engine.refuter());
    let Counted { text, .. } = with_triples(text, &context);
    let counted =
        Counted { splits: statistics.splits, theorem_prover_calls: statistics.theorem_prover_calls, text };
    (verdict, counted)
}

/// Runs Impact.
pub(crate) fn impact(
    program: &Program,
    interpolation: Interpolation,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> (Result<Verdict, Interrupted>, Counted) {
    let mut context = Context::new(program, terms, solvers, budget.clone());
    let mut engine = Impact::new(&mut context, interpolation);
    let verdict = engine.run();
    let statistics = engine.statistics;
    let text = texts(statistics.to_string(), engine.refuter());
    let Counted { text, .. } = with_triples(text, &context);
    let counted =
        Counted { splits: statistics.splits, theorem_prover_calls: statistics.theorem_prover_calls, text };
    (verdict, counted)
}

/// Runs predicate abstraction.
pub(crate) fn predicate_abstraction(
    program: &Program,
    options: &Options,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> (Result<Verdict, Interrupted>, Counted) {
    let abstraction = match options.abstraction {
        AbstractionKind::Cartesian => Abstraction::Cartesian,
        AbstractionKind::Boolean => Abstraction::Boolean,
    };
    let mut context = Context::new(program, terms, solvers, budget.clone());
    let mut engine = PredicateAbstraction::new(&mut context, interpolation(options), abstraction);
    let verdict = engine.run();
    let text = texts(engine.statistics.to_string(), engine.refuter());
    (verdict, with_triples(text, &context))
}

/// How an engine finds facts about the second program, which is in single steps, and what they prove about the blocks.
type FindFacts<S> = fn(&mut Context<'_>, &Program, Precision, &mut S) -> Result<Outcome, Interrupted>;

/// Runs an engine that proves what follows from facts: of static analysis, of runs, about arrays. Takes the single-step
/// program and the one with its blocks.
pub(crate) fn by_facts<S: Default + Display>(
    find: FindFacts<S>,
    (single, blocks): (&Program, &Program),
    sources: &SourceMap,
    terms: &mut Terms,
    (solvers, budget): (&Solvers, &Budget),
) -> (Result<Verdict, Interrupted>, Counted) {
    let mut statistics = S::default();
    let mut context = Context::new(blocks, terms, solvers, budget.clone());
    let outcome = find(&mut context, single, engines::context::precision(single), &mut statistics);
    let verdict = outcome.map(|outcome| verdict_of_facts(outcome, single, sources));
    (verdict, with_triples(vec![statistics.to_string()], &context))
}

/// A proof from facts, or which assertions they do not show.
fn verdict_of_facts(outcome: Outcome, single: &Program, sources: &SourceMap) -> Verdict {
    let errors = match outcome {
        Outcome::Proven(proof) => return Verdict::Safe(proof),
        Outcome::NotShown(errors) => errors,
    };
    let first = errors.first().map(|&error| sources.place(single.errors[error].span));
    let others = errors.len().saturating_sub(1);
    let mut which = format!("the assertion at {}", first.unwrap_or_default());
    if others > 0 {
        which += &format!(" and {others} more");
    }
    Verdict::Unknown(Reason::NotShown(which))
}

/// Leaves the whole program to the Horn solver. Takes the single-step program and the one with its blocks.
pub(crate) fn horn(
    (single, blocks): (&Program, &Program),
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> (Result<Verdict, Interrupted>, Counted) {
    let mut context = Context::new(blocks, terms, solvers, budget.clone());
    (engines::horn::engine::run(&mut context, single), Counted::default())
}

fn texts(own: String, refuter: &Refuter) -> Vec<String> {
    vec![own, refuter.statistics.to_string(), refuter.interpolation_statistics().to_string()]
}

fn with_triples(mut text: Vec<String>, context: &Context<'_>) -> Counted {
    text.push(context.checker.statistics.to_string());
    Counted { text, ..Counted::default() }
}

/// Where leaps shall lead to.
pub(crate) struct Goal {
    pub(crate) errors: Vec<program::Error>,
    /// The loops on the way, if the user has named them.
    pub(crate) through: Option<Vec<program::Location>>,
}

impl Goal {
    /// Any error of a program, by any way.
    pub(crate) fn any(program: &Program) -> Goal {
        Goal { errors: program.errors.keys().collect(), through: None }
    }
}

/// Leaping loops. Takes the single-step program and the one with its blocks.
pub(crate) fn leaping(
    (single, blocks): (&Program, &Program),
    goal: Goal,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> (Result<Verdict, Interrupted>, Counted) {
    let mut statistics = LeapStatistics::default();
    let mut context = Context::new(blocks, terms, solvers, budget.clone());
    let options = engines::leaping::Options { through: goal.through, ..engines::leaping::Options::default() };
    let verdict = engines::leaping::find(&mut context, single, &goal.errors, &options, &mut statistics);
    let counted = Counted {
        theorem_prover_calls: statistics.queries,
        text: vec![statistics.to_string()],
        ..Counted::default()
    };
    (verdict, counted)
}

/// A concrete search from the procedures in which a program begins.
pub(crate) fn search(
    source: &ir::Program,
    program: &Program,
    steps: u64,
    budget: &Budget,
) -> (Result<Verdict, Interrupted>, Counted) {
    let entries: Vec<ir::Procedure> =
        program.initial.iter().map(|&start| program.locations[start].procedure).collect();
    let mut search = Search::new(source, &entries, budget);
    let verdict = search.run(steps);
    (verdict, Counted { text: vec![search.statistics.to_string()], ..Counted::default() })
}
