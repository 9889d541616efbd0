//! Unary and postfix operators that make places or take them apart, and casts (C11 6.5.2 – 6.5.4).

use super::{Check, Checker, is_place};
use crate::ast::{self, ExprKind as Ast, UnaryOp};
use crate::problem::Problem;
use crate::symbols::Symbol;
use crate::tree::{ExprId, ExprKind, Init, Step};
use crate::types::{RecordId, Type, TypeId};
use base::Span;

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: ast::ExprId, span: Span) -> Check<ExprId> {
        match op {
            UnaryOp::Deref => {
                // `*a` and `*(a + i)` on an array are elements: the array's address is not taken for that.
                let ast = self.ast;
                if let Ast::Binary(ast::BinaryOp::Add, left, right) = &ast.exprs[operand].kind {
                    return self.index(*left, *right, span);
                }
                let operand = self.expression(operand)?;
                if let Type::Array(element, _) = self.tree.types[self.ty(operand)] {
                    let zero = self.int_node(0, self.tree.types.int, span);
                    return Ok(self.expr_node(ExprKind::Index(operand, zero), element, span));
                }
                let pointer = self.value_of(operand)?;
                self.dereference(pointer, span)
            }
            UnaryOp::AddressOf => {
                let operand = self.expression(operand)?;
                let ty = self.ty(operand);
                match &self.tree.exprs[operand].kind {
                    // A node of its own: `f` alone is a function to `sizeof` and `typeof`, and `&f` a pointer.
                    ExprKind::FunctionAddress(_) => {
                        return Ok(self.expr_node(ExprKind::Convert(operand), ty, span));
                    }
                    ExprKind::Member(inner, index) => {
                        if let Type::Record(record) = self.tree.types[self.ty(*inner)]
                            && self
                                .tree
                                .types
                                .field(record, *index)
                                .is_some_and(|field| field.width.is_some())
                        {
                            return Err(Problem::error(span, "a bit-field has no address"));
                        }
                    }
                    kind if is_place(kind) => {}
                    _ => return Err(Problem::error(span, "this has no address")),
                }
                let pointer = self.tree.types.pointer(ty);
                Ok(self.address(operand, pointer, span))
            }
            UnaryOp::Real | UnaryOp::Imaginary => {
                let operand = self.expression(operand)?;
                self.complex_part(op, operand, span)
            }
            UnaryOp::Minus | UnaryOp::Plus | UnaryOp::Complement | UnaryOp::Not => {
                let operand = self.value(operand)?;
                self.unary_value(op, operand, span)
            }
        }
    }

    /// The place that a pointer points to.
    pub(super) fn dereference(&mut self, pointer: ExprId, span: Span) -> Check<ExprId> {
        let ty = self.ty(pointer);
        let Some(pointee) = self.tree.types.pointee(ty) else {
            return Err(Problem::error(span, format!("`{}` is not a pointer", self.show(ty))));
        };
        if matches!(self.tree.types[pointee], Type::Function(_)) {
            return Ok(pointer);
        }
        if let ExprKind::AddressOf(place) = self.tree.exprs[pointer].kind
            && self.ty(place) == pointee
        {
            return Ok(place);
        }
        Ok(self.expr_node(ExprKind::Deref(pointer), pointee, span))
    }

    pub(super) fn index(&mut self, array: ast::ExprId, index: ast::ExprId, span: Span) -> Check<ExprId> {
        let mut array = self.expression(array)?;
        if self.shape(self.ty(array)).is_some() {
            if !is_place(&self.tree.exprs[array].kind) {
                array = self.expr_node(ExprKind::Temporary(array), self.ty(array), span);
            }
            array = self.vector_elements(array, span);
        }
        let mut index = self.expression(index)?;
        let is_pointer =
            |this: &Self, expr| matches!(this.tree.types[this.ty(expr)], Type::Array(..) | Type::Pointer(_));
        if !is_pointer(self, array) && is_pointer(self, index) {
            std::mem::swap(&mut array, &mut index);
        }
        let index = self.value_of(index)?;
        if let Type::Array(element, _) = self.tree.types[self.ty(array)]
            && self.tree.types.int_kind(self.ty(index)).is_some()
        {
            let index = self.promote(index)?;
            return Ok(self.expr_node(ExprKind::Index(array, index), element, span));
        }
        let pointer = self.value_of(array)?;
        let sum = self.binary(ast::BinaryOp::Add, pointer, index, span)?;
        self.dereference(sum, span)
    }

    pub(super) fn member(&mut self, operand: ExprId, name: Symbol, span: Span) -> Check<ExprId> {
        let ty = self.ty(operand);
        let Type::Record(record) = self.tree.types[ty] else {
            let message = format!("`{}` has no members", self.show(ty));
            return Err(Problem::error(span, message));
        };
        let Some(path) = self.tree.types.find_field(record, name) else {
            let message = format!("`{}` has no member `{}`", self.show(ty), self.text(name));
            if self.ast.models {
                // The program declares a struct of the library in its own way.
                return Err(Problem::unsupported(span, message));
            }
            return Err(Problem::error(span, message));
        };
        let mut place = operand;
        if !is_place(&self.tree.exprs[operand].kind) {
            place = if self.function.is_some() && self.holds_union(ty) {
                // The members of a union share their bytes, which only an object in memory has.
                let var = self.hidden_variable("literal", ty, span);
                let whole = Box::new(Init::Whole(operand));
                self.expr_node(ExprKind::CompoundLiteral(var, whole), ty, span)
            } else {
                self.expr_node(ExprKind::Temporary(operand), ty, span)
            };
        }
        for index in path {
            place = self.member_at(place, index, span);
        }
        Ok(place)
    }

    /// Whether there is a union in a type.
    pub(super) fn holds_union(&self, ty: TypeId) -> bool {
        match self.tree.types[ty] {
            Type::Array(element, _) => self.holds_union(element),
            Type::Record(record) => {
                let data = &self.tree.types.records[record];
                let fields = data.layout.as_ref().map_or(&[][..], |layout| &layout.fields);
                data.is_union || fields.iter().any(|field| self.holds_union(field.ty))
            }
            _ => false,
        }
    }

    /// The member of a struct place by its number.
    pub(super) fn member_at(&mut self, place: ExprId, index: u32, span: Span) -> ExprId {
        let field = match self.tree.types[self.ty(place)] {
            Type::Record(record) => self.tree.types.field(record, index).map(|field| field.ty),
            _ => None,
        };
        let ty = field.unwrap_or(self.tree.types.int);
        self.expr_node(ExprKind::Member(place, index), ty, span)
    }

    /// A place that can be assigned to.
    pub(super) fn modifiable(&mut self, id: ast::ExprId) -> Check<ExprId> {
        let place = self.expression(id)?;
        let span = self.span(place);
        let kind = &self.tree.exprs[place].kind;
        if !is_place(kind) || matches!(self.tree.types[self.ty(place)], Type::Array(..) | Type::Function(_)) {
            return Err(Problem::error(span, "this cannot be assigned to"));
        }
        Ok(place)
    }

    pub(super) fn cast(
        &mut self,
        type_name: ast::TypeNameId,
        operand: ast::ExprId,
        span: Span,
    ) -> Check<ExprId> {
        let ty = self.type_name(type_name)?;
        let operand = self.expression(operand)?;
        if matches!(self.tree.types[ty], Type::Void)
            && matches!(self.tree.types[self.ty(operand)], Type::Record(_))
            && !self.tree.types.is_complete(self.ty(operand))
            && let ExprKind::Deref(pointer) = self.tree.exprs[operand].kind
        {
            // Nothing is read of a struct that is not known.
            return Ok(self.expr_node(ExprKind::Convert(pointer), ty, span));
        }
        let operand = self.value_of(operand)?;
        if let Some(vector) = self.vector_cast(operand, ty, span)? {
            return Ok(vector);
        }
        // A cast to the union type of a member is a GNU form.
        if let Type::Record(record) = self.tree.types[ty]
            && self.ty(operand) != ty
        {
            return self.cast_to_union(operand, ty, record, span);
        }
        if self.ty(operand) == ty && self.bit_field_width(operand).is_some() {
            // The value of a cast is no bit-field any more, which matters for its promotion.
            return Ok(self.expr_node(ExprKind::Convert(operand), ty, span));
        }
        self.convert(operand, ty, span)
    }

    /// A union whose member of the operand's type has the operand's value.
    pub(super) fn cast_to_union(
        &mut self,
        operand: ExprId,
        ty: TypeId,
        record: RecordId,
        span: Span,
    ) -> Check<ExprId> {
        if !self.tree.types.records[record].is_union {
            return Err(Problem::error(span, "a cast to a struct"));
        }
        let from = self.ty(operand);
        let layout = self.tree.types.records[record].layout.as_ref();
        let fields = layout.map_or(&[][..], |layout| &layout.fields);
        let fits = |field: &crate::types::Field| self.tree.types.compatible(field.ty, from);
        let Some(index) = fields.iter().position(fits) else {
            let message = format!("`{}` is not the type of a member of the union", self.show(from));
            return Err(Problem::error(span, message));
        };
        let member = fields[index].ty;
        let value = self.convert(operand, member, span)?;
        let var = self.hidden_variable("literal", ty, span);
        let init = Init::Parts(vec![(vec![Step::Field(index as u32)], value)]);
        let literal = self.expr_node(ExprKind::CompoundLiteral(var, Box::new(init)), ty, span);
        self.value_of(literal)
    }
}
