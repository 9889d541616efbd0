//! C source to the intermediate language.
//!
//! The way of a program: text → tokens ([`preprocess`]) → syntax tree ([`parse`]) → typed tree → `ir`.
//! Each stage stops at what it cannot accept: an error in the program is a [`Diagnostic`](base::Diagnostic).

mod ast;
mod lex;
mod literals;
mod options;
mod parse;
mod preprocess;
mod symbols;

pub use options::{DataModel, Property};
pub use preprocess::{Includes, NoIncludes};

use base::{Diagnostic, FileId, SourceMap};

/// Checks that a file is C as far as its grammar goes.
pub fn check_syntax(
    sources: &mut SourceMap,
    file: FileId,
    model: DataModel,
    includes: &dyn Includes,
) -> Result<(), Diagnostic> {
    let mut symbols = symbols::Symbols::new();
    let tokens = preprocess::preprocess(sources, &mut symbols, file, model, includes)?;
    parse::parse(&tokens, &mut symbols)?;
    Ok(())
}

/// Runs a function that may recurse once per nesting level of the input: the stack grows when it gets short.
pub(crate) fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
