//! The letters that an automaton knows at internal, call and return positions.
//!
//! The three sets need not be disjoint: the kind belongs to the position, not to the letter. The sets matter
//! to the operations that speak about *all* words (complement, totalisation, universality); the others only
//! see the letters on transitions.

use crate::Letter;

/// The letters at internal, call and return positions; each list is sorted and without repetition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alphabet {
    internal: Vec<Letter>,
    call: Vec<Letter>,
    ret: Vec<Letter>,
}

fn sorted(letters: impl IntoIterator<Item = Letter>) -> Vec<Letter> {
    let mut letters: Vec<Letter> = letters.into_iter().collect();
    letters.sort_unstable();
    letters.dedup();
    letters
}

impl Alphabet {
    /// The alphabet with these internal, call and return letters.
    pub fn new(
        internal: impl IntoIterator<Item = Letter>,
        call: impl IntoIterator<Item = Letter>,
        ret: impl IntoIterator<Item = Letter>,
    ) -> Alphabet {
        Alphabet { internal: sorted(internal), call: sorted(call), ret: sorted(ret) }
    }

    /// The alphabet of finite automata: internal letters only.
    pub fn finite(internal: impl IntoIterator<Item = Letter>) -> Alphabet {
        Alphabet::new(internal, [], [])
    }

    /// The letters at internal positions.
    pub fn internal(&self) -> &[Letter] {
        &self.internal
    }

    /// The letters at call positions.
    pub fn call(&self) -> &[Letter] {
        &self.call
    }

    /// The letters at return positions.
    pub fn ret(&self) -> &[Letter] {
        &self.ret
    }

    /// The letters of both.
    pub fn union(&self, other: &Alphabet) -> Alphabet {
        let both = |a: &[Letter], b: &[Letter]| sorted(a.iter().chain(b).copied());
        Alphabet {
            internal: both(&self.internal, &other.internal),
            call: both(&self.call, &other.call),
            ret: both(&self.ret, &other.ret),
        }
    }

    /// The letters that are in both.
    pub fn intersection(&self, other: &Alphabet) -> Alphabet {
        let common = |a: &[Letter], b: &[Letter]| {
            a.iter().copied().filter(|letter| b.binary_search(letter).is_ok()).collect()
        };
        Alphabet {
            internal: common(&self.internal, &other.internal),
            call: common(&self.call, &other.call),
            ret: common(&self.ret, &other.ret),
        }
    }
}
