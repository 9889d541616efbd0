//! Projection of one number out of literals that are linear in it, by a model.
//!
//! The variable is replaced by a term that is as good as its value in the model. On reals it is the tightest lower bound,
//! or a little more if that is excluded (Loos and Weispfenning). On integers it is the first number from the tightest bound
//! on that has the right remainders, all remainders being those of the model (Cooper). Literals that say "different" are
//! first replaced by "smaller" or "larger", whatever the model says.

use super::constraint::{Constraint, Relation, Use, classify, divisible, literal};
use crate::evaluate::evaluate;
use crate::linear::Linear;
use crate::model::Model;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Term, Terms};
use crate::value::Value;
use crate::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::{One, Signed};

/// Literals without the variable that the model satisfies and that imply the given ones for some value of it. None if a
/// literal is not linear in the variable.
pub(super) fn project(
    terms: &mut Terms,
    model: &Model,
    literals: &[Term],
    variable: Symbol,
) -> Option<Vec<Term>> {
    let sort = terms.symbol_data(variable).sort;
    let value = match model.value(terms, variable) {
        Value::Int(value) => Rational::from_integer(value),
        Value::Real(value) => value,
        _ => return None,
    };
    let mut bounds: Vec<Constraint> = Vec::new();
    let mut remainders: Vec<(Integer, Constraint)> = Vec::new();
    for &literal in literals {
        let Use::Linear(mut constraint) = classify(terms, literal, variable) else { return None };
        let rest = value_of(terms, model, &constraint.rest, sort)?;
        let sum = &constraint.coefficient * &value + rest;
        match constraint.relation.clone() {
            Relation::Eq => return None,
            Relation::Le | Relation::Lt => bounds.push(constraint),
            Relation::Ne => {
                if sum.is_positive() {
                    constraint.coefficient = -constraint.coefficient;
                    constraint.rest.scale(&-Rational::one());
                }
                if sort == Sort::INT {
                    constraint.rest.constant += Rational::one();
                    constraint.relation = Relation::Le;
                } else {
                    constraint.relation = Relation::Lt;
                }
                bounds.push(constraint);
            }
            Relation::Divisible(modulus) => remainders.push((modulus, constraint)),
            Relation::Indivisible(modulus) => {
                constraint.rest.constant -= Rational::from_integer(sum.to_integer().mod_floor(&modulus));
                constraint.relation = Relation::Divisible(modulus.clone());
                remainders.push((modulus, constraint));
            }
        }
    }
    let projection = Projection { terms, model, sort, value, bounds };
    if sort == Sort::INT { projection.integer(remainders) } else { projection.real() }
}

/// The value of a linear term in a model.
fn value_of(terms: &mut Terms, model: &Model, linear: &Linear, sort: Sort) -> Option<Rational> {
    let term = terms.from_linear(linear, sort);
    match evaluate(terms, model, term) {
        Ok(Value::Int(value)) => Some(Rational::from_integer(value)),
        Ok(Value::Real(value)) => Some(value),
        _ => None,
    }
}

struct Projection<'t> {
    terms: &'t mut Terms,
    model: &'t Model,
    sort: Sort,
    value: Rational,
    bounds: Vec<Constraint>,
}

impl Projection<'_> {
    fn is_bounded_on_both_sides(&self) -> bool {
        self.bounds.iter().any(Constraint::is_lower) && self.bounds.iter().any(|bound| !bound.is_lower())
    }

    /// The tightest lower or upper bound in the model: its position, and the number it stands for.
    fn tightest(&mut self, lower: bool) -> Option<(usize, Rational)> {
        let mut best: Option<(usize, Rational, bool)> = None;
        for position in 0..self.bounds.len() {
            if self.bounds[position].is_lower() != lower {
                continue;
            }
            let (limit, size) = self.bounds[position].limit();
            let limit = value_of(self.terms, self.model, &limit, self.sort)? / Rational::from_integer(size);
            let strict = self.bounds[position].relation == Relation::Lt;
            let better = match &best {
                None => true,
                Some((_, old, old_strict)) => {
                    let tighter = if lower { limit > *old } else { limit < *old };
                    tighter || limit == *old && strict && !old_strict
                }
            };
            if better {
                best = Some((position, limit, strict));
            }
        }
        best.map(|(position, limit, _)| (position, limit))
    }

    fn real(mut self) -> Option<Vec<Term>> {
        if !self.is_bounded_on_both_sides() {
            return Some(Vec::new());
        }
        let (tightest, _) = self.tightest(true)?;
        let excluded = self.bounds[tightest].relation == Relation::Lt;
        let (limit, size) = self.bounds[tightest].limit();
        let mut result = Vec::new();
        for (position, bound) in self.bounds.iter().enumerate() {
            if position == tightest {
                continue;
            }
            let (_, linear) = bound.at(&limit, &size);
            // Another lower bound may lie exactly at an excluded limit, as the variable is a little more than that.
            let strict = match bound.is_lower() {
                true => bound.relation == Relation::Lt && !excluded,
                false => bound.relation == Relation::Lt || excluded,
            };
            let relation = if strict { Relation::Lt } else { Relation::Le };
            result.push(literal(self.terms, &relation, linear, self.sort));
        }
        Some(result)
    }

    fn integer(mut self, remainders: Vec<(Integer, Constraint)>) -> Option<Vec<Term>> {
        // Numbers that differ by a multiple of the period have the same remainders.
        let period = remainders.iter().fold(Integer::one(), |period, (modulus, constraint)| {
            let modulus = modulus / modulus.gcd(constraint.coefficient.numer());
            period.lcm(&modulus)
        });
        let value = self.value.to_integer();
        let (numerator, denominator, mut result) = if self.is_bounded_on_both_sides() {
            self.near_bound(&value, &period)?
        } else {
            self.bounds.clear();
            let constant = Rational::from_integer(value.mod_floor(&period));
            (Linear::constant(constant), Integer::one(), Vec::new())
        };
        for constraint in self.bounds.iter().chain(remainders.iter().map(|(_, constraint)| constraint)) {
            let (relation, linear) = constraint.at(&numerator, &denominator);
            result.push(literal(self.terms, &relation, linear, Sort::INT));
        }
        Some(result)
    }

    /// The quotient that replaces the variable: the first number from the tightest bound on that has the remainders of the
    /// value, and what makes it a whole number.
    fn near_bound(&mut self, value: &Integer, period: &Integer) -> Option<(Linear, Integer, Vec<Term>)> {
        // The side with fewer coefficients to multiply by, then with fewer bounds.
        let weight = |lower: bool| {
            let side = self.bounds.iter().filter(|bound| bound.is_lower() == lower);
            let non_unit = side.clone().filter(|bound| !bound.coefficient.abs().is_one()).count();
            (non_unit, side.count())
        };
        let lower = weight(true) <= weight(false);
        let (position, tightest) = self.tightest(lower)?;
        let (mut limit, size) = self.bounds[position].limit();
        let nearest = if lower { tightest.ceil() } else { tightest.floor() };
        // From the limit to the next multiple of the size, and on to the right remainders.
        let rounding = (&nearest - &tightest) * Rational::from_integer(size.clone());
        limit.constant += &rounding;
        let whole = divisible(self.terms, &limit, &size);
        let nearest = nearest.to_integer();
        let steps =
            if lower { (value - nearest).mod_floor(period) } else { -(nearest - value).mod_floor(period) };
        limit.constant += Rational::from_integer(&steps * &size);
        debug_assert!(rounding.is_integer());
        let result = if whole.is_true() { Vec::new() } else { vec![whole] };
        Some((limit, size, result))
    }
}
