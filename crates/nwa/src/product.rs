//! Products on demand: intersection and difference.
//!
//! A state of a product is a pair. The left side lists its transitions; the right side is only asked about the
//! letters that the left side reads from its current state (for returns: with its current hierarchical
//! predecessor), once per product state and letter. Both sides therefore should be in this order: the cheap
//! one left, the expensive one right.
//!
//! The difference is the intersection with a complement. Its subtrahend must be deterministic and total, which its
//! type ensures.

use crate::Interrupted;
use crate::complement::{Complement, Plain};
use crate::{Alphabet, DeterministicNwa, Enumerable, LazyNwa, Letter};

/// The words that the left side accepts and the right side does not.
pub type Difference<L, R> = Intersection<L, Plain<Complement<R>>>;

impl<L: Enumerable, R: DeterministicNwa> Difference<L, R> {
    /// The difference of two automata.
    pub fn subtract(minuend: L, subtrahend: R) -> Difference<L, R> {
        Intersection::new(minuend, Plain(Complement(subtrahend)))
    }
}

/// The words that both sides accept.
pub struct Intersection<L: LazyNwa, R> {
    left: L,
    right: R,
    edges: Vec<(Letter, L::State)>,
}

impl<L: LazyNwa, R: LazyNwa> Intersection<L, R> {
    /// The intersection of two automata.
    pub fn new(left: L, right: R) -> Intersection<L, R> {
        Intersection { left, right, edges: Vec::new() }
    }

    /// Whether the states of a pair are final in their automata.
    pub(crate) fn finals(&mut self, (left, right): (L::State, R::State)) -> Result<[bool; 2], Interrupted> {
        Ok([self.left.is_final(left)?, self.right.is_final(right)?])
    }

    /// The right side.
    pub fn right(&mut self) -> &mut R {
        &mut self.right
    }
}

fn pairs<L: Copy, R: Copy>(lefts: &[L], rights: &[R], out: &mut Vec<(L, R)>) {
    out.extend(lefts.iter().flat_map(|&left| rights.iter().map(move |&right| (left, right))));
}

impl<L: LazyNwa, R: LazyNwa> LazyNwa for Intersection<L, R> {
    type State = (L::State, R::State);

    fn initial(&mut self, out: &mut Vec<Self::State>) -> Result<(), Interrupted> {
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        self.left.initial(&mut lefts)?;
        self.right.initial(&mut rights)?;
        pairs(&lefts, &rights, out);
        Ok(())
    }

    fn is_final(&mut self, (left, right): Self::State) -> Result<bool, Interrupted> {
        Ok(self.left.is_final(left)? && self.right.is_final(right)?)
    }

    fn internal(
        &mut self,
        (left, right): Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        self.left.internal(left, letter, &mut lefts)?;
        if !lefts.is_empty() {
            self.right.internal(right, letter, &mut rights)?;
        }
        pairs(&lefts, &rights, out);
        Ok(())
    }

    fn call(
        &mut self,
        (left, right): Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        self.left.call(left, letter, &mut lefts)?;
        if !lefts.is_empty() {
            self.right.call(right, letter, &mut rights)?;
        }
        pairs(&lefts, &rights, out);
        Ok(())
    }

    fn ret(
        &mut self,
        (left, right): Self::State,
        hier: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        self.left.ret(left, hier.0, letter, &mut lefts)?;
        if !lefts.is_empty() {
            self.right.ret(right, hier.1, letter, &mut rights)?;
        }
        pairs(&lefts, &rights, out);
        Ok(())
    }
}

/// Pairs the left edges with the answers of the right side, which is asked once per letter.
fn combine<L: Copy, R: Copy>(
    edges: &[(Letter, L)],
    mut ask: impl FnMut(Letter, &mut Vec<R>) -> Result<(), Interrupted>,
    out: &mut Vec<(Letter, (L, R))>,
) -> Result<(), Interrupted> {
    let mut rights = Vec::new();
    for same in edges.chunk_by(|a, b| a.0 == b.0) {
        rights.clear();
        ask(same[0].0, &mut rights)?;
        for &(letter, left) in same {
            out.extend(rights.iter().map(|&right| (letter, (left, right))));
        }
    }
    Ok(())
}

impl<L: Enumerable, R: LazyNwa> Enumerable for Intersection<L, R> {
    fn alphabet(&self) -> Alphabet {
        self.left.alphabet()
    }

    fn internal_edges(
        &mut self,
        (left, right): Self::State,
        out: &mut Vec<(Letter, Self::State)>,
    ) -> Result<(), Interrupted> {
        self.edges.clear();
        self.left.internal_edges(left, &mut self.edges)?;
        combine(&self.edges, |letter, rights| self.right.internal(right, letter, rights), out)
    }

    fn call_edges(
        &mut self,
        (left, right): Self::State,
        out: &mut Vec<(Letter, Self::State)>,
    ) -> Result<(), Interrupted> {
        self.edges.clear();
        self.left.call_edges(left, &mut self.edges)?;
        combine(&self.edges, |letter, rights| self.right.call(right, letter, rights), out)
    }

    fn return_edges(
        &mut self,
        (left, right): Self::State,
        hier: Self::State,
        out: &mut Vec<(Letter, Self::State)>,
    ) -> Result<(), Interrupted> {
        self.edges.clear();
        self.left.return_edges(left, hier.0, &mut self.edges)?;
        combine(&self.edges, |letter, rights| self.right.ret(right, hier.1, letter, rights), out)
    }

    fn may_return(&mut self, (left, _): Self::State) -> Result<bool, Interrupted> {
        self.left.may_return(left)
    }
}
