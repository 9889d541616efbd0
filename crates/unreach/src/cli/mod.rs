//! The command line, a thin layer over the library.

pub(crate) mod arguments;
pub(crate) mod bad_input;
pub(crate) mod commands;
pub(crate) mod exit;
pub(crate) mod files;
pub(crate) mod limits;
mod progress;
pub(crate) mod terminal;
