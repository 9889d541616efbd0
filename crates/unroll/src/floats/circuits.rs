//! Gates for floating-point operations of IEEE 754, for all formats and all ways of rounding.
//!
//! As in a textbook: a pattern is unpacked into its class and, for finite numbers, sign, exponent and magnitude. The
//! operation is done on these, exactly or with a bit that says whether something below was lost; the result is packed,
//! which normalises and rounds it. Special cases are chosen in the end. There is only one pattern for NaN.

use crate::gates::{Bit, Gates};
use crate::numbers::{Bits, Shift, integer, sign, small, vector, widened};
use float::{Format, Operation, Rounding};
use num_bigint::{BigInt, BigUint};

/// A result.
pub(super) enum Outcome {
    Truth(Bit),
    Pattern(Bits),
}

/// A pattern, unpacked.
struct Unpacked {
    nan: Bit,
    infinite: Bit,
    zero: Bit,
    negative: Bit,
    /// If it is finite, it is the magnitude times two to this integer.
    exponent: Bits,
    magnitude: Bits,
}

/// A number that is to be packed: the magnitude times two to the exponent, and a little more if something was lost.
struct Number {
    negative: Bit,
    exponent: Bits,
    magnitude: Bits,
    lost: Bit,
}

/// A format, and how numbers are rounded to it.
#[derive(Clone, Copy)]
struct Goal {
    format: Format,
    rounding: Rounding,
}

/// How many bits the significand of a format has, with the one that is not stored.
fn precision(format: Format) -> usize {
    format.significand() as usize
}

fn bias(format: Format) -> i64 {
    (1 << (format.exponent() - 1)) - 1
}

fn constant(format: Format, pattern: BigUint) -> Bits {
    vector(&BigInt::from(pattern), format.width() as usize)
}

/// The pattern with another sign.
fn signed(negative: Bit, pattern: &[Bit]) -> Bits {
    let mut pattern = pattern.to_vec();
    pattern.pop();
    pattern.push(negative);
    pattern
}

fn number_of(count: usize) -> Bits {
    integer(&BigInt::from(count))
}

impl Gates {
    /// The result of an operation on patterns; none if it has no circuit.
    pub(super) fn float(&mut self, operation: Operation, arguments: &[Bits]) -> Option<Outcome> {
        use Operation::*;
        let (rounding, operation) = operation.undirected();
        let goal = |format| Goal { format, rounding };
        let truth = |bit| Some(Outcome::Truth(bit));
        let pattern = match (operation, arguments) {
            (Equal(format), [a, b]) => return truth(self.float_same(format, a, b)),
            (Less(format), [a, b]) => return truth(self.float_less(format, a, b)),
            (LessEqual(format), [a, b]) => {
                let (less, same) = (self.float_less(format, a, b), self.float_same(format, a, b));
                return truth(self.or(less, same));
            }
            (Add(format), [a, b]) => self.float_sum(goal(format), a, b),
            (Subtract(format), [a, b]) => self.float_sum(goal(format), a, &signed(!sign(b), b)),
            (Multiply(format), [a, b]) => self.float_product(goal(format), a, b),
            (Divide(format), [a, b]) => self.float_quotient(goal(format), a, b),
            (SquareRoot(format), [a]) => self.float_root(goal(format), a),
            (Round(rounding, format), [a]) => self.float_whole(Goal { format, rounding }, a),
            (Convert { from, to }, [a]) => self.float_converted(from, goal(to), a),
            (FromSigned { to, .. }, [a]) => {
                let magnitude = self.magnitude(a);
                self.packed(
                    goal(to),
                    Number { negative: sign(a), exponent: small(0), magnitude, lost: Bit::FALSE },
                )
            }
            (FromUnsigned { to, .. }, [a]) => {
                let (negative, magnitude) = (Bit::FALSE, a.clone());
                self.packed(goal(to), Number { negative, exponent: small(0), magnitude, lost: Bit::FALSE })
            }
            (ToSigned { from, width }, [a]) => self.float_to_signed(from, width.into(), a),
            (ToUnsigned { from, width }, [a]) => self.float_to_unsigned(from, width.into(), a),
            _ => return None,
        };
        Some(Outcome::Pattern(pattern))
    }

    fn unpacked(&mut self, format: Format, pattern: &[Bit]) -> Unpacked {
        let stored = precision(format) - 1;
        let (fraction, rest) = pattern.split_at(stored);
        let (negative, field) = rest.split_last().expect("a pattern has a sign");
        let field_full = self.all(field.iter().copied());
        let field_zero = self.is_zero(field);
        let fraction_zero = self.is_zero(fraction);
        // The field zero means the same exponent as the field one, and a significand that begins with zero.
        let mut exponent = field.to_vec();
        exponent[0] = self.or(exponent[0], field_zero);
        exponent.push(Bit::FALSE);
        let lowest = integer(&(BigInt::from(bias(format)) + stored));
        let mut magnitude = fraction.to_vec();
        magnitude.push(!field_zero);
        Unpacked {
            nan: self.and(field_full, !fraction_zero),
            infinite: self.and(field_full, fraction_zero),
            zero: self.and(field_zero, fraction_zero),
            negative: *negative,
            exponent: self.minus(&exponent, &lowest),
            magnitude,
        }
    }

    /// Moves a magnitude to the high end until its highest bit is one, unless it is zero, and lowers the exponent by as much.
    fn normalised(&mut self, magnitude: &[Bit], exponent: &[Bit]) -> (Bits, Bits) {
        let width = magnitude.len();
        let mut bits = magnitude.to_vec();
        let mut distance = Vec::new();
        let powers = (0..usize::BITS).take_while(|&power| 1 << power < width);
        for power in powers.collect::<Vec<_>>().into_iter().rev() {
            let step = 1 << power;
            let empty = self.is_zero(&bits[width - step..]);
            let moved: Bits =
                vec![Bit::FALSE; step].into_iter().chain(bits[..width - step].iter().copied()).collect();
            bits = self.select(empty, &moved, &bits);
            distance.push(empty);
        }
        distance.reverse();
        distance.push(Bit::FALSE);
        let exponent = self.minus(exponent, &distance);
        (bits, exponent)
    }

    /// Moves a magnitude to the low end by a number without sign; also whether something was lost.
    fn lowered(&mut self, magnitude: &[Bit], by: &[Bit]) -> (Bits, Bit) {
        let width = magnitude.len();
        let (mut bits, mut lost) = (magnitude.to_vec(), Bit::FALSE);
        for (at, &amount) in by.iter().enumerate() {
            let step = 1_usize.checked_shl(at as u32).unwrap_or(width).min(width);
            let some = self.any(bits[..step].iter().copied());
            let loses = self.and(amount, some);
            lost = self.or(lost, loses);
            let moved: Bits = bits[step..].iter().copied().chain(vec![Bit::FALSE; step]).collect();
            bits = self.select(amount, &moved, &bits);
        }
        (bits, lost)
    }

    /// An integer without its sign; zero if it is negative.
    fn not_negative(&mut self, number: &[Bit]) -> Bits {
        let (&minus, bits) = number.split_last().expect("an integer has a sign");
        self.masked(bits, !minus)
    }

    /// Whether a magnitude is to be made larger by one unit when half of a unit and more are cut off.
    fn rounds_up(&mut self, rounding: Rounding, negative: Bit, last: Bit, half: Bit, more: Bit) -> Bit {
        let any = self.or(half, more);
        match rounding {
            Rounding::NearestEven => {
                let not_tie_or_odd = self.or(more, last);
                self.and(half, not_tie_or_odd)
            }
            Rounding::NearestAway => half,
            Rounding::Up => self.and(any, !negative),
            Rounding::Down => self.and(any, negative),
            Rounding::Zero => Bit::FALSE,
        }
    }

    /// The pattern of the number, normalised and rounded.
    fn packed(&mut self, goal: Goal, number: Number) -> Bits {
        let Goal { format, rounding } = goal;
        let kept = precision(format);
        // There is room for half of a unit and for more below.
        let padding = (kept + 2).saturating_sub(number.magnitude.len());
        let padded: Bits =
            vec![Bit::FALSE; padding].into_iter().chain(number.magnitude.iter().copied()).collect();
        let width = padded.len();
        let (magnitude, exponent) = self.normalised(&padded, &number.exponent);
        // The exponent of the highest bit, as it is stored if that is at least one.
        let offset = BigInt::from(bias(format)) + width - 1 - padding;
        let field = self.plus(&exponent, &integer(&offset));
        let subnormal = self.less(&field, &small(1));
        let distance = self.minus(&small(1), &field);
        let distance = self.not_negative(&distance);
        let (magnitude, lost) = self.lowered(&magnitude, &distance);
        let cut = width - kept;
        let half = magnitude[cut - 1];
        let below = self.any(magnitude[..cut - 1].iter().copied());
        let lost = self.or(lost, number.lost);
        let more = self.or(below, lost);
        let up = self.rounds_up(rounding, number.negative, magnitude[cut], half, more);
        // Fraction and exponent stand side by side: a carry out of the fraction makes the exponent right.
        let fields = format.exponent() as usize;
        let stored = self.masked(&widened(&field, fields)[..fields], !subnormal);
        let unrounded: Bits = magnitude[cut..width - 1].iter().copied().chain(stored).collect();
        let mut pattern = self.sum(&unrounded, &vec![Bit::FALSE; unrounded.len()], up).0;
        pattern.push(Bit::FALSE);
        let fits = self.less(&field, &integer(&((BigInt::from(1) << fields) - 1)));
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => Bit::TRUE,
            Rounding::Up => !number.negative,
            Rounding::Down => number.negative,
            Rounding::Zero => Bit::FALSE,
        };
        let (infinity, largest) = (constant(format, format.infinity()), constant(format, format.largest()));
        let too_large = self.select(to_infinity, &infinity, &largest);
        let pattern = self.select(fits, &pattern, &too_large);
        let zero = self.is_zero(&number.magnitude);
        let pattern = self.masked(&pattern, !zero);
        signed(number.negative, &pattern)
    }

    fn or_infinity(&mut self, infinite: Bit, negative: Bit, format: Format, pattern: &[Bit]) -> Bits {
        let infinity = signed(negative, &constant(format, format.infinity()));
        self.select(infinite, &infinity, pattern)
    }

    fn or_nan(&mut self, nan: Bit, format: Format, pattern: &[Bit]) -> Bits {
        self.select(nan, &constant(format, format.nan()), pattern)
    }

    fn float_same(&mut self, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
        let (x, y) = (self.unpacked(format, a), self.unpacked(format, b));
        let same = self.same_bits(a, b);
        let zeros = self.and(x.zero, y.zero);
        let same = self.or(same, zeros);
        let nan = self.or(x.nan, y.nan);
        self.and(same, !nan)
    }

    fn float_less(&mut self, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
        let (x, y) = (self.unpacked(format, a), self.unpacked(format, b));
        // Without signs, numbers are in the order of their patterns.
        let (a, b) = (&a[..a.len() - 1], &b[..b.len() - 1]);
        let (below, above) = (self.below(a, b), self.below(b, a));
        let of_one_sign = self.choice(x.negative, above, below);
        let zeros = self.and(x.zero, y.zero);
        let of_two_signs = self.and(x.negative, !zeros);
        let differ = self.xor(x.negative, y.negative);
        let less = self.choice(differ, of_two_signs, of_one_sign);
        let nan = self.or(x.nan, y.nan);
        self.and(less, !nan)
    }

    fn float_sum(&mut self, goal: Goal, a: &[Bit], b: &[Bit]) -> Bits {
        let format = goal.format;
        // The one of larger magnitude comes first.
        let swapped = self.below(&a[..a.len() - 1], &b[..b.len() - 1]);
        let (first, second) = (self.select(swapped, b, a), self.select(swapped, a, b));
        let (x, y) = (self.unpacked(format, &first), self.unpacked(format, &second));
        let apart = self.minus(&x.exponent, &y.exponent);
        let apart = self.not_negative(&apart);
        // Three bits below are enough: if more than one of them is lost in the second, at most one place of the
        // difference vanishes at the high end. The lowest bit stands for all that is lost.
        let with_room = |magnitude: &[Bit]| -> Bits {
            [Bit::FALSE; 3].into_iter().chain(magnitude.iter().copied()).chain([Bit::FALSE]).collect()
        };
        let (mut lowered, lost) = self.lowered(&with_room(&y.magnitude), &apart);
        lowered[0] = self.or(lowered[0], lost);
        let differ = self.xor(x.negative, y.negative);
        let addend: Bits = lowered.iter().map(|&bit| self.xor(bit, differ)).collect();
        let magnitude = self.sum(&with_room(&x.magnitude), &addend, differ).0;
        // x - x is zero, and positive unless results are rounded down.
        let nothing = self.is_zero(&magnitude);
        let cancelled = self.and(nothing, differ);
        let sign_of_zero = Bit::of(goal.rounding == Rounding::Down);
        let negative = self.choice(cancelled, sign_of_zero, x.negative);
        let exponent = self.minus(&x.exponent, &small(3));
        let sum = self.packed(goal, Number { negative, exponent, magnitude, lost: Bit::FALSE });
        // What is infinite or NaN is never smaller than what is not.
        let sum = self.or_infinity(x.infinite, x.negative, format, &sum);
        let infinities = self.and(x.infinite, y.infinite);
        let undefined = self.and(infinities, differ);
        let nan = self.any([x.nan, y.nan, undefined]);
        self.or_nan(nan, format, &sum)
    }

    fn float_product(&mut self, goal: Goal, a: &[Bit], b: &[Bit]) -> Bits {
        let format = goal.format;
        let (x, y) = (self.unpacked(format, a), self.unpacked(format, b));
        let mut wide = x.magnitude.clone();
        wide.resize(2 * precision(format), Bit::FALSE);
        let magnitude = self.product(&wide, &y.magnitude);
        let exponent = self.plus(&x.exponent, &y.exponent);
        let negative = self.xor(x.negative, y.negative);
        let product = self.packed(goal, Number { negative, exponent, magnitude, lost: Bit::FALSE });
        let infinite = self.or(x.infinite, y.infinite);
        let product = self.or_infinity(infinite, negative, format, &product);
        let zero = self.or(x.zero, y.zero);
        let undefined = self.and(infinite, zero);
        let nan = self.any([x.nan, y.nan, undefined]);
        self.or_nan(nan, format, &product)
    }

    fn float_quotient(&mut self, goal: Goal, a: &[Bit], b: &[Bit]) -> Bits {
        let format = goal.format;
        let (x, y) = (self.unpacked(format, a), self.unpacked(format, b));
        let (dividend, above) = self.normalised(&x.magnitude, &x.exponent);
        let (divisor, below) = self.normalised(&y.magnitude, &y.exponent);
        // Long division with digits behind the point. Both numbers begin with a one, so the first digit that is not zero
        // is the first or the second.
        let digits = precision(format) + 3;
        let minus: Bits = divisor.iter().map(|&bit| !bit).chain([Bit::TRUE]).collect();
        let mut remainder: Bits = dividend.into_iter().chain([Bit::FALSE]).collect();
        let mut quotient = Vec::with_capacity(digits);
        for _ in 0..digits {
            let (difference, fits) = self.sum(&remainder, &minus, Bit::TRUE);
            quotient.push(fits);
            remainder = self.select(fits, &difference, &remainder);
            // It is below the divisor now, so its highest bit is zero and it can be doubled.
            remainder.rotate_right(1);
            remainder[0] = Bit::FALSE;
        }
        quotient.reverse();
        let lost = self.any(remainder.iter().copied());
        let exponent = self.minus(&above, &below);
        let exponent = self.minus(&exponent, &number_of(digits - 1));
        let negative = self.xor(x.negative, y.negative);
        let result = self.packed(goal, Number { negative, exponent, magnitude: quotient, lost });
        let nothing = self.or(x.zero, y.infinite);
        let zero = signed(negative, &vec![Bit::FALSE; a.len()]);
        let result = self.select(nothing, &zero, &result);
        let infinite = self.or(x.infinite, y.zero);
        let result = self.or_infinity(infinite, negative, format, &result);
        let (zeros, infinities) = (self.and(x.zero, y.zero), self.and(x.infinite, y.infinite));
        let nan = self.any([x.nan, y.nan, zeros, infinities]);
        self.or_nan(nan, format, &result)
    }

    fn float_root(&mut self, goal: Goal, a: &[Bit]) -> Bits {
        let format = goal.format;
        let x = self.unpacked(format, a);
        let (magnitude, exponent) = self.normalised(&x.magnitude, &x.exponent);
        // The magnitude gets one bit below if it has an even number of bits, and one above in any case; so it has an even
        // number, in pairs from the low end, and if the exponent is odd it is doubled.
        let even = magnitude.len() % 2 == 0;
        let exponent = if even { self.minus(&exponent, &small(1)) } else { exponent };
        let below = if even { vec![Bit::FALSE] } else { Vec::new() };
        let square: Bits = below.into_iter().chain(magnitude).chain([Bit::FALSE]).collect();
        let mut doubled = square.clone();
        doubled.rotate_right(1);
        let square = self.select(exponent[0], &doubled, &square);
        let half: Bits = if exponent.len() > 1 { exponent[1..].to_vec() } else { exponent };
        // Digit by digit: with the remainder r and the root q so far, the next pair of bits p and the next digit d, it is
        // 4r + p - d·(4q + d) that remains, and d is one if that is not negative.
        let digits = precision(format) + 3;
        let (mut root, mut remainder): (Bits, Bits) = (Vec::new(), vec![Bit::FALSE; 2]);
        for digit in 0..digits {
            let from_top = |place: usize| square.len().checked_sub(place).map_or(Bit::FALSE, |at| square[at]);
            let pair = [from_top(2 * digit + 2), from_top(2 * digit + 1)];
            let four_r: Bits = pair.into_iter().chain(remainder.iter().copied()).collect();
            let mut part: Bits = [Bit::TRUE, Bit::FALSE].into_iter().chain(root.iter().copied()).collect();
            part.resize(four_r.len(), Bit::FALSE);
            let minus: Bits = part.iter().map(|&bit| !bit).collect();
            let (difference, fits) = self.sum(&four_r, &minus, Bit::TRUE);
            remainder = self.select(fits, &difference, &four_r);
            root.insert(0, fits);
            // The remainder is at most twice the root.
            remainder.truncate(root.len() + 2);
        }
        let lost = self.any(remainder.iter().copied());
        // One digit for every pair; the others are behind the point.
        let exponent = self.minus(&half, &number_of(digits - square.len() / 2));
        let number = Number { negative: Bit::FALSE, exponent, magnitude: root, lost };
        let result = self.packed(goal, number);
        let result = self.or_infinity(x.infinite, Bit::FALSE, format, &result);
        let below_zero = self.and(x.negative, !x.zero);
        let nan = self.or(x.nan, below_zero);
        let result = self.or_nan(nan, format, &result);
        // The root of a zero is that zero.
        self.select(x.zero, a, &result)
    }

    fn float_whole(&mut self, goal: Goal, a: &[Bit]) -> Bits {
        let x = self.unpacked(goal.format, a);
        let is_whole = !sign(&x.exponent);
        let distance = self.minus(&small(0), &x.exponent);
        let distance = self.not_negative(&distance);
        let with_room: Bits = [Bit::FALSE; 2].into_iter().chain(x.magnitude.iter().copied()).collect();
        let (lowered, lost) = self.lowered(&with_room, &distance);
        let more = self.or(lowered[0], lost);
        let up = self.rounds_up(goal.rounding, x.negative, lowered[2], lowered[1], more);
        let kept: Bits = lowered[2..].iter().copied().chain([Bit::FALSE]).collect();
        let magnitude = self.sum(&kept, &vec![Bit::FALSE; kept.len()], up).0;
        // It has no more bits than the format, so nothing is rounded a second time.
        let number = Number { negative: x.negative, exponent: small(0), magnitude, lost: Bit::FALSE };
        let whole = self.packed(Goal { rounding: Rounding::NearestEven, ..goal }, number);
        let stays = self.or(is_whole, x.infinite);
        let whole = self.select(stays, a, &whole);
        self.or_nan(x.nan, goal.format, &whole)
    }

    fn float_converted(&mut self, from: Format, goal: Goal, a: &[Bit]) -> Bits {
        let Unpacked { nan, infinite, negative, exponent, magnitude, .. } = self.unpacked(from, a);
        let converted = self.packed(goal, Number { negative, exponent, magnitude, lost: Bit::FALSE });
        let converted = self.or_infinity(infinite, negative, goal.format, &converted);
        self.or_nan(nan, goal.format, &converted)
    }

    /// The whole part of the magnitude in so many bits; zero if it has more, or is not a number.
    fn whole_part(&mut self, format: Format, width: usize, x: &Unpacked) -> Bits {
        let stored = precision(format) - 1;
        // The exponent of the highest bit says by how much the magnitude is moved to the left of the point.
        let highest = self.plus(&x.exponent, &number_of(stored));
        let fits = self.less(&highest, &number_of(width));
        let no_number = self.or(x.nan, x.infinite);
        let some = self.all([fits, !no_number, !sign(&highest)]);
        let mut bits = x.magnitude.clone();
        bits.resize(stored + 1 + width, Bit::FALSE);
        let places = (usize::BITS - width.leading_zeros()) as usize;
        let moved = self.shifted(&bits, &widened(&highest, places)[..places], Shift::Left);
        self.masked(&moved[stored..stored + width], some)
    }

    fn float_to_signed(&mut self, format: Format, width: usize, a: &[Bit]) -> Bits {
        let x = self.unpacked(format, a);
        let whole = self.whole_part(format, width, &x);
        // The highest bit is a sign, so it may be set only in the least number.
        let rest = self.is_zero(&whole[..width - 1]);
        let least = self.and(rest, x.negative);
        let too_large = self.and(sign(&whole), !least);
        let negative = self.negative_vector(&whole);
        let value = self.select(x.negative, &negative, &whole);
        self.masked(&value, !too_large)
    }

    fn float_to_unsigned(&mut self, format: Format, width: usize, a: &[Bit]) -> Bits {
        let x = self.unpacked(format, a);
        let whole = self.whole_part(format, width, &x);
        self.masked(&whole, !x.negative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::as_vector;
    use base::Random;
    use float::Output;

    fn agrees(operation: Operation, arguments: &[BigUint]) {
        let expected = operation.evaluate(&arguments.iter().collect::<Vec<_>>());
        let widths = operation.shape().arguments;
        let bits: Vec<Bits> = arguments
            .iter()
            .zip(widths)
            .map(|(value, width)| vector(&BigInt::from(value.clone()), width as usize))
            .collect();
        let found = match Gates::default().float(operation, &bits) {
            Some(Outcome::Truth(bit)) => Output::Truth(bit.constant().expect("constants are folded")),
            Some(Outcome::Pattern(bits)) => {
                let value = as_vector(&bits).expect("constants are folded");
                Output::Bits(value.to_biguint().expect("without sign"))
            }
            None => return assert!(matches!(operation, Operation::Remainder(_)), "{operation}"),
        };
        assert_eq!(found, expected, "{operation} of {arguments:?}");
    }

    #[test]
    fn small_formats_agree_for_all_arguments() {
        for (exponent, significand) in [(2, 2), (3, 2), (2, 3), (3, 3)] {
            let format = Format::new(exponent, significand).expect("a format");
            // With all ways of rounding.
            for operation in Operation::all(format, 4) {
                let widths = operation.shape().arguments;
                for a in 0_u32..1 << widths[0] {
                    for b in 0_u32..widths.get(1).map_or(1, |width| 1 << width) {
                        let arguments = [a.into(), b.into()];
                        agrees(operation, &arguments[..widths.len()]);
                    }
                }
            }
        }
        let (narrow, wide) = (Format::new(3, 3).expect("a format"), Format::new(4, 6).expect("a format"));
        for (from, to) in [(narrow, wide), (wide, narrow)] {
            for a in 0_u32..1 << from.width() {
                agrees(Operation::Convert { from, to }, &[a.into()]);
            }
        }
    }

    /// Any pattern; in some of them most bits are alike, as near to borders.
    fn any(random: &mut Random, width: u32) -> BigUint {
        let (kind, mut value) = (random.below(4), BigUint::ZERO);
        for at in 0..u64::from(width) {
            let bit = match kind {
                0 => random.once_in(2),
                1 => random.once_in(20),
                2 => !random.once_in(20),
                _ => at > u64::from(width) / 2 && random.once_in(2),
            };
            value.set_bit(at, bit);
        }
        value
    }

    #[test]
    fn formats_of_c_agree() {
        let mut random = Random::new(11);
        for format in [Format::SINGLE, Format::DOUBLE, Format::EXTENDED] {
            let to = if format == Format::DOUBLE { Format::SINGLE } else { Format::DOUBLE };
            let mut operations = Operation::all(format, 32);
            operations.extend(Operation::all(format, 64));
            operations.push(Operation::Convert { from: format, to });
            for operation in operations {
                for _ in 0..20 {
                    let widths = operation.shape().arguments;
                    let arguments: Vec<BigUint> =
                        widths.iter().map(|&width| any(&mut random, width)).collect();
                    agrees(operation, &arguments);
                }
            }
        }
    }
}
