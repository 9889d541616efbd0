//! A counterexample of the translation, as a C test, leads the compiled program into its error.

#![allow(clippy::disallowed_methods, reason = "tests run a compiler")]

use base::{Budget, SourceMap};
use c::{BackMap, DataModel, NoIncludes, Options, Property, SignedOverflow};
use ir::interpreter::{Driver, Event, Interpreter, Limits, Outcome, Reason, State, Value};
use num_bigint::BigInt;
use std::path::Path;
use std::process::Command;

/// Draws inputs from small numbers and edges, and notes them.
struct Dice<'a> {
    seed: u64,
    back: &'a BackMap,
    drawn: Vec<(ir::Variable, BigInt)>,
}

impl Driver for Dice<'_> {
    fn choose(&mut self, program: &ir::Program, variable: ir::Variable, reason: Reason) -> Option<Value> {
        if reason != Reason::Havoc || !self.back.inputs.iter().any(|input| input.variable == variable) {
            return Some(ir::interpreter::default_value(program, variable));
        }
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let value = BigInt::from((self.seed >> 40) % 7);
        self.drawn.push((variable, value.clone()));
        Some(Value::int(value))
    }

    fn goto(&mut self, _: &ir::Program, _: ir::Procedure, _: ir::Block) -> Option<usize> {
        Some(0)
    }

    fn observe(&mut self, _: &State<'_>, event: Event<'_>) -> bool {
        !matches!(event, Event::Executed(_, s) if ir::Mark::Overapproximation.is_in(&s.attributes))
    }
}

const PROGRAMS: &[(&str, &str)] = &[
    (
        "sum",
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
         int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += __VERIFIER_nondet_int() * (i + 1);\n\
         if (s == 31) reach_error(); return 0; }",
    ),
    (
        "two_kinds",
        "extern unsigned char __VERIFIER_nondet_uchar(void); extern long __VERIFIER_nondet_long(void);\n\
         extern void __VERIFIER_error(void); extern void __VERIFIER_assume(int);\n\
         int main(void) { long a = __VERIFIER_nondet_long(); unsigned char b = __VERIFIER_nondet_uchar();\n\
         __VERIFIER_assume(a > b); if (__VERIFIER_nondet_long() * b == a + 3 && b > 1) __VERIFIER_error(); return 0; }",
    ),
    (
        "list",
        "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);\n\
         extern void reach_error(void);\n\
         struct node { int data; struct node *next; };\n\
         int main(void) { struct node *l = 0; int n = __VERIFIER_nondet_int();\n\
         for (int i = 0; i < n; i++) { struct node *m = malloc(sizeof *m); m->data = __VERIFIER_nondet_int();\n\
         m->next = l; l = m; }\n\
         int previous = -1, falls = 0; for (; l; l = l->next) { if (l->data < previous) falls++; previous = l->data; }\n\
         if (n == 4 && falls == 2) reach_error(); return 0; }",
    ),
];

#[test]
fn the_compiled_program_reaches_the_error() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harness");
    std::fs::create_dir_all(&directory).expect("the target directory is writable");
    for (name, text) in PROGRAMS {
        let mut sources = SourceMap::new();
        let file = sources.add(*name, *text);
        let options = Options {
            data_model: DataModel::Lp64,
            property: Property::UnreachCall,
            signed_overflow: SignedOverflow::Ends,
            ..Options::default()
        };
        let (program, back) =
            c::translate(&mut sources, file, options, &NoIncludes).expect("a supported program");
        let start = program.procedure("ULTIMATE.start").expect("a start");
        let failing = (0..20_000).find_map(|seed| {
            let mut dice = Dice { seed, back: &back, drawn: Vec::new() };
            let mut interpreter = Interpreter::new(&program, Budget::unlimited());
            let outcome = interpreter.run(start, &[], &mut dice, Limits::default()).expect("no limit");
            matches!(outcome, Outcome::Failed(_)).then_some(dice.drawn)
        });
        let inputs = failing.unwrap_or_else(|| panic!("{name}: no inputs lead to the error"));
        let (test, binary) = (directory.join(format!("{name}_test.c")), directory.join(name));
        let harness = c::harness(&back, &sources, c::Failing { inputs: &inputs, at: None }, "")
            .expect("every site can be told in C");
        std::fs::write(&test, harness).expect("writable");
        let compiled = Command::new("gcc").arg("-w").arg("-o").args([&binary, &test]).output();
        let compiled = compiled.expect("gcc is installed");
        assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
        let run = Command::new("timeout").arg("10").arg(&binary).output().expect("the test runs");
        assert_eq!(String::from_utf8_lossy(&run.stdout), "error reached\n", "{name}: {inputs:?}");
        assert_eq!(run.status.code(), Some(1));
    }
}
