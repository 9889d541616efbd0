//! A solver as the oracle of quantifier elimination, which asks for models of formulas.

use crate::solver::{self, Solver};
use logic::qe::{Answer, Oracle};
use logic::{Term, Terms};

/// Answers with the models of a session, in a scope of its own.
pub struct SolverOracle<'s> {
    solver: &'s mut dyn Solver,
    asserted: Vec<Term>,
}

impl<'s> SolverOracle<'s> {
    /// An oracle that uses a session; what the session has asserted counts.
    pub fn new(solver: &'s mut dyn Solver) -> SolverOracle<'s> {
        solver.push();
        SolverOracle { solver, asserted: Vec::new() }
    }
}

impl Oracle for SolverOracle<'_> {
    fn model(&mut self, terms: &mut Terms, formulas: &[Term]) -> Answer {
        if !formulas.starts_with(&self.asserted) {
            self.solver.pop();
            self.solver.push();
            self.asserted.clear();
        }
        for &formula in &formulas[self.asserted.len()..] {
            self.solver.assert(terms, formula);
        }
        self.asserted = formulas.to_vec();
        match self.solver.check(terms) {
            solver::Answer::Unsat => Answer::Unsatisfiable,
            solver::Answer::Sat => self.solver.model(terms).map_or(Answer::Unknown, Answer::Model),
            solver::Answer::Unknown(_) => Answer::Unknown,
        }
    }
}

impl Drop for SolverOracle<'_> {
    fn drop(&mut self) {
        self.solver.pop();
    }
}
