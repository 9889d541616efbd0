//! Calls that contracts make with a place for an argument, whatever its type is.

use super::{Check, Checker, Entity};
use crate::ast;
use crate::contracts::INTRINSIC;
use crate::problem::Problem;
use crate::tree::{Callee, ExprId, ExprKind, FuncId};
use crate::types::Type;
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
