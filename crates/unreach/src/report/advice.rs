//! What one can do next after an answer that is not known: the assertions that are open, and which limit, option or
//! statement would make a difference.

use crate::answer::{Answer, Decision};
use crate::assertions::judged;
use crate::explain;
use crate::view::View;
use program::Reason;

/// So many open assertions are listed.
const MOST_LISTED: usize = 10;

/// What is open and what to do, one sentence each; nothing for an answer that is known.
pub fn of(decision: &Decision) -> Vec<String> {
    let Answer::Unknown(reason) = &decision.answer else { return Vec::new() };
    let mut said = Vec::new();
    if let Some(view) = &decision.view {
        said.extend(open(view, decision, reason));
    }
    let code = explain::code(reason);
    said.extend(explain::find(code).map(|entry| format!("Next: {}", entry.next)));
    said.push(format!("More about this: unreach explain {code}"));
    said
}

/// The assertions that may fail as far as anybody knows.
fn open(view: &View, decision: &Decision, reason: &Reason) -> Option<String> {
    if matches!(reason, Reason::Termination(_)) || view.is_temporal {
        return None;
    }
    let all = judged(decision);
    let listed: Vec<String> = all
        .iter()
        .take(MOST_LISTED)
        .map(|assertion| format!("{} ({})", view.sources.place(assertion.check.span), assertion.what))
        .collect();
    let more = all.len().saturating_sub(MOST_LISTED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    match all.len() {
        0 => None,
        1 => Some(format!("Open: {}.", listed[0])),
        count => Some(format!(
            "Open: {count} checks, {}{more}. `--stop-at all` looks at each of them by itself.",
            listed.join(", ")
        )),
    }
}
