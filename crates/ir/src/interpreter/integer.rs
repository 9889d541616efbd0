//! Exact integers that are fast while they are small.
//!
//! Invariant: a number that fits an `i64` is `Small`, so equal numbers have equal representations.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Integer {
    /// Fits an `i64`.
    Small(i64),
    /// Does not fit an `i64`.
    Large(Arc<BigInt>),
}

impl Integer {
    /// As a `BigInt`.
    pub fn to_big(&self) -> BigInt {
        match self {
            Integer::Small(value) => BigInt::from(*value),
            Integer::Large(value) => (**value).clone(),
        }
    }

    /// As an `i64`, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Integer::Small(value) => Some(*value),
            Integer::Large(_) => None,
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        *self == Integer::Small(0)
    }

    /// How many bits the absolute value has.
    pub fn bits(&self) -> u64 {
        match self {
            Integer::Small(value) => u64::from(64 - value.unsigned_abs().leading_zeros()),
            Integer::Large(value) => value.bits(),
        }
    }

    /// The sum.
    #[inline]
    pub fn add(&self, other: &Integer) -> Integer {
        if let (Integer::Small(left), Integer::Small(right)) = (self, other)
            && let Some(sum) = left.checked_add(*right)
        {
            return Integer::Small(sum);
        }
        Integer::from(self.to_big() + other.to_big())
    }

    /// The difference.
    #[inline]
    pub fn subtract(&self, other: &Integer) -> Integer {
        if let (Integer::Small(left), Integer::Small(right)) = (self, other)
            && let Some(difference) = left.checked_sub(*right)
        {
            return Integer::Small(difference);
        }
        Integer::from(self.to_big() - other.to_big())
    }

    /// The product.
    #[inline]
    pub fn multiply(&self, other: &Integer) -> Integer {
        if let (Integer::Small(left), Integer::Small(right)) = (self, other)
            && let Some(product) = left.checked_mul(*right)
        {
            return Integer::Small(product);
        }
        Integer::from(self.to_big() * other.to_big())
    }

    /// The number with the other sign.
    #[inline]
    pub fn negate(&self) -> Integer {
        Integer::Small(0).subtract(self)
    }

    /// Euclidean quotient and remainder; nothing for a zero divisor. The remainder is never negative.
    pub fn div_mod(&self, divisor: &Integer) -> Option<(Integer, Integer)> {
        if divisor.is_zero() {
            return None;
        }
        if let (Integer::Small(left), Integer::Small(right)) = (self, divisor)
            && let (Some(quotient), Some(remainder)) =
                (left.checked_div_euclid(*right), left.checked_rem_euclid(*right))
        {
            return Some((Integer::Small(quotient), Integer::Small(remainder)));
        }
        let (dividend, divisor) = (self.to_big(), divisor.to_big());
        let mut quotient = &dividend / &divisor;
        let mut remainder = dividend - &quotient * &divisor;
        if remainder.is_negative() {
            quotient -= divisor.signum();
            remainder += divisor.abs();
        }
        Some((Integer::from(quotient), Integer::from(remainder)))
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Integer {
        Integer::Small(value)
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Integer {
        match value.to_i64() {
            Some(small) => Integer::Small(small),
            None => Integer::Large(Arc::new(value)),
        }
    }
}

impl PartialOrd for Integer {
    #[inline]
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    #[inline]
    fn cmp(&self, other: &Integer) -> Ordering {
        match (self, other) {
            (Integer::Small(left), Integer::Small(right)) => left.cmp(right),
            (Integer::Large(left), Integer::Large(right)) => left.cmp(right),
            // A large number is beyond every small one, on the side of its sign.
            (Integer::Small(_), Integer::Large(right)) => BigInt::zero().cmp(right),
            (Integer::Large(left), Integer::Small(_)) => (**left).cmp(&BigInt::zero()),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Small(value) => write!(f, "{value}"),
            Integer::Large(value) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers around the border between the two representations are likely.
    fn numbers() -> impl Strategy<Value = i128> {
        prop_oneof![
            -20_i128..20,
            (i128::from(i64::MAX) - 3)..(i128::from(i64::MAX) + 3),
            (i128::from(i64::MIN) - 3)..(i128::from(i64::MIN) + 3),
            -(1_i128 << 100)..(1_i128 << 100),
        ]
    }

    fn integer(value: i128) -> Integer {
        Integer::from(BigInt::from(value))
    }

    proptest! {
        #[test]
        fn operations_are_those_of_big_integers(a in numbers(), b in numbers()) {
            let (x, y) = (integer(a), integer(b));
            let (big_x, big_y) = (BigInt::from(a), BigInt::from(b));
            prop_assert_eq!(x.add(&y), Integer::from(&big_x + &big_y));
            prop_assert_eq!(x.subtract(&y), Integer::from(&big_x - &big_y));
            prop_assert_eq!(x.multiply(&y), Integer::from(&big_x * &big_y));
            prop_assert_eq!(x.negate(), Integer::from(-&big_x));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x == y, a == b);
            prop_assert_eq!(x.to_string(), a.to_string());
            prop_assert_eq!(x.bits(), big_x.bits());
        }

        #[test]
        fn division_is_euclidean(a in numbers(), b in numbers()) {
            match integer(a).div_mod(&integer(b)) {
                None => prop_assert_eq!(b, 0),
                Some((quotient, remainder)) => {
                    prop_assert!(remainder >= Integer::Small(0));
                    prop_assert!(remainder < integer(b.abs()));
                    prop_assert_eq!(quotient.multiply(&integer(b)).add(&remainder), integer(a));
                }
            }
        }
    }
}
