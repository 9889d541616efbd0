//! SV-LIB scripts with what their commands are told in their first line.
//!
//! * `; verdicts: correct incorrect unknown …`: the responses to the calls, in their order.
//! * `; error: LINE:COLUMN MESSAGE`: the script cannot be used.
//! * `; unsupported: WHAT`: the answer is unknown because of it.

#![allow(clippy::disallowed_methods, reason = "the test reads its scripts")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn scripts(name: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder(name)).expect("the folder is there");
    let mut scripts: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    scripts.retain(|path| path.extension().is_some_and(|extension| extension == "svlib"));
    scripts.sort();
    assert!(!scripts.is_empty(), "there are scripts");
    scripts
}

fn verify(path: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["verify", "--timeout", "60"])
        .args(options)
        .arg(path)
        .output()
        .expect("the binary runs")
}

/// The responses to the calls.
fn responses(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_response = |line: &&str| ["correct", "incorrect", "unknown"].contains(line);
    text.lines().filter(is_response).map(str::to_owned).collect()
}

#[test]
fn calls_are_judged() {
    let mut mistakes = Vec::new();
    for path in scripts("svlib") {
        let text = std::fs::read_to_string(&path).expect("the script can be read");
        let expected = text.lines().next().and_then(|line| line.strip_prefix("; verdicts: "));
        let expected: Vec<&str> = expected.expect("the verdicts are in the first line").split(' ').collect();
        let output = verify(&path, &[]);
        let found = responses(&output);
        if found != expected {
            mistakes.push(format!("{}: {found:?} instead of {expected:?}", path.display()));
        }
        let code = match () {
            () if expected.contains(&"incorrect") => 1,
            () if expected.contains(&"unknown") => 2,
            () => 0,
        };
        if output.status.code() != Some(code) {
            mistakes.push(format!("{}: exit code {:?}", path.display(), output.status.code()));
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn what_cannot_be_used_is_named() {
    for path in scripts("svlib/bad") {
        let text = std::fs::read_to_string(&path).expect("the script can be read");
        let first = text.lines().next().expect("a first line");
        let output = verify(&path, &[]);
        let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if let Some(error) = first.strip_prefix("; error: ") {
            let (place, message) = error.split_once(' ').expect("a place and a message");
            assert_eq!(output.status.code(), Some(3), "{}: {said}{told}", path.display());
            assert!(told.starts_with(&format!("error: {message}\n")), "{}: {told}", path.display());
            assert!(told.contains(&format!("svlib:{place}\n")), "{}: {told}", path.display());
        } else {
            let what = first.strip_prefix("; unsupported: ").expect("what is wrong is in the first line");
            assert_eq!(output.status.code(), Some(2), "{}: {said}{told}", path.display());
            assert!(
                said.starts_with(&format!("UNKNOWN (unsupported: {what} at ")),
                "{}: {said}",
                path.display()
            );
        }
    }
}

/// A witness put before its call gives the same verdict, which is the format's own notion of validation.
#[test]
fn witnesses_are_confirmed() {
    let out = std::env::temp_dir().join(format!("unreach-witness-{}.svlib", std::process::id()));
    let mut written = 0;
    for path in scripts("svlib") {
        let text = std::fs::read_to_string(&path).expect("the script can be read");
        let (1, false) = (text.matches("(verify-call").count(), text.contains("select-trace")) else {
            continue;
        };
        let _ = std::fs::remove_file(&out);
        let first = verify(&path, &["--witness", out.to_str().expect("a path")]);
        let Ok(witness) = std::fs::read_to_string(&out) else { continue };
        let commands =
            witness.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).expect("in brackets");
        let (before, call) = text.split_once("(verify-call").expect("a call");
        std::fs::write(&out, format!("{before}{commands}\n(verify-call{call}")).expect("it can be written");
        let again = verify(&out, &[]);
        assert_eq!(responses(&first), responses(&again), "{}: {witness}", path.display());
        written += 1;
    }
    let _ = std::fs::remove_file(&out);
    assert!(written >= 10, "only {written} witnesses were written");
}

/// Every example of the manual's chapter about SV-LIB is a script with the verdicts that it says.
#[test]
fn examples_of_the_manual_mean_what_they_say() {
    let manual = folder("../../../docs/manual/src/sv-lib.md");
    let manual = std::fs::read_to_string(manual).expect("the chapter exists");
    let examples: Vec<&str> =
        manual.split("```svlib\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 3, "the chapter has {} examples", examples.len());
    let file = std::env::temp_dir().join(format!("unreach-manual-{}.svlib", std::process::id()));
    for example in examples {
        let expected = example.lines().next().and_then(|line| line.strip_prefix("; verdicts: "));
        let expected: Vec<&str> = expected.expect("an example says its verdicts").split(' ').collect();
        std::fs::write(&file, example).expect("it can be written");
        assert_eq!(responses(&verify(&file, &[])), expected, "{example}");
    }
    let _ = std::fs::remove_file(&file);
}

#[test]
fn json_lists_the_calls() {
    let output = verify(&folder("svlib/return_leaves.svlib"), &["--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(value["verdict"], "FALSE(correct-annotations)");
    assert_eq!(value["calls"][0]["verdict"], "correct");
    assert_eq!(value["calls"][1]["verdict"], "incorrect");
}
