//! Typed ids and dense maps.
//!
//! An id is a `u32` with a type and a prefix: location 7 is `l7` in every dump and can never be
//! confused with state 7. Tables over ids are dense vectors: [`PrimaryMap`] hands out the ids,
//! [`SecondaryMap`] attaches more data with a default, [`EntitySet`] is a bit set.
//!
//! The maps are Cranelift's (`docs/decisions/0002-dependencies.md`).

pub use cranelift_entity::{
    self, EntityRef, EntitySet, PrimaryMap, SecondaryMap, packed_option::PackedOption,
};

/// Declares a typed id: `id!(/// A control location. Location, "l")`.
#[macro_export]
macro_rules! id {
    ($(#[$attribute:meta])* $name:ident, $prefix:literal) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        $crate::ids::cranelift_entity::entity_impl!($name, $prefix);
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::id!(
        /// An id for the test.
        Location, "l");

    #[test]
    fn ids_print_as_in_dumps() {
        let mut names: PrimaryMap<Location, &str> = PrimaryMap::new();
        let entry = names.push("entry");
        let exit = names.push("exit");
        assert_eq!(format!("{entry} {exit:?}"), "l0 l1");
        assert_eq!(names[exit], "exit");
    }

    #[test]
    fn secondary_maps_have_a_default() {
        let mut depth: SecondaryMap<Location, u32> = SecondaryMap::new();
        depth[Location::new(3)] = 5;
        assert_eq!((depth[Location::new(0)], depth[Location::new(3)], depth[Location::new(9)]), (0, 5, 0));
    }
}
