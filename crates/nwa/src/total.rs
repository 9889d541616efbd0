//! Automata that answer for every letter of an alphabet.
//!
//! [`OverAlphabet`] lists the transitions of a lazy automaton by asking about all letters: the complement of an
//! automaton is taken within the nested words over an alphabet. [`WithSink`] makes any automaton total.

use crate::Interrupted;
use crate::{Alphabet, Enumerable, LazyNwa, Letter};

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
