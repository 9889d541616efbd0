//! Hopcroft's minimisation of deterministic finite automata.
//!
//! A splitter is a class S: the predecessors of S with a letter are separated from the other members of their
//! classes. After a split, the smaller part becomes a splitter (both parts, if the whole was waiting). Transitions
//! may be missing: then "no transition" is what distinguishes, and it suffices that every initial class is a
//! splitter once. O(m log n) for m transitions, plus sorting the transitions of a splitter by letter.

use super::partition::{Class, Partition};
use crate::{Budget, Interrupted, Nwa, SecondaryMap, State};

/// The coarsest partition that respects `key` and the transitions of a deterministic finite automaton.
pub(crate) fn minimal_partition<K: Ord>(
    nwa: &Nwa,
    key: impl Fn(State) -> K,
    budget: &dyn Budget,
) -> Result<Partition, Interrupted> {
    let mut partition = Partition::by_key(nwa.num_states(), key);
    let mut waiting: SecondaryMap<Class, bool> = SecondaryMap::new();
    let mut work: Vec<Class> = Vec::new();
    for class in (0..partition.len()).map(|class| Class::from_u32(class as u32)) {
        waiting[class] = true;
        work.push(class);
    }
    let mut incoming = Vec::new();
    while let Some(splitter) = work.pop() {
        budget.check()?;
        waiting[splitter] = false;
        incoming.clear();
        for &state in partition.members(splitter) {
            incoming.extend(nwa.internal_into(state).iter().map(|edge| (edge.letter, edge.state)));
        }
        incoming.sort_unstable();
        for same_letter in incoming.chunk_by(|a, b| a.0 == b.0) {
            let mut sources: Vec<State> = same_letter.iter().map(|&(_, state)| state).collect();
            sources.sort_unstable_by_key(|&state| (partition.class(state), state));
            sources.dedup();
            let groups: Vec<Vec<State>> = sources
                .chunk_by(|&a, &b| partition.class(a) == partition.class(b))
                .map(<[State]>::to_vec)
                .collect();
            for group in groups {
                let old = partition.class(group[0]);
                if group.len() == partition.members(old).len() {
                    continue;
                }
                let new = partition.split_off(&group);
                let smaller =
                    if partition.members(new).len() <= partition.members(old).len() { new } else { old };
                let next = if waiting[old] { new } else { smaller };
                waiting[next] = true;
                work.push(next);
            }
        }
    }
    Ok(partition)
}
