//! `unreach completions` and `unreach man`: generated from the definition of the command line, so they cannot differ from it.

use crate::cli::arguments::{Arguments, Completions, Man};
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use clap::CommandFactory;

pub(crate) fn completions(job: &Completions) -> Result<Exit, BadInput> {
    clap_complete::generate(job.shell, &mut Arguments::command(), "unreach", &mut std::io::stdout());
    Ok(Exit::Success)
}

pub(crate) fn man(job: &Man) -> Result<Exit, BadInput> {
    clap_mangen::generate_to(Arguments::command(), &job.folder)
        .map_err(|error| BadInput::Unwritable(job.folder.clone(), error))?;
    Ok(Exit::Success)
}
