//! Sets of numbers. Most are small, so a set that does not change any more may become a list of its members
//! ([`Bits::settle`]): then what is asked about it, and what it takes to keep it, is its size, and not the largest number that there is.

/// A set of numbers below a bound that is fixed when the set is made.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bits {
    /// A bit for every number, unless the members are listed.
    words: Vec<u64>,
    /// How many words there are if the members are not listed.
    size: usize,
    /// The members in ascending order, if they are few and the set has settled.
    few: Option<Box<[u32]>>,
}

impl Bits {
    pub(crate) fn new(bound: usize) -> Bits {
        let size = bound.div_ceil(64);
        Bits { words: vec![0; size], size, few: None }
    }

    pub(crate) fn insert(&mut self, number: usize) {
        self.unsettle();
        self.words[number / 64] |= 1 << (number % 64);
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        match &self.few {
            Some(few) => few.binary_search(&(number as u32)).is_ok(),
            None => self.words[number / 64] & (1 << (number % 64)) != 0,
        }
    }

    /// Lists the members instead of keeping a bit for every number, if that is shorter.
    pub(crate) fn settle(&mut self) {
        let count: usize = self.words.iter().map(|word| word.count_ones() as usize).sum();
        if self.few.is_none() && count <= self.size {
            self.few = Some(self.members().map(|number| number as u32).collect());
            self.words = Vec::new();
        }
    }

    fn unsettle(&mut self) {
        if let Some(few) = self.few.take() {
            self.words = vec![0; self.size];
            for number in few {
                self.words[number as usize / 64] |= 1 << (number % 64);
            }
        }
    }

    /// The members in ascending order.
    pub(crate) fn members(&self) -> impl Iterator<Item = usize> + '_ {
        let few = self.few.iter().flat_map(|few| few.iter().map(|&number| number as usize));
        let many = self.words.iter().enumerate().flat_map(|(position, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let lowest = (left != 0).then(|| position * 64 + left.trailing_zeros() as usize);
                left &= left.wrapping_sub(1);
                lowest
            })
        });
        few.chain(many)
    }

    pub(crate) fn intersects(&self, other: &Bits) -> bool {
        match (&self.few, &other.few) {
            (Some(few), _) => few.iter().any(|&number| other.contains(number as usize)),
            (_, Some(few)) => few.iter().any(|&number| self.contains(number as usize)),
            _ => self.words.iter().zip(&other.words).any(|(left, right)| left & right != 0),
        }
    }

    pub(crate) fn empty_like(other: &Bits) -> Bits {
        Bits { words: vec![0; other.size], size: other.size, few: None }
    }

    /// The members that are also in another set, which has not settled, as little as this one.
    pub(crate) fn intersection(&self, other: &Bits) -> Bits {
        debug_assert!(self.few.is_none() && other.few.is_none());
        let words = self.words.iter().zip(&other.words).map(|(left, right)| left & right).collect();
        Bits { words, size: self.size, few: None }
    }

    /// Adds the members of another set; whether there were new ones.
    pub(crate) fn unite(&mut self, other: &Bits) -> bool {
        if let Some(few) = &other.few {
            if few.iter().all(|&number| self.contains(number as usize)) {
                return false;
            }
            few.iter().for_each(|&number| self.insert(number as usize));
            return true;
        }
        self.unsettle();
        let mut grown = false;
        for (own, new) in self.words.iter_mut().zip(&other.words) {
            grown |= new & !*own != 0;
            *own |= new;
        }
        grown
    }
}

/// What is read and what is written.
#[derive(Clone, Default, Debug)]
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

    /// See [`Bits::settle`].
    pub(crate) fn settle(&mut self) {
        self.reads.settle();
        self.writes.settle();
    }

    /// Whether one writes what the other reads or writes. Steps without conflict may be exchanged.
    pub(crate) fn conflict(&self, other: &Accesses) -> bool {
        self.writes.intersects(&other.writes)
            || self.writes.intersects(&other.reads)
            || self.reads.intersects(&other.writes)
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    fn set(members: &[usize]) -> Bits {
        let mut bits = Bits::new(300);
        members.iter().for_each(|&number| bits.insert(number));
        bits
    }

    #[test]
    fn settled_sets_are_the_same_sets() {
        let many: Vec<usize> = (0..300).step_by(7).collect();
        let sets = [vec![], vec![0], vec![63, 64, 299], vec![7, 128], many];
        for left in &sets {
            for right in &sets {
                let expected = left.iter().any(|number| right.contains(number));
                for settled in [[false, false], [false, true], [true, false], [true, true]] {
                    let mut both = [set(left), set(right)];
                    for (bits, settled) in both.iter_mut().zip(settled) {
                        if settled {
                            bits.settle();
                        }
                    }
                    let [mut one, other] = both;
                    assert_eq!(one.members().collect::<Vec<_>>(), *left);
                    assert_eq!(one.intersects(&other), expected);
                    let grown = one.unite(&other);
                    assert_eq!(grown, !right.iter().all(|number| left.contains(number)));
                    let mut all: Vec<usize> = left.iter().chain(right).copied().collect();
                    all.sort_unstable();
                    all.dedup();
                    assert_eq!(one.members().collect::<Vec<_>>(), all);
                }
            }
        }
    }
}
