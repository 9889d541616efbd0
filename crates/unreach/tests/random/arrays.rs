//! Small random programs that fill, change and look through arrays in loops.
//!
//! The number of iterations is chosen from the range of choices; cells that nobody has written are zero at the beginning only for
//! the enumeration, so a program that reads them must not be proven either way.

use super::odometer::CHOICES;
use base::Random;
use std::fmt::Write;

/// A random program with a number.
pub fn program(seed: u64) -> String {
    let mut numbers = Random::new(seed);
    let most = CHOICES - 1;
    let mut text = format!(
        "procedure main() {{\n  var a, b: [int]int;\n  var i, j, n, m: int;\n  havoc n;\n  assume 0 <= n && n <= {most};\n"
    );
    for part in 0..1 + numbers.number(3) {
        let array = if part == 0 { "a" } else { numbers.pick(&["a", "b"]) };
        fill(&mut numbers, array, &mut text);
    }
    check(&mut numbers, &mut text);
    text + "}\n"
}

/// A loop that writes to an array, upwards or downwards.
fn fill(numbers: &mut Random, array: &str, text: &mut String) {
    let bound = numbers.pick(&["n", "n", "n", "n + 1", "4"]);
    let value = match numbers.number(8) {
        0 | 1 => numbers.number(3).to_string(),
        2 => format!("i + {}", numbers.number(3)),
        3 => "2 * i".to_owned(),
        4 => "b[i]".to_owned(),
        5 => format!("{array}[i] + 1"),
        6 => format!("{array}[i] + i"),
        _ => "a[i]".to_owned(),
    };
    let offset = numbers.pick(&["", "", "", " + 1"]);
    let write = format!("{array}[i{offset}] := {value};");
    let write = match numbers.number(5) {
        0 => format!("if (i < {}) {{ {write} }}", numbers.number(4)),
        1 => format!("if (b[i] >= {}) {{ {write} }}", numbers.number(2)),
        _ => write,
    };
    // Writing to a string cannot fail.
    let _ = match numbers.number(4) {
        0 => writeln!(text, "  i := {bound} - 1;\n  while (i >= 0) {{ {write} i := i - 1; }}"),
        1 => writeln!(text, "  i := 0;\n  while (i < {bound}) {{ {write} i := i + 2; }}"),
        _ => writeln!(text, "  i := 0;\n  while (i < {bound}) {{ {write} i := i + 1; }}"),
    };
}

/// Something that is asserted about a cell, about all cells, or about the largest.
fn check(numbers: &mut Random, text: &mut String) {
    let array = numbers.pick(&["a", "a", "b"]);
    let relation = numbers.pick(&["==", ">=", "<="]);
    let expected = match numbers.number(5) {
        0 | 1 => numbers.number(3).to_string(),
        2 => format!("j + {}", numbers.number(3)),
        3 => "2 * j".to_owned(),
        _ => "b[j]".to_owned(),
    };
    let bound = numbers.pick(&["n", "n", "n", "n + 1", "4"]);
    let _ = match numbers.number(4) {
        0 => writeln!(
            text,
            "  havoc j;\n  assume 0 <= j && j < {CHOICES};\n  assert j < {bound} ==> {array}[j] {relation} {expected};"
        ),
        1 => writeln!(
            text,
            "  m := 0;\n  j := 0;\n  while (j < n) {{ if ({array}[j] > m) {{ m := {array}[j]; }} j := j + 1; }}\n  \
             j := 0;\n  while (j < {bound}) {{ assert {array}[j] <= m; j := j + 1; }}"
        ),
        _ => writeln!(
            text,
            "  j := 0;\n  while (j < {bound}) {{ assert {array}[j] {relation} {expected}; j := j + 1; }}"
        ),
    };
}
