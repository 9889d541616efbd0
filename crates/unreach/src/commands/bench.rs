//! `unreach bench`: engines on programs that are built in.
//!
//! `table1` is Table 1 of paper "Splitting via Interpolants", its figures beside ours; `leaps` is a series of errors
//! behind more and more loop iterations.
//!
//! The programs are ours, written after the paper's descriptions: the paper does not print them. The series of
//! counters is continued to 256 bits. Every proof is certified and every counterexample replayed before a row counts
//! as solved, and the time is that of the whole run without reading the program.

mod leaps;
mod table1;

use super::leaps::{Programs, accepted};
use crate::arguments::{Bench, BlockSize, Engine, Table};
use crate::decide;
use crate::engine::{self, Calls, Counted, Goal};
use crate::input::BadInput;
use crate::outcome::Exit;
use crate::report::Answer;
use base::budget::Limits;
use base::{Budget, SourceMap};
use engines::interpolation::Interpolation;
use logic::Terms;
use program::{Reason, Verdict};
use smt::Solvers;
use std::time::{Duration, Instant};

pub(crate) fn run(job: &Bench) -> Result<Exit, BadInput> {
    match job.table {
        Table::Table1 => table1::print(job.timeout),
        Table::Leaps => leaps::print(job.timeout),
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

fn measure(name: &str, text: &str, engine: Engine, blocks: BlockSize, timeout: Duration) -> Measured {
    let mut sources = SourceMap::new();
    let file = sources.add(name.to_owned(), text.to_owned());
    let source = match boogie::compile(file, text) {
        Ok(compiled) => compiled.program,
        Err(_) => unreachable!("the programs of the table are well-formed"),
    };
    let start = Instant::now();
    let budget = Budget::unlimited();
    let limits = Limits { time: Some(timeout), memory: None };
    // The engines come back soon after the budget was tripped; there is nothing to say before that.
    let watchdog = budget.watch(limits, Duration::from_secs(3600), |_| {});
    let mut terms = Terms::new();
    let (answer, counted) = decide(&source, engine, blocks, &mut terms, &budget);
    drop(watchdog);
    let safe = match answer {
        Answer::Safe(_) => Some(true),
        Answer::Unsafe(_) | Answer::Leaps(_) => Some(false),
        Answer::Unknown(_) | Answer::Internal(_) => None,
    };
    Measured { safe, time: start.elapsed(), counted }
}

fn decide(
    source: &ir::Program,
    engine: Engine,
    blocks: BlockSize,
    terms: &mut Terms,
    budget: &Budget,
) -> (Answer, Counted) {
    let Ok(single) = program::build(source, terms) else {
        unreachable!("the programs of the table have a meaning in logic")
    };
    let single = transform::trim(single);
    let single = match engine.prepare(single, Calls::Kept, terms) {
        Ok(prepared) => prepared,
        Err(reason) => return (Answer::Unknown(reason), Counted::default()),
    };
    let blocks = transform::compose(&single, blocks.into(), terms);
    let solvers = Solvers::new(budget);
    let (verdict, counted) = match engine {
        Engine::Leaping => {
            engine::leaping((&single, &blocks.program), Goal::any(&single), terms, &solvers, budget)
        }
        Engine::Impact => engine::impact(&blocks.program, Interpolation::Auto, terms, &solvers, budget),
        _ => engine::kojak(&blocks.program, Interpolation::Auto, terms, &solvers, budget),
    };
    let answer = match verdict {
        Ok(Verdict::Safe(proof)) => {
            match decide::certified(&single, &blocks, &proof, terms, &solvers, budget) {
                Ok(_) => Answer::Safe(Vec::new()),
                Err(answer) => answer,
            }
        }
        Ok(Verdict::Unsafe(counterexample)) => {
            decide::replayed(source, &blocks.program, &counterexample, terms, budget)
        }
        Ok(Verdict::Run(run)) => decide::confirmed(certify::rerun(source, &run, budget)),
        Ok(Verdict::Leaps(evidence)) => {
            let programs = Programs { source, single: &single, blocks: &blocks.program, back: None };
            accepted(&programs, &evidence, terms, (&solvers, budget))
        }
        Ok(Verdict::Unknown(reason)) => Answer::Unknown(reason),
        Err(base::Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
    };
    (answer, counted)
}
