//! `unreach automata` on the scripts of the repository: exit codes, and what is said about each script.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn scripts(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ats/tests/scripts").join(name)
}

fn automata(name: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unreach"))
        .arg("automata")
        .arg(scripts(name))
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn a_folder_of_scripts_that_pass() {
    let output = automata("passing");
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("0 unsupported, 0 interrupted, 0 failed, 0 refused"), "{said}");
}

#[test]
fn a_script_about_infinite_words() {
    let output = automata("passing/infinite.ats");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("0 failed"), "{}", text(&output.stdout));
}

#[test]
fn a_wrong_number_of_arguments_is_an_error_with_its_place() {
    let output = automata("refused/one-automaton-too-many.ats");
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stderr);
    assert!(said.contains("`isEquivalent` expects two automata, found 3 arguments"), "{said}");
    assert!(said.contains("one-automaton-too-many.ats:9:8"), "{said}");
}

#[test]
fn a_folder_with_a_script_that_is_refused() {
    assert_eq!(automata("refused").status.code(), Some(3));
}
