//! Pointers to functions that obey a contract: `__CPROVER_obeys_contract(p, c)`.
//!
//! *Assumed*, it lets `p` point to a function that does whatever the contract of `c` allows: it asserts the preconditions,
//! gives what `assigns` lists arbitrary values and assumes the postconditions. What is proven so holds for every function that
//! obeys. Which one it is remains unknown: a program that compares such pointers, or makes something else of them, is
//! refused (`check::contracts`).
//!
//! *Asserted*, `p` has to point to a function that is known to obey: the one just described, `c` itself, or another function
//! of the file whose contract is that of `c` in the same words, but for the names of parameters. As everywhere where calls go by
//! contract, that these functions keep their contracts is shown where they are looked at themselves; one whose contract is a comment in
//! this run does not count. Null does not obey. Of all other functions the answer is unknown.
//!
//! Cost: linear in the functions of a file for each contract that pointers obey.

use super::build::Builder;
use super::functions::Contracted;
use super::reading::{Polarity, Reading, Use};
use super::{Contracts, INTRINSIC, Made, Maker, is_contract};
use crate::ast::{Clause, ClauseKind, ExprId, ExprKind, Item, LogicalOp, StmtKind, Storage, Target, UnaryOp};
use crate::problem::Problem;
use crate::symbols::Symbol;
use base::EntityRef;
use std::collections::{BTreeMap, BTreeSet};

/// How the predicate is called.
pub(super) const OBEYS: &str = "__CPROVER_obeys_contract";
/// What the names of functions begin with that do what a contract allows.
const OBEYING: &str = "__unreach_obeying_";

impl Reading {
    /// That a pointer points to a function that obeys a contract.
    pub(super) fn obeys(
        &mut self,
        b: &mut Builder<'_>,
        arguments: &[ExprId],
        (used, polarity): (Use, Polarity),
    ) -> Made<ExprId> {
        let &[pointer, function] = arguments else {
            return Err(Problem::error(b.span, format!("`{OBEYS}` takes a pointer and a function")));
        };
        let is_place = matches!(
            b.ast.exprs[pointer].kind,
            ExprKind::Name(_)
                | ExprKind::Index(..)
                | ExprKind::Member(..)
                | ExprKind::Arrow(..)
                | ExprKind::Unary(UnaryOp::Deref, _)
        );
        if !is_place {
            let what = format!("the first argument of `{OBEYS}` must be a place that holds a pointer");
            return Err(Problem::error(b.span, what));
        }
        let function = match b.ast.exprs[function].kind {
            ExprKind::Unary(UnaryOp::AddressOf, function) => function,
            _ => function,
        };
        let ExprKind::Name(contract) = b.ast.exprs[function].kind else {
            let what = format!("the second argument of `{OBEYS}` must be the name of a function");
            return Err(Problem::error(b.span, what));
        };
        if self.statements_allowed {
            return Err(Problem::unsupported(b.span, format!("`{OBEYS}` in a contract of a loop")));
        }
        let pointer = self.copy(b, pointer, (used, Polarity::Both))?;
        match (used, polarity) {
            (Use::Asserted, _) => {
                let contract = b.name(contract);
                Ok(b.call(&format!("{INTRINSIC}obeys"), vec![pointer, contract]))
            }
            (Use::Assumed, Polarity::Positive) => {
                let (name, one) = (obeying(b, contract), b.int(1));
                let (name, contract) = (b.name(name), b.name(contract));
                let obey = b.call(&format!("{INTRINSIC}obey"), vec![pointer, name, contract]);
                // Under a condition as `p ==> …` it must have been possible that there is a function.
                if matches!(b.ast.exprs[pointer].kind, ExprKind::Name(name) if self.result.is_none_or(|it| it == name))
                {
                    let choice = b.call(&format!("{INTRINSIC}choice"), Vec::new());
                    let before = b.stmt(StmtKind::Expr(obey));
                    self.may_obey.push(b.when(Some(choice), before));
                }
                Ok(b.expr(ExprKind::Comma(obey, one)))
            }
            // That a function does not obey tells nothing that could be used.
            (Use::Assumed, Polarity::Negative) => Ok(b.int(0)),
            (Use::Assumed, Polarity::Both) => {
                Err(Problem::unsupported(b.span, format!("`{OBEYS}` whose truth is compared")))
            }
        }
    }
}

/// The function that does what a contract allows.
fn obeying(b: &mut Builder<'_>, contract: Symbol) -> Symbol {
    let text = format!("{OBEYING}{}", b.symbols.text(contract));
    b.symbols.intern(&text)
}

/// What was read of pointers that obey contracts.
struct Read {
    expr: ExprId,
    pointer: ExprId,
    contract: Symbol,
    used: Use,
}

/// Finds what was read, from some expression on.
fn read_from(b: &Builder<'_>, first: usize) -> Vec<Read> {
    let mut found = Vec::new();
    for index in first..b.ast.exprs.len() {
        let expr = ExprId::new(index);
        let Some((name, arguments)) = b.called(expr) else { continue };
        let (used, contract) = match (name.strip_prefix(INTRINSIC), &arguments[..]) {
            (Some("obey"), &[_, _, contract]) => (Use::Assumed, contract),
            (Some("obeys"), &[_, contract]) => (Use::Asserted, contract),
            _ => continue,
        };
        let ExprKind::Name(contract) = b.ast.exprs[contract].kind else { continue };
        found.push(Read { expr, pointer: arguments[0], contract, used });
    }
    found
}

impl Maker<'_, '_> {
    /// Defines the functions behind pointers that obey contracts, and says which functions are known to obey.
    pub(super) fn define_obeying(&mut self, found: &BTreeMap<Symbol, Contracted>) -> Made<()> {
        let mut defined = BTreeSet::new();
        let mut asserted = Vec::new();
        let mut next = 0;
        loop {
            let first = std::mem::replace(&mut next, self.b.ast.exprs.len());
            let read = read_from(self.b, first);
            if read.is_empty() {
                break;
            }
            for one in read {
                self.b.span = self.b.ast.exprs[one.expr].span;
                let Some(contracted) = found.get(&one.contract).filter(|it| is_contract(it)) else {
                    let text = self.b.symbols.text(one.contract);
                    return Err(Problem::error(
                        self.b.span,
                        format!("the program has no function `{text}` with a contract"),
                    ));
                };
                if one.used == Use::Assumed {
                    self.b.ast.obeying = true;
                }
                if defined.insert(one.contract) {
                    self.define(contracted)?;
                }
                if one.used == Use::Asserted {
                    asserted.push(one);
                }
            }
        }
        for one in asserted {
            self.b.span = self.b.ast.exprs[one.expr].span;
            let known = known_to_obey(self.b, found, one.contract, self.contracts, &defined);
            let made = is_one_of(self.b, one.pointer, known);
            self.b.ast.exprs[one.expr].kind = self.b.ast.exprs[made].kind.clone();
        }
        Ok(())
    }

    /// The function that does what a contract allows; nothing else is known of it, whatever the contract's own function does.
    fn define(&mut self, contracted: &Contracted) -> Made<()> {
        let any = Contracted { body: None, ..contracted.clone() };
        let name = obeying(self.b, contracted.name);
        let body = self.stub(&any)?;
        self.declare(&any, name);
        self.last.push(any.definition(self.b, name, body));
        // Other files may have one of their own.
        for item in self.items.last().into_iter().chain(self.last.last()) {
            let specifiers = match item {
                Item::Function(function) => function.specifiers,
                Item::Declaration(declaration) => declaration.specifiers,
                _ => continue,
            };
            self.b.ast.specifiers[specifiers].storage = Storage::Static;
        }
        Ok(())
    }
}

/// The functions that are known to obey a contract.
fn known_to_obey(
    b: &mut Builder<'_>,
    found: &BTreeMap<Symbol, Contracted>,
    contract: Symbol,
    contracts: &Contracts,
    defined: &BTreeSet<Symbol>,
) -> Vec<Symbol> {
    let mut known = Vec::new();
    for other in found.values() {
        if other.name != contract && !is_same_contract(b, &found[&contract], other) {
            continue;
        }
        let counts = contracts.treatment(b.symbols.text(other.name), is_contract(other)).is_some();
        if counts || other.body.is_none() {
            known.push(other.name);
        }
        if defined.contains(&other.name) {
            known.push(obeying(b, other.name));
        }
    }
    known
}

/// `p == f || p == g || (p && unknown)`
fn is_one_of(b: &mut Builder<'_>, pointer: ExprId, known: Vec<Symbol>) -> ExprId {
    let why = b.text("whether a function obeys a contract that is not its own");
    let (unknown, zero) = (b.call(&format!("{INTRINSIC}unknown"), vec![why]), b.int(0));
    let unknown = b.expr(ExprKind::Comma(unknown, zero));
    let mut holds = b.logical(LogicalOp::And, pointer, unknown);
    for function in known.into_iter().rev() {
        let function = b.name(function);
        let is = b.call(&format!("{INTRINSIC}is"), vec![pointer, function]);
        holds = b.logical(LogicalOp::Or, is, holds);
    }
    holds
}

/// Whether two contracts say the same in the same words, but for the names of parameters.
fn is_same_contract(b: &Builder<'_>, left: &Contracted, right: &Contracted) -> bool {
    let (names, others) = (left.parameters(), right.parameters());
    if !is_contract(right) || left.clauses.len() != right.clauses.len() || names.len() != others.len() {
        return false;
    }
    let pairs = left.clauses.iter().zip(&right.clauses);
    pairs.into_iter().all(|((left, left_names), (right, right_names))| {
        let names = Names { left: left_names, right: right_names, pairs: (&names, &others) };
        left.notation == right.notation && is_same_clause(b, left, right, &names)
    })
}

/// How parameters are called on both sides.
struct Names<'n> {
    left: &'n BTreeMap<Symbol, Symbol>,
    right: &'n BTreeMap<Symbol, Symbol>,
    pairs: (&'n [Symbol], &'n [Symbol]),
}

impl Names<'_> {
    fn match_up(&self, left: Symbol, right: Symbol) -> bool {
        let left = self.left.get(&left).copied().unwrap_or(left);
        let right = self.right.get(&right).copied().unwrap_or(right);
        let at = |all: &[Symbol], name| all.iter().position(|&one| one == name);
        match (at(self.pairs.0, left), at(self.pairs.1, right)) {
            (None, None) => left == right,
            (left, right) => left == right,
        }
    }
}

fn is_same_clause(b: &Builder<'_>, left: &Clause, right: &Clause, names: &Names<'_>) -> bool {
    let targets = |left: &[Target], right: &[Target]| {
        left.len() == right.len()
            && left.iter().zip(right).all(|(left, right)| {
                let condition = match (left.condition, right.condition) {
                    (None, None) => true,
                    (Some(left), Some(right)) => is_same(b, left, right, names),
                    _ => false,
                };
                condition && is_same(b, left.place, right.place, names)
            })
    };
    match (&left.kind, &right.kind) {
        (&ClauseKind::Requires(left), &ClauseKind::Requires(right))
        | (&ClauseKind::Ensures(left), &ClauseKind::Ensures(right))
        | (&ClauseKind::Entry(left), &ClauseKind::Entry(right)) => is_same(b, left, right, names),
        (ClauseKind::Assigns(left), ClauseKind::Assigns(right))
        | (ClauseKind::Frees(left), ClauseKind::Frees(right)) => targets(left, right),
        _ => false,
    }
}

/// Whether two expressions are the same, in the words that clauses are mostly made of.
fn is_same(b: &Builder<'_>, left: ExprId, right: ExprId, names: &Names<'_>) -> bool {
    let same = |left: ExprId, right: ExprId| crate::deep(|| is_same(b, left, right, names));
    let kinds = (&b.ast.exprs[left].kind, &b.ast.exprs[right].kind);
    match kinds {
        (&ExprKind::Name(left), &ExprKind::Name(right)) => names.match_up(left, right),
        (ExprKind::Number(left), ExprKind::Number(right)) | (ExprKind::Char(left), ExprKind::Char(right)) => {
            left == right
        }
        (&ExprKind::Unary(op, left), &ExprKind::Unary(other, right)) => op == other && same(left, right),
        (&ExprKind::Binary(op, l1, l2), &ExprKind::Binary(other, r1, r2)) => {
            op == other && same(l1, r1) && same(l2, r2)
        }
        (&ExprKind::Logical(op, l1, l2), &ExprKind::Logical(other, r1, r2)) => {
            op == other && same(l1, r1) && same(l2, r2)
        }
        (&ExprKind::Index(l1, l2), &ExprKind::Index(r1, r2)) => same(l1, r1) && same(l2, r2),
        (&ExprKind::Member(left, member), &ExprKind::Member(right, other))
        | (&ExprKind::Arrow(left, member), &ExprKind::Arrow(right, other)) => {
            member == other && same(left, right)
        }
        (&ExprKind::SizeofExpr(left), &ExprKind::SizeofExpr(right)) => same(left, right),
        (&ExprKind::Conditional(l1, Some(l2), l3), &ExprKind::Conditional(r1, Some(r2), r3)) => {
            same(l1, r1) && same(l2, r2) && same(l3, r3)
        }
        (ExprKind::Call(left, all), ExprKind::Call(right, others)) => {
            let arguments = all.iter().zip(others).all(|(&left, &right)| same(left, right));
            same(*left, *right) && all.len() == others.len() && arguments
        }
        _ => false,
    }
}
