//! Sums over loops in loops: how often the innermost round is made is a product. Each unsafe program has a safe one beside it that differs in one number.

use crate::straight::{never_fails, reaches};

/// Six million rounds, where numbers end the loops.
const BY_NUMBERS: &str = "procedure p() { var i, j, x: int; x := 0; i := 0;
    while (i < 3000) {
        j := 0;
        while (j < 4000) { j := j + 2; x := x + 1; }
        i := i + 1; }
    assert x < 6000000; }";

/// A million rounds, where an input ends the loops.
const BY_AN_INPUT: &str = "procedure p(n: int) { var i, j, x: int; x := 0; i := 0;
    while (i < n) {
        j := 0;
        while (j < n) { j := j + 1; x := x + 1; }
        i := i + 1; }
    assert x < 1000000; }";

#[test]
fn numbers_end_two_loops() {
    reaches(BY_NUMBERS);
    never_fails(&BY_NUMBERS.replace("x < 6000000", "x <= 6000000"));
}

#[test]
fn an_input_ends_two_loops() {
    reaches(BY_AN_INPUT);
    never_fails(&BY_AN_INPUT.replace("x < 1000000", "x >= 0"));
}
