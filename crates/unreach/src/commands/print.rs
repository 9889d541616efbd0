//! `unreach print`: what a stage of the pipeline makes of a program.

use crate::arguments::{Print, Stage};
use crate::input::{self, BadInput};
use crate::interleaving;
use crate::outcome::Exit;
use crate::source::{self, Language, LoadError, Loaded};
use base::{FileId, SourceMap};
use logic::Terms;
use std::io::Write;

pub(crate) fn run(job: &Print) -> Result<Exit, BadInput> {
    match job.stage {
        Stage::Tokens => with_source(job, |sources, file| {
            emit(&boogie::print::tokens(sources, file));
            Exit::Success
        }),
        Stage::Ast => with_source(job, |sources, file| {
            let parsed = boogie::parse(file, &sources.file(file).text);
            let unsupported = parsed.unsupported.iter().map(boogie::Unsupported::diagnostic);
            let messages: Vec<_> = parsed.errors.iter().cloned().chain(unsupported).collect();
            source::show(sources, &messages);
            emit(&boogie::print::ast(&parsed.ast));
            if messages.is_empty() { Exit::Success } else { Exit::BadInput }
        }),
        Stage::Ir => match load(job)? {
            Ok(loaded) => {
                emit(&loaded.program.to_string());
                Ok(Exit::Success)
            }
            Err(error) => error.exit(),
        },
        Stage::Program | Stage::Chc => match load(job)?.and_then(interleaving::first_product) {
            Ok(loaded) => Ok(automaton(job, &loaded)),
            Err(error) => error.exit(),
        },
    }
}

fn load(job: &Print) -> Result<Result<Loaded, LoadError>, BadInput> {
    Ok(match source::read_property(job.spec.as_deref())? {
        Ok(property) => source::load(&job.file, &job.c, &property),
        Err(unsupported) => Err(LoadError::Unsupported(unsupported)),
    })
}

/// The stages behind the intermediate language.
fn automaton(job: &Print, loaded: &Loaded) -> Exit {
    let mut terms = Terms::new();
    let mut single = match program::build(&loaded.program, &mut terms) {
        Ok(program) => program,
        Err(diagnostic) => {
            source::show(&loaded.sources, &[diagnostic]);
            return Exit::BadInput;
        }
    };
    program::trim::trim(&mut single);
    let blocks = program::blocks::compose(&single, job.blocks.into(), &mut terms).program;
    let text = match job.stage {
        Stage::Chc => {
            let problem = engines::horn::WholeProgram::of(&blocks).problem(&blocks, &mut terms);
            smt::horn::script(&terms, &problem.clauses)
        }
        _ if job.dot => program::print::dot(&loaded.program, &blocks, &terms, &loaded.sources),
        _ => program::print::text(&loaded.program, &blocks, &terms, &loaded.sources),
    };
    emit(&text);
    Exit::Success
}

/// For the stages that come before the languages meet.
fn with_source(job: &Print, show: impl FnOnce(&SourceMap, FileId) -> Exit) -> Result<Exit, BadInput> {
    let text = input::read_program(&job.file)?;
    match source::language(&job.file)? {
        Language::Boogie => {
            let mut sources = SourceMap::new();
            let file = sources.add(job.file.display().to_string(), text);
            Ok(show(&sources, file))
        }
        Language::C => Err(BadInput::UnknownLanguage(job.file.clone())),
    }
}

/// Writes to standard output. A closed pipe is the reader's choice, not an error of ours.
fn emit(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}
