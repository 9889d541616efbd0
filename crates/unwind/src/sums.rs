//! Exclusive disjunctions of many bits, each of which is one gate however it is put together.
//!
//! `a ⊕ (b ⊕ c)` and `(c ⊕ a) ⊕ b` are the same, and `(a ⊕ b) ⊕ (b ⊕ c)` is `a ⊕ c`. Checksums and parities consist of little
//! else, and a solver does not see it. So the operands of such gates are kept, and a gate is used again if its operands come up again.
//! No gates are added: what comes up for the first time is the gate of two inputs that it would be anyway.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// With more operands a gate counts as an operand itself.
const WIDEST: usize = 64;
/// So many operands are kept in all.
const ROOM: usize = 4_000_000;

#[derive(Default)]
pub(crate) struct Sums {
    /// By gate: its operands, ascending.
    operands: FxHashMap<u32, Rc<[u32]>>,
    known: FxHashMap<Rc<[u32]>, u32>,
    kept: usize,
}

impl Sums {
    fn operands<'s>(&'s self, node: &'s u32) -> &'s [u32] {
        self.operands.get(node).map_or(std::slice::from_ref(node), |operands| operands)
    }

    /// The operands of the exclusive disjunction of two gates: what is an operand of both vanishes.
    pub(crate) fn of(&self, a: u32, b: u32) -> Vec<u32> {
        let mut all = [self.operands(&a), self.operands(&b)].concat();
        all.sort_unstable();
        let mut left: Vec<u32> = Vec::with_capacity(all.len());
        for node in all {
            if left.last() == Some(&node) {
                left.pop();
            } else {
                left.push(node);
            }
        }
        left
    }

    /// The gate with these operands, if there is one; that of none is the constant.
    pub(crate) fn gate(&self, operands: &[u32]) -> Option<u32> {
        match operands {
            [] => Some(0),
            [only] => Some(*only),
            _ => self.known.get(operands).copied(),
        }
    }

    /// A gate has these operands.
    pub(crate) fn keep(&mut self, node: u32, operands: Vec<u32>) {
        if operands.len() <= WIDEST && self.kept + operands.len() <= ROOM {
            self.kept += operands.len();
            let operands: Rc<[u32]> = operands.into();
            self.known.insert(Rc::clone(&operands), node);
            self.operands.insert(node, operands);
        }
    }
}
