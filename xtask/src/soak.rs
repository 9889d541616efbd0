//! `cargo xtask soak`: runs the farms of tests by the million, in slices of seeds, and goes on where it stopped.
//!
//! A farm is a test of `crates/unreach` that takes its seeds from the environment. A slice is one process of its binary: if it
//! panics, aborts or does not end, what it said is kept in `target/soak/found`, and the next slice follows. How far each farm is
//! stands in `target/soak/state`, which is replaced after every slice, so the command can be killed at any moment.

use crate::{libraries, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A test that takes seeds.
struct Farm {
    name: &'static str,
    /// The test binary, and the test in it.
    target: &'static str,
    test: &'static str,
    /// How many seeds a slice has.
    slice: u64,
}

const FARMS: &[Farm] = &[
    Farm { name: "readers", target: "soak", test: "readers::readers_do_not_panic", slice: 50_000 },
    Farm { name: "bred", target: "soak", test: "readers::readers_do_not_panic_at_bred_texts", slice: 50_000 },
    Farm { name: "changes", target: "soak", test: "programs::changes_keep_the_meaning", slice: 20_000 },
    Farm { name: "programs", target: "soak", test: "programs::programs", slice: 500 },
    Farm { name: "many", target: "soak", test: "programs::many_programs", slice: 20_000 },
    Farm { name: "neighbours", target: "soak", test: "neighbours::neighbours", slice: 20 },
    Farm { name: "certificates", target: "soak", test: "certificates::certificates", slice: 40 },
    Farm { name: "witnesses", target: "soak", test: "witnesses::witnesses", slice: 200 },
    Farm { name: "csmith", target: "soak", test: "csmith::csmith", slice: 40 },
    Farm { name: "boogie", target: "random", test: "verdicts_are_true", slice: 500 },
    Farm { name: "arrays", target: "random", test: "what_is_proven_about_arrays_is_true", slice: 300 },
    Farm { name: "threads", target: "random", test: "threads::verdicts_of_threads_are_true", slice: 200 },
    Farm { name: "c", target: "random", test: "c::verdicts_of_c_are_true", slice: 40 },
    Farm { name: "c-memory", target: "random", test: "c::verdicts_of_c_with_memory_are_true", slice: 40 },
    Farm { name: "c-records", target: "random", test: "c::verdicts_of_c_with_records_are_true", slice: 40 },
    Farm {
        name: "c-memory-errors",
        target: "random",
        test: "memory_errors::verdicts_of_memory_errors_are_true",
        slice: 40,
    },
];

/// A slice that takes longer does not end.
const LONGEST: Duration = Duration::from_secs(1800);

pub const USAGE: &str = "cargo xtask soak [--minutes N] [FARM…]\n\nRuns farms of random tests, one slice after the other, for N minutes (default: 10).\nFarms: readers bred changes programs many neighbours certificates witnesses csmith boogie arrays threads c c-memory c-records c-memory-errors.";

/// How far a farm is.
#[derive(Clone, Copy, Default)]
struct Progress {
    next: u64,
    seconds: u64,
    found: u64,
}

pub fn run(arguments: &[&str]) -> Result<(), String> {
    let mut minutes = 10;
    let mut names = Vec::new();
    let mut rest = arguments.iter();
    while let Some(&word) = rest.next() {
        match word {
            "--minutes" => {
                let number = rest.next().and_then(|text| text.parse().ok());
                minutes = number.ok_or_else(|| format!("--minutes takes a number\n{USAGE}"))?;
            }
            name if FARMS.iter().any(|farm| farm.name == name) => names.push(name),
            other => return Err(format!("there is no farm `{other}`\n{USAGE}")),
        }
    }
    let farms: Vec<&Farm> =
        FARMS.iter().filter(|farm| names.is_empty() || names.contains(&farm.name)).collect();
    let binaries = build(&farms)?;
    let folder = root().join("target/soak");
    fs::create_dir_all(folder.join("found")).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut state = read_state(&folder.join("state"));
    let end = Instant::now() + Duration::from_secs(minutes * 60);
    let mut found = 0;
    while Instant::now() < end {
        for farm in &farms {
            let progress = state.entry(farm.name.to_owned()).or_default();
            let bad = slice(farm, &binaries[farm.target], *progress, &folder)?;
            progress.next += farm.slice;
            progress.seconds += bad.seconds;
            progress.found += u64::from(bad.found);
            found += u64::from(bad.found);
            println!(
                "{}: {} seeds in {} s, {} slices with findings{}",
                farm.name, progress.next, progress.seconds, progress.found, bad.said
            );
            write_state(&folder.join("state"), &state)?;
            if Instant::now() >= end {
                break;
            }
        }
    }
    match found {
        0 => Ok(()),
        _ => Err(format!("{found} slices with findings, see {}", folder.join("found").display())),
    }
}

/// The test binaries, by their target.
fn build(farms: &[&Farm]) -> Result<BTreeMap<&'static str, PathBuf>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut binaries = BTreeMap::new();
    for farm in farms {
        if binaries.contains_key(farm.target) {
            continue;
        }
        let mut command = Command::new(&cargo);
        command.current_dir(root()).args([
            "test",
            "--release",
            "--package",
            "unreach",
            "--no-run",
            "--test",
            farm.target,
        ]);
        let output = command.output().map_err(|error| format!("cargo: {error}"))?;
        let text = String::from_utf8_lossy(&output.stderr);
        // `Executable tests/soak/main.rs (target/release/deps/soak-0123)`
        let path = text.lines().rev().find(|line| line.contains("Executable")).and_then(|line| {
            line.rsplit_once('(').and_then(|(_, path)| path.strip_suffix(')')).map(|path| root().join(path))
        });
        binaries.insert(farm.target, path.ok_or_else(|| format!("the tests do not build:\n{text}"))?);
    }
    Ok(binaries)
}

/// What became of a slice.
struct Slice {
    seconds: u64,
    found: bool,
    /// What its last line of figures said.
    said: String,
}

fn slice(farm: &Farm, binary: &Path, progress: Progress, folder: &Path) -> Result<Slice, String> {
    let log = folder.join("slice.log");
    let file = fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
    let again = file.try_clone().map_err(|error| format!("{}: {error}", log.display()))?;
    // Cargo would say where libz3 is.
    let libraries = libraries(&root())?;
    let path = libraries[0].parent().unwrap_or(Path::new("")).to_owned();
    let begun = Instant::now();
    let (start, count) = (progress.next.to_string(), farm.slice.to_string());
    let mut child = Command::new(binary)
        .current_dir(root().join("crates/unreach"))
        .args(["--exact", farm.test, "--nocapture"])
        .envs([("UNREACH_SOAK_START", &start), ("UNREACH_SOAK_COUNT", &count)])
        .envs([("UNREACH_RANDOM_START", &start), ("UNREACH_RANDOM_PROGRAMS", &count)])
        .env("LD_LIBRARY_PATH", &path)
        .env("DYLD_LIBRARY_PATH", &path)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(again)
        .spawn()
        .map_err(|error| format!("{}: {error}", binary.display()))?;
    let ended = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break Some(status),
            None if begun.elapsed() > LONGEST => {
                // It may have ended just now.
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    };
    let text = String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
    let found = !ended.is_some_and(|status| status.success());
    if found {
        let kept = folder.join("found").join(format!("{}-{start}.txt", farm.name));
        let ended = ended.map_or_else(|| "it did not end".to_owned(), |status| status.to_string());
        fs::write(&kept, format!("{ended}\n{text}"))
            .map_err(|error| format!("{}: {error}", kept.display()))?;
    }
    let said = text.lines().find(|line| line.contains(" tried, ")).map(|line| format!(" (last: {line})"));
    Ok(Slice { seconds: begun.elapsed().as_secs(), found, said: said.unwrap_or_default() })
}

/// A line for each farm: name, next seed, seconds, slices with findings.
fn read_state(path: &Path) -> BTreeMap<String, Progress> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        let mut number = || words.next()?.parse().ok();
        Some((name, Progress { next: number()?, seconds: number()?, found: number()? }))
    };
    text.lines().filter_map(line).collect()
}

fn write_state(path: &Path, state: &BTreeMap<String, Progress>) -> Result<(), String> {
    let lines = state
        .iter()
        .map(|(name, Progress { next, seconds, found })| format!("{name} {next} {seconds} {found}\n"));
    let beside = path.with_extension("new");
    fs::write(&beside, lines.collect::<String>())
        .and_then(|()| fs::rename(&beside, path))
        .map_err(|error| format!("{}: {error}", path.display()))
}
