//! Entry ports (paper "Leaping Loops", Lemma 1): what holds after a motion from given states.
//!
//! The strongest post is approximated by a conjunction of candidates that all hold; `must⁺` asks for no more, and a
//! chain of `must⁻` checks separately that nothing was added. Exit ports are `a ∧ Pre(motion out)`.

use super::atoms;
use super::modal::Modal;
use super::motion::{Motion, roots};
use super::region;
use base::Interrupted;
use logic::{Linear, Sort, Substitution, Term};

/// Formulas that hold after the motion from every state of `before`, most useful ones first.
pub fn entry_facts(
    modal: &mut Modal<'_>,
    before: Term,
    motion: &Motion,
) -> Result<Option<Vec<Term>>, Interrupted> {
    let mut facts = candidates(modal, before, motion);
    if region::weaken(modal, before, motion, &mut facts)?.is_none() {
        return Ok(None);
    }
    Ok(Some(region::without_redundant(modal, &facts)?))
}

fn candidates(modal: &mut Modal<'_>, before: Term, motion: &Motion) -> Vec<Term> {
    // Where a variable is set to what the motion chose or to another variable, formulas about that speak of it.
    let mut inverse = Substitution::new();
    for &(var, value) in &motion.relation.updates {
        if let Some(symbol) = modal.terms.as_symbol(value)
            && inverse.image(symbol).is_none()
        {
            let now = modal.program.variables.term(modal.terms, var);
            inverse.insert(symbol, now);
        }
    }
    let mut found = Vec::new();
    for &(var, value) in &motion.relation.updates {
        let now = modal.program.variables.term(modal.terms, var);
        let value = inverse.apply(modal.terms, value);
        found.push(modal.terms.eq(now, value));
        // One of several values: which, follows from the conditions of the others.
        if modal.terms.sort_of(now) == Sort::INT {
            for option in options(modal, value) {
                found.push(modal.terms.eq(now, option));
                found.push(modal.terms.le(now, option));
                found.push(modal.terms.ge(now, option));
            }
        }
    }
    let mut sources = roots(&motion.relation);
    sources.push(before);
    let sources: Vec<Term> = sources.into_iter().map(|source| inverse.apply(modal.terms, source)).collect();
    for linear in atoms::linear_parts(modal.terms, &sources) {
        found.push(modal.terms.equals_zero(linear.clone(), Sort::INT));
        for shift in [0, 1, -1] {
            found.extend(both_sides(modal, &linear, shift));
        }
    }
    for atom in atoms::atoms(modal.terms, &sources) {
        found.push(atom);
        found.push(modal.terms.not(atom));
    }
    let renamed = inverse.apply(modal.terms, before);
    found.extend(modal.terms.conjuncts(renamed));
    let scope: Vec<_> =
        modal.program.scope(motion.target).map(|var| modal.program.variables[var].symbol).collect();
    let mut unique = Vec::with_capacity(found.len());
    for fact in found {
        let known = modal.terms.free_symbols(fact).iter().all(|symbol| scope.contains(symbol));
        if known && !fact.is_true() && !unique.contains(&fact) {
            unique.push(fact);
        }
    }
    unique
}

fn both_sides(modal: &mut Modal<'_>, linear: &Linear, shift: i64) -> [Term; 2] {
    let shift = logic::Rational::from_integer(shift.into());
    let mut upper = linear.clone();
    upper.constant += &shift;
    let mut lower = linear.clone();
    lower.scale(&-logic::Rational::from_integer(1.into()));
    lower.constant += shift;
    [modal.terms.at_most_zero(upper, Sort::INT), modal.terms.at_most_zero(lower, Sort::INT)]
}

/// The branches of an if-then-else.
fn options(modal: &Modal<'_>, value: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if modal.terms.op(value) == logic::Op::Ite {
            pending.extend(&modal.terms.args(value)[1..]);
        } else if !found.contains(&value) {
            found.push(value);
        }
        if found.len() > 8 {
            break;
        }
    }
    found
}
