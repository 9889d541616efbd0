//! The five programs of the paper, for inputs of any size, and some more that leaping should find.

use crate::support::Task;

pub const SIMPLE: &str = "procedure simple(n: int) { var x: int; assume n >= LEAST; x := 0;
    while (x < n) { x := x + 1; }
    while (x < 2 * n) { x := x + 2; }
    while (x < 3 * n) { x := x + 3; }
    assert false; }";

pub const LESS_SIMPLE: &str =
    "procedure less_simple(n: int) { var x, y: int; assume n >= LEAST; x := 0; y := 0;
    x := 1; if (*) { y := 1; }
    while (x < n) { if (x >= y + 2) { y := x; } else { if (*) { x := x + 1; } else { y := x + 1; } } }
    if (x >= y) { assert false; } }";

pub const NESTED: &str = "procedure nested(n: int) { var x, y: int; assume n >= LEAST; x := 0;
    while (x < n) { x := x + 1; y := 0; while (y < n) { y := y + 1; } }
    if (y == n) { assert false; } }";

pub const JUMP_BEYOND_N: &str = "procedure jump_beyond_n(n: int) { var x: int; assume n >= LEAST; x := 0;
    while (x < n) {
        if (x mod 2 == 1) { if (*) { x := x - 1; } else { x := x - 3; } }
        else { if (x mod 4 == 0) { x := x + 5; } else { x := x + 1; } } }
    assert false; }";

pub const FLIP: &str = "procedure flip(n: int) { var x, t: int; assume n >= LEAST; x := 0; t := 1;
    while (x < n) { t := 0 - t; if (*) { x := x + t; } else { x := x - t; } }
    assert false; }";

const PROGRAMS: [&str; 5] = [SIMPLE, LESS_SIMPLE, NESTED, JUMP_BEYOND_N, FLIP];

#[test]
fn errors_behind_any_number_of_iterations() {
    for program in PROGRAMS {
        for least in ["1000000", "1000000000000"] {
            let mut task = Task::new(&program.replace("LEAST", least));
            let leaps = task.leap().unwrap_or_else(|reason| panic!("{reason}\n{program}"));
            assert!(leaps.run.is_none(), "nobody can follow so many rounds");
        }
    }
}

#[test]
fn short_runs_are_replayed() {
    for program in PROGRAMS {
        let mut task = Task::new(&program.replace("LEAST", "7"));
        let leaps = task.leap().unwrap_or_else(|reason| panic!("{reason}\n{program}"));
        let run = leaps.run.expect("a few rounds can be followed");
        assert_eq!(run.at_ports.len(), leaps.chain.ports.len());
    }
}

#[test]
fn without_a_bound_on_the_input() {
    for program in PROGRAMS {
        let mut task = Task::new(&program.replace("assume n >= LEAST;", ""));
        let leaps = task.leap().unwrap_or_else(|reason| panic!("{reason}\n{program}"));
        assert!(leaps.run.is_some(), "a small input suffices");
    }
}

#[test]
fn inputs_are_solved_for() {
    // The error needs one certain number of rounds; relations between variables are found from samples.
    let program = "procedure p(n: int) { var i, s: int; i := 0; s := 0;
        while (i < n) { i := i + 1; s := s + 3; }
        assert s != 3000000; }";
    let leaps = Task::new(program).leap().unwrap_or_else(|reason| panic!("{reason}"));
    assert!(leaps.run.is_none());
}

#[test]
fn an_error_inside_a_loop() {
    let program = "procedure p() { var x: int; x := 0; while (true) { x := x + 1; assert x != 123456789; } }";
    Task::new(program).leap().unwrap_or_else(|reason| panic!("{reason}"));
}

#[test]
fn variables_of_no_consequence_are_hidden() {
    let program = "procedure p(n: int) { var x, z: int; assume n >= 1000000; x := 0;
        while (x < n) { x := x + 1; z := z + z + x; }
        assert false; }";
    Task::new(program).leap().unwrap_or_else(|reason| panic!("{reason}"));
}

#[test]
fn machine_integers_are_finite_by_themselves() {
    let program = "function {:bvbuiltin \"bvadd\"} add(a: bv32, b: bv32) returns (bv32);
        procedure p() { var x: bv32; x := 0bv32;
        while (x != 4294967295bv32) { x := add(x, 1bv32); }
        assert false; }";
    Task::new(program).leap().unwrap_or_else(|reason| panic!("{reason}"));
}
