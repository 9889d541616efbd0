//! Where a number may lie, besides what its bits say: anywhere, in an interval, or among a few values.
//!
//! A few values are what pointers have: null, or one of the blocks that were allocated. An index of which they are known
//! means so many places, and not all those that its bits could name.

use crate::circuit::Bit;
use crate::interval::Interval;
use std::rc::Rc;

/// More values than this are only kept as the interval around them.
pub(crate) const MOST_VALUES: usize = 64;

/// So many results are computed for two lists of values; of longer lists only the intervals are taken.
const MOST_RESULTS: usize = 256;

/// Bits that are not constant are taken as a few values if they are so few.
const FEW_OPEN_BITS: usize = 3;

/// Numbers in ascending order, without repetition, not empty.
pub(crate) type Few = Rc<[i128]>;

/// Where a number lies, wherever it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// Nothing is known.
    Open,
    /// Between two numbers.
    Within(Interval),
    /// It is one of these.
    OneOf(Few),
}

impl Extent {
    /// An interval, if one is known.
    pub(crate) fn within(interval: Option<Interval>) -> Extent {
        interval.map_or(Extent::Open, Extent::Within)
    }

    /// Some values; nothing is known of none or of too many.
    pub(crate) fn one_of(mut values: Vec<i128>) -> Extent {
        values.sort_unstable();
        values.dedup();
        match (values.first(), values.last()) {
            (Some(&low), Some(&high)) if values.len() > MOST_VALUES => Extent::Within(Interval { low, high }),
            (Some(_), Some(_)) => Extent::OneOf(values.into()),
            _ => Extent::Open,
        }
    }

    /// The least interval around it.
    pub(crate) fn interval(&self) -> Option<Interval> {
        match self {
            Extent::Open => None,
            Extent::Within(interval) => Some(*interval),
            Extent::OneOf(values) => Some(Interval { low: *values.first()?, high: *values.last()? }),
        }
    }

    /// Without its single values, for numbers that need not have them.
    pub(crate) fn hull(&self) -> Extent {
        Extent::within(self.interval())
    }
}

/// The results of an operation on two numbers of which a few values are known, where it has one.
pub(crate) fn results(
    a: Option<Few>,
    b: Option<Few>,
    f: impl Fn(i128, i128) -> Option<i128>,
) -> Option<Extent> {
    let (a, b) = (a?, b?);
    if a.len() * b.len() > MOST_RESULTS {
        return None;
    }
    let all: Option<Vec<i128>> =
        a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y))).map(|(x, y)| f(x, y)).collect();
    Some(Extent::one_of(all?))
}

/// Those of some values that an integer with these bits can have.
pub(crate) fn possible(values: &[i128], bits: &[Bit]) -> Vec<i128> {
    values.iter().copied().filter(|&value| fits(value, bits)).collect()
}

/// Whether an integer with these bits can have a value: constant bits are those of the value, and it has no others.
fn fits(value: i128, bits: &[Bit]) -> bool {
    let last = bits.len().saturating_sub(1);
    bits.iter().enumerate().all(|(at, bit)| bit.as_constant().is_none_or(|known| known == bit_of(value, at)))
        && (last..128).all(|at| bit_of(value, at) == bit_of(value, last))
}

/// A bit of a number in two's complement.
pub(crate) fn bit_of(value: i128, at: usize) -> bool {
    value >> at.min(127) & 1 == 1
}

/// The bit at a place that all values have in common.
pub(crate) fn common_bit(values: &[i128], at: usize) -> Option<bool> {
    let (&first, rest) = values.split_first()?;
    let bit = bit_of(first, at);
    rest.iter().all(|&value| bit_of(value, at) == bit).then_some(bit)
}

/// All values that an integer with these bits can have, if few bits are not constant.
pub(crate) fn values_of_bits(bits: &[Bit]) -> Option<Vec<i128>> {
    if bits.len() > 120 || bits.is_empty() {
        return None;
    }
    let mut open: Vec<u32> = Vec::new();
    for bit in bits.iter().filter(|bit| bit.as_constant().is_none()) {
        if !open.contains(&bit.node()) {
            open.push(bit.node());
        }
        if open.len() > FEW_OPEN_BITS {
            return None;
        }
    }
    open.sort_unstable();
    Some((0..1_usize << open.len()).map(|choice| number(bits, &open, choice)).collect())
}

/// The integer that bits are when the open ones among them have chosen values; the first open gate is the lowest bit of
/// the choice.
pub(crate) fn number(bits: &[Bit], open: &[u32], choice: usize) -> i128 {
    let mut number: i128 = 0;
    for (at, bit) in bits.iter().enumerate() {
        let value = bit.as_constant().unwrap_or_else(|| {
            let place = open.binary_search(&bit.node()).unwrap_or(0);
            (choice >> place & 1 == 1) ^ bit.is_negated()
        });
        if value {
            number += if at + 1 == bits.len() { -(1 << at) } else { 1 << at };
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Circuit;
    use crate::words;
    use num_bigint::BigInt;

    #[test]
    fn values_fit_their_own_bits() {
        for value in [-300, -1, 0, 1, 5, 270, 4096] {
            let bits = words::integer(&BigInt::from(value));
            assert_eq!(possible(&[-300, -1, 0, 1, 5, 270, 4096], &bits), [value]);
            assert_eq!(values_of_bits(&bits), Some(vec![value]));
        }
    }

    #[test]
    fn open_bits_fit_all_values_of_their_width() {
        let mut circuit = Circuit::default();
        let bits: Vec<Bit> = (0..3).map(|_| circuit.input()).collect();
        assert_eq!(possible(&[-5, -4, 0, 3, 4], &bits), [-4, 0, 3]);
        let mut all = values_of_bits(&bits).unwrap();
        all.sort_unstable();
        assert_eq!(all, [-4, -3, -2, -1, 0, 1, 2, 3]);
    }

    #[test]
    fn results_are_all_results() {
        let few = |values: &[i128]| Some(Few::from(values));
        let sums = results(few(&[0, 270]), few(&[1, 2]), i128::checked_add);
        assert_eq!(sums, Some(Extent::OneOf([1, 2, 271, 272].into())));
        assert_eq!(results(few(&[0]), None, i128::checked_add), None);
        let many: Vec<i128> = (0..200).collect();
        assert_eq!(Extent::one_of(many), Extent::Within(Interval { low: 0, high: 199 }));
    }
}
