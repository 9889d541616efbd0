//! Reviews in words, for people and for machines.

use super::{Target, json as decision_json, unknown};
use crate::property::Property;
use crate::review::{Found, Rest, Review, Reviewed};
use serde_json::{Value, json};

/// How many procedures ended in which way.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Nothing can fail.
    pub verified: usize,
    /// Something can fail.
    pub failing: usize,
    /// All that can fail, in all procedures.
    pub errors: usize,
    /// Nobody knows.
    pub unknown: usize,
}

/// Counts the procedures of a review.
pub fn counts(review: &Review) -> Counts {
    let mut counts = Counts::default();
    for reviewed in &review.procedures {
        counts.errors += reviewed.failures.len();
        match (&reviewed.rest, reviewed.failures.is_empty()) {
            (_, false) => counts.failing += 1,
            (Rest::Verified | Rest::Vacuous, true) => counts.verified += 1,
            (Rest::NotLookedAt | Rest::Unknown(_), true) => counts.unknown += 1,
        }
    }
    counts
}

/// The word for the whole: `FALSE(property)` if anything can fail, `UNKNOWN (…)` if something was not found out.
pub fn verdict(review: &Review, property: Property) -> String {
    let counts = counts(review);
    let reason = review.procedures.iter().find_map(|reviewed| match &reviewed.rest {
        Rest::Unknown(reason) => Some(unknown(reason, None)),
        Rest::Verified | Rest::Vacuous | Rest::NotLookedAt => None,
    });
    match (counts.failing, counts.unknown) {
        (0, 0) => "TRUE".to_owned(),
        (0, _) => reason.unwrap_or_else(|| "UNKNOWN (not looked at)".to_owned()),
        _ => format!("FALSE({property})"),
    }
}

/// One line per procedure and failure, and a closing line with the numbers.
pub fn text(review: &Review) -> String {
    let mut text = String::new();
    for Reviewed { name, failures, rest } in &review.procedures {
        let ending = match (rest, failures.len()) {
            (Rest::Verified, 0) => "verified".to_owned(),
            (Rest::Vacuous, 0) => "verified, but no execution comes to its end".to_owned(),
            (Rest::Unknown(reason), 0) => unknown(reason, None),
            (Rest::Unknown(reason), count) => format!("{}, then {}", errors(count), unknown(reason, None)),
            (Rest::NotLookedAt, count) => format!("{}, and maybe more", errors(count)),
            (Rest::Verified | Rest::Vacuous, count) => errors(count),
        };
        text += &format!("procedure {name}: {ending}\n");
        for Found { span, what, .. } in failures {
            text += &format!("  {}: {what}\n", review.sources.place(*span));
        }
    }
    let counts = counts(review);
    text += &format!("{} verified, {}", counts.verified, errors(counts.errors));
    if counts.unknown > 0 {
        text += &format!(", {} unknown", counts.unknown);
    }
    text
}

fn errors(count: usize) -> String {
    format!("{count} error{}", if count == 1 { "" } else { "s" })
}

/// The review as a JSON object.
pub fn json(review: &Review, property: Property) -> Value {
    let counts = counts(review);
    let procedures: Vec<Value> = review
        .procedures
        .iter()
        .map(|Reviewed { name, failures, rest }| {
            let (result, reason) = match rest {
                Rest::Verified => ("verified", None),
                Rest::Vacuous => ("vacuous", None),
                Rest::NotLookedAt => ("not looked at", None),
                Rest::Unknown(reason) => ("unknown", Some(reason.to_string())),
            };
            let failures: Vec<Value> = failures
                .iter()
                .map(|Found { span, what, decision }| {
                    let at = review.sources.line_column(*span);
                    let evidence = decision_json(decision, property, Target::Error);
                    json!({ "line": at.line, "column": at.column, "what": what, "evidence": evidence })
                })
                .collect();
            json!({ "name": name, "errors": failures, "rest": result, "reason": reason })
        })
        .collect();
    json!({
        "verdict": verdict(review, property),
        "procedures": procedures,
        "verified": counts.verified,
        "errors": counts.errors,
        "unknown": counts.unknown,
    })
}
