//! Numbers that look random and are the same in every run (SplitMix64).

/// A sequence of numbers that its seed determines.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound; zero if the bound is zero.
    pub fn number(&mut self, bound: u64) -> u64 {
        self.bits() % bound.max(1)
    }

    /// The same for sizes and positions.
    pub fn below(&mut self, bound: usize) -> usize {
        self.number(bound as u64) as usize
    }

    /// A number between two bounds, which are included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.number((high - low + 1) as u64) as i64
    }

    /// One of some things, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_stay_below_their_bounds_and_all_of_them_occur() {
        let mut random = Random::new(1);
        let mut seen = [false; 7];
        for _ in 0..200 {
            seen[random.below(7)] = true;
            assert!((-3..=3).contains(&random.between(-3, 3)));
        }
        assert_eq!(seen, [true; 7]);
        assert_eq!(random.number(0), 0);
    }

    #[test]
    fn a_seed_determines_the_sequence() {
        // The first numbers of SplitMix64 from seed 0, as published with the algorithm.
        let mut random = Random::new(0);
        assert_eq!([random.bits(), random.bits()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }
}
