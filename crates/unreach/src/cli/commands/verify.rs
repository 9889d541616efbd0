//! `unreach verify`: from a program to a verdict with evidence.

use super::problem;
use crate::cli::arguments::Verify;
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::limits;
use crate::cli::terminal::{Terminal, failed, line};
use std::path::Path;
use std::sync::Arc;
use unreach::{Answer, Decision, Language, Limits};

pub(crate) fn run(job: &Verify) -> Result<Exit, BadInput> {
    if job.harness.is_some() && Language::of_path(&job.file)? != Language::C {
        return Err(BadInput::HarnessElsewhere);
    }
    if job.review().is_some() && Language::of_path(&job.file)? != Language::Boogie {
        return Err(BadInput::ReviewElsewhere);
    }
    if job.review().is_some() && job.certificate.is_some() {
        return Err(BadInput::CertificateOfReview);
    }
    let problem = match problem(&job.file, &job.more, job.spec.as_deref(), &job.c)? {
        Ok(problem) => problem,
        Err(unsupported) => {
            line(&format!("UNKNOWN (unsupported: {unsupported})"));
            return Ok(Exit::Unknown);
        }
    };
    let terminal = Terminal::new(problem.property, job.json, job.stats);
    let last_word = terminal.clone();
    let limits =
        Limits { time: job.timeout, memory: job.memory.map(|mb| mb << 20).or_else(limits::default_memory) };
    let (budget, watchdog) = limits::budget(limits, move |limit| last_word.overrun(limit));
    if let Some(wish) = job.review() {
        let review = unreach::review::review(&problem, &wish, &job.plan(), &budget, &terminal.observer());
        drop(watchdog);
        return match review {
            Ok(Ok(review)) if review.procedures.is_empty() => Err(BadInput::NoProcedure(job.file.clone())),
            Ok(Ok(review)) => Ok(terminal.reviewed(&review)),
            Ok(Err(reason)) => Ok(terminal.finish(&Decision::of_reason(reason))),
            Err(failure) => Ok(failed(failure)),
        };
    }
    let decision = unreach::verify(&problem, &job.plan(), &budget, Arc::new(terminal.clone()));
    drop(watchdog);
    let decision = match decision {
        Ok(decision) => decision,
        Err(failure) => return Ok(failed(failure)),
    };
    let certificate = match &decision.answer {
        Answer::Safe(safe) => safe.certificate.as_ref(),
        Answer::Terminates(terminates) => terminates.certificate.as_ref(),
        Answer::Infinite(infinite) => infinite.certificate.as_ref(),
        Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Unknown(_) => None,
    };
    if let (Some(path), Some(text)) = (&job.certificate, certificate) {
        std::fs::write(path, text).map_err(|error| BadInput::Unwritable(path.clone(), error))?;
    }
    if let Some(path) = &job.harness {
        write_harness(path, &decision)?;
    }
    Ok(terminal.finish(&decision))
}

/// Writes the test that leads the program into its error, if there is one to be written.
fn write_harness(path: &Path, decision: &Decision) -> Result<(), BadInput> {
    let execution = match &decision.answer {
        Answer::Unsafe(execution) => Some(execution),
        Answer::Leaps(leaps) => leaps.execution.as_ref(),
        Answer::Safe(_) | Answer::Terminates(_) | Answer::Infinite(_) | Answer::Unknown(_) => None,
    };
    let (Some(view), Some(execution)) = (&decision.view, execution) else { return Ok(()) };
    let Some(back) = &view.back else { return Ok(()) };
    if view.threads.is_some() {
        eprintln!("unreach: no test: a test cannot tell threads in which order to run");
        return Ok(());
    }
    let number = |(variable, value): &(ir::Variable, ir::interpreter::Value)| match value {
        // A floating number goes by its bit pattern.
        ir::interpreter::Value::Bits(bits) => Some((*variable, bits.unsigned().into())),
        value => Some((*variable, value.as_int()?.to_big())),
    };
    let inputs: Vec<_> = execution.inputs.iter().chain(&execution.choices).filter_map(number).collect();
    let Some(test) = c::harness(back, &view.sources, &inputs) else {
        eprintln!("unreach: no test: an assertion cannot be said in C");
        return Ok(());
    };
    std::fs::write(path, test).map_err(|error| BadInput::Unwritable(path.to_owned(), error))
}
