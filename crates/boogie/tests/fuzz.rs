//! A fuzzer for lexer, parser and type checker: programs are mutated byte by byte, with a fixed seed, so that every run
//! is the same. No panic, no endless run, and what is accepted is well formed.
//!
//! The short form runs with the other tests. The long form takes its length from the environment:
//! `FUZZ_ROUNDS=1000000 cargo test -p boogie --release --test fuzz -- --ignored`.

#![allow(clippy::disallowed_methods, reason = "tests read programs and how long they shall run")]

use base::Random;
use base::SourceMap;
use base::diagnostics::Style;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Pieces that lead into rare parts of the grammar.
const DICTIONARY: &[&str] = &[
    "{:attribute \"text\", 1}",
    "forall<T> x: T :: ",
    "lambda x: int :: ",
    "old(",
    "if ",
    " then ",
    " else ",
    "goto L, M;",
    "L:",
    "call forall f(*);",
    "call {:async} p();",
    "havoc x, y;",
    "where x > 0",
    "modifies g;",
    "free requires ",
    "ensures true;",
    "[int]bool",
    "<a>[a]int",
    "bv32",
    "5bv8",
    "x[3:1]",
    "1e3",
    "0x",
    "<==>",
    "==>",
    "<:",
    "++",
    ":=",
    "::",
    "implementation p() {",
    "procedure p(",
    "function {:inline} f(x: int): int {",
    "type synonym t = ",
    "const unique c: t;",
    "axiom ",
    "while (*) invariant ",
    "break L;",
    "/*",
    "*/",
    "//",
    "\"",
    "\\",
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
];

fn corpus() -> Vec<Vec<u8>> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("programs") {
            let path = entry.expect("a file").path();
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    assert!(paths.len() > 10, "only {} programs were found", paths.len());
    paths.iter().map(|path| std::fs::read(path).expect("a program")).collect()
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

/// Compiles a text; whatever the answer is, it comes soon. Was it accepted?
fn survives(text: &str) -> bool {
    let started = Instant::now();
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.bpl", text);
    let accepted = match boogie::compile(file, text) {
        Ok(compiled) => {
            let violations = ir::well_formed::check(&compiled.program);
            assert!(violations.is_empty(), "{violations:?}\n{text}");
            true
        }
        Err(failure) => {
            assert!(!failure.errors.is_empty() || !failure.unsupported.is_empty(), "{text}");
            for message in &failure.errors {
                assert!(!message.render(&sources, Style::Plain).is_empty());
            }
            false
        }
    };
    let took = started.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?} for\n{text}");
    accepted
}

fn fuzz(seed: u64, rounds: usize) {
    let corpus = corpus();
    let mut random = Random::new(seed);
    let accepted = (0..rounds).filter(|_| survives(&mutated(&mut random, &corpus))).count();
    // A fuzzer whose programs are all refused at once does not reach far.
    assert!(accepted * 50 > rounds, "only {accepted} of {rounds} programs were accepted");
}

#[test]
fn mutated_programs() {
    fuzz(7, 2_000);
}

#[test]
#[ignore = "runs as long as it is told to"]
fn many_mutated_programs() {
    let told = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    fuzz(told("FUZZ_SEED").unwrap_or(1), told("FUZZ_ROUNDS").unwrap_or(200_000) as usize);
}
