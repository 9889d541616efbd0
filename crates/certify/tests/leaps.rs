//! Chains of leaps that are right, and for every condition of the theorems a chain that violates it.
//!
//! The paper ("Leaping Loops in the Presence of Abstraction"): Theorem 1 for `must⁻`, Theorem 2 for `must⁺`, each with the
//! conditions finiteness, at most one successor (predecessor), and `must` moves inside the abstract state; Theorem 3
//! glues them, here in the form of the one-flip chain.

mod support;

use base::{Budget, PrimaryMap};
use certify::Refusal;
use logic::Term;
use program::leap::{Bound, Leap, Leg, Link, Mode, MoveData, PlanData, Port};
use program::{Edge, EdgeKind, LeapCertificate, Location, Program};
use smt::Solvers;
use std::collections::VecDeque;
use support::Task;

/// A bug behind many iterations.
const DEEP: &str = "procedure ULTIMATE.start()
    { var x: int; x := 0; while (x < 1000000) { x := x + 1; } assert x != 1000000; }";

/// Two ways around the loop.
const BRANCHES: &str = "procedure ULTIMATE.start()
    { var x: int; x := 0; while (x < 1000000) { if (*) { x := x + 1; } else { x := x + 2; } } assert x != 1000000; }";

/// The way around the loop passes a statement that allows more than the original program does.
const MARKED: &str = "procedure ULTIMATE.start()
    { var x: int; x := 0; while (x < 1000000) { assume {:overapproximation} true; x := x + 1; } assert x != 1000000; }";

struct Chain {
    task: Task,
    certificate: LeapCertificate,
    head: Location,
}

/// Paths of internal edges from one location to another, shortest first, without passing the second on the way.
fn paths(program: &Program, from: Location, to: Location) -> Vec<Vec<Edge>> {
    let mut found = Vec::new();
    let mut pending = VecDeque::from([(from, Vec::new())]);
    while let Some((location, path)) = pending.pop_front() {
        if path.len() > 20 {
            break;
        }
        for &edge in &program.outgoing[location] {
            let data = &program.edges[edge];
            if !matches!(data.kind, EdgeKind::Internal(_)) {
                continue;
            }
            let mut longer: Vec<Edge> = path.clone();
            longer.push(edge);
            if data.target == to {
                found.push(longer);
            } else {
                pending.push_back((data.target, longer));
            }
        }
    }
    found
}

impl Chain {
    /// Enters the loop with x = 0, leaps to x = 1000000, and fails.
    fn new(text: &str, modes: [Mode; 3]) -> Chain {
        let mut task = Task::new(text);
        let program = Program::clone(task.subject.program());
        let mut incoming = vec![0; program.locations.len()];
        for edge in program.live_edges() {
            incoming[base::EntityRef::index(program.edges[edge].target)] += 1;
        }
        let head = program.locations.keys().find(|it| incoming[base::EntityRef::index(*it)] > 1);
        let head = head.expect("the loop has a head");
        let start = program.initial[0];
        let (error, end) =
            program.errors.iter().map(|(id, data)| (id, data.location)).next().expect("an error");
        let mut certificate = LeapCertificate {
            error,
            plans: PrimaryMap::new(),
            moves: PrimaryMap::new(),
            ports: Vec::new(),
            links: Vec::new(),
        };
        let mut add = |from: Location, to: Location, path: &[Edge]| {
            let mut plan = certificate.plans.push(PlanData::Empty);
            for &edge in path {
                plan = certificate.plans.push(PlanData::Then(plan, edge));
            }
            let legs = vec![Leg { plan, strategy: Vec::new() }];
            certificate.moves.push(MoveData { source: from, target: to, legs })
        };
        let enter = add(start, head, &paths(&program, start, head)[0]);
        let round: Vec<_> = paths(&program, head, head).iter().map(|path| add(head, head, path)).collect();
        let leave = add(head, end, &paths(&program, head, end)[0]);
        let port = |task: &mut Task, location, text: &str| Port { location, formula: task.formula(text) };
        let region = port(&mut task, head, "(and (<= 0 x) (<= x 1000000))");
        let x = program.variables.iter().find(|(_, data)| data.name == "x").expect("x").0;
        let (lower, upper) = (task.formula_term("0"), task.formula_term("1000000"));
        let bounds = vec![Bound { var: x, location: head, lower, upper }];
        let leap = Leap {
            region: vec![region],
            moves: round[..1].to_vec(),
            hidden: Vec::new(),
            bounds,
            kept: Term::TRUE,
        };
        certificate.ports = vec![
            port(&mut task, start, "true"),
            port(&mut task, head, "(= x 0)"),
            port(&mut task, head, "(= x 1000000)"),
            port(&mut task, end, "(= x 1000000)"),
        ];
        let links = [Link::Step(enter), Link::Leap(leap), Link::Step(leave)];
        certificate.links = modes.into_iter().zip(links).collect();
        Chain { task, certificate, head }
    }

    fn leap(&mut self) -> &mut Leap {
        match &mut self.certificate.links[1].1 {
            Link::Leap(leap) => leap,
            Link::Step(_) => unreachable!("the second link is the leap"),
        }
    }

    fn check(&mut self) -> Result<(), Refusal> {
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        let (subject, terms) = (&self.task.subject, &mut self.task.terms);
        let session = &mut *solvers.session();
        certify::check_leaps(subject, None, &self.certificate, terms, session, &budget).map(|_| ())
    }
}

impl Task {
    fn formula_term(&mut self, number: &str) -> Term {
        let number: i64 = number.parse().expect("a number");
        self.terms.int(number)
    }
}

const PLUS: [Mode; 3] = [Mode::MustPlus, Mode::MustPlus, Mode::MustPlus];
const MINUS: [Mode; 3] = [Mode::MustMinus, Mode::MustMinus, Mode::MustMinus];

#[test]
fn right_chains_are_accepted() {
    let flip = [Mode::MustMinus, Mode::MustMinus, Mode::MustPlus];
    let may = [Mode::MustMinus, Mode::MustMinus, Mode::May];
    let early = [Mode::May, Mode::MustPlus, Mode::MustPlus];
    for modes in [PLUS, MINUS, flip, may, early] {
        let mut chain = Chain::new(DEEP, modes);
        assert_eq!(chain.check(), Ok(()), "{modes:?}");
        // With fewer moves less is reached, so a leap may leave some out.
        assert_eq!(Chain::new(BRANCHES, modes).check(), Ok(()), "{modes:?}");
    }
}

#[test]
fn chains_that_violate_a_condition_are_refused() {
    /// What is wrong, what the refusal says, the program, the modes, and the change.
    type Change = fn(&mut Chain);
    let wrong: &[(&str, &str, &str, [Mode; 3], Change)] = &[
        ("Theorem 2, condition 1: no bound", "a changed variable without a bound", DEEP, PLUS, |it| {
            it.leap().bounds.clear()
        }),
        ("Theorem 2, condition 1: a bound that does not hold", "may be infinite", DEEP, PLUS, |it| {
            let upper = it.task.terms.int(999_999);
            it.leap().bounds[0].upper = upper;
        }),
        (
            "Theorem 2, condition 1: a bound that moves with the loop",
            "a bound that the loop changes",
            DEEP,
            PLUS,
            |it| {
                let upper = it.task.terms.named("x", logic::Sort::INT);
                it.leap().bounds[0].upper = upper;
            },
        ),
        ("Theorem 2, condition 2: two predecessors", "two predecessors", BRANCHES, PLUS, |it| {
            let all: Vec<_> = it.certificate.moves.keys().collect();
            let head = it.head;
            let rounds = all.into_iter().filter(|&id| {
                let data = &it.certificate.moves[id];
                data.source == head && data.target == head
            });
            let rounds: Vec<_> = rounds.collect();
            assert!(rounds.len() > 1);
            it.leap().moves = rounds;
        }),
        ("Theorem 2, condition 3: a state without successor", "no successor", DEEP, PLUS, |it| {
            let region = it.task.formula("(and (<= 0 x) (<= x 1000001))");
            let upper = it.task.terms.int(1_000_001);
            it.leap().region[0].formula = region;
            it.leap().bounds[0].upper = upper;
        }),
        ("Theorem 2, condition 3: no moves", "no successor", DEEP, PLUS, |it| it.leap().moves.clear()),
        ("Theorem 1, condition 1: no bound", "a changed variable without a bound", DEEP, MINUS, |it| {
            it.leap().bounds.clear()
        }),
        ("Theorem 1, condition 2: two successors", "two successors", BRANCHES, MINUS, |it| {
            let head = it.head;
            let moves = &it.certificate.moves;
            let rounds = moves.iter().filter(|(_, data)| data.source == head && data.target == head);
            let rounds: Vec<_> = rounds.map(|(id, _)| id).collect();
            it.leap().moves = rounds;
        }),
        ("Theorem 1, condition 3: a state without predecessor", "no predecessor", DEEP, MINUS, |it| {
            let region = it.task.formula("(and (<= (- 1) x) (<= x 1000000))");
            let lower = it.task.terms.int(-1);
            it.leap().region[0].formula = region;
            it.leap().bounds[0].lower = lower;
        }),
        ("Theorem 1 with a hidden variable", "hidden variable", DEEP, MINUS, |it| {
            let var = it.leap().bounds[0].var;
            it.leap().hidden.push(var);
        }),
        ("a hidden variable that matters", "depends on a hidden variable", DEEP, PLUS, |it| {
            let var = it.leap().bounds[0].var;
            it.leap().hidden.push(var);
        }),
        ("an entry port outside the abstract state", "not inside its abstract state", DEEP, PLUS, |it| {
            it.certificate.ports[1].formula = it.task.formula("(or (= x 0) (= x (- 5)))");
        }),
        ("an exit port outside the abstract state", "not inside its abstract state", DEEP, PLUS, |it| {
            it.certificate.ports[2].formula = it.task.formula("(= x 1000001)");
        }),
        ("two abstract states at one location", "not exactly one region", DEEP, PLUS, |it| {
            let region = it.leap().region[0];
            it.leap().region.push(region);
        }),
        ("no abstract state", "not exactly one region", DEEP, PLUS, |it| it.leap().region.clear()),
        ("a step that is not must⁺", "not must⁺", DEEP, PLUS, |it| {
            it.certificate.ports[1].formula = it.task.formula("(= x 1)");
        }),
        ("a step that is not must⁻", "not must⁻", DEEP, MINUS, |it| {
            it.certificate.ports[1].formula = it.task.formula("(<= 0 x)");
        }),
        (
            "a step that is not possible",
            "not possible",
            DEEP,
            [Mode::MustMinus, Mode::MustMinus, Mode::May],
            |it| {
                it.certificate.ports[3].formula = it.task.formula("(= x 7)");
            },
        ),
        ("a leap that only may", "only may lead", DEEP, [Mode::MustMinus, Mode::May, Mode::MustPlus], |_| {}),
        (
            "modes in the wrong order",
            "modes of the links",
            DEEP,
            [Mode::MustPlus, Mode::MustPlus, Mode::MustMinus],
            |_| {},
        ),
        ("no state to begin with", "no state to begin with", DEEP, MINUS, |it| {
            it.certificate.ports[3].formula = Term::FALSE;
        }),
        ("not initial", "not initial", DEEP, PLUS, |it| it.certificate.ports[0].location = it.head),
        ("not at the error", "not at the error", DEEP, PLUS, |it| it.certificate.ports[3].location = it.head),
        ("a port too few", "number of ports", DEEP, PLUS, |it| _ = it.certificate.ports.pop()),
        ("an edge that allows more than the program does", "allows more", MARKED, PLUS, |_| {}),
        ("a move that ends elsewhere", "ends elsewhere", DEEP, PLUS, |it| {
            let head = it.head;
            let id = it.certificate.moves.keys().next_back().expect("a move");
            it.certificate.moves[id].target = head;
        }),
    ];
    let mut mistakes = Vec::new();
    for (what, why, text, modes, change) in wrong {
        let mut chain = Chain::new(text, *modes);
        change(&mut chain);
        match chain.check() {
            Ok(()) => mistakes.push(format!("{what} is accepted")),
            Err(refusal) if refusal.to_string().contains(why) => {}
            Err(refusal) => mistakes.push(format!("{what} is refused for another reason: {refusal}")),
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// Beside the counter, something that every round computes anew and that stays what it is, as long as it is seven.
const BESIDE: &str =
    "procedure ULTIMATE.start() { var x, y: int; var a: [int] int; x := 0; y := 7; a[5] := 3;
    while (x < 1000000) { x := x + 1; y := 14 - y; a[10 + x] := y; }
    assert !(x == 1000000 && y == 7 && a[5] == 3); }";

/// The chain of [`BESIDE`] with this to be kept, and what the ports say about `y` and `a`.
fn beside(text: &str, modes: [Mode; 3], kept: &str, ports: [&str; 2]) -> Chain {
    let mut chain = Chain::new(text, modes);
    let variables = &chain.task.subject.program().variables;
    let hidden: Vec<_> = variables
        .iter()
        .filter(|(_, data)| data.name == "y" || data.name == "a")
        .map(|(var, _)| var)
        .collect();
    let kept = chain.task.formula(kept);
    let [entry, exit] = ports.map(|port| chain.task.formula(port));
    chain.leap().hidden = hidden;
    chain.leap().kept = kept;
    chain.certificate.ports[1].formula = entry;
    chain.certificate.ports[2].formula = exit;
    chain.certificate.ports[3].formula = Term::TRUE;
    chain
}

#[test]
fn what_hidden_variables_keep_is_known_behind_a_leap() {
    const KEPT: &str = "(and (= y 7) (= (select a 5) 3))";
    const ENTRY: &str = "(and (= x 0) (= y 7) (= (select a 5) 3))";
    const EXIT: &str = "(and (= x 1000000) (= y 7) (= (select a 5) 3))";
    let early = [Mode::May, Mode::MustPlus, Mode::MustPlus];
    for modes in [PLUS, early] {
        assert_eq!(beside(BESIDE, modes, KEPT, [ENTRY, EXIT]).check(), Ok(()), "{modes:?}");
    }
    let counted = BESIDE.replace("y := 14 - y", "y := y + 2").replace("y == 7", "y == 2000007");
    let line = "(and (= y (+ 7 (* 2 x))) (= (select a 5) 3))";
    let exit = "(and (= x 1000000) (= y 2000007) (= (select a 5) 3))";
    assert_eq!(beside(&counted, PLUS, line, [ENTRY, exit]).check(), Ok(()));
    let changing = BESIDE.replace("y := 14 - y", "y := 15 - y");
    let over = BESIDE.replace("a[10 + x]", "a[x]");
    let havoc = BESIDE.replace("y := 14 - y", "havoc y");
    let wrong = [
        ("nothing is kept", "says more than is known", BESIDE, PLUS, "true", [ENTRY, EXIT]),
        ("less is kept", "says more than is known", BESIDE, PLUS, "(= y 7)", [ENTRY, EXIT]),
        ("a move changes it", "does not keep", changing.as_str(), PLUS, KEPT, [ENTRY, EXIT]),
        ("a move writes to the cell", "does not keep", over.as_str(), PLUS, KEPT, [ENTRY, EXIT]),
        ("a choice changes it", "does not keep", havoc.as_str(), PLUS, KEPT, [ENTRY, EXIT]),
        (
            "it is kept and was never there",
            "without what a leap keeps",
            BESIDE,
            PLUS,
            KEPT,
            ["(= x 0)", EXIT],
        ),
        ("nothing fits it", "without what a leap keeps", BESIDE, PLUS, "false", [ENTRY, EXIT]),
    ];
    for (what, why, text, modes, kept, ports) in wrong {
        let refusal = beside(text, modes, kept, ports).check().expect_err(what).to_string();
        assert!(refusal.contains(why), "{what}: {refusal}");
    }
    let mut chain = beside(BESIDE, PLUS, KEPT, [ENTRY, EXIT]);
    let foreign = chain.task.terms.named("no variable", logic::Sort::BOOL);
    let kept = chain.leap().kept;
    chain.leap().kept = chain.task.terms.and([kept, foreign]);
    let refusal = chain.check().expect_err("it is about no variable").to_string();
    assert!(refusal.contains("more than the state"), "{refusal}");
    let mut backward = Chain::new(DEEP, MINUS);
    let kept = backward.task.formula("(<= 0 x)");
    backward.leap().kept = kept;
    let refusal = backward.check().expect_err("Theorem 1 keeps nothing").to_string();
    assert!(refusal.contains("something to be kept"), "{refusal}");
}
