//! Canonical bit-vector terms.
//!
//! Literals are folded by the evaluator's own functions ([`crate::value::bits`]); subtraction is addition of
//! the negation; comparisons are `bvule` and `bvsle` and their negations; commutative operators have sorted
//! arguments; `x·0`, `x+0`, `x&0` and the like are simplified. Widths are never changed implicitly.

use crate::sort::Sort;
use crate::term::{Op, Term, Terms};
use crate::value::bits;
use crate::{Integer, Rational};
use num_traits::{One, Zero};

/// How deep [`Terms::int_to_bv`] looks into its argument.
const MOST_NESTED: u32 = 4;

impl Terms {
    /// A bit-vector literal: the value modulo 2^width.
    pub fn bitvec(&mut self, value: impl Into<Integer>, width: u32) -> Term {
        let sort = self.bitvec_sort(width);
        let number = self.number(Rational::from_integer(bits::wrap(&value.into(), width)));
        self.intern(Op::BitVec(width, number), &[], sort)
    }

    /// `bvnot` or `bvneg`.
    pub fn bv_unary(&mut self, op: Op, argument: Term) -> Term {
        debug_assert!(matches!(op, Op::BvNot | Op::BvNeg));
        let width = self.width(argument);
        if let Some(value) = self.as_bitvec(argument) {
            let result = bits::unary(op, width, value);
            return self.bitvec(result, width);
        }
        if self.op(argument) == op {
            return self.args(argument)[0];
        }
        self.intern(op, &[argument], self.sort_of(argument))
    }

    /// A binary bit-vector operator with a bit-vector result of the same width.
    pub fn bv_binary(&mut self, op: Op, left: Term, right: Term) -> Term {
        debug_assert_eq!(self.sort_of(left), self.sort_of(right));
        let width = self.width(left);
        if let (Some(a), Some(b)) = (self.as_bitvec(left), self.as_bitvec(right)) {
            let result = bits::binary(op, width, a, b);
            return self.bitvec(result, width);
        }
        let commutes = matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul);
        let (left, right) = if commutes && right < left { (right, left) } else { (left, right) };
        if let Some(simple) = self.bv_with_literal(op, left, right) {
            return simple;
        }
        if left == right {
            match op {
                Op::BvAnd | Op::BvOr => return left,
                Op::BvXor => return self.bitvec(0, width),
                _ => {}
            }
        }
        self.intern(op, &[left, right], self.sort_of(left))
    }

    /// The laws about 0, 1 and all ones.
    fn bv_with_literal(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        let commutes = matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul);
        let shifts = matches!(op, Op::BvShl | Op::BvLshr | Op::BvAshr);
        let width = self.width(left);
        let (literal, other) = match (self.as_bitvec(left), self.as_bitvec(right)) {
            (Some(value), None) if commutes => (value, right),
            (None, Some(value)) if commutes || shifts => (value, left),
            _ => return None,
        };
        let ones = bits::ones(width);
        match op {
            Op::BvAnd if literal.is_zero() => Some(self.bitvec(0, width)),
            Op::BvMul if literal.is_zero() => Some(self.bitvec(0, width)),
            Op::BvAnd if *literal == ones => Some(other),
            Op::BvOr if *literal == ones => Some(self.bitvec(ones, width)),
            Op::BvXor if *literal == ones => Some(self.bv_unary(Op::BvNot, other)),
            Op::BvMul if literal.is_one() => Some(other),
            Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvShl | Op::BvLshr | Op::BvAshr if literal.is_zero() => {
                Some(other)
            }
            _ => None,
        }
    }

    /// `left − right`, wrapped.
    pub fn bv_sub(&mut self, left: Term, right: Term) -> Term {
        if left == right {
            let width = self.width(left);
            return self.bitvec(0, width);
        }
        let negated = self.bv_unary(Op::BvNeg, right);
        self.bv_binary(Op::BvAdd, left, negated)
    }

    /// `left ≤ right`, unsigned.
    pub fn bv_ule(&mut self, left: Term, right: Term) -> Term {
        self.bv_compare(Op::BvUle, left, right)
    }

    /// `left < right`, unsigned.
    pub fn bv_ult(&mut self, left: Term, right: Term) -> Term {
        let greater = self.bv_ule(right, left);
        self.not(greater)
    }

    /// `left ≤ right`, signed.
    pub fn bv_sle(&mut self, left: Term, right: Term) -> Term {
        self.bv_compare(Op::BvSle, left, right)
    }

    /// `left < right`, signed.
    pub fn bv_slt(&mut self, left: Term, right: Term) -> Term {
        let greater = self.bv_sle(right, left);
        self.not(greater)
    }

    fn bv_compare(&mut self, op: Op, left: Term, right: Term) -> Term {
        debug_assert_eq!(self.sort_of(left), self.sort_of(right));
        let width = self.width(left);
        if left == right {
            return Term::TRUE;
        }
        match (self.as_bitvec(left), self.as_bitvec(right)) {
            (Some(a), Some(b)) => return self.bool(bits::compare(op, width, a, b)),
            (Some(a), None) if op == Op::BvUle && a.is_zero() => return Term::TRUE,
            (None, Some(b)) if op == Op::BvUle && *b == bits::ones(width) => return Term::TRUE,
            _ => {}
        }
        self.intern(op, &[left, right], Sort::BOOL)
    }

    /// The bits of `high`, then those of `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (high_width, low_width) = (self.width(high), self.width(low));
        if let (Some(a), Some(b)) = (self.as_bitvec(high), self.as_bitvec(low)) {
            let joined = (a << low_width) + b;
            return self.bitvec(joined, high_width + low_width);
        }
        let sort = self.bitvec_sort(high_width + low_width);
        self.intern(Op::Concat, &[high, low], sort)
    }

    /// Bits `high` down to `low`, both included.
    pub fn extract(&mut self, high: u32, low: u32, argument: Term) -> Term {
        let width = self.width(argument);
        debug_assert!(low <= high && high < width);
        if high - low + 1 == width {
            return argument;
        }
        if let Some(value) = self.as_bitvec(argument) {
            let shifted = value >> low;
            return self.bitvec(shifted, high - low + 1);
        }
        let sort = self.bitvec_sort(high - low + 1);
        self.intern(Op::Extract { high, low }, &[argument], sort)
    }

    /// More bits in front, all zero.
    pub fn zero_extend(&mut self, by: u32, argument: Term) -> Term {
        let width = self.width(argument);
        if by == 0 {
            return argument;
        }
        if let Some(value) = self.as_bitvec(argument) {
            let value = value.clone();
            return self.bitvec(value, width + by);
        }
        let sort = self.bitvec_sort(width + by);
        self.intern(Op::ZeroExtend(by), &[argument], sort)
    }

    /// More bits in front, all equal to the sign.
    pub fn sign_extend(&mut self, by: u32, argument: Term) -> Term {
        let width = self.width(argument);
        if by == 0 {
            return argument;
        }
        if let Some(value) = self.as_bitvec(argument) {
            let signed = bits::signed(value, width);
            return self.bitvec(signed, width + by);
        }
        let sort = self.bitvec_sort(width + by);
        self.intern(Op::SignExtend(by), &[argument], sort)
    }

    /// The unsigned value of a bit-vector.
    pub fn bv_to_nat(&mut self, argument: Term) -> Term {
        if let Some(value) = self.as_bitvec(argument) {
            let value = value.clone();
            return self.int(value);
        }
        self.intern(Op::BvToNat, &[argument], Sort::INT)
    }

    /// The lowest bits of an integer.
    pub fn int_to_bv(&mut self, width: u32, argument: Term) -> Term {
        if let Some(bits) = self.low_bits(width, argument, MOST_NESTED) {
            return bits;
        }
        let sort = self.bitvec_sort(width);
        self.intern(Op::IntToBv(width), &[argument], sort)
    }

    /// The lowest bits of an integer that is itself the value of a bit-vector, with or without sign: that bit-vector.
    fn low_bits(&mut self, width: u32, integer: Term, depth: u32) -> Option<Term> {
        if let Some(value) = self.as_integer(integer) {
            let value = value.clone();
            return Some(self.bitvec(value, width));
        }
        if depth == 0 {
            return None;
        }
        match (self.op(integer), self.args(integer)) {
            (Op::BvToNat, &[bits]) => {
                let from = self.width(bits);
                Some(if from < width {
                    self.zero_extend(width - from, bits)
                } else {
                    self.extract(width - 1, 0, bits)
                })
            }
            // Multiples of 2^width do not count.
            (Op::Add, &[value, offset]) => {
                let multiple = bits::wrap(self.as_integer(offset)?, width).is_zero();
                if multiple { self.low_bits(width, value, depth - 1) } else { None }
            }
            (Op::Ite, &[_, then, otherwise]) => {
                let then = self.low_bits(width, then, depth - 1)?;
                let otherwise = self.low_bits(width, otherwise, depth - 1)?;
                (then == otherwise).then_some(then)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_folded_and_units_vanish() {
        let mut terms = Terms::new();
        let sort = terms.bitvec_sort(8);
        let x = terms.named("x", sort);
        let (zero, ones, big) = (terms.bitvec(0, 8), terms.bitvec(-1, 8), terms.bitvec(200, 8));
        assert_eq!(terms.bv_binary(Op::BvAdd, big, big), terms.bitvec(144, 8));
        assert_eq!(terms.bv_binary(Op::BvUdiv, big, zero), ones);
        assert_eq!(terms.bv_binary(Op::BvAnd, ones, x), x);
        assert_eq!(terms.bv_sub(x, x), zero);
        assert_eq!(terms.bv_slt(big, zero), Term::TRUE);
        assert_eq!(terms.bv_ult(x, zero), Term::FALSE);
        let wide = terms.sign_extend(8, big);
        assert_eq!(wide, terms.bitvec(0xffc8, 16));
        assert_eq!(terms.extract(7, 0, wide), big);
    }

    #[test]
    fn bits_of_a_number_made_of_bits_are_these() {
        let mut terms = Terms::new();
        let sort = terms.bitvec_sort(8);
        let (x, zero) = (terms.named("x", sort), terms.bitvec(0, 8));
        let (value, modulus) = (terms.bv_to_nat(x), terms.int(256));
        assert_eq!(terms.int_to_bv(8, value), x);
        assert_eq!(terms.int_to_bv(4, value), terms.extract(3, 0, x));
        assert_eq!(terms.int_to_bv(9, value), terms.zero_extend(1, x));
        let (negative, wrapped) = (terms.bv_slt(x, zero), terms.sub(value, modulus));
        let signed = terms.ite(negative, wrapped, value);
        assert_eq!(terms.int_to_bv(8, signed), x);
        assert_ne!(terms.int_to_bv(9, signed), terms.zero_extend(1, x));
    }
}
