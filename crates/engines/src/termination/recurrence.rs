//! Runs that go round for ever: recurrent sets of states.
//!
//! For a cycle of blocks, two kinds of sets are tried, and a third for all cycles of a cut point together:
//!
//! * *fixed points*: a reachable state to which the cycle can come back;
//! * *closed conditions*: one path through the cycle is taken, with choices that do not depend on much (the values of a
//!   run, or what the variable was before). The conditions of the path, together with the conditions that they do not sink
//!   from round to round, are pruned until the path preserves what is left. This covers rays and what grows
//!   geometrically (Leike and Heizmann, "Geometric Nontermination Arguments", TACAS 2018).
//! * *invariants*: what is known to hold whenever control is at the cut point. Paths are collected from states in which the
//!   run cannot yet go on, until one of them can be gone from each state.
//!
//! Whether a set is reachable is for the Horn solver to say. The result is evidence for the independent check.

use super::Termination;
use super::calls::{self, Calls};
use super::components::{Component, beginning};
use super::cubes::Cube;
use super::invariants::{Reached, Target};
use super::limits;
use crate::horn::Class;
use base::Interrupted;
use logic::evaluate::{Evaluator, evaluate};
use logic::{Model, Op, Sort, Substitution, Symbol, Term, Terms, Value};
use program::steps::OriginData;
use program::{Edge, EdgeKind, Program, Recurrence, RecurrentSet, RecurrentWay, Relation, Var, VarKind};
use rustc_hash::FxHashMap;
use smt::Answer;
use std::collections::{BTreeMap, VecDeque};

/// A cycle of blocks as one relation.
struct Cycle {
    class: Class,
    edges: Vec<Edge>,
    relation: Relation,
    /// For each edge its auxiliary constants, with their names in the relation.
    names: Vec<Vec<(Symbol, Symbol)>>,
}

/// How the choices of a path are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strategy {
    /// The same values in every round.
    Constant,
    /// A variable that may get any value keeps the one that it has.
    Keep,
}

/// On which side of a number that it must not be a value stays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

/// How choices are made, whether what does not change has the values of a run, and the sides of disequalities.
const ATTEMPTS: [(Strategy, bool, Side); 8] = [
    (Strategy::Constant, false, Side::Above),
    (Strategy::Constant, true, Side::Above),
    (Strategy::Keep, false, Side::Above),
    (Strategy::Keep, true, Side::Above),
    (Strategy::Constant, false, Side::Below),
    (Strategy::Constant, true, Side::Below),
    (Strategy::Keep, false, Side::Below),
    (Strategy::Keep, true, Side::Below),
];

impl Termination<'_, '_> {
    /// A run that never leaves the component.
    pub(super) fn recurrence(
        &mut self,
        component: &Component,
        stuck: &[Cube],
    ) -> Result<Option<Recurrence>, Interrupted> {
        let cycles = self.cycles(component, stuck);
        for edges in &cycles {
            for times in 1..=2 {
                let repeated: Vec<Edge> = edges.iter().copied().cycle().take(times * edges.len()).collect();
                let Some(cycle) = self.cycle(&repeated) else { continue };
                if let Some(found) = self.fixed_point(&cycle)? {
                    return Ok(Some(found));
                }
                if times == 1
                    && let Some(found) = self.closed(&cycle)?
                {
                    return Ok(Some(found));
                }
            }
        }
        for &class in &component.classes {
            let source = self.whole.locations[class];
            let own = |edges: &&Vec<Edge>| self.context.program.edges[edges[0]].source == source;
            let own: Vec<Vec<Edge>> = cycles.iter().filter(own).cloned().collect();
            let cycles: Vec<Cycle> = own.iter().filter_map(|edges| self.cycle(edges)).collect();
            if !cycles.is_empty()
                && let Some(found) = self.invariant_set(class, &cycles)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// What is known at a class, if in each such state a path through one of the cycles can be gone.
    fn invariant_set(&mut self, class: Class, cycles: &[Cycle]) -> Result<Option<Recurrence>, Interrupted> {
        self.statistics.rounds += 1;
        let location = self.whole.locations[class];
        let known = self.known[class].clone();
        let states = self.context.terms.and(known.iter().copied());
        let mut session = self.session(&known);
        let mut ways = Vec::new();
        while session.check(self.context.terms) != Answer::Unsat {
            self.context.budget.check()?;
            if ways.len() >= limits::MOST_WAYS {
                return Ok(None);
            }
            let mut on = None;
            for cycle in cycles {
                session.push();
                session.assert(self.context.terms, cycle.relation.guard);
                if session.check(self.context.terms) == Answer::Sat
                    && let Ok(model) = session.model(self.context.terms)
                {
                    on = self.path(cycle, &model);
                }
                session.pop();
                self.context.budget.check()?;
                if on.is_some() {
                    break;
                }
            }
            let Some(path) = on else { return Ok(None) };
            let choices = self.choices(&path, Strategy::Constant);
            let (guard, mut after) = self.symbolic(&path, &choices);
            let arrives = after.apply(self.context.terms, states);
            let possible = self.context.terms.and([guard, arrives]);
            let left = self.context.terms.not(possible);
            session.assert(self.context.terms, left);
            ways.push(RecurrentWay { edges: path.edges, choices, target: 0 });
        }
        if ways.is_empty() {
            // Control never comes here.
            return Ok(None);
        }
        let target = Target { location, guard: states, auxiliaries: Vec::new() };
        let Reached::Yes(run) = self.reach(&[target])? else { return Ok(None) };
        let last = run.edges.len() - 1;
        Ok(self.evidence(&run.edges[..last], &run.states, RecurrentSet { location, states, ways }))
    }

    /// Short cycles through the transitions that are stuck. A whole call is gone through step by step.
    fn cycles(&self, component: &Component, stuck: &[Cube]) -> Vec<Vec<Edge>> {
        let mut numbers: Vec<usize> = stuck.iter().map(|cube| component.steps[cube.transition]).collect();
        numbers.dedup();
        for &step in &component.steps {
            if !numbers.contains(&step) {
                numbers.push(step);
            }
        }
        let mut calls = Calls::new(self.context.program);
        let mut cycles: Vec<Vec<Edge>> = Vec::new();
        for &number in &numbers {
            let step = &self.whole.steps[number];
            let Some(target) = step.target else { continue };
            if let Some(back) = self.way_back(&numbers, target, beginning(step)) {
                let steps: Vec<Edge> =
                    [number].into_iter().chain(back).map(|number| self.whole.steps[number].edge).collect();
                for edges in calls.paths(&steps) {
                    let known = |cycle: &Vec<Edge>| {
                        cycle.len() == edges.len() && cycle.iter().all(|edge| edges.contains(edge))
                    };
                    if !cycles.iter().any(known) {
                        cycles.push(edges);
                    }
                }
            }
            if cycles.len() >= limits::MOST_CYCLES {
                break;
            }
        }
        cycles.sort_by_key(Vec::len);
        cycles
    }

    /// A shortest way from one class to another over these steps, by their numbers.
    fn way_back(&self, numbers: &[usize], from: Class, to: Class) -> Option<Vec<usize>> {
        let mut arrivals: BTreeMap<Class, usize> = BTreeMap::new();
        let mut pending = VecDeque::from([from]);
        while let Some(class) = pending.pop_front() {
            if class == to {
                let (mut steps, mut here) = (Vec::new(), to);
                while here != from {
                    let number = arrivals[&here];
                    steps.push(number);
                    here = beginning(&self.whole.steps[number]);
                }
                steps.reverse();
                return Some(steps);
            }
            for &number in numbers {
                let step = &self.whole.steps[number];
                if let Some(target) = step.target
                    && beginning(step) == class
                    && target != from
                    && !arrivals.contains_key(&target)
                {
                    arrivals.insert(target, number);
                    pending.push_back(target);
                }
            }
        }
        None
    }

    /// The relation of a cycle; none if it leads through a block that allows more than the program does.
    fn cycle(&mut self, edges: &[Edge]) -> Option<Cycle> {
        let program = self.context.program;
        let terms = &mut *self.context.terms;
        let mut relation = Relation::skip();
        let mut names = Vec::with_capacity(edges.len());
        // What was known at the calls that have not come back.
        let mut callers: Vec<Relation> = Vec::new();
        for &edge in edges {
            let data = &program.edges[edge];
            if data.overapproximates {
                return None;
            }
            match &data.kind {
                EdgeKind::Internal(_) => {}
                EdgeKind::Call(_) => callers.push(relation.clone()),
                EdgeKind::Return(returning) => {
                    let caller = callers.pop()?;
                    relation = calls::returned(program, returning, (&caller, &relation), terms);
                    names.push(Vec::new());
                    continue;
                }
            }
            let own = as_internal(program, edge, terms)?;
            let mut renaming = Substitution::new();
            let mut pairs = Vec::with_capacity(own.auxiliaries.len());
            for &symbol in &own.auxiliaries {
                let data = terms.symbol_data(symbol).clone();
                let fresh = terms.fresh_symbol(&data.name, data.sort);
                let image = terms.constant(fresh);
                renaming.insert(symbol, image);
                pairs.push((symbol, fresh));
            }
            let mut renamed = Relation::assign(
                own.updates.iter().map(|&(var, value)| (var, renaming.apply(terms, value))).collect(),
            );
            renamed.guard = renaming.apply(terms, own.guard);
            renamed.auxiliaries = pairs.iter().map(|&(_, fresh)| fresh).collect();
            relation = relation.then(&renamed, terms, &program.variables);
            names.push(pairs);
        }
        let source = program.edges[edges[0]].source;
        let class = self.whole.locations.iter().position(|&location| location == source)?;
        Some(Cycle { class, edges: edges.to_vec(), relation, names })
    }

    /// The variables of a class that a recurrent set may speak of.
    fn scope(&self, class: Class) -> Vec<Var> {
        let location = self.whole.locations[class];
        let scope = self.context.program.scope(location);
        scope.filter(|&var| self.relevant.contains(var)).collect()
    }

    /// A reachable state to which the cycle comes back.
    fn fixed_point(&mut self, cycle: &Cycle) -> Result<Option<Recurrence>, Interrupted> {
        self.statistics.rounds += 1;
        let program = self.context.program;
        let mut same = vec![cycle.relation.guard];
        for &(var, value) in &cycle.relation.updates {
            if self.relevant.contains(var) {
                let now = program.variables.term(self.context.terms, var);
                same.push(self.context.terms.eq(now, value));
            }
        }
        let guard = self.context.terms.and(same);
        if !self.is_possible(cycle.class, guard)? {
            return Ok(None);
        }
        let location = self.whole.locations[cycle.class];
        let target = Target { location, guard, auxiliaries: cycle.relation.auxiliaries.clone() };
        let Reached::Yes(run) = self.reach(&[target])? else { return Ok(None) };
        let last = run.edges.len() - 1;
        let Some(path) = self.path(cycle, &run.states[last]) else { return Ok(None) };
        let mut state = Vec::new();
        for var in self.scope(cycle.class) {
            let symbol = program.variables[var].symbol;
            let Some(value) = value_of(&run.states[last], symbol, self.context.terms) else {
                return Ok(None);
            };
            let now = self.context.terms.constant(symbol);
            state.push(self.context.terms.eq(now, value));
        }
        let states = self.context.terms.and(state);
        let choices = self.choices(&path, Strategy::Constant);
        let way = RecurrentWay { edges: path.edges, choices, target: 0 };
        Ok(self.evidence(&run.edges[..last], &run.states, RecurrentSet { location, states, ways: vec![way] }))
    }

    /// Is there a state at a class, as far as is known, in which a formula holds?
    fn is_possible(&mut self, class: Class, formula: Term) -> Result<bool, Interrupted> {
        let mut all = self.known[class].clone();
        all.push(formula);
        let mut session = self.session(&all);
        let answer = session.check(self.context.terms);
        self.context.budget.check()?;
        Ok(answer != Answer::Unsat)
    }

    /// A condition that a path through the cycle preserves.
    fn closed(&mut self, cycle: &Cycle) -> Result<Option<Recurrence>, Interrupted> {
        let location = self.whole.locations[cycle.class];
        let target =
            Target { location, guard: cycle.relation.guard, auxiliaries: cycle.relation.auxiliaries.clone() };
        if !self.is_possible(cycle.class, target.guard)? {
            return Ok(None);
        }
        let Reached::Yes(run) = self.reach(&[target])? else { return Ok(None) };
        let model = run.states[run.edges.len() - 1].clone();
        let Some(path) = self.path(cycle, &model) else { return Ok(None) };
        for (strategy, fixed, side) in ATTEMPTS {
            self.statistics.rounds += 1;
            let choices = self.choices(&path, strategy);
            let fixed = fixed.then_some(&model);
            let Some(states) = self.preserved(cycle, &path, &choices, (fixed, side))? else { continue };
            let target = Target { location, guard: states, auxiliaries: Vec::new() };
            let Reached::Yes(run) = self.reach(&[target])? else { continue };
            let last = run.edges.len() - 1;
            let way = RecurrentWay { edges: path.edges.clone(), choices, target: 0 };
            let set = RecurrentSet { location, states, ways: vec![way] };
            return Ok(self.evidence(&run.edges[..last], &run.states, set));
        }
        Ok(None)
    }

    /// The conditions of a path and what they do not sink below, pruned until the path preserves them. With a model, what
    /// the path does not change has the values of the model.
    fn preserved(
        &mut self,
        cycle: &Cycle,
        path: &Path,
        choices: &[Vec<(Symbol, Term)>],
        (fixed, side): (Option<&Model>, Side),
    ) -> Result<Option<Term>, Interrupted> {
        let (guard, mut after) = self.symbolic(path, choices);
        let terms = &mut *self.context.terms;
        let mut needed = terms.conjuncts(guard);
        let mut has_sides = false;
        for condition in &mut needed {
            let chosen = on_one_side(*condition, side, terms);
            has_sides |= chosen != *condition;
            *condition = chosen;
        }
        if side == Side::Below && !has_sides {
            // It would be the same as above.
            return Ok(None);
        }
        // What is known anyway may be what the path needs, and goes first.
        let mut growing = self.known[cycle.class].clone();
        let mut level: Vec<Term> = needed.clone();
        for _ in 0..2 {
            let mut next = Vec::new();
            for &condition in &level {
                if let Some(sum) = not_positive(condition, terms) {
                    let later = after.apply(terms, sum);
                    next.push(terms.le(later, sum));
                }
            }
            growing.extend(
                next.iter().copied().filter(|condition| !condition.is_true() && !condition.is_false()),
            );
            level = next;
        }
        if let Some(model) = fixed {
            for var in self.scope(cycle.class) {
                let symbol = self.context.program.variables[var].symbol;
                let now = self.context.terms.constant(symbol);
                if after.image(symbol).is_none_or(|value| value == now)
                    && let Some(value) = value_of(model, symbol, self.context.terms)
                {
                    needed.push(self.context.terms.eq(now, value));
                }
            }
        }
        growing.truncate(limits::MOST_SET_CONDITIONS + self.known[cycle.class].len());
        self.prune(needed, growing, after)
    }

    /// Drops what is not preserved of the second list; none if something of the first is not.
    fn prune(
        &mut self,
        needed: Vec<Term>,
        mut others: Vec<Term>,
        mut after: Substitution,
    ) -> Result<Option<Term>, Interrupted> {
        loop {
            let all: Vec<Term> = needed.iter().chain(&others).copied().collect();
            let mut session = self.session(&all);
            if session.check(self.context.terms) == Answer::Unsat {
                // The strongest conditions contradict each other: without those about growth there may be states.
                if others.is_empty() {
                    return Ok(None);
                }
                others.pop();
                continue;
            }
            let mut preserved = |engine: &mut Self, condition: Term| -> Result<bool, Interrupted> {
                let later = after.apply(engine.context.terms, condition);
                let violated = engine.context.terms.not(later);
                session.push();
                session.assert(engine.context.terms, violated);
                let answer = session.check(engine.context.terms);
                session.pop();
                engine.context.budget.check()?;
                Ok(answer == Answer::Unsat)
            };
            let before = others.len();
            let mut kept = Vec::with_capacity(before);
            for &condition in &others {
                if preserved(self, condition)? {
                    kept.push(condition);
                }
            }
            if kept.len() < before {
                others = kept;
                continue;
            }
            for &condition in &needed {
                if !preserved(self, condition)? {
                    return Ok(None);
                }
            }
            return Ok(Some(self.context.terms.and(all)));
        }
    }

    /// The single steps of a cycle that a state with its choices takes.
    fn path(&mut self, cycle: &Cycle, model: &Model) -> Option<Path> {
        let (program, single) = (self.context.program, self.single);
        let of_origin: FxHashMap<program::Origin, Edge> =
            single.live_edges().map(|edge| (single.edges[edge].origin, edge)).collect();
        let mut state = model.clone();
        let mut callers: Vec<Model> = Vec::new();
        let (mut edges, mut values) = (Vec::new(), Vec::new());
        for (&edge, names) in cycle.edges.iter().zip(&cycle.names) {
            for &(symbol, name) in names {
                let value = model.value(self.context.terms, name);
                state.set(symbol, value);
            }
            for origin in steps_of(program, edge, &state, self.context.terms)? {
                let step = *of_origin.get(&origin)?;
                edges.push(step);
                values.push(left_open(single, step, &state));
            }
            match &program.edges[edge].kind {
                EdgeKind::Internal(_) => {}
                EdgeKind::Call(_) => callers.push(state.clone()),
                EdgeKind::Return(returning) => {
                    let caller = callers.pop()?;
                    calls::restore(program, returning, &caller, &mut state, self.context.terms);
                    continue;
                }
            }
            let relation = as_internal(program, edge, self.context.terms)?;
            let mut new = Vec::with_capacity(relation.updates.len());
            for &(var, value) in &relation.updates {
                let value = evaluate(self.context.terms, &state, value).ok()?;
                new.push((program.variables[var].symbol, value));
            }
            for (symbol, value) in new {
                state.set(symbol, value);
            }
        }
        Some(Path { edges, values })
    }

    /// What is chosen on a path.
    fn choices(&mut self, path: &Path, strategy: Strategy) -> Vec<Vec<(Symbol, Term)>> {
        let mut all = Vec::with_capacity(path.edges.len());
        for (&edge, values) in path.edges.iter().zip(&path.values) {
            let mut here = Vec::new();
            if let EdgeKind::Internal(relation) = &self.single.edges[edge].kind {
                for &symbol in &relation.auxiliaries {
                    let own = self.context.terms.constant(symbol);
                    let kept = relation.updates.iter().find(|(_, value)| *value == own).map(|(var, _)| *var);
                    let term = match (strategy, kept) {
                        (Strategy::Keep, Some(var)) => {
                            Some(self.single.variables.term(self.context.terms, var))
                        }
                        _ => value_of(values, symbol, self.context.terms),
                    };
                    here.extend(term.map(|term| (symbol, term)));
                }
            }
            all.push(here);
        }
        all
    }

    /// When a path can be gone with its choices, and the values after it, over the state before it.
    fn symbolic(&mut self, path: &Path, choices: &[Vec<(Symbol, Term)>]) -> (Term, Substitution) {
        let (single, terms) = (self.single, &mut *self.context.terms);
        let mut state = Substitution::new();
        let mut callers: Vec<Substitution> = Vec::new();
        let mut guards = Vec::new();
        for (&edge, choices) in path.edges.iter().zip(choices) {
            match &single.edges[edge].kind {
                EdgeKind::Internal(_) => {}
                EdgeKind::Call(_) => callers.push(state.clone()),
                EdgeKind::Return(returning) => {
                    let caller = callers.pop().unwrap_or_default();
                    state = calls::substituted(single, returning, (&caller, &mut state), terms);
                    continue;
                }
            }
            let Some(relation) = as_internal(single, edge, terms) else { continue };
            let mut here = state.clone();
            for &(symbol, value) in choices {
                let value = state.apply(terms, value);
                here.insert(symbol, value);
            }
            guards.push(here.apply(terms, relation.guard));
            for &(var, value) in &relation.updates {
                let value = here.apply(terms, value);
                state.insert(single.variables[var].symbol, value);
            }
        }
        (terms.and(guards), state)
    }

    /// The stem of a run of blocks in single steps, with the set that it comes to.
    fn evidence(&mut self, edges: &[Edge], states: &[Model], set: RecurrentSet) -> Option<Recurrence> {
        let (program, single) = (self.context.program, self.single);
        let of_origin: FxHashMap<program::Origin, Edge> =
            single.live_edges().map(|edge| (single.edges[edge].origin, edge)).collect();
        let (mut stem, mut values) = (Vec::new(), Vec::new());
        for (&edge, state) in edges.iter().zip(states) {
            for origin in steps_of(program, edge, state, self.context.terms)? {
                let step = *of_origin.get(&origin)?;
                let behind_call =
                    stem.last().is_none_or(|&last| matches!(single.edges[last].kind, EdgeKind::Call(_)));
                values.push(if behind_call { state.clone() } else { left_open(single, step, state) });
                stem.push(step);
            }
        }
        Some(Recurrence { stem, values, sets: vec![set] })
    }
}

/// A path of single steps, with the values of the choices.
struct Path {
    edges: Vec<Edge>,
    values: Vec<Model>,
}

/// The values of what an edge leaves open: nothing else of a state is needed where the run has come to it already.
fn left_open(single: &Program, edge: Edge, state: &Model) -> Model {
    let mut values = Model::new();
    if let EdgeKind::Internal(relation) = &single.edges[edge].kind {
        for &symbol in &relation.auxiliaries {
            if let Some(value) = state.get(symbol) {
                values.set(symbol, value.clone());
            }
        }
    }
    values
}

/// The single steps of a block in a state.
fn steps_of(program: &Program, edge: Edge, state: &Model, terms: &mut Terms) -> Option<Vec<program::Origin>> {
    let mut evaluator = Evaluator::new(state);
    let holds = |selector| Ok(evaluator.evaluate(terms, selector)?.is_true());
    let steps = program.origins.steps(program.edges[edge].origin, holds);
    let steps: Result<Vec<program::Origin>, logic::evaluate::CannotEvaluate> = steps;
    let steps = steps.ok()?;
    let single = |origin: &program::Origin| matches!(program.origins[*origin], OriginData::Step { .. });
    steps.iter().all(single).then_some(steps)
}

/// A block or a call that does not come back, as a relation. What a call leaves open gets auxiliary constants.
fn as_internal(program: &Program, edge: Edge, terms: &mut Terms) -> Option<Relation> {
    match &program.edges[edge].kind {
        EdgeKind::Internal(relation) => Some(relation.clone()),
        EdgeKind::Call(call) => {
            let mut updates = Vec::new();
            let mut auxiliaries = Vec::new();
            for (var, data) in program.variables.iter() {
                let own = match data.kind {
                    VarKind::Local(owner) => owner == call.callee,
                    VarKind::Old(_) => true,
                    VarKind::Constant | VarKind::Global => false,
                };
                if !own {
                    continue;
                }
                let value = match call.bindings.iter().find(|(bound, _)| *bound == var) {
                    Some(&(_, value)) => value,
                    None => {
                        let unique = terms.symbol_data(data.symbol).clone();
                        let symbol = terms.symbol(&format!("some {}", unique.name), unique.sort);
                        auxiliaries.push(symbol);
                        terms.constant(symbol)
                    }
                };
                updates.push((var, value));
            }
            let mut relation = Relation::assign(updates);
            auxiliaries.sort_unstable();
            relation.auxiliaries = auxiliaries;
            Some(relation)
        }
        EdgeKind::Return(_) => None,
    }
}

/// A disequality as an inequality.
fn on_one_side(condition: Term, side: Side, terms: &mut Terms) -> Term {
    if terms.op(condition) != Op::Not {
        return condition;
    }
    let inner = terms.args(condition)[0];
    if terms.op(inner) != Op::Eq || !terms.sort_of(terms.args(inner)[0]).is_arithmetic() {
        return condition;
    }
    let (left, right) = (terms.args(inner)[0], terms.args(inner)[1]);
    match side {
        Side::Below => terms.lt(left, right),
        Side::Above => terms.gt(left, right),
    }
}

/// What a condition says is not positive, if it is an inequality.
fn not_positive(condition: Term, terms: &mut Terms) -> Option<Term> {
    match terms.op(condition) {
        Op::Le | Op::Lt => Some(terms.args(condition)[0]),
        Op::Not => {
            let inner = terms.args(condition)[0];
            match terms.op(inner) {
                Op::Le | Op::Lt => {
                    let sum = terms.args(inner)[0];
                    Some(terms.neg(sum))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// A value as a term of a sort.
fn literal(value: &Value, sort: Sort, terms: &mut Terms) -> Option<Term> {
    Some(match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Int(value) => terms.int(value.clone()),
        Value::Real(value) => terms.real(value.clone()),
        Value::BitVec(width, value) => terms.bitvec(value.clone(), *width),
        Value::Array(array) => {
            let (index_sort, element_sort) = terms.array_parts(sort)?;
            let default = literal(&array.default, element_sort, terms)?;
            let mut term = terms.const_array(sort, default);
            for (index, element) in &array.entries {
                let (index, element) =
                    (literal(index, index_sort, terms)?, literal(element, element_sort, terms)?);
                term = terms.store(term, index, element);
            }
            term
        }
        Value::Element(..) => return None,
    })
}

/// The value of a symbol in a model, as a term.
fn value_of(model: &Model, symbol: Symbol, terms: &mut Terms) -> Option<Term> {
    let value = model.value(terms, symbol);
    literal(&value, terms.symbol_data(symbol).sort, terms)
}
