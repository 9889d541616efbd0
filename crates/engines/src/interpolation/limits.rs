//! How much the ways to interpolants may cost. They are tried from cheap to expensive.

/// With more variables than this, differences and sums of pairs are not considered: they grow quadratically.
pub(super) const MOST_PAIRED: usize = 8;

/// How many candidates a location gets at most: what a session takes in one query without slowing down.
pub(super) const MOST_CANDIDATES: usize = 600;

/// How much work the first Horn problem for a path program may cost: little, because there are many path programs and
/// other ways.
pub(super) const FIRST_RLIMIT: u32 = 150_000;

/// How much work one Horn problem may cost at most: half of what a single query may.
pub(super) const LAST_RLIMIT: u32 = 10_000_000;

/// A path program that comes back is tried again with this many times the work.
pub(super) const PATIENCE: u32 = 4;

/// More variables make the equations expensive (elimination is cubic) and useless.
pub(super) const MOST_VARIABLES: usize = 24;

/// How many conditions inside of updates are tried both ways: the cases double with each.
pub(super) const MOST_CONDITIONS: usize = 4;

/// Formulas larger than this are useless as predicates: every triple about them costs more than the trace.
pub(super) const LARGEST: usize = 2_000;

/// The largest tableau of the simplex method: it is dense, and its numbers are exact.
pub(super) const MOST_CELLS: usize = 400_000;

/// Path programs with more edges are not analysed with polyhedra.
pub(super) const MOST_POLYHEDRAL_STEPS: usize = 60;
