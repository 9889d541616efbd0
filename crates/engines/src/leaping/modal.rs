//! The modal view of motions between predicates: `may`, `must⁺`, `must⁻` (paper "Leaping Loops", Section 2).
//!
//! A motion induces `must⁺(a, b)` exactly if `a ⇒ ∃ choices. guard ∧ b[update]`, and `must⁻(a, b)` exactly if
//! `b ⇒ ∃ state before, choices. a ∧ guard ∧ state = update`. Where a motion leaves no choice, the first needs no
//! quantifier. A query that the solver cannot answer counts as "no".

use super::limits;
use super::motion::Motion;
use base::{Budget, Interrupted};
use logic::{Model, Quantifier, Substitution, Term, Terms};
use program::Program;
use smt::{Answer, Solver};

/// Answers questions about a program with one solver session, in which the axioms hold.
pub struct Modal<'c> {
    /// The program with large blocks.
    pub program: &'c Program,
    /// The terms of the job.
    pub terms: &'c mut Terms,
    solver: Box<dyn Solver + 'c>,
    budget: Budget,
    /// The effort of the budget at which no more questions are put to the solver.
    end: u64,
    /// The same for the part of the search that is going on.
    part: u64,
    /// How many queries were asked.
    pub queries: u64,
}

impl<'c> Modal<'c> {
    /// A view with a fresh session, which may cost so much effort.
    pub fn new(
        program: &'c Program,
        terms: &'c mut Terms,
        mut solver: Box<dyn Solver + 'c>,
        (budget, most_effort): (Budget, u64),
    ) -> Self {
        solver.set_rlimit(Some(limits::QUERY_RLIMIT));
        for &axiom in &program.axioms {
            solver.assert(terms, axiom);
        }
        let end = budget.effort().saturating_add(most_effort);
        Modal { program, terms, solver, budget, end, part: end, queries: 0 }
    }

    /// Begins a part of the search, which may cost so much of the effort that is left.
    pub fn begin(&mut self, most_effort: u64) {
        self.part = self.end.min(self.budget.effort().saturating_add(most_effort));
    }

    /// Is the effort used up? Then everything is answered with "no", at once.
    pub fn is_exhausted(&self) -> bool {
        self.budget.effort() >= self.part
    }

    /// The answer to a query that is not taken off the stack; none if there is no effort left.
    fn query(&mut self, formula: Term) -> Result<Option<Answer>, Interrupted> {
        self.budget.check()?;
        if self.is_exhausted() {
            return Ok(None);
        }
        self.queries += 1;
        self.solver.push();
        self.solver.assert(self.terms, formula);
        Ok(Some(self.solver.check(self.terms)))
    }

    /// Has the formula no model?
    pub fn impossible(&mut self, formula: Term) -> Result<bool, Interrupted> {
        if formula.is_false() {
            return Ok(true);
        }
        let Some(answer) = self.query(formula)? else { return Ok(false) };
        self.solver.pop();
        self.budget.check()?;
        Ok(answer.is_unsat())
    }

    /// A model of a formula; none if there is none, or none was found.
    pub fn model(&mut self, formula: Term) -> Result<Option<Model>, Interrupted> {
        let Some(answer) = self.query(formula)? else { return Ok(None) };
        let model = if answer.is_sat() { self.solver.model(self.terms).ok() } else { None };
        self.solver.pop();
        self.budget.check()?;
        Ok(model)
    }

    /// Does the one formula imply the other?
    pub fn implies(&mut self, premise: Term, conclusion: Term) -> Result<bool, Interrupted> {
        let not = self.terms.not(conclusion);
        let counterexample = self.terms.and([premise, not]);
        self.impossible(counterexample)
    }

    /// `may(a, b)`: the states and choices of `a` that lead to `b`.
    pub fn may(&mut self, a: Term, motion: &Motion, b: Term) -> Result<bool, Interrupted> {
        let there = motion.after(self.program, self.terms, b);
        let both = self.terms.and([a, motion.relation.guard, there]);
        self.query_sat(both)
    }

    fn query_sat(&mut self, formula: Term) -> Result<bool, Interrupted> {
        let Some(answer) = self.query(formula)? else { return Ok(false) };
        self.solver.pop();
        self.budget.check()?;
        Ok(answer.is_sat())
    }

    /// `must⁺(a, b)`.
    pub fn must_plus(&mut self, a: Term, motion: &Motion, b: Term) -> Result<bool, Interrupted> {
        let goal = self.pre(motion, b);
        self.implies(a, goal)
    }

    /// `must⁻(a, b)`.
    pub fn must_minus(&mut self, a: Term, motion: &Motion, b: Term) -> Result<bool, Interrupted> {
        let goal = self.post(motion, a);
        self.implies(b, goal)
    }

    /// `Pre(motion, b)`: the states from which `b` can be reached.
    pub fn pre(&mut self, motion: &Motion, b: Term) -> Term {
        let there = motion.after(self.program, self.terms, b);
        let possible = self.terms.and([motion.relation.guard, there]);
        self.terms.quantify(Quantifier::Exists, &motion.relation.auxiliaries, possible, &[])
    }

    /// `SP(motion, a)`: the states that can be reached from `a`.
    pub fn post(&mut self, motion: &Motion, a: Term) -> Term {
        let mut before = Substitution::new();
        let mut bound = motion.relation.auxiliaries.clone();
        for &(var, _) in &motion.relation.updates {
            let symbol = self.program.variables[var].symbol;
            let data = self.terms.symbol_data(symbol).clone();
            let old = self.terms.symbol(&format!("previous {}", data.name), data.sort);
            bound.push(old);
            let old = self.terms.constant(old);
            before.insert(symbol, old);
        }
        let mut parts = vec![before.apply(self.terms, a), before.apply(self.terms, motion.relation.guard)];
        for &(var, value) in &motion.relation.updates {
            let (now, value) =
                (self.program.variables.term(self.terms, var), before.apply(self.terms, value));
            parts.push(self.terms.eq(now, value));
        }
        let possible = self.terms.and(parts);
        self.terms.quantify(Quantifier::Exists, &bound, possible, &[])
    }
}
