//! Which edges can lie on an error trace: those between an initial location and an error.
//!
//! The certificate says nothing about the rest of a program, and need not: an error trace begins at an initial location
//! and ends at an error, so every location on it is reached from the beginning and reaches the end along edges of the
//! trace, calls and returns among them. An edge whose guard is the formula `false` is on no execution at all. Calls and
//! returns are followed without matching them, so more is kept than necessary and never less. Linear in the program.

use base::{EntitySet, SecondaryMap};
use program::{EdgeKind, Location, Program};

/// The program without the edges that lie on no error trace. Locations and edges keep their numbers.
pub(crate) fn relevant(program: &Program) -> Program {
    let mut result = program.clone();
    let mut after: SecondaryMap<Location, Vec<Location>> = SecondaryMap::new();
    let mut before: SecondaryMap<Location, Vec<Location>> = SecondaryMap::new();
    let can_be_taken = |kind: &EdgeKind| !matches!(kind, EdgeKind::Internal(r) if r.guard.is_false());
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        if can_be_taken(&data.kind) {
            after[data.source].push(data.target);
            before[data.target].push(data.source);
        }
    }
    let reached = reachable(program.initial.clone(), &after);
    let reaching = reachable(program.errors.values().map(|error| error.location).collect(), &before);
    let between = |location: Location| reached.contains(location) && reaching.contains(location);
    for (location, outgoing) in result.outgoing.iter_mut() {
        outgoing.retain(|&edge| {
            let data = &program.edges[edge];
            can_be_taken(&data.kind) && between(location) && between(data.target)
        });
    }
    result.initial.retain(|&location| between(location));
    result
}

fn reachable(
    mut pending: Vec<Location>,
    next: &SecondaryMap<Location, Vec<Location>>,
) -> EntitySet<Location> {
    let mut seen = EntitySet::new();
    while let Some(location) = pending.pop() {
        if seen.insert(location) {
            pending.extend(&next[location]);
        }
    }
    seen
}
