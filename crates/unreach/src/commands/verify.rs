//! `unreach verify`: from a program to a verdict with evidence.

use crate::arguments::Verify;
use crate::input::{self, BadInput};
use crate::outcome::Exit;

pub(crate) fn run(job: &Verify) -> Result<Exit, BadInput> {
    input::read_program(&job.file)?;
    Err(BadInput::UnknownLanguage(job.file.clone()))
}
