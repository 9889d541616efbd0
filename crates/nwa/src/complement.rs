//! Deterministic automata: complement, and the ways to get one and to use one.
//!
//! A [`DeterministicNwa`] has exactly one run over every word, so its [`Complement`] only swaps final and other
//! states. The two ways to get a deterministic automaton are [`Totalized`], for an explicit automaton that has at
//! most one run over every word, and [`Determinized`](crate::Determinized), for any. [`Plain`] forgets that an
//! automaton is deterministic, so that it can be used where any automaton can.

use crate::Interrupted;
use crate::properties::{Nondeterminism, is_deterministic};
use crate::{DeterministicNwa, LazyNwa, Letter, Nwa, State};

/// The words that a deterministic automaton rejects.
pub struct Complement<D>(pub D);

impl<D: DeterministicNwa> DeterministicNwa for Complement<D> {
    type State = D::State;

    fn initial(&mut self) -> Result<D::State, Interrupted> {
        self.0.initial()
    }

    fn is_final(&mut self, state: D::State) -> Result<bool, Interrupted> {
        Ok(!self.0.is_final(state)?)
    }

    fn internal(&mut self, state: D::State, letter: Letter) -> Result<D::State, Interrupted> {
        self.0.internal(state, letter)
    }

    fn call(&mut self, state: D::State, letter: Letter) -> Result<D::State, Interrupted> {
        self.0.call(state, letter)
    }

    fn ret(&mut self, state: D::State, hier: D::State, letter: Letter) -> Result<D::State, Interrupted> {
        self.0.ret(state, hier, letter)
    }

    fn accepts_all(&mut self, state: D::State) -> Result<bool, Interrupted> {
        self.0.rejects_all(state)
    }

    fn rejects_all(&mut self, state: D::State) -> Result<bool, Interrupted> {
        self.0.accepts_all(state)
    }
}

/// A deterministic automaton seen as any other one. States from which nothing is accepted are left out.
pub struct Plain<D>(pub D);

impl<D: DeterministicNwa> Plain<D> {
    fn push(&mut self, state: D::State, out: &mut Vec<D::State>) -> Result<(), Interrupted> {
        if !self.0.rejects_all(state)? {
            out.push(state);
        }
        Ok(())
    }
}

impl<D: DeterministicNwa> LazyNwa for Plain<D> {
    type State = D::State;

    fn initial(&mut self, out: &mut Vec<D::State>) -> Result<(), Interrupted> {
        let state = self.0.initial()?;
        self.push(state, out)
    }

    fn is_final(&mut self, state: D::State) -> Result<bool, Interrupted> {
        self.0.is_final(state)
    }

    fn internal(
        &mut self,
        state: D::State,
        letter: Letter,
        out: &mut Vec<D::State>,
    ) -> Result<(), Interrupted> {
        let target = self.0.internal(state, letter)?;
        self.push(target, out)
    }

    fn call(&mut self, state: D::State, letter: Letter, out: &mut Vec<D::State>) -> Result<(), Interrupted> {
        let target = self.0.call(state, letter)?;
        self.push(target, out)
    }

    fn ret(
        &mut self,
        state: D::State,
        hier: D::State,
        letter: Letter,
        out: &mut Vec<D::State>,
    ) -> Result<(), Interrupted> {
        let target = self.0.ret(state, hier, letter)?;
        self.push(target, out)
    }
}

/// An explicit deterministic automaton, made total by a sink (`None`).
pub struct Totalized<'a> {
    nwa: &'a Nwa,
}

impl<'a> Totalized<'a> {
    /// Fails if the automaton is not deterministic.
    pub fn new(nwa: &'a Nwa) -> Result<Totalized<'a>, Nondeterminism> {
        is_deterministic(nwa).map(|()| Totalized { nwa })
    }
}

impl DeterministicNwa for Totalized<'_> {
    type State = Option<State>;

    fn initial(&mut self) -> Result<Option<State>, Interrupted> {
        Ok(self.nwa.initial().first().copied())
    }

    fn is_final(&mut self, state: Option<State>) -> Result<bool, Interrupted> {
        Ok(state.is_some_and(|state| self.nwa.is_final(state)))
    }

    fn internal(&mut self, state: Option<State>, letter: Letter) -> Result<Option<State>, Interrupted> {
        Ok(state.and_then(|state| Some(self.nwa.internal_on(state, letter).first()?.state)))
    }

    fn call(&mut self, state: Option<State>, letter: Letter) -> Result<Option<State>, Interrupted> {
        Ok(state.and_then(|state| Some(self.nwa.calls_on(state, letter).first()?.state)))
    }

    fn ret(
        &mut self,
        state: Option<State>,
        hier: Option<State>,
        letter: Letter,
    ) -> Result<Option<State>, Interrupted> {
        let pair = state.zip(hier);
        Ok(pair.and_then(|(state, hier)| Some(self.nwa.returns_on(state, hier, letter).first()?.state)))
    }

    fn rejects_all(&mut self, state: Option<State>) -> Result<bool, Interrupted> {
        Ok(state.is_none())
    }
}
