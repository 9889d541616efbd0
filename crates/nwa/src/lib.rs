//! Nested words and nested word automata.
//!
//! A *nested word* is a word whose positions are internal, calls or returns; each return matches the last open call.
//! Traces of programs with procedures are nested words. A *nested word automaton* (NWA) reads one from left to right like
//! a finite automaton; at a return it also sees the state in which the matching call was read, the *hierarchical
//! predecessor*. Languages of NWAs are closed under union, intersection and complement, so that what is usual for finite
//! automata works for programs with recursion too. The definitions are those of R. Alur and P. Madhusudan, *Adding Nesting
//! Structure to Words* (J. ACM 2009), and M. Heizmann, J. Hoenicke, A. Podelski, *Nested Interpolants* (POPL 2010).
//!
//! # What is here
//!
//! | | |
//! |---|---|
//! | words and runs | [`NestedWord`], [`Symbol`], [`Run`] |
//! | explicit automata | [`Nwa`], built with [`NwaBuilder`]: A = (Q, ⟨δ_in, δ_ca, δ_re⟩, Q_init, Q_fin) |
//! | automata that are computed when asked | [`LazyNwa`], [`Enumerable`], [`DeterministicNwa`]; made explicit by [`explicit()`] |
//! | Boolean operations | [`union`], [`intersection`], [`difference`], [`complement()`], [`determinize`] |
//! | questions | [`accepts`], [`is_empty`], [`shortest_run`], [`shortest_run_within`], [`included`], [`equivalent`], [`universal`], [`is_finite`] |
//! | smaller automata | [`remove_unreachable`], [`remove_dead_ends`], [`reduce`] |
//! | infinite words | [`buchi`]: lassos, emptiness, complement, difference, reductions |
//!
//! Letters and states are ids without meaning; the caller keeps tables of what they stand for. Every algorithm works
//! without recursion on the data, in the time that its module states, and gets a [`Budget`] that it asks whether it may go
//! on; [`Unlimited`] always says yes. The same input gives the same result, state by state.
//!
//! # Example
//!
//! The words in which every call returns, over one call, one return and no internal letter:
//!
//! ```
//! use nwa::{Alphabet, EntityRef, Letter, NestedWord, NwaBuilder, Symbol, Unlimited};
//!
//! # fn main() -> Result<(), nwa::Interrupted> {
//! let (call, ret) = (Letter::new(0), Letter::new(1));
//! let mut builder = NwaBuilder::new(Alphabet::new([], [call], [ret]));
//! let (outside, inside) = (builder.add_state(), builder.add_state());
//! builder.set_initial(outside);
//! builder.set_final(outside);
//! // A return leads back to the state in which its call was read, whatever was in between.
//! for caller in [outside, inside] {
//!     builder.add_call(caller, call, inside);
//!     builder.add_return(inside, caller, ret, caller);
//! }
//! let balanced = builder.finish();
//!
//! let word = |symbols: &[Symbol]| NestedWord::new(symbols.to_vec()).unwrap();
//! let (c, r) = (Symbol::Call(call), Symbol::Return(ret));
//! assert!(nwa::accepts(&balanced, &word(&[c, c, r, r]), &Unlimited)?);
//! assert!(!nwa::accepts(&balanced, &word(&[c, c, r]), &Unlimited)?);
//!
//! // The shortest word that is not accepted has a call that does not return.
//! let pending = nwa::universal(&balanced, &Unlimited)?.unwrap();
//! assert_eq!(pending, word(&[c]));
//!
//! // Nothing is both accepted and rejected.
//! let rejected = nwa::complement(&balanced, &Unlimited)?;
//! let both = nwa::intersection(&balanced, &rejected, &Unlimited)?;
//! assert!(nwa::is_empty(&both.nwa, &Unlimited)?);
//! # Ok(())
//! # }
//! ```
pub mod acceptance;
pub mod alphabet;
pub mod automaton;
pub mod buchi;
pub mod complement;
pub mod cycle_rank;
pub mod determinization;
pub mod emptiness;
pub mod finiteness;
pub mod ids;
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
pub use emptiness::{
    SearchOrder, ShortestFirst, Step, cheapest_run, is_empty, shortest_run, shortest_run_within,
};
pub use finiteness::is_finite;
pub use ids::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
pub use inclusion::{equivalent, everything, included, universal};
pub use interrupt::{Budget, Interrupted, Limit, Unlimited};
pub use lazy::{DeterministicNwa, Enumerable, LazyNwa};
pub use on_demand::{Explicit, OnDemand, explicit};
pub use operations::{complement, determinize, difference, intersection, totalize, union};
pub use product::{Difference, Intersection};
pub use properties::{Nondeterminism, deterministic_part, is_deterministic, is_semi_deterministic, is_total};
pub use total::{OverAlphabet, WithSink};
pub use trim::{remove_dead_ends, remove_non_live_states, remove_unreachable};
pub use word::{NestedWord, PendingReturn, Run, Symbol};

crate::ids::id!(
    /// A letter of an alphabet.
    Letter,
    "a"
);
crate::ids::id!(
    /// A state of an automaton.
    State,
    "q"
);
