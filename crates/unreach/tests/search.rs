//! Concrete search: what it finds runs again, and what it must not find it does not.

use base::{Budget, SourceMap};
use certify::{Execution, NotReplayed};
use engines::liveness::Liveness;
use engines::search::Search;
use ir::interpreter::Value;
use program::{ConcreteRun, Verdict};

fn compile(text: &str) -> ir::Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.bpl".to_owned(), text.to_owned());
    match boogie::compile(file, text) {
        Ok(compiled) => compiled.program,
        Err(failure) => panic!("{:?} {:?}\n{text}", failure.errors, failure.unsupported),
    }
}

/// Searches for so many steps: the run, or why there is none.
fn search(program: &ir::Program, steps: u64) -> Result<ConcreteRun, String> {
    let budget = Budget::unlimited();
    match Search::new(program, &program.entries(), &budget).run(steps).expect("there is no limit") {
        Verdict::Run(run) => Ok(*run),
        Verdict::Unknown(reason) => Err(reason.to_string()),
        other => panic!("the search answered {other:?}"),
    }
}

fn rerun(program: &ir::Program, run: &ConcreteRun) -> Result<Execution, NotReplayed> {
    certify::rerun(program, run, &Budget::unlimited()).map(certify::Certified::into_inner)
}

#[track_caller]
fn fails(text: &str, steps: u64) -> (ir::Program, ConcreteRun) {
    let program = compile(text);
    let run = search(&program, steps).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let execution = rerun(&program, &run).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
    assert_eq!(execution.procedure, run.procedure);
    (program, run)
}

#[track_caller]
fn never_fails(text: &str) {
    let program = compile(text);
    assert!(search(&program, 100_000).is_err(), "a run was found that the program does not allow\n{text}");
}

#[test]
fn long_runs_without_choice() {
    fails(
        "procedure p() { var i, s: int; i := 0; s := 0; while (i < 20000) { s := s + i; i := i + 1; }
         assert s != 199990000; }",
        500_000,
    );
    fails(
        "procedure f(n: int) returns (r: int) { if (n <= 0) { r := 0; } else { call r := f(n - 1); r := r + 1; } }
         procedure ULTIMATE.start() { var r: int; call r := f(500); assert r != 500; }",
        500_000,
    );
}

#[test]
fn exactly_so_many_rounds() {
    fails(
        "procedure p() { var x: int; var b: bool; x := 0; b := true;
         while (*) { x := x + 1; b := !b; } assert x == 999 ==> b; }",
        2_000_000,
    );
}

#[test]
fn inputs_that_grow_and_fall_by_turns() {
    // Each of the inputs has to be larger than all before it, or smaller.
    for order in [">", "<"] {
        fails(
            &format!(
                "procedure p() {{ var i, last, x: int; i := 0; havoc last;
                 while (i < 200) {{ havoc x; if (!(x {order} last)) {{ return; }} last := x; i := i + 1; }}
                 assert false; }}"
            ),
            2_000_000,
        );
    }
}

#[test]
fn a_plan_among_many_states() {
    // The jugs hold three and five; four is to be measured.
    fails(
        "procedure p() { var a, b, t: int; a := 0; b := 0;
         while (*) {
           if (*) { a := 3; } else if (*) { b := 5; } else if (*) { a := 0; } else if (*) { b := 0; }
           else if (*) { t := a + b; b := (if t < 5 then t else 5); a := t - b; }
           else { t := a + b; a := (if t < 3 then t else 3); b := t - a; }
         }
         assert b != 4; }",
        1_000_000,
    );
}

#[test]
fn inputs_near_the_numbers_of_the_program() {
    fails(
        "procedure p(n: int) requires n > 12344; { var x: int; havoc x; assume x > n && x < 12350;
         assert x != 12348 || n != 12345; }",
        1_000_000,
    );
    fails("procedure p(m: [int]int) { assume m[3] > 40; assert m[7] == 0; }", 100_000);
}

#[test]
fn assumptions_take_choices_back() {
    // Only one way in four is allowed in each of the rounds.
    fails(
        "procedure p() { var i, x: int; i := 0;
         while (i < 200) { havoc x; assume x mod 4 == i mod 4 && 0 <= x; i := i + 1; }
         assert false; }",
        1_000_000,
    );
}

#[test]
fn equations_are_solved_and_not_guessed() {
    // Nobody would guess any of these numbers.
    fails(
        "procedure p() { var x, y, i: int; y := 1; i := 0;
         while (i < 20) { havoc x; assume x == 7919 * y + i; y := x mod 104729; i := i + 1; }
         assert false; }",
        10_000,
    );
    fails(
        "var g: int; var set: bool;
         procedure step(n: int) returns (r: int); modifies g, set;
         ensures r == 7919 * n + old(g);
         ensures old(set) ==> g == old(g) + 1000003 && !set;
         ensures !old(set) ==> g == old(g) * 3 && set;
         procedure ULTIMATE.start() modifies g, set; { var r, i: int; r := 1; i := 0;
         while (i < 20) { call r := step(r mod 104729); i := i + 1; }
         assert false; }",
        10_000,
    );
    fails(
        "procedure p(a, b, c: int, d: bool) requires a == 123456 && b == a; requires d; requires c != 0;
         { assert c == 17; }",
        100_000,
    );
}

#[test]
fn safe_programs_have_no_such_run() {
    for text in [
        "procedure p(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert n < 0 || i == n; }",
        "procedure p() { var x: int; havoc x; assume x > 5; assert x >= 6; }",
        "const c: int; axiom c > 3; procedure p() { assert c != 2; }",
        "const unique a, b: int; procedure p() { assert a != b; }",
        "var g: int where g >= 0; procedure p() { assert g >= 0; }",
        "procedure q() returns (r: int); ensures r > 0; procedure p() { var r: int; call r := q(); assert r != 0; }",
        "procedure p() { var x, y: int; havoc x; assume x == y + 1; assert x > y; }",
        "var g: int; procedure q(); modifies g; ensures g == old(g) + 1; ensures g > 0;
         procedure ULTIMATE.start() modifies g; { call q(); assert g != 0; }",
        // Whether this is an axiom of anything cannot be found out by running.
        "function f(int) returns (int); axiom (forall i: int :: f(i) == i + 1);
         procedure p() { assert f(2) == 3; }",
    ] {
        never_fails(text);
    }
}

#[test]
fn overapproximations_prove_nothing() {
    never_fails("procedure p() { var x: int; havoc x; assume {:overapproximation} true; assert x == 0; }");
    never_fails("function {:overapproximation} f() returns (bool); procedure p() { assert f(); }");
    never_fails(
        "procedure q() { } procedure ULTIMATE.start() { call {:overapproximation} q(); assert false; }",
    );
    // A run that goes another way is as good as any.
    fails(
        "procedure p() { if (*) { assume {:overapproximation} true; assert false; } else { assert false; } }",
        10_000,
    );
}

#[test]
fn reruns_do_what_was_decided_and_nothing_else() {
    let text =
        "procedure p(n: int) { var i: int; i := 0; while (*) { i := i + 1; } assert i < 3 || n != 7; }";
    let (program, run) = fails(text, 1_000_000);
    let accepted = |change: fn(&mut ConcreteRun)| {
        let mut changed = run.clone();
        change(&mut changed);
        rerun(&program, &changed)
    };
    assert!(accepted(|_| {}).is_ok());
    assert!(accepted(|run| run.targets.truncate(run.targets.len() - 1)).is_err(), "a missing target");
    assert!(accepted(|run| run.targets.clear()).is_err(), "no targets");
    assert!(accepted(|run| run.targets[0] = 99).is_err(), "a target that does not exist");
    assert!(accepted(|run| run.values[0].1 = Value::int(6)).is_err(), "another input");
    assert!(accepted(|run| run.values[0].1 = Value::Bool(true)).is_err(), "an input of another type");
    assert!(accepted(|run| run.values[0].0 += 1).is_err(), "an input for another variable");
    assert!(accepted(|run| run.values.clear()).is_err(), "no inputs");
    let vague = compile(&text.replace("i := 0;", "i := 0; assume {:overapproximation} true;"));
    assert!(rerun(&vague, &run).is_err(), "a run through an over-approximation");
}

#[test]
fn nothing_is_tried_when_nothing_is_left() {
    let program = compile("procedure p() { var x: int; x := 1; if (*) { x := 2; } assert x > 0; }");
    let why = search(&program, 10_000_000).expect_err("it is safe");
    assert!(why.contains("limit of steps"), "dives never end: {why}");
    let program = compile("procedure p() { var x: int; x := 1; assert x > 0; }");
    let why = search(&program, u64::MAX).expect_err("it is safe");
    assert!(why.contains("nothing is left"), "{why}");
}

#[test]
fn the_same_program_gives_the_same_run() {
    let text = "procedure p() { var i, x: int; i := 0; while (*) { havoc x; i := i + x; } assert i != 77; }";
    let runs: Vec<String> =
        (0..2).map(|_| format!("{:?}", search(&compile(text), 5_000_000).expect("it is found"))).collect();
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn interruptions_do_not_change_a_search() {
    let text = "procedure p() { var i, x: int; i := 0; while (*) { havoc x; i := i + x; } assert i != 77; }";
    let program = compile(text);
    let mut search = Search::new(&program, &program.entries(), &Budget::unlimited());
    for _ in 0..1000 {
        if let Verdict::Run(run) = search.run(10_000).expect("there is no limit") {
            rerun(&program, &run).expect("it fails again");
            return;
        }
    }
    panic!("nothing was found");
}

#[test]
fn what_is_written_before_it_is_read_does_not_matter() {
    let source = compile(
        "procedure p(n: int) returns (r: int) { var x, y, z: int;
         y := x; while (y < n) { havoc z; y := y + 1; } r := y; }",
    );
    let (procedure, data) = source.procedures.iter().next().expect("a procedure");
    let body = data.body.as_ref().expect("a body");
    let live = &Liveness::new(&source, procedure, body).of_block(body, body.entry())[0];
    let names: Vec<&str> = live.iter().map(|variable| source.variables[variable].name.as_str()).collect();
    assert_eq!(names, ["n", "x"]);
}
