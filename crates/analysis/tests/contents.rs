//! What is written to arrays, and what would follow, on small programs.

use analysis::Precision;
use analysis::contents::{Bounds, Contents, contents};
use base::{Budget, SourceMap};
use expect_test::{Expect, expect};
use logic::Terms;
use program::Program;

fn check(text: &str, expected: Expect) {
    let mut sources = SourceMap::new();
    let file = sources.add("program.bpl".to_owned(), text.to_owned());
    let source = boogie::compile(file, text).unwrap_or_else(|failure| panic!("{failure:?}\n{text}")).program;
    let mut terms = Terms::new();
    let program = program::build(&source, &mut terms).expect("logic can express the program");
    let found =
        contents(&program, &mut terms, Precision::Relations, &Budget::unlimited()).expect("unlimited");
    let Some(Contents { written, begun, added, .. }) = found else {
        expected.assert_eq("nothing\n");
        return;
    };
    let lists = [("written", written), ("begun", begun), ("added", added)];
    let lines = lists.map(|(name, bounds)| format!("{name}: {}\n", said(&program, &bounds, &terms)));
    expected.assert_eq(&lines.concat());
}

fn said(program: &Program, bounds: &Bounds, terms: &Terms) -> String {
    let bound =
        |bound: &Option<logic::Rational>| bound.as_ref().map_or("any".to_owned(), ToString::to_string);
    let said = bounds.iter().map(|(&var, bounds)| {
        let name = &terms.symbol_data(program.variables[var].symbol).name;
        format!("{name} {} to {}", bound(&bounds.low), bound(&bounds.high))
    });
    said.collect::<Vec<_>>().join(", ")
}

#[test]
fn an_array_that_is_filled_and_one_that_is_computed_from_it() {
    check(
        "procedure p(n: int, x: int) {
  var a, b: [int]int; var i, sum: int;
  i := 0; sum := 0;
  assume 3 <= x && x <= 8;
  while (i < n) { a[i] := x; i := i + 1; }
  i := 0;
  while (i < n) { b[i] := 2 * a[i] + 1; sum := sum + a[i]; i := i + 1; }
}",
        expect![[r#"
            written: a 3 to 8, b 7 to 17
            begun: 
            added: i 1 to 1, sum 3 to 8
        "#]],
    );
}

#[test]
fn cells_that_are_moved_are_no_new_values() {
    check(
        "procedure p(n: int, x: int) {
  var a: [int]int; var i, j, t: int;
  i := 0;
  while (i < n) { a[i] := 7; i := i + 1; }
  while (*) { havoc i, j; t := a[i]; a[i] := a[j]; a[j] := t; }
}",
        expect![[r#"
            written: a 7 to 7
            begun: 
            added: i 1 to 1
        "#]],
    );
}

#[test]
fn cells_that_are_added_to_have_a_beginning() {
    check(
        "procedure p(n: int, x: int) {
  var a: [int]int; var i, j: int;
  i := 0;
  while (i < 16) { a[i] := 0; i := i + 1; }
  assume 1 <= x && x <= 4;
  while (*) { havoc j; a[j] := a[j] + x; }
}",
        expect![[r#"
            written: 
            begun: a 0 to 0
            added: a 1 to 4, i 1 to 1
        "#]],
    );
}

#[test]
fn inputs_have_no_bounds() {
    check(
        "procedure p(n: int) {
  var a: [int]int; var i, x: int;
  i := 0;
  while (i < n) { havoc x; a[i] := x; i := i + 1; }
}",
        expect![[r#"
            nothing
        "#]],
    );
}
