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
fn examples_of_caret_are_judged() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/caret");
    let mut formulas: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "prp"))
        .collect();
    formulas.sort();
    assert!(formulas.len() >= 4, "there are {} formulas", formulas.len());
    let mut mistakes = Vec::new();
    for formula in formulas {
        let name = formula.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        for (kind, word, code) in [("safe", "TRUE", 0), ("unsafe", "FALSE(caret)", 1)] {
            let programs = ["c", "bpl"].map(|extension| folder.join(format!("{name}_{kind}.{extension}")));
            let program = programs.iter().find(|path| path.exists()).expect("each formula has two programs");
            let (formula, program) = (formula.display().to_string(), program.display().to_string());
            let output = unreach(&["verify", "--timeout", "100", "--spec", &formula, &program]);
            let said = text(&output.stdout);
            if said.lines().next() != Some(word) || output.status.code() != Some(code) {
                mistakes.push(format!("{program}: {said}{}", text(&output.stderr)));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn formulas_of_caret_that_are_not_checked_are_refused() {
    let c = file("caret.c", "int x; void f(void) { x = 1; } int main(void) { f(); return 0; }");
    for (number, (formula, code, message)) in [
        ("G (call(f) -> Xa AP(x == 1))", 0, "TRUE"),
        ("G (call(f) -> Xa AP(x == 2))", 1, "FALSE(caret)"),
        ("F call(f)", 0, "TRUE"),
        ("G (call(f) -> wXa AP(y == 1))", 3, "caret3.prp:1:49"),
        ("G call(", 3, "not a property file"),
        ("G Q call", 3, "a formula is expected"),
        ("G !call(g)", 3, "the program has no function `g`"),
        ("G !call(main)", 3, "nobody calls it"),
        ("G (call(f) -> wXa AP(x == 1))", 0, "TRUE"),
    ]
    .into_iter()
    .enumerate()
    {
        let spec = file(&format!("caret{number}.prp"), &format!("CHECK( init(main()), CARET({formula}) )\n"));
        let output = unreach(&["verify", "--spec", &spec, &c]);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{formula}: {said}");
        assert!(said.contains(message), "{formula}: {said}");
    }
}

/// Formulas that only whole executions decide.
#[test]
fn formulas_of_caret_about_whole_executions() {
    let nested = "extern int __VERIFIER_nondet_int(void); int x; void f(void) { x = 1; } \
                  void work(int n) { while (n > 0) { n = n - 1; f(); } } \
                  int main(void) { work(__VERIFIER_nondet_int()); f(); return 0; }";
    let stuck = "extern int __VERIFIER_nondet_int(void); int x; void f(void) { x = 1; } \
                 void g(void) { while (x == 0) { } } \
                 int main(void) { if (__VERIFIER_nondet_int()) f(); g(); f(); return 0; }";
    let server = "extern int __VERIFIER_nondet_int(void); int held; void take(void) { held = 1; } void drop(void) { held = 0; } \
                  void job(int n) { take(); while (n > 0) { n--; } drop(); } \
                  int main(void) { while (1) { job(__VERIFIER_nondet_int()); } }";
    let recursive = "int x; void g(void) { x = 1; } void f(int n) { if (n > 0) f(n - 1); g(); } int main(void) { f(3); return 0; }";
    let down = "int x; void g(void) { x = 1; } void f(int n) { g(); if (n != 0) f(n); g(); } int main(void) { f(1); return 0; }";
    let leaves = "#include <stdlib.h>\nint x; void f(void) { x = 1; } int main(void) { if (x) exit(1); f(); return 0; }";
    for (number, (program, formula, word)) in [
        (nested, "F call(f)", "TRUE"),
        (nested, "G (call(work) -> Xa return(work))", "TRUE"),
        (nested, "F G !call", "TRUE"),
        (nested, "G F call(f)", "FALSE(caret)"),
        // An execution that goes round for ever without a call is one, too.
        (stuck, "F call(f)", "FALSE(caret)"),
        (stuck, "G (call(g) -> Xa return(g))", "FALSE(caret)"),
        (stuck, "G (call(f) -> Xa AP(x == 1))", "TRUE"),
        (stuck, "G (call(f) -> Xa AP(x == 0))", "FALSE(caret)"),
        (server, "G (call(take) -> Fa call(drop))", "TRUE"),
        (server, "G F (call(drop) && Fc call(job))", "TRUE"),
        (server, "G (return(drop) -> Fa call)", "FALSE(caret)"),
        (recursive, "F return(f)", "TRUE"),
        (recursive, "G (call(f) -> Xa return(f))", "TRUE"),
        (recursive, "G (call(f) -> Fa call(g))", "FALSE(caret)"),
        (down, "F return(f)", "FALSE(caret)"),
        (down, "G F call(g)", "TRUE"),
        (down, "G (call(f) -> Xa return(f))", "FALSE(caret)"),
        (down, "G (call(g) -> Xa return(g))", "TRUE"),
        (leaves, "F call(f)", "UNKNOWN (unsupported: a temporal property of a program with `exit`"),
    ]
    .into_iter()
    .enumerate()
    {
        let c = file(&format!("whole{number}.c"), program);
        let spec = file(&format!("whole{number}.prp"), &format!("CHECK( init(main()), CARET({formula}) )\n"));
        let output = unreach(&["verify", "--timeout", "300", "--spec", &spec, &c]);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(said.starts_with(word), "{formula} of {program}: {said}");
    }
}

/// A certificate contains the automaton, and the checker holds the product against it.
#[test]
fn certificates_contain_the_automaton_of_a_formula() {
    let c = file("lively.c", "int x; void f(void) { x = 1; } int main(void) { f(); return 0; }");
    let certificate = file("lively.json", "");
    for (name, formula) in [("ltl", "LTL(F AP(x == 1))"), ("caret", "CARET(F call(f))")] {
        let spec = file(&format!("lively-{name}.prp"), &format!("CHECK( init(main()), {formula} )\n"));
        let output = unreach(&["verify", "--spec", &spec, "--certificate", &certificate, &c]);
        assert!(text(&output.stdout).starts_with("TRUE"), "{}", text(&output.stdout));
        assert_eq!(text(&unreach(&["certify", "--spec", &spec, &certificate, &c]).stdout), "ACCEPTED\n");
        let proof = std::fs::read_to_string(&certificate).expect("a file");
        let changed = proof.replacen("\"accepting\":true", "\"accepting\":false", 1);
        assert_ne!(changed, proof, "{name}: there is an automaton in it");
        let other = file(&format!("lively-{name}-other.json"), &changed);
        let output = unreach(&["certify", "--spec", &spec, &other, &c]);
        assert_ne!(output.status.code(), Some(0), "{}", text(&output.stdout));
        let spec =
            file("lively-other.prp", &format!("CHECK( init(main()), {} )\n", formula.replace("F ", "G F ")));
        let output = unreach(&["certify", "--spec", &spec, &certificate, &c]);
        assert_ne!(output.status.code(), Some(0), "{}", text(&output.stdout));
    }
}

/// The parts of a chapter between fences, with what stands behind the first fence.
fn parts(chapter: &str) -> Vec<(&str, String)> {
    let mut parts: Vec<(&str, String)> = Vec::new();
    let mut open = false;
    for line in chapter.lines() {
        match (open, line.strip_prefix("```")) {
            (false, Some(language)) => {
                parts.push((language, String::new()));
                open = true;
            }
            (true, Some(_)) => open = false,
            (true, None) => {
                let (_, text) = parts.last_mut().expect("a part is open");
                text.push_str(line);
                text.push('\n');
            }
            (false, None) => {}
        }
    }
    parts
}

#[test]
fn examples_of_the_manual_mean_what_they_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual/src/observers.md");
    let chapter = std::fs::read_to_string(path).expect("the chapter exists");
    let (mut spec, mut judged) = (String::new(), 0);
    for (number, (language, contents)) in parts(&chapter).into_iter().enumerate() {
        let extension = match language {
            "obs" => {
                spec = file(&format!("manual{number}.obs"), &contents);
                continue;
            }
            "caret" => {
                let property = format!("CHECK( init(main()), CARET({contents}) )");
                spec = file(&format!("manual{number}.prp"), &property);
                continue;
            }
            "c" => "c",
            _ => "bpl",
        };
        let (first, _) = contents.split_once('\n').expect("it has lines");
        let word = match first.strip_prefix("//@ verdict: ").expect("the first line is the verdict") {
            "safe" => "TRUE",
            _ => "FALSE",
        };
        let program = file(&format!("manual{number}.{extension}"), &contents);
        let output = unreach(&["verify", "--timeout", "100", "--spec", &spec, &program]);
        let said = text(&output.stdout);
        assert!(said.starts_with(word), "{contents}: {said}{}", text(&output.stderr));
        judged += 1;
    }
    assert!(judged >= 7, "the chapter has {judged} examples");
}

#[test]
fn properties_are_printed_as_automata() {
    let printed = |path: &str, more: &[&str]| {
        let output = unreach(&[&["print", "property", path], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let locks = folder().join("lock_discipline.obs").display().to_string();
    let shown = printed(&locks, &[]);
    assert!(shown.contains("on call lock(m) goto held;"), "{shown}");
    let again = file("again.obs", &shown);
    assert_eq!(printed(&again, &[]), shown, "what is printed is an observer");
    assert!(printed(&locks, &["--dot"]).contains("q0 -> q1 [label=\"call lock(m)\"];"));
    let ltl = file("ltl.prp", "CHECK( init(main()), LTL(G AP(x > 0)) )");
    assert!(printed(&ltl, &[]).contains("!(x > 0)"), "{}", printed(&ltl, &[]));
    assert!(printed(&ltl, &["--dot"]).starts_with("digraph"));
    let picture = printed(&locks, &["--svg"]);
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{picture}");
    assert_eq!(picture.matches("<rect").count(), 5, "two states and three errors: {picture}");
    assert!(picture.contains(">call lock(m)</text>"), "{picture}");
    let caret = file("print.prp", "CHECK( init(main()), CARET(G (call(f) -> Fc call(g))) )");
    assert!(printed(&caret, &[]).contains("push s0"), "{}", printed(&caret, &[]));
    let named = file("named.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    assert!(printed(&named, &[]).contains("on call reach_error goto error"), "{}", printed(&named, &[]));
    let ends = file("ends.prp", "CHECK( init(main()), LTL(F end) )");
    assert!(printed(&ends, &[]).contains("q0 -> q0: true *"), "{}", printed(&ends, &[]));
}

/// Properties with a name, and programs that satisfy and violate them.
const NAMED: &[(&[&str], &str, &str, &str)] = &[
    (
        &["G ! call(reach_error())"],
        "c",
        "void reach_error(void) { } void __VERIFIER_error(void) { } int main(int n, char **v) { if (n < 0 && n > 3) reach_error(); return 0; }",
        "void reach_error(void) { } void __VERIFIER_error(void) { } int main(int n, char **v) { if (n > 3) reach_error(); return 0; }",
    ),
    (
        &["G ! label(ERROR)"],
        "c",
        "int main(int n, char **v) { if (n > 3 && n < 2) { ERROR: n = 1; } return 0; }",
        "int main(int n, char **v) { if (n > 3) { ERROR: n = 1; } return 0; }",
    ),
    (
        &["G assert"],
        "c",
        "#include <assert.h>\nint main(int n, char **v) { if (n > 3) assert(n > 2); return 0; }",
        "#include <assert.h>\nint main(int n, char **v) { if (n > 3) assert(n > 4); return 0; }",
    ),
    (
        &["G assert"],
        "bpl",
        "procedure f(n: int) returns (r: int) requires n > 0; ensures r > 1; { r := n + 1; }
         procedure ULTIMATE.start() { var n: int; if (n > 3) { call n := f(n); assert n > 1; } }",
        "procedure f(n: int) returns (r: int) requires n > 0; ensures r > 1; { r := n; }
         procedure ULTIMATE.start() { var n: int; if (n > 3) { call n := f(n); } else { call n := f(7 - n); call n := f(1); } }",
    ),
    (
        &["G ! overflow"],
        "c",
        "extern int __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1000) n = n + 1; return n; }",
        "extern int __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int(); if (n > 1000) n = n + 1; return n; }",
    ),
    (
        &["G valid-deref", "G valid-free", "G valid-memtrack"],
        "c",
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (p) { *p = 1; free(p); } return 0; }",
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (p) { free(p); *p = 1; } return 0; }",
    ),
    (
        &["G valid-deref", "G valid-free", "G valid-memtrack"],
        "c",
        "#include <stdlib.h>\nint *q; int main(void) { q = malloc(4); return 0; }",
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4); return 0; }",
    ),
    (
        &["G valid-memcleanup"],
        "c",
        "#include <stdlib.h>\nint *q; int main(void) { q = malloc(4); free(q); return 0; }",
        "#include <stdlib.h>\nint *q; int main(void) { q = malloc(4); return 0; }",
    ),
];

/// A property with a name is an automaton as any other: what is printed of it is an observer that has the same verdicts.
#[test]
fn properties_with_a_name_are_observers() {
    for (number, (formulas, language, safe, unsafe_)) in NAMED.iter().enumerate() {
        let check = |formula: &&str| format!("CHECK( init(main()), LTL({formula}) )\n");
        let spec = file(&format!("named{number}.prp"), &formulas.iter().map(check).collect::<String>());
        let printed = text(&unreach(&["print", "property", &spec]).stdout);
        let observer = file(&format!("named{number}.obs"), &printed);
        for (kind, program, words) in
            [("safe", safe, ["TRUE", "TRUE"]), ("unsafe", unsafe_, ["FALSE(", "FALSE(observer "])]
        {
            let program = file(&format!("named{number}_{kind}.{language}"), program);
            for (spec, word) in [&spec, &observer].into_iter().zip(words) {
                let output = unreach(&["verify", "--timeout", "60", "--spec", spec, &program]);
                let said = text(&output.stdout);
                assert!(
                    said.starts_with(word),
                    "{program} with {spec}: {said}{}{printed}",
                    text(&output.stderr)
                );
            }
        }
    }
}

/// A check that fails is an event among others: here it counts only in one state, and only where a condition holds.
#[test]
fn failing_checks_are_events() {
    let observer = file(
        "guarded.obs",
        "observer guarded; initial state setup { on return init goto ready; }
         state ready { on fails no-overflow with strict == 1 goto error \"it overflows\"; }",
    );
    let program = |first: &str, strict: i32| {
        format!(
            "extern int __VERIFIER_nondet_int(void); int strict = {strict}; void init(void) {{ }}
             int main(void) {{ int n = __VERIFIER_nondet_int(); {first} n = n + 1; return n; }}"
        )
    };
    for (name, program, word) in [
        ("guarded_before.c", program("n = n + 1; init(); if (n > 5) return 0;", 1), "TRUE"),
        ("guarded_behind.c", program("init();", 1), "FALSE(observer guarded)"),
        ("guarded_lax.c", program("init();", 0), "TRUE"),
    ] {
        let program = file(name, &program);
        let said = text(&unreach(&["verify", "--timeout", "60", "--spec", &observer, &program]).stdout);
        assert!(said.starts_with(word), "{name}: {said}");
    }
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
        ("observer a;\ninitial state s { on call g goto s; }", ":2:27"),
        ("observer a;\ninitial state s {\n  on call f(n, m) goto s; }", "`f` has 1 parameters, not 2"),
        ("observer a; initial state s { on call f(n) with n > y goto s; }", ":1:53"),
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

/// The translation gives up at a call of a function of another type: an execution that comes there is not lost.
#[test]
fn where_the_translation_gives_up_nothing_is_proven() {
    let c = file(
        "variadic_pointer.c",
        "int g; void (*p)(char *, ...); void bad(void) { }\n\
         void set(char *f, ...) { __builtin_va_list l; __builtin_va_start(l, f); g = __builtin_va_arg(l, int); }\n\
         int main(void) { p = &set; (*p)(\"%d\", 1); if (g == 1) bad(); return 0; }",
    );
    let observer = file("bad.obs", "observer a; initial state s { on call bad goto error; }");
    let said = text(&unreach(&["verify", "--spec", &observer, &c]).stdout);
    assert!(said.starts_with("UNKNOWN"), "{said}");
}

/// Functions that are called by pointers, by other functions, with structs, and with the library around them.
#[test]
fn calls_are_seen_however_they_are_made() {
    let c = file(
        "calls.c",
        "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n\
         int count; void f(int x) { count = x; } void g(int x) { count = -x; } void (*table[2])(int) = { f, g };\n\
         struct p { int a, b; }; struct p make(int a, struct p q) { q.a = a; return q; }\n\
         int rec(int n) { return n <= 0 ? 0 : 1 + rec(n - 1); }\n\
         void last(void) { } int main(void) { struct p q = {1, 2}; q = make(5, q); void (*h)(int) = table[0]; h(3);\n\
         if (rec(3) != 3) return 3; char b[20]; snprintf(b, sizeof b, \"%d\", 42); atexit(last); return strlen(b) == 2; }",
    );
    for (number, (observer, word)) in [
        ("initial state s { on call f(3) goto error; }", "FALSE"),
        ("initial state s { on call f(4) goto error; on call g goto error; }", "TRUE"),
        ("initial state s { on return make(5, _) with result.a == 5 && result.b == 2 goto t; on exit goto error; } state t { }", "TRUE"),
        ("initial state s { on return 3 = rec(3) goto t; on exit goto error; } state t { }", "TRUE"),
        ("initial state s { on return 2 = strlen goto t; on exit goto error; } state t { }", "TRUE"),
        ("initial state s { on assign count goto t; } state t { on assign count goto error; }", "TRUE"),
        ("for each x; initial state s { on call rec(x) goto t; } state t { on call rec(x) goto error; }", "TRUE"),
        ("for each x; initial state s { on call rec(x) goto t; } state t { on return rec(x) with result == 2 goto error; }", "FALSE"),
        ("initial state s { on exit goto t; } state t { on call last goto error; }", "FALSE"),
    ]
    .into_iter()
    .enumerate()
    {
        let spec = file(&format!("calls{number}.obs"), &format!("observer a; {observer}"));
        let output = unreach(&["verify", "--timeout", "100", "--spec", &spec, &c]);
        let said = text(&output.stdout);
        assert!(said.starts_with(word), "{observer}: {said}{}", text(&output.stderr));
    }
}

#[test]
fn what_cannot_be_seen_is_refused() {
    for (name, program, observer, reason) in [
        (
            "address",
            "int x; int main(void) { int *p = &x; *p = 1; return 0; }",
            "assign x",
            "whose address is used",
        ),
        (
            "members",
            "struct { int a, b; } s; int main(void) { s.a = 1; return s.b; }",
            "assign s",
            "which has members",
        ),
        (
            "variadic",
            "#include <stdio.h>\nint main(void) { printf(\"a\"); return 0; }",
            "call printf",
            "not declared",
        ),
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
