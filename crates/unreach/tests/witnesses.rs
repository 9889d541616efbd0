//! Witnesses: each is a small program, what a witness says about it, and what the validator must answer.
//!
//! Every witness is written, read back and then validated, so all three are tested. What `verify` writes must be
//! confirmed.

#[path = "witnesses/ghosts.rs"]
mod ghosts;
#[path = "witnesses/graphml.rs"]
mod graphml;
#[path = "witnesses/threads.rs"]
mod threads;

use c::{Claim, DataModel, Event, Monitor, Place, Segment, Waypoint, When};
use evidence::witness::{self, write};
use std::sync::Arc;
use unreach::validate::{Confirmation, Validation, validate};
use unreach::{Budget, Plan, Problem, Property, Silent, export, verify};

fn problem(text: &str, property: Property) -> Problem {
    let mut problem = Problem::c("program.c", text);
    problem.property = property;
    problem
}

fn task(text: &str) -> write::Task {
    write::Task {
        file: "program.c".to_owned(),
        text: text.to_owned(),
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
        data_model: DataModel::Ilp32,
        time: "2026-01-31T12:00:00Z".to_owned(),
        version: "0.1.0".to_owned(),
        format: export::Version::V2_0,
    }
}

fn answer(problem: &Problem, text: &str) -> String {
    match validation(problem, text) {
        Validation::Confirmed(_) => "confirmed".to_owned(),
        Validation::Rejected(why) => format!("rejected: {why}"),
        Validation::Unknown(why) => format!("unknown: {why}"),
    }
}

fn validation(problem: &Problem, text: &str) -> Validation {
    let witness = witness::read(text).unwrap_or_else(|malformed| panic!("{malformed}\n{text}"));
    assert!(witness.omissions.is_empty(), "{:?}", witness.omissions);
    let budget = Budget::unlimited();
    let validation = validate(problem, &witness, &Plan::default(), &budget, Arc::new(Silent));
    validation.unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// The place of the first occurrence of `mark` behind line `line`'s start.
fn at(program: &str, line: u32, mark: &str) -> Place {
    let text = program.lines().nth(line as usize - 1).expect("the line exists");
    let column = text.find(mark).unwrap_or_else(|| panic!("no `{mark}` in line {line}"));
    Place { line, column: Some(column as u32 + 1) }
}

/// The answer to a violation witness of waypoints; those that begin with `!` are avoided in the segment of the next.
fn violation(program: &str, property: Property, waypoints: &[(&str, Place, Event)]) -> String {
    let mut segments = Vec::new();
    let mut avoid = Vec::new();
    for (index, (action, place, event)) in waypoints.iter().enumerate() {
        let waypoint =
            Waypoint { entry: index as u32 + 1, place: place.clone(), event: event.clone(), thread: None };
        match *action {
            "avoid" => avoid.push(waypoint),
            _ => segments.push(Segment { avoid: std::mem::take(&mut avoid), follow: waypoint }),
        }
    }
    let monitor = Monitor { segments, ..Monitor::default() };
    answer(&problem(program, property), &write::violation(&task(program), &monitor))
}

fn correctness(program: &str, property: Property, claims: &[(When, Place, &str)]) -> String {
    let claims = claims.iter().enumerate().map(|(index, (when, place, text))| Claim {
        entry: index as u32 + 1,
        when: *when,
        place: place.clone(),
        text: (*text).to_owned(),
    });
    let monitor = Monitor { claims: claims.collect(), ..Monitor::default() };
    answer(&problem(program, property), &write::correctness(&task(program), &monitor))
}

const NO_EXECUTION: &str = "rejected: no execution that it describes violates the property";

fn assumption(text: &str) -> Event {
    Event::Assumption(text.to_owned())
}

fn result(text: &str) -> Event {
    Event::Return(Some(text.to_owned()))
}

const BRANCHES: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int x) { return x + x; }
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = (__VERIFIER_nondet_int() > 0) ? 1 : 0;
  int c = twice(a);
  if (a > 5 && c < 100)
    if (b == 1)
      reach_error();
  switch (a) {
    case 7: break;
    default: reach_error();
  }
  return 0;
}
";

#[test]
fn a_violation_witness_restricts_the_program() {
    let place = |line, mark| at(BRANCHES, line, mark);
    let first = || ("follow", place(10, "reach_error"), Event::Target);
    let second = || ("follow", place(13, "reach_error"), Event::Target);
    type Waypoints = Vec<(&'static str, Place, Event)>;
    let cases: &[(&str, Waypoints)] = &[
        ("confirmed", vec![first()]),
        ("confirmed", vec![second()]),
        // The statement at the target cannot violate the property.
        (NO_EXECUTION, vec![("follow", place(15, "return"), Event::Target)]),
        // Values of inputs, as assumptions behind the statement and as results of calls.
        ("confirmed", vec![("follow", place(6, "int"), assumption("a == 6")), first()]),
        (NO_EXECUTION, vec![("follow", place(6, "int"), assumption("a == 5")), first()]),
        ("confirmed", vec![("follow", Place { line: 6, column: None }, assumption("a == 6")), first()]),
        ("confirmed", vec![("follow", place(5, ");"), result("\\result == 49")), first()]),
        (NO_EXECUTION, vec![("follow", place(5, ");"), result("\\result >= 50")), first()]),
        // The second call of a line, by its closing parenthesis.
        ("confirmed", vec![("follow", place(6, ") > 0"), result("\\result == 1")), first()]),
        (NO_EXECUTION, vec![("follow", place(6, ") > 0"), result("\\result == 0")), first()]),
        // Branches: `if`, `?`, `switch`.
        ("confirmed", vec![("follow", place(6, "?"), Event::Branching(true)), first()]),
        (NO_EXECUTION, vec![("follow", place(6, "?"), Event::Branching(false)), first()]),
        (NO_EXECUTION, vec![("follow", place(8, "if"), Event::Branching(false)), first()]),
        ("confirmed", vec![("follow", place(8, "if"), Event::Branching(false)), second()]),
        ("confirmed", vec![("follow", place(11, "switch"), Event::Switch(Some(3))), second()]),
        (NO_EXECUTION, vec![("follow", place(11, "switch"), Event::Switch(Some(7))), second()]),
        // Functions.
        ("confirmed", vec![("follow", place(7, ")"), Event::Enter), first()]),
        ("confirmed", vec![("follow", place(7, ")"), result("\\result == 12")), first()]),
        (NO_EXECUTION, vec![("follow", place(7, ")"), result("\\result == 13")), first()]),
        // What is avoided.
        (NO_EXECUTION, vec![("avoid", place(8, "if"), Event::Branching(true)), first()]),
        ("confirmed", vec![("avoid", place(8, "if"), Event::Branching(true)), second()]),
        (NO_EXECUTION, vec![("avoid", place(7, "int"), assumption("b == 1")), first()]),
        // The order counts.
        (
            NO_EXECUTION,
            vec![
                ("follow", place(8, "if"), Event::Branching(true)),
                ("follow", place(6, "?"), Event::Branching(true)),
                first(),
            ],
        ),
    ];
    for (expected, waypoints) in cases {
        assert_eq!(violation(BRANCHES, Property::UnreachCall, waypoints), *expected, "{waypoints:?}");
    }
}

const ROUNDS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = 0, sum = 0;
  while (n < 3) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 9) return 0;
    sum += x;
    n++;
  }
  if (sum == 12)
    reach_error();
  return 0;
}
";

#[test]
fn a_waypoint_is_decided_at_the_next_visit_of_its_place() {
    let place = |line, mark| at(ROUNDS, line, mark);
    let target = || ("follow", place(12, "reach_error"), Event::Target);
    let x = |value: u32| ("follow", place(7, "if"), assumption(&format!("x == {value}")));
    for (expected, waypoints) in [
        ("confirmed", vec![x(9), x(2), x(1), target()]),
        ("confirmed", vec![x(9), target()]),
        // Whether two waypoints at one place may describe one visit is not agreed on, so nothing is rejected.
        ("unknown: ", vec![x(9), x(2), x(2), target()]),
        ("unknown: ", vec![x(9), x(1), x(1), x(1), target()]),
        // At the first visit the loop is entered.
        (NO_EXECUTION, vec![("follow", place(5, "while"), Event::Branching(false)), target()]),
        ("confirmed", vec![("follow", place(5, "while"), Event::Branching(true)), target()]),
    ] {
        let answer = violation(ROUNDS, Property::UnreachCall, &waypoints);
        assert!(answer.starts_with(expected), "{waypoints:?}: {answer}");
    }
}

#[test]
fn an_overflow_counts_at_the_target_only() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = a + 1;
  int c = b - 2;
  return c;
}
";
    let target = |line| ("follow", Place { line, column: None }, Event::Target);
    let a = |text: &str| ("follow", Place { line: 4, column: None }, assumption(text));
    for (expected, waypoints) in [
        ("confirmed", vec![target(4)]),
        ("confirmed", vec![target(5)]),
        (NO_EXECUTION, vec![target(6)]),
        (NO_EXECUTION, vec![a("a > 0"), target(5)]),
        ("confirmed", vec![a("a > 0"), target(4)]),
    ] {
        assert_eq!(violation(program, Property::NoOverflow, &waypoints), expected, "{waypoints:?}");
    }
}

const COUNT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g;
int up(int x) { g = g + 1; return x + 1; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  int i = 0;
  while (i < n) {
    i = up(i);
  }
  if (i != n)
    reach_error();
  return 0;
}
";

#[test]
fn a_correctness_witness_is_confirmed_if_its_invariants_and_the_property_hold() {
    let place = |line, mark| at(COUNT, line, mark);
    let head = |text| (When::LoopCondition, place(9, "while"), text);
    let body = |text| (When::Statement, place(10, "i ="), text);
    let wrong = "rejected: entry 1 does not hold";
    for (expected, claims) in [
        ("confirmed", vec![]),
        ("confirmed", vec![head("0 <= i && i <= n")]),
        ("confirmed", vec![head("0 <= i && i <= n"), body("i < n")]),
        // Behind the last round, i is n.
        (wrong, vec![head("i < n")]),
        ("rejected: entry 2 does not hold", vec![head("i <= n"), body("i == 0")]),
        // At the closing brace of the loop's body.
        ("confirmed", vec![(When::Statement, place(11, "}"), "i >= 1")]),
        (wrong, vec![(When::Statement, place(11, "}"), "i == 1")]),
        // Integers are mathematical in claims.
        ("confirmed", vec![head("n + 2147483647 >= i")]),
    ] {
        assert_eq!(correctness(COUNT, Property::UnreachCall, &claims), expected, "{claims:?}");
    }
}

#[test]
fn a_claim_without_meaning_confirms_nothing() {
    let place = |line, mark| at(COUNT, line, mark);
    for (claim, at) in [
        ("10 / i >= 0", place(9, "while")),
        ("unknown_name == 0", place(9, "while")),
        ("i = n", place(9, "while")),
        ("up(i) > 0", place(9, "while")),
        ("i ==", place(9, "while")),
        ("i <= n", Place { line: 1, column: Some(3) }),
    ] {
        let answer = correctness(COUNT, Property::UnreachCall, &[(When::Statement, at, claim)]);
        assert!(answer.starts_with("unknown: "), "{claim}: {answer}");
    }
}

#[test]
fn a_claim_does_not_hide_an_error() {
    let program = "\
extern void reach_error(void);
int main(void) {
  int zero = 0;
  int *p = 0;
  zero = zero + 0;
  reach_error();
  return 0;
}
";
    for claim in ["1", "1 / zero == 1", "*p == 0", "zero << 40 == 0", "2147483647 + 1 + zero > 0"] {
        let claims = [(When::Statement, at(program, 5, "zero"), claim)];
        assert_ne!(correctness(program, Property::UnreachCall, &claims), "confirmed", "{claim}");
    }
}

#[test]
fn a_contract_speaks_of_results_and_old_values() {
    let text = |contract: &str| {
        let head = write::correctness(&task(COUNT), &Monitor::default());
        head.replace(
            "  content: []\n",
            &format!(
                "  content:\n  - contract:\n      type: function_contract\n      location:\n        \
                 file_name: program.c\n        line: 4\n        column: 1\n      {contract}\n      \
                 format: ext_c_expression\n"
            ),
        )
    };
    let problem = problem(COUNT, Property::UnreachCall);
    for (expected, contract) in [
        ("confirmed", "requires: x >= 0\n      ensures: \\result == x + 1"),
        ("confirmed", "ensures: g == \\old(g) + 1"),
        ("confirmed", "ensures: g == \\at(g, Pre) + 1 && \\result > \\at(x, Old)"),
        ("rejected: entry 1 does not hold", "requires: x > 0"),
        ("rejected: entry 1 does not hold", "ensures: \\result == x"),
    ] {
        assert_eq!(answer(&problem, &text(contract)), expected, "{contract}");
    }
}

const ENDLESS: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  while (x != 7) {
    if (x < 100)
      y = 1 - y;
    else
      x = 7;
  }
  while (y < 5)
    y++;
  return 0;
}
";

/// The answer to a violation witness for termination: waypoints, and from which on they repeat.
fn endless(program: &str, waypoints: &[(Place, Event)], cycle: usize) -> String {
    let segments = waypoints.iter().enumerate().map(|(index, (place, event))| Segment {
        avoid: Vec::new(),
        follow: Waypoint {
            entry: index as u32 + 1,
            place: place.clone(),
            event: event.clone(),
            thread: None,
        },
    });
    let monitor = Monitor { segments: segments.collect(), cycle: Some(cycle), ..Monitor::default() };
    answer(&problem(program, Property::Termination), &write::violation(&task(program), &monitor))
}

#[test]
fn an_endless_execution_passes_the_cycle_for_ever() {
    let place = |line, mark| at(ENDLESS, line, mark);
    let ends = "rejected: every execution that it describes ends";
    let start = |text: &str| (place(4, "int"), assumption(text));
    let round = || (place(5, "while"), Event::Branching(true));
    for (expected, waypoints, cycle) in [
        ("confirmed", vec![round()], 0),
        ("confirmed", vec![start("x == 3"), round()], 1),
        ("confirmed", vec![round(), (place(6, "if"), Event::Branching(true))], 0),
        (
            "confirmed",
            vec![
                round(),
                (place(7, "y ="), assumption("y == 0")),
                round(),
                (place(7, "y ="), assumption("y == 1")),
            ],
            0,
        ),
        // The stem or the cycle leaves the loop.
        (ends, vec![start("x == 7"), round()], 1),
        (ends, vec![start("x >= 100"), round()], 1),
        (ends, vec![round(), (place(6, "if"), Event::Branching(false))], 0),
        // The value alternates, so it is not 0 in every round.
        (ends, vec![round(), (place(7, "y ="), assumption("y == 0"))], 0),
    ] {
        assert_eq!(endless(ENDLESS, &waypoints, cycle), expected, "{waypoints:?}");
    }
    // The second loop ends, and the execution that never comes there is endless without passing it.
    let second = [(place(11, "while"), Event::Branching(true))];
    let answer = endless(ENDLESS, &second, 0);
    assert!(answer.starts_with("unknown: the endless execution that was found"), "{answer}");
}

#[test]
fn what_does_not_fit_the_property_is_no_witness_of_it() {
    let cycle = [(at(ENDLESS, 5, "while"), Event::Branching(true))];
    let segments = cycle.map(|(place, event)| Segment {
        avoid: Vec::new(),
        follow: Waypoint { entry: 1, place, event, thread: None },
    });
    let monitor = Monitor { segments: segments.to_vec(), cycle: Some(0), ..Monitor::default() };
    let text = write::violation(&task(ENDLESS), &monitor);
    let answer = answer(&problem(ENDLESS, Property::UnreachCall), &text);
    assert!(answer.starts_with("rejected: a violation witness has a cycle"), "{answer}");
}

#[test]
fn transition_invariants_relate_two_visits_of_a_loop() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int calls = 0;
  if (x > 1000) return 0;
  while (x > 0) {
    x = x - 2;
    calls++;
  }
  return 0;
}
";
    let visit = |text| [(When::LoopCondition, at(program, 6, "while"), text)];
    for (expected, text) in [
        ("confirmed", "\\at(x, AnyPrev) > x"),
        ("confirmed", "\\at(x, AnyPrev) - x == 2 * (calls - \\at(calls, AnyPrev))"),
        ("confirmed", "\\at(x, LastPrev) == x + 2"),
        // That is so for neighbouring visits only.
        ("rejected: entry 1 does not hold", "\\at(x, AnyPrev) == x + 2"),
        ("rejected: entry 1 does not hold", "\\at(x, AnyPrev) < x"),
        ("rejected: entry 1 does not hold", "\\at(x, LastPrev) == x + 1"),
    ] {
        assert_eq!(correctness(program, Property::Termination, &visit(text)), expected, "{text}");
    }
    // The invariant holds, and an execution never ends all the same.
    let claims = [(When::LoopCondition, at(ENDLESS, 5, "while"), "\\at(x, AnyPrev) == x || x == 7")];
    assert_eq!(correctness(ENDLESS, Property::Termination, &claims), "rejected: an execution never ends");
    let mixed = visit("\\at(x, AnyPrev) > \\at(x, LastPrev)");
    let answer = correctness(program, Property::Termination, &mixed);
    assert!(answer.starts_with("unknown: "), "{answer}");
}

const GUARDED: &str = "\
#include <pthread.h>
int total, used;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  total++;
  used++;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  pthread_mutex_lock(&lock);
  //@ assert total == used;
  pthread_mutex_unlock(&lock);
  return 0;
}
";

#[test]
fn ghosts_are_assigned_in_one_step_with_their_statement() {
    let update = |line: u32, value: u32| {
        format!(
            "    - location:\n        file_name: program.c\n        line: {line}\n      updates:\n      \
             - variable: held\n        value: \"{value}\"\n        format: c_expression\n"
        )
    };
    let text = |invariant: &str| {
        let claim = Claim {
            entry: 1,
            when: When::Statement,
            place: Place { line: 13, column: None },
            text: invariant.to_owned(),
        };
        let monitor = Monitor { claims: vec![claim], ..Monitor::default() };
        let invariants = write::correctness(&task(GUARDED), &monitor).replace("\"2.0\"", "\"2.1\"");
        let head = write::correctness(&task(GUARDED), &Monitor::default()).replace("\"2.0\"", "\"2.1\"");
        let content = format!(
            "  content:\n    ghost_variables:\n    - name: held\n      scope: global\n      type: int\n      \
             initial:\n        value: \"0\"\n        format: c_expression\n    ghost_updates:\n{}{}{}{}",
            update(5, 1),
            update(8, 0),
            update(14, 1),
            update(16, 0)
        );
        let ghosts =
            head.replace("  content: []\n", &content).replace("invariant_set", "ghost_instrumentation");
        format!("{ghosts}{invariants}").replace("line: 13", "line: 14")
    };
    let problem = problem(GUARDED, Property::Assert);
    for (expected, invariant) in [
        ("confirmed", "held == 1 || total == used"),
        ("confirmed", "held == 0 || held == 1"),
        ("rejected: entry 6 does not hold", "held == 0"),
        // A claim is one about the moment before the ghost is set.
        ("rejected: entry 6 does not hold", "held == 1"),
        ("rejected: entry 6 does not hold", "total == used"),
    ] {
        assert_eq!(answer(&problem, &text(invariant)), expected, "{invariant}");
    }
}

/// A loop and a branch; what is needed of them is written as a witness or is not.
const HALVES: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x > 500000)
      break;
    x = x + 2;
    y = y + 1;
  }
  if (x != 2 * y)
    reach_error();
  return 0;
}
";

#[test]
fn invariants_that_are_inductive_need_no_engine() {
    let problem = problem(HALVES, Property::UnreachCall);
    let place = at(HALVES, 5, "while");
    let inductive = |text: &str| {
        let claim =
            Claim { entry: 1, when: When::LoopCondition, place: place.clone(), text: text.to_owned() };
        let monitor = Monitor { claims: vec![claim], ..Monitor::default() };
        validation(&problem, &write::correctness(&task(HALVES), &monitor))
    };
    for (claim, expected) in [
        ("x == 2 * y && 0 <= x && x <= 500002", Ok(Confirmation::Inductive)),
        // Without bounds, sums might overflow and then leave the equation; and this says nothing about the property.
        ("0 <= y", Ok(Confirmation::Found)),
        ("x == y", Err("entry 1 does not hold")),
    ] {
        let expected_text = format!("{expected:?}");
        let found = match inductive(claim) {
            Validation::Confirmed(how) => Ok(how),
            Validation::Rejected(why) => Err(why),
            Validation::Unknown(why) => Err(format!("unknown: {why}")),
        };
        assert_eq!(format!("{found:?}"), expected_text, "{claim}");
    }
}

/// Programs whose verdict is `TRUE` or `FALSE`; what `verify` writes about them must be confirmed.
const OWN: &[(&str, Property)] = &[
    (BRANCHES, Property::UnreachCall),
    (ROUNDS, Property::UnreachCall),
    (COUNT, Property::UnreachCall),
    (
        "int main(void) { unsigned i = 0; for (; i < 10u; i++) { } //@ assert i == 10;\n return 0; }",
        Property::Assert,
    ),
    // The last answer comes while the target is being executed.
    (
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
         int main(void) { int x = __VERIFIER_nondet_int(); x != __VERIFIER_nondet_int() ? (void)0 : reach_error(); }",
        Property::UnreachCall,
    ),
    // One call has two answers.
    (
        "#include <stdio.h>\nextern void reach_error(void);\n\
         int main(void) { int x = 0; scanf(\"%d\", &x); if (x == 3) reach_error(); return 0; }",
        Property::UnreachCall,
    ),
    // A block is lost at the end, on one of two ways.
    (
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) { int *p = malloc(4); int x = __VERIFIER_nondet_int(); if (x) free(p); return 0; }",
        Property::MemSafety,
    ),
    (COUNT, Property::Termination),
    (ENDLESS, Property::Termination),
    ("int main(void) { int x = 5; do { x = 1 - x; } while (x != 9); return 0; }", Property::Termination),
    ("int main(void) { int x = 5; again: x = -x; if (x) goto again; return 0; }", Property::Termination),
    (
        "int main(void) { for (int i = 0; i < 9; i++) for (int j = i; j < 9; j++) { } return 0; }",
        Property::Termination,
    ),
];

/// The witness that `verify` writes.
fn written(problem: &Problem, format: export::Format) -> Option<String> {
    written_or_why(problem, format).ok()
}

/// The witness that `verify` writes, or why there is none.
fn written_or_why(problem: &Problem, format: export::Format) -> Result<String, export::NoWitness> {
    let budget = Budget::unlimited();
    let decision = verify(problem, &Plan::default(), &budget, Arc::new(Silent)).expect("a decision");
    let wish = export::Wish { format, time: "2026-01-31T12:00:00Z".to_owned(), ghosts: None };
    export::witness(problem, &decision, &wish)
}

fn own(problem: &Problem) -> String {
    let text = written(problem, export::Format::Yaml);
    text.unwrap_or_else(|| panic!("no witness for\n{}", problem.text()))
}

#[test]
fn own_witnesses_are_confirmed() {
    for (program, property) in OWN {
        let problem = problem(program, *property);
        let text = own(&problem);
        assert_eq!(answer(&problem, &text), "confirmed", "{program}\n{text}");
    }
}

#[test]
fn what_recursive_functions_return_is_written_as_a_contract() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int calls;
int down(int n) {
  calls = calls + 1;
  if (n <= 0)
    return 0;
  return down(n - 1) + 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    return 0;
  if (down(n) != n)
    reach_error();
  return 0;
}
";
    let problem = problem(program, Property::UnreachCall);
    let text = own(&problem);
    assert!(text.contains("function_contract") && text.contains("\\result"), "{text}");
    assert_eq!(answer(&problem, &text), "confirmed", "{text}");
    // The contract is no ornament: with another one the witness is wrong.
    let wrong = text.replace("(long long)\\\\result", "(1 + (long long)\\\\result)");
    assert_eq!(answer(&problem, &wrong), "rejected: entry 1 does not hold", "{wrong}");
}
