//! Simplification of formulas in the context of their neighbours.
//!
//! In a conjunction, every conjunct is simplified under the others: atoms that the others decide become `true` or `false`,
//! a term that is equal to a literal is replaced by it, and atoms about one sum are joined into the interval that they
//! describe (`s ≤ 3 ∧ s ≤ 5` is `s ≤ 3`, `s ≤ 3 ∧ s ≥ 3` is `s = 3`). Disjunctions are treated as negated conjunctions of
//! negations.
//!
//! The result means the same as the input and never has more distinct nodes. Work is bounded by a multiple of the input's
//! distinct nodes: what is left when the effort is used up, or lies too deep, stays as it is. So simplification is linear,
//! and shared formulas do no harm.

mod facts;
pub(crate) mod range;

use crate::sort::Sort;
use crate::term::{Op, Term, Terms};
use facts::Facts;
use range::{Range, restriction};
use rustc_hash::FxHashMap;

/// Nested conjunctions and disjunctions are simplified down to this depth.
const DEPTH: u32 = 50;
/// How many nodes may be visited for every distinct node of the input.
const EFFORT: u64 = 20;
/// How often the conjuncts of one conjunction are looked at.
const ROUNDS: usize = 4;

/// A formula that means the same and is not larger. Terms of other sorts stay as they are.
pub fn simplify(terms: &mut Terms, formula: Term) -> Term {
    if terms.sort_of(formula) != Sort::BOOL {
        return formula;
    }
    let size = terms.dag_size(formula);
    let mut simplifier = Simplifier { terms, effort: EFFORT * size as u64 + 100 };
    let simple = simplifier.formula(formula, 0);
    if terms.dag_size(simple) <= size { simple } else { formula }
}

struct Simplifier<'t> {
    terms: &'t mut Terms,
    effort: u64,
}

impl Simplifier<'_> {
    fn formula(&mut self, formula: Term, depth: u32) -> Term {
        if depth > DEPTH || self.effort == 0 {
            return formula;
        }
        self.effort -= 1;
        match (self.terms.op(formula), self.terms.args(formula)) {
            (Op::And, conjuncts) => {
                let conjuncts = conjuncts.to_vec();
                self.conjunction(conjuncts, depth)
            }
            (Op::Or, disjuncts) => {
                let disjuncts = disjuncts.to_vec();
                let negated = disjuncts.into_iter().map(|disjunct| self.terms.not(disjunct)).collect();
                let conjunction = self.conjunction(negated, depth);
                self.terms.not(conjunction)
            }
            (Op::Not, &[inner]) => {
                let inner = self.formula(inner, depth + 1);
                self.terms.not(inner)
            }
            (Op::Eq, &[left, right]) if self.terms.sort_of(left) == Sort::BOOL => {
                let (left, right) = (self.formula(left, depth + 1), self.formula(right, depth + 1));
                self.terms.eq(left, right)
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let condition = self.formula(condition, depth + 1);
                let then = self.under(condition, then, depth);
                let refuted = self.terms.not(condition);
                let otherwise = self.under(refuted, otherwise, depth);
                self.terms.ite(condition, then, otherwise)
            }
            (Op::Quantified(..), &[body, ..]) => {
                let body = self.formula(body, depth + 1);
                self.terms.with_body(formula, body, false)
            }
            _ => formula,
        }
    }

    /// A formula under a condition that holds.
    fn under(&mut self, condition: Term, formula: Term, depth: u32) -> Term {
        let mut facts = Facts::default();
        for fact in self.terms.conjuncts(condition) {
            facts.add(self.terms, fact);
        }
        facts.add_known(self.terms, condition);
        let rewritten = facts.rewrite(self.terms, formula, None, &mut self.effort);
        self.formula(rewritten, depth + 1)
    }

    /// The conjunction of formulas, each simplified under the others.
    fn conjunction(&mut self, mut conjuncts: Vec<Term>, depth: u32) -> Term {
        for _ in 0..ROUNDS {
            let Some(joined) = self.join_ranges(&conjuncts) else { return Term::FALSE };
            let next = self.round(joined, depth);
            let whole = self.terms.and(next);
            let next = self.terms.conjuncts(whole);
            if whole.is_false() || next == conjuncts || self.effort == 0 {
                return whole;
            }
            conjuncts = next;
        }
        self.terms.and(conjuncts)
    }

    /// Joins the atoms about each sum. None if a sum has no value left.
    fn join_ranges(&mut self, conjuncts: &[Term]) -> Option<Vec<Term>> {
        let mut position: FxHashMap<Term, usize> = FxHashMap::default();
        let mut ranges: Vec<(Term, Range, Vec<Term>)> = Vec::new();
        let mut joined: Vec<Term> = Vec::new();
        for &conjunct in conjuncts {
            let Some((sum, restriction)) = restriction(self.terms, conjunct) else {
                joined.push(conjunct);
                continue;
            };
            let at = *position.entry(sum).or_insert_with(|| {
                ranges.push((sum, Range::default(), Vec::new()));
                ranges.len() - 1
            });
            ranges[at].1.restrict(restriction);
            ranges[at].2.push(conjunct);
        }
        for (sum, mut range, literals) in ranges {
            if literals.len() == 1 {
                joined.extend(literals);
                continue;
            }
            range.normalize(self.terms.sort_of(sum));
            if range.is_empty() {
                return None;
            }
            joined.extend(range.literals(self.terms, sum));
        }
        Some(joined)
    }

    /// Simplifies each formula under the others once.
    ///
    /// Literals are rewritten under each other as they were before the round. That is no circle: what one literal says
    /// about a term changes only literals with larger terms. The other formulas come after that, one by one, each under
    /// the literals and what the others are at that time.
    fn round(&mut self, mut conjuncts: Vec<Term>, depth: u32) -> Vec<Term> {
        let (mut literals, mut others): (Vec<Term>, Vec<Term>) =
            conjuncts.drain(..).partition(|&conjunct| self.is_literal(conjunct));
        let mut facts = Facts::default();
        for &literal in &literals {
            facts.add(self.terms, literal);
        }
        for literal in &mut literals {
            *literal = facts.rewrite(self.terms, *literal, Some(*literal), &mut self.effort);
        }
        for &other in &others {
            facts.add_known(self.terms, other);
        }
        for other in &mut others {
            facts.remove_known(self.terms, *other);
            *other = facts.rewrite(self.terms, *other, None, &mut self.effort);
            *other = self.formula(*other, depth + 1);
            facts.add_known(self.terms, *other);
        }
        conjuncts.extend(literals);
        conjuncts.extend(others);
        conjuncts
    }

    fn is_literal(&self, formula: Term) -> bool {
        let atom = match self.terms.op(formula) {
            Op::Not => self.terms.args(formula)[0],
            _ => formula,
        };
        match self.terms.op(atom) {
            Op::And | Op::Or | Op::Ite | Op::Quantified(..) => false,
            Op::Eq => self.terms.sort_of(self.terms.args(atom)[0]) != Sort::BOOL,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::infix;
    use crate::smtlib::parse;

    fn simple(formula: &str) -> String {
        let mut terms = Terms::new();
        let text = format!(
            "(declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
             (declare-const x Int) (declare-const y Int) (declare-const u Real) (declare-const b (_ BitVec 8))
             (declare-const a (Array Int Int)) (declare-fun f (Int) Int)
             (assert {formula})"
        );
        let script = parse::script(&mut terms, &text).unwrap_or_else(|error| panic!("{formula}: {error}"));
        let formula = script.assertions().next().expect("there is an assertion");
        let simple = simplify(&mut terms, formula);
        infix(&terms, simple)
    }

    #[test]
    fn conjuncts_are_simplified_under_each_other() {
        let cases = [
            ("(and (<= x 3) (<= x 5))", "x <= 3"),
            ("(and (<= x 3) (not (<= x 2)))", "x == 3"),
            ("(and (<= x 3) (>= x 4))", "false"),
            ("(and (<= (+ x y) 3) (<= (+ x y) 5) p)", "p && x + y <= 3"),
            ("(and (<= x 3) (not (= x 3)) (not (= x 2)))", "x <= 1"),
            ("(and (<= x 3) (not (= x 7)))", "x <= 3"),
            ("(and (>= x 1) (<= x 3) (not (= x 1)) (not (= x 2)) (not (= x 3)))", "false"),
            ("(and (<= u 3.0) (>= u 3.0))", "u == 3.0"),
            ("(and (<= u 3.0) (not (= u 3.0)))", "u < 3.0"),
            ("(and (< u 3.0) (>= u 3.0))", "false"),
            ("(or (<= x 3) (<= x 5))", "x <= 5"),
            ("(or (<= x 3) (> x 2))", "true"),
            ("(or (< x 3) (= x 3))", "x <= 3"),
            ("(or (< x 3) (> x 3))", "x != 3"),
            ("(and p (or (not p) q))", "p && q"),
            ("(and p (or p q))", "p"),
            ("(or p (and p q))", "p"),
            ("(and (= x 5) (<= (+ x y) 7))", "x == 5 && y <= 2"),
            ("(and (= x 5) (= y (+ x 1)) (or p (< (+ x y) 11)))", "p && x == 5 && y == 6"),
            ("(and (= x 1) (= (select a x) 2) (= (f (select a 1)) y))", "x == 1 && a[1] == 2 && y == f(2)"),
            ("(and (= b #x05) (bvult b #x03))", "false"),
            ("(and (<= x 3) (or q (<= x 4)))", "x <= 3"),
            ("(and (<= x 3) (or q (> x 4)))", "q && x <= 3"),
            ("(and (<= x 3) (= y (ite (<= x 4) 1 2)))", "x <= 3 && y == 1"),
            ("(and p (= q p))", "p && q"),
            ("(and p (ite p q r))", "p && q"),
            ("(ite (= x 1) (= (+ x y) 3) (= x 1))", "x == 1 && y == 2"),
            ("(and p (or q (and r (or (not p) (not q) (not r)))))", "p && (q || r)"),
            ("(or q (and r (or q r)))", "q || r"),
            ("(and p (forall ((k Int)) (or (not p) (= (f k) x))))", "p && (forall k: int :: x == f(k))"),
            (
                "(forall ((k Int)) (and (<= k x) (= x 1) (forall ((j Int)) (= (f j) k))))",
                "(forall k: int :: x == 1 && (forall j: int :: f(j) == k) && k <= 1)",
            ),
        ];
        let wrong: Vec<_> = cases
            .into_iter()
            .map(|(formula, text)| (formula, text, simple(formula)))
            .filter(|(_, text, simple)| text != simple)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn two_equations_for_one_term_do_not_erase_each_other() {
        assert_eq!(simple("(and (= b #x05) (= b #x03))"), "false");
        assert_eq!(simple("(and (= (f x) y) (= (f y) x) (= x 1))"), "x == 1 && y == f(1) && f(y) == 1");
    }

    #[test]
    fn facts_about_bound_variables_stay_in_their_quantifier() {
        // Inside, what is known about the outer k would be read as being about j.
        let text = "(exists ((k Int)) (and (= k 1) (exists ((j Int)) (and (= (f j) k) (> j x)))))";
        assert_eq!(simple(text), "(exists k: int :: (exists j: int :: x < j && f(j) == k) && k == 1)");
    }

    #[test]
    fn shared_and_deep_formulas_take_linear_time() {
        let mut terms = Terms::new();
        let mut formula = terms.named("p", Sort::BOOL);
        for i in 0..3000 {
            let [a, b] = ["a", "b"].map(|name| terms.named(&format!("{name}{i}"), Sort::BOOL));
            let (left, right) = (terms.or([formula, a]), terms.or([formula, b]));
            formula = terms.and([left, right]);
        }
        let before = terms.len();
        let simple = simplify(&mut terms, formula);
        assert!(terms.dag_size(simple) <= terms.dag_size(formula));
        assert!(terms.len() - before < 100 * before);
    }
}
