//! Which variables are still read: a candidate about one that is not says nothing that anybody needs.

use crate::context::Context;
use base::{EntitySet, SecondaryMap};
use logic::{Term, Terms};
use program::{Edge, EdgeKind, Location, Program, Var, VarKind};

/// For each location the variables whose value may be read later, before they get another one: by a guard, as an argument, or for
/// the value of a variable that is read in turn. At the end of a procedure somebody may ask for its results; globals, parameters and old values count as read everywhere
/// in programs with calls, as what a procedure does is said with them.
pub(crate) fn live(program: &Program, terms: &Terms) -> SecondaryMap<Location, EntitySet<Var>> {
    let mut sets: SecondaryMap<Location, EntitySet<Var>> = SecondaryMap::new();
    let mut incoming: SecondaryMap<Location, Vec<Edge>> = SecondaryMap::new();
    let mut pending: Vec<Edge> = program.live_edges().collect();
    for &edge in &pending {
        incoming[program.edges[edge].target].push(edge);
        if let EdgeKind::Return(returning) = &program.edges[edge].kind {
            sets[program.edges[edge].source].extend(returning.results.iter().map(|&(_, from)| from));
        }
    }
    said_of_calls(program, &pending, &mut sets);
    let read = |term: Term| {
        let symbols = terms.free_symbols(term);
        program.variables.of_symbols(&symbols).collect::<Vec<Var>>()
    };
    while let Some(edge) = pending.pop() {
        let data = &program.edges[edge];
        let after = &sets[data.target];
        let mut needed = Vec::new();
        let mut before = data.source;
        match &data.kind {
            EdgeKind::Internal(relation) => {
                needed.extend(read(relation.guard));
                for &(var, value) in &relation.updates {
                    if after.contains(var) {
                        needed.extend(read(value));
                    }
                }
                needed.extend(after.iter().filter(|&var| relation.update(var).is_none()));
            }
            EdgeKind::Call(call) => needed.extend(call.bindings.iter().flat_map(|&(_, value)| read(value))),
            EdgeKind::Return(returning) => {
                before = program.call_of(returning).0.source;
                let given = |var: &Var| returning.results.iter().any(|(to, _)| to == var);
                needed.extend(after.iter().filter(|var| !given(var)));
            }
        }
        let mut grown = false;
        for var in needed {
            grown |= sets[before].insert(var);
        }
        if grown {
            pending.extend(&incoming[before]);
        }
    }
    sets
}

/// Whether all variables of a formula are among those that are read later.
pub(crate) fn reads_all_of(context: &Context<'_>, live: &EntitySet<Var>, formula: Term) -> bool {
    let symbols = context.terms.free_symbols(formula);
    let mut variables = symbols.iter().map(|&symbol| context.program.variables.of_symbol(symbol));
    variables.all(|var| var.is_some_and(|var| live.contains(var)))
}

/// Adds what can be said of calls at the locations of every procedure that is called.
fn said_of_calls(program: &Program, edges: &[Edge], sets: &mut SecondaryMap<Location, EntitySet<Var>>) {
    if !edges.iter().any(|&edge| matches!(program.edges[edge].kind, EdgeKind::Call(_))) {
        return;
    }
    let mut parameters: EntitySet<Var> = EntitySet::new();
    for &edge in edges {
        if let EdgeKind::Call(call) = &program.edges[edge].kind {
            parameters.extend(call.bindings.iter().map(|&(var, _)| var));
        }
    }
    for location in program.locations.keys() {
        for var in program.scope(location) {
            if parameters.contains(var) || program.variables[var].kind == VarKind::Global {
                sets[location].insert(var);
            }
        }
    }
}
