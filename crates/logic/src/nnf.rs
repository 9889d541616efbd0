//! Negation normal form: negation only before atoms, no equivalence or if-then-else between formulas, also inside
//! quantified formulas.
//!
//! Canonical terms already have negation pushed through `and` and `or`; what is left are equivalences, Boolean if-then-elses
//! and quantified formulas. Each distinct formula is treated once per sign, so the result has at most a small multiple of the
//! nodes of the input. Formulas inside atoms (in conditions of terms, in arguments of functions) stay as they are.

use crate::sort::Sort;
use crate::term::{Op, Term, Terms};
use rustc_hash::FxHashMap;

/// What the normal form of a formula is made of.
enum Shape {
    Atom,
    /// The normal forms of some formulas, joined by `and` or `or`.
    Junction {
        op: Op,
        parts: Vec<Term>,
    },
    /// `(a ∧ b) ∨ (c ∧ d)`.
    Cases([Term; 4]),
    /// A quantified formula, negated or not, with this body.
    Quantified {
        quantified: Term,
        body: Term,
        negated: bool,
    },
}

/// The negation normal form of a formula.
pub fn nnf(terms: &mut Terms, formula: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut pending = vec![formula];
    while let Some(&top) = pending.last() {
        if done.contains_key(&top) {
            pending.pop();
            continue;
        }
        let shape = shape(terms, top);
        let before = pending.len();
        let mut need = |part: Term| {
            if !done.contains_key(&part) {
                pending.push(part);
            }
        };
        match &shape {
            Shape::Atom => {}
            Shape::Junction { parts, .. } => parts.iter().copied().for_each(&mut need),
            Shape::Cases(parts) => parts.iter().copied().for_each(&mut need),
            Shape::Quantified { body, .. } => need(*body),
        }
        if pending.len() > before {
            continue;
        }
        let normal = match shape {
            Shape::Atom => top,
            Shape::Junction { op, parts } => {
                let parts = parts.iter().map(|part| done[part]);
                if op == Op::And { terms.and(parts) } else { terms.or(parts) }
            }
            Shape::Cases(parts) => {
                let [a, b, c, d] = parts.map(|part| done[&part]);
                let (first, second) = (terms.and([a, b]), terms.and([c, d]));
                terms.or([first, second])
            }
            Shape::Quantified { quantified, body, negated } => {
                terms.with_body(quantified, done[&body], negated)
            }
        };
        done.insert(top, normal);
        pending.pop();
    }
    done[&formula]
}

fn shape(terms: &mut Terms, formula: Term) -> Shape {
    let (inner, negated) = match terms.op(formula) {
        Op::Not => (terms.args(formula)[0], true),
        op @ (Op::And | Op::Or) => return Shape::Junction { op, parts: terms.args(formula).to_vec() },
        _ => (formula, false),
    };
    match (terms.op(inner), terms.args(inner)) {
        (Op::Eq, &[a, b]) if terms.sort_of(a) == Sort::BOOL => {
            let (not_a, not_b) = (terms.not(a), terms.not(b));
            Shape::Cases(if negated { [a, not_b, not_a, b] } else { [a, b, not_a, not_b] })
        }
        (Op::Ite, &[condition, then, otherwise]) => {
            let refuted = terms.not(condition);
            let [then, otherwise] =
                if negated { [terms.not(then), terms.not(otherwise)] } else { [then, otherwise] };
            Shape::Cases([condition, then, refuted, otherwise])
        }
        (Op::Quantified(..), &[body, ..]) => {
            let body = if negated { terms.not(body) } else { body };
            Shape::Quantified { quantified: inner, body, negated }
        }
        _ => Shape::Atom,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::infix;
    use crate::smtlib::parse;

    fn normal(formula: &str) -> String {
        let mut terms = Terms::new();
        let text = format!(
            "(declare-const p Bool) (declare-const q Bool) (declare-const r Bool) (declare-const x Int)
             (assert {formula})"
        );
        let script = parse::script(&mut terms, &text).unwrap_or_else(|error| panic!("{formula}: {error}"));
        let formula = script.assertions().next().expect("there is an assertion");
        let normal = nnf(&mut terms, formula);
        infix(&terms, normal)
    }

    #[test]
    fn negation_stands_before_atoms_only() {
        let cases = [
            ("(not (and p (> x 0)))", "x <= 0 || !p"),
            ("(= p q)", "(p && q) || (!p && !q)"),
            ("(xor p (and q r))", "(p && (!r || !q)) || (q && r && !p)"),
            ("(not (ite p q r))", "(p && !q) || (!p && !r)"),
            ("(not (forall ((k Int)) (=> p (> k x))))", "(exists k: int :: p && x >= k)"),
            (
                "(not (exists ((k Int)) (not (forall ((j Int)) (= (= k j) p)))))",
                "(forall k: int :: (forall j: int :: (p && j == k) || (!p && j != k)))",
            ),
            ("(= x (ite p 1 2))", "x == (if p then 1 else 2)"),
        ];
        let wrong: Vec<_> = cases
            .into_iter()
            .map(|(formula, text)| (formula, text, normal(formula)))
            .filter(|(_, text, normal)| text != normal)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn chains_of_equivalences_stay_small() {
        let mut terms = Terms::new();
        let mut formula = terms.named("p", Sort::BOOL);
        for i in 0..1000 {
            let atom = terms.named(&format!("p{i}"), Sort::BOOL);
            formula = terms.eq(formula, atom);
        }
        let normal = nnf(&mut terms, formula);
        assert!(terms.dag_size(normal) < 10 * terms.dag_size(formula));
    }
}
