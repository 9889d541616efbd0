//! Leaping loops (paper "Leaping Loops in the Presence of Abstraction"): errors behind any number of iterations.
//!
//! For every error and every abstract path to it, a chain of ports is sought that shows an execution to exist without
//! following it. Loops are passed by Theorem 1 or 2 over an abstract state with an entry and an exit port; nothing is
//! unrolled and nothing is ranked. What is found is a certificate that `certify` checks again.
//!
//! * [`motion`], [`modal`]: what blocks do under a strategy; `may`, `must⁺`, `must⁻`;
//! * [`paths`]: abstract paths;
//! * [`atoms`], [`samples`], [`candidates`], [`region`], [`ports`]: abstract states and ports;
//! * [`bounds`], [`theorems`]: the conditions;
//! * [`mod@strategies`] is about nondeterminism;
//! * [`search`], [`chain`]: gluing, and the certificate;
//! * [`concrete`]: the run itself, if it is short.
//!
//! Requires: internal edges only on the way to the error (procedures without calls). Never proves safety.

pub mod atoms;
pub mod bounds;
pub mod candidates;
pub mod chain;
pub mod concrete;
pub mod modal;
pub mod motion;
pub mod paths;
pub mod ports;
pub mod region;
pub mod samples;
pub mod search;
pub mod strategies;
pub mod theorems;

use crate::context::Context;
use base::Interrupted;
use chain::Chain;
use modal::Modal;
use program::{Error, Reason};
use search::{LeapStatistics, Search};
use theorems::{Condition, Theorem};

/// A run of at most so many blocks is followed and replayed.
const MOST_BLOCKS: usize = 5_000;

/// What a search for leaps ends with.
#[derive(Debug)]
pub enum Found {
    /// A chain to an error, and the run along it if that is short.
    Chain(Error, Box<Chain>, Option<Box<concrete::Run>>),
    /// None was found.
    Nothing(Reason),
}

/// Looks for a chain of leaps to one of the errors, by these theorems in this order.
pub fn find(
    context: &mut Context<'_>,
    errors: &[Error],
    theorems: &[Theorem],
    statistics: &mut LeapStatistics,
) -> Result<Found, Interrupted> {
    let program = context.program;
    let components = paths::components(program);
    let solver = context.session();
    let mut modal = Modal::new(program, context.terms, solver, context.budget.clone());
    let mut failed: Option<(usize, Condition)> = None;
    for &error in errors {
        for path in paths::paths(program, &components, program.errors[error].location) {
            for &theorem in theorems {
                let mut search = Search::new(&mut modal, theorem, statistics);
                let found = search.along(&path)?;
                failed = failed.max(search.failed);
                statistics.queries = modal.queries;
                if let Some(chain) = found {
                    let run = concrete::run(&mut modal, &chain, error, MOST_BLOCKS)?;
                    return Ok(Found::Chain(error, Box::new(chain), run.map(Box::new)));
                }
                if path.loops.is_empty() {
                    break;
                }
            }
        }
    }
    Ok(Found::Nothing(match failed {
        Some((_, condition)) => Reason::NoLeap(condition.to_string()),
        None => Reason::NoLeap("no path to an error has loops only".to_owned()),
    }))
}
