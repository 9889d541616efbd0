//! Certificates of proofs about any number of threads: written, accepted, and corrupted.

#![allow(clippy::disallowed_methods, reason = "the test prepares its files")]

use std::path::PathBuf;
use std::process::Command;

fn unreach(arguments: &[&str]) -> (Option<i32>, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_unreach")).args(arguments).output().expect("the binary runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

fn program(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    folder.join(name).with_extension("bpl").display().to_string()
}

fn own_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Writes the certificate of a program; its path and text.
fn certificate(name: &str) -> (PathBuf, String) {
    let path = own_file(&format!("{name}.json"));
    let written = path.display().to_string();
    let (code, said) = unreach(&["verify", "--certificate", &written, &program(name)]);
    assert_eq!((code, said.lines().next()), (Some(0), Some("TRUE")));
    let text = std::fs::read_to_string(&path).expect("the certificate was written");
    (path, text)
}

fn certify(path: &std::path::Path, name: &str) -> (Option<i32>, String) {
    unreach(&["certify", &path.display().to_string(), &program(name)])
}

#[test]
fn a_proof_about_any_number_of_threads_has_a_certificate() {
    let (path, text) = certificate("threads_any_number_lock");
    assert!(text.contains("any number"), "the proof is about any number of threads");
    assert_eq!(certify(&path, "threads_any_number_lock"), (Some(0), "ACCEPTED\n".to_owned()));
    let (code, said) = certify(&path, "threads_any_number_broken_lock");
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn a_corrupted_certificate_is_refused() {
    let (_, text) = certificate("threads_any_number_flag");
    let exchanges = [
        // Another number of tracked threads makes another program.
        ("\"threads that an invariant speaks of\":\"2\"", "\"threads that an invariant speaks of\":\"1\""),
        ("\"any number\"", "\"2\""),
        // Nobody has the flag before anybody has taken it.
        ("(not taken.now)", "taken.now"),
        ("(= owners.now 0)", "(= owners.now 1)"),
        // A place where a thread never is, or may be.
        ("(= thread1.at 1)", "(= thread1.at 2)"),
        ("(= thread2.at 0)", "(= thread2.at 1)"),
        ("(<= 0 owners.now)", "(<= 1 owners.now)"),
    ];
    let mut tried = 0;
    for (number, (there, instead)) in exchanges.into_iter().enumerate() {
        let corrupted = text.replace(there, instead);
        if corrupted == text {
            continue;
        }
        tried += 1;
        let path = own_file(&format!("corrupted_threads_{number}.json"));
        std::fs::write(&path, corrupted).expect("the folder is writable");
        let (code, said) = certify(&path, "threads_any_number_flag");
        assert!(code == Some(1) && said.starts_with("REFUSED"), "{there} as {instead}: {said}");
    }
    assert!(tried >= 4, "the certificate has other words: only {tried} were found");
}

#[test]
fn the_engine_for_any_number_of_threads_never_finds_errors() {
    for name in ["threads_any_number_stuck", "threads_any_number_round", "threads_any_number_broken_lock"] {
        let (code, said) = unreach(&["verify", "--engine", "thread-modular", &program(name)]);
        assert_eq!(code, Some(2), "{name}: {said}");
    }
}

#[test]
fn the_engine_for_any_number_of_threads_says_what_it_is_for() {
    let (code, said) = unreach(&["verify", "--engine", "thread-modular", &program("ex1")]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("any number of threads"), "{said}");
}

#[test]
fn conditions_inside_of_quantifiers_are_no_invariants_by_themselves() {
    let (code, said) =
        unreach(&["verify", "--engine", "thread-modular", &program("threads_with_a_quantifier")]);
    assert_eq!((code, said.lines().next()), (Some(0), Some("TRUE")));
}
