//! Programs with threads: from a source to the product of its threads, with as many threads as it takes.
//!
//! A fork statement in a loop can start any number of threads. The product has a bounded number of places for them, and
//! the bound grows until it does not matter: a bug within the bound is a bug, and a proof counts if it also shows that no
//! fork finds all places taken.

use crate::arguments::Engine;
use crate::plan::ALL_ROUNDS;
use crate::report::Answer;
use crate::source::{LoadError, Loaded, Threads};
use base::{Budget, Interrupted};
use program::Reason;
use std::sync::Arc;
use threads::{Beyond, Options, Order, Refused};

/// How many threads of one fork statement there may be at once, one attempt after the other.
const BOUNDS: &[usize] = &[1, 2, 3, 4, 6, 8, 12, 16];

/// How long the threads are tried one after the other before they are tried in lockstep.
const FIRST_ROUNDS: u32 = 1;

/// A product with more states than this is more than anybody can prove something about.
const MOST_STATES: usize = 30_000;

/// What is known about a product: the answer, and whose it is.
pub(crate) type Judged = (Answer, Option<Engine>);

/// How products are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// By the plan, which can do with a few rounds.
    Plan,
    /// By an engine that takes all there is.
    OneEngine,
    /// With a certificate. It is about the product with the fewest threads, so that whoever checks it knows which one is
    /// meant.
    Certificate,
}

/// The verdict about a program with threads, and the product that it is about. `judge` judges a single product in so many
/// rounds of the plan.
pub(crate) fn decide<E>(
    loaded: Loaded,
    effort: Effort,
    budget: &Budget,
    mut judge: impl FnMut(&Arc<Loaded>, u32) -> Result<Judged, E>,
) -> (Arc<Loaded>, Result<Judged, E>) {
    if effort == Effort::Certificate {
        let order = Order::OneAfterTheOther;
        return match product(&loaded, BOUNDS[0], (Beyond::Marked, order), budget) {
            Ok(marked) => {
                let marked = Arc::new(marked);
                let judged = judge(&marked, ALL_ROUNDS);
                (marked, judged)
            }
            Err(answer) => (Arc::new(loaded), Ok((answer, None))),
        };
    }
    for &instances in BOUNDS {
        let (cut, order, judged) = match in_some_order(&loaded, instances, effort, budget, &mut judge) {
            Ok(decided) => decided,
            Err(answer) => return (Arc::new(loaded), Ok((answer, None))),
        };
        let bounded = cut.threads.as_ref().is_some_and(|threads| threads.bounded);
        if !bounded || !matches!(judged, Ok((Answer::Safe(_), _))) {
            return (cut, judged);
        }
        let marked = match product(&loaded, instances, (Beyond::Marked, order), budget) {
            Ok(marked) => Arc::new(marked),
            Err(answer) => return (cut, Ok((answer, None))),
        };
        match judge(&marked, ALL_ROUNDS) {
            // What lies beyond the bound is not known, so the bound must grow.
            Ok((Answer::Unknown(Reason::Overapproximation(_)), _)) => {}
            judged => return (marked, judged),
        }
    }
    let most = BOUNDS.last().copied().unwrap_or_default();
    let what = format!("more than {most} threads of one fork statement at once");
    (Arc::new(loaded), Ok((Answer::Unknown(Reason::Unsupported(what)), None)))
}

/// A product with a verdict, and the order of its threads.
type Ordered<E> = (Arc<Loaded>, Order, Result<Judged, E>);

/// Judges the product without what lies beyond the bound: for a while with the threads one after the other, then in
/// lockstep, if there is a difference.
fn in_some_order<E>(
    loaded: &Loaded,
    instances: usize,
    effort: Effort,
    budget: &Budget,
    judge: &mut impl FnMut(&Arc<Loaded>, u32) -> Result<Judged, E>,
) -> Result<Ordered<E>, Answer> {
    let order = Order::OneAfterTheOther;
    let first = Arc::new(product(loaded, instances, (Beyond::Cut, order), budget)?);
    let lockstep = match effort {
        // In lockstep there may be too many states.
        Effort::Plan => product(loaded, instances, (Beyond::Cut, Order::Lockstep), budget).ok(),
        Effort::OneEngine | Effort::Certificate => None,
    };
    let lockstep = lockstep.filter(|product| product.threads.as_ref().is_some_and(|threads| threads.turns));
    let rounds = if lockstep.is_some() { FIRST_ROUNDS } else { ALL_ROUNDS };
    let judged = judge(&first, rounds);
    let open = match &judged {
        Ok((Answer::Unknown(Reason::Overapproximation(_)), _)) => false,
        Ok((Answer::Unknown(_), _)) => budget.check().is_ok(),
        _ => false,
    };
    match lockstep {
        Some(lockstep) if open => {
            let lockstep = Arc::new(lockstep);
            let judged = judge(&lockstep, ALL_ROUNDS);
            Ok((lockstep, Order::Lockstep, judged))
        }
        _ => Ok((first, order, judged)),
    }
}

/// The product with the fewest threads; a program without threads as it is.
pub(crate) fn first_product(loaded: Loaded) -> Result<Loaded, LoadError> {
    if !threads::is_concurrent(&loaded.program) {
        return Ok(loaded);
    }
    let order = Order::OneAfterTheOther;
    match product(&loaded, BOUNDS[0], (Beyond::Marked, order), &Budget::unlimited()) {
        Ok(product) => Ok(product),
        Err(Answer::Unknown(Reason::Unsupported(what))) => Err(LoadError::Unsupported(what)),
        Err(_) => Err(LoadError::Unsupported("threads".to_owned())),
    }
}

/// The product with so many threads, or why there is none.
fn product(
    loaded: &Loaded,
    instances: usize,
    (beyond, order): (Beyond, Order),
    budget: &Budget,
) -> Result<Loaded, Answer> {
    let options = Options { instances, beyond, most_states: MOST_STATES, order };
    let made = match threads::sequential(&loaded.program, &options, budget) {
        Ok(made) => made,
        Err(refused) => return Err(Answer::Unknown(reason(loaded, refused))),
    };
    let mut back = loaded.back.clone();
    if let Some(back) = &mut back {
        back.add_copies(&made.copies);
        for (&procedure, steps) in &made.steps {
            // All decisions of the product are those of threads.
            back.decisions.extend((0..steps.len()).map(|block| (procedure, base::EntityRef::new(block))));
        }
    }
    let (bounded, turns) = (made.bounded, made.turns);
    let threads = Threads { steps: made.steps, names: made.threads, bounded, turns };
    Ok(Loaded { sources: loaded.sources.clone(), program: made.program, back, threads: Some(threads) })
}

fn reason(loaded: &Loaded, refused: Refused) -> Reason {
    match refused {
        Refused::Unsupported { what, span } => {
            Reason::Unsupported(format!("{what} at {}", loaded.sources.place(span)))
        }
        Refused::TooManySteps(most) => Reason::Unsupported(format!("threads with more than {most} steps")),
        Refused::TooManyStates(most) => {
            Reason::Unsupported(format!("threads with more than {most} states together"))
        }
        Refused::Interrupted(Interrupted(limit)) => Reason::Limit(limit),
    }
}
