//! Executions travel back: what fails in the product fails in the program with its threads, run by the interpreter.

use crate::interleavings::{Truth, run};
use base::{Budget, EntityRef};
use ir::interpreter::{Driver, Interpreter, Limits, Outcome, Reason, State, Value};
use ir::{Block, Procedure, Program, Variable};
use threads::back::{Product, schedule};
use threads::{Beyond, Guards, Options, Order, sequential};

/// Decides by chance. The values are those that the enumeration of all interleavings takes too.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

impl Driver for Chance {
    fn choose(&mut self, program: &Program, variable: Variable, reason: Reason) -> Option<Value> {
        let default = Value::default_of(program, program.variables[variable].ty);
        match (&default, reason) {
            (Value::Int(_), Reason::Havoc) => Some(Value::int(self.below(2) as u64)),
            (Value::Bool(_), Reason::Havoc) => Some(Value::Bool(self.below(2) == 1)),
            _ => Some(default),
        }
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        let body = program.procedures[procedure].body.as_ref()?;
        Some(self.below(body.blocks[block].transfer.successors().count()))
    }

    fn schedule(&mut self, _: &State<'_>, threads: &[usize]) -> Option<usize> {
        Some(threads[self.below(threads.len())])
    }

    fn join(&mut self, threads: &[usize]) -> Option<usize> {
        Some(threads[self.below(threads.len())])
    }
}

const LIMITS: Limits = Limits { steps: 2_000, call_depth: 100, operations: 1_000_000 };

fn fails(program: &Program, chance: u64) -> bool {
    let entry = program.entries()[0];
    let outcome = Interpreter::new(program, Budget::unlimited()).run(entry, &[], &mut Chance(chance), LIMITS);
    matches!(outcome, Ok(Outcome::Failed(_)))
}

#[test]
fn executions_of_products_are_executions_of_programs() {
    carried_back(crate::generator::program, Expected { least: 40, lost: 0 });
}

#[test]
fn executions_of_products_with_recursion_are_executions_of_programs() {
    carried_back(crate::generator::recursive, Expected { least: 40, lost: 0 });
}

#[test]
fn races_and_deadlocks_of_products_are_those_of_programs() {
    // What a thread does after its last step, up to where it meets another or waits, is not in the schedule: a few cannot be
    // followed. For them the answer is unknown.
    carried_back(crate::generator::watched, Expected { least: 120, lost: 3 });
}

/// How many executions are carried back.
struct Expected {
    /// At least so many are.
    least: usize,
    /// At most so many are not.
    lost: usize,
}

/// Carries executions that fail back.
fn carried_back(program: fn(u64) -> String, expected: Expected) {
    let (mut back, mut lost) = (0, Vec::new());
    for seed in 0..250 {
        let text = program(seed);
        let source = crate::program(&text);
        let order = if seed % 2 == 0 { Order::OneAfterTheOther } else { Order::Lockstep };
        let instances = 1 + seed as usize % 3;
        // Now and then only one thread besides the first may run.
        let (guards, running) = (Guards::Kept, (seed % 5 == 4).then_some(1));
        let options = Options { instances, beyond: Beyond::Cut, most_states: 1_000, order, guards, running };
        let Ok(made) = sequential(&source, &options, &Budget::unlimited()) else { continue };
        for chance in 0..100 {
            if !fails(&made.program, chance) {
                continue;
            }
            let product = Product { program: &made.program, steps: &made.steps, copies: &made.copies };
            let (entry, budget) = (source.entries()[0], Budget::unlimited());
            let made = schedule(product, entry, &mut Chance(chance), LIMITS, &budget).expect("no limit");
            match certify::run_schedule(&source, &made, &budget) {
                Ok(_) => back += 1,
                Err(why) => lost.push(format!("{seed}/{chance}: {why:?}\n{text}\n{:#?}", made.steps)),
            }
            break;
        }
    }
    let first = lost.first().map_or("", String::as_str);
    assert!(lost.len() <= expected.lost, "{} lost, {back} carried back:\n{first}", lost.len());
    assert!(back > expected.least, "only {back} executions");
}

/// The interpreter takes only interleavings that exist.
#[test]
fn what_fails_by_chance_can_fail() {
    let mut failing = 0;
    for seed in 0..250 {
        let text = crate::generator::program(seed);
        let source = crate::program(&text);
        if (0..20).any(|chance| fails(&source, chance)) {
            failing += 1;
            assert!(matches!(run(&source), Truth::Unsafe | Truth::TooLarge), "{text}");
        }
    }
    assert!(failing > 50, "only {failing} programs fail");
}

#[test]
fn threads_are_numbered_as_they_start() {
    let text = "var g: int; procedure ULTIMATE.start() modifies g; { g := 0; fork 1 a(); fork 2 a(); join 2; assert g == 0; }
                procedure a() modifies g; { g := g + 1; }";
    let source = crate::program(text);
    assert_eq!(source.entries()[0].index(), 0);
    assert!((0..20).all(|chance| fails(&source, chance)));
}
