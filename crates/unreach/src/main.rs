//! The command line: what was typed becomes a job, its outcome an exit code.

// This crate is the one that reads files and the environment and talks to people.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod commands;
mod decide;
mod engine;
mod input;
mod interleaving;
mod outcome;
mod plan;
mod preprocessor;
mod property;
mod race;
mod report;
mod source;

use arguments::{Arguments, Command};
use clap::Parser;
use outcome::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
        let what = panic.payload_as_str().unwrap_or("something went wrong");
        eprintln!("unreach: internal error: {what}{place}");
    }));
    std::panic::catch_unwind(run).unwrap_or_else(|_| Exit::InternalError.into())
}

fn run() -> ExitCode {
    // Compilers write `-std=c11` with one dash.
    let words = std::env::args_os().map(|word| match word.to_str() {
        Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
        _ => word,
    });
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(message) => return arguments::explain(&message).into(),
    };
    let exit = match arguments.command {
        Command::Verify(job) => commands::verify::run(&job),
        Command::Reach(job) => commands::reach::run(&job),
        Command::Certify(job) => commands::certify::run(&job),
        Command::Print(job) => commands::print::run(&job),
        Command::Bench(job) => commands::bench::run(&job),
        Command::Automata(job) => commands::automata::run(&job),
    };
    exit.unwrap_or_else(|bad_input| {
        eprintln!("unreach: {bad_input}");
        Exit::BadInput
    })
    .into()
}
