//! `unreach reach`: the paper's own question ("Leaping Loops in the Presence of Abstraction", Section 4). Is a state of
//! one predicate weakly reachable from a state of another?
//!
//! The first predicate is about the beginning of a procedure's body, where everything else is arbitrary; the second is
//! about a line of it, or about its end. The question is put into the program as an assumption and an assertion, on
//! lines that exist, so that places stay what they are; then leaps to that one assertion are sought.

use crate::arguments::Reach;
use crate::commands::leaps::{self, Programs};
use crate::engine::{self, Calls};
use crate::input::{self, BadInput};
use crate::outcome::Exit;
use crate::report::{Answer, Report};
use crate::source::{self, Loaded};
use base::budget::Limits;
use base::{Budget, FileId, Interrupted, SourceMap};
use boogie::ast::{Ast, Body, Declaration, StatementId, StatementKind};
use logic::Terms;
use program::{Error, Reason, Verdict};
use smt::Solvers;
use std::time::Duration;

/// How long a run may take to come back by itself after a limit.
const GRACE: Duration = Duration::from_millis(300);

pub(crate) fn run(job: &Reach) -> Result<Exit, BadInput> {
    let text = input::read_program(&job.file)?;
    if source::language(&job.file)? != source::Language::Boogie {
        let why = "questions can be asked about Boogie programs only".to_owned();
        return Err(BadInput::NoQuestion(job.file.clone(), why));
    }
    let mut sources = SourceMap::new();
    let file = sources.add(job.file.display().to_string(), text);
    let asked = match ask(job, &sources, file) {
        Ok(asked) => asked,
        Err(why) => return Err(BadInput::NoQuestion(job.file.clone(), why)),
    };
    let loaded = match source::load_boogie_text(job.file.display().to_string(), asked.text) {
        Ok(loaded) => loaded,
        Err(error) => return error.exit(),
    };
    let report = Report::of_question(job.json, job.stats);
    let budget = Budget::unlimited();
    let last_word = report.clone();
    let limits = Limits { time: job.timeout, memory: None };
    let watchdog = budget.watch(limits, GRACE, move |limit| last_word.overrun(limit));
    let answer = decide(&loaded, asked.assertion, &budget, &report);
    drop(watchdog);
    Ok(report.finish(&loaded, answer))
}

/// The program with the question in it.
struct Asked {
    text: String,
    /// Where the assertion is.
    assertion: (u32, u32),
}

fn ask(job: &Reach, sources: &SourceMap, file: FileId) -> Result<Asked, String> {
    let text = &sources.file(file).text;
    let parsed = boogie::parse(file, text);
    // Mistakes of the program itself are shown when the program with the question is read.
    let line = |offset: u32| sources.line_column(base::Span::new(file, offset, offset)).line;
    let bodies: Vec<&Body> = bodies(&parsed.ast);
    let mut chosen = bodies.iter().filter(|body| match job.at {
        Some(at) => body.statements.first().is_some_and(|&first| {
            (line(parsed.ast.statements[first].span.start)..=line(body.end.start)).contains(&at)
        }),
        None => true,
    });
    let (Some(body), None) = (chosen.next(), chosen.next()) else {
        return Err("no procedure, or more than one, is meant; name a line with --at".to_owned());
    };
    let start =
        body.statements.first().map_or(body.end.start, |&first| parsed.ast.statements[first].span.start);
    let place = match job.at {
        None => Place::Before(body.end.start),
        Some(at) => place(&parsed.ast, &body.statements, |offset| line(offset) == at)
            .ok_or_else(|| format!("no statement begins on line {at}"))?,
    };
    let from = format!("assume ({}); ", job.from);
    let (position, to) = match place {
        Place::Before(position) => (position, format!("assert !({}); ", job.to)),
        Place::AtHead(position) => (position, format!(" invariant !({}); ", job.to)),
    };
    let (start, position) = (start as usize, position as usize);
    let changed = [&text[..start], &from, &text[start..position], &to, &text[position..]].concat();
    let begin = u32::try_from(position + from.len()).map_err(|_| "the program is too large".to_owned())?;
    Ok(Asked { text: changed, assertion: (begin, begin + to.len() as u32) })
}

fn bodies<'a>(ast: &'a Ast<'_>) -> Vec<&'a Body> {
    let bodies = ast.declarations.iter().filter_map(|declaration| match declaration {
        Declaration::Procedure(procedure) => procedure.body.as_ref(),
        Declaration::Implementation(_, body) => Some(body),
        _ => None,
    });
    bodies.collect()
}

/// Where the assertion is to be put.
enum Place {
    /// Before a statement.
    Before(u32),
    /// Behind the condition of a loop, to be checked whenever control is there.
    AtHead(u32),
}

/// The first statement whose beginning is meant.
fn place(ast: &Ast<'_>, statements: &[StatementId], meant: impl Fn(u32) -> bool) -> Option<Place> {
    let mut pending: Vec<StatementId> = statements.iter().rev().copied().collect();
    while let Some(id) = pending.pop() {
        let statement = &ast.statements[id];
        let is_loop = matches!(statement.kind, StatementKind::While { .. });
        if meant(statement.span.start) && !matches!(statement.kind, StatementKind::Label(_)) {
            let (start, end) = (statement.span.start, statement.span.end);
            return Some(if is_loop { Place::AtHead(end) } else { Place::Before(start) });
        }
        match &statement.kind {
            StatementKind::If { then, otherwise, .. } => {
                pending.extend(otherwise.iter().flat_map(|list| list.iter().rev()));
                pending.extend(then.iter().rev());
            }
            StatementKind::While { body, .. } => pending.extend(body.iter().rev()),
            _ => {}
        }
    }
    None
}

fn decide(loaded: &Loaded, (start, end): (u32, u32), budget: &Budget, report: &Report) -> Answer {
    let mut terms = Terms::new();
    let single = match program::build(&loaded.program, &mut terms) {
        Ok(single) => single,
        Err(diagnostic) => {
            let place = loaded.sources.place(diagnostic.span);
            return Answer::Unknown(Reason::Unsupported(format!("{} at {place}", diagnostic.message)));
        }
    };
    let mut single = match crate::arguments::Engine::Leaping.prepare(single, Calls::Kept, &mut terms) {
        Ok(prepared) => prepared,
        Err(reason) => return Answer::Unknown(reason),
    };
    program::trim::trim(&mut single);
    let meant = |error: &Error| (start..end).contains(&single.errors[*error].condition.start);
    let errors: Vec<Error> = single.errors.keys().filter(meant).collect();
    let blocks = program::blocks::compose(&single, program::BlockSize::LoopFree, &mut terms);
    let solvers = Solvers::new(budget);
    let (verdict, counted) =
        engine::leaping((&single, &blocks.program), &errors, &mut terms, &solvers, budget);
    report.statistics(&counted.text.concat());
    match verdict {
        Ok(Verdict::Leaps(evidence)) => {
            let programs = Programs { source: &loaded.program, single: &single, blocks: &blocks.program };
            leaps::accepted(&programs, &evidence, &mut terms, (&solvers, budget))
        }
        Ok(Verdict::Unknown(reason)) => Answer::Unknown(reason),
        Ok(_) => Answer::Internal("leaping proved or traced something".to_owned()),
        Err(Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
    }
}
