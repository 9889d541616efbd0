//! An assistant of the refinement loop: analyses one trace after the other, on a thread of its own.
//!
//! It has a store of terms, predicates and a solver of its own, which it keeps from trace to trace: starting a solver takes
//! longer than many traces do. It hands over an automaton, whose labels are in a small store that goes with it. The automaton is
//! explored as far as the traces that were left when the batch began need it, which are all that can be left when it is subtracted.

use super::{Leap, in_terms_of, members};
use crate::context::Context;
use crate::crew::Seat;
use crate::hoare::TripleStatistics;
use crate::interpolation::{FailedAttempts, Interpolation, InterpolationStatistics, Interpolator};
use crate::remainder::Remainder;
use crate::task::{Attempt, Counted, SHORTCUT};
use crate::trace_check::{Feasibility, check_trace};
use crate::traces::{Ssa, Trace};
use base::Interrupted;
use logic::Terms;
use program::{FloydHoareAutomaton, Program, Verdict};
use smt::{RungStatistics, Solvers};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A trace that is to be analysed.
pub(super) struct Job {
    pub(super) trace: Trace,
    /// All traces that are left.
    pub(super) left: Arc<Remainder>,
    /// What did not prove the path program of the trace so far.
    pub(super) attempts: FailedAttempts,
    /// The error that is to be reached by leaps, if the path of the trace has been seen often.
    pub(super) leap_to: Option<Attempt>,
}

/// What came of it.
pub(super) struct Report {
    pub(super) found: Result<Found, Interrupted>,
    pub(super) attempts: FailedAttempts,
    pub(super) interpolation: InterpolationStatistics,
    pub(super) triples: TripleStatistics,
    pub(super) rungs: RungStatistics,
    pub(super) leaps: Counted,
}

/// What is known about a trace.
pub(super) enum Found {
    /// It is infeasible, and so is everything that this automaton accepts.
    Automaton {
        /// The store of the labels.
        labels: Box<Terms>,
        automaton: FloydHoareAutomaton,
        /// How many predicates were there to choose from.
        predicates: u64,
    },
    /// An execution follows it.
    Feasible,
    /// None does, but an error can be reached by leaps.
    Leap(Attempt),
    /// It has no proof.
    NoProof,
    /// The assistant has failed.
    Failed,
}

impl Report {
    /// Can an error be reached? Then no other trace matters.
    pub(super) fn reaches_an_error(&self) -> bool {
        matches!(self.found, Ok(Found::Feasible | Found::Leap(_)))
    }
}

/// Does the jobs of a seat, to the last one. The programs are that of the loop, and the same in single steps.
pub(super) fn assist(
    (program, single): (&Program, &Program),
    interpolation: Interpolation,
    mut terms: Terms,
    seat: &Seat<Job, Report>,
) {
    let solvers = Solvers::new(seat.budget());
    let mut context = Context::new(program, &mut terms, &solvers, seat.budget().clone());
    while let Some(job) = seat.next() {
        let mut interpolator = Interpolator::new(interpolation);
        interpolator.remember(&job.trace, job.attempts);
        let mut leaps = Counted::default();
        let mut leap = |context: &mut Context<'_>, to| SHORTCUT(context, single, to, &mut leaps);
        let work = || analyse(&mut context, &mut interpolator, &job, &mut leap);
        let found = catch_unwind(AssertUnwindSafe(work));
        seat.done(Report {
            found: found.unwrap_or(Ok(Found::Failed)),
            attempts: interpolator.failed_attempts(&job.trace),
            interpolation: interpolator.statistics,
            triples: std::mem::take(&mut context.checker.statistics),
            rungs: solvers.take_rungs(),
            leaps,
        });
    }
}

fn analyse<'p>(
    context: &mut Context<'p>,
    interpolator: &mut Interpolator,
    job: &Job,
    leap: Leap<'_, 'p>,
) -> Result<Found, Interrupted> {
    let trace = &job.trace;
    let mut ssa = Ssa::new(context.program, trace, context.terms);
    let mut solver = context.session();
    let checked =
        check_trace(context.program, trace, &mut ssa, context.terms, &mut *solver, &context.budget)?;
    drop(solver);
    let core = match checked {
        Feasibility::Infeasible(core) => core,
        Feasibility::Feasible(_) => return Ok(Found::Feasible),
        Feasibility::Unknown(_) => return Ok(Found::NoProof),
    };
    if let Some(attempt) = job.leap_to
        && !matches!(leap(context, attempt)?, Verdict::Unknown(_))
    {
        return Ok(Found::Leap(attempt));
    }
    let sequences = interpolator.interpolate(context, trace, &core)?;
    if sequences.is_empty() {
        return Ok(Found::NoProof);
    }
    let predicates = members(&context.pool, &sequences);
    let count = predicates.len() as u64;
    let automaton = job.left.used_by(context, predicates)?;
    let mut labels = Box::new(Terms::new());
    Ok(match in_terms_of(&mut labels, context.terms, automaton) {
        Some(automaton) => Found::Automaton { labels, automaton, predicates: count },
        None => Found::NoProof,
    })
}
