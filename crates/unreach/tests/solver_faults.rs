//! A solver that fails inside of any question: every engine answers rightly or not at all.
//!
//! The questions of a run are counted, and then the run is repeated with a fault at one of them, or from one of them on: the
//! solver does not know, is stopped inside of the question, has no memory left, or has no model and no core to tell. Engines work
//! alone and with limited work instead of limited time, so the same question fails in every run. The independent check asks the same
//! solver, so it meets the faults, too: then a proof is not accepted, and there is no verdict.
//!
//! A part of the faults runs in every test run; `UNREACH_FAULTS=500` asks for about so many, and `--nocapture` tells how many there
//! were.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the test is asked for more, and tells its figures"
)]

use engines::table::{
    GUESSING, HORN, IMPACT, KOJAK, LEAPING, PREDICATE_ABSTRACTION, QUANTIFIED, TRACE_ABSTRACTION,
};
use smt::faults::{Fault, Faults, When};
use std::sync::Arc;
use unreach::{Answer, Budget, Engine, Inlining, Plan, Problem, Property, Silent, verify};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    Safe,
    Unsafe,
}

/// The programs, and an engine that decides each.
const CASES: &[(&str, &str, Truth, &[&Engine])] = &[
    (
        "sum.bpl",
        "procedure main(n: int)\n{\n  var i, s: int;\n  assume n >= 0;\n  i, s := 0, 0;\n  \
         while (i < n) { i, s := i + 1, s + 2; }\n  assert s == 2 * n;\n}\n",
        Truth::Safe,
        &[TRACE_ABSTRACTION, GUESSING, HORN],
    ),
    (
        "steps.bpl",
        "procedure main()\n{\n  var x: int;\n  x := 0;\n  while (x < 3) { x := x + 1; }\n  assert x == 3;\n}\n",
        Truth::Safe,
        &[KOJAK, IMPACT, PREDICATE_ABSTRACTION],
    ),
    (
        "far.bpl",
        "procedure main()\n{\n  var x: int;\n  x := 0;\n  while (x < 1000000) { x := x + 1; }\n  assert x != 1000000;\n}\n",
        Truth::Unsafe,
        &[LEAPING],
    ),
    (
        "seven.bpl",
        "procedure main(n: int)\n{\n  var i: int;\n  i := n;\n  if (i > 3) { i := i * 3; }\n  assert i != 21;\n}\n",
        Truth::Unsafe,
        &[TRACE_ABSTRACTION, KOJAK, IMPACT],
    ),
    (
        "zeros.bpl",
        "procedure main(n: int)\n{\n  var a: [int]int;\n  var i, k: int;\n  i := 0;\n  \
         while (i < n) { a[i] := 0; i := i + 1; }\n  havoc k;\n  assume 0 <= k && k < n;\n  assert a[k] == 0;\n}\n",
        Truth::Safe,
        &[QUANTIFIED],
    ),
    (
        "descent.bpl",
        "procedure f(n: int) returns (r: int)\n{\n  if (n <= 0) { r := 0; } else { call r := f(n - 1); r := r + 1; }\n}\n\
         procedure main(n: int)\n{\n  var r: int;\n  assume n >= 0;\n  call r := f(n);\n  assert r == n;\n}\n",
        Truth::Safe,
        &[TRACE_ABSTRACTION],
    ),
    (
        "wraps.c",
        "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
         int main(void) {\n  unsigned n = __VERIFIER_nondet_uint(), i = 0;\n  while (i < n) i++;\n  \
         if (i != n) reach_error();\n  return 0;\n}\n",
        Truth::Safe,
        &[TRACE_ABSTRACTION],
    ),
];

fn problem(name: &str, text: &str) -> Problem {
    let mut problem = match name.ends_with(".c") {
        true => Problem::c(name, text),
        false => Problem::boogie(name, text),
    };
    problem.property = if name.ends_with(".c") { Property::UnreachCall } else { Property::Assert };
    problem
}

/// The answer of an engine, with faults; nothing if there is none.
fn answer(problem: &Problem, engine: &'static Engine, faults: &Faults) -> Option<Truth> {
    let mut plan = Plan::only(engine, Inlining::IfSmall).with_rounds(6);
    plan.solvers.faults = Some(faults.clone());
    let decision = verify(problem, &plan, &Budget::unlimited(), Arc::new(Silent));
    let decision = decision.unwrap_or_else(|failure| panic!("{} with {faults:?}: {failure:?}", engine.name));
    match decision.answer {
        Answer::Safe(_) | Answer::Terminates(_) => Some(Truth::Safe),
        Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_) => Some(Truth::Unsafe),
        Answer::Unknown(_) => None,
    }
}

/// About `wanted` numbers up to a number, from the first to the last.
fn spread(most: u64, wanted: u64) -> Vec<u64> {
    let step = (most / wanted.max(1)).max(1);
    let mut all: Vec<u64> = (1..=most).step_by(step as usize).collect();
    all.push(most);
    all.dedup();
    all
}

#[test]
fn faults_cost_answers_and_nothing_else() {
    let wanted = std::env::var("UNREACH_FAULTS").ok().map_or(60, |text| text.parse().expect("a number"));
    let runs: u64 = CASES.iter().map(|(_, _, _, engines)| engines.len() as u64).sum();
    let kinds = [Fault::Unknown, Fault::Stopped(50), Fault::OutOfMemory, Fault::NothingToTell];
    // Each fault at one question and from one question on.
    let each = wanted / (runs * 2 * kinds.len() as u64);
    let (mut injected, mut answered) = (0, 0);
    for &(name, text, truth, engines) in CASES {
        let problem = problem(name, text);
        for &engine in engines {
            let counted = Faults::new(Fault::Unknown, When::From(u64::MAX));
            assert_eq!(answer(&problem, engine, &counted), Some(truth), "{name} with {}", engine.name);
            let questions = counted.asked();
            assert!(questions > 0, "{} asks nothing about {name}", engine.name);
            for (index, &fault) in kinds.iter().enumerate() {
                for (offset, number) in spread(questions, each).into_iter().enumerate() {
                    // Without many, each kind takes another part of the run.
                    let number = (number + index as u64 * questions / 4 + offset as u64) % questions + 1;
                    for when in [When::Once(number), When::From(number)] {
                        let found = answer(&problem, engine, &Faults::new(fault, when));
                        assert!(
                            found.is_none_or(|found| found == truth),
                            "{name} with {} and {fault:?} at {when:?}: {found:?}",
                            engine.name
                        );
                        injected += 1;
                        answered += u32::from(found.is_some());
                    }
                }
            }
        }
    }
    eprintln!("{injected} faults, {answered} answers in spite of them");
    assert!(answered > 0, "one fault does not end every engine");
    assert!(answered < injected, "some fault is felt");
}
