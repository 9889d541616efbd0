//! Explicit nested word automata (Nested Interpolants, §2.2): A = (Q, ⟨δ_in, δ_ca, δ_re⟩, Q_init, Q_fin).
//!
//! The transition relations are kept in compressed rows, once by source and once by target; returns also by
//! hierarchical predecessor. An automaton does not change after [`NwaBuilder::finish`]. A finite automaton is
//! the case without calls and returns.

use crate::table::Rows;
use crate::{Alphabet, EntityRef, EntitySet, Letter, State};

/// A letter and the state at the other end of a transition: its target in rows by source, its source in rows
/// by target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The letter.
    pub letter: Letter,
    /// The state at the other end.
    pub state: State,
}

/// A return transition: `(linear, hier, letter, target) ∈ δ_re`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Return {
    /// The linear predecessor, in which the return is read.
    pub linear: State,
    /// The hierarchical predecessor, in which the matching call was read.
    pub hier: State,
    /// The letter.
    pub letter: Letter,
    /// The successor.
    pub target: State,
}

/// The return transitions from one state with one hierarchical predecessor: a range of the return edges.
#[derive(Clone, Copy, Debug)]
struct Group {
    hier: State,
    start: u32,
    end: u32,
}

/// An explicit nested word automaton.
#[derive(Clone, Debug)]
pub struct Nwa {
    alphabet: Alphabet,
    initial: Vec<State>,
    finals: EntitySet<State>,
    states: usize,
    internal: Rows<Edge>,
    internal_into: Rows<Edge>,
    calls: Rows<Edge>,
    calls_into: Rows<Edge>,
    /// For each state the first and the last of its groups.
    group_starts: Vec<u32>,
    groups: Vec<Group>,
    return_edges: Vec<Edge>,
    returns_into: Rows<Return>,
    returns_over: Rows<Return>,
}

impl Nwa {
    /// The letters it knows.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The number of states.
    pub fn num_states(&self) -> usize {
        self.states
    }

    /// The number of transitions of all three kinds.
    pub fn num_transitions(&self) -> usize {
        self.internal.items().len() + self.calls.items().len() + self.return_edges.len()
    }

    /// All states.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = State> + ExactSizeIterator + use<> {
        (0..self.states).map(State::new)
    }

    /// The initial states, in ascending order.
    pub fn initial(&self) -> &[State] {
        &self.initial
    }

    /// Whether the state is final.
    #[inline]
    pub fn is_final(&self, state: State) -> bool {
        self.finals.contains(state)
    }

    /// Whether there are neither calls nor returns.
    pub fn is_finite_automaton(&self) -> bool {
        self.calls.items().is_empty() && self.return_edges.is_empty()
    }

    /// The internal transitions from a state, by letter and target.
    #[inline]
    pub fn internal(&self, state: State) -> &[Edge] {
        self.internal.row(state)
    }

    /// The internal transitions from a state with a letter.
    pub fn internal_on(&self, state: State, letter: Letter) -> &[Edge] {
        with_letter(self.internal(state), letter)
    }

    /// The internal transitions into a state, by letter and source.
    #[inline]
    pub fn internal_into(&self, state: State) -> &[Edge] {
        self.internal_into.row(state)
    }

    /// The call transitions from a state, by letter and target.
    #[inline]
    pub fn calls(&self, state: State) -> &[Edge] {
        self.calls.row(state)
    }

    /// The call transitions from a state with a letter.
    pub fn calls_on(&self, state: State, letter: Letter) -> &[Edge] {
        with_letter(self.calls(state), letter)
    }

    /// The call transitions into a state, by letter and source.
    #[inline]
    pub fn calls_into(&self, state: State) -> &[Edge] {
        self.calls_into.row(state)
    }

    /// The return transitions from a state: for each hierarchical predecessor, in ascending order, the letters
    /// and targets.
    pub fn returns(&self, state: State) -> impl ExactSizeIterator<Item = (State, &[Edge])> {
        self.groups(state).iter().map(|group| (group.hier, self.edges_of(group)))
    }

    /// Whether there is a return transition from a state.
    #[inline]
    pub fn has_returns(&self, state: State) -> bool {
        !self.groups(state).is_empty()
    }

    /// The return transitions from a state with a hierarchical predecessor, by letter and target.
    pub fn returns_with(&self, state: State, hier: State) -> &[Edge] {
        let groups = self.groups(state);
        match groups.binary_search_by_key(&hier, |group| group.hier) {
            Ok(found) => self.edges_of(&groups[found]),
            Err(_) => &[],
        }
    }

    /// The return transitions from a state with a hierarchical predecessor and a letter.
    pub fn returns_on(&self, state: State, hier: State, letter: Letter) -> &[Edge] {
        with_letter(self.returns_with(state, hier), letter)
    }

    /// The return transitions into a state.
    #[inline]
    pub fn returns_into(&self, state: State) -> &[Return] {
        self.returns_into.row(state)
    }

    /// The return transitions with a hierarchical predecessor.
    #[inline]
    pub fn returns_over(&self, hier: State) -> &[Return] {
        self.returns_over.row(hier)
    }

    fn groups(&self, state: State) -> &[Group] {
        let index = state.index();
        &self.groups[self.group_starts[index] as usize..self.group_starts[index + 1] as usize]
    }

    fn edges_of(&self, group: &Group) -> &[Edge] {
        &self.return_edges[group.start as usize..group.end as usize]
    }
}

fn with_letter(edges: &[Edge], letter: Letter) -> &[Edge] {
    let start = edges.partition_point(|edge| edge.letter < letter);
    let length = edges[start..].partition_point(|edge| edge.letter == letter);
    &edges[start..start + length]
}

/// Collects states and transitions for an [`Nwa`]. Repeated transitions count once.
#[derive(Clone, Debug, Default)]
pub struct NwaBuilder {
    alphabet: Alphabet,
    states: usize,
    initial: Vec<State>,
    finals: EntitySet<State>,
    internal: Vec<(State, Edge)>,
    calls: Vec<(State, Edge)>,
    returns: Vec<(State, Return)>,
}

impl NwaBuilder {
    /// An automaton without states. The letters of its transitions must be in the alphabet.
    pub fn new(alphabet: Alphabet) -> NwaBuilder {
        NwaBuilder { alphabet, ..NwaBuilder::default() }
    }

    /// Adds a state, neither initial nor final.
    pub fn add_state(&mut self) -> State {
        let state = State::new(self.states);
        self.states += 1;
        state
    }

    /// Adds `count` states and returns the first.
    pub fn add_states(&mut self, count: usize) -> State {
        let first = State::new(self.states);
        self.states += count;
        first
    }

    /// Makes a state initial.
    pub fn set_initial(&mut self, state: State) {
        debug_assert!(state.index() < self.states);
        self.initial.push(state);
    }

    /// Makes a state final.
    pub fn set_final(&mut self, state: State) {
        debug_assert!(state.index() < self.states);
        self.finals.insert(state);
    }

    /// Adds an internal transition.
    pub fn add_internal(&mut self, source: State, letter: Letter, target: State) {
        debug_assert!(self.alphabet.internal().binary_search(&letter).is_ok());
        debug_assert!(source.index().max(target.index()) < self.states);
        self.internal.push((source, Edge { letter, state: target }));
    }

    /// Adds a call transition.
    pub fn add_call(&mut self, source: State, letter: Letter, target: State) {
        debug_assert!(self.alphabet.call().binary_search(&letter).is_ok());
        debug_assert!(source.index().max(target.index()) < self.states);
        self.calls.push((source, Edge { letter, state: target }));
    }

    /// Adds a return transition from `linear` with the hierarchical predecessor `hier`.
    pub fn add_return(&mut self, linear: State, hier: State, letter: Letter, target: State) {
        debug_assert!(self.alphabet.ret().binary_search(&letter).is_ok());
        debug_assert!(linear.index().max(hier.index()).max(target.index()) < self.states);
        self.returns.push((linear, Return { linear, hier, letter, target }));
    }

    /// Builds the tables.
    pub fn finish(mut self) -> Nwa {
        self.initial.sort_unstable();
        self.initial.dedup();
        let states = self.states;
        let internal = Rows::new(states, &self.internal);
        let internal_into = Rows::new(states, &turned(self.internal));
        let calls = Rows::new(states, &self.calls);
        let calls_into = Rows::new(states, &turned(self.calls));
        let returns = Rows::new(states, &self.returns);
        let by = |key: fn(&Return) -> State| {
            let keyed: Vec<(State, Return)> = returns.items().iter().map(|r| (key(r), *r)).collect();
            Rows::new(states, &keyed)
        };
        let (returns_into, returns_over) = (by(|r| r.target), by(|r| r.hier));
        let mut group_starts = vec![0];
        let mut groups: Vec<Group> = Vec::new();
        let mut return_edges = Vec::with_capacity(returns.items().len());
        for state in (0..states).map(State::new) {
            for same_hier in returns.row(state).chunk_by(|a, b| a.hier == b.hier) {
                let start = return_edges.len() as u32;
                return_edges.extend(same_hier.iter().map(|r| Edge { letter: r.letter, state: r.target }));
                groups.push(Group { hier: same_hier[0].hier, start, end: return_edges.len() as u32 });
            }
            group_starts.push(groups.len() as u32);
        }
        Nwa {
            alphabet: self.alphabet,
            initial: self.initial,
            finals: self.finals,
            states,
            internal,
            internal_into,
            calls,
            calls_into,
            group_starts,
            groups,
            return_edges,
            returns_into,
            returns_over,
        }
    }
}

fn turned(edges: Vec<(State, Edge)>) -> Vec<(State, Edge)> {
    edges
        .into_iter()
        .map(|(source, edge)| (edge.state, Edge { letter: edge.letter, state: source }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_shows_the_same_transitions() {
        let (q, a) = (State::new, Letter::new);
        let mut builder = NwaBuilder::new(Alphabet::new([a(0), a(1)], [a(2)], [a(3)]));
        builder.add_states(4);
        builder.set_initial(q(1));
        builder.set_initial(q(1));
        builder.set_final(q(3));
        builder.add_internal(q(1), a(1), q(2));
        builder.add_internal(q(1), a(0), q(2));
        builder.add_internal(q(1), a(0), q(2));
        builder.add_call(q(2), a(2), q(0));
        builder.add_return(q(0), q(2), a(3), q(3));
        builder.add_return(q(0), q(1), a(3), q(1));
        builder.add_return(q(0), q(2), a(3), q(0));
        let nwa = builder.finish();

        assert_eq!((nwa.num_states(), nwa.num_transitions()), (4, 6));
        assert_eq!(nwa.initial(), [q(1)]);
        assert_eq!(nwa.states().filter(|&state| nwa.is_final(state)).collect::<Vec<_>>(), [q(3)]);
        let edge = |letter, state| Edge { letter: a(letter), state: q(state) };
        assert_eq!(nwa.internal(q(1)), [edge(0, 2), edge(1, 2)]);
        assert_eq!(nwa.internal_on(q(1), a(1)), [edge(1, 2)]);
        assert_eq!(nwa.internal_into(q(2)), [edge(0, 1), edge(1, 1)]);
        assert_eq!(nwa.calls(q(2)), [edge(2, 0)]);
        assert_eq!(nwa.calls_into(q(0)), [edge(2, 2)]);
        assert_eq!(nwa.returns_with(q(0), q(2)), [edge(3, 0), edge(3, 3)]);
        assert_eq!(nwa.returns_on(q(0), q(1), a(3)), [edge(3, 1)]);
        assert!(nwa.returns_with(q(0), q(3)).is_empty());
        assert_eq!(nwa.returns(q(0)).map(|(hier, _)| hier).collect::<Vec<_>>(), [q(1), q(2)]);
        assert_eq!(nwa.returns_into(q(3)).len(), 1);
        assert_eq!(nwa.returns_over(q(2)).len(), 2);
        assert!(nwa.has_returns(q(0)) && !nwa.has_returns(q(1)));
    }
}
