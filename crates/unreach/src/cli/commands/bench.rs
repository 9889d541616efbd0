//! `unreach bench`: engines on programs that are built in.
//!
//! `table1` is Table 1 of paper "Splitting via Interpolants", its figures beside ours; `leaps` is a series of errors
//! behind more and more loop iterations; `scale` shows how the time of the plan grows with the program.
//!
//! The programs are ours, written after the paper's descriptions: the paper does not print them. The series of
//! counters is continued to 256 bits. Every proof is certified and every counterexample replayed before a row counts
//! as solved, and the time is that of the whole run without reading the program.

mod leaps;
mod scale;
mod table1;

use crate::cli::arguments::{Bench, Table};
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use engines::Counted;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transform::BlockSize;
use unreach::{Answer, Budget, Decision, Engine, Inlining, Limits, Plan, Problem, Silent};

pub(crate) fn run(job: &Bench) -> Result<Exit, BadInput> {
    match job.table {
        Table::Table1 => table1::print(job.timeout),
        Table::Leaps => leaps::print(job.timeout),
        Table::Scale => scale::run(job)?,
    }
    Ok(Exit::Success)
}

/// One run of one engine.
struct Measured {
    /// Whether the program is safe; none if it was not found out.
    safe: Option<bool>,
    time: Duration,
    counted: Counted,
}

fn measure(
    name: &str,
    text: &str,
    engine: &'static Engine,
    blocks: BlockSize,
    timeout: Duration,
) -> Measured {
    let problem = Problem::boogie(name, text);
    let plan = Plan { blocks, ..Plan::only(engine, Inlining::Never) };
    let (decision, time) = timed(&problem, &plan, timeout);
    let safe = safety(&decision.answer);
    let counted = decision.counted.into_iter().next().map(|(_, counted)| counted).unwrap_or_default();
    Measured { safe, time, counted }
}

/// Whether a program is safe, by the plan, with the processor time of all threads; none if it was not found out.
fn decide(problem: &Problem, timeout: Duration) -> (Option<bool>, Duration) {
    let start = processor_time();
    let (decision, _) = timed(problem, &Plan::default(), timeout);
    (safety(&decision.answer), processor_time().saturating_sub(start))
}

/// The processor time of this process. Unlike the time on the wall, it does not depend on who else uses the machine.
fn processor_time() -> Duration {
    Duration::from_secs_f64(batch::process::cpu_seconds(std::process::id()).unwrap_or_default())
}

fn timed(problem: &Problem, plan: &Plan, timeout: Duration) -> (Decision, Duration) {
    let start = Instant::now();
    let budget = Budget::unlimited();
    let limits = Limits { time: Some(timeout), memory: None };
    // The engines come back soon after the budget was tripped; there is nothing to say before that.
    let watchdog = budget.watch(limits, Duration::from_secs(3600), |_| {});
    let decision = unreach::verify(problem, plan, &budget, Arc::new(Silent));
    drop(watchdog);
    let Ok(decision) = decision else { unreachable!("the programs of the tables have no mistakes") };
    (decision, start.elapsed())
}

fn safety(answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Safe(_) | Answer::Terminates(_) => Some(true),
        Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}
