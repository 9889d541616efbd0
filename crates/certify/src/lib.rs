//! The independent check: no proof and no counterexample is reported that was not accepted here.
//!
//! What is checked is held against a [`Subject`]: the automaton of an `ir` program as it was built, with one edge per
//! step. Nothing that was done to it for the sake of an engine is trusted: this crate has its own idea of which edges
//! matter (`relevant`), its own unfolding of calls ([`unfold`]) and its own blocks ([`block`]), and cannot import those of
//! crate `transform`.
//!
//! A proof is a [`Certificate`]: cut points, and Floyd-Hoare automata over the blocks between them.
//!
//! * [`obligations`]: every transition of every automaton is a valid Hoare triple, over the steps
//!   of the single-step program;
//! * [`inclusion`]: every error trace is accepted by one of the automata, by its own automata code.
//!
//! Together: every error trace is infeasible (paper "Software Model Checking for People who Love Automata",
//! Theorems 1 and 2).
//!
//! A proof by following all executions to their ends is checked by [`unwinding`].
//! That all runs end, or that one does not, is checked by [`termination`].
//!
//! That a program is the product of another one with the automaton of a temporal property is checked by [`mod@product`].
//!
//! That an error is reachable through loops is checked by [`leap`].
//!
//! [`mod@format`] writes certificates to text and reads them back.
//!
//! A counterexample is accepted if the interpreter of the `ir` can run it ([`replay`](mod@replay), [`rerun`](mod@rerun)),
//! and for a program with threads if it can run it on the program as it was written ([`scheduled`]).

mod background;
pub mod block;
pub mod certificate;
mod certified;
pub mod format;
pub mod inclusion;
pub mod leap;
pub mod obligations;
pub mod product;
mod relevant;
pub mod replay;
pub mod rerun;
pub mod scheduled;
pub mod subject;
pub mod termination;
pub mod unfold;
pub mod unwinding;
mod values;

pub use certificate::{Automaton, Certificate, Letter};
pub use certified::Certified;
pub use leap::check_leaps;
pub use product::check_product;
pub use product::observed::check_observed;
pub use replay::{Execution, NotReplayed, replay};
pub use rerun::rerun;
pub use scheduled::run_schedule;
pub use subject::{NotASubject, Subject};
pub use unfold::Unfolded;
pub use unwinding::check_unwinding;

use base::{Budget, Interrupted};
use logic::Terms;
use program::{Location, Program};
use smt::Solver;
use std::fmt;

/// Why a proof is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The certificate does not fit the program.
    Malformed(String),
    /// A formula is not what its place in the automaton demands.
    Label(String),
    /// A condition under which a chain of leaps reaches its error does not hold.
    Leap(String),
    /// A run is not shown to be infinite; why.
    Recurrence(String),
    /// A transition is no valid Hoare triple.
    Triple(Letter),
    /// The solver could not say whether something holds that must hold; what, and why.
    Undecided(String, smt::Reason),
    /// Some error trace is accepted by none of the automata.
    NotCovered(Vec<Location>),
    /// Some infinite sequence of steps is accepted by none of the modules.
    GoesOn(Vec<Location>),
    /// A program is not the product that it is said to be; why.
    Product(String),
    /// A complete unwinding is none, or something in it can fail.
    Unwinding(String),
    /// The check did not come to its end.
    Interrupted(Interrupted),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Malformed(what) => write!(f, "the certificate does not fit the program: {what}"),
            Refusal::Label(what) => write!(f, "wrong label: {what}"),
            Refusal::Leap(what) => write!(f, "reachability is not shown: {what}"),
            Refusal::Recurrence(what) => write!(f, "no infinite run is shown: {what}"),
            Refusal::Triple(letter) => write!(f, "not a valid Hoare triple: a transition at {letter}"),
            Refusal::Undecided(what, why) => write!(f, "the solver cannot confirm {what}: {why}"),
            Refusal::NotCovered(locations) => {
                let path: Vec<String> = locations.iter().map(Location::to_string).collect();
                write!(f, "an error trace is not covered: {}", path.join(" "))
            }
            Refusal::GoesOn(locations) => {
                let path: Vec<String> = locations.iter().map(Location::to_string).collect();
                write!(f, "an infinite trace is not covered: {}", path.join(" "))
            }
            Refusal::Product(what) => {
                write!(f, "the product is not that of the program with the property's automaton: {what}")
            }
            Refusal::Unwinding(what) => write!(f, "the unwinding is no proof: {what}"),
            Refusal::Interrupted(why) => write!(f, "the check was interrupted: {why}"),
        }
    }
}

impl From<Interrupted> for Refusal {
    fn from(interrupted: Interrupted) -> Refusal {
        Refusal::Interrupted(interrupted)
    }
}

/// Checks that all labels of a certificate are what they claim: initial ones hold at the beginning, and every transition
/// is a valid Hoare triple. That says nothing about errors; it is for annotations that people are shown.
pub fn check_labels(
    subject: &Subject,
    certificate: &Certificate,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Certified<Certificate>, Refusal> {
    labels(subject, certificate, terms, solver, budget)?;
    Ok(Certified::new(certificate.clone()))
}

/// Checks that a certificate proves that no error of a program is reachable.
pub fn check_proof(
    subject: &Subject,
    certificate: &Certificate,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Certified<Certificate>, Refusal> {
    let unfolded = labels(subject, certificate, terms, solver, budget)?;
    inclusion::check(unfolded.as_ref().unwrap_or(subject.relevant()), certificate, budget)?;
    Ok(Certified::new(certificate.clone()))
}

/// Checks the labels of a certificate; gives back the unfolding of the program that it is about, if there is one.
fn labels(
    subject: &Subject,
    certificate: &Certificate,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Program>, Refusal> {
    let unfolded = match &certificate.unfolding {
        Some(unfolding) => Some(relevant::relevant(subject.unfolded(unfolding, terms)?.program())),
        None => None,
    };
    let program = unfolded.as_ref().unwrap_or(subject.relevant());
    certificate.check_shape(program)?;
    certificate.check_vocabulary(program, terms)?;
    obligations::check(program, certificate, terms, solver, budget)?;
    Ok(unfolded)
}
