//! Is a witness right?
//!
//! The program is observed by what the witness says (see [`c::Monitor`]), and the observed program is verified. So a
//! violation witness is confirmed by a replayed execution that fits it, and rejected by a checked proof that there is none;
//! a correctness witness is confirmed by a checked proof that its invariants hold and that the property holds, and
//! rejected by a replayed execution in which one of them does not. A violation witness for termination is confirmed by an
//! endless execution that passes its cycle again and again, and rejected by a proof that all executions that fit it end.

use crate::answer::{Answer, Decision, Failure};
use crate::observer::Observer;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::property::Property;
use crate::report::failed_assertion;
use crate::verify;
use base::Budget;
use c::{Monitor, Race};
use certify::{Certified, Execution};
use evidence::witness::{Kind, Witness};
use program::{Edge, EdgeKind, Program, Recurrence};
use std::sync::Arc;

/// The answer to a question about errors is one about termination, or the reverse.
const OTHER_QUESTION: &str = "the answer is to another question";

/// Why a correctness witness is wrong whatever its invariants say.
const VIOLATES: &str = "the program violates the property";

/// Why a violation witness about races may be right, and is not confirmed.
const ELSEWHERE: &str = "there is a race, which was not found at the target";

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
    let about_end = problem.property == Property::Termination;
    let is_violation = witness.kind == Kind::Violation;
    if is_violation && about_end != witness.monitor.cycle.is_some() {
        let what = "a violation witness has a cycle if it is about termination, and a target otherwise";
        return Ok(Validation::Rejected(what.to_owned()));
    }
    let ask = |problem: &Problem| observed(problem, plan, budget, Arc::clone(&observer));
    let mut monitor = witness.monitor.clone();
    let about_races = problem.property == Property::NoDataRace;
    match (&monitor.race, is_violation) {
        (Some(_), _) if !about_races => {
            return Ok(Validation::Rejected("two targets, which do not race by this property".to_owned()));
        }
        (None, true) if about_races => monitor.race = Some(Race::WithTarget),
        // What a witness adds to a program is accessed by all threads.
        (None, false) if about_races && adds_variables(&monitor) => {
            return Ok(Validation::Unknown("unsupported: variables of a witness about races".to_owned()));
        }
        _ => {}
    }
    let without_race = Monitor { race: None, ..monitor.clone() };
    let monitor = Some(Arc::new(monitor));
    // Invariants are asked for like assertions, whatever the witness is for.
    let property = if about_end && !is_violation { Property::UnreachCall } else { problem.property };
    let decision = match ask(&Problem { monitor, property, ..problem.clone() })? {
        Ok(decision) => decision,
        Err(why) => return Ok(Validation::Unknown(why)),
    };
    Ok(match (witness.kind, about_end) {
        // Accesses in functions that are called at the target were not counted.
        (Kind::Violation, _) if about_races && matches!(decision.answer, Answer::Safe(_)) => {
            let monitor = Some(Arc::new(without_race));
            match ask(&Problem { monitor, property, ..problem.clone() })? {
                Ok(decision) => match violation(&decision, witness) {
                    Validation::Confirmed => Validation::Unknown(ELSEWHERE.to_owned()),
                    other => other,
                },
                Err(why) => Validation::Unknown(why),
            }
        }
        (Kind::Violation, false) => violation(&decision, witness),
        (Kind::Violation, true) => endless(&decision, witness),
        (Kind::Correctness, false) => correctness(&decision),
        (Kind::Correctness, true) => match correctness(&decision) {
            Validation::Confirmed => match ask(problem)? {
                Ok(decision) => termination(&decision),
                Err(why) => Validation::Unknown(why),
            },
            // Errors are not what this witness is about.
            Validation::Rejected(why) if why == VIOLATES => Validation::Unknown(why),
            other => other,
        },
    })
}

/// Whether a monitor adds variables to a program.
fn adds_variables(monitor: &Monitor) -> bool {
    !monitor.ghosts.is_empty() || monitor.claims.iter().any(|claim| claim.text.contains("\\at("))
}

/// The decision about an observed program; what the witness says and has no meaning at its place is the other answer.
fn observed(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget,
    observer: Arc<dyn Observer>,
) -> Result<Result<Decision, String>, Failure> {
    match verify(problem, plan, budget, observer) {
        Ok(decision) => Ok(Ok(decision)),
        // An expression of the witness that has no meaning at its place is no mistake in the program.
        Err(Failure::Mistakes(sources, mistakes)) => {
            let of_witness = mistakes
                .first()
                .filter(|first| sources.file(first.span.file).name.starts_with("<witness"))
                .map(|first| format!("{}: {}", sources.file(first.span.file).name, first.message));
            match of_witness {
                Some(why) => Ok(Err(why.replace(['<', '>'], ""))),
                None => Err(Failure::Mistakes(sources, mistakes)),
            }
        }
        Err(failure) => Err(failure),
    }
}

/// What the answer about the executions that fit a witness says about it, if the property is termination.
fn endless(decision: &Decision, witness: &Witness) -> Validation {
    match &decision.answer {
        Answer::Infinite(infinite) if infinite.repeats_cycle => Validation::Confirmed,
        Answer::Infinite(_) => Validation::Unknown(
            "the endless execution that was found need not pass the cycle for ever".to_owned(),
        ),
        Answer::Terminates(_) => match &witness.doubt {
            Some(doubt) => Validation::Unknown(doubt.clone()),
            None => Validation::Rejected("every execution that it describes ends".to_owned()),
        },
        Answer::Unknown(reason) => Validation::Unknown(reason.to_string()),
        Answer::Safe(_) | Answer::Unsafe(_) | Answer::Leaps(_) => {
            Validation::Unknown(OTHER_QUESTION.to_owned())
        }
    }
}

/// What the answer about the plain program says about a witness whose invariants hold, if the property is termination.
fn termination(decision: &Decision) -> Validation {
    match &decision.answer {
        Answer::Terminates(_) => Validation::Confirmed,
        Answer::Infinite(_) => Validation::Rejected("an execution never ends".to_owned()),
        Answer::Unknown(reason) => Validation::Unknown(reason.to_string()),
        Answer::Safe(_) | Answer::Unsafe(_) | Answer::Leaps(_) => {
            Validation::Unknown(OTHER_QUESTION.to_owned())
        }
    }
}

/// Whether an infinite run begins the cycle of a monitor anew for ever: without the ways on which it does, no recurrent set
/// leads back to itself.
pub(crate) fn repeats_cycle(program: &Program, recurrence: &Recurrence) -> bool {
    let begins_anew = |edge: &Edge| match &program.edges[*edge].kind {
        EdgeKind::Internal(relation) => {
            relation.updates.iter().any(|&(var, _)| program.variables[var].name == c::CYCLE)
        }
        EdgeKind::Call(_) | EdgeKind::Return(_) => false,
    };
    let mut left: Vec<bool> = vec![true; recurrence.sets.len()];
    loop {
        let leads_on = |index: usize| {
            let plain = recurrence.sets[index].ways.iter().filter(|way| !way.edges.iter().any(begins_anew));
            plain.map(|way| way.target).any(|target| left[target])
        };
        let ends: Vec<usize> = (0..left.len()).filter(|&index| left[index] && !leads_on(index)).collect();
        if ends.is_empty() {
            return !left.contains(&true);
        }
        ends.into_iter().for_each(|index| left[index] = false);
    }
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
        return Validation::Rejected(VIOLATES.to_owned());
    };
    match claim.trim().strip_suffix(c::UNDEFINED) {
        Some(entry) => Validation::Unknown(format!("entry {} has no defined value everywhere", entry.trim())),
        None => Validation::Rejected(format!("entry {} does not hold", claim.trim())),
    }
}
