//! Destructive equality resolution: `∃x. x = t ∧ φ` is `φ[x := t]`.
//!
//! An equation is solved for a variable of any sort. An integer with a coefficient, `a·x = t`, is replaced by the quotient:
//! `t` must be a multiple of `a`, atoms that are linear in x are multiplied by `a`, and other occurrences become `t div a`.

use super::constraint::{Constraint, Relation, Use, classify, divisible, is_free_of, literal};
use crate::linear::Linear;
use crate::sort::Sort;
use crate::substitute::Substitution;
use crate::symbol::Symbol;
use crate::term::{Op, Term, Terms};
use crate::{Integer, Rational};
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;

/// What a variable is equal to.
enum Definition {
    Term(Term),
    /// An integer quotient; the denominator is larger than 1.
    Quotient(Linear, Integer),
}

/// Removes one variable that a conjunct defines; returns it and the other conjuncts after the replacement.
pub(super) fn resolve(
    terms: &mut Terms,
    conjuncts: &[Term],
    variables: &[Symbol],
) -> Option<(Symbol, Vec<Term>)> {
    let mut found: Option<(usize, Symbol, Definition)> = None;
    'search: for (position, &conjunct) in conjuncts.iter().enumerate() {
        for &variable in variables {
            match solve(terms, conjunct, variable) {
                Some(Definition::Term(term)) => {
                    found = Some((position, variable, Definition::Term(term)));
                    break 'search;
                }
                // A quotient is taken only if nothing better comes, and if it buries no other variable.
                Some(Definition::Quotient(numerator, denominator)) if found.is_none() => {
                    let others: Vec<Symbol> = variables.iter().copied().filter(|&v| v != variable).collect();
                    if is_free_of(terms, &numerator, &others)
                        || is_linear_everywhere(terms, conjuncts, variable)
                    {
                        found = Some((position, variable, Definition::Quotient(numerator, denominator)));
                    }
                }
                _ => {}
            }
        }
    }
    let (position, variable, definition) = found?;
    let others = conjuncts.iter().enumerate().filter(|(i, _)| *i != position).map(|(_, &c)| c);
    let replaced = match definition {
        Definition::Term(term) => {
            let mut substitution: Substitution = [(variable, term)].into_iter().collect();
            others.map(|conjunct| substitution.apply(terms, conjunct)).collect()
        }
        Definition::Quotient(numerator, denominator) => {
            let mut replaced: Vec<Term> =
                others.map(|c| at_quotient(terms, c, variable, &numerator, &denominator)).collect();
            replaced.push(divisible(terms, &numerator, &denominator));
            replaced
        }
    };
    Some((variable, replaced))
}

/// What a conjunct says that a variable is.
fn solve(terms: &mut Terms, conjunct: Term, variable: Symbol) -> Option<Definition> {
    let sort = terms.symbol_data(variable).sort;
    if sort.is_arithmetic() {
        let Use::Linear(Constraint { relation: Relation::Eq, coefficient, mut rest }) =
            classify(terms, conjunct, variable)
        else {
            return None;
        };
        if sort == Sort::REAL || coefficient.abs().is_one() {
            rest.scale(&-coefficient.recip());
            return Some(Definition::Term(terms.from_linear(&rest, sort)));
        }
        if coefficient.is_positive() {
            rest.scale(&-Rational::one());
        }
        return Some(Definition::Quotient(rest, coefficient.abs().to_integer()));
    }
    let (atom, negated) = match terms.op(conjunct) {
        Op::Not => (terms.args(conjunct)[0], true),
        _ => (conjunct, false),
    };
    if terms.as_symbol(atom) == Some(variable) {
        return Some(Definition::Term(terms.bool(!negated)));
    }
    let (Op::Eq, &[left, right]) = (terms.op(atom), terms.args(atom)) else { return None };
    if negated && sort != Sort::BOOL {
        return None;
    }
    let side = match (terms.as_symbol(left) == Some(variable), terms.as_symbol(right) == Some(variable)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    if terms.mentions(side, variable) {
        return None;
    }
    Some(Definition::Term(if negated { terms.not(side) } else { side }))
}

/// Does every atom that mentions the variable do so linearly?
fn is_linear_everywhere(terms: &Terms, conjuncts: &[Term], variable: Symbol) -> bool {
    conjuncts.iter().all(|&conjunct| !matches!(classify(terms, conjunct, variable), Use::Buried))
}

/// A formula with the integer `numerator / denominator`, which is a whole number, in place of a variable.
fn at_quotient(
    terms: &mut Terms,
    formula: Term,
    variable: Symbol,
    numerator: &Linear,
    denominator: &Integer,
) -> Term {
    let (dividend, divisor) = (terms.from_linear(numerator, Sort::INT), terms.int(denominator.clone()));
    let quotient = terms.div(dividend, divisor);
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    terms.transform(formula, &mut done, |terms, node| {
        if terms.as_symbol(node) == Some(variable) {
            return Some(quotient);
        }
        if terms.sort_of(node) == Sort::BOOL
            && let Use::Linear(constraint) = classify(terms, node, variable)
        {
            let (relation, linear) = constraint.at(numerator, denominator);
            return Some(literal(terms, &relation, linear, Sort::INT));
        }
        None
    })
}
