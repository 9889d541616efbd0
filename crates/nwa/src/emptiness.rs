//! Emptiness, with a run that shows that the language is not empty.
//!
//! The run is a shortest one, or a cheapest one in an order that the caller gives. Calls may stay pending at its
//! end: an error inside a procedure is reached without returning from it. The algorithm and its cost are
//! described in [`search`](crate::search).

use crate::automaton::Edge;
use crate::on_demand::{OnDemand, Transitions};
use crate::search::{Guide, Search};
use crate::{Budget, Enumerable, Interrupted, Letter, Nwa, Run, State};

/// A step of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<S> {
    /// An internal step.
    Internal {
        /// The state before.
        source: S,
        /// The letter.
        letter: Letter,
        /// The state after.
        target: S,
    },
    /// A call.
    Call {
        /// The state before.
        source: S,
        /// The letter.
        letter: Letter,
        /// The state after.
        target: S,
    },
    /// A return.
    Return {
        /// The state before.
        linear: S,
        /// The state in which the matching call was read.
        hier: S,
        /// The letter.
        letter: Letter,
        /// The state after.
        target: S,
    },
}

/// In which order runs are looked at.
///
/// With the estimate 0, the run that is found has the least sum of costs; so it has if the estimate never
/// decreases by more than the cost of a step. With other estimates it is some run, found sooner or later.
pub trait SearchOrder<S> {
    /// The cost of a step.
    fn cost(&mut self, step: Step<S>) -> u64 {
        let _ = step;
        1
    }

    /// A guess of the cost from a state to the end of the run.
    fn estimate(&mut self, state: S) -> u64 {
        let _ = state;
        0
    }
}

/// Shorter runs first.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShortestFirst;

impl<S> SearchOrder<S> for ShortestFirst {}

/// Whether no nested word is accepted.
pub fn is_empty(nwa: &Nwa, budget: &dyn Budget) -> Result<bool, Interrupted> {
    let mut automaton = nwa;
    Ok(Search::new(&mut automaton, budget).run()?.is_none())
}

/// A shortest accepting run, if the language is not empty.
pub fn shortest_run(nwa: &Nwa, budget: &dyn Budget) -> Result<Option<Run>, Interrupted> {
    let mut automaton = nwa;
    let mut search = Search::new(&mut automaton, budget);
    let last = search.run()?;
    last.map(|last| search.run_to(last)).transpose()
}

/// A shortest accepting run, or only its length if that is larger than `most`: it may be as long as two to the power of the number of
/// procedures, and is not made then.
pub fn shortest_run_within(
    nwa: &Nwa,
    most: u64,
    budget: &dyn Budget,
) -> Result<Option<Result<Run, u64>>, Interrupted> {
    let mut automaton = nwa;
    let mut search = Search::new(&mut automaton, budget);
    let Some(last) = search.run()? else { return Ok(None) };
    match search.cost(last) {
        length if length > most => Ok(Some(Err(length))),
        _ => search.run_to(last).map(|run| Some(Ok(run))),
    }
}

/// An accepting run in the order of the caller, if the language is not empty.
pub fn cheapest_run<A: Enumerable>(
    automaton: A,
    order: impl SearchOrder<A::State>,
    budget: &dyn Budget,
) -> Result<Option<Run<A::State>>, Interrupted> {
    let mut guided = Guided { rows: OnDemand::new(automaton), order };
    let mut search = Search::new(&mut guided, budget);
    let Some(last) = search.run()? else { return Ok(None) };
    let Run { word, states } = search.run_to(last)?;
    let states = states.into_iter().map(|state| guided.rows.state(state)).collect();
    Ok(Some(Run { word, states }))
}

/// A lazy automaton with a search order.
struct Guided<A: Enumerable, O> {
    rows: OnDemand<A>,
    order: O,
}

impl<A: Enumerable, O> Transitions for Guided<A, O> {
    fn initial(&mut self, out: &mut Vec<State>) -> Result<(), Interrupted> {
        self.rows.initial(out)
    }

    fn is_final(&mut self, state: State) -> Result<bool, Interrupted> {
        self.rows.is_final(state)
    }

    fn internal(&mut self, state: State) -> Result<&[Edge], Interrupted> {
        self.rows.internal(state)
    }

    fn calls(&mut self, state: State) -> Result<&[Edge], Interrupted> {
        self.rows.calls(state)
    }

    fn may_return(&mut self, state: State) -> Result<bool, Interrupted> {
        self.rows.may_return(state)
    }

    fn returns(&mut self, state: State, hier: State) -> Result<&[Edge], Interrupted> {
        self.rows.returns(state, hier)
    }
}

impl<A: Enumerable, O: SearchOrder<A::State>> Guide for Guided<A, O> {
    fn cost(&mut self, step: Step<State>) -> u64 {
        let original = |id| self.rows.state(id);
        self.order.cost(match step {
            Step::Internal { source, letter, target } => {
                Step::Internal { source: original(source), letter, target: original(target) }
            }
            Step::Call { source, letter, target } => {
                Step::Call { source: original(source), letter, target: original(target) }
            }
            Step::Return { linear, hier, letter, target } => Step::Return {
                linear: original(linear),
                hier: original(hier),
                letter,
                target: original(target),
            },
        })
    }

    fn estimate(&mut self, state: State) -> u64 {
        self.order.estimate(self.rows.state(state))
    }
}
