//! What is known about one number by itself: an interval and a congruence, reduced against each other.
//!
//! Integers use both; reals have no congruence; truth values are the integers 0 and 1. The contents of an array are one
//! value that stands for all of its elements.

use crate::congruence::Congruence;
use crate::interval::Interval;
use logic::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::Zero;

/// What kind of numbers a dimension has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Integers.
    Int,
    /// Reals.
    Real,
    /// Truth values, as 0 and 1.
    Bool,
    /// Something that is no number and of which nothing is known.
    Other,
}

/// A non-empty set of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// The bounds.
    pub interval: Interval,
    /// The remainder, if something is known and the value is no constant.
    congruence: Option<Box<Congruence>>,
}

impl Value {
    /// All values of a kind.
    pub fn top(kind: Kind) -> Value {
        match kind {
            Kind::Bool => Value { interval: Interval::truth(), congruence: None },
            _ => Value { interval: Interval::top(), congruence: None },
        }
    }

    /// One number.
    pub fn point(value: Rational) -> Value {
        Value { interval: Interval::point(value), congruence: None }
    }

    /// The numbers of an interval, rounded if the kind is discrete.
    pub fn of_interval(interval: Interval, kind: Kind) -> Option<Value> {
        match kind {
            Kind::Real | Kind::Other => Some(Value { interval, congruence: None }),
            Kind::Int | Kind::Bool => Some(Value { interval: interval.to_integers()?, congruence: None }),
        }
    }

    /// The numbers in both, if there are any.
    pub fn reduced(interval: Interval, congruence: Congruence, kind: Kind) -> Option<Value> {
        if matches!(kind, Kind::Real | Kind::Other) {
            return Some(Value { interval, congruence: None });
        }
        let mut interval = interval.to_integers()?;
        if congruence.modulus.is_zero() {
            let point = Interval::point(congruence.remainder.into());
            return Some(Value { interval: interval.meet(&point)?, congruence: None });
        }
        if congruence.is_top() {
            return Some(Value { interval, congruence: None });
        }
        let Congruence { modulus, remainder } = &congruence;
        if let Some(low) = &mut interval.low {
            *low += Rational::from((remainder - low.numer()).mod_floor(modulus));
        }
        if let Some(high) = &mut interval.high {
            *high -= Rational::from((high.numer() - remainder).mod_floor(modulus));
        }
        let interval = Interval::new(interval.low, interval.high)?;
        let congruence = interval.as_point().is_none().then(|| Box::new(congruence));
        Some(Value { interval, congruence })
    }

    /// The congruence; a constant has modulus 0.
    pub fn congruence(&self) -> Congruence {
        match (&self.congruence, self.interval.as_point()) {
            (Some(congruence), _) => (**congruence).clone(),
            (None, Some(point)) if point.is_integer() => Congruence::point(point.numer().clone()),
            _ => Congruence::top(),
        }
    }

    /// The remainder by a modulus larger than 1, unless the value is a constant.
    pub fn stride(&self) -> Option<&Congruence> {
        self.congruence.as_deref()
    }

    /// The interval alone.
    pub fn without_stride(self) -> Value {
        Value { congruence: None, ..self }
    }

    /// The only member, if there is just one.
    pub fn as_point(&self) -> Option<&Rational> {
        self.interval.as_point()
    }

    /// Is nothing known beyond the kind?
    pub fn is_top(&self, kind: Kind) -> bool {
        match kind {
            Kind::Bool => self.as_point().is_none(),
            _ => self.interval.is_top() && self.congruence.is_none(),
        }
    }

    /// Is the number a member?
    pub fn contains(&self, value: &Rational) -> bool {
        let strides = self.congruence.as_ref();
        self.interval.contains(value)
            && strides.is_none_or(|c| value.is_integer() && c.contains(value.numer()))
    }

    /// Is every member one of the other's?
    pub fn is_in(&self, other: &Value) -> bool {
        self.interval.is_in(&other.interval)
            && other.congruence.as_ref().is_none_or(|theirs| self.congruence().is_in(theirs))
    }

    fn with(interval: Interval, congruence: Congruence) -> Value {
        let informative = !congruence.is_top() && !congruence.modulus.is_zero();
        Value { interval, congruence: informative.then(|| Box::new(congruence)) }
    }

    /// The smallest value around both.
    pub fn join(&self, other: &Value, kind: Kind) -> Value {
        Value::with(self.interval.join(&other.interval), self.joined_strides(other, kind))
    }

    /// Contains both, and widening again and again comes to an end.
    pub fn widen(&self, newer: &Value, thresholds: &[Rational], kind: Kind) -> Value {
        // Moduli only become smaller, by division, so their join needs no widening. The bounds are not rounded to
        // the congruence here: that would move a bound that has just been widened.
        Value::with(self.interval.widen(&newer.interval, thresholds), self.joined_strides(newer, kind))
    }

    fn joined_strides(&self, other: &Value, kind: Kind) -> Congruence {
        let vague = |value: &Value| value.congruence.is_none() && value.as_point().is_none();
        if kind != Kind::Int || vague(self) || vague(other) {
            return Congruence::top();
        }
        self.congruence().join(&other.congruence())
    }

    /// The common members, if there are any.
    pub fn meet(&self, other: &Value, kind: Kind) -> Option<Value> {
        let interval = self.interval.meet(&other.interval)?;
        match (&self.congruence, &other.congruence) {
            (None, None) => Value::of_interval(interval, kind),
            (Some(only), None) | (None, Some(only)) => Value::reduced(interval, (**only).clone(), kind),
            (Some(mine), Some(theirs)) => Value::reduced(interval, mine.meet(theirs)?, kind),
        }
    }

    /// All Euclidean remainders by a positive integer.
    pub fn modulo(&self, divisor: &Integer) -> Value {
        let by = Rational::from(divisor.clone());
        let quotients = self.interval.divide_by(&by);
        if let Some(quotient) = quotients.as_point() {
            // All members lie between two multiples: the remainder is a shift.
            let shifted = self.interval.add(&Interval::point(-(quotient * &by)));
            let congruence = self.congruence().add(&Congruence::point(-(quotient * &by).to_integer()));
            let shifted = Value::reduced(shifted, congruence, Kind::Int);
            return shifted.expect("the value has members");
        }
        let all = Interval { low: Some(Rational::zero()), high: Some(by - Rational::from_integer(1.into())) };
        let remainders = Value::reduced(all, self.congruence().modulo(divisor), Kind::Int);
        remainders.expect("every integer has a remainder")
    }

    /// All Euclidean quotients by a positive integer.
    pub fn divide_by(&self, divisor: &Integer) -> Value {
        let interval = self.interval.divide_by(&Rational::from(divisor.clone()));
        let quotients = Value::reduced(interval, self.congruence().divide_by(divisor), Kind::Int);
        quotients.expect("every integer has a quotient")
    }

    /// All products.
    pub fn multiply(&self, other: &Value, kind: Kind) -> Value {
        let interval = self.interval.multiply(&other.interval);
        let congruence = match kind {
            Kind::Int => self.congruence().multiply(&other.congruence()),
            _ => Congruence::top(),
        };
        Value::reduced(interval, congruence, kind).expect("every pair has a product")
    }
}
