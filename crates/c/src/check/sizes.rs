//! Sizes, alignments and offsets (C11 6.5.3.4, 7.19).

use super::{Check, Checker};
use crate::ast::{self, Designator};
use crate::problem::Problem;
use crate::symbols::Symbol;
use crate::tree::{ExprId, ExprKind};
use crate::types::{Length, RecordId, Type, TypeId};
use base::Span;

impl Checker<'_> {
    pub(super) fn size_of(&mut self, ty: TypeId, span: Span) -> Check<ExprId> {
        let size_type = self.tree.types.integer(self.tree.types.size_kind());
        if let Type::Array(element, Length::Variable(var)) = self.tree.types[ty] {
            let element = self.size_of(element, span)?;
            let length = self.expr_node(ExprKind::Variable(var), size_type, span);
            let length = self.value_of(length)?;
            return self.binary(ast::BinaryOp::Mul, length, element, span);
        }
        if let Type::Array(element, Length::Known(count)) = self.tree.types[ty]
            && self.tree.types.size(ty).is_none()
            && self.tree.types.is_complete(ty)
        {
            let element = self.size_of(element, span)?;
            let count = self.int_node(count.into(), size_type, span);
            return self.binary(ast::BinaryOp::Mul, count, element, span);
        }
        let complete =
            self.tree.types.is_complete(ty) || matches!(self.tree.types[ty], Type::Void | Type::Function(_));
        match self.tree.types.size(ty) {
            Some(size) if complete => Ok(self.int_node(size.into(), size_type, span)),
            _ => Err(Problem::error(span, format!("the size of `{}` is not known", self.show(ty)))),
        }
    }

    /// The alignment of a type, or the greater one that a declaration asks for.
    pub(super) fn align_of(
        &mut self,
        ty: TypeId,
        asked: Option<u64>,
        alignment: ast::Alignment,
        span: Span,
    ) -> Check<ExprId> {
        let size_type = self.tree.types.integer(self.tree.types.size_kind());
        let mut element = ty;
        while let Type::Array(inner, _) = self.tree.types[element] {
            element = inner;
        }
        let least = self.tree.types.layout(element).map(|(size, align)| match self.tree.types[element] {
            // On 32-bit Linux, variables with eight bytes are aligned better than members are.
            Type::Int(_) | Type::Float(_) | Type::Enum(_)
                if alignment == ast::Alignment::Preferred && size == 8 =>
            {
                8
            }
            _ => align,
        });
        match asked.or(least) {
            Some(align) => Ok(self.int_node(align.into(), size_type, span)),
            None => Err(Problem::error(span, format!("the alignment of `{}` is not known", self.show(ty)))),
        }
    }

    pub(super) fn align_of_operand(
        &mut self,
        operand: ast::ExprId,
        alignment: ast::Alignment,
        span: Span,
    ) -> Check<ExprId> {
        let place = self.expression(operand)?;
        let ty = match self.tree.exprs[place].kind {
            ExprKind::FunctionAddress(function) => self.tree.functions[function].ty,
            _ => self.ty(place),
        };
        match self.tree.exprs[place].kind {
            ExprKind::Variable(var) => {
                let asked = self.alignments.get(&var).copied();
                self.align_of(ty, asked, alignment, span)
            }
            // A member is where its struct puts it.
            ExprKind::Member(record, index) => {
                let Type::Record(record) = self.tree.types[self.ty(record)] else {
                    return self.align_of(ty, None, alignment, span);
                };
                let asked = self.tree.types.field(record, index).map(|field| field.align);
                self.align_of(ty, asked, alignment, span)
            }
            _ => self.align_of(ty, None, alignment, span),
        }
    }

    pub(super) fn offset_of(
        &mut self,
        type_name: ast::TypeNameId,
        path: &[Designator],
        span: Span,
    ) -> Check<ExprId> {
        let mut ty = self.type_name(type_name)?;
        let mut offset = 0u64;
        let size_type = self.tree.types.integer(self.tree.types.size_kind());
        let mut variable = None;
        for step in path {
            match step {
                Designator::Field(name, span) => {
                    let Type::Record(record) = self.tree.types[ty] else {
                        return Err(Problem::error(*span, format!("`{}` has no members", self.show(ty))));
                    };
                    let Some((inside, member)) = self.field_offset(record, *name) else {
                        let message = format!("`{}` has no member `{}`", self.show(ty), self.text(*name));
                        return Err(Problem::error(*span, message));
                    };
                    offset = offset.wrapping_add(inside);
                    ty = member;
                }
                Designator::Index(index) => {
                    let Type::Array(element, _) = self.tree.types[ty] else {
                        return Err(Problem::error(span, format!("`{}` is not an array", self.show(ty))));
                    };
                    let size = self.tree.types.size(element).unwrap_or(1);
                    let index = self.value(*index)?;
                    ty = element;
                    if let Some(index) = self.constant(index) {
                        offset = offset.wrapping_add((index as u64).wrapping_mul(size));
                        continue;
                    }
                    // GNU C: an index that is not constant.
                    let index = self.convert(index, size_type, span)?;
                    let size = self.int_node(size.into(), size_type, span);
                    let bytes = self.binary(ast::BinaryOp::Mul, index, size, span)?;
                    variable = Some(match variable {
                        Some(sum) => self.binary(ast::BinaryOp::Add, sum, bytes, span)?,
                        None => bytes,
                    });
                }
                Designator::Range(..) => return Err(Problem::error(span, "a range has no offset")),
            }
        }
        let offset = self.int_node(offset.into(), size_type, span);
        match variable {
            Some(variable) => self.binary(ast::BinaryOp::Add, offset, variable, span),
            None => Ok(offset),
        }
    }

    pub(super) fn field_offset(&self, record: RecordId, name: Symbol) -> Option<(u64, TypeId)> {
        let path = self.tree.types.find_field(record, name)?;
        let mut offset = 0;
        let mut ty = None;
        let mut record = Some(record);
        for index in path {
            let field = self.tree.types.field(record?, index)?;
            offset += field.bit_offset / 8;
            ty = Some(field.ty);
            record = match self.tree.types[field.ty] {
                Type::Record(inner) => Some(inner),
                _ => None,
            };
        }
        Some((offset, ty?))
    }
}
