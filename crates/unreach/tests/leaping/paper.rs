//! The five programs of the paper, for inputs of any size, and some more that leaping should find.

use crate::support::Task;

pub const SIMPLE: &str = include_str!("programs/simple.bpl");
pub const LESS_SIMPLE: &str = include_str!("programs/less_simple.bpl");
pub const NESTED: &str = include_str!("programs/nested.bpl");
pub const JUMP_BEYOND_N: &str = include_str!("programs/jump_beyond_n.bpl");
pub const FLIP: &str = include_str!("programs/flip.bpl");

const PROGRAMS: [&str; 5] = [SIMPLE, LESS_SIMPLE, NESTED, JUMP_BEYOND_N, FLIP];

#[test]
fn errors_behind_any_number_of_iterations() {
    for program in PROGRAMS {
        for least in ["1000000", "1000000000000"] {
            let mut task = Task::new(&program.replace("1000000", least));
            let leaps = task.leap().unwrap_or_else(|reason| panic!("{reason}\n{program}"));
            let trace = leaps.run.and_then(|run| run.counterexample);
            assert!(trace.is_none(), "nobody can follow so many rounds");
        }
    }
}

#[test]
fn short_runs_are_replayed() {
    for program in PROGRAMS {
        let mut task = Task::new(&program.replace("1000000", "7"));
        let leaps = task.leap().unwrap_or_else(|reason| panic!("{reason}\n{program}"));
        let run = leaps.run.expect("there is a run");
        assert!(run.counterexample.is_some(), "a few rounds can be followed");
        assert_eq!(run.at_ports.len(), leaps.certificate.ports.len());
    }
}

#[test]
fn without_a_bound_on_the_input() {
    for program in PROGRAMS {
        let mut task = Task::new(&program.replace("assume n >= 1000000;", ""));
        let leaps = task.leap().unwrap_or_else(|reason| panic!("{reason}\n{program}"));
        let trace = leaps.run.and_then(|run| run.counterexample);
        assert!(trace.is_some(), "a small input suffices");
    }
}

#[test]
fn inputs_are_solved_for() {
    // The error needs one certain number of rounds; relations between variables are found from samples.
    let program = "procedure p(n: int) { var i, s: int; i := 0; s := 0;
        while (i < n) { i := i + 1; s := s + 3; }
        assert s != 3000000; }";
    let leaps = Task::new(program).leap().unwrap_or_else(|reason| panic!("{reason}"));
    let run = leaps.run.expect("the number of rounds is solved for");
    assert!(run.counterexample.is_none(), "nobody can follow so many rounds");
    assert_eq!(run.rounds, [logic::Integer::from(1_000_000)]);
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
