//! Contracts of C functions and loops: programs with what is done with their contracts and the verdict, in the folder
//! `contracts`, and the examples of the manual's chapter.
//!
//! A program says `// contracts: …` and `// verdict: safe|unsafe|unknown|invalid`, and may say `// function: …` (where it begins),
//! `// check: …` and `// says: …` (a part of what is printed).

#![allow(clippy::disallowed_methods, reason = "tests run the binary")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the line `// key: value` of a program says.
fn said<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

/// Runs a program as it says; tells what is wrong.
fn run(name: &str, path: &Path, text: &str) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unreach"));
    command.args(["verify", "--timeout", "60"]);
    command.args(["--contracts", said(text, "contracts").ok_or(format!("{name} says no contracts"))?]);
    // Contracts alone, unless a program asks for more.
    command.args(["--check", said(text, "check").unwrap_or("asserts")]);
    if let Some(function) = said(text, "function") {
        command.args(["--function", function]);
    }
    let output = command.arg(path).stdin(Stdio::null()).output().expect("the binary runs");
    let printed =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let wanted = match said(text, "verdict") {
        Some("safe") => Some(0),
        Some("unsafe") => Some(1),
        Some("unknown") => Some(2),
        Some("invalid") => Some(3),
        _ => return Err(format!("{name} says no verdict")),
    };
    if output.status.code() != wanted {
        return Err(format!("{name}: exit code {:?}, not {wanted:?}\n{printed}", output.status.code()));
    }
    match said(text, "says") {
        Some(part) if !printed.contains(part) => Err(format!("{name} does not say `{part}`\n{printed}")),
        _ => Ok(()),
    }
}

#[test]
fn programs_have_their_verdicts() {
    let folder = root().join("tests/contracts");
    let entries = std::fs::read_dir(folder).expect("programs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("text");
        wrong.extend(run(&path.display().to_string(), &path, &text).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn examples_of_the_manual_have_their_verdicts() {
    let manual = root().join("../../docs/manual/src/contracts.md");
    let manual = std::fs::read_to_string(manual).expect("the chapter exists");
    let examples: Vec<&str> =
        manual.split("```c\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 6, "the chapter has {} examples", examples.len());
    let mut wrong = Vec::new();
    for (number, text) in examples.iter().enumerate() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("contracts_example_{number}.c"));
        std::fs::write(&path, text).expect("writable");
        wrong.extend(run(&format!("example {number}"), &path, text).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
