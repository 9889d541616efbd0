//! Numbers as lists of bits, the lowest first.
//!
//! Integers are in two's complement, the last bit is the sign. Operations give as many bits as their results can need, so
//! they are exact; a sign that is written twice is dropped. Bit-vectors have a fixed width, and the operations of SMT-LIB.

use crate::gates::{Bit, Gates};
use num_bigint::BigInt;

/// Bits of a number, the lowest first.
pub(crate) type Bits = Vec<Bit>;

/// Drops copies of the sign.
pub(crate) fn trimmed(mut bits: Bits) -> Bits {
    while let [.., a, b] = bits[..]
        && a == b
    {
        bits.pop();
    }
    bits
}

/// The sign of an integer.
pub(crate) fn sign(bits: &[Bit]) -> Bit {
    bits.last().copied().unwrap_or(Bit::FALSE)
}

/// The same integer with at least so many bits.
pub(crate) fn widened(bits: &[Bit], width: usize) -> Bits {
    let mut wide = bits.to_vec();
    wide.resize(width.max(bits.len()), sign(bits));
    wide
}

/// A constant integer.
pub(crate) fn integer(value: &BigInt) -> Bits {
    trimmed((0..=value.bits()).map(|at| Bit::of(value.bit(at))).collect())
}

/// A small constant integer.
pub(crate) fn small(value: i64) -> Bits {
    integer(&BigInt::from(value))
}

/// A constant bit-vector.
pub(crate) fn vector(value: &BigInt, width: usize) -> Bits {
    (0..width).map(|at| Bit::of(value.bit(at as u64))).collect()
}

/// The value of a bit-vector that is constant, without sign.
pub(crate) fn as_vector(bits: &[Bit]) -> Option<BigInt> {
    let mut value = BigInt::ZERO;
    for (at, bit) in bits.iter().enumerate() {
        if bit.constant()? {
            value.set_bit(at as u64, true);
        }
    }
    Some(value)
}

/// The value of an integer that is constant.
#[cfg(test)]
pub(crate) fn as_integer(bits: &[Bit]) -> Option<BigInt> {
    let unsigned = as_vector(bits)?;
    Some(if sign(bits) == Bit::TRUE { unsigned - (BigInt::from(1) << bits.len()) } else { unsigned })
}

fn negations(bits: &[Bit]) -> Bits {
    bits.iter().map(|&bit| !bit).collect()
}

/// A quotient and a remainder.
pub(crate) struct Division {
    pub(crate) quotient: Bits,
    pub(crate) remainder: Bits,
}

/// Where a shift goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shift {
    /// To the high end.
    Left,
    /// To the low end; zeros come in.
    Right,
    /// To the low end; copies of the sign come in.
    RightSigned,
}

impl Gates {
    /// The sum of two lists of one length and a bit, in the same length, and what is carried out of it.
    pub(crate) fn sum(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> (Bits, Bit) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            carry = self.carry(x, y, carry);
        }
        (sum, carry)
    }

    /// One of two lists of one length.
    pub(crate) fn select(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Bits {
        then.iter().zip(otherwise).map(|(&a, &b)| self.choice(condition, a, b)).collect()
    }

    /// All bits, if the condition holds; else zeros.
    pub(crate) fn masked(&mut self, bits: &[Bit], condition: Bit) -> Bits {
        bits.iter().map(|&bit| self.and(bit, condition)).collect()
    }

    /// Are two lists of one length the same?
    pub(crate) fn same_bits(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut all = Bit::TRUE;
        for (&x, &y) in a.iter().zip(b) {
            let same = self.same(x, y);
            all = self.and(all, same);
        }
        all
    }

    /// Are all bits zero?
    pub(crate) fn is_zero(&mut self, bits: &[Bit]) -> Bit {
        !self.any(bits.iter().copied())
    }

    /// a < b without sign, for lists of one length.
    pub(crate) fn below(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut below = Bit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            below = self.carry(!x, y, below);
        }
        below
    }

    /// One of two integers.
    pub(crate) fn select_integer(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Bits {
        let width = then.len().max(otherwise.len());
        trimmed(self.select(condition, &widened(then, width), &widened(otherwise, width)))
    }

    /// Are two integers the same?
    pub(crate) fn same_integers(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let width = a.len().max(b.len());
        self.same_bits(&widened(a, width), &widened(b, width))
    }

    /// a < b for integers.
    pub(crate) fn less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let width = a.len().max(b.len());
        let (mut a, mut b) = (widened(a, width), widened(b, width));
        // A sign counts the other way round than the other bits do.
        std::mem::swap(&mut a[width - 1], &mut b[width - 1]);
        self.below(&a, &b)
    }

    /// a + b for integers.
    pub(crate) fn plus(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        let width = 1 + a.len().max(b.len());
        trimmed(self.sum(&widened(a, width), &widened(b, width), Bit::FALSE).0)
    }

    /// a - b for integers.
    pub(crate) fn minus(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        let width = 1 + a.len().max(b.len());
        trimmed(self.sum(&widened(a, width), &negations(&widened(b, width)), Bit::TRUE).0)
    }

    /// -a for integers.
    pub(crate) fn negative(&mut self, a: &[Bit]) -> Bits {
        self.minus(&[Bit::FALSE], a)
    }

    /// a · b for integers.
    pub(crate) fn times(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        let parts = |bits: &[Bit]| bits.iter().filter(|&&bit| bit != Bit::FALSE).count();
        // One addition for every bit of the second that is not zero.
        let (a, b) = if parts(a) < parts(b) { (b, a) } else { (a, b) };
        let width = a.len() + b.len();
        let a = widened(a, width);
        let (&sign, rest) = b.split_last().expect("an integer has a sign");
        let product = self.product(&a, rest);
        // The sign of b stands for the negative of its power of two.
        let mut part = vec![Bit::FALSE; rest.len()];
        part.extend(self.masked(&a[..width - rest.len()], sign));
        trimmed(self.sum(&product, &negations(&part), Bit::TRUE).0)
    }

    /// The low bits of a · b, as many as a has; b is without sign.
    pub(crate) fn product(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        let mut product = vec![Bit::FALSE; a.len()];
        for (at, &factor) in b.iter().enumerate().take(a.len()) {
            if factor != Bit::FALSE {
                let part = self.masked(&a[..a.len() - at], factor);
                let (sum, _) = self.sum(&product[at..], &part, Bit::FALSE);
                product.splice(at.., sum);
            }
        }
        product
    }

    /// Quotient and remainder without sign, by long division. Of a zero divisor the quotient is all ones and the remainder
    /// is the dividend, if both have one width.
    pub(crate) fn long_division(&mut self, dividend: &[Bit], divisor: &[Bit]) -> Division {
        let mut wide = divisor.to_vec();
        wide.push(Bit::FALSE);
        let negated = negations(&wide);
        let mut remainder = vec![Bit::FALSE; wide.len()];
        let mut quotient = vec![Bit::FALSE; dividend.len()];
        for at in (0..dividend.len()).rev() {
            // Twice the remainder and the next bit. What is pushed out can be one only if the divisor is zero.
            remainder.insert(0, dividend[at]);
            let out = remainder.pop().unwrap_or(Bit::FALSE);
            let (difference, carry) = self.sum(&remainder, &negated, Bit::TRUE);
            let fits = self.or(carry, out);
            quotient[at] = fits;
            remainder = self.select(fits, &difference, &remainder);
        }
        remainder.pop();
        // A theorem: the remainder is below the divisor, unless that is zero.
        let below = self.below(&remainder, divisor);
        let zero = self.is_zero(divisor);
        let theorem = self.or(below, zero);
        if let Some(&about) = remainder.iter().find(|bit| bit.constant().is_none()) {
            self.truth(about, theorem);
        }
        Division { quotient, remainder }
    }

    /// Euclidean division of integers. Of a zero divisor it says nothing.
    pub(crate) fn divided(&mut self, a: &[Bit], b: &[Bit]) -> Division {
        if let Some(shift) = power_of_two(b) {
            let wide = widened(a, shift + 1);
            let mut remainder = wide[..shift].to_vec();
            remainder.push(Bit::FALSE);
            return Division { quotient: trimmed(wide[shift..].to_vec()), remainder: trimmed(remainder) };
        }
        let (x, y) = (self.magnitude(a), self.magnitude(b));
        let Division { mut quotient, mut remainder } = self.long_division(&x, &y);
        quotient.push(Bit::FALSE);
        remainder.push(Bit::FALSE);
        // The remainder is never negative: a negative dividend that is no multiple takes one divisor more.
        let whole = self.is_zero(&remainder);
        let more = self.and(sign(a), !whole);
        let quotient = self.plus(&quotient, &[more, Bit::FALSE]);
        let negative = self.negative(&quotient);
        let flips = self.xor(sign(a), sign(b));
        let quotient = self.select_integer(flips, &negative, &quotient);
        let mut divisor = y;
        divisor.push(Bit::FALSE);
        let rest = self.minus(&divisor, &remainder);
        let remainder = self.select_integer(more, &rest, &remainder);
        Division { quotient, remainder }
    }

    /// The absolute value of a number in two's complement, without a sign and in the same width.
    pub(crate) fn magnitude(&mut self, a: &[Bit]) -> Bits {
        let negative = self.negative_vector(a);
        self.select(sign(a), &negative, a)
    }

    /// The negative of a bit-vector.
    pub(crate) fn negative_vector(&mut self, a: &[Bit]) -> Bits {
        self.sum(&negations(a), &vec![Bit::FALSE; a.len()], Bit::TRUE).0
    }

    /// The difference of two bit-vectors.
    pub(crate) fn difference(&mut self, a: &[Bit], b: &[Bit]) -> Bits {
        self.sum(a, &negations(b), Bit::TRUE).0
    }

    /// A bit-vector, shifted by another.
    pub(crate) fn shifted(&mut self, a: &[Bit], by: &[Bit], to: Shift) -> Bits {
        let filling = if to == Shift::RightSigned { sign(a) } else { Bit::FALSE };
        let mut bits = a.to_vec();
        let mut beyond = Bit::FALSE;
        for (at, &amount) in by.iter().enumerate() {
            let distance = 1_usize.checked_shl(at as u32).filter(|&distance| distance < a.len());
            let Some(distance) = distance else {
                beyond = self.or(beyond, amount);
                continue;
            };
            let from = |place: usize| match to {
                Shift::Left => place.checked_sub(distance),
                Shift::Right | Shift::RightSigned => Some(place + distance).filter(|&from| from < a.len()),
            };
            let moved: Bits =
                (0..a.len()).map(|place| from(place).map_or(filling, |from| bits[from])).collect();
            bits = self.select(amount, &moved, &bits);
        }
        bits.iter().map(|&bit| self.choice(beyond, filling, bit)).collect()
    }
}

/// Which power of two an integer is, if it is a constant one.
fn power_of_two(bits: &[Bit]) -> Option<usize> {
    let ones = bits.iter().filter(|&&bit| bit == Bit::TRUE).count();
    let constant = bits.iter().all(|bit| bit.constant().is_some());
    let at = bits.iter().position(|&bit| bit == Bit::TRUE)?;
    (constant && ones == 1 && at + 1 < bits.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: i64 = 4;

    /// All pairs of small integers: once as constants, once as inputs that get the values afterwards.
    fn for_all(f: impl Fn(&mut Gates, &[Bit], &[Bit]) -> Bits, expected: impl Fn(i64, i64) -> Option<i64>) {
        let (low, high) = (-(1 << (WIDTH - 1)), 1 << (WIDTH - 1));
        let mut gates = Gates::default();
        let inputs: Bits = (0..2 * WIDTH).map(|_| gates.input()).collect();
        let (x, y) = inputs.split_at(WIDTH as usize);
        let open = f(&mut gates, x, y);
        for (a, b) in (low..high).flat_map(|a| (low..high).map(move |b| (a, b))) {
            let Some(expected) = expected(a, b) else { continue };
            let constant = f(&mut gates, &small(a), &small(b));
            assert_eq!(as_integer(&constant), Some(expected.into()), "of {a} and {b}");
            let both = (a & 15) | (b & 15) << WIDTH;
            let values = gates.values(|gate| both >> (gate - inputs[0].gate()) & 1 == 1);
            let now: Bits =
                open.iter().map(|bit| Bit::of(values[bit.gate() as usize] != bit.negated())).collect();
            assert_eq!(as_integer(&now), Some(expected.into()), "of inputs {a} and {b}");
            for (_, truth) in gates.truths() {
                assert!(values[truth.gate() as usize] != truth.negated(), "a theorem about {a} and {b}");
            }
        }
    }

    #[test]
    fn integers() {
        for_all(|g, a, b| g.plus(a, b), |a, b| Some(a + b));
        for_all(|g, a, b| g.minus(a, b), |a, b| Some(a - b));
        for_all(|g, a, b| g.times(a, b), |a, b| Some(a * b));
        for_all(|g, a, b| g.divided(a, b).quotient, |a, b| a.checked_div_euclid(b));
        for_all(|g, a, b| g.divided(a, b).remainder, |a, b| a.checked_rem_euclid(b));
        for_all(|g, a, b| vec![g.less(a, b), Bit::FALSE], |a, b| Some(i64::from(a < b)));
        for_all(|g, a, b| vec![g.same_integers(a, b), Bit::FALSE], |a, b| Some(i64::from(a == b)));
        for_all(|g, a, b| g.select_integer(sign(a), a, b), |a, b| Some(if a < 0 { a } else { b }));
    }

    /// As bit-vectors of one width, without sign.
    fn for_all_vectors(f: impl Fn(&mut Gates, &[Bit], &[Bit]) -> Bits, expected: impl Fn(i64, i64) -> i64) {
        let four = |bits: &[Bit]| widened(bits, WIDTH as usize);
        let unsigned = |mut bits: Bits| {
            bits.push(Bit::FALSE);
            bits
        };
        for_all(|g, a, b| unsigned(f(g, &four(a), &four(b))), |a, b| Some(expected(a & 15, b & 15) & 15));
    }

    #[test]
    fn vectors() {
        let signed = |a: i64| if a > 7 { a - 16 } else { a };
        for_all_vectors(|g, a, b| g.product(a, b), |a, b| a * b);
        for_all_vectors(|g, a, b| g.difference(a, b), |a, b| a - b);
        for_all_vectors(|g, a, _| g.negative_vector(a), |a, _| -a);
        for_all_vectors(|g, a, _| g.magnitude(a), |a, _| signed(a).abs());
        for_all_vectors(|g, a, b| g.long_division(a, b).quotient, |a, b| a.checked_div(b).unwrap_or(15));
        for_all_vectors(|g, a, b| g.long_division(a, b).remainder, |a, b| a.checked_rem(b).unwrap_or(a));
        for_all_vectors(|g, a, b| g.shifted(a, b, Shift::Left), |a, b| if b < 4 { a << b } else { 0 });
        for_all_vectors(|g, a, b| g.shifted(a, b, Shift::Right), |a, b| if b < 4 { a >> b } else { 0 });
        for_all_vectors(|g, a, b| g.shifted(a, b, Shift::RightSigned), |a, b| signed(a) >> b.min(3));
        for_all_vectors(|g, a, b| vec![g.below(a, b)], |a, b| i64::from(a < b));
    }
}
