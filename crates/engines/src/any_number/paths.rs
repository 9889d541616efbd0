//! The paths of a recursive procedure without parameters, from where a call has come back to the next call, to its end, or
//! to an error.
//!
//! What is known at a place of the procedure are *instances* of its summary: the results of the calls before, as long as
//! the variables that they were put into have not changed.

use base::{Budget, Interrupted};
use ir::Procedure;
use logic::{Op, Substitution, Symbol, Term, Terms};
use program::{EdgeKind, Location, Program, Relation, Var};
use std::collections::BTreeMap;

/// More paths than this are not followed.
const MOST_PATHS: usize = 5_000;

/// The results of a call: for every result of the procedure the variable that has it.
pub(crate) type Instance = Vec<Var>;

/// Where a path ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// At the end of the procedure.
    Exit,
    /// In an error.
    Error,
}

/// A path.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// What is known where it begins.
    pub(crate) instances: Vec<Instance>,
    pub(crate) relation: Relation,
    pub(crate) end: End,
    /// What its guard says about control variables.
    pub(crate) links: Vec<Link>,
}

/// What a guard says about control variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    Value(Symbol, i64),
    Same(Symbol, Symbol),
}

/// All paths of the procedure, and what is known at its locations.
pub(crate) struct Paths {
    pub(crate) paths: Vec<Path>,
    /// The instances that are known at a location where a path begins or a call is made.
    pub(crate) known: BTreeMap<Location, Vec<Instance>>,
}

/// The paths of a procedure with these results. None if there are too many, or if there is a loop.
pub(crate) fn paths(
    single: &Program,
    (procedure, results): (Procedure, &[Var]),
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Option<Paths>, Interrupted> {
    let frame = single.frames[&procedure];
    let mut found = Paths { paths: Vec::new(), known: BTreeMap::new() };
    found.known.insert(frame.entry, Vec::new());
    let mut pending = vec![frame.entry];
    while let Some(anchor) = pending.pop() {
        let known = found.known[&anchor].clone();
        let mut open: Vec<(Location, Relation, usize)> = vec![(anchor, Relation::skip(), 0)];
        while let Some((here, relation, length)) = open.pop() {
            budget.check()?;
            if found.paths.len() + open.len() > MOST_PATHS || length > single.locations.len() {
                return Ok(None);
            }
            let is_error = single.locations[here].error.is_some();
            if here == frame.exit || is_error {
                let end = if is_error { End::Error } else { End::Exit };
                found.paths.push(Path { instances: known.clone(), relation, end, links: Vec::new() });
                continue;
            }
            for &edge in &single.outgoing[here] {
                let data = &single.edges[edge];
                match &data.kind {
                    EdgeKind::Internal(next) => {
                        let relation = relation.then(next, terms, &single.variables);
                        if !relation.is_blocked() {
                            open.push((data.target, relation, length + 1));
                        }
                    }
                    EdgeKind::Call(call) if call.callee == procedure => {
                        let kept = |instance: &&Instance| !changes(&relation, instance);
                        let before: Vec<Instance> = known.iter().filter(kept).cloned().collect();
                        if found.known.insert(here, before.clone()).is_some_and(|other| other != before) {
                            return Ok(None);
                        }
                        let after = returns_of(single, edge, frame.exit);
                        let Some((target, instance)) = after.and_then(|(target, put)| {
                            let to =
                                |result: &Var| put.iter().find(|(_, from)| from == result).map(|&(to, _)| to);
                            Some((target, results.iter().map(to).collect::<Option<Instance>>()?))
                        }) else {
                            return Ok(None);
                        };
                        let overwritten =
                            |other: &Instance| other.iter().any(|variable| instance.contains(variable));
                        let mut after: Vec<Instance> =
                            before.into_iter().filter(|other| !overwritten(other)).collect();
                        after.push(instance);
                        if found.known.insert(target, after).is_some() {
                            return Ok(None);
                        }
                        pending.push(target);
                    }
                    EdgeKind::Call(_) | EdgeKind::Return(_) => return Ok(None),
                }
            }
        }
    }
    Ok(Some(found))
}

fn changes(relation: &Relation, instance: &Instance) -> bool {
    instance.iter().any(|&variable| relation.update(variable).is_some())
}

/// Where a call comes back to, and which variables get which results.
fn returns_of(single: &Program, call: program::Edge, exit: Location) -> Option<(Location, Vec<(Var, Var)>)> {
    single.outgoing[exit].iter().find_map(|&edge| match &single.edges[edge].kind {
        EdgeKind::Return(returning) if returning.call == call => {
            Some((single.edges[edge].target, returning.results.clone()))
        }
        _ => None,
    })
}

impl Path {
    /// Finds what the guard says about control variables, and leaves that out of the guard.
    pub(crate) fn find_links(&mut self, controls: &[Symbol], terms: &mut Terms) {
        let mut rest = Vec::new();
        for conjunct in terms.conjuncts(self.relation.guard) {
            match link(terms, controls, conjunct) {
                Some(link) => self.links.push(link),
                None => rest.push(conjunct),
            }
        }
        self.relation.guard = terms.and(rest);
    }

    /// The values of control variables that follow from some of them; nothing if they contradict the path.
    pub(crate) fn propagate(&self, values: &mut BTreeMap<Symbol, i64>) -> bool {
        let set = |values: &mut BTreeMap<Symbol, i64>, symbol, value| {
            values.insert(symbol, value).is_none_or(|known| known == value)
        };
        loop {
            let before = values.len();
            for link in &self.links {
                let fits = match *link {
                    Link::Value(symbol, value) => set(values, symbol, value),
                    Link::Same(left, right) => {
                        match (values.get(&left).copied(), values.get(&right).copied()) {
                            (Some(value), _) => set(values, right, value),
                            (None, Some(value)) => set(values, left, value),
                            (None, None) => true,
                        }
                    }
                };
                if !fits {
                    return false;
                }
            }
            if values.len() == before {
                return true;
            }
        }
    }

    /// The value of a control variable at the end of the path, where those at its beginning are known.
    pub(crate) fn control_after(
        &self,
        (control, symbol): (Var, Symbol),
        values: &BTreeMap<Symbol, i64>,
        terms: &mut Terms,
    ) -> Option<i64> {
        let Some(update) = self.relation.update(control) else { return values.get(&symbol).copied() };
        let mut constants = Substitution::new();
        for (&symbol, &value) in values {
            let value = terms.int(value);
            constants.insert(symbol, value);
        }
        let value = constants.apply(terms, update);
        i64::try_from(terms.as_integer(value)?).ok()
    }
}

/// An equation about control variables and numbers only.
fn link(terms: &Terms, controls: &[Symbol], conjunct: Term) -> Option<Link> {
    let (Op::Eq, &[left, right]) = (terms.op(conjunct), terms.args(conjunct)) else { return None };
    let number = i64::try_from(terms.as_integer(right)?).ok()?;
    let sum = terms.linear(left);
    let mut symbols = Vec::new();
    for (term, coefficient) in &sum.monomials {
        let symbol = terms.as_symbol(*term).filter(|symbol| controls.contains(symbol))?;
        let coefficient = i64::try_from(coefficient.to_integer()).ok()?;
        symbols.push((symbol, coefficient));
    }
    match symbols[..] {
        [(symbol, 1)] => Some(Link::Value(symbol, number)),
        [(left, 1), (right, -1)] if number == 0 => Some(Link::Same(left, right)),
        _ => None,
    }
}
