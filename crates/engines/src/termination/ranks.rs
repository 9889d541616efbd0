//! Ranks as terms, and when they become smaller.

use super::synthesis::{Affine, Entry};
use crate::horn::Class;
use logic::{Rational, Sort, Term, Terms};
use num_traits::{One, Zero};

/// The entries of a rank at a class, over the state there.
pub fn entries_at(
    entries: &[Entry],
    class: Class,
    features: &[Term],
    sort: Sort,
    terms: &mut Terms,
) -> Vec<Term> {
    let mut found = Vec::with_capacity(entries.len());
    for entry in entries {
        found.push(match entry {
            Entry::Plain(affine) => affine_at(affine, class, features, sort, terms),
            Entry::Clamped(affine) => {
                let value = affine_at(affine, class, features, sort, terms);
                let (zero, one) =
                    (terms.numeral(Rational::zero(), sort), terms.numeral(Rational::one(), sort));
                let (more, not_negative) = (terms.add(&[value, one]), terms.ge(value, zero));
                terms.ite(not_negative, more, zero)
            }
        });
    }
    found
}

fn affine_at(affine: &Affine, class: Class, features: &[Term], sort: Sort, terms: &mut Terms) -> Term {
    let (coefficients, constant) = &affine.of_class[&class];
    let mut summands = vec![terms.numeral(Rational::from_integer(constant.clone()), sort)];
    for (coefficient, &feature) in coefficients.iter().zip(features) {
        summands.push(terms.scaled(feature, &Rational::from_integer(coefficient.clone())));
    }
    terms.add(&summands)
}

/// The second rank is smaller than the first: some entry was not negative and sinks by one or more, and no entry before it
/// grows.
pub fn becomes_smaller(before: &[Term], after: &[Term], terms: &mut Terms) -> Term {
    let mut smaller = Term::FALSE;
    for (&before, &after) in before.iter().zip(after).rev() {
        let sort = terms.sort_of(before);
        let (zero, one) = (terms.numeral(Rational::zero(), sort), terms.numeral(Rational::one(), sort));
        let (not_negative, less_one) = (terms.ge(before, zero), terms.sub(before, one));
        let (sinks, stays) = (terms.le(after, less_one), terms.le(after, before));
        let sinks = terms.and([not_negative, sinks]);
        let later = terms.and([stays, smaller]);
        smaller = terms.or([sinks, later]);
    }
    smaller
}
