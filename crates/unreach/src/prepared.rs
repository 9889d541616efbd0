//! A program as an engine gets it, and the way back to the program as it was built.
//!
//! What comes back is checked by `certify` against its own idea of the program, so a mistake here costs a verdict and
//! makes no wrong one.

use certify::{Certificate, Refusal, Subject, Unfolded};
use logic::Terms;
use program::leap::Renumbering;
use program::{BlockProgram, LeapCertificate, Proof, SingleSteps, Unfolding};
use transform::inline::Copies;

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
