//! What `logic` promises, tested from the outside.

mod formulas;
mod pool;
mod properties;
mod qe;
mod qe_arrays;
mod smtlib;
mod table;

use proptest::test_runner::{Config, RngSeed};

/// So many random cases, the same in every run.
fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..Config::default() }
}
