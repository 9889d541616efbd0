//! What is said besides the verdict, to whom, and how one asks for more or less of it.

#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "the test prepares its files")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Two assertions; that the second holds is more than static analysis sees.
const OPEN: &str = "procedure main(n: int)\n{\n  var x, i: int;\n  x := n;\n  i := 0;\n  while (*) {\n    x := x * x;\n    i := i + 1;\n  }\n  assert i >= 0;\n  assert x != 7 || n == 7;\n}\n";

const FAILS: &str = "procedure main(n: int)\n{\n  assert n != 3;\n}\n";

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder of the test is writable");
    path.display().to_string()
}

fn unreach(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn an_unknown_answer_says_what_is_open_and_what_to_do() {
    let path = file("terminal-open.bpl", OPEN);
    let output = unreach(&["verify", "--engine", "abstract-interpretation", &path]);
    let said = text(output.stdout);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("UNKNOWN (the facts found do not show the assertion at "), "{said}");
    assert!(lines[1].starts_with("Open: ") && lines[1].contains("x != 7 || n == 7"), "{said}");
    assert!(lines[2].starts_with("Proven: ") && lines[2].contains("i >= 0"), "{said}");
    assert!(
        lines[3].starts_with("Known so far: ") && lines[3].ends_with(": loop invariant: i >= 0"),
        "{said}"
    );
    assert!(lines[4].starts_with("Next: leave `--engine` out"), "{said}");
    assert_eq!(lines[5], "More about this: unreach explain not-shown");
    assert_eq!((output.stderr, output.status.code()), (Vec::new(), Some(2)));
    let output = unreach(&["verify", "--json", "--engine", "abstract-interpretation", &path]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(object["code"], "not-shown", "{object:#}");
}

#[test]
fn the_place_where_traces_go_round() {
    let program = "procedure main()\n{\n  var i: int;\n  i := 0;\n  while (i < 9) {\n    i := i + 1;\n  }\n  assert i != 9;\n}\n";
    let path = file("terminal-rounds.bpl", program);
    let options =
        ["--engine", "trace-abstraction", "--interpolation", "strongest-post", "--begin-with", "nothing"];
    let output = unreach(&[&["-v", "verify"], &options[..], &[&path]].concat());
    let told = text(output.stderr);
    assert!(told.contains("1 traces excluded, the next has 3 blocks, 2 × line 5\n"), "{told}");
}

#[test]
fn quiet_and_verbose() {
    let path = file("terminal-fails.bpl", FAILS);
    let output = unreach(&["verify", "-q", &path]);
    assert_eq!((text(output.stdout), text(output.stderr)), ("FALSE(assert)\n".to_owned(), String::new()));
    let output = unreach(&["verify", &path]);
    assert_eq!((text(output.stderr), output.status.code()), (String::new(), Some(1)));
    let output = unreach(&["-v", "verify", &path]);
    let told = text(output.stderr);
    assert!(
        told.contains(" s  search begins\n") && told.contains(" ends: an error is reachable\n"),
        "{told}"
    );
    assert_eq!(unreach(&["verify", "-q", "-v", &path]).status.code(), Some(3));
}

#[test]
fn every_code_is_explained() {
    let listed = text(unreach(&["explain"]).stdout);
    let codes: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(codes.len() > 20, "{listed}");
    for code in codes {
        let output = unreach(&["explain", code]);
        let said = text(output.stdout);
        assert!(said.starts_with(&format!("{code}: ")) && said.contains("\n\nNext: "), "{said}");
        assert_eq!(output.status.code(), Some(0));
    }
    let output = unreach(&["explain", "nonsense"]);
    let message = "unreach: there is no message `nonsense`; `unreach explain` lists all\n";
    assert_eq!((text(output.stderr), output.status.code()), (message.to_owned(), Some(3)));
}

#[test]
fn colours_on_a_terminal_only_and_not_against_the_users_will() {
    let path = file("terminal-colours.bpl", FAILS);
    let on_terminal = |colours: Option<&str>| {
        let command = format!("'{}' verify '{path}'", env!("CARGO_BIN_EXE_unreach"));
        let mut script = Command::new("script");
        script.args(["-qec", &command, "/dev/null"]).env("TERM", "xterm").env_remove("NO_COLOR");
        if let Some(value) = colours {
            script.env("NO_COLOR", value);
        }
        script.stdin(Stdio::null()).output().ok().map(|output| text(output.stdout))
    };
    let Some(coloured) = on_terminal(None) else {
        eprintln!("skipped: there is no `script` on this machine");
        return;
    };
    assert!(coloured.contains("\x1b[1;31mFALSE(assert)\x1b[0m"), "{coloured:?}");
    let plain = on_terminal(Some("1")).expect("it was there");
    assert!(plain.contains("FALSE(assert)") && !plain.contains("\x1b[1;31m"), "{plain:?}");
}
