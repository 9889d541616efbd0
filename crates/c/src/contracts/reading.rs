//! The expression of a clause as an expression of C, for the place where it is evaluated.
//!
//! What depends on the place: whether the expression is *assumed* or *asserted* there, what `\result` is, and which
//! variables hold the values that `\old` means. A memory predicate that is assumed makes memory: `is_fresh(p, n)`
//! becomes `p = malloc(n)`; one that is asserted looks at what is there.
//!
//! Quantifiers: where the formula wants a witness for being false (`\forall` that is asserted, `\exists` that is
//! assumed), an arbitrary value is one. Everywhere else the values of the variable are gone through in a loop, which
//! needs bounds in the formula itself.

use super::build::Builder;
use super::{INTRINSIC, OLD};
use crate::ast::{
    BinaryOp, Declaration, ExprId, ExprKind, LogicalOp, QuantifierKind, StmtKind, TypeSpecifier,
};
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
enum Polarity {
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

/// How clauses of one contract are read at one place.
#[derive(Default)]
pub(super) struct Reading {
    /// The variable that holds the result.
    pub(super) result: Option<Symbol>,
    /// How names of the contract are called here.
    pub(super) renamed: BTreeMap<Symbol, Symbol>,
    /// The values of `\old` that clauses asked for.
    pub(super) remembered: Vec<Remembered>,
    /// Variables that hold the pointers which were found fresh so far, with an expression of their type.
    pub(super) fresh: Vec<Remembered>,
    /// Fresh memory was allocated since this frame began.
    pub(super) since: Option<u64>,
    /// Pointers that fresh memory is apart from, besides all that is fresh.
    pub(super) apart: Vec<ExprId>,
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

    fn copy(&mut self, b: &mut Builder<'_>, expr: ExprId, how: (Use, Polarity)) -> Read<ExprId> {
        crate::deep(|| self.copy_inside(b, expr, how))
    }

    fn copy_inside(&mut self, b: &mut Builder<'_>, expr: ExprId, how: (Use, Polarity)) -> Read<ExprId> {
        let outer = std::mem::replace(&mut b.span, b.ast.exprs[expr].span);
        let (used, polarity) = how;
        let term = (used, Polarity::Both);
        let kind = b.ast.exprs[expr].kind.clone();
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
                    _ => ExprKind::Name(self.renamed.get(&name).copied().unwrap_or(name)),
                }
            }
            ExprKind::Call(function, arguments) => {
                if let ExprKind::Name(name) = b.ast.exprs[function].kind {
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
            (OLD | "__ESBMC_old", &[value]) => self.old(b, value)?,
            ("__CPROVER_old", &[value]) if self.history == History::Function => self.old(b, value)?,
            ("__CPROVER_loop_entry", &[value]) if self.history == History::Loop => self.old(b, value)?,
            ("__CPROVER_old" | "__CPROVER_loop_entry", _) => {
                return Err(Problem::error(b.span, format!("there is no `{name}` here")));
            }
            ("__CPROVER_is_fresh" | "__ESBMC_is_fresh", &[pointer, size]) => {
                self.is_fresh(b, pointer, size, how)?
            }
            (
                "__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok" | "\\valid" | "\\valid_read",
                [pointer, rest @ ..],
            ) => {
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
    fn old(&mut self, b: &mut Builder<'_>, value: ExprId) -> Read<ExprId> {
        let mut calls = false;
        walk(b, value, &mut |kind| calls |= matches!(kind, ExprKind::Call(..)));
        if calls {
            return Err(Problem::unsupported(b.span, "an old value of a call"));
        }
        let value = self.copy(b, value, (Use::Asserted, Polarity::Both))?;
        if self.bound.iter().any(|&bound| mentions(b, value, bound)) {
            return Err(Problem::unsupported(b.span, "an old value of something that a quantifier binds"));
        }
        let name = b.invent("old");
        self.remembered.push(Remembered { name, value });
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
        let inside = self.copy(b, body, how);
        for (name, before) in outer {
            match before {
                Some(before) => self.renamed.insert(name, before),
                None => self.renamed.remove(&name),
            };
        }
        self.bound.truncate(self.bound.len() - names.len());
        let inside = inside?;
        if witness {
            let mut declaration = declaration.clone();
            for (item, &name) in declaration.declarators.iter_mut().zip(&names) {
                item.declarator.name = Some(name);
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
            whole = range_loop(b, kind, (one, names[index]), whole, inside)?;
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

/// A range with at most so many values is written out.
const MOST_CASES: u64 = 64;

/// The value of a literal.
fn number(b: &Builder<'_>, expr: ExprId) -> Option<u64> {
    let ExprKind::Number(text) = b.ast.exprs[expr].kind else { return None };
    b.symbols.text(text).trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
}

/// A quantified formula, written out for the values of its variable.
fn all_cases(
    b: &mut Builder<'_>,
    forall: bool,
    (variable, body): (Symbol, ExprId),
    values: std::ops::Range<u64>,
) -> ExprId {
    let mut whole = None;
    for value in values {
        let case = with_value(b, body, variable, value);
        let op = if forall { LogicalOp::And } else { LogicalOp::Or };
        whole = Some(match whole {
            Some(before) => b.logical(op, before, case),
            None => case,
        });
    }
    whole.unwrap_or_else(|| b.int(u64::from(forall)))
}

/// An expression with a number for a variable.
fn with_value(b: &mut Builder<'_>, expr: ExprId, variable: Symbol, value: u64) -> ExprId {
    crate::deep(|| {
        let mut kind = b.ast.exprs[expr].kind.clone();
        if matches!(kind, ExprKind::Name(name) if name == variable) {
            return b.int(value);
        }
        let mut put = |part: &mut ExprId| *part = with_value(b, *part, variable, value);
        match &mut kind {
            ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Member(a, _)
            | ExprKind::Arrow(a, _)
            | ExprKind::SizeofExpr(a) => put(a),
            ExprKind::Binary(_, a, c)
            | ExprKind::Logical(_, a, c)
            | ExprKind::Assign(_, a, c)
            | ExprKind::Comma(a, c)
            | ExprKind::Index(a, c)
            | ExprKind::Conditional(a, None, c) => {
                put(a);
                put(c);
            }
            ExprKind::Conditional(a, Some(d), c) => {
                put(a);
                put(d);
                put(c);
            }
            ExprKind::Call(_, arguments) => arguments.iter_mut().for_each(put),
            _ => {}
        }
        let span = std::mem::replace(&mut b.span, b.ast.exprs[expr].span);
        let made = b.expr(kind);
        b.span = span;
        made
    })
}

/// A bound of a variable: the expression, and whether it is a value of the variable itself.
#[derive(Clone, Copy)]
struct Bound {
    value: ExprId,
    included: bool,
}

/// The bounds that the guard of a quantified formula states for a variable.
fn bounds(
    b: &Builder<'_>,
    kind: QuantifierKind,
    body: ExprId,
    variable: Symbol,
) -> (Option<Bound>, Option<Bound>) {
    let (mut low, mut high) = (None, None);
    let (mut guards, mut negated) = (Vec::new(), Vec::new());
    match (kind, &b.ast.exprs[body].kind) {
        (QuantifierKind::Forall, &ExprKind::Logical(LogicalOp::Implies, guard, rest)) => {
            guards.extend([guard]);
            // `a ==> b ==> c` has two guards.
            if let ExprKind::Logical(LogicalOp::Implies, second, _) = b.ast.exprs[rest].kind {
                guards.push(second);
            }
        }
        (QuantifierKind::Exists, _) => guards.push(body),
        // `!(guard) || rest`, in any order
        (QuantifierKind::Forall, ExprKind::Logical(LogicalOp::Or, ..)) => {
            let mut parts = vec![body];
            while let Some(part) = parts.pop() {
                match b.ast.exprs[part].kind {
                    ExprKind::Logical(LogicalOp::Or, left, right) => parts.extend([left, right]),
                    ExprKind::Unary(crate::ast::UnaryOp::Not, guard) => guards.push(guard),
                    ExprKind::Binary(..) => negated.push(part),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    let is_variable =
        |expr: ExprId| matches!(b.ast.exprs[expr].kind, ExprKind::Name(name) if name == variable);
    loop {
        let (guard, holds) = match (guards.pop(), negated.is_empty()) {
            (Some(guard), _) => (guard, true),
            (None, false) => (negated.remove(0), false),
            (None, true) => break,
        };
        match b.ast.exprs[guard].kind {
            ExprKind::Logical(LogicalOp::And, left, right) => guards.extend([left, right]),
            ExprKind::Binary(op, left, right) => {
                let (op, value) = match (is_variable(left), is_variable(right)) {
                    (true, false) => (op, right),
                    (false, true) => (mirrored(op), left),
                    _ => continue,
                };
                if mentions(b, value, variable) {
                    continue;
                }
                let op = if holds { op } else { opposite(op) };
                match op {
                    BinaryOp::Lt => high = Some(Bound { value, included: false }),
                    BinaryOp::Le => high = Some(Bound { value, included: true }),
                    BinaryOp::Gt => low = Some(Bound { value, included: false }),
                    BinaryOp::Ge => low = Some(Bound { value, included: true }),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    (low, high)
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        other => other,
    }
}

/// `({ _Bool r = 1; for (T i = low; i < high; i++) if (!body) { r = 0; break; } r; })`
fn range_loop(
    b: &mut Builder<'_>,
    kind: QuantifierKind,
    (mut declaration, variable): (Declaration, Symbol),
    body: ExprId,
    guarded: ExprId,
) -> Read<ExprId> {
    let (low, high) = bounds(b, kind, guarded, variable);
    let Some(high) = high else {
        return Err(Problem::unsupported(
            b.span,
            "a quantifier over a range that the formula does not state",
        ));
    };
    let mut before = Vec::new();
    let low = match low {
        Some(low) => low,
        None => {
            // Only a type without negative numbers has a least value that may be left out.
            let (probe, zero, one) = (b.invent("least"), b.int(0), b.int(1));
            let mut like = declaration.clone();
            if let Some(item) = like.declarators.first_mut() {
                item.declarator.name = Some(probe);
                item.init = Some(crate::ast::Init::Expr(zero));
            }
            before.push(b.stmt(StmtKind::Declaration(like)));
            let place = b.name(probe);
            let minus = b.expr(ExprKind::Assign(Some(BinaryOp::Sub), place, one));
            let negative = b.binary(BinaryOp::Lt, minus, zero);
            let why = b.text("a quantifier over a range that the formula does not state");
            let unknown = b.call_stmt(&format!("{INTRINSIC}unknown"), vec![why]);
            before.push(b.when(Some(negative), unknown));
            Bound { value: zero, included: true }
        }
    };
    let forall = kind == QuantifierKind::Forall;
    if let (Some(from), Some(to)) = (number(b, low.value), number(b, high.value)) {
        let (from, to) = (from + u64::from(!low.included), to + u64::from(high.included));
        if to.saturating_sub(from) <= MOST_CASES {
            return Ok(all_cases(b, forall, (variable, body), from..to));
        }
    }
    let result = b.invent("all");
    let start = b.int(u64::from(forall));
    let declared_result = b.declare_value(result, start);
    let mut from = low.value;
    if !low.included {
        let one = b.int(1);
        from = b.binary(BinaryOp::Add, from, one);
    }
    if let Some(item) = declaration.declarators.first_mut() {
        item.init = Some(crate::ast::Init::Expr(from));
    }
    let first = b.stmt(StmtKind::Declaration(declaration));
    let at = b.name(variable);
    let op = if high.included { BinaryOp::Le } else { BinaryOp::Lt };
    let goes_on = b.binary(op, at, high.value);
    let found = if forall { b.not(body) } else { body };
    let answer = b.int(u64::from(!forall));
    let answered = b.assign_stmt(result, answer);
    let stop = b.stmt(StmtKind::Break);
    let both = b.block(vec![answered, stop]);
    let test = b.when(Some(found), both);
    let mut inside = vec![test];
    if high.included {
        let at = b.name(variable);
        let last = b.binary(BinaryOp::Eq, at, high.value);
        let stop = b.stmt(StmtKind::Break);
        inside.push(b.when(Some(last), stop));
    }
    let inside = b.block(inside);
    let at = b.name(variable);
    let step = b.expr(ExprKind::Increment { up: true, prefix: true, operand: at });
    let going = b.stmt(StmtKind::For(first, Some(goes_on), Some(step), inside));
    let value = b.name(result);
    let value = b.stmt(StmtKind::Expr(value));
    before.extend([declared_result, going, value]);
    let block = b.block(before);
    Ok(b.expr(ExprKind::StatementExpr(block)))
}
