//! Greedy merging of states into a good partition (see [`bisimulation`](super::bisimulation)).
//!
//! Resolving conflicts top-down can separate more than necessary, because there is a choice. Here two classes are
//! united tentatively; what then must be united too follows from determinism: if two states of a class have one
//! successor each with a letter, these must be in one class. The union is kept if the partition is good afterwards.
//! Cost: a pass over the affected classes per attempt, so this is for automata of some hundred states.

use crate::{Letter, Nwa, State};
use base::{Budget, EntityRef, Interrupted, PrimaryMap};
use rustc_hash::FxHashMap;

/// Unites states as long as the partition stays good. `decks` are all double deckers.
pub(crate) fn merge<K: Ord>(
    nwa: &Nwa,
    key: impl Fn(State) -> K,
    decks: &[(State, State)],
    budget: &Budget,
) -> Result<Vec<Vec<State>>, Interrupted> {
    let mut hiers: PrimaryMap<State, Vec<State>> = nwa.states().map(|_| Vec::new()).collect();
    let mut above: PrimaryMap<State, Vec<State>> = nwa.states().map(|_| Vec::new()).collect();
    for &(state, hier) in decks {
        hiers[state].push(hier);
        above[hier].push(state);
    }
    let merger = Merger { nwa, hiers, above };
    let mut classes = Classes::singletons(nwa.num_states());
    let states: Vec<State> = nwa.states().collect();
    for (index, &first) in states.iter().enumerate() {
        for &second in &states[index + 1..] {
            budget.check()?;
            if classes.root(first) == classes.root(second)
                || key(first) != key(second)
                || !merger.look_alike(first, second)
            {
                continue;
            }
            let mut attempt = classes.clone();
            if merger.unite(&mut attempt, first, second, &key) {
                classes = attempt;
            }
        }
    }
    Ok(classes.into_members())
}

/// Classes as a forest with the members at the roots.
#[derive(Clone)]
struct Classes {
    root: PrimaryMap<State, State>,
    members: PrimaryMap<State, Vec<State>>,
}

impl Classes {
    fn singletons(states: usize) -> Classes {
        Classes {
            root: (0..states).map(State::new).collect(),
            members: (0..states).map(|state| vec![State::new(state)]).collect(),
        }
    }

    fn root(&self, state: State) -> State {
        self.root[state]
    }

    /// Unites two classes; the root of the larger one stays.
    fn unite(&mut self, a: State, b: State) -> State {
        let (mut large, mut small) = (self.root[a], self.root[b]);
        if self.members[large].len() < self.members[small].len() {
            std::mem::swap(&mut large, &mut small);
        }
        let moved = std::mem::take(&mut self.members[small]);
        moved.iter().for_each(|&state| self.root[state] = large);
        self.members[large].extend(moved);
        large
    }

    fn into_members(self) -> Vec<Vec<State>> {
        self.members.into_iter().map(|(_, members)| members).filter(|members| !members.is_empty()).collect()
    }
}

/// Two states that must be united.
type Demand = (State, State);

struct Merger<'a> {
    nwa: &'a Nwa,
    hiers: PrimaryMap<State, Vec<State>>,
    above: PrimaryMap<State, Vec<State>>,
}

impl Merger<'_> {
    /// Whether two states read the same internal and call letters.
    fn look_alike(&self, a: State, b: State) -> bool {
        let letters = |edges: &[crate::Edge]| {
            let mut letters: Vec<Letter> = edges.iter().map(|edge| edge.letter).collect();
            letters.dedup();
            letters
        };
        letters(self.nwa.internal(a)) == letters(self.nwa.internal(b))
            && letters(self.nwa.calls(a)) == letters(self.nwa.calls(b))
    }

    /// Unites two states and whatever must be united then; `false` if the partition would not be good.
    fn unite<K: Ord>(&self, classes: &mut Classes, a: State, b: State, key: &impl Fn(State) -> K) -> bool {
        let mut demands: Vec<Demand> = vec![(a, b)];
        let mut changed: Vec<State> = Vec::new();
        loop {
            while let Some((a, b)) = demands.pop() {
                if classes.root(a) == classes.root(b) {
                    continue;
                }
                if key(a) != key(b) || !self.look_alike(a, b) {
                    return false;
                }
                changed.push(classes.unite(a, b));
            }
            let Some(class) = changed.pop() else { return true };
            let good = self.check_steps(classes, class, &mut demands)
                && self.check_returns(classes, class, &mut demands);
            if !good {
                return false;
            }
            if !demands.is_empty() {
                changed.push(class);
            }
        }
    }

    /// Checks the internal and call successors of the members of a class. What leads into the class needs no check:
    /// a union never makes successors differ.
    fn check_steps(&self, classes: &Classes, class: State, demands: &mut Vec<Demand>) -> bool {
        let class = classes.root(class);
        let members = &classes.members[class];
        let first = members[0];
        members[1..].iter().all(|&other| {
            agree(classes, self.nwa.internal(first), self.nwa.internal(other), demands)
                && agree(classes, self.nwa.calls(first), self.nwa.calls(other), demands)
        })
    }

    /// Checks the returns over all pairs of classes in which a class takes part.
    fn check_returns(&self, classes: &Classes, class: State, demands: &mut Vec<Demand>) -> bool {
        let class = classes.root(class);
        let mut pairs: Vec<(State, State)> = Vec::new();
        for &member in &classes.members[class] {
            pairs.extend(self.hiers[member].iter().map(|&hier| (class, classes.root(hier))));
            pairs.extend(self.above[member].iter().map(|&linear| (classes.root(linear), class)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().all(|(linear, hier)| {
            let mut seen: Option<&[crate::Edge]> = None;
            classes.members[linear].iter().all(|&state| {
                let hiers = self.hiers[state].iter().filter(|&&below| classes.root(below) == hier);
                hiers.copied().collect::<Vec<_>>().into_iter().all(|below| {
                    let edges = self.nwa.returns_with(state, below);
                    let first = *seen.get_or_insert(edges);
                    agree(classes, first, edges, demands)
                })
            })
        })
    }
}

/// Whether two lists of edges lead to the same classes with the same letters. Where each has one edge with a letter, a
/// difference becomes a demand.
fn agree(classes: &Classes, a: &[crate::Edge], b: &[crate::Edge], demands: &mut Vec<Demand>) -> bool {
    let by_letter = |edges: &[crate::Edge]| {
        let mut grouped: FxHashMap<Letter, Vec<State>> = FxHashMap::default();
        for edge in edges {
            grouped.entry(edge.letter).or_default().push(edge.state);
        }
        grouped
    };
    if a == b {
        return true;
    }
    let (a_targets, b_targets) = (by_letter(a), by_letter(b));
    if a_targets.len() != b_targets.len() {
        return false;
    }
    let mut letters: Vec<Letter> = a.iter().map(|edge| edge.letter).collect();
    letters.dedup();
    letters.into_iter().all(|letter| {
        let (Some(a), Some(b)) = (a_targets.get(&letter), b_targets.get(&letter)) else { return false };
        let roots = |states: &[State]| {
            let mut roots: Vec<State> = states.iter().map(|&state| classes.root(state)).collect();
            roots.sort_unstable();
            roots.dedup();
            roots
        };
        match (&roots(a)[..], &roots(b)[..]) {
            (a, b) if a == b => true,
            (&[a], &[b]) => {
                demands.push((a, b));
                true
            }
            _ => false,
        }
    })
}
