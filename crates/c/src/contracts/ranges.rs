//! The ranges of quantified variables, as the formula states them.

use super::INTRINSIC;
use super::build::Builder;
use super::reading::mentions;
use crate::ast::{
    BaseWord, BinaryOp, Declaration, ExprId, ExprKind, LogicalOp, QuantifierKind, StmtKind, TypeSpecifier,
    UnaryOp,
};
use crate::problem::Problem;
use crate::symbols::Symbol;

type Read<T> = Result<T, Problem>;

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
                    ExprKind::Unary(UnaryOp::Not, guard) => guards.push(guard),
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

/// Whether a formula keeps all of some integers so small that the widest type of C holds them: both bounds of each follow
/// from values of C, perhaps by way of other ones of these integers.
pub(super) fn are_small(b: &Builder<'_>, kind: QuantifierKind, body: ExprId, variables: &[Symbol]) -> bool {
    let stated = variables.iter().map(|&variable| bounds(b, kind, body, variable));
    let (low, high): (Vec<_>, Vec<_>) = stated.unzip();
    let all_small = |stated: &[Option<Bound>]| {
        let mut known: Vec<Symbol> = Vec::new();
        // Each pass finds a further one, or there is none.
        for _ in variables {
            for (&variable, &stated) in variables.iter().zip(stated) {
                let Some(bound) = stated else { continue };
                let depends = variables.iter().filter(|&&other| mentions(b, bound.value, other));
                let mut depends = depends.peekable();
                let alone =
                    depends.peek().is_none() || matches!(b.ast.exprs[bound.value].kind, ExprKind::Name(_));
                if alone && depends.all(|other| known.contains(other)) && bits(b, bound.value) < 126 {
                    known.push(variable);
                }
            }
        }
        variables.iter().all(|variable| known.contains(variable))
    };
    all_small(&low) && all_small(&high)
}

/// So many bits hold the value of an expression at most.
fn bits(b: &Builder<'_>, expr: ExprId) -> u32 {
    crate::deep(|| match &b.ast.exprs[expr].kind {
        &ExprKind::Binary(op, left, right) => {
            let (left, right) = (bits(b, left), bits(b, right));
            match op {
                BinaryOp::Add | BinaryOp::Sub => left.max(right).saturating_add(1),
                BinaryOp::Mul => left.saturating_add(right),
                BinaryOp::Div | BinaryOp::Rem => left.max(right),
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 1,
                _ => u32::MAX,
            }
        }
        &ExprKind::Unary(UnaryOp::Minus | UnaryOp::Plus, operand) => bits(b, operand).saturating_add(1),
        &ExprKind::Conditional(_, Some(then), otherwise) => bits(b, then).max(bits(b, otherwise)),
        ExprKind::Number(_) | ExprKind::Char(_) => 64,
        _ => widest(b),
    })
}

/// So many bits have the widest integers of the program.
fn widest(b: &Builder<'_>) -> u32 {
    let wide = b.ast.specifiers.values().any(|specifiers| {
        matches!(specifiers.ty, TypeSpecifier::Basic(words) if words.base == Some(BaseWord::Int128))
    });
    if wide { 128 } else { 64 }
}

/// `({ _Bool r = 1; for (T i = low; i < high; i++) if (!body) { r = 0; break; } r; })`
pub(super) fn range_loop(
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
