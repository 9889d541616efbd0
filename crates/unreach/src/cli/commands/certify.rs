//! `unreach certify`: checks a certificate that `unreach verify --certificate` has written, from the program alone.
//!
//! No engine takes part. The program is read and built anew, the certificate is read against it, and the check of
//! crate `certify` decides; with `--solver` another solver answers its queries.

use super::problem;
use crate::cli::arguments::Certify;
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::limits;
use crate::cli::terminal::{failed, line};
use certify::Refusal;
use certify::format::{self, ReadError};
use logic::Terms;
use smt::Solver;
use smt::process::{ProcessOptions, ProcessSession};
use smt::z3::Z3;
use unreach::view::{BitOperations, NoView, View};
use unreach::{CERTIFIED, Limits, Reason, input};

pub(crate) fn run(job: &Certify) -> Result<Exit, BadInput> {
    let limits = Limits { time: job.timeout, memory: None };
    let (budget, _watchdog) = limits::budget(limits, |limit| {
        unknown(&limit);
        std::process::exit(Exit::Unknown as i32);
    });
    let text = input::read_program(&job.certificate)?;
    let problem = match problem(&job.file, job.spec.as_deref(), &job.c)? {
        Ok(problem) => problem,
        Err(unsupported) => return Ok(unknown(&Reason::Unsupported(unsupported))),
    };
    let view = match View::new(&problem, BitOperations::Marked) {
        Ok(view) if view.is_concurrent() => view.product(CERTIFIED, &budget).map_err(NoView::Unknown),
        view => view,
    };
    let view = match view {
        Ok(view) => view,
        Err(NoView::Unknown(reason)) => return Ok(unknown(&reason)),
        Err(NoView::Failure(failure)) => return Ok(failed(failure)),
    };
    let mut terms = Terms::new();
    let program = match program::build(&view.program, &mut terms) {
        Ok(program) => program,
        Err(diagnostic) => {
            let what = format!("{} at {}", diagnostic.message, view.sources.place(diagnostic.span));
            return Ok(unknown(&Reason::Unsupported(what)));
        }
    };
    let program = transform::trim(program);
    let certificate = match format::read(&view.program, &program, &text, &mut terms) {
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
        Ok(_) => {
            line("ACCEPTED");
            Exit::Success
        }
        Err(undecided @ (Refusal::Undecided(..) | Refusal::Interrupted(_))) => unknown(&undecided),
        Err(refusal) => refused(&refusal),
    })
}

fn unknown(why: &dyn std::fmt::Display) -> Exit {
    line(&format!("UNKNOWN ({why})"));
    Exit::Unknown
}

fn refused(why: &dyn std::fmt::Display) -> Exit {
    line(&format!("REFUSED ({why})"));
    Exit::Unsafe
}
