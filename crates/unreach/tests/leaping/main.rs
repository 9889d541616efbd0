//! Leaping loops: the programs of the paper, programs that look like them but are safe, certificates with mistakes, and
//! random programs compared with exhaustive exploration. A safe program must never be called unsafe; that is soundness.

mod lookalikes;
mod mutations;
mod paper;
mod random;
mod support;
