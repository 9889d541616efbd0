//! Random programs: the verdict against the truth, which is found by running them in all ways.
//!
//! `UNREACH_RANDOM_PROGRAMS=N` runs N programs instead of the usual number, `UNREACH_RANDOM_START=S` begins with program
//! S. A disagreement shows the program.

#![allow(clippy::disallowed_methods, reason = "the test can be asked for more programs")]

mod arrays;
mod enumerate;
mod generate;
mod odometer;
#[path = "../support/mod.rs"]
mod support;
mod traces;

use base::Budget;
use base::budget::Limits;
use engines::context::Context;
use engines::floyd_hoare::from_facts::Outcome;
use engines::quantified::{QuantifiedStatistics, quantified};
use enumerate::{Truth, truth};
use program::Verdict;
use std::time::Duration;
use support::Job;

/// What the verifier says, certified: `None` is "unknown".
fn verdict(text: &str) -> Result<Option<Truth>, String> {
    let mut job = Job::new(text);
    let limits = Limits { time: Some(Duration::from_secs(10)), memory: None };
    let budget: Budget = job.budget.clone();
    let _watchdog = budget.watch(limits, Duration::from_secs(600), |_| {});
    match job.verdict() {
        Ok(Verdict::Safe(proof)) => {
            let certificate = job.certificate(&proof);
            let mut solver = job.solvers.session();
            match certify::check_proof(&job.subject, &certificate, &mut job.terms, solver.as_mut(), &budget) {
                Ok(_) => Ok(Some(Truth::Safe)),
                Err(certify::Refusal::Interrupted(_)) => Ok(None),
                Err(refusal) => Err(format!("the proof is refused: {refusal}")),
            }
        }
        Ok(Verdict::Unsafe(counterexample)) => {
            let program = &job.blocks.program;
            match certify::replay(&job.source, program, &counterexample, &mut job.terms, &budget) {
                Ok(_) => Ok(Some(Truth::Unsafe)),
                Err(why) => Err(format!("the counterexample cannot be replayed: {why:?}")),
            }
        }
        Ok(_) | Err(_) => Ok(None),
    }
}

/// Whether invariants about arrays prove a program, certified.
fn proven_by_arrays(text: &str) -> Result<bool, String> {
    let mut job = Job::new(text);
    let budget = job.budget.clone();
    let limits = Limits { time: Some(Duration::from_secs(10)), memory: None };
    let _watchdog = budget.watch(limits, Duration::from_secs(600), |_| {});
    let mut context = Context::new(&job.blocks.program, &mut job.terms, &job.solvers, budget.clone());
    let precision = engines::context::precision(&job.single);
    let outcome = quantified(&mut context, &job.single, precision, &mut QuantifiedStatistics::default());
    drop(context);
    let Ok(Outcome::Proven(proof)) = outcome else { return Ok(false) };
    let certificate = job.certificate(&proof);
    let mut solver = job.solvers.session();
    match certify::check_proof(&job.subject, &certificate, &mut job.terms, solver.as_mut(), &budget) {
        Ok(_) => Ok(true),
        Err(certify::Refusal::Interrupted(_) | certify::Refusal::Undecided(..)) => Ok(false),
        Err(refusal) => Err(format!("the proof is refused: {refusal}")),
    }
}

#[test]
fn what_is_proven_about_arrays_is_true() {
    let start = number("UNREACH_RANDOM_START", 0);
    let count = number("UNREACH_RANDOM_PROGRAMS", 150);
    let (mut proven, mut failing) = (0, 0);
    let mut wrong = Vec::new();
    for seed in start..start + count {
        let text = arrays::program(seed);
        let truth = truth(&Job::new(&text).source);
        failing += u64::from(truth == Truth::Unsafe);
        match proven_by_arrays(&text) {
            Ok(true) if truth == Truth::Unsafe => wrong.push(format!("{seed}: proven, but unsafe\n{text}")),
            Ok(shown) => proven += u64::from(shown),
            Err(what) => wrong.push(format!("{seed}: {what}\n{text}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(proven * 20 > count && failing * 4 > count, "a poor mix: {proven} proven, {failing} failing");
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn verdicts_are_true() {
    let start = number("UNREACH_RANDOM_START", 0);
    let count = number("UNREACH_RANDOM_PROGRAMS", 300);
    let (mut safe, mut failing, mut unknown, mut skipped) = (0, 0, Vec::new(), 0);
    let mut wrong = Vec::new();
    for seed in start..start + count {
        let text = generate::program(seed);
        let truth = truth(&Job::new(&text).source);
        match truth {
            Truth::Safe => safe += 1,
            Truth::Unsafe => failing += 1,
            Truth::TooLarge => {
                skipped += 1;
                continue;
            }
        }
        match verdict(&text) {
            Ok(Some(answer)) if answer == truth => {}
            Ok(None) => unknown.push(seed),
            Ok(Some(answer)) => wrong.push(format!("{seed}: {answer:?} instead of {truth:?}\n{text}")),
            Err(what) => wrong.push(format!("{seed}: {what}\n{text}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong of {count}:\n{}", wrong.len(), wrong.join("\n"));
    let figures = format!("{safe} safe, {failing} unsafe, {skipped} too large, unknown: {unknown:?}");
    assert!(unknown.len() as u64 * 20 <= count, "too many are not decided: {figures}");
    assert!(safe * 10 > count && failing * 10 > count && skipped * 10 < count, "a poor mix: {figures}");
}
