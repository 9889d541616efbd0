//! How a run ends: the exit codes, which are part of the interface.

use std::process::ExitCode;

/// The exit codes of every verb.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The program is safe; or the answer was printed, or help and version were asked for.
    Success = 0,
    /// The program is unsafe; or a certificate is refused, or an assertion of a script fails.
    Unsafe = 1,
    /// It was not found out.
    Unknown = 2,
    /// The input or the command line cannot be used.
    BadInput = 3,
    /// A mistake of this program.
    InternalError = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
