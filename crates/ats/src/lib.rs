//! The interpreter of automata scripts.

mod ast;
mod definition;
mod interpreter;
mod names;
mod operations;
mod parser;
mod printer;
mod report;
mod token;
mod value;

pub use interpreter::{Environment, Format, Loaded, run};
pub use report::{Assertion, Counts, Outcome, Report, Verdict};
