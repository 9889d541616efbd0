//! Intervals of numbers.
//!
//! `[low, high]` with infinite ends allowed; the set is never empty (what would be empty is `None` in the operations).
//! Integers and reals share this type: whoever knows that a value is an integer rounds with [`Interval::to_integers`].
//! Bounds are inclusive, also for reals, so a strict bound on a real is kept as a weak one.
//!
//! All operations over-approximate: the result contains every value that the operation can give for members of the
//! arguments. Addition, subtraction, negation, multiplication and Euclidean division by a constant are the best intervals.

use crate::number::{floor_over, plus, times};
use logic::Rational;
use num_traits::{One, Signed, Zero};

/// A non-empty interval.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interval {
    /// The smallest member; none if there is no bound.
    pub low: Option<Rational>,
    /// The largest member; none if there is no bound.
    pub high: Option<Rational>,
}

impl Interval {
    /// All numbers.
    pub fn top() -> Interval {
        Interval::default()
    }

    /// One number.
    pub fn point(value: Rational) -> Interval {
        Interval { low: Some(value.clone()), high: Some(value) }
    }

    /// The numbers between two, if there are any.
    pub fn new(low: Option<Rational>, high: Option<Rational>) -> Option<Interval> {
        match (&low, &high) {
            (Some(low), Some(high)) if low > high => None,
            _ => Some(Interval { low, high }),
        }
    }

    /// The numbers 0 and 1, which stand for the truth values.
    pub fn truth() -> Interval {
        Interval { low: Some(Rational::zero()), high: Some(Rational::one()) }
    }

    /// Is nothing known?
    pub fn is_top(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// The only member, if there is just one.
    pub fn as_point(&self) -> Option<&Rational> {
        self.low.as_ref().filter(|low| self.high.as_ref() == Some(low))
    }

    /// Is the number a member?
    pub fn contains(&self, value: &Rational) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value)
            && self.high.as_ref().is_none_or(|high| value <= high)
    }

    /// Is every member one of the other's?
    pub fn is_in(&self, other: &Interval) -> bool {
        let low = match (&self.low, &other.low) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(mine), Some(theirs)) => mine >= theirs,
        };
        low && match (&self.high, &other.high) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(mine), Some(theirs)) => mine <= theirs,
        }
    }

    /// The smallest interval around both.
    pub fn join(&self, other: &Interval) -> Interval {
        let low = self.low.as_ref().zip(other.low.as_ref()).map(|(a, b)| a.min(b).clone());
        let high = self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| a.max(b).clone());
        Interval { low, high }
    }

    /// The common members, if there are any.
    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.as_ref().or(b.as_ref()).cloned(),
        };
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.as_ref().or(b.as_ref()).cloned(),
        };
        Interval::new(low, high)
    }

    /// Contains both; a bound that moved jumps to the next of the sorted thresholds, or away altogether.
    pub fn widen(&self, newer: &Interval, thresholds: &[Rational]) -> Interval {
        let low = match (&self.low, &newer.low) {
            (Some(old), Some(new)) if new >= old => Some(old.clone()),
            (Some(_), Some(new)) => {
                let below = thresholds.partition_point(|threshold| threshold <= new);
                below.checked_sub(1).map(|index| thresholds[index].clone())
            }
            _ => None,
        };
        let high = match (&self.high, &newer.high) {
            (Some(old), Some(new)) if new <= old => Some(old.clone()),
            (Some(_), Some(new)) => {
                thresholds.get(thresholds.partition_point(|threshold| threshold < new)).cloned()
            }
            _ => None,
        };
        Interval { low, high }
    }

    /// The integers among the members, if there are any.
    pub fn to_integers(mut self) -> Option<Interval> {
        for bound in [(&mut self.low, true), (&mut self.high, false)] {
            if let (Some(value), is_low) = bound
                && !value.is_integer()
            {
                *value = if is_low { value.ceil() } else { value.floor() };
            }
        }
        Interval::new(self.low, self.high)
    }

    /// All sums.
    pub fn add(&self, other: &Interval) -> Interval {
        let low = self.low.as_ref().zip(other.low.as_ref()).map(|(a, b)| plus(a, b));
        let high = self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| plus(a, b));
        Interval { low, high }
    }

    /// All members times a number.
    pub fn scale(&self, factor: &Rational) -> Interval {
        if factor.is_one() {
            return self.clone();
        }
        if factor.is_zero() {
            return Interval::point(Rational::zero());
        }
        let low = self.low.as_ref().map(|low| times(low, factor));
        let high = self.high.as_ref().map(|high| times(high, factor));
        if factor.is_negative() { Interval { low: high, high: low } } else { Interval { low, high } }
    }

    /// All products.
    pub fn multiply(&self, other: &Interval) -> Interval {
        let zero = Rational::zero();
        if *self == Interval::point(zero.clone()) || *other == Interval::point(zero.clone()) {
            return Interval::point(zero);
        }
        // The corner products; an infinite end gives an infinite product unless the other factor is zero.
        let ends = |interval: &Interval| [End::low(&interval.low), End::high(&interval.high)];
        let mut corners = Vec::with_capacity(4);
        for left in ends(self) {
            for right in ends(other) {
                corners.push(left.times(&right));
            }
        }
        let low = corners.iter().min().cloned().and_then(End::finite);
        let high = corners.iter().max().cloned().and_then(End::finite);
        Interval { low, high }
    }

    /// All Euclidean quotients by a positive integer.
    pub fn divide_by(&self, divisor: &Rational) -> Interval {
        debug_assert!(divisor.is_positive() && divisor.is_integer());
        let quotient = |bound: &Rational| floor_over(bound, divisor);
        Interval { low: self.low.as_ref().map(quotient), high: self.high.as_ref().map(quotient) }
    }
}

/// An end of an interval, in the order of extended numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Minus,
    At(Rational),
    Plus,
}

impl End {
    fn low(bound: &Option<Rational>) -> End {
        bound.clone().map_or(End::Minus, End::At)
    }

    fn high(bound: &Option<Rational>) -> End {
        bound.clone().map_or(End::Plus, End::At)
    }

    fn finite(self) -> Option<Rational> {
        match self {
            End::At(value) => Some(value),
            _ => None,
        }
    }

    fn sign(&self) -> i8 {
        match self {
            End::Minus => -1,
            End::Plus => 1,
            End::At(value) if value.is_zero() => 0,
            End::At(value) => {
                if value.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    fn times(&self, other: &End) -> End {
        if let (End::At(a), End::At(b)) = (self, other) {
            return End::At(times(a, b));
        }
        match self.sign() * other.sign() {
            0 => End::At(Rational::zero()),
            1 => End::Plus,
            _ => End::Minus,
        }
    }
}
