//! Invariants of the path program of a trace: its edges with all their loops.
//!
//! One unknown per location of the trace, one clause per edge. If the error is unreachable in the path program, its
//! invariants are interpolants for this trace and for all others through the same edges.

use crate::context::Context;
use crate::horn::{self, Class, Step};
use crate::traces::Trace;
use base::Interrupted;
use logic::Term;
use program::Location;

/// How much work one Horn problem may cost.
const RLIMIT: u32 = 3_000_000;

/// One formula per cut, or nothing if the path program is not proven.
pub fn interpolate(context: &mut Context<'_>, trace: &Trace) -> Result<Option<Vec<Term>>, Interrupted> {
    let program = context.program;
    let mut locations: Vec<Location> = Vec::new();
    let mut class_of = |location: Location| -> Class {
        locations.iter().position(|&known| known == location).unwrap_or_else(|| {
            locations.push(location);
            locations.len() - 1
        })
    };
    let classes: Vec<Class> = (0..=trace.len()).map(|cut| class_of(trace.location(program, cut))).collect();
    let error = classes[trace.len()];
    let mut steps: Vec<Step> = Vec::new();
    for (position, &edge) in trace.edges.iter().enumerate() {
        let target = Some(classes[position + 1]).filter(|&class| class != error);
        let call = trace.calls[position].map(|call| classes[call]);
        let step = Step { edge, source: classes[position], call, target, relaxed: false };
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    let problem = horn::encode(program, &locations, &[classes[0]], &steps, context.terms);
    solve(context, &problem, &classes, error)
}

/// Solves a problem and reads off the formulas of a sequence of classes; the one of `error` is `false`.
pub(super) fn solve(
    context: &mut Context<'_>,
    problem: &horn::HornProblem,
    classes: &[Class],
    error: Class,
) -> Result<Option<Vec<Term>>, Interrupted> {
    let Some(solution) = problem.solve(context, RLIMIT)? else { return Ok(None) };
    let mut formulas = Vec::with_capacity(classes.len());
    for (cut, &class) in classes.iter().enumerate() {
        let formula = match class {
            // Nothing is known at the beginning, and whatever the solver says there is implied by the axioms.
            _ if cut == 0 => Term::TRUE,
            _ if class == error => Term::FALSE,
            _ => match problem.formula(&solution, class, context.terms) {
                Some(formula) => formula,
                None => return Ok(None),
            },
        };
        formulas.push(formula);
    }
    Ok(Some(formulas))
}
