//! Scripts with their expectations in the file: those in `passing` pass, with every assertion checked; those in `refused`
//! name the message (with its line and column) that they are refused with.

#![allow(clippy::disallowed_methods, reason = "the scripts are files")]

use ats::{Environment, Format, Outcome, Report};
use base::Budget;
use std::path::{Path, PathBuf};

fn scripts(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn run(text: &str) -> Report {
    let mut load = |_: &str, path: &str| Err(format!("{path} is not available in this test"));
    let environment = Environment {
        load: &mut load,
        out: &mut std::io::sink(),
        format: Format::Script,
        budget: &Budget::unlimited(),
    };
    ats::run("script", text, environment)
}

fn messages(report: &Report) -> Vec<String> {
    let message = |diagnostic: &base::Diagnostic| {
        format!("{}: {}", report.sources.line_column(diagnostic.span), diagnostic.message)
    };
    report.diagnostics.iter().map(message).collect()
}

#[test]
fn scripts_that_pass() {
    for file in scripts("passing") {
        let report = run(&std::fs::read_to_string(&file).expect("readable"));
        let what = format!("{}: {:?} {}", file.display(), messages(&report), report.remarks());
        assert_eq!(report.outcome(), Outcome::Passed, "{what}");
        assert!(report.counts().passed > 0 && report.counts().unsupported == 0, "{what}");
    }
}

#[test]
fn scripts_that_are_refused() {
    for file in scripts("refused") {
        let text = std::fs::read_to_string(&file).expect("readable");
        let expected =
            text.lines().next().and_then(|line| line.strip_prefix("//@ says: ")).expect("an expectation");
        let report = run(&text);
        assert_eq!(report.outcome(), Outcome::BadInput, "{}", file.display());
        assert_eq!(messages(&report).last().map(String::as_str), Some(expected), "{}", file.display());
    }
}

#[test]
fn a_long_sum_needs_no_stack() {
    let sum = vec!["1"; 20_000].join(" + ");
    let conjunction = vec!["true"; 20_000].join(" && ");
    let report = run(&format!("assert({sum} == 20000); assert({conjunction});"));
    assert_eq!((report.outcome(), report.counts().passed), (Outcome::Passed, 2), "{:?}", messages(&report));
}

#[test]
fn what_is_nested_too_deeply_is_refused() {
    let text = format!("assert({}true{});", "(".repeat(20_000), ")".repeat(20_000));
    assert_eq!(run(&text).outcome(), Outcome::BadInput);
}

#[test]
fn a_limit_ends_a_script() {
    let budget = Budget::unlimited();
    budget.trip(base::Limit::Time);
    let mut load = |_: &str, path: &str| Err(path.to_owned());
    let environment =
        Environment { load: &mut load, out: &mut std::io::sink(), format: Format::Script, budget: &budget };
    let report = ats::run("script", "print(getRandomDfa(1000, 2));", environment);
    assert_eq!(report.outcome(), Outcome::Interrupted(base::Limit::Time));
}
