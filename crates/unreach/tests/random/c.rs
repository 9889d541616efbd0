//! Random C programs: the verdict about the number that a program computes against what a compiler's program prints.
//!
//! The programs have no inputs and no undefined behaviour besides signed overflow, which wraps around for both.

use super::{Truth, c_generator, c_memory_generator, c_record_generator, decide, number, seconds};
use std::path::{Path, PathBuf};
use std::process::Command;
use unreach::{Plan, Problem, Property};

/// How much work a program is worth, in rounds of the plan.
const ROUNDS: u32 = 5;

/// What stands before a program: it is called by another `main`, and its inputs are computed.
const BEFORE: &str = "
#define main computed
#define __VERIFIER_nondet_int given_int
#define __VERIFIER_nondet_uchar given_uchar
";

/// What stands behind a program, up to its new `main`.
const BEHIND: &str = "
#undef main
static unsigned given = 1;
int given_int(void) { given = given * 1664525u + 1013904223u; return (int)(given >> 1); }
unsigned char given_uchar(void) { given = given * 1664525u + 1013904223u; return given >> 24; }
";

/// What the compiled program computes, with arithmetic that wraps around.
fn computed(directory: &Path, seed: u64, text: &str) -> i64 {
    let source = directory.join(format!("{seed}.c"));
    let binary = directory.join(format!("{seed}.exe"));
    let main = r#"int printf(const char *, ...); int main(void) { computed(); printf("%lld\n", result); return 0; }"#;
    std::fs::write(&source, format!("{BEFORE}{text}{BEHIND}{main}\n")).expect("a writable directory");
    let compiled = Command::new("gcc")
        .args(["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-std=gnu11", "-o"])
        .args([&binary, &source])
        .output()
        .expect("gcc is installed");
    assert!(compiled.status.success(), "{}\n{text}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new("timeout").arg("10").arg(&binary).output().expect("the program runs");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
}

/// The program, followed by the question whether its result is in this relation to a number.
fn question(text: &str, relation: &str, result: i64) -> Problem {
    let number = if result == i64::MIN { format!("({}LL - 1)", result + 1) } else { format!("{result}LL") };
    let main = format!(
        "void reach_error(void); int main(void) {{ computed(); if (result {relation} {number}) reach_error(); return 0; }}"
    );
    let mut problem = Problem::c("random.c", format!("{BEFORE}{text}{BEHIND}{main}\n"));
    problem.property = Property::UnreachCall;
    problem.c.wrap = true;
    problem
}

/// Asks two questions about each program, of which at most so many may stay without answer.
fn compare(name: &str, program: fn(u64) -> String, most_unknown: impl Fn(usize) -> usize) {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).expect("the target directory is writable");
    let start = number("UNREACH_RANDOM_START", 0);
    let count = number("UNREACH_RANDOM_PROGRAMS", 8);
    let plan = Plan::default().with_rounds(ROUNDS);
    let (mut asked, mut unknown) = (0, Vec::new());
    for seed in start..start + count {
        let text = program(seed);
        let result = computed(&directory, seed, &text);
        for (relation, truth) in [("!=", Truth::Safe), ("==", Truth::Unsafe)] {
            asked += 1;
            match decide(&question(&text, relation, result), &plan) {
                Ok(None) => unknown.push((seed, relation)),
                said => assert_eq!(said, Ok(Some(truth)), "seed {seed}, {relation} {result}\n{text}"),
            }
        }
    }
    let hurries = seconds().is_some();
    assert!(hurries || unknown.len() <= most_unknown(asked), "too many are not decided: {unknown:?}");
    eprintln!("{name}: {asked} questions, {} of them without answer", unknown.len());
}

#[test]
fn verdicts_of_c_are_true() {
    compare("c", c_generator::program, |asked| asked / 4);
}

#[test]
fn verdicts_of_c_with_memory_are_true() {
    // Where blocks lie is open, so what a program computes with addresses would have to be proven.
    compare("c_memory", c_memory_generator::program, |asked| asked / 2 + 1);
}

#[test]
fn verdicts_of_c_with_records_are_true() {
    compare("c_records", c_record_generator::program, |asked| asked / 4);
}
