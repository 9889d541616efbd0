//! Numbers as lists of bits, the lowest first.
//!
//! Integers are in two's complement with as many bits as they need: the last bit is the sign, and it is never written
//! twice. So the operations are exact on mathematical integers, and cheap where numbers are known to be small.
//! Bit-vectors have a fixed width and the operations of SMT-LIB.

use crate::circuit::{Bit, Circuit};
use num_bigint::BigInt;
use num_traits::Signed;

/// Bits of a number, the lowest first.
pub type Bits = Vec<Bit>;

/// The shortest form of an integer with the same value.
pub fn trim(mut bits: Bits) -> Bits {
    while bits.len() >= 2 && bits[bits.len() - 1] == bits[bits.len() - 2] {
        bits.pop();
    }
    bits
}

/// The sign of an integer.
pub fn sign(bits: &[Bit]) -> Bit {
    bits.last().copied().unwrap_or(Bit::FALSE)
}

/// An integer with more bits.
pub fn extend(bits: &[Bit], width: usize) -> Bits {
    let mut bits = bits.to_vec();
    let sign = sign(&bits);
    if bits.len() < width {
        bits.resize(width, sign);
    }
    bits
}

/// An integer constant.
pub fn integer(value: &BigInt) -> Bits {
    let width = value.bits() + 1;
    // `bit` of a negative number is that of its two's complement.
    trim((0..width).map(|at| Bit::constant(value.bit(at))).collect())
}

/// The value of an integer that is a constant.
pub fn as_integer(bits: &[Bit]) -> Option<BigInt> {
    let mut value = BigInt::ZERO;
    for (at, bit) in bits.iter().enumerate() {
        value.set_bit(at as u64, bit.as_constant()?);
    }
    if sign(bits) == Bit::TRUE {
        value -= BigInt::from(1) << bits.len();
    }
    Some(value)
}

/// The value of a bit-vector that is a constant, without sign.
pub fn as_unsigned(bits: &[Bit]) -> Option<BigInt> {
    let mut value = BigInt::ZERO;
    for (at, bit) in bits.iter().enumerate() {
        value.set_bit(at as u64, bit.as_constant()?);
    }
    Some(value)
}

/// A bit-vector constant.
pub fn unsigned(value: &BigInt, width: usize) -> Bits {
    (0..width).map(|at| Bit::constant(value.bit(at as u64))).collect()
}

/// A quotient and a remainder.
pub struct Division {
    /// The quotient.
    pub quotient: Bits,
    /// The remainder.
    pub remainder: Bits,
}

impl Circuit {
    /// The sum of two lists of the same length and a carry, and the carry out.
    pub fn add_carry(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Bits, Bit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }

    /// One of two lists of the same length.
    pub fn choose(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Bits {
        then.iter().zip(otherwise).map(|(&a, &b)| self.mux(condition, a, b)).collect()
    }

    /// One of two integers.
    pub fn choose_integer(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Bits {
        let width = then.len().max(otherwise.len());
        trim(self.choose(condition, &extend(then, width), &extend(otherwise, width)))
    }

    /// Are two lists of the same length equal?
    pub fn equal_bits(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut all = Bit::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            let same = self.equal(a, b);
            all = self.and(all, same);
            if all == Bit::FALSE {
                break;
            }
        }
        all
    }

    /// Are two integers equal?
    pub fn equal_integers(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let width = a.len().max(b.len());
        self.equal_bits(&extend(a, width), &extend(b, width))
    }

    /// a < b without sign, for lists of the same length.
    pub fn less_unsigned(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut less = Bit::FALSE;
        for (&a, &b) in a.iter().zip(b) {
            less = self.majority(!a, b, less);
        }
        less
    }

    /// a < b for integers.
    pub fn less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let width = a.len().max(b.len());
        let (mut a, mut b) = (extend(a, width), extend(b, width));
        // The sign counts the other way round.
        let (sign_a, sign_b) = (a[width - 1], b[width - 1]);
        (a[width - 1], b[width - 1]) = (sign_b, sign_a);
        self.less_unsigned(&a, &b)
    }

    /// a + b for integers.
    pub fn add(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        let width = a.len().max(b.len()) + 1;
        trim(self.add_carry(&extend(a, width), &extend(b, width), Bit::FALSE).0)
    }

    /// a - b for integers.
    pub fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        let width = a.len().max(b.len()) + 1;
        let negated: Bits = extend(b, width).into_iter().map(|bit| !bit).collect();
        trim(self.add_carry(&extend(a, width), &negated, Bit::TRUE).0)
    }

    /// -a for integers.
    pub fn negate(&mut self, a: &[Bit]) -> Bits {
        self.subtract(&[Bit::FALSE], a)
    }

    /// a · b for integers.
    pub fn multiply(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        let open = |bits: &[Bit]| bits.iter().filter(|&&bit| bit != Bit::FALSE).count();
        // The number with fewer bits that may be one says how often the other is added.
        let (a, b) = if open(b) <= open(a) { (a, b) } else { (b, a) };
        let width = a.len() + b.len();
        let wide = extend(a, width);
        let product = self.multiply_bits(&wide, &extend(b, width)[..b.len() - 1]);
        // The sign bit of b counts as minus 2^(its place).
        let sign = sign(b);
        let mut last: Bits = vec![Bit::FALSE; b.len() - 1];
        for &bit in wide.iter().take(width - last.len()) {
            let part = self.and(bit, sign);
            last.push(!part);
        }
        for bit in &mut last[..b.len() - 1] {
            *bit = Bit::TRUE;
        }
        trim(self.add_carry(&product, &last, Bit::TRUE).0)
    }

    /// The low bits of a · b, as many as a has; b without sign.
    pub fn multiply_bits(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        let width = a.len();
        let mut product = vec![Bit::FALSE; width];
        for (at, &factor) in b.iter().enumerate().take(width) {
            if factor == Bit::FALSE {
                continue;
            }
            let part: Bits = a[..width - at].iter().map(|&bit| self.and(bit, factor)).collect();
            let (sum, _) = self.add_carry(&product[at..], &part, Bit::FALSE);
            product.truncate(at);
            product.extend(sum);
        }
        product
    }

    /// Quotient and remainder without sign. Of a zero divisor the quotient is all ones and the remainder is the dividend.
    pub fn divide_unsigned(&mut self, dividend: &[Bit], divisor: &[Bit]) -> Division {
        let width = divisor.len() + 1;
        let mut wide = divisor.to_vec();
        wide.push(Bit::FALSE);
        let negated: Bits = wide.iter().map(|&bit| !bit).collect();
        let mut remainder = vec![Bit::FALSE; width];
        let mut quotient = vec![Bit::FALSE; dividend.len()];
        for at in (0..dividend.len()).rev() {
            remainder.insert(0, dividend[at]);
            // The remainder is below the divisor, or the divisor is zero and it is part of the dividend, which may be
            // longer: then the highest bits are those that the comparison must not lose.
            let overflow = remainder.pop().unwrap_or(Bit::FALSE);
            let (difference, carry) = self.add_carry(&remainder, &negated, Bit::TRUE);
            let fits = self.or(carry, overflow);
            quotient[at] = fits;
            remainder = self.choose(fits, &difference, &remainder);
        }
        remainder.pop();
        // What the circuit makes sure of step by step is hard to see for a solver: the remainder is below the divisor.
        if remainder.iter().any(|bit| bit.as_constant().is_none()) {
            let below = self.less_unsigned(&remainder, divisor);
            let zero = self.is_zero(divisor);
            let lemma = self.or(zero, below);
            let about = remainder.iter().copied().find(|bit| bit.as_constant().is_none());
            self.lemma(about.unwrap_or(Bit::FALSE), lemma);
        }
        Division { quotient, remainder }
    }

    /// Is the number zero?
    pub fn is_zero(&mut self, bits: &[Bit]) -> Bit {
        let mut any = Bit::FALSE;
        for &bit in bits {
            any = self.or(any, bit);
        }
        !any
    }

    /// The absolute value of an integer, without a sign bit.
    fn absolute(&mut self, a: &[Bit]) -> Bits {
        let negated = self.negate(a);
        let width = a.len();
        self.choose(sign(a), &extend(&negated, width), a)
    }

    /// Euclidean division of integers; of a zero divisor both are arbitrary.
    pub fn divide(&mut self, a: &[Bit], b: &[Bit]) -> Division {
        if let Some(divisor) = as_integer(b)
            && divisor.is_positive()
            && (&divisor & (&divisor - 1)) == BigInt::ZERO
        {
            let by = (divisor.bits() - 1) as usize;
            let wide = extend(a, by + 1);
            let mut remainder = wide[..by].to_vec();
            remainder.push(Bit::FALSE);
            return Division { quotient: trim(wide[by..].to_vec()), remainder: trim(remainder) };
        }
        let (x, d) = (self.absolute(a), self.absolute(b));
        let Division { mut quotient, mut remainder } = self.divide_unsigned(&x, &d);
        quotient.push(Bit::FALSE);
        remainder.push(Bit::FALSE);
        let mut positive = d;
        positive.push(Bit::FALSE);
        // A negative dividend with a remainder is rounded down.
        let exact = self.is_zero(&remainder);
        let rounds = self.and(sign(a), !exact);
        let rounded = self.add(&quotient, &[rounds, Bit::FALSE]);
        let minus = self.negate(&rounded);
        let flip = self.xor(sign(a), sign(b));
        let quotient = self.choose_integer(flip, &minus, &rounded);
        let rest = self.subtract(&positive, &remainder);
        let remainder = self.choose_integer(rounds, &rest, &remainder);
        Division { quotient, remainder }
    }

    /// Two's complement of a bit-vector.
    pub fn negate_bits(&mut self, a: &[Bit]) -> Bits {
        let flipped: Bits = a.iter().map(|&bit| !bit).collect();
        let zero = vec![Bit::FALSE; a.len()];
        self.add_carry(&flipped, &zero, Bit::TRUE).0
    }

    /// The absolute value of a bit-vector in two's complement.
    pub fn absolute_bits(&mut self, a: &[Bit]) -> Bits {
        let negated = self.negate_bits(a);
        self.choose(sign(a), &negated, a)
    }

    /// A shift of a bit-vector: to the high end or to the low end, with a filling bit.
    pub fn shift(&mut self, a: &[Bit], by: &[Bit], to: Shift) -> Bits {
        let width = a.len();
        let fill = match to {
            Shift::Left | Shift::Right => Bit::FALSE,
            Shift::SignedRight => sign(a),
        };
        let mut bits = a.to_vec();
        let mut all_out = Bit::FALSE;
        for (at, &amount) in by.iter().enumerate() {
            let distance = 1_usize.checked_shl(at as u32).unwrap_or(usize::MAX);
            if at >= 32 || distance >= width {
                all_out = self.or(all_out, amount);
                continue;
            }
            let shifted: Bits = (0..width)
                .map(|place| match to {
                    Shift::Left => place.checked_sub(distance).map_or(fill, |from| bits[from]),
                    Shift::Right | Shift::SignedRight => *bits.get(place + distance).unwrap_or(&fill),
                })
                .collect();
            bits = self.choose(amount, &shifted, &bits);
        }
        bits.iter().map(|&bit| self.mux(all_out, fill, bit)).collect()
    }
}

/// Where a shift goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    /// To the high end.
    Left,
    /// To the low end.
    Right,
    /// To the low end, with copies of the sign.
    SignedRight,
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::{Euclid, ToPrimitive};
    use proptest::prelude::*;

    /// Computes once with constants and once with inputs that are given their values afterwards.
    fn both(a: i64, b: i64, f: impl Fn(&mut Circuit, &[Bit], &[Bit]) -> Bits) -> [BigInt; 2] {
        let (ca, cb) = (integer(&a.into()), integer(&b.into()));
        let mut circuit = Circuit::default();
        let constant = as_integer(&f(&mut circuit, &ca, &cb)).expect("constant");
        let ia: Bits = ca.iter().map(|_| circuit.input()).collect();
        let ib: Bits = cb.iter().map(|_| circuit.input()).collect();
        let out = f(&mut circuit, &ia, &ib);
        let mut given = ca.iter().chain(&cb).map(|bit| *bit == Bit::TRUE);
        let values = circuit.simulate(|_| given.next().unwrap_or(false));
        let out: Bits =
            out.iter().map(|bit| Bit::constant(values[bit.node() as usize] ^ bit.is_negated())).collect();
        [constant, as_integer(&out).expect("constant")]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

        #[test]
        fn integers(a in -300..300_i64, b in -300..300_i64, wide in any::<(i64, i64)>()) {
            for (a, b) in [(a, b), (wide.0, b), (wide.0, wide.1), (a, wide.1)] {
                let (x, y) = (BigInt::from(a), BigInt::from(b));
                prop_assert_eq!(both(a, b, |c, a, b| c.add(a, b)), [&x + &y, &x + &y]);
                prop_assert_eq!(both(a, b, |c, a, b| c.subtract(a, b)), [&x - &y, &x - &y]);
                prop_assert_eq!(both(a, b, |c, a, b| c.multiply(a, b)), [&x * &y, &x * &y]);
                let less = BigInt::from(-i64::from(a < b));
                prop_assert_eq!(both(a, b, |c, a, b| vec![c.less(a, b)]), [less.clone(), less]);
                let equal = BigInt::from(-i64::from(a == b));
                prop_assert_eq!(both(a, b, |c, a, b| vec![c.equal_integers(a, b)]), [equal.clone(), equal]);
                if b != 0 {
                    let (q, r) = (x.div_euclid(&y), x.rem_euclid(&y));
                    prop_assert_eq!(both(a, b, |c, a, b| c.divide(a, b).quotient), [q.clone(), q]);
                    prop_assert_eq!(both(a, b, |c, a, b| c.divide(a, b).remainder), [r.clone(), r]);
                }
            }
        }

        #[test]
        fn shifts_and_divisions_of_bit_vectors(a in any::<u16>(), b in 0..40_u16, d in any::<u16>()) {
            let bits = |value: u16| unsigned(&BigInt::from(value), 16);
            let mut c = Circuit::default();
            let value = |bits: Bits| as_unsigned(&bits).and_then(|value| value.to_u16()).unwrap();
            let out = |shifted: Option<u16>| shifted.unwrap_or(0);
            prop_assert_eq!(value(c.shift(&bits(a), &bits(b), Shift::Left)), out(a.checked_shl(b.into())));
            prop_assert_eq!(value(c.shift(&bits(a), &bits(b), Shift::Right)), out(a.checked_shr(b.into())));
            let arithmetic = (a as i16) >> b.min(15);
            prop_assert_eq!(value(c.shift(&bits(a), &bits(b), Shift::SignedRight)), arithmetic as u16);
            for d in [d, b] {
                let division = c.divide_unsigned(&bits(a), &bits(d));
                prop_assert_eq!(value(division.quotient), a.checked_div(d).unwrap_or(u16::MAX));
                prop_assert_eq!(value(division.remainder), a.checked_rem(d).unwrap_or(a));
            }
        }
    }
}
