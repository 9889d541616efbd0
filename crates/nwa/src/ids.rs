//! Typed ids and dense maps: those of `cranelift-entity`.
//!
//! An id is a number with a type and a prefix: state 7 is `q7` in every dump and is never confused with letter 7.
//! [`PrimaryMap`] hands out ids, [`SecondaryMap`] attaches more data with a default, [`EntitySet`] is a bit set.

pub use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, packed_option::PackedOption};

/// Declares a typed id with a prefix.
macro_rules! id {
    ($(#[$attribute:meta])* $name:ident, $prefix:literal) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        ::cranelift_entity::entity_impl!($name, $prefix);
    };
}
pub(crate) use id;
