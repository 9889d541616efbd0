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
use certify::{NotASubject, Refusal, Subject, unwinding};
use logic::Terms;
use smt::Solver;
use smt::process::{ProcessOptions, ProcessSession};
use smt::z3::Z3;
use unreach::view::{BitOperations, NoView, NotAgain, View};
use unreach::{Budget, FIRST_PRODUCT, Failure, Limits, Problem, Reason, input};

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
    if unwinding::is_unwinding(&text) {
        return check_unwinding(job, &problem, &text, &budget);
    }
    let no_certificate = |what: String| BadInput::NoCertificate(job.certificate.clone(), what);
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
    let mut terms = Terms::new();
    let subject = match Subject::new(&view.program, &mut terms) {
        Ok(subject) => subject,
        Err(why @ NotASubject::IllFormed(..)) => return Ok(failed(Failure::Internal(why.to_string()))),
        Err(NotASubject::NotExpressible(diagnostic)) => {
            let what = format!("{} at {}", diagnostic.message, view.sources.place(diagnostic.span));
            return Ok(unknown(&Reason::Unsupported(what)));
        }
    };
    let certificate = match format::read(&view.program, &subject, &text, &mut terms) {
        Ok(certificate) => certificate,
        Err(ReadError::Malformed(what)) => return Err(no_certificate(what)),
        Err(error @ ReadError::OtherProgram) => return Ok(refused(&error)),
    };
    let mut solver: Box<dyn Solver> = match &job.solver {
        Some(command) => Box::new(ProcessSession::new(ProcessOptions::command(command), &budget)),
        None => Box::new(Z3::new(&budget).session()),
    };
    let checked = certify::check_proof(&subject, &certificate, &mut terms, solver.as_mut(), &budget);
    Ok(said(checked))
}

/// A proof by unwinding is about the program with its bit operations bounded, or exact: its digest tells.
fn check_unwinding(job: &Certify, problem: &Problem, text: &str, budget: &Budget) -> Result<Exit, BadInput> {
    for operations in [BitOperations::Marked, BitOperations::Exact] {
        let view = match View::new(problem, operations) {
            Ok(view) if view.is_concurrent() => view.product(FIRST_PRODUCT, budget).map_err(NoView::Unknown),
            view => view,
        };
        let view = match view {
            Ok(view) => view,
            Err(NoView::Unknown(reason)) => return Ok(unknown(&reason)),
            Err(NoView::Failure(failure)) => return Ok(failed(failure)),
        };
        match unwinding::read(&view.program, text) {
            Ok(read) => return Ok(said(certify::check_unwinding(&view.program, &read, budget))),
            Err(ReadError::OtherProgram) => {}
            Err(ReadError::Malformed(what)) => {
                return Err(BadInput::NoCertificate(job.certificate.clone(), what));
            }
        }
    }
    Ok(refused(&ReadError::OtherProgram))
}

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
