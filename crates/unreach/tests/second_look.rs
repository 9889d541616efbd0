//! What guesses leave open and a closer analysis shows ([`engines::guessing`]): sums of many variables, phases that no run comes to, steps
//! that are inputs.
//!
//! `//@ verdict: safe` asks of the engine by itself that it proves the program, `unsafe` that it does not, and of all engines together that they find the error.

#![allow(clippy::disallowed_methods, reason = "the test reads its programs")]

use std::path::Path;
use std::process::Command;

/// The first line of the output.
fn verdict(options: &[&str], program: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["verify", "--timeout", "300"])
        .args(options)
        .arg(program)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn programs_have_the_verdicts_that_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second_look");
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let mut programs: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    programs.sort();
    let (mut safe, mut mistakes) = (0, Vec::new());
    for program in &programs {
        let text = std::fs::read_to_string(program).expect("the program can be read");
        let is_safe = text.starts_with("//@ verdict: safe\n");
        assert!(is_safe || text.starts_with("//@ verdict: unsafe\n"), "{} has a verdict", program.display());
        let alone = verdict(&["--engine", "guessing"], program);
        if is_safe {
            safe += 1;
            if alone != "TRUE" {
                mistakes.push(format!("{}: {alone}", program.display()));
            }
            continue;
        }
        let together = verdict(&[], program);
        if !alone.starts_with("UNKNOWN") || !together.starts_with("FALSE") {
            mistakes.push(format!("{}: {alone} alone, {together} together", program.display()));
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(safe > 5 && programs.len() == 2 * safe, "{safe} of {} programs are safe", programs.len());
}
