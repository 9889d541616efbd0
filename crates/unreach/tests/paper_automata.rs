//! The decompositions of paper "Software Model Checking for People who Love Automata": the proofs of its examples are
//! made of the automata in its figures, or of smaller ones.

#![allow(clippy::disallowed_methods, reason = "the test reads the certificate that the program writes")]

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The labels of the automata of a proof, without those that say nothing but `true` and `false`: these only collect
/// steps that are impossible by themselves.
fn automata(example: &str, blocks: &str) -> Vec<Vec<String>> {
    let certificate = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("paper_{example}.json"));
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(format!("{example}.bpl"));
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["verify", "--engine", "trace-abstraction", "--begin-with", "nothing"])
        .args(["--blocks", blocks, "--certificate"])
        .args([&certificate, &program])
        .output()
        .expect("the binary runs");
    assert!(output.stdout.starts_with(b"TRUE"), "{output:?}");
    let text = std::fs::read_to_string(&certificate).expect("the certificate was written");
    let proof: Value = serde_json::from_str(&text).expect("it is JSON");
    let labels = |automaton: &Value| -> Vec<String> {
        let labels = automaton["labels"].as_array().expect("labels");
        labels.iter().map(|label| label.as_str().expect("a formula").to_owned()).collect()
    };
    let all = proof["automata"].as_array().expect("automata").iter().map(labels);
    all.filter(|labels| labels.iter().any(|label| label != "true" && label != "false")).collect()
}

/// As many automata as in the figure, none with more states.
fn assert_as_in_figure(found: &[Vec<String>], figure: &[usize]) {
    assert_eq!(found.len(), figure.len(), "{found:?}");
    for (labels, &states) in found.iter().zip(figure) {
        assert!(labels.len() <= states, "{labels:?} has more than {states} states");
    }
}

#[test]
fn example_1_splits_on_whether_the_pointer_was_changed() {
    // Figure 2: p ≠ 0 and p = 0 without an update of p; n = 0, n-- and n ≥ 0 without another update of n.
    assert_as_in_figure(&automata("ex1", "loop-free"), &[3, 4]);
}

#[test]
fn example_2_has_one_automaton_for_each_variable() {
    // Figure 4.
    let found = automata("ex2", "single");
    assert_as_in_figure(&found, &[3, 3]);
    let speaks_of = |labels: &[String], name: &str| labels.iter().any(|label| label.contains(name));
    assert!(speaks_of(&found[0], " x ") != speaks_of(&found[0], " y "), "{found:?}");
    assert!(speaks_of(&found[1], " x ") != speaks_of(&found[1], " y "), "{found:?}");
}

#[test]
fn example_3_has_one_automaton_for_each_branch() {
    // Figure 6: one proof for the traces through each branch.
    assert_as_in_figure(&automata("ex3", "single"), &[3, 3]);
}
