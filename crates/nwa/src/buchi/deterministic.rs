//! The complement of deterministic Büchi automata on demand.
//!
//! A deterministic automaton has at most one run. It is rejecting iff it ends or visits final states finitely often. The
//! complement follows it and promises, at the start or when it leaves final states, that there is no further visit; the
//! states in which this was promised are final. At most two states for each state that is not final, one for each final
//! one, and one more. Because there is one run, calls and returns are followed as they come: nothing has to be guessed
//! about them.

use crate::Interrupted;
use crate::{LazyNwa, Letter};

/// Where the only run is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Only<S> {
    /// The run has ended: everything is accepted.
    Ended,
    /// Final states may still be visited.
    Visiting(S),
    /// No final state is visited any more.
    Safe(S),
}

impl<S: Copy> Only<S> {
    fn state(self) -> Option<S> {
        match self {
            Only::Ended => None,
            Only::Visiting(state) | Only::Safe(state) => Some(state),
        }
    }
}

/// The infinite nested words that a deterministic Büchi automaton rejects.
///
/// The operand must have at most one initial state, and at most one successor for every letter (and hierarchical
/// predecessor). See [`is_deterministic`](crate::is_deterministic).
pub struct DeterministicComplement<A: LazyNwa> {
    operand: A,
    answer: Vec<A::State>,
}

impl<A: LazyNwa> DeterministicComplement<A> {
    /// The complement of a deterministic automaton.
    pub fn new(operand: A) -> DeterministicComplement<A> {
        DeterministicComplement { operand, answer: Vec::new() }
    }

    /// Appends what follows behind the step whose successor is in the buffer.
    fn follow(&mut self, from: Only<A::State>, out: &mut Vec<Only<A::State>>) -> Result<(), Interrupted> {
        debug_assert!(self.answer.len() <= 1, "a deterministic automaton has at most one successor");
        let Some(target) = self.answer.drain(..).next() else {
            out.push(Only::Ended);
            return Ok(());
        };
        match (from, self.operand.is_final(target)?) {
            (Only::Visiting(source), false) if self.operand.is_final(source)? => {
                out.extend([Only::Visiting(target), Only::Safe(target)]);
            }
            (Only::Visiting(_), _) => out.push(Only::Visiting(target)),
            (Only::Safe(_), false) => out.push(Only::Safe(target)),
            (Only::Safe(_), true) => {}
            (Only::Ended, _) => out.push(Only::Ended),
        }
        Ok(())
    }
}

impl<A: LazyNwa> LazyNwa for DeterministicComplement<A> {
    type State = Only<A::State>;

    fn initial(&mut self, out: &mut Vec<Self::State>) -> Result<(), Interrupted> {
        self.operand.initial(&mut self.answer)?;
        debug_assert!(self.answer.len() <= 1, "a deterministic automaton has at most one initial state");
        match self.answer.drain(..).next() {
            None => out.push(Only::Ended),
            Some(state) if self.operand.is_final(state)? => out.push(Only::Visiting(state)),
            Some(state) => out.extend([Only::Visiting(state), Only::Safe(state)]),
        }
        Ok(())
    }

    fn is_final(&mut self, state: Self::State) -> Result<bool, Interrupted> {
        Ok(!matches!(state, Only::Visiting(_)))
    }

    fn internal(
        &mut self,
        state: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        if let Some(source) = state.state() {
            self.operand.internal(source, letter, &mut self.answer)?;
        }
        self.follow(state, out)
    }

    fn call(
        &mut self,
        state: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        if let Some(source) = state.state() {
            self.operand.call(source, letter, &mut self.answer)?;
        }
        self.follow(state, out)
    }

    fn ret(
        &mut self,
        state: Self::State,
        hier: Self::State,
        letter: Letter,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Interrupted> {
        if let (Some(source), Some(hier)) = (state.state(), hier.state()) {
            self.operand.ret(source, hier, letter, &mut self.answer)?;
        }
        self.follow(state, out)
    }
}
