//! A program as an engine gets it, and the way back to the program as it was built.
//!
//! What comes back is checked by `certify` against its own idea of the program, so a mistake here costs a verdict and
//! makes no wrong one.

use crate::plan::Inlining;
use certify::{Certificate, Refusal, Subject, Unfolded};
use engines::{Calls, Engine};
use logic::Terms;
use program::leap::Renumbering;
use program::{BlockProgram, LeapCertificate, Proof, Reason, SingleSteps, Unfolding};
use transform::CannotInline;
use transform::inline::{Copies, Inlined};

/// A program that grows by no more than this factor when it is inlined, and by so many locations, stays small.
const SMALL_GROWTH: usize = 4;
const SMALL: usize = 500;

/// A trimmed program, with its calls or without.
pub(crate) struct Prepared {
    pub(crate) single: SingleSteps,
    /// What the parts are copies of, if calls were inlined.
    pub(crate) copies: Option<Copies>,
}

/// A chain of leaps about the program as it was built, or about an unfolding of its calls.
pub(crate) struct CheckableChain<'p> {
    pub(crate) unfolding: Option<&'p Unfolding>,
    pub(crate) chain: LeapCertificate,
}

/// Something of the engine's program is not there when the checker unfolds the calls.
fn lost() -> Refusal {
    Refusal::Malformed("the unfolding of the calls has lost a part of the program".to_owned())
}

impl Prepared {
    /// The program as the engine wants it. Calls are inlined if the engine cannot do without, or if that was chosen and
    /// the program stays small.
    pub(crate) fn new(
        subject: &Subject,
        engine: &Engine,
        inlining: Inlining,
        terms: &mut Terms,
    ) -> Result<Prepared, Reason> {
        let single = transform::trim(subject.program().clone());
        let must = engine.calls == Calls::Inlined;
        let most = match inlining {
            _ if must => transform::inline::MOST_LOCATIONS,
            Inlining::Never => return Ok(Prepared { single, copies: None }),
            Inlining::IfSmall => SMALL_GROWTH * single.locations.len() + SMALL,
        };
        match transform::inline(&single, terms, most) {
            Ok(Inlined { program, copies }) => {
                Ok(Prepared { single: transform::trim(program), copies: Some(copies) })
            }
            Err(_) if !must => Ok(Prepared { single, copies: None }),
            Err(CannotInline::Recursion(_)) => Err(Reason::Recursion(engine.name)),
            Err(CannotInline::TooLarge(most)) => {
                Err(Reason::Unsupported(format!("more than {most} locations after inlining")))
            }
        }
    }

    /// The certificate of a proof about the blocks of this program.
    pub(crate) fn certificate(
        &self,
        (subject, blocks): (&Subject, &BlockProgram),
        proof: &Proof,
        terms: &mut Terms,
    ) -> Result<Certificate, Refusal> {
        let certificate = Certificate::of_proof(blocks, proof);
        let Some(copies) = &self.copies else { return Ok(certificate) };
        let unfolded = subject.unfolded(&copies.unfolding, terms)?;
        certificate
            .on_unfolding(copies.unfolding.clone(), |location| unfolded.location(copies.place(location)))
            .ok_or_else(lost)
    }

    /// A chain of leaps in this program, as the checker takes it.
    pub(crate) fn chain(
        &self,
        subject: &Subject,
        chain: &LeapCertificate,
        terms: &mut Terms,
    ) -> Result<CheckableChain<'_>, Refusal> {
        let Some(copies) = &self.copies else {
            return Ok(CheckableChain { unfolding: None, chain: chain.clone() });
        };
        let unfolded: Unfolded = subject.unfolded(&copies.unfolding, terms)?;
        let program = unfolded.program();
        let location = |location| unfolded.location(copies.place(location));
        let numbers = Renumbering {
            location: &location,
            edge: &|edge| {
                let copy = copies.edge(edge);
                unfolded.edge(copy.activation, copy.edge)
            },
            var: &|var| program.variables.of_symbol(self.single.variables[var].symbol),
            error: &|error| program.locations[location(self.single.errors[error].location)?].error,
        };
        let chain = chain.renumbered(&numbers).ok_or_else(lost)?;
        Ok(CheckableChain { unfolding: Some(&copies.unfolding), chain })
    }
}
