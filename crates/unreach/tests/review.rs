//! What a Boogie user is told in one run: every failing assertion, each procedure by itself, and procedures in which
//! nothing can happen.

#![allow(clippy::disallowed_methods, reason = "the test prepares its files")]

use std::path::PathBuf;
use std::process::Command;

const PROGRAM: &str = "\
procedure first(x: int)
{
  assert x > 0;
  assert x > 1;
  assert x != 7;
}
procedure second(x: int)
  requires x > 0;
{
  assert x >= 1;
}
procedure empty(x: int)
  requires x > 0 && x < 0;
{
  assert false;
}
";

/// The answer to the program, with the exit code; the name of the file is left out.
fn told(test: &str, options: &[&str]) -> (String, Option<i32>) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("review-{test}.bpl"));
    std::fs::write(&path, PROGRAM).expect("the folder of the test is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .arg("verify")
        .args(options)
        .arg(&path)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (text.replace(&path.display().to_string(), "FILE"), output.status.code())
}

#[test]
fn every_failing_assertion_is_told() {
    let (text, code) = told("all", &["--errors", "5"]);
    let expected = "\
FALSE(assert)
procedure first: 3 errors
  FILE:3:3: this assertion can fail
  FILE:4:3: this assertion can fail
  FILE:5:3: this assertion can fail
procedure second: verified
procedure empty: verified
2 verified, 3 errors
";
    assert_eq!((text.as_str(), code), (expected, Some(1)));
}

#[test]
fn no_more_errors_than_were_asked_for() {
    let (text, code) = told("two", &["--errors", "2"]);
    let expected = "\
FALSE(assert)
procedure first: 2 errors, and maybe more
  FILE:3:3: this assertion can fail
  FILE:4:3: this assertion can fail
procedure second: verified
procedure empty: verified
2 verified, 2 errors
";
    assert_eq!((text.as_str(), code), (expected, Some(1)));
}

#[test]
fn procedures_without_complete_executions_are_told() {
    let (text, code) = told("smoke", &["--smoke", "--procedure", "second", "--procedure", "e*y"]);
    let expected = "\
TRUE
procedure second: verified
procedure empty: verified, but no execution comes to its end
2 verified, 0 errors
";
    assert_eq!((text.as_str(), code), (expected, Some(0)));
}

#[test]
fn a_pattern_chooses_procedures() {
    let (text, code) = told("pattern", &["--procedure", "s*"]);
    assert_eq!((text.as_str(), code), ("TRUE\nprocedure second: verified\n1 verified, 0 errors\n", Some(0)));
    let (text, code) = told("none", &["--procedure", "t*"]);
    assert_eq!((text.as_str(), code), ("", Some(3)));
}

#[test]
fn machines_are_told_the_same() {
    let (text, _) = told("json", &["--json", "--smoke", "--errors", "2"]);
    let object: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let rest: Vec<&str> = object["procedures"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|procedure| procedure["rest"].as_str().expect("a word"))
        .collect();
    assert_eq!(rest[..2], ["not looked at", "verified"]);
    assert_ne!(rest[2], "verified");
    let lines: Vec<u64> = object["procedures"][0]["errors"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|error| error["line"].as_u64().expect("a line"))
        .collect();
    assert_eq!(lines, [3, 4]);
    assert_eq!((object["verified"].as_u64(), object["errors"].as_u64()), (Some(2), Some(2)));
}
