//! What the conjuncts of a conjunction say about each other, and rewriting under it.

use super::range::{Range, restriction};
use crate::sort::Sort;
use crate::term::{Op, Term, Terms};
use rustc_hash::FxHashMap;

/// Formulas that hold.
#[derive(Default)]
pub(super) struct Facts {
    /// Formulas whose truth is known.
    known: FxHashMap<Term, Term>,
    /// Terms that are equal to a literal, with the literal and the equation that says so.
    values: FxHashMap<Term, (Term, Term)>,
    /// What is known about sums.
    ranges: FxHashMap<Term, Range>,
}

impl Facts {
    /// Adds a formula that holds, and what follows if it is a literal.
    pub(super) fn add(&mut self, terms: &mut Terms, formula: Term) {
        self.add_known(terms, formula);
        if let Some((sum, restriction)) = restriction(terms, formula) {
            self.ranges.entry(sum).or_default().restrict(restriction);
        }
        if let Some((term, literal)) = definition(terms, formula) {
            self.values.insert(term, (literal, formula));
        }
    }

    /// Adds a formula that holds, and nothing that follows.
    pub(super) fn add_known(&mut self, terms: &mut Terms, formula: Term) {
        let negation = terms.not(formula);
        self.known.insert(formula, Term::TRUE);
        self.known.insert(negation, Term::FALSE);
    }

    /// Undoes [`add_known`](Facts::add_known).
    pub(super) fn remove_known(&mut self, terms: &mut Terms, formula: Term) {
        let negation = terms.not(formula);
        self.known.remove(&formula);
        self.known.remove(&negation);
    }

    /// What a term is known to be, by other facts than `own`.
    fn replacement(&self, terms: &Terms, term: Term, own: Option<Term>) -> Option<Term> {
        if terms.sort_of(term) != Sort::BOOL {
            let &(literal, equation) = self.values.get(&term)?;
            return (own != Some(equation)).then_some(literal);
        }
        if let Some(&truth) = self.known.get(&term) {
            return Some(truth);
        }
        let op = terms.op(term);
        if let (Op::Le | Op::Lt | Op::Eq, &[sum, number]) = (op, terms.args(term))
            && let Some(range) = self.ranges.get(&sum)
            && let Some(number) = terms.as_number(number)
        {
            return range.decides(op, number).map(|truth| terms.bool(truth));
        }
        None
    }

    /// Replaces everything in a formula that the facts decide. If the formula is itself one of the facts, it is `own`, and
    /// neither it nor its negation is looked up. Inside quantified formulas only facts without bound variables count, as
    /// others mean something else there. Every node costs a unit of `effort`; if that runs out, the formula stays.
    pub(super) fn rewrite(&self, terms: &mut Terms, root: Term, own: Option<Term>, effort: &mut u64) -> Term {
        let own_atom = own.map(|own| if terms.op(own) == Op::Not { terms.args(own)[0] } else { own });
        let mut done: FxHashMap<(Term, bool), Term> = FxHashMap::default();
        let mut pending = vec![(root, false)];
        while let Some(&(top, bound)) = pending.last() {
            if done.contains_key(&(top, bound)) {
                pending.pop();
                continue;
            }
            let looked_up = Some(top) != own && Some(top) != own_atom && !(bound && terms.loose(top) > 0);
            if looked_up && let Some(replacement) = self.replacement(terms, top, own) {
                done.insert((top, bound), replacement);
                pending.pop();
                continue;
            }
            let inside = bound || matches!(terms.op(top), Op::Quantified(..));
            let before = pending.len();
            let arguments = terms.args(top).iter().map(|&argument| (argument, inside));
            pending.extend(arguments.filter(|key| !done.contains_key(key)));
            if pending.len() > before {
                continue;
            }
            let Some(left) = effort.checked_sub(1) else { return root };
            *effort = left;
            let arguments: Vec<Term> = terms.args(top).iter().map(|&a| done[&(a, inside)]).collect();
            let rebuilt = terms.rebuild(top, &arguments);
            done.insert((top, bound), rebuilt);
            pending.pop();
        }
        done[&(root, false)]
    }
}

/// The term that an equation defines by a literal, and the literal.
fn definition(terms: &Terms, formula: Term) -> Option<(Term, Term)> {
    let (Op::Eq, &[left, right]) = (terms.op(formula), terms.args(formula)) else { return None };
    match (terms.is_literal_value(left), terms.is_literal_value(right)) {
        (false, true) if !matches!(terms.op(left), Op::Add | Op::Scale(_)) => Some((left, right)),
        (true, false) => Some((right, left)),
        _ => None,
    }
}
