//! Random Boogie programs, changed in ways that keep their meaning and perhaps in one that does not, against all executions.

use super::enumerate::{Truth, truth};
use super::odometer::CHOICES;
use super::{decide, generate, mutate, report, same_meaning, seeds, support};
use base::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use unreach::{ENGINES, Inlining, Plan, Problem};

/// How much work a program is worth, in rounds of the plan.
const ROUNDS: u32 = 6;

/// The program of a seed, and what is true of it; nothing if it is no program, or has too many executions.
fn program(seed: u64) -> Option<(String, Truth)> {
    let mut random = Random::new(seed ^ 0x50a4);
    let text = same_meaning::changed(&generate::program(seed), &mut random);
    let known = truth_of(&generate::program(seed));
    if random.once_in(2) {
        // The truth is that of the program before it was changed: a change that is none would show.
        return known.map(|known| (text, known));
    }
    let text = mutate::neighbour(&text, &mut random).filter(|text| can_be_enumerated(text))?;
    let known = truth_of(&text)?;
    Some((text, known))
}

/// Whether a program still has what the enumerator relies on: choices lie in their range, variables are assigned before they are
/// used, and nothing is divided by zero, which could be anything.
fn can_be_enumerated(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let chosen = |at: usize| match lines[at].strip_prefix("havoc ").and_then(|rest| rest.strip_suffix(';')) {
        Some(name) => lines.get(at + 1) == Some(&&*format!("assume 0 <= {name} && {name} < {CHOICES};")),
        None => !lines[at].contains("havoc"),
    };
    let count = |beginnings: [&str; 2]| {
        lines.iter().filter(|line| beginnings.iter().any(|beginning| line.starts_with(beginning))).count()
    };
    let procedures = lines.iter().filter(|line| line.contains("procedure")).count();
    !text.contains("mod 0")
        && (0..lines.len()).all(chosen)
        && text.contains("ULTIMATE.start")
        && count(["g, h := ", "zebra, apple := "]) == 1
        && count(["x, y := ", "x, ox := "]) == procedures
        && count(["r := 0;", "r := 0;"]) + 1 >= procedures
}

fn truth_of(text: &str) -> Option<Truth> {
    let program = support::compile(text).ok()?;
    // A number that was changed may make a division by zero, which the enumerator does not take.
    let known = catch_unwind(AssertUnwindSafe(|| truth(&program))).ok()?;
    (known != Truth::TooLarge).then_some(known)
}

/// The plan, or one engine.
fn plan(seed: u64) -> Plan {
    let engine = &ENGINES[seed as usize / 2 % ENGINES.len()];
    let plan = if seed.is_multiple_of(2) { Plan::default() } else { Plan::only(engine, Inlining::IfSmall) };
    plan.with_rounds(ROUNDS)
}

/// What is wrong, in words.
fn wrong(text: &str, known: Truth, plan: &Plan) -> Option<String> {
    match decide(&Problem::boogie("soak.bpl", text), plan) {
        Ok(Some(said)) if said != known => Some(format!("{said:?} instead of {known:?}")),
        Ok(_) => None,
        Err(what) => Some(what),
    }
}

/// One of the engines that take a few milliseconds for a program. Programs come in great numbers here, so each gets little work.
fn quick_plan(seed: u64) -> Plan {
    let name = match seed % 8 {
        // It needs a solver, and takes most of the time.
        0 => "abstract-interpretation",
        1..3 => "search",
        _ => "bounded",
    };
    let engine = unreach::engine(name).expect("it is an engine");
    Plan::only(engine, Inlining::IfSmall).with_rounds(2)
}

#[test]
fn programs() {
    farm("programs", seeds(40), plan);
}

/// Other programs than those of [`programs`].
#[test]
fn many_programs() {
    let seeds = seeds(200);
    farm("many", seeds.start + (1 << 40)..seeds.end + (1 << 40), quick_plan);
}

fn farm(name: &str, seeds: std::ops::Range<u64>, plan: fn(u64) -> Plan) {
    let (mut made, mut found) = (0, Vec::new());
    for seed in seeds {
        let Some((text, known)) = program(seed) else { continue };
        made += 1;
        let plan = plan(seed);
        if let Some(what) = wrong(&text, known, &plan) {
            let small = super::reduce::reduce(&text, |text| {
                can_be_enumerated(text)
                    && truth_of(text).is_some_and(|known| wrong(text, known, &plan).is_some())
            });
            found.push(format!("seed {seed}: {what}\n{text}\nsmaller:\n{small}"));
        }
    }
    report(name, made, &found);
}

/// What the changes promise is held against all executions, without any engine.
#[test]
fn changes_keep_the_meaning() {
    let (mut made, mut found) = (0, Vec::new());
    for seed in seeds(200) {
        let original = generate::program(seed);
        let changed = same_meaning::changed(&original, &mut Random::new(seed));
        let (Some(before), Some(after)) = (truth_of(&original), truth_of(&changed)) else { continue };
        made += 1;
        if before != after {
            found.push(format!("seed {seed}: {before:?} became {after:?}\n{original}\n{changed}"));
        }
    }
    report("changes", made, &found);
    assert!(made > 0, "some programs can be enumerated");
}
