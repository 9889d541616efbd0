//! `unreach print`: what a stage of the pipeline makes of a program.

use super::problem;
use crate::cli::arguments::{Print, Stage};
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::terminal::{emit, failed, line, show};
use base::{FileId, SourceMap};
use logic::Terms;
use property::drawing::Drawing;
use property::ltl::{Automaton, BadPrefixes, Formula, Formulas};
use unreach::observed::caret::{self, Caret, NoCaret};
use unreach::observed::{self, ObserverFile};
use unreach::problem::{Temporal, read_property};
use unreach::report::drawing::svg;
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
    let (text, drawing) = match (&asked.observer, &asked.ltl) {
        (Some(ObserverFile { formula: Some(formula), .. }), _) => match caret::read(formula) {
            Ok(Caret { formulas, automaton }) => (automaton.text(&formulas), automaton.drawing(&formulas)),
            Err(NoCaret::Unsupported(what)) => return Ok(unknown(&Reason::Unsupported(what))),
            Err(NoCaret::Malformed(_, why)) => {
                return Err(InputError::Malformed(job.file.clone(), why).into());
            }
        },
        (Some(file), _) => match observed::read(file) {
            Ok(observer) => shown(&observer),
            Err(failure) => return Ok(failed(failure)),
        },
        (None, Some(Temporal::Formula(formula))) => {
            let (formulas, formula) = property::ltl::parse(formula)
                .map_err(|why| InputError::Malformed(job.file.clone(), why.to_string()))?;
            match temporal(formulas, formula) {
                Some(shown) => shown,
                None => {
                    let what = "a temporal property with so large an automaton".to_owned();
                    return Ok(unknown(&Reason::Unsupported(what)));
                }
            }
        }
        (None, Some(Temporal::InProgram)) => {
            line("the formula stands in the program");
            return Ok(Exit::Success);
        }
        (None, None) => match asked.property.observer(asked.checks) {
            Some(observer) => shown(&observer),
            None => {
                let (every, formulas) = (Automaton::of_everything(), Formulas::default());
                (every.text(&formulas), every.drawing(&formulas))
            }
        },
    };
    match job {
        Print { svg: true, .. } => emit(&svg(&drawing)),
        Print { dot: true, .. } => emit(&drawing.dot()),
        _ => emit(&text),
    }
    Ok(Exit::Success)
}

/// An observer as text and as a picture.
fn shown(observer: &property::observer::Observer) -> (String, Drawing) {
    (property::observer::text(observer), property::observer::drawing(observer))
}

/// The automaton of what violates a temporal formula, as text and as a picture; none if it is too large.
fn temporal(mut formulas: Formulas, formula: Formula) -> Option<(String, Drawing)> {
    if let Some(automaton) = BadPrefixes::of(&formulas, formula) {
        return Some((automaton.text(&formulas), automaton.drawing(&formulas)));
    }
    let negation = formulas.not(formula);
    let automaton = Automaton::of(&formulas, negation)?;
    let text = format!("what violates the property: {}", automaton.text(&formulas));
    Some((text, automaton.drawing(&formulas)))
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
