//! Many verification tasks: what `unreach batch` does, and what our own measuring rests on.
//!
//! A batch is a list of [`Task`]s ([`collect`]) that processes of a verifier answer, each with limits of its own
//! ([`process`]), on this machine ([`local`]) or on many ([`cluster`]). Results go to one SQLite file ([`store`]), in a
//! transaction for each: whoever kills the batch at any moment loses no finished task, and the next run with the same file
//! goes on with those that are left. What was found is told as text, CSV, JSON and HTML ([`report`]), and held against an
//! older batch ([`compare`]).
//!
//! The crate knows the verifier as a command line and nothing of its inside. Together with the binary it is the part of the
//! project that reads files, the clock and the system's tables of processes.

#![allow(clippy::disallowed_methods, reason = "a batch starts processes and keeps files")]

pub mod cluster;
pub mod collect;
pub mod compare;
mod csv;
pub mod local;
pub mod outcome;
mod pattern;
pub mod process;
pub mod progress;
pub mod report;
pub mod select;
pub mod store;
pub mod task;

use std::fmt;
use std::path::{Path, PathBuf};

pub use outcome::{Measured, Outcome};
pub use task::{Expected, Task};

/// Why a batch cannot be run.
#[derive(Debug)]
pub enum BatchError {
    /// A file cannot be read or written; why.
    File(PathBuf, String),
    /// Something in a file is not as it should be: the line from 1, and what.
    Line(PathBuf, usize, String),
    /// What was asked for makes no sense; why.
    Request(String),
    /// The file with the results cannot be used; why.
    Store(PathBuf, String),
    /// The system that distributes tasks does not work; why.
    Cluster(String),
}

impl BatchError {
    /// The system does not let us use a file.
    pub(crate) fn io(path: &Path, error: &std::io::Error) -> BatchError {
        let text = error.to_string();
        BatchError::File(path.to_owned(), text.split(" (os error").next().unwrap_or(&text).to_lowercase())
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::File(path, why) | BatchError::Store(path, why) => {
                write!(f, "{}: {why}", path.display())
            }
            BatchError::Line(path, line, why) => write!(f, "{}:{line}: {why}", path.display()),
            BatchError::Request(why) | BatchError::Cluster(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for BatchError {}
