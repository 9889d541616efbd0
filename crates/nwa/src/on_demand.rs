//! From lazy to explicit: interning, and rows that are computed once.
//!
//! [`OnDemand`] gives the states of a lazy automaton dense ids and remembers every row it has been asked for, so
//! the algorithms see only [`State`] ids and slices, and an expensive automaton is never asked twice.
//! [`explicit`] asks for everything that is reachable; returns only for reachable pairs of a state and its
//! hierarchical predecessor.

use crate::automaton::Edge;
use crate::reach::Reach;
use crate::{Budget, Enumerable, Interrupted, Letter, Nwa, NwaBuilder, PrimaryMap, State};
use rustc_hash::FxHashMap;

/// What the search algorithms ask an automaton, explicit or not.
pub(crate) trait Transitions {
    /// Appends the initial states.
    fn initial(&mut self, out: &mut Vec<State>) -> Result<(), Interrupted>;
    /// Whether a state is final.
    fn is_final(&mut self, state: State) -> Result<bool, Interrupted>;
    /// The internal transitions from a state.
    fn internal(&mut self, state: State) -> Result<&[Edge], Interrupted>;
    /// The call transitions from a state.
    fn calls(&mut self, state: State) -> Result<&[Edge], Interrupted>;
    /// Whether it is worth asking for returns from a state.
    fn may_return(&mut self, state: State) -> Result<bool, Interrupted>;
    /// The return transitions from a state with a hierarchical predecessor.
    fn returns(&mut self, state: State, hier: State) -> Result<&[Edge], Interrupted>;
}

impl Transitions for &Nwa {
    fn initial(&mut self, out: &mut Vec<State>) -> Result<(), Interrupted> {
        out.extend_from_slice(Nwa::initial(self));
        Ok(())
    }

    fn is_final(&mut self, state: State) -> Result<bool, Interrupted> {
        Ok(Nwa::is_final(self, state))
    }

    fn internal(&mut self, state: State) -> Result<&[Edge], Interrupted> {
        Ok(Nwa::internal(self, state))
    }

    fn calls(&mut self, state: State) -> Result<&[Edge], Interrupted> {
        Ok(Nwa::calls(self, state))
    }

    fn may_return(&mut self, state: State) -> Result<bool, Interrupted> {
        Ok(self.has_returns(state))
    }

    fn returns(&mut self, state: State, hier: State) -> Result<&[Edge], Interrupted> {
        Ok(self.returns_with(state, hier))
    }
}

/// A row in the vector of all edges.
#[derive(Clone, Copy)]
struct Row {
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, Default)]
struct Known {
    is_final: Option<bool>,
    may_return: Option<bool>,
    internal: Option<Row>,
    calls: Option<Row>,
}

/// A lazy automaton with dense ids for the states seen so far and all answers remembered.
pub struct OnDemand<A: Enumerable> {
    automaton: A,
    ids: FxHashMap<A::State, State>,
    states: PrimaryMap<State, A::State>,
    known: PrimaryMap<State, Known>,
    returns: FxHashMap<(State, State), Row>,
    /// The pairs with return transitions, in the order in which they were asked for.
    returning: Vec<(State, State)>,
    edges: Vec<Edge>,
    answer: Vec<(Letter, A::State)>,
}

impl<A: Enumerable> OnDemand<A> {
    /// Nothing asked yet.
    pub fn new(automaton: A) -> OnDemand<A> {
        OnDemand {
            automaton,
            ids: FxHashMap::default(),
            states: PrimaryMap::new(),
            known: PrimaryMap::new(),
            returns: FxHashMap::default(),
            returning: Vec::new(),
            edges: Vec::new(),
            answer: Vec::new(),
        }
    }

    /// The state behind an id.
    pub fn state(&self, id: State) -> A::State {
        self.states[id]
    }

    /// The automaton itself.
    pub(crate) fn automaton(&mut self) -> &mut A {
        &mut self.automaton
    }

    /// The id of a state.
    pub fn id(&mut self, state: A::State) -> State {
        *self.ids.entry(state).or_insert_with(|| {
            self.known.push(Known::default());
            self.states.push(state)
        })
    }

    /// Turns the answer of the automaton into a row.
    fn remember(&mut self) -> Row {
        let start = self.edges.len() as u32;
        let mut answer = std::mem::take(&mut self.answer);
        for (letter, state) in answer.drain(..) {
            let state = self.id(state);
            self.edges.push(Edge { letter, state });
        }
        self.answer = answer;
        assert!(u32::try_from(self.edges.len()).is_ok(), "an automaton has fewer than 2^32 transitions");
        Row { start, end: self.edges.len() as u32 }
    }

    fn row(&self, row: Row) -> &[Edge] {
        &self.edges[row.start as usize..row.end as usize]
    }
}

impl<A: Enumerable> Transitions for OnDemand<A> {
    fn initial(&mut self, out: &mut Vec<State>) -> Result<(), Interrupted> {
        let mut initial = Vec::new();
        self.automaton.initial(&mut initial)?;
        out.extend(initial.into_iter().map(|state| self.id(state)));
        Ok(())
    }

    fn is_final(&mut self, state: State) -> Result<bool, Interrupted> {
        if let Some(known) = self.known[state].is_final {
            return Ok(known);
        }
        let answer = self.automaton.is_final(self.states[state])?;
        self.known[state].is_final = Some(answer);
        Ok(answer)
    }

    fn internal(&mut self, state: State) -> Result<&[Edge], Interrupted> {
        let row = match self.known[state].internal {
            Some(row) => row,
            None => {
                self.answer.clear();
                self.automaton.internal_edges(self.states[state], &mut self.answer)?;
                let row = self.remember();
                self.known[state].internal = Some(row);
                row
            }
        };
        Ok(self.row(row))
    }

    fn calls(&mut self, state: State) -> Result<&[Edge], Interrupted> {
        let row = match self.known[state].calls {
            Some(row) => row,
            None => {
                self.answer.clear();
                self.automaton.call_edges(self.states[state], &mut self.answer)?;
                let row = self.remember();
                self.known[state].calls = Some(row);
                row
            }
        };
        Ok(self.row(row))
    }

    fn may_return(&mut self, state: State) -> Result<bool, Interrupted> {
        if let Some(known) = self.known[state].may_return {
            return Ok(known);
        }
        let answer = self.automaton.may_return(self.states[state])?;
        self.known[state].may_return = Some(answer);
        Ok(answer)
    }

    fn returns(&mut self, state: State, hier: State) -> Result<&[Edge], Interrupted> {
        let row = match self.returns.get(&(state, hier)) {
            Some(&row) => row,
            None => {
                self.answer.clear();
                self.automaton.return_edges(self.states[state], self.states[hier], &mut self.answer)?;
                let row = self.remember();
                self.returns.insert((state, hier), row);
                if row.start != row.end {
                    self.returning.push((state, hier));
                }
                row
            }
        };
        Ok(self.row(row))
    }
}

/// An explicit automaton and where its states come from.
#[derive(Clone, Debug)]
pub struct Explicit<S> {
    /// The automaton.
    pub nwa: Nwa,
    /// For each of its states the one of the lazy automaton.
    pub origin: PrimaryMap<State, S>,
}

/// The reachable part of a lazy automaton: the states that some run of it visits, and the transitions from
/// them; returns only with hierarchical predecessors that a run can have there.
pub fn explicit<A: Enumerable>(automaton: A, budget: &dyn Budget) -> Result<Explicit<A::State>, Interrupted> {
    let mut rows = OnDemand::new(automaton);
    Reach::compute(&mut rows, budget)?;
    rows.freeze()
}

impl<A: Enumerable> OnDemand<A> {
    /// The automaton of all rows that have been asked for.
    fn freeze(mut self) -> Result<Explicit<A::State>, Interrupted> {
        let mut builder = NwaBuilder::new(self.automaton.alphabet());
        builder.add_states(self.states.len());
        let mut initial = Vec::new();
        Transitions::initial(&mut self, &mut initial)?;
        for state in initial {
            builder.set_initial(state);
        }
        for state in self.states.keys() {
            if Transitions::is_final(&mut self, state)? {
                builder.set_final(state);
            }
            let known = self.known[state];
            for edge in known.internal.map_or(&[][..], |row| self.row(row)) {
                builder.add_internal(state, edge.letter, edge.state);
            }
            for edge in known.calls.map_or(&[][..], |row| self.row(row)) {
                builder.add_call(state, edge.letter, edge.state);
            }
        }
        for &(state, hier) in &self.returning {
            for edge in self.row(self.returns[&(state, hier)]) {
                builder.add_return(state, hier, edge.letter, edge.state);
            }
        }
        Ok(Explicit { nwa: builder.finish(), origin: self.states })
    }
}
