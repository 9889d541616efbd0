//! Solver sessions.
//!
//! ```
//! assert!(smt::z3::version().contains("5.4"));
//! ```
pub mod process;
