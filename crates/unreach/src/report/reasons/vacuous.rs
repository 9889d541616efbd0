//! The checks that no execution comes to.
//!
//! A check is vacuous if no way through the program as it was built leads to it, or if what holds at the places before
//! excludes every way to it.

use super::Ground;
use super::prover::{Claim, Prover, edges_between};
use base::{EntitySet, Interrupted, Span};
use certify::block::Ends;
use logic::{Term, Terms};
use program::{Edge, EdgeKind, Location, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The conditions of vacuous checks.
pub(super) fn conditions(
    ground: &Ground<'_>,
    prover: &mut Prover<'_>,
    terms: &mut Terms,
) -> Result<Vec<Span>, Interrupted> {
    let built: &Program = ground.proven.subject.program();
    let single: &Program = &ground.proven.prepared.single;
    let reached = reached(built);
    // A check that holds by its form alone, such as `assert true`, has no edge that fails; nothing is said about it.
    let trivial: BTreeSet<Span> = failing_edges(built)
        .into_iter()
        .filter(|(_, edges)| {
            edges.iter().any(|&edge| !is_open(built, edge) && starts_in(built, edge, &reached))
        })
        .map(|(condition, _)| condition)
        .collect();
    let in_single = failing_edges(single);
    let mut vacuous = Vec::new();
    for condition in built.errors.values().map(|error| error.condition).collect::<BTreeSet<Span>>() {
        if trivial.contains(&condition) {
            continue;
        }
        let mut places: BTreeSet<Location> = BTreeSet::new();
        let mut is_vacuous = true;
        for &edge in in_single.get(&condition).into_iter().flatten() {
            let arrival = arrival(single, edge);
            // It cannot be asked whether an execution comes there and goes on.
            is_vacuous &= !arrival.is_empty();
            places.extend(arrival);
        }
        for place in places {
            if !is_vacuous || !never_comes_to(ground, prover, place, terms)? {
                is_vacuous = false;
                break;
            }
        }
        if is_vacuous {
            vacuous.push(condition);
        }
    }
    Ok(vacuous)
}

/// Whether no execution is seen to come to a location.
fn never_comes_to(
    ground: &Ground<'_>,
    prover: &mut Prover<'_>,
    place: Location,
    terms: &mut Terms,
) -> Result<bool, Interrupted> {
    let single: &Program = &ground.proven.prepared.single;
    if ground.cut_points.contains(place) {
        return Ok(ground.labels.get(&place).is_some_and(|known| known.contains(&Term::FALSE)));
    }
    let mut cut_points: EntitySet<Location> = ground.cut_points.clone();
    cut_points.insert(place);
    for (&from, known) in &ground.labels {
        let ends = Ends { from, to: place };
        if edges_between(single, &cut_points, ends).is_empty() {
            continue;
        }
        let claim = Claim { before: known, ends, after: Term::FALSE };
        if !prover.holds(single, &cut_points, claim, terms)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Where executions come to the check of an edge into an error: to the statement, or, where it always fails, to the branches at the
/// same place of the source that lead there. The macro `assert` of C is such a branch.
fn arrival(program: &Program, edge: Edge) -> BTreeSet<Location> {
    let data = &program.edges[edge];
    let (source, target, kind) = (&data.source, &data.target, &data.kind);
    let fails_always = matches!(kind, EdgeKind::Internal(relation) if relation.guard.is_true());
    if !fails_always {
        return BTreeSet::from([*source]);
    }
    let Some(error) = program.locations[*target].error else { return BTreeSet::new() };
    let span = program.errors[error].span;
    let mut inside: BTreeSet<Location> = BTreeSet::from([*source]);
    let mut first: BTreeSet<Location> = BTreeSet::new();
    let mut pending = vec![*source];
    while let Some(location) = pending.pop() {
        let before: Vec<Location> = program
            .live_edges()
            .map(|edge| &program.edges[edge])
            .filter(|data| data.target == location && program.locations[data.source].span == span)
            .map(|data| data.source)
            .collect();
        if before.is_empty() && location != *source {
            first.insert(location);
        }
        pending.extend(before.into_iter().filter(|&location| inside.insert(location)));
    }
    first
}

/// The edges into errors, by the conditions that fail there.
fn failing_edges(program: &Program) -> BTreeMap<Span, Vec<Edge>> {
    let mut edges: BTreeMap<Span, Vec<Edge>> = BTreeMap::new();
    for edge in program.live_edges() {
        if let Some(error) = program.locations[program.edges[edge].target].error {
            edges.entry(program.errors[error].condition).or_default().push(edge);
        }
    }
    edges
}

fn is_open(program: &Program, edge: Edge) -> bool {
    match &program.edges[edge].kind {
        EdgeKind::Internal(relation) => !relation.is_blocked(),
        EdgeKind::Call(_) | EdgeKind::Return(_) => true,
    }
}

fn starts_in(program: &Program, edge: Edge, locations: &EntitySet<Location>) -> bool {
    locations.contains(program.edges[edge].source)
}

/// The locations to which edges lead whose guards are not `false`.
fn reached(program: &Program) -> EntitySet<Location> {
    let mut reached = EntitySet::new();
    let mut pending: Vec<Location> = program.initial.clone();
    while let Some(location) = pending.pop() {
        if reached.contains(location) {
            continue;
        }
        reached.insert(location);
        let open = program.outgoing[location].iter().filter(|&&edge| is_open(program, edge));
        pending.extend(open.map(|&edge| program.edges[edge].target));
    }
    reached
}
