//! Whole calls on the cycles of a run that never ends.
//!
//! For ranks, a call that comes back is one step, of which no more is known than what holds at the exit of the callee. A run has to go through it: [`Calls`] lists paths, the short ones
//! first. What a return does to the state is here three times, for relations, for values and for formulas: the variables of the caller are again what they were at the
//! call, and results are passed on.

use super::limits;
use logic::{Model, Substitution, Term, Terms};
use program::{Edge, EdgeKind, Location, Program, Relation, ReturnEdge, Var};
use std::collections::{BTreeMap, VecDeque};

/// The paths through calls that come back.
pub(super) struct Calls<'p> {
    program: &'p Program,
    /// For returns the paths from the call, which they end with.
    known: BTreeMap<Edge, Vec<Vec<Edge>>>,
}

impl<'p> Calls<'p> {
    pub(super) fn new(program: &'p Program) -> Calls<'p> {
        Calls { program, known: BTreeMap::new() }
    }

    /// The paths of a sequence of steps, in which a return stands for a whole call.
    pub(super) fn paths(&mut self, steps: &[Edge]) -> Vec<Vec<Edge>> {
        let mut paths = vec![Vec::new()];
        for &step in steps {
            let parts = match &self.program.edges[step].kind {
                EdgeKind::Return(_) => self.through(step),
                _ => vec![vec![step]],
            };
            let mut longer = Vec::new();
            for path in &paths {
                for part in &parts {
                    longer.push(path.iter().chain(part).copied().collect::<Vec<Edge>>());
                }
            }
            longer.sort_by_key(Vec::len);
            longer.truncate(limits::MOST_CALL_PATHS);
            paths = longer;
        }
        paths
    }

    /// The paths from a call to its return.
    fn through(&mut self, last: Edge) -> Vec<Vec<Edge>> {
        if let Some(paths) = self.known.get(&last) {
            return paths.clone();
        }
        let program = self.program;
        let EdgeKind::Return(returning) = &program.edges[last].kind else { return Vec::new() };
        let first = returning.call;
        let mut found = Vec::new();
        let mut pending: VecDeque<(Vec<Edge>, Location, Vec<Edge>)> =
            VecDeque::from([(vec![first], program.edges[first].target, vec![first])]);
        let mut looked_at = 0;
        while let Some((path, here, open)) = pending.pop_front() {
            looked_at += 1;
            if looked_at > limits::MOST_CALL_PREFIXES || found.len() >= limits::MOST_CALL_PATHS {
                break;
            }
            if path.len() >= limits::LONGEST_CALL_PATH {
                continue;
            }
            for &edge in &program.outgoing[here] {
                let mut open = open.clone();
                match &program.edges[edge].kind {
                    EdgeKind::Internal(_) => {}
                    EdgeKind::Call(_) => open.push(edge),
                    EdgeKind::Return(returning) => {
                        if open.pop() != Some(returning.call) {
                            continue;
                        }
                    }
                }
                let path: Vec<Edge> = path.iter().copied().chain([edge]).collect();
                if open.is_empty() {
                    if edge == last {
                        found.push(path);
                    }
                    continue;
                }
                pending.push_back((path, program.edges[edge].target, open));
            }
        }
        self.known.insert(last, found.clone());
        found
    }
}

/// What a sequence of steps does that ends with a return, from what it did until the call and until the return.
pub(super) fn returned(
    program: &Program,
    returning: &ReturnEdge,
    (caller, callee): (&Relation, &Relation),
    terms: &mut Terms,
) -> Relation {
    let mut updates: BTreeMap<Var, Term> = BTreeMap::new();
    for (var, data) in program.variables.iter() {
        let values = if data.kind.belongs_to_a_call() { caller } else { callee };
        if let Some(value) = values.update(var) {
            updates.insert(var, value);
        }
    }
    for &(to, from) in &returning.results {
        let value = callee.update(from).unwrap_or_else(|| program.variables.term(terms, from));
        updates.insert(to, value);
    }
    let relation = Relation::assign(updates.into_iter().collect());
    Relation { guard: callee.guard, auxiliaries: callee.auxiliaries.clone(), ..relation }
}

/// The values behind a return, from those at the call; `state` has the values before the return.
pub(super) fn restore(
    program: &Program,
    returning: &ReturnEdge,
    caller: &Model,
    state: &mut Model,
    terms: &mut Terms,
) {
    let mut new = Vec::new();
    for (_, data) in program.variables.iter().filter(|(_, data)| data.kind.belongs_to_a_call()) {
        new.push((data.symbol, caller.value(terms, data.symbol)));
    }
    for &(to, from) in &returning.results {
        new.push((program.variables[to].symbol, state.value(terms, program.variables[from].symbol)));
    }
    for (symbol, value) in new {
        state.set(symbol, value);
    }
}

/// The same for formulas over the state where everything began.
pub(super) fn substituted(
    program: &Program,
    returning: &ReturnEdge,
    (caller, callee): (&Substitution, &mut Substitution),
    terms: &mut Terms,
) -> Substitution {
    let mut after = Substitution::new();
    for (_, data) in program.variables.iter() {
        let values = if data.kind.belongs_to_a_call() { caller } else { &*callee };
        if let Some(value) = values.image(data.symbol) {
            after.insert(data.symbol, value);
        }
    }
    for &(to, from) in &returning.results {
        let value = terms.constant(program.variables[from].symbol);
        let value = callee.apply(terms, value);
        after.insert(program.variables[to].symbol, value);
    }
    after
}
