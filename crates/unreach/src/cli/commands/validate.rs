//! `unreach validate`: is a witness right?

use crate::cli::arguments::Validate;
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::limits;
use crate::cli::terminal::{failed, line};
use evidence::witness::{self, Witness};
use std::path::Path;
use std::sync::Arc;
use unreach::problem::read_property;
use unreach::property::Listed;
use unreach::validate::{Confirmation, Validation, validate};
use unreach::{Language, Limits, Plan, Problem, Property, Silent, input, property};

/// What there are no witnesses for.
const TEMPORAL: &str = "a witness of a temporal property";

pub(crate) fn run(job: &Validate) -> Result<Exit, BadInput> {
    let witness = read(&job.witness)?;
    if Language::of_path(&job.file)? != Language::C {
        return Err(BadInput::WitnessElsewhere);
    }
    let property = match &job.spec {
        Some(path) => read_property(path)?.and_then(|asked| match (asked.ltl, asked.observer) {
            (None, None) => Ok((Listed { property: asked.property, checks: asked.checks }, asked.entry)),
            _ => Err(TEMPORAL.to_owned()),
        }),
        // Without a property file the witness says what it is about; if it does not, assertions are meant.
        None => match witness.specification.as_deref().map(property::parse) {
            Some(Err(property::PropertyError::Unsupported(what))) => Err(what),
            Some(Err(property::PropertyError::Temporal(_) | property::PropertyError::Caret(_))) => {
                Err(TEMPORAL.to_owned())
            }
            Some(Ok(listed)) => Ok((listed, None)),
            Some(Err(property::PropertyError::Malformed)) | None => Ok((Property::Assert.into(), None)),
        },
    };
    let (Listed { property, checks }, entry) = match property {
        Ok((listed, _)) if listed.checks.contains(c::Check::DataRace) => {
            return Ok(unknown("unsupported: a witness about races and other properties at once"));
        }
        Ok(asked) => asked,
        Err(what) => return Ok(unknown(&format!("unsupported: {what}"))),
    };
    let data_model = job.data_model.map(Into::into).or(witness.data_model);
    let mut problem = Problem::read(&job.file)?;
    problem.property = property;
    problem.c.checks = checks;
    problem.c.entry = entry;
    problem.c.data_model = data_model.unwrap_or_default();
    let limits = Limits { time: job.timeout, memory: None };
    let (budget, watchdog) = limits::budget(limits, |limit| {
        unknown(&limit.to_string());
        std::process::exit(Exit::Unknown as i32);
    });
    let validation = validate(&problem, &witness, &Plan::default(), &budget, Arc::new(Silent));
    drop(watchdog);
    Ok(match validation {
        Ok(Validation::Confirmed(how)) => {
            line(match how {
                Confirmation::Inductive => {
                    "CONFIRMED (the invariants are inductive, and the property follows)"
                }
                Confirmation::Found => "CONFIRMED",
            });
            Exit::Success
        }
        Ok(Validation::Rejected(why)) => {
            line(&format!("REJECTED ({why})"));
            Exit::Unsafe
        }
        Ok(Validation::Unknown(why)) => unknown(&why),
        Err(failure) => failed(failure),
    })
}

/// `unreach lint`: is a file a witness?
pub(crate) fn lint(path: &Path) -> Result<Exit, BadInput> {
    let witness = read(path)?;
    if let Some(omission) = witness.omissions.first() {
        return Err(BadInput::NoWitness(path.to_owned(), omission.to_string()));
    }
    let kind = match witness.kind {
        witness::Kind::Correctness => "correctness",
        witness::Kind::Violation => "violation",
    };
    line(&format!("VALID ({kind} witness, format version {})", witness.version));
    for gap in &witness.gaps {
        line(&format!("not checked by `unreach validate`: {gap}"));
    }
    Ok(Exit::Success)
}

fn read(path: &Path) -> Result<Witness, BadInput> {
    let text = input::read_program(path)?;
    witness::read(&text).map_err(|malformed| BadInput::NoWitness(path.to_owned(), malformed.to_string()))
}

fn unknown(why: &str) -> Exit {
    line(&format!("UNKNOWN ({why})"));
    Exit::Unknown
}
