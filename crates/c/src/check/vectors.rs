//! GNU vectors (`vector_size`): a vector is a struct whose only member, without a name, is an array.
//!
//! Operations go element by element, into a new vector; a number among the operands stands for a vector of it. What a
//! comparison gives is a vector of integers, -1 where it holds. Casts between vectors are of their bits, and supported
//! only where they are the same as casts of their elements.

use super::{Check, Checker, is_comparison};
use crate::ast::{self, BinaryOp, UnaryOp};
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind, Init, Step, StmtKind, VarId};
use crate::types::{Field, IntKind, Layout, Length, Record, Type, TypeId};
use base::Span;

/// The type of the elements of a vector, and their number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub element: TypeId,
    pub count: u64,
}

/// More elements than any machine has in a vector.
const MOST: u64 = 1 << 12;

impl Checker<'_> {
    /// The vector of elements of a type that takes a number of bytes.
    pub(super) fn vector_type(&mut self, element: TypeId, size: ast::ExprId, span: Span) -> Check<TypeId> {
        let bytes = self.constant_of(size, "the size of a vector")?;
        let arithmetic = self.tree.types.is_arithmetic(element);
        let one = self.tree.types.size(element).filter(|_| arithmetic);
        match (u64::try_from(bytes), one) {
            (Ok(bytes), Some(one)) if bytes > 0 && bytes.is_multiple_of(one) && bytes / one <= MOST => {
                Ok(self.vector(Shape { element, count: bytes / one }))
            }
            _ => Err(Problem::error(span, "this is no size of a vector")),
        }
    }

    /// The type of vectors of a shape; there is one for each.
    fn vector(&mut self, shape: Shape) -> TypeId {
        if let Some(&ty) = self.vectors.get(&(shape.element, shape.count)) {
            return ty;
        }
        let array = self.tree.types.intern(Type::Array(shape.element, Length::Known(shape.count)));
        let size = self.tree.types.size(array).unwrap_or(1);
        let align = size.next_power_of_two();
        let fields = vec![Field { name: None, ty: array, bit_offset: 0, width: None, align }];
        let layout = Some(Layout { fields, size: size.next_multiple_of(align), align });
        let record = self.tree.types.records.push(Record { tag: None, is_union: false, layout });
        let ty = self.tree.types.intern(Type::Record(record));
        self.vectors.insert((shape.element, shape.count), ty);
        self.vector_shapes.insert(ty, shape);
        ty
    }

    /// The shape of a type that is a vector.
    pub(super) fn shape(&self, ty: TypeId) -> Option<Shape> {
        self.vector_shapes.get(&ty).copied()
    }

    /// The array inside of a place that is a vector.
    pub(super) fn vector_elements(&mut self, place: ExprId, span: Span) -> ExprId {
        self.member_at(place, 0, span)
    }

    /// A binary operator with a vector among its operands; nothing if there is none.
    pub(super) fn vector_binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Check<Option<ExprId>> {
        let shape = match (self.shape(self.ty(left)), self.shape(self.ty(right))) {
            (None, None) => return Ok(None),
            (Some(a), Some(b)) if a.count != b.count => {
                return Err(Problem::error(span, "vectors of different lengths"));
            }
            (Some(shape), _) | (None, Some(shape)) => shape,
        };
        if self.function.is_none() {
            return Err(Problem::unsupported(span, "an operation on vectors outside of a function"));
        }
        let mut held = Vec::new();
        let left = self.vector_operand(left, shape, &mut held, span)?;
        let right = self.vector_operand(right, shape, &mut held, span)?;
        let result = if is_comparison(op) {
            let size = self.tree.types.size(shape.element).unwrap_or(1);
            Shape { element: self.signed_integer(size), count: shape.count }
        } else {
            shape
        };
        let mut elements = Vec::new();
        for index in 0..shape.count {
            let a = self.vector_element(left, index, span)?;
            let b = self.vector_element(right, index, span)?;
            let mut value = self.binary(op, a, b, span)?;
            if is_comparison(op) {
                value = self.unary_value(UnaryOp::Minus, value, span)?;
            }
            elements.push(self.convert(value, result.element, span)?);
        }
        self.new_vector(result, held, elements, span).map(Some)
    }

    /// `-`, `+`, `~` and `!` on a vector; nothing if it is none.
    pub(super) fn vector_unary(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> Check<Option<ExprId>> {
        let Some(shape) = self.shape(self.ty(operand)) else { return Ok(None) };
        let mut held = Vec::new();
        let operand = self.vector_operand(operand, shape, &mut held, span)?;
        let mut result = shape;
        if op == UnaryOp::Not {
            let size = self.tree.types.size(shape.element).unwrap_or(1);
            result.element = self.signed_integer(size);
        }
        let mut elements = Vec::new();
        for index in 0..shape.count {
            let value = self.vector_element(operand, index, span)?;
            let mut value = self.unary_value(op, value, span)?;
            if op == UnaryOp::Not {
                value = self.unary_value(UnaryOp::Minus, value, span)?;
            }
            elements.push(self.convert(value, result.element, span)?);
        }
        self.new_vector(result, held, elements, span).map(Some)
    }

    /// A cast to a vector or from one; nothing if neither is one.
    pub(super) fn vector_cast(&mut self, operand: ExprId, to: TypeId, span: Span) -> Check<Option<ExprId>> {
        let from = self.ty(operand);
        let whole = |this: &Self, shape: Shape| {
            this.tree.types.int_kind(shape.element).and_then(|_| this.tree.types.size(shape.element))
        };
        match (self.shape(from), self.shape(to)) {
            (None, None) => Ok(None),
            _ if from == to => Ok(Some(operand)),
            (Some(a), Some(b)) if whole(self, a).is_some() && whole(self, a) == whole(self, b) => {
                self.converted_vector(operand, b, span).map(Some)
            }
            _ => Err(Problem::unsupported(span, "the bits of a vector as something else")),
        }
    }

    /// `__builtin_convertvector`: every element is converted.
    pub(super) fn convert_vector(&mut self, operand: ExprId, to: TypeId, span: Span) -> Check<ExprId> {
        match (self.shape(self.ty(operand)), self.shape(to)) {
            (Some(a), Some(b)) if a.count == b.count => self.converted_vector(operand, b, span),
            _ => Err(Problem::error(span, "only vectors of one length can be converted")),
        }
    }

    fn converted_vector(&mut self, operand: ExprId, to: Shape, span: Span) -> Check<ExprId> {
        let mut held = Vec::new();
        let operand = self.vector_operand(operand, to, &mut held, span)?;
        let mut elements = Vec::new();
        for index in 0..to.count {
            let value = self.vector_element(operand, index, span)?;
            elements.push(self.convert(value, to.element, span)?);
        }
        self.new_vector(to, held, elements, span)
    }

    /// `__builtin_shufflevector(a, b, i, …)`: elements of both, by constant numbers; -1 stands for any value.
    pub(super) fn shuffle_vectors(&mut self, arguments: &[ast::ExprId], span: Span) -> Check<ExprId> {
        let [first, second, indices @ ..] = arguments else {
            return Err(Problem::error(span, "two vectors are expected here"));
        };
        let (first, second) = (self.value(*first)?, self.value(*second)?);
        let (Some(a), Some(b)) = (self.shape(self.ty(first)), self.shape(self.ty(second))) else {
            return Err(Problem::error(span, "two vectors are expected here"));
        };
        let mut held = Vec::new();
        let left = self.vector_operand(first, a, &mut held, span)?;
        let right = self.vector_operand(second, b, &mut held, span)?;
        let mut elements = Vec::new();
        for &index in indices {
            let index = self.constant_of(index, "the number of an element")?;
            let value = match u64::try_from(index) {
                Ok(index) if index < a.count => self.vector_element(left, index, span)?,
                Ok(index) if index - a.count < b.count => {
                    self.vector_element(right, index - a.count, span)?
                }
                _ => return Err(Problem::unsupported(span, "an element that is not given")),
            };
            elements.push(self.convert(value, a.element, span)?);
        }
        let shape = Shape { element: a.element, count: elements.len() as u64 };
        self.new_vector(shape, held, elements, span)
    }

    /// Holds an operand, so that it is evaluated once.
    fn vector_operand(
        &mut self,
        operand: ExprId,
        shape: Shape,
        held: &mut Vec<(VarId, ExprId)>,
        span: Span,
    ) -> Check<VarId> {
        let ty = self.ty(operand);
        let value =
            if self.shape(ty).is_some() { operand } else { self.convert(operand, shape.element, span)? };
        let ty = self.ty(value);
        let var = self.hidden_variable("vector", ty, span);
        held.push((var, value));
        Ok(var)
    }

    /// An element of an operand that is held; a number is all elements.
    fn vector_element(&mut self, var: VarId, index: u64, span: Span) -> Check<ExprId> {
        let ty = self.tree.variables[var].ty;
        let mut place = self.expr_node(ExprKind::Variable(var), ty, span);
        if let Some(shape) = self.shape(ty) {
            let array = self.vector_elements(place, span);
            let size_type = self.tree.types.integer(self.tree.types.size_kind());
            let index = self.int_node(index.into(), size_type, span);
            place = self.expr_node(ExprKind::Index(array, index), shape.element, span);
        }
        self.value_of(place)
    }

    /// A vector of elements, behind what holds the operands.
    fn new_vector(
        &mut self,
        shape: Shape,
        held: Vec<(VarId, ExprId)>,
        elements: Vec<ExprId>,
        span: Span,
    ) -> Check<ExprId> {
        let ty = self.vector(shape);
        let mut before = self.hold(held, span);
        let var = self.hidden_variable("vector", ty, span);
        let part = |(index, value)| (vec![Step::Field(0), Step::Index(index)], value);
        let parts = (0u64..).zip(elements).map(part).collect();
        before.push(self.stmt_node(StmtKind::Declare(var, Some(Init::Parts(parts))), span));
        let place = self.expr_node(ExprKind::Variable(var), ty, span);
        let value = self.value_of(place)?;
        Ok(self.expr_node(ExprKind::StatementExpr(before, Some(value)), ty, span))
    }

    fn signed_integer(&mut self, size: u64) -> TypeId {
        let kind = match size {
            1 => IntKind::SignedChar,
            2 => IntKind::Short,
            4 => IntKind::Int,
            _ => IntKind::LongLong,
        };
        self.tree.types.integer(kind)
    }
}
