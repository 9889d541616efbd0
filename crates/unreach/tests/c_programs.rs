//! C programs with their verdicts in the file, in the words of C; every error that is found is reached by the compiled
//! test as well.
//!
//! A file says `// property: …` and `// verdict: safe|unsafe|unknown|refused`, `// data-model: ilp32` if it is not for 64 bits, and `// fails: …` where the property has parts, `// may-fail: …` if something may that works otherwise; a line `// harness: …` says why gcc and its sanitizers cannot be relied on.

#![allow(clippy::disallowed_methods, reason = "tests run the binary and a compiler")]

use expect_test::{Expect, expect};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")
}

/// A file in the folder of the tests.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn unreach(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(arguments)
        .current_dir(folder())
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

/// What the line `// key: value` of a program says.
fn said<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

/// A property file for a property.
fn spec(property: &str) -> String {
    let formulas: &[&str] = match property {
        "unreach-call" => &["G ! call(reach_error())"],
        "unreach-label" => &["G ! label(ERROR)"],
        "no-overflow" => &["G ! overflow"],
        "valid-memsafety" => &["G valid-free", "G valid-deref", "G valid-memtrack"],
        "valid-memaccess" => &["G valid-free", "G valid-deref"],
        "valid-memcleanup" => &["G valid-memcleanup"],
        _ => &["G assert"],
    };
    let path = scratch(&format!("{property}.prp"));
    let text: String =
        formulas.iter().map(|formula| format!("CHECK( init(main()), LTL({formula}) )\n")).collect();
    // Another test may be reading the same file.
    base::files::replace(&path, text).expect("writable");
    path.display().to_string()
}

#[test]
fn programs_have_their_verdicts_and_tests_reach_the_errors() {
    let mut files: Vec<_> =
        std::fs::read_dir(folder()).expect("programs").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("text");
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let (property, verdict) =
            (said(&text, "property").expect("a property"), said(&text, "verdict").expect("a verdict"));
        let (spec, test) = (spec(property), scratch(&format!("{name}_test.c")));
        let test_name = test.display().to_string();
        let may_fail = said(&text, "may-fail").map(|what| ["--may-fail", what]);
        let file = format!("{name}.c");
        let mut arguments = vec!["verify"];
        arguments.extend(may_fail.iter().flatten());
        arguments.extend([
            "--timeout",
            "600",
            "--data-model",
            said(&text, "data-model").unwrap_or("lp64"),
            "--spec",
            &spec,
            "--harness",
            &test_name,
            &file,
        ]);
        let output = unreach(&arguments);
        let stdout = String::from_utf8_lossy(&output.stdout);
        let expected = match verdict {
            "safe" => "TRUE".to_owned(),
            "unknown" => "UNKNOWN (an error is only reachable through".to_owned(),
            "refused" => "UNKNOWN (unsupported: ".to_owned(),
            _ => format!("FALSE({})", said(&text, "fails").unwrap_or(property)),
        };
        let shown = String::from_utf8_lossy(&output.stderr);
        let first = stdout.lines().next().unwrap_or_default();
        assert!(first.starts_with(&expected), "{name}: {stdout}{shown}");
        assert!(!stdout.contains('#'), "{name} shows a variable of the translation:\n{stdout}");
        if verdict == "unsafe" && said(&text, "harness").is_none() {
            reaches_the_error(name, &test, property);
        }
    }
}

fn reaches_the_error(name: &str, test: &Path, property: &str) {
    let binary = scratch(name);
    let text = std::fs::read_to_string(test).expect("the test is written");
    // The test says how it is built.
    let flags = text.split_once("Build: gcc ").and_then(|(_, behind)| behind.split_once(" -o test "));
    let flags = flags.unwrap_or_else(|| panic!("{name} does not say how it is built")).0;
    let mut gcc = Command::new("gcc");
    gcc.args(flags.split_whitespace()).arg("-o").args([&binary, test]).arg("-lm");
    let compiled = gcc.output().expect("gcc is installed");
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new("timeout").arg("10").arg(&binary).output().expect("the test runs");
    if property.starts_with("valid-mem") {
        let said = String::from_utf8_lossy(&run.stderr);
        let seen = said.contains("Sanitizer: ") || said.contains("runtime error: ");
        assert!(seen && !run.status.success(), "{name}: no sanitizer notices\n{said}");
        return;
    }
    assert_eq!(String::from_utf8_lossy(&run.stdout), "error reached\n", "{name}");
    assert_eq!(run.status.code(), Some(1), "{name}");
}

fn shows(file: &str, property: &str, expected: Expect) {
    let output = unreach(&["verify", "--timeout", "600", "--spec", &spec(property), file]);
    expected.assert_eq(&String::from_utf8_lossy(&output.stdout));
}

/// With the plan it takes a while, so the engine that finds the invariants is asked alone.
#[test]
fn a_list_whose_blocks_own_others_is_freed() {
    let file = "../c_files/list_of_owners.c";
    let asked = ["verify", "--engine", "quantified", "--inline", "--timeout", "600", "--spec"];
    let output = unreach(&[&asked[..], &[&spec("valid-memsafety"), file]].concat());
    assert!(output.stdout.starts_with(b"TRUE"), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn an_execution_in_the_words_of_c() {
    shows(
        "pointers_in_words.c",
        "unreach-call",
        expect![[r#"
            FALSE(unreach-call)
            pointers_in_words.c:21:9: `reach_error` is called: reach_error()

            Inputs: __VERIFIER_nondet_int() = 7 (line 16)

            Execution:
               13 | int main(void) {                                      in main()
               15 | struct pair t = {0, 0};                               t.x = 0, t.p = NULL
               16 | int y = __VERIFIER_nondet_int();                      __VERIFIER_nondet_int() = 7
               16 | int y = __VERIFIER_nondet_int();                      y = 7
               17 | t.p = &y;                                             t.p = &y
               18 | t.x = 3;                                              t.x = 3
                8 |     void fill(int *q, int n) {                        in fill(q = &a[0], n = 3)
                9 |     for (int i = 0; i < n; i++)                       i = 0, (i < n) is true
               10 |     q[i] = i + 10;                                    a[0] = 10
                9 |     for (int i = 0; i < n; i++)                       i = 1
                9 |     for (int i = 0; i < n; i++)                       (i < n) is true
               10 |     q[i] = i + 10;                                    a[1] = 11
                9 |     for (int i = 0; i < n; i++)                       i = 2
                9 |     for (int i = 0; i < n; i++)                       (i < n) is true
               10 |     q[i] = i + 10;                                    a[2] = 12
                9 |     for (int i = 0; i < n; i++)                       i = 3
                9 |     for (int i = 0; i < n; i++)                       (i < n) is false
               20 | if (*t.p == 7 && a[2] == 12)                          (*t.p == 7) is true, (a[2] == 12) is true
               21 | reach_error();                                        fails

            Then: t.x = 3, t.p = &y, y = 7, a[0] = 10, a[1] = 11, a[2] = 12
        "#]],
    );
}

#[test]
fn an_overflow_with_its_operands() {
    shows(
        "overflow.c",
        "no-overflow",
        expect![[r#"
        FALSE(no-overflow)
        overflow.c:8:9: signed overflow (`+` in `int`, the result would be 2147483650): x += 9

        Inputs: __VERIFIER_nondet_int() = 2147483641 (line 6)

        Execution:
            5 | int main(void) {                                      in main()
            6 | int x = __VERIFIER_nondet_int();                      __VERIFIER_nondet_int() = 2147483641
            6 | int x = __VERIFIER_nondet_int();                      x = 2147483641
            7 | if (x > 2147483640 && x < 2147483642)                 (x > 2147483640 && x < 2147483642) is true
            8 | x += 9;                                               fails

        Then: x = 2147483641
    "#]],
    );
}

#[test]
fn an_invariant_in_the_words_of_c() {
    let output =
        unreach(&["verify", "--timeout", "600", "--spec", &spec("unreach-call"), "unsigned_counters.c"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    // Engines may find different invariants; all of them need this equation.
    let (verdict, invariant) = stdout.split_once('\n').expect("two lines");
    assert_eq!(verdict, "TRUE");
    assert!(invariant.starts_with("unsigned_counters.c:8:12: loop invariant: "), "{stdout}");
    assert!(invariant.contains("i == s"), "{stdout}");
}

#[test]
fn an_external_preprocessor_keeps_the_lines() {
    let spec = spec("assert");
    let output = unreach(&["verify", "--timeout", "600", "--cpp", "gcc -E", "--spec", &spec, "macro.c"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        stdout.starts_with("FALSE(assert)\nmacro.c:9:"),
        "{stdout}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let missing = unreach(&["verify", "--cpp", "no-such-preprocessor", "macro.c"]);
    assert_eq!(missing.status.code(), Some(3));
    let refused = unreach(&["verify", "--cpp", "gcc -E -no-such-option", "macro.c"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(
        String::from_utf8_lossy(&refused.stderr)
            .starts_with("unreach: the preprocessor `gcc -E -no-such-option`: ")
    );
}

#[test]
fn what_an_external_preprocessor_includes_keeps_its_file_and_lines() {
    let (header, program) = (scratch("checked.h"), scratch("includes.c"));
    let text = "#pragma pack(push, 1)\nstruct packed { char first; int second; };\n#pragma pack(pop)\n\
                static void check(int number) {\n    if (number == sizeof(struct packed))\n        reach_error();\n}\n";
    std::fs::write(&header, text).expect("writable");
    let text = "void reach_error(void);\n#include \"checked.h\"\nint main(void) {\n    check(5);\n    return 0;\n}\n";
    std::fs::write(&program, text).expect("writable");
    let (spec, program) = (spec("unreach-call"), program.display().to_string());
    let output = unreach(&["verify", "--cpp", "gcc -E", "--spec", &spec, &program]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let place = format!("FALSE(unreach-call)\n{}:6:", header.display());
    assert!(stdout.starts_with(&place), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_test_is_made_for_c_only() {
    let program = scratch("harness.bpl");
    std::fs::write(&program, "procedure main() { assert false; }\n").expect("writable");
    let output = unreach(&["verify", "--harness", "x.c", &program.display().to_string()]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "unreach: --harness goes with C programs only\n");
}

#[test]
fn several_files_are_one_program() {
    let spec = spec("unreach-call");
    let files = ["../c_files/main.c", "../c_files/shared.c", "-I", "../c_files/include"];
    for (more, expected) in
        [(&[][..], "TRUE"), (&["-D", "LIMIT=7", "-std=c11"], "TRUE"), (&["-DLIMIT=0x7fffffff"], "TRUE")]
    {
        let mut words = vec!["verify", "--timeout", "600", "--spec", &spec];
        words.extend(files);
        words.extend(more);
        let output = unreach(&words);
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(stdout.starts_with(expected), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    }
    let alone = unreach(&["verify", "--spec", &spec, "../c_files/main.c"]);
    assert_eq!(alone.status.code(), Some(3), "the header is not beside the file");
}

#[test]
fn a_program_may_begin_with_any_function() {
    let program = scratch("entry.c");
    std::fs::write(&program, "#include <assert.h>\nint f(int x) { assert(x != 5); return x; }\n")
        .expect("writable");
    let name = program.display().to_string();
    let output = unreach(&["verify", "--timeout", "600", "--function", "f", &name]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.starts_with("FALSE(assert)\n"), "{stdout}");
    assert!(stdout.contains("the assertion can fail: x != 5"), "{stdout}");
}

/// TRUE about a program in which nothing is checked means nothing, and says so.
#[test]
fn nothing_checked_is_said() {
    let program = scratch("nothing.c");
    std::fs::write(&program, "int main(void) { return 0; }\n").expect("writable");
    let name = program.display().to_string();
    let output = unreach(&["verify", "--timeout", "600", &name]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.starts_with("TRUE\nNothing was checked"), "{stdout}");
    let output = unreach(&["verify", "--timeout", "600", "--json", &name]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("\"checks\":0") && stdout.contains("\"data_model\":\"LP64\""), "{stdout}");
}

/// Without a property file, nothing that ends an execution is left out; with one, a proof says what it rests on.
#[test]
fn what_ends_an_execution_is_checked_or_told() {
    let file = scratch("days.c");
    let text = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int year = __VERIFIER_nondet_int();
    if (year < 70) return 0;
    int seconds = 31536000 * (year - 70);
    __VERIFIER_assert(seconds >= 0);
    return 0;
}
";
    std::fs::write(&file, text).expect("writable");
    let file = file.display().to_string();
    let spec = spec("assert");
    let said = |options: &[&str]| {
        let output = unreach(&[&["verify", "--timeout", "600"], options, &[&file]].concat());
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        stdout.lines().take(2).collect::<Vec<_>>().join("\n")
    };
    assert!(said(&[]).starts_with("FALSE(no-overflow)\n"), "{}", said(&[]));
    assert!(said(&["--wrap"]).starts_with("FALSE(assert)\n"), "{}", said(&["--wrap"]));
    let rests = "TRUE\nNot checked, and taken for the end of an execution: signed overflow (see --check).";
    assert_eq!(said(&["--spec", &spec]), rests);
    assert_eq!(said(&["--check", "asserts"]), rests);
    let json = unreach(&["verify", "--timeout", "600", "--json", "--spec", &spec, &file]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["assumes"], serde_json::json!(["no-overflow"]));
}
