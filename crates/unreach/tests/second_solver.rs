//! The examples' certificates, checked by another solver. Where cvc5 is not installed, the test says so and does nothing.

#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "the test prepares its files")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The command of the second solver.
const SOLVER: &str = "cvc5 --lang smt2 --incremental --quiet";

fn unreach(arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_unreach")).args(arguments).output().expect("the binary runs");
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

fn is_installed() -> bool {
    Command::new("cvc5").arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn certificates_convince_a_second_solver() {
    if !is_installed() {
        eprintln!("cvc5 is not installed: certificates were not checked by a second solver");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "bpl"))
        .collect();
    programs.sort();
    let (mut accepted, mut undecided) = (0, Vec::new());
    for program in &programs {
        let name = program.display().to_string();
        let stem = program.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let certificate = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("second_{stem}.json"));
        let certificate = certificate.display().to_string();
        if unreach(&["verify", "--certificate", &certificate, &name]) != "TRUE" {
            continue;
        }
        match unreach(&["certify", "--solver", SOLVER, &certificate, &name]).as_str() {
            "ACCEPTED" => accepted += 1,
            answer if answer.starts_with("UNKNOWN") => undecided.push(stem.to_owned()),
            answer => panic!("{stem}: {answer}"),
        }
    }
    // What one solver proves, another may not be able to; but it must not be most of it.
    assert!(accepted > undecided.len(), "{accepted} accepted, undecided: {undecided:?}");
}
