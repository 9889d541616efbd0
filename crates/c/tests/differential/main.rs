//! The translation against a compiler: a program compiled by gcc and its translation, run by the interpreter of `ir`,
//! must compute the same.
//!
//! A program leaves what it computes in the global `long long result`. The compiled one is linked with a file that
//! prints it at the end and defines the verifier's input functions; the interpreter gets the same inputs from its
//! driver. gcc runs with `-fwrapv`, the translation with wrapping signed overflow, both with 64-bit `long`.

#![allow(clippy::disallowed_methods, reason = "tests read programs and run a compiler")]
#![allow(clippy::print_stdout, reason = "a long test tells what it has left out")]

mod csmith;
mod generator;
mod memory_generator;
mod record_generator;

use base::{Budget, SourceMap};
use c::{BitOperations, DataModel, NoIncludes, Options, Problem, Property, SignedOverflow};
use ir::interpreter::{Driver, Event, Interpreter, Limits, Outcome, Reason, State, Value};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the compiled program is linked with. Inputs follow a linear congruence that [`Inputs`] follows too.
const RUNTIME: &str = r#"
#include <stdio.h>
#include <stdlib.h>
extern long long result;
static unsigned long long seed = 42;
static unsigned long long next(void) { seed = seed * 6364136223846793005ull + 1442695040888963407ull; return seed >> 33; }
_Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
char __VERIFIER_nondet_char(void) { return (char)next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next(); }
short __VERIFIER_nondet_short(void) { return (short)next(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)next(); }
int __VERIFIER_nondet_int(void) { return (int)((unsigned)next() * 2u + 1u); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next() * 2u + 1u; }
long __VERIFIER_nondet_long(void) { return (long)(next() * 2147483647ull); }
unsigned long __VERIFIER_nondet_ulong(void) { return next() * 4294967291ull; }
void reach_error(void) { printf("error\n"); exit(0); }
__attribute__((destructor)) static void show(void) { printf("%lld\n", result); }
"#;

/// The inputs of a run, as the runtime above gives them.
struct Inputs {
    seed: u64,
    /// Whether the run has passed a statement that allows more than the program does.
    marked: bool,
}

impl Inputs {
    fn next(&mut self) -> u64 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.seed >> 33
    }

    /// The value of an input function, by its name.
    fn answer(&mut self, function: &str) -> Value {
        let raw = self.next();
        match function.trim_start_matches("__VERIFIER_nondet_") {
            "bool" => Value::int(raw & 1),
            "char" => Value::int(raw as i8),
            "uchar" => Value::int(raw as u8),
            "short" => Value::int(raw as i16),
            "ushort" => Value::int(raw as u16),
            "int" => Value::int((raw as u32).wrapping_mul(2).wrapping_add(1) as i32),
            "uint" => Value::int((raw as u32).wrapping_mul(2).wrapping_add(1)),
            // What a model leaves open, as the sign of a comparison.
            "__nondet_int" => Value::int(1),
            "long" => Value::int(raw.wrapping_mul(2147483647) as i64),
            "ulong" => Value::int(raw.wrapping_mul(4294967291)),
            other => panic!("the runtime has no function for {other}"),
        }
    }
}

struct Run<'a> {
    inputs: Inputs,
    back: &'a c::BackMap,
}

impl Driver for Run<'_> {
    fn choose(&mut self, program: &ir::Program, variable: ir::Variable, reason: Reason) -> Option<Value> {
        let input = self.back.inputs.iter().find(|input| input.variable == variable);
        if let (Some(input), Reason::Havoc) = (input, reason) {
            return Some(self.inputs.answer(&input.function));
        }
        if program.variables[variable].name == "#address" {
            // Objects lie one behind the other, far apart.
            let mut map = Value::default_of(program, program.variables[variable].ty);
            if let Value::Map(addresses) = &mut map {
                for base in 1..2000u64 {
                    let address = Value::int(0x10_0000 + base * 0x1_0000);
                    std::sync::Arc::make_mut(addresses).store(Value::int(base), address).ok()?;
                }
            }
            return Some(map);
        }
        Some(ir::interpreter::default_value(program, variable))
    }

    fn goto(&mut self, _: &ir::Program, _: ir::Procedure, _: ir::Block) -> Option<usize> {
        Some(0)
    }

    fn observe(&mut self, _: &State<'_>, event: Event<'_>) -> bool {
        if let Event::Executed(_, statement) = event {
            self.inputs.marked |= ir::Mark::Overapproximation.is_in(&statement.attributes);
        }
        true
    }
}

/// How the translation of a program ran.
#[derive(PartialEq, Debug)]
enum Ran {
    Result(i64),
    Error,
    Marked,
    Unsupported(String),
}

fn interpret(name: &str, text: &str) -> Ran {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let options = Options {
        data_model: DataModel::Lp64,
        property: Property::UnreachCall,
        checks: c::Checks::default(),
        signed_overflow: SignedOverflow::Wraps,
        bit_operations: BitOperations::Exact,
        ..Options::default()
    };
    let (program, back) = match c::translate(&mut sources, file, options, &NoIncludes) {
        Ok(translated) => translated,
        Err(problems) => match &problems[0] {
            Problem::Unsupported(unsupported) => return Ran::Unsupported(unsupported.describe(&sources)),
            Problem::Interrupted(limit) => panic!("no limit is set: {limit}"),
            Problem::Error(diagnostic) => {
                panic!("{}", diagnostic.render(&sources, base::diagnostics::Style::Plain))
            }
        },
    };
    let start = program.procedure("ULTIMATE.start").expect("the translation has a start");
    let mut run = Run { inputs: Inputs { seed: 42, marked: false }, back: &back };
    let mut interpreter = Interpreter::new(&program, Budget::unlimited());
    let outcome = interpreter.run(start, &[], &mut run, Limits::default()).expect("no limit is set");
    if run.inputs.marked {
        return Ran::Marked;
    }
    match outcome {
        // A run that ends early has called `exit`, which the programs do only with their result in place.
        Outcome::Finished | Outcome::Blocked(_) => {}
        Outcome::Failed(_) => return Ran::Error,
        Outcome::OutOfSteps => return Ran::Unsupported("more steps than the interpreter takes".to_owned()),
        other => panic!("{name}: {other:?}\n{program}"),
    }
    let result = program.globals.iter().find(|&&variable| program.variables[variable].name == "result");
    let result = *result.expect("the program has a result");
    let value = interpreter.state().value(result).and_then(Value::as_int).and_then(|value| value.to_i64());
    Ran::Result(value.expect("the result has a value"))
}

/// A directory for the files of one test.
fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&directory).expect("the target directory is writable");
    directory
}

fn compile_and_run(directory: &Path, name: &str, text: &str) -> Ran {
    let (source, runtime) = (directory.join(format!("{name}.c")), directory.join("runtime.c"));
    let binary = directory.join(name);
    std::fs::write(&source, text).expect("the directory is writable");
    std::fs::write(&runtime, RUNTIME).expect("the directory is writable");
    let compiled = Command::new("gcc")
        .args(["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-std=gnu11", "-o"])
        .args([&binary, &source, &runtime])
        .arg("-lm")
        .output()
        .expect("gcc is installed");
    assert!(compiled.status.success(), "{name}: {}\n{text}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new("timeout").arg("10").arg(&binary).output().expect("the program runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    match printed.lines().next() {
        Some("error") => Ran::Error,
        Some(number) => Ran::Result(number.parse().expect("the runtime prints a number")),
        None => panic!("{name} printed nothing: {:?}\n{text}", output.status),
    }
}

/// Programs written for this test: each states what it is about.
#[test]
fn collected_programs() {
    let directory = directory("collected");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(programs).expect("programs").map(|entry| entry.expect("entry").path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut failures = Vec::new();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the program");
        let (expected, found) = (compile_and_run(&directory, &name, &text), interpret(&name, &text));
        if expected != found {
            failures.push(format!("{name}: compiled {expected:?}, translated {found:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The seeds of a long test: `FIRST_SEED` and `SEEDS` choose other ones.
fn chosen(first: u64, count: u64) -> std::ops::Range<u64> {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let first = number("FIRST_SEED", first);
    first..first + number("SEEDS", count)
}

fn generated(test: &str, seeds: std::ops::Range<u64>, program: fn(u64) -> String) {
    let directory = directory(test);
    let mut compared = 0;
    let total = seeds.end - seeds.start;
    for seed in seeds {
        let text = program(seed);
        let name = format!("generated_{seed}");
        let found = interpret(&name, &text);
        if found == Ran::Marked {
            continue;
        }
        let expected = compile_and_run(&directory, &name, &text);
        assert_eq!(found, expected, "seed {seed}: translated on the left, compiled on the right\n{text}");
        compared += 1;
    }
    assert!(compared * 10 >= total * 8, "only {compared} of {total} programs could be compared");
}

#[test]
fn generated_programs() {
    generated("generated", 0..60, generator::program);
}

/// The long form of the test above: `cargo test -p c --release -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn many_generated_programs() {
    generated("many", chosen(1000, 1000), generator::program);
}

#[test]
fn generated_memory_programs() {
    generated("memory", 0..60, memory_generator::program);
}

#[test]
fn generated_record_programs() {
    generated("records", 0..80, record_generator::program);
}

/// The long form of the test above.
#[test]
#[ignore = "takes minutes"]
fn many_generated_record_programs() {
    generated("many_records", chosen(1000, 2000), record_generator::program);
}

/// The long form of the test above.
#[test]
#[ignore = "takes minutes"]
fn many_generated_memory_programs() {
    generated("much_memory", chosen(1000, 2000), memory_generator::program);
}

/// Programs of Csmith, where it is installed. What is not supported is left out; a checksum is never wrong.
fn csmith_programs(test: &str, seeds: std::ops::Range<u64>) {
    let directory = directory(test);
    let (mut compared, mut left_out) = (0, Vec::new());
    for seed in seeds {
        let Some(text) = csmith::program(seed, &directory) else {
            println!("Csmith is not installed: nothing is compared");
            return;
        };
        let name = format!("compiled_{seed}");
        match interpret(&name, &text) {
            Ran::Marked => {
                left_out.push(format!("{seed}: a statement that allows more than the program does"))
            }
            Ran::Unsupported(why) => left_out.push(format!("{seed}: {why}")),
            found => {
                let expected = compile_and_run(&directory, &name, &text);
                assert_eq!(found, expected, "seed {seed}: translated on the left, compiled on the right");
                compared += 1;
            }
        }
    }
    println!("{compared} compared, {} left out:\n{}", left_out.len(), left_out.join("\n"));
}

#[test]
fn programs_of_csmith() {
    csmith_programs("csmith", 0..10);
}

/// The long form of the test above.
#[test]
#[ignore = "takes minutes"]
fn many_programs_of_csmith() {
    csmith_programs("many_csmith", chosen(1000, 300));
}
