//! Invariants of a path program by guessing and pruning (Houdini).
//!
//! Every location starts with many candidate predicates: [`templates`] with the program's own constants, and the
//! affine equalities that hold by [`affine`] analysis. Candidates that an edge does not preserve are removed, many at
//! a time with the help of a model, until the rest is inductive. It is the strongest inductive set of candidates; if
//! it excludes the error, it proves the path program.

use super::{affine, templates};
use crate::context::Context;
use crate::edge_formula::EdgeFormula;
use crate::horn::{Class, Step};
use base::Interrupted;
use logic::evaluate::Evaluator;
use logic::{Term, Terms};
use program::Location;
use smt::{Answer, Solver};

/// A pruning run gives up after this many queries.
const MOST_QUERIES: usize = 400;

/// One formula per class such that all steps are valid and the last is impossible; none if the candidates do not
/// suffice. Runs begin in class 0.
pub fn invariants(
    context: &mut Context<'_>,
    locations: &[Location],
    steps: &[Step],
) -> Result<Option<Vec<Term>>, Interrupted> {
    let mut candidates = templates::candidates(context, locations, steps);
    for (class, equalities) in
        affine::equalities(context.program, locations, steps, context.terms).into_iter().enumerate()
    {
        candidates[class].extend(equalities);
    }
    for list in &mut candidates {
        list.sort_unstable();
        list.dedup();
    }
    candidates[0].clear();
    let Some(mut formulas) = prune_all(context, steps, &mut candidates)? else { return Ok(None) };
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| step.target.is_none()) {
        let mut session = step_session(context, &mut formulas[index], &candidates, step);
        let answer = session.check(context.terms);
        context.budget.check()?;
        if answer != Answer::Unsat {
            return Ok(None);
        }
    }
    Ok(Some(candidates.iter().map(|list| context.terms.and(list.iter().copied())).collect()))
}

/// Removes candidates of classes until all steps between classes preserve the rest. Gives back the formulas of the
/// steps; none if it gave up, and then the candidates are what they are.
pub fn prune_all(
    context: &mut Context<'_>,
    steps: &[Step],
    candidates: &mut [Vec<Term>],
) -> Result<Option<Vec<EdgeFormula>>, Interrupted> {
    let mut formulas: Vec<EdgeFormula> = Vec::with_capacity(steps.len());
    for step in steps {
        formulas.push(EdgeFormula::new(context.program, step.edge, context.terms));
    }
    let mut pending: Vec<usize> = (0..steps.len()).filter(|&index| steps[index].target.is_some()).collect();
    let mut queries = 0;
    while let Some(index) = pending.pop() {
        let step = &steps[index];
        let Some(target) = step.target else { continue };
        let before = candidates[target].len();
        let mut session = step_session(context, &mut formulas[index], candidates, step);
        loop {
            queries += 1;
            if queries > MOST_QUERIES {
                return Ok(None);
            }
            if candidates[target].is_empty() {
                break;
            }
            if !prune(context, &mut *session, &mut formulas[index], &mut candidates[target])? {
                break;
            }
        }
        if candidates[target].len() < before {
            // Less is known at the target now, so everything that relied on it is checked again.
            let relies = |other: &Step| other.source == target || other.call == Some(target);
            for (other, _) in
                steps.iter().enumerate().filter(|(_, other)| relies(other) && other.target.is_some())
            {
                if !pending.contains(&other) {
                    pending.push(other);
                }
            }
        }
    }
    Ok(Some(formulas))
}

/// A session in which everything holds that is known before a step.
fn step_session<'p>(
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

/// Removes candidates that do not hold after a step; says whether any was removed.
fn prune(
    context: &mut Context<'_>,
    session: &mut dyn Solver,
    formula: &mut EdgeFormula,
    candidates: &mut Vec<Term>,
) -> Result<bool, Interrupted> {
    let terms: &mut Terms = context.terms;
    let goals: Vec<Term> = candidates.iter().map(|&candidate| formula.post.apply(terms, candidate)).collect();
    let mut refuted = Vec::with_capacity(goals.len());
    for &goal in &goals {
        refuted.push(terms.not(goal));
    }
    let some = terms.or(refuted);
    session.push();
    session.assert(terms, some);
    let answer = session.check(terms);
    let model = if answer == Answer::Sat { session.model(terms).ok() } else { None };
    session.pop();
    context.budget.check()?;
    let Some(model) = model else {
        if answer != Answer::Unsat {
            // Without an answer or a model nobody knows which candidates survive.
            candidates.clear();
        }
        return Ok(false);
    };
    let mut evaluator = Evaluator::new(&model);
    let mut kept = Vec::with_capacity(candidates.len());
    for (&candidate, &goal) in candidates.iter().zip(&goals) {
        if evaluator.evaluate(terms, goal).is_ok_and(|value| value.is_true()) {
            kept.push(candidate);
        }
    }
    let pruned = kept.len() < candidates.len();
    if !pruned {
        // The model does not fit our evaluator; give up on these candidates rather than loop.
        kept.clear();
    }
    *candidates = kept;
    Ok(pruned)
}
