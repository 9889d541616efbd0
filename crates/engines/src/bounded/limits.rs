//! How far programs are unwound.

use ir::interpreter::Limits as RunLimits;
use unwind::apart::Limits;

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
pub(super) const INDUCTIONS: u64 = 1;

/// … and always so many units of effort: little at first, as most loops end soon.
pub(super) fn least_for_inductions(bound: u32) -> u64 {
    10_000 * u64::from(bound)
}

/// A question about facts or failures of inductions is worth so many conflicts.
pub(super) fn conflicts_for_inductions(bound: u32) -> u64 {
    500 * u64::from(bound)
}

/// Iterations that come for certain are followed in any case as long as there are no more gates than this.
pub(super) fn few_gates(bound: u32) -> usize {
    2_000 * bound as usize
}

/// But no more of them than this, or a program without inputs and without an end would never be tried in another way.
pub(super) fn most_certain(bound: u32) -> u32 {
    bound.saturating_mul(2_000)
}

/// How far paths are followed that are kept apart, before the unwinding in which they are merged. In a program whose loops depend on
/// inputs without a bound, the first path has too many branches, so that little is lost.
pub(super) fn apart(bound: u32) -> Limits {
    Limits {
        gates: 200_000 * bound as usize,
        steps: (200_000 * u64::from(bound)).min(MOST_STEPS_APART),
        call_depth: 200,
        decisions: MOST_DECISIONS,
    }
}

/// So much effort are the questions worth that come up where paths are kept apart: more than that, and there are too many paths.
pub(super) fn questions_apart(bound: u32) -> u64 {
    10_000 * u64::from(bound)
}

/// More statements than this are not followed, whatever the bound: the checker follows no more.
const MOST_STEPS_APART: u64 = 4_000_000;

/// With more branches on a path there are too many paths, as a rule.
const MOST_DECISIONS: u32 = 40;
