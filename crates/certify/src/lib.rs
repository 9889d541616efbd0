//! The independent check: no proof and no counterexample is reported that was not accepted here.
//!
//! A proof is a [`Certificate`]: cut points of the single-step program, and Floyd-Hoare automata over the blocks
//! between them. The check shares no code with the engines, and none with the composition of blocks:
//!
//! * [`obligations`]: every transition of every automaton is a valid Hoare triple, over the steps
//!   of the single-step program;
//! * [`inclusion`]: every error trace is accepted by one of the automata, by its own automata code.
//!
//! Together: every error trace is infeasible (paper "Software Model Checking for People who Love Automata",
//! Theorems 1 and 2).
//!
//! That an error is reachable through loops is checked by [`leap`].
//!
//! [`mod@format`] writes certificates to text and reads them back.
//!
//! A counterexample is accepted if the interpreter of the `ir` can run it ([`replay`](mod@replay), [`rerun`](mod@rerun)).

mod background;
pub mod block;
pub mod certificate;
mod certified;
pub mod format;
pub mod inclusion;
pub mod leap;
pub mod obligations;
pub mod replay;
pub mod rerun;
mod values;

pub use certificate::{Automaton, Certificate, Letter};
pub use certified::Certified;
pub use leap::check_leaps;
pub use replay::{Execution, NotReplayed, replay};
pub use rerun::rerun;

use base::{Budget, Interrupted};
use logic::Terms;
use program::{Location, SingleSteps};
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
    /// A transition is no valid Hoare triple.
    Triple(Letter),
    /// The solver could not say whether something holds that must hold; what, and why.
    Undecided(String, smt::Reason),
    /// Some error trace is accepted by none of the automata.
    NotCovered(Vec<Location>),
    /// The check did not come to its end.
    Interrupted(Interrupted),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Malformed(what) => write!(f, "the certificate does not fit the program: {what}"),
            Refusal::Label(what) => write!(f, "wrong label: {what}"),
            Refusal::Leap(what) => write!(f, "reachability is not shown: {what}"),
            Refusal::Triple(letter) => write!(f, "not a valid Hoare triple: a transition at {letter}"),
            Refusal::Undecided(what, why) => write!(f, "the solver cannot confirm {what}: {why}"),
            Refusal::NotCovered(locations) => {
                let path: Vec<String> = locations.iter().map(Location::to_string).collect();
                write!(f, "an error trace is not covered: {}", path.join(" "))
            }
            Refusal::Interrupted(why) => write!(f, "the check was interrupted: {why}"),
        }
    }
}

impl From<Interrupted> for Refusal {
    fn from(interrupted: Interrupted) -> Refusal {
        Refusal::Interrupted(interrupted)
    }
}

/// Checks that a certificate proves that no error of the single-step program is reachable.
pub fn check_proof(
    program: &SingleSteps,
    certificate: &Certificate,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Certified<Certificate>, Refusal> {
    certificate.check_shape(program)?;
    certificate.check_vocabulary(program, terms)?;
    obligations::check(program, certificate, terms, solver, budget)?;
    inclusion::check(program, certificate, budget)?;
    Ok(Certified::new(certificate.clone()))
}
