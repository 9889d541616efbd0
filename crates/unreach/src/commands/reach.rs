//! `unreach reach`: the paper's own question ("Leaping Loops in the Presence of Abstraction", Section 4). Is a state of
//! one predicate weakly reachable from a state of another?
//!
//! The first predicate is about the beginning of a procedure's body, where everything else is arbitrary; the second is
//! about a line of it, or about its end. The question is put into the program as an assumption and an assertion, on
//! lines that exist, so that places stay what they are; then leaps to that one assertion are sought. A suggested path
//! (Section 4.1) names the loops to leap over. What it says of them is assumed at their heads, which takes executions
//! away and adds none.

use crate::arguments::{Engine, Reach, Waypoint};
use crate::commands::leaps::{self, Programs};
use crate::engine::{self, Calls, Goal};
use crate::input::{self, BadInput};
use crate::outcome::Exit;
use crate::report::{Answer, Report};
use crate::source::{self, Loaded};
use base::budget::Limits;
use base::{Budget, FileId, Interrupted, SourceMap};
use boogie::ast::{Ast, Body, Declaration, StatementId, StatementKind};
use logic::Terms;
use program::{Error, Location, Program, Reason, Verdict};
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
    let answer = decide(&loaded, job, asked.assertion, (&budget, &report));
    drop(watchdog);
    match answer {
        Ok(answer) => Ok(report.finish(&loaded, answer, Some(Engine::Leaping))),
        Err(why) => Err(BadInput::NoQuestion(job.file.clone(), why)),
    }
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
    let find = |at: u32| {
        place(&parsed.ast, &body.statements, |offset| line(offset) == at)
            .ok_or_else(|| format!("no statement begins on line {at}"))
    };
    let mut insertions = vec![(start, format!("assume ({}); ", job.from))];
    for waypoint in &job.path {
        let place = find(waypoint.line)?;
        if let Some(predicate) = &waypoint.predicate {
            insertions.push(match place {
                Place::Before(position) => (position, format!("assume ({predicate}); ")),
                Place::AtHead(position) => (position, format!(" free invariant ({predicate}); ")),
            });
        }
    }
    let to = match job.at.map_or(Ok(Place::Before(body.end.start)), find)? {
        Place::Before(position) => (position, format!("assert !({}); ", job.to)),
        Place::AtHead(position) => (position, format!(" invariant !({}); ", job.to)),
    };
    insert(text, insertions, to).ok_or_else(|| "the program is too large".to_owned())
}

/// The text with insertions and, behind those at its place, the assertion.
fn insert(text: &str, mut insertions: Vec<(u32, String)>, assertion: (u32, String)) -> Option<Asked> {
    insertions.sort_by_key(|(position, _)| *position);
    let before = insertions.partition_point(|(position, _)| *position <= assertion.0);
    insertions.insert(before, assertion);
    let mut changed = String::with_capacity(2 * text.len());
    let mut done = 0;
    let mut place = 0..0;
    for (number, (position, inserted)) in insertions.iter().enumerate() {
        changed += &text[done..*position as usize];
        done = *position as usize;
        if number == before {
            place = changed.len()..changed.len() + inserted.len();
        }
        changed += inserted;
    }
    changed += &text[done..];
    let assertion = (u32::try_from(place.start).ok()?, u32::try_from(place.end).ok()?);
    Some(Asked { text: changed, assertion })
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

/// The answer to the question whose assertion is there, or why it is none.
fn decide(
    loaded: &Loaded,
    job: &Reach,
    (start, end): (u32, u32),
    (budget, report): (&Budget, &Report),
) -> Result<Answer, String> {
    let mut terms = Terms::new();
    let single = match program::build(&loaded.program, &mut terms) {
        Ok(single) => single,
        Err(diagnostic) => {
            let place = loaded.sources.place(diagnostic.span);
            let what = format!("{} at {place}", diagnostic.message);
            return Ok(Answer::Unknown(Reason::Unsupported(what)));
        }
    };
    let single = match Engine::Leaping.prepare(single, Calls::Kept, &mut terms) {
        Ok(prepared) => prepared,
        Err(reason) => return Ok(Answer::Unknown(reason)),
    };
    let single = transform::trim(single);
    let meant = |error: &Error| (start..end).contains(&single.errors[*error].condition.start);
    let errors: Vec<Error> = single.errors.keys().filter(meant).collect();
    let blocks = transform::compose(&single, transform::BlockSize::LoopFree, &mut terms);
    let through = if job.path.is_empty() { None } else { Some(loops(loaded, &blocks.program, &job.path)?) };
    let solvers = Solvers::new(budget);
    let goal = Goal { errors, through };
    let (verdict, counted) = engine::leaping((&single, &blocks.program), goal, &mut terms, &solvers, budget);
    report.statistics(&counted.text.concat());
    Ok(match verdict {
        Ok(Verdict::Leaps(evidence)) => {
            let programs =
                Programs { source: &loaded.program, single: &single, blocks: &blocks.program, back: None };
            leaps::accepted(&programs, &evidence, &mut terms, (&solvers, budget))
        }
        Ok(Verdict::Unknown(reason)) => Answer::Unknown(reason),
        Ok(_) => Answer::Internal("leaping proved or traced something".to_owned()),
        Err(Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
    })
}

/// A location of each loop that is named by its line.
fn loops(loaded: &Loaded, program: &Program, path: &[Waypoint]) -> Result<Vec<Location>, String> {
    let components = engines::leaping::paths::components(program);
    let head = |waypoint: &Waypoint| {
        let is_meant = |location: &Location| {
            components.members(*location).is_some()
                && loaded.sources.line_column(program.locations[*location].span).line == waypoint.line
        };
        let found = program.locations.keys().find(is_meant);
        found.ok_or_else(|| format!("no loop begins on line {}", waypoint.line))
    };
    path.iter().map(head).collect()
}
