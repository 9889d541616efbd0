//! Who answers the questions of SMT-LIB files: the rungs before the solver, or the solver, and how long each takes.
//!
//! Arguments are files as `unreach verify --dump-queries FOLDER` writes them. Every question is asked of both, and a
//! difference ends the program.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool that reads files and measures time"
)]

use base::Budget;
use logic::Terms;
use smt::{Answer, Solver, Solvers};
use std::time::{Duration, Instant};

/// So often each question is asked, each time in a fresh session; the fastest counts.
const REPETITIONS: usize = 5;

fn main() {
    let mut quick_times: Vec<Duration> = Vec::new();
    let mut missed_times: Vec<Duration> = Vec::new();
    let mut solver_times: Vec<Duration> = Vec::new();
    let mut total = smt::RungStatistics::default();
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let mut terms = Terms::new();
        let Ok(script) = logic::smtlib::parse::script(&mut terms, &text) else {
            println!("{path}: not understood");
            continue;
        };
        let ask = |solvers: &Solvers, quick: bool| -> (Answer, Duration) {
            let mut session = if quick { solvers.quick_session() } else { solvers.session() };
            session.set_rlimit(Some(20_000_000));
            let start = Instant::now();
            script.assertions().for_each(|formula| session.assert(&terms, formula));
            (session.check(&terms), start.elapsed())
        };
        let budget = Budget::unlimited();
        let solvers = Solvers::new(&budget);
        let (answer, first) = ask(&solvers, true);
        total.merge(&solvers.rungs());
        let by_rungs = solvers.rungs().by_solver == 0;
        let (expected, solver_time) = (0..REPETITIONS)
            .map(|_| ask(&solvers, false))
            .min_by_key(|&(_, time)| time)
            .expect("it is asked at least once");
        let open = |answer: &Answer| matches!(answer, Answer::Unknown(_));
        assert!(
            answer == expected || open(&answer) || open(&expected),
            "{path}: {answer}, and the solver {expected}"
        );
        solver_times.push(solver_time);
        let fastest = (1..REPETITIONS).map(|_| ask(&solvers, true).1).fold(first, Duration::min);
        if by_rungs { &mut quick_times } else { &mut missed_times }.push(fastest);
    }
    print!("{total}");
    for (name, mut times) in [
        ("by the rungs", quick_times),
        ("by the rungs in vain, and then the solver", missed_times),
        ("by the solver", solver_times),
    ] {
        times.sort_unstable();
        let (count, sum) = (times.len(), times.iter().sum::<Duration>());
        let median = times.get(count / 2).copied().unwrap_or_default();
        println!("{count:>10}  {name}: median {median:?}, mean {:?}", sum / count.max(1) as u32);
    }
}
