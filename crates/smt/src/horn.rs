//! Constrained Horn clauses: unknown relations, and what must hold between them.
//!
//! A relation is declared with the symbols that name its parameters; a solution gives it a formula over these
//! symbols. In a clause all symbols are universally quantified, and its arguments are arbitrary terms.

use crate::solver::Reason;
use base::PrimaryMap;
use logic::{Symbol, Term};

base::id!(
    /// An unknown relation of [`Clauses`].
    Relation,
    "r"
);

/// A relation applied to terms of the sorts of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: Relation,
    /// As many as it has parameters.
    pub arguments: Vec<Term>,
}

/// If all premises and the constraint hold, then so does the conclusion; without one they must not hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The premises that are relations.
    pub premises: Vec<Atom>,
    /// The other premise.
    pub constraint: Term,
    /// What follows.
    pub conclusion: Option<Atom>,
}

/// A set of clauses over some relations.
#[derive(Clone, Default, Debug)]
pub struct Clauses {
    relations: PrimaryMap<Relation, Vec<Symbol>>,
    clauses: Vec<Clause>,
}

/// The answer of a Horn solver.
#[derive(Clone, Debug)]
pub enum Solution {
    /// Relations that satisfy all clauses: a formula over its parameters for each.
    Solved(PrimaryMap<Relation, Term>),
    /// No relations do.
    Refuted,
    /// The solver does not know.
    Unknown(Reason),
}

impl Clauses {
    /// A relation with these parameters.
    pub fn add_relation(&mut self, parameters: Vec<Symbol>) -> Relation {
        self.relations.push(parameters)
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: Clause) {
        self.clauses.push(clause);
    }

    /// The relations with their parameters.
    pub fn relations(&self) -> impl Iterator<Item = (Relation, &[Symbol])> {
        self.relations.iter().map(|(relation, parameters)| (relation, &parameters[..]))
    }

    /// The clauses in the order in which they were added.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }
}
