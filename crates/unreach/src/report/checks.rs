//! A survey in words: a line for every check, then the executions of those that fail.

use super::{Target, json_of, text, verdict, why};
use crate::answer::Decision;
use crate::checks::{Check, Found, Survey};
use crate::property::Property;
use base::SourceMap;
use serde_json::{Value, json};
use std::fmt::Write;

/// How many checks there are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Proven ones.
    pub proven: usize,
    /// Those that no execution comes to, as all fail before.
    pub not_reached: usize,
    /// Those that can fail.
    pub failing: usize,
    /// Those that are open.
    pub open: usize,
}

/// Counts the checks.
pub fn counts(survey: &Survey) -> Counts {
    let mut counts = Counts::default();
    for (_, found) in &survey.checks {
        *match found {
            Found::Proven => &mut counts.proven,
            Found::NotReached => &mut counts.not_reached,
            Found::Fails(_) => &mut counts.failing,
            Found::Open(_) => &mut counts.open,
        } += 1;
    }
    counts
}

/// The decision that the verdict is about: the first failure, or what was found out about all checks together.
pub fn decisive(survey: &Survey) -> &Decision {
    let failure = survey.checks.iter().find_map(|(_, found)| match found {
        Found::Fails(decision) => Some(&**decision),
        Found::Proven | Found::NotReached | Found::Open(_) => None,
    });
    failure.or(survey.rest.as_ref()).expect("without a failure there is a decision about all checks")
}

/// The survey as text, without the line of the verdict.
pub fn listing(survey: &Survey) -> String {
    let Counts { proven, not_reached, failing, open } = counts(survey);
    let behind = if not_reached == 0 { String::new() } else { format!(", {not_reached} not reached") };
    let mut out = format!("Checks: {proven} proven, {failing} failing, {open} open{behind}.\n");
    for (check, found) in &survey.checks {
        let place = place(&survey.sources, check);
        // Writing to a string cannot fail.
        let _ = match found {
            Found::Proven => writeln!(out, "{place}: proven: {}", check.what),
            Found::NotReached => {
                writeln!(out, "{place}: not reached, all executions fail before: {}", check.what)
            }
            Found::Fails(_) => writeln!(out, "{place}: fails: {}", check.what),
            Found::Open(reason) => writeln!(out, "{place}: open: {} ({})", check.what, why(reason, None)),
        };
    }
    for (_, found) in &survey.checks {
        if let Found::Fails(decision) = found {
            out.push('\n');
            out.push_str(&text(decision, Target::Error));
        }
    }
    if let Some(rest) = &survey.rest {
        out.push_str(&text(rest, Target::Error));
    }
    out
}

/// Where a check is; those of library functions have no place that anybody could look at.
fn place(sources: &SourceMap, check: &Check) -> String {
    match sources.file(check.span.file).name.as_str() {
        c::LIBRARY => "inside of the C library".to_owned(),
        _ => sources.place(check.span),
    }
}

/// The checks for machines.
pub fn json(survey: &Survey, property: Property) -> Value {
    let one = |(check, found): &(Check, Found)| {
        let at = survey.sources.line_column(check.span);
        let mut object = json!({
            "file": survey.sources.file(check.span.file).name, "line": at.line, "column": at.column,
            "what": check.what,
        });
        match found {
            Found::Proven => object["result"] = json!("proven"),
            Found::NotReached => object["result"] = json!("not reached"),
            Found::Fails(decision) => {
                object["result"] = json!("fails");
                object["verdict"] = json!(verdict(decision, property, Target::Error));
                object["answer"] = json_of(decision, property, Target::Error);
            }
            Found::Open(reason) => {
                object["result"] = json!("open");
                object["reason"] = json!(why(reason, None));
            }
        }
        object
    };
    Value::Array(survey.checks.iter().map(one).collect())
}
