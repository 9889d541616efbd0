//! Automata that compute their transitions when asked.
//!
//! Three levels, each for what an operation needs to know:
//!
//! * a [`LazyNwa`] is asked about one letter at a time. The answer may be expensive (a theorem prover may
//!   stand behind it), so nobody asks about a letter that cannot matter;
//! * an [`Enumerable`] one can also list the transitions from a state. The left side of a product needs this;
//! * a [`DeterministicNwa`] has exactly one successor for every letter. Only such an automaton can be
//!   complemented by swapping final and other states, and the type says so.
//!
//! Answers go to a buffer of the caller, which is appended to and never cleared. Every question may be answered
//! with [`Interrupted`]. Asked twice, an automaton must answer the same.

use crate::Interrupted;
use crate::{Alphabet, Letter, Nwa, State};
use std::fmt::Debug;
use std::hash::Hash;

/// An automaton that is asked about one letter at a time.
pub trait LazyNwa {
    /// Its states: cheap to copy, compare and hash. Interned ids, or pairs of them.
    type State: Copy + Ord + Hash + Debug;

    /// Appends the initial states.
    fn initial(&mut self, out: &mut Vec<Self::State>) -> Result<(), Interrupted>;

    /// Whether the state is final.
    fn is_final(&mut self, state: Self::State) -> Result<bool, Interrupted>;

    /// Appends the successors at an internal position.
    fn internal(
        &mut self,
        state: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted>;

    /// Appends the successors at a call position.
    fn call(
        &mut self,
        state: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted>;

    /// Appends the successors at a return position whose call was read in `hier`.
    fn ret(
        &mut self,
        state: Self::State,
        hier: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted>;
}

/// A lazy automaton that can list its transitions. Those with one letter must be next to each other.
pub trait Enumerable: LazyNwa {
    /// The letters that its transitions may have.
    fn alphabet(&self) -> Alphabet;

    /// Appends the internal transitions from a state.
    fn internal_edges(
        &mut self,
        state: Self::State,
        out: &mut Vec<(Letter, Self::State)>,
    ) -> Result<(), Interrupted>;

    /// Appends the call transitions from a state.
    fn call_edges(
        &mut self,
        state: Self::State,
        out: &mut Vec<(Letter, Self::State)>,
    ) -> Result<(), Interrupted>;

    /// Appends the return transitions from a state with a hierarchical predecessor.
    fn return_edges(
        &mut self,
        state: Self::State,
        hier: Self::State,
        out: &mut Vec<(Letter, Self::State)>,
    ) -> Result<(), Interrupted>;

    /// Whether there may be return transitions from a state. A `false` saves asking once per hierarchical
    /// predecessor.
    fn may_return(&mut self, state: Self::State) -> Result<bool, Interrupted>;
}

/// A deterministic and total automaton: one initial state, and one successor for every letter.
pub trait DeterministicNwa {
    /// Its states.
    type State: Copy + Ord + Hash + Debug;

    /// The initial state.
    fn initial(&mut self) -> Result<Self::State, Interrupted>;

    /// Whether the state is final.
    fn is_final(&mut self, state: Self::State) -> Result<bool, Interrupted>;

    /// The successor at an internal position.
    fn internal(&mut self, state: Self::State, letter: Letter) -> Result<Self::State, Interrupted>;

    /// The successor at a call position.
    fn call(&mut self, state: Self::State, letter: Letter) -> Result<Self::State, Interrupted>;

    /// The successor at a return position whose call was read in `hier`.
    fn ret(
        &mut self,
        state: Self::State,
        hier: Self::State,
        letter: Letter,
    ) -> Result<Self::State, Interrupted>;

    /// Whether everything is accepted from here on, whatever is on the stack: every continuation, the empty one
    /// included. `false` is always right; `true` lets a difference drop the state at once.
    fn accepts_all(&mut self, state: Self::State) -> Result<bool, Interrupted> {
        let _ = state;
        Ok(false)
    }

    /// Whether nothing is accepted from here on, whatever is on the stack. `false` is always right.
    fn rejects_all(&mut self, state: Self::State) -> Result<bool, Interrupted> {
        let _ = state;
        Ok(false)
    }
}

impl LazyNwa for &Nwa {
    type State = State;

    fn initial(&mut self, out: &mut Vec<State>) -> Result<(), Interrupted> {
        out.extend_from_slice(Nwa::initial(self));
        Ok(())
    }

    fn is_final(&mut self, state: State) -> Result<bool, Interrupted> {
        Ok(Nwa::is_final(self, state))
    }

    fn internal(&mut self, state: State, letter: Letter, out: &mut Vec<State>) -> Result<(), Interrupted> {
        out.extend(self.internal_on(state, letter).iter().map(|edge| edge.state));
        Ok(())
    }

    fn call(&mut self, state: State, letter: Letter, out: &mut Vec<State>) -> Result<(), Interrupted> {
        out.extend(self.calls_on(state, letter).iter().map(|edge| edge.state));
        Ok(())
    }

    fn ret(
        &mut self,
        state: State,
        hier: State,
        letter: Letter,
        out: &mut Vec<State>,
    ) -> Result<(), Interrupted> {
        out.extend(self.returns_on(state, hier, letter).iter().map(|edge| edge.state));
        Ok(())
    }
}

impl Enumerable for &Nwa {
    fn alphabet(&self) -> Alphabet {
        Nwa::alphabet(self).clone()
    }

    fn internal_edges(&mut self, state: State, out: &mut Vec<(Letter, State)>) -> Result<(), Interrupted> {
        out.extend(Nwa::internal(self, state).iter().map(|edge| (edge.letter, edge.state)));
        Ok(())
    }

    fn call_edges(&mut self, state: State, out: &mut Vec<(Letter, State)>) -> Result<(), Interrupted> {
        out.extend(self.calls(state).iter().map(|edge| (edge.letter, edge.state)));
        Ok(())
    }

    fn return_edges(
        &mut self,
        state: State,
        hier: State,
        out: &mut Vec<(Letter, State)>,
    ) -> Result<(), Interrupted> {
        out.extend(self.returns_with(state, hier).iter().map(|edge| (edge.letter, edge.state)));
        Ok(())
    }

    fn may_return(&mut self, state: State) -> Result<bool, Interrupted> {
        Ok(self.has_returns(state))
    }
}

impl<A: LazyNwa + ?Sized> LazyNwa for &mut A {
    type State = A::State;

    fn initial(&mut self, out: &mut Vec<A::State>) -> Result<(), Interrupted> {
        (**self).initial(out)
    }

    fn is_final(&mut self, state: A::State) -> Result<bool, Interrupted> {
        (**self).is_final(state)
    }

    fn internal(
        &mut self,
        state: A::State,
        letter: Letter,
        out: &mut Vec<A::State>,
    ) -> Result<(), Interrupted> {
        (**self).internal(state, letter, out)
    }

    fn call(&mut self, state: A::State, letter: Letter, out: &mut Vec<A::State>) -> Result<(), Interrupted> {
        (**self).call(state, letter, out)
    }

    fn ret(
        &mut self,
        state: A::State,
        hier: A::State,
        letter: Letter,
        out: &mut Vec<A::State>,
    ) -> Result<(), Interrupted> {
        (**self).ret(state, hier, letter, out)
    }
}

impl<A: Enumerable + ?Sized> Enumerable for &mut A {
    fn alphabet(&self) -> Alphabet {
        (**self).alphabet()
    }

    fn internal_edges(
        &mut self,
        state: A::State,
        out: &mut Vec<(Letter, A::State)>,
    ) -> Result<(), Interrupted> {
        (**self).internal_edges(state, out)
    }

    fn call_edges(&mut self, state: A::State, out: &mut Vec<(Letter, A::State)>) -> Result<(), Interrupted> {
        (**self).call_edges(state, out)
    }

    fn return_edges(
        &mut self,
        state: A::State,
        hier: A::State,
        out: &mut Vec<(Letter, A::State)>,
    ) -> Result<(), Interrupted> {
        (**self).return_edges(state, hier, out)
    }

    fn may_return(&mut self, state: A::State) -> Result<bool, Interrupted> {
        (**self).may_return(state)
    }
}

impl<D: DeterministicNwa + ?Sized> DeterministicNwa for &mut D {
    type State = D::State;

    fn initial(&mut self) -> Result<D::State, Interrupted> {
        (**self).initial()
    }

    fn is_final(&mut self, state: D::State) -> Result<bool, Interrupted> {
        (**self).is_final(state)
    }

    fn internal(&mut self, state: D::State, letter: Letter) -> Result<D::State, Interrupted> {
        (**self).internal(state, letter)
    }

    fn call(&mut self, state: D::State, letter: Letter) -> Result<D::State, Interrupted> {
        (**self).call(state, letter)
    }

    fn ret(&mut self, state: D::State, hier: D::State, letter: Letter) -> Result<D::State, Interrupted> {
        (**self).ret(state, hier, letter)
    }

    fn accepts_all(&mut self, state: D::State) -> Result<bool, Interrupted> {
        (**self).accepts_all(state)
    }

    fn rejects_all(&mut self, state: D::State) -> Result<bool, Interrupted> {
        (**self).rejects_all(state)
    }
}
