//! What was known when: for every moment of an unwinding, what its values were seen to be.
//!
//! The checker unrolls programs in its own, plainer way, and needs to be told what is not obvious. Nothing here is
//! trusted: what is told has to be shown.

use crate::circuit::Bit;
use crate::extent::{Extent, Few};
use crate::flow::Visit;
use crate::unwinder::Moment;
use crate::values::Value;
use crate::words;
use base::EntityRef;
use ir::{Expr, Variable};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What something is known about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// An expression in a frame: zero for that of the statement, others for bodies of functions.
    Value(u64, Expr),
    /// A variable, in the fact of an induction that has a position.
    Variable(u32, Variable),
}

/// What is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Known {
    /// The value of a condition.
    Truth(bool),
    /// An integer has at most so many bits, and is one of these.
    Integer {
        /// In two's complement.
        width: u32,
        /// If they are few.
        one_of: Option<Few>,
    },
    /// A bit-vector is this one.
    Constant(i128),
}

/// The frame of the body of a function that is applied in another frame.
pub(crate) fn frame_inside(frame: u64, apply: Expr) -> u64 {
    (frame ^ (apply.index() as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// [`Known`] in little room: there are millions of these.
#[derive(Debug)]
enum Seen {
    Truth(bool),
    Width(u32),
    /// An integer with one value.
    Number(u32, i64),
    Constant(i64),
    Other(Box<Known>),
}

impl From<Known> for Seen {
    fn from(known: Known) -> Seen {
        match &known {
            Known::Truth(value) => Seen::Truth(*value),
            Known::Integer { width, one_of: None } => Seen::Width(*width),
            Known::Integer { width, one_of: Some(few) } => match few[..] {
                [value] if let Ok(value) = i64::try_from(value) => Seen::Number(*width, value),
                _ => Seen::Other(Box::new(known)),
            },
            Known::Constant(value) => match i64::try_from(*value) {
                Ok(value) => Seen::Constant(value),
                Err(_) => Seen::Other(Box::new(known)),
            },
        }
    }
}

impl Seen {
    fn known(&self) -> Known {
        match self {
            Seen::Truth(value) => Known::Truth(*value),
            Seen::Width(width) => Known::Integer { width: *width, one_of: None },
            Seen::Number(width, value) => {
                Known::Integer { width: *width, one_of: Some(Few::from([i128::from(*value)])) }
            }
            Seen::Constant(value) => Known::Constant(i128::from(*value)),
            Seen::Other(known) => (**known).clone(),
        }
    }
}

/// The number of a visit of a call.
type Number = u32;
/// What was known at a moment.
type Facts = Box<[(Subject, Seen)]>;

/// What was known in an unwinding. A loop may have a hundred thousand rounds with a few moments each, so what is kept for a moment is
/// small: visits have numbers, and what is known is packed.
#[derive(Default)]
pub struct Record {
    numbers: FxHashMap<(u32, Visit), Number>,
    /// Whether the visit of a number was followed.
    followed: Vec<bool>,
    calls: FxHashMap<(Number, u32), u32>,
    known: FxHashMap<(Number, u32), Facts>,
    /// Of the current moment.
    now: Vec<(Subject, Seen)>,
    moment: Option<(Number, u32)>,
}

impl Record {
    /// Whether a visit was followed.
    pub fn has_visit(&self, call: u32, visit: &[(u32, u32)]) -> bool {
        self.find(call, visit).is_some_and(|number| self.followed[number as usize])
    }

    /// The number of the call that was entered at a moment: a call, a visit and a statement.
    pub fn call(&self, call: u32, visit: &[(u32, u32)], statement: u32) -> Option<u32> {
        self.calls.get(&(self.find(call, visit)?, statement)).copied()
    }

    /// What was known at a moment.
    pub fn known(&self, call: u32, visit: &[(u32, u32)], statement: u32) -> Option<Rc<[(Subject, Known)]>> {
        let seen = self.known.get(&(self.find(call, visit)?, statement))?;
        Some(seen.iter().map(|(subject, seen)| (*subject, seen.known())).collect())
    }

    fn find(&self, call: u32, visit: &[(u32, u32)]) -> Option<Number> {
        self.numbers.get(&(call, Visit(visit.to_vec()))).copied()
    }

    fn number(&mut self, call: u32, visit: &Visit) -> Number {
        let next = self.followed.len() as Number;
        let number = *self.numbers.entry((call, visit.clone())).or_insert(next);
        if number == next {
            self.followed.push(false);
        }
        number
    }

    pub(crate) fn visit(&mut self, call: u32, visit: &Visit) {
        let number = self.number(call, visit);
        self.followed[number as usize] = true;
    }

    pub(crate) fn enter(&mut self, (caller, visit, statement): &Moment, call: u32) {
        let number = self.number(*caller, visit);
        self.calls.insert((number, *statement), call);
    }

    /// What follows is at another moment.
    pub(crate) fn moment(&mut self, (call, visit, statement): &Moment) {
        self.close();
        self.moment = Some((self.number(*call, visit), *statement));
    }

    /// Everything is written down.
    pub(crate) fn close(&mut self) {
        if let Some(moment) = self.moment.take()
            && !self.now.is_empty()
        {
            // The room for what is seen at a moment is used for the next one again.
            let before = self.known.remove(&moment).unwrap_or_default();
            let all = before.into_iter().chain(self.now.drain(..)).collect();
            self.known.insert(moment, all);
        }
        self.now.clear();
    }

    /// Writes down what a value is seen to be.
    pub(crate) fn note(&mut self, subject: Subject, value: &Value) {
        let known = match value {
            Value::Bool(bit) => bit.as_constant().map(Known::Truth),
            Value::Int(word) if word.beyond == Bit::FALSE => Some(Known::Integer {
                width: word.bits.len() as u32,
                one_of: match (word.extent(), words::as_integer(&word.bits).and_then(|value| value.to_i128()))
                {
                    (_, Some(value)) => Some(Few::from([value])),
                    (Extent::OneOf(few), None) => Some(Rc::clone(few)),
                    _ => None,
                },
            }),
            Value::Bits(bits) => {
                words::as_unsigned(bits).and_then(|value| value.to_i128()).map(Known::Constant)
            }
            _ => None,
        };
        self.now.extend(known.map(|known| (subject, known.into())));
    }
}
