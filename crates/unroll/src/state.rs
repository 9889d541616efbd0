//! States of an unrolling: values of variables, and the condition under which they are reached.

use crate::gates::{Bit, Gates};
use crate::values::Value;
use std::rc::Rc;

/// Where a variable is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// Among constants and globals.
    Global(usize),
    /// Among parameters, results and locals of its procedure.
    Local(usize),
    /// Nowhere: it is bound, or a function's.
    Nowhere,
}

/// A condition as a list of bits that all hold. States that come from one state share its part of the list.
#[derive(Clone, Default)]
pub(crate) struct Guard(Option<Rc<Part>>);

struct Part {
    before: Guard,
    bit: Bit,
    /// This bit and all before.
    all: Bit,
    length: usize,
}

impl Drop for Part {
    fn drop(&mut self) {
        // Long lists are taken apart one by one, not by recursion.
        let mut next = self.before.0.take();
        while let Some(Ok(mut part)) = next.map(Rc::try_unwrap) {
            next = part.before.0.take();
        }
    }
}

impl Guard {
    /// The condition as one bit.
    pub(crate) fn all(&self) -> Bit {
        self.0.as_ref().map_or(Bit::TRUE, |part| part.all)
    }

    fn length(&self) -> usize {
        self.0.as_ref().map_or(0, |part| part.length)
    }

    /// One more bit has to hold.
    pub(crate) fn and(&self, bit: Bit, gates: &mut Gates) -> Guard {
        let all = gates.and(self.all(), bit);
        Guard(Some(Rc::new(Part { before: self.clone(), bit, all, length: self.length() + 1 })))
    }

    /// Whether a bit is in the list.
    pub(crate) fn has(&self, bit: Bit) -> bool {
        let mut next = &self.0;
        while let Some(part) = next {
            if part.bit == bit {
                return true;
            }
            next = &part.before.0;
        }
        false
    }

    /// What two conditions share, and what each of them adds to that.
    pub(crate) fn split(&self, other: &Guard, gates: &mut Gates) -> (Guard, Bit, Bit) {
        let (mut a, mut b) = (self.clone(), other.clone());
        let (mut adds_a, mut adds_b) = (Bit::TRUE, Bit::TRUE);
        while !a.is(&b) {
            let (longer, adds) =
                if a.length() >= b.length() { (&mut a, &mut adds_a) } else { (&mut b, &mut adds_b) };
            let Some(part) = longer.0.clone() else { break };
            *adds = gates.and(*adds, part.bit);
            *longer = part.before.clone();
        }
        (a, adds_a, adds_b)
    }

    /// Whether the two are one list.
    fn is(&self, other: &Guard) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

/// A state.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) globals: Rc<Vec<Value>>,
    pub(crate) locals: Vec<Value>,
    /// The globals when the procedure was entered.
    pub(crate) olds: Rc<Vec<Value>>,
    pub(crate) guard: Guard,
    /// So many branches with an open condition were taken, if paths are kept apart.
    pub(crate) decisions: u32,
}

impl State {
    pub(crate) fn get(&self, slot: Slot) -> Option<&Value> {
        match slot {
            Slot::Global(index) => self.globals.get(index),
            Slot::Local(index) => self.locals.get(index),
            Slot::Nowhere => None,
        }
    }

    pub(crate) fn set(&mut self, slot: Slot, value: Value) {
        match slot {
            Slot::Global(index) => Rc::make_mut(&mut self.globals)[index] = value,
            Slot::Local(index) => self.locals[index] = value,
            Slot::Nowhere => {}
        }
    }

    /// Whether no execution comes here.
    pub(crate) fn is_unreached(&self) -> bool {
        self.guard.all() == Bit::FALSE
    }
}
