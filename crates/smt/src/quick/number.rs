//! Fractions in machine words. Whatever does not fit is `None`, and the question goes to somebody else.

use std::cmp::Ordering;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fraction {
    numerator: i128,
    denominator: i128,
}

/// The greatest common divisor, which is not negative.
pub(super) fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.saturating_abs()
}

impl Fraction {
    pub(super) const ZERO: Fraction = Fraction::whole(0);

    pub(super) const fn whole(number: i128) -> Fraction {
        Fraction { numerator: number, denominator: 1 }
    }

    pub(super) fn new(numerator: i128, denominator: i128) -> Option<Fraction> {
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let divisor = gcd(numerator, denominator) * denominator.signum();
        Some(Fraction { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    pub(super) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(super) fn is_positive(self) -> bool {
        self.numerator > 0
    }

    /// Numerator and denominator.
    pub(super) fn parts(self) -> (i128, i128) {
        (self.numerator, self.denominator)
    }

    /// The number, if it is whole.
    pub(super) fn to_whole(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// The largest whole number that is not larger.
    pub(super) fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    pub(super) fn negated(self) -> Option<Fraction> {
        Some(Fraction { numerator: self.numerator.checked_neg()?, denominator: self.denominator })
    }

    pub(super) fn plus(self, other: Fraction) -> Option<Fraction> {
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Fraction::whole(self.numerator.checked_add(other.numerator)?));
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Fraction::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    pub(super) fn minus(self, other: Fraction) -> Option<Fraction> {
        self.plus(other.negated()?)
    }

    pub(super) fn times(self, other: Fraction) -> Option<Fraction> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Fraction::whole(numerator));
        }
        Fraction::new(numerator, self.denominator.checked_mul(other.denominator)?)
    }

    pub(super) fn divided_by(self, other: Fraction) -> Option<Fraction> {
        if other.denominator == 1 && other.numerator == 1 {
            return Some(self);
        }
        let numerator = self.numerator.checked_mul(other.denominator)?;
        Fraction::new(numerator, self.denominator.checked_mul(other.numerator)?)
    }

    pub(super) fn compare(self, other: Fraction) -> Option<Ordering> {
        if self.denominator == other.denominator {
            return Some(self.numerator.cmp(&other.numerator));
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        Some(left.cmp(&other.numerator.checked_mul(self.denominator)?))
    }
}
