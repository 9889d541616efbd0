//! The farm: tests that can run for ever, each on programs or texts that a number determines.
//!
//! | farm | what is made | what must hold |
//! |---|---|---|
//! | `readers` | texts of every kind that the tool reads, broken in a few places | nobody panics |
//! | `bred` | the same, and texts that got a new kind of answer are broken again | nobody panics |
//! | `programs` | random Boogie programs, changed in ways that keep their meaning, and perhaps in one operator or number | the verdict of the plan or of one engine is the one that all executions show |
//! | `many` | the same programs by the hundred thousand, for engines that are quick | the same |
//! | `neighbours` | programs of this project's own tests with one operator or number changed | no two engines contradict each other, and nobody panics |
//! | `certificates` | certificates, broken in a few places, for an unsafe program | none is accepted |
//! | `csmith` | programs of Csmith, where it is installed | the verdicts are what the compiled program computes |
//! | `witnesses` | witnesses, broken in a few places, for a program with the opposite verdict | none is confirmed |
//!
//! A few seeds of each run with all other tests. `cargo xtask soak` runs them by the million, in slices; then
//! `UNREACH_SOAK_START` and `UNREACH_SOAK_COUNT` say which. What a farm finds is made small by [`reduce`] before it is told, and
//! stays in `corpus` when it is mended.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the test reads its samples and tells how far it is"
)]

mod certificates;
mod csmith;
#[path = "../random/enumerate.rs"]
mod enumerate;
#[path = "../random/generate.rs"]
mod generate;
mod mutate;
mod neighbours;
#[path = "../random/odometer.rs"]
mod odometer;
mod programs;
mod read;
mod readers;
mod reduce;
mod same_meaning;
#[path = "../support/mod.rs"]
mod support;
mod witnesses;

use enumerate::Truth;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use unreach::{Answer, Budget, Plan, Problem, Silent, verify};

/// The seeds of this run: a few if nobody says otherwise.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let start = number("UNREACH_SOAK_START").unwrap_or(0);
    start..start + number("UNREACH_SOAK_COUNT").unwrap_or(usual)
}

/// What the verifier says: nothing is "unknown". A panic and an internal error are findings.
fn decide(problem: &Problem, plan: &Plan) -> Result<Option<Truth>, String> {
    let decided =
        catch_unwind(AssertUnwindSafe(|| verify(problem, plan, &Budget::unlimited(), Arc::new(Silent))));
    match decided {
        Ok(Ok(decision)) => Ok(match decision.answer {
            Answer::Safe(_) => Some(Truth::Safe),
            Answer::Unsafe(_) | Answer::Leaps(_) => Some(Truth::Unsafe),
            Answer::Unknown(_) | Answer::Terminates(_) | Answer::Infinite(_) => None,
        }),
        // A program with mistakes is no finding.
        Ok(Err(unreach::Failure::Internal(what))) => Err(format!("internal error: {what}")),
        Ok(Err(_)) => Ok(None),
        Err(panic) => Err(format!("panic: {}", words_of_panic(panic.as_ref()))),
    }
}

fn words_of_panic(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without words".to_owned())
}

/// Ends a farm: nothing may have been found.
fn report(farm: &str, made: usize, found: &[String]) {
    eprintln!("{farm}: {made} tried, {} found", found.len());
    assert!(found.is_empty(), "{} found:\n{}", found.len(), found.join("\n\n"));
}

/// The files of a folder of this repository with an ending, by name.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}
