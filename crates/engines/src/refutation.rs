//! The step that all refinement loops share: is an error path an execution, and if not, why not?
//!
//! A feasible trace ends the run with a counterexample (or with a reason, if it leads through a statement that allows
//! more than the program does). An infeasible trace is answered with inductive sequences of predicates.

use crate::context::Context;
use crate::interpolation::{Interpolation, InterpolationStatistics, Interpolator, Sequence};
use crate::trace_check::{Feasibility, check_trace};
use crate::traces::{Ssa, Trace};
use base::Interrupted;
use program::{Program, Reason, Verdict};

/// What an error path taught.
pub enum Refutation {
    /// It is infeasible; the predicates of this sequence show it.
    Refuted(Sequence),
    /// The run ends here.
    Ended(Verdict),
}

base::statistics! {
    /// What was asked about error paths.
    pub struct RefutationStatistics {
        paths: "error paths checked",
        longest_path: "edges of the longest error path",
    }
}

/// Checks error paths.
pub struct Refuter {
    interpolator: Interpolator,
    /// What was counted.
    pub statistics: RefutationStatistics,
}

impl Refuter {
    /// A refuter with this source of interpolants.
    pub fn new(interpolation: Interpolation) -> Refuter {
        Refuter {
            interpolator: Interpolator::new(interpolation),
            statistics: RefutationStatistics::default(),
        }
    }

    /// Checks an error path.
    pub fn refute(&mut self, context: &mut Context<'_>, trace: &Trace) -> Result<Refutation, Interrupted> {
        self.statistics.paths += 1;
        self.statistics.longest_path = self.statistics.longest_path.max(trace.len() as u64);
        let mut ssa = Ssa::new(context.program, trace, context.terms);
        let mut solver = context.session();
        let feasibility =
            check_trace(context.program, trace, &mut ssa, context.terms, &mut *solver, &context.budget)?;
        drop(solver);
        let verdict = match feasibility {
            Feasibility::Feasible(counterexample) => match overapproximation(context.program, trace) {
                Some(reason) => Verdict::Unknown(reason),
                None => Verdict::Unsafe(*counterexample),
            },
            Feasibility::Infeasible(core) => {
                let sequences = self.interpolator.interpolate(context, trace, &core)?;
                match sequences.into_iter().next() {
                    Some(sequence) => return Ok(Refutation::Refuted(sequence)),
                    None => Verdict::Unknown(no_interpolants(trace)),
                }
            }
            Feasibility::Unknown(why) => Verdict::Unknown(Reason::TraceCheck(why)),
        };
        Ok(Refutation::Ended(verdict))
    }

    /// What interpolation counted.
    pub fn interpolation_statistics(&self) -> &InterpolationStatistics {
        &self.interpolator.statistics
    }
}

/// The reason when a trace is infeasible but nothing can be learned from it.
pub fn no_interpolants(trace: &Trace) -> Reason {
    Reason::Interpolation(format!("a trace of {} blocks", trace.len()))
}

/// Why a feasible trace is no counterexample.
fn overapproximation(program: &Program, trace: &Trace) -> Option<Reason> {
    let edge = trace.edges.iter().find(|&&edge| program.edges[edge].overapproximates)?;
    let location = program.edges[*edge].source;
    Some(Reason::Overapproximation(format!("an overapproximated statement at {location}")))
}
