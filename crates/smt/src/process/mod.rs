//! Any SMT-LIB 2 solver, run as a process.

mod child;
mod output;
mod replies;

pub use child::{Failure, Process, ProcessOptions};
