//! What the caller decides: the data model, the property, and the meaning of signed overflow.

use std::fmt;

/// The sizes of the integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits, as on 32-bit Linux.
    #[default]
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64, as on 64-bit Linux.
    Lp64,
}

/// What must not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Property {
    /// A call of `reach_error` (or of `__VERIFIER_error`).
    #[default]
    UnreachCall,
    /// Reaching the label `ERROR`.
    UnreachLabel,
    /// A failing `assert`, `__VERIFIER_assert` or ACSL assertion.
    Assert,
    /// A signed overflow.
    NoOverflow,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Property::Assert => "assert",
            Property::UnreachCall => "unreach-call",
            Property::UnreachLabel => "unreach-label",
            Property::NoOverflow => "no-overflow",
        })
    }
}

/// What bit operations without a rule over integers, and floating-point operations become.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BitOperations {
    /// A number within bounds, on a marked statement: formulas stay in linear arithmetic.
    #[default]
    Marked,
    /// Operations on bit-vectors: exact, and hard for solvers.
    Exact,
}

/// What a signed overflow does where the property does not forbid it.
///
/// Collections of verification tasks take it for the end of an execution: it is a property of its own. Then an error
/// that is found needs no overflow, so it is one under both meanings; but a proof says nothing of executions behind an
/// overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SignedOverflow {
    /// The execution ends: the C standard gives it no meaning.
    #[default]
    Ends,
    /// The result wraps around in two's complement, as compiled programs do without optimisation.
    Wraps,
}

/// Options of the translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The sizes of the integer types.
    pub data_model: DataModel,
    /// What must not happen.
    pub property: Property,
    /// What a signed overflow does, for the other properties.
    pub signed_overflow: SignedOverflow,
    /// What bit operations become that have no rule over integers.
    pub bit_operations: BitOperations,
}
