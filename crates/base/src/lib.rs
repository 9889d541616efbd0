//! What every crate of Unreach stands on.
//!
//! * [`ids`]: typed `u32` ids that print as they appear in dumps, and dense maps over them;
//! * [`source`]: files, byte spans, lines and columns;
//! * [`diagnostics`]: what is wrong with the user's input, drawn with the source line;
//! * [`budget`]: how long and how large a run may become, and who stops it;
//! * [`persistent`]: maps with cheap copies;
//! * [`random`]: numbers without pattern, the same in every run;
//! * [`statistics`]: counters that are declared once and print themselves.
//!
//! Nothing here knows formulas, automata or programs.

pub mod budget;
pub mod diagnostics;
pub mod files;
pub mod ids;
pub mod persistent;
pub mod random;
pub mod source;
pub mod statistics;

pub use budget::{Budget, Interrupted, Limit};
pub use diagnostics::{Diagnostic, Severity};
pub use ids::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
pub use persistent::PersistentMap;
pub use random::Random;
pub use source::{FileId, LineColumn, LineMarker, SourceMap, Span};
