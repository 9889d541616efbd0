//! Statements, from a stack of lists that are still to be written.

use super::Printer;
use crate::ast::{Accessor, Call, CallKind, Clause, ExprId, Statement, StatementId, StatementKind, Target};

/// Something still to be written.
enum Item<'a> {
    /// A statement at a depth.
    Statement(StatementId, usize),
    /// The second part of an `if` at a depth.
    Else(&'a [StatementId], usize),
    /// A closing brace at a depth.
    Close(usize),
}

/// Deeper statements are not indented further, so that the text stays linear in the size of the tree.
const MAX_INDENT: usize = 30;

impl<'a> Printer<'a> {
    pub(super) fn statements(&mut self, statements: &'a [StatementId]) {
        let mut stack: Vec<Item<'a>> = Vec::new();
        push(&mut stack, statements, 1);
        while let Some(item) = stack.pop() {
            match item {
                Item::Statement(statement, depth) => {
                    self.statement(&self.ast.statements[statement], depth, &mut stack);
                }
                Item::Else(statements, depth) => {
                    self.indent(depth);
                    self.text("} else {\n");
                    push(&mut stack, statements, depth + 1);
                }
                Item::Close(depth) => {
                    self.indent(depth);
                    self.text("}\n");
                }
            }
        }
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth.min(MAX_INDENT) {
            self.text("  ");
        }
    }

    fn statement(&mut self, statement: &'a Statement, depth: usize, stack: &mut Vec<Item<'a>>) {
        if !matches!(statement.kind, StatementKind::Label(_)) {
            self.indent(depth);
        }
        match &statement.kind {
            StatementKind::Label(label) => {
                self.name(*label);
                return self.text(":\n");
            }
            StatementKind::If { condition, then, otherwise } => {
                self.text("if ");
                self.attributes(&statement.attributes);
                self.guard(*condition);
                self.text(" {\n");
                stack.push(Item::Close(depth));
                stack.extend(otherwise.as_deref().map(|otherwise| Item::Else(otherwise, depth)));
                return push(stack, then, depth + 1);
            }
            StatementKind::While { condition, invariants, body } => {
                self.text("while ");
                self.attributes(&statement.attributes);
                self.guard(*condition);
                self.text("\n");
                for invariant in invariants {
                    self.indent(depth + 1);
                    self.clause("invariant", invariant);
                }
                self.indent(depth);
                self.text("{\n");
                stack.push(Item::Close(depth));
                return push(stack, body, depth + 1);
            }
            StatementKind::Atomic(body) => {
                self.text("atomic {\n");
                stack.push(Item::Close(depth));
                return push(stack, body, depth + 1);
            }
            _ => self.simple(statement),
        }
        self.text(";\n");
    }

    fn guard(&mut self, condition: Option<ExprId>) {
        self.text("(");
        match condition {
            Some(condition) => self.expr(condition),
            None => self.text("*"),
        }
        self.text(")");
    }

    /// With a line break behind it.
    pub(super) fn clause(&mut self, keyword: &str, clause: &'a Clause) {
        if clause.free {
            self.text("free ");
        }
        self.text(keyword);
        self.text(" ");
        self.attributes(&clause.attributes);
        self.expr(clause.condition);
        self.text(";\n");
    }

    fn simple(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Assert(condition) => {
                self.text("assert ");
                self.attributes(&statement.attributes);
                self.expr(*condition);
            }
            StatementKind::Unpack(constructor, targets, value) => {
                self.name(constructor.symbol);
                self.text("(");
                self.list(targets, |printer, target| printer.name(target.symbol));
                self.text(") := ");
                self.expr(*value);
            }
            StatementKind::Assume(condition) => {
                self.text("assume ");
                self.attributes(&statement.attributes);
                self.expr(*condition);
            }
            StatementKind::Havoc(names) => {
                self.text("havoc ");
                self.list(names, |printer, name| printer.name(name.symbol));
            }
            StatementKind::Assign(targets, values) => {
                self.list(targets, Self::target);
                self.text(" := ");
                self.exprs(values);
            }
            StatementKind::Call(call) => {
                self.text(if call.kind == CallKind::Async { "call async " } else { "call " });
                self.attributes(&statement.attributes);
                self.call(call);
            }
            StatementKind::Parallel(calls) => {
                self.text("par ");
                self.attributes(&statement.attributes);
                for (index, call) in calls.iter().enumerate() {
                    self.text(if index > 0 { " | " } else { "" });
                    self.call(call);
                }
            }
            StatementKind::Break(label) => {
                self.text("break");
                if let Some(label) = label {
                    self.text(" ");
                    self.name(label.symbol);
                }
            }
            StatementKind::Goto(labels) => {
                self.text("goto ");
                self.list(labels, |printer, label| printer.name(label.symbol));
            }
            StatementKind::Return => self.text("return"),
            StatementKind::Fork(thread, procedure, arguments) => {
                self.text("fork ");
                self.exprs(thread);
                self.text(" ");
                self.name(procedure.symbol);
                self.text("(");
                self.exprs(arguments);
                self.text(")");
            }
            StatementKind::Join(thread, results) => {
                self.text("join ");
                self.exprs(thread);
                if !results.is_empty() {
                    self.text(" assign ");
                    self.list(results, |printer, result| printer.name(result.symbol));
                }
            }
            StatementKind::AtomicBoundary(ir::Boundary::Begin) => self.text("atomic begin"),
            StatementKind::AtomicBoundary(ir::Boundary::End) => self.text("atomic end"),
            StatementKind::Yield => self.text("yield"),
            StatementKind::Label(_)
            | StatementKind::If { .. }
            | StatementKind::While { .. }
            | StatementKind::Atomic(_) => {}
        }
    }

    fn exprs(&mut self, exprs: &[ExprId]) {
        self.list(exprs, |printer, &expr| printer.expr(expr));
    }

    fn target(&mut self, target: &'a Target) {
        self.name(target.name.symbol);
        for accessor in &target.accessors {
            match accessor {
                Accessor::Index(indices) => {
                    self.text("[");
                    self.exprs(indices);
                    self.text("]");
                }
                Accessor::Field(field) => {
                    self.text("!");
                    self.name(field.symbol);
                }
                Accessor::Arrow(field) => {
                    self.text("->");
                    self.name(field.symbol);
                }
            }
        }
    }

    fn call(&mut self, call: &'a Call) {
        if call.kind == CallKind::Forall {
            self.text("forall ");
        }
        self.list(&call.results, |printer, result| printer.name(result.symbol));
        if !call.results.is_empty() {
            self.text(" := ");
        }
        self.name(call.procedure.symbol);
        self.text("(");
        self.exprs(&call.arguments);
        self.text(")");
    }
}

/// The statements in order, on top of the stack.
fn push<'a>(stack: &mut Vec<Item<'a>>, statements: &'a [StatementId], depth: usize) {
    stack.extend(statements.iter().rev().map(|&statement| Item::Statement(statement, depth)));
}
