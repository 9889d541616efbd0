//! `cargo xtask fuzz`: coverage-guided fuzzing of the readers, with the compiler that builds everything else.
//!
//! LLVM's instrumentation is reached by stable flags of the compiler, so neither a nightly compiler nor `cargo fuzz` is needed. (Where
//! both are at hand, `cargo fuzz run readers` in `fuzz` works as well, and adds AddressSanitizer.) What was found to reach new code is kept in
//! `target/fuzz/corpus/KIND`, so the next run goes on from there; a text that makes a reader panic, or that takes too long, is kept in
//! `target/fuzz/found`.

use crate::{libraries, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each kind with the folders of this repository that have samples, and the ending of their files.
const KINDS: &[(&str, &[(&str, &str)])] = &[
    ("boogie", &[("crates/unreach/tests/programs", "bpl"), ("crates/unreach/tests/features", "bpl")]),
    ("c", &[("crates/unreach/tests/c", "c"), ("crates/unreach/tests/threads", "c")]),
    ("svlib", &[("crates/unreach/tests/svlib", "svlib")]),
    ("automata", &[("crates/ats/tests/scripts/passing", "ats")]),
    ("certificate", &[]),
    (
        "witness",
        &[("crates/unreach/tests/soak/samples", "yml"), ("crates/unreach/tests/soak/samples", "graphml")],
    ),
    ("property", &[("examples/caret", "prp")]),
    ("observer", &[("examples/observers", "obs")]),
    ("yaml", &[("crates/unreach/tests/soak/samples", "yml")]),
    ("smtlib", &[]),
];

/// Counters and comparisons, as libFuzzer reads them.
const INSTRUMENTATION: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// A text that takes longer is a finding, in seconds.
const LONGEST: &str = "20";

pub const USAGE: &str = "cargo xtask fuzz [--minutes N] [KIND…]\n\nFuzzes the readers of these kinds of texts one after the other, N minutes each (default: 2).\nKinds: boogie c svlib automata certificate witness property observer yaml smtlib.";

pub fn run(arguments: &[&str]) -> Result<(), String> {
    let mut minutes: u64 = 2;
    let mut names = Vec::new();
    let mut rest = arguments.iter();
    while let Some(&word) = rest.next() {
        match word {
            "--minutes" => {
                let number = rest.next().and_then(|text| text.parse().ok());
                minutes = number.ok_or_else(|| format!("--minutes takes a number\n{USAGE}"))?;
            }
            name if KINDS.iter().any(|(kind, _)| *kind == name) => names.push(name),
            other => return Err(format!("there is no kind `{other}`\n{USAGE}")),
        }
    }
    let binary = build()?;
    let folder = root().join("target/fuzz");
    let mut bad = Vec::new();
    for (kind, samples) in KINDS.iter().filter(|(kind, _)| names.is_empty() || names.contains(kind)) {
        let corpus = folder.join("corpus").join(kind);
        let found = folder.join("found").join(kind);
        for made in [&corpus, &found] {
            fs::create_dir_all(made).map_err(|error| format!("{}: {error}", made.display()))?;
        }
        gather(&corpus, samples)?;
        if !fuzz(&binary, kind, (&corpus, &found), minutes)? {
            bad.push(found.display().to_string());
        }
    }
    if bad.is_empty() { Ok(()) } else { Err(format!("something was found, see {}", bad.join(", "))) }
}

/// The instrumented binary.
fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = root().join("target/fuzz/build");
    // With a target that is named, the flags are not for build scripts, which are linked without libFuzzer.
    let machine = machine()?;
    let mut command = Command::new(cargo);
    command
        .current_dir(root().join("fuzz"))
        .args(["build", "--release", "--bin", "readers", "--target", &machine])
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", INSTRUMENTATION);
    crate::run(&mut command)?;
    Ok(target.join(machine).join("release/readers"))
}

/// What the compiler calls the machine that it runs on.
fn machine() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let named = text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned);
    named.ok_or_else(|| "rustc does not say what machine it runs on".to_owned())
}

/// Puts the samples of this repository beside what earlier runs have kept.
fn gather(corpus: &Path, samples: &[(&str, &str)]) -> Result<(), String> {
    for (folder, ending) in samples {
        let folder = root().join(folder);
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.extension().is_some_and(|found| found == *ending) {
                let beside = corpus.join(path.file_name().unwrap_or_default());
                fs::copy(&path, &beside).map_err(|error| format!("{}: {error}", beside.display()))?;
            }
        }
    }
    Ok(())
}

/// Whether nothing was found.
fn fuzz(binary: &Path, kind: &str, (corpus, found): (&Path, &Path), minutes: u64) -> Result<bool, String> {
    println!("{kind}: {minutes} minutes");
    let libraries = libraries(&root())?;
    let path = libraries[0].parent().unwrap_or(Path::new(""));
    let status = Command::new(binary)
        .arg(corpus)
        .arg(format!("-artifact_prefix={}/", found.display()))
        .arg(format!("-max_total_time={}", minutes * 60))
        .arg(format!("-timeout={LONGEST}"))
        .args([
            "-max_len=6000",
            "-rss_limit_mb=4096",
            "-print_final_stats=1",
            "-print_funcs=0",
            "-verbosity=0",
        ])
        .env("UNREACH_FUZZ_KIND", kind)
        .env("LD_LIBRARY_PATH", path)
        .env("DYLD_LIBRARY_PATH", path)
        .status()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    Ok(status.success())
}
