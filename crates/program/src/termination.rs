//! Termination: the program whose infinite runs are looked for, and the evidence for either answer.
//!
//! * [`prepare`]: what cannot matter to infinite runs is dropped, and calls are inlined if that is possible.
//! * [`TerminationProof`]: invariants and ranks at the cut points, after Floyd ("Assigning Meanings to Programs", 1967):
//!   every step between cut points decreases the rank.
//! * [`Recurrence`]: sets of states that some run never has to leave, after Gupta, Henzinger, Majumdar, Rybalchenko, Xu
//!   ("Proving Non-Termination", POPL 2008), and a run that comes to one of them.

use crate::automaton::{Edge, EdgeKind, Location, Program};
use crate::inline::inline;
use base::{EntitySet, PrimaryMap, SecondaryMap};
use logic::{Model, Symbol, Term, Terms};

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

/// The part of a program that infinite runs can see: no errors, no edge that cannot be taken, nothing that is not
/// reached, and without calls nothing from which no cycle is reached. Calls are inlined if the program has then at most
/// `most` locations; recursion stays. Linear in the size of the result.
pub fn prepare(program: &Program, most: usize, terms: &mut Terms) -> Program {
    let mut program = program.clone();
    forget_errors(&mut program);
    keep_what_matters(&mut program);
    if let Ok(mut inlined) = inline(&program, terms, most) {
        forget_errors(&mut inlined);
        keep_what_matters(&mut inlined);
        program = inlined;
    }
    program
}

/// An error ends a run like any other end.
fn forget_errors(program: &mut Program) {
    let Program { locations, edges, outgoing, .. } = program;
    for list in outgoing.values_mut() {
        list.retain(|&edge| match &edges[edge].kind {
            EdgeKind::Internal(relation) => {
                !relation.is_blocked() && locations[edges[edge].target].error.is_none()
            }
            _ => true,
        });
    }
    for location in locations.values_mut() {
        location.error = None;
    }
    program.errors = PrimaryMap::new();
}

fn keep_what_matters(program: &mut Program) {
    let mut forward: SecondaryMap<Location, Vec<Location>> = SecondaryMap::new();
    let mut has_calls = false;
    for edge in program.live_edges().collect::<Vec<_>>() {
        let data = &program.edges[edge];
        forward[data.source].push(data.target);
        has_calls |= !matches!(data.kind, EdgeKind::Internal(_));
    }
    let mut kept = EntitySet::new();
    let mut pending = program.initial.clone();
    while let Some(location) = pending.pop() {
        if kept.insert(location) {
            pending.extend(&forward[location]);
        }
    }
    if !has_calls {
        drop_what_ends(program, &mut kept);
    }
    for (location, outgoing) in program.outgoing.iter_mut() {
        outgoing.retain(|&edge| kept.contains(location) && kept.contains(program.edges[edge].target));
    }
    program.initial.retain(|&location| kept.contains(location));
}

/// Removes locations all of whose successors are removed, again and again: no cycle is reached from them.
fn drop_what_ends(program: &Program, kept: &mut EntitySet<Location>) {
    let mut left: SecondaryMap<Location, usize> = SecondaryMap::new();
    let mut backward: SecondaryMap<Location, Vec<Location>> = SecondaryMap::new();
    for location in program.locations.keys().filter(|&location| kept.contains(location)) {
        for &edge in &program.outgoing[location] {
            left[location] += 1;
            backward[program.edges[edge].target].push(location);
        }
    }
    let mut ended: Vec<Location> = program
        .locations
        .keys()
        .filter(|&location| kept.contains(location) && left[location] == 0)
        .collect();
    while let Some(location) = ended.pop() {
        kept.remove(location);
        for &before in &backward[location] {
            left[before] -= 1;
            if left[before] == 0 {
                ended.push(before);
            }
        }
    }
}
