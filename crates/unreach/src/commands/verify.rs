//! `unreach verify`: from a program to a verdict with evidence.
//!
//! The way: source → `ir` → program automaton → blocks → engine → certificate or replayed execution → report.

use crate::arguments::{Engine, GeneralisationKind, Verify};
use crate::engine;
use crate::input::{self, BadInput};
use crate::outcome::Exit;
use crate::property::{self, Property, PropertyError};
use crate::report::{Answer, Report, proof as proof_report};
use crate::source::{self, Loaded};
use base::budget::Limits;
use base::{Budget, Interrupted, Limit};
use certify::{Certificate, NotReplayed};
use engines::context::Context;
use engines::trace_abstraction::{Generalisation, Options, TraceAbstraction};
use logic::Terms;
use program::{Blocks, Counterexample, Program, Reason, Verdict};
use smt::z3::Z3;
use std::time::Duration;

/// How long a run may take to come back by itself after a limit.
const GRACE: Duration = Duration::from_millis(300);

pub(crate) fn run(job: &Verify) -> Result<Exit, BadInput> {
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
    let loaded = match source::load(&job.file) {
        Ok(loaded) => loaded,
        Err(error) => return error.exit(),
    };
    let answer = decide(job, &loaded, &budget, &report);
    drop(watchdog);
    Ok(report.finish(&loaded, answer))
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
fn decide(job: &Verify, loaded: &Loaded, budget: &Budget, report: &Report) -> Answer {
    let mut terms = Terms::new();
    let mut single = match program::build(&loaded.program, &mut terms) {
        Ok(program) => program,
        Err(diagnostic) => {
            let place = loaded.sources.place(diagnostic.span);
            return Answer::Unknown(Reason::Unsupported(format!("{} at {place}", diagnostic.message)));
        }
    };
    program::trim::trim(&mut single);
    let single = match job.engine.prepare(single, &mut terms) {
        Ok(prepared) => prepared,
        Err(reason) => return Answer::Unknown(reason),
    };
    let blocks = program::blocks::compose(&single, job.blocks.into(), &mut terms);
    let solvers = Z3::new(budget);
    let verdict = match job.engine {
        Engine::TraceAbstraction => {
            trace_abstraction(job, &blocks.program, &mut terms, &solvers, budget, report)
        }
        Engine::Kojak | Engine::Impact | Engine::PredicateAbstraction => {
            let (verdict, counted) = other_engine(job, &blocks.program, &mut terms, &solvers, budget);
            report.statistics(&counted.text.iter().map(String::as_str).collect::<Vec<_>>());
            verdict
        }
    };
    match verdict {
        Ok(Verdict::Safe(proof)) => {
            match certified(&single, &blocks, &proof, &mut terms, &solvers, budget) {
                // The verdict stands, even if there is no time left to show more of the proof.
                Answer::Safe(_) => {
                    let shown = proof_report::invariants(
                        &loaded.program,
                        &single,
                        &blocks,
                        &proof,
                        &mut terms,
                        budget,
                    );
                    Answer::Safe(shown.unwrap_or_default())
                }
                other => other,
            }
        }
        Ok(Verdict::Unsafe(counterexample)) => {
            replayed(&loaded.program, &blocks.program, &counterexample, &mut terms, budget)
        }
        Ok(Verdict::Unknown(reason)) => Answer::Unknown(reason),
        Err(Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
    }
}

fn other_engine(
    job: &Verify,
    program: &Program,
    terms: &mut Terms,
    solvers: &Z3,
    budget: &Budget,
) -> (Result<Verdict, Interrupted>, engine::Counted) {
    match job.engine {
        Engine::Kojak => engine::kojak(program, engine::interpolation(job), terms, solvers, budget),
        Engine::Impact => engine::impact(program, engine::interpolation(job), terms, solvers, budget),
        _ => engine::predicate_abstraction(program, job, terms, solvers, budget),
    }
}

fn trace_abstraction(
    job: &Verify,
    program: &Program,
    terms: &mut Terms,
    solvers: &Z3,
    budget: &Budget,
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
    let mut engine = TraceAbstraction::new(&mut context, options, &mut observe);
    let verdict = engine.run();
    let (counted, interpolation) = (engine.statistics, *engine.interpolation_statistics());
    report.statistics(&[
        &counted.to_string(),
        &interpolation.to_string(),
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
    solvers: &Z3,
    budget: &Budget,
) -> Answer {
    let certificate = Certificate::of_proof(blocks, proof);
    match certify::check_proof(single, &certificate, terms, &mut solvers.session(), budget) {
        Ok(()) => Answer::Safe(Vec::new()),
        Err(certify::Refusal::Interrupted(Interrupted(limit))) => Answer::Unknown(Reason::Limit(limit)),
        Err(refusal) => Answer::Internal(format!("the proof was refused: {refusal}")),
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
    match certify::replay(source, program, counterexample, terms, budget) {
        Ok(execution) => Answer::Unsafe(Box::new(execution)),
        Err(NotReplayed::Interrupted(Interrupted(limit))) => Answer::Unknown(Reason::Limit(limit)),
        Err(NotReplayed::Axiom(_)) => {
            Answer::Unknown(Reason::NotReplayed("an axiom cannot be evaluated".to_owned()))
        }
        Err(NotReplayed::Outcome(why) | NotReplayed::Value(why)) => Answer::Unknown(Reason::NotReplayed(why)),
    }
}
