//! The NCSB complement of semi-deterministic Büchi automata.
//!
//! After: F. Blahoudek, M. Heizmann, S. Schewe, J. Strejček, M.-H. Tsai, *Complementing Semi-deterministic Büchi
//! Automata* (TACAS 2016). An automaton is *semi-deterministic* if no choice is left behind final states: its states are
//! those of a nondeterministic part without final states and of a deterministic part that is never left. A macro
//! state labels each state that a run can be in now:
//!
//! * **N**: in the nondeterministic part;
//! * **C**: in the deterministic part, and final states may still be visited. Each such run has to end or to become safe;
//! * **S**: *safe*, that is, promised never to visit a final state again. A visit breaks the promise, and the macro
//!   state has no successor;
//! * **B**: like C, and watched: final is the macro state in which no run is watched any more; then all of C is.
//!
//! A word is rejected iff every run visits final states finitely often; its future is determined, so that "will not visit
//! again" is a property of the state, and the macro state that labels all states rightly always exists. [`Guess`] says
//! when a run may become safe. A final state is never labelled safe: a run becomes safe when it leaves its last final
//! state, or the last summary with a visit.

use super::complement::{Arrow, Construction, arrows_from};
use crate::properties::{Nondeterminism, deterministic_part};
use crate::{EntitySet, Interrupted, LazyNwa, Letter, Limit, Nwa, State};
use std::collections::BTreeMap;

/// A Büchi automaton whose states are split into a nondeterministic and a deterministic part. Final states are in the
/// deterministic part; it is never left, and every state of it has at most one successor for each letter (and
/// hierarchical predecessor).
pub trait SemiDeterministic: LazyNwa {
    /// Whether a state is in the deterministic part.
    fn is_in_deterministic_part(&mut self, state: Self::State) -> Result<bool, Interrupted>;
}

/// An explicit semi-deterministic automaton.
pub struct SemiDeterministicNwa<'a> {
    nwa: &'a Nwa,
    part: EntitySet<State>,
}

impl<'a> SemiDeterministicNwa<'a> {
    /// Fails with a choice behind a final state if there is one.
    pub fn new(nwa: &'a Nwa) -> Result<SemiDeterministicNwa<'a>, Nondeterminism> {
        Ok(SemiDeterministicNwa { nwa, part: deterministic_part(nwa)? })
    }
}

impl LazyNwa for SemiDeterministicNwa<'_> {
    type State = State;

    fn initial(&mut self, out: &mut Vec<State>) -> Result<(), Interrupted> {
        LazyNwa::initial(&mut self.nwa, out)
    }

    fn is_final(&mut self, state: State) -> Result<bool, Interrupted> {
        Ok(self.nwa.is_final(state))
    }

    fn internal(&mut self, state: State, letter: Letter, out: &mut Vec<State>) -> Result<(), Interrupted> {
        LazyNwa::internal(&mut self.nwa, state, letter, out)
    }

    fn call(&mut self, state: State, letter: Letter, out: &mut Vec<State>) -> Result<(), Interrupted> {
        self.nwa.call(state, letter, out)
    }

    fn ret(
        &mut self,
        state: State,
        hier: State,
        letter: Letter,
        out: &mut Vec<State>,
    ) -> Result<(), Interrupted> {
        self.nwa.ret(state, hier, letter, out)
    }
}

impl SemiDeterministic for SemiDeterministicNwa<'_> {
    fn is_in_deterministic_part(&mut self, state: State) -> Result<bool, Interrupted> {
        Ok(self.part.contains(state))
    }
}

/// What a macro state says about a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Label {
    /// It is in the nondeterministic part.
    Nondeterministic,
    /// Final states may still be visited.
    Checked,
    /// Like `Checked`, and watched.
    Watched,
    /// No final state is visited any more.
    Safe,
}

/// When a run may become safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guess {
    /// Behind each visit of a final state, and when it enters the deterministic part: the construction of the paper.
    Early,
    /// As long as it is watched, behind each visit; and when it begins to be watched. Most guesses are then made
    /// later and fewer macro states differ (compare NCSB-Lazy of Y.-F. Chen et al., *Advanced Automata-based
    /// Algorithms for Program Termination Checking*, PLDI 2018).
    #[default]
    Late,
}

/// The NCSB construction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ncsb {
    /// When a run may become safe.
    pub guess: Guess,
}

/// How the states before a step determine the label of a state in the deterministic part behind it.
#[derive(Clone, Copy, Default)]
struct Demands {
    /// A safe run leads here.
    safe: bool,
    /// A run that is not safe leads here, and cannot have become safe.
    not_safe: bool,
    /// A run that may have become safe leads here.
    free: bool,
    /// A watched run leads here.
    watched: bool,
}

/// The states behind a step, before labels are guessed.
struct Behind<S> {
    nondeterministic: Vec<S>,
    deterministic: BTreeMap<S, Demands>,
}

/// The states with their labels, by state.
pub type Labelled<S> = Vec<(S, Label)>;

fn is_breakpoint<S>(state: &Labelled<S>) -> bool {
    state.iter().all(|&(_, label)| label != Label::Watched)
}

impl Ncsb {
    /// Where the arrows lead; `None` if a promise is broken.
    fn behind<A: SemiDeterministic>(
        self,
        operand: &mut A,
        from: &Labelled<A::State>,
        arrows: &[Arrow<A::State>],
    ) -> Result<Option<Behind<A::State>>, Interrupted> {
        let breakpoint = is_breakpoint(from);
        let mut behind = Behind { nondeterministic: Vec::new(), deterministic: BTreeMap::new() };
        for &(state, label) in from {
            for arrow in arrows_from(arrows, state) {
                if label == Label::Nondeterministic && !operand.is_in_deterministic_part(arrow.target)? {
                    behind.nondeterministic.push(arrow.target);
                    continue;
                }
                let final_target = operand.is_final(arrow.target)?;
                // Whether the run may have left its last final state with this arrow.
                let left_finals = !final_target && (arrow.visit || operand.is_final(state)?);
                let demands = behind.deterministic.entry(arrow.target).or_default();
                match (label, self.guess) {
                    (Label::Safe, _) if arrow.visit => return Ok(None),
                    (Label::Safe, _) => demands.safe = true,
                    (Label::Nondeterministic, Guess::Early) => demands.free |= !final_target,
                    (Label::Nondeterministic | Label::Checked, Guess::Late) => {
                        demands.free |= breakpoint && !final_target;
                    }
                    (Label::Checked | Label::Watched, _) if left_finals => demands.free = true,
                    (Label::Checked | Label::Watched, _) => demands.not_safe = true,
                }
                demands.watched |= label == Label::Watched;
            }
        }
        behind.nondeterministic.sort_unstable();
        behind.nondeterministic.dedup();
        Ok(Some(behind))
    }
}

impl<A: SemiDeterministic> Construction<A> for Ncsb {
    type Macro = Labelled<A::State>;

    fn initial(
        &mut self,
        operand: &mut A,
        states: &[A::State],
        out: &mut Vec<Self::Macro>,
    ) -> Result<(), Interrupted> {
        let mut labelled = vec![Vec::new()];
        for &state in states {
            let may_be_safe = self.guess == Guess::Early && !operand.is_final(state)?;
            let labels = match (operand.is_in_deterministic_part(state)?, may_be_safe) {
                (false, _) => &[Label::Nondeterministic][..],
                (true, true) => &[Label::Checked, Label::Safe],
                (true, false) => &[Label::Checked],
            };
            labelled = extended(labelled, state, labels)?;
        }
        out.append(&mut labelled);
        Ok(())
    }

    fn is_final(&self, state: &Self::Macro) -> bool {
        is_breakpoint(state)
    }

    fn support(&self, state: &Self::Macro, out: &mut Vec<A::State>) {
        out.extend(state.iter().map(|&(state, _)| state));
    }

    fn step(
        &mut self,
        operand: &mut A,
        state: &Self::Macro,
        arrows: &[Arrow<A::State>],
        out: &mut Vec<Self::Macro>,
    ) -> Result<(), Interrupted> {
        let breakpoint = is_breakpoint(state);
        let Some(behind) = self.behind(operand, state, arrows)? else { return Ok(()) };
        let labels = behind.nondeterministic.iter().map(|&state| (state, Label::Nondeterministic));
        let mut labelled = vec![labels.collect::<Vec<_>>()];
        for (state, demands) in behind.deterministic {
            let unsafe_label = if breakpoint || demands.watched { Label::Watched } else { Label::Checked };
            let labels = match demands {
                Demands { safe: true, not_safe: true, .. } => return Ok(()),
                Demands { safe: true, .. } => &[Label::Safe][..],
                Demands { free: true, not_safe: false, .. } => &[unsafe_label, Label::Safe],
                _ => &[unsafe_label],
            };
            labelled = extended(labelled, state, labels)?;
        }
        for mut state in labelled {
            state.sort_unstable();
            out.push(state);
        }
        Ok(())
    }
}

/// More successors of one macro state than this count as out of memory.
const MOST_SUCCESSORS: usize = 1 << 16;

/// Each macro state with each label for one more state.
fn extended<S: Copy>(
    macros: Vec<Labelled<S>>,
    state: S,
    labels: &[Label],
) -> Result<Vec<Labelled<S>>, Interrupted> {
    if macros.len() * labels.len() > MOST_SUCCESSORS {
        return Err(Interrupted(Limit::Memory));
    }
    let mut longer = Vec::with_capacity(macros.len() * labels.len());
    for labelled in macros {
        for &label in labels {
            let mut labelled = labelled.clone();
            labelled.push((state, label));
            longer.push(labelled);
        }
    }
    Ok(longer)
}
