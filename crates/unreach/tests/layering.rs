//! The layering of ARCHITECTURE.md as a test: which crate of the workspace may depend on which.

use serde_json::Value;
use std::process::Command;

/// Every crate with the crates of this workspace that it may depend on; tests and benchmarks included.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("analysis", &["base", "boogie", "ir", "logic", "program"]),
    ("ats", &["base", "nwa"]),
    ("base", &[]),
    ("boogie", &["base", "ir"]),
    ("c", &["base", "float", "ir"]),
    ("certify", &["base", "ir", "logic", "program", "smt"]),
    ("engines", &["analysis", "base", "ir", "logic", "nwa", "program", "smt"]),
    ("evidence", &["c"]),
    ("float", &[]),
    ("ir", &["base", "float"]),
    ("logic", &["base", "float"]),
    ("nwa", &["base"]),
    ("program", &["base", "ir", "logic"]),
    ("smt", &["base", "float", "logic"]),
    ("threads", &["base", "boogie", "ir"]),
    ("transform", &["base", "ir", "logic", "program"]),
    (
        "unreach",
        &[
            "analysis",
            "ats",
            "base",
            "boogie",
            "c",
            "certify",
            "engines",
            "evidence",
            "float",
            "ir",
            "logic",
            "nwa",
            "program",
            "smt",
            "threads",
            "transform",
        ],
    ),
];

#[test]
fn crates_depend_only_on_lower_layers() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let names: Vec<&str> = packages.iter().map(|package| package["name"].as_str().expect("name")).collect();
    for package in packages {
        let name = package["name"].as_str().expect("name");
        let (_, allowed) = MAY_DEPEND_ON
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("{name} is not in the layering table"));
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let dependency = dependency["name"].as_str().expect("name");
            let inside = names.contains(&dependency);
            assert!(!inside || allowed.contains(&dependency), "{name} must not depend on {dependency}");
        }
    }
}
