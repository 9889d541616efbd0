//! Several traces analysed at once: what is found does not depend on how many workers there are.

#![allow(clippy::disallowed_methods, reason = "the test reads its programs")]

mod support;

use engines::Counted;
use engines::remainder::Remainder;
use engines::table::TRACE_ABSTRACTION;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use support::Job;
use unreach::{Answer, Budget, Decision, Inlining, Limits, Plan, Problem, Reason, Silent, verify};

/// Parts that have nothing to do with each other, of which one is executed. Each has a loop with two phases, for which static analysis
/// has no words, and an assertion; that of one part may be wrong. The second phase begins after so many rounds.
fn parts(count: usize, phase: usize, wrong: Option<usize>) -> String {
    let declared: String = (0..count).map(|i| format!("  var x{i}, y{i}: int;\n")).collect();
    let part = |i: usize| {
        let rounds = 2 * phase + i;
        let end = rounds + usize::from(wrong == Some(i));
        format!(
            "  if (k == {i}) {{\n    x{i} := 0; y{i} := {phase};\n    while (x{i} < {rounds}) {{\n      \
             if (x{i} >= {phase}) {{ y{i} := y{i} + 1; }}\n      x{i} := x{i} + 1;\n    }}\n    assert y{i} == {end};\n  }}\n"
        )
    };
    let all: String = (0..count).map(part).collect();
    format!("procedure main() {{\n  var k: int;\n{declared}{all}}}\n")
}

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    std::fs::read_to_string(path.with_extension("bpl")).expect("the program can be read")
}

fn decide(text: &str, plan: &Plan, workers: usize) -> Decision {
    let plan = Plan { certificate: true, ..plan.clone() }.with_workers(NonZero::new(workers).expect("some"));
    let problem = Problem::boogie("parts.bpl", text);
    verify(&problem, &plan, &Budget::unlimited(), Arc::new(Silent)).expect("the program is good")
}

/// Trace abstraction alone, which has an assistant sooner than it pays.
fn traces() -> Plan {
    let mut plan = Plan::only(TRACE_ABSTRACTION, Inlining::IfSmall);
    plan.options.effort_per_assistant = 20_000;
    plan
}

/// The whole answer: for a proof its certificate, byte by byte, for an error the execution or the leaps.
fn evidence(decision: &Decision) -> String {
    match &decision.answer {
        Answer::Safe(safe) => safe.certificate.clone().expect("it was asked for"),
        Answer::Unknown(reason) => panic!("no verdict: {reason}"),
        error => format!("{error:?}"),
    }
}

fn counted(decision: &Decision) -> &Counted {
    &decision.counted.first().expect("an engine has answered").1
}

fn same_for_all_numbers(text: &str, plan: &Plan) -> Decision {
    let first = decide(text, plan, 1);
    for workers in [2, 8] {
        let other = decide(text, plan, workers);
        assert_eq!(evidence(&first), evidence(&other), "{workers} workers");
        assert_eq!(first.engine, other.engine, "{workers} workers");
        assert_eq!(counted(&first), counted(&other), "{workers} workers");
    }
    first
}

#[test]
fn a_proof_from_batches_is_the_same_on_any_number_of_workers() {
    let decision = same_for_all_numbers(&parts(4, 4, None), &traces());
    assert!(matches!(decision.answer, Answer::Safe(_)));
    let counted = counted(&decision);
    assert!(counted.get("batches") >= 2 && counted.get("together") >= 4, "{counted:?}");
    assert_eq!(counted.get("needless"), 0, "{counted:?}");
    let [one, two, eight] =
        ["on_one_worker", "on_two_workers", "on_eight_workers"].map(|name| counted.get(name));
    assert!(eight <= two && two < one && one < counted.get("effort"), "{counted:?}");
}

#[test]
fn an_error_from_a_batch_is_the_same_on_any_number_of_workers() {
    let decision = same_for_all_numbers(&parts(4, 3, Some(2)), &traces());
    assert!(matches!(decision.answer, Answer::Unsafe(_) | Answer::Leaps(_)));
    assert!(counted(&decision).get("batches") >= 1);
}

#[test]
fn the_plan_is_the_same_on_any_number_of_workers() {
    for name in ["calls", "ex1", "mccarthy91", "running_example_bug", "several_loops"] {
        same_for_all_numbers(&file(name), &Plan::default());
    }
    same_for_all_numbers(&parts(3, 3, None), &Plan::default());
}

/// Small programs are not worth an assistant.
#[test]
fn little_work_is_done_by_one_alone() {
    for name in ["ex1", "several_loops", "mccarthy91"] {
        let decision = decide(&file(name), &Plan::only(TRACE_ABSTRACTION, Inlining::IfSmall), 2);
        assert_eq!(counted(&decision).get("batches"), 0, "{name}");
    }
}

#[test]
fn a_limit_stops_a_batch() {
    // These parts have so many rounds that none is proven soon.
    let text = parts(8, 500, None);
    for workers in [1, 8] {
        let plan = traces().with_workers(NonZero::new(workers).expect("some"));
        let budget = Budget::unlimited();
        let limits = Limits { time: Some(Duration::from_secs(2)), memory: None };
        let _watchdog = budget.watch(limits, Duration::from_secs(60), |_| panic!("it does not stop"));
        let problem = Problem::boogie("parts.bpl", &*text);
        let decision = verify(&problem, &plan, &budget, Arc::new(Silent)).expect("the program is good");
        assert!(matches!(decision.answer, Answer::Unknown(Reason::Limit(_))), "{:?}", decision.answer);
    }
}

/// Where many errors are left, runs say what may hold in each loop, also in those to which no run comes by chance, and what is wrong
/// about one part leaves the others proven.
#[test]
fn many_parts_are_guessed_at_once() {
    let decision = decide(&parts(20, 5, None), &Plan::only(TRACE_ABSTRACTION, Inlining::IfSmall), 1);
    assert!(matches!(decision.answer, Answer::Safe(_)));
    assert_eq!(counted(&decision).get("iterations"), 0, "{:?}", counted(&decision));
    let decision = decide(&parts(20, 5, Some(13)), &Plan::only(TRACE_ABSTRACTION, Inlining::IfSmall), 1);
    assert!(matches!(decision.answer, Answer::Unsafe(_) | Answer::Leaps(_)));
    assert!(counted(&decision).get("facts") > 0, "{:?}", counted(&decision));
}

/// A batch has one trace for each edge that leads to an error, the shortest of all first.
#[test]
fn traces_of_a_batch_end_in_different_edges() {
    let text = "procedure main(x: int) {\n  var y: int;\n  y := 0;\n  while (y < x) { y := y + 1; assert y != 7; }\n  \
                assert y != 8;\n  while (*) { y := y - 1; }\n  assert y != 9;\n}\n";
    let job = Job::new(text);
    let (program, budget) = (&job.blocks.program, Budget::unlimited());
    let left = Remainder::of(program);
    let shortest_traces = |most| {
        let traces = left.shortest_traces(program, most, &budget).expect("there is no limit");
        traces.unwrap_or_else(|_| panic!("no trace is that long"))
    };
    let all = shortest_traces(8);
    let mut ends: Vec<_> = all.iter().map(|trace| *trace.edges.last().expect("it has edges")).collect();
    assert!(all.len() >= 3, "each assertion has one at least");
    assert!(all.is_sorted_by_key(|trace| trace.len()));
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), all.len());
    assert_eq!(shortest_traces(1), all[..1]);
    assert_eq!(shortest_traces(2), all[..2]);
    for trace in &all {
        assert!(left.has(program, trace, &budget).expect("there is no limit"));
        let cut = engines::traces::Trace::new(program, trace.edges[..trace.len() - 1].to_vec());
        assert!(
            !left.has(program, &cut, &budget).expect("there is no limit"),
            "it does not come to the error"
        );
    }
}
