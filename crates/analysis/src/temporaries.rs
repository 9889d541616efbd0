//! Temporary variables, which are another variable or a number, or that much more or less, as long as they matter.
//!
//! Front ends and inlining make many of them: what was read, what an operation gave, the parameters of a procedure that was put in its
//! place. Relations are kept between a few variables that occur together, and with temporaries among them these are not the variables that
//! the program is about. So a variable that gets what is read of it from one edge, and whose value `±x + c` does not change before it is read for the last
//! time, is replaced by this value in a copy of the program. What the variable is remains known wherever it is alive.
//!
//! A variable that is not alive where its procedure begins has been assigned wherever it is alive. Found backwards from the
//! reads, as lifetimes are, so the cost is the sum of the lifetimes of temporary variables.

use crate::lifetimes::Uses;
use base::{Budget, EntitySet, Interrupted, SecondaryMap};
use logic::{Op, Sort, Substitution, Term, Terms};
use num_traits::{One, Signed};
use program::{Edge, EdgeKind, Location, Program, Var, VarKind};
use std::collections::BTreeMap;

/// Temporary variables.
#[derive(Default)]
pub(crate) struct Temporaries {
    /// What they are, over variables that are none.
    pub(crate) values: BTreeMap<Var, Term>,
    /// Which of them are alive at a location.
    pub(crate) alive: SecondaryMap<Location, Vec<Var>>,
}

/// So many locations per edge of the program are looked at, and …
const LOCATIONS_PER_EDGE: usize = 16;
/// … so many in any case.
const LEAST_LOCATIONS: usize = 100_000;

/// Replaces temporary variables by their values.
pub(crate) fn replace(
    program: &mut Program,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Temporaries, Interrupted> {
    let found = Search::of(program, terms).run(terms, budget)?;
    if found.values.is_empty() {
        return Ok(found);
    }
    let mut values: Substitution =
        found.values.iter().map(|(&var, &value)| (program.variables[var].symbol, value)).collect();
    let live: Vec<Edge> = program.live_edges().collect();
    for edge in live {
        budget.check()?;
        match &mut program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                relation.guard = values.apply(terms, relation.guard);
                relation.updates.retain(|(var, _)| !found.values.contains_key(var));
                relation.updates.iter_mut().for_each(|(_, value)| *value = values.apply(terms, *value));
            }
            EdgeKind::Call(call) => {
                call.bindings.iter_mut().for_each(|(_, value)| *value = values.apply(terms, *value));
            }
            EdgeKind::Return(_) => {}
        }
    }
    Ok(found)
}

/// What a variable is where it is assigned.
#[derive(Clone, Copy)]
struct Candidate {
    edge: Edge,
    value: Term,
    /// The variable in the value.
    of: Option<Var>,
}

struct Search<'a> {
    program: &'a Program,
    uses: Uses,
    candidates: BTreeMap<Var, Candidate>,
    found: Temporaries,
    /// Where procedures begin, with arbitrary values for their variables.
    begins: EntitySet<Location>,
    /// The variable for which a location was reached last.
    marks: SecondaryMap<Location, Option<Var>>,
    left: usize,
}

impl<'a> Search<'a> {
    fn of(program: &'a Program, terms: &Terms) -> Search<'a> {
        let uses = Uses::of(program, terms);
        let mut candidates = BTreeMap::new();
        for (var, data) in program.variables.iter() {
            let is_local = matches!(data.kind, VarKind::Local(_)) && !uses.lasting[var];
            if !is_local || terms.symbol_data(data.symbol).sort != Sort::INT {
                continue;
            }
            // Inlining lets variables begin with arbitrary values.
            let value = |edge: Edge| program.relation(edge).and_then(|relation| relation.update(var));
            let is_arbitrary = |edge: Edge| {
                let symbol = value(edge).and_then(|value| terms.as_symbol(value));
                symbol.is_some_and(|symbol| program.variables.of_symbol(symbol).is_none())
            };
            let mut writes = uses.writes[var].iter().copied().filter(|&edge| !is_arbitrary(edge));
            let (Some(edge), None) = (writes.next(), writes.next()) else { continue };
            let Some(value) = value(edge) else { continue };
            if let Some(of) = variable_of(program, terms, value)
                && of != Some(var)
            {
                candidates.insert(var, Candidate { edge, value, of });
            }
        }
        let mut begins = EntitySet::new();
        let entries = program.frames.values().map(|frame| frame.entry);
        program.initial.iter().copied().chain(entries).for_each(|location| {
            begins.insert(location);
        });
        let mut marks = SecondaryMap::new();
        marks.resize(program.locations.len());
        let left = LEAST_LOCATIONS + LOCATIONS_PER_EDGE * program.edges.len();
        Search { program, uses, candidates, found: Temporaries::default(), begins, marks, left }
    }

    fn run(mut self, terms: &mut Terms, budget: &Budget) -> Result<Temporaries, Interrupted> {
        while let Some((&first, _)) = self.candidates.first_key_value() {
            // A value may speak of another temporary variable, which comes first.
            let mut taken = vec![(first, self.candidates.remove(&first).expect("it is the first"))];
            while let Some(of) = taken.last().and_then(|(_, candidate)| candidate.of)
                && let Some(next) = self.candidates.remove(&of)
            {
                taken.push((of, next));
            }
            for (var, candidate) in taken.into_iter().rev() {
                budget.check()?;
                self.settle(var, candidate, terms);
            }
        }
        Ok(self.found)
    }

    /// Finds out whether a variable is temporary.
    fn settle(&mut self, var: Var, candidate: Candidate, terms: &mut Terms) {
        let (mut value, mut of) = (candidate.value, candidate.of);
        if let Some(&inner) = of.and_then(|of| self.found.values.get(&of)) {
            let symbol = self.program.variables[of.expect("it has a value")].symbol;
            value = [(symbol, inner)].into_iter().collect::<Substitution>().apply(terms, value);
            of = variable_of(self.program, terms, value).flatten();
        }
        let Some(alive) = self.lifetime(var) else { return };
        let relation = self.program.relation(candidate.edge).expect("an internal edge assigns it");
        let changes = |edge: Edge| of.is_some_and(|of| self.may_change(edge, of));
        let others = self.uses.writes[var].iter().filter(|&&edge| edge != candidate.edge);
        let is_only = others.copied().all(|edge| self.marks[self.program.edges[edge].target] != Some(var));
        let stays = is_only
            && of.is_none_or(|of| relation.update(of).is_none())
            && alive.iter().all(|&location| {
                self.uses.behind[location].iter().all(|&edge| {
                    let goes_on = self.marks[self.program.edges[edge].target] == Some(var);
                    !goes_on || edge == candidate.edge || !changes(edge)
                })
            });
        if stays {
            self.found.values.insert(var, value);
            alive.into_iter().for_each(|location| self.found.alive[location].push(var));
        }
    }

    /// Where a variable is alive, which is marked; nothing if that may be before it is assigned, or takes too long to say.
    fn lifetime(&mut self, var: Var) -> Option<Vec<Location>> {
        let mut alive = Vec::new();
        let mut pending = self.uses.reads[var].clone();
        while let Some(location) = pending.pop() {
            if self.marks[location] == Some(var) {
                continue;
            }
            if self.begins.contains(location) {
                return None;
            }
            self.left = self.left.checked_sub(1)?;
            self.marks[location] = Some(var);
            alive.push(location);
            for &(before, edge) in &self.uses.before[location] {
                if self.uses.writes[var].binary_search(&edge).is_err() {
                    pending.push(before);
                }
            }
        }
        Some(alive)
    }

    /// May a variable have another value behind an edge, or behind the call that it returns from?
    fn may_change(&self, edge: Edge, var: Var) -> bool {
        match &self.program.edges[edge].kind {
            EdgeKind::Internal(relation) => relation.update(var).is_some(),
            EdgeKind::Call(_) => true,
            EdgeKind::Return(returning) => {
                self.program.variables[var].kind == VarKind::Global
                    || returning.results.iter().any(|&(to, _)| to == var)
            }
        }
    }
}

/// The variable of a value that is a number, or a variable or its negation and a number; nothing for other values.
fn variable_of(program: &Program, terms: &Terms, value: Term) -> Option<Option<Var>> {
    let linear = terms.linear(value);
    match &linear.monomials[..] {
        [] => Some(None),
        [(part, factor)] if factor.abs().is_one() => {
            let Op::Symbol(symbol) = terms.op(*part) else { return None };
            program.variables.of_symbol(symbol).map(Some)
        }
        _ => None,
    }
}
