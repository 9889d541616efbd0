//! Witnesses that must not be confirmed: those of a program, broken in a few places, for a twin of it with the opposite verdict.
//!
//! A twin differs in one word, so that places of the one are places of the other. No description of executions makes a program
//! fail that cannot, and no invariant makes one correct that is not; whatever a broken witness says, the validator may reject it
//! or not know.

use super::{mutate, report, seeds, words_of_panic};
use base::Random;
use evidence::witness::{self, Kind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use unreach::validate::{Validation, validate};
use unreach::{Budget, Plan, Problem, Property, Silent, export, verify};

/// Programs with a word that is replaced: one for the correct program, one for the other.
const TWINS: &[(&str, [&str; 2])] = &[
    (
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  \
         int n = __VERIFIER_nondet_int();\n  int i = 0;\n  if (n < 0 || n > 100)\n    return 0;\n  \
         while (i < n)\n    i = i + 1;\n  if (i WORD n)\n    reach_error();\n  return 0;\n}\n",
        ["!=", "=="],
    ),
    (
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint twice(int x) {\n  \
         return x + x;\n}\nint main(void) {\n  int a = __VERIFIER_nondet_int();\n  if (a < 0 || a > 1000)\n    \
         return 0;\n  switch (twice(a)) {\n    case WORD:\n      reach_error();\n    default:\n      \
         return 1;\n  }\n}\n",
        ["7", "8"],
    ),
    (
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint down(int n) {\n  \
         if (n <= 0)\n    return WORD;\n  return down(n - 1) + 1;\n}\nint main(void) {\n  \
         int n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 50)\n    return 0;\n  if (down(n) != n)\n    \
         reach_error();\n  return 0;\n}\n",
        ["0", "1"],
    ),
    (
        "#include <pthread.h>\nextern void reach_error(void);\nint x;\nvoid *work(void *argument) {\n  \
         x = WORD;\n  return 0;\n}\nint main(void) {\n  pthread_t id;\n  pthread_create(&id, 0, work, 0);\n  \
         if (x == 1)\n    reach_error();\n  return 0;\n}\n",
        ["2", "1"],
    ),
];

/// How many broken witnesses are made of each.
const EACH: usize = 6;

fn problem(text: &str) -> Problem {
    let mut problem = Problem::c("soak.c", text);
    problem.property = Property::UnreachCall;
    problem
}

fn plan() -> Plan {
    Plan::default().with_rounds(4)
}

/// The witness that is written about a program.
fn written(problem: &Problem, format: export::Format) -> Option<String> {
    let decision = verify(problem, &plan(), &Budget::unlimited(), Arc::new(Silent)).expect("a decision");
    let wish = export::Wish { format, time: "2026-01-31T12:00:00Z".to_owned(), ghosts: None };
    export::witness(problem, &decision, &wish).ok()
}

/// What the validator says of a witness; nothing if it is none, or one of the other kind.
fn validated(problem: &Problem, text: &str, kind: Kind) -> Option<Validation> {
    let witness = witness::read(text).ok().filter(|witness| witness.kind == kind)?;
    validate(problem, &witness, &plan(), &Budget::unlimited(), Arc::new(Silent)).ok()
}

#[test]
fn witnesses() {
    let mut samples = Vec::new();
    for (text, [right, wrong]) in TWINS {
        let (correct, failing) =
            (problem(&text.replace("WORD", right)), problem(&text.replace("WORD", wrong)));
        let yaml = |problem: &Problem| written(problem, export::Format::Yaml).expect("a verdict");
        samples.push((yaml(&correct), Kind::Correctness, failing.clone()));
        samples.push((yaml(&failing), Kind::Violation, correct.clone()));
        let graphml = written(&failing, export::Format::GraphMl).expect("a verdict");
        samples.push((graphml, Kind::Violation, correct));
    }
    let (mut made, mut judged, mut found) = (0, 0, Vec::new());
    for seed in seeds(8) {
        let mut random = Random::new(seed ^ 0x0717);
        let (sample, kind, twin) = &samples[random.below(samples.len())];
        for number in 0..EACH {
            let text = match number % 3 {
                0 => mutate::broken(sample, sample, &mut random),
                _ => mutate::neighbour(sample, &mut random).unwrap_or_default(),
            };
            made += 1;
            match catch_unwind(AssertUnwindSafe(|| validated(twin, &text, *kind))) {
                Ok(None) => {}
                Ok(Some(Validation::Confirmed(_))) => {
                    found.push(format!("seed {seed}, {number}: confirmed\n{}\n{text}", twin.text()));
                }
                Ok(Some(_)) => judged += 1,
                Err(panic) => found.push(format!(
                    "seed {seed}, {number}: panic: {}\n{}\n{text}",
                    words_of_panic(panic.as_ref()),
                    twin.text()
                )),
            }
        }
    }
    report("witnesses", made, &found);
    eprintln!("{judged} of them were read and judged");
    assert!(judged * 10 > made, "only {judged} of {made} were readable");
}
