//! Operators and conversions (C11 6.3, 6.5.3 – 6.5.16).

use super::{Check, Checker};
use crate::ast::{self, BinaryOp, LogicalOp, UnaryOp};
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind};
use crate::types::{FloatKind, IntKind, Type, TypeId};
use base::Span;
use float::{Operation, Output, Pattern};

/// The number that an operation on constants gives.
fn calculated(operation: Operation, arguments: &[&Pattern]) -> Pattern {
    match operation.evaluate(arguments) {
        Output::Bits(bits) => bits,
        Output::Truth(truth) => Pattern::from(u8::from(truth)),
    }
}

/// Whether constants are in a relation.
fn holds(relation: Operation, left: &Pattern, right: &Pattern) -> bool {
    relation.evaluate(&[left, right]) == Output::Truth(true)
}

impl Checker<'_> {
    /// Converts a value to a type, as an assignment or a cast does.
    pub(super) fn convert(&mut self, expr: ExprId, to: TypeId, span: Span) -> Check<ExprId> {
        let from = self.ty(expr);
        if from == to {
            return Ok(expr);
        }
        if let Some(complex) = self.complex_convert(expr, to, span)? {
            return Ok(complex);
        }
        self.keeps_obeying(expr, to, span)?;
        let types = &self.tree.types;
        let kind = match (&types[from], &types[to]) {
            (_, Type::Void) => ExprKind::Convert(expr),
            (Type::Int(_) | Type::Enum(_), Type::Int(_) | Type::Enum(_)) => {
                let target = types.int_kind(to);
                match (self.constant(expr), target) {
                    (Some(value), Some(kind)) => match types.wrap(value, kind) {
                        Some(value) => ExprKind::Int(value),
                        None => ExprKind::Convert(expr),
                    },
                    _ => ExprKind::Convert(expr),
                }
            }
            (Type::Int(_) | Type::Enum(_), Type::Float(kind)) => match self.constant(expr) {
                Some(value) => {
                    let operation = Operation::FromSigned { width: 128, to: kind.format() };
                    ExprKind::Float(calculated(operation, &[&value.cast_unsigned().into()]))
                }
                None => ExprKind::Convert(expr),
            },
            (Type::Float(from), Type::Float(to)) => match &self.tree.exprs[expr].kind {
                ExprKind::Float(value) => {
                    let operation = Operation::Convert { from: from.format(), to: to.format() };
                    ExprKind::Float(calculated(operation, &[value]))
                }
                _ => ExprKind::Convert(expr),
            },
            (Type::Float(_), Type::Int(_) | Type::Enum(_)) => self.float_to_int(expr, to),
            (Type::Int(_) | Type::Enum(_), Type::Pointer(_)) => match self.constant(expr) {
                Some(value) => {
                    let address = types.size_kind();
                    ExprKind::Int(types.wrap(value, address).unwrap_or(value))
                }
                None => ExprKind::Convert(expr),
            },
            (Type::Pointer(_), Type::Int(_) | Type::Enum(_)) => {
                match (self.constant(expr), types.int_kind(to)) {
                    (Some(value), Some(kind)) => ExprKind::Int(types.wrap(value, kind).unwrap_or(value)),
                    _ => ExprKind::Convert(expr),
                }
            }
            (Type::Pointer(_), Type::Pointer(_)) => match self.constant(expr) {
                Some(value) => ExprKind::Int(value),
                None => ExprKind::Convert(expr),
            },
            _ => {
                let message = format!("`{}` cannot be converted to `{}`", self.show(from), self.show(to));
                return Err(Problem::error(span, message));
            }
        };
        Ok(self.expr_node(kind, to, span))
    }

    fn float_to_int(&self, expr: ExprId, to: TypeId) -> ExprKind {
        if let (ExprKind::Float(value), Type::Float(from), Some(kind)) =
            (&self.tree.exprs[expr].kind, &self.tree.types[self.ty(expr)], self.tree.types.int_kind(to))
        {
            let from = from.format();
            let zero = Pattern::default();
            if kind == IntKind::Bool {
                return ExprKind::Int(i128::from(!holds(Operation::Equal(from), value, &zero)));
            }
            // What does not fit gives zero, as what is less than one does.
            let whole = calculated(Operation::ToSigned { from, width: 128 }, &[value]);
            let whole = u128::try_from(whole).map(u128::cast_signed).unwrap_or(0);
            let below = |power| holds(Operation::Less(from), value, &from.power_of_two(power));
            let small = below(0) && holds(Operation::Less(from), &(from.one() | from.sign()), value);
            if (whole != 0 || small) && self.tree.types.wrap(whole, kind) == Some(whole) {
                return ExprKind::Int(whole);
            }
        }
        ExprKind::Convert(expr)
    }

    /// The integer promotions (C11 6.3.1.1); other values stay as they are.
    pub(super) fn promote(&mut self, expr: ExprId) -> Check<ExprId> {
        let Some(kind) = self.tree.types.int_kind(self.ty(expr)) else { return Ok(expr) };
        let width = self.bit_field_width(expr);
        let int = self.tree.types.int;
        let small = kind.rank() < IntKind::Int.rank()
            || width.is_some_and(|width| width < 32 || (width == 32 && kind.is_signed()));
        let target = if small { int } else { self.tree.types.integer(kind) };
        let span = self.span(expr);
        self.convert(expr, target, span)
    }

    /// gcc computes with bit-fields that are wider than `int` in as many bits as they have. That is not modelled, and
    /// refused where it makes a difference: unless a field is compared with, or masked by, numbers that it can hold, or meets
    /// a number that has at least the bits and the sign of the field's type, which is then the common type either way.
    fn wide_bit_fields(&self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Check<()> {
        let wide = |expr: ExprId| {
            let kind = self.tree.types.int_kind(self.ty(expr))?;
            let full = kind.width(self.tree.types.model);
            self.bit_field_width(expr).filter(|&width| width > 32 && width < full).map(|width| (width, kind))
        };
        for (field, other) in [(left, right), (right, left)] {
            let Some((width, kind)) = wide(field) else { continue };
            let model = self.tree.types.model;
            let other_kind = self.tree.types.int_kind(self.ty(other));
            let full = self.bit_field_width(other).is_none()
                && other_kind.is_some_and(|other| {
                    other.is_signed() == kind.is_signed() && other.width(model) >= kind.width(model)
                });
            if full && !matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                continue;
            }
            let bits = if kind.is_signed() { width - 1 } else { width };
            let holds = |value: i128| value >= 0 && value >> bits == 0;
            let small = self.constant(other).is_some_and(holds) || wide(other) == Some((width, kind));
            let harmless =
                is_comparison(op) || matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
            if !small || !harmless {
                return Err(Problem::unsupported(span, "arithmetic on a bit-field that is wider than `int`"));
            }
        }
        Ok(())
    }

    /// The width of the bit-field that an expression loads, or whose new or old value it is.
    pub(super) fn bit_field_width(&self, expr: ExprId) -> Option<u32> {
        let place = match self.tree.exprs[expr].kind {
            ExprKind::Load(place)
            | ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Increment { place, .. } => place,
            ExprKind::Comma(_, right) => return self.bit_field_width(right),
            _ => return None,
        };
        let ExprKind::Member(record, index) = self.tree.exprs[place].kind else { return None };
        let Type::Record(record) = self.tree.types[self.ty(record)] else { return None };
        self.tree.types.field(record, index)?.width
    }

    /// Promotions of arguments without a prototype.
    pub(super) fn default_promotion(&mut self, expr: ExprId) -> Check<ExprId> {
        if matches!(self.tree.types[self.ty(expr)], Type::Float(FloatKind::Float)) {
            let double = self.tree.types.intern(Type::Float(FloatKind::Double));
            let span = self.span(expr);
            return self.convert(expr, double, span);
        }
        self.promote(expr)
    }

    /// The usual arithmetic conversions (C11 6.3.1.8): the common type of two arithmetic values.
    pub(super) fn common_type(&mut self, left: TypeId, right: TypeId) -> TypeId {
        let float = |types: &crate::types::Types, ty| match types[ty] {
            Type::Float(kind) => Some(kind),
            _ => None,
        };
        let floats = (float(&self.tree.types, left), float(&self.tree.types, right));
        if let Some(kind) = floats.0.max(floats.1) {
            return self.tree.types.intern(Type::Float(kind));
        }
        let kind_of = |ty| self.tree.types.int_kind(ty).unwrap_or(IntKind::Int);
        let (a, b) = (kind_of(left), kind_of(right));
        let model = self.tree.types.model;
        let kind = if self.mathematical {
            IntKind::Int128
        } else if a.is_signed() == b.is_signed() {
            a.max(b)
        } else {
            let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
            if unsigned.rank() >= signed.rank() {
                unsigned
            } else if signed.size(model) > unsigned.size(model) {
                signed
            } else {
                signed.to_unsigned()
            }
        };
        self.tree.types.integer(kind)
    }

    /// Brings two arithmetic values to their common type.
    fn balance(&mut self, left: ExprId, right: ExprId) -> Check<(ExprId, ExprId, TypeId)> {
        let left = self.promote(left)?;
        let right = self.promote(right)?;
        let ty = self.common_type(self.ty(left), self.ty(right));
        let (left_span, right_span) = (self.span(left), self.span(right));
        Ok((self.convert(left, ty, left_span)?, self.convert(right, ty, right_span)?, ty))
    }

    /// A binary operator on two values.
    pub(super) fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Check<ExprId> {
        if let Some(vector) = self.vector_binary(op, left, right, span)? {
            return Ok(vector);
        }
        if let Some(complex) = self.complex_binary(op, left, right, span)? {
            return Ok(complex);
        }
        if !matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            self.wide_bit_fields(op, left, right, span)?;
        }
        let pointer = |this: &Self, expr| matches!(this.tree.types[this.ty(expr)], Type::Pointer(_));
        let (left_pointer, right_pointer) = (pointer(self, left), pointer(self, right));
        if left_pointer || right_pointer {
            return self.pointer_operator(op, left, right, span);
        }
        for operand in [left, right] {
            if !self.tree.types.is_arithmetic(self.ty(operand)) {
                let message = format!("`{}` is not a number here", self.show(self.ty(operand)));
                return Err(Problem::error(span, message));
            }
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let left = self.promote(left)?;
            let right = self.promote(right)?;
            let ty = self.ty(left);
            self.integers_only(op, ty, self.ty(right), span)?;
            return Ok(self.operation(op, left, right, ty, span));
        }
        let (left, right, ty) = self.balance(left, right)?;
        if matches!(op, BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) {
            self.integers_only(op, ty, ty, span)?;
        }
        let result = if is_comparison(op) { self.tree.types.int } else { ty };
        Ok(self.operation(op, left, right, result, span))
    }

    fn integers_only(&self, op: BinaryOp, left: TypeId, right: TypeId, span: Span) -> Check<()> {
        let whole = |ty| self.tree.types.int_kind(ty).is_some();
        if whole(left) && whole(right) {
            return Ok(());
        }
        Err(Problem::error(span, format!("the operator {op:?} works on integers only")))
    }

    /// A node for an operation on converted operands, folded if both are constants.
    fn operation(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId, span: Span) -> ExprId {
        if let (Some(a), Some(b)) = (self.constant(left), self.constant(right))
            && let Some(kind) = self.tree.types.int_kind(self.ty(left))
            && let Some(value) = self.fold(op, kind, a, b)
        {
            return self.int_node(value, ty, span);
        }
        if let (ExprKind::Float(a), ExprKind::Float(b)) =
            (&self.tree.exprs[left].kind, &self.tree.exprs[right].kind)
            && let Type::Float(kind) = self.tree.types[self.ty(left)]
            && is_comparison(op)
        {
            let format = kind.format();
            let holds = match op {
                BinaryOp::Eq => holds(Operation::Equal(format), a, b),
                BinaryOp::Ne => !holds(Operation::Equal(format), a, b),
                BinaryOp::Lt => holds(Operation::Less(format), a, b),
                BinaryOp::Gt => holds(Operation::Less(format), b, a),
                BinaryOp::Le => holds(Operation::LessEqual(format), a, b),
                _ => holds(Operation::LessEqual(format), b, a),
            };
            return self.int_node(i128::from(holds), ty, span);
        }
        self.expr_node(ExprKind::Binary(op, left, right), ty, span)
    }

    fn pointer_operator(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Check<ExprId> {
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        let pointees = (self.tree.types.pointee(left_ty), self.tree.types.pointee(right_ty));
        match (op, pointees) {
            (BinaryOp::Add | BinaryOp::Sub, (Some(_), None)) => {
                self.pointer_add(left, right, op == BinaryOp::Sub, span)
            }
            (BinaryOp::Add, (None, Some(_))) => self.pointer_add(right, left, false, span),
            (BinaryOp::Sub, (Some(to), Some(_))) => {
                self.countable(to, span)?;
                let ty = self.tree.types.integer(self.tree.types.difference_kind());
                Ok(self.expr_node(ExprKind::PointerDifference(left, right), ty, span))
            }
            _ if is_comparison(op) => {
                self.keeps_obeying_apart(left, right, span)?;
                let target = if pointees.0.is_some() { left_ty } else { right_ty };
                let left = self.convert(left, target, span)?;
                let right = self.convert(right, target, span)?;
                let int = self.tree.types.int;
                if let (Some(a), Some(b)) = (self.constant(left), self.constant(right)) {
                    let value = self.fold(op, self.tree.types.size_kind(), a, b);
                    return Ok(self.int_node(value.unwrap_or(0), int, span));
                }
                Ok(self.expr_node(ExprKind::Binary(op, left, right), int, span))
            }
            _ => Err(Problem::error(span, format!("the operator {op:?} does not work on pointers"))),
        }
    }

    fn pointer_add(&mut self, pointer: ExprId, count: ExprId, minus: bool, span: Span) -> Check<ExprId> {
        let ty = self.ty(pointer);
        if let Some(to) = self.tree.types.pointee(ty) {
            self.countable(to, span)?;
        }
        if self.tree.types.int_kind(self.ty(count)).is_none() {
            let message = format!("`{}` cannot be added to a pointer", self.show(self.ty(count)));
            return Err(Problem::error(span, message));
        }
        let count = self.promote(count)?;
        Ok(self.expr_node(ExprKind::PointerAdd { pointer, count, minus }, ty, span))
    }

    fn countable(&self, pointee: TypeId, span: Span) -> Check<()> {
        let bytes = matches!(self.tree.types[pointee], Type::Void | Type::Function(_));
        if bytes || self.tree.types.is_complete(pointee) {
            return Ok(());
        }
        let message = format!("the size of `{}` is not known", self.show(pointee));
        Err(Problem::error(span, message))
    }

    /// `-`, `+`, `~` and `!` on a value.
    pub(super) fn unary_value(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> Check<ExprId> {
        if let Some(vector) = self.vector_unary(op, operand, span)? {
            return Ok(vector);
        }
        if let Some(complex) = self.complex_unary(op, operand, span)? {
            return Ok(complex);
        }
        if op == UnaryOp::Not {
            self.scalar(operand)?;
            let int = self.tree.types.int;
            return Ok(match self.constant(operand) {
                Some(value) => self.int_node(i128::from(value == 0), int, span),
                None => self.expr_node(ExprKind::Not(operand), int, span),
            });
        }
        let operand = self.promote(operand)?;
        let mut ty = self.ty(operand);
        let is_int = self.tree.types.int_kind(ty).is_some();
        if !is_int && (op == UnaryOp::Complement || !matches!(self.tree.types[ty], Type::Float(_))) {
            return Err(Problem::error(span, format!("`{}` is not a number here", self.show(ty))));
        }
        let mut operand = operand;
        if self.mathematical && is_int {
            ty = self.tree.types.integer(IntKind::Int128);
            operand = self.convert(operand, ty, span)?;
        }
        if let (Some(value), Some(kind)) = (self.constant(operand), self.tree.types.int_kind(ty)) {
            let folded = match op {
                UnaryOp::Minus => value.checked_neg().and_then(|value| self.in_range(value, kind)),
                UnaryOp::Complement => self.tree.types.wrap(!value, kind),
                _ => Some(value),
            };
            if let Some(value) = folded {
                return Ok(self.int_node(value, ty, span));
            }
        }
        Ok(match (op, &self.tree.exprs[operand].kind) {
            (UnaryOp::Minus, ExprKind::Float(value)) => {
                let Type::Float(kind) = self.tree.types[ty] else { return Ok(operand) };
                let negated = value ^ kind.format().sign();
                self.expr_node(ExprKind::Float(negated), ty, span)
            }
            (UnaryOp::Minus, _) => self.expr_node(ExprKind::Negate(operand), ty, span),
            (UnaryOp::Complement, _) => self.expr_node(ExprKind::Complement(operand), ty, span),
            _ => operand,
        })
    }

    /// Fails unless the value can be a condition.
    pub(super) fn scalar(&self, expr: ExprId) -> Check<()> {
        let ty = self.ty(expr);
        if self.tree.types.is_scalar(ty) {
            return Ok(());
        }
        Err(Problem::error(self.span(expr), format!("`{}` cannot be a condition", self.show(ty))))
    }

    /// A condition.
    pub(super) fn condition(&mut self, id: ast::ExprId) -> Check<ExprId> {
        let value = self.value(id)?;
        let span = self.span(value);
        if let Some(truth) = self.complex_truth(value, span)? {
            return Ok(truth);
        }
        self.scalar(value)?;
        Ok(value)
    }

    pub(super) fn logical(
        &mut self,
        op: LogicalOp,
        left: ast::ExprId,
        right: ast::ExprId,
        span: Span,
    ) -> Check<ExprId> {
        let left = self.condition(left)?;
        let right = self.condition(right)?;
        let int = self.tree.types.int;
        let decided = match (op, self.constant(left), self.constant(right)) {
            (LogicalOp::And, Some(0), _) | (LogicalOp::Implies, _, Some(1)) => Some(op == LogicalOp::Implies),
            (LogicalOp::Or, Some(value), _) if value != 0 => Some(true),
            (LogicalOp::And, Some(_), Some(value)) | (LogicalOp::Or, Some(_), Some(value)) => {
                Some(value != 0)
            }
            _ => None,
        };
        Ok(match decided {
            Some(value) => self.int_node(i128::from(value), int, span),
            None => self.expr_node(ExprKind::Logical(op, left, right), int, span),
        })
    }

    pub(super) fn conditional(
        &mut self,
        condition: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> Check<ExprId> {
        let condition = self.condition(condition)?;
        let then_value = match then {
            Some(then) => self.value(then)?,
            None => condition,
        };
        let otherwise = self.value(otherwise)?;
        let (then_value, otherwise, ty) = self.common_result(then_value, otherwise, span)?;
        Ok(match (self.constant(condition), then) {
            (Some(value), _) => {
                let chosen = if value != 0 { then_value } else { otherwise };
                // The node is made anew, so that the choice keeps its place.
                match self.constant(chosen) {
                    Some(value) => self.int_node(value, ty, span),
                    None => chosen,
                }
            }
            (None, Some(_)) => {
                self.expr_node(ExprKind::Conditional(condition, then_value, otherwise), ty, span)
            }
            (None, None) => self.expr_node(ExprKind::ConditionalOr(condition, otherwise), ty, span),
        })
    }

    /// Brings the two results of a conditional to one type (C11 6.5.15).
    fn common_result(&mut self, left: ExprId, right: ExprId, span: Span) -> Check<(ExprId, ExprId, TypeId)> {
        if let Some(target) = self.complex_common_type(left, right)? {
            return Ok((self.convert(left, target, span)?, self.convert(right, target, span)?, target));
        }
        let (a, b) = (self.ty(left), self.ty(right));
        let types = &self.tree.types;
        if types.is_arithmetic(a) && types.is_arithmetic(b) {
            return self.balance(left, right);
        }
        let null = |this: &Self, expr| this.constant(expr) == Some(0);
        let target = match (&types[a], &types[b]) {
            _ if a == b => a,
            (Type::Void, _) | (_, Type::Void) => types.void,
            (Type::Pointer(_), Type::Pointer(_)) if null(self, left) => b,
            (Type::Pointer(_), Type::Pointer(_)) if null(self, right) => a,
            (Type::Pointer(x), Type::Pointer(_)) if matches!(types[*x], Type::Void) => a,
            (Type::Pointer(_), Type::Pointer(y)) if matches!(types[*y], Type::Void) => b,
            (Type::Pointer(_), _) => a,
            (_, Type::Pointer(_)) => b,
            _ => {
                let message = format!("`{}` and `{}` do not fit together", self.show(a), self.show(b));
                return Err(Problem::error(span, message));
            }
        };
        Ok((self.convert(left, target, span)?, self.convert(right, target, span)?, target))
    }

    pub(super) fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        left: ast::ExprId,
        right: ast::ExprId,
        span: Span,
    ) -> Check<ExprId> {
        let place = self.modifiable(left)?;
        let value = self.value(right)?;
        let ty = self.ty(place);
        let Some(op) = op else {
            let value = self.convert(value, ty, span)?;
            return Ok(self.expr_node(ExprKind::Assign(place, value), ty, span));
        };
        if let Some(to) = self.tree.types.pointee(ty) {
            let whole = self.tree.types.int_kind(self.ty(value)).is_some();
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !whole {
                return Err(Problem::error(span, format!("the operator {op:?} does not work on pointers")));
            }
            self.countable(to, span)?;
            let count = self.promote(value)?;
            let minus = op == BinaryOp::Sub;
            return Ok(self.expr_node(ExprKind::PointerAssign { place, count, minus }, ty, span));
        }
        if self.shape(ty).is_some() {
            // The place is looked at twice, so that only a variable will do.
            if !matches!(self.tree.exprs[place].kind, ExprKind::Variable(_)) {
                return Err(Problem::unsupported(span, "a compound assignment to a vector in memory"));
            }
            let old = self.value_of(place)?;
            let value = self.binary(op, old, value, span)?;
            return Ok(self.expr_node(ExprKind::Assign(place, value), ty, span));
        }
        if let Some(assigned) = self.complex_assign(op, place, value, span)? {
            return Ok(assigned);
        }
        // The computation is typed on a copy of the place as a value.
        let old = self.value_of(place)?;
        self.wide_bit_fields(op, old, value, span)?;
        for operand in [old, value] {
            if !self.tree.types.is_arithmetic(self.ty(operand)) {
                let message = format!("`{}` is not a number here", self.show(self.ty(operand)));
                return Err(Problem::error(span, message));
            }
        }
        let (value, computation) = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let old = self.promote(old)?;
            (self.promote(value)?, self.ty(old))
        } else {
            let (_, value, computation) = self.balance(old, value)?;
            (value, computation)
        };
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div) {
            self.integers_only(op, computation, self.ty(value), span)?;
        }
        Ok(self.expr_node(ExprKind::CompoundAssign { op, place, value, computation }, ty, span))
    }
}

/// Operators whose result is a truth value.
pub fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Gt | Le | Ge)
}
