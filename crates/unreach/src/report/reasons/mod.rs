//! Why a proof is one, as far as people can follow it.
//!
//! A proof about a program is shown by what holds where (see [`proof`](super::proof)). Here it is said why that holds and
//! what it is good for:
//!
//! * [`triples`]: for every step between two places the Hoare triple, with no more of what is known before than the step
//!   needs;
//! * [`lines`](mod@lines): the statements that the triples need. The others could do anything to the variables that they
//!   change, and the proof would be one all the same;
//! * [`vacuous`]: the checks that no execution comes to, so that their proof says nothing;
//! * [`automata`]: the Floyd-Hoare automata, as they can be drawn.
//!
//! All of it is found out anew with the solver, about the program as the engine had it, and for people only: no verdict rests on
//! it. What the solver does not see in time counts as not shown: a line as needed, a check as one that is reached.
//!
//! The work is bounded: programs with many blocks get no reasons, and there are so many questions and no more.

pub mod automata;
pub mod lines;
pub(crate) mod prover;
pub mod triples;
mod vacuous;

use super::proof::Proven;
use base::{Budget, EntitySet, Interrupted, Span};
use engines::annotation::Annotation;
use logic::{Term, Terms};
use program::Location;
use prover::Prover;
use smt::Solvers;
use std::collections::BTreeMap;

/// Programs with more steps between places than this get no reasons.
const MOST_STEPS: usize = 300;

/// Why a proof is one.
#[derive(Debug)]
pub struct Reasons {
    /// The Hoare triples from place to place; none if there would be too many.
    pub triples: Vec<triples::Triple>,
    /// Which lines they need; nothing if the triples alone do not exclude all errors.
    pub lines: Option<lines::Lines>,
    /// The conditions of the checks that no execution comes to.
    pub vacuous: Vec<Span>,
    /// The automata of the proof.
    pub automata: Vec<automata::Shown>,
}

impl Reasons {
    /// Of a proof without places: the conditions of the checks that no execution comes to.
    pub fn of_vacuous(vacuous: Vec<Span>) -> Reasons {
        Reasons { triples: Vec::new(), lines: None, vacuous, automata: Vec::new() }
    }
}

/// What holds at each place: the conjuncts.
pub(super) type Labels = BTreeMap<Location, Vec<Term>>;

/// What the parts of this module work on.
pub(super) struct Ground<'p> {
    pub(super) proven: &'p Proven<'p>,
    /// What holds where, accepted by the independent check.
    pub(super) labels: Labels,
    /// The places.
    pub(super) cut_points: &'p EntitySet<Location>,
}

/// Why a proof is one. The annotation must have been accepted; without one there are only automata.
pub(crate) fn reasons(
    proven: &Proven<'_>,
    annotation: Option<&Annotation>,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> Result<Reasons, Interrupted> {
    let mut reasons = Reasons {
        triples: Vec::new(),
        lines: None,
        vacuous: Vec::new(),
        automata: automata::shown(proven, terms, solvers, budget)?,
    };
    let steps = proven.blocks.program.live_edges().count() + proven.blocks.blocked.len();
    let Some(annotation) = annotation.filter(|_| steps <= MOST_STEPS) else { return Ok(reasons) };
    let labels: Labels =
        annotation.at_locations().map(|(location, known)| (location, known.to_vec())).collect();
    let ground = Ground { proven, labels, cut_points: &proven.blocks.cut_points };
    let mut prover = Prover::new(&proven.prepared.single, solvers, terms, budget);
    reasons.vacuous = vacuous::conditions(&ground, &mut prover, terms)?;
    let found = triples::found(&ground, &mut prover, terms)?;
    reasons.lines = lines::lines(&ground, &found, &mut prover, terms)?;
    reasons.triples = triples::in_words(&ground, &found, terms, solvers)?;
    Ok(reasons)
}
