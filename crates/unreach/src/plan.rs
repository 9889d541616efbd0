//! What `verify` does when no engine is chosen: the plan, as a table of engines that share the budget.

use crate::arguments::Engine;
use crate::decide::{Decision, Task, decide};
use crate::engine::Calls;
use crate::race::{Lane, race};
use crate::report::Answer;
use base::{Budget, Interrupted, Limit};
use program::{EdgeKind, Reason};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A line of the plan.
struct Entry {
    engine: Engine,
    calls: Calls,
    /// How much of the effort it gets.
    share: u64,
    /// The first round in which it takes part; every round is as long as all before together.
    from: u32,
}

/// The plan. Of two engines that answer in the same round, the first counts.
const PLAN: &[Entry] = &[
    // Bugs that a few runs show.
    Entry { engine: Engine::Search, calls: Calls::Kept, share: 2, from: 0 },
    // Most programs are proven or refuted here before anybody else gets a turn.
    Entry { engine: Engine::TraceAbstraction, calls: Calls::InlinedIfSmall, share: 12, from: 0 },
    // Loops that static analysis knows how to stop in.
    Entry { engine: Engine::AbstractInterpretation, calls: Calls::InlinedIfSmall, share: 3, from: 0 },
    // Equations of degree two and loops with phases, which show themselves in runs.
    Entry { engine: Engine::Guessing, calls: Calls::InlinedIfSmall, share: 12, from: 1 },
    // Loops over arrays.
    Entry { engine: Engine::Quantified, calls: Calls::InlinedIfSmall, share: 16, from: 1 },
    // Bugs behind so many iterations that nobody can run to them.
    Entry { engine: Engine::Leaping, calls: Calls::InlinedIfSmall, share: 3, from: 1 },
    // Invariants of the whole program at once, where the proofs of single traces do not fit together.
    Entry { engine: Engine::Horn, calls: Calls::InlinedIfSmall, share: 12, from: 1 },
    // Large programs whose procedures have short contracts.
    Entry { engine: Engine::TraceAbstraction, calls: Calls::Kept, share: 6, from: 2 },
    // Loops with many branches, where one path at a time is too slow.
    Entry { engine: Engine::Kojak, calls: Calls::InlinedIfSmall, share: 8, from: 2 },
];

/// So many times the share is what searching gets later for programs with arrays: loops that fill them are long and rarely branch.
const LARGER: u64 = 4;

/// More workers than this would only wait for each other.
const MOST_WORKERS: usize = 2;

/// As many rounds as the budget allows.
pub(crate) const ALL_ROUNDS: u32 = u32::MAX;

/// The decision of the first engine that has one, within so many rounds.
pub(crate) fn decide_by_plan(task: Task, rounds: u32, budget: &Budget) -> Decision {
    let task = Arc::new(task);
    let has_calls = task.single.edges.values().any(|edge| matches!(edge.kind, EdgeKind::Call(_)));
    let left_out = |entry: &&Entry| task.options.without.contains(&entry.engine);
    let lanes = PLAN.iter().filter(|entry| !left_out(entry)).filter(|entry| match entry.calls {
        // A certificate describes the program as it was, with its calls.
        Calls::InlinedIfSmall => !task.options.certificate,
        // Without calls, an engine with and without inlining would be the same engine twice.
        Calls::Kept => has_calls || task.options.certificate || !entry.engine.proves(),
    });
    let has_maps = task
        .single
        .variables
        .iter()
        .any(|(_, data)| task.terms.array_parts(task.terms.symbol_data(data.symbol).sort).is_some());
    let lanes = lanes.map(|entry| lane(entry, if has_maps { LARGER } else { 1 }, &task)).collect();
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_WORKERS);
    match race(lanes, is_answer, (workers, rounds), budget) {
        Ok(decision) => decision,
        Err(decisions) => {
            let statistics = decisions.iter().map(|decision| decision.statistics.as_str()).collect();
            let answer = match budget.check() {
                Err(Interrupted(limit)) => Answer::Unknown(Reason::Limit(limit)),
                Ok(()) => reason(decisions),
            };
            Decision { answer, certificate: None, statistics, engine: None }
        }
    }
}

/// Of all reasons that of the first engine that could have proven something, and was not stopped by us.
fn reason(decisions: Vec<Decision>) -> Answer {
    let stopped = |answer: &Answer| matches!(answer, Answer::Unknown(Reason::Limit(Limit::Cancelled)));
    let answers = decisions.into_iter().map(|decision| decision.answer).filter(|answer| !stopped(answer));
    let tells_little = |answer: &Answer| {
        matches!(answer, Answer::Unknown(Reason::NoRun(_) | Reason::NoLeap(_) | Reason::NotShown(_)))
    };
    let (mut little, much): (Vec<Answer>, Vec<Answer>) = answers.partition(tells_little);
    let first = much.into_iter().next().or_else(|| little.pop());
    first.unwrap_or_else(|| Answer::Unknown(Reason::Unsupported("no engine takes this program".to_owned())))
}

fn lane(entry: &Entry, search: u64, task: &Arc<Task>) -> Lane<Decision> {
    let (engine, calls, task) = (entry.engine, entry.calls, Arc::clone(task));
    Lane {
        name: engine.name(),
        share: entry.share,
        late_share: if entry.engine == Engine::Search { search * entry.share } else { entry.share },
        from: entry.from,
        alone: engine.proves(),
        run: Box::new(move |budget| {
            let decided = catch_unwind(AssertUnwindSafe(|| decide(&task, engine, calls, budget)));
            decided.unwrap_or_else(|_| Answer::Internal(format!("{} failed", engine.name())).into())
        }),
    }
}

/// Is there nothing that another engine could add?
fn is_answer(decision: &Decision) -> bool {
    match &decision.answer {
        Answer::Safe(_)
        | Answer::Unsafe(_)
        | Answer::Leaps(_)
        | Answer::Infinite(_)
        | Answer::Internal(_) => true,
        // What the program does not say exactly, no engine can know. What one engine does not handle, another may.
        Answer::Unknown(reason) => matches!(reason, Reason::Overapproximation(_)),
    }
}
