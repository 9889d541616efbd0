//! Random programs: the verdict against the truth, which is found by running them in all ways.
//!
//! `UNREACH_RANDOM_PROGRAMS=N` runs N programs instead of the usual number, `UNREACH_RANDOM_START=S` begins with program
//! S, and `UNREACH_RANDOM_SECONDS=T` gives no program more than T seconds, for runs with thousands of them. A disagreement
//! shows the program.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the test can be asked for more programs, and tells how many were decided"
)]

mod arrays;
mod c;
#[path = "../../../c/tests/differential/generator.rs"]
mod c_generator;
#[path = "../../../c/tests/differential/memory_generator.rs"]
mod c_memory_generator;
#[path = "../../../c/tests/differential/record_generator.rs"]
mod c_record_generator;
mod enumerate;
mod generate;
#[path = "../../../threads/tests/random/interleavings.rs"]
mod interleavings;
mod memory_error_corners;
mod memory_error_programs;
mod memory_errors;
mod odometer;
#[path = "../support/mod.rs"]
mod support;
#[path = "../../../threads/tests/random/generator.rs"]
mod thread_generator;
mod threads;
mod traces;
#[path = "../../../threads/tests/random/values.rs"]
mod values;

use base::budget::Limits;
use engines::table::{QUANTIFIED, TRACE_ABSTRACTION};
use enumerate::{Truth, truth};
use std::sync::Arc;
use std::time::Duration;
use support::Job;
use unreach::{Answer, Budget, Inlining, Plan, Problem, Silent, verify};

/// How much work a program is worth, in rounds of the plan.
const ROUNDS: u32 = 11;

/// What the verifier says about a Boogie program.
fn verdict(text: &str, plan: &Plan) -> Result<Option<Truth>, String> {
    decide(&Problem::boogie("random.bpl", text), plan)
}

/// What the verifier says, certified: `None` is "unknown".
fn decide(problem: &Problem, plan: &Plan) -> Result<Option<Truth>, String> {
    let budget = Budget::unlimited();
    let limits = Limits { time: seconds().map(Duration::from_secs_f64), memory: None };
    let _watchdog = budget.watch(limits, Duration::MAX, |_| {});
    match verify(problem, plan, &budget, Arc::new(Silent)) {
        Ok(decision) => Ok(match decision.answer {
            Answer::Safe(_) => Some(Truth::Safe),
            Answer::Unsafe(_) | Answer::Leaps(_) => Some(Truth::Unsafe),
            Answer::Unknown(_) | Answer::Terminates(_) | Answer::Infinite(_) => None,
        }),
        Err(failure) => Err(format!("{failure:?}")),
    }
}

#[test]
fn what_is_proven_about_arrays_is_true() {
    let start = number("UNREACH_RANDOM_START", 0);
    let count = number("UNREACH_RANDOM_PROGRAMS", 150);
    let plan = Plan::only(QUANTIFIED, Inlining::IfSmall).with_rounds(ROUNDS);
    let (mut proven, mut failing) = (0, 0);
    let mut wrong = Vec::new();
    for seed in start..start + count {
        let text = arrays::program(seed);
        let truth = truth(&Job::new(&text).source);
        failing += u64::from(truth == Truth::Unsafe);
        match verdict(&text, &plan) {
            Ok(Some(Truth::Safe)) if truth == Truth::Unsafe => {
                wrong.push(format!("{seed}: proven, but unsafe\n{text}"));
            }
            Ok(answer) => proven += u64::from(answer == Some(Truth::Safe)),
            Err(what) => wrong.push(format!("{seed}: {what}\n{text}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(proven * 20 > count && failing * 4 > count, "a poor mix: {proven} proven, {failing} failing");
}

/// How long the verifier may think about a program, if that is limited at all.
fn seconds() -> Option<f64> {
    std::env::var("UNREACH_RANDOM_SECONDS").ok().map(|text| text.parse().expect("a number"))
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn verdicts_are_true() {
    let start = number("UNREACH_RANDOM_START", 0);
    let count = number("UNREACH_RANDOM_PROGRAMS", 300);
    let plan = Plan::default().with_rounds(ROUNDS);
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
        match verdict(&text, &plan) {
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

/// Where control that is kept in data is made into locations, proofs and traces are about the program as it is written.
#[test]
fn what_is_said_about_divided_programs_is_true() {
    let start = number("UNREACH_RANDOM_START", 0);
    let count = number("UNREACH_RANDOM_PROGRAMS", 200);
    let plan = Plan::only(TRACE_ABSTRACTION, Inlining::IfSmall).divided().with_rounds(ROUNDS);
    let (mut safe, mut failing) = (0, 0);
    let mut wrong = Vec::new();
    for seed in start..start + count {
        let text = generate::program(seed);
        let truth = truth(&Job::new(&text).source);
        match verdict(&text, &plan) {
            _ if truth == Truth::TooLarge => {}
            Ok(None) => {}
            Ok(Some(answer)) if answer == truth => {
                safe += u64::from(truth == Truth::Safe);
                failing += u64::from(truth == Truth::Unsafe);
            }
            Ok(Some(answer)) => wrong.push(format!("{seed}: {answer:?} instead of {truth:?}\n{text}")),
            Err(what) => wrong.push(format!("{seed}: {what}\n{text}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(safe * 20 > count && failing * 20 > count, "a poor mix: {safe} safe, {failing} unsafe");
}
