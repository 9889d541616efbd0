//! Moves, executed symbolically over single-step edges.
//!
//! A plan may only refer to plans before it, so plans are executed in their order, without recursion. Both branches
//! of a plan must end at the same location, and every edge must begin where the plan before it ends.

use super::malformed;
use crate::Refusal;
use base::PrimaryMap;
use logic::{Substitution, Symbol, Term, Terms};
use program::leap::{Leg, MoveData, Plan, PlanData};
use program::{Edge, EdgeKind, Location, Program, Var};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What a move does: a guarded update with free choices.
pub(super) struct Transition {
    pub(super) source: Location,
    pub(super) target: Location,
    /// When it is possible, over the state before and the free choices.
    pub(super) guard: Term,
    /// The values afterwards of what may change, sorted by variable.
    pub(super) updates: Vec<(Var, Term)>,
    /// The symbols that are no state.
    pub(super) free: Vec<Symbol>,
}

impl Transition {
    /// The replacement of the state by that after the move.
    pub(super) fn update(&self, program: &Program) -> Substitution {
        self.updates.iter().map(|&(var, value)| (program.variables[var].symbol, value)).collect()
    }
}

/// Where an execution is, relative to where it began.
#[derive(Clone)]
struct Situation {
    location: Location,
    guard: Term,
    values: BTreeMap<Var, Term>,
}

/// What a move does.
pub(super) fn execute(
    program: &Program,
    plans: &PrimaryMap<Plan, PlanData>,
    data: &MoveData,
    terms: &mut Terms,
) -> Result<Transition, Refusal> {
    let mut whole = Situation { location: data.source, guard: Term::TRUE, values: BTreeMap::new() };
    for (number, leg) in data.legs.iter().enumerate() {
        let choices = Choices::new(program, leg, number)?;
        let part = execute_leg(program, plans, leg.plan, whole.location, choices, terms)?;
        let mut before = values(program, &whole.values);
        let guard = before.apply(terms, part.guard);
        whole.guard = terms.and([whole.guard, guard]);
        for (var, value) in part.values {
            let value = before.apply(terms, value);
            whole.values.insert(var, value);
        }
        whole.location = part.location;
    }
    if whole.location != data.target {
        return Err(malformed("a move that ends elsewhere"));
    }
    let mut updates: Vec<(Var, Term)> = whole.values.into_iter().collect();
    updates.retain(|&(var, value)| terms.as_symbol(value) != Some(program.variables[var].symbol));
    let roots: Vec<Term> =
        std::iter::once(whole.guard).chain(updates.iter().map(|&(_, value)| value)).collect();
    let mut free = terms.free_symbols_of(&roots);
    free.retain(|&symbol| program.variables.of_symbol(symbol).is_none());
    Ok(Transition { source: data.source, target: data.target, guard: whole.guard, updates, free })
}

fn values(program: &Program, values: &BTreeMap<Var, Term>) -> Substitution {
    values.iter().map(|(&var, &value)| (program.variables[var].symbol, value)).collect()
}

/// What the symbols of a leg that are no state stand for.
struct Choices<'a> {
    program: &'a Program,
    number: usize,
    strategy: FxHashMap<Symbol, Term>,
}

impl<'a> Choices<'a> {
    fn new(program: &'a Program, leg: &Leg, number: usize) -> Result<Choices<'a>, Refusal> {
        // A strategy that replaces a part of the state would change what the program does.
        if leg.strategy.iter().any(|(symbol, _)| program.variables.of_symbol(*symbol).is_some()) {
            return Err(malformed("a strategy for a variable of the state"));
        }
        Ok(Choices { program, number, strategy: leg.strategy.iter().copied().collect() })
    }

    /// Adds the choices that a formula makes; those without a strategy are free in every leg anew.
    fn complete(&self, terms: &mut Terms, roots: &[Term], substitution: &mut Substitution) {
        for symbol in terms.free_symbols_of(roots) {
            if self.program.variables.of_symbol(symbol).is_none() {
                let value = match self.strategy.get(&symbol) {
                    Some(&value) => value,
                    None => super::copy(terms, symbol, &format!("leg {}", self.number)),
                };
                substitution.insert(symbol, value);
            }
        }
    }
}

fn execute_leg(
    program: &Program,
    plans: &PrimaryMap<Plan, PlanData>,
    root: Plan,
    start: Location,
    choices: Choices<'_>,
    terms: &mut Terms,
) -> Result<Situation, Refusal> {
    let mut done: BTreeMap<Plan, Situation> = BTreeMap::new();
    let beginning = Situation { location: start, guard: Term::TRUE, values: BTreeMap::new() };
    for plan in needed(plans, root)? {
        let situation = match plans[plan] {
            PlanData::Empty => beginning.clone(),
            PlanData::Edge(edge) => execute_edge(program, &beginning, edge, &choices, terms)?,
            PlanData::Then(first, edge) => execute_edge(program, &done[&first], edge, &choices, terms)?,
            PlanData::If(condition, here, there) => {
                let mut substitution = Substitution::new();
                choices.complete(terms, &[condition], &mut substitution);
                let condition = substitution.apply(terms, condition);
                either(program, condition, &done[&here], &done[&there], terms)?
            }
        };
        done.insert(plan, situation);
    }
    Ok(done.remove(&root).expect("the root is among what it needs"))
}

/// A plan and what it is made of, parts first.
fn needed(plans: &PrimaryMap<Plan, PlanData>, root: Plan) -> Result<BTreeSet<Plan>, Refusal> {
    let mut needed = BTreeSet::new();
    let mut pending = vec![root];
    while let Some(plan) = pending.pop() {
        if !needed.insert(plan) {
            continue;
        }
        let data = plans.get(plan).ok_or_else(|| malformed("a plan that is missing"))?;
        let parts = match *data {
            PlanData::Empty | PlanData::Edge(_) => Vec::new(),
            PlanData::Then(first, _) => vec![first],
            PlanData::If(_, here, there) => vec![here, there],
        };
        if parts.iter().any(|&part| part >= plan) {
            return Err(malformed("a plan that refers to a later one"));
        }
        pending.extend(parts);
    }
    Ok(needed)
}

fn execute_edge(
    program: &Program,
    before: &Situation,
    edge: Edge,
    choices: &Choices<'_>,
    terms: &mut Terms,
) -> Result<Situation, Refusal> {
    if !program.outgoing[before.location].contains(&edge) {
        return Err(malformed("an edge that does not continue its plan"));
    }
    let data = &program.edges[edge];
    let EdgeKind::Internal(relation) = &data.kind else {
        return Err(malformed("a call or return in a move"));
    };
    if data.overapproximates {
        return Err(malformed("an edge that allows more than the program does"));
    }
    let roots: Vec<Term> =
        std::iter::once(relation.guard).chain(relation.updates.iter().map(|&(_, value)| value)).collect();
    let mut now = values(program, &before.values);
    choices.complete(terms, &roots, &mut now);
    let guard = now.apply(terms, relation.guard);
    let mut after = Situation {
        location: data.target,
        guard: terms.and([before.guard, guard]),
        values: before.values.clone(),
    };
    for &(var, value) in &relation.updates {
        after.values.insert(var, now.apply(terms, value));
    }
    Ok(after)
}

fn either(
    program: &Program,
    condition: Term,
    here: &Situation,
    there: &Situation,
    terms: &mut Terms,
) -> Result<Situation, Refusal> {
    if here.location != there.location {
        return Err(malformed("branches that end at different places"));
    }
    let changed: BTreeSet<Var> = here.values.keys().chain(there.values.keys()).copied().collect();
    let mut values = BTreeMap::new();
    for var in changed {
        let unchanged = program.variables.term(terms, var);
        let value = |side: &Situation| side.values.get(&var).copied().unwrap_or(unchanged);
        values.insert(var, terms.ite(condition, value(here), value(there)));
    }
    let guard = terms.ite(condition, here.guard, there.guard);
    Ok(Situation { location: here.location, guard, values })
}
