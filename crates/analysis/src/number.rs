//! Arithmetic of fractions that are nearly always integers: the general operations look for common divisors every time.

use logic::Rational;
use num_integer::Integer as _;
use num_traits::{One, Signed};

/// The sum.
pub fn plus(a: &Rational, b: &Rational) -> Rational {
    if a.is_integer() && b.is_integer() { Rational::from_integer(a.numer() + b.numer()) } else { a + b }
}

/// The difference.
pub fn minus(a: &Rational, b: &Rational) -> Rational {
    if a.is_integer() && b.is_integer() { Rational::from_integer(a.numer() - b.numer()) } else { a - b }
}

/// The product.
pub fn times(a: &Rational, b: &Rational) -> Rational {
    if a.is_integer() && b.is_integer() { Rational::from_integer(a.numer() * b.numer()) } else { a * b }
}

/// The quotient by something that is not zero.
pub fn over(a: &Rational, b: &Rational) -> Rational {
    if b.is_one() {
        a.clone()
    } else if b.is_negative() && b.is_integer() && b.numer().magnitude().is_one() {
        -a
    } else {
        a / b
    }
}

/// The largest integer that is not above the quotient by a positive integer.
pub fn floor_over(a: &Rational, b: &Rational) -> Rational {
    if a.is_integer() && b.is_integer() {
        Rational::from_integer(a.numer().div_floor(b.numer()))
    } else {
        (a / b).floor()
    }
}
