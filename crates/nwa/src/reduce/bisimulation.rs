//! A bisimulation-style partition for nested word automata.
//!
//! A partition ~ is *good* if it respects the key (finality, labels) and
//!
//! * p ~ p' have the same internal and call successors, up to ~;
//! * whenever p ~ p' and h ~ h', and both p with h and p' with h' occur below each other in runs (they are double
//!   deckers), p over h and p' over h' have the same return successors, up to ~.
//!
//! The quotient by a good partition has the same language, finite and infinite: a run of the quotient is followed
//! step by step by a run of the automaton whose states, also those on the stack, are in the same classes.
//!
//! There is no coarsest good partition: a conflict between (p, h) and (p', h') can be resolved by separating p from
//! p' or h from h'. It is resolved as it must be where p = p' or h = h', and else as [`Preference`] says. Starting
//! from the coarsest partition that ignores returns, conflicts are resolved until there are none.

use super::partition::{Class, Partition};
use crate::reach::Reach;
use crate::{Budget, EntityRef, Interrupted, Nwa, SecondaryMap, State};
use rustc_hash::FxHashMap;

/// What to separate where there is a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Preference {
    /// The states in which the returns are read.
    Linear,
    /// The states in which the calls were read.
    Hierarchical,
}

/// A good partition for a trimmed automaton (every return transition is on a double decker).
pub(crate) fn good_partition<K: Ord>(
    nwa: &Nwa,
    key: impl Fn(State) -> K,
    preference: Preference,
    budget: &dyn Budget,
) -> Result<Partition, Interrupted> {
    let mut partition = coarse_partition(nwa, key, budget)?;
    let returning = returning_classes(nwa, &partition);
    // Without returns there is nothing to resolve, and states of classes without returns have no conflicts.
    let decks = double_deckers(nwa, |state| returning[partition.class(state)], budget)?;
    loop {
        budget.check()?;
        let moved = resolve_conflicts(nwa, &mut partition, &decks, preference);
        if moved.is_empty() {
            return Ok(partition);
        }
        let mut dirty = Vec::new();
        let before = before(nwa);
        moved.into_iter().for_each(|state| before(state, &mut dirty));
        partition.refine(dirty, steps(nwa), before, budget)?;
    }
}

/// The coarsest partition that respects the key and internal and call successors, and ignores returns. Every good
/// partition is finer.
pub(crate) fn coarse_partition<K: Ord>(
    nwa: &Nwa,
    key: impl Fn(State) -> K,
    budget: &dyn Budget,
) -> Result<Partition, Interrupted> {
    let mut partition = Partition::by_key(nwa.num_states(), key);
    partition.refine(nwa.states().collect(), steps(nwa), before(nwa), budget)?;
    Ok(partition)
}

/// Marks the border between internal and call successors in a signature.
const BORDER: u64 = u64::MAX;

/// The signature of a state: its internal and call successors, up to the partition.
fn steps(nwa: &Nwa) -> impl Fn(&Partition, State, &mut Vec<u64>) {
    move |partition, state, out| {
        for edges in [nwa.internal(state), nwa.calls(state)] {
            let start = out.len();
            out.extend(
                edges.iter().map(|edge| {
                    (edge.letter.index() as u64) << 32 | partition.class(edge.state).index() as u64
                }),
            );
            out[start..].sort_unstable();
            let mut end = start;
            for index in start..out.len() {
                if end == start || out[end - 1] != out[index] {
                    out[end] = out[index];
                    end += 1;
                }
            }
            out.truncate(end);
            out.push(BORDER);
        }
    }
}

/// The sources of internal and call transitions.
fn before(nwa: &Nwa) -> impl Fn(State, &mut Vec<State>) + Copy {
    move |state, out| {
        out.extend(nwa.internal_into(state).iter().chain(nwa.calls_into(state)).map(|edge| edge.state));
    }
}

/// The classes with a member in which a return can be read.
fn returning_classes(nwa: &Nwa, partition: &Partition) -> SecondaryMap<Class, bool> {
    let mut returning = SecondaryMap::new();
    for state in nwa.states().filter(|&state| nwa.has_returns(state)) {
        returning[partition.class(state)] = true;
    }
    returning
}

/// All pairs of a wanted state and a hierarchical predecessor that it can have.
pub(crate) fn double_deckers(
    nwa: &Nwa,
    wanted: impl Fn(State) -> bool,
    budget: &dyn Budget,
) -> Result<Vec<(State, State)>, Interrupted> {
    let mut automaton = nwa;
    let reach = Reach::compute(&mut automaton, budget)?;
    let mut decks = Vec::new();
    for data in reach.contexts.values() {
        budget.check()?;
        for &state in data.members.iter().filter(|&&state| wanted(state)) {
            decks.extend(data.callers.iter().map(|&hier| (state, hier)));
        }
    }
    decks.sort_unstable();
    decks.dedup();
    Ok(decks)
}

/// A double decker with the number of its return signature.
#[derive(Clone, Copy)]
struct Deck {
    state: State,
    hier: State,
    signature: u32,
}

/// Splits classes until each pair of classes that had a conflict has fewer; returns the states that moved.
fn resolve_conflicts(
    nwa: &Nwa,
    partition: &mut Partition,
    decks: &[(State, State)],
    preference: Preference,
) -> Vec<State> {
    let returning = returning_classes(nwa, partition);
    let mut numbers: FxHashMap<Vec<(u32, Class)>, u32> = FxHashMap::default();
    let mut table: Vec<(Class, Class, Deck)> = Vec::new();
    for &(state, hier) in decks.iter().filter(|&&(state, _)| returning[partition.class(state)]) {
        let mut signature: Vec<(u32, Class)> = nwa
            .returns_with(state, hier)
            .iter()
            .map(|edge| (edge.letter.as_u32(), partition.class(edge.state)))
            .collect();
        signature.sort_unstable();
        signature.dedup();
        let fresh = numbers.len() as u32;
        let signature = *numbers.entry(signature).or_insert(fresh);
        table.push((partition.class(state), partition.class(hier), Deck { state, hier, signature }));
    }
    table.sort_by_key(|&(linear, hier, _)| (linear, hier));
    let mut moved = Vec::new();
    for same in table.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let first = same[0].2.signature;
        if same.iter().all(|(_, _, deck)| deck.signature == first) {
            continue;
        }
        let decks: Vec<Deck> = same.iter().map(|&(_, _, deck)| deck).collect();
        let linear: Vec<(State, State, u32)> = decks.iter().map(|d| (d.state, d.hier, d.signature)).collect();
        let hier: Vec<(State, State, u32)> = decks.iter().map(|d| (d.hier, d.state, d.signature)).collect();
        // If each state of one side has one signature, then separating that side by signature resolves everything.
        let split = match (clusters(&linear), clusters(&hier), preference) {
            (Clusters::Uniform(split), Clusters::Mixed(_), _) => split,
            (Clusters::Mixed(_), Clusters::Uniform(split), _) => split,
            (Clusters::Uniform(split) | Clusters::Mixed(split), _, Preference::Linear) => split,
            (_, Clusters::Uniform(split) | Clusters::Mixed(split), Preference::Hierarchical) => split,
        };
        separate(partition, split, &mut moved);
    }
    moved
}

/// The states of one side of a conflict with the numbers of the parts that they should go to.
enum Clusters {
    /// Each state has one signature with all states of the other side, which is its part.
    Uniform(Vec<(State, u32)>),
    /// Some state has several signatures. States are in one part only if none of the other side tells them apart.
    Mixed(Vec<(State, u32)>),
}

/// Distributes the states in the first component of the triples (state, other state, signature).
fn clusters(triples: &[(State, State, u32)]) -> Clusters {
    let mut sorted = triples.to_vec();
    sorted.sort_unstable();
    let rows: Vec<&[(State, State, u32)]> = sorted.chunk_by(|a, b| a.0 == b.0).collect();
    if rows.iter().all(|row| row.iter().all(|entry| entry.2 == row[0].2)) {
        return Clusters::Uniform(rows.iter().map(|row| (row[0].0, row[0].2)).collect());
    }
    // Each part knows the signatures of its states with the other side; a state goes to the first part that agrees.
    let mut parts: Vec<FxHashMap<State, u32>> = Vec::new();
    let mut split = Vec::new();
    for row in rows {
        let agrees = |part: &FxHashMap<State, u32>| {
            row.iter().all(|(_, other, signature)| part.get(other).is_none_or(|known| known == signature))
        };
        let index = parts.iter().position(agrees).unwrap_or_else(|| {
            parts.push(FxHashMap::default());
            parts.len() - 1
        });
        parts[index].extend(row.iter().map(|&(_, other, signature)| (other, signature)));
        split.push((row[0].0, index as u32));
    }
    Clusters::Mixed(split)
}

/// Separates the parts. Members of a class that are not mentioned stay with its largest part.
fn separate(partition: &mut Partition, mut split: Vec<(State, u32)>, moved: &mut Vec<State>) {
    split.sort_unstable_by_key(|&(state, signature)| (partition.class(state), signature, state));
    split.dedup();
    let by_class: Vec<Vec<(State, u32)>> = split
        .chunk_by(|a, b| partition.class(a.0) == partition.class(b.0))
        .map(<[(State, u32)]>::to_vec)
        .collect();
    for same_class in by_class {
        let groups: Vec<&[(State, u32)]> = same_class.chunk_by(|a, b| a.1 == b.1).collect();
        let keeper = (0..groups.len()).rev().max_by_key(|&index| groups[index].len()).unwrap_or(0);
        for (index, group) in groups.iter().enumerate() {
            if index != keeper {
                let states: Vec<State> = group.iter().map(|&(state, _)| state).collect();
                partition.split_off(&states);
                moved.extend(states);
            }
        }
    }
}
