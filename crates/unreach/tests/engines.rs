//! All engines on all of the project's own programs: no two of them may disagree, and each decides what it is known to
//! decide.
//!
//! A program is unsafe if its name ends with `_bug` or its text expects it, every other one is safe. Which engines decide
//! which program is written in `engines.txt`. Their work is limited, not their time, so the answers depend on nothing
//! else; `UNREACH_BLESS=1` writes the file anew.

#![allow(clippy::disallowed_methods, reason = "the test lists its programs")]

use engines::predicate_abstraction::Abstraction;
use engines::table::{
    ABSTRACT_INTERPRETATION, BOUNDED, GUESSING, HORN, IMPACT, KOJAK, LEAPING, PREDICATE_ABSTRACTION,
    QUANTIFIED, SEARCH, TRACE_ABSTRACTION,
};
use std::fmt::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use transform::BlockSize;
use unreach::{Answer, Budget, Engine, Inlining, Plan, Problem, Silent, verify};

/// How much work an engine may spend on a program, in rounds.
const ROUNDS: u32 = 5;

/// An engine with the options that choose between variants of it.
#[derive(Clone, Copy)]
struct Variant {
    name: &'static str,
    engine: &'static Engine,
    blocks: BlockSize,
    abstraction: Abstraction,
    /// Whether control that is kept in data is made into locations.
    divided: bool,
}

impl Variant {
    const fn of(name: &'static str, engine: &'static Engine) -> Variant {
        let (blocks, abstraction) = (BlockSize::Moderate, Abstraction::Cartesian);
        Variant { name, engine, blocks, abstraction, divided: false }
    }

    fn plan(self) -> Plan {
        let plan = Plan::only(self.engine, Inlining::IfSmall).with_rounds(ROUNDS);
        let mut plan = if self.divided { plan.divided() } else { plan };
        plan.blocks = self.blocks;
        plan.options.abstraction = self.abstraction;
        plan
    }
}

const VARIANTS: &[Variant] = &[
    Variant::of("trace-abstraction", TRACE_ABSTRACTION),
    Variant { divided: true, ..Variant::of("divided", TRACE_ABSTRACTION) },
    Variant::of("kojak", KOJAK),
    Variant { blocks: BlockSize::Straight, ..Variant::of("kojak-straight", KOJAK) },
    Variant::of("impact", IMPACT),
    Variant { blocks: BlockSize::Straight, ..Variant::of("impact-straight", IMPACT) },
    Variant::of("predicates", PREDICATE_ABSTRACTION),
    Variant { abstraction: Abstraction::Boolean, ..Variant::of("predicates-boolean", PREDICATE_ABSTRACTION) },
    Variant::of("horn", HORN),
    Variant::of("abstract-interpretation", ABSTRACT_INTERPRETATION),
    Variant::of("guessing", GUESSING),
    Variant::of("quantified", QUANTIFIED),
    Variant::of("bounded", BOUNDED),
    Variant::of("search", SEARCH),
    Variant::of("leaping", LEAPING),
];

/// The engines that find and prove, as options of the command line.
const ENGINES: &[&[&str]] = &[
    &["--engine", "trace-abstraction"],
    &["--engine", "kojak"],
    &["--engine", "impact"],
    &["--engine", "predicate-abstraction"],
    &["--engine", "predicate-abstraction", "--abstraction", "boolean"],
    &["--engine", "horn"],
];

/// Long enough for what an engine solves at all, also on a busy machine.
const PATIENT: &[&str] = &["--timeout", "600"];

/// The first line of the output.
fn verdict(options: &[&str], limit: &[&str], program: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .arg("verify")
        .args(options)
        .args(limit)
        .arg(program)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().next().unwrap_or_default().to_owned()
}

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs: Vec<PathBuf> = ["../../examples", "tests/programs"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("the folder is there"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "bpl"))
        .collect();
    programs.sort();
    assert!(programs.len() > 10, "some programs are missing");
    programs
}

fn name(program: &Path) -> String {
    program.file_stem().expect("a file").to_string_lossy().into_owned()
}

/// The truth about a program, as far as it has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    Safe,
    Unsafe,
    /// There is a good reason to answer neither.
    Open,
}

fn truth(program: &Path) -> Truth {
    let text = std::fs::read_to_string(program).expect("the program is readable");
    match () {
        () if name(program).ends_with("_bug") || text.contains("//@ verdict: unsafe") => Truth::Unsafe,
        () if text.contains("//@ verdict: unknown") => Truth::Open,
        () => Truth::Safe,
    }
}

fn answer(program: &Path, variant: Variant) -> Truth {
    let problem = Problem::read(program).expect("the program is readable");
    let decision = verify(&problem, &variant.plan(), &Budget::unlimited(), Arc::new(Silent))
        .unwrap_or_else(|failure| panic!("{} with {}: {failure:?}", program.display(), variant.name));
    match decision.answer {
        Answer::Safe(_) => Truth::Safe,
        Answer::Unsafe(_) | Answer::Leaps(_) => Truth::Unsafe,
        Answer::Unknown(_) | Answer::Terminates(_) | Answer::Infinite(_) => Truth::Open,
    }
}

/// The line of the table for a program, or a wrong answer.
fn line(program: &Path) -> Result<String, String> {
    let truth = truth(program);
    let mut line = format!("{}:", name(program));
    for variant in VARIANTS {
        match answer(program, *variant) {
            Truth::Open => {}
            right if right == truth => _ = write!(line, " {}", variant.name),
            wrong => return Err(format!("{} with {}: {wrong:?}", program.display(), variant.name)),
        }
    }
    Ok(line)
}

#[test]
fn engines_decide_what_they_are_known_to_decide() {
    let programs = programs();
    let (next, lines) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let line = line(program);
            lines.lock().expect("no panic").push((program, line));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    let mut lines = lines.into_inner().expect("no panic");
    lines.sort();
    let table: Result<Vec<String>, String> = lines.into_iter().map(|(_, line)| line).collect();
    let table = table.expect("all answers are right").join("\n") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines.txt");
    if std::env::var_os("UNREACH_BLESS").is_some() {
        std::fs::write(&path, &table).expect("the table can be written");
    }
    let known = std::fs::read_to_string(&path).expect("the table");
    let differ: Vec<String> = table
        .lines()
        .filter(|line| !known.lines().any(|other| other == *line))
        .map(|line| {
            let program = line.split(':').next().unwrap_or_default();
            let before = known.lines().find(|other| other.split(':').next() == Some(program));
            format!("{line}\n    instead of {}", before.unwrap_or("nothing"))
        })
        .collect();
    assert!(differ.is_empty(), "UNREACH_BLESS=1 accepts what is better:\n{}", differ.join("\n"));
}

/// With large blocks every engine finds and replays the execution of every buggy program without recursion.
#[test]
fn every_engine_finds_every_bug() {
    for program in programs() {
        let name = name(&program);
        if !name.ends_with("_bug") || name.starts_with("mccarthy91") {
            continue;
        }
        for options in ENGINES {
            assert_eq!(verdict(options, PATIENT, &program), "FALSE(assert)", "{name} with {options:?}");
        }
    }
}

/// What static analysis proves by itself, and what it says where it does not.
#[test]
fn abstract_interpretation_proves_or_names_the_assertion() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let said = |name: &str| verdict(&["--engine", "abstract-interpretation"], PATIENT, &examples.join(name));
    assert_eq!(said("two_errors.bpl"), "TRUE");
    assert_eq!(said("trace_partitioning.bpl"), "TRUE");
    let unknown = said("disjoint_arguments.bpl");
    assert!(unknown.starts_with("UNKNOWN (the facts found do not show the assertion at "), "{unknown}");
    assert!(unknown.ends_with("disjoint_arguments.bpl:10:5)"), "{unknown}");
}

#[test]
fn engines_without_recursion_say_so() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mccarthy91.bpl");
    for engine in ["kojak", "impact"] {
        let said = verdict(&["--engine", engine], PATIENT, &program);
        assert_eq!(said, format!("UNKNOWN (recursion is not supported by {engine})"));
    }
    assert_eq!(verdict(&["--engine", "predicate-abstraction"], PATIENT, &program), "TRUE");
}

/// What is compared inside of quantifiers gives no words for invariants about walks.
#[test]
fn walks_beside_quantifiers_are_shown() {
    let program =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/quantified/walks_beside_a_quantifier.bpl");
    assert_eq!(verdict(&["--engine", "quantified", "--inline"], PATIENT, &program), "TRUE");
}

/// Inlining keeps apart what belongs to different calls.
#[test]
fn calls_are_inlined() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/calls.bpl");
    for engine in ["kojak", "impact"] {
        assert_eq!(verdict(&["--engine", engine], PATIENT, &program), "TRUE");
    }
}

/// Traces of single steps that are linear are proven without a Horn solver, calls and returns included.
#[test]
fn farkas_certificates_prove_linear_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    for program in ["ex2", "ex3", "nested_loops", "recursion_sum"] {
        let options = ["--engine", "trace-abstraction", "--blocks", "single", "--interpolation", "farkas"];
        assert_eq!(
            verdict(&options, PATIENT, &folder.join(program).with_extension("bpl")),
            "TRUE",
            "{program}"
        );
    }
}

/// What nobody reaches is dropped by engines and by the checker alike.
#[test]
fn calls_that_never_return_are_proven_by_every_engine_with_inlining() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/call_that_never_returns.bpl");
    for engine in ["trace-abstraction", "kojak", "impact"] {
        assert_eq!(verdict(&["--engine", engine], PATIENT, &program), "TRUE", "{engine}");
    }
}
