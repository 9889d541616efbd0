//! Is a witness right?
//!
//! The program is observed by what the witness says (see [`c::Monitor`]), and the observed program is verified. So a
//! violation witness is confirmed by a replayed execution that fits it, and rejected by a checked proof that there is none;
//! a correctness witness is confirmed by a checked proof that its invariants hold and that the property holds, and
//! rejected by a replayed execution in which one of them does not. A violation witness for termination is confirmed by an
//! endless execution that passes its cycle again and again, and rejected by a proof that all executions that fit it end.
//!
//! Before any engine begins, one check is made of a correctness witness without threads: the heads of loops are labelled with what the
//! witness claims there, and the program with these labels is given to the independent check as a proof. It is one iff the
//! claims are inductive as they stand and exclude all errors, and then the witness is confirmed at once
//! ([`Confirmation::Inductive`]). Nothing is added to what the witness says, and nothing of it is dropped; if the check says no, nothing follows from that.

use crate::agenda::Agenda;
use crate::answer::{Answer, Decision, Failure};
use crate::attempt::{Shared, attempt_with};
use crate::observer::Observer;
use crate::plan::{Control, Entry, Inlining, Plan};
use crate::prepared::Prepared;
use crate::problem::Problem;
use crate::property::Property;
use crate::race::{Lane, NEVER, race, shares};
use crate::report::failed_assertion;
use crate::report::meeting::{self, Part};
use crate::verify;
use base::Budget;
use c::{Monitor, Race, Segment};
use certify::{Certified, Execution};
use engines::{Answers, Bits, Calls, Engine, Task, known};
use evidence::witness::{Kind, Witness};
use logic::Terms;
use program::{Edge, EdgeKind, ErrorData, Program, Reason, Recurrence, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The answer to a question about errors is one about termination, or the reverse.
const OTHER_QUESTION: &str = "the answer is to another question";

/// Why a correctness witness is wrong whatever its invariants say.
const VIOLATES: &str = "the program violates the property";

/// Why a violation witness about races may be right, and is not confirmed.
const ELSEWHERE: &str = "there is a race, which was not found at the target";

/// So much effort the one check may take that is made before engines begin.
const EFFORT_OF_CHECK: u64 = 100_000;

/// Whose answer it is that the claims of a witness are inductive.
const INDUCTIVE: &Engine = &Engine {
    name: "inductive check",
    about: "What a witness claims, checked as it stands",
    run: |_| Ok(Verdict::Unknown(Reason::Unsupported("nothing is claimed".to_owned()))),
    calls: Calls::Followed,
    answers: Answers::Proofs,
    bits: Bits::Bounded,
};

/// How a witness was confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// Its invariants are inductive and the property follows from them.
    Inductive,
    /// An engine has found a proof or an execution.
    Found,
}

/// What was found out about a witness.
#[derive(Debug)]
pub enum Validation {
    /// It is right; how that was found out.
    Confirmed(Confirmation),
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
    // A witness that says nothing leaves the program as it is.
    let monitor = Some(Arc::new(monitor)).filter(|monitor| **monitor != Monitor::default());
    // Invariants are asked for like assertions, whatever the witness is for: a program without threads has no others then.
    let property = if about_end && !is_violation { Property::NoDataRace } else { problem.property };
    let observed = Problem { monitor, property, ..problem.clone() };
    if !is_violation && !about_end && is_inductive(&observed, plan, budget, &observer) {
        return Ok(Validation::Confirmed(Confirmation::Inductive));
    }
    let decision = match ask(&observed)? {
        Ok(decision) => decision,
        Err(why) => return Ok(Validation::Unknown(why)),
    };
    Ok(match (witness.kind, about_end) {
        // Accesses in functions that are called at the target were not counted.
        (Kind::Violation, _) if about_races && matches!(decision.answer, Answer::Safe(_)) => {
            let monitor = Some(Arc::new(without_race));
            match ask(&Problem { monitor, property, ..problem.clone() })? {
                Ok(decision) => match violation(&decision, witness) {
                    Validation::Confirmed(how) if races_at_target(&decision, witness) => {
                        Validation::Confirmed(how)
                    }
                    Validation::Confirmed(_) => Validation::Unknown(ELSEWHERE.to_owned()),
                    other => other,
                },
                Err(why) => Validation::Unknown(why),
            }
        }
        (Kind::Violation, false) => violation(&decision, witness),
        (Kind::Violation, true) => endless(&decision, witness),
        (Kind::Correctness, false) => correctness(&decision),
        (Kind::Correctness, true) => match correctness(&decision) {
            Validation::Confirmed(_) => match ask(problem)? {
                Ok(decision) => termination(&decision),
                Err(why) => Validation::Unknown(why),
            },
            // Errors are not what this witness is about.
            Validation::Rejected(why) if why == VIOLATES => Validation::Unknown(why),
            other => other,
        },
    })
}

/// Whether the claims of an observed program are a proof as they stand, which the independent check finds out and nobody else.
fn is_inductive(problem: &Problem, plan: &Plan, budget: &Budget, observer: &Arc<dyn Observer>) -> bool {
    let claims = problem.monitor.as_ref().is_some_and(|monitor| !monitor.claims.is_empty());
    // What is wrong with the program is told by those who come later.
    let Some(Ok(view)) = claims.then(|| Agenda::first_view(problem)) else { return false };
    let mut terms = Terms::new();
    let Ok(subject) = view.subject(&mut terms) else { return false };
    if view.is_concurrent() {
        return false;
    }
    let (plan, observer) = (plan.clone(), Arc::clone(observer));
    let shared = Shared { view, exact: None, subject, terms, plan, observer };
    let entry =
        Entry { engine: INDUCTIVE, inlining: Inlining::IfSmall, control: Control::InData, share: 1, from: 0 };
    let run = move |budget: &Budget| {
        let sources = &shared.view.sources;
        let is_claim = |error: &ErrorData| {
            [error.condition, error.span]
                .iter()
                .any(|span| sources.file(span.file).name.starts_with("<witness"))
        };
        let labelled = |_: &Prepared, task: &mut Task<'_>| {
            let known = known::exclusions(&task.blocks.program, is_claim, task.terms);
            Ok(Verdict::Safe(known::labelled(&task.blocks.program, &known, task.terms)))
        };
        let checked = AssertUnwindSafe(|| attempt_with(&shared, &entry, budget, &labelled).answer);
        // A proof that is refused is no mistake of ours here.
        catch_unwind(checked).is_ok_and(|answer| matches!(answer, Ok(Answer::Safe(_))))
    };
    let share = shares(EFFORT_OF_CHECK);
    let lane = Lane {
        name: INDUCTIVE.name,
        share,
        late_share: share,
        behind: NEVER,
        from: 0,
        alone: true,
        run: Box::new(run),
    };
    race(vec![lane], |is_proof| *is_proof, (1, 1), budget).is_ok()
}

/// Whether a race that was found without a restriction has an access at the target, which is all that the witness speaks of.
fn races_at_target(decision: &Decision, witness: &Witness) -> bool {
    let [Segment { avoid, follow }] = &witness.monitor.segments[..] else { return false };
    let (Answer::Unsafe(execution), Some(view)) = (&decision.answer, &decision.view) else { return false };
    let main = view.back.as_ref().and_then(|back| back.file);
    let is_there = |part: &Part<'_>| {
        Some(part.span.file) == main && view.sources.line_column(part.span).line == follow.place.line
    };
    let parts = meeting::of_failure(view, execution);
    avoid.is_empty()
        && follow.thread.is_none()
        && witness.monitor.race.is_none()
        && parts.iter().any(is_there)
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
        Answer::Infinite(infinite) if infinite.repeats_cycle => Validation::Confirmed(Confirmation::Found),
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
        Answer::Terminates(_) => Validation::Confirmed(Confirmation::Found),
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
        Answer::Unsafe(_) | Answer::Leaps(_) => Validation::Confirmed(Confirmation::Found),
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
        Answer::Safe(_) => Validation::Confirmed(Confirmation::Found),
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
