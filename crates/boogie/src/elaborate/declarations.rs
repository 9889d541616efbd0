//! Constants, global variables and axioms.

use super::scopes::Position;
use super::{Elaborator, Entry};
use crate::ast::{Clause, ConstantDeclaration, Ident, VariableDeclaration};
use crate::features::Feature;
use base::Span;
use ir::{Axiom, Type, Variable, VariableKind};

impl Elaborator<'_> {
    pub(super) fn declare_constants(&mut self, declaration: &ConstantDeclaration) {
        let ty = self.ty(declaration.ty);
        for &name in &declaration.names {
            let kind = VariableKind::Constant { unique: declaration.unique };
            if let Some(constant) = self.declare_outer(name, ty, kind) {
                self.program.constants.push(constant);
            }
        }
    }

    pub(super) fn declare_global(&mut self, declaration: &VariableDeclaration) {
        let ty = self.declared_type(declaration);
        if let Some(name) = declaration.name
            && let Some(global) = self.declare_outer(name, ty, VariableKind::Global)
        {
            self.program.globals.push(global);
        }
    }

    fn declare_outer(&mut self, name: Ident, ty: Option<Type>, kind: VariableKind) -> Option<Variable> {
        if let Some((_, before)) = self.scopes.global(name.symbol) {
            self.declared_twice("variable or constant", name.symbol, name.span, before);
            return None;
        }
        let Some(ty) = ty else {
            self.scopes.declare_global(name.symbol, Entry::Broken, name.span);
            return None;
        };
        let variable = self.program.new_variable(self.ast.name(name.symbol), ty, kind, name.span);
        self.scopes.declare_global(name.symbol, Entry::Known(variable), name.span);
        Some(variable)
    }

    /// The variable of a declaration, unless that declaration was refused.
    fn declared_here(&self, name: Ident) -> Option<Variable> {
        match self.scopes.global(name.symbol) {
            Some((Entry::Known(variable), span)) if span == name.span => Some(variable),
            _ => None,
        }
    }

    pub(super) fn constant_attributes(&mut self, declaration: &ConstantDeclaration) {
        for attribute in &declaration.attributes {
            // Such a constant is to be found by a solver, not any value.
            if self.ast_truth(attribute, "existential") == Some(true) {
                self.unsupported(Feature::Attribute("existential".to_owned()), attribute.name.span);
            }
        }
        let attributes = self.attributes(&declaration.attributes, Position::Axiom);
        for &name in &declaration.names {
            if let Some(constant) = self.declared_here(name) {
                self.program.variables[constant].attributes = attributes.clone();
            }
        }
    }

    /// The `where` clause and the attributes of a global variable.
    pub(super) fn define_global(&mut self, declaration: &VariableDeclaration) {
        if let Some(global) = declaration.name.and_then(|name| self.declared_here(name)) {
            self.complete_variable(global, declaration);
        }
    }

    /// The `where` clause and the attributes of any variable.
    pub(super) fn complete_variable(&mut self, variable: Variable, declaration: &VariableDeclaration) {
        let where_clause = declaration.where_clause.and_then(|clause| self.formula(clause, Position::Where));
        let attributes = self.attributes(&declaration.attributes, Position::Where);
        let data = &mut self.program.variables[variable];
        data.where_clause = where_clause;
        data.attributes = attributes;
    }

    pub(super) fn axiom(&mut self, axiom: &Clause) {
        let attributes = self.attributes(&axiom.attributes, Position::Axiom);
        let span: Span = axiom.span;
        if let Some(formula) = self.formula(axiom.condition, Position::Axiom) {
            self.program.axioms.push(Axiom { formula, attributes, span });
        }
    }
}
