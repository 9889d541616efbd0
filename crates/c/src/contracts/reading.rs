//! The expression of a clause as an expression of C, for the place where it is evaluated.
//!
//! What depends on the place: whether the expression is *assumed* or *asserted* there, what `\result` is, and which
//! variables hold the values that `\old` means. A memory predicate that is assumed makes memory: `is_fresh(p, n)`
//! becomes `p = malloc(n)`; one that is asserted looks at what is there.
//!
//! Quantifiers: where the formula wants a witness for being false (`\forall` that is asserted, `\exists` that is
//! assumed), an arbitrary value is one. Everywhere else the values of the variable are gone through in a loop, which
//! needs bounds in the formula itself. A witness is chosen at the entry if the formula asks for values there that depend on it.
//!
//! Values of before: the places of an expression under `\old` are remembered at the entry one by one, and the operators are
//! applied to what was remembered, in the arithmetic of the clause.

use super::build::Builder;
use super::logic::is_defined;
use super::{INTRINSIC, OLD, RANGE, pointers, ranges};
use crate::ast::{Declaration, ExprId, ExprKind, LogicalOp, QuantifierKind, StmtId, StmtKind, TypeSpecifier};
use crate::problem::Problem;
use crate::symbols::Symbol;
use std::collections::BTreeMap;

type Read<T> = Result<T, Problem>;

/// What is done with an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// Executions on which it does not hold do not count.
    Assumed,
    /// It has to hold.
    Asserted,
}

/// Whether a part of a formula being true makes the whole more true, or less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Polarity {
    Positive,
    Negative,
    Both,
}

impl Polarity {
    fn turned(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Both => Polarity::Both,
        }
    }
}

/// Which values of before a clause may speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum History {
    /// None.
    #[default]
    None,
    /// Those at the entry of the function.
    Function,
    /// Those at the entry of the loop.
    Loop,
}

/// A value that is remembered when the function or the loop is entered.
pub(super) struct Remembered {
    /// The variable that holds it.
    pub(super) name: Symbol,
    /// What it is the value of.
    pub(super) value: ExprId,
}

/// What is declared when the function or the loop is entered.
pub(super) enum AtEntry {
    /// A value that is remembered.
    Value(Remembered),
    /// Variables with arbitrary values.
    Any(Declaration),
}

/// How clauses of one contract are read at one place.
#[derive(Default)]
pub(super) struct Reading {
    /// The variable that holds the result.
    pub(super) result: Option<Symbol>,
    /// How names of the contract are called here.
    pub(super) renamed: BTreeMap<Symbol, Symbol>,
    /// What clauses need from the entry: values of `\old`, and witnesses that these depend on.
    pub(super) remembered: Vec<AtEntry>,
    /// Whether values are meant that were there at the entry.
    pub(super) before: bool,
    /// What the parameters of the definition stand for whose body is read.
    pub(super) given: BTreeMap<Symbol, ExprId>,
    /// The definitions whose bodies are read, the innermost last.
    pub(super) expanding: Vec<Symbol>,
    /// Bound variables that may be chosen at the entry.
    pub(super) movable: Vec<Symbol>,
    /// Those of them that have to be.
    pub(super) moved: Vec<Symbol>,
    /// Variables that hold the pointers which were found fresh so far, with an expression of their type.
    pub(super) fresh: Vec<Remembered>,
    /// Fresh memory was allocated since this frame began.
    pub(super) since: Option<u64>,
    /// Pointers that fresh memory is apart from, besides all that is fresh.
    pub(super) apart: Vec<ExprId>,
    /// Statements that let pointers point to functions that obey, or not; they come before clauses are evaluated.
    pub(super) may_obey: Vec<StmtId>,
    /// Which values of before may be asked for.
    pub(super) history: History,
    /// Whether a clause may be evaluated by statements.
    pub(super) statements_allowed: bool,
    /// Variables that quantifiers around the expression bind.
    pub(super) bound: Vec<Symbol>,
}

impl Reading {
    /// An expression for its use here.
    pub(super) fn read(&mut self, b: &mut Builder<'_>, expr: ExprId, used: Use) -> Read<ExprId> {
        self.copy(b, expr, (used, Polarity::Positive))
    }

    /// An expression that is no formula, as the measure of a loop.
    pub(super) fn read_term(&mut self, b: &mut Builder<'_>, expr: ExprId) -> Read<ExprId> {
        self.copy(b, expr, (Use::Asserted, Polarity::Both))
    }

    pub(super) fn copy(&mut self, b: &mut Builder<'_>, expr: ExprId, how: (Use, Polarity)) -> Read<ExprId> {
        crate::deep(|| self.copy_inside(b, expr, how))
    }

    fn copy_inside(&mut self, b: &mut Builder<'_>, expr: ExprId, how: (Use, Polarity)) -> Read<ExprId> {
        let outer = std::mem::replace(&mut b.span, b.ast.exprs[expr].span);
        let (used, polarity) = how;
        let term = (used, Polarity::Both);
        let kind = b.ast.exprs[expr].kind.clone();
        if self.before && self.is_remembered_whole(b, &kind) {
            self.before = false;
            let value = self.copy(b, expr, term);
            self.before = true;
            let made = self.remember(b, value?)?;
            b.span = outer;
            return Ok(made);
        }
        let kind = match kind {
            ExprKind::Name(name) => {
                let text = b.symbols.text(name);
                let is_result =
                    matches!(text, "__CPROVER_return_value" | "__ESBMC_return_value" | "\\result");
                match self.result {
                    Some(result) if is_result => ExprKind::Name(result),
                    None if is_result => {
                        return Err(Problem::error(b.span, format!("there is no `{text}` here")));
                    }
                    _ => match self.renamed.get(&name) {
                        Some(&renamed) => ExprKind::Name(renamed),
                        None => {
                            if let Some(made) = self.logic_name(b, name, how)? {
                                b.span = outer;
                                return Ok(made);
                            }
                            ExprKind::Name(name)
                        }
                    },
                }
            }
            ExprKind::Call(function, arguments) => {
                if let ExprKind::Name(name) = b.ast.exprs[function].kind {
                    if let Some(made) = self.logic_call(b, name, &arguments, how)? {
                        b.span = outer;
                        return Ok(made);
                    }
                    let text = b.symbols.text(name).to_owned();
                    if let Some(made) = self.special(b, &text, &arguments, how)? {
                        b.span = outer;
                        return Ok(made);
                    }
                }
                let function = self.copy(b, function, term)?;
                ExprKind::Call(function, self.copy_all(b, &arguments, term)?)
            }
            ExprKind::Quantified(kind, declaration, body) => {
                let made = self.quantified(b, (kind, &declaration, body), how)?;
                b.span = outer;
                return Ok(made);
            }
            ExprKind::Logical(op, left, right) => {
                let (left_how, right_how) = match op {
                    LogicalOp::And | LogicalOp::Or => (how, how),
                    LogicalOp::Implies => ((used, polarity.turned()), how),
                    LogicalOp::Iff => (term, term),
                };
                ExprKind::Logical(op, self.copy(b, left, left_how)?, self.copy(b, right, right_how)?)
            }
            ExprKind::Unary(op, operand) => {
                let inner = if op == crate::ast::UnaryOp::Not { (used, polarity.turned()) } else { term };
                ExprKind::Unary(op, self.copy(b, operand, inner)?)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.copy(b, condition, term)?;
                let then = then.map(|then| self.copy(b, then, how)).transpose()?;
                ExprKind::Conditional(condition, then, self.copy(b, otherwise, how)?)
            }
            ExprKind::Comma(left, right) => {
                ExprKind::Comma(self.copy(b, left, term)?, self.copy(b, right, how)?)
            }
            ExprKind::Binary(op, left, right) => {
                ExprKind::Binary(op, self.copy(b, left, term)?, self.copy(b, right, term)?)
            }
            ExprKind::Index(left, right) => {
                ExprKind::Index(self.copy(b, left, term)?, self.copy(b, right, term)?)
            }
            ExprKind::Cast(ty, operand) => ExprKind::Cast(ty, self.copy(b, operand, how)?),
            ExprKind::Member(operand, name) => ExprKind::Member(self.copy(b, operand, term)?, name),
            ExprKind::Arrow(operand, name) => ExprKind::Arrow(self.copy(b, operand, term)?, name),
            ExprKind::SizeofExpr(operand) => ExprKind::SizeofExpr(self.copy(b, operand, term)?),
            ExprKind::Assign(..) | ExprKind::Increment { .. } => {
                return Err(Problem::error(b.span, "a clause of a contract must not change anything"));
            }
            ExprKind::VaArg(..) | ExprKind::CompoundLiteral(..) => {
                return Err(Problem::unsupported(b.span, "objects in a clause of a contract"));
            }
            // Statements are taken as they are: they must not speak of what has another name here.
            ExprKind::StatementExpr(_)
                if !self.renamed.is_empty() || !self.bound.is_empty() || !self.statements_allowed =>
            {
                return Err(Problem::unsupported(b.span, "statements in a clause of a contract"));
            }
            other => other,
        };
        let made = b.expr(kind);
        b.span = outer;
        Ok(made)
    }

    fn copy_all(&mut self, b: &mut Builder<'_>, exprs: &[ExprId], how: (Use, Polarity)) -> Read<Vec<ExprId>> {
        exprs.iter().map(|&expr| self.copy(b, expr, how)).collect()
    }

    /// A call that is no call; nothing if it is one.
    fn special(
        &mut self,
        b: &mut Builder<'_>,
        name: &str,
        arguments: &[ExprId],
        how: (Use, Polarity),
    ) -> Read<Option<ExprId>> {
        let term = (how.0, Polarity::Both);
        Ok(Some(match (name, arguments) {
            (OLD | "\\at" | RANGE, _) if !self.expanding.is_empty() => {
                return Err(Problem::unsupported(
                    b.span,
                    format!("`{name}` in a definition of an annotation"),
                ));
            }
            (OLD | "__ESBMC_old", &[value]) => self.old(b, value)?,
            ("\\at", &[value, label]) => self.at(b, value, label, how)?,
            ("\\separated", _) => self.separated(b, arguments, term)?,
            (RANGE, _) => return Err(Problem::unsupported(b.span, "a range of elements here")),
            ("\\valid" | "\\valid_read", &[set]) => self.valid(b, set, term)?,
            ("__CPROVER_old", &[value]) if self.history == History::Function => self.old(b, value)?,
            ("__CPROVER_loop_entry", &[value]) if self.history == History::Loop => self.old(b, value)?,
            ("__CPROVER_old" | "__CPROVER_loop_entry", _) => {
                return Err(Problem::error(b.span, format!("there is no `{name}` here")));
            }
            ("__CPROVER_is_fresh" | "__ESBMC_is_fresh", &[pointer, size]) => {
                self.is_fresh(b, pointer, size, how)?
            }
            (pointers::OBEYS, _) => self.obeys(b, arguments, how)?,
            ("__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok", [pointer, rest @ ..]) => {
                let pointer = self.copy(b, *pointer, term)?;
                let size = match rest {
                    [size] => self.copy(b, *size, term)?,
                    _ => {
                        let pointed = b.deref(pointer);
                        b.expr(ExprKind::SizeofExpr(pointed))
                    }
                };
                b.call(&format!("{INTRINSIC}valid"), vec![pointer, size])
            }
            ("__CPROVER_same_object" | "__ESBMC_same_object", &[left, right]) => {
                let (left, right) = (self.copy(b, left, term)?, self.copy(b, right, term)?);
                b.call(&format!("{INTRINSIC}same"), vec![left, right])
            }
            ("__CPROVER_POINTER_OFFSET" | "__CPROVER_OBJECT_SIZE", &[pointer]) => {
                let pointer = self.copy(b, pointer, term)?;
                let what = if name.ends_with("SIZE") { "size" } else { "offset" };
                b.call(&format!("{INTRINSIC}{what}"), vec![pointer])
            }
            ("__ESBMC_implies", &[left, right]) => {
                let left = self.copy(b, left, (how.0, how.1.turned()))?;
                let right = self.copy(b, right, how)?;
                b.logical(LogicalOp::Implies, left, right)
            }
            ("__ESBMC_and", &[left, right]) => {
                let (left, right) = (self.copy(b, left, how)?, self.copy(b, right, how)?);
                b.logical(LogicalOp::And, left, right)
            }
            ("__ESBMC_or", &[left, right]) => {
                let (left, right) = (self.copy(b, left, how)?, self.copy(b, right, how)?);
                b.logical(LogicalOp::Or, left, right)
            }
            ("__ESBMC_forall" | "__ESBMC_exists", &[variable, body]) => {
                let kind = if name.ends_with('l') { QuantifierKind::Forall } else { QuantifierKind::Exists };
                let ExprKind::Unary(crate::ast::UnaryOp::AddressOf, place) = b.ast.exprs[variable].kind
                else {
                    return Err(Problem::error(b.span, "a quantifier needs the address of a variable"));
                };
                let ExprKind::Name(bound) = b.ast.exprs[place].kind else {
                    return Err(Problem::error(b.span, "a quantifier needs the address of a variable"));
                };
                let specifiers = b.specifiers(TypeSpecifier::TypeofExpr(place));
                let declaration = b.declaration(bound, specifiers, None);
                self.quantified(b, (kind, &declaration, body), how)?
            }
            _ if name.starts_with('\\')
                || ((name.starts_with("__CPROVER_") || name.starts_with("__ESBMC_"))
                    && !name.contains("_nondet_")) =>
            {
                return Err(Problem::unsupported(b.span, format!("`{name}` in a contract")));
            }
            _ => return Ok(None),
        }))
    }

    /// The value that an expression had at the entry.
    pub(super) fn old(&mut self, b: &mut Builder<'_>, value: ExprId) -> Read<ExprId> {
        let outer = std::mem::replace(&mut self.before, true);
        let made = self.copy(b, value, (Use::Asserted, Polarity::Both));
        self.before = outer;
        made
    }

    /// Whether the value of an expression is remembered, and not those of its parts.
    fn is_remembered_whole(&self, b: &Builder<'_>, kind: &ExprKind) -> bool {
        match kind {
            ExprKind::Name(name) => match self.renamed.get(name) {
                Some(renamed) => !self.bound.contains(renamed),
                None => !self.given.contains_key(name) && !is_defined(b, *name),
            },
            ExprKind::Call(function, _) => match b.ast.exprs[*function].kind {
                ExprKind::Name(name) => {
                    !is_defined(b, name) && !matches!(b.symbols.text(name), OLD | "\\at" | "__ESBMC_implies")
                }
                _ => true,
            },
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Arrow(..) | ExprKind::Quantified(..) => {
                true
            }
            ExprKind::Unary(op, _) => {
                matches!(op, crate::ast::UnaryOp::Deref | crate::ast::UnaryOp::AddressOf)
            }
            _ => false,
        }
    }

    /// Remembers the value that an expression has at the entry.
    fn remember(&mut self, b: &mut Builder<'_>, value: ExprId) -> Read<ExprId> {
        let mut calls = false;
        walk(b, value, &mut |kind| {
            if let ExprKind::Call(function, _) = kind {
                calls |= match b.ast.exprs[*function].kind {
                    ExprKind::Name(name) => !b.symbols.text(name).starts_with(INTRINSIC),
                    _ => true,
                };
            }
        });
        if calls {
            return Err(Problem::unsupported(b.span, "an old value of a call"));
        }
        for bound in self.bound.clone() {
            if !mentions(b, value, bound) {
                continue;
            }
            if !self.movable.contains(&bound) {
                return Err(Problem::unsupported(
                    b.span,
                    "an old value of something that a quantifier binds",
                ));
            }
            self.moved.push(bound);
        }
        let name = b.invent("old");
        self.remembered.push(AtEntry::Value(Remembered { name, value }));
        Ok(b.name(name))
    }

    fn is_fresh(
        &mut self,
        b: &mut Builder<'_>,
        pointer: ExprId,
        size: ExprId,
        (used, polarity): (Use, Polarity),
    ) -> Read<ExprId> {
        let term = (used, Polarity::Both);
        // `is_fresh(&p, n)` is another way to say `is_fresh(p, n)`.
        let pointer = match b.ast.exprs[pointer].kind {
            ExprKind::Unary(crate::ast::UnaryOp::AddressOf, place) => place,
            _ => pointer,
        };
        let pointer = self.copy(b, pointer, term)?;
        let size = self.copy(b, size, term)?;
        if used == Use::Assumed {
            return match polarity {
                Polarity::Positive => {
                    let memory = b.call("malloc", vec![size]);
                    let assigned = b.assign(pointer, memory);
                    let name = b.invent("fresh");
                    let seen = b.name(name);
                    let noted = b.assign(seen, pointer);
                    self.fresh.push(Remembered { name, value: pointer });
                    let one = b.int(1);
                    let noted = b.expr(ExprKind::Comma(noted, one));
                    Ok(b.expr(ExprKind::Comma(assigned, noted)))
                }
                // That something is not fresh tells nothing that could be used.
                Polarity::Negative => Ok(b.int(0)),
                Polarity::Both => {
                    Err(Problem::unsupported(b.span, "a memory predicate whose truth is compared"))
                }
            };
        }
        let mut holds = b.call(&format!("{INTRINSIC}valid"), vec![pointer, size]);
        if let Some(frame) = self.since {
            let frame = b.int(frame);
            let new = b.call(&format!("{INTRINSIC}since"), vec![pointer, frame]);
            holds = b.logical(LogicalOp::And, holds, new);
        }
        for other in self.apart.clone() {
            if is_same_name(b, other, pointer) {
                continue;
            }
            let same = b.call(&format!("{INTRINSIC}same"), vec![pointer, other]);
            let apart = b.not(same);
            holds = b.logical(LogicalOp::And, holds, apart);
        }
        for index in 0..self.fresh.len() {
            let seen = b.name(self.fresh[index].name);
            let same = b.call(&format!("{INTRINSIC}same"), vec![pointer, seen]);
            let other = b.not(same);
            holds = b.logical(LogicalOp::And, holds, other);
        }
        let name = b.invent("fresh");
        let seen = b.name(name);
        let noted = b.assign(seen, pointer);
        let one = b.int(1);
        let noted = b.expr(ExprKind::Comma(noted, one));
        self.fresh.push(Remembered { name, value: pointer });
        Ok(b.logical(LogicalOp::And, holds, noted))
    }

    fn quantified(
        &mut self,
        b: &mut Builder<'_>,
        (kind, declaration, body): (QuantifierKind, &Declaration, ExprId),
        how: (Use, Polarity),
    ) -> Read<ExprId> {
        let mut names = Vec::new();
        let mut outer = Vec::new();
        for item in &declaration.declarators {
            let Some(name) = item.declarator.name else { continue };
            let own = b.invent("any");
            outer.push((name, self.renamed.insert(name, own)));
            self.bound.push(own);
            names.push(own);
        }
        let witness = matches!(
            (kind, how),
            (
                QuantifierKind::Forall,
                (Use::Asserted, Polarity::Positive) | (Use::Assumed, Polarity::Negative)
            ) | (
                QuantifierKind::Exists,
                (Use::Asserted, Polarity::Negative) | (Use::Assumed, Polarity::Positive)
            )
        );
        let (entry, movable) = (self.remembered.len(), self.movable.len());
        if witness {
            self.movable.extend(&names);
        }
        let inside = self.copy(b, body, how);
        self.movable.truncate(movable);
        for (name, before) in outer {
            match before {
                Some(before) => self.renamed.insert(name, before),
                None => self.renamed.remove(&name),
            };
        }
        self.bound.truncate(self.bound.len() - names.len());
        let inside = inside?;
        if witness {
            if is_integer(b, declaration) && !ranges::are_small(b, kind, inside, &names) {
                return Err(Problem::unsupported(
                    b.span,
                    "a quantifier over integers whose range the formula does not state",
                ));
            }
            let mut declaration = declaration.clone();
            for (item, &name) in declaration.declarators.iter_mut().zip(&names) {
                item.declarator.name = Some(name);
            }
            if names.iter().any(|name| self.moved.contains(name)) {
                self.remembered.insert(entry, AtEntry::Any(declaration));
                return Ok(inside);
            }
            let declared = b.stmt(StmtKind::Declaration(declaration));
            let value = b.stmt(StmtKind::Expr(inside));
            let block = b.block(vec![declared, value]);
            return Ok(b.expr(ExprKind::StatementExpr(block)));
        }
        let mut whole = inside;
        for (index, item) in declaration.declarators.iter().enumerate().rev() {
            let mut own = item.declarator.clone();
            own.name = Some(names[index]);
            let one = Declaration {
                specifiers: declaration.specifiers,
                declarators: vec![crate::ast::InitDeclarator { declarator: own, init: None }],
            };
            whole = ranges::range_loop(b, kind, (one, names[index]), whole, inside)?;
        }
        Ok(whole)
    }
}

/// Whether two expressions are the same name.
fn is_same_name(b: &Builder<'_>, left: ExprId, right: ExprId) -> bool {
    match (&b.ast.exprs[left].kind, &b.ast.exprs[right].kind) {
        (ExprKind::Name(left), ExprKind::Name(right)) => left == right,
        _ => false,
    }
}

/// Whether a name occurs in an expression.
pub(super) fn mentions(b: &Builder<'_>, expr: ExprId, name: Symbol) -> bool {
    let mut found = false;
    walk(b, expr, &mut |kind| found |= matches!(kind, ExprKind::Name(other) if *other == name));
    found
}

/// Looks at all parts of an expression.
pub(super) fn walk(b: &Builder<'_>, expr: ExprId, look: &mut dyn FnMut(&ExprKind)) {
    crate::deep(|| {
        let kind = &b.ast.exprs[expr].kind;
        look(kind);
        for child in children(kind) {
            walk(b, child, look);
        }
    });
}

/// The operands of an expression.
pub(super) fn children(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Unary(_, a)
        | ExprKind::Increment { operand: a, .. }
        | ExprKind::Cast(_, a)
        | ExprKind::Member(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::SizeofExpr(a)
        | ExprKind::VaArg(a, _)
        | ExprKind::Quantified(_, _, a) => vec![*a],
        ExprKind::Binary(_, a, c)
        | ExprKind::Logical(_, a, c)
        | ExprKind::Assign(_, a, c)
        | ExprKind::Comma(a, c)
        | ExprKind::Index(a, c)
        | ExprKind::Conditional(a, None, c) => vec![*a, *c],
        ExprKind::Conditional(a, Some(d), c) => vec![*a, *d, *c],
        ExprKind::Call(function, arguments) => {
            let mut all = vec![*function];
            all.extend(arguments);
            all
        }
        _ => Vec::new(),
    }
}

/// Whether a quantifier is over the integers of ACSL.
fn is_integer(b: &Builder<'_>, declaration: &Declaration) -> bool {
    matches!(
        b.ast.specifiers[declaration.specifiers].ty,
        TypeSpecifier::Basic(words) if words.base == Some(crate::ast::BaseWord::Integer)
    )
}
