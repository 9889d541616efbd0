//! What the analysis finds out, on small programs: facts at the marked places.

use analysis::{Precision, analyse};
use base::{Budget, SourceMap};
use expect_test::{Expect, expect};
use logic::Terms;

/// The facts at every statement whose line has the comment `//?`.
fn check(text: &str, expected: Expect) {
    check_with(Precision::Relations, text, expected);
}

fn check_with(precision: Precision, text: &str, expected: Expect) {
    let mut sources = SourceMap::new();
    let file = sources.add("program.bpl".to_owned(), text.to_owned());
    let source = boogie::compile(file, text).unwrap_or_else(|failure| panic!("{failure:?}\n{text}")).program;
    let mut terms = Terms::new();
    let program = program::build(&source, &mut terms).expect("logic can express the program");
    let facts = analyse(&program, &mut terms, precision, &Budget::unlimited()).expect("unlimited");
    let mut lines: Vec<String> = Vec::new();
    for (location, data) in program.locations.iter().filter(|(_, data)| data.error.is_none()) {
        let at = sources.line_column(data.span).line as usize;
        let line = text.lines().nth(at - 1).unwrap_or_default();
        if !line.contains("//?") {
            continue;
        }
        let mut all: Vec<String> = facts
            .conjuncts(location, &mut terms)
            .into_iter()
            .map(|formula| logic::print::infix(&terms, formula))
            .collect();
        all.sort();
        lines.push(format!("{at}: {}", all.join(", ")));
    }
    lines.sort();
    lines.dedup();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn counters_keep_their_bounds_and_relations() {
    check(
        "procedure p(n: int) requires n >= 0; {
  var i, s: int;
  i := 0; s := 0;
  while (i < n) {
    i := i + 1; //?
    s := s + 2;
  }
  assert s == 2 * n; //?
}",
        expect![[r#"
            5: 2 * i == s, i <= s, i >= 0, n > 0, n > i, s >= 0, s mod 2 == 0
            8: 2 * n == s, n <= s, n >= 0, s >= 0, s mod 2 == 0
        "#]],
    );
}

#[test]
fn strides_and_machine_integers() {
    check(
        "procedure p() {
  var x: int;
  x := 0;
  while (x < 100) { x := (x + 4) mod 4294967296; } 
  assert x == 100; //?
}",
        expect![[r#"
            5: x == 100
        "#]],
    );
}

#[test]
fn recursion_is_summarised() {
    check(
        "procedure up(n: int) returns (r: int) {
  r := n;
  if (n < 10) { call r := up(n + 1); }
  r := r; //?
}
procedure ULTIMATE.start() {
  var x, y: int;
  assume 3 <= x;
  call y := up(x);
  assert y >= x; //?
}",
        expect![[r#"
            10: x <= y, x >= 3, y >= 10
            4: n <= r, n >= 3, r >= 10
        "#]],
    );
}

#[test]
fn cells_at_known_places_are_variables() {
    check(
        "var count, limit: [int]int;
procedure p(n: int) modifies count, limit; {
  var a, t: int;
  a := 1;
  count := count[a := 0]; limit := limit[1 := n];
  count := count[2 := 7];
  while (*) {
    t := count[a];
    if (t < limit[a]) { count := count[a := t + 1]; }
    count := count[2 := 5]; //?
  }
  assert count[1] >= 0; //?
  assert count[1] > 5;
}",
        expect![[r#"
            10: a == 1, count[1] >= 0, count[2] <= 7, count[2] >= 5, count[2] mod 2 == 1
            12: count[1] >= 0, count[2] <= 7, count[2] >= 5, count[2] mod 2 == 1
        "#]],
    );
}

/// Two variables with one name have cells of their own.
#[test]
fn cells_of_variables_with_one_name_are_different() {
    check(
        "procedure p(n: int) {
  var a: [int]int;
  a := a[0 := 1];
  while (*) { a := a[0 := 1]; }
  assert a[0] == n; //?
}
procedure q(n: int) {
  var a: [int]int;
  a := a[0 := 2];
  while (*) { a := a[0 := 2]; }
  assert a[0] == n; //?
}
procedure ULTIMATE.start(n: int) { call p(n); call q(n); }",
        expect![[r#"
            11: a!0[0] == 2
            5: a[0] == 1
        "#]],
    );
}

#[test]
fn temporary_variables_are_what_they_are_made_of() {
    check(
        "procedure p(n: int) {
  var x, y, z, a, b, c, d, e, f, g, h, i, j: int;
  y := n; z := y;
  while (*) {
    a := y - 1; b := a - 1; c := b - 1; d := c - 1; e := d - 1; f := e - 1; g := f - 1; h := g - 1; i := h - 1; j := i - 1;
    assume j > 0; //?
    y := j;
  }
  assert y <= z; //?
  assert y > 5;
}",
        expect![[r#"
            6: j <= z - 10
            9: y <= z
        "#]],
    );
}

/// The results of operations are needed for a moment only, so all of them together take the place of one variable.
#[test]
fn short_lived_variables_leave_room_for_others() {
    let step = |number: usize| {
        let up =
            format!("t{number} := sent + 1; sent := t{number}; u{number} := open + 1; open := u{number};");
        let down =
            format!("v{number} := done + 1; done := v{number}; w{number} := open - 1; open := w{number};");
        format!("if (in == {number}) {{ {up} }} else {{ if (open > 0) {{ {down} }} }}\n")
    };
    let steps: String = (0..12).map(step).collect();
    let names: Vec<String> = (0..12).map(|n| format!("t{n}, u{n}, v{n}, w{n}: int")).collect();
    let text = format!(
        "procedure p() {{\nvar sent, open, done, in: int;\nvar {};\nsent := 0; open := 0; done := 0;\n\
         while (*) {{\nhavoc in;\n{steps}}}\nassert open >= 0 && sent == done + open; //?\n}}",
        names.join(";\nvar ")
    );
    check(
        &text,
        expect![[r#"
        31: done >= 0, open >= 0, sent == open + done, sent >= 0, sent >= done, sent >= open
    "#]],
    );
}

/// A procedure that is called twice by one that is called twice is a loop in a loop, and the bound is found in the inner one.
#[test]
fn calls_in_calls_keep_bounds() {
    let procedure = |number: usize| {
        let next = number + 1;
        let calls = format!("call p{next}(); call p{next}();");
        format!("procedure p{number}() modifies g; {{ if (g < 1000) {{ g := g + 1; }} {calls} }}\n")
    };
    let procedures: String = (0..16).map(procedure).collect();
    let text = format!(
        "var g: int;\n{procedures}procedure p16() modifies g; {{ while (*) {{ if (g < 1000) {{ g := g + 1; }} }} }}\n\
         procedure ULTIMATE.start() modifies g; {{ g := 0; call p0();\nassert true; //?\n}}"
    );
    check(
        &text,
        expect![[r#"
        20: g <= 1000, g >= 16
    "#]],
    );
}

#[test]
fn polyhedra_relate_three_variables() {
    check_with(
        Precision::Polyhedra,
        "procedure p(n: int) requires n >= 0; {
  var i, k: int;
  i := 0;
  while (i < n) {
    havoc k;
    assume 0 <= k && k <= n - i;
    i := i + k; //?
  }
  assert i == n; //?
}",
        expect![[r#"
            7: i >= 0, k >= 0, n > 0, n > i, n >= i + k, n >= k
            9: i >= 0, n == i, n >= 0
        "#]],
    );
}

/// A Fibonacci step and a swap: assignments that read what others change.
#[test]
fn polyhedra_survive_assignments_at_once() {
    check_with(
        Precision::Polyhedra,
        "procedure p() {
  var a, b: int;
  a := 0; b := 1;
  while (*) {
    if (a < b) { a, b := b, a + b; } else { a, b := b, a; }
  }
  assert a <= b && b <= 2 * a + 1; //?
}",
        expect![[r#"
            7: a <= 1, a >= 0, b == 1
        "#]],
    );
}

#[test]
fn polyhedra_of_reals_grow_with_time() {
    check_with(
        Precision::Polyhedra,
        "procedure p() {
  var x, y, t, d: real;
  x := 0.0; y := 0.0; t := 0.0;
  while (*) {
    havoc d;
    assume d >= 0.0;
    t := t + d;
    if (*) { x := x + 2.0 * d; y := y + d; } else { x := x + d; y := y + 3.0 * d; }
  }
  assert x + y <= 4.0 * t; //?
}",
        expect![[r#"
            10: 3.0 * t >= y, 5.0 * t == 2.0 * x + y, t <= y, t >= 0.0, x >= 0.0, y >= 0.0
        "#]],
    );
}

#[test]
fn polyhedra_cross_calls_and_quotients() {
    check_with(
        Precision::Polyhedra,
        "procedure take(room: int) returns (k: int) {
  havoc k;
  if (k < 0) { k := 0; }
  if (k > room) { k := room; }
}
procedure p(n: int) requires n >= 0; {
  var i, k, s: int;
  i := 0; s := 0;
  while (i < n) {
    call k := take(n - i);
    i := i + k; s := s + 2 * k; //?
  }
  assert s <= 2 * n; //?
}
procedure filter() {
  var a, x: int;
  a := 0;
  while (*) {
    havoc x;
    assume 0 <= x && x <= 255;
    a := a + x - a div 16;
  }
  assert a <= 4095; //?
}",
        expect![[r#"
            11: 2 * i == 2 * k!0 + s, 2 * n >= 2 * k!0 + s, 2 * n >= s + 2, n >= 0, s mod 2 == 0
            11: 2 * i == s, 2 * n >= 2 * k!0 + s, 2 * n >= s + 2, n > i, n >= 0, s mod 2 == 0
            13: 2 * n == s, n >= 0, s >= 0, s mod 2 == 0
            23: a <= 4094, a >= 0
        "#]],
    );
}
