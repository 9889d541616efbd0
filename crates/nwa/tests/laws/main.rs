//! The laws that the operations obey, checked on thousands of small random automata against brute force.

mod infinite;
mod operations;
mod reductions;
mod support;
