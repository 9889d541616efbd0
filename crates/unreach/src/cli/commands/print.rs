//! `unreach print`: what a stage of the pipeline makes of a program.

use super::problem;
use crate::cli::arguments::{Print, Stage};
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::terminal::{emit, failed, line, show};
use base::{FileId, SourceMap};
use logic::Terms;
use unreach::observed::caret::{self, Caret, NoCaret};
use unreach::observed::{self, ObserverFile};
use unreach::problem::{Temporal, read_property};
use unreach::view::{BitOperations, NoView, View};
use unreach::{Budget, FIRST_PRODUCT, InputError, Language, Reason, input};

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
            show(sources, &messages);
            emit(&boogie::print::ast(&parsed.ast));
            if messages.is_empty() { Exit::Success } else { Exit::BadInput }
        }),
        Stage::Property => property(job),
        Stage::Ir => with_view(job, |view| {
            emit(&view.program.to_string());
            Exit::Success
        }),
        Stage::Program | Stage::Chc => with_view(job, |view| {
            if !view.is_concurrent() {
                return automaton(job, &view);
            }
            match view.product(FIRST_PRODUCT, &Budget::unlimited()) {
                Ok(product) => automaton(job, &product),
                Err(reason) => unknown(&reason),
            }
        }),
    }
}

/// The automaton of a property.
fn property(job: &Print) -> Result<Exit, BadInput> {
    let asked = match read_property(&job.file)? {
        Ok(asked) => asked,
        Err(unsupported) => return Ok(unknown(&Reason::Unsupported(unsupported))),
    };
    let text = match (&asked.observer, &asked.ltl) {
        (Some(ObserverFile { formula: Some(formula), .. }), _) => match caret::read(formula) {
            Ok(Caret { formulas, automaton }) if job.dot => automaton.dot(&formulas),
            Ok(Caret { formulas, automaton }) => automaton.text(&formulas),
            Err(NoCaret::Unsupported(what)) => return Ok(unknown(&Reason::Unsupported(what))),
            Err(NoCaret::Malformed(_, why)) => {
                return Err(InputError::Malformed(job.file.clone(), why).into());
            }
        },
        (Some(file), _) => match observed::read(file) {
            Ok(observer) if job.dot => property::observer::dot(&observer),
            Ok(observer) => property::observer::text(&observer),
            Err(failure) => return Ok(failed(failure)),
        },
        (None, Some(Temporal::Formula(formula))) => {
            let (mut formulas, formula) = property::ltl::parse(formula)
                .map_err(|why| InputError::Malformed(job.file.clone(), why.to_string()))?;
            let negation = formulas.not(formula);
            match property::ltl::Automaton::of(&formulas, negation) {
                Some(automaton) if job.dot => automaton.dot(&formulas),
                Some(automaton) => format!("what violates the property: {}", automaton.text(&formulas)),
                None => {
                    let what = "a temporal property with so large an automaton".to_owned();
                    return Ok(unknown(&Reason::Unsupported(what)));
                }
            }
        }
        (None, Some(Temporal::InProgram)) => "the formula stands in the program\n".to_owned(),
        (None, None) => format!("{}: built in, without an automaton of its own\n", asked.property),
    };
    emit(&text);
    Ok(Exit::Success)
}

fn with_view(job: &Print, print: impl FnOnce(View) -> Exit) -> Result<Exit, BadInput> {
    let problem = match problem(&job.file, &job.more, job.spec.as_deref(), &job.c)? {
        Ok(problem) => problem,
        Err(unsupported) => return Ok(unknown(&Reason::Unsupported(unsupported))),
    };
    Ok(match View::new(&problem, BitOperations::Marked) {
        Ok(view) => {
            show(&view.sources, &view.warnings);
            print(view)
        }
        Err(NoView::Unknown(reason)) => unknown(&reason),
        Err(NoView::Failure(failure)) => failed(failure),
    })
}

fn unknown(reason: &Reason) -> Exit {
    line(&format!("UNKNOWN ({reason})"));
    Exit::Unknown
}

/// The stages behind the intermediate language.
fn automaton(job: &Print, view: &View) -> Exit {
    let mut terms = Terms::new();
    let single = match program::build(&view.program, &mut terms) {
        Ok(program) => program,
        Err(diagnostic) => {
            show(&view.sources, &[diagnostic]);
            return Exit::BadInput;
        }
    };
    let single = transform::trim(single);
    let blocks = transform::compose(&single, job.blocks.into(), &mut terms).program;
    let text = match job.stage {
        Stage::Chc => match engines::horn::WholeProgram::of(&blocks).exact_problem(&blocks, &mut terms) {
            Ok(problem) => smt::horn::script(&terms, &problem.clauses),
            Err(refused) => return unknown(&Reason::Unsupported(refused.to_string())),
        },
        _ if job.dot => program::print::dot(&view.program, &blocks, &terms, &view.sources),
        _ => program::print::text(&view.program, &blocks, &terms, &view.sources),
    };
    emit(&text);
    Exit::Success
}

/// For the stages that come before the languages meet.
fn with_source(job: &Print, show: impl FnOnce(&SourceMap, FileId) -> Exit) -> Result<Exit, BadInput> {
    let text = input::read_program(&job.file)?;
    match Language::of_path(&job.file)? {
        Language::Boogie => {
            let mut sources = SourceMap::new();
            let file = sources.add(job.file.display().to_string(), text);
            Ok(show(&sources, file))
        }
        Language::C | Language::SvLib => Err(InputError::UnknownLanguage(job.file.clone()).into()),
    }
}
