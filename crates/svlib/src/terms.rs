//! Terms of SMT-LIB as expressions of the intermediate language, with their sorts checked.
//!
//! Cost: linear in the size of the term, as `let` shares what it names. Nesting needs memory and none of the host's stack
//! beyond what `stacker` provides.

use crate::builder::Builder;
use crate::problem::{Problem, mistake, unsupported};
use crate::symbols::{KeptAt, Named, Scope};
use crate::syntax::{Data, Node};
use base::Span;
use ir::{Expr, ExprData, QuantifierKind, Type, UnaryOp, Variable, VariableKind};
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;

/// So much of the stack must be left for the next level of a term, and so much is taken when it is not.
const RED_ZONE: usize = 64 << 10;
const STACK: usize = 1 << 20;

/// Calls a function that may call itself for every level of nesting.
pub(crate) fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, STACK, f)
}

/// The parts of a quantified formula.
#[derive(Clone, Copy)]
struct Binder {
    bound: Node,
    body: Node,
}

impl<'d> Builder<'d> {
    /// A term of a certain sort.
    pub(crate) fn term_of(&mut self, node: Node, ty: Type, scope: &mut Scope) -> Result<Expr, Problem> {
        let expr = self.term(node, scope)?;
        self.coerced(expr, ty)
    }

    /// A formula.
    pub(crate) fn formula(&mut self, node: Node, scope: &mut Scope) -> Result<Expr, Problem> {
        self.term_of(node, Type::BOOL, scope)
    }

    /// An expression where a sort is expected. An integer is a real where one is needed.
    pub(crate) fn coerced(&mut self, expr: Expr, ty: Type) -> Result<Expr, Problem> {
        let (found, span) = (self.program.ty(expr), self.program.expressions.span(expr));
        if found == ty {
            return Ok(expr);
        }
        if (found, ty) == (Type::INT, Type::REAL) {
            return Ok(self.real_of(expr, span));
        }
        let (expected, found) = (self.sort_text(ty), self.sort_text(found));
        Err(mistake(span, format!("a term of sort {expected} is expected, and this one has sort {found}")))
    }

    pub(crate) fn real_of(&mut self, expr: Expr, span: Span) -> Expr {
        match &self.program.expressions[expr] {
            ExprData::Int(value) => {
                let value = Ratio::from_integer(value.clone());
                self.program.real(value, span)
            }
            _ => self.program.unary(UnaryOp::IntToReal, expr, span),
        }
    }

    /// A term of any sort.
    pub(crate) fn term(&mut self, node: Node, scope: &mut Scope) -> Result<Expr, Problem> {
        deep(|| self.term_at(node, scope))
    }

    fn term_at(&mut self, node: Node, scope: &mut Scope) -> Result<Expr, Problem> {
        let (document, span) = (self.document, self.document.span(node));
        match document.data(node) {
            Data::Symbol(name) => self.symbol_term(name, span, scope),
            Data::Numeral(digits) => {
                let value: BigInt = digits.parse().map_err(|_| mistake(span, "this is no number"))?;
                Ok(self.program.int(value, span))
            }
            Data::Decimal(digits) => Ok(self.program.real(decimal(digits), span)),
            Data::Hexadecimal(digits) => self.bits(digits, 16, span),
            Data::Binary(digits) => self.bits(digits, 2, span),
            Data::Text(_) => Err(unsupported(span, "strings")),
            Data::Keyword(name) => Err(mistake(span, format!("a term is expected here, not `:{name}`"))),
            Data::List(children) => match &children[..] {
                [] => Err(mistake(span, "a term is expected here, not `()`")),
                [head, arguments @ ..] => match document.data(*head) {
                    Data::Symbol(name) => self.headed_term((node, name), arguments, scope),
                    Data::List(_) => self.qualified_term(node, *head, arguments, scope),
                    _ => Err(mistake(span, "a term begins with the name of a function")),
                },
            },
        }
    }

    fn bits(&mut self, digits: &str, base: u32, span: Span) -> Result<Expr, Problem> {
        let value = BigUint::parse_bytes(digits.as_bytes(), base);
        let value = value.ok_or_else(|| mistake(span, "this is no bit-vector"))?;
        let bits_of_digit = if base == 16 { 4 } else { 1 };
        let width = u32::try_from(digits.len() * bits_of_digit);
        let width = width.map_err(|_| unsupported(span, "bit-vectors of so many bits"))?;
        Ok(self.program.bit_vector(value, width, span))
    }

    fn symbol_term(&mut self, name: &str, span: Span, scope: &mut Scope) -> Result<Expr, Problem> {
        if let Some(value) = scope.bound_value(name) {
            return Ok(value);
        }
        match name {
            "true" => return Ok(self.program.bool(true, span)),
            "false" => return Ok(self.program.bool(false, span)),
            _ => {}
        }
        if let Some(&variable) = scope.locals.get(name) {
            return Ok(self.variable_term(variable, span, scope));
        }
        match self.names.find(name, scope.command, span)? {
            Some(Named::Constant(variable)) => Ok(self.program.variable(variable, span)),
            Some(Named::Global(variable)) if scope.has_state => Ok(self.variable_term(variable, span, scope)),
            Some(Named::Global(_)) => {
                Err(mistake(span, format!("`{name}` is a variable of the program, which has no value here")))
            }
            Some(Named::Function(function)) if self.program.functions[function].parameters.is_empty() => {
                Ok(self.program.apply(function, [], span))
            }
            Some(Named::Function(_)) => {
                Err(mistake(span, format!("the function `{name}` lacks its arguments")))
            }
            None => Err(mistake(span, format!("there is no variable or constant `{name}` here"))),
        }
    }

    /// The value of a variable, now or earlier.
    fn variable_term(&mut self, variable: Variable, span: Span, scope: &Scope) -> Expr {
        let variable = match (&scope.relational, scope.is_old) {
            (Some(kept), true) => self.kept(variable, kept, scope),
            _ => variable,
        };
        self.program.variable(variable, span)
    }

    fn headed_term(
        &mut self,
        (node, name): (Node, &str),
        arguments: &[Node],
        scope: &mut Scope,
    ) -> Result<Expr, Problem> {
        let span = self.document.span(node);
        match (name, arguments) {
            ("let", [bindings, body]) => self.let_term(*bindings, *body, scope),
            ("forall", [bound, body]) => {
                self.quantified(QuantifierKind::Forall, Binder { bound: *bound, body: *body }, span, scope)
            }
            ("exists", [bound, body]) => {
                self.quantified(QuantifierKind::Exists, Binder { bound: *bound, body: *body }, span, scope)
            }
            ("!", [inner, ..]) => self.term(*inner, scope),
            ("_", [kind, width]) => self.indexed_constant(*kind, *width, span),
            ("old", [inner]) if scope.relational.is_some() => {
                let before = std::mem::replace(&mut scope.is_old, true);
                let value = self.term(*inner, scope);
                scope.is_old = before;
                value
            }
            ("at", [variable, tag]) if scope.relational.is_some() => self.at_term(*variable, *tag, scope),
            ("old" | "at", _) if !self.is_declared(name) => Err(mistake(
                span,
                format!("`{name}` stands in properties only, as `(old t)` or `(at x tag)`"),
            )),
            ("let" | "forall" | "exists" | "_", _) => {
                Err(mistake(span, format!("`{name}` is not used like that")))
            }
            ("match" | "lambda" | "as" | "par", _) => Err(unsupported(span, format!("`{name}`"))),
            _ => {
                let mut values = Vec::new();
                for &argument in arguments {
                    values.push(self.term(argument, scope)?);
                }
                self.application(name, values, span, scope.command)
            }
        }
    }

    /// `(at x tag)`: the value of a variable when a statement of that tag was last about to be executed.
    fn at_term(&mut self, variable: Node, tag: Node, scope: &mut Scope) -> Result<Expr, Problem> {
        let (document, span) = (self.document, self.document.span(variable));
        let Some(name) = document.symbol(variable) else {
            return Err(mistake(span, "`at` is about a variable"));
        };
        let Some(tag_name) = document.symbol(tag) else {
            return Err(mistake(document.span(tag), "a tag is expected here"));
        };
        let variable = match scope.locals.get(name) {
            Some(&local) => local,
            None => match self.names.find(name, scope.command, span)? {
                Some(Named::Global(global)) => global,
                _ => return Err(mistake(span, format!("there is no variable `{name}` here"))),
            },
        };
        let kept = match (&scope.relational, scope.procedure.map(|procedure| self.top_tags(procedure))) {
            (Some(entry), Some(tags)) if tags.contains(&tag_name.to_owned()) => entry.clone(),
            _ => {
                self.check_at(tag, scope)?;
                KeptAt::Tag(tag_name.to_owned())
            }
        };
        let kept = self.kept(variable, &kept, scope);
        Ok(self.program.variable(kept, span))
    }

    fn let_term(&mut self, bindings: Node, body: Node, scope: &mut Scope) -> Result<Expr, Problem> {
        let document = self.document;
        let pairs = document.list(bindings).unwrap_or_default();
        if pairs.is_empty() {
            return Err(mistake(document.span(bindings), "`let` binds at least one name"));
        }
        let mut values = Vec::new();
        for &pair in pairs {
            let Some([name, value]) = document.list(pair) else {
                return Err(mistake(document.span(pair), "a name and a term are expected here"));
            };
            let Some(name) = document.symbol(*name) else {
                return Err(mistake(document.span(*name), "a name is expected here"));
            };
            values.push((name, self.term(*value, scope)?));
        }
        for &(name, value) in &values {
            scope.bind(name, value);
        }
        let value = self.term(body, scope);
        for (name, _) in values {
            scope.unbind(name);
        }
        value
    }

    fn quantified(
        &mut self,
        kind: QuantifierKind,
        Binder { bound, body }: Binder,
        span: Span,
        scope: &mut Scope,
    ) -> Result<Expr, Problem> {
        let document = self.document;
        let pairs = document.list(bound).unwrap_or_default();
        if pairs.is_empty() {
            return Err(mistake(document.span(bound), "a quantifier binds at least one variable"));
        }
        let mut variables = Vec::new();
        let mut names = Vec::new();
        for &pair in pairs {
            let (name, ty) = self.name_and_sort(pair, scope.command)?;
            let unique = format!("{}#{}", crate::names::mangled(name), self.fresh());
            let variable = self.program.new_variable(unique, ty, VariableKind::Bound, document.span(pair));
            variables.push(variable);
            names.push(name);
        }
        for (&name, &variable) in names.iter().zip(&variables) {
            let value = self.program.variable(variable, span);
            scope.bind(name, value);
        }
        let body = self.formula(body, scope);
        for name in names {
            scope.unbind(name);
        }
        Ok(self.program.quantified(kind, variables, body?, span))
    }

    /// `(x S)`
    pub(crate) fn name_and_sort(&mut self, pair: Node, command: usize) -> Result<(&'d str, Type), Problem> {
        let document = self.document;
        let Some([name, sort]) = document.list(pair) else {
            return Err(mistake(document.span(pair), "a name and a sort are expected here"));
        };
        let Some(name) = document.symbol(*name) else {
            return Err(mistake(document.span(*name), "a name is expected here"));
        };
        Ok((name, self.sort(*sort, command)?))
    }
}

/// The value of `12.50`.
fn decimal(digits: &str) -> Ratio<BigInt> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let number: BigInt = format!("{whole}{fraction}").parse().unwrap_or_default();
    let exponent = u32::try_from(fraction.len()).unwrap_or(u32::MAX);
    Ratio::new(number, BigInt::from(10).pow(exponent))
}
