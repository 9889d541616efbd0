//! The part of a program that infinite runs can see.
//!
//! Errors are forgotten, because an error ends a run like any other end. Dropped are edges that cannot be taken, what is
//! not reached, and in a program without calls what reaches no cycle. Calls are inlined if that is possible.
//! Locations and edges keep their numbers but for inlining. Linear in the size of the result.

use crate::inline::{Copies, Inlined, inline};
use base::{EntitySet, PrimaryMap, SecondaryMap};
use logic::Terms;
use program::{EdgeKind, Location, Program, SingleSteps};

/// The part of a program that infinite runs can see.
#[derive(Clone, Debug)]
pub struct InfinitePart {
    /// The part.
    pub program: SingleSteps,
    /// What its locations and edges are copies of, if calls were inlined.
    pub copies: Option<Copies>,
}

/// The part of a program that infinite runs can see: no errors, no edge that cannot be taken, nothing that is not
/// reached, and without calls nothing from which no cycle is reached. Calls are inlined if the program has then at most
/// `most` locations; recursion stays. Linear in the size of the result.
pub fn infinite_part(program: SingleSteps, most: usize, terms: &mut Terms) -> InfinitePart {
    let mut program = program.into_program();
    forget_errors(&mut program);
    keep_what_matters(&mut program);
    let program = SingleSteps::new(program);
    let Ok(Inlined { program: inlined, copies }) = inline(&program, terms, most) else {
        return InfinitePart { program, copies: None };
    };
    let mut inlined = inlined.into_program();
    forget_errors(&mut inlined);
    keep_what_matters(&mut inlined);
    InfinitePart { program: SingleSteps::new(inlined), copies: Some(copies) }
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
    for edge in program.live_edges().collect::<Vec<_>>() {
        let data = &program.edges[edge];
        forward[data.source].push(data.target);
    }
    let mut kept = EntitySet::new();
    let mut pending = program.initial.clone();
    while let Some(location) = pending.pop() {
        if kept.insert(location) {
            pending.extend(&forward[location]);
        }
    }
    let data = program.live_edges().map(|edge| &program.edges[edge]);
    let has_calls = data
        .filter(|data| kept.contains(data.source))
        .any(|data| !matches!(data.kind, EdgeKind::Internal(_)));
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
    let mut ended: Vec<Location> =
        program.locations.keys().filter(|&location| kept.contains(location) && left[location] == 0).collect();
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
