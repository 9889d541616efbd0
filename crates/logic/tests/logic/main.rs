//! What `logic` promises, tested from the outside.

mod formulas;
mod pool;
mod properties;
mod qe;
mod qe_arrays;
mod smtlib;
mod table;

use proptest::test_runner::Config;

/// So many random cases, the same in every run.
fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}
