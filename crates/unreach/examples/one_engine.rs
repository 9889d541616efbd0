//! Gives a program to each engine in turn, with a limit on time.
//!
//! `cargo run --release -p unreach --example one_engine -- FILE`

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example shows what it got")]

use std::sync::Arc;
use std::time::Duration;
use unreach::report::{self, Target};
use unreach::{Budget, ENGINES, Inlining, Limits, Plan, Problem, Silent, verify};

fn main() {
    let file = std::env::args().nth(1).expect("the name of a program");
    let problem = Problem::read(file.as_ref()).expect("a program that can be read");
    for engine in ENGINES {
        let budget = Budget::unlimited();
        let limits = Limits { time: Some(Duration::from_secs(5)), memory: None };
        let _watchdog = budget.watch(limits, Duration::from_secs(60), |_| {});
        let plan = Plan::only(engine, Inlining::IfSmall);
        match verify(&problem, &plan, &budget, Arc::new(Silent)) {
            Ok(decision) => {
                println!(
                    "{:<24} {}",
                    engine.name,
                    report::verdict(&decision, problem.property, Target::Error)
                );
            }
            Err(failure) => println!("{:<24} {failure:?}", engine.name),
        }
    }
}
