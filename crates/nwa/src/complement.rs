//! Complement and totalisation, on demand.
//!
//! A [`DeterministicNwa`] has exactly one run over every word, so its [`Complement`] only swaps final and other
//! states. The two ways to get a deterministic automaton are [`Totalized`], for an explicit automaton that has at
//! most one run over every word, and [`Determinized`](crate::Determinized), for any.
//!
//! The complement is taken within the nested words over an alphabet; [`OverAlphabet`] lists the transitions with
//! all its letters.

use crate::properties::{Nondeterminism, is_deterministic};
use crate::{Alphabet, DeterministicNwa, Enumerable, LazyNwa, Letter, Nwa, State};
use base::Interrupted;

/// The words that a deterministic automaton rejects.
pub struct Complement<D> {
    automaton: D,
}

impl<D: DeterministicNwa> Complement<D> {
    /// The complement of a deterministic automaton.
    pub fn new(automaton: D) -> Complement<D> {
        Complement { automaton }
    }

    /// A state from which everything is accepted accepts nothing here and is left out.
    fn push(&mut self, state: D::State, out: &mut Vec<D::State>) -> Result<(), Interrupted> {
        if !self.automaton.accepts_all(state)? {
            out.push(state);
        }
        Ok(())
    }
}

impl<D: DeterministicNwa> LazyNwa for Complement<D> {
    type State = D::State;

    fn initial(&mut self, out: &mut Vec<D::State>) -> Result<(), Interrupted> {
        let state = self.automaton.initial()?;
        self.push(state, out)
    }

    fn is_final(&mut self, state: D::State) -> Result<bool, Interrupted> {
        Ok(!self.automaton.is_final(state)?)
    }

    fn internal(
        &mut self,
        state: D::State,
        letter: Letter,
        out: &mut Vec<D::State>,
    ) -> Result<(), Interrupted> {
        let state = self.automaton.internal(state, letter)?;
        self.push(state, out)
    }

    fn call(&mut self, state: D::State, letter: Letter, out: &mut Vec<D::State>) -> Result<(), Interrupted> {
        let state = self.automaton.call(state, letter)?;
        self.push(state, out)
    }

    fn ret(
        &mut self,
        state: D::State,
        hier: D::State,
        letter: Letter,
        out: &mut Vec<D::State>,
    ) -> Result<(), Interrupted> {
        let state = self.automaton.ret(state, hier, letter)?;
        self.push(state, out)
    }
}

/// A deterministic automaton seen as any other one.
pub struct Plain<D>(pub D);

impl<D: DeterministicNwa> LazyNwa for Plain<D> {
    type State = D::State;

    fn initial(&mut self, out: &mut Vec<D::State>) -> Result<(), Interrupted> {
        out.push(self.0.initial()?);
        Ok(())
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
        out.push(self.0.internal(state, letter)?);
        Ok(())
    }

    fn call(&mut self, state: D::State, letter: Letter, out: &mut Vec<D::State>) -> Result<(), Interrupted> {
        out.push(self.0.call(state, letter)?);
        Ok(())
    }

    fn ret(
        &mut self,
        state: D::State,
        hier: D::State,
        letter: Letter,
        out: &mut Vec<D::State>,
    ) -> Result<(), Interrupted> {
        out.push(self.0.ret(state, hier, letter)?);
        Ok(())
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
}

/// An automaton that is asked about every letter of an alphabet, everywhere.
pub struct OverAlphabet<A: LazyNwa> {
    automaton: A,
    alphabet: Alphabet,
    answer: Vec<A::State>,
}

impl<A: LazyNwa> OverAlphabet<A> {
    /// The part of the automaton over an alphabet.
    pub fn new(automaton: A, alphabet: Alphabet) -> OverAlphabet<A> {
        OverAlphabet { automaton, alphabet, answer: Vec::new() }
    }
}

impl<A: LazyNwa> LazyNwa for OverAlphabet<A> {
    type State = A::State;

    fn initial(&mut self, out: &mut Vec<A::State>) -> Result<(), Interrupted> {
        self.automaton.initial(out)
    }

    fn is_final(&mut self, state: A::State) -> Result<bool, Interrupted> {
        self.automaton.is_final(state)
    }

    fn internal(
        &mut self,
        state: A::State,
        letter: Letter,
        out: &mut Vec<A::State>,
    ) -> Result<(), Interrupted> {
        self.automaton.internal(state, letter, out)
    }

    fn call(&mut self, state: A::State, letter: Letter, out: &mut Vec<A::State>) -> Result<(), Interrupted> {
        self.automaton.call(state, letter, out)
    }

    fn ret(
        &mut self,
        state: A::State,
        hier: A::State,
        letter: Letter,
        out: &mut Vec<A::State>,
    ) -> Result<(), Interrupted> {
        self.automaton.ret(state, hier, letter, out)
    }
}

impl<A: LazyNwa> Enumerable for OverAlphabet<A> {
    fn alphabet(&self) -> Alphabet {
        self.alphabet.clone()
    }

    fn internal_edges(
        &mut self,
        state: A::State,
        out: &mut Vec<(Letter, A::State)>,
    ) -> Result<(), Interrupted> {
        for &letter in self.alphabet.internal() {
            self.automaton.internal(state, letter, &mut self.answer)?;
            out.extend(self.answer.drain(..).map(|target| (letter, target)));
        }
        Ok(())
    }

    fn call_edges(&mut self, state: A::State, out: &mut Vec<(Letter, A::State)>) -> Result<(), Interrupted> {
        for &letter in self.alphabet.call() {
            self.automaton.call(state, letter, &mut self.answer)?;
            out.extend(self.answer.drain(..).map(|target| (letter, target)));
        }
        Ok(())
    }

    fn return_edges(
        &mut self,
        state: A::State,
        hier: A::State,
        out: &mut Vec<(Letter, A::State)>,
    ) -> Result<(), Interrupted> {
        for &letter in self.alphabet.ret() {
            self.automaton.ret(state, hier, letter, &mut self.answer)?;
            out.extend(self.answer.drain(..).map(|target| (letter, target)));
        }
        Ok(())
    }

    fn may_return(&mut self, _: A::State) -> Result<bool, Interrupted> {
        Ok(!self.alphabet.ret().is_empty())
    }
}

/// Any automaton, made total by a sink (`None`): where it has no successor, the sink is one.
pub struct WithSink<A: LazyNwa> {
    automaton: A,
    answer: Vec<A::State>,
}

impl<A: LazyNwa> WithSink<A> {
    /// The automaton with a sink.
    pub fn new(automaton: A) -> WithSink<A> {
        WithSink { automaton, answer: Vec::new() }
    }

    fn push(&mut self, out: &mut Vec<Option<A::State>>) {
        if self.answer.is_empty() {
            out.push(None);
        }
        out.extend(self.answer.drain(..).map(Some));
    }
}

impl<A: LazyNwa> LazyNwa for WithSink<A> {
    type State = Option<A::State>;

    fn initial(&mut self, out: &mut Vec<Self::State>) -> Result<(), Interrupted> {
        self.automaton.initial(&mut self.answer)?;
        self.push(out);
        Ok(())
    }

    fn is_final(&mut self, state: Self::State) -> Result<bool, Interrupted> {
        state.map_or(Ok(false), |state| self.automaton.is_final(state))
    }

    fn internal(
        &mut self,
        state: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        if let Some(state) = state {
            self.automaton.internal(state, letter, &mut self.answer)?;
        }
        self.push(out);
        Ok(())
    }

    fn call(
        &mut self,
        state: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        if let Some(state) = state {
            self.automaton.call(state, letter, &mut self.answer)?;
        }
        self.push(out);
        Ok(())
    }

    fn ret(
        &mut self,
        state: Self::State,
        hier: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        if let (Some(state), Some(hier)) = (state, hier) {
            self.automaton.ret(state, hier, letter, &mut self.answer)?;
        }
        self.push(out);
        Ok(())
    }
}
