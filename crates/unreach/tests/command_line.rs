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

#[test]
fn several_boogie_files_are_one_program() {
    let main =
        file("part-main.bpl", b"procedure main() { var i: int; call i := twice(2); assert i == four; }");
    let rest = file(
        "part-rest.bpl",
        b"const four: int;\naxiom four == 4;\nprocedure twice(x: int) returns (y: int) { assert x > 0; y := x + x; }",
    );
    let first = |arguments: &[&str]| {
        let output = unreach(&[&["verify"], arguments].concat());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines().next().unwrap_or_default().to_owned()
    };
    // Executions may begin with a procedure of another file, but not with one of a library.
    assert_eq!(first(&[&main, &rest]), "FALSE(assert)");
    assert_eq!(first(&["--lib", &rest, &main]), "TRUE");
    let output = unreach(&["verify", &main]);
    assert_eq!(output.status.code(), Some(3));
    let other = file("part.c", b"int x;");
    let output = unreach(&["verify", &main, &other]);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(message, format!("unreach: {other}: the first file is Boogie, and this one is not\n"));
}

#[test]
fn every_verb_that_computes_keeps_a_limit_of_memory() {
    let program = file("little.bpl", b"procedure main(n: int) { assert n + 1 > n; }");
    let certificate = file("little.cert", b"");
    unreach(&["verify", "--certificate", &certificate, &program]);
    // No run gets by with a megabyte.
    let output = unreach(&["certify", "--memory", "1", &certificate, &program]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("UNKNOWN (") && text.contains("out of memory"), "{text}");
    assert_eq!(output.status.code(), Some(2));
    let diverging = file(
        "diverging.bpl",
        b"procedure main() { var x, y: int; x := 1; while (*) { x := x * x + y; y := y * x; } assert x != 7; }",
    );
    let output = unreach(&["reach", "--memory", "1", "--to", "x == 8", &diverging]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    let script = file("little.ats", b"FiniteAutomaton a = (alphabet = {x}, states = {s}, initialStates = {s}, finalStates = {s}, transitions = {(s x s)});\nprint(complement(a));\n");
    let output = unreach(&["automata", "--memory", "4096", &script]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn horn_clauses_are_exact_or_refused() {
    let opaque = file("opaque.bpl", b"type T; procedure main(x: T, y: T) { assert x == y; }");
    let output = unreach(&["print", "chc", &opaque]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let reason = "Horn clauses about types of which nothing is known";
    assert_eq!((text, output.status.code()), (format!("UNKNOWN (unsupported: {reason})\n"), Some(2)));
    let quantified = file(
        "quantified.bpl",
        b"function f(int) returns (int); axiom (forall x: int :: f(x) > x); procedure main(r0: int) { assert f(r0) > r0 div 0; }",
    );
    let output = unreach(&["print", "chc", &quantified]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("(=> (and (forall (("), "the axiom is kept:\n{text}");
    assert!(text.contains("(declare-fun |relation r0| "), "no variable is called like a relation:\n{text}");
    assert!(text.contains("|Div by zero|"), "nobody knows what division by zero gives:\n{text}");
}

#[test]
fn versions_of_witnesses_that_do_not_exist() {
    let program = file("ends.c", b"int main(void) { return 0; }");
    let boogie = file("ends.bpl", b"procedure main(n: int) { assert n == n; }");
    let property = file("termination.prp", b"CHECK( init(main()), LTL(F end) )\n");
    let (yaml, graphml) = (file("own.yml", b""), file("own.graphml", b""));
    let refused = |arguments: &[&str], why: &str| {
        let output = unreach(&[&["verify"][..], arguments].concat());
        let message = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(message, format!("unreach: --witness-version: {why}\n"), "{arguments:?}");
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), &b""[..]));
    };
    refused(
        &[&program, "--witness", &graphml, "--witness-version", "2.1"],
        "a file whose name ends in `.graphml` has no version of YAML",
    );
    refused(
        &[&program, "--spec", &property, "--witness", &yaml, "--witness-version", "2.0"],
        "version 2.0 has no witnesses about termination; 2.1 has",
    );
    refused(&[&boogie, "--witness", &yaml, "--witness-version", "2.1"], "it goes with C programs only");
    // Without a file, or with another number, the command line makes no sense.
    for arguments in [&["--witness-version", "2.1"][..], &["--witness", &yaml, "--witness-version", "1.0"]] {
        let output = unreach(&[&["verify", &program][..], arguments].concat());
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
    }
}

#[test]
fn a_witness_that_the_format_cannot_say_is_not_written() {
    let program = file("right.c", b"int main(void) { return 0; }");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("not-written.xml");
    let name = path.display().to_string();
    let output = unreach(&["verify", &program, "--witness", &name, "--witness-version", "graphml"]);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        message.ends_with("not-written.xml: not written: in GraphML, only violations are written\n"),
        "{message}"
    );
    assert!(output.status.success() && !path.exists());
}
