//! Interpolation: from an infeasible trace to inductive sequences of predicates (paper "Nested Interpolants",
//! Definition 5).
//!
//! A sequence has one predicate per cut of the trace: `true` first, `false` last, and every edge leads from one to
//! the next; a return may also use the predicate at its call. There are several sources:
//!
//! * [`path_program`]: invariants of the trace's own loops, found by a Horn solver; they do not grow with unrolling;
//! * [`craig`]: one unknown per position, found by a Horn solver on the trace whose irrelevant edges are relaxed;
//! * [`strongest_post`]: strongest postconditions or weakest preconditions along the relaxed trace (paper
//!   "Interpolation from unsatisfiable cores"), with live variables and quantifier elimination.
//!
//! Whatever a source says is checked edge by edge before anybody uses it.

pub mod craig;
pub mod path_program;
pub mod strongest_post;

use crate::context::Context;
use crate::predicates::PredicateSet;
use crate::traces::Trace;
use base::Interrupted;
use logic::Term;
use program::Edge;
use rustc_hash::FxHashSet;

/// An inductive sequence of predicates for a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// One set per cut; the first is empty, the last is contradictory.
    pub predicates: Vec<PredicateSet>,
}

/// Where interpolants come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolation {
    /// Through the sources, from the strongest to the most reliable.
    Auto,
    /// A Horn solver on the trace's path program.
    PathProgram,
    /// A Horn solver on the trace.
    Craig,
    /// Strongest postconditions; the level of relaxation (see [`strongest_post`]).
    StrongestPost(Level),
    /// Weakest preconditions; the level of relaxation.
    WeakestPre(Level),
}

/// How much of the trace strongest postconditions and weakest preconditions look at: the poster's levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// The trace as it is.
    Plain,
    /// Only variables that are still read later are kept.
    LiveVariables,
    /// In addition, edges outside of the unsatisfiable core are relaxed.
    Core,
}

base::statistics! {
    /// What interpolation did.
    pub struct InterpolationStatistics {
        path_program: "traces proven by their path program",
        craig: "traces proven by Craig interpolants",
        strongest_post: "traces proven by strongest postconditions",
        weakest_pre: "traces proven by weakest preconditions",
        rejected: "sequences that were not inductive",
    }
}

/// Finds inductive sequences, and remembers what did not work.
pub struct Interpolator {
    mode: Interpolation,
    /// Path programs that were tried without success, as sorted sets of edges.
    hopeless: FxHashSet<Vec<Edge>>,
    /// What was counted.
    pub statistics: InterpolationStatistics,
}

impl Interpolator {
    /// An interpolator that uses these sources.
    pub fn new(mode: Interpolation) -> Interpolator {
        Interpolator { mode, hopeless: FxHashSet::default(), statistics: InterpolationStatistics::default() }
    }

    /// Inductive sequences for an infeasible trace with its unsatisfiable core; none if all sources fail.
    pub fn interpolate(
        &mut self,
        context: &mut Context<'_>,
        trace: &Trace,
        core: &[usize],
    ) -> Result<Vec<Sequence>, Interrupted> {
        let mode = self.mode;
        let sources: &[Interpolation] = match mode {
            Interpolation::Auto => &[
                Interpolation::PathProgram,
                Interpolation::Craig,
                Interpolation::StrongestPost(Level::Core),
                Interpolation::WeakestPre(Level::Core),
            ],
            _ => std::slice::from_ref(&mode),
        };
        for &source in sources {
            let sequence = self.ask(context, trace, core, source)?;
            if let Some(sequence) = sequence {
                return Ok(vec![sequence]);
            }
        }
        Ok(Vec::new())
    }

    fn ask(
        &mut self,
        context: &mut Context<'_>,
        trace: &Trace,
        core: &[usize],
        source: Interpolation,
    ) -> Result<Option<Sequence>, Interrupted> {
        let formulas = match source {
            Interpolation::Auto => unreachable!("auto is a list of sources"),
            Interpolation::PathProgram => {
                let mut edges = trace.edges.clone();
                edges.sort_unstable();
                edges.dedup();
                if self.hopeless.contains(&edges) {
                    return Ok(None);
                }
                let found = path_program::interpolate(context, trace)?;
                if found.is_none() {
                    self.hopeless.insert(edges);
                }
                found
            }
            Interpolation::Craig => craig::interpolate(context, trace, core)?,
            Interpolation::StrongestPost(level) => strongest_post::forwards(context, trace, core, level)?,
            Interpolation::WeakestPre(level) => strongest_post::backwards(context, trace, core, level)?,
        };
        let Some(formulas) = formulas else { return Ok(None) };
        let Some(sequence) = validated(context, trace, &formulas)? else {
            self.statistics.rejected += 1;
            return Ok(None);
        };
        match source {
            Interpolation::Auto => {}
            Interpolation::PathProgram => self.statistics.path_program += 1,
            Interpolation::Craig => self.statistics.craig += 1,
            Interpolation::StrongestPost(_) => self.statistics.strongest_post += 1,
            Interpolation::WeakestPre(_) => self.statistics.weakest_pre += 1,
        }
        Ok(Some(sequence))
    }
}

/// The sequence of these formulas, if it is inductive.
pub fn validated(
    context: &mut Context<'_>,
    trace: &Trace,
    formulas: &[Term],
) -> Result<Option<Sequence>, Interrupted> {
    debug_assert_eq!(formulas.len(), trace.len() + 1);
    let mut predicates = Vec::with_capacity(formulas.len());
    for &formula in formulas {
        match context.predicate_set(formula) {
            Some(set) => predicates.push(set),
            None => return Ok(None),
        }
    }
    let ends = context.pool.members(predicates[0]).is_empty()
        && predicates.last().is_some_and(|&last| context.pool.is_contradictory(last));
    if !ends {
        return Ok(None);
    }
    for (position, &edge) in trace.edges.iter().enumerate() {
        let call = trace.calls[position].map(|call| predicates[call]);
        if !context.is_valid(predicates[position], call, edge, predicates[position + 1])? {
            return Ok(None);
        }
    }
    Ok(Some(Sequence { predicates }))
}
