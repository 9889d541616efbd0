//! The values that a conjunction of atoms leaves to one sum: an interval with holes.

use crate::sort::Sort;
use crate::term::{Op, Term, Terms};
use crate::{Integer, Rational};
use num_traits::One;

/// One end of an interval.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct End {
    pub(crate) value: Rational,
    /// Is the value itself excluded? Never on integers.
    pub(crate) strict: bool,
}

/// An interval with holes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Range {
    pub(crate) lower: Option<End>,
    pub(crate) upper: Option<End>,
    pub(crate) holes: Vec<Rational>,
}

/// What an atom or its negation says about its sum.
pub(crate) enum Restriction {
    Lower(End),
    Upper(End),
    Exactly(Rational),
    Not(Rational),
}

/// The sum that a literal is about and what it says, if it compares a sum with a number.
pub(crate) fn restriction(terms: &Terms, literal: Term) -> Option<(Term, Restriction)> {
    let (atom, negated) = match terms.op(literal) {
        Op::Not => (terms.args(literal)[0], true),
        _ => (literal, false),
    };
    let (op, &[sum, number]) = (terms.op(atom), terms.args(atom)) else { return None };
    if !matches!(op, Op::Le | Op::Lt | Op::Eq) {
        return None;
    }
    let value = terms.as_number(number)?.clone();
    let restriction = match (op, negated) {
        (Op::Le, false) => Restriction::Upper(End { value, strict: false }),
        (Op::Le, true) if terms.sort_of(sum) == Sort::INT => {
            Restriction::Lower(End { value: value + Rational::one(), strict: false })
        }
        (Op::Le, true) => Restriction::Lower(End { value, strict: true }),
        (Op::Lt, false) => Restriction::Upper(End { value, strict: true }),
        (Op::Lt, true) => Restriction::Lower(End { value, strict: false }),
        (_, false) => Restriction::Exactly(value),
        (_, true) => Restriction::Not(value),
    };
    Some((sum, restriction))
}

impl Range {
    /// Restricts the range.
    pub(crate) fn restrict(&mut self, restriction: Restriction) {
        match restriction {
            Restriction::Lower(end) => {
                if self.lower.as_ref().is_none_or(|old| (&old.value, old.strict) < (&end.value, end.strict)) {
                    self.lower = Some(end);
                }
            }
            Restriction::Upper(end) => {
                if self.upper.as_ref().is_none_or(|old| (&old.value, !old.strict) > (&end.value, !end.strict))
                {
                    self.upper = Some(end);
                }
            }
            Restriction::Exactly(value) => {
                self.restrict(Restriction::Lower(End { value: value.clone(), strict: false }));
                self.restrict(Restriction::Upper(End { value, strict: false }));
            }
            Restriction::Not(value) => self.holes.push(value),
        }
    }

    /// Moves ends that are holes, and drops holes that are not inside.
    pub(crate) fn normalize(&mut self, sort: Sort) {
        self.holes.sort_unstable();
        self.holes.dedup();
        let one: Integer = Integer::one();
        let mut holes = std::mem::take(&mut self.holes);
        if let Some(lower) = &mut self.lower {
            holes.retain(|hole| {
                if *hole == lower.value && sort == Sort::INT {
                    lower.value += &one;
                } else if *hole == lower.value {
                    lower.strict = true;
                }
                *hole > lower.value
            });
        }
        if let Some(upper) = &mut self.upper {
            holes.reverse();
            holes.retain(|hole| {
                if *hole == upper.value && sort == Sort::INT {
                    upper.value -= &one;
                } else if *hole == upper.value {
                    upper.strict = true;
                }
                *hole < upper.value
            });
            holes.reverse();
        }
        self.holes = holes;
    }

    /// Is there certainly no value? Exact after [`normalize`](Range::normalize).
    pub(crate) fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) => {
                lower.value > upper.value || lower.value == upper.value && (lower.strict || upper.strict)
            }
            _ => false,
        }
    }

    /// The only value, if there is only one.
    pub(crate) fn single(&self) -> Option<&Rational> {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) if lower == upper && !lower.strict => Some(&lower.value),
            _ => None,
        }
    }

    /// Is a comparison of the sum with a number, `op` being `Le`, `Lt` or `Eq`, decided by the range?
    pub(crate) fn decides(&self, op: Op, number: &Rational) -> Option<bool> {
        let all_below = |strictly: bool| {
            self.upper.as_ref().is_some_and(|upper| {
                upper.value < *number || upper.value == *number && (!strictly || upper.strict)
            })
        };
        let all_above = |strictly: bool| {
            self.lower.as_ref().is_some_and(|lower| {
                lower.value > *number || lower.value == *number && (!strictly || lower.strict)
            })
        };
        match op {
            Op::Le if all_below(false) => Some(true),
            Op::Le if all_above(true) => Some(false),
            Op::Lt if all_below(true) => Some(true),
            Op::Lt if all_above(false) => Some(false),
            Op::Eq if all_below(true) || all_above(true) || self.holes.contains(number) => Some(false),
            Op::Eq if self.single() == Some(number) => Some(true),
            _ => None,
        }
    }

    /// The literals that say the same about a sum.
    pub(crate) fn literals(&self, terms: &mut Terms, sum: Term) -> Vec<Term> {
        let sort = terms.sort_of(sum);
        if let Some(value) = self.single() {
            let value = terms.numeral(value.clone(), sort);
            return vec![terms.eq(sum, value)];
        }
        let mut literals = Vec::new();
        if let Some(End { value, strict }) = &self.lower {
            let value = terms.numeral(value.clone(), sort);
            literals.push(if *strict { terms.gt(sum, value) } else { terms.ge(sum, value) });
        }
        if let Some(End { value, strict }) = &self.upper {
            let value = terms.numeral(value.clone(), sort);
            literals.push(if *strict { terms.lt(sum, value) } else { terms.le(sum, value) });
        }
        for hole in &self.holes {
            let hole = terms.numeral(hole.clone(), sort);
            let equal = terms.eq(sum, hole);
            literals.push(terms.not(equal));
        }
        literals
    }
}
