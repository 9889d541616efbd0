//! The arena, and what is visible where.

use super::{Checker, Part, Rule};
use crate::expressions::{Expr, ExprData, Quantifier};
use crate::program::{Function, Procedure, Variable, VariableKind};
use base::EntityRef;
use rustc_hash::FxHashMap;

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    Axiom,
    Function(Function),
    GlobalWhere,
    Procedure(Procedure, Part),
}

impl Scope {
    fn sees(self, kind: VariableKind) -> bool {
        match (kind, self) {
            (VariableKind::Constant { .. }, _) => true,
            (VariableKind::Global, Scope::GlobalWhere | Scope::Procedure(..)) => true,
            (VariableKind::FunctionParameter(function), Scope::Function(own)) => function == own,
            (VariableKind::Parameter(procedure), Scope::Procedure(own, _)) => procedure == own,
            (VariableKind::Result(procedure), Scope::Procedure(own, part)) => {
                procedure == own && part != Part::Requires
            }
            (VariableKind::Local(procedure), Scope::Procedure(own, Part::LocalWhere | Part::Body)) => {
                procedure == own
            }
            _ => false,
        }
    }

    fn has_old(self) -> bool {
        matches!(self, Scope::Procedure(_, Part::Ensures | Part::Body))
    }
}

/// Bound variables of a part of an expression, sorted.
#[derive(Clone, Default)]
struct Bound {
    /// Those that occur free.
    free: Vec<Variable>,
    /// Those of the quantifiers in it.
    inner: Vec<Variable>,
}

impl Bound {
    fn join(&mut self, other: &Bound) {
        for (own, others) in [(&mut self.free, &other.free), (&mut self.inner, &other.inner)] {
            if !others.is_empty() {
                own.extend(others);
                own.sort_unstable();
                own.dedup();
            }
        }
    }
}

impl Checker<'_> {
    /// Checks every expression on its own; whether ids can be followed.
    pub(super) fn expressions(&mut self) -> bool {
        let program = self.program;
        let mut sound = true;
        for (expr, node) in program.expressions.iter() {
            let mut ordered = true;
            program.expressions.for_each_child(expr, |child| ordered &= child < expr);
            if !ordered || node.ty.index() >= program.types.len() || !self.ids_exist(&node.data) {
                self.violated(Rule::Order, node.span, format!("{expr} uses what comes after it"));
                sound = false;
                continue;
            }
            match program.type_of(&node.data) {
                Ok(typed) if typed.matches(&program.types, node.ty) => {}
                Ok(_) => {
                    self.violated(Rule::Type, node.span, format!("{expr} has another type than it says"))
                }
                Err(error) => self.violated(Rule::Type, node.span, format!("{expr}: {error}")),
            }
        }
        sound
    }

    fn ids_exist(&self, data: &ExprData) -> bool {
        let program = self.program;
        match data {
            ExprData::Variable(variable) | ExprData::Old(variable) => program.variables.is_valid(*variable),
            ExprData::Apply(function, _) => program.functions.is_valid(*function),
            ExprData::Quantified(quantifier) => {
                quantifier.bound.iter().all(|&variable| program.variables.is_valid(variable))
            }
            _ => true,
        }
    }

    /// An expression uses only what is visible.
    pub(super) fn visible(&mut self, root: Expr, scope: Scope) {
        let program = self.program;
        let mut known: FxHashMap<Expr, Bound> = FxHashMap::default();
        for expr in program.expressions.post_order([root]) {
            let mut bound = Bound::default();
            program.expressions.for_each_child(expr, |child| {
                if let Some(child) = known.get(&child) {
                    bound.join(child);
                }
            });
            match &program.expressions[expr] {
                ExprData::Variable(variable) => {
                    let data = &program.variables[*variable];
                    if data.kind == VariableKind::Bound {
                        bound.free.push(*variable);
                    } else if !scope.sees(data.kind) {
                        self.not_visible(expr, *variable);
                    }
                }
                ExprData::Old(variable) if !scope.has_old() => self.not_visible(expr, *variable),
                ExprData::Quantified(quantifier) => self.quantifier(expr, quantifier, scope, &mut bound),
                _ => {}
            }
            if !bound.free.is_empty() || !bound.inner.is_empty() {
                known.insert(expr, bound);
            }
        }
        let free = known.remove(&root).unwrap_or_default().free;
        for variable in free {
            self.not_visible(root, variable);
        }
    }

    fn not_visible(&mut self, expr: Expr, variable: Variable) {
        let (span, name) = (self.program.expressions.span(expr), &self.program.variables[variable].name);
        self.violated(Rule::Visible, span, format!("`{name}` is not visible here"));
    }

    fn quantifier(&mut self, expr: Expr, quantifier: &Quantifier, scope: Scope, below: &mut Bound) {
        let program = self.program;
        let span = program.expressions.span(expr);
        self.attributes_of_quantifier(quantifier, span);
        for (index, &variable) in quantifier.bound.iter().enumerate() {
            let data = &program.variables[variable];
            self.name(&data.name, data.span);
            self.listed[variable] = true;
            if data.kind != VariableKind::Bound || below.inner.contains(&variable) {
                self.violated(Rule::Listed, span, format!("`{}` is bound elsewhere", data.name));
            }
            let same_name = |other: &Variable| program.variables[*other].name == data.name;
            let hides = quantifier.bound[..index].iter().chain(&below.inner).any(same_name)
                || self.is_taken(&data.name, scope);
            if hides {
                self.violated(
                    Rule::DeclaredTwice,
                    data.span,
                    format!("`{}` hides another variable", data.name),
                );
            }
        }
        below.free.retain(|variable| !quantifier.bound.contains(variable));
        below.join(&Bound { free: Vec::new(), inner: quantifier.bound.clone() });
    }

    fn attributes_of_quantifier(&mut self, quantifier: &Quantifier, span: base::Span) {
        for attribute in &quantifier.attributes {
            if !crate::names::is_name(&attribute.name) {
                self.violated(
                    Rule::Attribute,
                    span,
                    format!("attribute `{}` has no text form", attribute.name),
                );
            }
        }
    }

    /// Whether a name means something at a place.
    fn is_taken(&self, name: &str, scope: Scope) -> bool {
        let program = self.program;
        let has = |variables: &[Variable]| variables.iter().any(|&v| program.variables[v].name == name);
        if has(&program.constants) {
            return true;
        }
        match scope {
            Scope::Axiom => false,
            Scope::Function(function) => has(&program.functions[function].parameters),
            Scope::GlobalWhere => has(&program.globals),
            Scope::Procedure(procedure, part) => {
                let data = &program.procedures[procedure];
                let locals = matches!(part, Part::LocalWhere | Part::Body)
                    && data.body.as_ref().is_some_and(|body| has(&body.locals));
                has(&program.globals) || has(&data.parameters) || has(&data.results) || locals
            }
        }
    }
}
