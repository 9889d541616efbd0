//! Expressions, bottom up with an explicit stack.
//!
//! A part with a mistake has no value, and neither has what contains it: one mistake gives one message.

use super::attributes::attribute_exprs;
use super::scopes::Position;
use super::types::repeated;
use super::{Elaborator, Entry, count};
use crate::ast::{BinaryOp, Binding, BindingKind, ExprId, ExprKind, Ident, UnaryOp};
use crate::features::Feature;
use crate::symbols::Symbol;
use base::{Diagnostic, Span};
use ir::{Expr, ExprData, Quantifier, QuantifierKind, Type, VariableKind};
use num_traits::Zero;

/// A step of the traversal.
pub(super) enum Visit {
    Enter(ExprId),
    /// The values of a `let` are known, and its body is next.
    Bind(ExprId),
    /// The first has a value; the second is expected to have the same type.
    Want(ExprId, ExprId),
    /// Some arguments of an application have values, which tell the types of the others.
    WantArguments(ExprId),
    Leave(ExprId),
}

impl<'a> Elaborator<'a> {
    /// The value of an expression that must be `bool`.
    pub(super) fn formula(&mut self, root: ExprId, position: Position) -> Option<Expr> {
        self.typed_expr(root, Type::BOOL, position)
    }

    /// The value of an expression that must have a type.
    pub(super) fn typed_expr(&mut self, root: ExprId, ty: Type, position: Position) -> Option<Expr> {
        let expr = self.wanted_expr(root, Some(ty), position)?;
        self.expect(expr, ty)
    }

    pub(super) fn expr(&mut self, root: ExprId, position: Position) -> Option<Expr> {
        self.wanted_expr(root, None, position)
    }

    /// The value of an expression that is expected to have a type; that it has is not checked.
    fn wanted_expr(&mut self, root: ExprId, ty: Option<Type>, position: Position) -> Option<Expr> {
        self.wanted[root] = ty.into();
        let mut visits = std::mem::take(&mut self.visits);
        visits.push(Visit::Enter(root));
        while let Some(visit) = visits.pop() {
            match visit {
                Visit::Enter(id) => self.enter(id, position, &mut visits),
                Visit::Bind(id) => self.bind(id),
                Visit::Want(known, other) => {
                    let ty = self.value(known).map(|value| self.program.ty(value));
                    self.wanted[other] = ty.into();
                }
                Visit::WantArguments(id) => self.want_arguments(id),
                Visit::Leave(id) => self.values[id] = self.leave(id).into(),
            }
        }
        self.visits = visits;
        self.values[root].expand()
    }

    pub(super) fn expect(&mut self, expr: Expr, expected: Type) -> Option<Expr> {
        let found = self.program.ty(expr);
        if found == expected {
            return Some(expr);
        }
        let (expected, found) = (self.type_text(expected), self.type_text(found));
        let span = self.program.expressions.span(expr);
        self.errors.push(
            Diagnostic::error(span, format!("expected type {expected}, found {found}"))
                .label(format!("this has type {found}")),
        );
        None
    }

    pub(super) fn value(&self, id: ExprId) -> Option<Expr> {
        self.values[id].expand()
    }

    fn all(&self, ids: &[ExprId]) -> Option<Vec<Expr>> {
        ids.iter().map(|&id| self.value(id)).collect()
    }

    /// Gives leaves their value, and plans the visit of everything else.
    fn enter(&mut self, id: ExprId, position: Position, visits: &mut Vec<Visit>) {
        let ast = self.ast;
        let expr = &ast.exprs[id];
        let span = expr.span;
        let leaf = match &expr.kind {
            ExprKind::Bool(value) => Some(self.program.bool(*value, span)),
            ExprKind::Natural => self.natural(span),
            ExprKind::Decimal => self.decimal(span),
            ExprKind::BitVector => self.bit_vector(span),
            ExprKind::Float => self.float_literal(span),
            ExprKind::Name { symbol, old } => self.name(*symbol, *old, position, span),
            ExprKind::Bound(binder) => match self.lets[*binder].expand() {
                Some(value) => Some(value),
                None => self.bound[*binder].expand().map(|variable| self.program.variable(variable, span)),
            },
            ExprKind::Wildcard => self.not_supported(Feature::WildcardArgument, span),
            ExprKind::Binding(binding) if !binding.variables.is_empty() => {
                self.over_types(binding, position, span)
            }
            ExprKind::Old(_) if !position.has_old() => {
                self.error(span, format!("`old` cannot be used in {}", position.describe()));
                None
            }
            inner => {
                visits.push(Visit::Leave(id));
                // The stack turns the order around, so the last child is pushed first.
                match inner {
                    ExprKind::Binding(binding) => {
                        self.open_binding(binding, position);
                        visits.push(Visit::Enter(binding.body));
                        visits
                            .extend(binding.triggers.iter().flatten().rev().map(|&term| Visit::Enter(term)));
                        visits.extend(attribute_exprs(&binding.attributes).map(Visit::Enter));
                    }
                    ExprKind::Let(binding) => {
                        self.wanted[binding.body] = self.wanted[id];
                        for &value in &binding.values {
                            self.wanted[value] = None.into();
                        }
                        visits.extend([Visit::Enter(binding.body), Visit::Bind(id)]);
                        visits.extend(binding.values.iter().rev().map(|&value| Visit::Enter(value)));
                    }
                    ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                        // What needs to know its type comes second.
                        let (first, second) =
                            if self.needs_type(*left) { (*right, *left) } else { (*left, *right) };
                        self.wanted[first] = None.into();
                        visits.extend([
                            Visit::Enter(second),
                            Visit::Want(first, second),
                            Visit::Enter(first),
                        ]);
                    }
                    ExprKind::Apply(_, arguments)
                        if self.needs_type(id) && arguments.iter().any(|&one| self.needs_type(one)) =>
                    {
                        // The other arguments tell what is expected of those that need to know.
                        self.want_children(id, inner);
                        let (last, first): (Vec<ExprId>, Vec<ExprId>) =
                            arguments.iter().partition(|&&argument| self.needs_type(argument));
                        visits.extend(last.into_iter().rev().map(Visit::Enter));
                        visits.push(Visit::WantArguments(id));
                        visits.extend(first.into_iter().rev().map(Visit::Enter));
                    }
                    _ => {
                        self.want_children(id, inner);
                        let first = visits.len();
                        for_each_child(inner, |child| visits.push(Visit::Enter(child)));
                        visits[first..].reverse();
                    }
                }
                return;
            }
        };
        self.values[id] = leaf.into();
    }

    /// Whether the type of an expression may depend on what is expected.
    fn needs_type(&self, id: ExprId) -> bool {
        match &self.ast.exprs[id].kind {
            ExprKind::Apply(name, _) => {
                matches!(self.functions[name.symbol], Some((Entry::Broken, _)))
            }
            _ => false,
        }
    }

    /// Says what is expected of the arguments of a polymorphic application that need to know, if the others tell.
    fn want_arguments(&mut self, id: ExprId) {
        let ast = self.ast;
        let ExprKind::Apply(name, arguments) = &ast.exprs[id].kind else { return };
        let Some(pattern) = self.application_pattern(name.symbol) else { return };
        let mut known = Vec::new();
        for &argument in arguments {
            let value = if self.needs_type(argument) { None } else { self.value(argument) };
            known.push(value.map(|value| self.program.ty(value)));
        }
        let types = self.arguments_wanted(&pattern, &known, self.wanted[id].expand());
        for (&argument, ty) in arguments.iter().zip(types) {
            if self.needs_type(argument) {
                self.wanted[argument] = ty.into();
            }
        }
    }

    /// Says what is expected of the children of an expression.
    fn want_children(&mut self, id: ExprId, kind: &ExprKind) {
        for_each_child(kind, |child| self.wanted[child] = None.into());
        match kind {
            ExprKind::If(_, then, otherwise) => {
                self.wanted[*then] = self.wanted[id];
                self.wanted[*otherwise] = self.wanted[id];
            }
            ExprKind::Old(operand) => self.wanted[*operand] = self.wanted[id],
            ExprKind::Typed(operand, ty) if self.needs_type(*operand) => {
                // Mistakes in the type are reported when the expression is left.
                let (errors, unsupported) = (self.errors.len(), self.unsupported.len());
                self.wanted[*operand] = self.ty(*ty).into();
                self.errors.truncate(errors);
                self.unsupported.truncate(unsupported);
            }
            ExprKind::Apply(name, arguments) => {
                if let Some((Entry::Known(function), _)) = self.functions[name.symbol] {
                    let parameters = self.program.functions[function].parameters.iter();
                    for (&argument, &parameter) in arguments.iter().zip(parameters) {
                        self.wanted[argument] = Some(self.program.variables[parameter].ty).into();
                    }
                }
            }
            _ => {}
        }
    }

    /// Gives the names of a `let` their values: a value that is used several times is shared.
    fn bind(&mut self, id: ExprId) {
        let ast = self.ast;
        let ExprKind::Let(binding) = &ast.exprs[id].kind else { return };
        for (&binder, &value) in binding.binders.iter().zip(&binding.values) {
            self.lets[binder] = self.values[value];
        }
    }

    fn not_supported(&mut self, feature: Feature, span: Span) -> Option<Expr> {
        self.unsupported(feature, span);
        None
    }

    /// Gives everything else its value; its children have theirs.
    fn leave(&mut self, id: ExprId) -> Option<Expr> {
        let ast = self.ast;
        let expr = &ast.exprs[id];
        let span = expr.span;
        match &expr.kind {
            ExprKind::Apply(function, arguments) => {
                let wanted = self.wanted[id].expand();
                match self.apply_datatype(*function, arguments, wanted, span) {
                    Some(value) => value,
                    None => self.apply(*function, arguments, wanted, span),
                }
            }
            ExprKind::Is(operand, constructor) => {
                let operand = self.value(*operand)?;
                self.is(operand, *constructor, span)
            }
            ExprKind::Arrow(operand, field) => {
                let operand = self.value(*operand)?;
                self.arrow(operand, *field, span)
            }
            ExprKind::ArrowUpdate(operand, field, value) => {
                let (operand, value) = (self.value(*operand)?, self.value(*value)?);
                self.arrow_update(operand, *field, value, span)
            }
            ExprKind::Unary(op, operand) => {
                // Minus and a literal are one literal, so that negative numbers have a normal form.
                let literal = matches!(ast.exprs[*operand].kind, ExprKind::Natural | ExprKind::Decimal);
                let operand = self.value(*operand)?;
                if literal
                    && *op == UnaryOp::Negate
                    && let Some(negated) = self.negated_literal(operand, span)
                {
                    return Some(negated);
                }
                self.unary(*op, operand, span)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                self.binary(*op, left, right, span)
            }
            ExprKind::If(condition, then, otherwise) => {
                let (condition, then, otherwise) =
                    (self.value(*condition), self.value(*then)?, self.value(*otherwise)?);
                let condition = self.expect(condition?, Type::BOOL)?;
                let otherwise = self.expect(otherwise, self.program.ty(then))?;
                Some(self.program.ite(condition, then, otherwise, span))
            }
            ExprKind::Select(map, arguments) => {
                let (map, arguments) = (self.value(*map)?, self.all(arguments)?);
                self.select(map, arguments, span)
            }
            ExprKind::Store(map, arguments, value) => {
                let (map, arguments, value) = (self.value(*map)?, self.all(arguments)?, self.value(*value)?);
                self.store(map, arguments, value, span)
            }
            ExprKind::Extract(operand, high, low) => {
                let operand = self.value(*operand)?;
                self.extract(operand, *high, *low, span)
            }
            ExprKind::Old(operand) => self.value(*operand),
            ExprKind::ToInt(operand) => {
                let operand = self.value(*operand)?;
                self.coerce(operand, Type::REAL, Type::INT, span)
            }
            ExprKind::ToReal(operand) => {
                let operand = self.value(*operand)?;
                self.coerce(operand, Type::INT, Type::REAL, span)
            }
            ExprKind::Typed(operand, ty) => {
                let (operand, ty) = (self.value(*operand), self.ty(*ty));
                self.expect(operand?, ty?)
            }
            ExprKind::Field(operand, field) => {
                let operand = self.value(*operand)?;
                self.field(operand, *field, span)
            }
            ExprKind::Struct(fields) => self.struct_value(fields, span),
            ExprKind::Binding(binding) => self.close_binding(binding, span),
            ExprKind::Let(binding) => self.value(binding.body),
            ExprKind::Bool(_)
            | ExprKind::Natural
            | ExprKind::Decimal
            | ExprKind::BitVector
            | ExprKind::Float
            | ExprKind::Name { .. }
            | ExprKind::Bound(_)
            | ExprKind::Wildcard => None,
        }
    }

    /// Nothing for zero, whose sign would be lost.
    fn negated_literal(&mut self, literal: Expr, span: Span) -> Option<Expr> {
        match &self.program.expressions[literal] {
            ExprData::Int(value) if !value.is_zero() => {
                let value = -value;
                Some(self.program.int(value, span))
            }
            ExprData::Real(value) if !value.is_zero() => {
                let value = -value;
                Some(self.program.real(value, span))
            }
            _ => None,
        }
    }

    fn name(&mut self, symbol: Symbol, old: bool, position: Position, span: Span) -> Option<Expr> {
        let name = self.ast.name(symbol);
        let variable = match self.scopes.find(symbol) {
            Some(Entry::Known(variable)) => variable,
            Some(Entry::Broken) => return None,
            None => {
                let mode = self.mode(name, span);
                if mode.is_none() {
                    self.error(span, format!("`{name}` is not declared"));
                }
                return mode;
            }
        };
        match self.program.variables[variable].kind {
            VariableKind::Global if !position.sees_globals() => {
                self.error(
                    span,
                    format!("global variable `{name}` cannot be used in {}", position.describe()),
                );
                None
            }
            VariableKind::Result(_) if position == Position::Requires => {
                self.error(span, format!("result `{name}` cannot be used in {}", position.describe()));
                None
            }
            VariableKind::Global if old && position != Position::Requires => {
                Some(self.program.old(variable, span))
            }
            _ => Some(self.program.variable(variable, span)),
        }
    }

    fn apply(&mut self, name: Ident, arguments: &[ExprId], wanted: Option<Type>, span: Span) -> Option<Expr> {
        let function = match self.functions[name.symbol] {
            Some((Entry::Known(function), _)) => function,
            Some((Entry::Broken, _)) => {
                self.used(name.symbol);
                self.copy_for(name, arguments, wanted, span)?
            }
            None => {
                self.error(name.span, format!("function `{}` is not declared", self.ast.name(name.symbol)));
                return None;
            }
        };
        let domain: Vec<Type> = self.program.functions[function]
            .parameters
            .iter()
            .map(|&parameter| self.program.variables[parameter].ty)
            .collect();
        if domain.len() != arguments.len() {
            let message = format!(
                "function `{}` has {}, but is given {}",
                self.ast.name(name.symbol),
                count(domain.len(), "parameter"),
                count(arguments.len(), "argument")
            );
            let declaration = self.program.functions[function].span;
            self.errors.push(Diagnostic::error(span, message).related(declaration, "declared here"));
            return None;
        }
        let mut fine = true;
        for (&argument, ty) in arguments.iter().zip(domain) {
            fine &= self.value(argument).is_some_and(|argument| self.expect(argument, ty).is_some());
        }
        let arguments = self.all(arguments)?;
        fine.then(|| self.program.apply(function, arguments, span))
    }

    /// Makes the bound variables, under names that hide nothing.
    fn open_binding(&mut self, binding: &Binding, position: Position) {
        for &id in &binding.binders {
            let binder = &self.ast.binders[id];
            let (symbol, span) = (binder.name.symbol, binder.name.span);
            let name = self.bound_name(symbol, position);
            let ty = binder.ty.and_then(|ty| self.ty(ty));
            self.scopes.open_quantifier(symbol);
            self.bound[id] =
                ty.map(|ty| self.program.new_variable(name, ty, VariableKind::Bound, span)).into();
        }
    }

    /// A quantifier whose type variables have types.
    pub(super) fn quantifier_with_types(
        &mut self,
        binding: &'a Binding,
        position: Position,
        span: Span,
    ) -> Option<Expr> {
        self.open_binding(binding, position);
        let parts = attribute_exprs(&binding.attributes).chain(binding.triggers.iter().flatten().copied());
        for part in parts {
            self.expr(part, position);
        }
        self.typed_expr(binding.body, Type::BOOL, position);
        if binding.binders.is_empty() {
            return self.value(binding.body);
        }
        self.close_binding(binding, span)
    }

    fn close_binding(&mut self, binding: &'a Binding, span: Span) -> Option<Expr> {
        let ast = self.ast;
        let names: Vec<Ident> = binding.binders.iter().map(|&id| ast.binders[id].name).collect();
        for name in &names {
            self.scopes.close_quantifier(name.symbol);
        }
        if let Some((before, twice)) = repeated(&names, |name| name.symbol) {
            self.declared_twice("variable", twice.symbol, twice.span, names[before].span);
            return None;
        }
        if binding.binders.is_empty() {
            self.error(span, "the quantifier binds no variable");
            return None;
        }
        let mut bound = Vec::with_capacity(binding.binders.len());
        for &id in &binding.binders {
            bound.push(self.bound[id].expand()?);
        }
        let mut triggers = Vec::with_capacity(binding.triggers.len());
        for trigger in &binding.triggers {
            triggers.push(self.all(trigger)?);
        }
        let attributes = self.attributes_from_values(&binding.attributes)?;
        let body = self.value(binding.body)?;
        let kind = match binding.kind {
            BindingKind::Forall => QuantifierKind::Forall,
            BindingKind::Exists => QuantifierKind::Exists,
            BindingKind::Lambda => return Some(self.lambda(bound, body, span)),
        };
        let body = self.expect(body, Type::BOOL)?;
        let quantifier = Quantifier { kind, bound, triggers, attributes, body };
        self.program.expr(ExprData::Quantified(Box::new(quantifier)), span).ok()
    }
}

/// The children of an expression, left to right; those of quantifiers are visited apart.
fn for_each_child(kind: &ExprKind, mut f: impl FnMut(ExprId)) {
    match kind {
        ExprKind::Apply(_, arguments) => arguments.iter().copied().for_each(f),
        ExprKind::Unary(_, operand)
        | ExprKind::Extract(operand, ..)
        | ExprKind::Old(operand)
        | ExprKind::ToInt(operand)
        | ExprKind::ToReal(operand)
        | ExprKind::Field(operand, _)
        | ExprKind::Is(operand, _)
        | ExprKind::Arrow(operand, _)
        | ExprKind::Typed(operand, _) => f(*operand),
        ExprKind::ArrowUpdate(operand, _, value) => {
            f(*operand);
            f(*value);
        }
        ExprKind::Struct(fields) => fields.iter().for_each(|&(_, value)| f(value)),
        ExprKind::Binary(_, left, right) => {
            f(*left);
            f(*right);
        }
        ExprKind::If(condition, then, otherwise) => {
            f(*condition);
            f(*then);
            f(*otherwise);
        }
        ExprKind::Select(map, arguments) => {
            f(*map);
            arguments.iter().copied().for_each(f);
        }
        ExprKind::Store(map, arguments, value) => {
            f(*map);
            arguments.iter().copied().for_each(&mut f);
            f(*value);
        }
        _ => {}
    }
}
