//! A simulation for nested word automata.
//!
//! A preorder ≤ is a *simulation* if p ≤ q implies that q is final if p is, their labels are equal, and
//!
//! * for each internal or call successor p' of p there is a successor q' of q with the same letter and p' ≤ q';
//! * if also h ≤ g, and both p over h and q over g are double deckers, then for each return successor p' of p over
//!   h there is one q' of q over g with the same letter and p' ≤ q'.
//!
//! Merging states that simulate each other keeps the language, finite and infinite: a run of the quotient is followed
//! by a run of the automaton that stays above it, on the stack too. (The second condition needs a preorder, because
//! the quotient combines returns of different members.) As for partitions, there is no largest simulation: where
//! p ≤ q and h ≤ g conflict, one of the two is given up.
//!
//! The relation is a matrix of bits. Internal and call steps are handled by removing, for each state whose set of
//! simulators shrank, what no longer simulates its predecessors; returns are checked in passes in between. Cost: about
//! n² / 64 words per change of a row; the caller limits n.

use super::bisimulation::Preference;
use crate::{Budget, EntityRef, Interrupted, Letter, Nwa, State};

/// For each state the set of states that simulate it, as bits.
#[derive(Clone)]
struct Relation {
    words: usize,
    bits: Vec<u64>,
}

impl Relation {
    fn new(states: usize) -> Relation {
        let words = states.div_ceil(64);
        Relation { words, bits: vec![0; words * states] }
    }

    fn row(&self, state: State) -> &[u64] {
        &self.bits[state.index() * self.words..(state.index() + 1) * self.words]
    }

    fn row_mut(&mut self, state: State) -> &mut [u64] {
        &mut self.bits[state.index() * self.words..(state.index() + 1) * self.words]
    }

    fn contains(&self, below: State, above: State) -> bool {
        has(self.row(below), above)
    }

    fn remove(&mut self, below: State, above: State) {
        self.row_mut(below)[above.index() / 64] &= !(1 << (above.index() % 64));
    }

    /// The members of a row.
    fn above(&self, state: State) -> Vec<State> {
        let mut states = Vec::new();
        for (index, &word) in self.row(state).iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                states.push(State::new(index * 64 + rest.trailing_zeros() as usize));
                rest &= rest - 1;
            }
        }
        states
    }
}

fn has(row: &[u64], state: State) -> bool {
    row[state.index() / 64] >> (state.index() % 64) & 1 == 1
}

fn insert(row: &mut [u64], state: State) {
    row[state.index() / 64] |= 1 << (state.index() % 64);
}

fn is_subset(small: &[u64], large: &[u64]) -> bool {
    small.iter().zip(large).all(|(&small, &large)| small & !large == 0)
}

/// The classes of states of a trimmed automaton that simulate each other. `decks` are all double deckers.
pub(crate) fn mutual_simulation<K: Ord>(
    nwa: &Nwa,
    key: impl Fn(State) -> K,
    decks: &[(State, State)],
    preference: Preference,
    budget: &dyn Budget,
) -> Result<Vec<Vec<State>>, Interrupted> {
    let states = nwa.num_states();
    let mut relation = Relation::new(states);
    for below in nwa.states() {
        for above in nwa.states() {
            let final_too = !nwa.is_final(below) || nwa.is_final(above);
            if final_too && key(below) == key(above) && reads_more(nwa, below, above) {
                insert(relation.row_mut(below), above);
            }
        }
    }
    let mut simulation = Simulation { nwa, relation, changed: nwa.states().collect() };
    loop {
        simulation.follow_steps(budget)?;
        if simulation.check_returns(decks, preference, budget)? || simulation.make_transitive(budget)? {
            continue;
        }
        return Ok(simulation.classes());
    }
}

/// Whether one state reads all internal and call letters that another reads.
fn reads_more(nwa: &Nwa, below: State, above: State) -> bool {
    let reads = |edges: &[crate::Edge], letter: Letter| edges.iter().any(|edge| edge.letter == letter);
    nwa.internal(below).iter().all(|edge| reads(nwa.internal(above), edge.letter))
        && nwa.calls(below).iter().all(|edge| reads(nwa.calls(above), edge.letter))
}

/// A state with returns, and the state in which the call was made.
#[derive(Clone, Copy)]
struct Returning {
    from: State,
    hier: State,
}

struct Simulation<'a> {
    nwa: &'a Nwa,
    relation: Relation,
    /// The states whose rows shrank and whose predecessors were not looked at since.
    changed: Vec<State>,
}

impl Simulation<'_> {
    /// Removes what violates the condition for internal and call steps.
    fn follow_steps(&mut self, budget: &dyn Budget) -> Result<(), Interrupted> {
        let nwa = self.nwa;
        let mut allowed = vec![0u64; self.relation.words];
        while let Some(target) = self.changed.pop() {
            budget.check()?;
            let simulators = self.relation.above(target);
            for (into, of) in [
                (nwa.internal_into(target), Nwa::internal_into as fn(&Nwa, State) -> &[crate::Edge]),
                (nwa.calls_into(target), Nwa::calls_into),
            ] {
                for same in into.chunk_by(|a, b| a.letter == b.letter) {
                    let letter = same[0].letter;
                    allowed.fill(0);
                    for &simulator in &simulators {
                        let edges = of(nwa, simulator);
                        let start = edges.partition_point(|edge| edge.letter < letter);
                        for edge in edges[start..].iter().take_while(|edge| edge.letter == letter) {
                            insert(&mut allowed, edge.state);
                        }
                    }
                    for edge in same {
                        self.restrict(edge.state, &allowed);
                    }
                }
            }
        }
        Ok(())
    }

    /// Keeps only some of the simulators of a state.
    fn restrict(&mut self, state: State, allowed: &[u64]) {
        let row = self.relation.row_mut(state);
        if !is_subset(row, allowed) {
            row.iter_mut().zip(allowed).for_each(|(word, allowed)| *word &= allowed);
            self.changed.push(state);
        }
    }

    /// Removes pairs that violate the condition for returns; whether there were any.
    fn check_returns(
        &mut self,
        decks: &[(State, State)],
        preference: Preference,
        budget: &dyn Budget,
    ) -> Result<bool, Interrupted> {
        let nwa = self.nwa;
        let before = self.changed.len();
        for &(p, h) in decks.iter().filter(|&&(p, h)| !nwa.returns_with(p, h).is_empty()) {
            let above_h = self.relation.row(h).to_vec();
            for q in self.relation.above(p) {
                budget.check()?;
                let start = decks.partition_point(|&(state, _)| state < q);
                let over = decks[start..].iter().take_while(|&&(state, _)| state == q);
                for g in over.map(|&(_, g)| g).filter(|&g| has(&above_h, g)) {
                    // Earlier removals of this pass may have removed the pair.
                    let related = self.relation.contains(p, q) && self.relation.contains(h, g);
                    if !related
                        || self.returns_match(Returning { from: p, hier: h }, Returning { from: q, hier: g })
                    {
                        continue;
                    }
                    let give_up_linear = h == g || (p != q && preference == Preference::Linear);
                    let (below, above) = if give_up_linear { (p, q) } else { (h, g) };
                    self.relation.remove(below, above);
                    self.changed.push(below);
                }
            }
        }
        Ok(self.changed.len() > before)
    }

    fn returns_match(&self, small: Returning, large: Returning) -> bool {
        self.nwa.returns_with(small.from, small.hier).iter().all(|edge| {
            let answers = self.nwa.returns_on(large.from, large.hier, edge.letter);
            answers.iter().any(|answer| self.relation.contains(edge.state, answer.state))
        })
    }

    /// Makes the relation transitive by removing pairs: p ≤ q stays iff everything above q is above p. Whether it
    /// had to remove any.
    fn make_transitive(&mut self, budget: &dyn Budget) -> Result<bool, Interrupted> {
        let old = self.relation.clone();
        for state in self.nwa.states() {
            budget.check()?;
            let mut shrank = false;
            for above in old.above(state) {
                if !is_subset(old.row(above), old.row(state)) {
                    self.relation.remove(state, above);
                    shrank = true;
                }
            }
            if shrank {
                self.changed.push(state);
            }
        }
        Ok(!self.changed.is_empty())
    }

    /// The classes of states that simulate each other.
    fn classes(&self) -> Vec<Vec<State>> {
        let mut classed = vec![false; self.nwa.num_states()];
        let mut classes = Vec::new();
        for state in self.nwa.states() {
            if classed[state.index()] {
                continue;
            }
            let mutual = |&above: &State| self.relation.contains(above, state);
            let class: Vec<State> = self.relation.above(state).into_iter().filter(mutual).collect();
            class.iter().for_each(|state| classed[state.index()] = true);
            classes.push(class);
        }
        classes
    }
}
