//! Greedy merging of states into a good partition (see [`bisimulation`](super::bisimulation)).
//!
//! Resolving conflicts top-down separates more than necessary, because it must choose before it knows the classes. Here
//! classes grow bottom-up: two are united tentatively, and what then must be united too follows from determinism: if
//! two states of a class have one successor each with a letter, these must be in one class. The union is kept if
//! the partition is good afterwards, else it is undone.
//!
//! All members of a class agree, so one representative per class stands for the internal and call successors, and one
//! double decker per pair of classes for the returns: uniting costs what is known of the smaller class. States are
//! only compared within a partition that is coarser than any good one, and with a limited number of others each.

use super::partition::Partition;
use crate::{Budget, Edge, EntityRef, Interrupted, Nwa, PrimaryMap, State};
use rustc_hash::FxHashMap;

/// How many times it is tried to unite a state with later ones.
const ATTEMPTS: usize = 1000;

/// Unites states as long as the partition stays good. `coarse` is coarser than every good partition; `decks` are all
/// double deckers of the trimmed automaton.
pub(crate) fn merge(
    nwa: &Nwa,
    coarse: &Partition,
    decks: &[(State, State)],
    budget: &dyn Budget,
) -> Result<Vec<Vec<State>>, Interrupted> {
    let mut merger = Merger::new(nwa, coarse, decks);
    let mut groups: Vec<Vec<State>> = coarse.classes().map(<[State]>::to_vec).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    for state in nwa.states() {
        let group = &groups[coarse.class(state).index()];
        let later = group.partition_point(|&other| other <= state);
        for &other in group[later..].iter().take(ATTEMPTS) {
            budget.check()?;
            if merger.root[state] != merger.root[other] {
                merger.try_unite(state, other);
            }
        }
    }
    Ok(merger.into_classes())
}

/// A double decker.
type Deck = (State, State);

/// A change that can be undone.
enum Change {
    /// The class `small` was united into `large`.
    United { large: State, small: State },
    /// A representative of a pair of classes was removed.
    Removed { pair: Deck, deck: Deck },
    /// A representative of a pair of classes was added, and the classes were noted as neighbours.
    Added { pair: Deck },
}

struct Merger<'a> {
    nwa: &'a Nwa,
    coarse: &'a Partition,
    /// The class of a state is named by one of its members.
    root: PrimaryMap<State, State>,
    members: PrimaryMap<State, Vec<State>>,
    /// For each pair of classes with double deckers, one of them.
    decks: FxHashMap<Deck, Deck>,
    /// For each class the classes that may be below it in such a pair, and above it. May name pairs that are gone.
    below: PrimaryMap<State, Vec<State>>,
    above: PrimaryMap<State, Vec<State>>,
    changes: Vec<Change>,
    /// Pairs of states that must be in one class.
    demands: Vec<(State, State)>,
}

impl<'a> Merger<'a> {
    fn new(nwa: &'a Nwa, coarse: &'a Partition, decks: &[Deck]) -> Merger<'a> {
        let empty = || nwa.states().map(|_| Vec::new()).collect();
        let mut merger = Merger {
            nwa,
            coarse,
            root: nwa.states().collect(),
            members: nwa.states().map(|state| vec![state]).collect(),
            decks: FxHashMap::default(),
            below: empty(),
            above: empty(),
            changes: Vec::new(),
            demands: Vec::new(),
        };
        for &deck in decks {
            merger.add(deck, deck);
        }
        merger.changes.clear();
        merger
    }

    fn add(&mut self, pair: Deck, deck: Deck) {
        self.decks.insert(pair, deck);
        self.below[pair.0].push(pair.1);
        self.above[pair.1].push(pair.0);
        self.changes.push(Change::Added { pair });
    }

    /// Unites two states and whatever must be united then; `false` and no change if the partition would not be good.
    fn try_unite(&mut self, a: State, b: State) -> bool {
        self.demands.clear();
        self.demands.push((a, b));
        let mut good = true;
        while good && let Some((a, b)) = self.demands.pop() {
            let (a, b) = (self.root[a], self.root[b]);
            good = a == b || (self.coarse.class(a) == self.coarse.class(b) && self.unite(a, b));
        }
        if good {
            self.changes.clear();
        } else {
            self.undo();
        }
        good
    }

    /// Unites two classes that are not one yet. What must follow is added to the demands.
    fn unite(&mut self, a: State, b: State) -> bool {
        let (large, small) = if self.members[a].len() >= self.members[b].len() { (a, b) } else { (b, a) };
        let agree = self.agree(self.nwa.internal(a), self.nwa.internal(b))
            && self.agree(self.nwa.calls(a), self.nwa.calls(b));
        if !agree {
            return false;
        }
        for index in 0..self.members[small].len() {
            let member = self.members[small][index];
            self.root[member] = large;
        }
        let moved = self.members[small].clone();
        self.members[large].extend(moved);
        self.changes.push(Change::United { large, small });
        let mut pairs: Vec<Deck> = self.below[small].iter().map(|&below| (small, below)).collect();
        pairs.extend(self.above[small].iter().map(|&above| (above, small)));
        for pair in pairs {
            let Some(deck) = self.decks.remove(&pair) else { continue };
            self.changes.push(Change::Removed { pair, deck });
            let pair = (self.root[pair.0], self.root[pair.1]);
            match self.decks.get(&pair) {
                None => self.add(pair, deck),
                Some(&other) => {
                    let returns = |deck: Deck| self.nwa.returns_with(deck.0, deck.1);
                    let (these, those) = (returns(deck), returns(other));
                    if !self.agree(these, those) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn undo(&mut self) {
        while let Some(change) = self.changes.pop() {
            match change {
                Change::United { large, small } => {
                    let rest = self.members[large].len() - self.members[small].len();
                    self.members[large].truncate(rest);
                    for index in 0..self.members[small].len() {
                        let member = self.members[small][index];
                        self.root[member] = small;
                    }
                }
                Change::Removed { pair, deck } => {
                    self.decks.insert(pair, deck);
                }
                Change::Added { pair } => {
                    self.decks.remove(&pair);
                    self.below[pair.0].pop();
                    self.above[pair.1].pop();
                }
            }
        }
    }

    /// Whether two lists of edges, sorted by letter, lead to the same classes with the same letters. Where each leads to
    /// one class with a letter, a difference becomes a demand.
    fn agree(&mut self, mut these: &[Edge], mut those: &[Edge]) -> bool {
        while let (Some(first), Some(other)) = (these.first(), those.first()) {
            if first.letter != other.letter {
                return false;
            }
            let count = |edges: &[Edge]| edges.iter().take_while(|edge| edge.letter == first.letter).count();
            let (here, there) = (count(these), count(those));
            let (a, b) = (self.roots(&these[..here]), self.roots(&those[..there]));
            match (&a[..], &b[..]) {
                (a, b) if a == b => {}
                (&[a], &[b]) => self.demands.push((a, b)),
                _ => return false,
            }
            (these, those) = (&these[here..], &those[there..]);
        }
        these.is_empty() && those.is_empty()
    }

    fn roots(&self, edges: &[Edge]) -> Vec<State> {
        let mut roots: Vec<State> = edges.iter().map(|edge| self.root[edge.state]).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    fn into_classes(self) -> Vec<Vec<State>> {
        let Merger { root, members, .. } = self;
        members.into_iter().filter(|(state, _)| root[*state] == *state).map(|(_, members)| members).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alphabet, Letter, NwaBuilder};

    /// Two copies of a loop of two states, entered from one state: the copies can be merged, and merging one pair demands
    /// the other.
    #[test]
    fn what_follows_from_a_union_is_united_too() {
        let (q, a) = (State::new, Letter::new);
        let mut builder = NwaBuilder::new(Alphabet::finite([a(0), a(1)]));
        builder.add_states(5);
        for (source, letter, target) in [(0, 0, 1), (0, 1, 3), (1, 0, 2), (2, 1, 1), (3, 0, 4), (4, 1, 3)] {
            builder.add_internal(q(source), a(letter), q(target));
        }
        let nwa = builder.finish();
        let coarse = Partition::by_key(5, |state| nwa.internal(state).len() * 10 + state.index() % 2);
        let mut classes = merge(&nwa, &coarse, &[], &crate::Unlimited).unwrap();
        classes.iter_mut().for_each(|class| class.sort_unstable());
        classes.sort_unstable();
        assert_eq!(classes, [vec![q(0)], vec![q(1), q(3)], vec![q(2), q(4)]]);
    }
}
