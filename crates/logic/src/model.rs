//! Models: an interpretation of symbols and functions.

use crate::evaluate::ZeroDivision;
use crate::symbol::{Function, Symbol};
use crate::term::Terms;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A function that has one value nearly everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionTable {
    /// The values at listed arguments.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The value everywhere else.
    pub default: Value,
}

impl FunctionTable {
    /// The value at some arguments.
    pub fn get(&self, arguments: &[Value]) -> &Value {
        self.entries.get(arguments).unwrap_or(&self.default)
    }
}

/// An interpretation. What it does not mention has the default value of its sort.
#[derive(Clone, Default, Debug)]
pub struct Model {
    symbols: FxHashMap<Symbol, Value>,
    functions: FxHashMap<Function, FunctionTable>,
    zero_divisions: FxHashMap<ZeroDivision, FunctionTable>,
}

impl Model {
    /// Everything has its default value.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a symbol a value.
    pub fn set(&mut self, symbol: Symbol, value: Value) {
        self.symbols.insert(symbol, value);
    }

    /// Does the model mention the symbol?
    pub fn get(&self, symbol: Symbol) -> Option<&Value> {
        self.symbols.get(&symbol)
    }

    /// The value of a symbol.
    pub fn value(&self, terms: &Terms, symbol: Symbol) -> Value {
        match self.symbols.get(&symbol) {
            Some(value) => value.clone(),
            None => Value::default_of(terms, terms.symbol_data(symbol).sort),
        }
    }

    /// Gives a function its values.
    pub fn set_function(&mut self, function: Function, table: FunctionTable) {
        self.functions.insert(function, table);
    }

    /// The values of a function, if the model mentions it.
    pub fn function(&self, function: Function) -> Option<&FunctionTable> {
        self.functions.get(&function)
    }

    /// Says what division by zero gives; the tables have the dividend as argument.
    pub fn set_zero_division(&mut self, operator: ZeroDivision, table: FunctionTable) {
        self.zero_divisions.insert(operator, table);
    }

    /// What division by zero gives, if the model mentions it.
    pub fn zero_division(&self, operator: ZeroDivision) -> Option<&FunctionTable> {
        self.zero_divisions.get(&operator)
    }
}
