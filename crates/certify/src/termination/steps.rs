//! The steps of a run outside of all calls that come back.
//!
//! Of an infinite run take the positions that lie inside of no call that comes back: they are infinitely many, and from
//! each to the next one leads a block, a call that does not come back, or a whole call that does.

use super::Checker;
use crate::Refusal;
use crate::certificate::Letter;
use crate::obligations::{AtReturn, successors_first};
use base::EntitySet;
use logic::{Term, Terms};
use program::{Edge, EdgeKind, Location, Program};
use std::collections::BTreeSet;

/// How a step gets from one cut point to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// By the block between them.
    Block,
    /// By a call that does not come back.
    Call(Edge),
    /// By a whole call; its return.
    Over(Edge),
}

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SpineStep {
    /// Where it begins; for a whole call, at the call.
    pub(super) from: Location,
    /// Where it ends.
    pub(super) to: Location,
    /// How.
    pub(super) kind: Kind,
}

/// All steps of a program with some cut points.
pub(super) fn all(program: &Program, cut_points: &EntitySet<Location>) -> Vec<SpineStep> {
    let mut steps = Vec::new();
    for from in program.locations.keys().filter(|&location| cut_points.contains(location)) {
        let mut targets: BTreeSet<Location> = BTreeSet::new();
        for location in successors_first(program, from, cut_points) {
            for &edge in &program.outgoing[location] {
                let data = &program.edges[edge];
                if matches!(data.kind, EdgeKind::Internal(_)) && cut_points.contains(data.target) {
                    targets.insert(data.target);
                }
            }
        }
        steps.extend(targets.into_iter().map(|to| SpineStep { from, to, kind: Kind::Block }));
        for &edge in &program.outgoing[from] {
            if let EdgeKind::Call(_) = program.edges[edge].kind {
                steps.push(SpineStep { from, to: program.edges[edge].target, kind: Kind::Call(edge) });
            }
        }
    }
    for edge in program.live_edges() {
        if let EdgeKind::Return(returning) = &program.edges[edge].kind {
            let from = program.call_of(returning).0.source;
            steps.push(SpineStep { from, to: program.edges[edge].target, kind: Kind::Over(edge) });
        }
    }
    steps
}

impl Checker<'_> {
    /// What holds at a location: the invariant of one of its nodes.
    pub(super) fn invariant(&self, location: Location, terms: &mut Terms) -> Term {
        let here = self.certificate.nodes.iter().filter(|node| node.location == location);
        terms.or(here.map(|node| node.invariant).collect::<Vec<_>>())
    }

    /// After a step from a state of which something is known, something else holds.
    pub(super) fn step(
        &mut self,
        step: &SpineStep,
        before: Term,
        after: Term,
        terms: &mut Terms,
    ) -> Result<(), Refusal> {
        match step.kind {
            Kind::Block => self.obligations.step(terms, before, Letter::Block(step.from, step.to), after),
            Kind::Call(edge) => self.obligations.step(terms, before, Letter::Call(edge), after),
            Kind::Over(edge) => {
                let exit = self.program.edges[edge].source;
                let certificate = self.certificate;
                for node in certificate.nodes.iter().filter(|node| node.location == exit) {
                    let known = AtReturn { inside: node.invariant, at_call: before };
                    self.obligations.ret(terms, known, Letter::Return(edge), after)?;
                }
                Ok(())
            }
        }
    }
}
