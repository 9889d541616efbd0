//! Random C programs that may misuse memory: what the verifier says against gcc's sanitizers, on all inputs.
//!
//! A block is lost if it is not freed, because the programs forget all pointers before they end; so blocks are counted, and nobody
//! has to guess what can still be reached.

use super::memory_error_programs::{self, INPUTS};
use super::{memory_error_corners, number, seconds};
use base::budget::Limits;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use unreach::{Answer, Budget, Plan, Problem, Property, Silent, verify};

/// How much work a program is worth, in rounds of the plan.
const ROUNDS: u32 = 7;

/// What stands before a program: another `main` calls it, and its blocks are counted.
const BEFORE: &str = "
#define main computed
#define __VERIFIER_nondet_int given_int
#define malloc counted_malloc
#define calloc counted_calloc
#define realloc counted_realloc
#define free counted_free
";

/// What stands behind a program: a process for each pair of inputs, which ends with a number that says what happened.
const BEHIND: &str = r#"
#undef main
#undef malloc
#undef calloc
#undef realloc
#undef free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int live, given[2], next_given;
int given_int(void) { return given[next_given++]; }
void *counted_malloc(size_t n) { live++; return malloc(n); }
void *counted_calloc(size_t n, size_t k) { live++; return calloc(n, k); }
void *counted_realloc(void *p, size_t n) { live += !p; return realloc(p, n); }
void counted_free(void *p) { live -= p != 0; free(p); }
extern const char *__asan_get_report_description(void);
void __asan_on_error(void) {
  const char *what = __asan_get_report_description();
  _exit(!strstr(what, "use-after-free") && strstr(what, "free") ? 3 : 2);
}
const char *__asan_default_options(void) {
  return "detect_leaks=0:redzone=512:symbolize=0:detect_stack_use_after_return=1:exitcode=2";
}
int main(void) {
  for (int x = 0; x < INPUTS; x++)
    for (int y = 0; y < INPUTS; y++) {
      int status;
      pid_t child = fork();
      if (!child) { given[0] = x; given[1] = y; alarm(20); computed(); _exit(live ? 4 : 0); }
      waitpid(child, &status, 0);
      printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
      fflush(stdout);
    }
  return 0;
}
"#;

/// Programs of both kinds in turn.
fn program(seed: u64) -> String {
    match seed % 2 {
        0 => memory_error_programs::program(seed / 2),
        _ => memory_error_corners::program(seed / 2, INPUTS),
    }
}

/// What goes wrong in some execution: the parts of the property that do not hold.
fn broken(directory: &Path, seed: u64, text: &str) -> BTreeSet<&'static str> {
    let (source, binary) = (directory.join(format!("{seed}.c")), directory.join(format!("{seed}.exe")));
    let behind = BEHIND.replace("INPUTS", &INPUTS.to_string());
    std::fs::write(&source, format!("{BEFORE}{text}{behind}")).expect("a writable directory");
    let compiled = Command::new("gcc")
        .args(["-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"])
        .args([&binary, &source])
        .output()
        .expect("gcc is installed");
    assert!(compiled.status.success(), "{}\n{text}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new("timeout").arg("60").arg(&binary).output().expect("the program runs");
    let ends = String::from_utf8_lossy(&run.stdout).into_owned();
    assert_eq!(ends.lines().count() as u32, INPUTS * INPUTS, "seed {seed}: {ends}\n{text}");
    let what = |end: &str| match end {
        "0" => None,
        "1" | "2" => Some("valid-deref"),
        "3" => Some("valid-free"),
        "4" => Some("valid-memtrack"),
        other => panic!("seed {seed} ends with {other}\n{text}"),
    };
    ends.lines().filter_map(what).collect()
}

#[test]
fn verdicts_of_memory_errors_are_true() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("memory_errors");
    std::fs::create_dir_all(&directory).expect("the target directory is writable");
    let start = number("UNREACH_RANDOM_START", 0);
    let count = number("UNREACH_RANDOM_PROGRAMS", 8);
    let plan = Plan::default().with_rounds(ROUNDS);
    let (mut proven, mut refuted) = (0, 0);
    let mut wrong = Vec::new();
    for seed in start..start + count {
        let text = program(seed);
        let broken = broken(&directory, seed, &text);
        let mut problem = Problem::c("random.c", text.clone());
        problem.property = Property::MemSafety;
        let budget = Budget::unlimited();
        let limits = Limits { time: seconds().map(Duration::from_secs_f64), memory: None };
        let _watchdog = budget.watch(limits, Duration::MAX, |_| {});
        match verify(&problem, &plan, &budget, Arc::new(Silent)) {
            Ok(decision) => match decision.answer {
                Answer::Safe(_) if broken.is_empty() => proven += 1,
                Answer::Unsafe(_) | Answer::Leaps(_) if !broken.is_empty() => refuted += 1,
                Answer::Unknown(_) => {}
                _ => wrong.push(format!("{seed}: the sanitizers see {broken:?}\n{text}")),
            },
            Err(failure) => wrong.push(format!("{seed}: {failure:?}\n{text}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong of {count}:\n{}", wrong.len(), wrong.join("\n"));
    let decided = proven + refuted;
    assert!(seconds().is_some() || decided * 2 > count, "too few are decided: {decided} of {count}");
    eprintln!("memory errors: {count} programs, {proven} proven, {refuted} refuted");
}
