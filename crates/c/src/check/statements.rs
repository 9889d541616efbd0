//! Statements (C11 6.8).

use super::{Check, Checker};
use crate::ast::{self, StmtKind as Ast};
use crate::problem::Problem;
use crate::symbols::Symbol;
use crate::tree::{StmtId, StmtKind};
use crate::types::Type;
use base::Span;

impl<'a> Checker<'a> {
    /// A statement; what must run before it comes with it in a block.
    pub(super) fn statement(&mut self, id: ast::StmtId) -> Check<StmtId> {
        let mut out = Vec::new();
        self.statement_into(id, &mut out)?;
        Ok(match out[..] {
            [single] => single,
            _ => self.stmt_node(StmtKind::Block(out), self.ast.stmts[id].span),
        })
    }

    /// Appends a statement, and before it what must run before it.
    pub(super) fn statement_into(&mut self, id: ast::StmtId, out: &mut Vec<StmtId>) -> Check<()> {
        crate::deep(|| {
            let outer = std::mem::take(&mut self.prelude);
            let kind = self.statement_inside(id, out)?;
            out.append(&mut self.prelude);
            self.prelude = outer;
            if let Some(kind) = kind {
                let span = self.ast.stmts[id].span;
                let statement = self.stmt_node(kind, span);
                out.push(statement);
            }
            Ok(())
        })
    }

    fn statement_inside(&mut self, id: ast::StmtId, out: &mut Vec<StmtId>) -> Check<Option<StmtKind>> {
        let ast = self.ast;
        let node = &ast.stmts[id];
        let span = node.span;
        Ok(Some(match &node.kind {
            Ast::Empty => StmtKind::Empty,
            Ast::Expr(expr) => {
                let mut inside = *expr;
                while let ast::ExprKind::Cast(_, operand) = ast.exprs[inside].kind {
                    inside = operand;
                }
                self.dropped = matches!(ast.exprs[inside].kind, ast::ExprKind::Call(..));
                let value = self.value(*expr);
                self.dropped = false;
                StmtKind::Expr(value?)
            }
            Ast::Declaration(declaration) => {
                self.local_declaration(declaration, out)?;
                return Ok(None);
            }
            Ast::LocalLabels(_) => StmtKind::Empty,
            Ast::StaticAssert(condition) => {
                self.static_assertion(*condition)?;
                StmtKind::Empty
            }
            Ast::NestedFunction => return Err(Problem::unsupported(span, "a function inside a function")),
            Ast::Block(statements) => {
                self.open_scope();
                let labels = self.open_labels(statements);
                let mut inside = Vec::new();
                for &statement in statements {
                    self.statement_into(statement, &mut inside)?;
                }
                self.close_labels(labels);
                self.close_scope();
                StmtKind::Block(inside)
            }
            Ast::If(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                let then = self.scoped(*then)?;
                let otherwise = otherwise.map(|otherwise| self.scoped(otherwise)).transpose()?;
                StmtKind::If(condition, then, otherwise)
            }
            Ast::While(condition, body) => {
                let condition = self.loop_part(*condition, span)?;
                StmtKind::While(condition, self.scoped(*body)?)
            }
            Ast::DoWhile(body, condition) => {
                let body = self.scoped(*body)?;
                StmtKind::DoWhile(body, self.loop_part(*condition, span)?)
            }
            Ast::For(first, condition, step, body) => {
                self.open_scope();
                let first = self.statement(*first)?;
                let condition = condition.map(|condition| self.loop_part(condition, span)).transpose()?;
                let step = match step {
                    Some(step) => {
                        let value = self.value(*step)?;
                        self.no_prelude(span)?;
                        Some(value)
                    }
                    None => None,
                };
                let body = self.scoped(*body)?;
                self.close_scope();
                StmtKind::For(first, condition, step, body)
            }
            Ast::Switch(subject, body) => {
                let subject = self.value(*subject)?;
                let subject = self.promote(subject)?;
                if self.tree.types.int_kind(self.ty(subject)).is_none() {
                    return Err(Problem::error(span, "a `switch` needs an integer"));
                }
                let outer = self.subject.replace(self.ty(subject));
                let body = self.scoped(*body)?;
                self.subject = outer;
                StmtKind::Switch(subject, body)
            }
            Ast::Case(first, last, body) => {
                let Some(subject) = self.subject else {
                    return Err(Problem::error(span, "`case` outside of a `switch`"));
                };
                let first = self.case_value(*first, subject)?;
                let last = match last {
                    Some(last) => self.case_value(*last, subject)?,
                    None => first,
                };
                StmtKind::Case(first, last, self.statement(*body)?)
            }
            Ast::Default(body) => {
                if self.subject.is_none() {
                    return Err(Problem::error(span, "`default` outside of a `switch`"));
                }
                StmtKind::Default(self.statement(*body)?)
            }
            Ast::Label(label, body) => StmtKind::Label(self.label_name(*label), self.statement(*body)?),
            Ast::Goto(label) => StmtKind::Goto(self.label_name(*label)),
            Ast::ComputedGoto(target) => StmtKind::ComputedGoto(self.value(*target)?),
            Ast::Break => StmtKind::Break,
            Ast::Continue => StmtKind::Continue,
            Ast::Return(value) => StmtKind::Return(self.returned(*value, span)?),
            Ast::Asm(effect) => StmtKind::Asm(*effect),
            Ast::Assert(condition) => {
                self.mathematical = true;
                let condition = self.condition(*condition);
                self.mathematical = false;
                StmtKind::Assert(condition?)
            }
            Ast::Assume(condition) => {
                self.mathematical = true;
                let condition = self.condition(*condition);
                self.mathematical = false;
                StmtKind::Assume(condition?)
            }
            // Contracts that count have been made statements before.
            Ast::Contracted(_, inner) => return self.statement_inside(*inner, out),
        }))
    }

    /// Gives the labels that a block declares for itself names of their own.
    pub(super) fn open_labels(&mut self, statements: &[ast::StmtId]) -> Vec<Symbol> {
        let ast = self.ast;
        let mut opened = Vec::new();
        for &statement in statements {
            let Ast::LocalLabels(labels) = &ast.stmts[statement].kind else { continue };
            for &label in labels {
                self.hidden += 1;
                let name = format!("{}#{}", self.symbols.text(label), self.hidden);
                let name = self.symbols.intern(&name);
                self.local_labels.entry(label).or_default().push(name);
                opened.push(label);
            }
        }
        opened
    }

    pub(super) fn close_labels(&mut self, labels: Vec<Symbol>) {
        for label in labels {
            if let Some(names) = self.local_labels.get_mut(&label) {
                names.pop();
            }
        }
    }

    /// The name of a label in the tree.
    pub(super) fn label_name(&self, label: Symbol) -> Symbol {
        let innermost = self.local_labels.get(&label).and_then(|names| names.last());
        innermost.copied().unwrap_or(label)
    }

    /// A statement in a scope of its own, as the parts of `if` and loops are.
    fn scoped(&mut self, id: ast::StmtId) -> Check<StmtId> {
        self.open_scope();
        let statement = self.statement(id)?;
        self.close_scope();
        Ok(statement)
    }

    /// The condition of a loop: it is evaluated again and again, so nothing may have to run before it.
    fn loop_part(&mut self, condition: ast::ExprId, span: Span) -> Check<crate::tree::ExprId> {
        let condition = self.condition(condition)?;
        self.no_prelude(span)?;
        Ok(condition)
    }

    fn no_prelude(&self, span: Span) -> Check<()> {
        if self.prelude.is_empty() {
            return Ok(());
        }
        Err(Problem::unsupported(span, "an array of variable length inside the head of a loop"))
    }

    fn case_value(&mut self, value: ast::ExprId, subject: crate::types::TypeId) -> Check<i128> {
        let value = self.constant_of(value, "a `case`")?;
        let kind = self.tree.types.int_kind(subject);
        Ok(kind.and_then(|kind| self.tree.types.wrap(value, kind)).unwrap_or(value))
    }

    fn returned(&mut self, value: Option<ast::ExprId>, span: Span) -> Check<Option<crate::tree::ExprId>> {
        let function = self.function.map(|function| self.tree.functions[function].ty);
        let result = function.and_then(|ty| self.tree.types.function(ty)).map(|function| function.result);
        let Some(value) = value else { return Ok(None) };
        let value = self.value(value)?;
        let result = result.unwrap_or(self.tree.types.void);
        let value = self.convert(value, result, span)?;
        if let Some(function) = self.function {
            self.tree.returns.push((function, value));
        }
        Ok(Some(value))
    }

    fn local_declaration(&mut self, declaration: &'a ast::Declaration, out: &mut Vec<StmtId>) -> Check<()> {
        let base = self.specified_type(declaration.specifiers)?;
        out.append(&mut self.prelude);
        for item in &declaration.declarators {
            let declared = self.declare(declaration, item, base)?;
            out.append(&mut self.prelude);
            let Some(var) = declared else { continue };
            let init = match &item.init {
                Some(init) => Some(self.initialiser(var, init)?),
                None => None,
            };
            out.append(&mut self.prelude);
            let ty = self.tree.variables[var].ty;
            if !self.tree.types.is_complete(ty) || matches!(self.tree.types[ty], Type::Void) {
                let message = format!("a variable cannot have the type `{}`", self.show(ty));
                return Err(Problem::error(item.declarator.span, message));
            }
            let statement = self.stmt_node(StmtKind::Declare(var, init), item.declarator.span);
            out.push(statement);
        }
        Ok(())
    }
}
