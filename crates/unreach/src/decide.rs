//! One engine on a program, to an answer with checked evidence.
//!
//! The way: program automaton → blocks → engine → certificate or replayed execution.

use crate::arguments::{
    AbstractionKind, Beginning, BlockSize, Engine, GeneralisationKind, InterpolationSource, Verify,
};
use crate::commands::leaps::{self, Programs};
use crate::engine::{self, Calls, Counted, Goal, by_facts};
use crate::report::{Answer, Report, proof as proof_report};
use crate::source::Loaded;
use base::{Budget, Interrupted};
use certify::{Certificate, Execution, NotReplayed, Refusal};
use engines::abstract_interpretation::abstract_interpretation;
use engines::context::Context;
use engines::guessing::guess;
use engines::leaping::{self, search::LeapStatistics};
use engines::quantified::quantified;
use engines::trace_abstraction::{self, Generalisation, TraceAbstraction};
use logic::Terms;
use program::{Blocks, Counterexample, Program, Reason, Verdict};
use smt::Solvers;
use smt::cross_check::CrossCheck;
use smt::process::{ProcessOptions, ProcessSession};
use smt::query_log::QuerySink;
use std::path::PathBuf;
use std::sync::Arc;

/// What the command line can choose about engines and solvers.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) blocks: BlockSize,
    pub(crate) interpolation: InterpolationSource,
    pub(crate) interpolation_level: u8,
    pub(crate) generalisation: GeneralisationKind,
    pub(crate) begin_with: Beginning,
    pub(crate) abstraction: AbstractionKind,
    /// Engines that the plan does without.
    pub(crate) without: Vec<Engine>,
    /// How many steps a concrete search makes.
    pub(crate) steps: u64,
    /// Whether the text of a certificate is wanted.
    pub(crate) certificate: bool,
    dump_queries: Option<PathBuf>,
    cross_check: Option<String>,
}

impl Options {
    pub(crate) fn of(job: &Verify) -> Options {
        Options {
            blocks: job.blocks,
            interpolation: job.interpolation,
            interpolation_level: job.interpolation_level,
            generalisation: job.generalisation,
            begin_with: job.begin_with,
            abstraction: job.abstraction,
            without: job.without.clone(),
            steps: u64::MAX,
            certificate: job.certificate.is_some(),
            dump_queries: job.dump_queries.clone(),
            cross_check: job.cross_check.clone(),
        }
    }
}

/// What an engine has to decide. Clones share the source and begin with the same terms.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) options: Options,
    pub(crate) loaded: Arc<Loaded>,
    /// The program in single steps, with its calls.
    pub(crate) single: Program,
    pub(crate) terms: Terms,
    pub(crate) report: Report,
}

/// An answer, and the text of its certificate if that was wanted and there is one.
pub(crate) struct Decision {
    pub(crate) answer: Answer,
    pub(crate) certificate: Option<String>,
    /// What the engine counted.
    pub(crate) statistics: String,
    /// Whose answer it is.
    pub(crate) engine: Option<Engine>,
}

impl From<Answer> for Decision {
    fn from(answer: Answer) -> Decision {
        Decision { answer, certificate: None, statistics: String::new(), engine: None }
    }
}

/// The verdict of an engine, certified.
pub(crate) fn decide(task: &Task, engine: Engine, calls: Calls, budget: &Budget) -> Decision {
    let mut terms = task.terms.clone();
    let single = match engine.prepare(task.single.clone(), calls, &mut terms) {
        Ok(prepared) => prepared,
        Err(reason) => return Answer::Unknown(reason).into(),
    };
    let (solvers, cross_check) = match solvers(&task.options, engine, budget) {
        Ok(made) => made,
        Err(why) => return Answer::Internal(why).into(),
    };
    let decision = decide_with(task, engine, &single, &mut terms, (&solvers, budget));
    match cross_check.map(|second| second.disagreements()) {
        Some(disagreements) if !disagreements.is_empty() => {
            Answer::Internal(format!("solvers disagree: {}", disagreements.join("; "))).into()
        }
        _ => decision,
    }
}

/// The sessions of a run, and the second solver if there is one.
fn solvers(
    options: &Options,
    engine: Engine,
    budget: &Budget,
) -> Result<(Solvers, Option<CrossCheck>), String> {
    let mut solvers = Solvers::new(budget);
    if let Some(folder) = options.dump_queries.clone() {
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        solvers = solvers.with_query_log(QuerySink::new(move |name, script| {
            let path = folder.join(format!("{}-{name}", engine.name()));
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

/// The verdict of the engine on a prepared program, certified.
fn decide_with(
    task: &Task,
    engine: Engine,
    single: &Program,
    terms: &mut Terms,
    (solvers, budget): (&Solvers, &Budget),
) -> Decision {
    let Task { options, loaded, report, .. } = task;
    let blocks = program::blocks::compose(single, options.blocks.into(), terms);
    let (programs, sources, limits) = ((single, &blocks.program), &loaded.sources, (solvers, budget));
    let (verdict, counted) = match engine {
        Engine::Auto => unreachable!("the plan is made of other engines"),
        Engine::Leaping => engine::leaping(programs, Goal::any(single), terms, solvers, budget),
        Engine::Search => engine::search(&loaded.program, single, options.steps, budget),
        Engine::TraceAbstraction => trace_abstraction(options, programs, terms, limits, report),
        Engine::AbstractInterpretation => by_facts(abstract_interpretation, programs, sources, terms, limits),
        Engine::Guessing => by_facts(guess, programs, sources, terms, limits),
        Engine::Quantified => by_facts(quantified, programs, sources, terms, limits),
        Engine::Kojak => {
            engine::kojak(&blocks.program, engine::interpolation(options), terms, solvers, budget)
        }
        Engine::Impact => {
            engine::impact(&blocks.program, engine::interpolation(options), terms, solvers, budget)
        }
        Engine::PredicateAbstraction => {
            engine::predicate_abstraction(&blocks.program, options, terms, solvers, budget)
        }
        Engine::Horn => engine::horn(programs, terms, solvers, budget),
    };
    let statistics = format!("{}:\n{}", engine.name(), counted.text.concat());
    let answer = match verdict {
        Ok(Verdict::Safe(proof)) => {
            let certificate = match certified(single, &blocks, &proof, terms, solvers, budget) {
                Ok(certificate) => certificate,
                Err(answer) => {
                    return Decision { answer, certificate: None, statistics, engine: Some(engine) };
                }
            };
            let wanted = options.certificate;
            let certificate = wanted.then(|| certify::format::write(&loaded.program, &certificate, terms));
            let invariants = proof_report::invariants(loaded, single, &blocks, &proof, terms, budget);
            // The verdict stands; without time there is only less of it to be shown.
            let answer = Answer::Safe(invariants.unwrap_or_default());
            return Decision { answer, certificate, statistics, engine: Some(engine) };
        }
        Ok(Verdict::Unsafe(counterexample)) => {
            replayed(&loaded.program, &blocks.program, &counterexample, terms, budget)
        }
        Ok(Verdict::Run(run)) => confirmed(certify::rerun(&loaded.program, &run, budget)),
        Ok(Verdict::Leaps(evidence)) => {
            let programs = Programs {
                source: &loaded.program,
                single,
                blocks: &blocks.program,
                back: loaded.back.as_ref(),
            };
            leaps::accepted(&programs, &evidence, terms, (solvers, budget))
        }
        Ok(Verdict::Unknown(reason)) => Answer::Unknown(reason),
        Err(Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
    };
    Decision { answer, certificate: None, statistics, engine: Some(engine) }
}

fn trace_abstraction(
    chosen: &Options,
    (single, program): (&Program, &Program),
    terms: &mut Terms,
    (solvers, budget): (&Solvers, &Budget),
    report: &Report,
) -> (Result<Verdict, Interrupted>, Counted) {
    let options = trace_abstraction::Options {
        interpolation: engine::interpolation(chosen),
        generalisation: match chosen.generalisation {
            GeneralisationKind::OnDemand => Generalisation::OnDemand,
            GeneralisationKind::Canonical => Generalisation::Canonical,
            GeneralisationKind::Triples => Generalisation::Triples,
        },
    };
    let mut context = Context::new(program, terms, solvers, budget.clone());
    let mut observe = |progress| report.progress(progress);
    let mut leaps = LeapStatistics::default();
    let mut leap = |context: &mut Context<'_>, error| {
        // The refinement loop may still find a proof, so a leap must not take long.
        let options = leaping::Options { most_effort: 2_000_000, ..leaping::Options::default() };
        leaping::find(context, single, &[error], &options, &mut leaps)
    };
    let mut engine = TraceAbstraction::new(&mut context, options, &mut observe);
    engine.on_repetition(&mut leap);
    let begun = match chosen.begin_with {
        Beginning::Facts => engine.analyse(single),
        Beginning::Nothing => Ok(()),
    };
    let verdict = begun.and_then(|()| engine.run());
    let (counted, interpolation) = (engine.statistics, *engine.interpolation_statistics());
    let text = vec![
        counted.to_string(),
        interpolation.to_string(),
        leaps.to_string(),
        context.checker.statistics.to_string(),
    ];
    (verdict, Counted { text, ..Counted::default() })
}

/// A proof counts only if the independent check accepts it.
pub(crate) fn certified(
    single: &Program,
    blocks: &Blocks,
    proof: &program::Proof,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> Result<Certificate, Answer> {
    let certificate = Certificate::of_proof(blocks, proof);
    match certify::check_proof(single, &certificate, terms, &mut *solvers.session(), budget) {
        Ok(()) => Ok(certificate),
        Err(refusal) => Err(refused(&refusal)),
    }
}

pub(crate) fn refused(refusal: &Refusal) -> Answer {
    match refusal {
        Refusal::Interrupted(Interrupted(limit)) => Answer::Unknown(Reason::Limit(*limit)),
        Refusal::Undecided(..) => Answer::Unknown(Reason::NotConfirmed(refusal.to_string())),
        _ => Answer::Internal(format!("the proof was refused: {refusal}")),
    }
}

/// A counterexample counts only if the interpreter fails on it.
pub(crate) fn replayed(
    source: &ir::Program,
    program: &Program,
    counterexample: &Counterexample,
    terms: &mut Terms,
    budget: &Budget,
) -> Answer {
    confirmed(certify::replay(source, program, counterexample, terms, budget))
}

/// What the interpreter says to a counterexample.
pub(crate) fn confirmed(execution: Result<Execution, NotReplayed>) -> Answer {
    match execution {
        Ok(execution) => Answer::Unsafe(Box::new(execution)),
        Err(NotReplayed::Interrupted(Interrupted(limit))) => Answer::Unknown(Reason::Limit(limit)),
        Err(NotReplayed::Outcome(why) | NotReplayed::Value(why) | NotReplayed::Background(why)) => {
            Answer::Unknown(Reason::NotReplayed(why))
        }
    }
}
