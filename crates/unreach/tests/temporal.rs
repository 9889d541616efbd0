//! Programs with a temporal property in a comment, and the verdict in the first line.

#![allow(clippy::disallowed_methods, reason = "the test reads its programs")]

use std::path::Path;
use std::process::Command;

/// A property file says what is asked, and which executions are fair.
#[test]
fn formulas_of_property_files_and_fairness() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("temporal");
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("waits.c");
    let text = "extern int __VERIFIER_nondet_int(void);\nint request, answer, done;\n\
                int main(void) { request = 1; while (!done) done = __VERIFIER_nondet_int() == 0; answer = 1; }\n";
    std::fs::write(&program, text).expect("a file");
    let check = "CHECK( init(main()), LTL(G (AP(request == 1) -> F AP(answer == 1))) )\n";
    for (name, fair, word) in [("unfair", "", "FALSE(ltl)"), ("fair", "FAIR(AP(done == 1))\n", "TRUE")] {
        let spec = folder.join(format!("{name}.prp"));
        std::fs::write(&spec, format!("{check}{fair}")).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
            .args(["verify", "--timeout", "60", "--spec"])
            .args([&spec, &program])
            .output()
            .expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.starts_with(word), "{name}: {said}{}", String::from_utf8_lossy(&output.stderr));
    }
}

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

/// An infinite execution names the state of the automaton at every step, and nothing that was added to the program.
#[test]
fn executions_name_the_state_of_the_automaton() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ltl");
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["verify", "--timeout", "60", "--spec"])
        .args([folder.join("in-file.prp"), folder.join("does_not_respond.c")])
        .output()
        .expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, steps) = said.split_once("with the state of the property's automaton:\n").expect("an execution");
    let state_at = |line: &str| {
        let mut at = steps.lines().filter(|step| step.contains(line));
        at.next_back().and_then(|step| step.split_whitespace().next_back().map(str::to_owned))
    };
    // The request is what the automaton of the negation waits behind.
    assert_eq!(state_at("int main").as_deref(), Some("q0"), "{said}");
    assert_eq!(state_at("request = 1;").as_deref(), Some("q1"), "{said}");
    assert_eq!(state_at("while (").as_deref(), Some("q1"), "{said}");
    assert!(!said.contains("__ltl"), "{said}");
}
