//! What every verb does with input that is no program, and with a command line that makes no sense.

#![allow(clippy::disallowed_methods, reason = "the test prepares its files")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn unreach(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

/// A file with this content in the test's own folder.
fn file(name: &str, content: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the folder of the test is writable");
    path.display().to_string()
}

#[track_caller]
fn refused(path: &str, reason: &str) {
    for verb in [&["verify"][..], &["print", "tokens"]] {
        let output = unreach(&[verb, &[path]].concat());
        let message = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(message, format!("unreach: {path}: {reason}\n"));
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), &b""[..]));
    }
}

#[test]
fn json_is_json_without_an_answer_too() {
    let broken = file("broken.c", b"int main(void) { int x = ; }");
    for path in ["no/such/file.bpl", &broken] {
        let output = unreach(&["verify", "--json", path]);
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((output.status.code(), &object["verdict"]), (Some(3), &"ERROR".into()), "{object:#}");
    }
}

#[test]
fn a_second_solver_that_does_not_start() {
    let path = file("counts.bpl", b"procedure main(n: int) { assert n == n; }");
    let output = unreach(&["verify", "--cross-check", "no-such-solver", &path]);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(message, "unreach: `no-such-solver` is no solver: it does not answer\n");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), &b""[..]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let path = file("full.bpl", b"procedure main(n: int) { assert n == n; }");
    let full = std::fs::File::create("/dev/full").expect("the device exists");
    let program = env!("CARGO_BIN_EXE_unreach");
    let run = std::process::Command::new(program).args(["verify", &path]).stdout(full).output();
    assert_eq!(run.expect("the binary runs").status.code(), Some(3));
}

#[test]
fn a_missing_file() {
    refused("no/such/file.bpl", "no such file");
}

#[test]
fn a_directory() {
    refused(env!("CARGO_TARGET_TMPDIR"), "is a directory, expected a program");
}

#[test]
fn binary_data() {
    refused(&file("binary.bpl", b"abc\0def"), "is not a text file (NUL byte at offset 3)");
}

#[test]
fn invalid_utf8() {
    refused(&file("latin1.bpl", b"var \xe9"), "is not valid UTF-8 (from offset 4 on)");
}

#[test]
fn an_empty_file() {
    refused(&file("empty.bpl", b" \n"), "is empty");
}

#[test]
fn an_unknown_language() {
    refused(&file("text.txt", b"hello"), "unknown kind of program, expected .bpl, .c, .i or .svlib");
}

#[test]
fn usage_errors_end_with_3_and_help_with_0() {
    for wrong in [&[][..], &["verify"], &["verify", "--no-such-option", "x.bpl"], &["prove", "x.bpl"]] {
        let output = unreach(wrong);
        assert_eq!(output.status.code(), Some(3), "{wrong:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{wrong:?}");
    }
    for right in [&["--help"][..], &["--version"], &["verify", "--help"], &["help", "print"]] {
        let output = unreach(right);
        assert_eq!(output.status.code(), Some(0), "{right:?}");
        assert!(output.stderr.is_empty() && !output.stdout.is_empty(), "{right:?}");
    }
}
