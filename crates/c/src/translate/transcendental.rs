//! Powers, logarithms and angles of numbers that are known: the result lies close to the true one.
//!
//! C says nothing about the accuracy of these functions; libraries are off by a few units in the last place. The result
//! is any number within a much wider distance of the true one, on a marked statement: no library gives them all.

use super::values::Value;
use super::{Result, Translator};
use crate::ast::BinaryOp;
use crate::options::BitOperations;
use crate::types::TypeId;
use float::{Format, Operation, Output, Pattern};
use ir::Expr;

/// How far results may lie from the true ones, in relation to their size: for numbers with few digits, and for others.
const DISTANCE_OF_FLOATS: f64 = 1e-5;
const DISTANCE: f64 = 1e-12;

/// A function of one number.
fn unary(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "expm1" => f64::exp_m1,
        "log" => f64::ln,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "log1p" => f64::ln_1p,
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,
        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        "tanh" => f64::tanh,
        "asinh" => f64::asinh,
        "acosh" => f64::acosh,
        "atanh" => f64::atanh,
        "cbrt" => f64::cbrt,
        _ => return None,
    })
}

/// A function of two numbers.
fn binary(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "pow" | "powi" => f64::powf,
        "atan2" => f64::atan2,
        "hypot" => f64::hypot,
        _ => return None,
    })
}

/// The number that a pattern is, or the nearest one with fewer digits.
fn number(format: Format, bits: &Pattern) -> Option<f64> {
    let operation = Operation::Convert { from: format, to: Format::DOUBLE };
    let Output::Bits(bits) = operation.evaluate(&[bits]) else { return None };
    u64::try_from(bits).ok().map(f64::from_bits)
}

/// Whether annex F of the standard says exactly what a result is: zeros, and the results at zero that are one.
fn is_exact(stem: &str, arguments: &[f64], result: f64) -> bool {
    match (stem, arguments) {
        ("atan2" | "hypot", _) => false,
        ("pow" | "powi", &[_, power]) => power == 0.0,
        ("exp" | "exp2" | "cos" | "cosh", &[x]) => x == 0.0,
        _ => result == 0.0,
    }
}

/// The pattern of a number.
fn pattern(format: Format, number: f64) -> Option<Pattern> {
    let size = format.parse(&format!("{:e}", number.abs()))?;
    Some(if number < 0.0 { size | format.sign() } else { size })
}

impl Translator<'_> {
    /// A call of one of these functions; nothing if it is none, or if its arguments are not known.
    pub(super) fn transcendental_call(
        &mut self,
        name: &str,
        ty: TypeId,
        values: &[Value],
    ) -> Result<Option<Value>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let stems = [plain, plain.strip_suffix(['f', 'l']).unwrap_or(plain)];
        let stem = stems.into_iter().find(|stem| unary(stem).is_some() || binary(stem).is_some());
        let (Some(stem), Some(format)) = (stem, self.format_of_type(ty)) else { return Ok(None) };
        let mut arguments = Vec::new();
        for value in values {
            if let (&Value::Int(power, _), "powi") = (value, stem) {
                let Some(power) = self.literal(power) else { return Ok(None) };
                arguments.push(power as f64);
                continue;
            }
            let &Value::Float(bits) = value else { return Ok(None) };
            let from = self.format_of(bits);
            let Some(number) = self.bits_literal(bits).and_then(|bits| number(from, bits)) else {
                return Ok(None);
            };
            arguments.push(number);
        }
        let result = match (unary(stem), binary(stem), &arguments[..]) {
            (Some(function), _, &[x]) => function(x),
            (_, Some(function), &[x, y]) => function(x, y),
            _ => return Ok(None),
        };
        if is_exact(stem, &arguments, result)
            && let Some(size) = pattern(format, result)
        {
            let bits = if result.is_sign_negative() { size | format.sign() } else { size };
            return Ok(Some(Value::Float(self.float_literal(&bits, format))));
        }
        if self.options.bit_operations != BitOperations::Exact {
            self.report.back.bounded_bits = true;
            return Ok(None);
        }
        let distance = if format.significand() < 53 { DISTANCE_OF_FLOATS } else { DISTANCE } * result.abs();
        if !result.is_normal() || !distance.is_normal() {
            return Ok(None);
        }
        let bounds = (pattern(format, result - distance), pattern(format, result + distance));
        let (Some(low), Some(high)) = bounds else { return Ok(None) };
        let (low, high) = (self.float_literal(&low, format), self.float_literal(&high, format));
        let near = self.temporary(self.program.ty(low));
        self.havoc_marked(vec![near], name, None);
        let near: Expr = self.var(near);
        let above = self.float_comparison(BinaryOp::Ge, near, low);
        let below = self.float_comparison(BinaryOp::Le, near, high);
        self.assume(above);
        self.assume(below);
        Ok(Some(Value::Float(near)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_patterns() {
        for format in [Format::DOUBLE, Format::SINGLE, Format::EXTENDED] {
            for value in [1.0, -2.5, 1024.0, 0.125] {
                let bits = pattern(format, value).expect("a number");
                assert_eq!(number(format, &bits), Some(value));
            }
        }
    }
}
