//! Bit-vectors, with the operations of SMT-LIB.

use crate::builtin::{BitVecBinary, BitVecCompare, BitVecUnary};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;
use std::sync::Arc;

/// A bit-vector. Invariant: the value is below 2^width, and `Wide` is used exactly if the width is above 64,
/// so equal vectors have equal representations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bits {
    /// At most 64 bits.
    Narrow {
        /// The width.
        width: u32,
        /// The value without sign.
        value: u64,
    },
    /// More than 64 bits: width and value.
    Wide(Arc<(u32, BigUint)>),
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
}

impl Bits {
    /// The lowest bits of a number.
    pub fn new(width: u32, value: &BigUint) -> Bits {
        if width > 64 {
            return Bits::Wide(Arc::new((width, value % modulus(width))));
        }
        let value = (value % modulus(width)).to_u64().unwrap_or(0);
        Bits::Narrow { width, value }
    }

    /// The lowest bits of a small number.
    pub fn from_u64(width: u32, value: u64) -> Bits {
        if width > 64 {
            return Bits::new(width, &BigUint::from(value));
        }
        Bits::Narrow { width, value: value & mask(width) }
    }

    /// The lowest bits of a number in two's complement.
    pub fn from_int(width: u32, value: &BigInt) -> Bits {
        let modulus = BigInt::from(modulus(width));
        let mut reduced = value % &modulus;
        if reduced.sign() == num_bigint::Sign::Minus {
            reduced += modulus;
        }
        Bits::new(width, reduced.magnitude())
    }

    /// The width.
    pub fn width(&self) -> u32 {
        match self {
            Bits::Narrow { width, .. } => *width,
            Bits::Wide(wide) => wide.0,
        }
    }

    /// The value without sign.
    pub fn unsigned(&self) -> BigUint {
        match self {
            Bits::Narrow { value, .. } => BigUint::from(*value),
            Bits::Wide(wide) => wide.1.clone(),
        }
    }

    fn is_negative(&self) -> bool {
        match self {
            Bits::Narrow { width: 0, .. } => false,
            Bits::Narrow { width, value } => value >> (width - 1) != 0,
            Bits::Wide(wide) => wide.1.bit(u64::from(wide.0) - 1),
        }
    }

    /// The value in two's complement.
    pub fn signed(&self) -> BigInt {
        let value = BigInt::from(self.unsigned());
        if self.is_negative() { value - BigInt::from(modulus(self.width())) } else { value }
    }

    /// The bits from `low` (with) to `high` (without).
    pub fn extract(&self, high: u32, low: u32) -> Bits {
        match self {
            // A shift by the whole width can only be asked for an empty result.
            Bits::Narrow { value, .. } => Bits::from_u64(high - low, value.checked_shr(low).unwrap_or(0)),
            Bits::Wide(wide) => Bits::new(high - low, &(&wide.1 >> low)),
        }
    }

    /// These bits above those of `low`.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width() + low.width();
        if let (Bits::Narrow { value: high, .. }, Bits::Narrow { value, width: by }) = (self, low)
            && width <= 64
        {
            return Bits::Narrow { width, value: high.checked_shl(*by).unwrap_or(0) | value };
        }
        Bits::new(width, &((self.unsigned() << low.width()) | low.unsigned()))
    }

    /// Prepends zeros.
    pub fn zero_extend(&self, by: u32) -> Bits {
        Bits::new(self.width() + by, &self.unsigned())
    }

    /// Prepends copies of the highest bit.
    pub fn sign_extend(&self, by: u32) -> Bits {
        Bits::from_int(self.width() + by, &self.signed())
    }

    /// Rotates towards the high end.
    pub fn rotate_left(&self, by: u32) -> Bits {
        let width = self.width();
        if width == 0 {
            return self.clone();
        }
        let by = by % width;
        self.extract(width - by, 0).concat(&self.extract(width, width - by))
    }

    /// Rotates towards the low end.
    pub fn rotate_right(&self, by: u32) -> Bits {
        let width = self.width();
        if width == 0 {
            return self.clone();
        }
        self.rotate_left(width - by % width)
    }

    /// A unary operation.
    pub fn unary(&self, op: BitVecUnary) -> Bits {
        let width = self.width();
        match op {
            BitVecUnary::Not => Bits::new(width, &(modulus(width) - BigUint::one() - self.unsigned())),
            BitVecUnary::Negate => Bits::new(width, &(modulus(width) - self.unsigned())),
        }
    }

    /// A comparison of two vectors of one width.
    pub fn compare(&self, op: BitVecCompare, other: &Bits) -> bool {
        let unsigned = self.cmp(other);
        // Flipping the sign bits turns the signed order into the unsigned one.
        let signed = other.is_negative().cmp(&self.is_negative()).then(unsigned);
        match op {
            BitVecCompare::UnsignedLess => unsigned.is_lt(),
            BitVecCompare::UnsignedLessEqual => unsigned.is_le(),
            BitVecCompare::UnsignedGreater => unsigned.is_gt(),
            BitVecCompare::UnsignedGreaterEqual => unsigned.is_ge(),
            BitVecCompare::SignedLess => signed.is_lt(),
            BitVecCompare::SignedLessEqual => signed.is_le(),
            BitVecCompare::SignedGreater => signed.is_gt(),
            BitVecCompare::SignedGreaterEqual => signed.is_ge(),
        }
    }

    /// A binary operation on two vectors of one width.
    pub fn binary(&self, op: BitVecBinary, other: &Bits) -> Bits {
        if let (Bits::Narrow { width, value: left }, Bits::Narrow { value: right, .. }) = (self, other)
            && let Some(value) = narrow(op, *left, *right, *width)
        {
            return Bits::from_u64(*width, value);
        }
        self.wide(op, other)
    }

    fn wide(&self, op: BitVecBinary, other: &Bits) -> Bits {
        let width = self.width();
        let (left, right) = (self.unsigned(), other.unsigned());
        let ones = modulus(width) - BigUint::one();
        let value = match op {
            BitVecBinary::Add => left + right,
            BitVecBinary::Subtract => left + (modulus(width) - right),
            BitVecBinary::Multiply => left * right,
            BitVecBinary::UnsignedDivide if right.is_zero() => ones,
            BitVecBinary::UnsignedDivide => left / right,
            BitVecBinary::UnsignedRemainder if right.is_zero() => left,
            BitVecBinary::UnsignedRemainder => left % right,
            BitVecBinary::SignedDivide | BitVecBinary::SignedRemainder | BitVecBinary::SignedModulo => {
                return self.signed_division(op, other);
            }
            BitVecBinary::And => left & right,
            BitVecBinary::Or => left | right,
            BitVecBinary::Xor => left ^ right,
            BitVecBinary::Nand => ones - (left & right),
            BitVecBinary::Nor => ones - (left | right),
            BitVecBinary::Xnor => ones - (left ^ right),
            BitVecBinary::ShiftLeft
            | BitVecBinary::LogicalShiftRight
            | BitVecBinary::ArithmeticShiftRight => {
                return self.shift(op, &right);
            }
        };
        Bits::new(width, &value)
    }

    /// As SMT-LIB defines them by the operations without sign, zero divisors included.
    fn signed_division(&self, op: BitVecBinary, other: &Bits) -> Bits {
        let width = self.width();
        let (dividend, divisor) = (self.signed(), other.signed());
        if divisor.is_zero() {
            return match op {
                BitVecBinary::SignedDivide if self.is_negative() => Bits::from_u64(width, 1),
                BitVecBinary::SignedDivide => Bits::from_int(width, &-BigInt::one()),
                _ => self.clone(),
            };
        }
        // Division of big integers rounds towards zero, and the remainder has the sign of the dividend.
        let value = match op {
            BitVecBinary::SignedDivide => dividend / divisor,
            BitVecBinary::SignedRemainder => dividend % divisor,
            _ => {
                let remainder = dividend % &divisor;
                let differs = !remainder.is_zero() && (remainder.sign() != divisor.sign());
                if differs { remainder + divisor } else { remainder }
            }
        };
        Bits::from_int(width, &value)
    }

    fn shift(&self, op: BitVecBinary, by: &BigUint) -> Bits {
        let width = self.width();
        // All shifts by the width or more give the same.
        let by = by.to_u32().unwrap_or(width).min(width);
        match op {
            BitVecBinary::ShiftLeft => Bits::new(width, &(self.unsigned() << by)),
            BitVecBinary::LogicalShiftRight => Bits::new(width, &(self.unsigned() >> by)),
            // The shift of big integers rounds towards minus infinity, which fills with the sign.
            _ => Bits::from_int(width, &(self.signed() >> by)),
        }
    }
}

/// Operations that machine words do faster; their result may have too many bits.
fn narrow(op: BitVecBinary, left: u64, right: u64, width: u32) -> Option<u64> {
    match op {
        BitVecBinary::Add => Some(left.wrapping_add(right)),
        BitVecBinary::Subtract => Some(left.wrapping_sub(right)),
        BitVecBinary::Multiply => Some(left.wrapping_mul(right)),
        BitVecBinary::And => Some(left & right),
        BitVecBinary::Or => Some(left | right),
        BitVecBinary::Xor => Some(left ^ right),
        BitVecBinary::UnsignedDivide => Some(left.checked_div(right).unwrap_or(u64::MAX)),
        BitVecBinary::UnsignedRemainder => Some(left.checked_rem(right).unwrap_or(left)),
        BitVecBinary::ShiftLeft if right < u64::from(width) => Some(left << right),
        BitVecBinary::LogicalShiftRight if right < u64::from(width) => Some(left >> right),
        _ => None,
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bits::Narrow { width, value } => write!(f, "{value}bv{width}"),
            Bits::Wide(wide) => write!(f, "{}bv{}", wide.1, wide.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn signed(value: u64, width: u32) -> i128 {
        let value = i128::from(value & mask(width));
        if width > 0 && value >> (width - 1) != 0 { value - (1 << width) } else { value }
    }

    /// The definitions of SMT-LIB, written down once more on numbers of 128 bits.
    fn reference(op: BitVecBinary, a: u64, b: u64, width: u32) -> i128 {
        let (x, y) = (i128::from(a), i128::from(b));
        let (s, t) = (signed(a, width), signed(b, width));
        match op {
            BitVecBinary::Add => x + y,
            BitVecBinary::Subtract => x - y,
            BitVecBinary::Multiply => x.wrapping_mul(y),
            BitVecBinary::UnsignedDivide => {
                if y == 0 {
                    -1
                } else {
                    x / y
                }
            }
            BitVecBinary::UnsignedRemainder => {
                if y == 0 {
                    x
                } else {
                    x % y
                }
            }
            BitVecBinary::SignedDivide if t == 0 => {
                if s < 0 {
                    1
                } else {
                    -1
                }
            }
            BitVecBinary::SignedDivide => s / t,
            BitVecBinary::SignedRemainder | BitVecBinary::SignedModulo if t == 0 => s,
            BitVecBinary::SignedRemainder => s % t,
            BitVecBinary::SignedModulo => s - t * (s as f64 / t as f64).floor() as i128,
            BitVecBinary::And => x & y,
            BitVecBinary::Or => x | y,
            BitVecBinary::Xor => x ^ y,
            BitVecBinary::Nand => !(x & y),
            BitVecBinary::Nor => !(x | y),
            BitVecBinary::Xnor => !(x ^ y),
            BitVecBinary::ShiftLeft => {
                if y >= i128::from(width) {
                    0
                } else {
                    x << y
                }
            }
            BitVecBinary::LogicalShiftRight => {
                if y >= i128::from(width) {
                    0
                } else {
                    x >> y
                }
            }
            BitVecBinary::ArithmeticShiftRight => s >> y.min(100),
        }
    }

    proptest! {
        #[test]
        fn operations_follow_their_definitions(a: u64, b: u64, width in 1_u32..33, small in any::<bool>()) {
            let b = if small { b % 40 } else { b };
            let (a, b) = (a & mask(width), b & mask(width));
            let (x, y) = (Bits::from_u64(width, a), Bits::from_u64(width, b));
            for &op in BitVecBinary::ALL {
                let expected = Bits::from_int(width, &BigInt::from(reference(op, a, b, width)));
                prop_assert_eq!(x.binary(op, &y), expected.clone(), "{}", op.name());
                prop_assert_eq!(x.wide(op, &y), expected, "{} on wide vectors", op.name());
            }
            let (s, t) = (signed(a, width), signed(b, width));
            for (op, expected) in [
                (BitVecCompare::UnsignedLess, a < b),
                (BitVecCompare::UnsignedLessEqual, a <= b),
                (BitVecCompare::UnsignedGreater, a > b),
                (BitVecCompare::UnsignedGreaterEqual, a >= b),
                (BitVecCompare::SignedLess, s < t),
                (BitVecCompare::SignedLessEqual, s <= t),
                (BitVecCompare::SignedGreater, s > t),
                (BitVecCompare::SignedGreaterEqual, s >= t),
            ] {
                prop_assert_eq!(x.compare(op, &y), expected, "{}", op.name());
            }
            prop_assert_eq!(x.signed(), BigInt::from(s));
            prop_assert_eq!(x.unary(BitVecUnary::Not), Bits::from_u64(width, !a));
            prop_assert_eq!(x.unary(BitVecUnary::Negate), Bits::from_u64(width, a.wrapping_neg()));
            prop_assert_eq!(x.sign_extend(70).signed(), x.signed());
            prop_assert_eq!(x.zero_extend(70).unsigned(), x.unsigned());
            prop_assert_eq!(x.zero_extend(70).extract(width, 0), x.clone());
            prop_assert_eq!(x.concat(&y).extract(2 * width, width), x.clone());
            prop_assert_eq!(x.concat(&y).extract(width, 0), y);
            prop_assert_eq!(x.rotate_left(5).rotate_right(5), x);
        }
    }

    #[test]
    fn the_borders() {
        let one = Bits::from_u64(4, 1);
        assert_eq!(one.rotate_left(3).to_string(), "8bv4");
        assert_eq!(one.rotate_right(1).to_string(), "8bv4");
        assert_eq!(one.extract(4, 4), Bits::from_u64(0, 0));
        assert_eq!(one.extract(4, 4).concat(&one), one);
        assert_eq!(Bits::from_u64(64, u64::MAX).extract(64, 64).width(), 0);
        assert_eq!(Bits::from_u64(64, 3).concat(&one).to_string(), "49bv68");
    }
}
