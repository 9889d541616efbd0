//! Procedures and their bodies.

use super::{Checker, Part, Rule};
use crate::marks::Mark;
use crate::program::{Attribute, Procedure, ProcedureData, Variable, VariableKind};
use crate::statements::{Body, Statement, StatementKind, Transfer};
use crate::types::Type;
use base::{EntitySet, Span};
use rustc_hash::FxHashSet;

impl Checker<'_> {
    pub(super) fn procedure(&mut self, procedure: Procedure) {
        let program = self.program;
        let data = &program.procedures[procedure];
        let no_locals = Vec::new();
        let locals = data.body.as_ref().map_or(&no_locals, |body| &body.locals);
        let outer: FxHashSet<&str> = self
            .named(&program.constants)
            .chain(self.named(&program.globals))
            .map(|(name, _)| name)
            .collect();
        let own = [&data.parameters, &data.results, locals];
        let names: Vec<(&str, Span)> = own.iter().flat_map(|list| self.named(list)).collect();
        self.distinct(names.into_iter(), |name| outer.contains(name));
        self.list(&data.parameters, |kind| kind == VariableKind::Parameter(procedure));
        self.list(&data.results, |kind| kind == VariableKind::Result(procedure));
        self.list(locals, |kind| kind == VariableKind::Local(procedure));
        for &variable in data.parameters.iter().chain(&data.results) {
            self.variable(variable, Part::FormalWhere.scope(procedure));
        }
        for &variable in locals {
            self.variable(variable, Part::LocalWhere.scope(procedure));
        }
        self.attributes(&data.attributes, data.span, Part::FormalWhere.scope(procedure));
        for (clauses, part) in [(&data.requires, Part::Requires), (&data.ensures, Part::Ensures)] {
            for clause in clauses {
                self.attributes(&clause.attributes, clause.span, part.scope(procedure));
                self.formula(clause.condition, part.scope(procedure));
            }
        }
        let mut modifies = EntitySet::new();
        for &variable in &data.modifies {
            if program.variables[variable].kind != VariableKind::Global || !modifies.insert(variable) {
                self.violated(Rule::Frame, data.span, format!("`{}` modifies what it cannot", data.name));
            }
        }
        if let Some(body) = &data.body {
            self.body(procedure, data, body, &modifies);
        }
    }

    fn body(
        &mut self,
        procedure: Procedure,
        data: &ProcedureData,
        body: &Body,
        modifies: &EntitySet<Variable>,
    ) {
        if body.blocks.is_empty() {
            return self.violated(Rule::Flow, data.span, format!("`{}` has no block", data.name));
        }
        let labels: Vec<(&str, Span)> =
            body.blocks.values().map(|block| (block.label.as_str(), block.transfer_span)).collect();
        self.distinct(labels.into_iter(), |_| false);
        for block in body.blocks.values() {
            for statement in &block.statements {
                self.statement(procedure, statement, modifies);
            }
            let jumps_nowhere = block.transfer == Transfer::Goto(Vec::new());
            if jumps_nowhere || block.transfer.successors().any(|target| !body.blocks.is_valid(target)) {
                self.violated(Rule::Flow, block.transfer_span, format!("`{}` leads nowhere", block.label));
            }
            if let Transfer::Branch { condition, .. } = block.transfer {
                self.formula(condition, Part::Body.scope(procedure));
            }
        }
    }

    fn statement(&mut self, procedure: Procedure, statement: &Statement, modifies: &EntitySet<Variable>) {
        let program = self.program;
        let scope = Part::Body.scope(procedure);
        self.attributes(&statement.attributes, statement.span, scope);
        let has_attributes = matches!(
            statement.kind,
            StatementKind::Assume(_) | StatementKind::Assert(..) | StatementKind::Call { .. }
        );
        // Marks about accesses are no part of the text form.
        let marks = [Mark::AtomicAccess, Mark::NoAccess];
        let about_accesses = |attribute: &Attribute| marks.iter().any(|mark| mark.name() == attribute.name);
        if !has_attributes && !statement.attributes.iter().all(about_accesses) {
            self.violated(Rule::Attribute, statement.span, "the statement cannot have attributes");
        }
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                let targets: Vec<Variable> = assignments.iter().map(|&(target, _)| target).collect();
                self.targets(procedure, &targets, statement.span, modifies);
                for &(target, value) in assignments {
                    self.expr(value, program.variables[target].ty, scope);
                }
            }
            StatementKind::Havoc(variables) => self.targets(procedure, variables, statement.span, modifies),
            StatementKind::Assume(condition) | StatementKind::Assert(_, condition) => {
                self.formula(*condition, scope);
            }
            StatementKind::Call { procedure: callee, arguments, results } => {
                let callee = &program.procedures[*callee];
                if arguments.len() != callee.parameters.len() || results.len() != callee.results.len() {
                    let what = format!("the call does not fit `{}`", callee.name);
                    return self.violated(Rule::Type, statement.span, what);
                }
                for (&argument, &parameter) in arguments.iter().zip(&callee.parameters) {
                    self.expr(argument, program.variables[parameter].ty, scope);
                }
                self.targets(procedure, results, statement.span, modifies);
                let ty = |variable: Variable| -> Type { program.variables[variable].ty };
                if results.iter().zip(&callee.results).any(|(&target, &result)| ty(target) != ty(result)) {
                    let what = format!("the results do not fit `{}`", callee.name);
                    self.violated(Rule::Type, statement.span, what);
                }
                if callee.modifies.iter().any(|&variable| !modifies.contains(variable)) {
                    let what = format!("`{}` modifies more than its caller", callee.name);
                    self.violated(Rule::Frame, statement.span, what);
                }
            }
            StatementKind::Fork { thread, procedure: forked, arguments } => {
                let forked = &program.procedures[*forked];
                if arguments.len() != forked.parameters.len() || thread.is_empty() {
                    let what = format!("the fork does not fit `{}`", forked.name);
                    return self.violated(Rule::Type, statement.span, what);
                }
                for (&argument, &parameter) in arguments.iter().zip(&forked.parameters) {
                    self.expr(argument, program.variables[parameter].ty, scope);
                }
                for &part in thread {
                    self.expr(part, program.ty(part), scope);
                }
            }
            StatementKind::Join { thread, results } => {
                if thread.is_empty() {
                    self.violated(Rule::Type, statement.span, "the join names no thread");
                }
                for &part in thread {
                    self.expr(part, program.ty(part), scope);
                }
                self.targets(procedure, results, statement.span, modifies);
            }
            StatementKind::Atomic(_) => {}
        }
    }

    /// The variables may be changed by a statement.
    fn targets(
        &mut self,
        procedure: Procedure,
        targets: &[Variable],
        span: Span,
        modifies: &EntitySet<Variable>,
    ) {
        let mut seen = FxHashSet::default();
        for &target in targets {
            let data = &self.program.variables[target];
            let own = match data.kind {
                VariableKind::Global => true,
                VariableKind::Result(owner) | VariableKind::Local(owner) => owner == procedure,
                _ => false,
            };
            if !own || !seen.insert(target) {
                self.violated(Rule::Target, span, format!("`{}` cannot be changed here", data.name));
            }
            if data.kind == VariableKind::Global && !modifies.contains(target) {
                self.violated(Rule::Frame, span, format!("`{}` is not listed in `modifies`", data.name));
            }
        }
    }
}
