//! Random programs: their text reads back as themselves, and means the same.
//!
//! The programs are written as text, with all kinds of statements; whatever the random numbers say, they are
//! well typed. Each is run with random choices before and after a round trip through the text form.

mod support;

use base::Budget;
use ir::interpreter::{Driver, Interpreter, Limits, Outcome, Reason, Value};
use ir::{Block, Procedure, Program, Transfer, Type, Variable};
use proptest::prelude::*;

/// Numbers that decide what is written.
struct Numbers<'a> {
    rest: &'a [u8],
}

impl Numbers<'_> {
    fn below(&mut self, limit: u8) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                first % limit
            }
            None => 0,
        }
    }

    fn int(&mut self, depth: u8) -> String {
        match if depth == 0 { self.below(4) } else { self.below(11) } {
            0 => ["x", "y", "g", "a"][usize::from(self.below(4))].to_owned(),
            1 => format!("{}", i32::from(self.below(20)) - 10),
            2 => format!("m[{}]", ["x", "0", "g"][usize::from(self.below(3))]),
            3 => "c".to_owned(),
            4 => format!("{} + {}", self.int(depth - 1), self.factor(depth - 1)),
            5 => format!("({}) - ({})", self.int(depth - 1), self.int(depth - 1)),
            6 => format!("({}) * ({})", self.int(depth - 1), self.int(depth - 1)),
            7 => format!("({}) div ({})", self.int(depth - 1), self.int(depth - 1)),
            8 => format!("({}) mod ({})", self.int(depth - 1), self.int(depth - 1)),
            9 => format!(
                "(if {} then {} else {})",
                self.bool(depth - 1),
                self.int(depth - 1),
                self.int(depth - 1)
            ),
            _ => format!("f({}, {})", self.int(depth - 1), self.bool(depth - 1)),
        }
    }

    fn factor(&mut self, depth: u8) -> String {
        format!("({})", self.int(depth))
    }

    fn bool(&mut self, depth: u8) -> String {
        match if depth == 0 { self.below(3) } else { self.below(10) } {
            0 => "b".to_owned(),
            1 => ["true", "false"][usize::from(self.below(2))].to_owned(),
            2 => format!("{} < {}", self.int(0), self.int(0)),
            3 => format!("({}) == ({})", self.int(depth - 1), self.int(depth - 1)),
            4 => format!("!({})", self.bool(depth - 1)),
            5 => format!("({}) && ({})", self.bool(depth - 1), self.bool(depth - 1)),
            6 => format!("({}) || ({})", self.bool(depth - 1), self.bool(depth - 1)),
            7 => format!("({}) ==> ({})", self.bool(depth - 1), self.bool(depth - 1)),
            8 => format!("(({}) <==> (m == m[x := {}]))", self.bool(depth - 1), self.int(depth - 1)),
            _ => {
                let (low, high) = (self.int(0), self.int(0));
                format!("(forall x: int :: {low} <= x && x < {high} && x < 20 && x > -20 ==> m[x] != 3)")
            }
        }
    }

    fn statements(&mut self, depth: u8, out: &mut String) {
        for _ in 0..=self.below(4) {
            let statement = match if depth == 0 { self.below(8) } else { self.below(13) } {
                0 => format!("x := {};", self.int(2)),
                1 => format!("y, m[{}] := {}, {};", self.int(1), self.int(1), self.int(1)),
                2 => "havoc g, y;".to_owned(),
                3 => format!("assume {};", self.bool(1)),
                4 => format!("assert {{:k {}}} {};", self.below(9), self.bool(2)),
                5 => format!("call x, b := q({});", self.int(1)),
                6 => "call g := r(y);".to_owned(),
                7 => format!("m := m[x := {}];", self.int(1)),
                8 | 9 => {
                    let (mut then, mut otherwise) = (String::new(), String::new());
                    self.statements(depth - 1, &mut then);
                    self.statements(depth - 1, &mut otherwise);
                    let condition = if self.below(3) == 0 { "*".to_owned() } else { self.bool(1) };
                    format!("if ({condition}) {{ {then} }} else {{ {otherwise} }}")
                }
                10 | 11 => {
                    let mut body = String::new();
                    self.statements(depth - 1, &mut body);
                    let condition = if self.below(2) == 0 { "*".to_owned() } else { self.bool(1) };
                    let invariant = if self.below(3) == 0 { "invariant m == m;" } else { "" };
                    let leave = ["", "break;", "if (*) { break; }"][usize::from(self.below(3))];
                    format!("while ({condition}) {invariant} {{ {body} {leave} }}")
                }
                _ => "if (*) { return; }".to_owned(),
            };
            out.push_str(&statement);
            out.push('\n');
        }
    }

    fn program(&mut self) -> String {
        let (mut p, mut q) = (String::new(), String::new());
        self.statements(3, &mut p);
        self.statements(1, &mut q);
        let (requires, ensures, where_clause) = (self.bool(1), self.bool(1), self.below(5));
        format!(
            "const c: int; axiom c > -100;\n\
             function f(n: int, b: bool) returns (int) {{ if b then n else c }}\n\
             var g: int where g > -{where_clause}; var m: [int]int;\n\
             procedure p(a: int) returns (x: int) modifies g, m; {{ var y: int; var b: bool; {p} }}\n\
             procedure q(a: int) returns (x: int, b: bool) modifies g, m; {{ var y: int; {q} }}\n\
             procedure r(a: int) returns (y: int where y != 4);\n\
             modifies g; requires a < 100; free ensures y > old(g) || a > y;\n\
             procedure s(x: int, b: bool, y: int, a: int)\n\
             requires {requires}; ensures {ensures}; {{ }}\n"
        )
    }
}

/// A reproducible sequence of choices.
struct Choices(u64);

impl Choices {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

impl Driver for Choices {
    fn choose(&mut self, program: &Program, variable: Variable, _reason: Reason) -> Option<Value> {
        let number = self.next();
        Some(match program.variables[variable].ty {
            Type::INT => Value::from((number % 21) as i64 - 10),
            Type::BOOL => Value::Bool(number.is_multiple_of(2)),
            ty => Value::default_of(program, ty),
        })
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        let body = program.procedures[procedure].body.as_ref()?;
        match &body.blocks[block].transfer {
            Transfer::Goto(targets) => Some(self.next() as usize % targets.len()),
            _ => None,
        }
    }
}

/// How a run ends, and with which globals. Ids differ between the two programs, so outcomes are compared as text.
fn run(program: &Program, name: &str, seed: u64) -> (String, Vec<String>, u64) {
    let procedure = program.procedure(name).expect("it is declared");
    let mut interpreter = Interpreter::new(program, Budget::unlimited());
    let limits = Limits { steps: 300, call_depth: 20, operations: 100_000 };
    let outcome =
        interpreter.run(procedure, &[], &mut Choices(seed + 1), limits).expect("nothing trips the budget");
    let outcome = match outcome {
        Outcome::Failed(failure) => format!("{failure:?}"),
        Outcome::CannotEvaluate(expr, obstacle) => format!("{} {obstacle}", program.show_expr(expr)),
        other => format!("{other:?}"),
    };
    let values = program.globals.iter().map(|&global| match interpreter.state().value(global) {
        Some(value) => value.to_string(),
        None => String::new(),
    });
    (outcome, values.collect(), interpreter.steps_taken())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn reading_back_changes_neither_text_nor_meaning(numbers in proptest::collection::vec(any::<u8>(), 0..400)) {
        let text = Numbers { rest: &numbers }.program();
        let program = support::compile(&text);
        support::check_program(&program);
        prop_assert_eq!(support::ast_text(&support::ast_text(&text)), support::ast_text(&text));
        // The tree with all parentheses means the same program too.
        prop_assert_eq!(support::compile(&support::ast_text(&text)).to_string(), program.to_string());
        let again = support::compile(&program.to_string());
        for seed in 0..5 {
            for name in ["p", "q", "s"] {
                prop_assert_eq!(run(&program, name, seed), run(&again, name, seed), "{}", name);
            }
        }
    }
}

#[test]
fn the_random_programs_do_something() {
    // Deterministic numbers; the law above would be empty if all programs were blocked at once.
    let mut choices = Choices(42);
    let mut outcomes = std::collections::BTreeMap::new();
    for _ in 0..200 {
        let numbers: Vec<u8> = (0..300).map(|_| choices.next() as u8).collect();
        let program = support::compile(&Numbers { rest: &numbers }.program());
        for seed in 0..5 {
            let (outcome, _, _) = run(&program, "p", seed);
            let kind = outcome.split([' ', '(']).next().unwrap_or("").to_owned();
            *outcomes.entry(kind).or_insert(0) += 1;
        }
    }
    for kind in ["Finished", "Failure", "Blocked"] {
        assert!(outcomes.get(kind).is_some_and(|&count| count > 30), "{kind}: {outcomes:?}");
    }
}
