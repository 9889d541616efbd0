//! Declarations.

use super::{Name, Printer};
use crate::program::{FunctionData, Meaning, ProcedureData, Specification, Variable, VariableKind};
use std::fmt;

impl<'a> Printer<'a, '_> {
    pub(super) fn program(&mut self) -> fmt::Result {
        let program = self.program;
        for constructor in program.constructors.values() {
            self.out.write_str("type ")?;
            self.attributes(&constructor.attributes)?;
            write!(self.out, "{}", Name(&constructor.name))?;
            for _ in 0..constructor.arity {
                self.out.write_str(" _")?;
            }
            self.out.write_str(";\n")?;
        }
        for &constant in &program.constants {
            self.out.write_str("const ")?;
            self.declared_variable(constant)?;
            self.out.write_str(";\n")?;
        }
        for function in program.functions.values() {
            self.function(function)?;
        }
        for axiom in &program.axioms {
            self.out.write_str("axiom ")?;
            self.attributes(&axiom.attributes)?;
            self.expr(axiom.formula)?;
            self.out.write_str(";\n")?;
        }
        for &global in &program.globals {
            self.out.write_str("var ")?;
            self.declared_variable(global)?;
            self.out.write_str(";\n")?;
        }
        for procedure in program.procedures.values() {
            self.out.write_str("\n")?;
            self.procedure(procedure)?;
        }
        Ok(())
    }

    /// `{:attributes} unique name: type where condition`
    pub(super) fn declared_variable(&mut self, variable: Variable) -> fmt::Result {
        let data = &self.program.variables[variable];
        self.attributes(&data.attributes)?;
        if data.kind == (VariableKind::Constant { unique: true }) {
            self.out.write_str("unique ")?;
        }
        write!(self.out, "{}: ", Name(&data.name))?;
        self.ty(data.ty)?;
        if let Some(condition) = data.where_clause {
            self.out.write_str(" where ")?;
            self.expr(condition)?;
        }
        Ok(())
    }

    fn function(&mut self, function: &'a FunctionData) -> fmt::Result {
        self.out.write_str("function ")?;
        if let Meaning::Builtin(builtin) = &function.meaning {
            write!(self.out, "{{:builtin \"{builtin}\"}} ")?;
        }
        self.attributes(&function.attributes)?;
        write!(self.out, "{}(", Name(&function.name))?;
        self.list(&function.parameters, |printer, &parameter| printer.declared_variable(parameter))?;
        self.out.write_str(") returns (")?;
        self.ty(function.result)?;
        match &function.meaning {
            Meaning::Defined(body) => {
                self.out.write_str(") { ")?;
                self.expr(*body)?;
                self.out.write_str(" }\n")
            }
            Meaning::Uninterpreted | Meaning::Builtin(_) => self.out.write_str(");\n"),
        }
    }

    fn procedure(&mut self, procedure: &'a ProcedureData) -> fmt::Result {
        self.out.write_str("procedure ")?;
        self.attributes(&procedure.attributes)?;
        write!(self.out, "{}(", Name(&procedure.name))?;
        self.list(&procedure.parameters, |printer, &parameter| printer.declared_variable(parameter))?;
        self.out.write_str(")")?;
        if !procedure.results.is_empty() {
            self.out.write_str(" returns (")?;
            self.list(&procedure.results, |printer, &result| printer.declared_variable(result))?;
            self.out.write_str(")")?;
        }
        self.out.write_str(if procedure.body.is_some() { "\n" } else { ";\n" })?;
        self.specifications("requires ", &procedure.requires)?;
        if !procedure.modifies.is_empty() {
            self.out.write_str("  modifies ")?;
            self.list(&procedure.modifies, |printer, &global| printer.variable(global))?;
            self.out.write_str(";\n")?;
        }
        self.specifications("ensures ", &procedure.ensures)?;
        match &procedure.body {
            Some(body) => self.body(body),
            None => Ok(()),
        }
    }

    fn specifications(&mut self, keyword: &str, specifications: &'a [Specification]) -> fmt::Result {
        for specification in specifications {
            let free = if specification.free { "free " } else { "" };
            write!(self.out, "  {free}{keyword}")?;
            self.attributes(&specification.attributes)?;
            self.expr(specification.condition)?;
            self.out.write_str(";\n")?;
        }
        Ok(())
    }
}
