//! SV-LIB source to the intermediate language.
//!
//! SV-LIB is SMT-LIB with imperative procedures ("SV-LIB 1.0: A Standard Exchange Format for Software-Verification Tasks",
//! arXiv 2511.21509; the numbers of sections in this crate are its). A [`Script`] is a list of commands, of which
//! `verify-call` asks whether a call fulfils all properties that are annotated. Each call comes down to a few [`Question`]s,
//! and each question to a program of the intermediate language, which is free of errors, or has no infinite execution, if
//! and only if the answer is yes.
//!
//! What a script says falls into three kinds: it is fine, it has mistakes ([`Failure::errors`]), or it uses what has no
//! meaning here yet ([`Failure::unsupported`]). Building a program is linear in the script, but for the abstraction of
//! loops with invariants, which costs the size of the loop each.
//!
//! Where the standard leaves something open: the preconditions of the procedure that is called by `verify-call` are
//! assumed; a procedure may call itself also without `define-procs-rec`; a loop is abstracted by its invariants if it has any,
//! a procedure by its contract if it has a postcondition.

mod back;
mod body;
mod builder;
mod checks;
mod entry;
mod flow;
mod liveness;
mod lower;
mod names;
mod operators;
mod problem;
mod properties;
mod question;
mod script;
mod sorts;
mod symbols;
mod syntax;
mod terms;
mod trace;

pub use back::{Back, StepMark, Violated};
pub use problem::{Failure, Unsupported};
pub use question::{Question, Ranks, Recurring};
pub use script::{Call, Compiled, Response, Script};
