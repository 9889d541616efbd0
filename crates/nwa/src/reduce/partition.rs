//! Partitions of the states into classes that are only ever split, and their refinement by signatures.
//!
//! A *signature* says what distinguishes a state, in terms of the current classes. [`Partition::refine`] splits until
//! the states of each class have the same signature. Only states whose signature may have changed are looked at
//! again, and of a class that is split the largest part keeps its number, so a state moves to a new class at most
//! log n times: O(m log n) signatures' entries in all.

use crate::State;
use crate::{Budget, EntityRef, Interrupted, PrimaryMap, SecondaryMap};

crate::ids::id!(
    /// A class of states.
    Class,
    "class"
);

/// A partition of the states.
#[derive(Clone)]
pub(crate) struct Partition {
    class: PrimaryMap<State, Class>,
    /// Where a state stands among the members of its class.
    position: PrimaryMap<State, u32>,
    members: PrimaryMap<Class, Vec<State>>,
}

impl Partition {
    /// The partition into states with equal keys; classes are numbered by ascending key.
    pub(crate) fn by_key<K: Ord>(states: usize, key: impl Fn(State) -> K) -> Partition {
        let mut sorted: Vec<State> = (0..states).map(State::new).collect();
        sorted.sort_by_cached_key(|&state| key(state));
        let mut partition = Partition {
            class: (0..states).map(|_| Class::new(0)).collect(),
            position: (0..states).map(|_| 0).collect(),
            members: PrimaryMap::new(),
        };
        for same in sorted.chunk_by(|&a, &b| key(a) == key(b)) {
            let class = partition.members.push(same.to_vec());
            for (position, &state) in same.iter().enumerate() {
                partition.class[state] = class;
                partition.position[state] = position as u32;
            }
        }
        partition
    }

    /// The class of a state.
    pub(crate) fn class(&self, state: State) -> Class {
        self.class[state]
    }

    /// The states of a class.
    pub(crate) fn members(&self, class: Class) -> &[State] {
        &self.members[class]
    }

    /// The number of classes.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// The members of all classes.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &[State]> {
        self.members.values().map(Vec::as_slice)
    }

    /// The members of all classes.
    pub(crate) fn into_classes(self) -> PrimaryMap<Class, Vec<State>> {
        self.members
    }

    /// Moves states, which must be some but not all members of one class, to a new class.
    pub(crate) fn split_off(&mut self, states: &[State]) -> Class {
        let new = self.members.push(Vec::with_capacity(states.len()));
        for &state in states {
            let old = self.class[state];
            let position = self.position[state] as usize;
            self.members[old].swap_remove(position);
            if let Some(&moved) = self.members[old].get(position) {
                self.position[moved] = position as u32;
            }
            self.class[state] = new;
            self.position[state] = self.members[new].len() as u32;
            self.members[new].push(state);
        }
        new
    }

    /// Splits until the states of each class have the same signature. `dirty` holds the states whose signature may
    /// differ from that of the rest of their class; `predecessors` appends the states whose signature mentions
    /// the class of a state.
    pub(crate) fn refine(
        &mut self,
        mut dirty: Vec<State>,
        signature: impl Fn(&Partition, State, &mut Vec<u64>),
        predecessors: impl Fn(State, &mut Vec<State>),
        budget: &dyn Budget,
    ) -> Result<(), Interrupted> {
        let mut is_dirty: SecondaryMap<State, bool> = SecondaryMap::new();
        let mut next = Vec::new();
        while !dirty.is_empty() {
            dirty.sort_unstable();
            dirty.dedup();
            dirty.iter().for_each(|&state| is_dirty[state] = true);
            dirty.sort_by_key(|&state| self.class[state]);
            let groups: Vec<Vec<State>> =
                dirty.chunk_by(|&a, &b| self.class[a] == self.class[b]).map(<[State]>::to_vec).collect();
            for group in groups {
                budget.check()?;
                self.split_class(&group, &is_dirty, &signature, |moved| predecessors(moved, &mut next));
            }
            dirty.drain(..).for_each(|state| is_dirty[state] = false);
            std::mem::swap(&mut dirty, &mut next);
        }
        Ok(())
    }

    /// Splits one class by the signatures of its dirty members; the other members have one signature.
    fn split_class(
        &mut self,
        dirty: &[State],
        is_dirty: &SecondaryMap<State, bool>,
        signature: &impl Fn(&Partition, State, &mut Vec<u64>),
        mut moved: impl FnMut(State),
    ) {
        let class = self.class[dirty[0]];
        let of = |state| {
            let mut entries = Vec::new();
            signature(self, state, &mut entries);
            entries
        };
        let mut signed: Vec<(Vec<u64>, State)> = dirty.iter().map(|&state| (of(state), state)).collect();
        signed.sort_unstable();
        let clean = self.members[class].len() - dirty.len();
        let clean_signature =
            self.members[class].iter().find(|&&state| !is_dirty[state]).map(|&state| of(state));
        let mut groups: Vec<Vec<State>> = Vec::new();
        // The group that the clean members belong to, if there are any.
        let mut with_clean = None;
        for same in signed.chunk_by(|a, b| a.0 == b.0) {
            if clean_signature.as_ref() == Some(&same[0].0) {
                with_clean = Some(groups.len());
            }
            groups.push(same.iter().map(|&(_, state)| state).collect());
        }
        if clean > 0 && with_clean.is_none() {
            with_clean = Some(groups.len());
            groups.push(Vec::new());
        }
        if groups.len() == 1 {
            return;
        }
        let size = |index: usize| groups[index].len() + if with_clean == Some(index) { clean } else { 0 };
        let keeper = (0..groups.len()).rev().max_by_key(|&index| size(index)).unwrap_or(0);
        if let Some(index) = with_clean.filter(|&index| index != keeper) {
            groups[index].extend(self.members[class].iter().filter(|&&state| !is_dirty[state]));
        }
        for (index, group) in groups.iter().enumerate() {
            if index != keeper {
                self.split_off(group);
                group.iter().for_each(|&state| moved(state));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refinement_distinguishes_distances() {
        // A path 0 → 1 → … → 9: only the last state is special, so all states differ in the end.
        let next = |state: State| (state.index() + 1 < 10).then(|| State::new(state.index() + 1));
        let mut partition = Partition::by_key(10, |state| state.index() == 9);
        let all = (0..10).map(State::new).collect();
        let signature = |partition: &Partition, state, out: &mut Vec<u64>| {
            out.extend(next(state).map(|next| partition.class(next).index() as u64));
        };
        let before = |state: State, out: &mut Vec<State>| {
            out.extend((state.index() > 0).then(|| State::new(state.index() - 1)));
        };
        partition.refine(all, signature, before, &crate::Unlimited).unwrap();
        assert_eq!(partition.len(), 10);
    }

    #[test]
    fn split_off_keeps_positions() {
        let mut partition = Partition::by_key(5, |_| 0);
        let q = State::new;
        let new = partition.split_off(&[q(0), q(3)]);
        assert_eq!(partition.members(new), [q(0), q(3)]);
        let other = partition.split_off(&[q(4)]);
        assert_eq!(partition.members(other), [q(4)]);
        let mut rest = partition.members(partition.class(q(1))).to_vec();
        rest.sort_unstable();
        assert_eq!(rest, [q(1), q(2)]);
    }
}
