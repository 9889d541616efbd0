//! Leaping loops: the programs of the paper, programs that look like them but are safe, certificates with mistakes, and
//! random programs compared with exhaustive exploration. A safe program must never be called unsafe; that is soundness.

#![allow(clippy::disallowed_methods, reason = "a longer run is asked for in the environment")]

mod lookalikes;
mod mutations;
mod paper;
mod random;
mod straight;
mod sums;
mod support;
