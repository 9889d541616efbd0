//! The checker's own circuits of programs, made in the plainest way that is still fast enough.
//!
//! [`Unroller`] follows all paths of a procedure at once, enters calls, goes from one iteration of a loop to the next, and
//! merges states where paths meet, or follows each path by itself where a proof wants that (`apart`). It knows nothing but what the bits say: no ranges, no facts that follow from
//! conditions. Where that is not enough, somebody else may *claim* something ([`ir::claims`]): that a place is never
//! reached, that a number has few bits or few values. A [`Guide`] brings the claims. A claim is used, and that it does not
//! hold where it is made is one more thing that has to be impossible. So no claim can make a wrong proof right.
//!
//! **Guarantee**: if no assignment of the inputs makes one of the [obligations](Unroller::question) true, no execution
//! of the procedure fails. For take an execution that fails. It gives values to the inputs. Up to the first claim on its way
//! that does not hold, all values of the circuit are those of the execution, and the conditions of all other ways are
//! false; so the obligation of that claim is true, and if there is none, that of the assertion that fails.
//!
//! **Requires** a well-formed program without threads.
//!
//! Nothing of crate `unwind` is used here, which engines search proofs with: a mistake there is not repeated here.

mod apart;
mod check;
mod clauses;
mod evaluate;
mod floats;
pub mod formula;
mod gates;
mod induction;
mod numbers;
mod order;
mod places;
mod state;
mod sums;
mod values;
mod walk;

pub use check::{Refused, Refutation, check};
pub use clauses::Clauses;
pub use gates::{Bit, Gate, Gates};
pub use order::Visit;
pub use values::{Value, Word};
pub use walk::{Guide, Halt, Limits, Moment, Subject, Unroller};
