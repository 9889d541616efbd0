//! Inclusion, equivalence and universality, each answered with a shortest counterexample.
//!
//! The difference is searched on demand and pruned by *antichains*: a pair (p, S) of a state of the left automaton
//! and a set of the determinised right one is superfluous once a pair (p, S') with S' ⊆ S was settled in the same
//! context, because every word that leads from (p, S) to a counterexample leads from (p, S') to one. The search
//! settles shorter runs first, so the counterexample stays a shortest one.

use crate::automaton::Edge;
use crate::complement::{Complement, Plain};
use crate::on_demand::{OnDemand, Transitions};
use crate::product::Difference;
use crate::search::{Entry, Guide, Search};
use crate::{
    Alphabet, Budget, Determinized, Enumerable, Interrupted, LazyNwa, MacroState, NestedWord, Nwa,
    NwaBuilder, State,
};
use rustc_hash::FxHashMap;

/// A shortest word that the left automaton accepts and the right one does not; `None` if the language of the left
/// one is included in that of the right one.
pub fn included<L: Enumerable, R: LazyNwa>(
    left: L,
    right: R,
    budget: &dyn Budget,
) -> Result<Option<NestedWord>, Interrupted> {
    let difference = Difference::subtract(left, Determinized::new(right));
    let mut antichains = Antichains { rows: OnDemand::new(difference), settled: FxHashMap::default() };
    let mut search = Search::new(&mut antichains, budget);
    let last = search.run()?;
    Ok(last.map(|last| search.run_to(last)).transpose()?.map(|run| run.word))
}

/// A word that exactly one of the two automata accepts; `None` if the languages are equal.
pub fn equivalent(left: &Nwa, right: &Nwa, budget: &dyn Budget) -> Result<Option<NestedWord>, Interrupted> {
    match included(left, right, budget)? {
        None => included(right, left, budget),
        counterexample => Ok(counterexample),
    }
}

/// A shortest nested word over the automaton's alphabet that it does not accept, if there is one.
pub fn universal(nwa: &Nwa, budget: &dyn Budget) -> Result<Option<NestedWord>, Interrupted> {
    included(&everything(nwa.alphabet()), nwa, budget)
}

/// The automaton that accepts all nested words over an alphabet.
pub fn everything(alphabet: &Alphabet) -> Nwa {
    let mut builder = NwaBuilder::new(alphabet.clone());
    let state = builder.add_state();
    builder.set_initial(state);
    builder.set_final(state);
    for &letter in alphabet.internal() {
        builder.add_internal(state, letter, state);
    }
    for &letter in alphabet.call() {
        builder.add_call(state, letter, state);
    }
    for &letter in alphabet.ret() {
        builder.add_return(state, state, letter, state);
    }
    builder.finish()
}

/// The difference with the pairs that were settled.
struct Antichains<L: Enumerable, R: LazyNwa> {
    rows: OnDemand<Difference<L, Determinized<R>>>,
    settled: FxHashMap<(Option<Entry>, L::State), Vec<MacroState>>,
}

impl<L: Enumerable, R: LazyNwa> Transitions for Antichains<L, R> {
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

impl<L: Enumerable, R: LazyNwa> Guide for Antichains<L, R> {
    fn covered(&mut self, context: Option<Entry>, state: State) -> bool {
        let (left, set) = self.rows.state(state);
        let settled = self.settled.entry((context, left)).or_default();
        let Plain(Complement(sets)) = self.rows.automaton().right();
        let covered = settled.iter().any(|&smaller| sets.is_subset(smaller, set));
        if !covered {
            settled.push(set);
        }
        covered
    }
}
