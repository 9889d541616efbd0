//! Trace partitioning by automata (paper "Software Model Checking for People who Love Automata", example 3 and Figure 7):
//! what a static analysis proves is subtracted, and it goes on with what is left.

#![allow(clippy::disallowed_methods, reason = "the test reads its programs")]

use base::{Budget, SourceMap};
use certify::Certificate;
use engines::abstract_interpretation::{AnalysisStatistics, Precision, abstract_interpretation};
use engines::context::Context;
use engines::floyd_hoare::from_facts::Outcome;
use expect_test::{Expect, expect};
use logic::Terms;
use smt::Solvers;
use std::path::Path;
use transform::BlockSize;

/// The labels of the automata of the proof, one line each; the proof is certified.
fn check(example: &str, precision: Precision, expected: Expect) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(format!("{example}.bpl"));
    let text = std::fs::read_to_string(path).expect("the program is there");
    let mut sources = SourceMap::new();
    let file = sources.add(format!("{example}.bpl"), text.clone());
    let source = boogie::compile(file, &text).expect("the program is good").program;
    let mut terms = Terms::new();
    let subject = certify::Subject::new(&source, &mut terms).expect("logic can express the program");
    let single = subject.program();
    let blocks = transform::compose(single, BlockSize::Single, &mut terms);
    let budget = Budget::unlimited();
    let solvers = Solvers::new(&budget);
    let mut context = Context::new(&blocks.program, &mut terms, &solvers, budget.clone());
    let mut statistics = AnalysisStatistics::default();
    let outcome = abstract_interpretation(&mut context, single, precision, &mut statistics);
    drop(context);
    let Outcome::Proven(proof) = outcome.expect("unlimited") else { panic!("{example} is not proven") };
    let mut lines = String::new();
    for automaton in &proof.automata {
        let mut labels: Vec<String> =
            automaton.states.values().map(|&label| logic::print::infix(&terms, label)).collect();
        labels.sort();
        lines += &format!("{}\n", labels.join("; "));
    }
    let certificate = Certificate::of_proof(&blocks, &proof);
    let checked = certify::check_proof(&subject, &certificate, &mut terms, &mut *solvers.session(), &budget);
    assert!(checked.is_ok(), "{checked:?}");
    expected.assert_eq(&lines);
}

/// Figure 6: intervals alone forget at the end of the conditional that `x` is not 0; one branch at a time they do not.
#[test]
fn example_3_is_divided_by_its_branches() {
    check(
        "ex3",
        Precision::Intervals,
        expect![[r#"
        false; true; x < 0
        false; true; x == 1
    "#]],
    );
}

/// With congruences `x` is odd, and there is nothing to divide.
#[test]
fn a_stronger_domain_needs_no_partition() {
    check(
        "ex3",
        Precision::Values,
        expect![[r#"
        false; true; x == -1; x == 1; x mod 2 == 1
    "#]],
    );
}

/// Figure 7: an automaton for `z`, and one for each branch, where a partition by the control flow would
/// divide the traces to both assertions.
#[test]
fn figure_7_is_divided_only_where_it_has_to_be() {
    check(
        "fig7",
        Precision::Relations,
        expect![[r#"
        false; true; z == 0
        false; true; x == 0
        false; true; y == 0
    "#]],
    );
}
