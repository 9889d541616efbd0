//! Every assertion of every procedure, one procedure at a time.
//!
//! [`verify`](crate::verify) stops at the first failure. A review goes on, as users of Boogie expect it: each procedure
//! is an entry of its own; an assertion, precondition or postcondition that can fail is reported and assumed from then
//! on, and the procedure is verified again, until nothing fails any more or as many failures are known as are wanted.
//! Every answer is that of [`verify`](crate::verify) about a problem of its own, so all evidence is certified.
//!
//! The cost is that of one verification per procedure and failure.

use crate::answer::{Answer, Decision, Failure};
use crate::observer::Observer;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::view::{BitOperations, NoView, View};
use base::{Budget, SourceMap, Span};
use ir::interpreter::{FailureKind, Place};
use ir::{AssertKind, Procedure, Program, Statement, StatementKind, Transfer};
use program::{ErrorData, ErrorKind, Reason};
use std::sync::Arc;

/// What is wanted of a review.
#[derive(Clone, Debug)]
pub struct Wish {
    /// How many failures of one procedure are looked for.
    pub errors: usize,
    /// Only procedures whose names match one of these patterns, in which `*` stands for any text. Without a pattern,
    /// all entries of the program.
    pub procedures: Vec<String>,
    /// Whether it is asked of procedures without failure if any execution comes to their end.
    pub smoke: bool,
}

/// What was found out about a program.
#[derive(Debug)]
pub struct Review {
    /// The sources that the places are about.
    pub sources: SourceMap,
    /// The procedures, in the order of declaration.
    pub procedures: Vec<Reviewed>,
}

/// What was found out about a procedure.
#[derive(Debug)]
pub struct Reviewed {
    /// Its name.
    pub name: String,
    /// What can fail, in the order in which it was found.
    pub failures: Vec<Found>,
    /// Why nothing else was found.
    pub rest: Rest,
}

/// Something that can fail.
#[derive(Debug)]
pub struct Found {
    /// The statement.
    pub span: Span,
    /// What can fail there.
    pub what: String,
    /// The answer with its evidence.
    pub decision: Decision,
}

/// What is known about everything that was not found to fail.
#[derive(Debug)]
pub enum Rest {
    /// Nothing else can fail.
    Verified,
    /// Nothing can fail, since no execution comes to the end of the procedure.
    Vacuous,
    /// Nothing: as many failures were found as were wanted, or the next is behind one that cannot be assumed away.
    NotLookedAt,
    /// Nothing, for a reason.
    Unknown(Reason),
}

/// Reviews the procedures of a problem; nothing if no procedure matches the patterns.
pub fn review(
    problem: &Problem,
    wish: &Wish,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Result<Review, Reason>, Failure> {
    let view = match View::new(problem, BitOperations::Marked) {
        Ok(view) => view,
        Err(NoView::Unknown(reason)) => return Ok(Err(reason)),
        Err(NoView::Failure(failure)) => return Err(failure),
    };
    observer.warnings(&view.sources, &view.warnings);
    let mut procedures = Vec::new();
    for procedure in selected(&view.program, &wish.procedures) {
        let reviewer = Reviewer { problem, view: &view, wish, plan, budget, observer };
        procedures.push(reviewer.procedure(procedure)?);
    }
    Ok(Ok(Review { sources: view.sources, procedures }))
}

/// The entries, or the procedures with a body whose names match a pattern.
fn selected(program: &Program, patterns: &[String]) -> Vec<Procedure> {
    if patterns.is_empty() {
        return program.entries();
    }
    let matching = program.procedures.iter().filter(|(_, data)| {
        data.body.is_some() && patterns.iter().any(|pattern| matches_pattern(pattern, &data.name))
    });
    matching.map(|(procedure, _)| procedure).collect()
}

/// Whether a name is a pattern in which `*` stands for any text.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(position) => rest = &rest[position + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

struct Reviewer<'a> {
    problem: &'a Problem,
    view: &'a View,
    wish: &'a Wish,
    plan: &'a Plan,
    budget: &'a Budget,
    observer: &'a Arc<dyn Observer>,
}

impl Reviewer<'_> {
    fn verify(&self, program: &Program) -> Result<Decision, Failure> {
        let mut problem = Problem::ir(program.clone(), self.view.sources.clone());
        problem.property = self.problem.property;
        crate::verify(&problem, self.plan, self.budget, Arc::clone(self.observer))
    }

    fn procedure(&self, procedure: Procedure) -> Result<Reviewed, Failure> {
        let mut program = self.view.program.clone();
        program.chosen = Some(vec![procedure]);
        let name = program.procedures[procedure].name.clone();
        let mut failures = Vec::new();
        let rest = loop {
            if failures.len() >= self.wish.errors {
                break Rest::NotLookedAt;
            }
            let decision = self.verify(&program)?;
            let weak = match &decision.answer {
                Answer::Safe(_) => break Rest::Verified,
                Answer::Unknown(reason) => break Rest::Unknown(reason.clone()),
                Answer::Unsafe(execution) => {
                    let is_product = decision.view.as_ref().is_some_and(|view| view.threads.is_some());
                    Weak::of_failure(&program, execution.failure.kind, execution.failure.place, is_product)
                }
                Answer::Leaps(leaps) => Weak::of_error(&program, &leaps.error),
                Answer::Terminates(_) | Answer::Infinite(_) => {
                    let what = "an answer about termination to a question about assertions";
                    return Err(Failure::Internal(what.to_owned()));
                }
            };
            let (span, what) = (weak.span, weak.what.clone());
            failures.push(Found { span, what, decision });
            if !weak.assume(&mut program) {
                break Rest::NotLookedAt;
            }
        };
        let rest = match rest {
            Rest::Verified
                if self.wish.smoke && failures.is_empty() && self.is_vacuous(program, procedure)? =>
            {
                Rest::Vacuous
            }
            rest => rest,
        };
        Ok(Reviewed { name, failures, rest })
    }

    /// Whether it is proven that no execution of a procedure without failure comes to its end.
    fn is_vacuous(&self, mut program: Program, procedure: Procedure) -> Result<bool, Failure> {
        let no = program.bool(false, program.procedures[procedure].span);
        if let Some(body) = &mut program.procedures[procedure].body {
            for block in body.blocks.values_mut().filter(|block| block.transfer == Transfer::Return) {
                let kind = StatementKind::Assert(AssertKind::Assert, no);
                block.statements.push(Statement { kind, span: block.transfer_span, attributes: Vec::new() });
            }
        }
        Ok(matches!(self.verify(&program)?.answer, Answer::Safe(_)))
    }
}

/// Something that can fail.
struct Weak {
    span: Span,
    what: String,
    /// Where it is in the program, if that is known.
    place: Option<(Place, FailureKind)>,
}

impl Weak {
    fn of_failure(program: &Program, kind: FailureKind, place: Place, is_product: bool) -> Weak {
        let what = describe(program, kind);
        if is_product {
            let span = program.procedures[place.procedure].span;
            return Weak { span, what, place: None };
        }
        let body = program.procedures[place.procedure].body.as_ref().expect("a failure is in a body");
        let block = &body.blocks[place.block];
        let span = block.statements.get(place.index).map_or(block.transfer_span, |statement| statement.span);
        Weak { span, what, place: Some((place, kind)) }
    }

    fn of_error(program: &Program, error: &ErrorData) -> Weak {
        let place = places(program).find_map(|place| {
            let kind = failing(program, place, error)?;
            Some((place, kind))
        });
        let what = place.map_or_else(|| "this can fail".to_owned(), |(_, kind)| describe(program, kind));
        Weak { span: error.span, what, place }
    }

    /// Assumes in the program what can fail; whether that was possible.
    fn assume(self, program: &mut Program) -> bool {
        let Some((place, kind)) = self.place else { return false };
        let span = self.span;
        let condition = match kind {
            FailureKind::Assert(_) => {
                let body = program.procedures[place.procedure].body.as_mut().expect("a failure is in a body");
                let statement = &mut body.blocks[place.block].statements[place.index];
                let StatementKind::Assert(_, condition) = statement.kind else { return false };
                statement.kind = StatementKind::Assume(condition);
                return true;
            }
            FailureKind::Requires(callee, clause) => {
                let body = program.procedures[place.procedure].body.as_ref().expect("a failure is in a body");
                let statement = &body.blocks[place.block].statements[place.index];
                let StatementKind::Call { arguments, .. } = &statement.kind else { return false };
                let data = &program.procedures[callee];
                let values: Vec<_> = data.parameters.iter().copied().zip(arguments.iter().copied()).collect();
                let condition = data.requires[clause].condition;
                program.with_values(condition, values)
            }
            FailureKind::Ensures(procedure, clause) => {
                program.procedures[procedure].ensures[clause].condition
            }
            FailureKind::NoRace(_) | FailureKind::NoDeadlock => return false,
        };
        let body = program.procedures[place.procedure].body.as_mut().expect("a failure is in a body");
        let statements = &mut body.blocks[place.block].statements;
        let kind = StatementKind::Assume(condition);
        statements.insert(place.index, Statement { kind, span, attributes: Vec::new() });
        true
    }
}

/// All places of all bodies, those of the ends of blocks included.
fn places(program: &Program) -> impl Iterator<Item = Place> + '_ {
    let bodies = program.procedures.iter().filter_map(|(id, data)| Some((id, data.body.as_ref()?)));
    bodies.flat_map(|(procedure, body)| {
        body.blocks.iter().flat_map(move |(block, data)| {
            (0..=data.statements.len()).map(move |index| Place { procedure, block, index })
        })
    })
}

/// What fails at a place, if it is the place of an error.
fn failing(program: &Program, place: Place, error: &ErrorData) -> Option<FailureKind> {
    let block = &program.procedures[place.procedure].body.as_ref()?.blocks[place.block];
    let clause = |specifications: &[ir::Specification]| {
        specifications.iter().position(|clause| clause.span == error.condition)
    };
    match (block.statements.get(place.index), &error.kind) {
        (Some(statement), ErrorKind::Assert | ErrorKind::Invariant) => match statement.kind {
            StatementKind::Assert(kind, condition) => (statement.span == error.span
                && program.expressions.span(condition) == error.condition)
                .then_some(FailureKind::Assert(kind)),
            _ => None,
        },
        (Some(statement), ErrorKind::Requires(callee)) => match statement.kind {
            StatementKind::Call { procedure, .. } if procedure == *callee && statement.span == error.span => {
                Some(FailureKind::Requires(*callee, clause(&program.procedures[*callee].requires)?))
            }
            _ => None,
        },
        (None, ErrorKind::Ensures(procedure)) => (place.procedure == *procedure
            && block.transfer == Transfer::Return
            && block.transfer_span == error.span)
            .then(|| clause(&program.procedures[*procedure].ensures))
            .flatten()
            .map(|clause| FailureKind::Ensures(*procedure, clause)),
        _ => None,
    }
}

fn describe(program: &Program, kind: FailureKind) -> String {
    match kind {
        FailureKind::Assert(AssertKind::Assert) => "this assertion can fail".to_owned(),
        FailureKind::Assert(AssertKind::Invariant) => "this loop invariant can fail".to_owned(),
        FailureKind::Requires(procedure, _) => {
            format!("a precondition of `{}` can fail at this call", program.procedures[procedure].name)
        }
        FailureKind::Ensures(procedure, _) => {
            format!("a postcondition of `{}` can fail at this return", program.procedures[procedure].name)
        }
        FailureKind::NoDeadlock => "all threads can come to wait".to_owned(),
        FailureKind::NoRace(variable) => {
            format!("two threads access `{}` at the same moment", program.variables[variable].name)
        }
    }
}
