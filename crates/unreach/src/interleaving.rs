//! Programs with threads: from a source to the product of its threads, with as many threads as it takes.
//!
//! A fork statement in a loop can start any number of threads. The product has a bounded number of places for them, and
//! the bound grows until it does not matter: a bug within the bound is a bug, and a proof counts if it also shows that no
//! fork finds all places taken.

use crate::report::Answer;
use crate::source::{LoadError, Loaded, Threads};
use base::{Budget, Interrupted};
use program::Reason;
use std::sync::Arc;
use threads::{Beyond, Options, Refused};

/// How many threads of one fork statement there may be at once, one attempt after the other.
const BOUNDS: &[usize] = &[1, 2, 3, 4, 6, 8, 12, 16];

/// A product with more states than this is more than anybody can prove something about.
const MOST_STATES: usize = 30_000;

/// The verdict about a program with threads, and the product that it is about. `decide` judges a single product. A
/// certificate is about the product with the fewest threads, so that whoever checks it knows which one is meant.
pub(crate) fn decide<E>(
    loaded: Loaded,
    with_certificate: bool,
    budget: &Budget,
    mut decide: impl FnMut(&Arc<Loaded>) -> Result<Answer, E>,
) -> (Arc<Loaded>, Result<Answer, E>) {
    if with_certificate {
        return match product(&loaded, BOUNDS[0], Beyond::Marked, budget) {
            Ok(marked) => {
                let marked = Arc::new(marked);
                let answer = decide(&marked);
                (marked, answer)
            }
            Err(answer) => (Arc::new(loaded), Ok(answer)),
        };
    }
    for &instances in BOUNDS {
        let cut = match product(&loaded, instances, Beyond::Cut, budget) {
            Ok(cut) => cut,
            Err(answer) => return (Arc::new(loaded), Ok(answer)),
        };
        let bounded = cut.threads.as_ref().is_some_and(|threads| threads.bounded);
        let cut = Arc::new(cut);
        let answer = decide(&cut);
        if !bounded || !matches!(answer, Ok(Answer::Safe(_))) {
            return (cut, answer);
        }
        let marked = match product(&loaded, instances, Beyond::Marked, budget) {
            Ok(marked) => Arc::new(marked),
            Err(answer) => return (cut, Ok(answer)),
        };
        match decide(&marked) {
            // What lies beyond the bound is not known, so the bound must grow.
            Ok(Answer::Unknown(Reason::Overapproximation(_))) => {}
            answer => return (marked, answer),
        }
    }
    let most = BOUNDS.last().copied().unwrap_or_default();
    let what = format!("more than {most} threads of one fork statement at once");
    (Arc::new(loaded), Ok(Answer::Unknown(Reason::Unsupported(what))))
}

/// The product with the fewest threads; a program without threads as it is.
pub(crate) fn first_product(loaded: Loaded) -> Result<Loaded, LoadError> {
    if !threads::is_concurrent(&loaded.program) {
        return Ok(loaded);
    }
    match product(&loaded, BOUNDS[0], Beyond::Marked, &Budget::unlimited()) {
        Ok(product) => Ok(product),
        Err(Answer::Unknown(Reason::Unsupported(what))) => Err(LoadError::Unsupported(what)),
        Err(_) => Err(LoadError::Unsupported("threads".to_owned())),
    }
}

/// The product with so many threads, or why there is none.
fn product(loaded: &Loaded, instances: usize, beyond: Beyond, budget: &Budget) -> Result<Loaded, Answer> {
    let order = if std::env::var_os("ORDER").is_some() {
        threads::Order::Lockstep
    } else {
        threads::Order::OneAfterTheOther
    };
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
    let threads = Threads { steps: made.steps, names: made.threads, bounded: made.bounded };
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
