//! `setjmp` and `longjmp` (C11 7.13).
//!
//! A buffer holds two numbers: that of the activation (the call of the function around `setjmp`) and that of the place in the
//! program. They are written to and read from the first integers of the buffer as any other C code would do it, whatever
//! the header makes of `jmp_buf`; the rest is done by the translation (`translate/jumps.rs`).

use super::{Check, Checker};
use crate::ast;
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind, Init, JumpSite, VarId};
use crate::types::{Length, Type, TypeId};
use base::Span;

/// The integers of a buffer that are used.
#[derive(Clone, Copy)]
enum Part {
    Activation,
    Site,
}

impl<'a> Checker<'a> {
    /// A call of one of these functions, under one of the names that libraries give them; nothing if it is none.
    pub(super) fn jump_call(
        &mut self,
        name: &str,
        arguments: &'a [ast::ExprId],
        span: Span,
    ) -> Check<Option<ExprId>> {
        match (name, arguments) {
            ("setjmp" | "_setjmp", &[buffer]) => self.set_jump(buffer, None, span).map(Some),
            ("sigsetjmp" | "__sigsetjmp", &[buffer, mask]) => {
                self.set_jump(buffer, Some(mask), span).map(Some)
            }
            ("longjmp" | "_longjmp" | "siglongjmp", &[buffer, value]) => {
                self.long_jump(buffer, value, span).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn set_jump(&mut self, buffer: ast::ExprId, mask: Option<ast::ExprId>, span: Span) -> Check<ExprId> {
        let Some(function) = self.function else {
            return Err(Problem::error(span, "a call outside of functions"));
        };
        let int = self.tree.types.int;
        let (var, mut all) = self.buffer(buffer, span)?;
        if let Some(mask) = mask {
            let mask = self.value(mask)?;
            all = self.expr_node(ExprKind::Comma(all, mask), int, span);
        }
        let site = self.tree.jump_sites.len() as i128;
        let activation = self.helper_call("__unreach_activation", Vec::new(), span)?;
        let number = self.int_node(site, int, span);
        for (part, value) in [(Part::Activation, activation), (Part::Site, number)] {
            let place = self.buffer_part(var, part, span)?;
            let ty = self.ty(place);
            let value = self.convert(value, ty, span)?;
            let assigned = self.expr_node(ExprKind::Assign(place, value), ty, span);
            all = self.expr_node(ExprKind::Comma(all, assigned), ty, span);
        }
        let number = self.int_node(site, int, span);
        let resumed = self.helper_call("__unreach_resumed", vec![number], span)?;
        self.tree.jump_sites.push(JumpSite { function, resumed });
        Ok(self.expr_node(ExprKind::Comma(all, resumed), int, span))
    }

    fn long_jump(&mut self, buffer: ast::ExprId, value: ast::ExprId, span: Span) -> Check<ExprId> {
        let types = &mut self.tree.types;
        let (int, number) = (types.int, types.integer(crate::types::IntKind::LongLong));
        let (var, all) = self.buffer(buffer, span)?;
        let mut numbers = Vec::new();
        for part in [Part::Activation, Part::Site] {
            let place = self.buffer_part(var, part, span)?;
            let held = self.value_of(place)?;
            numbers.push(self.convert(held, number, span)?);
        }
        let value = self.value(value)?;
        numbers.push(self.convert(value, int, span)?);
        let jump = self.helper_call("__unreach_jump", numbers, span)?;
        Ok(self.expr_node(ExprKind::Comma(all, jump), self.tree.types.void, span))
    }

    /// A hidden variable with the pointer to the buffer, which is evaluated once, and the expression that does it.
    fn buffer(&mut self, buffer: ast::ExprId, span: Span) -> Check<(VarId, ExprId)> {
        let pointer = self.value(buffer)?;
        let ty = self.ty(pointer);
        let var = self.hidden_variable("jump", ty, span);
        let literal = ExprKind::CompoundLiteral(var, Box::new(Init::Whole(pointer)));
        let literal = self.expr_node(literal, ty, span);
        Ok((var, self.value_of(literal)?))
    }

    /// The place of one of the numbers in the buffer that a variable points to.
    fn buffer_part(&mut self, var: VarId, part: Part, span: Span) -> Check<ExprId> {
        let refused = || Problem::unsupported(span, "`setjmp` or `longjmp` with a buffer of this type");
        let ty = self.tree.variables[var].ty;
        let pointer = self.expr_node(ExprKind::Variable(var), ty, span);
        let pointer = self.value_of(pointer)?;
        let index = self.int_node(part as i128, self.tree.types.int, span);
        let mut inside = self.tree.types.pointee(ty).ok_or_else(refused)?;
        if self.is_wide(inside) {
            let moved = ExprKind::PointerAdd { pointer, count: index, minus: false };
            let moved = self.expr_node(moved, ty, span);
            return Ok(self.expr_node(ExprKind::Deref(moved), inside, span));
        }
        let mut place = self.expr_node(ExprKind::Deref(pointer), inside, span);
        loop {
            match self.tree.types[inside] {
                Type::Record(record) => {
                    inside = self.tree.types.field(record, 0).ok_or_else(refused)?.ty;
                    place = self.expr_node(ExprKind::Member(place, 0), inside, span);
                }
                Type::Array(element, Length::Known(length)) if length >= 2 && self.is_wide(element) => {
                    return Ok(self.expr_node(ExprKind::Index(place, index), element, span));
                }
                _ => return Err(refused()),
            }
        }
    }

    /// Whether a type is that of integers which are large enough for the numbers.
    fn is_wide(&self, ty: TypeId) -> bool {
        self.tree.types.int_kind(ty).is_some() && self.tree.types.size(ty).is_some_and(|size| size >= 4)
    }
}
