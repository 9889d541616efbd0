//! Procedures: signatures, specifications, and which bodies they have.

use super::control_flow::Graph;
use super::scopes::Position;
use super::type_variables::arguments_of;
use super::{Elaborator, Entry};
use crate::ast::{Body, Clause, Declaration, ProcedureDeclaration, Signature, VariableDeclaration};
use base::{Diagnostic, EntitySet, PrimaryMap, SecondaryMap};
use ir::{Procedure, ProcedureData, Specification, Type, Variable, VariableKind};

impl<'a> Elaborator<'a> {
    pub(super) fn declare_procedure(&mut self, declaration: &'a ProcedureDeclaration) {
        let name = declaration.signature.name;
        if let Some((_, before)) = self.procedures[name.symbol] {
            self.declared_twice("procedure", name.symbol, name.span, before);
            return;
        }
        let entry = if declaration.signature.variables.is_empty() {
            self.procedure_signature(&declaration.signature).map_or(Entry::Broken, Entry::Known)
        } else {
            // Its copies are made where it is called.
            self.declare_generic_procedure(declaration);
            Entry::Broken
        };
        self.procedures[name.symbol] = Some((entry, name.span));
    }

    pub(super) fn procedure_signature(&mut self, signature: &Signature) -> Option<Procedure> {
        let (domain, range) = self.signature_types(signature)?;
        let procedure = self
            .program
            .procedures
            .push(ProcedureData::named(self.ast.name(signature.name.symbol).to_owned(), signature.name.span));
        let parameters = self.formals(VariableKind::Parameter(procedure), &domain, &signature.parameters);
        let results = self.formals(VariableKind::Result(procedure), &range, &signature.results);
        let data = &mut self.program.procedures[procedure];
        data.parameters = parameters;
        data.results = results;
        Some(procedure)
    }

    pub(super) fn signature_types(&mut self, signature: &Signature) -> Option<(Vec<Type>, Vec<Type>)> {
        let mut types = |declarations: &[VariableDeclaration]| -> Vec<Option<Type>> {
            declarations.iter().map(|declaration| self.declared_type(declaration)).collect()
        };
        let (domain, range) = (types(&signature.parameters), types(&signature.results));
        Some((domain.into_iter().collect::<Option<_>>()?, range.into_iter().collect::<Option<_>>()?))
    }

    /// Variables without names: those are given when all globals are known, so that they hide none.
    fn formals(
        &mut self,
        kind: VariableKind,
        types: &[Type],
        declarations: &[VariableDeclaration],
    ) -> Vec<Variable> {
        let variables = types
            .iter()
            .zip(declarations)
            .map(|(&ty, declaration)| self.program.new_variable(String::new(), ty, kind, declaration.span));
        variables.collect()
    }

    /// The procedure of a declaration, unless that declaration was refused.
    fn declared_procedure(&self, declaration: &ProcedureDeclaration) -> Option<Procedure> {
        let name = declaration.signature.name;
        match self.procedures[name.symbol] {
            Some((Entry::Known(procedure), span)) if span == name.span => Some(procedure),
            _ => None,
        }
    }

    /// Names, attributes, `where` clauses, specifications.
    pub(super) fn specify_procedure(&mut self, declaration: &'a ProcedureDeclaration) {
        if let Some(procedure) = self.declared_procedure(declaration) {
            self.specify_as(procedure, declaration);
        }
    }

    /// The same for a procedure that stands for the declaration.
    pub(super) fn specify_as(&mut self, procedure: Procedure, declaration: &'a ProcedureDeclaration) {
        let signature = &declaration.signature;
        let formals = self.formals_of(procedure);
        for (&variable, formal) in formals.iter().zip(declared_formals(signature)) {
            if let Some(name) = formal.name {
                let text = self.local_name(name.symbol, true);
                self.scopes.take_name(&text);
                self.program.variables[variable].name = text;
            }
        }
        self.enter_procedure(procedure, signature);
        for (&variable, formal) in formals.iter().zip(declared_formals(signature)) {
            self.complete_variable(variable, formal);
        }
        let attributes = self.attributes(&signature.attributes, Position::Where);
        let requires = self.specifications(&declaration.requires, Position::Requires);
        let ensures = self.specifications(&declaration.ensures, Position::Ensures);
        self.scopes.clear_locals();
        let modifies = self.modifies(declaration);
        let data = &mut self.program.procedures[procedure];
        data.attributes = attributes;
        data.requires = requires;
        data.ensures = ensures;
        data.modifies = modifies;
    }

    fn formals_of(&self, procedure: Procedure) -> Vec<Variable> {
        let data = &self.program.procedures[procedure];
        data.parameters.iter().chain(&data.results).copied().collect()
    }

    /// Opens the scope of a procedure under the names of a signature, its own or that of an implementation.
    fn enter_procedure(&mut self, procedure: Procedure, signature: &Signature) {
        for (variable, formal) in self.formals_of(procedure).into_iter().zip(declared_formals(signature)) {
            let name = self.program.variables[variable].name.clone();
            self.scopes.take_name(&name);
            let Some(name) = formal.name else { continue };
            if let Some((_, before)) = self.scopes.local(name.symbol) {
                self.declared_twice("parameter", name.symbol, name.span, before);
                continue;
            }
            self.scopes.declare_local(name.symbol, Entry::Known(variable), name.span);
        }
    }

    fn specifications(&mut self, clauses: &[Clause], position: Position) -> Vec<Specification> {
        let mut specifications = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let attributes = self.attributes(&clause.attributes, position);
            if let Some(condition) = self.formula(clause.condition, position) {
                specifications.push(Specification {
                    condition,
                    free: clause.free,
                    attributes,
                    span: clause.span,
                });
            }
        }
        specifications
    }

    fn modifies(&mut self, declaration: &ProcedureDeclaration) -> Vec<Variable> {
        let mut modifies = Vec::new();
        for ident in &declaration.modifies {
            let name = self.ast.name(ident.symbol);
            match self.scopes.global(ident.symbol) {
                Some((Entry::Known(variable), _)) => {
                    if self.program.variables[variable].kind == VariableKind::Global {
                        modifies.push(variable);
                    } else {
                        self.error(ident.span, format!("constant `{name}` cannot be modified"));
                    }
                }
                Some((Entry::Broken, _)) => {}
                None => self.error(ident.span, format!("global variable `{name}` is not declared")),
            }
        }
        // Writing a name twice is harmless.
        let mut seen = EntitySet::new();
        modifies.retain(|&variable| seen.insert(variable));
        modifies
    }

    /// Gives the procedures their bodies, own ones and those of implementations.
    pub(super) fn implement_procedures(&mut self) {
        let mut bodies: SecondaryMap<Procedure, Vec<(&'a Signature, &'a Body)>> = SecondaryMap::new();
        for declaration in &self.ast.declarations {
            match declaration {
                Declaration::Procedure(declaration) => {
                    if let (Some(procedure), Some(body)) =
                        (self.declared_procedure(declaration), &declaration.body)
                    {
                        bodies[procedure].push((&declaration.signature, body));
                    }
                }
                Declaration::Implementation(signature, body) => {
                    if !self.implement_generic(signature, body)
                        && let Some(procedure) = self.implemented(signature)
                    {
                        bodies[procedure].push((signature, body));
                    }
                }
                _ => {}
            }
        }
        let procedures: Vec<Procedure> = self.program.procedures.keys().collect();
        for procedure in procedures {
            self.implement(procedure, &bodies[procedure], &[]);
        }
    }

    /// The procedure of an implementation, if the signatures fit.
    fn implemented(&mut self, signature: &Signature) -> Option<Procedure> {
        let name = signature.name;
        let text = self.ast.name(name.symbol);
        let (procedure, declared) = match self.procedures[name.symbol] {
            Some((Entry::Known(procedure), span)) => (procedure, span),
            Some((Entry::Broken, _)) => return None,
            None => {
                self.error(name.span, format!("procedure `{text}` is not declared"));
                return None;
            }
        };
        let (domain, range) = self.signature_types(signature)?;
        let types = |variables: &[Variable]| -> Vec<Type> {
            variables.iter().map(|&variable| self.program.variables[variable].ty).collect()
        };
        let data = &self.program.procedures[procedure];
        if (domain, range) != (types(&data.parameters), types(&data.results)) {
            self.errors.push(
                Diagnostic::error(
                    name.span,
                    format!("the parameters and results are not those of procedure `{text}`"),
                )
                .related(declared, "declared here"),
            );
            return None;
        }
        let clause = declared_formals(signature).find_map(|formal| formal.where_clause);
        if let Some(clause) = clause {
            self.error(
                self.ast.exprs[clause].span,
                "`where` belongs to the procedure, not to its implementation",
            );
            return None;
        }
        Some(procedure)
    }

    /// `types` are what the type variables of a polymorphic procedure stand for.
    pub(super) fn implement(
        &mut self,
        procedure: Procedure,
        bodies: &[(&'a Signature, &'a Body)],
        types: &[Type],
    ) {
        if bodies.is_empty() {
            return;
        }
        let verified = self.truth_attribute(&self.program.procedures[procedure].attributes, "verify");
        let is_verified = |signature: &Signature| {
            let own =
                signature.attributes.iter().rev().find_map(|attribute| self.ast_truth(attribute, "verify"));
            own.or(verified).unwrap_or(true)
        };
        let checked: Vec<(&'a Signature, &'a Body)> =
            bodies.iter().copied().filter(|(signature, _)| is_verified(signature)).collect();
        // Without a body to be verified, the bodies still say what may change.
        let bodies = if checked.is_empty() {
            self.trusted.push(procedure);
            bodies
        } else {
            &checked
        };
        let mut graph = Graph::new();
        let mut locals = Vec::new();
        let mut starts = Vec::new();
        for &(signature, body) in bodies {
            self.type_arguments = arguments_of(signature, types);
            for &local in &locals {
                let name = &self.program.variables[local].name;
                self.scopes.take_name(name);
            }
            self.enter_procedure(procedure, signature);
            self.locals(procedure, body, &mut locals);
            starts.push((self.body(body, &mut graph), signature.name.span));
            self.scopes.clear_locals();
        }
        let blocks: PrimaryMap<_, _> = graph.finish(&starts);
        self.program.procedures[procedure].body = Some(ir::Body { locals, blocks });
    }

    fn locals(&mut self, procedure: Procedure, body: &'a Body, locals: &mut Vec<Variable>) {
        let mut declared = Vec::with_capacity(body.locals.len());
        for declaration in &body.locals {
            let Some(name) = declaration.name else { continue };
            let ty = self.declared_type(declaration);
            if let Some((_, before)) = self.scopes.local(name.symbol) {
                self.declared_twice("variable", name.symbol, name.span, before);
                continue;
            }
            let entry = match ty {
                Some(ty) => {
                    let text = self.local_name(name.symbol, true);
                    self.scopes.take_name(&text);
                    let kind = VariableKind::Local(procedure);
                    let variable = self.program.new_variable(text, ty, kind, name.span);
                    declared.push((variable, declaration));
                    Entry::Known(variable)
                }
                None => Entry::Broken,
            };
            self.scopes.declare_local(name.symbol, entry, name.span);
        }
        for (variable, declaration) in declared {
            self.complete_variable(variable, declaration);
            locals.push(variable);
        }
    }
}

fn declared_formals(signature: &Signature) -> impl Iterator<Item = &VariableDeclaration> {
    signature.parameters.iter().chain(&signature.results)
}
