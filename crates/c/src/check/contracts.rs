//! Calls that contracts make with a place for an argument, whatever its type is.

use super::{Check, Checker, Entity};
use crate::ast::{self, BinaryOp};
use crate::contracts::INTRINSIC;
use crate::problem::Problem;
use crate::tree::{Callee, ExprId, ExprKind, FuncId};
use crate::types::{Type, TypeId};
use base::Span;

impl<'a> Checker<'a> {
    /// A call of a contract's function that gets a place; nothing if it is none.
    pub(super) fn contract_call(
        &mut self,
        name: &str,
        arguments: &'a [ast::ExprId],
        span: Span,
    ) -> Check<Option<ExprId>> {
        let Some(what) = name.strip_prefix(INTRINSIC) else { return Ok(None) };
        match (what, arguments) {
            ("havoc", &[place]) => {
                let place = self.contract_place(place, span)?;
                let ty = self.ty(place);
                if matches!(self.tree.types[ty], Type::Array(..)) {
                    let function = self.contract_function("havoc_place", span)?;
                    let load = self.expr_node(ExprKind::Load(place), ty, span);
                    let void = self.tree.types.void;
                    let call = ExprKind::Call(Callee::Direct(function), vec![load]);
                    return Ok(Some(self.expr_node(call, void, span)));
                }
                let function = self.contract_function("any", span)?;
                let any = self.expr_node(ExprKind::Call(Callee::Direct(function), Vec::new()), ty, span);
                Ok(Some(self.expr_node(ExprKind::Assign(place, any), ty, span)))
            }
            ("integer", &[value]) => {
                let outer = std::mem::replace(&mut self.mathematical, true);
                let value = self.value(value);
                self.mathematical = outer;
                let value = value?;
                if self.tree.types.int_kind(self.ty(value)).is_none() {
                    return Err(Problem::error(span, "a contract needs an integer here"));
                }
                let wide = self.tree.types.integer(crate::types::IntKind::Int128);
                self.convert(value, wide, span).map(Some)
            }
            ("exact_offset", &[pointer]) => {
                let pointer = self.value(pointer)?;
                let function = self.contract_function("offset", span)?;
                let wide = self.tree.types.integer(crate::types::IntKind::Int128);
                let call = ExprKind::Call(Callee::Direct(function), vec![pointer]);
                Ok(Some(self.expr_node(call, wide, span)))
            }
            ("obey", &[place, function, _]) => {
                let place = self.contract_place(place, span)?;
                let (ty, function) = (self.ty(place), self.value(function)?);
                self.obeys_a_function(ty, function, span)?;
                Ok(Some(self.expr_node(ExprKind::Assign(place, function), ty, span)))
            }
            ("is", &[pointer, function]) => {
                let (pointer, function) = (self.value(pointer)?, self.value(function)?);
                self.obeys_a_function(self.ty(pointer), function, span)?;
                let int = self.tree.types.int;
                Ok(Some(self.expr_node(ExprKind::Binary(BinaryOp::Eq, pointer, function), int, span)))
            }
            ("place", &[number, place]) => {
                let number = self.value(number)?;
                let place = self.contract_place(place, span)?;
                let ty = self.ty(place);
                let load = self.expr_node(ExprKind::Load(place), ty, span);
                let function = self.contract_function("place", span)?;
                let void = self.tree.types.void;
                let call = ExprKind::Call(Callee::Direct(function), vec![number, load]);
                Ok(Some(self.expr_node(call, void, span)))
            }
            _ => Ok(None),
        }
    }

    /// A pointer of this type can point to the function.
    fn obeys_a_function(&self, pointer: TypeId, function: ExprId, span: Span) -> Check<()> {
        let types = &self.tree.types;
        let pointee = types.pointee(pointer).filter(|&to| types.function(to).is_some());
        let function = types.pointee(self.ty(function));
        match (pointee, function) {
            (Some(pointee), Some(function)) if types.compatible(pointee, function) => Ok(()),
            (Some(_), _) => Err(Problem::error(span, "a pointer cannot obey a contract of another type")),
            (None, _) => {
                Err(Problem::error(span, "what is to obey a contract must be a pointer to a function"))
            }
        }
    }

    /// Where pointers may point to any function that obeys a contract, it must not matter to which one they do.
    pub(super) fn keeps_obeying_apart(&self, left: ExprId, right: ExprId, span: Span) -> Check<()> {
        let to_function = |expr: ExprId| self.points_to_function(self.ty(expr));
        let constant = self.constant(left).is_some() || self.constant(right).is_some();
        if self.obeying && !constant && (to_function(left) || to_function(right)) {
            let what =
                "a comparison of pointers to functions, where one may be any function that obeys a contract";
            return Err(Problem::unsupported(span, what));
        }
        Ok(())
    }

    /// The same for what is made of such a pointer.
    pub(super) fn keeps_obeying(&self, expr: ExprId, to: TypeId, span: Span) -> Check<()> {
        let is_lost = matches!(self.tree.types[to], Type::Int(_) | Type::Enum(_) | Type::Pointer(_))
            && !self.points_to_function(to)
            && !matches!(self.tree.types[to], Type::Int(crate::types::IntKind::Bool));
        if self.obeying && is_lost && self.points_to_function(self.ty(expr)) && self.constant(expr).is_none()
        {
            let what = "a pointer to a function as something else, where one may be any function that obeys a contract";
            return Err(Problem::unsupported(span, what));
        }
        Ok(())
    }

    fn points_to_function(&self, ty: TypeId) -> bool {
        let types = &self.tree.types;
        types.pointee(ty).is_some_and(|to| types.function(to).is_some())
    }

    fn contract_place(&mut self, place: ast::ExprId, span: Span) -> Check<ExprId> {
        let place = self.expression(place)?;
        if !super::is_place(&self.tree.exprs[place].kind) {
            return Err(Problem::error(span, "a contract lists something that cannot be assigned to"));
        }
        if matches!(self.tree.types[self.ty(place)], Type::Void | Type::Function(_)) {
            return Err(Problem::error(span, "a contract lists a place that has no type"));
        }
        Ok(place)
    }

    fn contract_function(&mut self, what: &str, span: Span) -> Check<FuncId> {
        let name = self.symbols.get(&format!("{INTRINSIC}{what}"));
        match name.and_then(|name| self.names.get(&name)) {
            Some(&Entity::Function(function)) => {
                self.tree.mentions.push((self.function, function));
                Ok(function)
            }
            _ => Err(Problem::error(span, "contracts are not asked for")),
        }
    }
}
