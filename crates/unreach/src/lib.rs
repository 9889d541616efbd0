//! Unreach answers one question about a program, with evidence: can an assertion ever fail?
//!
//! This crate is the front door; the command line, tests and other programs all come in here.
//!
//! * a [`Problem`] is a program, in Boogie, C, SV-LIB or the intermediate language, and a [`Property`];
//! * a [`Plan`] says which engines work on it; the default one is made of several that share the time;
//! * a [`Budget`] says when to stop: it can be tripped from another thread, or watch time and memory;
//! * an [`Observer`] is told how far the run has come;
//! * [`verify`] gives a [`Decision`] with an [`Answer`]. One that says *safe* or *unsafe* contains evidence of
//!   type [`Certified`], which only the independent check of crate [`certify`] can make: there is no way from an engine
//!   to such an answer that does not lead through the check.
//!
//! ```
//! use std::sync::Arc;
//! use unreach::{Answer, Budget, Plan, Problem, Silent, verify};
//!
//! let text = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert n <= i; }";
//! let problem = Problem::boogie("count.bpl", text);
//! let decision = verify(&problem, &Plan::default(), &Budget::unlimited(), Arc::new(Silent)).unwrap();
//! assert!(matches!(decision.answer, Answer::Safe(_)));
//! ```
//!
//! [`report`] puts decisions into words and into JSON. [`view`] shows what becomes of a problem on the way: the program
//! of the intermediate language that evidence speaks of.

// This crate is the one that reads files and the environment.
#![allow(clippy::disallowed_methods, clippy::print_stderr)]

mod agenda;
pub mod answer;
pub mod assertions;
mod attempt;
mod c_settings;
pub mod cache;
pub mod checks;
mod division;
pub mod explain;
pub mod export;
pub mod input;
mod leaps;
pub mod lsp;
pub mod models;
pub mod observed;
pub mod observer;
pub mod plan;
mod prepared;
mod preprocessor;
pub mod problem;
pub mod project;
pub mod property;
pub mod question;
mod race;
pub mod report;
pub mod reuse;
pub mod review;
pub mod script;
pub mod serve;
pub mod stand;
pub mod temporal;
pub mod termination;
mod translations;
pub mod validate;
pub mod view;

pub use agenda::FIRST_PRODUCT;
pub use answer::{Answer, Decision, Failure};
pub use base::budget::Limits;
pub use base::{Budget, Limit};
pub use c::DataModel;
pub use c_settings::{CSettings, Included};
pub use certify::Certified;
pub use engines::{ENGINES, Engine, engine};
pub use input::InputError;
pub use observer::{News, Observer, Silent};
pub use plan::{Control, Inlining, Plan};
use plan::{Entry, Features};
pub use problem::{Language, Problem};
pub use program::Reason;
pub use property::Property;
pub use reuse::Reuse;
pub use view::View;

use agenda::{Agenda, Effort, Item};
use attempt::{Attempted, Shared, attempt};
use base::Interrupted;
use checks::kinds::Kinds;
use logic::Terms;
use race::{Lane, Won, race_with_breaks};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use view::NoView;

/// Can the property of a problem be violated? Several views of the problem may be judged until one answers
/// (see [`view`]); each is given to all engines of the plan at once.
pub fn verify(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget,
    observer: Arc<dyn Observer>,
) -> Result<Decision, Failure> {
    let problem = &problem.within(budget);
    if problem.language() == Some(Language::SvLib) {
        return script::verify(problem, plan, budget, &observer);
    }
    if problem.ltl.is_some() && problem.property == Property::Termination {
        return temporal::safety::verify(problem, plan, budget, &observer);
    }
    if termination::is_asked(problem, plan) {
        return termination::verify(problem, plan, budget, &observer);
    }
    let translation = match Agenda::first_view(problem) {
        Ok(view) => view,
        Err(NoView::Unknown(reason)) => return Ok(Decision::without_view(reason)),
        Err(NoView::Failure(failure)) => return Err(failure),
    };
    let Some(asked) = reuse::Asked::new(problem, plan, &translation) else {
        return decide(problem, &translation, plan, budget, &observer);
    };
    if let Some(decision) = asked.answer(budget, &observer) {
        observer.warnings(&translation.sources, &translation.warnings);
        return Ok(decision);
    }
    let decision = decide(problem, &translation, &asked.plan(), budget, &observer)?;
    asked.keep(&decision, budget);
    Ok(decision)
}

/// The decision about a problem whose first view is known: several may be judged until one answers.
fn decide(
    problem: &Problem,
    translation: &Arc<View>,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Decision, Failure> {
    let (mut agenda, mut item) = match Agenda::new(problem, Arc::clone(translation), plan.aim(), budget) {
        Ok(begun) => begun,
        Err(NoView::Unknown(reason)) => return Ok(Decision::without_view(reason)),
        Err(NoView::Failure(failure)) => return Err(failure),
    };
    observer.warnings(&item.view.sources, &item.view.warnings);
    let mut kinds = Kinds::new(problem, translation, plan, budget, observer);
    loop {
        let mut by_kinds = Ok(None);
        let mut ends_behind = |round| {
            by_kinds = kinds.as_mut().map_or(Ok(None), |kinds| kinds.behind(round));
            !matches!(by_kinds, Ok(None))
        };
        let decision = judge(item, plan, budget, observer, &mut ends_behind)?;
        if let Some(decision) = by_kinds? {
            return Ok(decision);
        }
        item = match agenda.next(&decision.answer) {
            Ok(None) => return Ok(with_kinds(decision, kinds.as_ref())),
            Ok(Some(item)) => item,
            Err(NoView::Unknown(reason)) => {
                return Ok(with_kinds(
                    Decision { answer: Answer::Unknown(reason), ..decision },
                    kinds.as_ref(),
                ));
            }
            Err(NoView::Failure(failure)) => return Err(failure),
        };
    }
}

/// A decision with what is known of kinds of checks, if it is none about all of them.
fn with_kinds(decision: Decision, kinds: Option<&Kinds<'_>>) -> Decision {
    match (&decision.answer, kinds.and_then(Kinds::stand)) {
        (Answer::Unknown(_), Some(stand)) => Decision { stand: Some(stand), ..decision },
        _ => decision,
    }
}

/// The decision of the first engine that has one about a view. Somebody else has a turn behind every round, and may end the judgement.
fn judge(
    item: Item,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
    ends_behind: &mut dyn FnMut(u32) -> bool,
) -> Result<Decision, Failure> {
    let Item { view, exact, effort, bits } = item;
    let (plan, rounds) = match effort {
        Effort::Rounds(rounds) => (plan.clone(), rounds.min(plan.rounds)),
        Effort::AnyNumber(words, rounds) => (plan.any_number(words), rounds.min(plan.rounds)),
    };
    let mut terms = Terms::new();
    let subject = match view.subject(&mut terms) {
        Ok(subject) => subject,
        Err(NoView::Unknown(reason)) => return Ok(Decision::unknown(reason, view)),
        Err(NoView::Failure(failure)) => return Err(failure),
    };
    let single = subject.program();
    let mut entries = plan.lines(single);
    let features = Features::of(single, &terms, bits && entries.iter().any(Entry::takes_bits));
    entries.sort_by_key(|entry| !features.is_first(entry));
    let share = |entry: &Entry| (features.early_share(entry), features.late_share(entry));
    let shares: Vec<(u64, u64)> = entries.iter().map(share).collect();
    let from: Vec<(u32, u32)> =
        entries.iter().map(|entry| (features.from(entry), features.behind(entry))).collect();
    let alone = entries.len() == 1;
    let shared = Arc::new(Shared { view, exact, subject, terms, plan, observer: Arc::clone(observer) });
    let lanes =
        entries.into_iter().zip(shares).zip(from).map(|((entry, (share, late_share)), (from, behind))| {
            let shared = Arc::clone(&shared);
            let run = move |budget: &Budget| {
                catch_unwind(AssertUnwindSafe(|| attempt(&shared, &entry, budget))).unwrap_or_else(|_| {
                    let failure = Failure::Internal(format!("{} failed", entry.engine.name));
                    let view = Arc::clone(&shared.view);
                    let counted = engines::Counted::default();
                    Attempted { engine: entry.engine, view, answer: Err(failure), counted }
                })
            };
            Lane {
                name: entry.engine.name,
                share,
                late_share,
                behind,
                from,
                alone: alone || entry.engine.proves(),
                run: Box::new(run),
            }
        });
    let lanes: Vec<_> = lanes.collect();
    let count = lanes.len();
    let limits = (shared.plan.lanes_at_once(), rounds);
    let outcome = race_with_breaks(lanes, is_answer, limits, budget, ends_behind);
    let view = Arc::clone(&shared.view);
    match outcome {
        Ok(Won { said: Attempted { engine, view, answer, counted }, early_effort }) => Ok(Decision {
            answer: answer?,
            view: Some(view),
            engine: Some(engine),
            counted: vec![(engine, counted)],
            stand: None,
            was_easy: early_effort.is_some_and(|effort| effort < reuse::EASY),
        }),
        Err(attempts) => Ok(no_answer(attempts, count, view, budget)),
    }
}

/// Is there nothing that another engine could add?
fn is_answer(attempted: &Attempted) -> bool {
    match &attempted.answer {
        // What the program does not say exactly, no engine can know. What one engine does not handle, another may.
        Ok(Answer::Unknown(reason)) => matches!(reason, Reason::Overapproximation(_)),
        _ => true,
    }
}

/// Of all reasons that of the first engine that could have proven something, takes such programs, and was not stopped by us.
fn no_answer(attempts: Vec<Attempted>, lanes: usize, view: Arc<View>, budget: &Budget) -> Decision {
    let mut counted = Vec::new();
    let (mut little, mut much) = (Vec::new(), Vec::new());
    let mut stopped = attempts.len() < lanes;
    for attempted in attempts {
        counted.push((attempted.engine, attempted.counted));
        match attempted.answer {
            Ok(Answer::Unknown(Reason::Limit(Limit::Cancelled))) => stopped = true,
            Ok(Answer::Unknown(
                reason @ (Reason::NoRun(_) | Reason::NoLeap(_) | Reason::NotShown { .. }),
            )) => little.push(reason),
            // The same engine takes part without a division, too.
            Ok(Answer::Unknown(Reason::Unsupported(what))) if what == attempt::NOT_DIVIDED => {}
            Ok(Answer::Unknown(reason)) => much.push(reason),
            Ok(_) | Err(_) => unreachable!("there was no answer"),
        }
    }
    let reason = match budget.check() {
        Err(Interrupted(limit)) => Reason::Limit(limit),
        Ok(()) => {
            // What one engine does not handle says less than why another one came to no end.
            much.sort_by_key(|reason| matches!(reason, Reason::Unsupported(_)));
            let first = much.into_iter().next().or_else(|| little.pop());
            first.unwrap_or_else(|| match stopped {
                true => Reason::Limit(Limit::Effort),
                false => Reason::Unsupported("no engine takes this program".to_owned()),
            })
        }
    };
    Decision { counted, ..Decision::unknown(reason, view) }
}

impl Decision {
    /// The decision that nothing was found out.
    pub fn of_reason(reason: Reason) -> Decision {
        Decision::without_view(reason)
    }

    /// The decision of a run that was stopped.
    pub fn limited(limit: Limit) -> Decision {
        Decision::without_view(Reason::Limit(limit))
    }

    pub(crate) fn unknown(reason: Reason, view: Arc<View>) -> Decision {
        Decision { view: Some(view), ..Decision::without_view(reason) }
    }

    pub(crate) fn without_view(reason: Reason) -> Decision {
        Decision {
            answer: Answer::Unknown(reason),
            view: None,
            engine: None,
            counted: Vec::new(),
            stand: None,
            was_easy: false,
        }
    }
}
