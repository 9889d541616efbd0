//! Asks whether an assertion of a small program can fail, and shows the evidence.
//!
//! `cargo run --release -p unreach --example verify_text`

#![allow(clippy::print_stdout, reason = "an example shows what it got")]

use std::sync::Arc;
use unreach::report::{self, Target};
use unreach::{Budget, Plan, Problem, Silent, verify};

fn main() {
    let text = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 2; } assert i != 7; }";
    let problem = Problem::boogie("even.bpl", text);
    let decision = verify(&problem, &Plan::default(), &Budget::unlimited(), Arc::new(Silent));
    let decision = decision.expect("the program has no mistakes");
    println!("{}", report::verdict(&decision, problem.property, Target::Error));
    println!("{}", report::text(&decision, Target::Error));
}
