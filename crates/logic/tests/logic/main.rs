//! What `logic` promises, tested from the outside.

mod formulas;
mod pool;
mod properties;
mod qe;
mod qe_arrays;
mod smtlib;
mod table;
