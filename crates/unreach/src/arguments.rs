//! What can be typed. Nothing is decided here; `commands` turns it into work.

use crate::outcome::Exit;
use clap::{Args, Parser, Subcommand, ValueEnum, error::ErrorKind};
use std::path::PathBuf;

/// Can an assertion of a program ever fail? Unreach answers with evidence: a checked proof, or a replayed execution.
#[derive(Parser)]
#[command(
    name = "unreach",
    version,
    after_help = "Exit codes: 0 safe, 1 unsafe, 2 unknown, 3 bad input or usage, 4 internal error."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Prove that no assertion of a program can fail, or find an execution in which one does
    Verify(Verify),
    /// Show what a stage of the pipeline makes of a program
    Print(Print),
}

#[derive(Args)]
pub(crate) struct Verify {
    /// The program: Boogie (.bpl) or C (.c, .i); `-` reads standard input
    pub(crate) file: PathBuf,
}

#[derive(Args)]
pub(crate) struct Print {
    /// What to show
    pub(crate) stage: Stage,
    /// The program; `-` reads standard input
    pub(crate) file: PathBuf,
}

/// The stages that can be shown.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Stage {
    /// The tokens of the source
    Tokens,
}

/// Prints what clap has to say, help and version on standard output, mistakes on standard error.
pub(crate) fn explain(message: &clap::Error) -> Exit {
    // A closed pipe is the reader's choice, not an error of ours.
    let _ = message.print();
    match message.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Success,
        _ => Exit::BadInput,
    }
}
