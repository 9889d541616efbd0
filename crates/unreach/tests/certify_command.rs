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

/// Every engine that proves something writes a certificate, whatever it does to calls; and so does the plan.
#[test]
fn every_engine_writes_certificates() {
    let engines = [
        "auto",
        "trace-abstraction",
        "kojak",
        "impact",
        "predicate-abstraction",
        "horn",
        "abstract-interpretation",
    ];
    let mut written = 0;
    for engine in engines {
        for name in ["ex2", "parallel_assignment", "calls"] {
            let path = own_file(&format!("{engine}_{name}.json")).display().to_string();
            let program = program(name);
            let (_, verdict, _) =
                unreach(&["verify", "--timeout", "30", "--engine", engine, "--certificate", &path, &program]);
            if verdict.lines().next() == Some("TRUE") {
                let answer = unreach(&["certify", &path, &program]);
                assert_eq!(answer, (Some(0), "ACCEPTED\n".into(), String::new()), "{engine}: {name}");
                written += 1;
            }
        }
    }
    assert!(written >= engines.len() * 2, "only {written} certificates");
}

/// A product of threads is made again as the certificate says.
#[test]
fn certificates_about_threads_are_checked_from_the_source() {
    for name in ["threads_lock", "threads_results", "threads_one_at_a_time"] {
        let (path, text) = certificate(name, &format!("{name}.json"));
        assert!(text.contains("\"threads of a fork statement\""), "{text}");
        assert_eq!(unreach(&["certify", &path, &program(name)]).1, "ACCEPTED\n", "{name}");
        // With another number of threads it is held against another product, which it may prove as well.
        let other =
            text.replace("\"threads of a fork statement\":\"1\"", "\"threads of a fork statement\":\"2\"");
        if other != text {
            let path = own_file(&format!("{name}_other.json"));
            std::fs::write(&path, other).expect("the folder is writable");
            let (code, answer, _) = unreach(&["certify", &path.display().to_string(), &program(name)]);
            assert!(matches!(code, Some(0..=2)), "{answer}");
        }
    }
}

/// A C program that only its exact translation proves, and one property in place of another.
#[test]
fn certificates_about_c_are_checked_from_the_source() {
    let source = own_file("exact.c");
    let text = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
                int main(void) {\n  unsigned x = __VERIFIER_nondet_uint();\n  \
                if (((x ^ 1431655765u) ^ x) != 1431655765u) reach_error();\n  return 0;\n}\n";
    std::fs::write(&source, text).expect("the folder is writable");
    let spec = own_file("unreach-call-of-certificates.prp");
    std::fs::write(&spec, "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").expect("writable");
    let (source, spec) = (source.display().to_string(), spec.display().to_string());
    let path = own_file("exact.json").display().to_string();
    let (code, verdict, _) = unreach(&["verify", "--spec", &spec, "--certificate", &path, &source]);
    assert_eq!((code, verdict.lines().next()), (Some(0), Some("TRUE")));
    let text = std::fs::read_to_string(&path).expect("the certificate was written");
    assert!(text.contains("\"bit operations\":\"exact\""), "{text}");
    assert_eq!(unreach(&["certify", "--spec", &spec, &path, &source]).1, "ACCEPTED\n");
    let (code, answer, _) = unreach(&["certify", &path, &source]);
    assert!(code == Some(1) && answer.contains("its property is `unreach-call`"), "{answer}");
    let (code, answer, _) = unreach(&["certify", "--spec", &spec, "--data-model", "LP64", &path, &source]);
    let (other, said, _) = unreach(&["certify", "--spec", &spec, "--data-model", "ILP32", &path, &source]);
    assert_eq!([code, other].iter().filter(|code| **code == Some(1)).count(), 1, "{answer} {said}");
    assert!(format!("{answer}{said}").contains("its data model is"), "{answer} {said}");
}
