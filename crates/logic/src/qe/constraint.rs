//! Literals as constraints on one arithmetic variable.

use crate::linear::Linear;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Op, Term, Terms};
use crate::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::{One, Signed};

/// How `coefficient · x + rest` is related to zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Le,
    /// Only on reals.
    Lt,
    Eq,
    Ne,
    /// It is a multiple of this positive number.
    Divisible(Integer),
    Indivisible(Integer),
}

/// `coefficient · x + rest` related to zero; `rest` is without x.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Constraint {
    pub(super) relation: Relation,
    pub(super) coefficient: Rational,
    pub(super) rest: Linear,
}

/// How a literal mentions a variable.
pub(super) enum Use {
    /// Not at all.
    Absent,
    Linear(Constraint),
    /// In some other way: inside an array, a function, a product, a remainder that is no divisibility, ….
    Buried,
}

/// How a literal mentions an arithmetic variable.
pub(super) fn classify(terms: &Terms, literal: Term, variable: Symbol) -> Use {
    if !terms.mentions(literal, variable) {
        return Use::Absent;
    }
    let Some((relation, mut linear)) = relation(terms, literal) else { return Use::Buried };
    let coefficient = linear
        .monomials
        .iter()
        .position(|(term, _)| terms.as_symbol(*term) == Some(variable))
        .map(|position| linear.monomials.remove(position).1);
    match coefficient {
        Some(coefficient) if !mentions_any(terms, &linear, variable) => {
            Use::Linear(Constraint { relation, coefficient, rest: linear })
        }
        _ => Use::Buried,
    }
}

fn mentions_any(terms: &Terms, linear: &Linear, variable: Symbol) -> bool {
    linear.monomials.iter().any(|(term, _)| terms.mentions(*term, variable))
}

/// What an arithmetic literal says about a sum: how it is related to zero.
pub(crate) fn relation(terms: &Terms, literal: Term) -> Option<(Relation, Linear)> {
    let (atom, negated) = match terms.op(literal) {
        Op::Not => (terms.args(literal)[0], true),
        _ => (literal, false),
    };
    let op = terms.op(atom);
    let &[sum, number] = terms.args(atom) else { return None };
    if !matches!(op, Op::Le | Op::Lt | Op::Eq) || !terms.sort_of(sum).is_arithmetic() {
        return None;
    }
    if let (Op::Eq, Some((modulus, dividend))) = (op, divisibility(terms, sum)) {
        let relation = if negated { Relation::Indivisible(modulus) } else { Relation::Divisible(modulus) };
        return Some((relation, terms.linear(dividend).minus(&terms.linear(number))));
    }
    let mut linear = terms.linear(sum).minus(&terms.linear(number));
    let relation = match (op, negated) {
        (Op::Le, false) => Relation::Le,
        (Op::Lt, false) => Relation::Lt,
        (Op::Eq, false) => Relation::Eq,
        (Op::Eq, true) => Relation::Ne,
        (_, _) => {
            linear.scale(&-Rational::one());
            if terms.sort_of(sum) == Sort::INT {
                linear.constant += Rational::one();
            }
            if op == Op::Lt || terms.sort_of(sum) == Sort::INT { Relation::Le } else { Relation::Lt }
        }
    };
    Some((relation, linear))
}

/// The modulus and the dividend of a remainder by a positive literal.
pub(super) fn divisibility(terms: &Terms, term: Term) -> Option<(Integer, Term)> {
    let (Op::Mod, &[dividend, divisor]) = (terms.op(term), terms.args(term)) else { return None };
    let modulus = terms.as_integer(divisor).filter(|modulus| modulus.is_positive())?;
    Some((modulus.clone(), dividend))
}

/// The literal that a sum is related to zero.
pub(super) fn literal(terms: &mut Terms, relation: &Relation, mut linear: Linear, sort: Sort) -> Term {
    match relation {
        Relation::Le => terms.at_most_zero(linear, sort),
        Relation::Lt => {
            linear.scale(&-Rational::one());
            let at_least_zero = terms.at_most_zero(linear, sort);
            terms.not(at_least_zero)
        }
        Relation::Eq => terms.equals_zero(linear, sort),
        Relation::Ne => {
            let equal = terms.equals_zero(linear, sort);
            terms.not(equal)
        }
        Relation::Divisible(modulus) => divisible(terms, &linear, modulus),
        Relation::Indivisible(modulus) => {
            let divisible = divisible(terms, &linear, modulus);
            terms.not(divisible)
        }
    }
}

/// The literal that a sum of integers is a multiple of a positive number.
pub(super) fn divisible(terms: &mut Terms, linear: &Linear, modulus: &Integer) -> Term {
    let common = linear.content().gcd(modulus);
    let mut sum = linear.clone();
    sum.scale(&Rational::new(Integer::one(), common.clone()));
    let modulus = modulus / common;
    // The constant goes to the other side, so that a remainder is compared with a number.
    let constant = std::mem::take(&mut sum.constant);
    if !constant.is_integer() {
        return Term::FALSE;
    }
    let dividend = terms.from_linear(&sum, Sort::INT);
    let (modulus, rest) = (terms.int(modulus), terms.numeral(-constant, Sort::INT));
    let (left, right) = (terms.modulo(dividend, modulus), terms.modulo(rest, modulus));
    terms.eq(left, right)
}

impl Constraint {
    /// The constraint with a term in place of the variable: `numerator / denominator`, the denominator being positive.
    /// For integers the quotient must be one; divisibility is kept exact by scaling it.
    pub(super) fn at(&self, numerator: &Linear, denominator: &Integer) -> (Relation, Linear) {
        let mut linear = self.rest.clone();
        linear.scale(&Rational::from_integer(denominator.clone()));
        linear.add_scaled(numerator, &self.coefficient);
        let relation = match &self.relation {
            Relation::Divisible(modulus) => Relation::Divisible(modulus * denominator),
            Relation::Indivisible(modulus) => Relation::Indivisible(modulus * denominator),
            other => other.clone(),
        };
        (relation, linear)
    }

    /// Is it a bound from below? Only for `Le` and `Lt`.
    pub(super) fn is_lower(&self) -> bool {
        self.coefficient.is_negative()
    }

    /// The bound as `limit / size`: the variable is at least, or at most, that.
    pub(super) fn limit(&self) -> (Linear, Integer) {
        // c·x + r ≤ 0 is |c|·x ≥ r for negative c, and c·x ≤ -r for positive c.
        let mut limit = self.rest.clone();
        if self.coefficient.is_positive() {
            limit.scale(&-Rational::one());
        }
        let mut size = self.coefficient.abs();
        if !size.is_integer() {
            limit.scale(&size.recip());
            size = Rational::one();
        }
        (limit, size.to_integer())
    }
}

/// Is a linear term free of the variables in question?
pub(super) fn is_free_of(terms: &Terms, linear: &Linear, variables: &[Symbol]) -> bool {
    let roots: Vec<Term> = linear.monomials.iter().map(|(term, _)| *term).collect();
    roots.is_empty() || terms.free_symbols_of(&roots).iter().all(|symbol| !variables.contains(symbol))
}
