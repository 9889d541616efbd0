//! What infinite runs of a program can see: the checker's own.
//!
//! Evidence about infinite runs speaks of the program as it was built, without the edges that no infinite run takes, and
//! with its calls unfolded if the evidence lists activations. Dropped are
//!
//! * edges to errors, because an error is the end of a run, and edges whose guard is the formula `false`;
//! * what no run gets to;
//! * in a program without calls, what leads to no cycle.
//!
//! So every infinite run of the program is one of what is left, and the other way round. Linear in the size of the result.

use crate::product::Move;
use crate::unfold::{Unfolded, unfold};
use crate::{Refusal, Subject};
use base::{EntitySet, PrimaryMap, SecondaryMap};
use logic::Terms;
use program::{Activation, Edge, EdgeKind, Location, Place, Program, SingleSteps, Unfolding};

/// What infinite runs of a program can see.
#[derive(Clone, Debug)]
pub struct Endless {
    program: SingleSteps,
    unfolding: Option<Unfolding>,
    unfolded: Option<Unfolded>,
    /// The automaton that watches the program, if it is a product.
    automaton: Option<Vec<Vec<Move>>>,
}

impl Endless {
    /// What infinite runs of a subject can see. With an unfolding its calls are unfolded; the list must have all
    /// activations that runs can get to.
    pub fn new(
        subject: &Subject,
        unfolding: Option<&Unfolding>,
        terms: &mut Terms,
    ) -> Result<Endless, Refusal> {
        let mut program = subject.program().clone().into_program();
        drop_ends(&mut program);
        drop_unreached(&mut program);
        drop_finite(&mut program);
        let unfolded = match unfolding {
            None => None,
            Some(unfolding) => Some(unfold(&program, unfolding, terms)?),
        };
        if let Some(unfolded) = &unfolded {
            program = unfolded.program().clone();
            drop_unreached(&mut program);
            drop_finite(&mut program);
        }
        let (unfolding, automaton) = (unfolding.cloned(), subject.automaton().map(<[_]>::to_vec));
        Ok(Endless { program: SingleSteps::new(program), unfolding, unfolded, automaton })
    }

    /// The moves of the automaton that watches the program, if it is a product.
    pub fn automaton(&self) -> Option<&[Vec<Move>]> {
        self.automaton.as_deref()
    }

    /// The program that evidence is held against.
    pub fn program(&self) -> &SingleSteps {
        &self.program
    }

    /// The activations of the unfolding, if calls are unfolded.
    pub fn unfolding(&self) -> Option<&Unfolding> {
        self.unfolding.as_ref()
    }

    /// The copy of a location.
    pub fn location(&self, place: Place) -> Option<Location> {
        self.unfolded.as_ref()?.location(place)
    }

    /// The copy of an edge in the activation where it begins; a return begins in the callee.
    pub fn edge(&self, activation: Activation, edge: Edge) -> Option<Edge> {
        self.unfolded.as_ref()?.edge(activation, edge)
    }
}

/// Forgets errors, and the edges that lead to them or cannot be taken.
fn drop_ends(program: &mut Program) {
    let Program { locations, edges, outgoing, .. } = program;
    for list in outgoing.values_mut() {
        list.retain(|&edge| {
            let data = &edges[edge];
            let blocked = matches!(&data.kind, EdgeKind::Internal(relation) if relation.guard.is_false());
            !blocked && locations[data.target].error.is_none()
        });
    }
    for location in locations.values_mut() {
        location.error = None;
    }
    program.errors = PrimaryMap::new();
}

/// Drops the edges from locations that are not reached along edges, calls and returns among them.
fn drop_unreached(program: &mut Program) {
    let mut reached = EntitySet::new();
    let mut pending = program.initial.clone();
    while let Some(location) = pending.pop() {
        if reached.insert(location) {
            pending.extend(program.outgoing[location].iter().map(|&edge| program.edges[edge].target));
        }
    }
    for (location, list) in program.outgoing.iter_mut() {
        if !reached.contains(location) {
            list.clear();
        }
    }
}

/// In a program without calls, drops the edges, and the beginnings, from which no cycle is reached: a location
/// without edges is the end of every run that comes there, and so is one all of whose edges lead to such locations.
fn drop_finite(program: &mut Program) {
    if !program.live_edges().all(|edge| matches!(program.edges[edge].kind, EdgeKind::Internal(_))) {
        return;
    }
    let mut into: SecondaryMap<Location, Vec<Location>> = SecondaryMap::new();
    let mut ways: SecondaryMap<Location, usize> = SecondaryMap::new();
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        into[data.target].push(data.source);
        ways[data.source] += 1;
    }
    let mut ended = EntitySet::new();
    let mut pending: Vec<Location> =
        program.locations.keys().filter(|&location| ways[location] == 0).collect();
    while let Some(location) = pending.pop() {
        ended.insert(location);
        for &before in &into[location] {
            ways[before] -= 1;
            if ways[before] == 0 {
                pending.push(before);
            }
        }
    }
    let Program { edges, outgoing, initial, .. } = program;
    for list in outgoing.values_mut() {
        list.retain(|&edge| !ended.contains(edges[edge].target));
    }
    initial.retain(|&location| !ended.contains(location));
}
