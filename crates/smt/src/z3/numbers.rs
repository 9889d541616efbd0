//! Numbers of Z3.

use super::context::{Context, Z3Error, text};
use logic::Rational;
use z3_sys::*;

/// The value of a numeral: an integer, a fraction, or the unsigned value of a bit-vector.
pub(super) fn of_numeral(context: &Context, ast: Z3_ast) -> Result<Rational, Z3Error> {
    let c = context.raw();
    let (mut numerator, mut denominator) = (0, 0);
    // SAFETY: the caller keeps the term alive; Z3 writes to the two numbers only.
    let small = unsafe { Z3_get_numeral_small(c, ast, &raw mut numerator, &raw mut denominator) };
    if small && denominator != 0 {
        return Ok(Rational::new(numerator.into(), denominator.into()));
    }
    // SAFETY: as above; the digits are copied before the next call.
    let digits = unsafe { text(Z3_get_numeral_string(c, ast)) };
    digits.parse().map_err(|_| Z3Error(format!("a number that is no fraction: {digits}")))
}
