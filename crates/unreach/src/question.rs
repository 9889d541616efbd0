//! The paper's own question ("Leaping Loops in the Presence of Abstraction", Section 4). Is a state of
//! one predicate weakly reachable from a state of another?
//!
//! The first predicate is about the beginning of a procedure's body, where everything else is arbitrary; the second is
//! about a line of it, or about its end. The question is put into the program as an assumption and an assertion, on
//! lines that exist, so that places stay what they are; then leaps to that one assertion are sought. A suggested path
//! (Section 4.1) names the loops to leap over. What it says of them is assumed at their heads, which takes executions
//! away and adds none.

use crate::answer::{Answer, Decision, Failure};
use crate::leaps::{self, Programs};
use crate::plan::Inlining;
use crate::prepared::Prepared;
use crate::problem::Problem;
use crate::view::{BitOperations, NoView, View};
use base::{Budget, FileId, Interrupted, SourceMap};
use boogie::ast::{Ast, Body, Declaration, StatementId, StatementKind};
use engines::table::LEAPING;
use engines::{Counted, Goal, Options, Task};
use logic::Terms;
use program::{Error, Location, Program, Reason, Verdict};
use smt::Solvers;
use std::sync::Arc;

/// A question about a Boogie program.
#[derive(Clone, Debug)]
pub struct Question {
    /// What holds at the beginning of the procedure's body.
    pub from: String,
    /// What shall hold later.
    pub to: String,
    /// The line where it shall hold: before its statement, or at the head of its loop; else at the end of the body.
    pub at: Option<u32>,
    /// The loops on the way, if they are known.
    pub path: Vec<Waypoint>,
}

/// An abstract state of the path that a question suggests.
#[derive(Clone, Debug)]
pub struct Waypoint {
    /// The line of the loop.
    pub line: u32,
    /// What holds there all the time.
    pub predicate: Option<String>,
}

/// Why a question has no answer, not even an unknown one.
#[derive(Debug)]
pub enum NoQuestion {
    /// The program has no place for it.
    Misplaced(String),
    /// As for other problems.
    Failure(Failure),
}

/// Asks a question about the text of a Boogie program.
pub fn reach(name: &str, text: &str, question: &Question, budget: &Budget) -> Result<Decision, NoQuestion> {
    let mut sources = SourceMap::new();
    let file = sources.add(name.to_owned(), text.to_owned());
    let asked = ask(question, &sources, file).map_err(NoQuestion::Misplaced)?;
    let view = match View::new(&Problem::boogie(name, asked.text), BitOperations::Marked) {
        Ok(view) => Arc::new(view),
        Err(NoView::Unknown(reason)) => return Ok(Decision::without_view(reason)),
        Err(NoView::Failure(failure)) => return Err(NoQuestion::Failure(failure)),
    };
    let mut terms = Terms::new();
    let subject = match view.subject(&mut terms) {
        Ok(subject) => subject,
        Err(NoView::Unknown(reason)) => return Ok(Decision::unknown(reason, view)),
        Err(NoView::Failure(failure)) => return Err(NoQuestion::Failure(failure)),
    };
    let prepared = match Prepared::new(&subject, LEAPING, Inlining::Never, &mut terms) {
        Ok(prepared) => prepared,
        Err(reason) => return Ok(Decision::unknown(reason, view)),
    };
    let single = &prepared.single;
    let (start, end) = asked.assertion;
    let meant = |error: &Error| (start..end).contains(&single.errors[*error].condition.start);
    let errors: Vec<Error> = single.errors.keys().filter(meant).collect();
    let blocks = transform::compose(single, transform::BlockSize::LoopFree, &mut terms);
    let through = match &question.path[..] {
        [] => None,
        path => Some(loops(&view, &blocks.program, path).map_err(NoQuestion::Misplaced)?),
    };
    let options = Options { goal: Some(Goal { errors, through }), ..Options::default() };
    let solvers = Solvers::new(budget);
    let mut task = Task {
        source: &view.program,
        single,
        blocks: &blocks,
        terms: &mut terms,
        solvers: &solvers,
        budget: budget.clone(),
        options: &options,
        observe: &|_| {},
        counted: Counted::default(),
    };
    let verdict = (LEAPING.run)(&mut task);
    let counted = vec![(LEAPING, std::mem::take(&mut task.counted))];
    let answer = match verdict {
        Ok(Verdict::Leaps(evidence)) => {
            let programs =
                Programs { view: &view, subject: &subject, prepared: &prepared, blocks: &blocks.program };
            leaps::accepted(&programs, &evidence, &mut terms, &solvers, budget)
                .map_err(NoQuestion::Failure)?
        }
        Ok(Verdict::Unknown(reason)) => Answer::Unknown(reason),
        Ok(_) => {
            let what = "leaping proved or traced something".to_owned();
            return Err(NoQuestion::Failure(Failure::Internal(what)));
        }
        Err(Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
    };
    Ok(Decision { answer, view: Some(view), engine: Some(LEAPING), counted, stand: None, was_easy: false })
}

/// The program with the question in it.
struct Asked {
    text: String,
    /// Where the assertion is.
    assertion: (u32, u32),
}

fn ask(question: &Question, sources: &SourceMap, file: FileId) -> Result<Asked, String> {
    let text = &sources.file(file).text;
    let parsed = boogie::parse(file, text);
    // Mistakes of the program itself are shown when the program with the question is read.
    let line = |offset: u32| sources.line_column(base::Span::new(file, offset, offset)).line;
    let bodies: Vec<&Body> = bodies(&parsed.ast);
    let mut chosen = bodies.iter().filter(|body| match question.at {
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
    let mut insertions = vec![(start, format!("assume ({}); ", question.from))];
    for waypoint in &question.path {
        let place = find(waypoint.line)?;
        if let Some(predicate) = &waypoint.predicate {
            insertions.push(match place {
                Place::Before(position) => (position, format!("assume ({predicate}); ")),
                Place::AtHead(position) => (position, format!(" free invariant ({predicate}); ")),
            });
        }
    }
    let to = match question.at.map_or(Ok(Place::Before(body.end.start)), find)? {
        Place::Before(position) => (position, format!("assert !({}); ", question.to)),
        Place::AtHead(position) => (position, format!(" invariant !({}); ", question.to)),
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

/// A location of each loop that is named by its line.
fn loops(view: &View, program: &Program, path: &[Waypoint]) -> Result<Vec<Location>, String> {
    let components = engines::leaping::paths::components(program);
    let head = |waypoint: &Waypoint| {
        let is_meant = |location: &Location| {
            components.members(*location).is_some()
                && view.sources.line_column(program.locations[*location].span).line == waypoint.line
        };
        let found = program.locations.keys().find(is_meant);
        found.ok_or_else(|| format!("no loop begins on line {}", waypoint.line))
    };
    path.iter().map(head).collect()
}
