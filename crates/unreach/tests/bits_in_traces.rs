//! Trace abstraction on C programs with operations on bits: traces are decided as circuits, and their interpolants speak of words.

#![allow(clippy::disallowed_methods, reason = "tests run the binary")]

use std::path::Path;
use std::process::Command;

/// The verdict of trace abstraction alone about a program in the folder `c`, whose proof or execution is checked as always.
fn verdict(program: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["verify", "--engine", "trace-abstraction", "--timeout", "120", program])
        .current_dir(folder)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn equations_between_words() {
    assert_eq!(verdict("bits_changed_by_two_loops.c"), "TRUE");
    assert_eq!(verdict("bits_changed_by_two_loops_of_which_one_forgets.c"), "FALSE(assert)");
}

#[test]
fn words_that_contain_others() {
    assert_eq!(verdict("granted_as_requested.c"), "TRUE");
    assert_eq!(verdict("granted_before_requested.c"), "FALSE(assert)");
}

#[test]
fn bits_are_looked_at_where_they_matter() {
    assert_eq!(verdict("bits_beside_a_sum.c"), "TRUE");
}
