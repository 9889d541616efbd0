//! The typing of operators, with messages that name the types of all operands.

use super::{Elaborator, count};
use crate::Dialect;
use crate::ast::{BinaryOp, UnaryOp};
use crate::features::Feature;
use base::{Diagnostic, Span};
use ir::{Expr, ExprData, Type};
use num_bigint::BigInt;
use num_rational::Ratio;

impl Elaborator<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: Expr, span: Span) -> Option<Expr> {
        let ty = self.program.ty(operand);
        if op == UnaryOp::Negate && self.is_float(ty) {
            return self.float_negate(operand, span);
        }
        match (op, ty) {
            (UnaryOp::Not, Type::BOOL) => Some(self.program.unary(ir::UnaryOp::Not, operand, span)),
            (UnaryOp::Negate, Type::INT | Type::REAL) => {
                Some(self.program.unary(ir::UnaryOp::Negate, operand, span))
            }
            _ => {
                let text = if op == UnaryOp::Not { "!" } else { "-" };
                self.not_defined(text, &[operand], span)
            }
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let types = (self.program.ty(left), self.program.ty(right));
        if self.is_float(types.0)
            && let Some(value) = self.float_binary(op, left, right, span)
        {
            return Some(value);
        }
        let numbers = matches!(types, (Type::INT, Type::INT) | (Type::REAL, Type::REAL));
        let (meaning, defined) = match op {
            BinaryOp::Explies => {
                // Only the written order is swapped.
                return match types {
                    (Type::BOOL, Type::BOOL) => {
                        Some(self.program.binary(ir::BinaryOp::Implies, right, left, span))
                    }
                    _ => self.not_defined(op.text(), &[left, right], span),
                };
            }
            BinaryOp::Slash => return self.slash(left, right, span),
            BinaryOp::Extends => return self.extends(left, right, span),
            BinaryOp::Power => return self.power(left, right, span),
            BinaryOp::Iff => (ir::BinaryOp::Iff, types == (Type::BOOL, Type::BOOL)),
            BinaryOp::Implies => (ir::BinaryOp::Implies, types == (Type::BOOL, Type::BOOL)),
            BinaryOp::And => (ir::BinaryOp::And, types == (Type::BOOL, Type::BOOL)),
            BinaryOp::Or => (ir::BinaryOp::Or, types == (Type::BOOL, Type::BOOL)),
            BinaryOp::Equal => (ir::BinaryOp::Equal, types.0 == types.1),
            BinaryOp::NotEqual => (ir::BinaryOp::NotEqual, types.0 == types.1),
            BinaryOp::Less => (ir::BinaryOp::Less, numbers),
            BinaryOp::LessEqual => (ir::BinaryOp::LessEqual, numbers),
            BinaryOp::Greater => (ir::BinaryOp::Greater, numbers),
            BinaryOp::GreaterEqual => (ir::BinaryOp::GreaterEqual, numbers),
            BinaryOp::Add => (ir::BinaryOp::Add, numbers),
            BinaryOp::Subtract => (ir::BinaryOp::Subtract, numbers),
            BinaryOp::Multiply => (ir::BinaryOp::Multiply, numbers),
            BinaryOp::Div => (ir::BinaryOp::IntDivide, types == (Type::INT, Type::INT)),
            BinaryOp::Mod | BinaryOp::Percent => (ir::BinaryOp::Modulo, types == (Type::INT, Type::INT)),
            BinaryOp::Concat => return self.concat(left, right, span),
        };
        if defined {
            return Some(self.program.binary(meaning, left, right, span));
        }
        self.not_defined(op.text(), &[left, right], span)
    }

    /// Integers become `real`; but one other tool writes `/` for `div`.
    fn slash(&mut self, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let real = |elaborator: &mut Self, expr: Expr| {
            let span = elaborator.program.expressions.span(expr);
            elaborator.program.unary(ir::UnaryOp::IntToReal, expr, span)
        };
        let (op, left, right) = match (self.program.ty(left), self.program.ty(right)) {
            (Type::INT, Type::INT) => {
                self.integer_slash.get_or_insert(span);
                match self.dialect {
                    Dialect::Ultimate => (ir::BinaryOp::IntDivide, left, right),
                    Dialect::Reference => (ir::BinaryOp::RealDivide, real(self, left), real(self, right)),
                }
            }
            (Type::REAL, Type::REAL) => (ir::BinaryOp::RealDivide, left, right),
            (Type::INT, Type::REAL) => (ir::BinaryOp::RealDivide, real(self, left), right),
            (Type::REAL, Type::INT) => (ir::BinaryOp::RealDivide, left, real(self, right)),
            _ => return self.not_defined("/", &[left, right], span),
        };
        Some(self.program.binary(op, left, right, span))
    }

    /// `x ** n` on `real` for a literal natural number `n` is a product; other powers have no meaning here.
    fn power(&mut self, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        const MOST: u32 = 64;
        if (self.program.ty(left), self.program.ty(right)) != (Type::REAL, Type::REAL) {
            return self.not_defined("**", &[left, right], span);
        }
        let exponent = match &self.program.expressions[right] {
            ExprData::Real(value) if value.is_integer() => u32::try_from(value.numer()).ok(),
            _ => None,
        };
        let Some(exponent) = exponent.filter(|&exponent| exponent <= MOST) else {
            self.unsupported(Feature::Power, span);
            return None;
        };
        let mut product = self.program.real(Ratio::from(BigInt::from(1)), span);
        for number in 0..exponent {
            product = match number {
                0 => left,
                _ => self.program.binary(ir::BinaryOp::Multiply, product, left, span),
            };
        }
        Some(product)
    }

    fn concat(&mut self, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let width = |expr: Expr| self.program.types.width(self.program.ty(expr));
        let (Some(high), Some(low)) = (width(left), width(right)) else {
            return self.not_defined("++", &[left, right], span);
        };
        if high + low > super::types::MAX_WIDTH {
            self.unsupported(Feature::WideBitVector, span);
            return None;
        }
        Some(self.program.binary(ir::BinaryOp::Concat, left, right, span))
    }

    fn not_defined(&mut self, operator: &str, operands: &[Expr], span: Span) -> Option<Expr> {
        let types: Vec<String> =
            operands.iter().map(|&operand| self.type_text(self.program.ty(operand))).collect();
        let message = format!("operator `{operator}` is not defined on {}", types.join(" and "));
        let mut diagnostic = Diagnostic::error(span, message);
        for (&operand, ty) in operands.iter().zip(types) {
            let span = self.program.expressions.span(operand);
            diagnostic = diagnostic.related(span, format!("this has type {ty}"));
        }
        self.errors.push(diagnostic);
        None
    }

    pub(super) fn coerce(&mut self, operand: Expr, from: Type, to: Type, span: Span) -> Option<Expr> {
        let operand = self.expect(operand, from)?;
        let op = if to == Type::REAL { ir::UnaryOp::IntToReal } else { ir::UnaryOp::RealToInt };
        Some(self.program.unary(op, operand, span))
    }

    /// Checks the arguments of a selection; gives the type of the element.
    fn range(&mut self, map: Expr, arguments: &[Expr], span: Span) -> Option<Type> {
        let ty = self.program.ty(map);
        let Some((domain, range)) = self.program.types.as_map(ty) else {
            let message = format!("expected a map, found type {}", self.type_text(ty));
            let span = self.program.expressions.span(map);
            self.errors.push(Diagnostic::error(span, message).label("this is not a map"));
            return None;
        };
        let domain = domain.to_vec();
        if domain.len() != arguments.len() {
            let message = format!(
                "a map of type {} takes {}, but is given {}",
                self.type_text(ty),
                count(domain.len(), "argument"),
                arguments.len()
            );
            self.error(span, message);
            return None;
        }
        let mut fine = true;
        for (&argument, ty) in arguments.iter().zip(domain) {
            fine &= self.expect(argument, ty).is_some();
        }
        fine.then_some(range)
    }

    pub(super) fn select(&mut self, map: Expr, arguments: Vec<Expr>, span: Span) -> Option<Expr> {
        if self.is_polymorphic_map(self.program.ty(map)) {
            return self.polymorphic_select(map, arguments, span);
        }
        self.range(map, &arguments, span)?;
        Some(self.program.select(map, arguments, span))
    }

    pub(super) fn store(&mut self, map: Expr, arguments: Vec<Expr>, value: Expr, span: Span) -> Option<Expr> {
        if self.is_polymorphic_map(self.program.ty(map)) {
            return self.polymorphic_store(map, arguments, value, span);
        }
        let range = self.range(map, &arguments, span)?;
        let value = self.expect(value, range)?;
        Some(self.program.store(map, arguments, value, span))
    }

    pub(super) fn extract(&mut self, operand: Expr, high: Span, low: Span, span: Span) -> Option<Expr> {
        let ty = self.program.ty(operand);
        let Some(width) = self.program.types.width(ty) else {
            let message = format!("expected a bit-vector, found type {}", self.type_text(ty));
            self.error(self.program.expressions.span(operand), message);
            return None;
        };
        let number = |span: Span| self.ast.text(span).parse::<u32>().ok();
        match (number(high), number(low)) {
            (Some(high), Some(low)) if low <= high && high <= width => {
                Some(self.program.extract(operand, high, low, span))
            }
            _ => {
                let message = format!(
                    "the bits [{}:{}] do not lie within type {}",
                    self.ast.text(high),
                    self.ast.text(low),
                    self.type_text(ty)
                );
                self.error(high.to(low), message);
                None
            }
        }
    }
}
