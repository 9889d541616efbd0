//! Statements and bodies.

use super::{Name, Printer};
use crate::program::Variable;
use crate::statements::{AssertKind, Block, BlockData, Body, Boundary, Statement, StatementKind, Transfer};
use std::fmt;

impl<'a> Printer<'a, '_> {
    pub(super) fn variable(&mut self, variable: Variable) -> fmt::Result {
        write!(self.out, "{}", Name(&self.program.variables[variable].name))
    }

    pub(super) fn statement(&mut self, statement: &'a Statement) -> fmt::Result {
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                self.list(assignments, |printer, (target, _)| printer.variable(*target))?;
                self.out.write_str(" := ")?;
                self.list(assignments, |printer, (_, value)| printer.expr(*value))?;
            }
            StatementKind::Havoc(variables) => {
                self.out.write_str("havoc ")?;
                self.list(variables, |printer, variable| printer.variable(*variable))?;
            }
            StatementKind::Assume(condition) => {
                self.out.write_str("assume ")?;
                self.attributes(&statement.attributes)?;
                self.expr(*condition)?;
            }
            StatementKind::Assert(kind, condition) => {
                self.out.write_str("assert ")?;
                if *kind == AssertKind::Invariant {
                    self.out.write_str("{:invariant} ")?;
                }
                self.attributes(&statement.attributes)?;
                self.expr(*condition)?;
            }
            StatementKind::Call { procedure, arguments, results } => {
                self.out.write_str("call ")?;
                self.attributes(&statement.attributes)?;
                self.list(results, |printer, result| printer.variable(*result))?;
                if !results.is_empty() {
                    self.out.write_str(" := ")?;
                }
                write!(self.out, "{}(", Name(&self.program.procedures[*procedure].name))?;
                self.list(arguments, |printer, argument| printer.expr(*argument))?;
                self.out.write_str(")")?;
            }
            StatementKind::Fork { thread, procedure, arguments } => {
                self.out.write_str("fork ")?;
                self.list(thread, |printer, part| printer.expr(*part))?;
                write!(self.out, " {}(", Name(&self.program.procedures[*procedure].name))?;
                self.list(arguments, |printer, argument| printer.expr(*argument))?;
                self.out.write_str(")")?;
            }
            StatementKind::Join { thread, results } => {
                self.out.write_str("join ")?;
                self.list(thread, |printer, part| printer.expr(*part))?;
                if !results.is_empty() {
                    self.out.write_str(" assign ")?;
                    self.list(results, |printer, result| printer.variable(*result))?;
                }
            }
            StatementKind::Atomic(Boundary::Begin) => self.out.write_str("atomic begin")?,
            StatementKind::Atomic(Boundary::End) => self.out.write_str("atomic end")?,
        }
        self.out.write_str(";")
    }

    pub(super) fn body(&mut self, body: &'a Body) -> fmt::Result {
        self.out.write_str("{\n")?;
        for &local in &body.locals {
            self.out.write_str("  var ")?;
            self.declared_variable(local)?;
            self.out.write_str(";\n")?;
        }
        for (block, data) in &body.blocks {
            if block != body.entry() || !body.locals.is_empty() {
                self.out.write_str("\n")?;
            }
            self.block(data, body)?;
        }
        self.out.write_str("}\n")
    }

    fn block(&mut self, block: &'a BlockData, body: &'a Body) -> fmt::Result {
        writeln!(self.out, "{}:", Name(&block.label))?;
        for statement in &block.statements {
            self.out.write_str("  ")?;
            self.statement(statement)?;
            self.out.write_str("\n")?;
        }
        self.out.write_str("  ")?;
        let label = |block: Block| Name(&body.blocks[block].label);
        match &block.transfer {
            Transfer::Goto(targets) => {
                self.out.write_str("goto ")?;
                self.list(targets, |printer, &target| write!(printer.out, "{}", label(target)))?;
                self.out.write_str(";\n")
            }
            Transfer::Branch { condition, then, otherwise } => {
                self.out.write_str("if (")?;
                self.expr(*condition)?;
                let (then, otherwise) = (label(*then), label(*otherwise));
                writeln!(self.out, ") {{ goto {then}; }} else {{ goto {otherwise}; }}")
            }
            Transfer::Return => self.out.write_str("return;\n"),
        }
    }
}
