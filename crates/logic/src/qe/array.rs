//! Exact elimination of arrays.
//!
//! * `∃a. t = a[i := v] ∧ φ(a)` is `∃e. t[i] = v ∧ φ(t[i := e])`: a is t except at i.
//! * An array that is only read is replaced by its elements: `a[i]` by e, `a[j]` by f, and e = f if i = j.
//! * If indices cannot run out, an array that is only read can be made different from finitely many others.
//! * Two arrays that are made of one by writes are equal if they are so where something was written.
//! * `t = s[i := e]` says that the element e is `t[i]`.

use super::implicant::mentions_any;
use super::split::replaced;
use crate::sort::{Sort, SortData};
use crate::substitute::Substitution;
use crate::symbol::Symbol;
use crate::term::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

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
    let (base, writes) = chain(terms, term);
    let plain =
        |&(index, value): &(Term, Term)| !terms.mentions(index, array) && !terms.mentions(value, array);
    let suitable = terms.as_symbol(base) == Some(array) && (1..=WRITES).contains(&writes.len());
    (suitable && writes.iter().all(plain)).then_some(writes)
}

/// The array that a chain of writes starts from, and the writes, innermost first.
fn chain(terms: &Terms, mut array: Term) -> (Term, Vec<(Term, Term)>) {
    let mut writes = Vec::new();
    while let (Op::Store, &[base, index, value]) = (terms.op(array), terms.args(array)) {
        writes.push((index, value));
        array = base;
    }
    writes.reverse();
    (array, writes)
}

/// Replaces equations between arrays that are made of one by a few writes, and hide one of the variables, by equations
/// between the elements where something was written.
pub(super) fn compare_elements(terms: &mut Terms, formula: Term, variables: &[Symbol]) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    terms.transform(formula, &mut done, |terms, node| {
        let (Op::Eq, &[left, right]) = (terms.op(node), terms.args(node)) else { return None };
        terms.array_parts(terms.sort_of(left))?;
        let ((left_base, left_writes), (right_base, right_writes)) =
            (chain(terms, left), chain(terms, right));
        if left_base != right_base
            || left_writes.len() + right_writes.len() > 2 * WRITES
            || !mentions_any(terms, node, variables)
        {
            return None;
        }
        let mut equations = Vec::new();
        for (index, _) in left_writes.into_iter().chain(right_writes) {
            let (left, right) = (terms.select(left, index), terms.select(right, index));
            equations.push(terms.eq(left, right));
        }
        Some(terms.and(equations))
    })
}

/// A variable that is written to some index in an equation between arrays.
pub(super) struct Written {
    /// The equation.
    pub(super) equation: Term,
    /// The variable.
    pub(super) element: Symbol,
    /// What it is unless a later write hides it: the element of the other array at the index.
    pub(super) read: Term,
    pub(super) index: Term,
    /// The indices of later writes that may be the same.
    pub(super) later: Vec<Term>,
    /// The equation without the write.
    pub(super) without: Term,
}

/// A variable that an equation between arrays writes to some index.
pub(super) fn written_element(
    terms: &mut Terms,
    conjuncts: &[Term],
    variables: &[Symbol],
) -> Option<Written> {
    for &equation in conjuncts {
        let (Op::Eq, &[left, right]) = (terms.op(equation), terms.args(equation)) else { continue };
        for (array, other) in [(left, right), (right, left)] {
            let (base, writes) = chain(terms, array);
            for (position, &(index, value)) in writes.iter().enumerate() {
                let Some(element) = terms.as_symbol(value).filter(|value| variables.contains(value)) else {
                    continue;
                };
                if terms.mentions(other, element) || terms.mentions(index, element) {
                    continue;
                }
                let later = writes[position + 1..].iter().map(|&(later, _)| later);
                let later = later.filter(|&later| !terms.certainly_different(index, later)).collect();
                let read = terms.select(other, index);
                let rest = writes.iter().enumerate().filter(|(i, _)| *i != position).map(|(_, write)| *write);
                let rest: Vec<(Term, Term)> = rest.collect();
                let without = rest.into_iter().fold(base, |array, (at, value)| terms.store(array, at, value));
                let without = terms.eq(without, other);
                return Some(Written { equation, element, read, index, later, without });
            }
        }
    }
    None
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
        .filter(|&&conjunct| !says_different(terms, conjunct, array))
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

/// Does a conjunct only say that the array, possibly with some writes, is different from something else, so that it holds
/// whatever finitely many elements of the array are?
fn says_different(terms: &Terms, conjunct: Term, array: Symbol) -> bool {
    let Op::Not = terms.op(conjunct) else { return false };
    let atom = terms.args(conjunct)[0];
    let (Op::Eq, &[left, right]) = (terms.op(atom), terms.args(atom)) else { return false };
    let about = |side: Term, other: Term| {
        let is_it = terms.as_symbol(side) == Some(array) || writes_to(terms, side, array).is_some();
        is_it && !terms.mentions(other, array)
    };
    can_differ(terms, terms.symbol_data(array).sort) && (about(left, right) || about(right, left))
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
    let mut conjuncts: Vec<Term> =
        conjuncts.iter().copied().filter(|&conjunct| !says_different(terms, conjunct, array)).collect();
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
