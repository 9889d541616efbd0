//! Programs that read memory before something was written to it, and programs that do not: the names of the files say which. Each
//! read leads to a branch, so that valgrind, where it is installed, sees the same.

#![allow(clippy::disallowed_methods, reason = "tests run the binary, a compiler and valgrind")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn programs() -> Vec<(PathBuf, bool)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uninitialised");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("programs").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let is_safe = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        assert!(name.starts_with("safe_") || name.starts_with("unsafe_"), "{name} says neither");
        name.starts_with("safe_")
    };
    files.into_iter().map(|path| (path.clone(), is_safe(&path))).collect()
}

#[test]
fn reads_of_memory_without_a_value_are_found() {
    for (path, safe) in programs() {
        let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
            .args(["verify", "--check", "uninitialised", "--quiet"])
            .arg(&path)
            .stdin(Stdio::null())
            .output()
            .expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let expected = if safe { "TRUE" } else { "FALSE(no-uninitialised-read)" };
        assert_eq!(said.lines().next(), Some(expected), "{}", path.display());
    }
}

#[test]
fn valgrind_agrees() {
    let installed = |tool: &str| {
        let asked = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    if !installed("valgrind") || !installed("gcc") {
        return;
    }
    let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join("uninitialised");
    for (path, safe) in programs() {
        let built = Command::new("gcc").args(["-w", "-O0", "-o"]).arg(&binary).arg(&path).status();
        assert!(built.is_ok_and(|status| status.success()), "{}", path.display());
        let run = Command::new("valgrind")
            .args(["--quiet", "--error-exitcode=99"])
            .arg(&binary)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("valgrind runs");
        assert_eq!(run.code() != Some(99), safe, "{}", path.display());
    }
}
