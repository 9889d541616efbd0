//! Programs about races, deadlocks and many threads, each with its verdict in its first lines: `// check: data-race`, `deadlock` or `asserts`,
//! `// verdict: safe`, `unsafe` or `unknown`, and for the last what the reason says.

#![allow(clippy::disallowed_methods, reason = "the tests read programs from files")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/threads")
}

fn unreach(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unreach"));
    command.current_dir(folder()).args(arguments).output().expect("the program runs")
}

fn said<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

#[test]
fn programs_have_their_verdicts() {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("programs").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("text");
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let (check, verdict) = (said(&text, "check").expect("a check"), said(&text, "verdict"));
        let output = unreach(&["verify", "--timeout", "60", "--check", check, name]);
        let stdout = String::from_utf8_lossy(&output.stdout);
        let expected = match verdict.expect("a verdict") {
            "safe" => "TRUE".to_owned(),
            "unsafe" if check == "asserts" => "FALSE(assert)".to_owned(),
            "unsafe" => format!("FALSE(no-{check})"),
            _ => format!("UNKNOWN (unsupported: {}", said(&text, "says").expect("a reason")),
        };
        if !stdout.starts_with(&expected) {
            wrong.push(format!("{name}: {stdout}{}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_execution_has_a_column_for_every_thread() {
    let output = unreach(&["verify", "--check", "data-race", "handed_over_by_a_plain_flag.c"]);
    let shown = String::from_utf8_lossy(&output.stdout);
    let columns = |text: &str| shown.lines().find_map(|line| line.find(text));
    let head = shown.lines().find(|line| line.contains("main") && line.contains("second")).expect("names");
    assert_eq!(columns("pthread_create(&one"), head.find("main"), "{shown}");
    assert_eq!(columns("data = 5;"), head.find("first"), "{shown}");
    assert!(shown.contains("writes it") && shown.contains("reads it"), "{shown}");
    let output = unreach(&["verify", "--json", "--check", "data-race", "handed_over_by_a_plain_flag.c"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let steps = told["counterexample"]["steps"].as_array();
    let steps = steps.unwrap_or_else(|| panic!("no steps: {told}"));
    assert!(steps.iter().all(|step| step["thread"].is_string()), "{told}");
}

#[test]
fn a_certificate_about_threads_is_checked_again() {
    let folder = std::env::temp_dir().join(format!("unreach-threads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("proof.json").display().to_string();
    let program = "counter_under_a_lock.c";
    let output = unreach(&["verify", "--check", "data-race", "--certificate", &file, program]);
    assert!(output.stdout.starts_with(b"TRUE"), "{}", String::from_utf8_lossy(&output.stdout));
    let accepted = unreach(&["certify", "--check", "data-race", &file, program]);
    let refused = unreach(&["certify", "--check", "data-race", &file, "lock_given_back_too_early.c"]);
    std::fs::remove_dir_all(&folder).expect("it was made above");
    assert_eq!(accepted.status.code(), Some(0), "{}", String::from_utf8_lossy(&accepted.stderr));
    assert_ne!(refused.status.code(), Some(0), "{}", String::from_utf8_lossy(&refused.stdout));
}
