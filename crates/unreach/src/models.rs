//! Models that users write: C files with functions that their program calls and does not define.
//!
//! A file of the folder becomes part of the program if the program defines none of its functions, so that a model stands in only
//! where something is missing. A model of a library function replaces the built-in one.

use crate::input::{self, InputError};
use crate::problem::Problem;
use crate::project;
use std::collections::BTreeSet;
use std::path::Path;

/// The C files of a folder, in the order of their names.
pub fn read(folder: &Path) -> Result<Vec<(String, String)>, InputError> {
    let unreadable = |error| InputError::Unreadable(folder.to_owned(), error);
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut paths =
        entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths.iter().map(|path| Ok((path.display().to_string(), input::read_c(path)?))).collect()
}

/// Adds the models of the settings to a program, as far as it does not define their functions itself.
pub fn add(problem: &mut Problem) {
    if problem.c.models.is_empty() {
        return;
    }
    let mut defined = defined_in(problem, problem.text());
    for (_, text) in &problem.c.more {
        defined.extend(defined_in(problem, text));
    }
    for (name, text) in std::mem::take(&mut problem.c.models) {
        // One with mistakes is added, so that they are told.
        if defined_in(problem, &text).is_disjoint(&defined) {
            problem.c.more.push((name, text));
        }
    }
}

/// The names of the functions that a text defines; none if it has mistakes.
fn defined_in(problem: &Problem, text: &str) -> BTreeSet<String> {
    let mut alone = Problem::c("model.c", text);
    alone.c = problem.c.clone();
    let found = project::functions(&alone);
    found
        .map(|(_, found)| found.functions.into_iter().map(|function| function.name).collect())
        .unwrap_or_default()
}
