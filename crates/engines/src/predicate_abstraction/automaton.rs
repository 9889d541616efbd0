//! The predicate automaton (paper "Nested Interpolants", Definition 3), made deterministic and computed on demand.
//!
//! A state is what the predicates of the current location say about the values: for Cartesian abstraction a set of
//! predicates that hold, for Boolean abstraction any Boolean combination of them. The successor at an edge is the
//! abstract post (`post#` there, for internal edges, calls and returns): the strongest such statement that follows.
//! A state that is contradictory accepts, so the automaton accepts traces that are infeasible *as far as the
//! predicates show*, and the program is safe if it accepts all of its error traces.

use super::Abstraction;
use super::boolean;
use crate::context::Context;
use crate::edge_formula::EdgeFormula;
use crate::floyd_hoare::Letters;
use crate::hoare::{Triple, Validity};
use crate::predicates::{Predicate, PredicateSet};
use base::{Interrupted, SecondaryMap};
use nwa::{DeterministicNwa, Letter};
use program::{Edge, EdgeKind, FloydHoareAutomaton, Location};
use rustc_hash::FxHashMap;

/// Which predicates matter at which location, sorted.
pub(super) type Precision = SecondaryMap<Location, Vec<Predicate>>;

/// A step: what holds before, at the call (for returns), and the edge.
type Step = (PredicateSet, Option<PredicateSet>, Edge);

/// The automaton for one precision.
pub(super) struct PredicateAutomaton<'a, 'p> {
    context: &'a mut Context<'p>,
    letters: &'a Letters,
    precision: &'a Precision,
    abstraction: Abstraction,
    successors: FxHashMap<Step, PredicateSet>,
    /// The steps in the order in which they were asked for.
    order: Vec<Step>,
    /// How many questions the Boolean post put to the solver.
    pub(super) questions: u64,
}

impl<'a, 'p> PredicateAutomaton<'a, 'p> {
    pub(super) fn new(
        context: &'a mut Context<'p>,
        letters: &'a Letters,
        precision: &'a Precision,
        abstraction: Abstraction,
    ) -> Self {
        PredicateAutomaton {
            context,
            letters,
            precision,
            abstraction,
            successors: FxHashMap::default(),
            order: Vec::new(),
            questions: 0,
        }
    }

    fn successor(
        &mut self,
        pre: PredicateSet,
        call: Option<PredicateSet>,
        letter: Letter,
    ) -> Result<PredicateSet, Interrupted> {
        let step = (pre, call, self.letters.edge(letter));
        if let Some(&known) = self.successors.get(&step) {
            return Ok(known);
        }
        let successor = match self.abstraction {
            Abstraction::Cartesian => self.cartesian(step)?,
            Abstraction::Boolean => match self.boolean(step)? {
                Some(successor) => successor,
                None => self.cartesian(step)?,
            },
        };
        self.successors.insert(step, successor);
        self.order.push(step);
        Ok(successor)
    }

    /// All predicates that hold after the step.
    fn cartesian(&mut self, (pre, call, edge): Step) -> Result<PredicateSet, Interrupted> {
        let Context { program, terms, pool, checker, .. } = &mut *self.context;
        let target = program.edges[edge].target;
        let mut holding = Vec::new();
        for post in std::iter::once(Predicate::bottom()).chain(self.precision[target].iter().copied()) {
            if checker.check(terms, pool, Triple { pre, call, edge, post })? == Validity::Valid {
                holding.push(post);
                if post == Predicate::bottom() {
                    break;
                }
            }
        }
        Ok(pool.set(holding))
    }

    /// The strongest Boolean combination that holds after the step, if there are not too many cases.
    fn boolean(&mut self, (pre, call, edge): Step) -> Result<Option<PredicateSet>, Interrupted> {
        let program = self.context.program;
        let target = program.edges[edge].target;
        let mut formula = EdgeFormula::new(program, edge, self.context.terms);
        let (terms, pool) = (&mut *self.context.terms, &self.context.pool);
        let mut known: Vec<_> = program.axioms.clone();
        known.extend(&formula.base);
        let before = pool.conjunction(pre, terms);
        known.push(formula.pre.apply(terms, before));
        if let Some(call) = call {
            let at_call = pool.conjunction(call, terms);
            known.push(formula.call.apply(terms, at_call));
        }
        let mut cases = Vec::with_capacity(self.precision[target].len());
        for &predicate in &self.precision[target] {
            let now = pool[predicate].formula;
            cases.push((now, formula.post.apply(terms, now)));
        }
        let (strongest, questions) = boolean::strongest(self.context, &known, &cases)?;
        self.questions += questions;
        Ok(strongest.and_then(|formula| self.context.predicate_set(formula)))
    }

    /// The part of the automaton that was asked for, as a proof.
    pub(super) fn into_proof(self) -> FloydHoareAutomaton {
        let mut automaton = FloydHoareAutomaton::default();
        let mut ids: FxHashMap<PredicateSet, program::verdict::State> = FxHashMap::default();
        let Context { program, terms, pool, .. } = &mut *self.context;
        let initial = pool.set(Vec::new());
        let mut state = |set: PredicateSet, automaton: &mut FloydHoareAutomaton| {
            *ids.entry(set).or_insert_with(|| automaton.states.push(pool.conjunction(set, terms)))
        };
        let start = state(initial, &mut automaton);
        automaton.initial.push(start);
        for step in self.order {
            let (pre, call, edge) = step;
            let target = state(self.successors[&step], &mut automaton);
            let source = state(pre, &mut automaton);
            match (call, &program.edges[edge].kind) {
                (Some(call), _) => {
                    let call = state(call, &mut automaton);
                    automaton.returns.push((source, call, edge, target));
                }
                (None, EdgeKind::Call(_)) => automaton.calls.push((source, edge, target)),
                (None, _) => automaton.internal.push((source, edge, target)),
            }
        }
        automaton
    }
}

impl DeterministicNwa for PredicateAutomaton<'_, '_> {
    type State = PredicateSet;

    fn initial(&mut self) -> Result<PredicateSet, Interrupted> {
        Ok(self.context.pool.set(Vec::new()))
    }

    fn is_final(&mut self, state: PredicateSet) -> Result<bool, Interrupted> {
        Ok(self.context.pool.is_contradictory(state))
    }

    fn internal(&mut self, state: PredicateSet, letter: Letter) -> Result<PredicateSet, Interrupted> {
        self.successor(state, None, letter)
    }

    fn call(&mut self, state: PredicateSet, letter: Letter) -> Result<PredicateSet, Interrupted> {
        self.successor(state, None, letter)
    }

    fn ret(
        &mut self,
        state: PredicateSet,
        hier: PredicateSet,
        letter: Letter,
    ) -> Result<PredicateSet, Interrupted> {
        self.successor(state, Some(hier), letter)
    }

    fn accepts_all(&mut self, state: PredicateSet) -> Result<bool, Interrupted> {
        self.is_final(state)
    }
}
