//! A fuzzer for lexer, preprocessor, parser and everything behind them: programs are mutated byte by byte, with a fixed
//! seed, so that every run is the same. No panic, no endless run, no unbounded memory.
//!
//! The short form runs with the other tests. The long form takes its length from the environment:
//! `FUZZ_ROUNDS=1000000 cargo test -p c --release --test fuzz -- --ignored`.

#![allow(clippy::disallowed_methods, reason = "tests read programs and how long they shall run")]

use base::Random;
use base::SourceMap;
use c::{DataModel, Includes, NoIncludes, Options, Problem, Property};
use std::path::Path;
use std::time::{Duration, Instant};

/// Pieces that lead into rare parts of the grammar.
const DICTIONARY: &[&str] = &[
    "#define F(x, ...) x##x #x __VA_ARGS__\n",
    "#define F F(\n",
    "#undef F\n",
    "#if 1 + \n",
    "#elif defined(F)\n",
    "#else\n",
    "#endif\n",
    "#include <stdio.h>\n",
    "#include \"t.c\"\n",
    "# 7 \"t.c\" 2\n",
    "#line 3\n",
    "#error\n",
    "#pragma pack(1)\n",
    "\\\n",
    "??/",
    "/*",
    "*/",
    "//",
    "//@ assert ",
    "/*@ ",
    "@*/",
    "\"",
    "'",
    "'\\x",
    "L\"",
    "0x",
    "0b1",
    "1e",
    "1.f",
    "08",
    "18446744073709551616",
    "__attribute__((",
    "__asm__(\"\" : : : )",
    "__typeof__(",
    "({",
    "})",
    "&&label",
    "goto *",
    "case 1 ... 3:",
    "?:",
    "_Static_assert(",
    "_Generic(",
    "_Alignof(",
    "__int128 ",
    "struct {",
    "union {",
    "enum {",
    "...",
    "[static 3]",
    "{ [0 ... 2] = 1 }",
    ".a = ",
    "int f(a) int a; {",
    "__builtin_offsetof(",
    "sizeof ",
    "__label__ x;",
    "F(",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "\0",
    "\u{e9}",
    "\u{2212}",
];

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("programs").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let mut texts: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("a program")).collect();
    texts.push(
        b"#define CAT(a, b) a##b\n#define STR(x) #x\n#define TWICE(f, ...) f(__VA_ARGS__) f(__VA_ARGS__)\n\
          #ifndef X\n#define X 1\n#elif X > 2 && defined(Y)\n#else\n#endif\n\
          int CAT(x, 1); const char *s = STR(a \"b\" 'c'); TWICE(extern int g, (int));\nint main(void) { return X; }\n"
            .to_vec(),
    );
    texts
}

/// A text with up to four mutations.
fn mutated(random: &mut Random, corpus: &[Vec<u8>]) -> String {
    let mut text = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + 1 + random.below(40)).min(text.len());
        match random.below(7) {
            0 if at < text.len() => text[at] ^= 1 << random.below(7),
            1 if at < text.len() => drop(text.drain(at..end)),
            2 if at < text.len() => {
                let piece = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, piece);
            }
            3 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len());
                let piece = other[from..(from + random.below(200)).min(other.len())].to_vec();
                text.splice(at..at, piece);
            }
            4 => text.truncate(at),
            _ => {
                let piece = DICTIONARY[random.below(DICTIONARY.len())];
                text.splice(at..at, piece.bytes());
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Translates a text; whatever the answer is, it comes soon and is well-formed.
fn survives(text: &str, includes: &dyn Includes) -> Option<String> {
    let started = Instant::now();
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let property = if text.len().is_multiple_of(2) { Property::Assert } else { Property::NoOverflow };
    let options = Options { data_model: DataModel::Lp64, property, ..Options::default() };
    let message = match c::translate(&mut sources, file, options, includes) {
        Ok((program, _)) => {
            let violations = ir::well_formed::check(&program);
            assert!(violations.is_empty(), "{violations:?}\n{text}");
            None
        }
        Err(problems) => Some(match problems.first().expect("a reason") {
            Problem::Error(diagnostic) => diagnostic.render(&sources, base::diagnostics::Style::Plain),
            Problem::Unsupported(unsupported) => unsupported.describe(&sources),
            Problem::Interrupted(limit) => limit.to_string(),
        }),
    };
    let took = started.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?} for\n{text}");
    message
}

fn fuzz(seed: u64, rounds: usize) {
    let corpus = corpus();
    let mut random = Random::new(seed);
    let mut accepted = 0;
    for _ in 0..rounds {
        let text = mutated(&mut random, &corpus);
        accepted += usize::from(survives(&text, &NoIncludes).is_none());
    }
    // A fuzzer whose programs are all refused at once does not reach far.
    assert!(accepted * 50 > rounds, "only {accepted} of {rounds} programs were accepted");
}

#[test]
fn mutated_programs() {
    fuzz(7, 300);
}

#[test]
#[ignore = "runs as long as it is told to"]
fn many_mutated_programs() {
    let told = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    fuzz(told("FUZZ_SEED").unwrap_or(1), told("FUZZ_ROUNDS").unwrap_or(20_000) as usize);
}

/// Files that include each other, or themselves, or ever new ones.
struct Everything;

impl Includes for Everything {
    fn find(&self, wanted: c::Wanted<'_>) -> Option<c::Found> {
        let text = match wanted.name {
            "a.h" => "#include \"b.h\"\n".to_owned(),
            "b.h" => "#include \"a.h\"\n".to_owned(),
            "twice.h" => "#include \"twice.h\"\n#include \"twice.h\"\n".to_owned(),
            name => format!("int x{};\n#include \"{name}{name}\"\n", name.len()),
        };
        Some(c::Found { name: wanted.name.to_owned(), text })
    }
}

#[test]
fn includes_without_end_are_errors() {
    for name in ["a.h", "twice.h", "z"] {
        let text = format!("#include \"{name}\"\nint main(void) {{ return 0; }}\n");
        let message = survives(&text, &Everything).expect("an error");
        assert!(message.starts_with("error: "), "{name}: {message}");
    }
}

#[test]
fn macros_that_explode_are_errors() {
    let doubling: String = (1..60).map(|n| format!("#define M{n} M{} M{}\n", n - 1, n - 1)).collect();
    let arguments: String = (1..60).map(|n| format!("#define F{n}(x) F{}(x x)\n", n - 1)).collect();
    let pasting = "#define P(a) P1(a##a##a##a##a##a##a##a)\n#define P1(a) P2(a##a##a##a##a##a##a##a)\n\
                   #define P2(a) P3(a##a##a##a##a##a##a##a)\n#define P3(a) P4(a##a##a##a##a##a##a##a)\n\
                   #define P4(a) P5(a##a##a##a##a##a##a##a)\n#define P5(a) P6(a##a##a##a##a##a##a##a)\n\
                   #define P6(a) P7(a##a##a##a##a##a##a##a)\n#define P7(a) a##a##a##a##a##a##a##a\n";
    for text in [
        format!("#define M0 x\n{doubling}int M59;\n"),
        format!("#define F0(x) x\n{arguments}int F59(y);\n"),
        format!("#define S(x) #x\n#define F0(x) S(x)\n{arguments}const char *s = F59(y);\n"),
        format!("{pasting}int P(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx);\n"),
    ] {
        let message = survives(&text, &NoIncludes).expect("an error");
        assert!(message.starts_with("error: "), "{message}");
    }
}

#[test]
fn what_has_no_end_is_an_error() {
    let deep_conditions = "#if 1\n".repeat(20_000);
    let deep_calls = format!("#define F(x) x\nint y = {}1{};\n", "F(".repeat(20_000), ")".repeat(20_000));
    let long_condition = format!("#if {}1\n#endif\nint main(void) {{ return 0; }}\n", "(".repeat(50_000));
    for text in [
        deep_conditions,
        deep_calls,
        long_condition,
        "/* no end".to_owned(),
        "const char *s = \"no end".to_owned(),
        "#define F(x) x\nint y = F((((".to_owned(),
        "#define F(x\n".to_owned(),
        "\\\n".repeat(100_000),
        format!("int {};", "x".repeat(3_000_000)),
        format!("int x = {};", "9".repeat(200_000)),
    ] {
        let small = std::thread::Builder::new().stack_size(1 << 20);
        small.spawn(move || survives(&text, &NoIncludes)).expect("a thread").join().expect("no panic");
    }
}
