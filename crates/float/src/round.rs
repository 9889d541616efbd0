//! Rounding: from a magnitude that is known exactly, or up to less than a unit, to a bit pattern.

use crate::format::Format;
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The rounding modes of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    /// To the nearest number, and to the even one of two.
    NearestEven,
    /// To the nearest number, and to the larger magnitude of two.
    NearestAway,
    /// Towards positive infinity.
    Up,
    /// Towards negative infinity.
    Down,
    /// Towards zero.
    Zero,
}

/// A magnitude: `whole` · 2^`exponent`, and less than a unit of that more if it is not `exact`.
pub(crate) struct Magnitude {
    pub(crate) whole: BigUint,
    pub(crate) exponent: i64,
    pub(crate) exact: bool,
}

impl Magnitude {
    pub(crate) fn exact(whole: BigUint, exponent: i64) -> Magnitude {
        Magnitude { whole, exponent, exact: true }
    }
}

/// A quotient of whole numbers.
#[derive(Clone, Copy)]
pub(crate) struct Quotient<'a> {
    pub(crate) dividend: &'a BigUint,
    pub(crate) divisor: &'a BigUint,
}

impl Rounding {
    /// The whole number of units 2^`unit` that a magnitude is rounded to. What is not exact must be finer than half of a
    /// unit.
    pub(crate) fn units(self, negative: bool, magnitude: &Magnitude, unit: i64) -> BigUint {
        let cut = unit - magnitude.exponent;
        if cut <= 0 {
            debug_assert!(magnitude.exact, "what is lost is finer than the unit");
            return &magnitude.whole << cut.unsigned_abs();
        }
        let cut = cut.unsigned_abs();
        let kept = &magnitude.whole >> cut;
        let half = magnitude.whole.bit(cut - 1);
        let more = !magnitude.exact || magnitude.whole.trailing_zeros().is_some_and(|zeros| zeros < cut - 1);
        let away = match self {
            Rounding::NearestEven => half && (more || kept.bit(0)),
            Rounding::NearestAway => half,
            Rounding::Up => !negative && (half || more),
            Rounding::Down => negative && (half || more),
            Rounding::Zero => false,
        };
        if away { kept + 1u32 } else { kept }
    }

    /// Whether a magnitude beyond all numbers becomes infinite; otherwise it becomes the largest number.
    pub(crate) fn overflows(self, negative: bool) -> bool {
        match self {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::Up => !negative,
            Rounding::Down => negative,
            Rounding::Zero => false,
        }
    }
}

/// A format, and how results are rounded to it.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) format: Format,
    pub(crate) rounding: Rounding,
}

impl Target {
    /// The number of the format that a magnitude is rounded to.
    pub(crate) fn next(self, negative: bool, magnitude: &Magnitude) -> BigUint {
        let format = self.format;
        let sign = if negative { format.sign() } else { BigUint::zero() };
        if magnitude.whole.is_zero() {
            debug_assert!(magnitude.exact, "what is lost is finer than the unit");
            return sign;
        }
        let leading = magnitude.exponent + magnitude.whole.bits() as i64 - 1;
        let unit = leading.max(1 - format.bias()) - i64::from(format.stored());
        let mut kept = self.rounding.units(negative, magnitude, unit);
        let mut stored = unit + i64::from(format.stored()) + format.bias();
        if kept.bits() > format.significand().into() {
            kept >>= 1u32;
            stored += 1;
        }
        if kept < format.least_normal() {
            return sign | kept;
        }
        if stored >= format.top_exponent() as i64 {
            return sign
                | if self.rounding.overflows(negative) { format.infinity() } else { format.largest() };
        }
        let fraction = kept - format.least_normal();
        sign | (BigUint::from(stored.unsigned_abs()) << format.stored()) | fraction
    }

    /// The number for a quotient of whole numbers times a power of two.
    pub(crate) fn next_quotient(
        self,
        negative: bool,
        Quotient { dividend, divisor }: Quotient<'_>,
        exponent: i64,
    ) -> BigUint {
        // So many bits that at least one is left below the half of a unit.
        let wanted = u64::from(self.format.significand()) + 2 + divisor.bits();
        let shift = wanted.saturating_sub(dividend.bits());
        let dividend = dividend << shift;
        let whole = &dividend / divisor;
        let exact = &whole * divisor == dividend;
        self.next(negative, &Magnitude { whole, exponent: exponent - shift as i64, exact })
    }

    /// The number for a square root of a whole number, which is not zero, times a power of two.
    pub(crate) fn next_root(self, magnitude: &BigUint, exponent: i64) -> BigUint {
        let wanted = 2 * (u64::from(self.format.significand()) + 2);
        let mut shift = wanted.saturating_sub(magnitude.bits());
        // Half of the exponent must be whole.
        if (exponent - shift as i64) % 2 != 0 {
            shift += 1;
        }
        let square = magnitude << shift;
        let whole = square.sqrt();
        let exact = &whole * &whole == square;
        self.next(false, &Magnitude { whole, exponent: (exponent - shift as i64) / 2, exact })
    }
}

impl Format {
    /// The format, with results rounded to the nearest number.
    pub(crate) fn to_nearest(self) -> Target {
        Target { format: self, rounding: Rounding::NearestEven }
    }

    /// The number of this format that is nearest.
    pub(crate) fn nearest(self, negative: bool, magnitude: &Magnitude) -> BigUint {
        self.to_nearest().next(negative, magnitude)
    }

    /// The bounds of the whole numbers that integers of a width hold: the first is inside, the second is not.
    pub fn integers(self, width: u8, signed: bool) -> (BigUint, BigUint) {
        let limit = self.power_of_two(u32::from(width) - u32::from(signed));
        // Where all numbers fit, infinity does not.
        let lowest = if limit == self.infinity() { self.largest() } else { limit.clone() };
        (if signed { lowest | self.sign() } else { self.sign() }, limit)
    }

    /// 2^power, or infinity.
    pub fn power_of_two(self, power: u32) -> BigUint {
        self.nearest(false, &Magnitude::exact(BigUint::one(), power.into()))
    }
}
