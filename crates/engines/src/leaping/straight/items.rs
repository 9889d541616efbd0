//! What is known about a state: the values of variables, and of single cells of arrays.

use crate::leaping::atoms::is_open;
use crate::leaping::motion::{Motion, roots};
use logic::evaluate::Evaluator;
use logic::value::ArrayValue;
use logic::{Model, Op, Sort, SortData, Term, Terms, Value};
use program::{Program, Var};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A variable, or a cell of one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Item {
    /// The variable.
    pub var: Var,
    /// The index of the cell.
    pub cell: Option<Value>,
}

impl Item {
    /// The term that has the item's value.
    pub fn term(&self, program: &Program, terms: &mut Terms) -> Option<Term> {
        let whole = program.variables.term(terms, self.var);
        self.part_of(terms, whole)
    }

    /// The part of a value of the variable that the item is.
    pub fn part_of(&self, terms: &mut Terms, whole: Term) -> Option<Term> {
        let Some(cell) = &self.cell else { return Some(whole) };
        let index = literal(terms, cell)?;
        Some(terms.select(whole, index))
    }

    /// Its value in a state.
    pub fn value(&self, program: &Program, terms: &Terms, state: &Model) -> Option<Value> {
        let whole = state.value(terms, program.variables[self.var].symbol);
        match (&self.cell, whole) {
            (None, whole) => Some(whole),
            (Some(cell), Value::Array(array)) => Some(array.get(cell).clone()),
            (Some(_), _) => None,
        }
    }

    /// Gives it another value.
    pub fn set(&self, program: &Program, terms: &Terms, state: &mut Model, value: Value) {
        let symbol = program.variables[self.var].symbol;
        let Some(cell) = &self.cell else {
            state.set(symbol, value);
            return;
        };
        if let Value::Array(array) = state.value(terms, symbol) {
            let mut array = ArrayValue::clone(&array);
            array.set(cell.clone(), value);
            state.set(symbol, Value::Array(Arc::new(array)));
        }
    }
}

/// Can values of the sort be written down and compared?
pub fn is_simple(terms: &Terms, sort: Sort) -> bool {
    matches!(terms.sort_data(sort), SortData::Bool | SortData::Int | SortData::Real | SortData::BitVec(_))
}

/// The term of a value that can be written down.
pub fn literal(terms: &mut Terms, value: &Value) -> Option<Term> {
    match value {
        Value::Bool(value) => Some(terms.bool(*value)),
        Value::Int(value) => Some(terms.int(value.clone())),
        Value::Real(value) => Some(terms.real(value.clone())),
        Value::BitVec(width, value) => Some(terms.bitvec(value.clone(), *width)),
        Value::Array(_) | Value::Element(..) => None,
    }
}

/// Which accesses are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Cells that are read.
    Read,
    /// Cells that are written.
    Written,
}

/// The cells that a motion accesses in a state, of arrays with simple cells.
pub fn cells(
    program: &Program,
    terms: &mut Terms,
    motion: &Motion,
    state: &Model,
    access: Access,
) -> BTreeSet<Item> {
    let op = match access {
        Access::Read => Op::Select,
        Access::Written => Op::Store,
    };
    let mut accesses: Vec<(Term, Term)> = Vec::new();
    terms.for_each_subterm(&roots(&motion.relation), |term| {
        if terms.op(term) == op {
            let args = terms.args(term);
            accesses.push((args[0], args[1]));
        }
    });
    let mut found = BTreeSet::new();
    for (mut array, index) in accesses {
        while terms.op(array) == Op::Store {
            array = terms.args(array)[0];
        }
        let symbol = terms.as_symbol(array);
        let Some(var) = symbol.and_then(|symbol| program.variables.of_symbol(symbol)) else { continue };
        let Some((_, element)) = terms.array_parts(terms.sort_of(array)) else { continue };
        if !is_simple(terms, element) || is_open(terms, index) {
            continue;
        }
        if let Ok(index) = Evaluator::new(state).evaluate(terms, index)
            && literal(terms, &index).is_some()
        {
            found.insert(Item { var, cell: Some(index) });
        }
    }
    found
}
