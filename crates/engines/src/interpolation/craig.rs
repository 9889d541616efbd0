//! Nested Craig interpolants of a trace (paper "Nested Interpolants", Definition 7).
//!
//! One unknown per position, one clause per edge; a return's clause also uses the unknown at its call, so callee and
//! caller keep their contexts apart. Edges outside of the unsatisfiable core are relaxed, which keeps irrelevant
//! variables out of the interpolants.

use super::path_program::solve;
use crate::context::Context;
use crate::horn::{self, Class, Step};
use crate::traces::Trace;
use base::Interrupted;
use logic::Term;

/// One formula per cut, or nothing if the solver gave up.
pub fn interpolate(
    context: &mut Context<'_>,
    trace: &Trace,
    core: &[usize],
    rlimit: u32,
) -> Result<Option<Vec<Term>>, Interrupted> {
    let program = context.program;
    let locations: Vec<_> = (0..=trace.len()).map(|cut| trace.location(program, cut)).collect();
    let steps: Vec<Step> = trace
        .edges
        .iter()
        .enumerate()
        .map(|(position, &edge)| Step {
            edge,
            source: position,
            call: trace.calls[position],
            target: Some(position + 1).filter(|&cut| cut < trace.len()),
            relaxed: core.binary_search(&position).is_err(),
        })
        .collect();
    let classes: Vec<Class> = (0..=trace.len()).collect();
    let problem = horn::encode(program, &locations, &[0], &steps, context.terms);
    solve(context, &problem, (&classes, trace.len()), rlimit)
}
