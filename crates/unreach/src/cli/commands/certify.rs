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
use certify::format::{self, ReadError};
use certify::{Refusal, unwinding};
use logic::Terms;
use smt::Solver;
use smt::process::{ProcessOptions, ProcessSession};
use smt::z3::Z3;
use unreach::termination::{self, NotAccepted};
use unreach::view::{NoView, NotAgain, View};
use unreach::{Budget, Limits, Reason, input};

pub(crate) fn run(job: &Certify) -> Result<Exit, BadInput> {
    let limits = Limits { time: job.timeout, memory: limits::memory(job.memory) };
    let (budget, _watchdog) = limits::budget(limits, |limit| {
        unknown(&limit);
        std::process::exit(Exit::Unknown as i32);
    });
    let text = input::read_program(&job.certificate)?;
    let problem = match problem(&job.file, &job.more, job.spec.as_deref(), &job.c)? {
        Ok(problem) => problem,
        Err(unsupported) => return Ok(unknown(&Reason::Unsupported(unsupported))),
    };
    let no_certificate = |what: String| BadInput::NoCertificate(job.certificate.clone(), what);
    if termination::is_certificate(&text) {
        let mut solver = solver(job, &budget);
        return match termination::certify(&problem, &text, solver.as_mut(), &budget) {
            Ok(()) => Ok(said(Ok(()))),
            Err(NotAccepted::Refused(refusal)) => Ok(said::<()>(Err(refusal))),
            Err(NotAccepted::Malformed(what)) => Err(no_certificate(what)),
            Err(NotAccepted::OtherProgram) => Ok(refused(&ReadError::OtherProgram)),
            Err(NotAccepted::NoView(NoView::Unknown(reason))) => Ok(unknown(&reason)),
            Err(NotAccepted::NoView(NoView::Failure(failure))) => Ok(failed(failure)),
        };
    }
    let made = match format::made(&text) {
        Ok(made) => made,
        Err(ReadError::Malformed(what)) => return Err(no_certificate(what)),
        Err(error @ ReadError::OtherProgram) => return Ok(refused(&error)),
    };
    let view = match View::again(&problem, &made, &budget) {
        Ok(view) => view,
        Err(NotAgain::Otherwise(what)) => {
            return Ok(refused(&format!("the certificate is another's: {what}")));
        }
        Err(NotAgain::NoView(NoView::Unknown(reason))) => return Ok(unknown(&reason)),
        Err(NotAgain::NoView(NoView::Failure(failure))) => return Ok(failed(failure)),
    };
    if unwinding::is_unwinding(&text) {
        return match unwinding::read(&view.program, &text) {
            Ok(read) => Ok(said(certify::check_unwinding(&view.program, &read, &budget))),
            Err(ReadError::Malformed(what)) => Err(no_certificate(what)),
            Err(error @ ReadError::OtherProgram) => Ok(refused(&error)),
        };
    }
    let mut terms = Terms::new();
    let subject = match view.subject(&mut terms) {
        Ok(subject) => subject,
        Err(NoView::Unknown(reason)) => return Ok(unknown(&reason)),
        Err(NoView::Failure(failure)) => return Ok(failed(failure)),
    };
    let certificate = match format::read(&view.program, &subject, &text, &mut terms) {
        Ok(certificate) => certificate,
        Err(ReadError::Malformed(what)) => return Err(no_certificate(what)),
        Err(error @ ReadError::OtherProgram) => return Ok(refused(&error)),
    };
    let mut solver = solver(job, &budget);
    let checked = certify::check_proof(&subject, &certificate, &mut terms, solver.as_mut(), &budget);
    Ok(said(checked))
}

/// The solver that answers the queries of the check.
fn solver(job: &Certify, budget: &Budget) -> Box<dyn Solver> {
    match &job.solver {
        Some(command) => Box::new(ProcessSession::new(ProcessOptions::command(command), budget)),
        None => Box::new(Z3::new(budget).session()),
    }
}

/// The word for what a check came to.
fn said<T>(checked: Result<T, Refusal>) -> Exit {
    match checked {
        Ok(_) => {
            line("ACCEPTED");
            Exit::Success
        }
        Err(undecided @ (Refusal::Undecided(..) | Refusal::Interrupted(_))) => unknown(&undecided),
        Err(refusal) => refused(&refusal),
    }
}

fn unknown(why: &dyn std::fmt::Display) -> Exit {
    line(&format!("UNKNOWN ({why})"));
    Exit::Unknown
}

fn refused(why: &dyn std::fmt::Display) -> Exit {
    line(&format!("REFUSED ({why})"));
    Exit::Unsafe
}
