//! Models for the quantifier elimination of [`logic`].

use crate::solver::{Answer, Solver};
use logic::qe::{self, Oracle};
use logic::{Term, Terms};

/// Answers from a solver session. It works in a scope of its own, which is closed when this is dropped.
pub struct SolverOracle<'s> {
    solver: &'s mut dyn Solver,
    asserted: Vec<Term>,
}

impl<'s> SolverOracle<'s> {
    /// Asks this session. Its assertions are part of every question.
    pub fn new(solver: &'s mut dyn Solver) -> SolverOracle<'s> {
        solver.push();
        SolverOracle { solver, asserted: Vec::new() }
    }
}

impl Oracle for SolverOracle<'_> {
    fn model(&mut self, terms: &mut Terms, formulas: &[Term]) -> qe::Answer {
        if !formulas.starts_with(&self.asserted) {
            self.solver.pop();
            self.solver.push();
            self.asserted.clear();
        }
        for &formula in &formulas[self.asserted.len()..] {
            self.solver.assert(terms, formula);
            self.asserted.push(formula);
        }
        match self.solver.check(terms) {
            Answer::Sat => self.solver.model(terms).map_or(qe::Answer::Unknown, qe::Answer::Model),
            Answer::Unsat => qe::Answer::Unsatisfiable,
            Answer::Unknown(_) => qe::Answer::Unknown,
        }
    }
}

impl Drop for SolverOracle<'_> {
    fn drop(&mut self) {
        self.solver.pop();
    }
}
