//! Is a witness right?
//!
//! The program is observed by what the witness says (see [`c::Monitor`]), and the observed program is verified. So a
//! violation witness is confirmed by a replayed execution that fits it, and rejected by a checked proof that there is none;
//! a correctness witness is confirmed by a checked proof that its invariants hold and that the property holds, and
//! rejected by a replayed execution in which one of them does not.

use crate::answer::{Answer, Decision, Failure};
use crate::observer::Observer;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::property::Property;
use crate::report::failed_assertion;
use crate::verify;
use base::Budget;
use certify::{Certified, Execution};
use evidence::witness::{Kind, Witness};
use std::sync::Arc;

/// Whether a program ends is not what these witnesses are about.
const OTHER_QUESTION: &str = "the answer is about termination";

/// What was found out about a witness.
#[derive(Debug)]
pub enum Validation {
    /// It is right.
    Confirmed,
    /// It is wrong; why.
    Rejected(String),
    /// It was not found out; why.
    Unknown(String),
}

/// Checks what a witness says about a problem. What its witness may say of property and data model was already decided.
pub fn validate(
    problem: &Problem,
    witness: &Witness,
    plan: &Plan,
    budget: &Budget,
    observer: Arc<dyn Observer>,
) -> Result<Validation, Failure> {
    if let Some(gap) = witness.gaps.first() {
        return Ok(Validation::Unknown(format!("unsupported: {gap}")));
    }
    if problem.property == Property::Termination {
        return Ok(Validation::Unknown("unsupported: witnesses for termination".to_owned()));
    }
    let observed = Problem { monitor: Some(Arc::new(witness.monitor.clone())), ..problem.clone() };
    let decision = match verify(&observed, plan, budget, observer) {
        Ok(decision) => decision,
        // An expression of the witness that has no meaning at its place is no mistake in the program.
        Err(Failure::Mistakes(sources, mistakes)) => {
            let of_witness = mistakes
                .first()
                .filter(|first| sources.file(first.span.file).name.starts_with("<witness"))
                .map(|first| format!("{}: {}", sources.file(first.span.file).name, first.message));
            return match of_witness {
                Some(why) => Ok(Validation::Unknown(why.replace(['<', '>'], ""))),
                None => Err(Failure::Mistakes(sources, mistakes)),
            };
        }
        Err(failure) => return Err(failure),
    };
    Ok(match witness.kind {
        Kind::Correctness => correctness(&decision),
        Kind::Violation => violation(&decision, witness),
    })
}

fn violation(decision: &Decision, witness: &Witness) -> Validation {
    match &decision.answer {
        Answer::Unsafe(_) | Answer::Leaps(_) => Validation::Confirmed,
        Answer::Safe(_) => match &witness.doubt {
            Some(doubt) => Validation::Unknown(doubt.clone()),
            None => Validation::Rejected("no execution that it describes violates the property".to_owned()),
        },
        Answer::Unknown(reason) => Validation::Unknown(reason.to_string()),
        Answer::Terminates(_) | Answer::Infinite(_) => Validation::Unknown(OTHER_QUESTION.to_owned()),
    }
}

fn correctness(decision: &Decision) -> Validation {
    match &decision.answer {
        Answer::Safe(_) => Validation::Confirmed,
        Answer::Unsafe(execution) => failed(decision, execution),
        Answer::Leaps(leaps) => match &leaps.execution {
            Some(execution) => failed(decision, execution),
            None => Validation::Rejected("an invariant or the property does not hold".to_owned()),
        },
        Answer::Unknown(reason) => Validation::Unknown(reason.to_string()),
        Answer::Terminates(_) | Answer::Infinite(_) => Validation::Unknown(OTHER_QUESTION.to_owned()),
    }
}

/// What an execution that fails says about a correctness witness.
fn failed(decision: &Decision, execution: &Certified<Execution>) -> Validation {
    let property = decision.view.as_ref().and_then(|view| Some(failed_assertion(view, execution)?.1));
    let Some(claim) = property.and_then(|property| property.strip_prefix(c::CLAIM)) else {
        return Validation::Rejected("the program violates the property".to_owned());
    };
    match claim.trim().strip_suffix(c::UNDEFINED) {
        Some(entry) => Validation::Unknown(format!("entry {} has no defined value everywhere", entry.trim())),
        None => Validation::Rejected(format!("entry {} does not hold", claim.trim())),
    }
}
