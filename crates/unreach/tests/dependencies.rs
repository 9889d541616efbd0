//! What the project is built from: licences that `deny.toml` accepts, crates from the registry only, and none that is not used; and what
//! `cargo run` runs.
//!
//! `cargo deny check` says the same and more (weaknesses that became known, which need the network); this is the part that needs
//! nothing but cargo.

#![allow(clippy::disallowed_methods, reason = "the test looks at the sources")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn metadata(arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--offline", "--format-version", "1"]).args(arguments).current_dir(root());
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

fn packages(metadata: &Value) -> &[Value] {
    metadata["packages"].as_array().expect("packages")
}

/// The licences that `deny.toml` accepts.
fn accepted() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml is there");
    let list = text.split_once("[licenses]").and_then(|(_, rest)| rest.split_once("allow = ["));
    let (list, _) = list.and_then(|(_, rest)| rest.split_once(']')).expect("a list of licences");
    list.split(',').map(|word| word.trim().trim_matches('"').to_owned()).collect()
}

/// Whether an SPDX expression can be fulfilled with accepted licences: `OR` and `/` are choices, `AND` binds more strongly.
fn is_acceptable(expression: &str, accepted: &[String]) -> bool {
    let expression = expression.replace('/', " OR ");
    let mut depth = 0;
    let mut split = |separator: &str| {
        let mut parts = vec![String::new()];
        for word in expression.replace('(', "( ").replace(')', " )").split_whitespace() {
            depth += i32::from(word == "(") - i32::from(word == ")");
            if depth == 0 && word == separator {
                parts.push(String::new());
            } else {
                let last = parts.last_mut().expect("there is one");
                last.push_str(word);
                last.push(' ');
            }
        }
        parts.into_iter().map(|part| part.trim().to_owned()).collect::<Vec<_>>()
    };
    let (choices, together) = (split("OR"), split("AND"));
    if choices.len() > 1 {
        return choices.iter().any(|choice| is_acceptable(choice, accepted));
    }
    if together.len() > 1 {
        return together.iter().all(|part| is_acceptable(part, accepted));
    }
    match expression.trim().strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_acceptable(inner, accepted),
        None => accepted.iter().any(|licence| licence == expression.trim()),
    }
}

#[test]
fn licence_expressions() {
    let accepted = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    for (expression, fine) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("MIT/Apache-2.0", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(GPL-3.0 OR Apache-2.0) AND Unicode-3.0", false),
        ("MIT AND GPL-3.0", false),
    ] {
        assert_eq!(is_acceptable(expression, &accepted), fine, "{expression}");
    }
}

#[test]
fn licences_and_sources_are_accepted() {
    let host = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let host = String::from_utf8_lossy(&host.stdout).into_owned();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("a platform");
    let metadata = metadata(&["--filter-platform", host]);
    let accepted = accepted();
    assert!(packages(&metadata).len() > 50, "all packages are listed");
    for package in packages(&metadata) {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_acceptable(licence, &accepted), "{name} has the licence `{licence}`");
        let source = package["source"].as_str().unwrap_or("registry+ of this workspace");
        assert!(source.starts_with("registry+"), "{name} comes from {source}");
    }
}

/// All Rust sources below a folder, in one text.
fn sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

/// Whether a word stands in a text as a path, as an attribute's path or in a `use`.
fn is_used(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(place, _)| {
        let before = text[..place].chars().next_back();
        let after = &text[place + name.len()..];
        !before.is_some_and(is_word)
            && (after.starts_with("::")
                || after.starts_with(';')
                || after.starts_with(" as ")
                || after.starts_with('!'))
    })
}

#[test]
fn every_dependency_is_used() {
    let metadata = metadata(&["--no-deps"]);
    let mut unused = Vec::new();
    for package in packages(&metadata) {
        let name = package["name"].as_str().expect("a name");
        let manifest = PathBuf::from(package["manifest_path"].as_str().expect("a path"));
        let mut text = String::new();
        sources(manifest.parent().expect("a folder"), &mut text);
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let dependency = dependency["rename"].as_str().or(dependency["name"].as_str()).expect("a name");
            if !is_used(&text, &dependency.replace('-', "_")) {
                unused.push(format!("{name} does not use {dependency}"));
            }
        }
    }
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}

/// The first command of the README names no binary.
#[test]
fn cargo_run_means_the_verifier() {
    let metadata = metadata(&["--no-deps"]);
    let members = metadata["workspace_default_members"].as_array().expect("a list");
    let mut binaries = Vec::new();
    for package in packages(&metadata).iter().filter(|package| members.contains(&package["id"])) {
        let targets = package["targets"].as_array().expect("targets").iter();
        let programs = targets.filter(|target| target["kind"] == serde_json::json!(["bin"]));
        binaries.extend(programs.map(|target| target["name"].clone()));
    }
    assert_eq!(binaries, ["unreach"]);
}
