//! Any SMT-LIB 2 solver, run as a process.
//!
//! * `replies`: cuts its output into replies; `output`: what it has said so far, and waiting for more;
//! * `child`: the process with its pipes: it may die, hang, babble or flood, and all of these are values;
//! * `session`: the [`Solver`](crate::Solver) on top; `values`: its models.

mod child;
mod output;
mod replies;
mod session;
mod values;

pub use child::ProcessOptions;
pub use session::ProcessSession;
