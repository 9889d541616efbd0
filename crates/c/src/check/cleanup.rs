//! `pthread_cleanup_push` in programs that also call `pthread_exit`: the exit runs the functions that were pushed and not
//! popped, the last one first (POSIX.1-2017).
//!
//! What the macros of `pthread.h` push is a record in the block that they open, which nobody looks at unless a function in
//! the same file may exit; only then do the records make a list, one for each thread.

use super::{Check, Checker};
use crate::ast;
use crate::tree::{ExprId, ExprKind};
use base::Span;

/// What the macros call, and the functions (written in C) that take their place.
const ENTER: &str = "pthread_cleanup_enter";
const LEAVE: &str = "pthread_cleanup_leave";
const EXIT: &str = "pthread_exit";

impl<'a> Checker<'a> {
    /// A call that has to do with such functions; nothing if it is none, or if nobody exits.
    pub(super) fn cleanup_call(
        &mut self,
        name: &str,
        arguments: &'a [ast::ExprId],
        span: Span,
    ) -> Check<Option<ExprId>> {
        let ([argument], ENTER | LEAVE | EXIT) = (arguments, name) else { return Ok(None) };
        let other = if name == EXIT { ENTER } else { EXIT };
        if !self.mentions(other) {
            // The record stays a variable that nobody has the address of.
            return match name {
                ENTER => self.helper_call(ENTER, Vec::new(), span).map(Some),
                LEAVE => Ok(Some(self.int_node(0, self.tree.types.int, span))),
                _ => Ok(None),
            };
        }
        let argument = self.value(*argument)?;
        if name != EXIT {
            let list = if name == ENTER { "__unreach_cleanup_push" } else { "__unreach_cleanup_pop" };
            return self.helper_call(list, vec![argument], span).map(Some);
        }
        let argument = self.convert(argument, self.tree.types.void_pointer, span)?;
        let runs = self.helper_call("__unreach_clean_up", Vec::new(), span)?;
        let exits = self.helper_call("pthread_unreach_exit", vec![argument], span)?;
        Ok(Some(self.expr_node(ExprKind::Comma(runs, exits), self.tree.types.void, span)))
    }

    /// Whether an expression of this file is a name.
    fn mentions(&self, name: &str) -> bool {
        let Some(name) = self.symbols.get(name) else { return false };
        self.ast.exprs.values().any(|expr| matches!(expr.kind, ast::ExprKind::Name(found) if found == name))
    }
}
