//! Executions along straight lines: loops in sequence whose steps do not fit each other, rounds of several phases, and
//! bit-vectors. Each unsafe program has a safe one beside it that differs in one number or sign.

use crate::support::Task;

/// Where the first loop stops depends on the remainder of n, and decides where the second one goes.
pub const IN_SEQUENCE: &str = "procedure p(n: int) { var x: int; assume n >= 5000000; x := 3;
    while (x < n) { x := x + 7; }
    while (x < 5 * n) { x := x + 2; }
    assert x < 5 * n; }";

/// One forward in three rounds.
pub const PHASES: &str = "procedure p(n: int) { var x, phase: int; assume n >= 1000000; x := 0; phase := 0;
    while (x < n) {
        if (phase == 0) { x := x + 3; phase := 1; }
        else if (phase == 1) { x := x - 1; phase := 2; }
        else { x := x - 1; phase := 0; } }
    assert x < n; }";

#[track_caller]
fn fails(program: &str) {
    let leaps = Task::new(program).leap().unwrap_or_else(|reason| panic!("{reason}\n{program}"));
    let run = leaps.run.unwrap_or_else(|| panic!("there is no run\n{program}"));
    assert_eq!(run.at_ports.len(), leaps.certificate.ports.len());
}

/// As above, where no run is told: a condition over all cells keeps it from being evaluated, or it is too long to be followed.
#[track_caller]
pub fn reaches(program: &str) {
    if let Err(reason) = Task::new(program).leap() {
        panic!("{reason}\n{program}");
    }
}

#[track_caller]
pub fn never_fails(program: &str) {
    if let Ok(leaps) = Task::new(program).leap() {
        panic!("a safe program was called unsafe: {:#?}\n{program}", leaps.certificate);
    }
}

#[test]
fn loops_in_sequence_with_other_steps() {
    fails(IN_SEQUENCE);
    fails(&IN_SEQUENCE.replace("5000000", "5000000000000"));
    never_fails(&IN_SEQUENCE.replace("assert x < 5 * n", "assert x < 5 * n + 2"));
    let three = "procedure p(n: int) { var x, y: int; assume n >= 1000000; x := 1; y := 0;
        while (x < n) { x := x + 5; y := y + 1; }
        while (y < 4 * n) { y := y + 3; x := x - 1; }
        while (x < 9 * n) { x := x + 11; }
        assert x mod 2 == 0; }";
    fails(three);
}

#[test]
fn rounds_of_several_phases() {
    fails(PHASES);
    fails(&PHASES.replace("1000000", "1000000000000"));
    never_fails(&PHASES.replace("assert x < n", "assert x < n + 3"));
    // Three phases that undo each other lead nowhere.
    never_fails(&PHASES.replace("x := x + 3", "x := x + 2"));
    let counted = "procedure p(n: int) { var x, t: int; assume n >= 1000000; x := 0; t := 0;
        while (x < n) { if (t mod 4 == 0) { x := x + 5; } else { x := x - 1; } t := t + 1; }
        assert x < n; }";
    fails(counted);
}

#[test]
fn the_input_decides() {
    // One of three successive inputs leads to the error.
    fails(
        "procedure p(n: int) { var x, y: int; assume n >= 1000000; x := 0; y := 7;
        while (x < n) { x := x + 5; y := y + 2; }
        while (y < n) { y := y + 1; x := x + 1; }
        assert x mod 3 != 1; }",
    );
    never_fails(
        "procedure p(n: int) { var x: int; assume n >= 1000000 && n mod 5 != 0; x := 0;
        while (x < n) { x := x + 5; }
        assert x != n; }",
    );
}

#[test]
fn bit_vectors_move_in_straight_lines() {
    let program = |step: &str, end: &str| {
        format!(
            "function {{:bvbuiltin \"bvadd\"}} add(bv32, bv32) returns (bv32);
            function {{:bvbuiltin \"bvult\"}} below(bv32, bv32) returns (bool);
            procedure p() {{ var x, y: bv32; x := 1bv32; y := 0bv32;
                while (below(x, 3000000000bv32)) {{ x := add(x, {step}bv32); y := add(y, 1bv32); }}
                assert y != {end}bv32; }}"
        )
    };
    fails(&program("1", "2999999999"));
    never_fails(&program("1", "2999999998"));
    fails(&program("3", "1000000000"));
    never_fails(&program("3", "1000000001"));
}

#[test]
fn what_is_not_read_again_does_not_matter() {
    fails(
        "procedure p(n: int) { var x, sum: int; var a: [int] int; assume n >= 5000000; x := 3; sum := 0;
        while (x < n) { x := x + 7; sum := sum + x; a[x] := sum; }
        while (x < 5 * n) { x := x + 2; sum := sum * 2; }
        assert x < 5 * n; }",
    );
}

#[test]
fn loops_that_fill_arrays() {
    let filled = |assertion: &str| {
        format!(
            "procedure p() {{ var i: int; var a: [int] int; i := 0;
            while (i < 1000000) {{ a[i] := 42; i := i + 1; }}
            assert {assertion}; }}"
        )
    };
    reaches(&filled("a[0 - 1] == 42 || a[1000000] == 42"));
    never_fails(&filled("a[0] == 42 && a[999999] == 42"));
    // The cell behind the last one is what a condition over all cells is about.
    reaches(&filled("(forall k: int :: 0 <= k && k < 1000001 ==> a[k] == 42)"));
    never_fails(&filled("(forall k: int :: 0 <= k && k < 1000000 ==> a[k] == 42)"));
    let counted = |end: &str| {
        format!(
            "procedure p(k: int) {{ var i: int; var a: [int] int; a[k] := 23; i := 0;
            while (i < 1000000) {{ a[k] := a[k] + 1; i := i + 1; }}
            assert a[k] == {end}; }}"
        )
    };
    reaches(&counted("1000000"));
    never_fails(&counted("1000023"));
    // The loop has to go beyond the cell, which the input decides, and what it writes there is arbitrary.
    let beyond = "procedure p(n: int) { var i, x: int; var a: [int] int; a[123456] := 42; i := 0;
        while (i < n) { havoc x; a[i] := x; i := i + 1; }
        assert a[123456] == 42; }";
    reaches(beyond);
    never_fails(&beyond.replace("havoc x; a[i] := x;", "havoc x; a[i] := 42;"));
}
