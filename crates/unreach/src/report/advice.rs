//! What one can do next after an answer that is not known: the assertions that are open, those that are proven all the same, what
//! holds at loops, and which limit, option or statement would make a difference.

use crate::answer::{Answer, Decision};
use crate::assertions::{Status, judged};
use crate::explain;
use crate::view::View;
use ir::StatementKind;
use program::Reason;

/// So many checks, and so many facts, are listed.
const MOST_LISTED: usize = 10;

/// What to do when the time is over and no loop is to blame.
const NEXT_WITHOUT_LOOPS: &str = "give more time with `--timeout`. The program has no loops, so it is the arithmetic that is hard: products of variables, \
                                  divisions, bits or quantifiers. Assumptions that bound the variables may help, and assertions about parts of the formula.";

/// Whether control never comes back: every jump leads to a later block, and there are no calls of procedures with bodies.
fn goes_forward(program: &ir::Program) -> bool {
    program.procedures.values().filter_map(|data| data.body.as_ref()).all(|body| {
        body.blocks.iter().all(|(block, data)| {
            let calls = data.statements.iter().any(|statement| match statement.kind {
                StatementKind::Call { procedure, .. } => program.procedures[procedure].body.is_some(),
                StatementKind::Fork { .. } => true,
                _ => false,
            });
            !calls && data.transfer.successors().all(|target| target > block)
        })
    })
}

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
    let is_out_of_time = matches!(reason, Reason::Limit(base::Limit::Time));
    let next = match &decision.view {
        Some(view) if is_out_of_time && goes_forward(&view.program) => Some(NEXT_WITHOUT_LOOPS),
        _ => explain::find(code).map(|entry| entry.next),
    };
    said.extend(next.map(|next| format!("Next: {next}")));
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

#[cfg(test)]
mod tests {
    use super::goes_forward;
    use crate::problem::Problem;
    use crate::view::{BitOperations, View};

    #[test]
    fn loops_and_calls_come_back() {
        for (text, forward) in [
            ("procedure main(a: int) { if (a > 0) { assert a != 0; } else { assert a <= 0; } }", true),
            ("procedure main(a: int) { while (a > 0) { assert a != 0; } }", false),
            ("procedure main(a: int) { call main(a); }", false),
        ] {
            let view = View::new(&Problem::boogie("a.bpl", text), BitOperations::Marked).expect("a program");
            assert_eq!(goes_forward(&view.program), forward, "{text}");
        }
    }
}
