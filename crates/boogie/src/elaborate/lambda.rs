//! Lambda expressions, as functions to maps.
//!
//! `(lambda x: T :: body)` becomes `lambda(free…)`, where `lambda` is a new function to `[T]…` with the axiom
//! `forall free…, x: T :: lambda(free…)[x] == body`, and `free` is everything that the body mentions: globals, old
//! values, variables of the procedure or function, variables of quantifiers around it. If the body does not mention `x`,
//! it is the map with one value everywhere.

use super::Elaborator;
use base::Span;
use ir::{
    Axiom, BinaryOp, Builtin, Expr, ExprData, Function, Meaning, Quantifier, QuantifierKind, Type, Variable,
    VariableKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Something that a body mentions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Free {
    Now(Variable),
    Old(Variable),
}

impl Elaborator<'_> {
    /// The value of a lambda expression whose variables and body are known.
    pub(super) fn lambda(&mut self, bound: Vec<Variable>, body: Expr, span: Span) -> Expr {
        let domain: Vec<Type> = bound.iter().map(|&variable| self.program.variables[variable].ty).collect();
        let range = self.program.ty(body);
        let map = self.program.types.map(domain, range);
        let (free, mentions_own) = self.free(&bound, body);
        if !mentions_own {
            let function = self.lambda_function(&[range], map, Meaning::Builtin(Builtin::ConstantMap), span);
            return self.program.apply(function, [body], span);
        }
        let types: Vec<Type> = free
            .iter()
            .map(|free| match *free {
                Free::Now(variable) | Free::Old(variable) => self.program.variables[variable].ty,
            })
            .collect();
        let function = self.lambda_function(&types, map, Meaning::Uninterpreted, span);
        self.lambda_axiom(function, (&free, &types), bound, body, span);
        let arguments = free.iter().map(|free| match *free {
            Free::Now(variable) => self.program.variable(variable, span),
            Free::Old(variable) => self.program.old(variable, span),
        });
        let arguments: Vec<Expr> = arguments.collect();
        self.program.apply(function, arguments, span)
    }

    /// What a body mentions besides the given variables and those of quantifiers inside, in the order of the text; and
    /// whether it mentions one of the given.
    fn free(&self, bound: &[Variable], body: Expr) -> (Vec<Free>, bool) {
        let expressions = &self.program.expressions;
        let parts = expressions.post_order([body]);
        let mut inside: BTreeSet<Variable> = BTreeSet::new();
        for &part in &parts {
            if let ExprData::Quantified(quantifier) = &expressions[part] {
                inside.extend(&quantifier.bound);
            }
        }
        let mut free = Vec::new();
        let mut mentions_own = false;
        for part in parts {
            let found = match expressions[part] {
                ExprData::Variable(variable) if bound.contains(&variable) => {
                    mentions_own = true;
                    continue;
                }
                ExprData::Variable(variable) if inside.contains(&variable) => continue,
                ExprData::Variable(variable) => Free::Now(variable),
                ExprData::Old(variable) => Free::Old(variable),
                _ => continue,
            };
            let is_constant = match found {
                Free::Now(variable) | Free::Old(variable) => {
                    matches!(self.program.variables[variable].kind, VariableKind::Constant { .. })
                }
            };
            if !is_constant && !free.contains(&found) {
                free.push(found);
            }
        }
        (free, mentions_own)
    }

    fn lambda_function(&mut self, domain: &[Type], result: Type, meaning: Meaning, span: Span) -> Function {
        let name = self.made_name("lambda");
        let function = self.function_named(name, domain, result, span);
        self.program.functions[function].meaning = meaning;
        function
    }

    fn lambda_axiom(
        &mut self,
        function: Function,
        (free, types): (&[Free], &[Type]),
        bound: Vec<Variable>,
        body: Expr,
        span: Span,
    ) {
        let mut replaced: FxHashMap<Free, Expr> = FxHashMap::default();
        let mut quantified = Vec::with_capacity(free.len() + bound.len());
        let mut arguments = Vec::with_capacity(free.len());
        for (&free, &ty) in free.iter().zip(types) {
            let name = self.made_name("free");
            let variable = self.program.new_variable(name, ty, VariableKind::Bound, span);
            let value = self.program.variable(variable, span);
            quantified.push(variable);
            arguments.push(value);
            replaced.insert(free, value);
        }
        quantified.extend(&bound);
        let body = self.with_values(body, &replaced);
        let map = self.program.apply(function, arguments, span);
        let keys: Vec<Expr> = bound.iter().map(|&variable| self.program.variable(variable, span)).collect();
        let element = self.program.select(map, keys, span);
        let equation = self.program.binary(BinaryOp::Equal, element, body, span);
        let quantifier = Quantifier {
            kind: QuantifierKind::Forall,
            bound: quantified,
            triggers: vec![vec![element]],
            attributes: Vec::new(),
            body: equation,
        };
        if let Ok(formula) = self.program.expr(ExprData::Quantified(Box::new(quantifier)), span) {
            self.program.axioms.push(Axiom { formula, attributes: Vec::new(), span });
        }
    }

    /// A copy of an expression with values for what it mentions.
    fn with_values(&mut self, root: Expr, values: &FxHashMap<Free, Expr>) -> Expr {
        let mut copies: FxHashMap<Expr, Expr> = FxHashMap::default();
        for part in self.program.expressions.post_order([root]) {
            let mut data = self.program.expressions[part].clone();
            let value = match data {
                ExprData::Variable(variable) => values.get(&Free::Now(variable)).copied(),
                ExprData::Old(variable) => values.get(&Free::Old(variable)).copied(),
                _ => None,
            };
            let copy = value.unwrap_or_else(|| {
                data.map_children(|child| copies[&child]);
                let (ty, span) = (self.program.ty(part), self.program.expressions.span(part));
                self.program.expressions.push(data, ty, span)
            });
            copies.insert(part, copy);
        }
        copies[&root]
    }

    /// A name that occurs nowhere in the source and was not made before.
    pub(super) fn made_name(&mut self, wish: &str) -> String {
        loop {
            self.made_names += 1;
            let name = format!("{wish}#{}", self.made_names);
            if self.ast.symbols.find(&name).is_none() {
                return name;
            }
        }
    }
}
