//! Floating-point operations as circuits, for any format.
//!
//! A bit pattern is taken apart into sign, exponent and magnitude; the exact result, or one of which the bits below say only
//! whether there are any, is made of these, and brought into the format again by [`Circuit::rounded`]. The results are those
//! of [`Operation::evaluate`], bit for bit; NaN is always the same pattern. Remainders have no circuit: theirs would be as
//! long as the exponents are far apart.

use crate::circuit::{Bit, Circuit};
use crate::words::{Bits, extend, integer, sign, unsigned};
use float::{Format, Operation, Rounding};
use num_bigint::BigInt;

/// A bit pattern, taken apart: (-1)^`negative` · `magnitude` · 2^`exponent` if it is neither NaN nor infinite.
struct Parts {
    nan: Bit,
    infinite: Bit,
    zero: Bit,
    negative: Bit,
    /// An integer.
    exponent: Bits,
    /// As many bits as the significand has.
    magnitude: Bits,
}

/// A number that is not yet in a format: (-1)^`negative` · `magnitude` · 2^`exponent`, or less than a unit more if there is
/// `more`.
struct Exact {
    negative: Bit,
    exponent: Bits,
    magnitude: Bits,
    more: Bit,
}

/// A format, and how results are rounded to it.
#[derive(Clone, Copy)]
struct Target {
    format: Format,
    rounding: Rounding,
}

/// What is lost and what is left of a number that is moved to the low end.
struct Moved {
    bits: Bits,
    lost: Bit,
}

/// A result of an operation.
pub(crate) enum Computed {
    Truth(Bit),
    Bits(Bits),
}

fn significand(format: Format) -> usize {
    format.significand() as usize
}

fn bias(format: Format) -> i64 {
    (1 << (format.exponent() - 1)) - 1
}

/// The pattern of a constant of the format.
fn pattern(format: Format, value: num_bigint::BigUint) -> Bits {
    unsigned(&value.into(), format.width() as usize)
}

fn with_sign(negative: Bit, mut pattern: Bits) -> Bits {
    if let Some(last) = pattern.last_mut() {
        *last = negative;
    }
    pattern
}

impl Circuit {
    /// The result of an operation on bit patterns of its widths; none if it has no circuit.
    pub(crate) fn float(&mut self, operation: Operation, arguments: &[Bits]) -> Option<Computed> {
        use Operation::*;
        let (rounding, operation) = operation.undirected();
        let target = |format| Target { format, rounding };
        let bits = match (operation, arguments) {
            (Equal(format), [a, b]) => return Some(Computed::Truth(self.float_equal(format, a, b))),
            (Less(format), [a, b]) => return Some(Computed::Truth(self.float_less(format, a, b))),
            (LessEqual(format), [a, b]) => {
                let (less, equal) = (self.float_less(format, a, b), self.float_equal(format, a, b));
                return Some(Computed::Truth(self.or(less, equal)));
            }
            (Add(format), [a, b]) => self.float_add(target(format), a, b),
            (Subtract(format), [a, b]) => {
                let negated = with_sign(!sign(b), b.clone());
                self.float_add(target(format), a, &negated)
            }
            (Multiply(format), [a, b]) => self.float_multiply(target(format), a, b),
            (Divide(format), [a, b]) => self.float_divide(target(format), a, b),
            (SquareRoot(format), [a]) => self.float_root(target(format), a),
            (Round(rounding, format), [a]) => self.float_round(rounding, format, a),
            (Convert { from, to }, [a]) => self.float_convert(from, target(to), a),
            (FromSigned { to, .. }, [a]) => {
                let magnitude = self.absolute_bits(a);
                let exact =
                    Exact { negative: sign(a), exponent: integer(&0.into()), magnitude, more: Bit::FALSE };
                self.rounded(target(to), exact)
            }
            (FromUnsigned { to, .. }, [a]) => {
                let exponent = integer(&0.into());
                let exact = Exact { negative: Bit::FALSE, exponent, magnitude: a.clone(), more: Bit::FALSE };
                self.rounded(target(to), exact)
            }
            (ToSigned { from, width }, [a]) => self.float_to_signed(from, width.into(), a),
            (ToUnsigned { from, width }, [a]) => self.float_to_unsigned(from, width.into(), a),
            _ => return None,
        };
        Some(Computed::Bits(bits))
    }

    fn all(&mut self, bits: &[Bit]) -> Bit {
        bits.iter().fold(Bit::TRUE, |all, &bit| self.and(all, bit))
    }

    fn parts(&mut self, format: Format, bits: &[Bit]) -> Parts {
        let stored = significand(format) - 1;
        let (fraction, rest) = bits.split_at(stored);
        let (field, negative) = rest.split_at(rest.len() - 1);
        let (top, bottom) = (self.all(field), self.is_zero(field));
        let no_fraction = self.is_zero(fraction);
        let mut magnitude = fraction.to_vec();
        magnitude.push(!bottom);
        // The least exponent stands for the same unit as the next one.
        let mut exponent = field.to_vec();
        exponent[0] = self.or(exponent[0], bottom);
        exponent.push(Bit::FALSE);
        let offset = BigInt::from(bias(format)) + stored;
        Parts {
            nan: self.and(top, !no_fraction),
            infinite: self.and(top, no_fraction),
            zero: self.and(bottom, no_fraction),
            negative: negative[0],
            exponent: self.subtract(&exponent, &integer(&offset)),
            magnitude,
        }
    }

    /// Moves a number so that its highest bit is one, unless it is zero.
    fn normalised(&mut self, magnitude: &[Bit], exponent: &[Bit]) -> (Bits, Bits) {
        let (mut bits, mut exponent) = (magnitude.to_vec(), exponent.to_vec());
        let width = bits.len();
        let mut moved: Bits = Vec::new();
        for power in (0..usize::BITS - width.leading_zeros()).rev() {
            let distance = 1 << power;
            if distance >= width {
                continue;
            }
            let empty = self.is_zero(&bits[width - distance..]);
            let mut shifted = vec![Bit::FALSE; distance];
            shifted.extend(&bits[..width - distance]);
            bits = self.choose(empty, &shifted, &bits);
            moved.insert(0, empty);
        }
        moved.push(Bit::FALSE);
        exponent = self.subtract(&exponent, &moved);
        (bits, exponent)
    }

    /// Moves a number to the low end, by a number without sign.
    fn moved_down(&mut self, bits: &[Bit], by: &[Bit]) -> Moved {
        let width = bits.len();
        let mut moved = Moved { bits: bits.to_vec(), lost: Bit::FALSE };
        for (at, &amount) in by.iter().enumerate() {
            let distance = 1_usize.checked_shl(at as u32).unwrap_or(usize::MAX).min(width);
            let any = !self.is_zero(&moved.bits[..distance]);
            let lost = self.and(amount, any);
            moved.lost = self.or(moved.lost, lost);
            let mut shifted = moved.bits[distance..].to_vec();
            shifted.resize(width, Bit::FALSE);
            moved.bits = self.choose(amount, &shifted, &moved.bits);
        }
        moved
    }

    /// The number without its sign bit if it is positive, and zero otherwise.
    fn positive_part(&mut self, number: &[Bit]) -> Bits {
        let negative = sign(number);
        number[..number.len() - 1].iter().map(|&bit| self.and(bit, !negative)).collect()
    }

    /// The number of the format that an exact one is rounded to.
    fn rounded(&mut self, target: Target, exact: Exact) -> Bits {
        let format = target.format;
        let kept = significand(format);
        // At least two bits below those that are kept, so that what is lost has a place.
        let below = (kept + 2).saturating_sub(exact.magnitude.len());
        let mut magnitude = vec![Bit::FALSE; below];
        magnitude.extend(&exact.magnitude);
        let width = magnitude.len();
        let (magnitude, exponent) = self.normalised(&magnitude, &exact.exponent);
        // What the exponent is stored as, if the number is not below the least with a whole significand.
        let offset = BigInt::from(bias(format)) + width - 1 - below;
        let stored = self.add(&exponent, &integer(&offset));
        let one = integer(&1.into());
        let small = self.less(&stored, &one);
        let distance = self.subtract(&one, &stored);
        let distance = self.positive_part(&distance);
        let moved = self.moved_down(&magnitude, &distance);
        let cut = width - kept;
        let half = moved.bits[cut - 1];
        let rest = !self.is_zero(&moved.bits[..cut - 1]);
        let more = self.or(moved.lost, exact.more);
        let more = self.or(more, rest);
        let any = self.or(half, more);
        let up = match target.rounding {
            Rounding::NearestEven => {
                let odd = self.or(more, moved.bits[cut]);
                self.and(half, odd)
            }
            Rounding::NearestAway => half,
            Rounding::Up => self.and(any, !exact.negative),
            Rounding::Down => self.and(any, exact.negative),
            Rounding::Zero => Bit::FALSE,
        };
        // Rounding up may carry into the exponent, which is then right as well.
        let fields = format.exponent() as usize;
        let field: Bits =
            extend(&stored, fields).iter().take(fields).map(|&bit| self.and(bit, !small)).collect();
        let mut pattern_bits = moved.bits[cut..width - 1].to_vec();
        pattern_bits.extend(field);
        let zeros = vec![Bit::FALSE; pattern_bits.len()];
        let (mut rounded, _) = self.add_carry(&pattern_bits, &zeros, up);
        rounded.push(Bit::FALSE);
        let top = (BigInt::from(1) << format.exponent()) - 1;
        let large = !self.less(&stored, &integer(&top));
        let overflows = match target.rounding {
            Rounding::NearestEven | Rounding::NearestAway => Bit::TRUE,
            Rounding::Up => !exact.negative,
            Rounding::Down => exact.negative,
            Rounding::Zero => Bit::FALSE,
        };
        let (infinity, largest) = (pattern(format, format.infinity()), pattern(format, format.largest()));
        let beyond = self.choose(overflows, &infinity, &largest);
        let rounded = self.choose(large, &beyond, &rounded);
        let zero = self.is_zero(&exact.magnitude);
        let rounded: Bits = rounded.iter().map(|&bit| self.and(bit, !zero)).collect();
        with_sign(exact.negative, rounded)
    }

    fn nan_or(&mut self, nan: Bit, format: Format, bits: &[Bit]) -> Bits {
        self.choose(nan, &pattern(format, format.nan()), bits)
    }

    fn infinite_or(&mut self, infinite: Bit, negative: Bit, format: Format, bits: &[Bit]) -> Bits {
        let infinity = with_sign(negative, pattern(format, format.infinity()));
        self.choose(infinite, &infinity, bits)
    }

    fn float_equal(&mut self, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let same = self.equal_bits(a, b);
        let zeros = self.and(x.zero, y.zero);
        let alike = self.or(same, zeros);
        let nan = self.or(x.nan, y.nan);
        self.and(alike, !nan)
    }

    fn float_less(&mut self, format: Format, a: &[Bit], b: &[Bit]) -> Bit {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let last = a.len() - 1;
        // Without their signs, patterns are in the order of the numbers.
        let less = self.less_unsigned(&a[..last], &b[..last]);
        let greater = self.less_unsigned(&b[..last], &a[..last]);
        let same_sign = self.mux(x.negative, greater, less);
        let zeros = self.and(x.zero, y.zero);
        let other_sign = self.and(x.negative, !zeros);
        let differ = self.xor(x.negative, y.negative);
        let less = self.mux(differ, other_sign, same_sign);
        let nan = self.or(x.nan, y.nan);
        self.and(less, !nan)
    }

    fn float_add(&mut self, target: Target, a: &[Bit], b: &[Bit]) -> Bits {
        let format = target.format;
        // The first is the one of larger magnitude.
        let last = a.len() - 1;
        let swap = self.less_unsigned(&a[..last], &b[..last]);
        let (first, second) = (self.choose(swap, b, a), self.choose(swap, a, b));
        let (x, y) = (self.parts(format, &first), self.parts(format, &second));
        let distance = self.subtract(&x.exponent, &y.exponent);
        let distance = self.positive_part(&distance);
        // Three bits below are enough: two that may become part of the result, and one for all that is lost.
        let below = |magnitude: &[Bit]| -> Bits {
            let mut bits = vec![Bit::FALSE; 3];
            bits.extend(magnitude);
            bits.push(Bit::FALSE);
            bits
        };
        let large = below(&x.magnitude);
        let mut moved = self.moved_down(&below(&y.magnitude), &distance);
        moved.bits[0] = self.or(moved.bits[0], moved.lost);
        let minus = self.xor(x.negative, y.negative);
        let small: Bits = moved.bits.iter().map(|&bit| self.xor(bit, minus)).collect();
        let (magnitude, _) = self.add_carry(&large, &small, minus);
        let nothing = self.is_zero(&magnitude);
        let cancelled = self.and(nothing, minus);
        let of_zero = Bit::constant(target.rounding == Rounding::Down);
        let negative = self.mux(cancelled, of_zero, x.negative);
        let exponent = self.subtract(&x.exponent, &integer(&3.into()));
        let sum = self.rounded(target, Exact { negative, exponent, magnitude, more: Bit::FALSE });
        // Who is infinite, or NaN, is not smaller than the other.
        let sum = self.infinite_or(x.infinite, x.negative, format, &sum);
        let both = self.and(x.infinite, y.infinite);
        let opposite = self.and(both, minus);
        let nan = self.or(x.nan, opposite);
        self.nan_or(nan, format, &sum)
    }

    fn float_multiply(&mut self, target: Target, a: &[Bit], b: &[Bit]) -> Bits {
        let format = target.format;
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let mut wide = x.magnitude.clone();
        wide.resize(2 * significand(format), Bit::FALSE);
        let magnitude = self.multiply_bits(&wide, &y.magnitude);
        let exponent = self.add(&x.exponent, &y.exponent);
        let negative = self.xor(x.negative, y.negative);
        let product = self.rounded(target, Exact { negative, exponent, magnitude, more: Bit::FALSE });
        let infinite = self.or(x.infinite, y.infinite);
        let product = self.infinite_or(infinite, negative, format, &product);
        let zero = self.or(x.zero, y.zero);
        let undefined = self.and(infinite, zero);
        let nan = self.or(x.nan, y.nan);
        let nan = self.or(nan, undefined);
        self.nan_or(nan, format, &product)
    }

    fn float_divide(&mut self, target: Target, a: &[Bit], b: &[Bit]) -> Bits {
        let format = target.format;
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let (dividend, above) = self.normalised(&x.magnitude, &x.exponent);
        let (divisor, below) = self.normalised(&y.magnitude, &y.exponent);
        // Both begin with a one, so that the first digit of the quotient is before the point or right behind it.
        let digits = significand(format) + 3;
        let mut remainder = dividend;
        remainder.push(Bit::FALSE);
        let mut minus: Bits = divisor.iter().map(|&bit| !bit).collect();
        minus.push(Bit::TRUE);
        let mut quotient = Vec::with_capacity(digits);
        for _ in 0..digits {
            let (difference, fits) = self.add_carry(&remainder, &minus, Bit::TRUE);
            quotient.insert(0, fits);
            remainder = self.choose(fits, &difference, &remainder);
            // It is less than the divisor now, so that doubling loses nothing.
            remainder.pop();
            remainder.insert(0, Bit::FALSE);
        }
        let more = !self.is_zero(&remainder);
        let exponent = self.subtract(&above, &below);
        let exponent = self.subtract(&exponent, &integer(&BigInt::from(digits - 1)));
        let negative = self.xor(x.negative, y.negative);
        let result = self.rounded(target, Exact { negative, exponent, magnitude: quotient, more });
        let vanishes = self.or(x.zero, y.infinite);
        let nothing = with_sign(negative, vec![Bit::FALSE; a.len()]);
        let result = self.choose(vanishes, &nothing, &result);
        let infinite = self.or(x.infinite, y.zero);
        let result = self.infinite_or(infinite, negative, format, &result);
        let (zeros, infinities) = (self.and(x.zero, y.zero), self.and(x.infinite, y.infinite));
        let nan = self.or(x.nan, y.nan);
        let undefined = self.or(zeros, infinities);
        let nan = self.or(nan, undefined);
        self.nan_or(nan, format, &result)
    }

    fn float_root(&mut self, target: Target, a: &[Bit]) -> Bits {
        let format = target.format;
        let x = self.parts(format, a);
        let (magnitude, exponent) = self.normalised(&x.magnitude, &x.exponent);
        // An even number of bits, and an even exponent: so half of it is whole, and so is the number of digits.
        let width = significand(format);
        let exponent = if width % 2 == 1 {
            exponent
        } else {
            // One bit more below.
            self.subtract(&exponent, &integer(&1.into()))
        };
        let odd = exponent[0];
        let mut square = if width % 2 == 1 { Vec::new() } else { vec![Bit::FALSE] };
        square.extend(&magnitude);
        square.push(Bit::FALSE);
        let mut doubled = vec![Bit::FALSE];
        doubled.extend(&square[..square.len() - 1]);
        let square = self.choose(odd, &doubled, &square);
        let half: Bits = if exponent.len() > 1 { exponent[1..].to_vec() } else { exponent };
        let digits = width + 3;
        let (mut root, mut remainder): (Bits, Bits) = (Vec::new(), vec![Bit::FALSE; 2]);
        for digit in 0..digits {
            // The next two bits of the square, and zeros behind its end.
            let at =
                |back: usize| square.len().checked_sub(2 * digit + back).map_or(Bit::FALSE, |at| square[at]);
            let mut next = vec![at(2), at(1)];
            next.extend(&remainder);
            // 4 · root + 1
            let mut part = vec![Bit::TRUE, Bit::FALSE];
            part.extend(&root);
            part.resize(next.len(), Bit::FALSE);
            let minus: Bits = part.iter().map(|&bit| !bit).collect();
            let (difference, fits) = self.add_carry(&next, &minus, Bit::TRUE);
            remainder = self.choose(fits, &difference, &next);
            root.insert(0, fits);
            // The remainder is at most twice the root.
            remainder.truncate(root.len() + 2);
        }
        let more = !self.is_zero(&remainder);
        // The first digits are those of the whole part; the others stand behind the point.
        let behind = digits - square.len() / 2;
        let exponent = self.subtract(&half, &integer(&BigInt::from(behind)));
        let result = self.rounded(target, Exact { negative: Bit::FALSE, exponent, magnitude: root, more });
        let result = self.infinite_or(x.infinite, Bit::FALSE, format, &result);
        let negative = self.and(x.negative, !x.zero);
        let nan = self.or(x.nan, negative);
        let result = self.nan_or(nan, format, &result);
        self.choose(x.zero, a, &result)
    }

    fn float_round(&mut self, rounding: Rounding, format: Format, a: &[Bit]) -> Bits {
        let x = self.parts(format, a);
        let whole_already = !sign(&x.exponent);
        let zero = integer(&0.into());
        let distance = self.subtract(&zero, &x.exponent);
        let distance = self.positive_part(&distance);
        let mut bits = vec![Bit::FALSE; 2];
        bits.extend(&x.magnitude);
        let moved = self.moved_down(&bits, &distance);
        let half = moved.bits[1];
        let more = self.or(moved.bits[0], moved.lost);
        let any = self.or(half, more);
        let away = match rounding {
            Rounding::NearestEven => {
                let odd = self.or(more, moved.bits[2]);
                self.and(half, odd)
            }
            Rounding::NearestAway => half,
            Rounding::Up => self.and(any, !x.negative),
            Rounding::Down => self.and(any, x.negative),
            Rounding::Zero => Bit::FALSE,
        };
        let mut kept = moved.bits[2..].to_vec();
        kept.push(Bit::FALSE);
        let nothing = vec![Bit::FALSE; kept.len()];
        let (magnitude, _) = self.add_carry(&kept, &nothing, away);
        let exact = Exact { negative: x.negative, exponent: zero, magnitude, more: Bit::FALSE };
        let rounded = self.rounded(Target { format, rounding: Rounding::NearestEven }, exact);
        let same = self.or(whole_already, x.infinite);
        let rounded = self.choose(same, a, &rounded);
        self.nan_or(x.nan, format, &rounded)
    }

    fn float_convert(&mut self, from: Format, to: Target, a: &[Bit]) -> Bits {
        let Parts { nan, infinite, negative, exponent, magnitude, .. } = self.parts(from, a);
        let converted = self.rounded(to, Exact { negative, exponent, magnitude, more: Bit::FALSE });
        let converted = self.infinite_or(infinite, negative, to.format, &converted);
        self.nan_or(nan, to.format, &converted)
    }

    /// The whole part without sign, in so many bits; zero if it has more.
    fn whole(&mut self, format: Format, width: usize, x: &Parts) -> Bits {
        let stored = significand(format) - 1;
        // The exponent of the highest bit: below zero there is no whole part, and from the width on it is too large.
        let leading = self.add(&x.exponent, &integer(&BigInt::from(stored)));
        let too_large = !self.less(&leading, &integer(&BigInt::from(width)));
        let special = self.or(x.nan, x.infinite);
        let none = self.or(too_large, special);
        let none = self.or(none, sign(&leading));
        let mut bits = x.magnitude.clone();
        bits.resize(stored + 1 + width, Bit::FALSE);
        let amount = usize::BITS - width.leading_zeros();
        let by: Bits = extend(&leading, amount as usize).into_iter().take(amount as usize).collect();
        let moved = self.shift(&bits, &by, crate::words::Shift::Left);
        moved[stored..stored + width].iter().map(|&bit| self.and(bit, !none)).collect()
    }

    fn float_to_signed(&mut self, format: Format, width: usize, a: &[Bit]) -> Bits {
        let x = self.parts(format, a);
        let whole = self.whole(format, width, &x);
        let negated = self.negate_bits(&whole);
        // 2^(width - 1) fits if it is negative.
        let high = sign(&whole);
        let rest = self.is_zero(&whole[..width - 1]);
        let least = self.and(x.negative, rest);
        let too_large = self.and(high, !least);
        let value = self.choose(x.negative, &negated, &whole);
        value.iter().map(|&bit| self.and(bit, !too_large)).collect()
    }

    fn float_to_unsigned(&mut self, format: Format, width: usize, a: &[Bit]) -> Bits {
        let x = self.parts(format, a);
        let whole = self.whole(format, width, &x);
        whole.iter().map(|&bit| self.and(bit, !x.negative)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::as_unsigned;
    use base::Random;
    use float::Output;
    use num_bigint::BigUint;

    fn computed(operation: Operation, arguments: &[BigUint]) -> Option<Output> {
        let widths = operation.shape().arguments;
        let bits: Vec<Bits> = arguments
            .iter()
            .zip(widths)
            .map(|(value, width)| unsigned(&value.clone().into(), width as usize))
            .collect();
        Some(match Circuit::default().float(operation, &bits)? {
            Computed::Truth(bit) => Output::Truth(bit.as_constant().expect("constants are folded")),
            Computed::Bits(bits) => {
                let value = as_unsigned(&bits).expect("constants are folded");
                Output::Bits(value.to_biguint().expect("without sign"))
            }
        })
    }

    fn agrees(operation: Operation, arguments: &[BigUint]) {
        let references: Vec<&BigUint> = arguments.iter().collect();
        if let Some(found) = computed(operation, arguments) {
            assert_eq!(found, operation.evaluate(&references), "{operation} of {arguments:?}");
        } else {
            assert!(matches!(operation, Operation::Remainder(_)), "{operation}");
        }
    }

    #[test]
    fn small_formats_agree_everywhere() {
        for (exponent, significand) in [(2, 2), (3, 3), (3, 4), (4, 3)] {
            let format = Format::new(exponent, significand).expect("a format");
            for operation in Operation::all(format, 5) {
                let widths = operation.shape().arguments;
                for a in 0_u32..1 << widths[0] {
                    match widths.get(1) {
                        Some(width) => {
                            for b in 0_u32..1 << width {
                                agrees(operation, &[a.into(), b.into()]);
                            }
                        }
                        None => agrees(operation, &[a.into()]),
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

    /// Any pattern, often one near to a border.
    fn any(random: &mut Random, width: u32) -> BigUint {
        let mut value = BigUint::ZERO;
        let kind = random.below(4);
        for at in 0..u64::from(width) {
            let bit = match kind {
                0 => random.once_in(2),
                1 => random.once_in(16),
                2 => !random.once_in(16),
                _ => at > u64::from(width) / 2 && random.once_in(2),
            };
            value.set_bit(at, bit);
        }
        value
    }

    #[test]
    fn formats_of_c_agree() {
        let mut random = Random::new(7);
        for format in [Format::SINGLE, Format::DOUBLE, Format::EXTENDED] {
            let other = if format == Format::SINGLE { Format::DOUBLE } else { Format::SINGLE };
            for width in [8, 32, 64] {
                let mut operations = Operation::all(format, width);
                operations.push(Operation::Convert { from: format, to: other });
                for operation in operations {
                    for _ in 0..40 {
                        let widths = operation.shape().arguments;
                        let arguments: Vec<BigUint> =
                            widths.iter().map(|&width| any(&mut random, width)).collect();
                        agrees(operation, &arguments);
                    }
                }
            }
        }
    }
}
