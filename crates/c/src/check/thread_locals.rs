//! Variables that every thread has for itself (C11 6.2.4 p4, and `__thread` of GNU C).
//!
//! In a program that may start threads, such a variable is an array with an element for each thread, and its name stands
//! for the element of the thread that is here. Elements are zero at the start; where the initialiser says something else, a
//! thread gives its element the value when it first names the variable, which a second array remembers: nobody can have
//! the address before.

use super::{Check, Checker};
use crate::ast::UnaryOp;
use crate::problem::Problem;
use crate::tree::{ExprId, ExprKind, Init, Step, StmtId, StmtKind, VarId};
use crate::types::{IntKind, Length, Type};
use base::Span;

/// More threads than the product of threads can have.
const THREADS: u64 = 1 << 16;
/// The most bytes that all elements together may have, which is little in both data models.
const MOST_BYTES: u64 = 1 << 26;

/// The value that threads give their elements: which of them have done so, and the values of parts.
pub(super) struct FirstValue {
    begun: VarId,
    parts: Vec<(Vec<Step>, ExprId)>,
}

impl Checker<'_> {
    /// Makes a variable with static lifetime an array with an element for each thread, if there may be several.
    pub(super) fn make_thread_local(&mut self, var: VarId, span: Span) -> Check<()> {
        let concurrent =
            ["pthread_create", "thrd_create"].iter().any(|name| self.symbols.get(name).is_some());
        if !concurrent {
            return Ok(());
        }
        let ty = self.tree.variables[var].ty;
        let small = self.tree.types.size(ty).is_some_and(|size| size <= MOST_BYTES / THREADS);
        if !small || self.tree.variables[var].external || self.thread_locals.contains_key(&var) {
            // Refused where there are threads in truth.
            self.tree.thread_local.get_or_insert(span);
            return Ok(());
        }
        self.tree.variables[var].ty = self.tree.types.intern(Type::Array(ty, Length::Known(THREADS)));
        let parts = match self.tree.variables[var].init.take() {
            None => Vec::new(),
            Some(Init::Whole(value)) => vec![(Vec::new(), value)],
            Some(Init::Parts(parts)) => parts,
        };
        let zero = parts.iter().all(|&(_, value)| matches!(self.tree.exprs[value].kind, ExprKind::Int(0)));
        let first = (!zero).then(|| {
            let flag = self.tree.types.integer(IntKind::Bool);
            let flags = self.tree.types.intern(Type::Array(flag, Length::Known(THREADS)));
            let function = self.function.take();
            let begun = self.hidden_variable("begun", flags, span);
            self.function = function;
            self.tree.statics.push(begun);
            FirstValue { begun, parts }
        });
        self.thread_locals.insert(var, first);
        Ok(())
    }

    /// The element of the thread that is here, for the name of such a variable; nothing for other variables.
    pub(super) fn own_element(&mut self, var: VarId, span: Span) -> Check<Option<ExprId>> {
        let Some(first) = self.thread_locals.get(&var) else { return Ok(None) };
        let first = first.as_ref().map(|first| (first.begun, first.parts.clone()));
        if self.function.is_none() {
            return Err(Problem::error(span, "the initialiser of a static variable must be constant"));
        }
        let mut own = self.helper_call("pthread_unreach_self", Vec::new(), span)?;
        if let Some((begun, parts)) = first {
            own = self.begun_thread(var, begun, parts, own, span)?;
        }
        self.element_of(var, own, span).map(Some)
    }

    fn element_of(&mut self, var: VarId, index: ExprId, span: Span) -> Check<ExprId> {
        let array = self.tree.variables[var].ty;
        let Type::Array(element, _) = self.tree.types[array] else {
            return Err(Problem::error(span, "a variable that every thread has for itself"));
        };
        let whole = self.expr_node(ExprKind::Variable(var), array, span);
        Ok(self.expr_node(ExprKind::Index(whole, index), element, span))
    }

    /// The number of a thread, which has given its element the first value.
    fn begun_thread(
        &mut self,
        var: VarId,
        begun: VarId,
        parts: Vec<(Vec<Step>, ExprId)>,
        own: ExprId,
        span: Span,
    ) -> Check<ExprId> {
        // As many values as there are elements.
        let ty = self.tree.types.integer(IntKind::UnsignedShort);
        let own = self.convert(own, ty, span)?;
        let held = self.hidden_variable("thread", ty, span);
        let declared = self.stmt_node(StmtKind::Declare(held, Some(Init::Whole(own))), span);
        let flag = self.element_at(begun, held, span)?;
        let flag = self.value_of(flag)?;
        let fresh = self.unary_value(UnaryOp::Not, flag, span)?;
        let mut first: Vec<StmtId> = Vec::new();
        for (path, value) in parts {
            let mut place = self.element_at(var, held, span)?;
            for step in path {
                place = self.part_place(place, step, span)?;
            }
            let ty = self.ty(place);
            let assigned = self.expr_node(ExprKind::Assign(place, value), ty, span);
            first.push(self.stmt_node(StmtKind::Expr(assigned), span));
        }
        let flag = self.element_at(begun, held, span)?;
        let ty = self.ty(flag);
        let yes = self.int_node(1, ty, span);
        let told = self.expr_node(ExprKind::Assign(flag, yes), ty, span);
        first.push(self.stmt_node(StmtKind::Expr(told), span));
        let block = self.stmt_node(StmtKind::Block(first), span);
        let condition = self.stmt_node(StmtKind::If(fresh, block, None), span);
        let number = self.variable_value(held, span)?;
        let ty = self.ty(number);
        Ok(self.expr_node(ExprKind::StatementExpr(vec![declared, condition], Some(number)), ty, span))
    }

    fn element_at(&mut self, var: VarId, held: VarId, span: Span) -> Check<ExprId> {
        let index = self.variable_value(held, span)?;
        self.element_of(var, index, span)
    }

    fn part_place(&mut self, place: ExprId, step: Step, span: Span) -> Check<ExprId> {
        match (step, &self.tree.types[self.ty(place)]) {
            (Step::Index(index), &Type::Array(element, _)) => {
                let size_type = self.tree.types.integer(self.tree.types.size_kind());
                let index = self.int_node(index.into(), size_type, span);
                Ok(self.expr_node(ExprKind::Index(place, index), element, span))
            }
            (Step::Field(field), Type::Record(_)) => Ok(self.member_at(place, field, span)),
            _ => Err(Problem::unsupported(span, "this initialiser of a variable that every thread has")),
        }
    }
}
