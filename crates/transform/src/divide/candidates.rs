//! Which variables can be followed, and where their values matter.

use super::values::Values;
use base::{EntityRef, EntitySet, SecondaryMap};
use logic::{Op, Term, Terms};
use program::{Edge, Location, Program, Var, VarKind};
use rustc_hash::FxHashSet;

/// The variables that get only finitely many values, as far as values are known: no value of such a variable is computed
/// from an earlier value of its own, as in `x := x + 1`. Truth values may be.
pub(super) fn candidates(program: &Program, terms: &Terms, values: &Values) -> EntitySet<Var> {
    let number = program.variables.iter().count();
    // Which variables the values of a variable are made from.
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); number];
    let mut computed: Vec<(usize, usize)> = Vec::new();
    let is_bool = |var: Var| terms.symbol_data(program.variables[var].symbol).sort == logic::Sort::BOOL;
    for edge in program.live_edges() {
        let Some(relation) = program.relation(edge) else { continue };
        for &(var, value) in relation.updates.iter().filter(|(var, _)| !is_bool(*var)) {
            let alternatives = alternatives(terms, value);
            for leaf in alternatives {
                let symbols = terms.free_symbols(leaf);
                let operands = program.variables.of_symbols(&symbols);
                for operand in operands.filter(|&operand| !is_bool(operand)) {
                    sources[var.index()].push(operand.index());
                    if terms.as_symbol(leaf).is_none() && !values.is_value(terms, leaf) {
                        computed.push((var.index(), operand.index()));
                    }
                }
            }
        }
    }
    let components = graph::components(number, |node, out| out.extend(&sources[node]));
    let component = components.numbers();
    let mut endless: Vec<bool> = vec![false; components.len()];
    for (var, operand) in computed {
        if component[var] == component[operand] {
            endless[component[var]] = true;
        }
    }
    let mut followed = EntitySet::new();
    for (var, data) in program.variables.iter() {
        let sort = terms.symbol_data(data.symbol).sort;
        let is_scalar = terms.array_parts(sort).is_none();
        if data.kind != VarKind::Constant && is_scalar && !endless[component[var.index()]] {
            followed.insert(var);
        }
    }
    followed
}

/// The followed variables that never get a value by an assignment, or by a choice about which the same step says something.
pub(super) fn never_assigned(
    program: &Program,
    terms: &Terms,
    values: &Values,
    followed: &EntitySet<Var>,
) -> Vec<Var> {
    let mut assigned: EntitySet<Var> = EntitySet::new();
    let mut copies: Vec<(Var, Var)> = Vec::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        for &(var, value) in &relation.updates {
            for leaf in alternatives(terms, value) {
                match terms.as_symbol(leaf) {
                    _ if values.is_value(terms, leaf) => {
                        assigned.insert(var);
                    }
                    Some(symbol) => match program.variables.of_symbol(symbol) {
                        Some(source) => copies.push((var, source)),
                        None if terms.mentions(relation.guard, symbol) => {
                            assigned.insert(var);
                        }
                        None => {}
                    },
                    None => {
                        assigned.insert(var);
                    }
                }
            }
        }
    }
    let mut grown = true;
    while grown {
        grown = false;
        for &(var, source) in &copies {
            grown |= assigned.contains(source) && assigned.insert(var);
        }
    }
    followed.iter().filter(|&var| !assigned.contains(var)).collect()
}

/// The variables that an edge on a cycle changes.
pub(super) fn renewed_in_loops(program: &Program) -> EntitySet<Var> {
    let next = |node: usize, out: &mut Vec<usize>| {
        let edges = &program.outgoing[Location::new(node)];
        out.extend(edges.iter().map(|&edge| program.edges[edge].target.index()));
    };
    let component = graph::components(program.locations.len(), next).numbers();
    let mut renewed = EntitySet::new();
    for edge in program.live_edges() {
        let data = &program.edges[edge];
        if component[data.source.index()] == component[data.target.index()] {
            let updates = program.relation(edge).map_or(&[][..], |relation| &relation.updates);
            for &(var, _) in updates {
                renewed.insert(var);
            }
        }
    }
    renewed
}

/// The variables in the indices of accesses to arrays.
pub(super) fn in_indices(program: &Program, terms: &Terms) -> EntitySet<Var> {
    let mut found = EntitySet::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        let roots: Vec<Term> =
            std::iter::once(relation.guard).chain(relation.updates.iter().map(|&(_, value)| value)).collect();
        let mut indices = Vec::new();
        terms.for_each_subterm(&roots, |term| {
            if let (Op::Select | Op::Store, [_, index, ..]) = (terms.op(term), terms.args(term)) {
                indices.push(*index);
            }
        });
        for var in program.variables.of_symbols(&terms.free_symbols_of(&indices)) {
            found.insert(var);
        }
    }
    found
}

/// The values that a term can have, by the conditions in it.
fn alternatives(terms: &Terms, value: Term) -> Vec<Term> {
    let mut leaves = Vec::new();
    let mut pending = vec![value];
    while let Some(term) = pending.pop() {
        match (terms.op(term), terms.args(term)) {
            (Op::Ite, &[_, then, otherwise]) => pending.extend([then, otherwise]),
            _ => leaves.push(term),
        }
    }
    leaves.sort_unstable();
    leaves.dedup();
    leaves
}

/// The variables that an edge reads.
pub(super) fn read(program: &Program, terms: &Terms, edge: Edge) -> Vec<Var> {
    let Some(relation) = program.relation(edge) else { return Vec::new() };
    let mut roots = vec![relation.guard];
    roots.extend(relation.updates.iter().map(|&(_, value)| value));
    program.variables.of_symbols(&terms.free_symbols_of(&roots)).collect()
}

/// For each location the followed variables whose value may be read later, before they get another one: by a guard, or
/// for the value of a variable that is not followed or whose value matters in turn.
pub(super) fn live(
    program: &Program,
    terms: &Terms,
    followed: &EntitySet<Var>,
) -> SecondaryMap<Location, Vec<Var>> {
    let mut incoming: SecondaryMap<Location, Vec<Edge>> = SecondaryMap::new();
    for edge in program.live_edges() {
        incoming[program.edges[edge].target].push(edge);
    }
    let mut live = Live::default();
    let read = |term: Term| {
        let symbols = terms.free_symbols(term);
        let vars: Vec<Var> = program.variables.of_symbols(&symbols).collect();
        vars.into_iter().filter(|&var| followed.contains(var))
    };
    for edge in program.live_edges() {
        let Some(relation) = program.relation(edge) else { continue };
        let others = relation.updates.iter().filter(|&&(var, _)| !followed.contains(var));
        let roots = std::iter::once(relation.guard).chain(others.map(|&(_, value)| value));
        for root in roots {
            live.add(program.edges[edge].source, read(root));
        }
    }
    while let Some((location, var)) = live.pending.pop() {
        for &edge in &incoming[location] {
            let source = program.edges[edge].source;
            match program.relation(edge).map(|relation| relation.update(var)) {
                Some(Some(value)) => live.add(source, read(value)),
                Some(None) => live.add(source, [var]),
                None => {}
            }
        }
    }
    for location in program.locations.keys() {
        live.lists[location].sort_unstable();
    }
    live.lists
}

/// The variables whose values matter, as far as they are found: pairs instead of sets, since large programs have thousands of variables of
/// which few matter at a location.
#[derive(Default)]
struct Live {
    lists: SecondaryMap<Location, Vec<Var>>,
    found: FxHashSet<(Location, Var)>,
    /// Those that the edges to their location have not been told of.
    pending: Vec<(Location, Var)>,
}

impl Live {
    fn add(&mut self, location: Location, vars: impl IntoIterator<Item = Var>) {
        for var in vars {
            if self.found.insert((location, var)) {
                self.lists[location].push(var);
                self.pending.push((location, var));
            }
        }
    }
}
