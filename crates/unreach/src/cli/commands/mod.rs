//! One file per verb.

pub(crate) mod automata;
pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod lsp;
pub(crate) mod pages;
pub(crate) mod print;
pub(crate) mod reach;
pub(crate) mod script;
pub(crate) mod serve;
pub(crate) mod validate;
pub(crate) mod verify;

use super::arguments::CArguments;
use super::bad_input::BadInput;
use std::path::{Path, PathBuf};
use unreach::problem::{Asked, Temporal, read_property};
use unreach::{CSettings, Problem};

/// The models that a command line names.
fn models(c: &CArguments) -> Result<Vec<(String, String)>, BadInput> {
    let mut models = Vec::new();
    for folder in &c.models {
        models.extend(unreach::models::read(folder)?);
    }
    Ok(models)
}

/// The problem that a command line asks about, or the name of a property that is not checked.
fn problem(
    file: &Path,
    more: &[PathBuf],
    spec: Option<&Path>,
    c: &CArguments,
) -> Result<Result<Problem, String>, BadInput> {
    if c.lists_contracts() {
        return Err(BadInput::ListElsewhere);
    }
    let nothing = match c.property(spec) {
        Ok(property) => Asked::of(property),
        Err(unsupported) => return Ok(Err(unsupported)),
    };
    let asked = match spec.map_or(Ok(Ok(nothing)), read_property)? {
        Ok(asked) => asked,
        Err(unsupported) => return Ok(Err(unsupported)),
    };
    let mut settings = CSettings {
        data_model: c.data_model.into(),
        checks: c.checks(spec).and(asked.checks),
        bodyless: c.bodyless.into(),
        may_fail: c.may_fail(),
        made_from: None,
        wrap: c.wrap,
        more: Vec::new(),
        models: models(c)?,
        entry: c.function.clone().or(asked.entry),
        include: c.include.clone(),
        include_within: c.include_within.clone(),
        included: Vec::new(),
        define: c.define.clone(),
        standard: Some(c.std.clone()),
        contracts: c.contracts(),
    };
    let mut problem = match &c.cpp {
        Some(command) => Problem::read_preprocessed(file, command, &mut settings)?,
        None => Problem::read(file)?,
    };
    problem.property = asked.property;
    problem.listed = asked.checks;
    problem.observer = asked.observer;
    match asked.ltl {
        None => {}
        Some(Temporal::Formula(formula)) => problem.ltl = Some(formula),
        Some(Temporal::InProgram) => {
            problem.ltl = unreach::temporal::in_comment(problem.text());
            if problem.ltl.is_none() {
                return Err(BadInput::NoFormula(file.to_owned()));
            }
        }
    }
    problem.c = settings;
    for path in more {
        problem.add_file(path, c.cpp.as_deref())?;
    }
    unreach::models::add(&mut problem);
    for path in &c.lib {
        problem.add_library(path)?;
    }
    Ok(Ok(problem))
}

/// What earlier runs have left in a folder, if one is named.
fn reuse(folder: Option<&Path>) -> Result<Option<unreach::Reuse>, BadInput> {
    let open = |folder: &Path| {
        unreach::Reuse::folder(folder).map_err(|error| BadInput::Unwritable(folder.to_owned(), error))
    };
    folder.map(open).transpose()
}
