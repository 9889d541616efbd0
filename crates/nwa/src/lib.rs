//! Nested words and nested word automata.
pub mod acceptance;
pub mod alphabet;
pub mod automaton;
pub mod complement;
pub mod determinization;
pub mod emptiness;
pub mod lazy;
pub mod on_demand;
pub mod product;
pub mod properties;
pub(crate) mod reach;
mod search;
mod table;
pub mod word;

pub use acceptance::accepts;
pub use alphabet::Alphabet;
pub use automaton::{Edge, Nwa, NwaBuilder, Return};
pub use complement::{Complement, OverAlphabet, Plain, Totalized, WithSink};
pub use determinization::{Determinized, MacroState};
pub use lazy::{DeterministicNwa, Enumerable, LazyNwa};
pub use on_demand::{Explicit, OnDemand, explicit};
pub use product::{Difference, Intersection};
pub use word::{NestedWord, PendingReturn, Run, Symbol};

base::id!(
    /// A letter of an alphabet.
    Letter,
    "a"
);
base::id!(
    /// A state of an automaton.
    State,
    "q"
);
