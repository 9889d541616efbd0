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
use rustc_hash::{FxHashMap, FxHashSet};
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

/// What was known in an unwinding.
#[derive(Default)]
pub struct Record {
    visits: FxHashSet<(u32, Visit)>,
    calls: FxHashMap<Moment, u32>,
    known: FxHashMap<Moment, Rc<[(Subject, Known)]>>,
    /// Of the current moment.
    now: Vec<(Subject, Known)>,
    moment: Option<Moment>,
}

impl Record {
    /// Whether a visit was followed.
    pub fn has_visit(&self, call: u32, visit: &[(u32, u32)]) -> bool {
        self.visits.contains(&(call, Visit(visit.to_vec())))
    }

    /// The number of the call that was entered at a moment: a call, a visit and a statement.
    pub fn call(&self, call: u32, visit: &[(u32, u32)], statement: u32) -> Option<u32> {
        self.calls.get(&(call, Visit(visit.to_vec()), statement)).copied()
    }

    /// What was known at a moment.
    pub fn known(&self, call: u32, visit: &[(u32, u32)], statement: u32) -> Option<Rc<[(Subject, Known)]>> {
        self.known.get(&(call, Visit(visit.to_vec()), statement)).cloned()
    }

    pub(crate) fn visit(&mut self, call: u32, visit: &Visit) {
        self.visits.insert((call, visit.clone()));
    }

    pub(crate) fn enter(&mut self, moment: &Moment, call: u32) {
        self.calls.insert(moment.clone(), call);
    }

    /// What follows is at another moment.
    pub(crate) fn moment(&mut self, moment: &Moment) {
        self.close();
        self.moment = Some(moment.clone());
    }

    /// Everything is written down.
    pub(crate) fn close(&mut self) {
        if let Some(moment) = self.moment.take()
            && !self.now.is_empty()
        {
            let mut now = std::mem::take(&mut self.now);
            if let Some(before) = self.known.get(&moment) {
                now = before.iter().cloned().chain(now).collect();
            }
            self.known.insert(moment, now.into());
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
        self.now.extend(known.map(|known| (subject, known)));
    }
}
