//! Constant folding on integers: what makes a constant expression an [`ExprKind::Int`].
//!
//! A result that leaves the range of a signed type is not folded: whoever needs a constant there reports it, and
//! at run time it is an overflow like any other.

use super::{Check, Checker};
use crate::ast::{self, BinaryOp};
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind};
use crate::types::{IntKind, TypeId};
use base::Span;

impl Checker<'_> {
    /// The value of a folded integer constant.
    pub(super) fn constant(&self, expr: ExprId) -> Option<i128> {
        match self.tree.exprs[expr].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The value of an expression that must be an integer constant.
    pub(super) fn constant_of(&mut self, expr: ast::ExprId, what: &str) -> Check<i128> {
        let span = self.ast_expr(expr).span;
        let value = self.value(expr)?;
        match self.constant(value) {
            Some(constant) if self.tree.types.int_kind(self.ty(value)).is_some() => Ok(constant),
            _ => Err(Problem::error(span, format!("{what} must be an integer constant"))),
        }
    }

    /// An integer constant.
    pub(super) fn int_node(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        self.expr_node(ExprKind::Int(value), ty, span)
    }

    /// The value of an operation on constants of one kind; `None` if it overflows or is undefined.
    pub(super) fn fold(&self, op: BinaryOp, kind: IntKind, left: i128, right: i128) -> Option<i128> {
        let types = &self.tree.types;
        let comparison = |holds: bool| Some(i128::from(holds));
        let value = match op {
            BinaryOp::Eq => return comparison(left == right),
            BinaryOp::Ne => return comparison(left != right),
            BinaryOp::Lt => return comparison(left < right),
            BinaryOp::Gt => return comparison(left > right),
            BinaryOp::Le => return comparison(left <= right),
            BinaryOp::Ge => return comparison(left >= right),
            BinaryOp::Add => left.checked_add(right)?,
            BinaryOp::Sub => left.checked_sub(right)?,
            BinaryOp::Mul => left.checked_mul(right)?,
            BinaryOp::Div => left.checked_div(right)?,
            BinaryOp::Rem => left.checked_rem(right)?,
            BinaryOp::BitAnd => left & right,
            BinaryOp::BitOr => left | right,
            BinaryOp::BitXor => left ^ right,
            BinaryOp::Shl | BinaryOp::Shr => {
                let width = i128::from(kind.width(types.model));
                if right < 0 || right >= width || (left < 0 && op == BinaryOp::Shl) {
                    return None;
                }
                if op == BinaryOp::Shr {
                    left >> right
                } else if width == 128 {
                    return None;
                } else {
                    // At most 64 + 63 bits: no loss.
                    left << right
                }
            }
        };
        self.in_range(value, kind)
    }

    /// A result as a value of the type: unsigned types wrap, signed ones must fit.
    pub(super) fn in_range(&self, value: i128, kind: IntKind) -> Option<i128> {
        let wrapped = self.tree.types.wrap(value, kind)?;
        (!kind.is_signed() || wrapped == value).then_some(wrapped)
    }
}
