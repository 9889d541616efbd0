//! Formats: how many bits exponent and significand have, and how a bit pattern is read.

use num_bigint::BigUint;
use num_traits::{One, Zero};

/// A binary format, named by two numbers as in SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Format {
    exponent: u8,
    significand: u8,
}

/// What a bit pattern stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// No number.
    Nan,
    /// An infinity; whether it is negative.
    Infinite(bool),
    /// ± magnitude · 2^exponent. There are two zeros.
    Finite {
        /// The sign.
        negative: bool,
        /// The whole number.
        magnitude: BigUint,
        /// The power of two.
        exponent: i64,
    },
}

impl Format {
    /// C's `float`.
    pub const SINGLE: Format = Format { exponent: 8, significand: 24 };
    /// C's `double`.
    pub const DOUBLE: Format = Format { exponent: 11, significand: 53 };
    /// The numbers of the x87's 80 bits. The leading bit of the significand is implied here, and not stored as there.
    pub const EXTENDED: Format = Format { exponent: 15, significand: 64 };
    /// `_Float128`.
    pub const QUADRUPLE: Format = Format { exponent: 15, significand: 113 };

    /// The format with as many bits of exponent, and of significand with the implied one.
    pub fn new(exponent: u32, significand: u32) -> Option<Format> {
        let inside = (2..=15).contains(&exponent) && (2..=237).contains(&significand);
        inside.then_some(Format { exponent: exponent as u8, significand: significand as u8 })
    }

    /// How many bits the exponent has.
    pub fn exponent(self) -> u32 {
        self.exponent.into()
    }

    /// How many bits the significand has, with the one that is implied.
    pub fn significand(self) -> u32 {
        self.significand.into()
    }

    /// The width of the bit pattern.
    pub fn width(self) -> u32 {
        self.exponent() + self.significand()
    }

    /// How many bits of the fraction are stored.
    pub(crate) fn stored(self) -> u32 {
        self.significand() - 1
    }

    /// What is added to exponents that are stored.
    pub(crate) fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// All ones in the exponent.
    pub(crate) fn top_exponent(self) -> u64 {
        (1 << self.exponent) - 1
    }

    /// The sign bit alone: negative zero.
    pub fn sign(self) -> BigUint {
        BigUint::one() << (self.width() - 1)
    }

    /// Positive infinity.
    pub fn infinity(self) -> BigUint {
        BigUint::from(self.top_exponent()) << self.stored()
    }

    /// The NaN that operations give: quiet, positive, and otherwise empty.
    pub fn nan(self) -> BigUint {
        self.infinity() | (BigUint::one() << (self.stored() - 1))
    }

    /// The largest number.
    pub fn largest(self) -> BigUint {
        self.infinity() - 1u32
    }

    /// The least positive number with a whole significand.
    pub fn least_normal(self) -> BigUint {
        BigUint::one() << self.stored()
    }

    /// Reads a bit pattern.
    pub fn class(self, bits: &BigUint) -> Class {
        let negative = bits.bit((self.width() - 1).into());
        let exponent = (bits >> self.stored()) & BigUint::from(self.top_exponent());
        let exponent = exponent.iter_u64_digits().next().unwrap_or(0);
        let fraction = bits & (self.least_normal() - 1u32);
        if exponent == self.top_exponent() {
            return if fraction.is_zero() { Class::Infinite(negative) } else { Class::Nan };
        }
        let unit = |stored: u64| stored as i64 - self.bias() - i64::from(self.stored());
        if exponent == 0 {
            return Class::Finite { negative, magnitude: fraction, exponent: unit(1) };
        }
        Class::Finite { negative, magnitude: fraction | self.least_normal(), exponent: unit(exponent) }
    }
}
