//! Condition 1: why an abstract state is finite.
//!
//! For every changed integer at every location, terms over what the loop does not change are sought that bound it from
//! below and above. Candidates are the linear atoms of the regions and ports, solved for one of their variables, and a
//! little more or less than that. Each is confirmed by the solver.

use super::atoms;
use super::limits;
use super::modal::Modal;
use super::theorems::Situation;
use base::Interrupted;
use logic::print::infix;
use logic::{Linear, SortData, Symbol, Term};
use program::leap::Bound;
use program::{Location, Var};

/// Bounds for all changed integers that matter, or none if one of them could not be bounded.
pub fn find(modal: &mut Modal<'_>, situation: &Situation<'_>) -> Result<Option<Vec<Bound>>, Interrupted> {
    let limits = limits(modal, situation);
    let mut bounds = Vec::new();
    for (&location, &region) in situation.region {
        for &var in situation.visible {
            let sort = modal.terms.symbol_data(modal.program.variables[var].symbol).sort;
            match modal.terms.sort_data(sort) {
                SortData::Bool | SortData::BitVec(_) => continue,
                SortData::Int => {}
                _ => return Ok(None),
            }
            let Some(bound) = range(modal, (location, region), var, &limits)? else {
                tracing::debug!(%location, region = %infix(modal.terms, region), ?var, "a variable without bounds");
                return Ok(None);
            };
            bounds.push(bound);
        }
    }
    Ok(Some(bounds))
}

/// Terms over what does not change, which atoms of the regions compare something with.
fn limits(modal: &mut Modal<'_>, situation: &Situation<'_>) -> Vec<Term> {
    let changed: Vec<_> = situation.changed.iter().map(|&var| modal.program.variables[var].symbol).collect();
    let mut roots: Vec<Term> = situation.region.values().copied().collect();
    roots.extend([situation.entry.formula, situation.exit.formula]);
    let mut limits = Vec::new();
    let parts = atoms::linear_parts(modal.terms, &roots);
    let visible: Vec<Term> =
        situation.visible.iter().map(|&var| modal.program.variables.term(modal.terms, var)).collect();
    for linear in &parts {
        add_limits(modal, linear, &visible, &changed, &mut limits);
    }
    // Where an atom relates two changed variables, the limits of one give limits of the other.
    let direct = limits.clone();
    for linear in &parts {
        for &other in &visible {
            let Some(coefficient) = linear.coefficient(other).cloned() else { continue };
            for &limit in &direct {
                let mut replaced = linear.clone();
                replaced.remove(other);
                replaced.add_scaled(&modal.terms.linear(limit), &coefficient);
                add_limits(modal, &replaced, &visible, &changed, &mut limits);
            }
        }
    }
    limits.truncate(limits::MOST_LIMITS);
    limits
}

fn add_limits(
    modal: &mut Modal<'_>,
    linear: &Linear,
    visible: &[Term],
    changed: &[Symbol],
    limits: &mut Vec<Term>,
) {
    for &value in visible {
        if let Some(limit) = atoms::solve(modal.terms, linear, value) {
            let symbols = modal.terms.free_symbols(limit);
            if !symbols.iter().any(|symbol| changed.contains(symbol)) && !limits.contains(&limit) {
                limits.push(limit);
            }
        }
    }
}

fn range(
    modal: &mut Modal<'_>,
    (location, region): (Location, Term),
    var: Var,
    limits: &[Term],
) -> Result<Option<Bound>, Interrupted> {
    let value = modal.program.variables.term(modal.terms, var);
    let (mut lower, mut upper) = (None, None);
    for offset in limits::OFFSETS {
        for &limit in limits {
            if lower.is_none() {
                let offset = modal.terms.int(-offset);
                let candidate = modal.terms.add(&[limit, offset]);
                let holds = modal.terms.le(candidate, value);
                if modal.implies(region, holds)? {
                    lower = Some(candidate);
                }
            }
            if upper.is_none() {
                let offset = modal.terms.int(offset);
                let candidate = modal.terms.add(&[limit, offset]);
                let holds = modal.terms.le(value, candidate);
                if modal.implies(region, holds)? {
                    upper = Some(candidate);
                }
            }
            if let (Some(lower), Some(upper)) = (lower, upper) {
                return Ok(Some(Bound { var, location, lower, upper }));
            }
        }
    }
    Ok(None)
}
