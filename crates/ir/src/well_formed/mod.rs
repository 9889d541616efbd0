//! The well-formedness of programs: what every front end guarantees and everybody else relies on.
//!
//! The rules, each with its [`Rule`]:
//!
//! 1. `Name`: names and labels are names of the text form ([`names`](crate::names)).
//! 2. `DeclaredTwice`: constructors, functions and procedures have different names, and so have globals and
//!    constants. The parameters, results and locals of a procedure differ from each other and from globals and
//!    constants; the parameters of a function differ from each other and from constants; a bound variable
//!    differs from everything visible around it, bound variables of outer quantifiers included. Labels of a body
//!    differ.
//! 3. `Listed`: every variable is listed exactly where its kind says: constants and globals in the program,
//!    parameters and results in their procedure, locals in its body, parameters of functions in the function,
//!    bound variables in one quantifier.
//! 4. `Where`: only globals, parameters, results and locals have `where` clauses.
//! 5. `Type`: types use only types and constructors that exist, with the right number of arguments; every
//!    expression has the type of the typing rules ([`typing`](crate::typing)), builtin functions a fitting
//!    signature; conditions are `bool`, a function's definition has its result type, and values fit what they are
//!    assigned or passed to, in number and type.
//! 6. `Order`: the children of an expression come before it in the arena.
//! 7. `Visible`: axioms use constants; definitions of functions constants and their parameters; `where` clauses of
//!    globals constants and globals; those of a procedure's variables, and its `ensures`, also parameters and
//!    results (of locals, locals too); `requires` no results; bodies what belongs to their procedure. Bound
//!    variables occur only below their quantifier. `old` occurs only in `ensures` and in bodies.
//! 8. `Target`: only globals and the results and locals of the procedure are changed; no statement lists a target
//!    twice.
//! 9. `Frame`: `modifies` lists globals, each once; a body changes only globals that are listed, and calls only
//!    procedures whose `modifies` is a subset.
//! 10. `Flow`: a body has a block; jumps lead to blocks of the body; a `goto` has a target.
//! 11. `Attribute`: only assumptions, assertions and calls have attributes, and all statements marks about accesses; the names of attributes are names, and
//!     their strings have no line break and do not end with a backslash.
//!
//! Cost: linear, apart from the bound variables that are free in an expression.

mod expressions;
mod procedures;

use crate::expressions::Expr;
use crate::names::is_name;
use crate::program::{Attribute, AttributeArgument, Meaning, Procedure, Program, Variable, VariableKind};
use crate::types::TypeData;
use base::{EntityRef, SecondaryMap, Span};
use expressions::Scope;
use rustc_hash::FxHashSet;
use std::fmt;

/// Which rule is violated; see the [module](self) for what they say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the head of the module says what each rule is")]
pub enum Rule {
    Name,
    DeclaredTwice,
    Listed,
    Where,
    Type,
    Order,
    Visible,
    Target,
    Frame,
    Flow,
    Attribute,
}

/// A violated rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// What violates it.
    pub what: String,
    /// Where.
    pub span: Span,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.rule, self.what)
    }
}

/// All violations of the rules. A program is well formed if there are none.
pub fn check(program: &Program) -> Vec<Violation> {
    let mut checker = Checker { program, violations: Vec::new(), listed: SecondaryMap::new() };
    checker.types();
    // The rest follows ids, so it needs expressions and types that are sound.
    if checker.expressions() && checker.violations.is_empty() {
        checker.declarations();
        for procedure in program.procedures.keys() {
            checker.procedure(procedure);
        }
        checker.all_listed();
    }
    checker.violations
}

struct Checker<'p> {
    program: &'p Program,
    violations: Vec<Violation>,
    listed: SecondaryMap<Variable, bool>,
}

impl<'p> Checker<'p> {
    fn violated(&mut self, rule: Rule, span: Span, what: impl Into<String>) {
        self.violations.push(Violation { rule, what: what.into(), span });
    }

    fn types(&mut self) {
        let program = self.program;
        let types = &program.types;
        for (ty, data) in types.iter() {
            let components: &[crate::Type] = match data {
                TypeData::Map { domain, .. } => domain,
                TypeData::Named { arguments, .. } => arguments,
                TypeData::Bool | TypeData::Int | TypeData::Real | TypeData::BitVec(_) => &[],
            };
            let range = match data {
                TypeData::Map { range, .. } => Some(*range),
                _ => None,
            };
            let known = components.iter().copied().chain(range).all(|part| part < ty);
            let shape = match data {
                TypeData::Map { domain, .. } => !domain.is_empty(),
                TypeData::Named { constructor, arguments } => {
                    let declared = program.constructors.get(*constructor);
                    declared.is_some_and(|declared| declared.arity as usize == arguments.len())
                }
                _ => true,
            };
            if !known || !shape {
                // A type has no place of its own; the first declaration of the program stands for it.
                let span = program.variables.values().next().map(|data| data.span);
                let nowhere = Span { file: base::FileId::new(0), start: 0, end: 0 };
                self.violated(Rule::Type, span.unwrap_or(nowhere), format!("{ty} is not a type"));
            }
        }
    }

    fn name(&mut self, name: &str, span: Span) {
        if !is_name(name) {
            self.violated(Rule::Name, span, format!("`{name}` is not a name"));
        }
    }

    /// All names are names, and no two are equal or taken.
    fn distinct<'n>(
        &mut self,
        names: impl Iterator<Item = (&'n str, Span)>,
        taken: impl Fn(&str) -> bool,
    ) -> FxHashSet<&'n str> {
        let mut seen = FxHashSet::default();
        for (name, span) in names {
            self.name(name, span);
            if taken(name) || !seen.insert(name) {
                self.violated(Rule::DeclaredTwice, span, format!("`{name}` is declared twice"));
            }
        }
        seen
    }

    /// The variables are listed here, and have this kind.
    fn list(&mut self, variables: &[Variable], kind: impl Fn(VariableKind) -> bool) {
        for &variable in variables {
            let data = &self.program.variables[variable];
            let first = !std::mem::replace(&mut self.listed[variable], true);
            if !first || !kind(data.kind) {
                self.violated(Rule::Listed, data.span, format!("`{}` does not belong here", data.name));
            }
        }
    }

    fn all_listed(&mut self) {
        let program = self.program;
        for (variable, data) in &program.variables {
            // A bound variable of a quantifier that is used nowhere is no mistake.
            if !self.listed[variable] && data.kind != VariableKind::Bound {
                self.violated(Rule::Listed, data.span, format!("`{}` is listed nowhere", data.name));
            }
        }
    }

    fn named(&self, variables: &'p [Variable]) -> impl Iterator<Item = (&'p str, Span)> + use<'p> {
        let program = self.program;
        variables.iter().map(|&variable| {
            let data = &program.variables[variable];
            (data.name.as_str(), data.span)
        })
    }

    fn declarations(&mut self) {
        let program = self.program;
        let none = |_: &str| false;
        self.distinct(program.constructors.values().map(|data| (data.name.as_str(), data.span)), none);
        self.distinct(program.functions.values().map(|data| (data.name.as_str(), data.span)), none);
        self.distinct(program.procedures.values().map(|data| (data.name.as_str(), data.span)), none);
        let outer = self.named(&program.constants).chain(self.named(&program.globals));
        self.distinct(outer, none);
        self.list(&program.constants, |kind| matches!(kind, VariableKind::Constant { .. }));
        self.list(&program.globals, |kind| kind == VariableKind::Global);
        for data in program.constructors.values() {
            self.attributes(&data.attributes, data.span, Scope::Axiom);
        }
        for &constant in &program.constants {
            self.variable(constant, Scope::Axiom);
        }
        for &global in &program.globals {
            self.variable(global, Scope::GlobalWhere);
        }
        for axiom in &program.axioms {
            self.attributes(&axiom.attributes, axiom.span, Scope::Axiom);
            self.formula(axiom.formula, Scope::Axiom);
        }
        for function in program.functions.keys() {
            self.function(function);
        }
    }

    fn function(&mut self, function: crate::Function) {
        let program = self.program;
        let data = &program.functions[function];
        let is_constant =
            |name: &str| program.constants.iter().any(|&constant| program.variables[constant].name == name);
        self.distinct(self.named(&data.parameters), is_constant);
        self.list(&data.parameters, |kind| kind == VariableKind::FunctionParameter(function));
        for &parameter in &data.parameters {
            self.variable(parameter, Scope::Function(function));
        }
        self.attributes(&data.attributes, data.span, Scope::Function(function));
        if let Meaning::Defined(body) = data.meaning {
            self.expr(body, data.result, Scope::Function(function));
        }
        if let Err(error) = program.check_builtin_function(function) {
            self.violated(Rule::Type, data.span, error.to_string());
        }
    }

    /// The parts of a variable's declaration.
    fn variable(&mut self, variable: Variable, scope: Scope) {
        let data = &self.program.variables[variable];
        self.attributes(&data.attributes, data.span, scope);
        if let Some(clause) = data.where_clause {
            self.formula(clause, scope);
            let allowed = match data.kind {
                VariableKind::Global
                | VariableKind::Parameter(_)
                | VariableKind::Result(_)
                | VariableKind::Local(_) => true,
                VariableKind::Constant { .. } | VariableKind::FunctionParameter(_) | VariableKind::Bound => {
                    false
                }
            };
            if !allowed {
                self.violated(Rule::Where, data.span, format!("`{}` has a `where` clause", data.name));
            }
        }
    }

    fn attributes(&mut self, attributes: &[Attribute], span: Span, scope: Scope) {
        for attribute in attributes {
            let mut fine = is_name(&attribute.name) || crate::names::is_keyword(&attribute.name);
            for argument in &attribute.arguments {
                match argument {
                    AttributeArgument::Text(text) => {
                        fine &= !text.contains('\n') && !text.ends_with('\\');
                    }
                    AttributeArgument::Expr(expr) => self.visible(*expr, scope),
                }
            }
            if !fine {
                self.violated(
                    Rule::Attribute,
                    span,
                    format!("attribute `{}` has no text form", attribute.name),
                );
            }
        }
    }

    fn formula(&mut self, expr: Expr, scope: Scope) {
        self.expr(expr, crate::Type::BOOL, scope);
    }

    /// An expression has a type, and uses what is visible.
    fn expr(&mut self, expr: Expr, ty: crate::Type, scope: Scope) {
        if self.program.ty(expr) != ty {
            let span = self.program.expressions.span(expr);
            let expected = self.program.show_type(ty).to_string();
            self.violated(
                Rule::Type,
                span,
                format!("`{}` is not of type {expected}", self.program.show_expr(expr)),
            );
        }
        self.visible(expr, scope);
    }
}

/// A position of an expression in a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Requires,
    Ensures,
    FormalWhere,
    LocalWhere,
    Body,
}

impl Part {
    fn scope(self, procedure: Procedure) -> Scope {
        Scope::Procedure(procedure, self)
    }
}
