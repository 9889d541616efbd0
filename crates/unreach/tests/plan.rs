//! The plan, which is what `verify` does when no engine is chosen.

#![allow(clippy::disallowed_methods, reason = "the test lists its programs")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn unreach(arguments: &[&str], program: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .arg("verify")
        .args(arguments)
        .arg(program)
        .output()
        .expect("the binary runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("bpl")
}

/// Who wins the race depends on the work of the engines and not on their speed, so the evidence is always the same.
#[test]
fn two_runs_give_the_same_verdict_and_the_same_evidence() {
    for name in ["calls", "ex1", "loop_deep_bug", "mccarthy91", "running_example_bug", "several_loops"] {
        let first = unreach(&[], &program(name));
        assert!(first.starts_with("TRUE") || first.starts_with("FALSE"), "{name}: {first}");
        assert_eq!(first, unreach(&[], &program(name)), "{name}");
    }
}

/// Each of these is out of reach for one of the engines of the plan.
#[test]
fn engines_complement_each_other() {
    // The bug is a few concrete runs away, but no error trace shorter than its loop is feasible.
    assert!(unreach(&["--engine", "search"], &program("loop_deep_bug")).starts_with("FALSE"));
    // Search never proves anything.
    assert!(unreach(&["--engine", "search", "--timeout", "1"], &program("ex1")).starts_with("UNKNOWN"));
    // One has an invariant of degree two, the other one with two cases.
    for name in ["sum_of_numbers", "two_phases"] {
        assert!(unreach(&["--engine", "guessing"], &program(name)).starts_with("TRUE"), "{name}");
    }
    for (name, verdict) in [("loop_deep_bug", "FALSE"), ("ex1", "TRUE"), ("recursion_sum", "TRUE")] {
        assert!(unreach(&[], &program(name)).starts_with(verdict), "{name}");
    }
}

/// Whoever is left out does not answer.
#[test]
fn the_plan_does_without_an_engine() {
    let answer = |without: &[&str]| -> serde_json::Value {
        let arguments = without.iter().flat_map(|engine| ["--without", engine]);
        let arguments: Vec<&str> = std::iter::once("--json").chain(arguments).collect();
        serde_json::from_str(&unreach(&arguments, &program("ex1"))).expect("JSON")
    };
    let first = answer(&[]);
    let engine = first["engine"].as_str().expect("the answer is somebody's");
    let second = answer(&[engine]);
    assert_eq!(first["verdict"], second["verdict"]);
    assert_ne!(first["engine"], second["engine"]);
}

/// A reason is only given when every engine has given up, and it is the one of the engine that knows most.
#[test]
fn what_the_program_leaves_open_is_unknown() {
    let said = unreach(&[], &program("overapproximation"));
    assert!(said.starts_with("UNKNOWN (an error is only reachable through"), "{said}");
}
