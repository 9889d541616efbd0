//! Transforms of program automata. What an engine finds out about the result holds of the original, and every
//! transform keeps the way back, so that evidence is reported and checked on the program as it was built.
//!
//! * [`mod@trim`]: edges that cannot matter are dropped; locations and edges keep their numbers;
//! * [`infinite`]: what infinite runs can see;
//! * [`mod@inline`]: a program without calls, if its call graph has no cycles; every location, edge and variable knows
//!   of which call it is a copy;
//! * [`mod@divide`]: one location for each of the values that variables have there, for variables with few values;
//! * [`blocks`]: large blocks between cut points, with the way back to single steps.
//!
//! The independent check (crate `certify`) does not depend on this crate: a mistake here can cost a verdict, and
//! cannot make a wrong one. The exception is [`infinite`]: proofs of termination and infinite runs are held against its
//! result, so it is trusted.

pub mod blocks;
pub mod divide;
pub mod infinite;
pub mod inline;
pub mod trim;

pub use blocks::{BlockSize, compose, compose_at, loop_heads};
pub use divide::{Divided, divide};
pub use infinite::{InfinitePart, infinite_part};
pub use inline::{CannotInline, inline};
pub use trim::trim;
