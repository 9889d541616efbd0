//! Integer values: mathematical integers with the interval that is known of them (DESIGN §9).
//!
//! A value of a C integer type is an `int` within the range of the type. Operations are computed without bounds; only
//! where the interval says that the result may leave the range is it brought back, by a comparison where one period
//! is enough, else by `mod`.

use crate::types::{IntKind, Types};

/// The values that an integer may have. Bounds beyond 2^126 mean "not known".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The least value.
    pub low: i128,
    /// The greatest value.
    pub high: i128,
}

impl Interval {
    /// One value.
    pub fn exactly(value: i128) -> Interval {
        Interval { low: value, high: value }
    }

    /// `0` or `1`
    pub const TRUTH: Interval = Interval { low: 0, high: 1 };

    /// Numbers far beyond those of all types, with which the bounds of results can still be computed.
    pub const WIDE: Interval = Interval { low: -(1 << 100), high: 1 << 100 };
    /// A byte without sign.
    pub const BYTE: Interval = Interval { low: 0, high: 255 };

    /// Every value.
    pub const ALL: Interval = Interval { low: i128::MIN, high: i128::MAX };

    /// The only value, if there is only one.
    pub fn constant(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// The values of a type.
    pub fn of(types: &Types, kind: IntKind) -> Interval {
        let (low, high) = types.range(kind);
        Interval { low, high: high.unwrap_or(i128::MAX) }
    }

    /// The values of a bit-field.
    pub fn of_bits(width: u32, signed: bool) -> Interval {
        if signed {
            Interval { low: -(1 << (width - 1)), high: (1 << (width - 1)) - 1 }
        } else {
            Interval { low: 0, high: (1 << width) - 1 }
        }
    }

    /// Whether all values lie in another interval.
    pub fn within(self, other: Interval) -> bool {
        self.low >= other.low && self.high <= other.high
    }

    /// The smallest interval around both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Values of a sum.
    pub fn add(self, other: Interval) -> Interval {
        Interval { low: self.low.saturating_add(other.low), high: self.high.saturating_add(other.high) }
    }

    /// Values of a difference.
    pub fn subtract(self, other: Interval) -> Interval {
        Interval { low: self.low.saturating_sub(other.high), high: self.high.saturating_sub(other.low) }
    }

    /// Values of a product.
    pub fn multiply(self, other: Interval) -> Interval {
        let products = [
            self.low.saturating_mul(other.low),
            self.low.saturating_mul(other.high),
            self.high.saturating_mul(other.low),
            self.high.saturating_mul(other.high),
        ];
        let low = products.into_iter().min().unwrap_or(i128::MIN);
        Interval { low, high: products.into_iter().max().unwrap_or(i128::MAX) }
    }

    /// Values of a quotient rounded towards zero, of any divisor but zero.
    pub fn divide(self, other: Interval) -> Interval {
        if other.low > 0 {
            let quotients =
                [self.low / other.low, self.low / other.high, self.high / other.low, self.high / other.high];
            let low = quotients.into_iter().min().unwrap_or(i128::MIN);
            return Interval { low, high: quotients.into_iter().max().unwrap_or(i128::MAX) };
        }
        let most = self.low.saturating_abs().max(self.high.saturating_abs());
        Interval { low: -most, high: most }
    }

    /// Values of a remainder with the sign of the dividend.
    pub fn remainder(self, other: Interval) -> Interval {
        let most = other.low.saturating_abs().max(other.high.saturating_abs()).saturating_sub(1);
        let low = if self.low >= 0 { 0 } else { (-most).max(self.low) };
        let high = if self.high <= 0 { 0 } else { most.min(self.high) };
        Interval { low, high }
    }

    /// Values after a shift to the right, rounded down.
    pub fn shift_right(self, by: u32) -> Interval {
        Interval { low: self.low >> by, high: self.high >> by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval() -> impl Strategy<Value = (Interval, i128)> {
        (-300i128..300, 0i128..50, 0i128..50)
            .prop_map(|(low, size, at)| (Interval { low, high: low + size }, low + at.min(size)))
    }

    proptest! {
        /// Every operation on intervals contains every result of the operation on their members.
        #[test]
        fn operations_contain_all_results((a, x) in interval(), (b, y) in interval()) {
            let contains = |i: Interval, value: i128| Interval::exactly(value).within(i);
            prop_assert!(contains(a.add(b), x + y));
            prop_assert!(contains(a.subtract(b), x - y));
            prop_assert!(contains(a.multiply(b), x * y));
            prop_assert!(contains(a.hull(b), x) && contains(a.hull(b), y));
            prop_assert!(contains(a.shift_right(3), x >> 3));
            if y != 0 {
                prop_assert!(contains(a.divide(b), x / y), "{x} / {y} not in {:?}", a.divide(b));
                prop_assert!(contains(a.remainder(b), x % y), "{x} % {y} not in {:?}", a.remainder(b));
            }
        }
    }
}
