//! Small sets of numbers.

/// A set of numbers below a bound that is fixed when the set is made.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] & (1 << (number % 64)) != 0
    }

    pub(crate) fn intersects(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(left, right)| left & right != 0)
    }

    pub(crate) fn empty_like(other: &Bits) -> Bits {
        Bits(vec![0; other.0.len()])
    }

    pub(crate) fn intersection(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(left, right)| left & right).collect())
    }

    /// Adds the members of another set; whether there were new ones.
    pub(crate) fn unite(&mut self, other: &Bits) -> bool {
        let mut grown = false;
        for (own, new) in self.0.iter_mut().zip(&other.0) {
            grown |= new & !*own != 0;
            *own |= new;
        }
        grown
    }
}

/// What is read and what is written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Accesses {
    pub(crate) reads: Bits,
    pub(crate) writes: Bits,
}

impl Accesses {
    pub(crate) fn new(bound: usize) -> Accesses {
        Accesses { reads: Bits::new(bound), writes: Bits::new(bound) }
    }

    pub(crate) fn unite(&mut self, other: &Accesses) -> bool {
        let reads = self.reads.unite(&other.reads);
        self.writes.unite(&other.writes) || reads
    }

    /// Whether one writes what the other reads or writes. Steps without conflict may be exchanged.
    pub(crate) fn conflict(&self, other: &Accesses) -> bool {
        self.writes.intersects(&other.writes)
            || self.writes.intersects(&other.reads)
            || self.reads.intersects(&other.writes)
    }
}
