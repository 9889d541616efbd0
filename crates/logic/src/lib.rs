//! First-order formulas over Booleans, integers, reals, bit-vectors (and floating-point numbers in them), arrays and
//! uninterpreted parts.
//!
//! Terms are hash-consed: a [`Term`] is a `u32` into a [`Terms`] store, and two terms are equal exactly if
//! their ids are. They are built only by the canonical constructors of the store (conjunctions flattened
//! and sorted, linear arithmetic in one normal form, constants folded), so that many questions about
//! formulas are answered by comparing two integers.
//!
//! * [`sort`], [`symbol`], [`term`]: what a term is made of, and the store;
//! * `build_*`: the canonical constructors, one file per theory;
//! * [`substitute`]: replacing symbols, opening and closing quantifiers;
//! * [`mod@transfer`]: formulas from one store in another;
//! * [`inspect`]: free symbols and sizes;
//! * [`value`], [`model`], [`evaluate`]: the meaning of a term;
//! * [`mod@simplify`], [`mod@nnf`]: other formulas that mean the same;
//! * [`mod@instantiate`]: what follows from formulas with quantifiers;
//! * [`qe`]: quantifier elimination;
//! * [`mod@print`]: terms for people;
//! * [`smtlib`]: terms as SMT-LIB text, and back.
//!
//! Division and modulo are Euclidean. What they are for a zero divisor is an uninterpreted function, as in SMT-LIB.

mod build_arithmetic;
mod build_array;
mod build_bitvec;
mod build_bool;
mod build_float;
pub mod evaluate;
pub mod farkas;
pub mod inspect;
pub mod instantiate;
pub mod linear;
pub mod model;
pub mod nnf;
pub mod print;
pub mod qe;
mod sharing;
pub mod simplify;
pub mod smtlib;
pub mod sort;
pub mod substitute;
pub mod symbol;
pub mod term;
pub mod transfer;
pub mod value;

pub use float;
pub use instantiate::{first_instances, instances};
pub use linear::Linear;
pub use model::Model;
pub use nnf::nnf;
pub use simplify::simplify;
pub use sort::{Sort, SortData};
pub use substitute::Substitution;
pub use symbol::{Function, Symbol};
pub use term::{Op, Quantifier, Term, Terms};
pub use transfer::Transfer;
pub use value::Value;

/// Integers of any size.
pub type Integer = num_bigint::BigInt;
/// Fractions of any size.
pub type Rational = num_rational::BigRational;
