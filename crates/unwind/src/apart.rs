//! The proof for the checker in which paths are kept apart.
//!
//! A program with few choices and a large heap is followed path by path, as the checker follows it ([`unroll`]): on one path
//! nearly everything is constant. The only claims are that one side of a branch is never taken, where the solver sees that at
//! once.
//!
//! Costs: the number of paths times their lengths, and two questions to the solver for every branch that is taken both ways. Where
//! these questions cost more than allowed, the program is one of few statements and many paths, which are better merged.

use crate::proving::{Refutation, renumbered};
use base::{Budget, Interrupted, Limit};
use ir::claims::{Claim, Paths, What};
use ir::{Procedure, Program};
use sat::{Answer, Lit, Recording, Solver, Var};
pub use unroll::Limits;
use unroll::{Clauses, Guide, Halt, Subject, Unroller, Value};

/// A claim that a side of a branch is never taken is worth so many conflicts.
const CONFLICTS: u64 = 100;
/// Questions may cost so many times the effort of everything else: few times where heaps are large, many times where there are
/// few statements and many paths.
const TIMES_THE_REST: u64 = 12;

/// What became of a proof.
pub struct Apart {
    /// The proof, if nothing fails and the limits were not reached.
    pub refutation: Option<Refutation>,
    /// How many statements were followed.
    pub steps: u64,
    /// Whether larger limits may help.
    pub hope: bool,
}

/// Follows all executions of a procedure, each path by itself, as far as the limits allow. Questions about branches may cost
/// so much effort together, and a multiple of what everything else costs.
pub fn prove_apart(
    source: &Program,
    procedure: Procedure,
    (limits, effort): (Limits, u64),
    budget: &Budget,
) -> Result<Apart, Interrupted> {
    let solver = Solver::new(Recording::Proof, budget.clone());
    let (clauses, claims) = (Vec::new(), Vec::new());
    let mut ending =
        Ending { solver, clauses, claims, made: None, budget, begin: budget.effort(), spent: 0, effort };
    let unroller = Unroller::new(source, &[], &mut ending, limits, budget.clone());
    let mut unroller = unroller.with_paths(Paths::Apart);
    match unroller.run(procedure) {
        Ok(()) => {}
        Err(Halt::Interrupted(interrupted)) => {
            let (steps, gates) = (unroller.steps(), unroller.gates().count());
            if !ending.is_too_much() {
                return Err(interrupted);
            }
            tracing::debug!(steps, gates, "the questions about branches cost too much");
            return Ok(Apart { refutation: None, steps, hope: true });
        }
        Err(Halt::Refused(why)) => {
            let (steps, gates) = (unroller.steps(), unroller.gates().count());
            tracing::debug!(steps, gates, why, "paths are not followed further");
            // With more statements there is hope only if there were too few.
            return Ok(Apart { refutation: None, steps, hope: steps > limits.steps });
        }
    }
    unroller.question();
    let (steps, gates) = (unroller.steps(), unroller.gates().count());
    let answer = ending.solver.solve(&[])?;
    tracing::debug!(steps, gates, claims = ending.claims.len(), ?answer, "paths kept apart");
    if answer == Answer::Sat {
        return Ok(Apart { refutation: None, steps, hope: false });
    }
    let Ending { solver, clauses, claims, .. } = ending;
    let proof = renumbered(solver.into_proof(), &clauses);
    Ok(Apart { refutation: Some(Refutation { steps, claims, proof }), steps, hope: false })
}

/// Claims that sides of branches are never taken.
struct Ending<'b> {
    solver: Solver,
    /// The numbers of the clauses of the problem, in order.
    clauses: Vec<u32>,
    claims: Vec<Claim>,
    /// The question about which something was claimed last.
    made: Option<u64>,
    budget: &'b Budget,
    /// The effort at the beginning, and what was spent on questions since then.
    begin: u64,
    spent: u64,
    /// How much may be spent on questions in any case.
    effort: u64,
}

impl Ending<'_> {
    /// Whether questions cost too much: in a program with a large heap, most of the work is following its statements.
    fn is_too_much(&self) -> bool {
        let rest = self.budget.effort().saturating_sub(self.begin + self.spent);
        self.spent > self.effort + TIMES_THE_REST * rest
    }
}

impl Clauses for Ending<'_> {
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

impl Guide for Ending<'_> {
    fn claim(&mut self, question: u64, subject: Subject, _: Option<&Value>) -> Option<What> {
        (subject == Subject::Visit).then(|| {
            self.made = Some(question);
            What::Unreached
        })
    }

    fn uses(&mut self, obligation: Option<Lit>) -> Result<bool, Interrupted> {
        let Some(question) = self.made.take() else { return Ok(false) };
        let before = self.budget.effort();
        let used = match obligation {
            None => true,
            Some(literal) => self.solver.solve_within(&[literal], CONFLICTS)? == Some(Answer::Unsat),
        };
        self.spent += self.budget.effort().saturating_sub(before);
        if self.is_too_much() {
            return Err(Interrupted(Limit::Effort));
        }
        self.claims.push(Claim { question, what: What::Unreached, used });
        Ok(used)
    }
}
