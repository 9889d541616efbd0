//! Propositional satisfiability.
//!
//! * [`Solver`]: conflict-driven clause learning (Marques-Silva and Sakallah, GRASP; Eén and Sörensson, "An Extensible
//!   SAT-solver"), incremental, under assumptions, that can write down every clause it learns with the clauses it follows from.
//! * [`lrat`]: the check of such a proof. It shares nothing with the solver but the data types of this file.
//!
//! Everything is deterministic, and the work is counted in the budget.

mod choosers;
mod chronological;
mod heap;
pub mod lrat;
mod solver;
mod structure;
mod sweeping;

pub use lrat::{Proof, ProofError, Step};
pub use solver::{Answer, Recording, Solver, Statistics};
pub use structure::Gate;

use std::fmt;

/// A propositional variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal of a variable that is true if the variable has the value.
    pub fn new(var: Var, value: bool) -> Lit {
        Lit(var.0 << 1 | u32::from(!value))
    }

    /// Its variable.
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// The value of its variable that makes it true.
    pub fn polarity(self) -> bool {
        self.0 & 1 == 0
    }

    /// Its number: twice that of its variable, one more if it is negated.
    pub fn code(self) -> u32 {
        self.0
    }

    /// The literal of a number.
    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.polarity() { "" } else { "-" }, self.var().0 + 1)
    }
}
