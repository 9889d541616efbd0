//! Solver sessions.
//!
//! A [`Solver`] is a stack of assertions with queries about it. There are two kinds: [`z3`], in this process, and
//! [`process`], any SMT-LIB 2 solver run as a process of its own.
//!
//! A solver that crashes, gives up or runs out of its limits answers [`Answer::Unknown`]: it is a value, and the
//! session stays usable.

mod cases;
pub mod horn;
pub mod oracle;
pub mod process;
#[cfg(test)]
mod random;
pub mod solver;
mod stack;
pub mod z3;

pub use solver::{Answer, Reason, Solver};
