//! The check of a refutation: the program is unrolled with the claims, and the clauses that come of it are refuted by the proof.

use crate::clauses::Clauses;
use crate::values::Value;
use crate::walk::{Guide, Halt, Limits, Subject, Unroller};
use base::{Budget, Interrupted};
use ir::claims::{Claim, Paths, What};
use ir::induction::Induction;
use ir::{Procedure, Program};
use sat::{Lit, Proof, ProofError};

/// How large an unrolling may become.
const LARGEST: Limits = Limits { gates: 8_000_000, steps: 4_010_000, call_depth: 1_000, decisions: u32::MAX };

/// That no execution of a procedure fails.
#[derive(Clone, Copy)]
pub struct Refutation<'r> {
    /// The loops that are shown by induction.
    pub inductions: &'r [Induction],
    /// What becomes of paths that meet.
    pub paths: Paths,
    /// How many statements are unrolled.
    pub steps: u64,
    /// What is claimed on the way.
    pub claims: &'r [Claim],
    /// Why all claims hold and nothing fails.
    pub proof: &'r Proof,
}

/// Why a refutation is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The check did not come to its end.
    Interrupted(Interrupted),
    /// It is wrong.
    Wrong(String),
}

/// Does the refutation show that no execution of the procedure fails? The program has to be well formed.
pub fn check(
    program: &Program,
    procedure: Procedure,
    refutation: Refutation<'_>,
    budget: &Budget,
) -> Result<(), Refused> {
    let Refutation { inductions, paths, steps, claims, proof } = refutation;
    let mut reading = Reading { claims, used: false, clauses: Vec::new() };
    let limits = Limits { steps: steps.min(LARGEST.steps), ..LARGEST };
    let unroller = Unroller::new(program, inductions, &mut reading, limits, budget.clone());
    let mut unroller = unroller.with_paths(paths);
    match unroller.run(procedure) {
        Ok(()) => {}
        Err(Halt::Interrupted(interrupted)) => return Err(Refused::Interrupted(interrupted)),
        Err(Halt::Refused(why)) => return Err(Refused::Wrong(why.to_owned())),
    }
    let (variables, unrolled) = (unroller.question(), unroller.steps());
    if !reading.claims.is_empty() || steps != unrolled {
        return Err(Refused::Wrong("the claims are about another unwinding".to_owned()));
    }
    sat::lrat::check(variables, &reading.clauses, proof, budget).map_err(|error| match error {
        ProofError::Interrupted(interrupted) => Refused::Interrupted(interrupted),
        error => Refused::Wrong(error.to_string()),
    })
}

/// Reads claims, and collects clauses.
struct Reading<'c> {
    claims: &'c [Claim],
    /// Whether the last claim is used.
    used: bool,
    clauses: Vec<Vec<Lit>>,
}

impl Clauses for Reading<'_> {
    fn clause(&mut self, clause: &[Lit]) {
        self.clauses.push(clause.to_vec());
    }

    fn variable(&mut self) {}
}

impl Guide for Reading<'_> {
    fn claim(&mut self, question: u64, _: Subject, _: Option<&Value>) -> Option<What> {
        let (first, rest) = self.claims.split_first()?;
        if first.question != question {
            return None;
        }
        self.claims = rest;
        self.used = first.used;
        Some(first.what.clone())
    }

    fn uses(&mut self, _: Option<Lit>) -> Result<bool, Interrupted> {
        Ok(self.used)
    }
}
