//! `unreach certify`: checks a certificate that `unreach verify --certificate` has written, from the program alone.
//!
//! No engine takes part. The program is read and built anew, the certificate is read against it, and the check of
//! crate `certify` decides; with `--solver` another solver answers its queries.

use crate::arguments::Certify;
use crate::input::{self, BadInput};
use crate::interleaving;
use crate::outcome::Exit;
use crate::source::{self, LoadError};
use base::budget::Limits;
use base::{Budget, Limit};
use certify::Refusal;
use certify::format::{self, ReadError};
use logic::Terms;
use smt::Solver;
use smt::process::{ProcessOptions, ProcessSession};
use smt::z3::Z3;
use std::time::Duration;

/// How long the check may take to come back by itself after a limit.
const GRACE: Duration = Duration::from_millis(300);

pub(crate) fn run(job: &Certify) -> Result<Exit, BadInput> {
    let budget = Budget::unlimited();
    let limits = Limits { time: job.timeout, memory: None };
    let _watchdog = budget.watch(limits, GRACE, |limit| {
        println!("UNKNOWN ({limit})");
        std::process::exit(Exit::Unknown as i32);
    });
    let on_signal = budget.clone();
    // Without a handler Ctrl-C still ends the process, only without an answer.
    let _ = ctrlc::set_handler(move || on_signal.trip(Limit::Cancelled));
    let text = input::read_program(&job.certificate)?;
    let property = match source::read_property(job.spec.as_deref())? {
        Ok(property) => property,
        Err(unsupported) => return LoadError::Unsupported(unsupported).exit(),
    };
    let loaded = source::load(&job.file, &job.c, &property).and_then(interleaving::first_product);
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return error.exit(),
    };
    let mut terms = Terms::new();
    let mut program = match program::build(&loaded.program, &mut terms) {
        Ok(program) => program,
        Err(diagnostic) => {
            let place = loaded.sources.place(diagnostic.span);
            println!("UNKNOWN (unsupported: {} at {place})", diagnostic.message);
            return Ok(Exit::Unknown);
        }
    };
    program::trim::trim(&mut program);
    let certificate = match format::read(&loaded.program, &program, &text, &mut terms) {
        Ok(certificate) => certificate,
        Err(ReadError::Malformed(what)) => {
            return Err(BadInput::NoCertificate(job.certificate.clone(), what));
        }
        Err(error @ ReadError::OtherProgram) => return Ok(refused(&error)),
    };
    let mut solver: Box<dyn Solver> = match &job.solver {
        Some(command) => Box::new(ProcessSession::new(ProcessOptions::command(command), &budget)),
        None => Box::new(Z3::new(&budget).session()),
    };
    let checked = certify::check_proof(&program, &certificate, &mut terms, solver.as_mut(), &budget);
    Ok(match checked {
        Ok(()) => {
            println!("ACCEPTED");
            Exit::Success
        }
        Err(undecided @ (Refusal::Undecided(..) | Refusal::Interrupted(_))) => {
            println!("UNKNOWN ({undecided})");
            Exit::Unknown
        }
        Err(refusal) => refused(&refusal),
    })
}

fn refused(why: &dyn std::fmt::Display) -> Exit {
    println!("REFUSED ({why})");
    Exit::Unsafe
}
