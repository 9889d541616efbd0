//! SMT-LIB 2.6 text: writing and reading terms, scripts and values.
//!
//! * [`mod@print`]: terms, sorts, declarations, scripts;
//! * [`sexpr`]: the concrete syntax, with places for messages;
//! * [`parse`]: scripts and terms; [`signature`]: what names mean;
//! * [`value`]: the values in a solver's answers;
//! * [`names`]: how names are written.
//! * `floats`: what floating-point operations mean.
//!
//! Reading what was printed gives the same term ids. All of it is iterative and linear in text and graph size.

mod floats;
pub mod names;
mod operators;
pub mod parse;
mod parse_term;
pub mod print;
mod print_term;
pub mod sexpr;
pub mod signature;
pub mod value;
