//! What one can do next after an answer that is not known: the assertions that are open, those that are proven all the same, what
//! holds at loops, and which limit, option or statement would make a difference.

use crate::answer::{Answer, Decision};
use crate::assertions::{Status, judged};
use crate::explain;
use crate::view::View;
use program::Reason;

/// So many checks, and so many facts, are listed.
const MOST_LISTED: usize = 10;

/// What is open and what to do, one sentence each; nothing for an answer that is known.
pub fn of(decision: &Decision) -> Vec<String> {
    let Answer::Unknown(reason) = &decision.answer else { return Vec::new() };
    let mut said = Vec::new();
    if let Some(view) = &decision.view {
        said.extend(open(view, decision, reason));
        if decision.stand.is_some() {
            said.extend(proven(view, decision));
            said.extend(known(view, decision));
        }
    }
    let code = explain::code(reason);
    said.extend(explain::find(code).map(|entry| format!("Next: {}", entry.next)));
    said.push(format!("More about this: unreach explain {code}"));
    said
}

/// The assertions that may fail as far as anybody knows.
fn open(view: &View, decision: &Decision, reason: &Reason) -> Option<String> {
    if matches!(reason, Reason::Termination(_)) || view.is_temporal() {
        return None;
    }
    let open = with_status(view, decision, Status::Open);
    match &open[..] {
        [] => None,
        [one] => Some(format!("Open: {one}.")),
        more => Some(format!(
            "Open: {} checks, {}. `--stop-at all` looks at each of them by itself.",
            more.len(),
            listed(more)
        )),
    }
}

/// The checks that cannot fail, although not all of them are known.
fn proven(view: &View, decision: &Decision) -> Option<String> {
    let proven = with_status(view, decision, Status::Proven);
    match &proven[..] {
        [] => None,
        [one] => Some(format!("Proven: {one}.")),
        more => Some(format!("Proven: {} checks, {}.", more.len(), listed(more))),
    }
}

/// What holds at loops and procedures all the same, a sentence for each.
fn known(view: &View, decision: &Decision) -> Vec<String> {
    let Some(stand) = &decision.stand else { return Vec::new() };
    let text = super::proof::text(view, &stand.holds);
    let mut known: Vec<String> = text.lines().map(|line| format!("Known so far: {line}")).collect();
    known.truncate(MOST_LISTED);
    known
}

fn with_status(view: &View, decision: &Decision, status: Status) -> Vec<String> {
    let all = judged(decision).into_iter().filter(|assertion| assertion.status == status);
    all.map(|assertion| format!("{} ({})", view.sources.place(assertion.check.span), assertion.what))
        .collect()
}

fn listed(all: &[String]) -> String {
    let more = all.len().saturating_sub(MOST_LISTED);
    let shown = all[..all.len() - more].join(", ");
    if more > 0 { format!("{shown}, and {more} more") } else { shown }
}
