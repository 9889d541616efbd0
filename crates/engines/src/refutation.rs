//! The step that all refinement loops share: is an error path an execution, and if not, why not?
//!
//! A feasible trace ends the run with a counterexample (or with a reason, if it leads through a statement that allows
//! more than the program does). An infeasible trace is answered with an inductive sequence of predicates.
//!
//! Before the interpolator is asked, the weakest preconditions of a trace without repeated locations get a chance: if
//! they happen to be inductive for all edges between these locations, loops included, they are as good as interpolants
//! can be. With large blocks this is often so where the assertion is about what the last iteration did, and it costs
//! no more than a few triples however large the blocks are.

use crate::context::Context;
use crate::interpolation::{Interpolation, Interpolator, Level, Sequence, strongest_post, validated};
use crate::task::Counter;
use crate::trace_check::{Feasibility, check_trace};
use crate::traces::{Ssa, Trace};
use base::Interrupted;
use program::{Counterexample, Edge, EdgeKind, Location, Program, Reason, Verdict};

/// Weakest preconditions are tried on traces with at most this many cuts: the formulas grow with each of them.
const LONGEST: usize = 50;

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
        inductive: "error paths refuted by inductive weakest preconditions",
    }
}

/// Checks error paths.
pub struct Refuter {
    interpolation: Interpolation,
    interpolator: Interpolator,
    /// What was counted.
    pub statistics: RefutationStatistics,
}

impl Refuter {
    /// A refuter with this source of interpolants.
    pub fn new(interpolation: Interpolation) -> Refuter {
        Refuter {
            interpolation,
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
            Feasibility::Feasible(counterexample) => {
                verdict_of_feasible(context.program, trace, *counterexample)
            }
            Feasibility::Infeasible(core) => {
                if self.interpolation == Interpolation::Auto
                    && let Some(sequence) = inductive_preconditions(context, trace, &core)?
                {
                    self.statistics.inductive += 1;
                    return Ok(Refutation::Refuted(sequence));
                }
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

    /// What was counted about error paths and interpolation.
    pub fn counters(&self) -> impl Iterator<Item = Counter> + use<> {
        self.statistics.entries().chain(self.interpolator.statistics.entries())
    }
}

/// The weakest preconditions of a trace, if they are inductive for all edges between its locations.
fn inductive_preconditions(
    context: &mut Context<'_>,
    trace: &Trace,
    core: &[usize],
) -> Result<Option<Sequence>, Interrupted> {
    let program = context.program;
    let cuts: Vec<Location> = (0..=trace.len()).map(|cut| trace.location(program, cut)).collect();
    let internal = |&edge: &Edge| matches!(program.edges[edge].kind, EdgeKind::Internal(_));
    let repeated = (0..cuts.len()).any(|cut| cuts[..cut].contains(&cuts[cut]));
    if repeated || cuts.len() > LONGEST || !trace.edges.iter().all(internal) {
        return Ok(None);
    }
    let Some(formulas) = strongest_post::backwards(context, trace, core, Level::Core)? else {
        return Ok(None);
    };
    let Some(sequence) = validated(context, trace, &formulas)? else { return Ok(None) };
    for (&source, &pre) in cuts.iter().zip(&sequence.predicates) {
        for &edge in program.outgoing[source].iter().filter(|edge| internal(edge)) {
            let target = program.edges[edge].target;
            if let Some(cut) = cuts.iter().position(|&location| location == target)
                && !context.is_valid(pre, None, edge, sequence.predicates[cut])?
            {
                return Ok(None);
            }
        }
    }
    Ok(Some(sequence))
}

/// The reason when a trace is infeasible but nothing can be learned from it.
pub fn no_interpolants(trace: &Trace) -> Reason {
    Reason::Interpolation(format!("a trace of {} blocks", trace.len()))
}

/// What a feasible trace means: an error, unless it leads through a block that allows more than the program does.
pub fn verdict_of_feasible(program: &Program, trace: &Trace, counterexample: Counterexample) -> Verdict {
    match trace.edges.iter().find(|&&edge| program.edges[edge].overapproximates) {
        Some(&edge) => {
            let block = program.edges[edge].source;
            Verdict::Unknown(Reason::Overapproximation(program.locations[block].span))
        }
        None => Verdict::Unsafe(counterexample),
    }
}
