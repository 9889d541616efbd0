//! Boogie source to the intermediate language.
//!
//! [`parse`] makes a syntax tree, [`compile`] a program of the intermediate language. Neither panics on any
//! input, needs more of the host's stack for deeper nesting, or costs more than linear time.
//!
//! What a file says falls into three kinds: it is fine, it has mistakes ([`Failure::errors`]), or it uses
//! features that have no meaning here yet ([`Failure::unsupported`]). Only the last kind may lead to the
//! verdict "unknown"; mistakes are the author's.

pub mod ast;
mod elaborate;
pub mod features;
pub mod lexer;
pub mod parser;
pub mod print;
pub mod symbols;
pub mod tokens;

use base::{Diagnostic, FileId};
pub use features::{Feature, Unsupported};
use ir::Program;
pub use parser::{Parsed, parse};

/// Why a file cannot be used.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Failure {
    /// Mistakes in the source.
    pub errors: Vec<Diagnostic>,
    /// Features that are not supported, if there are no mistakes.
    pub unsupported: Vec<Unsupported>,
}

/// A program with what its author should know about it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Parses and checks a file, and lowers it to the intermediate language.
pub fn compile(file: FileId, text: &str) -> Result<Compiled, Failure> {
    let Parsed { ast, mut errors, mut unsupported } = parse(file, text);
    // Declarations that could not be read are missing, so that their uses would look like mistakes.
    if !errors.is_empty() || !unsupported.is_empty() {
        return Err(Failure { errors, unsupported });
    }
    let (program, warnings) = elaborate::elaborate(&ast, &mut errors, &mut unsupported);
    if errors.is_empty() && unsupported.is_empty() {
        return Ok(Compiled { program, warnings });
    }
    // Declarations are elaborated in several rounds, but people read from top to bottom.
    errors.sort_by_key(|error| error.span);
    unsupported.sort_by_key(|unsupported| unsupported.span);
    Err(Failure { errors, unsupported })
}
