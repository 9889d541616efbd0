//! Which variables are still read: a candidate about one that is not says nothing that anybody needs.

use base::{EntitySet, SecondaryMap};
use logic::{Term, Terms};
use program::{Edge, Location, Program, Var};

/// For each location the variables whose value may be read later, before they get another one: by a guard, or for
/// the value of a variable that is read in turn. For programs without calls.
pub(crate) fn live(program: &Program, terms: &Terms) -> SecondaryMap<Location, EntitySet<Var>> {
    let mut sets: SecondaryMap<Location, EntitySet<Var>> = SecondaryMap::new();
    let mut incoming: SecondaryMap<Location, Vec<Edge>> = SecondaryMap::new();
    let mut pending: Vec<Edge> = program.live_edges().collect();
    for &edge in &pending {
        incoming[program.edges[edge].target].push(edge);
    }
    let read = |term: Term| {
        let symbols = terms.free_symbols(term);
        program.variables.of_symbols(&symbols).collect::<Vec<Var>>()
    };
    while let Some(edge) = pending.pop() {
        let data = &program.edges[edge];
        let Some(relation) = program.relation(edge) else { continue };
        let mut needed = read(relation.guard);
        let after = &sets[data.target];
        for &(var, value) in &relation.updates {
            if after.contains(var) {
                needed.extend(read(value));
            }
        }
        needed.extend(after.iter().filter(|&var| relation.update(var).is_none()));
        let mut grown = false;
        for var in needed {
            grown |= sets[data.source].insert(var);
        }
        if grown {
            pending.extend(&incoming[data.source]);
        }
    }
    sets
}
