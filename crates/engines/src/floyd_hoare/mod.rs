//! Floyd-Hoare automata: from infeasible traces to sets of infeasible traces.
//!
//! From an annotation comes [`from_facts`]. Three ways to get an automaton from an inductive sequence of predicates: [`canonical`] (paper "Nested
//! Interpolants", Definition 8), [`from_triples`] (paper "Software Model Checking for People who Love Automata",
//! Section 3), and [`on_demand`], the deterministic automaton whose transitions are found when they are asked for.

pub mod canonical;
pub mod explicit;
pub mod from_facts;
pub mod from_triples;
mod nearby;
pub mod on_demand;

use nwa::Letter;
use program::Edge;

/// Which letters stand for which edges.
#[derive(Clone, Debug)]
pub struct Letters {
    edges: Vec<Edge>,
}

impl Letters {
    /// Letters for these edges, in their order.
    pub fn new(edges: Vec<Edge>) -> Letters {
        Letters { edges }
    }

    /// The edge of a letter.
    pub fn edge(&self, letter: Letter) -> Edge {
        self.edges[letter.as_u32() as usize]
    }

    /// All edges with their letters.
    pub fn iter(&self) -> impl Iterator<Item = (Letter, Edge)> + '_ {
        self.edges.iter().enumerate().map(|(index, &edge)| (Letter::from_u32(index as u32), edge))
    }
}
