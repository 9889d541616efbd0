//! Interpolation: from an infeasible trace to inductive sequences of predicates (paper "Nested Interpolants",
//! Definition 5).
//!
//! A sequence has one predicate per cut of the trace: `true` first, `false` last, and every edge leads from one to
//! the next; a return may also use the predicate at its call. There are several sources:
//!
//! * [`blurred`]: all of the others, on the program without the bits of integers;
//! * [`path_program`]: invariants of the trace's own loops, found by abstract interpretation, by a Horn solver or by
//!   [`houdini`](crate::houdini); they do not grow with unrolling;
//! * [`farkas`]: one inequality per position, from a certificate of a linear trace without disjunctions;
//! * [`craig`]: one unknown per position, found by a Horn solver on the trace whose irrelevant edges are relaxed;
//! * [`strongest_post`]: strongest postconditions or weakest preconditions along the relaxed trace (paper
//!   "Interpolation from unsatisfiable cores"), with live variables and quantifier elimination.
//!
//! Whatever a source says is checked edge by edge before anybody uses it.

mod affine;
mod blurred;
pub mod craig;
pub mod farkas;
mod limits;
pub mod path_program;
pub mod strongest_post;
mod templates;
mod words;

use crate::context::Context;
use crate::predicates::PredicateSet;
use crate::trace_check::{Feasibility, check_trace};
use crate::traces::{Ssa, Trace};
use base::Interrupted;
use logic::{Op, Term};
use program::{Edge, EdgeKind, Program};
use rustc_hash::FxHashMap;

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
    /// Likewise, without the Horn solver.
    Own,
    /// A Horn solver on the trace's path program.
    PathProgram,
    /// Abstract interpretation of the trace's path program.
    Analysis,
    /// The same with polyhedra, if the path program is small.
    Polyhedra,
    /// Templates and affine equalities on the trace's path program.
    Houdini,
    /// Our own certificates of linear traces.
    Farkas,
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
        analysis: "traces proven by abstract interpretation of their path program",
        polyhedra: "traces proven by polyhedra on their path program",
        path_program: "traces proven by a Horn solver on their path program",
        houdini: "traces proven by templates on their path program",
        farkas: "traces proven by Farkas certificates",
        craig: "traces proven by Craig interpolants",
        strongest_post: "traces proven by strongest postconditions",
        weakest_pre: "traces proven by weakest preconditions",
        without_bits: "traces proven without looking at the bits of integers",
        rejected: "sequences that were not inductive",
    }
}

/// What did not prove a path program.
#[derive(Clone, Copy, Default)]
pub struct FailedAttempts {
    /// The limit of the last try of the Horn solver.
    rlimit: u32,
    /// How often the path program came back since then.
    since: u32,
    analysis: bool,
    polyhedra: bool,
    templates: bool,
}

/// Is there an operation of some kind in a trace?
fn computes(context: &Context<'_>, trace: &Trace, wanted: impl Fn(Op) -> bool) -> bool {
    let mut roots: Vec<Term> = Vec::new();
    for &edge in &trace.edges {
        match &context.program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                roots.push(relation.guard);
                roots.extend(relation.updates.iter().map(|&(_, value)| value));
            }
            EdgeKind::Call(call) => roots.extend(call.bindings.iter().map(|&(_, value)| value)),
            EdgeKind::Return(_) => {}
        }
    }
    let mut found = false;
    context.terms.for_each_subterm(&roots, |term| found |= wanted(context.terms.op(term)));
    found
}

/// Finds inductive sequences, and remembers what did not work.
pub struct Interpolator {
    mode: Interpolation,
    /// Path programs that were tried without success, as sorted sets of edges: by the Horn solver with how much work
    /// and how often the path program came back since, by abstract interpretation and by templates.
    failed: FxHashMap<Vec<Edge>, FailedAttempts>,
    /// For traces that are infeasible without looking at bits: none before the first trace with bits, or if the program is too large.
    without_bits: Option<Option<Box<WithoutBits>>>,
    /// What was counted.
    pub statistics: InterpolationStatistics,
}

/// The program without the bits of integers, and who interpolates its traces.
struct WithoutBits {
    program: Program,
    interpolator: Interpolator,
}

impl Interpolator {
    /// An interpolator that uses these sources.
    pub fn new(mode: Interpolation) -> Interpolator {
        Interpolator {
            mode,
            failed: FxHashMap::default(),
            without_bits: None,
            statistics: InterpolationStatistics::default(),
        }
    }

    /// What did not prove the path program of a trace so far.
    pub fn failed_attempts(&self, trace: &Trace) -> FailedAttempts {
        self.failed.get(&edge_set(trace)).copied().unwrap_or_default()
    }

    /// Takes over what somebody else knows that did not prove the path program of a trace.
    pub fn remember(&mut self, trace: &Trace, attempts: FailedAttempts) {
        self.failed.insert(edge_set(trace), attempts);
    }

    /// Inductive sequences for an infeasible trace with its unsatisfiable core; none if all sources fail.
    pub fn interpolate(
        &mut self,
        context: &mut Context<'_>,
        trace: &Trace,
        core: &[usize],
    ) -> Result<Vec<Sequence>, Interrupted> {
        let mode = self.mode;
        let converts = mode == Interpolation::Auto
            && computes(context, trace, |op| matches!(op, Op::IntToBv(_) | Op::BvToNat));
        if converts && let Some(sequence) = self.without_bits(context, trace)? {
            return Ok(vec![sequence]);
        }
        let is_slow =
            |context: &Context<'_>| converts || computes(context, trace, |op| matches!(op, Op::Float(_)));
        let sources: &[Interpolation] = match mode {
            // The Horn solver knows floating-point numbers and bits of integers, but it is slow on them, and seldom has words for what it finds.
            Interpolation::Auto if is_slow(context) => &[
                Interpolation::Analysis,
                Interpolation::Houdini,
                Interpolation::Polyhedra,
                Interpolation::StrongestPost(Level::Core),
                Interpolation::WeakestPre(Level::Core),
                Interpolation::Craig,
            ],
            Interpolation::Auto => &[
                Interpolation::Analysis,
                Interpolation::PathProgram,
                Interpolation::Houdini,
                Interpolation::Polyhedra,
                Interpolation::Farkas,
                Interpolation::Craig,
                Interpolation::StrongestPost(Level::Core),
                Interpolation::WeakestPre(Level::Core),
            ],
            Interpolation::Own => &[
                Interpolation::Analysis,
                Interpolation::Houdini,
                Interpolation::Polyhedra,
                Interpolation::Farkas,
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

    /// A sequence for a trace that is infeasible whatever the operations on bits of integers do.
    fn without_bits(
        &mut self,
        context: &mut Context<'_>,
        trace: &Trace,
    ) -> Result<Option<Sequence>, Interrupted> {
        let interpolator = || Interpolator::new(Interpolation::Auto);
        let made = self.without_bits.get_or_insert_with(|| {
            let program = blurred::blurred(context.program, context.terms)?;
            Some(Box::new(WithoutBits { program, interpolator: interpolator() }))
        });
        let Some(WithoutBits { program, interpolator }) = made.as_deref_mut() else { return Ok(None) };
        let formulas = {
            let budget = context.budget.clone();
            let mut blurred = Context::new(program, &mut *context.terms, context.solvers, budget);
            let mut ssa = Ssa::new(program, trace, blurred.terms);
            let mut solver = blurred.session();
            let checked =
                check_trace(program, trace, &mut ssa, blurred.terms, &mut *solver, &blurred.budget)?;
            let Feasibility::Infeasible(core) = checked else { return Ok(None) };
            let sequences = interpolator.interpolate(&mut blurred, trace, &core)?;
            let Some(sequence) = sequences.first() else { return Ok(None) };
            let conjunction = |&set: &PredicateSet| blurred.pool.conjunction(set, blurred.terms);
            sequence.predicates.iter().map(conjunction).collect::<Vec<Term>>()
        };
        let sequence = validated(context, trace, &formulas)?;
        self.statistics.without_bits += u64::from(sequence.is_some());
        Ok(sequence)
    }

    /// A path program gets little work at first, and more whenever it has come back several times.
    fn by_path_program(
        &mut self,
        context: &mut Context<'_>,
        trace: &Trace,
    ) -> Result<Option<Vec<Term>>, Interrupted> {
        let known = self.failed.entry(edge_set(trace)).or_default();
        known.since += 1;
        if known.rlimit > 0 && (known.since < limits::PATIENCE || known.rlimit >= limits::LAST_RLIMIT) {
            return Ok(None);
        }
        known.rlimit = if known.rlimit == 0 {
            limits::FIRST_RLIMIT
        } else {
            known.rlimit.saturating_mul(limits::PATIENCE)
        };
        known.since = 0;
        let rlimit = known.rlimit;
        path_program::interpolate(context, trace, rlimit)
    }

    fn ask(
        &mut self,
        context: &mut Context<'_>,
        trace: &Trace,
        core: &[usize],
        source: Interpolation,
    ) -> Result<Option<Sequence>, Interrupted> {
        let formulas = match source {
            Interpolation::Auto | Interpolation::Own => unreachable!("these are lists of sources"),
            Interpolation::PathProgram => self.by_path_program(context, trace)?,
            Interpolation::Analysis => {
                let edges = edge_set(trace);
                if self.failed.get(&edges).is_some_and(|known| known.analysis) {
                    return Ok(None);
                }
                let found = path_program::analyse(context, trace)?;
                if found.is_none() {
                    self.failed.entry(edges).or_default().analysis = true;
                }
                found
            }
            Interpolation::Polyhedra => {
                let edges = edge_set(trace);
                if self.failed.get(&edges).is_some_and(|known| known.polyhedra) {
                    return Ok(None);
                }
                let found = path_program::analyse_polyhedra(context, trace)?;
                if found.is_none() {
                    self.failed.entry(edges).or_default().polyhedra = true;
                }
                found
            }
            Interpolation::Houdini => {
                let edges = edge_set(trace);
                if self.failed.get(&edges).is_some_and(|known| known.templates) {
                    return Ok(None);
                }
                let found = path_program::guess(context, trace)?;
                if found.is_none() {
                    self.failed.entry(edges).or_default().templates = true;
                }
                found
            }
            Interpolation::Farkas => farkas::interpolate(context, trace, core),
            Interpolation::Craig => craig::interpolate(context, trace, core, limits::LAST_RLIMIT)?,
            Interpolation::StrongestPost(level) => strongest_post::forwards(context, trace, core, level)?,
            Interpolation::WeakestPre(level) => strongest_post::backwards(context, trace, core, level)?,
        };
        let Some(formulas) = formulas else { return Ok(None) };
        let Some(sequence) = validated(context, trace, &formulas)? else {
            self.statistics.rejected += 1;
            return Ok(None);
        };
        match source {
            Interpolation::Auto | Interpolation::Own => {}
            Interpolation::Analysis => self.statistics.analysis += 1,
            Interpolation::Polyhedra => self.statistics.polyhedra += 1,
            Interpolation::PathProgram => self.statistics.path_program += 1,
            Interpolation::Houdini => self.statistics.houdini += 1,
            Interpolation::Farkas => self.statistics.farkas += 1,
            Interpolation::Craig => self.statistics.craig += 1,
            Interpolation::StrongestPost(_) => self.statistics.strongest_post += 1,
            Interpolation::WeakestPre(_) => self.statistics.weakest_pre += 1,
        }
        Ok(Some(sequence))
    }
}

/// The edges of a trace, sorted: its path program.
fn edge_set(trace: &Trace) -> Vec<Edge> {
    let mut edges = trace.edges.clone();
    edges.sort_unstable();
    edges.dedup();
    edges
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
