//! Hoare triples over the edges of a program, the hot path of every engine.
//!
//! * internal: `{pre} edge {post}`;
//! * call: `{pre} call {post}`, where `pre` is over the caller's and `post` over the callee's state;
//! * return: `{exit} {call} return {post}`, with the predicate at the exit of the callee and the one that held in
//!   the caller at the call (paper "Nested Interpolants", Definition 4).
//!
//! All three have one shape: `base ∧ pre ∧ call ∧ ¬post` must be unsatisfiable, where the parts are renamed so that
//! the caller's and the callee's variables do not collide ([`EdgeFormula`]).
//!
//! Answers are looked for in this order, and every rung counts what it answered: (1) trivial predicates; (2) the
//! postcondition, moved before the edge, is a conjunct of what is known; (3) the same question was answered before, or
//! one with fewer (more) preconditions; (4) a solver session of the edge, with nested scopes for the edge, the
//! precondition and the postcondition. `Unknown` is never remembered.

use crate::alike::Alike;
use crate::edge_formula::EdgeFormula;
use crate::predicates::{Predicate, PredicatePool, PredicateSet};
use base::{Budget, Interrupted};
use logic::{Op, Substitution, Symbol, Term, Terms};
use program::{Edge, Program};
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};

base::statistics! {
    /// How Hoare triples were answered.
    pub struct TripleStatistics {
        trivial: "triples with a trivial predicate",
        syntactic: "triples seen from the formulas alone",
        cached: "triples answered before",
        monotone: "triples that follow from an answered one",
        solver: "triples answered by the solver",
        unknown: "triples that the solver could not answer",
    }
}

/// Is a triple valid?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Validity {
    /// It is.
    Valid,
    /// It is not.
    Invalid,
    /// The solver could not tell.
    Unknown,
}

/// A question: what holds before, at the call (for returns), the edge, what shall hold after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Triple {
    /// What holds before the edge.
    pub pre: PredicateSet,
    /// What held at the call, for a return.
    pub call: Option<PredicateSet>,
    /// The edge.
    pub edge: Edge,
    /// What shall hold after it.
    pub post: Predicate,
}

/// What is known before an edge: before it, and at the call of a return.
type Known = (PredicateSet, Option<PredicateSet>);

/// The solver session of an edge: which preconditions are asserted at the moment.
struct Session<'p> {
    solver: Box<dyn Solver + 'p>,
    asserted: Option<Known>,
}

/// How many sessions are kept open: each holds the formula of its edge.
const SESSIONS: usize = 128;

/// Answers Hoare triples over the edges of one program.
pub struct TripleChecker<'p> {
    program: &'p Program,
    budget: Budget,
    alike: Alike,
    formulas: FxHashMap<Edge, EdgeFormula>,
    sessions: FxHashMap<Edge, Session<'p>>,
    new_solver: Box<dyn FnMut() -> Box<dyn Solver + 'p> + 'p>,
    answered: FxHashMap<Triple, bool>,
    /// For each edge and postcondition the preconditions for which it is valid or not.
    by_goal: FxHashMap<(Edge, Predicate), Vec<(Known, bool)>>,
    /// What was counted.
    pub statistics: TripleStatistics,
}

impl<'p> TripleChecker<'p> {
    /// A checker that makes its solver sessions with `new_solver`.
    pub fn new(
        program: &'p Program,
        budget: Budget,
        new_solver: impl FnMut() -> Box<dyn Solver + 'p> + 'p,
    ) -> TripleChecker<'p> {
        TripleChecker {
            program,
            budget,
            alike: Alike::default(),
            formulas: FxHashMap::default(),
            sessions: FxHashMap::default(),
            new_solver: Box::new(new_solver),
            answered: FxHashMap::default(),
            by_goal: FxHashMap::default(),
            statistics: TripleStatistics::default(),
        }
    }

    /// Is the triple valid?
    pub fn check(
        &mut self,
        terms: &mut Terms,
        pool: &PredicatePool,
        triple: Triple,
    ) -> Result<Validity, Interrupted> {
        self.budget.check()?;
        let triple = Triple { edge: self.alike.first(self.program, terms, triple.edge), ..triple };
        if let Some(valid) = self.by_triviality(pool, triple) {
            self.statistics.trivial += 1;
            return Ok(valid);
        }
        if let Some(&valid) = self.answered.get(&triple) {
            self.statistics.cached += 1;
            return Ok(verdict(valid));
        }
        if self.by_syntax(terms, pool, triple) || self.by_values(terms, pool, triple) {
            self.statistics.syntactic += 1;
            self.answered.insert(triple, true);
            return Ok(Validity::Valid);
        }
        if let Some(valid) = self.by_monotonicity(pool, triple) {
            self.statistics.monotone += 1;
            self.answered.insert(triple, valid);
            return Ok(verdict(valid));
        }
        let validity = self.by_solver(terms, pool, triple)?;
        match validity {
            Validity::Unknown => self.statistics.unknown += 1,
            _ => {
                self.statistics.solver += 1;
                let valid = validity == Validity::Valid;
                self.answered.insert(triple, valid);
                self.by_goal
                    .entry((triple.edge, triple.post))
                    .or_default()
                    .push(((triple.pre, triple.call), valid));
            }
        }
        Ok(validity)
    }

    fn by_triviality(&self, pool: &PredicatePool, triple: Triple) -> Option<Validity> {
        let contradictory =
            pool.is_contradictory(triple.pre) || triple.call.is_some_and(|set| pool.is_contradictory(set));
        (contradictory || triple.post == Predicate::top()).then_some(Validity::Valid)
    }

    /// The postcondition before the edge is `true`, or one of the things known there.
    fn by_syntax(&mut self, terms: &mut Terms, pool: &PredicatePool, triple: Triple) -> bool {
        let formula = self
            .formulas
            .entry(triple.edge)
            .or_insert_with(|| EdgeFormula::new(self.program, triple.edge, terms));
        let goal = formula.post.apply(terms, pool[triple.post].formula);
        if goal.is_true() || formula.base.contains(&goal) {
            return true;
        }
        let holds = |known: Term, terms: &Terms| {
            known == goal || terms.conjuncts(known).contains(&goal) || terms.disjuncts(goal).contains(&known)
        };
        let before = pool.members(triple.pre).iter().map(|&p| (pool[p].formula, false));
        let at_call =
            triple.call.map_or(&[][..], |set| pool.members(set)).iter().map(|&p| (pool[p].formula, true));
        for (known, from_call) in before.chain(at_call).collect::<Vec<_>>() {
            let known =
                if from_call { formula.call.apply(terms, known) } else { formula.pre.apply(terms, known) };
            if holds(known, terms) {
                return true;
            }
        }
        false
    }

    /// Where the precondition gives bit-vectors values, the edge or the postcondition may be computed. Floating-point
    /// operations on known numbers are quick for the evaluator and slow for solvers.
    fn by_values(&mut self, terms: &mut Terms, pool: &PredicatePool, triple: Triple) -> bool {
        let formula = self.formulas.get_mut(&triple.edge).expect("the syntactic rung made it");
        let mut known: Vec<Term> = Vec::new();
        for &predicate in pool.members(triple.pre) {
            let applied = formula.pre.apply(terms, pool[predicate].formula);
            known.extend(terms.conjuncts(applied));
        }
        let mut values: Vec<(Symbol, Term)> = Vec::new();
        for &fact in &known {
            if let (Op::Eq, &[left, right]) = (terms.op(fact), terms.args(fact)) {
                for (symbol, value) in [(left, right), (right, left)] {
                    if let (Some(symbol), true) = (terms.as_symbol(symbol), terms.as_bitvec(value).is_some())
                    {
                        values.push((symbol, value));
                    }
                }
            }
        }
        if values.is_empty() {
            return false;
        }
        let mut values: Substitution = values.into_iter().collect();
        let goal = formula.post.apply(terms, pool[triple.post].formula);
        values.apply(terms, goal).is_true()
            || formula.base.iter().chain(&known).any(|&fact| values.apply(terms, fact).is_false())
    }

    /// More preconditions keep a valid triple valid, fewer keep an invalid one invalid.
    fn by_monotonicity(&self, pool: &PredicatePool, triple: Triple) -> Option<bool> {
        let known = self.by_goal.get(&(triple.edge, triple.post))?;
        let includes = |larger: PredicateSet, smaller: PredicateSet| {
            let larger = pool.members(larger);
            pool.members(smaller).iter().all(|predicate| larger.binary_search(predicate).is_ok())
        };
        let both = |larger: (PredicateSet, Option<PredicateSet>),
                    smaller: (PredicateSet, Option<PredicateSet>)| {
            includes(larger.0, smaller.0)
                && match (larger.1, smaller.1) {
                    (Some(larger), Some(smaller)) => includes(larger, smaller),
                    _ => true,
                }
        };
        let asked = (triple.pre, triple.call);
        known.iter().find_map(|&(answered, valid)| {
            let follows = if valid { both(asked, answered) } else { both(answered, asked) };
            follows.then_some(valid)
        })
    }

    fn by_solver(
        &mut self,
        terms: &mut Terms,
        pool: &PredicatePool,
        triple: Triple,
    ) -> Result<Validity, Interrupted> {
        if self.sessions.len() >= SESSIONS && !self.sessions.contains_key(&triple.edge) {
            self.sessions.clear();
        }
        let formula = self.formulas.get_mut(&triple.edge).expect("the syntactic rung made it");
        let (program, new_solver) = (self.program, &mut self.new_solver);
        let session = self.sessions.entry(triple.edge).or_insert_with(|| {
            let mut solver = new_solver();
            for &formula in program.axioms.iter().chain(&formula.base) {
                solver.assert(terms, formula);
            }
            Session { solver, asserted: None }
        });
        if session.asserted != Some((triple.pre, triple.call)) {
            if session.asserted.is_some() {
                session.solver.pop();
            }
            session.solver.push();
            for &predicate in pool.members(triple.pre) {
                let known = formula.pre.apply(terms, pool[predicate].formula);
                session.solver.assert(terms, known);
            }
            for &predicate in triple.call.map_or(&[][..], |set| pool.members(set)) {
                let known = formula.call.apply(terms, pool[predicate].formula);
                session.solver.assert(terms, known);
            }
            session.asserted = Some((triple.pre, triple.call));
        }
        let goal = formula.post.apply(terms, pool[triple.post].formula);
        let refuted = terms.not(goal);
        session.solver.push();
        session.solver.assert(terms, refuted);
        let answer = session.solver.check(terms);
        session.solver.pop();
        self.budget.check()?;
        Ok(match answer {
            Answer::Unsat => Validity::Valid,
            Answer::Sat => Validity::Invalid,
            Answer::Unknown(_) => Validity::Unknown,
        })
    }
}

fn verdict(valid: bool) -> Validity {
    if valid { Validity::Valid } else { Validity::Invalid }
}
