//! C source to the intermediate language.

mod lex;
mod literals;
mod options;
mod preprocess;
mod symbols;

pub use options::{DataModel, Property};
pub use preprocess::{Includes, NoIncludes};

/// Runs a function that may recurse once per nesting level of the input: the stack grows when it gets short.
pub(crate) fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
