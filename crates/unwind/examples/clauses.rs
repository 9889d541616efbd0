//! Writes the clauses of the unwinding of a C program as a DIMACS file: they cannot all be true if no assertion fails.
//! Loops that depend on inputs are followed for so many iterations; what would go on is left. Failures are those of `assert`, or
//! calls of `reach_error`.
//!
//! `cargo run --release -p unwind --example clauses -- ITERATIONS FILE.c FILE.cnf [unreach-call]`
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a command for measuring reads and writes files"
)]

use base::{Budget, Interrupted, SourceMap};
use sat::{Answer, Lit, Recording, Solver, Var};
use std::fmt::Write as _;
use unwind::cnf::{Clauses, Encoder};
use unwind::{Bit, Circuit, Decision, Limits, Oracle, Unwinder};

/// How many conflicts a question whether a loop goes on is worth.
const PATIENCE: u64 = 1_000;

/// The clauses, one after the other.
#[derive(Default)]
struct ClauseList {
    variables: u32,
    clauses: Vec<Vec<Lit>>,
}

impl Clauses for ClauseList {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var(self.variables - 1)
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.clauses.push(clause.to_vec());
    }
}

struct Asking {
    solver: Solver,
    encoder: Encoder,
    iterations: u32,
}

impl Oracle for Asking {
    fn decide(&mut self, circuit: &Circuit, bit: Bit, iterations: u32) -> Result<Decision, Interrupted> {
        let lit = self.encoder.literal(circuit, bit, &mut self.solver);
        Ok(match self.solver.solve_within(&[lit], PATIENCE)? {
            Some(Answer::Unsat) => Decision::Impossible,
            _ if iterations > self.iterations => Decision::Leave,
            _ => Decision::Continue,
        })
    }

    fn follows(&self, _: &Circuit, iteration: u32) -> bool {
        iteration <= 64 * self.iterations
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (property, files) = match &arguments[..] {
        [files @ .., last] if last == "unreach-call" => (c::Property::UnreachCall, files),
        files => (c::Property::Assert, files),
    };
    let [iterations, input, output] = files else {
        eprintln!("clauses ITERATIONS FILE.c FILE.cnf [unreach-call]");
        std::process::exit(3);
    };
    let text = std::fs::read_to_string(input).expect("the program can be read");
    let mut sources = SourceMap::new();
    let file = sources.add(input.clone(), text);
    let options = c::Options {
        data_model: c::DataModel::Lp64,
        property,
        signed_overflow: c::SignedOverflow::Wraps,
        bit_operations: c::BitOperations::Exact,
        ..c::Options::default()
    };
    let (program, _) = c::translate(&mut sources, file, options, &c::NoIncludes).expect("the program is C");
    let mut unwinder = Unwinder::new(&program, Limits::default(), Budget::unlimited());
    let iterations = iterations.parse().expect("a number of iterations");
    let solver = Solver::new(Recording::Nothing, Budget::unlimited());
    let mut asking = Asking { solver, encoder: Encoder::default(), iterations };
    let entry = program.entries().first().copied().expect("an entry");
    if let Err(why) = unwinder.run(entry, &mut asking) {
        eprintln!("{input}: {why:?}");
        std::process::exit(2);
    }
    let failures = unwinder.failures.iter().map(|failure| failure.bit);
    let bits: Vec<Bit> = failures.chain(unwinder.impossible.iter().copied()).collect();
    let goal = unwinder.any(bits);
    let mut question = ClauseList::default();
    let goal = Encoder::default().literal(unwinder.circuit(), goal, &mut question);
    question.clause(&[goal]);
    let mut text = format!("p cnf {} {}\n", question.variables, question.clauses.len());
    for clause in &question.clauses {
        for lit in clause {
            let sign = if lit.polarity() { "" } else { "-" };
            let _ = write!(text, "{sign}{} ", lit.var().0 + 1);
        }
        text.push_str("0\n");
    }
    std::fs::write(output, text).expect("the clauses can be written");
}
