//! The stamp of the check.

use std::ops::Deref;

/// Evidence that the checks of this crate have accepted. Nobody else can make one, so whoever demands it in a type gets
/// nothing that was not checked.
#[derive(Clone, Debug)]
pub struct Certified<T>(T);

impl<T> Certified<T> {
    /// To be called where a check has come to its end without a complaint.
    pub(crate) fn new(accepted: T) -> Certified<T> {
        Certified(accepted)
    }

    /// The evidence, without its stamp.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Certified<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
