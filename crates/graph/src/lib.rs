//! Graphs over dense indices: strongly connected components and weak topological orders.
//!
//! A graph is a number of nodes and a function that lists the successors of a node. Nothing here recurses, so a path of a
//! million nodes needs no stack, and the same graph gives the same answer in every run.

mod components;
mod order;

pub use components::{Components, Search, components};
pub use order::{Element, weak_topological_order};
