//! Random programs with their inputs fixed: the checker's unrolling can fail exactly if the interpreter fails.
//!
//! Conditions that fix the inputs are assumed, so nothing is a constant for the gates: what is compared is the circuit, with
//! all the claims that a solver could show. `UNROLL_RANDOM` is how many programs are tried.
#![allow(clippy::disallowed_methods)]

mod prover;

use base::{Budget, Random, SourceMap};
use certify::check_unwinding;
use ir::claims::Paths;
use ir::interpreter::{Driver, Interpreter, Limits, Outcome, Reason, Value, default_value};
use program::Unwinding;

/// Declarations of all that expressions use. The inputs are `x`, `y`, `c` and `v`.
const BEFORE: &str = r#"
function {:bvbuiltin "bvadd"} add(a: bv4, b: bv4) returns (bv4);
function {:bvbuiltin "bvmul"} mul(a: bv4, b: bv4) returns (bv4);
function {:bvbuiltin "bvudiv"} udiv(a: bv4, b: bv4) returns (bv4);
function {:bvbuiltin "bvsrem"} srem(a: bv4, b: bv4) returns (bv4);
function {:bvbuiltin "bvsmod"} smod(a: bv4, b: bv4) returns (bv4);
function {:bvbuiltin "bvsdiv"} sdiv(a: bv4, b: bv4) returns (bv4);
function {:bvbuiltin "bvshl"} shl(a: bv4, b: bv4) returns (bv4);
function {:bvbuiltin "bvashr"} ashr(a: bv4, b: bv4) returns (bv4);
function {:bvbuiltin "bvxor"} xor(a: bv4, b: bv4) returns (bv4);
function {:bvbuiltin "bvslt"} slt(a: bv4, b: bv4) returns (bool);
function {:bvbuiltin "bvult"} ult(a: bv4, b: bv4) returns (bool);
function twice(a: int) returns (int) { a + a }
var g: int;
"#;

fn integer(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        let leaves = ["x", "y", "i", "j", "g", "0", "1", "2", "7", "m[i]", "m[1]", "n[y][x]"];
        return leaves[random.below(leaves.len())].to_owned();
    }
    let (a, b) = (integer(random, depth - 1), integer(random, depth - 1));
    match random.below(10) {
        0 | 1 => format!("({a} + {b})"),
        2 => format!("({a} - {b})"),
        3 => format!("({a} * {b})"),
        4 => format!("({a} div (({b}) * ({b}) + 1))"),
        5 => format!("({a} mod (0 - 3))"),
        6 => format!("({a} mod (({b}) * ({b}) + 1))"),
        7 => format!("(if {} then {a} else {b})", truth(random, depth - 1)),
        8 => format!("m[{a}]"),
        _ => format!("twice({a})"),
    }
}

fn vector(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return ["v", "w", "1bv4", "9bv4", "15bv4"][random.below(5)].to_owned();
    }
    let (a, b) = (vector(random, depth - 1), vector(random, depth - 1));
    match random.below(6) {
        0 => format!("({a}[4:2] ++ {b}[2:0])"),
        1 => format!("(if {} then {a} else {b})", truth(random, depth - 1)),
        _ => {
            let names = ["add", "mul", "udiv", "srem", "smod", "sdiv", "shl", "ashr", "xor"];
            format!("{}({a}, {b})", names[random.below(names.len())])
        }
    }
}

fn truth(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return ["c", "p", "x < y", "i == j", "m[0] > x", "ult(v, w)"][random.below(6)].to_owned();
    }
    let below = depth - 1;
    match random.below(7) {
        0 => format!("({} < {})", integer(random, below), integer(random, below)),
        1 => format!("({} == {})", integer(random, below), integer(random, below)),
        2 => format!("({} <= {})", integer(random, below), integer(random, below)),
        3 => format!("slt({}, {})", vector(random, below), vector(random, below)),
        4 => format!("({} != {})", vector(random, below), vector(random, below)),
        5 => format!("({} ==> {})", truth(random, below), truth(random, below)),
        _ => format!("!({} && {})", truth(random, below), truth(random, below)),
    }
}

fn statement(random: &mut Random, depth: u32, loops: &mut u32) -> String {
    match random.below(if depth > 0 { 13 } else { 8 }) {
        0 => format!("i := {};", integer(random, 2)),
        1 => format!("j, i := {}, {};", integer(random, 1), integer(random, 1)),
        2 => format!("w := {};", vector(random, 2)),
        3 => format!("p := {};", truth(random, 2)),
        4 => format!("m[{}] := {};", integer(random, 1), integer(random, 1)),
        5 => format!("n := n[{} := m];", integer(random, 1)),
        6 => format!("call i := f({}, {});", integer(random, 1), truth(random, 1)),
        7 => format!("assert {};", truth(random, 2)),
        8 => format!("assume {};", truth(random, 1)),
        9 | 10 => {
            let (then, otherwise) =
                (statement(random, depth - 1, loops), statement(random, depth - 1, loops));
            format!("if ({}) {{ {then} }} else {{ {otherwise} }}", truth(random, 1))
        }
        11 => {
            *loops += 1;
            let name = format!("k{loops}");
            let body = statement(random, depth - 1, loops);
            format!("{name} := 0; while ({name} < x && {name} < 3) {{ {name} := {name} + 1; {body} }}")
        }
        _ => {
            let first = statement(random, depth - 1, loops);
            first + " " + &statement(random, depth - 1, loops)
        }
    }
}

/// A program whose first statement is for the condition that fixes the inputs.
fn program(seed: u64) -> [String; 2] {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    let mut loops = 0;
    let body: Vec<String> = (0..4 + random.below(5)).map(|_| statement(&mut random, 2, &mut loops)).collect();
    let last = truth(&mut random, 2);
    let counters: String = (1..=loops).map(|number| format!(", k{number}")).collect();
    let callee = "procedure f(a: int, q: bool) returns (r: int) modifies g; {
           g := g + a; if (q && a > 0) { call r := f(a - 2, g mod 2 == 0); r := r + old(g); } else { r := a; } }";
    let before = format!(
        "{BEFORE}{callee}
         procedure ULTIMATE.start() modifies g; {{ var x, y, i, j{counters}: int; var c, p: bool; var v, w: bv4;
           var m: [int]int; var n: [int][int]int;
           havoc x, y, c, v;"
    );
    let after = format!(
        "m := (lambda k: int :: 0); n := (lambda k: int :: m); i := 0; j := 1; g := 2; p := false; w := 3bv4; m[0] := 5; m[1] := x; m[2] := y; n[0] := m; n[1] := m[1 := 9];
         {}
         assert {last}; }}",
        body.join("\n")
    );
    [before, after]
}

fn compiled(text: &str) -> ir::Program {
    let mut sources = SourceMap::new();
    let file = sources.add("random.bpl".to_owned(), text.to_owned());
    boogie::compile(file, text).unwrap_or_else(|_| panic!("mistakes in {text}")).program
}

/// The inputs.
#[derive(Clone, Copy, Debug)]
struct Inputs {
    x: i64,
    y: i64,
    c: bool,
    v: u32,
}

impl Driver for Inputs {
    fn choose(&mut self, program: &ir::Program, variable: ir::Variable, _: Reason) -> Option<Value> {
        let data = &program.variables[variable];
        Some(match data.name.as_str() {
            "x" => Value::int(self.x),
            "y" => Value::int(self.y),
            "c" => Value::Bool(self.c),
            "v" => Value::bits(4, &self.v.into()),
            _ => default_value(program, variable),
        })
    }

    fn goto(&mut self, _: &ir::Program, _: ir::Procedure, _: ir::Block) -> Option<usize> {
        Some(0)
    }
}

#[test]
fn the_unrolling_fails_exactly_where_the_interpreter_does() {
    let count = std::env::var("UNROLL_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(15);
    let (mut failing, mut proven, mut open) = (0, 0, 0);
    for seed in 0..count {
        let [before, after] = program(seed);
        let mut random = Random::new(seed);
        for _ in 0..6 {
            let (x, y) = (random.below(5) as i64 - 1, random.below(4) as i64 - 1);
            let inputs = Inputs { x, y, c: random.once_in(2), v: random.below(16) as u32 };
            let fixed = format!("assume x == {x} && y == {y} && c == {} && v == {}bv4;", inputs.c, inputs.v);
            let program = compiled(&format!("{before} {fixed} {after}"));
            let entry = program.entries()[0];
            let mut interpreter = Interpreter::new(&program, Budget::unlimited());
            let outcome = interpreter.run(entry, &[], &mut inputs.clone(), Limits::default());
            let fails = match outcome {
                Ok(Outcome::Failed(_)) => true,
                Ok(Outcome::Finished | Outcome::Blocked(_)) => false,
                other => panic!("{other:?} in {before} {fixed} {after}"),
            };
            for paths in [Paths::Merged, Paths::Apart] {
                let found = prover::prove(&program, entry, &[], paths);
                match (fails, found) {
                    (true, None) => failing += 1,
                    (true, Some(_)) => {
                        panic!("it fails for {inputs:?}, and is proven: {before} {fixed} {after}")
                    }
                    (false, Some(entry)) => {
                        proven += 1;
                        let unwinding = Unwinding { entries: vec![entry] };
                        assert!(check_unwinding(&program, &unwinding, &Budget::unlimited()).is_ok());
                    }
                    // It is too long for the limits of this test.
                    (false, None) => open += 1,
                }
            }
        }
    }
    assert!(failing > count && proven > count && open < proven, "{failing} {proven} {open}");
}

/// All inputs of a small range.
fn all_inputs() -> impl Iterator<Item = Inputs> {
    let numbers = (-1..4).flat_map(|x| (-1..3).map(move |y| (x, y)));
    let conditions = [false, true].into_iter().flat_map(|c| [0, 1, 7, 8, 15].map(|v| (c, v)));
    let conditions: Vec<(bool, u32)> = conditions.collect();
    numbers.flat_map(move |(x, y)| conditions.clone().into_iter().map(move |(c, v)| Inputs { x, y, c, v }))
}

#[test]
fn paths_kept_apart_fail_exactly_if_some_input_fails() {
    let count = std::env::var("UNROLL_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let range = "assume -1 <= x && x < 4 && -1 <= y && y < 3;
        assume v == 0bv4 || v == 1bv4 || v == 7bv4 || v == 8bv4 || v == 15bv4;";
    let (mut failing, mut proven, mut open) = (0, 0, 0);
    for seed in 1_000..1_000 + count {
        let [before, after] = program(seed);
        let text = format!("{before} {range} {after}");
        let program = compiled(&text);
        let entry = program.entries()[0];
        let failure = all_inputs().find(|inputs| {
            let mut interpreter = Interpreter::new(&program, Budget::unlimited());
            let outcome = interpreter.run(entry, &[], &mut inputs.clone(), Limits::default());
            matches!(outcome, Ok(Outcome::Failed(_)))
        });
        match (failure, prover::prove(&program, entry, &[], Paths::Apart)) {
            (Some(_), None) => failing += 1,
            (Some(inputs), Some(_)) => panic!("it fails for {inputs:?}, and is proven: {text}"),
            (None, Some(entry)) => {
                proven += 1;
                let unwinding = Unwinding { entries: vec![entry] };
                assert!(check_unwinding(&program, &unwinding, &Budget::unlimited()).is_ok());
            }
            (None, None) => open += 1,
        }
    }
    assert!(failing > count / 4 && proven > 0, "{failing} {proven} {open}");
}
