//! Safe programs that violate one condition of the theorems each. None may be called unsafe.

use crate::support::Task;

#[track_caller]
fn never_unsafe(program: &str) {
    if let Ok(leaps) = Task::new(program).leap() {
        panic!("a safe program was called unsafe: {:#?}\n{program}", leaps.chain);
    }
}

#[test]
fn condition_1_an_infinite_abstract_state() {
    // The paper's example in Section 3.1: with y ≠ 0 nothing ever changes.
    never_unsafe(
        "procedure p(x0: int, y: int) { var x: int; x := x0; assume x >= 0 && y > 0;
        while (true) { if (y == 0) { x := x - 1; } assert !(x < 0); } }",
    );
    // Down from zero one never meets the bound above.
    never_unsafe(
        "procedure p(n: int) { var x: int; assume n > 0; x := 0; while (x < n) { x := x - 1; } assert false; }",
    );
    // Two counters run away together.
    never_unsafe(
        "procedure p(n: int) { var x, y: int; assume n > 0; x := 0; y := n;
        while (x < y) { x := x + 1; y := y + 1; } assert false; }",
    );
    // Always closer, never there.
    never_unsafe("procedure p() { var r: real; r := 1.0; while (r > 0.0) { r := r / 2.0; } assert false; }");
}

#[test]
fn condition_2_an_unreachable_cycle_and_a_reachable_one() {
    // The only way on is a cycle.
    never_unsafe(
        "procedure p(n: int) { var x: int; assume n >= 10; x := 0;
        while (x < n) { if (x == 5) { x := 3; } else { x := x + 1; } } assert false; }",
    );
    // Every round undoes the one before.
    never_unsafe(
        "procedure p(n: int) { var x, t: int; assume n >= 10; x := 0; t := 1;
        while (x < n) { x := x + t; t := 0 - t; } assert false; }",
    );
    // The states that lead out lie on no path from the entry.
    never_unsafe(
        "procedure p(n: int) { var x: int; assume n >= 10; assume n mod 2 == 1; x := 0;
        while (x != n) { x := x + 2; if (x > 2 * n) { x := 0; } } assert false; }",
    );
}

#[test]
fn condition_2_nondeterminism_inside() {
    // Whatever is chosen, x stays where it is.
    never_unsafe(
        "procedure p(n: int) { var x: int; assume n >= 10; x := 0;
        while (x < n) { if (*) { x := x + 1; x := x - 1; } else { x := 0 - x; } } assert false; }",
    );
    // The choice is made once, and neither is good.
    never_unsafe(
        "procedure p(n: int) { var x, d: int; assume n >= 10; x := 0; havoc d; assume 0 - 1 <= d && d <= 0;
        while (x < n) { x := x + d; } assert false; }",
    );
}

#[test]
fn condition_3_a_missing_predecessor_or_successor() {
    // Odd numbers are never reached.
    never_unsafe(
        "procedure p(n: int) { var x: int; assume n >= 10; x := 0;
        while (x < n) { x := x + 2; } assert x mod 2 == 0; }",
    );
    // The loop gets stuck before its end.
    never_unsafe(
        "procedure p(n: int) { var x: int; assume n >= 10; x := 0;
        while (x < n) { x := x + 1; assume x != 7; } assert false; }",
    );
    // The guard is false before the error's condition can hold.
    never_unsafe(
        "procedure p(n: int) { var x: int; assume n >= 10; x := 0;
        while (x < n) { x := x + 3; } assert x <= n + 2; }",
    );
}

#[test]
fn theorem_3_ports_that_do_not_glue() {
    never_unsafe(
        "procedure p(n: int) { var x: int; assume n >= 10; x := 0;
        while (x < n) { x := x + 1; } while (x < 2 * n) { x := x + 2; } while (x < 3 * n) { x := x + 3; }
        assert 3 * n <= x && x <= 3 * n + 2; }",
    );
    // The second loop goes down from where the first one ends and never meets its own end.
    never_unsafe(
        "procedure p(n: int) { var x: int; assume n >= 10; x := 0;
        while (x < n) { x := x + 1; } while (x < 2 * n) { x := x - 1; } assert false; }",
    );
    never_unsafe(
        "procedure p(k: int) { var x, n: int; assume k >= 500000; n := 2 * k; x := 0;
        while (x < n) { x := x + 2; } assert x == n; }",
    );
}

#[test]
fn axioms_and_constants_count() {
    never_unsafe(
        "const c: int; axiom c < 0;
        procedure p() { var x: int; x := 0; while (x < 1000000) { x := x + 1; } assert c < 0; }",
    );
    never_unsafe(
        "const c: int; axiom c > 5 && c < 6;
        procedure p() { var x: int; x := 0; while (x < 1000000) { x := x + 1; } assert false; }",
    );
}

#[test]
fn nested_loops_that_end_elsewhere() {
    never_unsafe(
        "procedure p(n: int) { var x, y: int; assume n >= 10; x := 0; y := n;
        while (x < n) { x := x + 1; y := 0; while (y < n) { y := y + 1; } } assert y == n; }",
    );
    never_unsafe(
        "procedure p(n: int) { var x, y: int; assume n >= 10; x := 0;
        while (x < n) { y := 0; while (y < n) { y := y + 1; x := x - 1; } x := x + 1; } assert false; }",
    );
}
