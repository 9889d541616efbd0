//! Decisions in words, for people and for machines.

pub mod advice;
mod c_execution;
mod c_expression;
pub mod checks;
pub mod drawing;
mod edge_words;
mod execution;
pub(crate) mod formula;
mod lanes;
mod leaps;
pub(crate) mod meeting;
pub mod page;
pub mod proof;
pub mod reasons;
pub mod review;
pub mod rounds;
pub mod termination;

pub use leaps::Target;

use crate::answer::{Answer, Decision, Failure};
use crate::property::Property;
use crate::view::View;
pub(crate) use c_execution::{failed_assertion, failed_property, root};
use program::Reason;
use serde_json::{Value, json};

/// The word for a decision: `TRUE`, `FALSE(property)`, or `UNKNOWN (reason)`; `REACHABLE` if that was the question.
pub fn verdict(decision: &Decision, property: Property, target: Target) -> String {
    match (&decision.answer, target) {
        (Answer::Safe(_) | Answer::Terminates(_), _) => "TRUE".to_owned(),
        (Answer::Infinite(_), _) if decision.view.as_ref().is_some_and(|view| view.is_temporal()) => {
            let is_caret = decision.view.as_ref().is_some_and(|view| view.is_caret());
            format!("FALSE({})", if is_caret { "caret" } else { "ltl" })
        }
        (Answer::Infinite(_), _) => format!("FALSE({})", Property::Termination),
        (Answer::Leaps(_), Target::Goal) => "REACHABLE".to_owned(),
        (Answer::Unsafe(execution), _) => {
            // Where several things are checked, the assertion says which of them fails.
            let failed =
                decision.view.as_ref().and_then(|view| c_execution::failed_property(view, execution));
            let failed = failed.filter(|name| is_check(name));
            format!("FALSE({})", failed.unwrap_or_else(|| property.to_string()))
        }
        (Answer::Leaps(leaps), _) => {
            let failed =
                |view: &std::sync::Arc<View>| c_execution::failed_property(view, leaps.execution.as_ref()?);
            let failed = decision.view.as_ref().and_then(failed).filter(|name| is_check(name));
            format!("FALSE({})", failed.unwrap_or_else(|| property.to_string()))
        }
        (Answer::Unknown(reason), _) => unknown(reason, decision.view.as_deref()),
    }
}

/// Whether a name is that of a check.
fn is_check(name: &str) -> bool {
    crate::observed::is_property(name) || c::Check::ALL.iter().any(|check| check.name() == name)
}

/// Why there is no answer at all, for machines.
pub fn failure_json(failure: &Failure) -> Value {
    let error = |reason: &str| json!({ "verdict": "ERROR", "reason": reason });
    match failure {
        Failure::Input(what) => error(&what.to_string()),
        Failure::Internal(what) => error(&format!("internal error: {what}")),
        Failure::Mistakes(sources, diagnostics) => {
            let mistake = |diagnostic: &base::Diagnostic| {
                let place = sources.line_column(diagnostic.span);
                json!({
                    "file": sources.file(diagnostic.span.file).name,
                    "line": place.line,
                    "column": place.column,
                    "message": diagnostic.message,
                })
            };
            let mistakes: Vec<Value> = diagnostics.iter().map(mistake).collect();
            json!({ "verdict": "ERROR", "reason": "the program has mistakes", "mistakes": mistakes })
        }
    }
}

/// The verdict of a reason.
pub fn unknown(reason: &Reason, view: Option<&View>) -> String {
    format!("UNKNOWN ({})", why(reason, view))
}

fn why(reason: &Reason, view: Option<&View>) -> String {
    let (Some(span), Some(view)) = (reason.place(), view) else { return reason.to_string() };
    let place = view.sources.place(span);
    match reason {
        Reason::Overapproximation(_) => format!("{reason} behind {place}"),
        Reason::NotShown { others: 0, .. } => format!("the facts found do not show the assertion at {place}"),
        Reason::NotShown { others, .. } => {
            format!("the facts found do not show the assertion at {place} and {others} more")
        }
        _ => format!("{reason} at {place}"),
    }
}

/// How the warning begins that a proof says nothing, and the one about what it rests on.
const NOTHING_CHECKED: &str = "Nothing was checked";
const NOT_CHECKED: &str = "Not checked";

/// The evidence as text, in the words of the source; nothing for an unknown answer.
pub fn text(decision: &Decision, target: Target) -> String {
    let Some(view) = &decision.view else { return String::new() };
    match &decision.answer {
        Answer::Safe(safe) if checks(view) == Some(0) => {
            format!(
                "{NOTHING_CHECKED}: the program has no check of this property.\n{}",
                proof::text(view, &safe.invariants)
            )
        }
        Answer::Safe(safe) => format!("{}{}", rests_on(view), proof::text(view, &safe.invariants)),
        Answer::Unsafe(execution) => execution::text(view, execution),
        Answer::Leaps(leaps) => leaps::text(view, leaps, target),
        Answer::Terminates(terminates) => {
            proof::text(view, &terminates.ranks) + &rounds::text(view, &terminates.rounds)
        }
        Answer::Infinite(infinite) => infinite.told.text(view),
        Answer::Unknown(_) => String::new(),
    }
}

/// What a proof about a C program rests on: executions end where they would do something that was not checked.
fn rests_on(view: &View) -> String {
    let Some(back) = view.back.as_ref().filter(|back| !back.assumed.is_empty()) else { return String::new() };
    let what: Vec<&str> = back.assumed.iter().map(|check| check.words()).collect();
    format!("{NOT_CHECKED}, and taken for the end of an execution: {} (see --check).\n", what.join(", "))
}

/// How many checks of the property a program has, if that is known.
fn checks(view: &View) -> Option<u32> {
    view.back.as_ref().map(|back| back.checks)
}

/// A step of an execution, for those who show it beside the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Where.
    pub span: base::Span,
    /// What happens there.
    pub note: String,
    /// The values that it changes, by name.
    pub values: Vec<(String, String)>,
}

/// The execution of a decision, and at its end what fails; nothing without an execution.
pub fn execution(decision: &Decision) -> Option<Vec<Shown>> {
    let view = decision.view.as_deref()?;
    let execution = match &decision.answer {
        Answer::Unsafe(execution) => execution,
        Answer::Leaps(leaps) => leaps.execution.as_ref()?,
        _ => return None,
    };
    let told = execution::tell(view, execution);
    let mut steps: Vec<Shown> = told
        .lines
        .into_iter()
        .map(|line| {
            let values = line.changes.into_iter().map(|change| (change.name, change.value)).collect();
            Shown { span: line.span, note: line.note, values }
        })
        .collect();
    let (what, span, condition) = execution::failure(view, execution);
    let note = if condition.is_empty() { what } else { format!("{what}: {condition}") };
    steps.push(Shown { span, note, values: Vec::new() });
    Some(steps)
}

/// The decision as a JSON object. About a C program it says how much was checked, and for which data model.
pub fn json(decision: &Decision, property: Property, target: Target) -> Value {
    let mut object = json_of(decision, property, target);
    if let Some(back) = decision.view.as_ref().and_then(|view| view.back.as_ref()) {
        object["checks"] = json!(back.checks);
        if matches!(decision.answer, Answer::Safe(_)) && !back.assumed.is_empty() {
            let assumed: Vec<&str> = back.assumed.iter().map(|check| check.name()).collect();
            object["assumes"] = json!(assumed);
        }
        object["data_model"] = json!(match back.data_model {
            c::DataModel::Ilp32 => "ILP32",
            c::DataModel::Lp64 => "LP64",
        });
    }
    object
}

fn json_of(decision: &Decision, property: Property, target: Target) -> Value {
    let engine = decision.engine.map(|engine| engine.name);
    let verdict = verdict(decision, property, target);
    match (&decision.answer, &decision.view) {
        (Answer::Safe(safe), Some(view)) => {
            let invariants = proof::json(view, &safe.invariants);
            json!({ "verdict": verdict, "engine": engine, "invariants": invariants })
        }
        (Answer::Unsafe(execution), Some(view)) => {
            let evidence = execution::json(view, execution);
            json!({ "verdict": verdict, "engine": engine, "counterexample": evidence })
        }
        (Answer::Leaps(leaps), Some(view)) => {
            let evidence = leaps::json(view, leaps);
            json!({ "verdict": verdict, "engine": engine, "leaps": evidence })
        }
        (Answer::Terminates(terminates), Some(view)) => {
            let ranks = proof::json(view, &terminates.ranks);
            let rounds = rounds::json(view, &terminates.rounds);
            json!({ "verdict": verdict, "engine": engine, "invariants": ranks, "rounds": rounds })
        }
        (Answer::Infinite(infinite), Some(view)) => {
            let evidence = infinite.told.json(view);
            json!({ "verdict": verdict, "engine": engine, "infinite_run": evidence })
        }
        (Answer::Unknown(reason), view) => {
            let code = crate::explain::code(reason);
            let advice = advice::of(decision);
            json!({ "verdict": "UNKNOWN", "reason": why(reason, view.as_deref()), "code": code, "advice": advice })
        }
        (_, None) => {
            unreachable!("evidence speaks of a view")
        }
    }
}
