//! Formulas without quantifiers that follow from formulas with quantifiers.
//!
//! What exists gets a name (a Skolem constant). What holds for all indices of arrays is said of those indices at which
//! the formulas read or write: for `∀k. … a[4·k + c] …` and an index `t` of an array of the same sort, `k` becomes the solution of
//! `4·k + c = t`. For formulas in which quantified variables occur only so and in bounds, such instances most often
//! suffice for a contradiction, and a solver answers about them without guessing.
//!
//! Guarantees: the formulas given have a model only if the formulas returned have one. The converse need not hold.
//! Formulas are replaced one by one, so a contradictory selection of the results stands for the same selection of the given
//! ones. The same formulas always get the same names. Cost: at most [`MOST_TUPLES`] instances for each quantified
//! formula and [`ROUNDS`] rounds.

use crate::nnf::nnf;
use crate::sort::Sort;
use crate::term::{Op, Quantifier, Term, Terms};
use crate::{Integer, Linear, Rational};
use num_traits::{Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Instances may read at further indices; so often they are looked at.
const ROUNDS: usize = 2;
/// Of each variable so many instances are taken.
const MOST_VALUES: usize = 40;
/// Of each quantified formula so many.
const MOST_TUPLES: usize = 400;

/// Existential formulas that are nested deeper stay as they are.
const MOST_NESTED: usize = 8;

/// The indices at which arrays of a sort are read or written, each once, in the order in which they are met.
type Indices = BTreeMap<Sort, Vec<Term>>;

/// What follows from the formulas, one by one, with instances instead of quantifiers where that is possible.
pub fn instances(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    instances_in_rounds(terms, formulas, ROUNDS)
}

/// The same with the indices of the formulas as they are, and not those of their instances: fewer consequences, which is enough for most, and quicker.
pub fn first_instances(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    instances_in_rounds(terms, formulas, 1)
}

fn instances_in_rounds(terms: &mut Terms, formulas: &[Term], rounds: usize) -> Vec<Term> {
    if !formulas.iter().any(|&formula| terms.has_quantifier(formula)) {
        return formulas.to_vec();
    }
    let mut named = Vec::with_capacity(formulas.len());
    for &formula in formulas {
        named.push(name_witnesses(terms, formula));
    }
    let mut result = named.clone();
    // Formulas about several cells get the indices of the formulas as they are: those of instances would be too many pairs.
    let given = indices(terms, &named);
    let mut all = Indices::new();
    for _ in 0..rounds {
        // An index may be gone from an instance that it has made simpler, and stays one.
        let before = all.values().map(Vec::len).sum::<usize>();
        for (sort, found) in indices(terms, &result) {
            let known = all.entry(sort).or_default();
            known.extend(found);
            known.sort_unstable();
            known.dedup();
        }
        if all.values().map(Vec::len).sum::<usize>() == before {
            break;
        }
        let mut done = FxHashMap::default();
        for (slot, &formula) in result.iter_mut().zip(&named) {
            *slot = expand(terms, formula, [&given, &all], &mut done);
        }
    }
    result
}

/// Names what exists. The result is in negation normal form if there was something to name.
fn name_witnesses(terms: &mut Terms, formula: Term) -> Term {
    if !terms.has_quantifier(formula) {
        return formula;
    }
    let mut named = nnf(terms, formula);
    // What exists inside of what exists depends on nothing but what is named already.
    for _ in 0..MOST_NESTED {
        let mut done = FxHashMap::default();
        let before = named;
        named = positive(terms, named, &mut done, |terms, quantifier, quantified| {
            (quantifier == Quantifier::Exists).then(|| {
                let sorts = terms.bound_sorts_of(quantified);
                let mut witnesses = Vec::with_capacity(sorts.len());
                for (position, sort) in sorts.into_iter().enumerate() {
                    let name = format!("witness {} {position}", quantified.position());
                    witnesses.push(terms.named(&name, sort));
                }
                terms.instance(quantified, &witnesses)
            })
        });
        if named == before {
            break;
        }
    }
    named
}

/// Replaces what holds for all by what holds for some.
/// Formulas about several variables get the given indices.
fn expand(
    terms: &mut Terms,
    formula: Term,
    [given, all]: [&Indices; 2],
    done: &mut FxHashMap<Term, Term>,
) -> Term {
    positive(terms, formula, done, |terms, quantifier, quantified| {
        if quantifier != Quantifier::Forall {
            return None;
        }
        let indices = if terms.bound_sorts_of(quantified).len() > 1 { given } else { all };
        let tuples = tuples(terms, quantified, indices)?;
        let mut all = Vec::with_capacity(tuples.len());
        for tuple in tuples {
            let instance = terms.instance(quantified, &tuple);
            all.push(name_witnesses(terms, instance));
        }
        Some(terms.and(all))
    })
}

/// Rebuilds a formula in negation normal form, with quantified formulas replaced that are below `and` and `or` only.
fn positive(
    terms: &mut Terms,
    formula: Term,
    done: &mut FxHashMap<Term, Term>,
    mut replace: impl FnMut(&mut Terms, Quantifier, Term) -> Option<Term>,
) -> Term {
    terms.transform(formula, done, |terms, node| match terms.op(node) {
        Op::And | Op::Or => None,
        Op::Quantified(quantifier, _) => Some(replace(terms, quantifier, node).unwrap_or(node)),
        _ => Some(node),
    })
}

/// The indices of all accesses that make sense outside of quantifiers.
fn indices(terms: &Terms, formulas: &[Term]) -> Indices {
    let mut found = Indices::new();
    let mut seen: FxHashSet<(Sort, Term)> = FxHashSet::default();
    terms.for_each_subterm(formulas, |term| {
        if !matches!(terms.op(term), Op::Select | Op::Store) {
            return;
        }
        let (array, index) = (terms.args(term)[0], terms.args(term)[1]);
        let sort = terms.sort_of(array);
        if terms.is_closed(index) && seen.insert((sort, index)) {
            found.entry(sort).or_default().push(index);
        }
    });
    for list in found.values_mut() {
        list.sort_unstable();
    }
    found
}

/// Values for the variables of a quantified formula; none if it does not say what to do with a variable.
fn tuples(terms: &mut Terms, quantified: Term, indices: &Indices) -> Option<Vec<Vec<Term>>> {
    let sorts = terms.bound_sorts_of(quantified);
    let body = terms.args(quantified)[0];
    if terms.has_quantifier(body) {
        return None;
    }
    let mut patterns: Vec<(Sort, Term)> = Vec::new();
    terms.for_each_subterm(&[body], |term| {
        if terms.op(term) == Op::Select && !terms.is_closed(terms.args(term)[1]) {
            patterns.push((terms.sort_of(terms.args(term)[0]), terms.args(term)[1]));
        }
    });
    patterns.sort_unstable();
    let mut values: Vec<Option<Vec<Term>>> = vec![None; sorts.len()];
    for (sort, pattern) in patterns {
        let Some((bound, coefficient, rest)) = solved_for(terms, pattern) else { continue };
        // Variables are counted from the last one.
        let variable = sorts.len().checked_sub(1 + bound as usize)?;
        let list = values[variable].get_or_insert_default();
        for &index in indices.get(&sort).map_or(&[][..], Vec::as_slice) {
            let value = solution(terms, index, &coefficient, rest.as_ref());
            if list.len() < MOST_VALUES && !list.contains(&value) {
                list.push(value);
            }
        }
    }
    let mut tuples: Vec<Vec<Term>> = vec![Vec::new()];
    for list in values {
        let list = list?;
        let longer = |tuple: &Vec<Term>| {
            let tuple = tuple.clone();
            list.iter().map(move |&value| [tuple.as_slice(), &[value]].concat())
        };
        tuples = tuples.iter().flat_map(longer).take(MOST_TUPLES).collect();
    }
    Some(tuples)
}

/// A pattern as `coefficient · variable + rest`, where the rest is closed; no rest for a variable alone.
fn solved_for(terms: &Terms, pattern: Term) -> Option<(u32, Integer, Option<Linear>)> {
    if let Op::Bound(bound) = terms.op(pattern) {
        return Some((bound, Integer::from(1), None));
    }
    if terms.sort_of(pattern) != Sort::INT {
        return None;
    }
    let mut rest = terms.linear(pattern);
    let open: Vec<Term> =
        rest.monomials.iter().map(|&(term, _)| term).filter(|&term| !terms.is_closed(term)).collect();
    let &[variable] = open.as_slice() else { return None };
    let Op::Bound(bound) = terms.op(variable) else { return None };
    let coefficient = rest.remove(variable)?;
    Some((bound, coefficient.to_integer(), Some(rest)))
}

/// The value of the variable for which the pattern is the index, rounded.
fn solution(terms: &mut Terms, index: Term, coefficient: &Integer, rest: Option<&Linear>) -> Term {
    let Some(rest) = rest else { return index };
    let mut difference = terms.linear(index).minus(rest);
    if coefficient.is_negative() {
        difference.scale(&Rational::from_integer((-1).into()));
    }
    let factor = Rational::from_integer(coefficient.abs());
    let divides = |value: &Rational| (value / &factor).is_integer();
    if difference.monomials.iter().all(|(_, value)| divides(value)) && !factor.is_zero() {
        // A constant that is not divisible means that there is no solution; a neighbour does no harm.
        difference.scale(&factor.recip());
        difference.constant = difference.constant.floor();
        return terms.from_linear(&difference, Sort::INT);
    }
    let difference = terms.from_linear(&difference, Sort::INT);
    let divisor = terms.int(coefficient.abs());
    terms.div(difference, divisor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::infix;

    struct Store {
        terms: Terms,
    }

    impl Store {
        fn new() -> Store {
            Store { terms: Terms::new() }
        }

        fn int(&mut self, name: &str) -> Term {
            self.terms.named(name, Sort::INT)
        }

        fn array(&mut self, name: &str) -> Term {
            let sort = self.terms.array_sort(Sort::INT, Sort::INT);
            self.terms.named(name, sort)
        }

        /// `∀k. k < n ⇒ array[factor·k + 3] = 7`.
        fn all(&mut self, array: Term, factor: i64) -> Term {
            let [k, n, seven] = [self.int("k"), self.int("n"), self.terms.int(7)];
            let scaled = self.terms.scaled(k, &Rational::from_integer(factor.into()));
            let three = self.terms.int(3);
            let index = self.terms.add(&[scaled, three]);
            let cell = self.terms.select(array, index);
            let (inside, equal) = (self.terms.lt(k, n), self.terms.eq(cell, seven));
            let body = self.terms.implies(inside, equal);
            let k = self.terms.as_symbol(k).expect("it is one");
            self.terms.quantify(Quantifier::Forall, &[k], body, &[])
        }

        fn shown(&mut self, formulas: &[Term]) -> Vec<String> {
            let found = instances(&mut self.terms, formulas);
            found.into_iter().map(|formula| infix(&self.terms, formula)).collect()
        }
    }

    #[test]
    fn indices_are_solved_for_the_variable() {
        let mut store = Store::new();
        let a = store.array("a");
        let (all, x, y) = (store.all(a, 4), store.int("x"), store.int("y"));
        let [three, eight] = [3, 8].map(|number| store.terms.int(number));
        let eight_x = store.terms.mul(&[eight, x]);
        let index = store.terms.add(&[eight_x, three]);
        let cell = store.terms.select(a, index);
        let read = store.terms.lt(cell, y);
        assert_eq!(store.shown(&[all, read])[0], "n <= 2 * x || a[8 * x + 3] == 7");
    }

    #[test]
    fn what_exists_gets_a_name_and_is_an_index() {
        let mut store = Store::new();
        let a = store.array("a");
        let all = store.all(a, 1);
        let none = store.terms.not(all);
        let shown = store.shown(&[all, none]);
        let witness = format!("witness {} 0", {
            let normal = nnf(&mut store.terms, none);
            normal.position()
        });
        assert_eq!(shown[0], format!("a[{witness} + 3] == 7 || n <= {witness}"));
        assert_eq!(shown[1], format!("a[{witness} + 3] != 7 && n > {witness}"));
    }

    #[test]
    fn indices_of_instances_come_in_the_second_round() {
        let mut store = Store::new();
        let a = store.array("a");
        let (k, i, y) = (store.int("k"), store.int("i"), store.int("y"));
        let cell = store.terms.select(a, k);
        let cell_of_cell = store.terms.select(a, cell);
        let equal = store.terms.eq(cell_of_cell, y);
        let symbol = store.terms.as_symbol(k).expect("it is one");
        let all = store.terms.quantify(Quantifier::Forall, &[symbol], equal, &[]);
        let read = store.terms.select(a, i);
        let read = store.terms.lt(read, y);
        let first = first_instances(&mut store.terms, &[all, read]);
        let second = instances(&mut store.terms, &[all, read]);
        assert_eq!(infix(&store.terms, first[0]), "y == a[a[i]]");
        assert!(store.terms.conjuncts(second[0]).contains(&first[0]), "nothing is lost");
        assert!(store.terms.conjuncts(second[0]).len() > 1, "a[i] is an index of an instance");
    }

    #[test]
    fn an_index_that_an_instance_has_made_simpler_stays_one() {
        let mut store = Store::new();
        let a = store.array("a");
        let (k, n, i) = (store.int("k"), store.int("n"), store.int("i"));
        let seven = store.terms.int(7);
        let written = store.terms.store(a, n, seven);
        let cell = store.terms.select(written, k);
        let before = store.terms.lt(k, i);
        let equal = store.terms.eq(cell, seven);
        let other = store.terms.not(equal);
        let body = store.terms.implies(before, other);
        let symbol = store.terms.as_symbol(k).expect("it is one");
        let none = store.terms.quantify(Quantifier::Forall, &[symbol], body, &[]);
        let shown = instances(&mut store.terms, &[none]);
        assert_eq!(infix(&store.terms, shown[0]), "n >= i");
    }

    #[test]
    fn formulas_without_accesses_stay() {
        let mut store = Store::new();
        let (k, x) = (store.int("k"), store.int("x"));
        let product = store.terms.mul(&[k, x]);
        let body = store.terms.lt(product, x);
        let symbol = store.terms.as_symbol(k).expect("it is one");
        let all = store.terms.quantify(Quantifier::Forall, &[symbol], body, &[]);
        assert_eq!(instances(&mut store.terms, &[all]), [all]);
    }
}
