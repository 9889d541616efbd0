//! Do all runs end? Programs with the truth in them, random programs against an exhaustive search, and mutated
//! certificates.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the tests read their programs, and tell what they have counted"
)]

mod bounds;
mod certificates;
mod modules;
mod programs;
mod random;

use std::sync::Arc;
use unreach::{Answer, Budget, Decision, Plan, Problem, Property, Silent, verify};

/// What was found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ends {
    Always,
    NotAlways,
    Unknown,
}

fn decide(mut problem: Problem, certificate: bool) -> Decision {
    problem.property = Property::Termination;
    let plan = Plan { certificate, ..Plan::default() };
    verify(&problem, &plan, &Budget::unlimited(), Arc::new(Silent)).expect("the program has no mistakes")
}

fn ends(decision: &Decision) -> Ends {
    match decision.answer {
        Answer::Terminates(_) => Ends::Always,
        Answer::Infinite(_) => Ends::NotAlways,
        Answer::Unknown(_) => Ends::Unknown,
        _ => unreachable!("this is no answer to the question"),
    }
}
