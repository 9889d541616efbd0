//! States of an unwinding: values of variables, and under which condition they are reached.

use crate::circuit::{Bit, Circuit};
use crate::facts::Facts;
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

/// A path condition: a list of bits that all hold, shared with the states from which a state came.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    last: Option<Rc<Link>>,
}

#[derive(Debug)]
struct Link {
    before: Guard,
    bit: Bit,
    /// All bits up to here.
    all: Bit,
    depth: usize,
}

impl Drop for Link {
    fn drop(&mut self) {
        // Long lists are taken apart one by one, not by recursion.
        let mut next = self.before.last.take();
        while let Some(link) = next {
            match Rc::try_unwrap(link) {
                Ok(mut link) => next = link.before.last.take(),
                Err(_) => break,
            }
        }
    }
}

impl Guard {
    /// Always.
    pub(crate) fn always() -> Guard {
        Guard { last: None }
    }

    /// Everything as one bit.
    pub(crate) fn all(&self) -> Bit {
        self.last.as_ref().map_or(Bit::TRUE, |link| link.all)
    }

    fn depth(&self) -> usize {
        self.last.as_ref().map_or(0, |link| link.depth)
    }

    /// One more condition.
    pub(crate) fn and(&self, bit: Bit, circuit: &mut Circuit) -> Guard {
        if bit == Bit::TRUE {
            return self.clone();
        }
        let all = circuit.and(self.all(), bit);
        Guard { last: Some(Rc::new(Link { before: self.clone(), bit, all, depth: self.depth() + 1 })) }
    }

    /// What two conditions have in common, and what each adds. The two exclude each other.
    pub(crate) fn fork(&self, other: &Guard, circuit: &mut Circuit) -> (Guard, Bit, Bit) {
        let (mut a, mut b) = (self.clone(), other.clone());
        let (mut of_a, mut of_b) = (Bit::TRUE, Bit::TRUE);
        loop {
            let same = match (&a.last, &b.last) {
                (None, None) => true,
                (Some(x), Some(y)) => Rc::ptr_eq(x, y),
                _ => false,
            };
            if same {
                return (a, of_a, of_b);
            }
            let (longer, sum) =
                if a.depth() >= b.depth() { (&mut a, &mut of_a) } else { (&mut b, &mut of_b) };
            let Some(link) = longer.last.clone() else { return (a, of_a, of_b) };
            *sum = circuit.and(*sum, link.bit);
            *longer = link.before.clone();
        }
    }
}

/// A state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) globals: Rc<Vec<Value>>,
    pub(crate) locals: Vec<Value>,
    /// The globals when the procedure was entered.
    pub(crate) olds: Rc<Vec<Value>>,
    pub(crate) guard: Guard,
    /// What follows from the guard.
    pub(crate) facts: Facts,
}

impl State {
    pub(crate) fn get(&self, slot: Slot) -> Option<&Value> {
        match slot {
            Slot::Global(index) => self.globals.get(index),
            Slot::Local(index) => self.locals.get(index),
            Slot::Nowhere => None,
        }
    }

    pub(crate) fn old(&self, slot: Slot) -> Option<&Value> {
        match slot {
            Slot::Global(index) => self.olds.get(index),
            _ => None,
        }
    }

    pub(crate) fn set(&mut self, slot: Slot, value: Value) {
        match slot {
            Slot::Global(index) => Rc::make_mut(&mut self.globals)[index] = value,
            Slot::Local(index) => self.locals[index] = value,
            Slot::Nowhere => {}
        }
    }
}
