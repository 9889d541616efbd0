//! What is certified: a program of the `ir`, and the automaton that is built from it.
//!
//! Every answer of the check is about a [`Subject`]. It is made from the `ir` program alone, before anything is
//! trimmed, inlined or composed, so nothing that was done to the program for the sake of an engine is trusted.

use crate::Refusal;
use crate::product::observed::{Observation, check_observed};
use crate::product::{Move, Watched, check_product};
use crate::relevant::relevant;
use crate::unfold::{Unfolded, unfold};
use base::Diagnostic;
use logic::Terms;
use program::{Program, SingleSteps, Unfolding};
use std::fmt;

/// A program that proofs and chains of leaps are held against.
#[derive(Clone, Debug)]
pub struct Subject {
    built: SingleSteps,
    /// What of it can lie on an error trace.
    relevant: Program,
    /// The automaton that watches it, if it is a product.
    automaton: Option<Vec<Vec<Move>>>,
}

/// Why a program cannot be certified.
#[derive(Clone, Debug)]
pub enum NotASubject {
    /// It violates a rule of [`ir::well_formed`]: a mistake of the front end. How many rules, and the first.
    IllFormed(usize, ir::well_formed::Violation),
    /// It uses something that the logic does not express.
    NotExpressible(Diagnostic),
    /// It is not the product that it is said to be.
    NotTheProduct(Refusal),
}

impl fmt::Display for NotASubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotASubject::IllFormed(count, first) => {
                write!(f, "the program is not well formed ({count} violations): {first}")
            }
            NotASubject::NotExpressible(diagnostic) => f.write_str(&diagnostic.message),
            NotASubject::NotTheProduct(refusal) => refusal.fmt(f),
        }
    }
}

impl Subject {
    /// Builds the automaton of a program, after checking that the program is well formed.
    pub fn new(source: &ir::Program, terms: &mut Terms) -> Result<Subject, NotASubject> {
        let mut violations = ir::well_formed::check(source);
        if !violations.is_empty() {
            return Err(NotASubject::IllFormed(violations.len(), violations.swap_remove(0)));
        }
        let built = program::build(source, terms).map_err(NotASubject::NotExpressible)?;
        let relevant = relevant(&built);
        Ok(Subject { built, relevant, automaton: None })
    }

    /// The product of a program with the automaton of a temporal property, after checking that it is the product.
    pub fn of_product(
        watched: &Watched,
        product: &ir::Program,
        terms: &mut Terms,
    ) -> Result<Subject, NotASubject> {
        check_product(watched, product).map_err(NotASubject::NotTheProduct)?;
        let subject = Subject::new(product, terms)?;
        Ok(Subject { automaton: Some(watched.moves.clone()), ..subject })
    }

    /// A program that an observer, or the automaton of a formula about finite executions, watches, after checking that `product` is the product with it.
    /// The program is that product, or what has been made of it: the product of its threads, or the product with some of its checks assumed.
    pub fn of_observed(
        observation: &Observation,
        product: &ir::Program,
        source: &ir::Program,
        terms: &mut Terms,
    ) -> Result<Subject, NotASubject> {
        check_observed(observation, product).map_err(NotASubject::NotTheProduct)?;
        let mut violations = ir::well_formed::check(product);
        if !violations.is_empty() {
            return Err(NotASubject::IllFormed(violations.len(), violations.swap_remove(0)));
        }
        Subject::new(source, terms)
    }

    /// The moves of the automaton that watches the program, if it is a product.
    pub fn automaton(&self) -> Option<&[Vec<Move>]> {
        self.automaton.as_deref()
    }

    /// The automaton, as it was built.
    pub fn program(&self) -> &SingleSteps {
        &self.built
    }

    /// The edges that can lie on an error trace, with calls.
    pub(crate) fn relevant(&self) -> &Program {
        &self.relevant
    }

    /// The program with its calls unfolded; the list must have all activations that error traces need.
    pub fn unfolded(&self, unfolding: &Unfolding, terms: &mut Terms) -> Result<Unfolded, Refusal> {
        unfold(&self.relevant, unfolding, terms)
    }
}
