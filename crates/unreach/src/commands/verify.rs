//! `unreach verify`: from a program to a verdict with evidence.
//!
//! The way: source → `ir` → program automaton → blocks → engine → certificate or replayed execution → report.

use crate::arguments::{DataModel, Engine, GeneralisationKind, Verify};
use crate::commands::leaps::{self, Programs};
use crate::engine;
use crate::input::{self, BadInput};
use crate::outcome::Exit;
use crate::property::{self, Property, PropertyError};
use crate::report::{Answer, Report, proof as proof_report};
use crate::source::{self, Loaded};
use base::budget::Limits;
use base::{Budget, Interrupted, Limit};
use certify::{Certificate, Execution, NotReplayed, Refusal};
use engines::context::Context;
use engines::leaping::{self, search::LeapStatistics};
use engines::trace_abstraction::{Generalisation, Options, TraceAbstraction};
use logic::Terms;
use program::{Blocks, Counterexample, Program, Reason, Verdict};
use smt::Solvers;
use smt::cross_check::CrossCheck;
use smt::process::{ProcessOptions, ProcessSession};
use smt::query_log::QuerySink;
use std::time::Duration;

/// How long a run may take to come back by itself after a limit.
const GRACE: Duration = Duration::from_millis(300);

pub(crate) fn run(job: &Verify) -> Result<Exit, BadInput> {
    let inlines = !matches!(job.engine, Engine::TraceAbstraction | Engine::AbstractInterpretation);
    if job.certificate.is_some() && inlines {
        // The other engines prove the program with its calls inlined, which a certificate file does not describe.
        return Err(BadInput::CertificateElsewhere);
    }
    let property = match read_property(job)? {
        Ok(property) => property,
        Err(unsupported) => {
            println!("UNKNOWN (unsupported: {unsupported})");
            return Ok(Exit::Unknown);
        }
    };
    let report = Report::new(property, job.json, job.stats);
    let budget = Budget::unlimited();
    let limits = Limits { time: job.timeout, memory: job.memory.map(|mb| mb << 20) };
    let last_word = report.clone();
    let watchdog = budget.watch(limits, GRACE, move |limit| last_word.overrun(limit));
    let on_signal = budget.clone();
    // Without a handler Ctrl-C still ends the process, only without a verdict line.
    let _ = ctrlc::set_handler(move || on_signal.trip(Limit::Cancelled));
    let loaded = match source::load(&job.file, c_options(job, property)) {
        Ok(loaded) => loaded,
        Err(error) => return error.exit(),
    };
    let answer = decide(job, &loaded, &budget, &report);
    drop(watchdog);
    Ok(report.finish(&loaded, answer?))
}

/// What the C front end has to know.
fn c_options(job: &Verify, property: Property) -> c::Options {
    c::Options {
        data_model: match job.data_model {
            DataModel::Ilp32 => c::DataModel::Ilp32,
            DataModel::Lp64 => c::DataModel::Lp64,
        },
        property: match property {
            Property::Assert => c::Property::Assert,
            Property::UnreachCall => c::Property::UnreachCall,
            Property::UnreachLabel => c::Property::UnreachLabel,
            Property::NoOverflow => c::Property::NoOverflow,
        },
        ..c::Options::default()
    }
}

fn read_property(job: &Verify) -> Result<Result<Property, String>, BadInput> {
    let Some(path) = &job.spec else { return Ok(Ok(Property::Assert)) };
    match property::parse(&input::read_program(path)?) {
        Ok(property) => Ok(Ok(property)),
        Err(PropertyError::Unsupported(what)) => Ok(Err(what)),
        Err(PropertyError::Malformed) => Err(BadInput::NoProperty(path.clone())),
    }
}

/// The verdict, certified.
fn decide(job: &Verify, loaded: &Loaded, budget: &Budget, report: &Report) -> Result<Answer, BadInput> {
    let mut terms = Terms::new();
    let mut single = match program::build(&loaded.program, &mut terms) {
        Ok(program) => program,
        Err(diagnostic) => {
            let place = loaded.sources.place(diagnostic.span);
            let what = format!("{} at {place}", diagnostic.message);
            return Ok(Answer::Unknown(Reason::Unsupported(what)));
        }
    };
    program::trim::trim(&mut single);
    let single = match job.engine.prepare(single, &mut terms) {
        Ok(prepared) => prepared,
        Err(reason) => return Ok(Answer::Unknown(reason)),
    };
    let (solvers, cross_check) = match solvers(job, budget) {
        Ok(made) => made,
        Err(why) => return Ok(Answer::Internal(why)),
    };
    let answer = decide_with(job, loaded, &single, &mut terms, (&solvers, budget), report)?;
    Ok(match cross_check.map(|second| second.disagreements()) {
        Some(disagreements) if !disagreements.is_empty() => {
            Answer::Internal(format!("solvers disagree: {}", disagreements.join("; ")))
        }
        _ => answer,
    })
}

/// The sessions of a run, and the second solver if there is one.
fn solvers(job: &Verify, budget: &Budget) -> Result<(Solvers, Option<CrossCheck>), String> {
    let mut solvers = Solvers::new(budget);
    if let Some(folder) = job.dump_queries.clone() {
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        solvers = solvers.with_query_log(QuerySink::new(move |name, script| {
            if let Err(error) = std::fs::write(folder.join(name), script) {
                eprintln!("unreach: {}: {error}", folder.join(name).display());
            }
        }));
    }
    let Some(command) = &job.cross_check else { return Ok((solvers, None)) };
    let second = ProcessSession::new(ProcessOptions::command(command), budget);
    let cross_check = CrossCheck::new(second);
    Ok((solvers.with_cross_check(cross_check.clone()), Some(cross_check)))
}

/// The verdict of the chosen engine, certified.
fn decide_with(
    job: &Verify,
    loaded: &Loaded,
    single: &Program,
    terms: &mut Terms,
    (solvers, budget): (&Solvers, &Budget),
    report: &Report,
) -> Result<Answer, BadInput> {
    let blocks = program::blocks::compose(single, job.blocks.into(), terms);
    let verdict = match job.engine {
        Engine::Leaping => {
            let errors: Vec<program::Error> = single.errors.keys().collect();
            let (verdict, counted) =
                engine::leaping((single, &blocks.program), &errors, terms, solvers, budget);
            report.statistics(&counted.text.iter().map(String::as_str).collect::<Vec<_>>());
            verdict
        }
        Engine::Search => {
            let (verdict, counted) = engine::search(&loaded.program, single, u64::MAX, budget);
            report.statistics(&counted.text.iter().map(String::as_str).collect::<Vec<_>>());
            verdict
        }
        Engine::TraceAbstraction => {
            trace_abstraction(job, (single, &blocks.program), terms, (solvers, budget), report)
        }
        Engine::AbstractInterpretation => {
            let programs = (single, &blocks.program);
            let (verdict, counted) =
                engine::abstract_interpretation(programs, &loaded.sources, terms, solvers, budget);
            report.statistics(&counted.text.iter().map(String::as_str).collect::<Vec<_>>());
            verdict
        }
        Engine::Kojak | Engine::Impact | Engine::PredicateAbstraction | Engine::Horn => {
            let (verdict, counted) = other_engine(job, &blocks.program, terms, solvers, budget);
            report.statistics(&counted.text.iter().map(String::as_str).collect::<Vec<_>>());
            verdict
        }
    };
    Ok(match verdict {
        Ok(Verdict::Safe(proof)) => {
            let certificate = match certified(single, &blocks, &proof, terms, solvers, budget) {
                Ok(certificate) => certificate,
                Err(answer) => return Ok(answer),
            };
            if let Some(path) = &job.certificate {
                let text = certify::format::write(&loaded.program, &certificate, terms);
                std::fs::write(path, text).map_err(|error| BadInput::Unwritable(path.clone(), error))?;
            }
            let invariants =
                proof_report::invariants(&loaded.program, single, &blocks, &proof, terms, budget);
            // The verdict stands; without time there is only less of it to be shown.
            Answer::Safe(invariants.unwrap_or_default())
        }
        Ok(Verdict::Unsafe(counterexample)) => {
            replayed(&loaded.program, &blocks.program, &counterexample, terms, budget)
        }
        Ok(Verdict::Run(run)) => confirmed(certify::rerun(&loaded.program, &run, budget)),
        Ok(Verdict::Leaps(evidence)) => {
            let programs = Programs { source: &loaded.program, single, blocks: &blocks.program };
            leaps::accepted(&programs, &evidence, terms, (solvers, budget))
        }
        Ok(Verdict::Unknown(reason)) => Answer::Unknown(reason),
        Err(Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
    })
}

fn other_engine(
    job: &Verify,
    program: &Program,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> (Result<Verdict, Interrupted>, engine::Counted) {
    match job.engine {
        Engine::Kojak => engine::kojak(program, engine::interpolation(job), terms, solvers, budget),
        Engine::Horn => engine::horn(program, terms, solvers, budget),
        Engine::Impact => engine::impact(program, engine::interpolation(job), terms, solvers, budget),
        _ => engine::predicate_abstraction(program, job, terms, solvers, budget),
    }
}

fn trace_abstraction(
    job: &Verify,
    (single, program): (&Program, &Program),
    terms: &mut Terms,
    (solvers, budget): (&Solvers, &Budget),
    report: &Report,
) -> Result<Verdict, Interrupted> {
    let options = Options {
        interpolation: engine::interpolation(job),
        generalisation: match job.generalisation {
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
        let options = leaping::Options { most_queries: 4_000, ..leaping::Options::default() };
        leaping::find(context, single, &[error], &options, &mut leaps)
    };
    let mut engine = TraceAbstraction::new(&mut context, options, &mut observe);
    engine.on_repetition(&mut leap);
    let verdict = engine.run();
    let (counted, interpolation) = (engine.statistics, *engine.interpolation_statistics());
    report.statistics(&[
        &counted.to_string(),
        &interpolation.to_string(),
        &leaps.to_string(),
        &context.checker.statistics.to_string(),
    ]);
    verdict
}

/// A proof counts only if the independent check accepts it.
pub(super) fn certified(
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

pub(super) fn refused(refusal: &Refusal) -> Answer {
    match refusal {
        Refusal::Interrupted(Interrupted(limit)) => Answer::Unknown(Reason::Limit(*limit)),
        Refusal::Undecided(..) => Answer::Unknown(Reason::NotConfirmed(refusal.to_string())),
        _ => Answer::Internal(format!("the proof was refused: {refusal}")),
    }
}

/// A counterexample counts only if the interpreter fails on it.
pub(super) fn replayed(
    source: &ir::Program,
    program: &Program,
    counterexample: &Counterexample,
    terms: &mut Terms,
    budget: &Budget,
) -> Answer {
    confirmed(certify::replay(source, program, counterexample, terms, budget))
}

/// What the interpreter says to a counterexample.
pub(super) fn confirmed(execution: Result<Execution, NotReplayed>) -> Answer {
    match execution {
        Ok(execution) => Answer::Unsafe(Box::new(execution)),
        Err(NotReplayed::Interrupted(Interrupted(limit))) => Answer::Unknown(Reason::Limit(limit)),
        Err(NotReplayed::Axiom(_)) => {
            Answer::Unknown(Reason::NotReplayed("an axiom cannot be evaluated".to_owned()))
        }
        Err(NotReplayed::Outcome(why) | NotReplayed::Value(why)) => Answer::Unknown(Reason::NotReplayed(why)),
    }
}
