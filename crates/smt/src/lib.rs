//! Solver sessions.
//!
//! A [`Solver`] is a stack of assertions with queries about it. There are two kinds: [`z3`], in this process, and
//! [`process`], any SMT-LIB 2 solver run as a process of its own. [`Solvers`] makes the sessions of a run, and can
//! put a log ([`query_log`]) and a comparison with a second solver ([`cross_check`]) around them, and rungs that answer easy questions
//! without a solver (`quick`) before them.
//!
//! A solver that crashes, gives up or runs out of its limits answers [`Answer::Unknown`]: it is a value, and the
//! session stays usable.
//!
//! ```
//! use logic::{Sort, Terms};
//! use smt::{Answer, Solver, Solvers};
//!
//! let solvers = Solvers::new(&base::Budget::unlimited());
//! let mut terms = Terms::new();
//! let (x, zero) = (terms.named("x", Sort::INT), terms.int(0));
//! let (positive, negative) = (terms.gt(x, zero), terms.lt(x, zero));
//! let mut session = solvers.session();
//! session.assert(&terms, positive);
//! assert_eq!(session.check(&terms), Answer::Sat);
//! assert_eq!(session.check_assuming(&terms, &[negative]), Answer::Unsat);
//! assert_eq!(session.core(&terms), Ok(vec![negative]));
//! ```

mod cases;
pub mod cross_check;
pub mod faults;
pub mod horn;
mod oracle;
pub mod process;
pub mod query_log;
mod quick;
#[cfg(test)]
mod random;
pub mod solver;
mod solvers;
mod stack;
pub mod z3;

pub use oracle::SolverOracle;
pub use quick::RungStatistics;
pub use solver::{Answer, Reason, Solver};
pub use solvers::Solvers;
