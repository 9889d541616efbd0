//! Binary floating-point numbers of IEEE 754 as bit patterns.
//!
//! A number is a bit-vector: sign, exponent, fraction, as IEEE 754 lays them out. So it needs no sort of its own in the
//! logic, no type of its own in the intermediate language, and bit operations on it are what machines do. An
//! [`Operation`] takes and gives bit patterns; its meaning is [`Operation::evaluate`], which computes exactly on whole
//! numbers and rounds once. Formats are those with at most 15 bits of exponent, so exact intermediate results stay small.
//!
//! Arithmetic rounds to the nearest number, and to the even one of two. Operations that give no number give one NaN
//! ([`Format::nan`]), whatever NaN they got: C and the machines leave that bit pattern open.

mod format;
mod operation;
mod round;
mod text;

pub use format::{Class, Format};
pub use operation::{Directed, Operation, Output, Shape};
pub use round::Rounding;

/// A bit pattern.
pub type Pattern = num_bigint::BigUint;
