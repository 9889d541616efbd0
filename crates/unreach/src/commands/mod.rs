//! One file per verb.

pub(crate) mod print;
pub(crate) mod verify;
