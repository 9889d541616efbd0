//! Sums modulo two.
//!
//! Checksums, parities and Gray codes add the same bits in different orders, and what is there twice vanishes. For a solver that
//! reasons by clauses this is hard, so gates that are sums of the same bits are made once: for each one it is known what it is
//! the sum of, and a sum that was made before, in whatever order, is that gate.
//!
//! **Guarantee**: the value of a gate is the sum of the values of its parts. A gate without an entry is the only part of itself; the
//! parts of a sum of two gates are the parts of either that are not parts of both, as addition modulo two is associative and
//! commutative and every bit added to itself is zero; and a gate gets an entry when it is made as such a sum. So two gates
//! with the same parts have the same value.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A sum of more parts is a part of others as it is.
const MOST_PARTS: usize = 64;
/// When so many parts are known in all, no more are kept.
const MOST_IN_ALL: usize = 4_000_000;

/// Which gates are sums of which.
#[derive(Default)]
pub(crate) struct Sums {
    /// By gate: its parts, in order.
    parts: FxHashMap<u32, Rc<[u32]>>,
    gates: FxHashMap<Rc<[u32]>, u32>,
    in_all: usize,
}

/// What the sum of two gates is.
pub(crate) enum Sum {
    /// A gate that was made before; the first one is false.
    Known(u32),
    /// One that has to be made, with its parts.
    New(Vec<u32>),
}

impl Sums {
    /// The sum of two gates.
    pub(crate) fn sum(&self, a: u32, b: u32) -> Sum {
        let (left, right) = ([a], [b]);
        let mut left = self.parts.get(&a).map_or(&left[..], |parts| parts).iter().copied().peekable();
        let mut right = self.parts.get(&b).map_or(&right[..], |parts| parts).iter().copied().peekable();
        let mut parts = Vec::new();
        loop {
            match (left.peek(), right.peek()) {
                (Some(one), Some(other)) if one == other => {
                    left.next();
                    right.next();
                }
                (Some(one), other) if other.is_none_or(|other| one < other) => parts.extend(left.next()),
                (None, None) => break,
                _ => parts.extend(right.next()),
            }
        }
        match parts[..] {
            [] => Sum::Known(0),
            [only] => Sum::Known(only),
            _ => match self.gates.get(&parts[..]) {
                Some(&gate) => Sum::Known(gate),
                None => Sum::New(parts),
            },
        }
    }

    /// A gate was made as the sum of two.
    pub(crate) fn made(&mut self, gate: u32, parts: Vec<u32>) {
        if parts.len() > MOST_PARTS || self.in_all + parts.len() > MOST_IN_ALL {
            return;
        }
        self.in_all += parts.len();
        let parts: Rc<[u32]> = parts.into();
        self.gates.insert(Rc::clone(&parts), gate);
        self.parts.insert(gate, parts);
    }
}

#[cfg(test)]
mod tests {
    use crate::gates::{Bit, Gates};
    use base::Random;

    /// Random gates, most of them sums: each has the value that it is computed to have.
    #[test]
    fn sums_have_their_values() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let mut gates = Gates::default();
            let mut bits: Vec<Bit> = (0..6).map(|_| gates.input()).collect();
            // Bit by bit the values for all assignments.
            let mut values: Vec<u64> = (0..6).map(pattern).collect();
            bits.push(Bit::TRUE);
            values.push(u64::MAX);
            for _ in 0..60 {
                let (a, b) = (random.below(bits.len()), random.below(bits.len()));
                let flip = random.once_in(4);
                let left = if flip { !bits[a] } else { bits[a] };
                let value = if flip { !values[a] } else { values[a] };
                let (bit, value) = if random.once_in(4) {
                    (gates.and(left, bits[b]), value & values[b])
                } else {
                    (gates.xor(left, bits[b]), value ^ values[b])
                };
                bits.push(bit);
                values.push(value);
            }
            for assignment in 0..64 {
                let computed = gates.values(|gate| pattern(gate as usize - 1) >> assignment & 1 == 1);
                for (bit, value) in bits.iter().zip(&values) {
                    assert_eq!(computed[bit.gate() as usize] != bit.negated(), value >> assignment & 1 == 1);
                }
            }
        }
    }

    /// The values of an input in all 64 assignments.
    fn pattern(input: usize) -> u64 {
        (0..64).filter(|assignment| assignment >> input & 1 == 1).map(|assignment| 1 << assignment).sum()
    }

    /// The same bits in any order, and some of them twice.
    #[test]
    fn the_order_does_not_matter() {
        let mut gates = Gates::default();
        let bits: Vec<Bit> = (0..32).map(|_| gates.input()).collect();
        let chain = bits.iter().copied().reduce(|sum, bit| gates.xor(sum, bit));
        let mut tree = bits.clone();
        while tree.len() > 1 {
            let half = tree.len() / 2;
            tree = (0..half).map(|at| gates.xor(tree[at], tree[at + half])).collect();
        }
        assert_eq!(chain, Some(tree[0]));
        let without = bits[7..].iter().fold(tree[0], |sum, &bit| gates.xor(sum, bit));
        let first = bits[..7].iter().copied().reduce(|sum, bit| gates.xor(sum, bit));
        assert_eq!(first, Some(without));
    }
}
