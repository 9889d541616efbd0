//! How far programs are unwound.

use ir::interpreter::Limits as RunLimits;

/// How many iterations that depend on inputs are followed, one attempt after the other: each costs about four times the
/// one before, so the last one dominates.
pub(super) const BOUNDS: &[u32] = &[2, 8, 32, 128, 512, 2_048, 8_192];

/// How long a run that fails may be when it is run again.
pub(super) const RUN: RunLimits =
    RunLimits { steps: 50_000_000, call_depth: 100_000, operations: 10_000_000_000 };

/// A question whether a loop goes on is not worth more conflicts than this: without an answer the loop is followed.
pub(super) const MOST_CONFLICTS: u64 = 3_000;
