//! Termination: the evidence for either answer.
//!
//! * [`TerminationProof`]: invariants and ranks at the cut points, after Floyd ("Assigning Meanings to Programs", 1967):
//!   every step between cut points decreases the rank. Where no rank fits all traces of a loop, [`Covering`]: Büchi
//!   automata with ranks, after Heizmann, Hoenicke, Podelski ("Termination Analysis by Learning Terminating Programs",
//!   CAV 2014).
//! * [`Recurrence`]: sets of states that some run never has to leave, after Gupta, Henzinger, Majumdar, Rybalchenko, Xu
//!   ("Proving Non-Termination", POPL 2008), and a run that comes to one of them.

use crate::automaton::{Edge, Location};
use logic::{Model, Sort, Symbol, Term, Terms};

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
    /// The parts of the program in which modules take the place of ranks.
    pub coverings: Vec<Covering>,
}

/// A set of cut points such that steps among them need not decrease the rank of their nodes, only not increase any
/// entry: every infinite sequence of such steps is accepted by one of the modules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covering {
    /// The cut points.
    pub locations: Vec<Location>,
    /// Pairs of locations between which no step is possible; the second is one of the cut points.
    pub impossible: Vec<(Location, Location)>,
    /// The modules.
    pub modules: Vec<Module>,
}

/// A Büchi automaton of sequences of cut points that no run follows for ever.
///
/// A run visits accepting states again and again, and whenever it does so, the rank there is measured. Labels speak of the
/// state and of the *old rank*, the one that was measured last: [`Module::old_rank`] are its names. From one visit
/// to the next the rank becomes smaller, as in a [`TerminationProof`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// Of which sorts the entries of the rank are.
    pub entries: Vec<Sort>,
    /// The states.
    pub states: Vec<ModuleState>,
    /// The states in which it begins: their labels hold whenever a run comes to their location from outside of the
    /// covering.
    pub initial: Vec<usize>,
    /// Transitions, for all steps from the location of the one state to that of the other.
    pub transitions: Vec<(usize, usize)>,
}

/// A state of a [`Module`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleState {
    /// Where control is.
    pub location: Location,
    /// What holds, besides the invariant of the location.
    pub label: Term,
    /// What is measured here; only in accepting states.
    pub rank: Option<Vec<Term>>,
    /// Whether a rank was measured before, in every run of the automaton that comes here.
    pub measured: bool,
}

impl Module {
    /// The names of the entries of the rank that was measured last.
    pub fn old_rank(&self, terms: &mut Terms) -> Vec<Term> {
        let entries = self.entries.iter().enumerate();
        entries.map(|(number, &sort)| Module::old_entry(number, sort, terms)).collect()
    }

    /// The name of one entry. Source programs have no such names.
    pub fn old_entry(number: usize, sort: Sort, terms: &mut Terms) -> Term {
        let kind = if sort == Sort::REAL { "old real rank" } else { "old rank" };
        terms.named(&format!("{kind} {number}"), sort)
    }
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
