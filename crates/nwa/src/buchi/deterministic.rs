//! The complement of deterministic Büchi automata.
//!
//! A deterministic automaton has at most one run. It is rejected iff it ends or visits final states finitely often. The
//! complement follows it and promises, at the start or right behind a visit, that there is no further visit; the
//! macro states in which this was promised are final. At most two macro states for each state.

use super::complement::{Arrow, Construction};
use crate::LazyNwa;
use base::Interrupted;

/// The construction for automata with at most one initial state and at most one successor for every letter (and
/// hierarchical predecessor).
#[derive(Clone, Copy, Debug, Default)]
pub struct LastVisit;

/// Where the run is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Only<S> {
    /// The run has ended: everything is accepted.
    Ended,
    /// Final states may still be visited.
    Visiting(S),
    /// No final state is visited any more.
    Safe(S),
}

impl<A: LazyNwa> Construction<A> for LastVisit {
    type Macro = Only<A::State>;

    fn initial(
        &mut self,
        _: &mut A,
        states: &[A::State],
        out: &mut Vec<Self::Macro>,
    ) -> Result<(), Interrupted> {
        match states {
            [] => out.push(Only::Ended),
            states => {
                debug_assert!(states.len() == 1, "a deterministic automaton has one initial state");
                out.extend(states.iter().flat_map(|&state| [Only::Visiting(state), Only::Safe(state)]));
            }
        }
        Ok(())
    }

    fn is_final(&self, state: &Self::Macro) -> bool {
        !matches!(state, Only::Visiting(_))
    }

    fn support(&self, state: &Self::Macro, out: &mut Vec<A::State>) {
        match *state {
            Only::Ended => {}
            Only::Visiting(state) | Only::Safe(state) => out.push(state),
        }
    }

    fn step(
        &mut self,
        _: &mut A,
        state: &Self::Macro,
        arrows: &[Arrow<A::State>],
        out: &mut Vec<Self::Macro>,
    ) -> Result<(), Interrupted> {
        let Some(&Arrow { target, visit, .. }) = arrows.first() else {
            out.push(Only::Ended);
            return Ok(());
        };
        debug_assert!(arrows.len() == 1, "a deterministic automaton has one successor");
        match (state, visit) {
            (Only::Visiting(_), true) => out.extend([Only::Visiting(target), Only::Safe(target)]),
            (Only::Visiting(_), false) => out.push(Only::Visiting(target)),
            (Only::Safe(_), false) => out.push(Only::Safe(target)),
            (Only::Safe(_), true) | (Only::Ended, _) => {}
        }
        Ok(())
    }
}
