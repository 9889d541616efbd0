//! The abstract state of a loop: the strongest conjunction of candidates that holds at the entry and is kept by the
//! motions from outside the exit ([`houdini`](crate::houdini)). Every query refutes at least one candidate, so there are at most as many
//! queries as candidates and locations, and usually few. Each location has candidates of its own.

use super::modal::Modal;
use super::motion::Motion;
use crate::houdini::{Goal, keep_satisfied};
use base::Interrupted;
use logic::Term;
use program::Location;
use program::leap::Ports;
use std::collections::BTreeMap;

/// The conjuncts of the abstract state by location. None if the solver did not decide a query.
pub fn region(
    modal: &mut Modal<'_>,
    motions: &[Motion],
    Ports { entry, exit }: Ports,
    mut region: BTreeMap<Location, Vec<Term>>,
) -> Result<Option<BTreeMap<Location, Vec<Term>>>, Interrupted> {
    let held = region.get_mut(&entry.location).expect("the entry is in the loop");
    if weaken(modal, entry.formula, &Motion::stay(entry.location), held)?.is_none() {
        return Ok(None);
    }
    loop {
        let mut changed = false;
        for motion in motions {
            let mut before = modal.terms.and(region[&motion.source].iter().copied());
            if motion.source == exit.location {
                let not = modal.terms.not(exit.formula);
                before = modal.terms.and([before, not]);
            }
            let held = region.get_mut(&motion.target).expect("motions stay in the loop");
            match weaken(modal, before, motion, held)? {
                None => return Ok(None),
                Some(dropped) => changed |= dropped,
            }
        }
        if !changed {
            return Ok(Some(region));
        }
    }
}

/// Drops the candidates that need not hold after the motion from a state of the premise. Says whether any was dropped;
/// none if the solver did not decide a query.
pub fn weaken(
    modal: &mut Modal<'_>,
    premise: Term,
    motion: &Motion,
    held: &mut Vec<Term>,
) -> Result<Option<bool>, Interrupted> {
    let premise = modal.terms.and([premise, motion.relation.guard]);
    let mut after = motion.relation.substitution(&modal.program.variables);
    let mut goals: Vec<Goal> = held
        .iter()
        .map(|&candidate| Goal { candidate, after: after.apply(modal.terms, candidate) })
        .collect();
    let before = goals.len();
    loop {
        let all = modal.terms.and(goals.iter().map(|goal| goal.after));
        if modal.implies(premise, all)? {
            break;
        }
        let not = modal.terms.not(all);
        let refuted = modal.terms.and([premise, not]);
        let Some(model) = modal.model(refuted)? else { return Ok(None) };
        let size = goals.len();
        keep_satisfied(modal.terms, &model, &mut goals);
        if goals.len() == size {
            return Ok(None);
        }
    }
    *held = goals.into_iter().map(|goal| goal.candidate).collect();
    Ok(Some(held.len() < before))
}

/// Drops conjuncts that follow from the others, later ones first.
pub fn without_redundant(modal: &mut Modal<'_>, conjuncts: &[Term]) -> Result<Vec<Term>, Interrupted> {
    let mut kept = conjuncts.to_vec();
    for position in (0..kept.len()).rev() {
        let rest = kept.iter().enumerate().filter(|(other, _)| *other != position).map(|(_, term)| *term);
        let rest = modal.terms.and(rest);
        if modal.implies(rest, kept[position])? {
            kept.remove(position);
        }
    }
    Ok(kept)
}
