//! Programs with a temporal property in a comment, and the verdict in the first line.

#![allow(clippy::disallowed_methods, reason = "the test reads its programs")]

use std::path::Path;
use std::process::Command;

#[test]
fn temporal_properties_are_judged() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ltl");
    let mut programs: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|file| file.expect("a file").path())
        .collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension != "prp"));
    programs.sort();
    assert!(programs.len() >= 14, "there are programs");
    let mut mistakes = Vec::new();
    for path in programs {
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        let expected = text.lines().next().and_then(|line| line.strip_prefix("//@ verdict: "));
        let (word, code) = match expected.expect("the verdict is in the first line") {
            "true" => ("TRUE", 0),
            "false" => ("FALSE(ltl)", 1),
            "unknown" => ("UNKNOWN", 2),
            other => panic!("the verdict `{other}`"),
        };
        let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
            .args(["verify", "--timeout", "60", "--spec"])
            .arg(folder.join("in-file.prp"))
            .arg(&path)
            .output()
            .expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if !said.starts_with(word) || output.status.code() != Some(code) {
            mistakes.push(format!("{}: {said}", path.display()));
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}
