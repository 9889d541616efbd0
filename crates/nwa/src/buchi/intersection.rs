//! The intersection of Büchi automata on demand.
//!
//! A run must visit final states of both sides infinitely often, but not at the same time. A state of the product is a
//! pair with the side whose next visit is awaited: first one of the left side, then one of the right side, which makes
//! the product state final, and so on. If all states of one side are final, each pair occurs with one awaited side only.

use crate::Interrupted;
use crate::product;
use crate::{Alphabet, Enumerable, LazyNwa, Letter};

/// The side whose visit of a final state is awaited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Awaited {
    /// The left side.
    Left,
    /// The right side: there was a visit of the left one since the last final state of the product.
    Right,
}

/// A state of the product.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Both<L, R> {
    /// The state of the left side.
    pub left: L,
    /// The state of the right side.
    pub right: R,
    /// The side whose visit is awaited.
    pub awaited: Awaited,
}

/// A transition to a pair of states.
type PairEdge<L, R> = (Letter, (<L as LazyNwa>::State, <R as LazyNwa>::State));

/// A state of the product of two automata.
type BothOf<L, R> = Both<<L as LazyNwa>::State, <R as LazyNwa>::State>;

/// The infinite nested words that both sides accept.
pub struct Intersection<L: LazyNwa, R: LazyNwa> {
    pairs: product::Intersection<L, R>,
    answer: Vec<(L::State, R::State)>,
    edges: Vec<PairEdge<L, R>>,
}

impl<L: LazyNwa, R: LazyNwa> Intersection<L, R> {
    /// The intersection of two automata. The left side should be the cheap one: only it is asked for all its
    /// transitions.
    pub fn new(left: L, right: R) -> Intersection<L, R> {
        Intersection { pairs: product::Intersection::new(left, right), answer: Vec::new(), edges: Vec::new() }
    }

    /// The state in which a pair is entered.
    fn enter(&mut self, pair: (L::State, R::State), awaited: Awaited) -> Result<BothOf<L, R>, Interrupted> {
        let [left_final, _] = self.pairs.finals(pair)?;
        let awaited = if left_final { Awaited::Right } else { awaited };
        Ok(Both { left: pair.0, right: pair.1, awaited })
    }

    /// What is awaited behind a state.
    fn behind(&mut self, state: BothOf<L, R>) -> Result<Awaited, Interrupted> {
        Ok(if self.is_final(state)? { Awaited::Left } else { state.awaited })
    }

    fn enter_all(&mut self, from: BothOf<L, R>, out: &mut Vec<BothOf<L, R>>) -> Result<(), Interrupted> {
        let awaited = self.behind(from)?;
        let mut answer = std::mem::take(&mut self.answer);
        for pair in answer.drain(..) {
            out.push(self.enter(pair, awaited)?);
        }
        self.answer = answer;
        Ok(())
    }

    fn enter_edges(
        &mut self,
        from: BothOf<L, R>,
        out: &mut Vec<(Letter, BothOf<L, R>)>,
    ) -> Result<(), Interrupted> {
        let awaited = self.behind(from)?;
        let mut edges = std::mem::take(&mut self.edges);
        for (letter, pair) in edges.drain(..) {
            out.push((letter, self.enter(pair, awaited)?));
        }
        self.edges = edges;
        Ok(())
    }
}

fn pair<L: Copy, R: Copy>(state: Both<L, R>) -> (L, R) {
    (state.left, state.right)
}

impl<L: LazyNwa, R: LazyNwa> LazyNwa for Intersection<L, R> {
    type State = BothOf<L, R>;

    fn initial(&mut self, out: &mut Vec<Self::State>) -> Result<(), Interrupted> {
        let mut initial = Vec::new();
        self.pairs.initial(&mut initial)?;
        for pair in initial {
            out.push(self.enter(pair, Awaited::Left)?);
        }
        Ok(())
    }

    fn is_final(&mut self, state: Self::State) -> Result<bool, Interrupted> {
        let [_, right_final] = self.pairs.finals(pair(state))?;
        Ok(right_final && state.awaited == Awaited::Right)
    }

    fn internal(
        &mut self,
        state: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        self.pairs.internal(pair(state), letter, &mut self.answer)?;
        self.enter_all(state, out)
    }

    fn call(
        &mut self,
        state: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        self.pairs.call(pair(state), letter, &mut self.answer)?;
        self.enter_all(state, out)
    }

    fn ret(
        &mut self,
        state: Self::State,
        hier: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        self.pairs.ret(pair(state), pair(hier), letter, &mut self.answer)?;
        self.enter_all(state, out)
    }
}

impl<L: Enumerable, R: LazyNwa> Enumerable for Intersection<L, R> {
    fn alphabet(&self) -> Alphabet {
        self.pairs.alphabet()
    }

    fn internal_edges(
        &mut self,
        state: Self::State,
        out: &mut Vec<(Letter, Self::State)>,
    ) -> Result<(), Interrupted> {
        self.pairs.internal_edges(pair(state), &mut self.edges)?;
        self.enter_edges(state, out)
    }

    fn call_edges(
        &mut self,
        state: Self::State,
        out: &mut Vec<(Letter, Self::State)>,
    ) -> Result<(), Interrupted> {
        self.pairs.call_edges(pair(state), &mut self.edges)?;
        self.enter_edges(state, out)
    }

    fn return_edges(
        &mut self,
        state: Self::State,
        hier: Self::State,
        out: &mut Vec<(Letter, Self::State)>,
    ) -> Result<(), Interrupted> {
        self.pairs.return_edges(pair(state), pair(hier), &mut self.edges)?;
        self.enter_edges(state, out)
    }

    fn may_return(&mut self, state: Self::State) -> Result<bool, Interrupted> {
        self.pairs.may_return(pair(state))
    }
}
