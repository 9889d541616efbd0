//! Nested words and nested word automata.
pub mod acceptance;
pub mod alphabet;
pub mod automaton;
pub mod buchi;
pub mod complement;
pub mod cycle_rank;
pub mod determinization;
pub mod emptiness;
pub mod finiteness;
mod graph;
pub mod inclusion;
pub mod lazy;
pub mod on_demand;
pub mod operations;
pub mod product;
pub mod properties;
pub(crate) mod reach;
pub mod reduce;
mod search;
mod table;
pub mod total;
pub mod trim;
pub mod word;

pub use acceptance::accepts;
pub use alphabet::Alphabet;
pub use automaton::{Edge, Nwa, NwaBuilder, Return};
pub use complement::{Complement, Plain, Totalized};
pub use cycle_rank::cycle_rank;
pub use determinization::{Determinized, MacroState};
pub use emptiness::{SearchOrder, ShortestFirst, Step, cheapest_run, is_empty, shortest_run};
pub use finiteness::is_finite;
pub use inclusion::{equivalent, everything, included, universal};
pub use lazy::{DeterministicNwa, Enumerable, LazyNwa};
pub use on_demand::{Explicit, OnDemand, explicit};
pub use operations::{complement, determinize, difference, intersection, totalize, union};
pub use product::{Difference, Intersection};
pub use properties::{Nondeterminism, deterministic_part, is_deterministic, is_semi_deterministic, is_total};
pub use total::{OverAlphabet, WithSink};
pub use trim::{remove_dead_ends, remove_non_live_states, remove_unreachable};
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
