//! All engines on all of the project's own programs: no two of them may disagree, and what is known must be answered.
//!
//! A program is unsafe if its name ends with `_bug` or its text expects it, every other one is safe.

#![allow(clippy::disallowed_methods, reason = "the test lists its programs")]

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The engines, with the options that choose between variants of them.
const ENGINES: &[&[&str]] = &[
    &["--engine", "trace-abstraction"],
    &["--engine", "kojak"],
    &["--engine", "kojak", "--blocks", "straight"],
    &["--engine", "impact"],
    &["--engine", "impact", "--blocks", "straight"],
    &["--engine", "predicate-abstraction"],
    &["--engine", "predicate-abstraction", "--abstraction", "boolean"],
    &["--engine", "horn"],
];

/// The engines that only prove, or do not follow every loop to its end.
const PROVERS: &[&[&str]] = &[
    &["--engine", "abstract-interpretation"],
    &["--engine", "guessing"],
    &["--engine", "quantified"],
    &["--engine", "bounded"],
];

/// Long enough for what an engine solves at all, also on a busy machine.
const PATIENT: &[&str] = &["--timeout", "120"];
/// Long enough for an engine to show a wrong answer, short enough to try all.
const BRIEF: &[&str] = &["--timeout", "1"];

/// The first line of the output.
fn verdict(options: &[&str], limit: &[&str], program: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .arg("verify")
        .args(options)
        .args(limit)
        .arg(program)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().next().unwrap_or_default().to_owned()
}

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs: Vec<PathBuf> = ["../../examples", "tests/programs"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("the folder is there"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "bpl"))
        .collect();
    programs.sort();
    assert!(programs.len() > 10, "some programs are missing");
    programs
}

fn name(program: &Path) -> String {
    program.file_stem().expect("a file").to_string_lossy().into_owned()
}

#[test]
fn engines_agree_on_all_programs() {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let programs = programs();
    let work = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.lock().expect("no panic").extend(wrong_answers(program));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What engines say about a program that cannot be.
fn wrong_answers(program: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(program).expect("the program is readable");
    let unsafe_program = name(program).ends_with("_bug") || text.contains("//@ verdict: unsafe");
    // A program whose verdict is "unknown" for a good reason must get no other one.
    let unknown = text.contains("//@ verdict: unknown");
    let mut wrong = Vec::new();
    for options in ENGINES.iter().chain(PROVERS) {
        let said = verdict(options, BRIEF, program);
        let conflict = match unsafe_program {
            true => said == "TRUE",
            false => said.starts_with("FALSE") || unknown && said == "TRUE",
        };
        let answered = said == "TRUE" || said.starts_with("FALSE") || said.starts_with("UNKNOWN (");
        if conflict || !answered {
            wrong.push(format!("{} with {options:?}: {said}", program.display()));
        }
    }
    wrong
}

/// With large blocks every engine finds and replays the execution of every buggy program without recursion.
#[test]
fn every_engine_finds_every_bug() {
    for program in programs() {
        let name = name(&program);
        if !name.ends_with("_bug") || name.starts_with("mccarthy91") {
            continue;
        }
        for options in ENGINES.iter().filter(|options| !options.contains(&"straight")) {
            assert_eq!(verdict(options, PATIENT, &program), "FALSE(assert)", "{name} with {options:?}");
        }
    }
}

/// What static analysis proves by itself, and what it says where it does not.
#[test]
fn abstract_interpretation_proves_or_names_the_assertion() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let said = |name: &str| verdict(PROVERS[0], PATIENT, &examples.join(name));
    assert_eq!(said("two_errors.bpl"), "TRUE");
    assert_eq!(said("trace_partitioning.bpl"), "TRUE");
    let unknown = said("disjoint_arguments.bpl");
    assert!(unknown.starts_with("UNKNOWN (the facts found do not show the assertion at "), "{unknown}");
    assert!(unknown.ends_with("disjoint_arguments.bpl:10:5)"), "{unknown}");
}

#[test]
fn engines_without_recursion_say_so() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mccarthy91.bpl");
    for engine in ["kojak", "impact"] {
        let said = verdict(&["--engine", engine], PATIENT, &program);
        assert_eq!(said, format!("UNKNOWN (recursion is not supported by {engine})"));
    }
    assert_eq!(verdict(&["--engine", "predicate-abstraction"], PATIENT, &program), "TRUE");
}

/// Inlining keeps apart what belongs to different calls.
#[test]
fn calls_are_inlined() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/calls.bpl");
    for engine in ["kojak", "impact"] {
        assert_eq!(verdict(&["--engine", engine], PATIENT, &program), "TRUE");
    }
}

/// Traces of single steps that are linear are proven without a Horn solver, calls and returns included.
#[test]
fn farkas_certificates_prove_linear_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    for program in ["ex2", "ex3", "nested_loops", "recursion_sum"] {
        let options = ["--engine", "trace-abstraction", "--blocks", "single", "--interpolation", "farkas"];
        assert_eq!(
            verdict(&options, PATIENT, &folder.join(program).with_extension("bpl")),
            "TRUE",
            "{program}"
        );
    }
}

/// What nobody reaches is dropped by engines and by the checker alike.
#[test]
fn calls_that_never_return_are_proven_by_every_engine_with_inlining() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/call_that_never_returns.bpl");
    for engine in ["trace-abstraction", "kojak", "impact"] {
        assert_eq!(verdict(&["--engine", engine], PATIENT, &program), "TRUE", "{engine}");
    }
}
