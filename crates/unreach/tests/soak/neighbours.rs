//! Programs of this project's own tests, or of the folder that `UNREACH_SOAK_PROGRAMS` names, with one operator or number changed. Nobody knows what is true of them, but two engines
//! cannot both be right when they contradict each other, and an execution that fails was replayed.

use super::enumerate::Truth;
use super::{decide, files, mutate, report, seeds};
use base::Random;
use std::path::PathBuf;
use unreach::{ENGINES, Inlining, Plan, Problem};

/// How much work a program is worth, in rounds of the plan. Little: what is hard is looked at elsewhere.
const ROUNDS: u32 = 3;

/// Larger programs take more time than a change is worth.
const LARGEST: u64 = 20_000;

/// The programs in a folder and in the folders in it, by name.
fn below(folder: &str, endings: &[&str]) -> Vec<String> {
    let mut folders = vec![PathBuf::from(folder)];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries.filter_map(Result::ok) {
            let (path, kind) = (entry.path(), entry.metadata());
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            match kind {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.len() <= LARGEST && endings.contains(&ending) => paths.push(path),
                _ => {}
            }
        }
    }
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

fn problem(text: &str, is_c: bool) -> Problem {
    if is_c { Problem::c("soak.c", text) } else { Problem::boogie("soak.bpl", text) }
}

/// What is wrong, in words.
fn wrong(problem: &Problem, engine: usize) -> Option<String> {
    let first = match decide(problem, &Plan::default().with_rounds(ROUNDS)) {
        Ok(said) => said,
        Err(what) => return Some(what),
    };
    let engine = &ENGINES[engine % ENGINES.len()];
    match (first, decide(problem, &Plan::only(engine, Inlining::IfSmall).with_rounds(ROUNDS))) {
        (_, Err(what)) => Some(format!("{}: {what}", engine.name)),
        (Some(Truth::Safe), Ok(Some(Truth::Unsafe))) | (Some(Truth::Unsafe), Ok(Some(Truth::Safe))) => {
            Some(format!("the plan says {first:?}, {} says the contrary", engine.name))
        }
        _ => None,
    }
}

#[test]
fn neighbours() {
    let (boogie, c) = match std::env::var("UNREACH_SOAK_PROGRAMS") {
        Ok(folder) => (below(&folder, &["bpl"]), below(&folder, &["c", "i"])),
        Err(_) => (files("tests/programs", "bpl"), files("tests/c", "c")),
    };
    assert!(!boogie.is_empty() && !c.is_empty(), "there are programs of both languages");
    let (mut made, mut found) = (0, Vec::new());
    for seed in seeds(4) {
        let mut random = Random::new(seed ^ 0x4e16);
        let is_c = random.once_in(3);
        let samples = if is_c { &c } else { &boogie };
        let sample = &samples[random.below(samples.len())];
        let Some(text) = mutate::neighbour(sample, &mut random) else { continue };
        made += 1;
        let engine = random.below(ENGINES.len());
        if let Some(what) = wrong(&problem(&text, is_c), engine) {
            let small = super::reduce::reduce(&text, |text| wrong(&problem(text, is_c), engine).is_some());
            found.push(format!("seed {seed}: {what}\n{text}\nsmaller:\n{small}"));
        }
    }
    report("neighbours", made, &found);
}
