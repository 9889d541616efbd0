//! The deterministic Floyd-Hoare automaton over a set of predicates, computed on demand.
//!
//! A state is a set of predicates that are known to hold together. The successor for an edge is the set of all
//! predicates whose triple is valid, found by asking the triple checker when the difference asks the automaton. A
//! state that contains `false` accepts everything from there on. The automaton is total and deterministic, and it
//! remembers its transitions, which are the proof.

use super::Letters;
use crate::hoare::{Triple, TripleChecker, Validity};
use crate::predicates::{Predicate, PredicatePool, PredicateSet};
use base::Interrupted;
use logic::Terms;
use nwa::{DeterministicNwa, Letter};
use program::{Edge, FloydHoareAutomaton, Program};
use rustc_hash::FxHashMap;

/// The automaton. It borrows the triple checker while a difference is computed.
pub struct OnDemand<'a, 'p> {
    program: &'p Program,
    letters: &'a Letters,
    terms: &'a mut Terms,
    pool: &'a mut PredicatePool,
    checker: &'a mut TripleChecker<'p>,
    /// `false` first: if it holds, nothing else matters.
    predicates: Vec<Predicate>,
    transitions: Transitions,
}

/// The transitions found so far.
#[derive(Default)]
struct Transitions {
    internal: FxHashMap<(PredicateSet, Edge), PredicateSet>,
    returns: FxHashMap<(PredicateSet, PredicateSet, Edge), PredicateSet>,
    /// In the order in which they were found.
    order: Vec<(PredicateSet, Option<PredicateSet>, Edge, PredicateSet)>,
}

impl<'a, 'p> OnDemand<'a, 'p> {
    /// The automaton over these predicates.
    pub fn new(
        program: &'p Program,
        letters: &'a Letters,
        terms: &'a mut Terms,
        pool: &'a mut PredicatePool,
        checker: &'a mut TripleChecker<'p>,
        mut predicates: Vec<Predicate>,
    ) -> OnDemand<'a, 'p> {
        predicates.retain(|&p| p != Predicate::top() && p != Predicate::bottom());
        predicates.sort_unstable();
        predicates.dedup();
        predicates.insert(0, Predicate::bottom());
        OnDemand { program, letters, terms, pool, checker, predicates, transitions: Transitions::default() }
    }

    /// The predicates of its states.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    fn successor(
        &mut self,
        pre: PredicateSet,
        call: Option<PredicateSet>,
        edge: Edge,
    ) -> Result<PredicateSet, Interrupted> {
        let target = self.program.edges[edge].target;
        let mut holding = Vec::new();
        for index in 0..self.predicates.len() {
            let post = self.predicates[index];
            if !self.pool.fits(self.program, post, target) {
                continue;
            }
            let triple = Triple { pre, call, edge, post };
            if self.checker.check(self.terms, self.pool, triple)? == Validity::Valid {
                holding.push(post);
                if post == Predicate::bottom() {
                    break;
                }
            }
        }
        let successor = self.pool.set(holding);
        self.transitions.order.push((pre, call, edge, successor));
        Ok(successor)
    }

    fn step(&mut self, state: PredicateSet, letter: Letter) -> Result<PredicateSet, Interrupted> {
        let edge = self.letters.edge(letter);
        if let Some(&known) = self.transitions.internal.get(&(state, edge)) {
            return Ok(known);
        }
        let successor = self.successor(state, None, edge)?;
        self.transitions.internal.insert((state, edge), successor);
        Ok(successor)
    }

    /// The part of the automaton that was asked for, as a proof.
    pub fn into_proof(mut self) -> FloydHoareAutomaton {
        let mut automaton = FloydHoareAutomaton::default();
        let mut ids: FxHashMap<PredicateSet, program::verdict::State> = FxHashMap::default();
        let (terms, pool) = (&mut *self.terms, &mut *self.pool);
        let initial = pool.set(Vec::new());
        let mut state = |set: PredicateSet, automaton: &mut FloydHoareAutomaton| {
            *ids.entry(set).or_insert_with(|| automaton.states.push(pool.conjunction(set, terms)))
        };
        let start = state(initial, &mut automaton);
        automaton.initial.push(start);
        for (pre, call, edge, post) in std::mem::take(&mut self.transitions.order) {
            let (pre, post) = (state(pre, &mut automaton), state(post, &mut automaton));
            match (call, &self.program.edges[edge].kind) {
                (Some(call), _) => {
                    let call = state(call, &mut automaton);
                    automaton.returns.push((pre, call, edge, post));
                }
                (None, program::EdgeKind::Call(_)) => automaton.calls.push((pre, edge, post)),
                (None, _) => automaton.internal.push((pre, edge, post)),
            }
        }
        automaton
    }
}

impl DeterministicNwa for OnDemand<'_, '_> {
    type State = PredicateSet;

    fn initial(&mut self) -> Result<PredicateSet, Interrupted> {
        Ok(self.pool.set(Vec::new()))
    }

    fn is_final(&mut self, state: PredicateSet) -> Result<bool, Interrupted> {
        Ok(self.pool.is_contradictory(state))
    }

    fn internal(&mut self, state: PredicateSet, letter: Letter) -> Result<PredicateSet, Interrupted> {
        self.step(state, letter)
    }

    fn call(&mut self, state: PredicateSet, letter: Letter) -> Result<PredicateSet, Interrupted> {
        self.step(state, letter)
    }

    fn ret(
        &mut self,
        state: PredicateSet,
        hier: PredicateSet,
        letter: Letter,
    ) -> Result<PredicateSet, Interrupted> {
        let edge = self.letters.edge(letter);
        if let Some(&known) = self.transitions.returns.get(&(state, hier, edge)) {
            return Ok(known);
        }
        let successor = self.successor(state, Some(hier), edge)?;
        self.transitions.returns.insert((state, hier, edge), successor);
        Ok(successor)
    }

    fn accepts_all(&mut self, state: PredicateSet) -> Result<bool, Interrupted> {
        Ok(self.pool.is_contradictory(state))
    }
}
