//! What can be spoken of at a place: few variables, and guards about them.
//!
//! In a program with few numbers these are all of them, everywhere, and those of them by themselves that are read later, before
//! they are written again. In a larger one they are the latter only, and if these are still too many, those of them that the loop around the place reads or writes. So a place in a program with
//! many loops is as easy to understand as in one with a single loop. Found backwards from the reads of each variable by
//! itself, so the cost is the sum of the lifetimes; a limit on it ends everything.

use super::limits;
use crate::live_variables;
use base::{EntityRef as _, SecondaryMap};
use logic::{Op, Rational, Sort, Symbol, Term, Terms};
use num_traits::Signed;
use program::{Edge, EdgeKind, Location, Program, Relation, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is known of a place before anything was run.
#[derive(Clone, Default, Debug)]
pub(super) struct Place {
    /// The indices of the variables.
    pub(super) scope: Vec<usize>,
    /// The indices of the cells, which come behind the variables.
    pub(super) cells: Vec<usize>,
    /// The positions of those in the scope that matter later, if these are fewer.
    pub(super) narrow: Option<Vec<usize>>,
    /// Comparisons by which states are told apart.
    pub(super) guards: Vec<Term>,
    /// Whether there is a loop around it.
    pub(super) is_in_loop: bool,
}

/// The watched locations at which there are few enough variables to relate, and what can be said there; nothing if it is too much work to
/// find that out.
pub(super) fn places(
    program: &Program,
    symbols: &[Symbol],
    watched: &[Location],
    terms: &Terms,
) -> Vec<(Location, Place)> {
    let loops = Loops::of(program, terms);
    let mut guards: Vec<Term> = Vec::new();
    for atom in &loops.guards {
        if !guards.contains(atom) && guards.len() < limits::MOST_GUARDS_LOOKED_AT {
            guards.push(*atom);
        }
    }
    let few = symbols.len() <= limits::MOST_RELATED;
    let Some(mut alive) = alive(program, symbols, watched, terms) else { return Vec::new() };
    // What a procedure does is a relation with what it was called with, whether that is read later or not.
    let passed = passed(program, symbols);
    for &location in watched {
        let passed = passed.get(&program.locations[location].procedure);
        alive[location].extend(passed.into_iter().flatten());
        alive[location].sort_unstable();
        alive[location].dedup();
    }
    let mut found = Vec::new();
    for &location in watched {
        let around = &loops.parts[loops.part[location]];
        let mut scope: Vec<usize> = if few { (0..symbols.len()).collect() } else { alive[location].clone() };
        if scope.len() > limits::MOST_RELATED {
            scope.retain(|&index| around.symbols.binary_search(&symbols[index]).is_ok());
        }
        scope.retain(|&index| is_visible(program, location, symbols[index]));
        if scope.is_empty() || scope.len() > limits::MOST_RELATED {
            continue;
        }
        let has_calls = !passed.is_empty();
        let known =
            |symbol: &Symbol| (few && !has_calls) || scope.iter().any(|&index| symbols[index] == *symbol);
        let mut chosen: Vec<Term> = Vec::new();
        for &atom in around.guards.iter().chain(&guards) {
            if chosen.len() < limits::MOST_GUARDS
                && !chosen.contains(&atom)
                && terms.free_symbols(atom).iter().all(known)
            {
                chosen.push(atom);
            }
        }
        let matter = |&position: &usize| alive[location].binary_search(&scope[position]).is_ok();
        let narrow: Vec<usize> = (0..scope.len()).filter(matter).collect();
        let narrow = (!narrow.is_empty() && narrow.len() < scope.len()).then_some(narrow);
        let place = Place { scope, narrow, guards: chosen, is_in_loop: around.is_loop, ..Place::default() };
        found.push((location, place));
    }
    found
}

/// All watched locations, with the variables and cells that are read later. Cells are related in pairs, so there may be many of them.
pub(super) fn places_with_cells(
    program: &Program,
    (symbols, unknowns): (&[Symbol], &[Term]),
    watched: &[Location],
    terms: &Terms,
) -> Vec<(Location, Place)> {
    let mut guards: Vec<Term> = Vec::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        if guards.len() >= limits::MOST_GUARDS {
            break;
        }
        let mut found = Vec::new();
        comparisons(program, relation, terms, &mut found);
        found.retain(|&atom| !tells_type(atom, terms));
        for atom in found {
            if !guards.contains(&atom) {
                guards.push(atom);
            }
        }
    }
    guards.truncate(limits::MOST_GUARDS);
    let live = live_variables::live(program, terms);
    let place = |&location: &Location| {
        let read = |&symbol: &Symbol| {
            let var = program.variables.of_symbol(symbol);
            var.is_some_and(|var| live[location].contains(var)) && is_visible(program, location, symbol)
        };
        let is_read = |&index: &usize| terms.free_symbols(unknowns[index]).iter().all(read);
        let scope = (0..symbols.len()).filter(is_read).collect();
        let cells = (symbols.len()..unknowns.len()).filter(is_read).collect();
        (location, Place { scope, cells, guards: guards.clone(), ..Place::default() })
    };
    watched.iter().map(place).collect()
}

/// Whether a comparison only says that a variable is a number of its type: one that is as large as the largest numbers of types are.
fn tells_type(atom: Term, terms: &Terms) -> bool {
    let &[left, right] = terms.args(atom) else { return false };
    if terms.sort_of(left) != Sort::INT {
        return false;
    }
    let form = terms.linear(left).minus(&terms.linear(right));
    form.monomials.len() == 1 && form.constant.abs() >= Rational::from_integer(limits::LARGE.into())
}

fn is_visible(program: &Program, location: Location, symbol: Symbol) -> bool {
    program.variables.of_symbol(symbol).is_some_and(|var| crate::traces::in_scope(program, location, var))
}

/// The comparisons of a guard between variables of the program.
fn comparisons(program: &Program, relation: &Relation, terms: &Terms, found: &mut Vec<Term>) {
    for conjunct in terms.conjuncts(relation.guard) {
        let atom = if terms.op(conjunct) == Op::Not { terms.args(conjunct)[0] } else { conjunct };
        let known = |symbol| program.variables.of_symbol(symbol).is_some();
        if matches!(terms.op(atom), Op::Le | Op::Lt | Op::Eq)
            && terms.free_symbols(atom).into_iter().all(known)
        {
            found.push(atom);
        }
    }
}

/// A strongly connected part of the program.
#[derive(Clone, Default, Debug)]
struct Part {
    is_loop: bool,
    /// What it reads and writes, sorted.
    symbols: Vec<Symbol>,
    guards: Vec<Term>,
}

/// The strongly connected parts of the program, and all comparisons in the order of its edges.
struct Loops {
    part: SecondaryMap<Location, usize>,
    parts: Vec<Part>,
    guards: Vec<Term>,
}

impl Loops {
    fn of(program: &Program, terms: &Terms) -> Loops {
        let components = graph::components(program.locations.len(), |node, out| {
            let edges = &program.outgoing[Location::new(node)];
            out.extend(edges.iter().map(|&edge| program.edges[edge].target.index()));
        });
        let mut loops = Loops {
            part: SecondaryMap::new(),
            parts: vec![Part::default(); components.len()],
            guards: Vec::new(),
        };
        for (node, number) in components.numbers().into_iter().enumerate() {
            loops.part[Location::new(node)] = number;
        }
        for edge in program.live_edges() {
            let Some(relation) = program.relation(edge) else { continue };
            let first = loops.guards.len();
            comparisons(program, relation, terms, &mut loops.guards);
            let data = &program.edges[edge];
            let (part, target) = (loops.part[data.source], loops.part[data.target]);
            let own = &mut loops.parts[part];
            // What leads out of a loop says about it what stays inside does; an exit is no loop by itself.
            if part == target {
                own.is_loop = true;
                own.symbols.extend(read(relation, terms));
                own.symbols.extend(relation.updates.iter().map(|&(var, _)| program.variables[var].symbol));
            }
            own.guards.extend_from_slice(&loops.guards[first..]);
        }
        for part in &mut loops.parts {
            part.symbols.sort_unstable();
            part.symbols.dedup();
        }
        loops
    }
}

fn read(relation: &Relation, terms: &Terms) -> Vec<Symbol> {
    let mut roots = vec![relation.guard];
    roots.extend(relation.updates.iter().map(|&(_, value)| value));
    terms.free_symbols_of(&roots)
}

/// A way back in the program, from a location to one before it.
#[derive(Clone, Copy)]
enum Back {
    /// An internal edge.
    Within(Edge),
    /// A call, to where it is made, or a return, to the end of what was called: whatever belongs to a call is another one there.
    Across,
    /// From behind a call to where it is made: whatever belongs to the caller is the same, but what the return edge writes.
    Around(Edge),
}

/// Which of the symbols are read later, at each of the watched locations; nothing if finding out takes too long.
fn alive(
    program: &Program,
    symbols: &[Symbol],
    watched: &[Location],
    terms: &Terms,
) -> Option<SecondaryMap<Location, Vec<usize>>> {
    let indices: FxHashMap<Symbol, usize> =
        symbols.iter().enumerate().map(|(index, &symbol)| (symbol, index)).collect();
    let mut reads: Vec<Vec<Location>> = vec![Vec::new(); symbols.len()];
    let mut writes: Vec<Vec<Edge>> = vec![Vec::new(); symbols.len()];
    let mut incoming: SecondaryMap<Location, Vec<(Location, Back)>> = SecondaryMap::new();
    let mut edges: Vec<Edge> = program.live_edges().collect();
    edges.sort_unstable();
    let index = |symbol: Symbol| indices.get(&symbol).copied();
    for edge in edges {
        let data = &program.edges[edge];
        let symbol = |var: Var| program.variables[var].symbol;
        match &data.kind {
            EdgeKind::Internal(relation) => {
                incoming[data.target].push((data.source, Back::Within(edge)));
                read(relation, terms)
                    .into_iter()
                    .filter_map(index)
                    .for_each(|at| reads[at].push(data.source));
                let written = relation.updates.iter().filter_map(|&(var, _)| index(symbol(var)));
                written.for_each(|at| writes[at].push(edge));
            }
            EdgeKind::Call(call) => {
                incoming[data.target].push((data.source, Back::Across));
                let passed: Vec<Term> = call.bindings.iter().map(|&(_, value)| value).collect();
                let read = terms.free_symbols_of(&passed).into_iter().filter_map(index);
                read.for_each(|at| reads[at].push(data.source));
            }
            EdgeKind::Return(returning) => {
                incoming[data.target].push((data.source, Back::Across));
                let call = program.edges[returning.call].source;
                incoming[data.target].push((call, Back::Around(edge)));
                for &(to, from) in &returning.results {
                    index(symbol(from)).into_iter().for_each(|at| reads[at].push(data.source));
                    index(symbol(to)).into_iter().for_each(|at| writes[at].push(edge));
                }
            }
        }
    }
    let mut is_watched: SecondaryMap<Location, bool> = SecondaryMap::new();
    for &location in watched {
        is_watched[location] = true;
    }
    let mut found: SecondaryMap<Location, Vec<usize>> = SecondaryMap::new();
    // One more than the index of the variable for which a location was reached last.
    let mut reached: SecondaryMap<Location, usize> = SecondaryMap::new();
    let mut left = limits::LIFETIMES;
    for index in 0..symbols.len() {
        let var = program.variables.of_symbol(symbols[index]);
        let belongs_to_a_call = var.is_some_and(|var| program.variables[var].kind.belongs_to_a_call());
        let mut pending = std::mem::take(&mut reads[index]);
        while let Some(location) = pending.pop() {
            if std::mem::replace(&mut reached[location], index + 1) == index + 1 {
                continue;
            }
            left = left.checked_sub(1)?;
            if is_watched[location] {
                found[location].push(index);
            }
            for &(before, back) in &incoming[location] {
                let is_kept = match back {
                    Back::Within(edge) => writes[index].binary_search(&edge).is_err(),
                    Back::Across => !belongs_to_a_call,
                    Back::Around(edge) => belongs_to_a_call && writes[index].binary_search(&edge).is_err(),
                };
                if is_kept {
                    pending.push(before);
                }
            }
        }
    }
    Some(found)
}

/// For each procedure that is called and comes back, the indices of the symbols that say with what it was called: its parameters that are never written, and
/// old values.
fn passed(program: &Program, symbols: &[Symbol]) -> BTreeMap<ir::Procedure, Vec<usize>> {
    let mut found: BTreeMap<ir::Procedure, Vec<usize>> = BTreeMap::new();
    for edge in program.live_edges() {
        let EdgeKind::Return(returning) = &program.edges[edge].kind else { continue };
        let (_, call) = program.call_of(returning);
        if found.contains_key(&call.callee) {
            continue;
        }
        let bound: Vec<Symbol> =
            call.bindings.iter().map(|&(var, _)| program.variables[var].symbol).collect();
        found.insert(
            call.callee,
            (0..symbols.len()).filter(|&index| bound.contains(&symbols[index])).collect(),
        );
    }
    found
}
