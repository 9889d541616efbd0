//! How many heaps the C library keeps for the threads of this process.
//!
//! It makes up to eight for each processor and hands them to threads in turn. What is freed in one is used again by the threads of that heap only. The
//! engines of a run work in turns, each on a thread of its own, with Z3 as well, so that each heap stays as large as its threads ever were at once:
//! of 770 MB of a long refinement, 350 MB were free and of no use. With as many heaps as threads work at the same time, nobody waits for a heap, as a rule.

use std::ffi::c_int;

/// No more heaps than this from now on, as long as the process lives. Where the C library is not GNU's, nothing changes.
pub fn keep(heaps: usize) {
    set(c_int::try_from(heaps.max(1)).unwrap_or(c_int::MAX));
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn set(heaps: c_int) {
    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }
    /// `M_ARENA_MAX` of `malloc.h`.
    const MOST_HEAPS: c_int = -8;
    // SAFETY: the function takes two numbers and may be called at any time; it changes nothing about memory that is in use.
    // It always returns one.
    unsafe { mallopt(MOST_HEAPS, heaps) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn set(_: c_int) {}
