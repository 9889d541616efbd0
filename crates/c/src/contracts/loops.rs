//! A loop with a contract.
//!
//! *Cut*: the invariant is asserted where the loop is entered; what the loop may change gets arbitrary values and the
//! invariant is assumed, so that the execution is in an arbitrary iteration; one round is made, behind which the
//! invariant is asserted again and the execution ends. What follows the loop knows nothing but the invariant and that
//! the condition does not hold.
//!
//! *Checked*: the loop runs as it is, and the invariant is asserted whenever its condition comes.
//!
//! What the loop may change is what `assigns` says, or else what is found in its text ([`super::inference`]). A frame
//! watches that it changes nothing else; where the list was found and not given, something else is no error of the
//! program, but the answer is unknown.

use super::build::Builder;
use super::functions::{declared_at_entry, statement};
use super::inference::Changes;
use super::reading::{History, Reading, Use, walk};
use super::targets::{self, Assigned};
use super::{INTRINSIC, Loops};
use crate::ast::{BinaryOp, Clause, ClauseKind, ExprId, ExprKind, LogicalOp, Notation, StmtId, StmtKind};
use crate::problem::Problem;
use crate::symbols::Symbol;
use std::collections::BTreeSet;

type Made<T> = Result<T, Problem>;

/// The parts that all kinds of loops have.
struct Parts {
    first: Option<StmtId>,
    condition: Option<ExprId>,
    step: Option<ExprId>,
    body: StmtId,
    /// Whether the condition comes before the body.
    tests_first: bool,
}

fn parts(b: &Builder<'_>, stmt: StmtId) -> Option<Parts> {
    Some(match b.ast.stmts[stmt].kind {
        StmtKind::While(condition, body) => {
            Parts { first: None, condition: Some(condition), step: None, body, tests_first: true }
        }
        StmtKind::DoWhile(body, condition) => {
            Parts { first: None, condition: Some(condition), step: None, body, tests_first: false }
        }
        StmtKind::For(first, condition, step, body) => {
            Parts { first: Some(first), condition, step, body, tests_first: true }
        }
        _ => return None,
    })
}

/// What the clauses of a loop become.
struct Contract {
    reading: Reading,
    /// The frame of what the loop may change.
    frame: u64,
    assigned: Vec<Assigned>,
    how: &'static str,
    measures: Vec<ExprId>,
    notation: Notation,
}

impl Contract {
    /// A measure, in the arithmetic of its notation.
    fn measured(&mut self, b: &mut Builder<'_>, measure: ExprId) -> Made<ExprId> {
        let value = self.reading.read_term(b, measure)?;
        Ok(match self.notation {
            Notation::Acsl => b.call(&format!("{INTRINSIC}integer"), vec![value]),
            _ => value,
        })
    }
}

/// Makes a loop with a contract statements.
pub(super) fn apply(
    b: &mut Builder<'_>,
    stmt: StmtId,
    (frame, treatment): (u64, Loops),
    changes: &Changes,
) -> Made<()> {
    let StmtKind::Contracted(clauses, inner) = &b.ast.stmts[stmt].kind else { return Ok(()) };
    let (clauses, inner) = (clauses.clone(), *inner);
    b.span = b.ast.stmts[inner].span;
    let of_function = |clause: &Clause| {
        matches!(clause.kind, ClauseKind::Requires(_) | ClauseKind::Ensures(_) | ClauseKind::Entry(_))
    };
    if clauses.iter().all(|clause| of_function(clause) && clause.notation == Notation::Acsl) {
        let made = around_statement(b, &clauses, inner)?;
        b.ast.stmts[stmt].kind = StmtKind::Block(made);
        return Ok(());
    }
    let Some(parts) = parts(b, inner) else {
        return Err(Problem::unsupported(b.span, "a loop annotation that no loop follows"));
    };
    if let Some(clause) = clauses.iter().find(|clause| of_function(clause)) {
        return Err(Problem::error(clause.span, "a clause of a function at a loop"));
    }
    let mut reading = Reading { history: History::Loop, statements_allowed: true, ..Reading::default() };
    let mut assigned = None;
    let mut measures = Vec::new();
    for clause in &clauses {
        match &clause.kind {
            ClauseKind::Assigns(list) => {
                let found = targets::read(b, &mut reading, list)?;
                assigned.get_or_insert_with(Vec::new).extend(found);
            }
            ClauseKind::Decreases(_) if !measures.is_empty() => {
                return Err(Problem::error(clause.span, "a second measure of one loop"));
            }
            ClauseKind::Decreases(list) => {
                if list.iter().any(|&measure| has_effects(b, measure)) {
                    return Err(Problem::error(clause.span, "a measure that calls or changes something"));
                }
                measures.extend(list.iter().copied());
            }
            ClauseKind::Frees(_) => {
                return Err(Problem::unsupported(clause.span, "`frees` of a loop"));
            }
            _ => {}
        }
    }
    let notation = clauses.first().map_or(Notation::Cprover, |clause| clause.notation);
    let given = assigned.is_some();
    let how = match (given, treatment) {
        (true, _) => "begin_loop",
        (false, Loops::Check) => "begin_open",
        (false, _) => "begin_found",
    };
    let assigned = match assigned {
        Some(assigned) => assigned,
        None if treatment == Loops::Cut => changes.of_loop(b, inner),
        None => Vec::new(),
    };
    let contract = Contract { reading, frame, assigned, how, measures, notation };
    let made = match treatment {
        Loops::Cut => cut(b, &clauses, parts, contract)?,
        _ => checked(b, &clauses, parts, contract)?,
    };
    b.ast.stmts[stmt].kind = StmtKind::Block(made);
    Ok(())
}

/// A statement with a contract: what it requires is asserted before it, and what it ensures where it ends by itself.
fn around_statement(b: &mut Builder<'_>, clauses: &[Clause], inner: StmtId) -> Made<Vec<StmtId>> {
    let mut reading = Reading { statements_allowed: true, ..Reading::default() };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for clause in clauses {
        match clause.kind {
            ClauseKind::Requires(condition) | ClauseKind::Entry(condition) => {
                let condition = reading.read(b, condition, Use::Asserted)?;
                before.push(statement(b, clause, Use::Asserted, condition, ""));
            }
            ClauseKind::Ensures(condition) => {
                let condition = reading.read(b, condition, Use::Asserted)?;
                after.push(statement(b, clause, Use::Asserted, condition, ""));
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    remember(b, &mut reading, &mut out);
    out.append(&mut before);
    out.push(inner);
    out.append(&mut after);
    Ok(out)
}

/// The invariants as statements.
fn invariants(
    b: &mut Builder<'_>,
    clauses: &[Clause],
    reading: &mut Reading,
    used: Use,
    what: &str,
) -> Made<Vec<StmtId>> {
    let mut out = Vec::new();
    for clause in clauses {
        if let ClauseKind::Invariant(condition) = clause.kind {
            let condition = reading.read(b, condition, used)?;
            out.push(statement(b, clause, used, condition, what));
        }
    }
    Ok(out)
}

/// Declares what was remembered, before the rest.
fn remember(b: &mut Builder<'_>, reading: &mut Reading, out: &mut Vec<StmtId>) {
    declared_at_entry(b, reading, out);
}

fn cut(b: &mut Builder<'_>, clauses: &[Clause], parts: Parts, mut contract: Contract) -> Made<Vec<StmtId>> {
    let (mut out, frame) = (Vec::new(), contract.frame);
    out.extend(parts.first);
    let reading = &mut contract.reading;
    let mut entry = invariants(b, clauses, reading, Use::Asserted, "loop invariant on entry")?;
    let mut inside = invariants(b, clauses, reading, Use::Assumed, "")?;
    let mut again = invariants(b, clauses, reading, Use::Asserted, "loop invariant behind an iteration")?;
    remember(b, reading, &mut out);
    out.append(&mut entry);
    targets::begin_frame(b, (frame, contract.how), &contract.assigned, &[], &mut out);
    // What was found may be more than what is changed, and need not be there if the loop is not entered.
    let found = contract.how == "begin_found";
    if found {
        out.push(targets::quiet(b, true));
    }
    targets::havoc(b, &contract.assigned, &mut out);
    if found {
        out.push(targets::quiet(b, false));
    }
    out.append(&mut inside);
    let (next, behind) = (b.invent("next"), b.invent("behind"));
    leave_by_jumps(b, parts.body, Labels { next: Some(next), behind: Some(behind) }, frame)?;
    let before: Vec<Symbol> = contract.measures.iter().map(|_| b.invent("measure")).collect();
    for (&name, &measure) in before.iter().zip(&contract.measures.clone()) {
        let value = contract.measured(b, measure)?;
        out.push(b.declare_value(name, value));
    }
    let mut round = vec![parts.body];
    let empty = b.stmt(StmtKind::Empty);
    round.push(b.stmt(StmtKind::Label(next, empty)));
    let mut end = Vec::new();
    end.extend(parts.step.map(|step| b.stmt(StmtKind::Expr(step))));
    end.push(targets::next_round(b, frame));
    end.append(&mut again);
    end.extend(decreases(b, &mut contract, &before)?);
    end.push(b.call_stmt(&format!("{INTRINSIC}stop"), Vec::new()));
    if parts.tests_first {
        round.append(&mut end);
        let round = b.block(round);
        out.push(b.when(parts.condition, round));
    } else {
        let end = b.block(end);
        round.push(b.when(parts.condition, end));
        out.push(b.block(round));
    }
    let empty = b.stmt(StmtKind::Empty);
    out.push(b.stmt(StmtKind::Label(behind, empty)));
    out.push(targets::end_frame(b, frame));
    // CBMC says nothing of a loop that is not entered at all.
    if contract.notation == Notation::Cprover
        && let Some(condition) = parts.condition
        && parts.tests_first
        && !has_effects(b, condition)
    {
        let entered = b.block(out);
        out = parts.first.into_iter().collect();
        if let StmtKind::Block(inside) = &mut b.ast.stmts[entered].kind {
            inside.drain(..out.len());
        }
        out.push(b.when(Some(condition), entered));
    }
    Ok(out)
}

fn checked(
    b: &mut Builder<'_>,
    clauses: &[Clause],
    parts: Parts,
    mut contract: Contract,
) -> Made<Vec<StmtId>> {
    let (mut out, frame) = (Vec::new(), contract.frame);
    out.extend(parts.first);
    let mut head = invariants(b, clauses, &mut contract.reading, Use::Asserted, "loop invariant")?;
    remember(b, &mut contract.reading, &mut out);
    if !contract.measures.is_empty() {
        let later = b.invent("later");
        let zero = b.int(0);
        out.push(b.declare_value(later, zero));
        // What is written down about the measure is no change of the program.
        let place = b.name(later);
        contract.assigned.push(Assigned { condition: None, what: targets::What::Place(place) });
        let mut before = Vec::new();
        let mut kept = Vec::new();
        for measure in contract.measures.clone() {
            let name = b.invent("measure");
            let value = contract.measured(b, measure)?;
            out.push(b.declare_value(name, value));
            kept.push(b.assign_stmt(name, value));
            before.push(name);
            let place = b.name(name);
            contract.assigned.push(Assigned { condition: None, what: targets::What::Place(place) });
        }
        let smaller = decreases(b, &mut contract, &before)?;
        let smaller = b.block(smaller);
        let condition = b.name(later);
        head.push(b.when(Some(condition), smaller));
        head.append(&mut kept);
        let one = b.int(1);
        head.push(b.assign_stmt(later, one));
    }
    targets::begin_frame(b, (frame, contract.how), &contract.assigned, &[], &mut out);
    end_frame_at_returns(b, parts.body, frame)?;
    head.insert(0, targets::next_round(b, frame));
    let condition = match parts.condition {
        Some(condition) => condition,
        None => b.int(1),
    };
    let kind = if parts.tests_first {
        head.push(b.stmt(StmtKind::Expr(condition)));
        let head = b.block(head);
        let condition = b.expr(ExprKind::StatementExpr(head));
        let nothing = b.stmt(StmtKind::Empty);
        StmtKind::For(nothing, Some(condition), parts.step, parts.body)
    } else {
        head.push(parts.body);
        StmtKind::DoWhile(b.block(head), condition)
    };
    out.push(b.stmt(kind));
    out.push(targets::end_frame(b, frame));
    Ok(out)
}

/// That the measures got smaller, in lexicographic order.
fn decreases(b: &mut Builder<'_>, contract: &mut Contract, before: &[Symbol]) -> Made<Vec<StmtId>> {
    let mut smaller = None;
    for (&name, &measure) in before.iter().zip(&contract.measures.clone()).rev() {
        let (now, then) = (contract.measured(b, measure)?, b.name(name));
        let mut here = b.binary(BinaryOp::Lt, now, then);
        if contract.notation == Notation::Acsl {
            // A measure of ACSL has no least value but zero.
            let (zero, then) = (b.int(0), b.name(name));
            let bounded = b.binary(BinaryOp::Le, zero, then);
            here = b.logical(LogicalOp::And, bounded, here);
        }
        smaller = Some(match smaller {
            None => here,
            Some(rest) => {
                let (now, then) = (contract.measured(b, measure)?, b.name(name));
                let same = b.binary(BinaryOp::Eq, now, then);
                let rest = b.logical(LogicalOp::And, same, rest);
                b.logical(LogicalOp::Or, here, rest)
            }
        });
    }
    let Some(smaller) = smaller else { return Ok(Vec::new()) };
    let what = b.text("the measure of a loop decreases");
    Ok(vec![b.call_stmt(&format!("{INTRINSIC}assert"), vec![what, smaller])])
}

/// Where `continue` and `break` of a loop lead, if they are its own.
#[derive(Clone, Copy)]
struct Labels {
    next: Option<Symbol>,
    behind: Option<Symbol>,
}

/// `continue` and `break` of a loop that is none any more become jumps, and a return ends its frame.
fn leave_by_jumps(b: &mut Builder<'_>, body: StmtId, labels: Labels, frame: u64) -> Made<()> {
    jumps(b, body, labels);
    end_frame_at_returns(b, body, frame)
}

fn jumps(b: &mut Builder<'_>, stmt: StmtId, labels: Labels) {
    crate::deep(|| {
        let replaced = match b.ast.stmts[stmt].kind {
            StmtKind::Continue => labels.next,
            StmtKind::Break => labels.behind,
            _ => None,
        };
        if let Some(label) = replaced {
            b.ast.stmts[stmt].kind = StmtKind::Goto(label);
            return;
        }
        let targets = match b.ast.stmts[stmt].kind {
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For(..) => return,
            StmtKind::Switch(..) => Labels { behind: None, ..labels },
            _ => labels,
        };
        for child in substatements(&b.ast.stmts[stmt].kind) {
            jumps(b, child, targets);
        }
    });
}

/// A frame ends where a return leaves it; other jumps out of the loop are refused.
fn end_frame_at_returns(b: &mut Builder<'_>, body: StmtId, frame: u64) -> Made<()> {
    let (mut labels, mut gotos, mut returns) = (BTreeSet::new(), Vec::new(), Vec::new());
    let mut work = vec![body];
    while let Some(stmt) = work.pop() {
        match &b.ast.stmts[stmt].kind {
            StmtKind::Label(label, _) => {
                labels.insert(*label);
            }
            StmtKind::Goto(label) => gotos.push((*label, b.ast.stmts[stmt].span)),
            StmtKind::Return(_) => returns.push(stmt),
            StmtKind::ComputedGoto(_) => {
                return Err(Problem::unsupported(
                    b.ast.stmts[stmt].span,
                    "`goto *` in a loop with a contract",
                ));
            }
            _ => {}
        }
        work.extend(substatements(&b.ast.stmts[stmt].kind));
    }
    for (label, span) in gotos {
        if !labels.contains(&label) && !b.symbols.text(label).starts_with("__unreach_") {
            return Err(Problem::unsupported(span, "a `goto` out of a loop with a contract"));
        }
    }
    for stmt in returns {
        let StmtKind::Return(value) = b.ast.stmts[stmt].kind else { continue };
        let mut all = Vec::new();
        let mut kept = value;
        if let Some(value) = value
            && has_effects(b, value)
        {
            let name = b.invent("returned");
            all.push(b.declare_value(name, value));
            kept = Some(b.name(name));
        }
        all.push(targets::leave_frame(b, frame));
        all.push(b.stmt(StmtKind::Return(kept)));
        b.ast.stmts[stmt].kind = StmtKind::Block(all);
    }
    Ok(())
}

fn has_effects(b: &Builder<'_>, expr: ExprId) -> bool {
    let mut found = false;
    walk(b, expr, &mut |kind| {
        found |= matches!(
            kind,
            ExprKind::Call(..)
                | ExprKind::Assign(..)
                | ExprKind::Increment { .. }
                | ExprKind::StatementExpr(_)
        );
    });
    found
}

/// The statements inside of a statement.
pub(super) fn substatements(kind: &StmtKind) -> Vec<StmtId> {
    match kind {
        StmtKind::Block(all) => all.clone(),
        StmtKind::If(_, then, otherwise) => [*then].into_iter().chain(*otherwise).collect(),
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::Switch(_, body)
        | StmtKind::Case(_, _, body)
        | StmtKind::Default(body)
        | StmtKind::Label(_, body)
        | StmtKind::Contracted(_, body) => vec![*body],
        StmtKind::For(first, _, _, body) => vec![*first, *body],
        _ => Vec::new(),
    }
}
