//! File tests: a program with its expectation in the same file.
//!
//! The first line of every file below `tests/files` says what to look at, and everything behind the line
//! `//@ expect` is what must be seen, as comments. `UPDATE_EXPECT=1 cargo test -p boogie` writes the expectations.
//!
//! * `//@ tokens`, `//@ ast`, `//@ ir`: the text of that stage. The text of a tree must read back as itself; so
//!   must that of a program, which must also be well formed.
//! * `//@ messages`: errors, unsupported features and warnings.
//! * `//@ run`: every further line `//@ run NAME values … targets …` runs a procedure; without lists, all
//!   choices are defaults. `//@ trace NAME …` also shows what happens on the way.

#![allow(clippy::disallowed_methods, reason = "the programs are files")]

mod support;

use base::SourceMap;
use base::diagnostics::Style;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use support::runs;

const EXPECT: &str = "//@ expect\n";

#[test]
fn files_show_what_they_expect() {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files"), &mut files);
    assert!(files.len() > 20, "the test files are found");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut failures = String::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("test files can be read");
        let (input, expected) = text.split_once(EXPECT).unwrap_or((&text, ""));
        let actual = as_comments(&observe(input));
        if update {
            std::fs::write(&path, format!("{input}{EXPECT}{actual}")).expect("test files can be written");
        } else if actual != expected {
            writeln!(failures, "{}:\n--- expected\n{expected}--- actual\n{actual}", path.display())
                .expect("strings can be written");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of the test files can be read")
        .map(|entry| entry.expect("its entries can be read").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "bpl") {
            files.push(path);
        }
    }
}

fn as_comments(text: &str) -> String {
    text.lines().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect()
}

fn observe(input: &str) -> String {
    let stage = input.lines().next().and_then(|line| line.strip_prefix("//@ ")).unwrap_or("");
    let mut sources = SourceMap::new();
    let file = sources.add("input.bpl", input);
    match stage {
        "tokens" => boogie::print::tokens(&sources, file),
        "ast" => {
            let text = support::ast_text(input);
            assert_eq!(support::ast_text(&text), text, "the text of a tree reads back as itself");
            text
        }
        "ir" => match boogie::compile(file, input) {
            Ok(compiled) => {
                support::check_program(&compiled.program);
                compiled.program.to_string()
            }
            Err(failure) => messages(&sources, &failure),
        },
        "messages" => match boogie::compile(file, input) {
            Ok(compiled) => {
                support::check_program(&compiled.program);
                compiled.warnings.iter().map(|warning| warning.render(&sources, Style::Plain)).collect()
            }
            Err(failure) => messages(&sources, &failure),
        },
        "run" => match boogie::compile(file, input) {
            Ok(compiled) => runs(&compiled.program, &sources, input),
            Err(failure) => messages(&sources, &failure),
        },
        _ => panic!("the first line says what to look at, not {stage:?}"),
    }
}

fn messages(sources: &SourceMap, failure: &boogie::Failure) -> String {
    let unsupported = failure.unsupported.iter().map(boogie::Unsupported::diagnostic);
    let all = failure.errors.iter().cloned().chain(unsupported);
    all.map(|message| message.render(sources, Style::Plain)).collect()
}
