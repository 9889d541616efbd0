//! Answers the questions of DIMACS files, with the number of conflicts and the processor time for each; proofs are checked.
//!
//! `cargo run --release -p sat --example dimacs -- FILE.cnf …`
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a command for measuring reads files")]

use base::Budget;
use sat::{Answer, Lit, Recording, Solver, Var, lrat};

fn main() {
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                println!("{path}: {error}");
                std::process::exit(3);
            }
        };
        let (variables, clauses) = read(&text);
        let begin = processor_time();
        let mut solver = Solver::new(Recording::Proof, Budget::unlimited());
        for _ in 0..variables {
            solver.new_var();
        }
        for clause in &clauses {
            solver.add_clause(clause);
        }
        let answer = solver.solve(&[]).expect("there is no limit");
        let (solved, conflicts) = (processor_time() - begin, solver.statistics.conflicts);
        if answer == Answer::Unsat {
            let checked = lrat::check(variables, &clauses, &solver.into_proof(), &Budget::unlimited());
            assert_eq!(checked, Ok(()), "the proof of {path}");
        }
        println!("{path} {answer:?} {conflicts} conflicts {solved:.4} s");
    }
}

/// The seconds that this thread has had a processor, where the system tells them; others may be busy at the same time.
fn processor_time() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ')
        .next()
        .and_then(|text| text.parse::<f64>().ok())
        .map_or(f64::NAN, |nanoseconds| nanoseconds / 1e9)
}

/// The clauses of a text, and how many variables they have.
fn read(text: &str) -> (u32, Vec<Vec<Lit>>) {
    let (mut variables, mut clauses, mut clause) = (0, Vec::new(), Vec::new());
    let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
    for number in lines.flat_map(str::split_whitespace).filter_map(|word| word.parse::<i64>().ok()) {
        if number == 0 {
            clauses.push(std::mem::take(&mut clause));
            continue;
        }
        let variable = u32::try_from(number.unsigned_abs()).expect("a variable");
        variables = variables.max(variable);
        clause.push(Lit::new(Var(variable - 1), number > 0));
    }
    (variables, clauses)
}
