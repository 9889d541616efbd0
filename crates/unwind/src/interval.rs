//! Intervals of integers: what is known about a number besides its bits.

use crate::words;
use num_bigint::BigInt;

/// All integers between two, which are among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The least.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

impl Interval {
    fn new(low: i128, high: i128) -> Option<Interval> {
        (low <= high).then_some(Interval { low, high })
    }

    /// What is in both; nothing if that is empty.
    pub(crate) fn common(self, other: Interval) -> Option<Interval> {
        Interval::new(self.low.max(other.low), self.high.min(other.high))
    }

    /// The least interval that has both.
    pub(crate) fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// How many bits its integers need, with a sign.
    pub(crate) fn width(self) -> usize {
        let width = |number: i128| words::integer(&BigInt::from(number)).len();
        width(self.low).max(width(self.high))
    }

    pub(crate) fn negated(self) -> Option<Interval> {
        Interval::new(self.high.checked_neg()?, self.low.checked_neg()?)
    }

    pub(crate) fn plus(self, other: Interval) -> Option<Interval> {
        Interval::new(self.low.checked_add(other.low)?, self.high.checked_add(other.high)?)
    }

    pub(crate) fn times(self, other: Interval) -> Option<Interval> {
        self.corners(other, i128::checked_mul)
    }

    /// Of the Euclidean quotients by positive numbers.
    pub(crate) fn quotients(self, by: Interval) -> Option<Interval> {
        if by.low <= 0 { None } else { self.corners(by, i128::checked_div_euclid) }
    }

    /// Of the Euclidean remainders by positive numbers.
    pub(crate) fn remainders(self, by: Interval) -> Option<Interval> {
        if by.low <= 0 {
            return None;
        }
        if self.low >= 0 && self.high < by.low {
            return Some(self);
        }
        let high = if self.low >= 0 { self.high.min(by.high - 1) } else { by.high - 1 };
        Interval::new(0, high)
    }

    /// Of an operation that is monotone in each argument, whatever the other one is.
    fn corners(self, other: Interval, f: impl Fn(i128, i128) -> Option<i128>) -> Option<Interval> {
        let corners = [
            f(self.low, other.low)?,
            f(self.low, other.high)?,
            f(self.high, other.low)?,
            f(self.high, other.high)?,
        ];
        Interval::new(*corners.iter().min()?, *corners.iter().max()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All small intervals and all numbers in them.
    #[test]
    fn operations_have_all_results() {
        let all = || (-5..6).flat_map(|low| (low..6).map(move |high| Interval { low, high }));
        let has = |interval: Option<Interval>, number: i128| {
            interval.is_none_or(|interval| (interval.low..=interval.high).contains(&number))
        };
        for a in all() {
            for b in all() {
                for (x, y) in (a.low..=a.high).flat_map(|x| (b.low..=b.high).map(move |y| (x, y))) {
                    assert!(has(a.plus(b), x + y) && has(a.times(b), x * y) && has(a.negated(), -x));
                    assert!(has(Some(a.hull(b)), x) && has(Some(a.hull(b)), y));
                    if y > 0 {
                        assert!(has(a.quotients(b), x.div_euclid(y)), "{a:?} {b:?}");
                        assert!(has(a.remainders(b), x.rem_euclid(y)), "{a:?} {b:?}");
                    }
                }
            }
        }
    }
}
