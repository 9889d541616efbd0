//! Proofs that are right, and for every condition of the check a proof that violates it.
//!
//! The theorem ("Software Model Checking for People who Love Automata", Theorems 1 and 2, for nested words): if the labels
//! of initial states hold at the beginning, every transition is a valid Hoare triple, and every error trace gets to
//! a state labelled `false`, then no error is reachable. What a transition means presupposes a certificate of
//! the right shape, whose labels speak of the state.

mod support;

use certify::{Automaton, Certificate, Letter, Refusal};
use logic::Term;
use program::EdgeKind;
use support::{Point, Task};

const LOOP: &str =
    "procedure ULTIMATE.start() { var x: int; x := 0; while (x < 10) { x := x + 1; } assert x <= 10; }";

const CALL: &str = "var g: int;
    procedure ULTIMATE.start() modifies g;
    { var x: int; var y: int; g := 5; x := 7; call y := twice(x); assert y == 14 && x == 7 && g == 6; }
    procedure twice(a: int) returns (r: int) modifies g; { r := a + a; g := g + 1; }";

const LOOP_LABELS: &[(Point, &str)] =
    &[(Point::Initial, "true"), (Point::Head, "(<= x 10)"), (Point::Error, "false")];

const CALL_LABELS: &[(Point, &str)] = &[
    (Point::Initial, "true"),
    (Point::Call, "(and (= g 5) (= x 7))"),
    (Point::Entry, "(and (= g 5) (= a 7))"),
    (Point::Exit, "(and (= r 14) (= g 6))"),
    (Point::Return, "(and (= y 14) (= x 7) (= g 6))"),
    (Point::Error, "false"),
];

fn with(labels: &[(Point, &'static str)], point: Point, label: &'static str) -> Vec<(Point, &'static str)> {
    labels.iter().map(|&(at, old)| (at, if at == point { label } else { old })).collect()
}

#[test]
fn right_proofs_are_accepted() {
    for (text, labels) in [(LOOP, LOOP_LABELS), (CALL, CALL_LABELS)] {
        let mut task = Task::new(text);
        let certificate = task.certificate(labels);
        assert_eq!(task.check(&certificate), Ok(()), "{text}");
    }
}

/// Labels that make one kind of triple wrong each: those of calls and returns are too strong, so that what follows stays right.
#[test]
fn a_triple_that_is_not_valid_is_refused() {
    let block = |refusal: &Refusal| matches!(refusal, Refusal::Triple(Letter::Block(..)));
    let call = |refusal: &Refusal| matches!(refusal, Refusal::Triple(Letter::Call(_)));
    let ret = |refusal: &Refusal| matches!(refusal, Refusal::Triple(Letter::Return(_)));
    type Expected = fn(&Refusal) -> bool;
    type Labels = &'static [(Point, &'static str)];
    let wrong: &[(&str, &str, Labels, Point, &'static str, Expected)] = &[
        ("not inductive", LOOP, LOOP_LABELS, Point::Head, "(<= x 9)", block),
        ("does not hold at first", LOOP, LOOP_LABELS, Point::Head, "(and (<= 1 x) (<= x 10))", block),
        ("too weak for the error", LOOP, LOOP_LABELS, Point::Head, "(<= x 11)", block),
        ("another argument", CALL, CALL_LABELS, Point::Entry, "(and (= g 5) (= a 7) (= a 8))", call),
        (
            "another global at the entry",
            CALL,
            CALL_LABELS,
            Point::Entry,
            "(and (= g 5) (= a 7) (= g 6))",
            call,
        ),
        (
            "a local of the callee is arbitrary",
            CALL,
            CALL_LABELS,
            Point::Entry,
            "(and (= g 5) (= a 7) (= r 0))",
            call,
        ),
        ("another result", CALL, CALL_LABELS, Point::Return, "(and (= y 14) (= x 7) (= g 6) (= y 15))", ret),
        (
            "the caller's local changes",
            CALL,
            CALL_LABELS,
            Point::Return,
            "(and (= y 14) (= x 7) (= g 6) (= x 8))",
            ret,
        ),
        (
            "the global from before the call",
            CALL,
            CALL_LABELS,
            Point::Return,
            "(and (= y 14) (= x 7) (= g 6) (= g 5))",
            ret,
        ),
    ];
    for &(what, text, labels, point, label, expected) in wrong {
        let mut task = Task::new(text);
        let certificate = task.certificate(&with(labels, point, label));
        match task.check(&certificate) {
            Err(refusal) => assert!(expected(&refusal), "{what}: {refusal}"),
            Ok(()) => panic!("{what} is accepted"),
        }
    }
}

#[test]
fn labels_of_initial_states_hold_at_the_beginning() {
    for label in ["false", "(= x 0)"] {
        let mut task = Task::new(LOOP);
        let certificate = task.certificate(&with(LOOP_LABELS, Point::Initial, label));
        assert!(matches!(task.check(&certificate), Err(Refusal::Label(_))), "{label}");
    }
}

#[test]
fn labels_speak_of_the_state() {
    // The constant that stands for what the havoc chooses is no variable.
    let text =
        "procedure ULTIMATE.start() { var x: int; havoc x; while (x < 10) { x := x + 1; } assert 10 <= x; }";
    let mut task = Task::new(text);
    let labels = [(Point::Initial, "true"), (Point::Head, "true"), (Point::Error, "false")];
    let mut certificate = task.certificate(&labels);
    assert_eq!(task.check(&certificate), Ok(()));
    let choice = task.subject.program().edges.values().find_map(|edge| match &edge.kind {
        EdgeKind::Internal(relation) => relation.auxiliaries.first().copied(),
        _ => None,
    });
    let choice = task.terms.constant(choice.expect("there is a havoc"));
    let zero = task.terms.int(0);
    let label = task.terms.eq(choice, zero);
    certificate.automata[0].labels.push(label);
    assert!(matches!(task.check(&certificate), Err(Refusal::Label(_))));
}

/// Changes that take the proof away from some error trace.
#[test]
fn every_error_trace_is_covered() {
    type Change = fn(&mut Certificate);
    type Labels = &'static [(Point, &'static str)];
    let changes: &[(&str, &str, Labels, Change)] = &[
        ("no automaton", LOOP, LOOP_LABELS, |it| it.automata.clear()),
        ("no initial state", LOOP, LOOP_LABELS, |it| it.automata[0].initial.clear()),
        ("no transitions", LOOP, LOOP_LABELS, |it| it.automata[0].steps.clear()),
        ("no way around the loop", LOOP, LOOP_LABELS, |it| {
            it.automata[0].steps.retain(|(from, _, to)| from != to);
        }),
        ("no state with the label false", LOOP, LOOP_LABELS, |it| {
            it.automata[0].labels.iter_mut().filter(|label| label.is_false()).for_each(|it| *it = Term::TRUE);
        }),
        ("no calls", CALL, CALL_LABELS, |it| {
            it.automata[0].steps.retain(|(_, letter, _)| !matches!(letter, Letter::Call(_)));
        }),
        ("no returns", CALL, CALL_LABELS, |it| it.automata[0].returns.clear()),
    ];
    for (what, text, labels, change) in changes {
        let mut task = Task::new(text);
        let mut certificate = task.certificate(labels);
        change(&mut certificate);
        assert!(matches!(task.check(&certificate), Err(Refusal::NotCovered(_))), "{what}");
    }
}

/// Two automata that cover the traces only together, and each alone does not.
#[test]
fn automata_are_a_union() {
    let mut task = Task::new(
        "procedure ULTIMATE.start() { var x: int; var y: int; x := 0; y := 0; assert x == 0; assert y == 0; }",
    );
    let whole = task.certificate(&[(Point::Initial, "true"), (Point::Error, "false")]);
    assert_eq!(task.check(&whole), Ok(()));
    let part = |keep: usize| {
        let mut automaton = whole.automata[0].clone();
        let mut number = 0;
        automaton.steps.retain(|_| {
            number += 1;
            number == keep
        });
        automaton
    };
    let (first, second) = (part(1), part(2));
    let made = |automata: Vec<Automaton>| Certificate { automata, ..whole.clone() };
    assert_eq!(task.check(&made(vec![first.clone(), second.clone()])), Ok(()));
    assert!(matches!(task.check(&made(vec![first])), Err(Refusal::NotCovered(_))));
    assert!(matches!(task.check(&made(vec![second])), Err(Refusal::NotCovered(_))));
}

#[test]
fn the_shape_fits_the_program() {
    type Change = fn(&mut Certificate, &Task);
    let changes: &[(&str, Change)] = &[
        ("the initial location is no cut point", |it, task| {
            it.cut_points.remove(task.subject.program().initial[0]);
        }),
        ("an error location is no cut point", |it, task| {
            let error = task.subject.program().errors.values().next().expect("an error").location;
            it.cut_points.remove(error);
        }),
        ("an end of a call is no cut point", |it, task| {
            let program = task.subject.program();
            let call = program.edges.values().find(|edge| matches!(edge.kind, EdgeKind::Call(_)));
            it.cut_points.remove(call.expect("a call").source);
        }),
        ("an initial state that is missing", |it, _| it.automata[0].initial.push(99)),
        ("a transition to a state that is missing", |it, _| it.automata[0].steps[0].2 = 99),
        ("a hierarchical state that is missing", |it, _| it.automata[0].returns[0].1 = 99),
        ("a return as a step", |it, _| it.automata[0].steps[0].1 = it.automata[0].returns[0].2),
        ("a block as a return", |it, _| it.automata[0].returns[0].2 = it.automata[0].steps[0].1),
    ];
    for (what, change) in changes {
        let mut task = Task::new(CALL);
        let mut certificate = task.certificate(CALL_LABELS);
        change(&mut certificate, &task);
        assert!(matches!(task.check(&certificate), Err(Refusal::Malformed(_))), "{what}");
    }
}

#[test]
fn every_cycle_has_a_cut_point() {
    let mut task = Task::new(LOOP);
    let mut certificate = task.certificate(LOOP_LABELS);
    let program = task.subject.program();
    let ends = |location| program.initial.contains(&location) || program.locations[location].error.is_some();
    for location in program.locations.keys().filter(|&location| !ends(location)) {
        certificate.cut_points.remove(location);
    }
    assert!(matches!(task.check(&certificate), Err(Refusal::Malformed(_))));
}

/// What lies on no error trace needs no proof: dead code with a loop, and a procedure that nobody calls.
#[test]
fn only_error_traces_matter() {
    let mut task = Task::new(
        "procedure ULTIMATE.start() { var x: int; x := 1; assert x == 1; while (x > 0) { x := x + 1; } }
         procedure unused() { var y: int; while (true) { y := y + 1; } }",
    );
    let mut certificate = task.certificate(&[
        (Point::Initial, "true"),
        (Point::Error, "false"),
        (Point::Head, "true"),
        (Point::Entry, "true"),
        (Point::Exit, "true"),
    ]);
    let program = task.subject.program();
    let heads: Vec<_> = program
        .locations
        .keys()
        .filter(|&location| {
            !program.initial.contains(&location) && program.locations[location].error.is_none()
        })
        .collect();
    for location in heads {
        certificate.cut_points.remove(location);
    }
    certificate.automata[0].steps.retain(|(_, letter, _)| {
        matches!(letter, Letter::Block(from, to) if certificate.cut_points.contains(*from) && certificate.cut_points.contains(*to))
    });
    assert_eq!(task.check(&certificate), Ok(()));
}

#[test]
fn a_program_that_is_not_well_formed_is_no_subject() {
    let mut source = support::compile(LOOP);
    let procedure = source.procedures.keys().next().expect("a procedure");
    source.procedures[procedure].name = "not a name".to_owned();
    assert!(matches!(Task::of(source), Err(certify::NotASubject::IllFormed(..))));
}
