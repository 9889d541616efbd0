//! The observers of `examples/observers`, each with a program that keeps to it and one that does not.

#![allow(clippy::disallowed_methods, reason = "the test reads the examples")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn unreach(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unreach")).args(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/observers")
}

/// A file of its own for a test.
fn file(name: &str, contents: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("observers");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, contents).expect("a file");
    path.display().to_string()
}

#[test]
fn examples_are_judged() {
    let mut observers: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "obs"))
        .collect();
    observers.sort();
    assert!(observers.len() >= 12, "there are {} observers", observers.len());
    let mut mistakes = Vec::new();
    for observer in observers {
        let name = observer.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        for (kind, word, code) in
            [("safe", "TRUE".to_owned(), 0), ("unsafe", format!("FALSE(observer {name})"), 1)]
        {
            let programs = ["c", "bpl"].map(|extension| folder().join(format!("{name}_{kind}.{extension}")));
            let program = programs.iter().find(|path| path.exists()).expect("each observer has two programs");
            let (observer, program) = (observer.display().to_string(), program.display().to_string());
            let output = unreach(&["verify", "--timeout", "100", "--spec", &observer, &program]);
            let said = text(&output.stdout);
            if said.lines().next() != Some(&word) || output.status.code() != Some(code) {
                mistakes.push(format!("{program}: {said}{}", text(&output.stderr)));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn executions_name_the_states() {
    let example = |name: &str| folder().join(name).display().to_string();
    let said = |observer: &str, program: &str| {
        text(&unreach(&["verify", "--spec", &example(observer), &example(program)]).stdout)
    };
    let c = said("lock_discipline.obs", "lock_discipline_unsafe.c");
    assert!(c.contains("observer lock_discipline: the lock is taken twice: lock(second)"), "{c}");
    assert!(c.contains("lock(&a);") && c.contains("observer = held"), "{c}");
    let boogie = said("double_close.obs", "double_close_unsafe.bpl");
    assert!(boogie.contains("observer = closed"), "{boogie}");
    assert!(!boogie.contains("__"), "what was added is not told: {boogie}");
}

#[test]
fn mistakes_are_told_where_they_are() {
    let c = file("mistakes.c", "int x; void f(int n) { x = n; } int main(void) { f(1); return 0; }");
    for (number, (observer, message)) in [
        ("observer a;\ninitial state s { on call g goto s; }", ":2:27: "),
        ("observer a;\ninitial state s {\n  on call f(n, m) goto s; }", "`f` has 1 parameters, not 2"),
        ("observer a; initial state s { on call f(n) with n > y goto s; }", ":1:53: "),
        ("observer a; initial state s { on call f(n) with (n = 2) goto s; }", "must not have side effects"),
        ("observer a; initial state s { on assign y goto s; }", "the program has no global variable `y`"),
        ("observer a; initial state s { on at label L goto s; }", "the program has no label `L`"),
        ("observer a; initial state s { on call main goto s; }", "its end is the event `exit`"),
        ("observer a; initial state s { on return r = f goto s; }", "`f` has no result"),
        ("observer a; initial state s { on exit goto t; }", "there is no state `t`"),
    ]
    .into_iter()
    .enumerate()
    {
        let observer_file = file(&format!("mistake{number}.obs"), observer);
        let output = unreach(&["verify", "--spec", &observer_file, &c]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{observer}: {said}{}", text(&output.stdout));
        assert!(said.contains(message), "{observer}: {said}");
    }
}

#[test]
fn conditions_without_a_value_are_errors() {
    let c = file("null.c", "int *p; void f(void) { } int main(void) { f(); return 0; }");
    let observer = file("null.obs", "observer a; initial state s { on call f with *p > 0 goto error; }");
    let said = text(&unreach(&["verify", "--spec", &observer, &c]).stdout);
    assert!(said.starts_with("FALSE(observer a)") && said.contains("has no value here"), "{said}");
}

#[test]
fn what_cannot_be_seen_is_refused() {
    for (name, program, observer, reason) in [
        ("address", "int x; int main(void) { int *p = &x; *p = 1; return 0; }", "assign x", "whose address is used"),
        ("variadic", "#include <stdio.h>\nint main(void) { printf(\"a\"); return 0; }", "call printf", "not declared"),
    ] {
        let program = file(&format!("{name}.c"), program);
        let text_of = format!("observer a; initial state s {{ on {observer} goto error; }}");
        let observer = file(&format!("{name}.obs"), &text_of);
        let output = unreach(&["verify", "--spec", &observer, &program]);
        let said = text(&output.stdout);
        assert!(said.starts_with("UNKNOWN") && said.contains(reason), "{said}{}", text(&output.stderr));
    }
}

#[test]
fn certificates_contain_the_observer() {
    let example = |name: &str| folder().join(name).display().to_string();
    let certificate = file("locks.cert", "");
    let (observer, program) = (example("alternation.obs"), example("alternation_safe.bpl"));
    let output = unreach(&["verify", "--spec", &observer, "--certificate", &certificate, &program]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let written = std::fs::read_to_string(&certificate).expect("the certificate is there");
    assert!(written.contains("on call request goto asked"), "it has the automaton");
    let check = |spec: &str| unreach(&["certify", "--spec", spec, &certificate, &program]);
    assert_eq!(check(&observer).status.code(), Some(0), "it is accepted");
    let other = file("other.obs", "observer alternation; initial state s { on call answer goto error; }");
    assert_ne!(check(&other).status.code(), Some(0), "it says nothing about another observer");
}
