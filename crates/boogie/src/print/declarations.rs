//! Declarations.

use super::Printer;
use crate::ast::{
    Body, Declaration, FunctionDeclaration, ProcedureDeclaration, Signature, TypeDeclaration,
    VariableDeclaration,
};

impl<'a> Printer<'a> {
    pub(super) fn declaration(&mut self, declaration: &'a Declaration) {
        match declaration {
            Declaration::Type(declaration) => self.type_declaration(declaration),
            Declaration::Constant(declaration) => {
                self.text("const ");
                self.attributes(&declaration.attributes);
                if declaration.unique {
                    self.text("unique ");
                }
                self.list(&declaration.names, |printer, name| printer.name(name.symbol));
                self.text(": ");
                self.ty(declaration.ty);
                if let Some(order) = &declaration.order {
                    self.text(" ");
                    self.text(self.ast.text(order.span));
                }
                self.text(";\n");
            }
            Declaration::Function(declaration) => self.function(declaration),
            Declaration::Axiom(axiom) => self.clause("axiom", axiom),
            Declaration::Variable(declaration) => {
                self.text("var ");
                self.variable(declaration);
                self.text(";\n");
            }
            Declaration::Procedure(declaration) => self.procedure(declaration),
            Declaration::Implementation(signature, body) => {
                self.text("\nimplementation ");
                self.signature(signature);
                self.text("\n");
                self.body(body);
            }
        }
    }

    fn type_declaration(&mut self, declaration: &'a TypeDeclaration) {
        if let Some(constructors) = &declaration.constructors {
            self.text("datatype ");
            self.attributes(&declaration.attributes);
            self.name(declaration.name.symbol);
            self.type_variables(&declaration.parameters);
            self.text(" { ");
            self.list(constructors, |printer, constructor| {
                printer.name(constructor.name.symbol);
                printer.text("(");
                printer.list(&constructor.fields, Self::variable);
                printer.text(")");
            });
            return self.text(" }\n");
        }
        self.text("type ");
        self.attributes(&declaration.attributes);
        self.name(declaration.name.symbol);
        for parameter in &declaration.parameters {
            self.text(" ");
            self.name(parameter.symbol);
        }
        if let Some(definition) = declaration.definition {
            self.text(" = ");
            self.ty(definition);
        }
        self.text(";\n");
    }

    fn variable(&mut self, declaration: &'a VariableDeclaration) {
        self.attributes(&declaration.attributes);
        if let Some(name) = declaration.name {
            self.name(name.symbol);
            self.text(": ");
        }
        self.ty(declaration.ty);
        if let Some(clause) = declaration.where_clause {
            self.text(" where ");
            self.expr(clause);
        }
    }

    fn function(&mut self, declaration: &'a FunctionDeclaration) {
        self.text("function ");
        self.attributes(&declaration.attributes);
        self.name(declaration.name.symbol);
        self.type_variables(&declaration.variables);
        self.text("(");
        self.list(&declaration.parameters, Self::variable);
        self.text(") returns (");
        self.variable(&declaration.result);
        self.text(")");
        match declaration.body {
            Some(body) => {
                self.text(" { ");
                self.expr(body);
                self.text(" }\n");
            }
            None => self.text(";\n"),
        }
    }

    fn signature(&mut self, signature: &'a Signature) {
        self.attributes(&signature.attributes);
        self.name(signature.name.symbol);
        self.type_variables(&signature.variables);
        self.text("(");
        self.list(&signature.parameters, Self::variable);
        self.text(")");
        if !signature.results.is_empty() {
            self.text(" returns (");
            self.list(&signature.results, Self::variable);
            self.text(")");
        }
    }

    fn procedure(&mut self, declaration: &'a ProcedureDeclaration) {
        self.text("\nprocedure ");
        self.signature(&declaration.signature);
        self.text(if declaration.body.is_some() { "\n" } else { ";\n" });
        for clause in &declaration.requires {
            self.text("  ");
            self.clause("requires", clause);
        }
        if !declaration.modifies.is_empty() {
            self.text("  modifies ");
            self.list(&declaration.modifies, |printer, name| printer.name(name.symbol));
            self.text(";\n");
        }
        for clause in &declaration.ensures {
            self.text("  ");
            self.clause("ensures", clause);
        }
        if let Some(body) = &declaration.body {
            self.body(body);
        }
    }

    fn body(&mut self, body: &'a Body) {
        self.text("{\n");
        for local in &body.locals {
            self.text("  var ");
            self.variable(local);
            self.text(";\n");
        }
        self.statements(&body.statements);
        self.text("}\n");
    }
}
