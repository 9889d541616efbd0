//! Statements that do not change the flow of control.

use super::control_flow::Graph;
use super::scopes::Position;
use super::types::repeated;
use super::{Elaborator, Entry, count};
use crate::ast::{Accessor, Call, CallKind, ExprId, Ident, Statement, StatementKind, Target};
use crate::features::Feature;
use base::{Diagnostic, Span};
use ir::{AssertKind, Boundary, Expr, Procedure, Type, Variable, VariableKind};

/// The attribute that marks an assertion as a loop invariant in the text form.
const INVARIANT: &str = "invariant";

/// A step into a map or struct.
enum Step {
    Index(Vec<Expr>),
    Field(Ident),
    Arrow(Ident),
}

impl<'a> Elaborator<'a> {
    pub(super) fn simple_statement(&mut self, statement: &'a Statement, graph: &mut Graph) {
        let mut attributes = self.attributes(&statement.attributes, Position::Body);
        let kind = match &statement.kind {
            StatementKind::Assert(condition) => self.formula(*condition, Position::Body).map(|condition| {
                let before = attributes.len();
                attributes.retain(|attribute| attribute.name != INVARIANT || !attribute.arguments.is_empty());
                let invariant = attributes.len() < before;
                let kind = if invariant { AssertKind::Invariant } else { AssertKind::Assert };
                ir::StatementKind::Assert(kind, condition)
            }),
            StatementKind::Assume(condition) => {
                self.formula(*condition, Position::Body).map(ir::StatementKind::Assume)
            }
            StatementKind::Havoc(names) => self.havoc(names),
            StatementKind::Assign(targets, values) => self.assign(targets, values, statement.span),
            StatementKind::Unpack(constructor, targets, value) => {
                self.unpack(*constructor, targets, *value, statement, graph)
            }
            StatementKind::Call(call) => self.call(call, statement.span),
            StatementKind::Parallel(_) => self.no_statement(Feature::ParallelCall, statement.span),
            StatementKind::Fork(thread, procedure, arguments) => self.fork(thread, *procedure, arguments),
            StatementKind::Join(thread, results) => self.join(thread, results),
            StatementKind::AtomicBoundary(boundary) => Some(ir::StatementKind::Atomic(*boundary)),
            StatementKind::Yield => self.no_statement(Feature::Yield, statement.span),
            StatementKind::Label(_)
            | StatementKind::If { .. }
            | StatementKind::While { .. }
            | StatementKind::Break(_)
            | StatementKind::Goto(_)
            | StatementKind::Return
            | StatementKind::Atomic(_) => None,
        };
        if let Some(kind) = kind {
            graph.push(ir::Statement { kind, span: statement.span, attributes });
        }
    }

    fn no_statement(&mut self, feature: Feature, span: Span) -> Option<ir::StatementKind> {
        self.unsupported(feature, span);
        None
    }

    /// The variable of a name that may change.
    fn mutable(&mut self, name: Ident) -> Option<Variable> {
        let text = self.ast.name(name.symbol);
        let variable = match self.scopes.find(name.symbol) {
            Some(Entry::Known(variable)) => variable,
            Some(Entry::Broken) => return None,
            None => {
                self.error(name.span, format!("`{text}` is not declared"));
                return None;
            }
        };
        let data = &self.program.variables[variable];
        if data.kind.is_mutable() {
            return Some(variable);
        }
        let what = if matches!(data.kind, VariableKind::Parameter(_)) { "parameter" } else { "constant" };
        let declared = data.span;
        self.errors.push(
            Diagnostic::error(name.span, format!("{what} `{text}` cannot be changed"))
                .related(declared, "declared here"),
        );
        None
    }

    fn mutables(&mut self, names: &[Ident]) -> Option<Vec<Variable>> {
        let variables: Vec<Option<Variable>> = names.iter().map(|&name| self.mutable(name)).collect();
        variables.into_iter().collect()
    }

    /// No name may be a target twice.
    fn distinct(&mut self, names: &[Ident]) -> Option<()> {
        let (before, twice) = match repeated(names, |name| name.symbol) {
            None => return Some(()),
            Some(found) => found,
        };
        let message = format!("`{}` is assigned twice", self.ast.name(twice.symbol));
        self.errors.push(Diagnostic::error(twice.span, message).related(names[before].span, "first here"));
        None
    }

    fn havoc(&mut self, names: &[Ident]) -> Option<ir::StatementKind> {
        let mut variables = self.mutables(names)?;
        // Writing a name twice is harmless.
        let mut seen = base::EntitySet::new();
        variables.retain(|&variable| seen.insert(variable));
        Some(ir::StatementKind::Havoc(variables))
    }

    fn assign(&mut self, targets: &[Target], values: &[ExprId], span: Span) -> Option<ir::StatementKind> {
        if targets.len() != values.len() {
            let (targets, values) = (count(targets.len(), "target"), count(values.len(), "value"));
            let message = format!("{values} cannot be assigned to {targets}");
            self.error(span, message);
            return None;
        }
        let names: Vec<Ident> = targets.iter().map(|target| target.name).collect();
        self.distinct(&names)?;
        let mut assignments = Vec::with_capacity(targets.len());
        for (target, &value) in targets.iter().zip(values) {
            assignments.push(self.assignment(target, value));
        }
        Some(ir::StatementKind::Assign(assignments.into_iter().collect::<Option<_>>()?))
    }

    /// `m[i][j] := value` becomes `m := m[i := m[i][j := value]]`, and fields are treated alike.
    fn assignment(&mut self, target: &Target, value: ExprId) -> Option<(Variable, Expr)> {
        let variable = self.mutable(target.name)?;
        let span = target.name.span;
        let mut element = self.program.variable(variable, span);
        let mut path: Vec<(Expr, Step)> = Vec::with_capacity(target.accessors.len());
        for accessor in &target.accessors {
            let (step, selected) = match accessor {
                Accessor::Index(indices) => {
                    let mut arguments = Vec::with_capacity(indices.len());
                    for &index in indices {
                        arguments.push(self.expr(index, Position::Body));
                    }
                    let arguments: Vec<Expr> = arguments.into_iter().collect::<Option<_>>()?;
                    (Step::Index(arguments.clone()), self.select(element, arguments, span)?)
                }
                Accessor::Field(field) => (Step::Field(*field), self.field(element, *field, span)?),
                Accessor::Arrow(field) => (Step::Arrow(*field), self.arrow(element, *field, span)?),
            };
            path.push((element, step));
            element = selected;
        }
        let ty = self.program.ty(element);
        let mut value = self.typed_expr(value, ty, Position::Body)?;
        for (whole, step) in path.into_iter().rev() {
            value = match step {
                Step::Index(arguments) => self.store(whole, arguments, value, span)?,
                Step::Field(field) => self.with_field(whole, field, value)?,
                Step::Arrow(field) => self.arrow_update(whole, field, value, span)?,
            };
        }
        Some((variable, value))
    }

    /// `constructor(targets) := value` checks that the value was made by the constructor, and takes its fields.
    fn unpack(
        &mut self,
        constructor: Ident,
        targets: &[Ident],
        value: ExprId,
        statement: &Statement,
        graph: &mut Graph,
    ) -> Option<ir::StatementKind> {
        let span = statement.span;
        self.distinct(targets)?;
        let variables = self.mutables(targets)?;
        let value = self.expr(value, Position::Body)?;
        let is = self.is(value, constructor, span)?;
        let fields = self.unpacked(value, constructor, span)?;
        if fields.len() != variables.len() {
            let (fields, targets) = (count(fields.len(), "field"), count(variables.len(), "target"));
            self.error(span, format!("{fields} cannot be assigned to {targets}"));
            return None;
        }
        let mut assignments = Vec::with_capacity(fields.len());
        for (&variable, &field) in variables.iter().zip(&fields) {
            let field = self.expect(field, self.program.variables[variable].ty)?;
            assignments.push((variable, field));
        }
        let kind = ir::StatementKind::Assert(AssertKind::Assert, is);
        let check = ir::Statement { kind, span, attributes: Vec::new() };
        if assignments.is_empty() {
            return Some(check.kind);
        }
        graph.push(check);
        Some(ir::StatementKind::Assign(assignments))
    }

    fn call(&mut self, call: &Call, span: Span) -> Option<ir::StatementKind> {
        let feature = match call.kind {
            CallKind::Plain => None,
            CallKind::Forall => Some(Feature::CallForall),
            CallKind::Async => Some(Feature::AsyncCall),
        };
        if let Some(feature) = feature {
            return self.no_statement(feature, span);
        }
        let procedure = self.called(call.procedure, &call.arguments, &call.results)?;
        if let Some(boundary) = self.boundary(procedure) {
            return Some(ir::StatementKind::Atomic(boundary));
        }
        let arguments = self.call_arguments(procedure, call.procedure, &call.arguments)?;
        let results = self.call_results(procedure, call)?;
        Some(ir::StatementKind::Call { procedure, arguments, results })
    }

    pub(super) fn known_procedure(&mut self, name: Ident) -> Option<Procedure> {
        match self.procedures[name.symbol] {
            Some((Entry::Known(procedure), _)) => Some(procedure),
            Some((Entry::Broken, _)) => None,
            None => {
                let text = self.ast.name(name.symbol);
                self.error(name.span, format!("procedure `{text}` is not declared"));
                None
            }
        }
    }

    /// Programs that were C bound atomic parts by calls of procedures that are known by their names.
    fn boundary(&self, procedure: Procedure) -> Option<Boundary> {
        let data = &self.program.procedures[procedure];
        if !(data.parameters.is_empty() && data.results.is_empty()) {
            return None;
        }
        match data.name.as_str() {
            "__VERIFIER_atomic_begin" => Some(Boundary::Begin),
            "__VERIFIER_atomic_end" => Some(Boundary::End),
            _ => None,
        }
    }

    fn fork(
        &mut self,
        thread: &[ExprId],
        procedure: Ident,
        arguments: &[ExprId],
    ) -> Option<ir::StatementKind> {
        let thread = self.exprs(thread)?;
        let forked = self.called(procedure, arguments, &[])?;
        let arguments = self.call_arguments(forked, procedure, arguments)?;
        Some(ir::StatementKind::Fork { thread, procedure: forked, arguments })
    }

    fn join(&mut self, thread: &[ExprId], results: &[Ident]) -> Option<ir::StatementKind> {
        let thread = self.exprs(thread)?;
        self.distinct(results)?;
        let results = self.mutables(results)?;
        Some(ir::StatementKind::Join { thread, results })
    }

    pub(super) fn exprs(&mut self, exprs: &[ExprId]) -> Option<Vec<Expr>> {
        let mut values = Vec::with_capacity(exprs.len());
        for &expr in exprs {
            values.push(self.expr(expr, Position::Body));
        }
        values.into_iter().collect()
    }

    fn types(&self, variables: &[Variable]) -> Vec<Type> {
        variables.iter().map(|&variable| self.program.variables[variable].ty).collect()
    }

    fn call_arguments(
        &mut self,
        procedure: Procedure,
        name: Ident,
        arguments: &[ExprId],
    ) -> Option<Vec<Expr>> {
        let types = self.types(&self.program.procedures[procedure].parameters);
        self.same_number(procedure, name, ("parameter", types.len()), ("argument", arguments.len()))?;
        let mut values = Vec::with_capacity(types.len());
        for (&argument, ty) in arguments.iter().zip(types) {
            values.push(self.typed_expr(argument, ty, Position::Body));
        }
        values.into_iter().collect()
    }

    fn call_results(&mut self, procedure: Procedure, call: &Call) -> Option<Vec<Variable>> {
        let types = self.types(&self.program.procedures[procedure].results);
        self.same_number(procedure, call.procedure, ("result", types.len()), ("target", call.results.len()))?;
        self.distinct(&call.results)?;
        let variables = self.mutables(&call.results)?;
        let mut fine = true;
        for ((&variable, name), ty) in variables.iter().zip(&call.results).zip(types) {
            let found = self.program.variables[variable].ty;
            if found != ty {
                let (found, ty) = (self.type_text(found), self.type_text(ty));
                let text = self.ast.name(name.symbol);
                let message = format!("a result of type {ty} is assigned to `{text}` of type {found}");
                self.error(name.span, message);
                fine = false;
            }
        }
        fine.then_some(variables)
    }

    fn same_number(
        &mut self,
        procedure: Procedure,
        ident: Ident,
        (formals, expected): (&str, usize),
        (actuals, found): (&str, usize),
    ) -> Option<()> {
        if expected == found {
            return Some(());
        }
        let name = self.ast.name(ident.symbol);
        let message = format!(
            "procedure `{name}` has {}, but is given {}",
            count(expected, formals),
            count(found, actuals)
        );
        let declared = self.program.procedures[procedure].span;
        self.errors.push(Diagnostic::error(ident.span, message).related(declared, "declared here"));
        None
    }
}
