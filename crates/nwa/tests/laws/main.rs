//! The laws that the operations obey, checked on thousands of small random automata against brute force.

mod operations;
mod reductions;
mod support;
