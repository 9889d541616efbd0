//! Statistics that are declared once and print themselves.
//!
//! ```
//! base::statistics! {
//!     /// How Hoare triples were answered.
//!     pub struct TripleStatistics {
//!         by_frame: "triples answered by the frame rule",
//!         by_solver: "triples answered by the solver",
//!     }
//! }
//! let mut statistics = TripleStatistics::default();
//! statistics.by_frame += 2;
//! assert_eq!(
//!     statistics.to_string(),
//!     "         2  triples answered by the frame rule\n         0  triples answered by the solver\n"
//! );
//! ```

/// Declares a struct of `u64` counters with their meaning. It gets `Default`, `Display` (a line each),
/// `merge`, and `entries` for machine-readable output.
#[macro_export]
macro_rules! statistics {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident { $($field:ident: $meaning:literal),+ $(,)? }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        $visibility struct $name {
            $(#[doc = $meaning] pub $field: u64,)+
        }

        impl $name {
            /// Adds what another part of the run counted.
            pub fn merge(&mut self, other: &$name) {
                $(self.$field += other.$field;)+
            }

            /// Name, meaning and value of every counter, in the order of declaration.
            pub fn entries(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> + use<> {
                [$((stringify!($field), $meaning, self.$field)),+].into_iter()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.entries().try_for_each(|(_, meaning, value)| writeln!(f, "{value:>10}  {meaning}"))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    crate::statistics! {
        /// Two counters.
        struct Two { first: "the first", second: "the second" }
    }

    #[test]
    fn counters_merge_and_list_themselves() {
        let mut two = Two { first: 1, second: 2 };
        two.merge(&Two { first: 10, second: 0 });
        let entries: Vec<_> = two.entries().collect();
        assert_eq!(entries, [("first", "the first", 11), ("second", "the second", 2)]);
        assert_eq!(two.to_string(), "        11  the first\n         2  the second\n");
    }
}
