//! Case distinctions that bring a variable out of a term.
//!
//! A variable inside `ite(c, s, t)` or inside a read of a written array is out of reach of the other rules. A literal with
//! such a term is split: under the condition it is one literal, otherwise another.

use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// `(condition ∧ then) ∨ (¬condition ∧ otherwise)`.
pub(super) struct Split {
    pub(super) condition: Term,
    pub(super) then: Term,
    pub(super) otherwise: Term,
}

/// Splits a literal at an innermost term that hides one of the variables, if there is one.
pub(super) fn split(terms: &mut Terms, literal: Term, variables: &[Symbol]) -> Option<Split> {
    let hidden = innermost(terms, literal, |terms, term| {
        let hides = match terms.op(term) {
            Op::Ite => terms.sort_of(term) != Sort::BOOL,
            Op::Select => terms.op(terms.args(term)[0]) == Op::Store,
            _ => false,
        };
        hides && terms.free_symbols(term).iter().any(|symbol| variables.contains(symbol))
    })?;
    let arguments = terms.args(hidden).to_vec();
    let (condition, then, otherwise) = match arguments[..] {
        [condition, then, otherwise] => (condition, then, otherwise),
        [array, index] => {
            let [inner, written, value] = terms.args(array)[..] else {
                unreachable!("a write has three arguments")
            };
            (terms.eq(written, index), value, terms.select(inner, index))
        }
        _ => unreachable!("neither an if-then-else nor a read"),
    };
    let [then, otherwise] = [then, otherwise].map(|term| replaced(terms, literal, hidden, term));
    Some(Split { condition, then, otherwise })
}

/// A term with one subterm replaced by another.
pub(super) fn replaced(terms: &mut Terms, root: Term, old: Term, new: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = [(old, new)].into_iter().collect();
    terms.transform(root, &mut done, |_, _| None)
}

/// A subterm outside of quantified formulas that is wanted, and has no such subterm itself.
pub(super) fn innermost(terms: &Terms, root: Term, wanted: impl Fn(&Terms, Term) -> bool) -> Option<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending = vec![(root, false)];
    while let Some((term, finished)) = pending.pop() {
        if finished {
            if wanted(terms, term) {
                return Some(term);
            }
        } else if seen.insert(term) && !matches!(terms.op(term), Op::Quantified(..)) {
            pending.push((term, true));
            pending.extend(terms.args(term).iter().map(|&argument| (argument, false)));
        }
    }
    None
}
