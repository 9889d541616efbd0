//! Büchi acceptance: automata over infinite nested words.
//!
//! The automata are the same as for finite words ([`Nwa`], [`LazyNwa`], …); only acceptance is different. A run over an
//! infinite nested word is accepting if it visits final states infinitely often. Calls may stay pending for ever; every
//! return has a call.
//!
//! | question | answer |
//! |---|---|
//! | which infinite words can be written down? | [`LassoWord`]: a stem and a loop |
//! | is a word accepted? | [`accepts`] |
//! | is any word accepted? | [`is_empty`], [`shortest_lasso`] |
//! | is no choice left behind final states? | [`is_semi_deterministic`] |
//! | one of two, both, one but not the other, not | [`union`], [`intersection`], [`difference`], [`complement`] |
//! | what do accepting runs use? | [`remove_non_live_states`] |
//! | is there a smaller automaton? | [`reduce`] |
//!
//! # Subtracting modules from a program
//!
//! The difference is what a termination analysis needs: all infinite traces of the program (every state is final), minus
//! the traces of one *module* after the other, each a Büchi automaton of traces that cannot go on for ever.
//!
//! ```
//! use nwa::{Alphabet, EntityRef, Letter, Nwa, NwaBuilder, Unlimited, buchi};
//!
//! /// Two loops around one state, `a` and `b`.
//! fn program() -> Nwa {
//!     let (a, b) = (Letter::new(0), Letter::new(1));
//!     let mut builder = NwaBuilder::new(Alphabet::finite([a, b]));
//!     let head = builder.add_state();
//!     builder.set_initial(head);
//!     builder.set_final(head);
//!     builder.add_internal(head, a, head);
//!     builder.add_internal(head, b, head);
//!     builder.finish()
//! }
//!
//! /// The words with infinitely many of one letter.
//! fn infinitely_often(letter: Letter) -> Nwa {
//!     let mut builder = NwaBuilder::new(Alphabet::finite([Letter::new(0), Letter::new(1)]));
//!     let (other, seen) = (builder.add_state(), builder.add_state());
//!     builder.set_initial(other);
//!     builder.set_final(seen);
//!     for state in [other, seen] {
//!         for next in [Letter::new(0), Letter::new(1)] {
//!             builder.add_internal(state, next, if next == letter { seen } else { other });
//!         }
//!     }
//!     builder.finish()
//! }
//!
//! # fn main() -> Result<(), nwa::Interrupted> {
//! let budget = Unlimited;
//! let mut rest = program();
//! let mut rounds = Vec::new();
//! while let Some(lasso) = buchi::shortest_lasso(&rest, &budget)? {
//!     // A real analysis looks for a ranking function here; this one generalises to "the first letter of the loop is
//!     // read infinitely often".
//!     let letter = lasso.repeated.word.symbols()[0].letter();
//!     rounds.push(letter);
//!     let module = infinitely_often(letter);
//!     rest = buchi::difference(&rest, &module, &budget)?.nwa;
//! }
//! assert_eq!(rounds.len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! A module that is computed on demand is subtracted with [`difference_with`], which takes its complement: a
//! [`DeterministicComplement`] if the module is deterministic, else a [`Complement`] by a [`Construction`]: [`Ncsb`] if the
//! module says which of its states are in the deterministic part ([`SemiDeterministic`]), [`Ranks`] in general. Then
//! only those transitions of the module are computed that some trace of the program asks for.

mod acceptance;
mod complement;
mod deterministic;
mod emptiness;
mod intersection;
mod lasso;
mod ncsb;
mod operations;
mod rank;
mod reduce;
mod simulation;

pub use crate::operations::union;
pub use crate::properties::is_semi_deterministic;
pub use crate::trim::remove_non_live_states;
pub use acceptance::accepts;
pub use complement::{Arrow, Complement, ComplementState, Construction, arrows_from};
pub use deterministic::{DeterministicComplement, Only};
pub use emptiness::{is_empty, shortest_lasso};
pub use intersection::{Awaited, Both, Intersection};
pub use lasso::{LassoRun, LassoWord, NoLasso};
pub use ncsb::{Guess, Label, Labelled, Ncsb, SemiDeterministic, SemiDeterministicNwa};
pub use operations::{
    Method, complement, complement_by, difference, difference_with, equivalent, included, intersection,
};
pub use rank::{Ranked, Ranks};
pub use reduce::reduce;

#[cfg(doc)]
use crate::{LazyNwa, Nwa};
