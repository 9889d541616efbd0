//! Boogie source to the intermediate language.

pub mod ast;
pub mod features;
pub mod lexer;
pub mod parser;
pub mod symbols;
pub mod tokens;

pub use features::{Feature, Unsupported};
pub use parser::{Parsed, parse};
