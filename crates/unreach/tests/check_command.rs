//! `unreach check`: a line for every function, exit codes, several at once, and answers that are kept.

#![allow(clippy::disallowed_methods, reason = "the tests run the binary on files of their own")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("unreach-check-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a writable folder");
        for (name, text) in files {
            std::fs::write(path.join(name), text).expect("a writable folder");
        }
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn check(folder: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unreach"));
    command.current_dir(folder).arg("check").args(options);
    command.output().expect("the binary runs")
}

/// The lines of functions: the word, the name, and whether the answer was known.
fn lines(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let is_function = matches!(words.first(), Some(&("proven" | "fails" | "open")));
        let known = if line.contains(", known)") { " known" } else { "" };
        is_function.then(|| format!("{} {}{known}", words[0], words[1]))
    };
    text.lines().filter_map(line).collect()
}

const MIDDLE: &str = "int middle(unsigned short a, unsigned short b) { return a + (b - a) / 2; }\n";
const INDEX: &str = "static int table[4];\nint get(unsigned i) { return table[i % 4]; }\nint wrong(unsigned i) { return table[i % 5]; }\n";

#[test]
fn every_function_has_a_line_and_the_worst_is_the_exit_code() {
    let folder = Folder::new("lines", &[("a.c", MIDDLE), ("b.c", INDEX)]);
    for jobs in ["1", "3"] {
        let output = check(&folder.0, &["--jobs", jobs, "."]);
        assert_eq!(lines(&output), ["proven middle", "proven get", "fails wrong"], "{output:?}");
        assert_eq!(output.status.code(), Some(1));
    }
    assert_eq!(check(&folder.0, &["a.c"]).status.code(), Some(0));
    assert_eq!(check(&folder.0, &["--function", "get", "b.c"]).status.code(), Some(0));
    assert_eq!(check(&folder.0, &["no.c"]).status.code(), Some(3));
    std::fs::write(folder.0.join("c.c"), "int broken(void) { return }\n").expect("a writable folder");
    assert_eq!(check(&folder.0, &["a.c", "c.c"]).status.code(), Some(3));
}

#[test]
fn answers_are_kept_for_what_means_the_same() {
    let folder = Folder::new("kept", &[("b.c", INDEX)]);
    let run = || check(&folder.0, &["--cache", "kept", "b.c"]);
    assert_eq!(lines(&run()), ["proven get", "fails wrong"]);
    let again = run();
    assert_eq!(lines(&again), ["proven get known", "fails wrong known"]);
    assert_eq!(again.status.code(), Some(1));
    // Everything has moved: a failure has to be shown where it is now.
    std::fs::write(folder.0.join("b.c"), format!("/* new */\n{INDEX}")).expect("a writable folder");
    assert_eq!(lines(&run()), ["proven get known", "fails wrong"]);
    // Another meaning of one function.
    std::fs::write(folder.0.join("b.c"), INDEX.replace("i % 5", "i % 3")).expect("a writable folder");
    assert_eq!(lines(&run()), ["proven get known", "proven wrong"]);
    // Other checks are other questions.
    let asserts = check(&folder.0, &["--cache", "kept", "--check", "asserts", "b.c"]);
    assert_eq!(lines(&asserts), ["proven get", "proven wrong"]);
}

#[test]
fn every_check_of_every_function() {
    let folder = Folder::new("all", &[("b.c", INDEX)]);
    let output = check(&folder.0, &["--stop-at", "all", "--json", "b.c"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let results = &object["functions"][1]["answer"]["results"];
    let words: Vec<_> = results.as_array().expect("checks").iter().map(|check| &check["result"]).collect();
    assert_eq!(words, ["fails"]);
}

#[test]
fn models_stand_in_for_what_is_missing() {
    let text = "int sensor(void);\nint half(void) { return 100 / sensor(); }\n";
    let model = "int sensor(void) { return 4; }\n";
    let folder = Folder::new("models", &[("a.c", text)]);
    std::fs::create_dir(folder.0.join("models")).expect("a writable folder");
    std::fs::write(folder.0.join("models/sensor.c"), model).expect("a writable folder");
    assert_eq!(lines(&check(&folder.0, &["a.c"])), ["fails half"]);
    assert_eq!(lines(&check(&folder.0, &["--models", "models", "a.c"])), ["proven half"]);
    // What the program defines itself is not replaced.
    std::fs::write(folder.0.join("b.c"), format!("{text}int sensor(void) {{ return 0; }}\n"))
        .expect("a writable folder");
    assert_eq!(lines(&check(&folder.0, &["--models", "models", "b.c"])), ["proven sensor", "fails half"]);
    assert_eq!(check(&folder.0, &["--models", "no", "a.c"]).status.code(), Some(3));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_all_questions() {
    // The first function is decided at once; nobody knows whether the loops of the others end.
    let hard = "unsigned loop(unsigned n) { while (n > 1) { if (n % 2) n = 3 * n + 1; else n = n / 2; }\n\
                __VERIFIER_assert(n != 12345); return n; }\n";
    let text = format!("int easy(void) {{ return 0; }}\n{hard}{}", hard.replace("loop", "again"));
    let folder = Folder::new("ctrl-c", &[("a.c", &text)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_unreach"));
    command.current_dir(&folder.0).args(["check", "--timeout", "600", "--cache", "kept", "a.c"]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().expect("the binary runs");
    let mut lines_of = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().expect("a pipe")));
    let first = lines_of.next().expect("a line").expect("text");
    assert!(first.starts_with("proven easy"), "{first}");
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it runs");
    let rest: Vec<String> = lines_of.map(|line| line.expect("text")).collect();
    assert_eq!(rest.iter().filter(|line| line.starts_with("open ")).count(), 2, "{rest:?}");
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
    // An answer that was stopped is not kept.
    assert_eq!(std::fs::read_dir(folder.0.join("kept")).expect("the folder").count(), 1);
}
