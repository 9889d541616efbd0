//! Check by check: what is proven, what can fail, and what stays open.
//!
//! [`verify`](crate::verify) stops at the first failure, and leaves everything open if one check is too hard. A survey
//! goes on. An execution ends where a check fails, so a check may be looked at while all others are assumed: where one of
//! them fails, the execution is over before. Hence what can be found out about all of them at once is found out first
//! ([`at_once`]); the others are tried all together; one that can fail is told
//! and assumed from then on; and where no answer is found, the checks are tried by kinds ([`kinds`]) and then in halves, down to single ones. Then
//! what is left is tried again with more effort.
//!
//! Every answer is that of [`verify`](crate::verify), so all evidence is certified. If all checks are proven, but
//! not together, the proof has parts ([`Proof::Parts`](crate::answer::Proof::Parts)).
//!
//! With one hard check among `n`, the cost is that of `2 log n` verifications for every level of effort.

mod arrival;
mod at_once;
pub(crate) mod kinds;

use crate::answer::{Answer, Decision, Failure, Proof, Safe};
use crate::observer::{Observer, Silent};
use crate::plan::Plan;
use crate::problem::Problem;
use crate::translations::Translations;
use crate::view::{BitOperations, NoView, View};
use base::{Budget, Limit, SourceMap, Span};
use ir::interpreter::FailureKind;
use ir::{AssertKind, Expr, Procedure, Program, Specification, Statement, StatementKind, Transfer};
use program::{ErrorData, Reason};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many rounds of the plan the checks are tried for at first, and how many more at every level of effort: a level is
/// four times as long as the one before.
const FIRST_ROUNDS: u32 = 3;
const MORE_ROUNDS: u32 = 2;
/// So many rounds are more than any machine does.
const MOST_ROUNDS: u32 = 40;

/// Something that must not happen, at one place of the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Check {
    /// The statement or the clause.
    pub span: Span,
    /// The condition that must hold.
    pub condition: Span,
    /// What is checked: of C as `property: what`, else in words.
    pub what: String,
    /// Whether it is a clause of a contract, which is checked at all calls or returns.
    pub is_clause: bool,
}

/// What is done with the checks of a problem. A check that is not named here stays what it is: translations of one source may have
/// checks of their own, and none of them may be lost.
#[derive(Clone, Default, Debug)]
pub(crate) struct Selection {
    /// These are assumed.
    assumed: Arc<BTreeSet<Check>>,
    /// These fail whenever an execution comes to one of them.
    failing: Arc<BTreeSet<Check>>,
}

impl Selection {
    /// Whether all checks stay what they are.
    pub(crate) fn is_everything(&self) -> bool {
        self.assumed.is_empty() && self.failing.is_empty()
    }

    /// The checks of a program that are not meant are assumed.
    pub(crate) fn of(program: &Program, is_meant: impl Fn(&Check) -> bool) -> Selection {
        let assumed = checks(program).into_iter().filter(|check| !is_meant(check));
        Selection { assumed: Arc::new(assumed.collect()), failing: Arc::default() }
    }
}

/// What was found out about a check.
#[derive(Debug)]
pub enum Found {
    /// No execution fails there.
    Proven,
    /// No execution even comes there: all end before, where another check fails.
    NotReached,
    /// An execution fails there.
    Fails(Box<Decision>),
    /// It is not known, for a reason.
    Open(Reason),
}

/// What was found out about all checks of a program.
#[derive(Debug)]
pub struct Survey {
    /// The sources that the places are about.
    pub sources: SourceMap,
    /// The checks in the order of their places.
    pub checks: Vec<(Check, Found)>,
    /// The answer to the question if any of them can fail, unless that is among `checks`; or a failure that is at no
    /// check, as a race.
    pub rest: Option<Decision>,
}

/// Looks at every check of a problem.
pub fn survey(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Result<Survey, Reason>, Failure> {
    let problem = Problem { translations: Some(Translations::default()), ..problem.within(budget) };
    let view = match View::new(&problem, BitOperations::Marked) {
        Ok(view) => Arc::new(view),
        Err(NoView::Unknown(reason)) => return Ok(Err(reason)),
        Err(NoView::Failure(failure)) => return Err(failure),
    };
    observer.warnings(&view.sources, &view.warnings);
    let observer: Arc<dyn Observer> = Arc::new(WithoutWarnings(Arc::clone(observer)));
    let mut surveyor = Surveyor::new(problem, plan, budget, observer, &view);
    let checks: Vec<Check> = surveyor.open.iter().cloned().collect();
    // Races and deadlocks are at no one place, so such a question is answered as a whole.
    if surveyor.open.is_empty() || threads::has_rules(&view.program) {
        let rest = Some(crate::verify(&surveyor.problem, plan, budget, surveyor.observer)?);
        return Ok(Ok(Survey { sources: view.sources.clone(), checks: Vec::new(), rest }));
    }
    surveyor.at_once(&view)?;
    surveyor.run()?;
    let Surveyor { mut found, proofs, elsewhere, .. } = surveyor;
    let nothing = || Found::Open(Reason::Limit(Limit::Effort));
    let checks: Vec<(Check, Found)> = checks
        .into_iter()
        .map(|check| {
            let outcome = found.remove(&check).unwrap_or_else(nothing);
            (check, outcome)
        })
        .collect();
    let open = checks.iter().find_map(|(_, found)| match found {
        Found::Open(reason) => Some(reason.clone()),
        Found::Proven | Found::NotReached | Found::Fails(_) => None,
    });
    let fails = checks.iter().any(|(_, found)| matches!(found, Found::Fails(_)));
    let rest = match (fails, open) {
        _ if elsewhere.is_some() => elsewhere,
        (true, _) => None,
        (false, Some(reason)) => Some(Decision::unknown(reason, Arc::clone(&view))),
        (false, None) => together(proofs),
    };
    Ok(Ok(Survey { sources: view.sources.clone(), checks, rest }))
}

/// One decision from the proofs of all parts.
fn together(mut proofs: Vec<Decision>) -> Option<Decision> {
    if proofs.len() == 1 {
        return proofs.pop();
    }
    let mut parts = Vec::new();
    let mut invariants = Vec::new();
    let mut whole: Option<Decision> = None;
    for decision in proofs {
        let Decision { answer: Answer::Safe(safe), view, engine, counted, .. } = decision else { continue };
        parts.push(safe.proof);
        for invariant in safe.invariants {
            if !invariants.contains(&invariant) {
                invariants.push(invariant);
            }
        }
        whole = Some(match whole {
            None => {
                let answer = Answer::Unknown(Reason::Limit(Limit::Effort));
                Decision { answer, view, engine, counted, stand: None, was_easy: false }
            }
            Some(mut whole) => {
                whole.counted.extend(counted);
                whole
            }
        });
    }
    let (proof, shared_facts) = (Proof::Parts(parts), Vec::new());
    let safe = Safe { proof, invariants, shared_facts, reasons: None, certificate: None, kept: None };
    whole.map(|whole| Decision { answer: Answer::Safe(Box::new(safe)), ..whole })
}

/// The conditions of the checks that no execution comes to, of a program that was proven. Costs a verification for each that is reached;
/// nothing is said about programs with many.
pub fn vacuous(problem: &Problem, plan: &Plan, decision: &Decision, budget: &Budget) -> Vec<Span> {
    /// So many checks that are reached are told apart from the others.
    const MOST_REACHED: usize = 12;
    let Some(view) = decision.view.as_deref().filter(|view| view.threads.is_none()) else {
        return Vec::new();
    };
    let plan = Plan { reasons: false, certificate: false, reuse: None, ..plan.clone() };
    let mut surveyor = Surveyor::new(problem.clone(), &plan, budget, Arc::new(Silent), view);
    let all = std::mem::take(&mut surveyor.open);
    // An answer that is not found is none that is missed: it is only less to be shown.
    let found = surveyor.not_reached(all, MOST_REACHED).unwrap_or_default();
    found.into_iter().map(|check| check.condition).collect()
}

/// Passes on everything but warnings, which are told once.
struct WithoutWarnings(Arc<dyn Observer>);

impl Observer for WithoutWarnings {
    fn engine(&self, engine: &'static engines::Engine, news: &crate::observer::News) {
        self.0.engine(engine, news);
    }

    fn progress(&self, progress: engines::Progress) {
        self.0.progress(progress);
    }
}

struct Surveyor<'a> {
    problem: Problem,
    plan: &'a Plan,
    budget: &'a Budget,
    observer: Arc<dyn Observer>,
    all: BTreeSet<Check>,
    /// Those of which it can be asked whether an execution comes there.
    askable: BTreeSet<Check>,
    /// What is neither proven nor found to fail.
    open: BTreeSet<Check>,
    /// The proofs found so far.
    proofs: Vec<Decision>,
    found: BTreeMap<Check, Found>,
    /// A failure that is at no check.
    elsewhere: Option<Decision>,
}

impl<'a> Surveyor<'a> {
    /// Nothing is known of any check of the view.
    fn new(
        problem: Problem,
        plan: &'a Plan,
        budget: &'a Budget,
        observer: Arc<dyn Observer>,
        view: &View,
    ) -> Surveyor<'a> {
        let all: BTreeSet<Check> = checks(&view.program).into_iter().collect();
        Surveyor {
            problem,
            plan,
            budget,
            observer,
            askable: arrival::askable(&view.program),
            open: all.clone(),
            all,
            proofs: Vec::new(),
            found: BTreeMap::new(),
            elsewhere: None,
        }
    }

    fn run(&mut self) -> Result<(), Failure> {
        let mut rounds = FIRST_ROUNDS;
        while !self.open.is_empty() && self.budget.check().is_ok() {
            // A single check gets all there is.
            let last = self.open.len() == 1 || rounds > MOST_ROUNDS;
            self.level(if last { u32::MAX } else { rounds })?;
            let worth_more =
                |check: &Check| matches!(self.found.get(check), Some(Found::Open(Reason::Limit(_))) | None);
            if last || !self.open.iter().any(worth_more) {
                break;
            }
            rounds += MORE_ROUNDS;
        }
        let fails = self.found.values().any(|found| matches!(found, Found::Fails(_)));
        if fails { self.find_not_reached() } else { Ok(()) }
    }

    /// Finds the checks that were proven only because all executions fail before.
    fn find_not_reached(&mut self) -> Result<(), Failure> {
        let proven = self.found.iter().filter(|(_, found)| matches!(found, Found::Proven));
        let group: BTreeSet<Check> = proven.map(|(check, _)| check.clone()).collect();
        for check in self.not_reached(group, usize::MAX)? {
            self.found.insert(check, Found::NotReached);
        }
        Ok(())
    }

    /// The checks of a group that no execution comes to: one that is reached is taken out, until it is proven that none of the
    /// others is. Costs a verification for each that is reached; with more of them than `most`, nothing is found out.
    fn not_reached(&self, mut group: BTreeSet<Check>, most: usize) -> Result<BTreeSet<Check>, Failure> {
        // A contract is no place that an execution could come to.
        group.retain(|check| !check.is_clause && self.askable.contains(check));
        if group.len() <= most {
            let failing_there = Selection { failing: Arc::new(group.clone()), ..self.only(&group) };
            for (check, _) in self.failures_at_once(&group, failing_there)? {
                group.remove(&check);
            }
        }
        for _ in 0..most {
            if group.is_empty() {
                break;
            }
            let failing_there = Selection { failing: Arc::new(group.clone()), ..self.only(&group) };
            let decision = self.verify(failing_there, FIRST_ROUNDS)?;
            match &decision.answer {
                Answer::Safe(_) => return Ok(group),
                Answer::Unknown(_) => break,
                answer => match failing(answer, &decision, &group) {
                    Some(check) => _ = group.remove(&check),
                    None => break,
                },
            }
        }
        Ok(BTreeSet::new())
    }

    /// Tries all open checks with so much effort, together first, then by kinds, and then in halves.
    fn level(&mut self, rounds: u32) -> Result<(), Failure> {
        let mut groups = vec![self.open.clone()];
        while let Some(mut group) = groups.pop() {
            if group.is_empty() {
                continue;
            }
            let decision = self.verify(self.only(&group), rounds)?;
            match &decision.answer {
                Answer::Safe(_) => self.prove(group, decision),
                Answer::Unknown(reason) => {
                    let reason = reason.clone();
                    let stopped = self.budget.check().is_err();
                    if group.len() == 1 || stopped {
                        for check in group {
                            self.found.insert(check, Found::Open(reason.clone()));
                        }
                        if stopped {
                            return Ok(());
                        }
                        continue;
                    }
                    let kinds = kinds::by_kind(&group);
                    if kinds.len() > 1 {
                        groups.extend(kinds.into_values().rev());
                        continue;
                    }
                    let middle = group.iter().nth(group.len() / 2).cloned().expect("a group of several");
                    groups.push(group.split_off(&middle));
                    groups.push(group);
                }
                answer => {
                    let failing = failing(answer, &decision, &group);
                    let Some(check) = failing else {
                        // A race or a deadlock is at no statement, and cannot be assumed away.
                        self.elsewhere = Some(decision);
                        self.open.clear();
                        return Ok(());
                    };
                    group.remove(&check);
                    self.settle(check, Found::Fails(Box::new(decision)));
                    groups.push(group);
                }
            }
        }
        Ok(())
    }

    /// All checks of a group are proven by a decision.
    fn prove(&mut self, group: BTreeSet<Check>, decision: Decision) {
        for check in group {
            self.settle(check, Found::Proven);
        }
        self.proofs.push(decision);
    }

    fn settle(&mut self, check: Check, found: Found) {
        self.open.remove(&check);
        self.found.insert(check, found);
    }

    /// The question about a group: all other checks are assumed.
    fn only(&self, group: &BTreeSet<Check>) -> Selection {
        let assumed = self.all.difference(group).cloned().collect();
        Selection { assumed: Arc::new(assumed), failing: Arc::default() }
    }

    fn verify(&self, selection: Selection, rounds: u32) -> Result<Decision, Failure> {
        self.verify_problem(&Problem { selection, ..self.problem.clone() }, rounds)
    }

    fn verify_problem(&self, problem: &Problem, rounds: u32) -> Result<Decision, Failure> {
        let rounds = rounds.min(self.plan.rounds);
        let plan = Plan { kinds_apart: false, rounds, ..self.plan.clone() };
        crate::verify(problem, &plan, self.budget, Arc::clone(&self.observer))
    }
}

/// The check that fails by a decision, if one does.
pub fn failing_check(decision: &Decision) -> Option<Check> {
    let all = checks(&decision.view.as_ref()?.program).into_iter().collect();
    failing(&decision.answer, decision, &all)
}

/// The check of a group that fails.
fn failing(answer: &Answer, decision: &Decision, group: &BTreeSet<Check>) -> Option<Check> {
    let program = &decision.view.as_ref()?.program;
    let check = match answer {
        Answer::Unsafe(execution) => {
            let place = execution.failure.place;
            match execution.failure.kind {
                FailureKind::Assert(_) => {
                    let body = program.procedures[place.procedure].body.as_ref()?;
                    of_statement(program, body.blocks[place.block].statements.get(place.index)?)
                }
                FailureKind::Requires(callee, clause) => Some(of_requires(program, callee, clause)),
                FailureKind::Ensures(procedure, clause) => Some(of_ensures(program, procedure, clause)),
                FailureKind::NoRace(_) | FailureKind::NoDeadlock => None,
            }
        }
        Answer::Leaps(leaps) => group.iter().find(|check| is_at(check, &leaps.error)).cloned(),
        _ => None,
    };
    check.filter(|check| group.contains(check))
}

/// Whether an error of the program automaton is this check.
fn is_at(check: &Check, error: &ErrorData) -> bool {
    check.condition == error.condition && (check.span == error.span || check.span == error.condition)
}

/// All checks of a program, in the order of their places.
pub fn checks(program: &Program) -> Vec<Check> {
    let mut checks = BTreeSet::new();
    let mut called: BTreeSet<Procedure> = BTreeSet::new();
    for (_, data) in program.procedures.iter() {
        for statement in
            data.body.iter().flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements)
        {
            checks.extend(of_statement(program, statement));
            if let StatementKind::Call { procedure, .. } | StatementKind::Fork { procedure, .. } =
                statement.kind
            {
                called.insert(procedure);
            }
        }
    }
    for (procedure, data) in program.procedures.iter() {
        let requires = (0..data.requires.len()).filter(|&clause| !data.requires[clause].free);
        let ensures = (0..data.ensures.len()).filter(|&clause| !data.ensures[clause].free);
        if called.contains(&procedure) {
            checks.extend(requires.map(|clause| of_requires(program, procedure, clause)));
        }
        if data.body.is_some() {
            checks.extend(ensures.map(|clause| of_ensures(program, procedure, clause)));
        }
    }
    checks.into_iter().collect()
}

fn of_statement(program: &Program, statement: &Statement) -> Option<Check> {
    let StatementKind::Assert(kind, condition) = statement.kind else { return None };
    let what = match (c::words::stated(statement), kind) {
        (Some(stated), _) => stated.to_owned(),
        (None, AssertKind::Assert) => "assertion".to_owned(),
        (None, AssertKind::Invariant) => "loop invariant".to_owned(),
    };
    Some(Check {
        span: statement.span,
        condition: program.expressions.span(condition),
        what,
        is_clause: false,
    })
}

fn of_requires(program: &Program, callee: Procedure, clause: usize) -> Check {
    let data = &program.procedures[callee];
    let span = data.requires[clause].span;
    Check { span, condition: span, what: format!("precondition of `{}`", data.name), is_clause: true }
}

fn of_ensures(program: &Program, procedure: Procedure, clause: usize) -> Check {
    let data = &program.procedures[procedure];
    let span = data.ensures[clause].span;
    Check { span, condition: span, what: format!("postcondition of `{}`", data.name), is_clause: true }
}

/// Assumes some checks of a program, and makes some fail.
pub(crate) fn restrict(program: &mut Program, selection: &Selection) {
    if selection.is_everything() {
        return;
    }
    let Selection { assumed, failing } = selection;
    arrival::fail_at_branches(program, failing);
    let procedures: Vec<Procedure> = program.procedures.keys().collect();
    let unchecked = |program: &Program,
                     clauses: &[Specification],
                     of: fn(&Program, Procedure, usize) -> Check,
                     procedure| {
        let meant =
            |&clause: &usize| !clauses[clause].free && assumed.contains(&of(program, procedure, clause));
        (0..clauses.len()).filter(meant).collect::<Vec<usize>>()
    };
    let requires: BTreeMap<Procedure, Vec<usize>> = procedures
        .iter()
        .map(|&id| (id, unchecked(program, &program.procedures[id].requires, of_requires, id)))
        .collect();
    for &procedure in &procedures {
        let Some(body) = program.procedures[procedure].body.clone() else { continue };
        let ensures = unchecked(program, &program.procedures[procedure].ensures, of_ensures, procedure);
        for (block, data) in body.blocks.iter() {
            let mut statements = Vec::with_capacity(data.statements.len());
            for mut statement in data.statements.iter().cloned() {
                match (&statement.kind, of_statement(program, &statement)) {
                    (StatementKind::Assert(kind, condition), Some(check)) => {
                        if assumed.contains(&check) {
                            statement.kind = StatementKind::Assume(*condition);
                        } else if failing.contains(&check) {
                            // The place stays, so that the check can be found again.
                            let no = program.bool(false, check.condition);
                            statement.kind = StatementKind::Assert(*kind, no);
                        }
                    }
                    (
                        StatementKind::Call { procedure: callee, arguments, .. }
                        | StatementKind::Fork { procedure: callee, arguments, .. },
                        _,
                    ) => {
                        for &clause in &requires[callee] {
                            let data = &program.procedures[*callee];
                            let values: Vec<_> =
                                data.parameters.iter().copied().zip(arguments.iter().copied()).collect();
                            let condition = program.with_values(data.requires[clause].condition, values);
                            statements.push(assumption(condition, statement.span));
                        }
                    }
                    _ => {}
                }
                statements.push(statement);
            }
            if data.transfer == Transfer::Return {
                let clauses = &program.procedures[procedure].ensures;
                let assumed =
                    ensures.iter().map(|&clause| assumption(clauses[clause].condition, data.transfer_span));
                statements.extend(assumed);
            }
            let body = program.procedures[procedure].body.as_mut().expect("it has one");
            body.blocks[block].statements = statements;
        }
        for clause in ensures {
            program.procedures[procedure].ensures[clause].free = true;
        }
    }
    for (procedure, clauses) in requires {
        for clause in clauses {
            program.procedures[procedure].requires[clause].free = true;
        }
    }
}

fn assumption(condition: Expr, span: Span) -> Statement {
    Statement { kind: StatementKind::Assume(condition), span, attributes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let text = "procedure main(x: int) { assert x > 0; assert x > 1; assert x > 2; }";
        let mut sources = SourceMap::new();
        let file = sources.add("checks.bpl", text);
        boogie::compile(file, text).expect("no mistakes").program
    }

    fn kinds(program: &Program) -> Vec<&'static str> {
        let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
        let statements = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
        let kind = |statement: &Statement| match statement.kind {
            StatementKind::Assert(..) => "assert",
            StatementKind::Assume(_) => "assume",
            _ => "other",
        };
        statements.map(kind).collect()
    }

    /// Another translation of the source may have a check that the one with the list does not have.
    #[test]
    fn a_check_that_nobody_named_stays_a_check() {
        let mut restricted = program();
        let first = checks(&restricted).into_iter().next().expect("three checks");
        let selection = Selection { assumed: Arc::new(BTreeSet::from([first])), failing: Arc::default() };
        restrict(&mut restricted, &selection);
        assert_eq!(kinds(&restricted), ["assume", "assert", "assert"]);
    }
}
