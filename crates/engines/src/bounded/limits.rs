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

/// Iterations that come for certain are cheaper: so many times more of them are followed.
pub(super) const CERTAIN: u32 = 64;

/// Over how many rounds inductions go when loops are open at a bound.
pub(super) fn rounds(bound: u32) -> &'static [u32] {
    match bound {
        2 => &[1, 2],
        8 => &[1, 4],
        32 => &[1, 8],
        128 => &[1, 16],
        _ => &[],
    }
}

/// Inductions may cost so many times what the unwinding before them has cost, …
pub(super) const INDUCTIONS: u64 = 2;
/// … and always so many units of effort.
pub(super) const LEAST_FOR_INDUCTIONS: u64 = 200_000;
