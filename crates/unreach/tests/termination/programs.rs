//! Programs whose first line says whether all of their runs end.
//!
//! * `//@ ends: always|not always`: the truth; the opposite answer always fails the test;
//! * `//@ todo: WHY`: a precision gap. The answer must be unknown; once it is the truth, the line must go.

use crate::{Ends, decide, ends};
use std::path::PathBuf;
use unreach::Problem;

fn mistake(path: &PathBuf) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let directive = |name: &str| {
        let prefix = format!("//@ {name}: ");
        text.lines().find_map(|line| line.strip_prefix(&prefix)).map(str::to_owned)
    };
    let truth = match directive("ends").as_deref() {
        Some("always") => Ends::Always,
        Some("not always") => Ends::NotAlways,
        other => return Some(format!("the directive `ends` says {other:?}")),
    };
    let found = ends(&decide(Problem::read(path).expect("the program can be read"), false));
    match (directive("todo").is_some(), found) {
        (_, found) if found != truth && found != Ends::Unknown => Some(format!("WRONG: {found:?}")),
        (true, found) if found == truth => Some("the gap is closed: remove its todo".to_owned()),
        (false, Ends::Unknown) => Some("it was not found out".to_owned()),
        _ => None,
    }
}

#[test]
fn programs_end_as_they_say() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/termination/programs");
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let mut programs: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    programs.sort();
    assert!(programs.len() > 20, "only {} programs were found", programs.len());
    let mistakes: Vec<String> = programs
        .iter()
        .filter_map(|path| Some(format!("{}: {}", path.file_name()?.display(), mistake(path)?)))
        .collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}
