//! Termination: the evidence for either answer.
//!
//! * [`TerminationProof`]: invariants and ranks at the cut points, after Floyd ("Assigning Meanings to Programs", 1967):
//!   every step between cut points decreases the rank.
//! * [`Recurrence`]: sets of states that some run never has to leave, after Gupta, Henzinger, Majumdar, Rybalchenko, Xu
//!   ("Proving Non-Termination", POPL 2008), and a run that comes to one of them.

use crate::automaton::{Edge, Location};
use logic::{Model, Symbol, Term};

/// What holds at a cut point, and how far every run that comes there can go on at most.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedNode {
    /// The cut point.
    pub location: Location,
    /// What holds.
    pub invariant: Term,
    /// Numbers, compared from left to right. All nodes of a proof have as many, of the same sorts.
    pub rank: Vec<Term>,
}

/// A proof that no run is infinite. A cut point may have several nodes, of which one applies whenever control is there;
/// a cut point without nodes is never reached.
///
/// A step from a node decreases its rank: some entry was not negative and becomes smaller by one or more, and no entry
/// before it grows. For a call that comes back, the step is from the call to where it comes back to.
#[derive(Clone, Default, Debug)]
pub struct TerminationProof {
    /// The nodes.
    pub nodes: Vec<RankedNode>,
}

/// One way to go on from a recurrent set, in single steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecurrentWay {
    /// The edges of the single-step program. Calls on the way never come back.
    pub edges: Vec<Edge>,
    /// For each edge what is chosen: auxiliary constants, with terms over the state before the edge. What is not listed
    /// may be anything.
    pub choices: Vec<Vec<(Symbol, Term)>>,
    /// The recurrent set in which it ends.
    pub target: usize,
}

/// States in which a run can go on to another recurrent set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecurrentSet {
    /// Where control is.
    pub location: Location,
    /// Which states.
    pub states: Term,
    /// The ways on: in every state of the set one of them can be gone.
    pub ways: Vec<RecurrentWay>,
}

/// An infinite run: a run that comes to the first recurrent set, and the sets.
#[derive(Clone, Debug)]
pub struct Recurrence {
    /// The edges of the single-step program that lead to the first set.
    pub stem: Vec<Edge>,
    /// For each of them the values of the state before it and of its auxiliary constants.
    pub values: Vec<Model>,
    /// The recurrent sets.
    pub sets: Vec<RecurrentSet>,
}

impl Recurrence {
    /// The same about a program whose locations and edges have other numbers; nothing, if one of them is not there.
    pub fn renumbered(
        &self,
        location: impl Fn(Location) -> Option<Location>,
        edge: impl Fn(Edge) -> Option<Edge>,
    ) -> Option<Recurrence> {
        let edges = |list: &[Edge]| list.iter().map(|&one| edge(one)).collect::<Option<Vec<Edge>>>();
        let mut sets = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            let mut ways = Vec::with_capacity(set.ways.len());
            for way in &set.ways {
                ways.push(RecurrentWay { edges: edges(&way.edges)?, ..way.clone() });
            }
            sets.push(RecurrentSet { location: location(set.location)?, ways, ..set.clone() });
        }
        Some(Recurrence { stem: edges(&self.stem)?, values: self.values.clone(), sets })
    }
}
