//! Implications between sets of predicates, with answers remembered.
//!
//! Rungs: a contradiction implies everything; members are implied; the same question was answered before; a solver
//! session that holds the axioms and the current premise. What the solver cannot tell counts as "no" and is not
//! remembered.

use crate::context::Context;
use crate::predicates::{Predicate, PredicateSet};
use base::Interrupted;
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};

base::statistics! {
    /// How implications were answered.
    pub struct ImplicationStatistics {
        syntactic: "implications seen from the formulas alone",
        cached: "implications answered before",
        solver: "implications answered by the solver",
    }
}

/// Answers implications over one program.
pub struct Implications<'p> {
    solver: Box<dyn Solver + 'p>,
    premise: Option<PredicateSet>,
    answered: FxHashMap<(PredicateSet, Predicate), bool>,
    /// What was counted.
    pub statistics: ImplicationStatistics,
}

impl<'p> Implications<'p> {
    /// Nothing is known yet.
    pub fn new(context: &mut Context<'p>) -> Implications<'p> {
        let mut solver = context.session();
        for &axiom in &context.program.axioms {
            solver.assert(context.terms, axiom);
        }
        Implications {
            solver,
            premise: None,
            answered: FxHashMap::default(),
            statistics: ImplicationStatistics::default(),
        }
    }

    /// Does the premise imply every member of the conclusion?
    pub fn implies(
        &mut self,
        context: &mut Context<'_>,
        premise: PredicateSet,
        conclusion: PredicateSet,
    ) -> Result<bool, Interrupted> {
        for index in 0..context.pool.members(conclusion).len() {
            let predicate = context.pool.members(conclusion)[index];
            if !self.implies_one(context, premise, predicate)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does the premise imply a predicate?
    pub fn implies_one(
        &mut self,
        context: &mut Context<'_>,
        premise: PredicateSet,
        conclusion: Predicate,
    ) -> Result<bool, Interrupted> {
        let pool = &context.pool;
        if pool.is_contradictory(premise) || pool.members(premise).binary_search(&conclusion).is_ok() {
            self.statistics.syntactic += 1;
            return Ok(true);
        }
        if let Some(&answer) = self.answered.get(&(premise, conclusion)) {
            self.statistics.cached += 1;
            return Ok(answer);
        }
        if self.premise != Some(premise) {
            if self.premise.is_some() {
                self.solver.pop();
            }
            self.solver.push();
            for &member in pool.members(premise) {
                self.solver.assert(context.terms, pool[member].formula);
            }
            self.premise = Some(premise);
        }
        let refuted = context.terms.not(context.pool[conclusion].formula);
        let answer = self.solver.check_assuming(context.terms, &[refuted]);
        context.budget.check()?;
        self.statistics.solver += 1;
        let implied = answer == Answer::Unsat;
        if !matches!(answer, Answer::Unknown(_)) {
            self.answered.insert((premise, conclusion), implied);
        }
        Ok(implied)
    }
}
