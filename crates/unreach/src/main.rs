//! The command line: what was typed becomes a job, its outcome an exit code.

// The binary is the part that talks to people.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

/// As the macro of the standard library, but a standard error that is closed or full is no reason to break.
macro_rules! eprint {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($text)*);
    }};
}

/// The same with a line break.
macro_rules! eprintln {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

mod cli;

use clap::Parser;
use cli::arguments::{self, Arguments, Command};
use cli::commands;
use cli::exit::Exit;
use cli::terminal::Manner;
use std::process::ExitCode;
use tracing_subscriber::Layer as _;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
        let what = panic.payload_as_str().unwrap_or("something went wrong");
        eprintln!("unreach: internal error: {what}{place}");
    }));
    // Compilers write `-std=c11` with one dash.
    let words = std::env::args_os().map(|word| match word.to_str() {
        Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
        _ => word,
    });
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(message) => return arguments::explain(&message).into(),
    };
    cli::terminal::choose(match (arguments.quiet, arguments.verbose) {
        (true, _) => Manner::Quiet,
        (_, true) => Manner::Verbose,
        _ => Manner::Usual,
    });
    if let Some(filter) = arguments.log {
        let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).without_time();
        tracing_subscriber::registry().with(lines.with_filter(filter)).init();
    }
    let outcome = std::panic::catch_unwind(|| match arguments.command {
        Command::Verify(job) => commands::verify::run(&job),
        Command::Check(job) => commands::check::run(&job),
        Command::Reach(job) => commands::reach::run(&job),
        Command::Certify(job) => commands::certify::run(&job),
        Command::Validate(job) => commands::validate::run(&job),
        Command::Lint(job) => commands::validate::lint(&job.witness),
        Command::Print(job) => commands::print::run(&job),
        Command::Bench(job) => commands::bench::run(&job),
        Command::Batch(job) => commands::batch::run(&job),
        Command::BatchWorker(job) => commands::batch::work(&job),
        Command::Automata(job) => commands::automata::run(&job),
        Command::Completions(job) => commands::pages::completions(&job),
        Command::Lsp(_) => commands::lsp::run(),
        Command::Serve(job) => commands::serve::run(&job),
        Command::Explain(job) => commands::explain::run(&job),
        Command::Man(job) => commands::pages::man(&job),
    });
    let exit = match outcome {
        Ok(Ok(exit)) => exit,
        Ok(Err(bad_input)) => {
            eprintln!("unreach: {bad_input}");
            Exit::BadInput
        }
        Err(_) => Exit::InternalError,
    };
    match cli::terminal::lost_output() {
        Some(why) => {
            eprintln!("unreach: standard output: cannot be written: {why}");
            Exit::BadInput
        }
        None => exit,
    }
    .into()
}
