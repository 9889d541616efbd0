//! Proofs about unfolded calls, and for every condition on the list of activations one that violates it.

mod support;

use base::EntityRef;
use certify::Refusal;
use program::{Activation, ActivationData, Edge, EdgeKind, Location, Unfolding};
use support::{Point, Task};

/// The proof relates the variables of both calls, which no label of a procedure can.
const TWICE: &str = "procedure ULTIMATE.start(n: int)
    { var x: int; var y: int; call x := next(n); call y := next(x); assert y == n + 2; }
    procedure next(a: int) returns (r: int) { r := a + 1; }";

const LABELS: &[(Point, &str)] = &[(Point::Initial, "true"), (Point::Error, "false")];

fn unfolding(activations: impl IntoIterator<Item = ActivationData>) -> Unfolding {
    let mut unfolding = Unfolding::default();
    for data in activations {
        unfolding.activations.push(data);
    }
    unfolding
}

fn start(task: &Task) -> ActivationData {
    ActivationData::Start(task.subject.program().initial[0])
}

fn calls(task: &Task) -> Vec<Edge> {
    let program = task.subject.program();
    program.edges.keys().filter(|&edge| matches!(program.edges[edge].kind, EdgeKind::Call(_))).collect()
}

fn call(caller: usize, call: Edge) -> ActivationData {
    ActivationData::Call { caller: Activation::new(caller), call }
}

#[test]
fn a_proof_about_the_unfolding_is_accepted() {
    let mut task = Task::new(TWICE);
    let calls = calls(&task);
    let complete = unfolding([start(&task), call(0, calls[0]), call(0, calls[1])]);
    let certificate = task.unfolded(&complete, LABELS);
    assert_eq!(task.check(&certificate), Ok(()));
    // The order of callees does not matter.
    let other = unfolding([start(&task), call(0, calls[1]), call(0, calls[0])]);
    let certificate = task.unfolded(&other, LABELS);
    assert_eq!(task.check(&certificate), Ok(()));
}

/// The unfolding does what the calls do: with another result, a wrong claim, or a callee that writes a global.
#[test]
fn the_unfolding_is_that_of_the_program() {
    for (text, safe) in [
        (TWICE.to_owned(), true),
        (TWICE.replace("a + 1", "a + 2"), false),
        (TWICE.replace("n + 2", "n + 1"), false),
        (TWICE.replace("call y := next(x)", "call y := next(n)"), false),
        // A local that is not assigned begins arbitrary in every call.
        (TWICE.replace("{ r := a + 1; }", "{ var l: int; r := a + 1 + l; }"), false),
        (TWICE.replace("{ r := a + 1; }", "{ var l: int; l := 0; r := a + 1 + l; }"), true),
    ] {
        let mut task = Task::new(&text);
        let calls = calls(&task);
        let complete = unfolding([start(&task), call(0, calls[0]), call(0, calls[1])]);
        let certificate = task.unfolded(&complete, LABELS);
        assert_eq!(task.check(&certificate).is_ok(), safe, "{text}");
    }
}

#[test]
fn old_values_are_those_of_the_call() {
    for (claim, safe) in [("g == old(g) + 1", true), ("g == old(g)", false)] {
        let text = format!(
            "var g: int;
             procedure ULTIMATE.start() modifies g; {{ g := 3; call step(); g := g + 1; call step(); }}
             procedure step() modifies g; {{ g := g + 1; assert {claim}; }}"
        );
        let mut task = Task::new(&text);
        let calls = calls(&task);
        let complete = unfolding([start(&task), call(0, calls[0]), call(0, calls[1])]);
        let certificate = task.unfolded(&complete, LABELS);
        assert_eq!(task.check(&certificate).is_ok(), safe, "{claim}");
    }
}

#[test]
fn lists_that_are_incomplete_or_wrong_are_refused() {
    let mut task = Task::new(TWICE);
    let calls = calls(&task);
    let nowhere = Location::new(0);
    assert!(!task.subject.program().initial.contains(&nowhere));
    let internal = task.subject.program().edges.keys().find(|edge| !calls.contains(edge)).expect("an edge");
    let begin = start(&task);
    let wrong = [
        ("nothing begins", unfolding([])),
        ("begins elsewhere", unfolding([ActivationData::Start(nowhere)])),
        ("begins twice", unfolding([begin, begin, call(0, calls[0]), call(0, calls[1])])),
        ("a call leads nowhere", unfolding([begin, call(0, calls[0])])),
        ("a caller that comes later", unfolding([call(1, calls[0]), begin, call(1, calls[1])])),
        ("no call edge", unfolding([begin, call(0, internal), call(0, calls[1])])),
        ("an edge that is missing", unfolding([begin, call(0, Edge::new(999)), call(0, calls[1])])),
        ("an edge of another procedure", unfolding([begin, call(0, calls[0]), call(1, calls[1])])),
        (
            "one call, two activations",
            unfolding([begin, call(0, calls[0]), call(0, calls[0]), call(0, calls[1])]),
        ),
    ];
    for (what, list) in wrong {
        let refused = task.subject.unfolded(&list, &mut task.terms);
        assert!(matches!(refused, Err(Refusal::Malformed(_))), "{what}");
    }
}

/// Recursion that an error trace can get to has no finite list of activations; recursion elsewhere does not matter.
#[test]
fn recursion_has_no_unfolding() {
    let mut task = Task::new(
        "procedure ULTIMATE.start() { call f(1); }
         procedure f(n: int) { assert n > 0; call f(n); }",
    );
    let calls = calls(&task);
    let list = unfolding([start(&task), call(0, calls[0]), call(1, calls[1]), call(2, calls[1])]);
    assert!(matches!(task.subject.unfolded(&list, &mut task.terms), Err(Refusal::Malformed(_))));
    let mut task = Task::new(
        "procedure ULTIMATE.start() { assert 1 < 2 || false; call f(1); }
         procedure f(n: int) { call f(n); }",
    );
    let list = unfolding([start(&task)]);
    // The assertion is `true`, so there is no error and nothing that matters begins.
    assert!(task.subject.program().errors.is_empty());
    assert!(task.subject.unfolded(&list, &mut task.terms).is_err());
    assert!(task.subject.unfolded(&unfolding([]), &mut task.terms).is_ok());
}

/// Names of copies must be new: a program may use the very name that a copy would get.
#[test]
fn names_that_are_taken_are_refused() {
    let mut task = Task::new(TWICE);
    let calls = calls(&task);
    let list = unfolding([start(&task), call(0, calls[0]), call(0, calls[1])]);
    assert!(task.subject.unfolded(&list, &mut task.terms).is_ok());
    // Unfolding again asks for the same names, which belong to the same copies.
    assert!(task.subject.unfolded(&list, &mut task.terms).is_ok());
    let mut source = task.source.clone();
    let variable = source.variables.keys().find(|&it| source.variables[it].name == "x").expect("x");
    source.variables[variable].name = "a@1".to_owned();
    // The name is none of the text form, so the program is not even well formed.
    assert!(Task::of(source).is_err());
}
