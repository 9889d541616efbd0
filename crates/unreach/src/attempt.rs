//! One engine on one view of a problem, to an answer with checked evidence.
//!
//! The way: program automaton → blocks → engine → certificate or replayed execution.

use crate::answer::{Answer, Failure, Proof, Safe, confirmed, refused};
use crate::leaps;
use crate::observer::Observer;
use crate::plan::{Entry, Inlining, Plan, SolverOptions};
use crate::report::proof;
use crate::view::View;
use base::{Budget, Interrupted};
use certify::Certificate;
use engines::{Bits, Calls, Counted, Engine, Task};
use logic::Terms;
use program::{Reason, SingleSteps, Verdict};
use smt::Solvers;
use smt::cross_check::CrossCheck;
use smt::process::{ProcessOptions, ProcessSession};
use smt::query_log::QuerySink;
use std::sync::Arc;
use transform::CannotInline;

/// A program that grows by no more than this factor when it is inlined, and by so many locations, stays small.
const SMALL_GROWTH: usize = 4;
const SMALL: usize = 500;

/// What all engines of a plan share.
pub(crate) struct Shared {
    pub(crate) view: Arc<View>,
    /// The same program with exact bit operations, if that is another one.
    pub(crate) exact: Option<Arc<View>>,
    /// The program in single steps, with its calls.
    pub(crate) single: SingleSteps,
    pub(crate) terms: Terms,
    pub(crate) plan: Plan,
    pub(crate) observer: Arc<dyn Observer>,
}

/// What an attempt came to.
pub(crate) struct Attempted {
    pub(crate) engine: &'static Engine,
    /// What the answer is about.
    pub(crate) view: Arc<View>,
    pub(crate) answer: Result<Answer, Failure>,
    pub(crate) counted: Counted,
}

/// Lets an engine work on the program, and has its evidence checked.
pub(crate) fn attempt(shared: &Shared, entry: &Entry, budget: &Budget) -> Attempted {
    let engine = entry.engine;
    let Shared { plan, observer, .. } = shared;
    let view = match &shared.exact {
        Some(exact) if engine.bits == Bits::Exact => exact,
        _ => &shared.view,
    };
    let ended = |answer, counted| Attempted { engine, view: Arc::clone(view), answer, counted };
    let nothing = Counted::default();
    let mut terms = shared.terms.clone();
    let single = match prepared(engine, shared.single.clone(), entry.inlining, &mut terms) {
        Ok(prepared) => prepared,
        Err(reason) => return ended(Ok(Answer::Unknown(reason)), nothing),
    };
    let (solvers, cross_check) = match solvers(&plan.solvers, engine, budget) {
        Ok(made) => made,
        Err(why) => return ended(Err(Failure::Internal(why)), nothing),
    };
    let blocks = transform::compose(&single, plan.blocks, &mut terms);
    let mut task = Task {
        source: &view.program,
        single: &single,
        blocks: &blocks,
        terms: &mut terms,
        solvers: &solvers,
        budget: budget.clone(),
        options: &plan.options,
        observe: &|progress| observer.progress(progress),
        counted: Counted::default(),
    };
    let verdict = (engine.run)(&mut task);
    let counted = std::mem::take(&mut task.counted);
    let source = &view.program;
    let answer = match verdict {
        Ok(Verdict::Safe(proof)) => {
            let certificate = Certificate::of_proof(&blocks, &proof);
            match certify::check_proof(&single, &certificate, &mut terms, &mut *solvers.session(), budget) {
                Ok(accepted) => {
                    let invariants = proof::invariants(view, &single, &blocks, &proof, &mut terms, budget);
                    let wanted = plan.certificate;
                    let text = wanted.then(|| certify::format::write(source, &accepted, &terms));
                    // The verdict stands; without time there is only less of it to be shown.
                    let invariants = invariants.unwrap_or_default();
                    Ok(Answer::Safe(Box::new(Safe { proof: Proof::Automata(accepted), invariants, certificate: text })))
                }
                Err(refusal) => refused(&refusal),
            }
        }
        Ok(Verdict::Unwound(unwinding)) => match certify::check_unwinding(source, &unwinding, budget) {
            Ok(accepted) => {
                let certificate = plan.certificate.then(|| certify::unwinding::write(source, &accepted));
                let proof = Proof::Unwinding(accepted);
                Ok(Answer::Safe(Box::new(Safe { proof, invariants: Vec::new(), certificate })))
            }
            Err(refusal) => refused(&refusal),
        },
        Ok(Verdict::Unsafe(trace)) => {
            Ok(confirmed(certify::replay(source, &blocks.program, &trace, &mut terms, budget)))
        }
        Ok(Verdict::Run(run)) => Ok(confirmed(certify::rerun(source, &run, budget))),
        Ok(Verdict::Leaps(evidence)) => {
            let programs = leaps::Programs { view, single: &single, blocks: &blocks.program };
            leaps::accepted(&programs, &evidence, &mut terms, &solvers, budget)
        }
        Ok(Verdict::Unknown(reason)) => Ok(Answer::Unknown(reason)),
        Err(Interrupted(limit)) => Ok(Answer::Unknown(Reason::Limit(limit))),
    };
    match cross_check.map(|second| second.disagreements()) {
        Some(disagreements) if !disagreements.is_empty() => {
            let what = format!("solvers disagree: {}", disagreements.join("; "));
            ended(Err(Failure::Internal(what)), counted)
        }
        _ => ended(answer, counted),
    }
}

/// The single-step program as the engine wants it. Calls are inlined if the engine cannot do without, or if that
/// was chosen and the program stays small.
pub(crate) fn prepared(
    engine: &Engine,
    single: SingleSteps,
    inlining: Inlining,
    terms: &mut Terms,
) -> Result<SingleSteps, Reason> {
    let must = engine.calls == Calls::Inlined;
    let most = match inlining {
        _ if must => transform::inline::MOST_LOCATIONS,
        Inlining::Never => return Ok(single),
        Inlining::IfSmall => SMALL_GROWTH * single.locations.len() + SMALL,
    };
    match transform::inline(&single, terms, most) {
        Ok(inlined) => Ok(transform::trim(inlined.program)),
        Err(_) if !must => Ok(single),
        Err(CannotInline::Recursion(_)) => Err(Reason::Recursion(engine.name)),
        Err(CannotInline::TooLarge(most)) => {
            Err(Reason::Unsupported(format!("more than {most} locations after inlining")))
        }
    }
}

/// The sessions of a run, and the second solver if there is one.
fn solvers(
    options: &SolverOptions,
    engine: &'static Engine,
    budget: &Budget,
) -> Result<(Solvers, Option<CrossCheck>), String> {
    let mut solvers = Solvers::new(budget);
    if let Some(folder) = options.dump_queries.clone() {
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        solvers = solvers.with_query_log(QuerySink::new(move |name, script| {
            let path = folder.join(format!("{}-{name}", engine.name));
            if let Err(error) = std::fs::write(&path, script) {
                eprintln!("unreach: {}: {error}", path.display());
            }
        }));
    }
    let Some(command) = &options.cross_check else { return Ok((solvers, None)) };
    let second = ProcessSession::new(ProcessOptions::command(command), budget);
    let cross_check = CrossCheck::new(second);
    Ok((solvers.with_cross_check(cross_check.clone()), Some(cross_check)))
}
