//! Elimination of arrays, checked against all arrays over a small universe.
//!
//! Indices are 0 and 1, so an array is its elements there and one element everywhere else. Elements are compared with each
//! other for equality only and with 0, so that a few values stand for all.

use crate::config;
use logic::evaluate::holds;
use logic::print::infix;
use logic::qe::{Answer, Limits, NoOracle, Oracle, eliminate};
use logic::value::ArrayValue;
use logic::{Model, Sort, Symbol, Term, Terms, Value};
use proptest::prelude::*;
use std::sync::Arc;

/// A literal: its kind, and which terms it is about.
type Shape = (u8, [u8; 4]);

struct Universe {
    /// The arrays that are eliminated, and one that is not.
    arrays: [Symbol; 2],
    other: Symbol,
    indices: [Symbol; 2],
    values: [Symbol; 2],
    sort: Sort,
}

impl Universe {
    fn new(terms: &mut Terms) -> Universe {
        let sort = terms.array_sort(Sort::INT, Sort::INT);
        Universe {
            arrays: ["a", "b"].map(|name| terms.symbol(name, sort)),
            other: terms.symbol("d", sort),
            indices: ["i", "j"].map(|name| terms.symbol(name, Sort::INT)),
            values: ["v", "w"].map(|name| terms.symbol(name, Sort::INT)),
            sort,
        }
    }

    fn index(&self, terms: &mut Terms, choice: u8) -> Term {
        match choice % 3 {
            2 => terms.int(choice % 2),
            i => terms.constant(self.indices[usize::from(i)]),
        }
    }

    fn value(&self, terms: &mut Terms, choice: u8) -> Term {
        match choice % 5 {
            0 | 1 => terms.constant(self.values[usize::from(choice % 2)]),
            2 => terms.int(1),
            _ => {
                let (array, index) = (self.array(terms, choice / 5), self.index(terms, choice / 7));
                terms.select(array, index)
            }
        }
    }

    fn array(&self, terms: &mut Terms, choice: u8) -> Term {
        let symbol = match choice % 4 {
            0 | 1 => self.arrays[0],
            2 => self.arrays[1],
            _ => self.other,
        };
        let array = terms.constant(symbol);
        if !choice.is_multiple_of(3) {
            return array;
        }
        let (index, value) =
            (self.index(terms, choice / 3), terms.constant(self.values[usize::from(choice / 9 % 2)]));
        terms.store(array, index, value)
    }

    fn literal(&self, terms: &mut Terms, (kind, [a, b, c, d]): Shape) -> Term {
        let atom = match kind % 6 {
            0 | 1 => {
                let (left, right) = (self.array(terms, a), self.array(terms, b));
                terms.eq(left, right)
            }
            2 => {
                let (value, zero) = (self.value(terms, a), terms.int(0));
                terms.le(value, zero)
            }
            3 => {
                let condition = self.literal(terms, (2, [c, 0, 0, 0]));
                let (left, right) = (self.array(terms, a), self.array(terms, b));
                let (chosen, index) = (terms.ite(condition, left, right), self.index(terms, d));
                let (read, value) = (terms.select(chosen, index), self.value(terms, 1));
                terms.eq(read, value)
            }
            _ => {
                let (array, index, value) =
                    (self.array(terms, a), self.index(terms, b), self.value(terms, c));
                let read = terms.select(array, index);
                terms.eq(read, value)
            }
        };
        if kind.is_multiple_of(4) { terms.not(atom) } else { atom }
    }

    /// Indices and values that are free are 0 or 1.
    fn in_box(&self, terms: &mut Terms) -> Term {
        let (zero, one) = (terms.int(0), terms.int(1));
        let mut conjuncts = Vec::new();
        for &symbol in self.indices.iter().chain(&self.values) {
            let variable = terms.constant(symbol);
            conjuncts.extend([terms.le(zero, variable), terms.le(variable, one)]);
        }
        terms.and(conjuncts)
    }

    fn array_values(&self, terms: &Terms, elements: &[i64], rest: &[i64]) -> Vec<Value> {
        let mut arrays = Vec::new();
        for &default in rest {
            for &first in elements {
                for &second in elements {
                    let number = |n: i64| Value::Int(n.into());
                    let mut array = ArrayValue::constant(terms, Sort::INT, number(default));
                    array.set(number(0), number(first));
                    array.set(number(1), number(second));
                    arrays.push(Value::Array(Arc::new(array)));
                }
            }
        }
        arrays
    }

    /// The values that stand for all values of a variable.
    fn domain(&self, terms: &Terms, symbol: Symbol) -> Vec<Value> {
        let numbers = |range: std::ops::RangeInclusive<i64>| range.map(|n| Value::Int(n.into())).collect();
        if symbol == self.other {
            self.array_values(terms, &[0, 1], &[0])
        } else if terms.symbol_data(symbol).sort == self.sort {
            self.array_values(terms, &[-2, -1, 0, 1, 2], &[0, 3, 4])
        } else if self.indices.contains(&symbol) || self.values.contains(&symbol) {
            numbers(0..=1)
        } else {
            numbers(-2..=2)
        }
    }

    /// The first model over the domains of the symbols, extending a given one. None if there are too many to try.
    fn search(
        &self,
        terms: &mut Terms,
        formula: Term,
        given: &Model,
        open: &[Symbol],
    ) -> Option<Option<Model>> {
        let domains: Vec<Vec<Value>> = open.iter().map(|&symbol| self.domain(terms, symbol)).collect();
        let total = domains.iter().try_fold(1usize, |total, domain| total.checked_mul(domain.len()));
        let total = total.filter(|&total| total <= 30_000)?;
        let mut model = given.clone();
        for mut choice in 0..total {
            for (&symbol, domain) in open.iter().zip(&domains) {
                model.set(symbol, domain[choice % domain.len()].clone());
                choice /= domain.len();
            }
            if holds(terms, &model, formula) == Ok(true) {
                return Some(Some(model));
            }
        }
        Some(None)
    }
}

impl Oracle for Universe {
    fn model(&mut self, terms: &mut Terms, formulas: &[Term]) -> Answer {
        let formula = terms.and(formulas.iter().copied());
        let open = terms.free_symbols(formula);
        match self.search(terms, formula, &Model::new(), &open) {
            None => Answer::Unknown,
            Some(None) => Answer::Unsatisfiable,
            Some(Some(model)) => Answer::Model(model),
        }
    }
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn arrays_are_eliminated_correctly(
        shapes in prop::collection::vec(any::<Shape>(), 1..5), both: bool, way in 0..3,
        samples in prop::collection::vec(any::<[bool; 4]>(), 2), chosen in 0usize..4
    ) {
        let mut terms = Terms::new();
        let mut universe = Universe::new(&mut terms);
        let mut conjuncts = vec![universe.in_box(&mut terms)];
        conjuncts.extend(shapes.into_iter().map(|shape| universe.literal(&mut terms, shape)));
        let formula = terms.and(conjuncts);
        let arrays = universe.arrays;
        let eliminated = if both { &arrays[..] } else { &arrays[..1] };
        let by_models = Limits { disjuncts: 0, reads: 0, ..Limits::default() };
        let result = match way {
            0 => eliminate(&mut terms, eliminated, formula, &mut NoOracle, Limits::default()),
            1 => eliminate(&mut terms, eliminated, formula, &mut universe, Limits::default()),
            _ => eliminate(&mut terms, eliminated, formula, &mut universe, by_models),
        };
        let (all, one) = (universe.array_values(&terms, &[0, 1], &[0]), universe.array_values(&terms, &[0, 1], &[4]));
        for sample in samples {
            let mut model = Model::new();
            for (&symbol, value) in universe.indices.iter().chain(&universe.values).zip(sample) {
                model.set(symbol, Value::Int(i64::from(value).into()));
            }
            model.set(universe.other, all[chosen].clone());
            if !both {
                model.set(universe.arrays[1], one[chosen].clone());
            }
            let wanted = universe.search(&mut terms, formula, &model, eliminated).expect("few arrays");
            let Some(found) = universe.search(&mut terms, result.formula, &model, &result.remaining) else { continue };
            prop_assert_eq!(
                found.is_some(), wanted.is_some(), "{}\n{}", infix(&terms, formula), infix(&terms, result.formula)
            );
        }
    }
}
