//! Dropping what cannot matter: edges that no run reaches, and edges from which no error can be reached.
//!
//! Calls and returns are followed without matching them, so more is kept than necessary and never less.
//! Edges whose guard is `false` are dropped first. Linear in the size of the program.

use base::{EntitySet, SecondaryMap};
use program::{Edge, EdgeKind, Location, SingleSteps};

/// Keeps only edges that lie between an initial location and an error.
pub fn trim(program: SingleSteps) -> SingleSteps {
    let mut program = program.into_program();
    for outgoing in program.outgoing.values_mut() {
        outgoing.retain(|&edge| match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => !relation.is_blocked(),
            _ => true,
        });
    }
    let edges: Vec<Edge> = program.live_edges().collect();
    let mut forward: SecondaryMap<Location, Vec<Location>> = SecondaryMap::new();
    let mut backward: SecondaryMap<Location, Vec<Location>> = SecondaryMap::new();
    for &edge in &edges {
        let data = &program.edges[edge];
        forward[data.source].push(data.target);
    }
    let reached = closure(program.initial.iter().copied(), &forward);
    // A return that is never reached does not make its call useful.
    for &edge in edges.iter().filter(|&&edge| reached.contains(program.edges[edge].source)) {
        let data = &program.edges[edge];
        backward[data.target].push(data.source);
        if let EdgeKind::Return(returning) = &data.kind {
            // What comes after the call matters to what comes before it.
            let (call, _) = program.call_of(returning);
            backward[data.target].push(call.source);
        }
    }
    let errors = program.errors.values().map(|error| error.location);
    let useful = closure(errors, &backward);
    // A callee without errors of its own is useful if its exit is.
    let keep = |location: Location| reached.contains(location) && useful.contains(location);
    for (location, outgoing) in program.outgoing.iter_mut() {
        outgoing.retain(|&edge| keep(location) && keep(program.edges[edge].target));
    }
    program.initial.retain(|&location| keep(location));
    SingleSteps::new(program)
}

fn closure(
    start: impl Iterator<Item = Location>,
    next: &SecondaryMap<Location, Vec<Location>>,
) -> EntitySet<Location> {
    let mut seen = EntitySet::new();
    let mut pending: Vec<Location> = start.collect();
    while let Some(location) = pending.pop() {
        if seen.insert(location) {
            pending.extend(&next[location]);
        }
    }
    seen
}
