//! Random programs with threads: the verdict against all interleavings.

use super::interleavings::{self, Rules, Truth};
use super::{number, thread_generator, verdict};
use crate::support::compile;
use engines::Engine;
use engines::table::{PROOF_SPACES, THREAD_MODULAR};
use unreach::{Inlining, Plan};

/// How much work a program is worth, in rounds of the plan.
const ROUNDS: u32 = 8;

#[test]
fn verdicts_of_threads_are_true() {
    compare(thread_generator::program, 60, Mix::Even);
}

#[test]
fn verdicts_about_races_and_deadlocks_are_true() {
    compare(thread_generator::watched, 40, Mix::Any);
}

#[test]
fn verdicts_of_recursion_in_threads_are_true() {
    compare(thread_generator::recursive, 30, Mix::Any);
}

#[test]
fn what_is_proven_about_any_number_of_threads_is_true() {
    proofs_by(THREAD_MODULAR);
}

#[test]
fn what_proof_spaces_prove_is_true() {
    proofs_by(PROOF_SPACES);
}

/// What an engine proves about any number of threads, against all interleavings.
fn proofs_by(engine: &'static Engine) {
    let start = number("UNREACH_RANDOM_START", 0);
    let count = number("UNREACH_RANDOM_PROGRAMS", 25);
    let plan = Plan::only(engine, Inlining::Never).with_rounds(ROUNDS);
    let (mut proven, mut failing) = (0, 0);
    let mut wrong = Vec::new();
    for seed in start..start + count {
        let text = thread_generator::program(seed);
        // Interleavings are followed with two values.
        let text = text.replace("havoc m;", "havoc m; assume m == 0 || m == 1;");
        let truth = interleavings::run_by(&compile(&text).expect("a program"), Rules::Threads);
        failing += u64::from(truth == Truth::Unsafe);
        match verdict(&text, &plan) {
            Ok(Some(super::Truth::Safe)) if truth == Truth::Unsafe => {
                wrong.push(format!("{seed}: proven, but unsafe\n{text}"));
            }
            Ok(answer) => proven += u64::from(answer == Some(super::Truth::Safe)),
            Err(what) => wrong.push(format!("{seed}: {what}\n{text}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(proven * 10 > count && failing * 10 > count, "a poor mix: {proven} proven, {failing} failing");
}

/// How many programs have to be safe, and how many not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mix {
    /// An eighth each.
    Even,
    /// Some.
    Any,
}

fn compare(program: fn(u64) -> String, usual: u64, mix: Mix) {
    let start = number("UNREACH_RANDOM_START", 0);
    let count = number("UNREACH_RANDOM_PROGRAMS", usual);
    let plan = Plan::default().with_rounds(ROUNDS);
    let (mut safe, mut failing, mut unknown) = (0, 0, Vec::new());
    let mut wrong = Vec::new();
    for seed in start..start + count {
        // Interleavings are followed with these two values.
        let text = program(seed).replace("havoc m;", "havoc m; assume m == 0 || m == 1;");
        let truth = match interleavings::run_by(&compile(&text).expect("a program"), Rules::Threads) {
            Truth::Safe => super::Truth::Safe,
            Truth::Unsafe => super::Truth::Unsafe,
            Truth::Marked | Truth::TooLarge => continue,
        };
        match truth {
            super::Truth::Safe => safe += 1,
            _ => failing += 1,
        }
        match verdict(&text, &plan) {
            Ok(Some(answer)) if answer == truth => {}
            Ok(Some(answer)) => wrong.push(format!("{seed}: {answer:?} instead of {truth:?}\n{text}")),
            Ok(None) => unknown.push(seed),
            Err(what) => wrong.push(format!("{seed}: {what}\n{text}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong of {count}:\n{}", wrong.len(), wrong.join("\n"));
    let figures = format!("{safe} safe, {failing} unsafe, unknown: {unknown:?}");
    assert!(unknown.len() as u64 * 10 <= count, "too many are not decided: {figures}");
    let least = if mix == Mix::Even { count / 8 } else { 0 };
    assert!(safe > least && failing > least, "a poor mix: {figures}");
}
