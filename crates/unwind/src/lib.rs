//! Programs as circuits: what a program does in so many iterations of its loops, bit by bit.
//!
//! [`Unwinder`] follows all paths of a program at once. Calls are entered, loops are followed from iteration to iteration,
//! and where paths meet again their states are merged ([`flow`]), so that the cost grows with the iterations and not with
//! the paths. Integers have as many bits as they need ([`words`]), memory cells at known places are variables of their own
//! ([`values`]), and what is constant needs no gate at all ([`circuit`]).
//!
//! Whether a loop that depends on inputs goes on is asked an [`Oracle`]: an engine asks a solver, a checker reads the answers
//! in a certificate. What the oracle calls impossible is written down, to be shown.
//!
//! Loops without an end are followed for some rounds, if they are shown by [`induction`].
//!
//! **Guarantee**: if none of the [failures](Unwinder::failures), none of the [broken](Unwinder::broken) facts, none of the
//! [impossible](Unwinder::impossible) and none of the [open](Unwinder::open) bits can be true, no execution of the procedure
//! fails. (The converse holds unless something is [imprecise](Unwinder::imprecise) or shown by induction.) The requirement is a
//! well-formed program without threads.
//!
//! [`cnf`] makes clauses of a circuit; [`witness`] runs the program on an assignment of the inputs.

pub mod apart;
pub mod circuit;
pub mod cnf;
mod evaluate;
mod extent;
mod facts;
mod floats;
pub mod flow;
pub mod induction;
pub mod interval;
pub mod proving;
pub mod record;
mod state;
mod sums;
mod unwinder;
pub mod values;
pub mod witness;
pub mod words;

pub use circuit::{Bit, Circuit};
pub use unwinder::{Decision, Failure, Halt, Limits, Oracle, Unwinder};
