//! Whatever the input is, the front end answers: no panic, no endless run, no host-stack overflow.

#![allow(clippy::disallowed_methods, reason = "tests read programs")]

use base::{Budget, Interrupted, Limit, SourceMap};
use c::{NoIncludes, Options, Property};
use proptest::prelude::*;
use std::path::Path;

/// Translates a text for every property; the answer does not matter, as long as there is one.
fn survives(text: &str) {
    for property in [Property::UnreachCall, Property::UnreachLabel, Property::Assert, Property::NoOverflow] {
        let mut sources = SourceMap::new();
        let file = sources.add("t.c", text);
        let options = Options { property, ..Options::default() };
        match c::translate(&mut sources, file, options, &NoIncludes) {
            Ok((program, _)) => {
                assert!(program.procedure("ULTIMATE.start").is_some());
                let violations = ir::well_formed::check(&program);
                assert!(violations.is_empty(), "{violations:?}\n{text}");
            }
            Err(problems) => {
                assert!(!problems.is_empty());
                for problem in problems {
                    match problem {
                        c::Problem::Error(diagnostic) => {
                            let text = diagnostic.render(&sources, base::diagnostics::Style::Plain);
                            assert!(text.starts_with("error: "), "{text}");
                        }
                        c::Problem::Unsupported(unsupported) => {
                            assert!(unsupported.describe(&sources).starts_with("unsupported: "));
                        }
                        c::Problem::Interrupted(_) => panic!("nobody has interrupted it"),
                    }
                }
            }
        }
    }
}

const WORDS: &[&str] = &[
    "int",
    "char",
    "unsigned",
    "long",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "void",
    "float",
    "_Bool",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "sizeof",
    "s",
    "t",
    "x",
    "y",
    "f",
    "main",
    "ERROR",
    "reach_error",
    "__VERIFIER_nondet_int",
    "malloc",
    "0",
    "1",
    "42u",
    "0x7f",
    "1.5",
    "'a'",
    "\"text\"",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "?",
    "=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "~",
    "!",
    "<",
    ">",
    "<<",
    ">>",
    "&&",
    "||",
    "++",
    "--",
    "+=",
    "->",
    ".",
    "...",
    "#",
    "##",
    "\n",
    "\n#define x",
    "\n#if",
    "\n#endif\n",
    "\n#include",
    "//@ assert",
    "\\false",
    "/*",
    "*/",
    "__attribute__((packed))",
];

fn words() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..60).prop_map(|words| words.join(" "))
}

/// A program with some of its tokens removed, doubled or exchanged.
fn damaged() -> impl Strategy<Value = String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let damage =
        prop::collection::vec((0usize..4, any::<prop::sample::Index>(), prop::sample::select(WORDS)), 1..6);
    (prop::sample::select(texts), damage).prop_map(|(text, damage)| {
        let mut pieces: Vec<String> =
            text.split_inclusive(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
        for (kind, at, word) in damage {
            let at = at.index(pieces.len());
            match kind {
                0 => drop(pieces.remove(at)),
                1 => pieces.insert(at, pieces[at].clone()),
                2 => pieces[at] = format!(" {word} "),
                _ => pieces.swap(at, 0),
            }
            if pieces.is_empty() {
                pieces.push(String::new());
            }
        }
        pieces.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        survives(&text);
    }

    #[test]
    fn any_words(text in words()) {
        survives(&text);
        survives(&format!("int x; int main(void) {{ {text} }}"));
        survives(&format!("{text}\nint main(void) {{ return 0; }}"));
    }

    #[test]
    fn damaged_programs(text in damaged()) {
        survives(&text);
    }
}

/// What nests in C, nested far: refused with a message or translated, on a small stack.
#[test]
fn deep_nesting() {
    let deep = |open: &str, middle: &str, close: &str| {
        let text = format!("{}{middle}{}", open.repeat(5_000), close.repeat(5_000));
        format!("int x, *p; struct s {{ struct s *n; int a[2]; }} *q; int f(int a) {{ return a; }}\n{}", text)
    };
    let inside = |open: &str, middle: &str, close: &str| {
        let text = format!("{}{middle}{}", open.repeat(5_000), close.repeat(5_000));
        format!(
            "int x, *p; struct s {{ struct s *n; int a[2]; }} *q; int f(int a) {{ return a; }}\n\
             int main(void) {{ {text}; return 0; }}"
        )
    };
    for text in [
        inside("(", "x", ")"),
        inside("-", "x", ""),
        inside("!", "x", ""),
        inside("x + ", "x", ""),
        inside("x && f(1) && ", "x", ""),
        inside("x = ", "x", ""),
        inside("f(", "x", ")"),
        inside("x ? x : ", "x", ""),
        inside("if (x) { ", "x++;", "}"),
        inside("if (x) x++; else ", "x--;", ""),
        inside("while (x) { ", "x--;", "}"),
        inside("switch (x) { case 1: ", "x--;", "}"),
        inside("q->n", "->a[0]", ""),
        inside("({ ", "x;", "; })"),
        inside("x, ", "x", ""),
        inside("*&", "x", ""),
        inside("(int)", "x", ""),
        deep("struct { ", "int a;", "} b;"),
        deep("int (", "z", ");"),
        deep("int a", "[2]", "[2]"),
        deep("{", "", "}"),
        format!("int a = {}1{};", "{".repeat(5_000), "}".repeat(5_000)),
        format!("int {}z; int main(void) {{ return 0; }}", "*".repeat(100_000)),
        format!("typedef int t0; {} int main(void) {{ return 0; }}", typedefs(3_000)),
    ] {
        let small = std::thread::Builder::new().stack_size(1 << 20);
        let thread = small.spawn(move || survives(&text)).expect("a thread");
        thread.join().expect("no panic");
    }
}

/// Types that grow with every typedef.
fn typedefs(count: usize) -> String {
    (1..count).map(|index| format!("typedef t{} *t{index};", index - 1)).collect()
}

/// A program with so many statements.
fn many_statements(number: usize) -> String {
    let statements: String = (0..number).map(|index| format!("  x = x + {index};\n")).collect();
    format!("int main(void) {{\n  int x = 0;\n{statements}  return x;\n}}\n")
}

/// Translates a text within a budget; tells what interrupted it.
fn interrupted(text: &str, budget: &Budget) -> Option<Limit> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let job = c::Job {
        files: &[file],
        entry: "main",
        definitions: "",
        monitor: None,
        contracts: None,
        watch: None,
        budget: Some(budget),
    };
    match c::translate_job(&mut sources, job, Options::default(), &NoIncludes) {
        Ok(_) => None,
        Err(problems) => match &problems[..] {
            [c::Problem::Interrupted(Interrupted(limit))] => Some(*limit),
            _ => panic!("something else is wrong: {problems:?}"),
        },
    }
}

#[test]
fn translation_stops_when_it_is_told_to() {
    let cancelled = Budget::unlimited();
    cancelled.trip(Limit::Cancelled);
    assert_eq!(interrupted("int main(void) { return 0; }", &cancelled), Some(Limit::Cancelled));
}

#[test]
fn translation_stops_anywhere_in_a_long_function() {
    let (text, all) = (many_statements(1000), Budget::unlimited());
    assert_eq!(interrupted(&text, &all), None);
    let effort = all.effort();
    assert!(effort >= 1000, "it is asked at every statement whether to go on, not {effort} times");
    for quarter in 0..4 {
        let (part, _guard) = all.part(1 + effort * quarter / 4);
        assert_eq!(interrupted(&text, &part), Some(Limit::Effort));
    }
}
