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
    certificate_by(&[], name)
}

/// Likewise, with more options.
fn certificate_by(options: &[&str], name: &str) -> (PathBuf, String) {
    let path = own_file(&format!("{name}{}.json", options.last().unwrap_or(&"")));
    let written = path.display().to_string();
    let file = program(name);
    let arguments = [&["verify", "--certificate", &written], options, &[&file]].concat();
    let (code, said) = unreach(&arguments);
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
fn a_proof_space_has_a_certificate_and_a_corrupted_one_is_refused() {
    let by_proof_spaces: &[&str] = &["--engine", "proof-spaces"];
    let (path, text) = certificate_by(by_proof_spaces, "threads_any_number_lock");
    assert_eq!(certify(&path, "threads_any_number_lock"), (Some(0), "ACCEPTED\n".to_owned()));
    let (code, said) = certify(&path, "threads_any_number_broken_lock");
    assert_eq!(code, Some(1), "{said}");
    let exchanges = [
        ("\"threads that an invariant speaks of\":\"2\"", "\"threads that an invariant speaks of\":\"1\""),
        // Other facts, and other places where they hold.
        ("(= lock.now 0)", "(= lock.now 1)"),
        ("(= lock.now 0)", "(= lock.now 2)"),
        ("(= thread1.at 1)", "(= thread1.at 3)"),
        ("(= thread1.at 2)", "(= thread1.at 1)"),
        ("(= thread2.at 3)", "(= thread2.at 1)"),
    ];
    let mut tried = 0;
    for (number, (there, instead)) in exchanges.into_iter().enumerate() {
        let corrupted = text.replace(there, instead);
        if corrupted == text {
            continue;
        }
        tried += 1;
        let path = own_file(&format!("corrupted_space_{number}.json"));
        std::fs::write(&path, corrupted).expect("the folder is writable");
        let (code, said) = certify(&path, "threads_any_number_lock");
        assert!(code == Some(1) && said.starts_with("REFUSED"), "{there} as {instead}: {said}");
    }
    assert!(tried >= 3, "the certificate has other words: only {tried} were found");
}

#[test]
fn a_proof_space_has_words_that_the_vocabulary_has_not() {
    let name = "threads_any_number_two_conditions";
    let (code, said) = unreach(&["verify", "-q", "--engine", "thread-modular", &program(name)]);
    assert_eq!(code, Some(2), "the vocabulary has become larger, and another program is wanted: {said}");
    let (path, text) = certificate(name);
    assert!(text.contains("any number"), "the proof is about any number of threads");
    assert_eq!(certify(&path, name), (Some(0), "ACCEPTED\n".to_owned()));
    // Without the condition the error is there: with two threads.
    let whole = std::fs::read_to_string(program(name)).expect("the program is there");
    let broken = whole.replace("    assume n != 7 || m != 8;\n", "");
    assert_ne!(whole, broken);
    let file = own_file("two_conditions_broken.bpl");
    std::fs::write(&file, broken).expect("the folder is writable");
    let file = file.display().to_string();
    let (code, said) = unreach(&["verify", "-q", &file]);
    assert_eq!(code, Some(1), "{said}");
    let (code, said) = unreach(&["verify", "-q", "--engine", "proof-spaces", &file]);
    assert_eq!(code, Some(2), "{said}");
    let (code, said) = unreach(&["certify", &path.display().to_string(), &file]);
    assert_eq!(code, Some(1), "{said}");
}

/// The engines that are about any number of threads.
const ENGINES: [&str; 2] = ["thread-modular", "proof-spaces"];

#[test]
fn the_engines_for_any_number_of_threads_never_find_errors() {
    for name in ["threads_any_number_stuck", "threads_any_number_round", "threads_any_number_broken_lock"] {
        for engine in ENGINES {
            let (code, said) = unreach(&["verify", "--engine", engine, &program(name)]);
            assert_eq!(code, Some(2), "{name}, {engine}: {said}");
        }
    }
}

#[test]
fn the_engines_for_any_number_of_threads_say_what_they_are_for() {
    for engine in ENGINES {
        let (code, said) = unreach(&["verify", "--engine", engine, &program("ex1")]);
        assert_eq!(code, Some(2), "{engine}: {said}");
        assert!(said.contains("any number of threads"), "{engine}: {said}");
    }
}

#[test]
fn conditions_inside_of_quantifiers_are_no_invariants_by_themselves() {
    let (code, said) =
        unreach(&["verify", "--engine", "thread-modular", &program("threads_with_a_quantifier")]);
    assert_eq!((code, said.lines().next()), (Some(0), Some("TRUE")));
}
