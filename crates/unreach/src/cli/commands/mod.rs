//! One file per verb.

pub(crate) mod automata;
pub(crate) mod bench;
pub(crate) mod certify;
pub(crate) mod print;
pub(crate) mod reach;
pub(crate) mod validate;
pub(crate) mod verify;

use super::arguments::CArguments;
use super::bad_input::BadInput;
use std::path::Path;
use unreach::problem::read_property;
use unreach::{Problem, Property};

/// The problem that a command line asks about, or the name of a property that is not checked.
fn problem(file: &Path, spec: Option<&Path>, c: &CArguments) -> Result<Result<Problem, String>, BadInput> {
    let property = match spec.map_or(Ok(Ok(Property::Assert)), read_property)? {
        Ok(property) => property,
        Err(unsupported) => return Ok(Err(unsupported)),
    };
    let mut problem = match &c.cpp {
        Some(command) => Problem::read_preprocessed(file, command)?,
        None => Problem::read(file)?,
    };
    problem.property = property;
    problem.data_model = c.data_model.into();
    Ok(Ok(problem))
}
