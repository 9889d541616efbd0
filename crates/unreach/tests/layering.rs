//! The layering of ARCHITECTURE.md as a test: which crate of the workspace may depend on which.

#![allow(clippy::disallowed_methods, reason = "the test looks at the sources")]

use serde_json::Value;
use std::process::Command;

/// Every crate with the crates of this workspace that it may depend on; tests and benchmarks included.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("alternating", &["base", "interrupt"]),
    ("analysis", &["base", "boogie", "graph", "ir", "logic", "program"]),
    ("ats", &["base", "nwa"]),
    ("base", &["interrupt"]),
    ("batch", &["base", "evidence"]),
    ("boogie", &["base", "float", "graph", "ir"]),
    ("c", &["base", "float", "graph", "ir", "property"]),
    ("certify", &["base", "boogie", "ir", "logic", "program", "sat", "smt", "unroll"]),
    (
        "engines",
        &[
            "alternating",
            "analysis",
            "base",
            "graph",
            "ir",
            "logic",
            "nwa",
            "program",
            "sat",
            "smt",
            "unwind",
        ],
    ),
    ("evidence", &["c"]),
    ("float", &[]),
    ("graph", &[]),
    ("interrupt", &[]),
    ("ir", &["base", "float", "graph"]),
    ("logic", &["base", "float"]),
    ("nwa", &["base", "graph", "interrupt"]),
    ("program", &["base", "ir", "logic", "sat"]),
    ("property", &["base", "boogie", "certify", "graph", "ir"]),
    ("sat", &["base"]),
    ("smt", &["base", "float", "logic", "sat", "unroll"]),
    ("svlib", &["base", "graph", "ir"]),
    ("threads", &["base", "boogie", "certify", "ir", "logic", "program", "smt"]),
    ("transform", &["base", "graph", "ir", "logic", "program"]),
    ("unroll", &["base", "float", "graph", "ir", "logic", "sat"]),
    ("unwind", &["base", "boogie", "c", "float", "graph", "ir", "sat", "unroll"]),
    ("xtask", &[]),
    (
        "unreach",
        &[
            "analysis",
            "ats",
            "base",
            "batch",
            "boogie",
            "c",
            "certify",
            "engines",
            "evidence",
            "float",
            "graph",
            "ir",
            "logic",
            "nwa",
            "program",
            "property",
            "sat",
            "smt",
            "svlib",
            "threads",
            "transform",
            "unwind",
        ],
    ),
];

/// What a verdict rests on (ARCHITECTURE.md, "What you trust"), each with what it may be made of: here tests do not count.
/// No transform and no engine is among it.
const TRUSTED: &[(&str, &[&str])] = &[
    ("certify", &["base", "ir", "logic", "program", "sat", "smt", "unroll"]),
    ("program", &["base", "ir", "logic", "sat"]),
    ("sat", &["base"]),
    ("unroll", &["base", "float", "graph", "ir", "logic", "sat"]),
    ("threads", &["base", "ir", "logic", "program", "smt"]),
    ("smt", &["base", "float", "logic", "sat", "unroll"]),
    ("logic", &["base", "float"]),
    ("ir", &["base", "float", "graph"]),
    ("graph", &[]),
];

/// The modules of crate `program`, which only says what programs are. What is done to them has crates of its own.
const MODULES_OF_PROGRAM: &[&str] = &[
    "automaton",
    "build",
    "expressions",
    "leap",
    "lib",
    "print",
    "relation",
    "stages",
    "steps",
    "termination",
    "unfolding",
    "variables",
    "verdict",
];

#[test]
fn the_trusted_base_is_made_of_itself() {
    for (name, allowed) in TRUSTED {
        for dependency in dependencies(name, false) {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
        }
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../program/src");
    let files = std::fs::read_dir(folder).expect("the crate is beside this one");
    for file in files {
        let name = file.expect("a file").path();
        let name = name.file_stem().and_then(|name| name.to_str()).expect("a name");
        assert!(MODULES_OF_PROGRAM.contains(&name), "{name} is not in the list of program's modules");
    }
}

/// The crates of this workspace that a crate depends on, for its tests too or not.
fn dependencies(name: &str, tests: bool) -> Vec<String> {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let names: Vec<&str> = packages.iter().map(|package| package["name"].as_str().expect("name")).collect();
    let package = packages.iter().find(|package| package["name"] == name).expect("the crate is there");
    let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
    let counts = |dependency: &&Value| tests || dependency["kind"].is_null();
    let inside = dependencies.filter(counts).filter_map(|dependency| dependency["name"].as_str());
    inside.filter(|name| names.contains(name)).map(str::to_owned).collect()
}

fn metadata() -> Value {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    serde_json::from_slice(&metadata.stdout).expect("cargo prints JSON")
}

#[test]
fn crates_depend_only_on_lower_layers() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    for package in packages {
        let name = package["name"].as_str().expect("name");
        let (_, allowed) = MAY_DEPEND_ON
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("{name} is not in the layering table"));
        for dependency in dependencies(name, true) {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
        }
    }
}
