//! Determinisation on demand.
//!
//! A state of the deterministic automaton is a set of pairs (d, u): some run is in u now, and was in d when it read
//! the last open call (Alur and Madhusudan's construction). At a return over the set S of the call position, the
//! pairs (d, h) ∈ S and (h, u) of the current set are joined. The empty set is the sink. At most 2^(n²) sets; only
//! those that are asked for are built, and each question is answered once.

use crate::{DeterministicNwa, Interrupted, LazyNwa, Letter, PrimaryMap};
use rustc_hash::FxHashMap;
use std::sync::Arc;

crate::ids::id!(
    /// A set of pairs of states.
    MacroState,
    "m"
);

/// Sorted pairs of the state at the last open call (`None` at the bottom of the stack) and the state now.
type Pairs<S> = Arc<[(Option<S>, S)]>;

/// A deterministic and total automaton with the language of any automaton.
pub struct Determinized<A: LazyNwa> {
    automaton: A,
    sets: PrimaryMap<MacroState, Pairs<A::State>>,
    ids: FxHashMap<Pairs<A::State>, MacroState>,
    internal: FxHashMap<(MacroState, Letter), MacroState>,
    call: FxHashMap<(MacroState, Letter), MacroState>,
    ret: FxHashMap<(MacroState, MacroState, Letter), MacroState>,
    answer: Vec<A::State>,
}

impl<A: LazyNwa> Determinized<A> {
    /// The determinisation of an automaton.
    pub fn new(automaton: A) -> Determinized<A> {
        Determinized {
            automaton,
            sets: PrimaryMap::new(),
            ids: FxHashMap::default(),
            internal: FxHashMap::default(),
            call: FxHashMap::default(),
            ret: FxHashMap::default(),
            answer: Vec::new(),
        }
    }

    /// The pairs of a state: the state at the last open call, if any, and the state now.
    pub fn pairs(&self, state: MacroState) -> &[(Option<A::State>, A::State)] {
        &self.sets[state]
    }

    /// Whether the pairs of one state are among those of another. Then its language is too, whatever the stack.
    pub fn is_subset(&self, small: MacroState, large: MacroState) -> bool {
        let (small, large) = (&self.sets[small], &self.sets[large]);
        let mut rest = large.iter();
        small.len() <= large.len() && small.iter().all(|pair| rest.any(|other| other == pair))
    }

    fn intern(&mut self, mut pairs: Vec<(Option<A::State>, A::State)>) -> MacroState {
        pairs.sort_unstable();
        pairs.dedup();
        if let Some(&id) = self.ids.get(&pairs[..]) {
            return id;
        }
        let pairs: Pairs<A::State> = pairs.into();
        let id = self.sets.push(Arc::clone(&pairs));
        self.ids.insert(pairs, id);
        id
    }
}

impl<A: LazyNwa> DeterministicNwa for Determinized<A> {
    type State = MacroState;

    fn initial(&mut self) -> Result<MacroState, Interrupted> {
        self.answer.clear();
        self.automaton.initial(&mut self.answer)?;
        let pairs = self.answer.iter().map(|&state| (None, state)).collect();
        Ok(self.intern(pairs))
    }

    fn is_final(&mut self, state: MacroState) -> Result<bool, Interrupted> {
        for &(_, up) in &*self.sets[state] {
            if self.automaton.is_final(up)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn internal(&mut self, state: MacroState, letter: Letter) -> Result<MacroState, Interrupted> {
        if let Some(&known) = self.internal.get(&(state, letter)) {
            return Ok(known);
        }
        let mut pairs = Vec::new();
        for &(down, up) in &*self.sets[state] {
            self.answer.clear();
            self.automaton.internal(up, letter, &mut self.answer)?;
            pairs.extend(self.answer.iter().map(|&target| (down, target)));
        }
        let target = self.intern(pairs);
        self.internal.insert((state, letter), target);
        Ok(target)
    }

    fn call(&mut self, state: MacroState, letter: Letter) -> Result<MacroState, Interrupted> {
        if let Some(&known) = self.call.get(&(state, letter)) {
            return Ok(known);
        }
        let mut ups: Vec<A::State> = self.sets[state].iter().map(|&(_, up)| up).collect();
        ups.sort_unstable();
        ups.dedup();
        let mut pairs = Vec::new();
        for up in ups {
            self.answer.clear();
            self.automaton.call(up, letter, &mut self.answer)?;
            pairs.extend(self.answer.iter().map(|&target| (Some(up), target)));
        }
        let target = self.intern(pairs);
        self.call.insert((state, letter), target);
        Ok(target)
    }

    fn ret(
        &mut self,
        state: MacroState,
        hier: MacroState,
        letter: Letter,
    ) -> Result<MacroState, Interrupted> {
        if let Some(&known) = self.ret.get(&(state, hier, letter)) {
            return Ok(known);
        }
        let mut callers: Vec<(A::State, Option<A::State>)> =
            self.sets[hier].iter().map(|&(down, up)| (up, down)).collect();
        callers.sort_unstable();
        let mut pairs = Vec::new();
        for &(down, up) in &*self.sets[state] {
            let Some(down) = down else { continue };
            let start = callers.partition_point(|&(caller, _)| caller < down);
            let below = callers[start..].iter().take_while(|&&(caller, _)| caller == down);
            self.answer.clear();
            self.automaton.ret(up, down, letter, &mut self.answer)?;
            for &(_, below) in below {
                pairs.extend(self.answer.iter().map(|&target| (below, target)));
            }
        }
        let target = self.intern(pairs);
        self.ret.insert((state, hier, letter), target);
        Ok(target)
    }

    fn rejects_all(&mut self, state: MacroState) -> Result<bool, Interrupted> {
        Ok(self.sets[state].is_empty())
    }
}
