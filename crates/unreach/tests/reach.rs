//! `unreach reach`: questions with their answers.

#![allow(clippy::disallowed_methods, reason = "the test prepares its files")]

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

const STEPS: &str = "procedure steps(n: int)
{
  var x: int;
  x := 0;
  while (x < n)
  {
    x := x + 2;
  }
}
";

/// The exit code and the answer to a question about a program.
fn ask(name: &str, program: &str, question: &[&str]) -> (Option<i32>, Value) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("reach-{name}.bpl"));
    std::fs::write(&path, program).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["reach", "--json", "--timeout", "60"])
        .arg(&path)
        .args(question)
        .output()
        .expect("the binary runs");
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
}

#[test]
fn what_is_reachable_comes_with_evidence() {
    let (code, answer) = ask("far", STEPS, &["--from", "n == 1000000", "--to", "x == 1000000"]);
    assert_eq!((code, answer["verdict"].as_str()), (Some(0), Some("REACHABLE")), "{answer}");
    assert_eq!(answer["leaps"]["leaps"][0]["line"], 5);
    // The end of the body, where the second predicate is asked about.
    assert_eq!(answer["leaps"]["line"], 9);
    let (code, answer) = ask("inside", STEPS, &["--from", "n > 5", "--to", "x == 4", "--at", "7"]);
    assert_eq!((code, answer["leaps"]["line"].as_u64()), (Some(0), Some(7)), "{answer}");
    assert!(answer["leaps"]["execution"].is_object(), "a few rounds are replayed: {answer}");
}

#[test]
fn what_is_not_reachable_is_never_said_to_be() {
    for (name, question) in [
        ("odd", ["--from", "true", "--to", "x == 77"]),
        ("early", ["--from", "n > 100", "--to", "x == 50"]),
        ("nowhere", ["--from", "n < n", "--to", "true"]),
    ] {
        let (code, answer) = ask(name, STEPS, &question);
        assert_eq!((code, answer["verdict"].as_str()), (Some(2), Some("UNKNOWN")), "{question:?}: {answer}");
        let reason = answer["reason"].as_str().unwrap_or_default();
        assert!(reason.contains("no leap"), "the condition that failed is named: {answer}");
    }
}

const TWICE: &str = "procedure twice(n: int)
{
  var x: int;
  x := 0;
  while (x < n)
  {
    x := x + 1;
  }
  while (x < 2 * n)
  {
    x := x + 2;
  }
}
";

#[test]
fn a_path_can_be_suggested() {
    let question = ["--from", "n >= 1000000", "--to", "x >= n", "--path", "5: 0 <= x", "--path", "9: n <= x"];
    let (code, answer) = ask("path", TWICE, &question);
    assert_eq!(code, Some(0), "{answer}");
    let leaps = answer["leaps"]["leaps"].as_array().expect("leaps");
    let passed: Vec<_> = leaps.iter().map(|leap| (leap["line"].as_u64(), leap["rounds"].as_u64())).collect();
    assert_eq!(passed, [(Some(5), Some(1_000_000)), (Some(9), Some(500_000))], "{answer}");
}

#[test]
fn a_path_that_leads_nowhere_is_not_left() {
    for (name, path) in [
        // The second loop is entered whenever the first is.
        ("skips", vec!["--path", "5"]),
        ("backward", vec!["--path", "9", "--path", "5"]),
        // The states of the loop exclude its end.
        ("stuck", vec!["--path", "5: x < n", "--path", "9"]),
    ] {
        let question = [&["--from", "n >= 1000000", "--to", "true"], &path[..]].concat();
        let (code, answer) = ask(name, TWICE, &question);
        assert_eq!((code, answer["verdict"].as_str()), (Some(2), Some("UNKNOWN")), "{path:?}: {answer}");
    }
}

#[test]
fn bad_questions_are_refused() {
    for (name, question) in [
        ("syntax", vec!["--to", "x =="]),
        ("unknown", vec!["--to", "z == 1"]),
        ("line", vec!["--to", "true", "--at", "2"]),
        ("type", vec!["--to", "x"]),
        ("no-loop", vec!["--to", "true", "--path", "4"]),
        ("no-line", vec!["--to", "true", "--path", "x < n"]),
        ("no-predicate", vec!["--to", "true", "--path", "5: x <"]),
    ] {
        let (code, _) = ask(name, STEPS, &question);
        assert_eq!(code, Some(3), "{question:?}");
    }
}
