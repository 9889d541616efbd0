//! One engine on one view of a problem, to an answer with checked evidence.
//!
//! The way: program automaton → blocks → engine → certificate or replayed execution.

use crate::answer::{Answer, Failure, Proof, Safe, confirmed, refused};
use crate::division::Division;
use crate::leaps;
use crate::observer::{News, Observer};
use crate::plan::{Control, Entry, Plan, SolverOptions};
use crate::prepared::Prepared;
use crate::report::proof::{self, Proven, Shown};
use crate::report::reasons;
use crate::reuse;
use crate::view::View;
use base::{Budget, Interrupted};
use certify::{Certified, Execution, NotReplayed, Subject};
use engines::{Bits, Counted, Engine, Task};
use logic::Terms;
use program::{Reason, Verdict};
use smt::Solvers;
use smt::cross_check::CrossCheck;
use smt::process::{ProcessOptions, ProcessSession};
use smt::query_log::QuerySink;
use std::io::Write as _;
use std::sync::Arc;
use threads::back::Product;

/// What all engines of a plan share.
pub(crate) struct Shared {
    pub(crate) view: Arc<View>,
    /// The same program with exact bit operations, if that is another one.
    pub(crate) exact: Option<Arc<View>>,
    /// What evidence is held against.
    pub(crate) subject: Subject,
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

/// Why there is no division.
pub(crate) const NOT_DIVIDED: &str = "no control in variables with few values, in a program without calls";

/// Evidence is checked without others having their turn as long as finding and checking together cost at most so many times as
/// much as finding it did. As a rule checking costs as much as finding, but in programs with large loops several times as much.
const EFFORT_OF_CHECK: u64 = 8;

/// What works on a task: an engine, or somebody who knows more than a task says.
pub(crate) type Attempt<'a> = dyn Fn(&Prepared, &mut Task<'_>) -> Result<Verdict, Interrupted> + 'a;

/// Lets an engine work on the program, and has its evidence checked.
pub(crate) fn attempt(shared: &Shared, entry: &Entry, budget: &Budget) -> Attempted {
    attempt_with(shared, entry, budget, &|_, task| (entry.engine.run)(task))
}

/// Lets somebody work on the program in the place of the entry's engine, and has the evidence checked.
pub(crate) fn attempt_with(shared: &Shared, entry: &Entry, budget: &Budget, run: &Attempt<'_>) -> Attempted {
    let engine = entry.engine;
    let _span = tracing::info_span!("engine", name = engine.name).entered();
    let Shared { subject, plan, observer, .. } = shared;
    let view = match &shared.exact {
        Some(exact) if engine.bits == Bits::Exact => exact,
        _ => &shared.view,
    };
    let ended = |answer, counted| Attempted { engine, view: Arc::clone(view), answer, counted };
    let nothing = Counted::default();
    let mut terms = shared.terms.clone();
    let prepared = match Prepared::new(subject, engine, entry.inlining, &mut terms) {
        Ok(prepared) => prepared,
        Err(reason) => return ended(Ok(Answer::Unknown(reason)), nothing),
    };
    let (solvers, cross_check) = match solvers(&plan.solvers, engine, budget) {
        Ok(made) => made,
        Err(why) => return ended(Err(Failure::Internal(why)), nothing),
    };
    let single = &prepared.single;
    let blocks = transform::compose(single, plan.blocks_for(engine, single, &terms), &mut terms);
    let division = match entry.control {
        Control::InData => None,
        Control::InLocations => match Division::of(single, &blocks, &mut terms, budget) {
            Ok(Some(division)) => Some(division),
            Ok(None) => {
                return ended(Ok(Answer::Unknown(Reason::Unsupported(NOT_DIVIDED.to_owned()))), nothing);
            }
            Err(Interrupted(limit)) => return ended(Ok(Answer::Unknown(Reason::Limit(limit))), nothing),
        },
    };
    let (task_single, task_blocks) = match &division {
        Some(division) => (division.single(), &division.blocks),
        None => (single, &blocks),
    };
    let mut task = Task {
        source: &view.program,
        single: task_single,
        blocks: task_blocks,
        terms: &mut terms,
        solvers: &solvers,
        budget: budget.clone(),
        options: &plan.options,
        observe: &|progress| observer.progress(progress),
        counted: Counted::default(),
    };
    tracing::debug!("begins");
    observer.engine(engine, &News::Begins);
    let verdict = run(&prepared, &mut task);
    observer.engine(engine, &News::Ends(kind(&verdict)));
    tracing::info!(effort = budget.effort(), "answers: {}", kind(&verdict));
    if !matches!(verdict, Ok(Verdict::Unknown(_)) | Err(_)) {
        // What has to be checked only is not held up for a round, in which all others would work in vain.
        budget.allow_at_least(budget.effort().saturating_mul(EFFORT_OF_CHECK));
    }
    let mut counted = std::mem::take(&mut task.counted);
    counted.add(solvers.rungs().entries());
    let source = &view.program;
    let verdict = match &division {
        Some(division) => verdict.and_then(|verdict| division.verdict(&blocks, verdict, &mut terms, budget)),
        None => verdict,
    };
    let answer = match verdict {
        Ok(Verdict::Safe(proof)) => {
            let certificate = prepared.certificate((subject, &blocks), &proof, &mut terms);
            let session = &mut *solvers.session();
            let accepted = certificate.and_then(|certificate| {
                let accepted = certify::check_proof(subject, &certificate, &mut terms, session, budget)?;
                let about = (subject, &*accepted);
                let wanted = plan.certificate;
                let text = wanted
                    .then(|| certify::format::write(source, &view.made, about, &mut terms))
                    .transpose()?;
                Ok((accepted, text))
            });
            match accepted {
                Ok((accepted, text)) => {
                    // The verdict stands: nobody else can change it.
                    budget.allow_at_least(u64::MAX);
                    let proven =
                        Proven { view, subject, prepared: &prepared, blocks: &blocks, proof: &proof };
                    let shown = proof::shown(&proven, &mut terms, &solvers, budget);
                    // The verdict stands; without time there is only less of it to be shown.
                    let Shown { invariants, annotation, shared_facts } = shown.unwrap_or_default();
                    let reasons = plan.reasons.then(|| {
                        reasons::reasons(&proven, annotation.as_ref(), &mut terms, &solvers, budget)
                    });
                    let reasons = reasons.and_then(Result::ok);
                    let kept = plan.reuse.as_ref().and_then(|_| {
                        let ground = (&**view, subject, &prepared);
                        reuse::kept_proof(ground, (annotation.as_ref(), &proof), entry, &mut terms, budget)
                    });
                    let proof = Proof::Automata(accepted);
                    let certificate = text;
                    let safe = Safe { proof, invariants, shared_facts, reasons, certificate, kept };
                    Ok(Answer::Safe(Box::new(safe)))
                }
                Err(refusal) => refused(&refusal),
            }
        }
        Ok(Verdict::Unwound(unwinding)) => match certify::check_unwinding(source, &unwinding, budget) {
            Ok(accepted) => {
                let certificate =
                    plan.certificate.then(|| certify::unwinding::write(source, &view.made, &accepted));
                let keeps = plan.reuse.is_some();
                let kept = keeps.then(|| reuse::kept_unwinding(view, &accepted, entry, budget));
                let proof = Proof::Unwinding(accepted);
                let (invariants, shared_facts, reasons) = (Vec::new(), Vec::new(), None);
                let safe = Safe { proof, invariants, shared_facts, reasons, certificate, kept };
                Ok(Answer::Safe(Box::new(safe)))
            }
            Err(refusal) => refused(&refusal),
        },
        Ok(Verdict::Unsafe(trace)) => {
            let replayed = certify::replay(source, &task_blocks.program, &trace, &mut terms, budget);
            Ok(confirmed(replayed.and_then(|execution| with_threads(view, execution, budget))))
        }
        Ok(Verdict::Run(run)) => {
            let rerun = certify::rerun(source, &run, budget);
            let execution = rerun.and_then(|execution| with_threads(view, execution, budget));
            Ok(match (execution, source.entries().first()) {
                // Another view says more exactly what happens there.
                (Err(NotReplayed::Overapproximated), Some(&entry)) if view.leaves_memory_open() => {
                    Answer::Unknown(Reason::Overapproximation(source.procedures[entry].span))
                }
                (execution, _) => confirmed(execution),
            })
        }
        Ok(Verdict::Leaps(evidence)) => {
            let programs = leaps::Programs { view, subject, prepared: &prepared, blocks: &blocks.program };
            leaps::accepted(&programs, &evidence, &mut terms, &solvers, budget)
        }
        Ok(Verdict::Terminates(_) | Verdict::Recurs(_)) => {
            Err(Failure::Internal("an answer to another question".to_owned()))
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

/// The kind of an engine's answer, which nobody has checked yet.
fn kind(verdict: &Result<Verdict, Interrupted>) -> String {
    match verdict {
        Ok(Verdict::Safe(_) | Verdict::Unwound(_)) => "a proof".to_owned(),
        Ok(Verdict::Unsafe(_) | Verdict::Run(_) | Verdict::Leaps(_)) => "an error is reachable".to_owned(),
        Ok(Verdict::Terminates(_) | Verdict::Recurs(_)) => "an answer to another question".to_owned(),
        Ok(Verdict::Unknown(reason)) => format!("unknown, {reason}"),
        Err(Interrupted(limit)) => format!("stopped, {limit}"),
    }
}

/// An execution of a product of threads counts only if the program with its threads fails as well.
pub(crate) fn with_threads(
    view: &View,
    execution: Certified<Execution>,
    budget: &Budget,
) -> Result<Certified<Execution>, NotReplayed> {
    let Some(threads) = &view.threads else { return Ok(execution) };
    let product = Product { program: &view.program, steps: &threads.steps, copies: &threads.copies };
    let mut driver = certify::rerun::driver(&execution.run);
    let limits = ir::interpreter::Limits::default();
    let schedule = threads::back::schedule(product, execution.procedure, &mut driver, limits, budget)
        .map_err(NotReplayed::Interrupted)?;
    certify::run_schedule(&threads.original, &schedule, budget)?;
    drop(driver);
    Ok(execution)
}

/// The sessions of a run, and the second solver if there is one.
pub(crate) fn solvers(
    options: &SolverOptions,
    engine: &'static Engine,
    budget: &Budget,
) -> Result<(Solvers, Option<CrossCheck>), String> {
    let mut solvers = Solvers::new(budget);
    if let Some(faults) = &options.faults {
        solvers = solvers.with_faults(faults.clone());
    }
    if let Some(folder) = options.dump_queries.clone() {
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        solvers = solvers.with_query_log(QuerySink::new(move |name, script| {
            let path = folder.join(format!("{}-{name}", engine.name));
            if let Err(error) = base::files::replace_one_of_many(&path, script) {
                // A standard error that cannot be written to is no reason to end.
                let _ = writeln!(std::io::stderr(), "unreach: {}: {error}", path.display());
            }
        }));
    }
    let Some(command) = &options.cross_check else { return Ok((solvers, None)) };
    let second = ProcessSession::new(ProcessOptions::command(command), budget);
    let cross_check = CrossCheck::new(second);
    Ok((solvers.with_cross_check(cross_check.clone()), Some(cross_check)))
}
