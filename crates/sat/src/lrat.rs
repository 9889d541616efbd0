//! Proofs of unsatisfiability in the manner of LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, "Efficient
//! Certified RAT Verification"), without the RAT rule: every step is a clause and the numbers of the clauses from which it
//! follows by unit propagation, in the order in which they become unit.
//!
//! The clauses of the problem are numbered from one in their order; every step has a number of its own, larger than those
//! of its reasons. [`check`] costs the size of the proof and of the clauses that it names.

use crate::Lit;
use base::{Budget, Interrupted};
use std::fmt;

/// A clause that follows from earlier ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The number of the clause.
    pub id: u32,
    /// The clause.
    pub clause: Vec<Lit>,
    /// The numbers of the clauses that become unit one after the other, and in the end false.
    pub hints: Vec<u32>,
}

/// A proof: its last step is the empty clause.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// The clauses, each after those from which it follows.
    pub steps: Vec<Step>,
}

/// Why a proof is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofError {
    /// A step has a number that is not larger than all before it.
    Number(u32),
    /// A step names a clause that does not exist: the step, the clause.
    Missing(u32, u32),
    /// A clause that a step names is neither unit nor false at its turn: the step, the clause.
    NotUnit(u32, u32),
    /// The clauses that a step names are not enough.
    NoConflict(u32),
    /// No step is the empty clause.
    NotEmpty,
    /// A literal is of no variable of the problem.
    Literal(u32),
    /// The check did not come to its end.
    Interrupted(Interrupted),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::Number(step) => write!(f, "step {step} comes after a larger number"),
            ProofError::Missing(step, clause) => {
                write!(f, "step {step} names clause {clause}, which does not exist")
            }
            ProofError::NotUnit(step, clause) => {
                write!(f, "clause {clause} is not unit at its turn in step {step}")
            }
            ProofError::NoConflict(step) => write!(f, "step {step} does not follow from what it names"),
            ProofError::NotEmpty => f.write_str("the empty clause is not derived"),
            ProofError::Literal(step) => write!(f, "step {step} names a variable that does not exist"),
            ProofError::Interrupted(why) => write!(f, "the check was interrupted: {why}"),
        }
    }
}

/// Does the proof show that the clauses over so many variables cannot all be true?
pub fn check(variables: u32, clauses: &[Vec<Lit>], proof: &Proof, budget: &Budget) -> Result<(), ProofError> {
    let mut known: Vec<Option<&[Lit]>> = vec![None];
    known.extend(clauses.iter().map(|clause| Some(clause.as_slice())));
    let mut values: Vec<Option<bool>> = vec![None; variables as usize];
    let mut assigned: Vec<usize> = Vec::new();
    for step in &proof.steps {
        budget.check().map_err(ProofError::Interrupted)?;
        let place = step.id as usize;
        // Numbers may leave gaps for clauses that were dropped, but no larger ones than there are steps and clauses.
        if place < known.len() || place > known.len() + 2 * proof.steps.len() + clauses.len() {
            return Err(ProofError::Number(step.id));
        }
        if step.clause.iter().any(|lit| lit.var().0 >= variables) {
            return Err(ProofError::Literal(step.id));
        }
        let follows = propagate(step, &known, &mut values, &mut assigned);
        for &variable in &assigned {
            values[variable] = None;
        }
        assigned.clear();
        follows?;
        if step.clause.is_empty() {
            return Ok(());
        }
        known.resize(place, None);
        known.push(Some(&step.clause));
    }
    Err(ProofError::NotEmpty)
}

/// Supposes that the clause of a step is false, and follows its hints to a contradiction.
fn propagate(
    step: &Step,
    known: &[Option<&[Lit]>],
    values: &mut [Option<bool>],
    assigned: &mut Vec<usize>,
) -> Result<(), ProofError> {
    let mut assign = |lit: Lit, values: &mut [Option<bool>]| {
        let variable = lit.var().0 as usize;
        values[variable] = Some(lit.polarity());
        assigned.push(variable);
    };
    for &lit in &step.clause {
        if values[lit.var().0 as usize] == Some(lit.polarity()) {
            // The clause has a literal and its negation, so it is true.
            return Ok(());
        }
        assign(!lit, values);
    }
    for &hint in &step.hints {
        let clause = known.get(hint as usize).copied().flatten();
        let clause = clause.ok_or(ProofError::Missing(step.id, hint))?;
        let mut open: Option<Lit> = None;
        for &lit in clause {
            match values[lit.var().0 as usize] {
                Some(value) if value == lit.polarity() => return Err(ProofError::NotUnit(step.id, hint)),
                Some(_) => {}
                None if open.is_none() || open == Some(lit) => open = Some(lit),
                None => return Err(ProofError::NotUnit(step.id, hint)),
            }
        }
        match open {
            None => return Ok(()),
            Some(lit) => assign(lit, values),
        }
    }
    Err(ProofError::NoConflict(step.id))
}
