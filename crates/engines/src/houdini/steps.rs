//! Candidates at the classes of locations that steps lead between.

use super::{Arc, Goal, Policy, Question, Undecided};
use crate::context::Context;
use crate::edge_formula::EdgeFormula;
use crate::horn::{Class, Step};
use base::Interrupted;
use logic::Term;
use smt::Solver;

/// A question costs up to as much as one of the engine itself, so there are few of them, and open ones are left.
const POLICY: Policy = Policy { most_queries: 400, undecided: Undecided::RemoveAll };

/// Removes candidates of classes until all steps between classes preserve the rest; false if that took too many
/// questions, and then the candidates are what they are.
pub fn prune(
    context: &mut Context<'_>,
    steps: &[Step],
    candidates: &mut [Vec<Term>],
) -> Result<bool, Interrupted> {
    let inside: Vec<(&Step, Class)> =
        steps.iter().filter_map(|step| step.target.map(|target| (step, target))).collect();
    let arcs: Vec<Arc> =
        inside.iter().map(|&(step, target)| Arc { source: step.source, call: step.call, target }).collect();
    let mut formulas: Vec<EdgeFormula> = Vec::with_capacity(inside.len());
    for (step, _) in &inside {
        formulas.push(EdgeFormula::new(context.program, step.edge, context.terms));
    }
    let pruned = super::prune(context, &arcs, candidates, POLICY, |context, arc, candidates| {
        let formula = &mut formulas[arc];
        let (step, target) = inside[arc];
        let goals = candidates[target]
            .iter()
            .map(|&candidate| Goal { candidate, after: formula.post.apply(context.terms, candidate) })
            .collect();
        Question { session: session_before(context, formula, candidates, step), goals }
    })?;
    Ok(pruned.settled)
}

/// A session in which everything holds that is known before a step.
fn session_before<'p>(
    context: &mut Context<'p>,
    formula: &mut EdgeFormula,
    candidates: &[Vec<Term>],
    step: &Step,
) -> Box<dyn Solver + 'p> {
    let mut session = context.session();
    let terms = &mut *context.terms;
    for &known in context.program.axioms.iter().chain(&formula.base) {
        session.assert(terms, known);
    }
    for &candidate in &candidates[step.source] {
        let known = formula.pre.apply(terms, candidate);
        session.assert(terms, known);
    }
    for &candidate in step.call.map_or(&[][..], |class: Class| &candidates[class][..]) {
        let known = formula.call.apply(terms, candidate);
        session.assert(terms, known);
    }
    session
}
