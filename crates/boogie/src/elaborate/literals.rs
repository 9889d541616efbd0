//! Literals: the source text to exact values.

use super::Elaborator;
use base::Span;
use ir::{Expr, ExprData};
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use num_traits::One;

/// Reading a decimal number costs the square of its length.
const MAX_DIGITS: usize = 100_000;

/// The largest power of ten that a decimal number may have.
const MAX_EXPONENT: u32 = 100_000;

impl Elaborator<'_> {
    fn digits(&mut self, digits: &str, span: Span) -> Option<BigUint> {
        if digits.len() > MAX_DIGITS {
            self.error(span, format!("the number has more than {MAX_DIGITS} digits"));
            return None;
        }
        BigUint::parse_bytes(digits.as_bytes(), 10)
    }

    pub(super) fn natural(&mut self, span: Span) -> Option<Expr> {
        let value = self.digits(self.ast.text(span), span)?;
        Some(self.program.int(value, span))
    }

    pub(super) fn decimal(&mut self, span: Span) -> Option<Expr> {
        let text = self.ast.text(span);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = self.digits(&format!("{whole}{fraction}"), span)?;
        let (negative, exponent) = match exponent.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, exponent),
        };
        let power = |exponent: u32| BigInt::from(10).pow(exponent);
        let scale = match exponent.parse::<u32>() {
            Ok(exponent) if exponent > MAX_EXPONENT => None,
            Ok(exponent) if negative => Some(Ratio::new(BigInt::one(), power(exponent))),
            Ok(exponent) => Some(Ratio::from(power(exponent))),
            Err(_) => None,
        };
        let Some(scale) = scale else {
            self.error(span, format!("the exponent is larger than {MAX_EXPONENT}"));
            return None;
        };
        let value = Ratio::new(BigInt::from(digits), power(fraction.len() as u32)) * scale;
        Some(self.program.real(value, span))
    }

    pub(super) fn bit_vector(&mut self, span: Span) -> Option<Expr> {
        let (value, width) = self.ast.text(span).split_once("bv")?;
        let value = self.digits(value, span)?;
        let width = self.width(width, span)?;
        match self.program.expr(ExprData::BitVec { value, width }, span) {
            Ok(expr) => Some(expr),
            Err(_) => {
                self.error(span, format!("the number does not fit into {width} bits"));
                None
            }
        }
    }
}
