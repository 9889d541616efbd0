//! Canonical Boolean terms.
//!
//! * Conjunctions and disjunctions are flat, sorted by id, without repetitions, without `true` and `false`,
//!   and never contain a formula together with its negation.
//! * Negation stands only before atoms, equivalences and quantifiers: it is pushed through `and` and `or`.
//! * An equivalence has no negated argument; an if-then-else has no negated condition.
//!
//! A negation is computed once per node, so negating a formula costs at most its number of distinct nodes.

use crate::sort::Sort;
use crate::term::{Op, Term, Terms};

impl Terms {
    /// `true` or `false`.
    pub fn bool(&self, value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    /// The negation of a formula.
    pub fn not(&mut self, formula: Term) -> Term {
        debug_assert_eq!(self.sort_of(formula), Sort::BOOL);
        if let Some(negation) = self.cached_negation(formula) {
            return negation;
        }
        let mut pending = vec![formula];
        while let Some(&top) = pending.last() {
            if self.cached_negation(top).is_some() {
                pending.pop();
                continue;
            }
            let negation = match self.op(top) {
                Op::True => Term::FALSE,
                Op::False => Term::TRUE,
                Op::Not => self.args(top)[0],
                Op::And | Op::Or => {
                    let before = pending.len();
                    let unknown = self.args(top).iter().filter(|&&a| self.cached_negation(a).is_none());
                    pending.extend(unknown);
                    if pending.len() > before {
                        continue;
                    }
                    let negated: Vec<Term> = self
                        .args(top)
                        .iter()
                        .map(|&a| self.cached_negation(a).expect("the arguments were negated first"))
                        .collect();
                    if self.op(top) == Op::And { self.or(negated) } else { self.and(negated) }
                }
                _ => self.intern(Op::Not, &[top], Sort::BOOL),
            };
            self.remember_negation(top, negation);
            pending.pop();
        }
        self.cached_negation(formula).expect("it was just computed")
    }

    /// The conjunction of formulas; `true` if there are none.
    pub fn and(&mut self, formulas: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Op::And, formulas)
    }

    /// The disjunction of formulas; `false` if there are none.
    pub fn or(&mut self, formulas: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Op::Or, formulas)
    }

    fn junction(&mut self, op: Op, formulas: impl IntoIterator<Item = Term>) -> Term {
        let (unit, zero) = if op == Op::And { (Term::TRUE, Term::FALSE) } else { (Term::FALSE, Term::TRUE) };
        let mut flat: Vec<Term> = Vec::new();
        for formula in formulas {
            debug_assert_eq!(self.sort_of(formula), Sort::BOOL);
            if formula == zero {
                return zero;
            } else if self.op(formula) == op {
                flat.extend_from_slice(self.args(formula));
            } else if formula != unit {
                flat.push(formula);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let contradicts = |&formula: &Term| match self.cached_negation(formula) {
            Some(negation) => flat.binary_search(&negation).is_ok(),
            None => false,
        };
        if flat.iter().any(contradicts) {
            return zero;
        }
        match flat[..] {
            [] => unit,
            [single] => single,
            _ => self.intern(op, &flat, Sort::BOOL),
        }
    }

    /// If `premise` then `conclusion`.
    pub fn implies(&mut self, premise: Term, conclusion: Term) -> Term {
        let refuted = self.not(premise);
        self.or([refuted, conclusion])
    }

    /// Are two terms of one sort equal?
    pub fn eq(&mut self, left: Term, right: Term) -> Term {
        let sort = self.sort_of(left);
        debug_assert_eq!(sort, self.sort_of(right), "{left} = {right}");
        if left == right {
            Term::TRUE
        } else if sort == Sort::BOOL {
            self.iff(left, right)
        } else if sort.is_arithmetic() {
            self.arithmetic_eq(left, right)
        } else if self.is_literal_value(left) && self.is_literal_value(right) {
            Term::FALSE
        } else {
            let (first, second) = if left < right { (left, right) } else { (right, left) };
            self.intern(Op::Eq, &[first, second], Sort::BOOL)
        }
    }

    fn iff(&mut self, left: Term, right: Term) -> Term {
        match (left, right) {
            (Term::TRUE, other) | (other, Term::TRUE) => return other,
            (Term::FALSE, other) | (other, Term::FALSE) => return self.not(other),
            _ => {}
        }
        // Of a formula and its negation, the one with the smaller id stands in the equivalence.
        let (left, flipped_left) = self.polarity(left);
        let (right, flipped_right) = self.polarity(right);
        let equal = if left == right {
            Term::TRUE
        } else {
            let (first, second) = if left < right { (left, right) } else { (right, left) };
            self.intern(Op::Eq, &[first, second], Sort::BOOL)
        };
        if flipped_left == flipped_right { equal } else { self.not(equal) }
    }

    /// The representative of a formula and its negation, and whether it is the negation.
    fn polarity(&mut self, formula: Term) -> (Term, bool) {
        let negation = self.not(formula);
        if self.op(formula) == Op::Not || (self.op(negation) != Op::Not && negation < formula) {
            (negation, true)
        } else {
            (formula, false)
        }
    }

    /// Do all terms have different values?
    pub fn distinct(&mut self, terms: &[Term]) -> Term {
        let mut all = Vec::new();
        for (i, &left) in terms.iter().enumerate() {
            for &right in &terms[i + 1..] {
                let equal = self.eq(left, right);
                all.push(self.not(equal));
            }
        }
        self.and(all)
    }

    /// `then` where the condition holds, `otherwise` where it does not.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let sort = self.sort_of(then);
        debug_assert_eq!(sort, self.sort_of(otherwise));
        let (condition, flipped) = self.polarity(condition);
        let (then, otherwise) = if flipped { (otherwise, then) } else { (then, otherwise) };
        match condition {
            Term::TRUE => return then,
            Term::FALSE => return otherwise,
            _ if then == otherwise => return then,
            _ => {}
        }
        if sort == Sort::BOOL {
            self.bool_ite(condition, then, otherwise)
        } else {
            self.intern(Op::Ite, &[condition, then, otherwise], sort)
        }
    }

    fn bool_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let refuted = self.not(condition);
        // Inside a branch the condition itself is known.
        let known = |branch: Term, holds: bool| match branch {
            _ if branch == condition => Some(holds),
            _ if branch == refuted => Some(!holds),
            Term::TRUE => Some(true),
            Term::FALSE => Some(false),
            _ => None,
        };
        match (known(then, true), known(otherwise, false)) {
            (Some(true), Some(true)) => Term::TRUE,
            (Some(false), Some(false)) => Term::FALSE,
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => refuted,
            (Some(true), None) => self.or([condition, otherwise]),
            (Some(false), None) => self.and([refuted, otherwise]),
            (None, Some(true)) => self.or([refuted, then]),
            (None, Some(false)) => self.and([condition, then]),
            (None, None) => {
                let negated = self.not(then);
                if negated == otherwise {
                    self.iff(condition, then)
                } else {
                    self.intern(Op::Ite, &[condition, then, otherwise], Sort::BOOL)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms() -> (Terms, Term, Term, Term) {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.named(name, Sort::BOOL));
        (terms, a, b, c)
    }

    #[test]
    fn junctions_are_flat_sorted_and_free_of_repetitions() {
        let (mut terms, a, b, c) = atoms();
        let bc = terms.and([c, b]);
        let left = terms.and([bc, a, Term::TRUE, a]);
        let ab = terms.and([a, b]);
        let right = terms.and([ab, c]);
        assert_eq!(left, right);
        assert_eq!(terms.args(left), [a, b, c]);
        let not_b = terms.not(b);
        assert_eq!(terms.and([left, not_b]), Term::FALSE);
        assert_eq!(terms.or([not_b, c, b]), Term::TRUE);
    }

    #[test]
    fn negation_goes_to_the_atoms() {
        let (mut terms, a, b, c) = atoms();
        let bc = terms.or([b, c]);
        let formula = terms.and([a, bc]);
        let negation = terms.not(formula);
        let [na, nb, nc] = [a, b, c].map(|x| terms.not(x));
        let inner = terms.and([nb, nc]);
        assert_eq!(negation, terms.or([na, inner]));
        assert_eq!(terms.not(negation), formula);
    }

    #[test]
    fn deep_formulas_are_negated_without_recursion() {
        let (mut terms, a, b, _) = atoms();
        let mut formula = a;
        for i in 0..100_000 {
            let atom = if i % 2 == 0 { b } else { a };
            let fresh = terms.fresh_symbol("d", Sort::BOOL);
            let fresh = terms.constant(fresh);
            let pair = terms.or([atom, fresh]);
            formula = if i % 2 == 0 { terms.and([formula, pair]) } else { terms.or([formula, fresh]) };
        }
        let negation = terms.not(formula);
        assert_eq!(terms.not(negation), formula);
    }

    #[test]
    fn equivalences_have_no_negated_argument() {
        let (mut terms, a, b, _) = atoms();
        let [na, nb] = [a, b].map(|x| terms.not(x));
        let equal = terms.eq(a, b);
        assert_eq!(terms.eq(na, nb), equal);
        let different = terms.not(equal);
        assert_eq!(terms.eq(na, b), different);
        assert_eq!(terms.eq(a, na), Term::FALSE);
        assert_eq!(terms.ite(a, nb, b), different);
    }
}
