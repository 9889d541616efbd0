//! How long computations are told to stop.
//!
//! An algorithm that may take long gets a [`Budget`] and calls [`Budget::check`] in its loops. The answer
//! [`Interrupted`] travels by `?` up to whoever set the budget. What a budget counts, and who trips it, is not the
//! algorithm's business.
//!
//! ```
//! use interrupt::{Budget, Interrupted, Unlimited};
//!
//! fn sum(numbers: &[u64], budget: &dyn Budget) -> Result<u64, Interrupted> {
//!     let mut sum = 0;
//!     for number in numbers {
//!         budget.check()?;
//!         sum += number;
//!     }
//!     Ok(sum)
//! }
//! assert_eq!(sum(&[1, 2, 3], &Unlimited), Ok(6));
//! ```

use std::fmt;

/// What ran out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Limit {
    /// The wall-clock time.
    Time = 1,
    /// The memory of the process.
    Memory = 2,
    /// The work that the run was allowed, however long it took.
    Effort = 4,
    /// Somebody asked us to stop, for example with Ctrl-C.
    Cancelled = 3,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Time => "timeout",
            Limit::Memory => "out of memory",
            Limit::Effort => "effort used up",
            Limit::Cancelled => "cancelled",
        })
    }
}

/// A limit was reached. It travels by `?` up to whoever set the budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted(pub Limit);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Interrupted {}

/// A limit on a computation.
pub trait Budget {
    /// Fails once the computation should stop. It stands in hot loops, so it should cost little.
    fn check(&self) -> Result<(), Interrupted>;
}

/// The budget that is never used up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Budget for Unlimited {
    fn check(&self) -> Result<(), Interrupted> {
        Ok(())
    }
}
