//! Exact elimination of a number from a conjunction of literals, without asking anybody.
//!
//! * A variable that is bounded from one side only vanishes with its bounds and disequations.
//! * Fourier and Motzkin: every lower bound is at most every upper bound. On integers, for `a·x ≥ l` and `b·x ≤ u`, that is
//!   exact if a or b is 1; otherwise it is said with quotients, `⌈l/a⌉ ≤ ⌊u/b⌋`, if these bury no other variable.
//! * One divisibility `m | a·x + t` with a and m coprime is resolved first, by x = m·y − a⁻¹·t.

use super::constraint::{Constraint, Relation, Use, classify, divisible, is_free_of, literal};
use crate::linear::Linear;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Term, Terms};
use crate::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::{One, Zero};

/// A bound: the variable is at least, or at most, `limit / size`.
struct Bound {
    limit: Linear,
    size: Integer,
    strict: bool,
}

/// The literals on one variable, by what they say.
#[derive(Default)]
struct Sorted {
    lower: Vec<Bound>,
    upper: Vec<Bound>,
    disequations: usize,
    divisible: Vec<(Integer, Constraint)>,
}

/// Literals that say of the other variables what these literals say with some value of `variable`. `others` are the
/// variables that are still to be eliminated, and at most `growth` more literals may come out than went in.
pub(super) fn eliminate(
    terms: &mut Terms,
    literals: &[Term],
    variable: Symbol,
    others: &[Symbol],
    growth: usize,
) -> Option<Vec<Term>> {
    let sort = terms.symbol_data(variable).sort;
    let mut sorted = Sorted::default();
    for &literal in literals {
        let Use::Linear(constraint) = classify(terms, literal, variable) else { return None };
        match &constraint.relation {
            Relation::Le | Relation::Lt => {
                let (limit, size) = constraint.limit();
                let strict = constraint.relation == Relation::Lt;
                let side = if constraint.is_lower() { &mut sorted.lower } else { &mut sorted.upper };
                side.push(Bound { limit, size, strict });
            }
            Relation::Ne => sorted.disequations += 1,
            Relation::Divisible(modulus) => sorted.divisible.push((modulus.clone(), constraint)),
            Relation::Eq | Relation::Indivisible(_) => return None,
        }
    }
    let Sorted { mut lower, mut upper, disequations, divisible: divisibilities } = sorted;
    if lower.is_empty() || upper.is_empty() {
        return unbounded(terms, &divisibilities);
    }
    if disequations > 0 || lower.len() * upper.len() > literals.len() + growth {
        return None;
    }
    match &divisibilities[..] {
        [] => {}
        [(modulus, constraint)] => {
            let shift = solution(modulus, constraint)?;
            for bound in lower.iter_mut().chain(&mut upper) {
                bound.limit.add_scaled(&shift, &-Rational::from_integer(bound.size.clone()));
                bound.size *= modulus;
            }
        }
        _ => return None,
    }
    let mut result = Vec::with_capacity(lower.len() * upper.len());
    for low in &lower {
        for high in &upper {
            result.push(resolvent(terms, low, high, sort, others)?);
        }
    }
    Some(result)
}

/// What is left of a variable that may be as large, or as small, as it likes.
fn unbounded(terms: &mut Terms, divisibilities: &[(Integer, Constraint)]) -> Option<Vec<Term>> {
    match divisibilities {
        [] => Some(Vec::new()),
        [(modulus, constraint)] => {
            let common = modulus.gcd(constraint.coefficient.numer());
            Some(vec![divisible(terms, &constraint.rest, &common)])
        }
        _ => None,
    }
}

/// The linear term s such that `m | a·x + t` is the same as x = m·y + s for some y; none if a and m are not coprime.
fn solution(modulus: &Integer, constraint: &Constraint) -> Option<Linear> {
    let extended = constraint.coefficient.numer().extended_gcd(modulus);
    if !extended.gcd.magnitude().is_one() {
        return None;
    }
    let inverse = extended.x * extended.gcd;
    let mut solution = constraint.rest.clone();
    solution.scale(&Rational::from_integer(-inverse));
    // Multiples of the modulus do not matter.
    let reduced = |value: &Rational| Rational::from_integer(value.numer().mod_floor(modulus));
    solution.constant = reduced(&solution.constant);
    solution.monomials.retain_mut(|(_, coefficient)| {
        *coefficient = reduced(coefficient);
        !coefficient.is_zero()
    });
    Some(solution)
}

/// There is a number between the bounds.
fn resolvent(terms: &mut Terms, low: &Bound, high: &Bound, sort: Sort, others: &[Symbol]) -> Option<Term> {
    if sort == Sort::REAL || low.size.is_one() || high.size.is_one() {
        let mut difference = low.limit.clone();
        difference.scale(&Rational::from_integer(high.size.clone()));
        difference.add_scaled(&high.limit, &-Rational::from_integer(low.size.clone()));
        let relation = if low.strict || high.strict { Relation::Lt } else { Relation::Le };
        return Some(literal(terms, &relation, difference, sort));
    }
    if !is_free_of(terms, &low.limit, others) || !is_free_of(terms, &high.limit, others) {
        return None;
    }
    let mut negated = low.limit.clone();
    negated.scale(&-Rational::one());
    let quotient = |terms: &mut Terms, limit: &Linear, size: &Integer| {
        let (limit, size) = (terms.from_linear(limit, sort), terms.int(size.clone()));
        terms.div(limit, size)
    };
    let below = quotient(terms, &negated, &low.size);
    let (least, most) = (terms.neg(below), quotient(terms, &high.limit, &high.size));
    Some(terms.le(least, most))
}
