//! `unreach print`: what a stage of the pipeline makes of a program.

use crate::arguments::Print;
use crate::input::{self, BadInput};
use crate::outcome::Exit;

pub(crate) fn run(job: &Print) -> Result<Exit, BadInput> {
    input::read_program(&job.file)?;
    Err(BadInput::UnknownLanguage(job.file.clone()))
}
