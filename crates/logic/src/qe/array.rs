//! Exact elimination of arrays.
//!
//! * `∃a. t = a[i := v] ∧ φ(a)` is `∃e. t[i] = v ∧ φ(t[i := e])`: a is t except at i.
//! * An array that is only read is replaced by its elements: `a[i]` by e, `a[j]` by f, and e = f if i = j.
//! * If indices cannot run out, an array that is only read can be made different from finitely many others.

use super::split::replaced;
use crate::sort::{Sort, SortData};
use crate::substitute::Substitution;
use crate::symbol::Symbol;
use crate::term::{Op, Term, Terms};
use rustc_hash::FxHashSet;

/// The longest chain of writes that is turned around.
const WRITES: usize = 4;

/// What came out of a rule: the new conjuncts, and the elements that take the array's place as variables, each with the
/// index at which it stood in the array.
pub(super) struct Replaced {
    pub(super) conjuncts: Vec<Term>,
    pub(super) elements: Vec<(Symbol, Term)>,
}

/// Resolves an equation between something else and writes to the array.
pub(super) fn resolve_writes(terms: &mut Terms, conjuncts: &[Term], array: Symbol) -> Option<Replaced> {
    let (position, other, writes) = conjuncts.iter().enumerate().find_map(|(position, &conjunct)| {
        let (Op::Eq, &[left, right]) = (terms.op(conjunct), terms.args(conjunct)) else { return None };
        [(left, right), (right, left)].into_iter().find_map(|(written, other)| {
            let writes = writes_to(terms, written, array)?;
            (!terms.mentions(other, array)).then_some((position, other, writes))
        })
    })?;
    let (_, element_sort) = terms.array_parts(terms.symbol_data(array).sort).expect("an array");
    let mut replacement = other;
    let mut elements = Vec::new();
    let mut result = Vec::new();
    for (k, &(index, value)) in writes.iter().enumerate() {
        let element = terms.fresh_symbol("element", element_sort);
        elements.push((element, index));
        let element = terms.constant(element);
        replacement = terms.store(replacement, index, element);
        // Unless a later write hides it, the value is what is read.
        let read = terms.select(other, index);
        let mut alternatives = vec![terms.eq(read, value)];
        for &(later, _) in &writes[k + 1..] {
            alternatives.push(terms.eq(index, later));
        }
        result.push(terms.or(alternatives));
    }
    let mut substitution: Substitution = [(array, replacement)].into_iter().collect();
    for (_, &conjunct) in conjuncts.iter().enumerate().filter(|(i, _)| *i != position) {
        result.push(substitution.apply(terms, conjunct));
    }
    Some(Replaced { conjuncts: result, elements })
}

/// The writes, innermost first, if a term is a chain of writes to the array with nothing else about it.
fn writes_to(terms: &Terms, term: Term, array: Symbol) -> Option<Vec<(Term, Term)>> {
    let mut writes = Vec::new();
    let mut inner = term;
    while let (Op::Store, &[base, index, value]) = (terms.op(inner), terms.args(inner)) {
        if terms.mentions(index, array) || terms.mentions(value, array) || writes.len() == WRITES {
            return None;
        }
        writes.push((index, value));
        inner = base;
    }
    writes.reverse();
    (terms.as_symbol(inner) == Some(array) && !writes.is_empty()).then_some(writes)
}

/// How an array occurs in a list of formulas.
pub(super) enum Occurrences {
    /// In reads at these indices only, besides in conjuncts that say it is different from something else.
    Reads(Vec<Term>),
    Other,
}

/// How an array occurs. Indices are listed innermost first.
pub(super) fn occurrences(terms: &Terms, conjuncts: &[Term], array: Symbol) -> Occurrences {
    let mut indices: Vec<Term> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending: Vec<(Term, bool)> = conjuncts
        .iter()
        .filter(|&&conjunct| different_from(terms, conjunct, array).is_none())
        .rev()
        .map(|&conjunct| (conjunct, false))
        .collect();
    while let Some((term, finished)) = pending.pop() {
        let op = terms.op(term);
        let reads = op == Op::Select && terms.as_symbol(terms.args(term)[0]) == Some(array);
        if finished {
            if reads {
                let index = terms.args(term)[1];
                if terms.loose(index) > 0 {
                    return Occurrences::Other;
                }
                if !indices.contains(&index) {
                    indices.push(index);
                }
            }
            continue;
        }
        if op == Op::Symbol(array) {
            return Occurrences::Other;
        }
        if !seen.insert(term) {
            continue;
        }
        pending.push((term, true));
        let arguments = if reads { &terms.args(term)[1..] } else { terms.args(term) };
        pending.extend(arguments.iter().rev().map(|&argument| (argument, false)));
    }
    Occurrences::Reads(indices)
}

/// What a conjunct says that the array is different from, if it says just that.
fn different_from(terms: &Terms, conjunct: Term, array: Symbol) -> Option<Term> {
    let Op::Not = terms.op(conjunct) else { return None };
    let atom = terms.args(conjunct)[0];
    let (Op::Eq, &[left, right]) = (terms.op(atom), terms.args(atom)) else { return None };
    let other = if terms.as_symbol(left) == Some(array) { right } else { left };
    let one_side = [left, right].iter().any(|&side| terms.as_symbol(side) == Some(array));
    (one_side && !terms.mentions(other, array) && can_differ(terms, terms.symbol_data(array).sort))
        .then_some(other)
}

/// Are there infinitely many indices, and certainly two elements?
fn can_differ(terms: &Terms, sort: Sort) -> bool {
    let Some((index, element)) = terms.array_parts(sort) else { return false };
    index.is_arithmetic() && has_two_values(terms, element)
}

fn has_two_values(terms: &Terms, mut sort: Sort) -> bool {
    // An array has two values if its elements have.
    while let Some((_, element)) = terms.array_parts(sort) {
        sort = element;
    }
    !matches!(terms.sort_data(sort), SortData::Uninterpreted(_))
}

/// Replaces an array that is only read by its elements at these indices, and drops what says that it is different from
/// something. The elements are related to each other by the caller.
pub(super) fn replace_reads(
    terms: &mut Terms,
    conjuncts: &[Term],
    array: Symbol,
    indices: &[Term],
) -> Replaced {
    let mut conjuncts: Vec<Term> = conjuncts
        .iter()
        .copied()
        .filter(|&conjunct| different_from(terms, conjunct, array).is_none())
        .collect();
    let (_, element_sort) = terms.array_parts(terms.symbol_data(array).sort).expect("an array");
    let array_term = terms.constant(array);
    let mut elements: Vec<(Symbol, Term)> = Vec::new();
    // An index may itself contain reads at the indices before it.
    let mut indices = indices.to_vec();
    for k in 0..indices.len() {
        let read = terms.select(array_term, indices[k]);
        let element = terms.fresh_symbol("element", element_sort);
        elements.push((element, indices[k]));
        let element = terms.constant(element);
        for term in conjuncts.iter_mut().chain(&mut indices[k + 1..]) {
            *term = replaced(terms, *term, read, element);
        }
    }
    Replaced { conjuncts, elements }
}

/// Elements at equal indices are equal.
pub(super) fn congruence(terms: &mut Terms, elements: &[(Symbol, Term)]) -> Vec<Term> {
    let mut result = Vec::new();
    for (k, &(left, at_left)) in elements.iter().enumerate() {
        for &(right, at_right) in &elements[k + 1..] {
            let (left, right) = (terms.constant(left), terms.constant(right));
            let (same_index, same) = (terms.eq(at_left, at_right), terms.eq(left, right));
            result.push(terms.implies(same_index, same));
        }
    }
    result
}
