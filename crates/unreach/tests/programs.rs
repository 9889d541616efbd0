//! Programs with the expected verdict in their first lines.
//!
//! * `//@ verdict: safe|unsafe|unknown`: the truth; the opposite verdict always fails the test. `unknown` is the right
//!   answer where an execution exists only through an overapproximation.
//! * `//@ fails: LINE`: where the execution of an unsafe program ends.
//! * `//@ todo: WHY`: a precision gap. The answer must be unknown; once it is the truth, the line must go.

#![allow(clippy::disallowed_methods, reason = "the test reads its programs")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the head of a program says.
struct Expectation {
    verdict: String,
    fails: Option<u64>,
    todo: bool,
}

impl Expectation {
    fn of(text: &str) -> Expectation {
        let directive = |name: &str| {
            let prefix = format!("//@ {name}: ");
            text.lines().find_map(|line| line.strip_prefix(&prefix)).map(str::to_owned)
        };
        let verdict = directive("verdict").expect("the program has a verdict");
        let fails = directive("fails").map(|line| line.parse().expect("a line number"));
        assert_eq!(
            fails.is_some(),
            verdict == "unsafe",
            "unsafe programs say where they fail, others do not"
        );
        let known = ["//@ verdict: ", "//@ fails: ", "//@ todo: "];
        let unknown = |line: &&str| line.starts_with("//@") && !known.iter().any(|k| line.starts_with(k));
        assert_eq!(text.lines().find(unknown), None, "a directive that nobody knows");
        Expectation { verdict, fails, todo: directive("todo").is_some() }
    }
}

/// Runs the binary: the verdict in the words of the directives, and the line in which the execution fails.
fn run(path: &Path) -> Result<(String, Option<u64>), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["verify", "--json", "--timeout", "60"])
        .arg(path)
        .output()
        .expect("the binary runs");
    let code = output.status.code();
    let broken = || format!("exit code {code:?}, {}", String::from_utf8_lossy(&output.stderr).trim());
    let answer: Value = serde_json::from_slice(&output.stdout).map_err(|_| broken())?;
    let verdict = answer["verdict"].as_str().ok_or_else(broken)?;
    let (name, expected) = match verdict {
        "TRUE" => ("safe", 0),
        "UNKNOWN" => ("unknown", 2),
        _ if verdict.starts_with("FALSE(") => ("unsafe", 1),
        _ => return Err(format!("the verdict `{verdict}`")),
    };
    if code != Some(expected) {
        return Err(format!("exit code {code:?} with the verdict {verdict}"));
    }
    // An error that was reached by leaps has its line too.
    let line = answer["counterexample"]["line"].as_u64().or(answer["leaps"]["line"].as_u64());
    Ok((name.to_owned(), line))
}

/// What is wrong with the answer to a program.
fn mistake(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let expected = Expectation::of(&text);
    let (verdict, line) = match run(path) {
        Ok(answer) => answer,
        Err(mistake) => return Some(mistake),
    };
    let opposite = ["safe", "unsafe"].contains(&verdict.as_str());
    if verdict != expected.verdict && opposite {
        return Some(format!("WRONG VERDICT: {verdict} instead of {}", expected.verdict));
    }
    match (expected.todo, verdict == expected.verdict) {
        (true, true) => return Some("the gap is closed: remove its todo".to_owned()),
        (false, false) => return Some(format!("{verdict} instead of {}", expected.verdict)),
        _ => {}
    }
    let wanted = expected.fails.filter(|_| verdict == "unsafe");
    (line != wanted).then(|| format!("fails in line {line:?} instead of {wanted:?}"))
}

#[test]
fn programs_have_the_verdicts_that_they_say() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let mut programs: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    programs.sort();
    assert!(programs.len() > 50, "only {} programs were found", programs.len());
    let mistakes: Vec<String> = programs
        .iter()
        .filter_map(|path| Some(format!("{}: {}", path.file_name()?.display(), mistake(path)?)))
        .collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}
