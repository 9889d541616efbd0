//! The proof for the checker in which paths are kept apart.
//!
//! A program with few choices and a large heap is followed path by path, as the checker follows it ([`unroll`]): on one path
//! nearly everything is constant. The only claims are that one side of a branch is never taken, where the solver sees that at
//! once.
//!
//! Costs: the number of paths times their lengths, and two questions to the solver for every branch that is taken both ways.

use crate::proving::{Refutation, renumbered};
use base::{Budget, Interrupted};
use ir::claims::{Claim, Paths, What};
use ir::{Procedure, Program};
use sat::{Answer, Lit, Recording, Solver, Var};
pub use unroll::Limits;
use unroll::{Clauses, Guide, Halt, Subject, Unroller, Value};

/// A claim that a side of a branch is never taken is worth so many conflicts.
const CONFLICTS: u64 = 100;

/// What became of a proof.
pub struct Apart {
    /// The proof, if nothing fails and the limits were not reached.
    pub refutation: Option<Refutation>,
    /// How many statements were followed.
    pub steps: u64,
}

/// Follows all executions of a procedure, each path by itself, as far as the limits allow.
pub fn prove_apart(
    source: &Program,
    procedure: Procedure,
    limits: Limits,
    budget: &Budget,
) -> Result<Apart, Interrupted> {
    let solver = Solver::new(Recording::Proof, budget.clone());
    let mut ending = Ending { solver, clauses: Vec::new(), claims: Vec::new(), made: None };
    let unroller = Unroller::new(source, &[], &mut ending, limits, budget.clone());
    let mut unroller = unroller.with_paths(Paths::Apart);
    match unroller.run(procedure) {
        Ok(()) => {}
        Err(Halt::Interrupted(interrupted)) => return Err(interrupted),
        Err(Halt::Refused(why)) => {
            let (steps, gates) = (unroller.steps(), unroller.gates().count());
            tracing::debug!(steps, gates, why, "paths are not followed further");
            return Ok(Apart { refutation: None, steps });
        }
    }
    unroller.question();
    let (steps, gates) = (unroller.steps(), unroller.gates().count());
    let answer = ending.solver.solve(&[])?;
    tracing::debug!(steps, gates, claims = ending.claims.len(), ?answer, "paths kept apart");
    if answer == Answer::Sat {
        return Ok(Apart { refutation: None, steps });
    }
    let Ending { solver, clauses, claims, .. } = ending;
    let proof = renumbered(solver.into_proof(), &clauses);
    Ok(Apart { refutation: Some(Refutation { steps, claims, proof }), steps })
}

/// Claims that sides of branches are never taken.
struct Ending {
    solver: Solver,
    /// The numbers of the clauses of the problem, in order.
    clauses: Vec<u32>,
    claims: Vec<Claim>,
    /// The question about which something was claimed last.
    made: Option<u64>,
}

impl Clauses for Ending {
    fn clause(&mut self, clause: &[Lit]) {
        let number = self.solver.add_clause(clause);
        self.clauses.push(number);
    }

    fn variable(&mut self) {
        self.solver.new_var();
    }

    fn truth(&mut self, lit: Lit) {
        let number = self.solver.add_lemma(lit);
        self.clauses.push(number);
    }

    fn define(&mut self, var: Var, gate: sat::Gate) {
        self.solver.define(var, gate);
    }
}

impl Guide for Ending {
    fn claim(&mut self, question: u64, subject: Subject, _: Option<&Value>) -> Option<What> {
        (subject == Subject::Visit).then(|| {
            self.made = Some(question);
            What::Unreached
        })
    }

    fn uses(&mut self, obligation: Option<Lit>) -> Result<bool, Interrupted> {
        let Some(question) = self.made.take() else { return Ok(false) };
        let used = match obligation {
            None => true,
            Some(literal) => self.solver.solve_within(&[literal], CONFLICTS)? == Some(Answer::Unsat),
        };
        self.claims.push(Claim { question, what: What::Unreached, used });
        Ok(used)
    }
}
