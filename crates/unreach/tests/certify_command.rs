//! The verb `certify`: exit codes and words.

#![allow(clippy::disallowed_methods, reason = "the test prepares its files")]

use std::path::PathBuf;
use std::process::Command;

fn unreach(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_unreach")).args(arguments).output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn program(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    folder.join(name).with_extension("bpl").display().to_string()
}

fn own_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Writes a certificate of a program; its path and text.
fn certificate(name: &str, file: &str) -> (String, String) {
    let path = own_file(file).display().to_string();
    let (code, verdict, _) = unreach(&["verify", "--certificate", &path, &program(name)]);
    assert_eq!((code, verdict.lines().next()), (Some(0), Some("TRUE")));
    let text = std::fs::read_to_string(&path).expect("the certificate was written");
    (path, text)
}

#[test]
fn a_certificate_is_accepted_for_its_program_only() {
    let (path, _) = certificate("ex1", "accepted.json");
    assert_eq!(unreach(&["certify", &path, &program("ex1")]), (Some(0), "ACCEPTED\n".into(), String::new()));
    let (code, answer, _) = unreach(&["certify", &path, &program("ex2")]);
    assert_eq!((code, answer.as_str()), (Some(1), "REFUSED (the certificate belongs to another program)\n"));
}

#[test]
fn comments_and_layout_do_not_matter() {
    let (path, _) = certificate("ex2", "layout.json");
    let source = std::fs::read_to_string(program("ex2")).expect("the program can be read");
    let moved = own_file("moved.bpl");
    std::fs::write(&moved, format!("// Something new.\n\n{source}")).expect("the folder is writable");
    let (code, answer, _) = unreach(&["certify", &path, &moved.display().to_string()]);
    assert_eq!((code, answer.as_str()), (Some(0), "ACCEPTED\n"));
}

#[test]
fn corrupted_certificates_are_refused() {
    let (_, text) = certificate("ex2", "original.json");
    let altered = |name: &str, text: String| {
        let path = own_file(name);
        std::fs::write(&path, text).expect("the folder is writable");
        unreach(&["certify", &path.display().to_string(), &program("ex2")])
    };
    let (code, answer, _) = altered("nothing.json", text.replace("\"false\"", "\"true\""));
    assert!(code == Some(1) && answer.starts_with("REFUSED (an error trace is not covered"), "{answer}");
    let (code, answer, _) = altered("everything.json", text.replace("\"true\"", "\"false\""));
    assert!(code == Some(1) && answer.starts_with("REFUSED (wrong label"), "{answer}");
    let (code, answer, message) = altered("broken.json", text[..text.len() / 2].to_owned());
    assert!(code == Some(3) && answer.is_empty(), "{answer}");
    assert!(message.contains("broken.json: not a certificate: "), "{message}");
}

#[test]
fn another_solver_is_asked() {
    let (path, _) = certificate("ex2", "solver.json");
    // A solver of few words: it has one answer to every query, and repeats what it is told to echo.
    let solver = |answer: &str| {
        let script = own_file(&format!("{answer}.sh"));
        let text = format!(
            "while IFS= read -r line; do\n  printf '%s\\n' \"$line\" | tr ')' '\\n' | while IFS= read -r part; do\n    \
             case \"$part\" in\n      *check-sat*) echo {answer};;\n      *echo*) echo \"${{part#*echo }}\" | tr -d '\"';;\n    \
             esac\n  done\ndone\n"
        );
        std::fs::write(&script, text).expect("the folder is writable");
        let command = format!("sh '{}'", script.display());
        unreach(&["certify", "--timeout", "30", "--solver", &command, &path, &program("ex2")])
    };
    assert_eq!(solver("unsat"), (Some(0), "ACCEPTED\n".into(), String::new()));
    let (code, answer, _) = solver("sat");
    assert!(code == Some(1) && answer.starts_with("REFUSED ("), "{answer}");
    let (code, answer, _) =
        unreach(&["certify", "--solver", "no-such-solver-anywhere", &path, &program("ex2")]);
    assert!(code == Some(2) && answer.starts_with("UNKNOWN ("), "{answer}");
}

#[test]
fn a_certificate_that_cannot_be_written_is_bad_input() {
    let (code, verdict, message) =
        unreach(&["verify", "--certificate", "no/such/folder/proof.json", &program("ex2")]);
    assert_eq!((code, verdict.as_str()), (Some(3), ""));
    assert_eq!(message, "unreach: no/such/folder/proof.json: cannot be written: no such file\n");
}
