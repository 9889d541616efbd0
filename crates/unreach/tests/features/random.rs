//! Random numbers that are the same everywhere.

/// SplitMix64.
pub struct Numbers {
    state: u64,
}

impl Numbers {
    /// The numbers that follow a seed.
    pub fn new(seed: u64) -> Numbers {
        Numbers { state: seed }
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    /// One of some texts.
    pub fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }
}
