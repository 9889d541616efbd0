//! What is tried at places that no run came to: what runs have shown at the places around them.
//!
//! Behind a loop that ends when a buffer has 2^28 elements no run goes on, and still it is a place to which executions lead. What holds there is what holds on
//! both sides of it, as a rule: so the formulas of the nearest places with runs are candidates, as far as their variables are read later. A formula
//! that is not tried there is lost at all places behind.
//!
//! Cost: each place without runs gets [`limits::MOST_HANDED_ON`] formulas at most. They are handed on by one place in each round, so many such places in
//! a row cost the square of their number.

use super::limits;
use crate::context::Context;
use crate::live_variables::reads_all_of;
use analysis::graph::Graph;
use base::{EntitySet, SecondaryMap};
use logic::Term;
use program::{Location, Var};
use std::collections::BTreeMap;

/// Adds candidates to the places whose only one is that nothing comes to them.
pub(super) fn hand_on(
    context: &Context<'_>,
    graph: &Graph,
    live: &SecondaryMap<Location, EntitySet<Var>>,
    candidates: &mut BTreeMap<Location, Vec<Term>>,
) {
    let is_unmet = |location: &Location, found: &[Term]| {
        found == [Term::FALSE] && context.program.locations[*location].error.is_none()
    };
    let mut unmet: Vec<Location> =
        candidates.iter().filter(|(at, found)| is_unmet(at, found)).map(|(&at, _)| at).collect();
    let mut around: BTreeMap<Location, Vec<Location>> = BTreeMap::new();
    for arc in graph.arcs() {
        let (source, target) = (graph.nodes[arc.source], graph.nodes[arc.target]);
        around.entry(source).or_default().push(target);
        around.entry(target).or_default().push(source);
    }
    loop {
        let mut filled: Vec<(Location, Vec<Term>)> = Vec::new();
        for &location in &unmet {
            let mut found = vec![Term::FALSE];
            for neighbour in around.get(&location).into_iter().flatten() {
                for &formula in candidates.get(neighbour).into_iter().flatten() {
                    let is_new = !found.contains(&formula) && found.len() <= limits::MOST_HANDED_ON;
                    if is_new && reads_all_of(context, &live[location], formula) {
                        found.push(formula);
                    }
                }
            }
            if found.len() > 1 {
                filled.push((location, found));
            }
        }
        if filled.is_empty() {
            return;
        }
        unmet.retain(|location| filled.iter().all(|(at, _)| at != location));
        candidates.extend(filled);
    }
}
