//! One file per verb.

pub(crate) mod automata;
pub(crate) mod bench;
pub(crate) mod certify;
pub(crate) mod leaps;
pub(crate) mod print;
pub(crate) mod verify;
