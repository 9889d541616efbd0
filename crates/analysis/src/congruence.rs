//! Congruences: the integers with one remainder.
//!
//! `modulus ≥ 1` and `0 ≤ remainder < modulus`; modulus 1 says nothing. Constants are intervals, not congruences, but
//! operations accept modulus 0 for them: "equal to the remainder". All operations over-approximate.

use logic::Integer;
use num_integer::Integer as _;
use num_traits::{One, Signed, Zero};

/// The integers that leave a remainder; with modulus 0, one integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Congruence {
    /// The distance of neighbouring members.
    pub modulus: Integer,
    /// One of the members.
    pub remainder: Integer,
}

impl Congruence {
    /// All integers.
    pub fn top() -> Congruence {
        Congruence { modulus: Integer::one(), remainder: Integer::zero() }
    }

    /// One integer.
    pub fn point(value: Integer) -> Congruence {
        Congruence { modulus: Integer::zero(), remainder: value }
    }

    /// The integers with this remainder.
    pub fn new(modulus: Integer, remainder: Integer) -> Congruence {
        let modulus = modulus.abs();
        let remainder = if modulus.is_zero() { remainder } else { remainder.mod_floor(&modulus) };
        Congruence { modulus, remainder }
    }

    /// Is nothing known?
    pub fn is_top(&self) -> bool {
        self.modulus.is_one()
    }

    /// Is the number a member?
    pub fn contains(&self, value: &Integer) -> bool {
        if self.modulus.is_zero() {
            *value == self.remainder
        } else {
            value.mod_floor(&self.modulus) == self.remainder
        }
    }

    /// Is every member one of the other's?
    pub fn is_in(&self, other: &Congruence) -> bool {
        let divides = if other.modulus.is_zero() {
            self.modulus.is_zero()
        } else {
            self.modulus.is_multiple_of(&other.modulus)
        };
        divides && other.contains(&self.remainder)
    }

    /// The smallest congruence around both.
    pub fn join(&self, other: &Congruence) -> Congruence {
        let distance = (&self.remainder - &other.remainder).abs();
        Congruence::new(self.modulus.gcd(&other.modulus).gcd(&distance), self.remainder.clone())
    }

    /// The common members, if there are any.
    pub fn meet(&self, other: &Congruence) -> Option<Congruence> {
        if self.modulus.is_zero() || other.modulus.is_zero() {
            let (point, wider) = if self.modulus.is_zero() { (self, other) } else { (other, self) };
            return wider.contains(&point.remainder).then(|| point.clone());
        }
        // The Chinese remainder theorem.
        let common = self.modulus.extended_gcd(&other.modulus);
        let distance = &other.remainder - &self.remainder;
        if !distance.is_multiple_of(&common.gcd) {
            return None;
        }
        let steps = &distance / &common.gcd * &common.x;
        let member = &self.remainder + &self.modulus * steps;
        Some(Congruence::new(self.modulus.lcm(&other.modulus), member))
    }

    /// All sums.
    pub fn add(&self, other: &Congruence) -> Congruence {
        Congruence::new(self.modulus.gcd(&other.modulus), &self.remainder + &other.remainder)
    }

    /// All members times a number.
    pub fn scale(&self, factor: &Integer) -> Congruence {
        Congruence::new(&self.modulus * factor, &self.remainder * factor)
    }

    /// All products.
    pub fn multiply(&self, other: &Congruence) -> Congruence {
        // (m·a + r)(n·b + s) = mn·ab + ms·a + nr·b + rs.
        let modulus = (&self.modulus * &other.modulus)
            .gcd(&(&self.modulus * &other.remainder))
            .gcd(&(&other.modulus * &self.remainder));
        Congruence::new(modulus, &self.remainder * &other.remainder)
    }

    /// All remainders by a positive integer: `x mod k` differs from `x` by a multiple of `k`.
    pub fn modulo(&self, divisor: &Integer) -> Congruence {
        Congruence::new(self.modulus.gcd(divisor), self.remainder.clone())
    }

    /// All Euclidean quotients by a positive integer.
    pub fn divide_by(&self, divisor: &Integer) -> Congruence {
        if self.modulus.is_zero() {
            return Congruence::point(self.remainder.div_floor(divisor));
        }
        if self.modulus.is_multiple_of(divisor) {
            // Members are modulus·a + remainder, so quotients are (modulus / divisor)·a + remainder div divisor.
            return Congruence::new(&self.modulus / divisor, self.remainder.div_floor(divisor));
        }
        Congruence::top()
    }
}
