//! Sorts: interned, so that two sorts are equal exactly if their ids are.

base::id!(
    /// A sort of a [`Terms`](crate::Terms) store.
    Sort,
    "sort"
);

impl Sort {
    /// Truth values.
    pub const BOOL: Sort = Sort(0);
    /// Mathematical integers.
    pub const INT: Sort = Sort(1);
    /// Real numbers.
    pub const REAL: Sort = Sort(2);

    /// Is this `Int` or `Real`?
    pub fn is_arithmetic(self) -> bool {
        self == Sort::INT || self == Sort::REAL
    }
}

/// What a sort is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SortData {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Real numbers.
    Real,
    /// Bit-vectors of this width, at least one bit.
    BitVec(u32),
    /// Total maps. Maps with several indices are nested: `[int, bool] real` is an array of arrays.
    Array {
        /// The sort of the index.
        index: Sort,
        /// The sort of the elements.
        element: Sort,
    },
    /// A sort of which nothing is known but that it is not empty.
    Uninterpreted(String),
}
