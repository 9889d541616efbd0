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

    /// Bounds from here on say nothing.
    const BEYOND: i128 = 1 << 126;

    /// Whether both bounds are known.
    pub fn is_known(self) -> bool {
        self.low >= -Interval::BEYOND && self.high <= Interval::BEYOND
    }

    /// Bounds that say nothing become those that all operations keep.
    fn kept(self) -> Interval {
        Interval {
            low: if self.low < -Interval::BEYOND { i128::MIN } else { self.low },
            high: if self.high > Interval::BEYOND { i128::MAX } else { self.high },
        }
    }

    /// Bounds of a result that is nearer to zero than the number it is made of: what is not known of the one is not known
    /// of the other.
    fn kept_from(self, source: Interval) -> Interval {
        let source = source.kept();
        Interval {
            low: if source.low == i128::MIN { i128::MIN } else { self.low },
            high: if source.high == i128::MAX { i128::MAX } else { self.high },
        }
        .kept()
    }

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
        let (a, b) = (self.kept(), other.kept());
        let low = if a.low.min(b.low) == i128::MIN { i128::MIN } else { a.low + b.low };
        let high = if a.high.max(b.high) == i128::MAX { i128::MAX } else { a.high + b.high };
        Interval { low, high }.kept()
    }

    /// Values of a difference.
    pub fn subtract(self, other: Interval) -> Interval {
        let b = other.kept();
        let low = if b.high == i128::MAX { i128::MIN } else { -b.high };
        let high = if b.low == i128::MIN { i128::MAX } else { -b.low };
        self.add(Interval { low, high })
    }

    /// Values of a product.
    pub fn multiply(self, other: Interval) -> Interval {
        let (a, b) = (self.kept(), other.kept());
        let products = [
            a.low.saturating_mul(b.low),
            a.low.saturating_mul(b.high),
            a.high.saturating_mul(b.low),
            a.high.saturating_mul(b.high),
        ];
        let low = products.into_iter().min().unwrap_or(i128::MIN);
        Interval { low, high: products.into_iter().max().unwrap_or(i128::MAX) }.kept()
    }

    /// Values of a quotient rounded towards zero, of any divisor but zero.
    pub fn divide(self, other: Interval) -> Interval {
        if other.low > 0 {
            let quotients =
                [self.low / other.low, self.low / other.high, self.high / other.low, self.high / other.high];
            let low = quotients.into_iter().min().unwrap_or(i128::MIN);
            let high = quotients.into_iter().max().unwrap_or(i128::MAX);
            return Interval { low, high }.kept_from(self);
        }
        let most = self.low.saturating_abs().max(self.high.saturating_abs());
        Interval { low: -most, high: most }.kept()
    }

    /// Values of a remainder with the sign of the dividend.
    pub fn remainder(self, other: Interval) -> Interval {
        let most = other.low.saturating_abs().max(other.high.saturating_abs()).saturating_sub(1);
        let low = if self.low >= 0 { 0 } else { (-most).max(self.low) };
        let high = if self.high <= 0 { 0 } else { most.min(self.high) };
        Interval { low, high }.kept()
    }

    /// Values after a shift to the right, rounded down.
    pub fn shift_right(self, by: u32) -> Interval {
        Interval { low: self.low >> by, high: self.high >> by }.kept_from(self)
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
