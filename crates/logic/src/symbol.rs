//! Symbols (constants, which engines use as variables) and uninterpreted functions.

use crate::sort::Sort;

base::id!(
    /// A constant of some sort; what a formula is about. Identified by name and sort.
    Symbol,
    "sym"
);

base::id!(
    /// An uninterpreted function with at least one parameter. Identified by name and signature.
    Function,
    "fun"
);

/// Name and sort of a symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolData {
    /// Unique among the symbols of a store.
    pub name: String,
    /// The sort of its values.
    pub sort: Sort,
}

/// Name and signature of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionData {
    /// Unique among the functions of a store.
    pub name: String,
    /// The sorts of the parameters.
    pub parameters: Vec<Sort>,
    /// The sort of the result.
    pub result: Sort,
}
