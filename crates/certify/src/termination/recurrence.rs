//! The independent check of infinite runs.
//!
//! A [`Recurrence`] has a stem, and sets of states with ways from set to set. Accepted means:
//!
//! 1. no edge of stem or ways allows more than the original program does;
//! 2. the stem, followed with its own values, comes to a state of the first set;
//! 3. from every state of every set one of its ways can be gone with the choices that it names, and ends in a state of the set
//!    that it names. What a way does not choose may be anything;
//! 4. the interpreter of the `ir` goes along the stem and on through the sets, for as many rounds as asked for.
//!
//! By 2 and 3 some run of the single-step program is infinite; 4 shows a part of it to whoever does not trust that program.

use super::{Endless, check_vocabulary};
use crate::replay::{NotReplayed, Recorded, follow};
use crate::{Certified, Refusal};
use base::Budget;
use ir::interpreter::{Outcome, Value};
use logic::evaluate::{CannotEvaluate, Evaluator};
use logic::{Model, Substitution, Symbol, Term, Terms};
use program::{Edge, EdgeKind, Location, Program, Recurrence, RecurrentWay, VarKind};
use smt::{Answer, Solver};

/// How often the interpreter goes round.
pub const ROUNDS: usize = 1_000;
/// Rounds are fewer if they have more steps than this together.
const MOST_STEPS: usize = 60_000;

/// The beginning of an infinite run.
#[derive(Clone, Debug)]
pub struct InfiniteRun {
    /// Why it is infinite.
    pub recurrence: Recurrence,
    /// The values of constants, globals and parameters at the beginning.
    pub inputs: Vec<(ir::Variable, Value)>,
    /// What happened.
    pub events: Vec<Recorded>,
    /// How many steps from set to set the interpreter followed.
    pub rounds: usize,
    /// For the first rounds the values of the variables at the beginning of the round.
    pub states: Vec<Model>,
}

/// How many rounds are told.
const TOLD_ROUNDS: usize = 3;

/// Checks that a run of the program never ends.
pub fn check_recurrence(
    (source, endless): (&ir::Program, &Endless),
    recurrence: &Recurrence,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Certified<InfiniteRun>, Refusal> {
    let program: &Program = endless.program();
    check_shape(program, recurrence, terms)?;
    for &axiom in &program.axioms {
        solver.assert(terms, axiom);
    }
    for index in 0..recurrence.sets.len() {
        budget.check()?;
        check_closed(program, recurrence, index, terms, solver)?;
        budget.check()?;
    }
    let mut walk = Walk::new(program, terms);
    walk.stem(recurrence)?;
    let mut told = Vec::new();
    let (mut set, mut rounds) = (0, 0);
    while rounds < ROUNDS && walk.edges.len() < MOST_STEPS {
        budget.check()?;
        if told.len() < TOLD_ROUNDS {
            told.push(walk.state.clone());
        }
        set = walk.round(recurrence, set)?;
        rounds += 1;
    }
    let Walk { edges, mut states, state, .. } = walk;
    states.push(state);
    // A step of the interpreter is an edge at most; the last edges need not be complete.
    let steps = edges.len() as u64;
    let followed =
        follow((source, program), (&edges, &states), steps, terms, budget).map_err(|why| match why {
            NotReplayed::Interrupted(interrupted) => Refusal::Interrupted(interrupted),
            NotReplayed::Background(why) => {
                Refusal::Undecided("what holds in every execution".to_owned(), smt::Reason::Incomplete(why))
            }
            NotReplayed::Overapproximated => {
                Refusal::Recurrence("the run passes an over-approximation".to_owned())
            }
            NotReplayed::Outcome(why) | NotReplayed::Value(why) => Refusal::Recurrence(why),
        })?;
    let all_done = followed.targets_left == 0 && followed.values_left == 0;
    match followed.outcome {
        Outcome::OutOfSteps | Outcome::TooManyCalls => {}
        Outcome::NoValue(_) | Outcome::NoTarget(_) if all_done => {}
        outcome => {
            return Err(Refusal::Recurrence(format!("the interpreter does not follow the run: {outcome:?}")));
        }
    }
    let recurrence = recurrence.clone();
    Ok(Certified::new(InfiniteRun {
        recurrence,
        inputs: followed.inputs,
        events: followed.events,
        rounds,
        states: told,
    }))
}

fn malformed<T>(what: String) -> Result<T, Refusal> {
    Err(Refusal::Malformed(what))
}

/// Do edges, sets and choices fit the program?
fn check_shape(program: &Program, recurrence: &Recurrence, terms: &Terms) -> Result<(), Refusal> {
    let Some(first) = recurrence.sets.first() else { return malformed("no recurrent set".to_owned()) };
    if recurrence.values.len() != recurrence.stem.len() {
        return malformed("a step of the stem without values".to_owned());
    }
    let begin = match recurrence.stem.first().and_then(|&edge| program.edges.get(edge)) {
        Some(edge) => edge.source,
        None => return malformed("the stem has no known edge".to_owned()),
    };
    if !program.initial.contains(&begin) {
        return malformed(format!("no run begins at {begin}"));
    }
    let mut open = Vec::new();
    check_path(program, begin, &recurrence.stem, first.location, &mut open)?;
    for set in &recurrence.sets {
        check_vocabulary(program, terms, &[set.states])?;
        for way in &set.ways {
            let Some(target) = recurrence.sets.get(way.target) else {
                return malformed("a way to a set that does not exist".to_owned());
            };
            if way.edges.is_empty() || way.choices.len() != way.edges.len() {
                return malformed("a way without edges, or without choices for one".to_owned());
            }
            // A way returns from its own calls only; what it has called and not returned from stays open for ever.
            check_path(program, set.location, &way.edges, target.location, &mut Vec::new())?;
            for (&edge, choices) in way.edges.iter().zip(&way.choices) {
                check_choices(program, edge, choices, terms)?;
            }
        }
    }
    Ok(())
}

/// Do the edges lead from one location to another? A return has to be one from the last of the open calls.
fn check_path(
    program: &Program,
    from: Location,
    edges: &[Edge],
    to: Location,
    open: &mut Vec<Edge>,
) -> Result<(), Refusal> {
    let mut here = from;
    for &edge in edges {
        if !program.edges.is_valid(edge) || !program.outgoing[here].contains(&edge) {
            return malformed(format!("{edge} does not leave {here}"));
        }
        let data = &program.edges[edge];
        if data.overapproximates {
            return malformed(format!("{edge} allows more than the program does"));
        }
        match &data.kind {
            EdgeKind::Return(returning) => {
                if open.pop() != Some(returning.call) {
                    return malformed(format!("{edge} returns from another call"));
                }
            }
            EdgeKind::Call(_) => open.push(edge),
            EdgeKind::Internal(_) => {}
        }
        here = data.target;
    }
    if here == to { Ok(()) } else { malformed(format!("a path ends at {here}, not at {to}")) }
}

fn check_choices(
    program: &Program,
    edge: Edge,
    choices: &[(Symbol, Term)],
    terms: &Terms,
) -> Result<(), Refusal> {
    for &(symbol, value) in choices {
        let open = match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => relation.auxiliaries.contains(&symbol),
            EdgeKind::Call(_) | EdgeKind::Return(_) => false,
        };
        if !open || terms.symbol_data(symbol).sort != terms.sort_of(value) {
            return malformed(format!("a choice that {edge} does not leave open"));
        }
        check_vocabulary(program, terms, &[value])?;
    }
    Ok(())
}

/// From every state of the set one of its ways can be gone.
fn check_closed(
    program: &Program,
    recurrence: &Recurrence,
    index: usize,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<(), Refusal> {
    let set = &recurrence.sets[index];
    let mut cases = Vec::with_capacity(set.ways.len());
    for way in &set.ways {
        let (possible, mut after) = gone(program, way, terms);
        let arrives = after.apply(terms, recurrence.sets[way.target].states);
        cases.push(terms.and([possible, arrives]));
    }
    let some = terms.or(cases);
    let stuck = terms.not(some);
    solver.push();
    solver.assert(terms, set.states);
    solver.assert(terms, stuck);
    let answer = solver.check(terms);
    solver.pop();
    match answer {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(Refusal::Recurrence(format!("a run can be stuck in the set at {}", set.location))),
        Answer::Unknown(why) => {
            Err(Refusal::Undecided(format!("the recurrent set at {}", set.location), why))
        }
    }
}

/// When a way can be gone, and the values after it, over the state before it.
fn gone(program: &Program, way: &RecurrentWay, terms: &mut Terms) -> (Term, Substitution) {
    let mut state = Substitution::new();
    // The values at the calls from which the way has not returned.
    let mut callers: Vec<Substitution> = Vec::new();
    let mut possible = Vec::new();
    for (&edge, choices) in way.edges.iter().zip(&way.choices) {
        match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                let mut here = state.clone();
                for &symbol in &relation.auxiliaries {
                    let value = match choices.iter().find(|(chosen, _)| *chosen == symbol) {
                        Some(&(_, value)) => state.apply(terms, value),
                        None => anything(symbol, terms),
                    };
                    here.insert(symbol, value);
                }
                possible.push(here.apply(terms, relation.guard));
                for &(var, value) in &relation.updates {
                    let value = here.apply(terms, value);
                    state.insert(program.variables[var].symbol, value);
                }
            }
            EdgeKind::Call(call) => {
                let mut inside = state.clone();
                for (var, data) in program.variables.iter() {
                    if belongs_to(data.kind, call.callee) {
                        let value = match call.bindings.iter().find(|(bound, _)| *bound == var) {
                            Some(&(_, value)) => state.apply(terms, value),
                            None => anything(data.symbol, terms),
                        };
                        inside.insert(data.symbol, value);
                    }
                }
                callers.push(std::mem::replace(&mut state, inside));
            }
            EdgeKind::Return(returning) => {
                let Some(caller) = callers.pop() else { unreachable!("the shape was checked") };
                let mut after = Substitution::new();
                for (_, data) in program.variables.iter() {
                    let values = if data.kind.belongs_to_a_call() { &caller } else { &state };
                    if let Some(value) = values.image(data.symbol) {
                        after.insert(data.symbol, value);
                    }
                }
                for &(to, from) in &returning.results {
                    let value = terms.constant(program.variables[from].symbol);
                    let value = state.apply(terms, value);
                    after.insert(program.variables[to].symbol, value);
                }
                state = after;
            }
        }
    }
    (terms.and(possible), state)
}

/// Does a call of the procedure get a new copy of a variable of this kind?
fn belongs_to(kind: VarKind, callee: ir::Procedure) -> bool {
    match kind {
        VarKind::Local(owner) => owner == callee,
        VarKind::Old(_) => true,
        VarKind::Constant | VarKind::Global => false,
    }
}

/// A name for a value about which nothing is known.
fn anything(symbol: Symbol, terms: &mut Terms) -> Term {
    let data = terms.symbol_data(symbol).clone();
    let fresh = terms.fresh_symbol(&data.name, data.sort);
    terms.constant(fresh)
}

/// A run in the making, step by step with concrete values.
struct Walk<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    edges: Vec<Edge>,
    /// The values before each edge: all of them at the beginning and behind a call, elsewhere those of what the edge leaves
    /// open. The interpreter needs no others.
    states: Vec<Model>,
    /// The values now.
    state: Model,
    /// The values at the calls that have not come back.
    callers: Vec<Model>,
}

impl Walk<'_> {
    fn new<'a>(program: &'a Program, terms: &'a mut Terms) -> Walk<'a> {
        Walk {
            program,
            terms,
            edges: Vec::new(),
            states: Vec::new(),
            state: Model::new(),
            callers: Vec::new(),
        }
    }

    fn value(&mut self, term: Term) -> Result<logic::Value, Refusal> {
        evaluate(&self.state, self.terms, term)
    }

    /// Follows the stem with its own values of what it leaves open.
    fn stem(&mut self, recurrence: &Recurrence) -> Result<(), Refusal> {
        self.state = recurrence.values[0].clone();
        let empty = Model::new();
        for (position, (&edge, values)) in recurrence.stem.iter().zip(&recurrence.values).enumerate() {
            if let EdgeKind::Internal(relation) = &self.program.edges[edge].kind {
                for &symbol in &relation.auxiliaries {
                    let value = values.value(self.terms, symbol);
                    self.state.set(symbol, value);
                }
            }
            // What a call leaves open has its value in the state after the call.
            let fresh = recurrence.values.get(position + 1).unwrap_or(&empty);
            self.step(edge, fresh)?;
        }
        if self.value(recurrence.sets[0].states)?.is_true() {
            Ok(())
        } else {
            Err(Refusal::Recurrence("the stem does not come to the recurrent set".to_owned()))
        }
    }

    /// Goes on from a set to the next one, which is returned.
    fn round(&mut self, recurrence: &Recurrence, set: usize) -> Result<usize, Refusal> {
        let before = (self.edges.len(), self.state.clone(), self.callers.len());
        for way in &recurrence.sets[set].ways {
            if self.go(way)? && self.value(recurrence.sets[way.target].states)?.is_true() {
                return Ok(way.target);
            }
            self.edges.truncate(before.0);
            self.states.truncate(before.0);
            self.callers.truncate(before.2);
            self.state = before.1.clone();
        }
        Err(Refusal::Recurrence("the run is stuck in a recurrent set".to_owned()))
    }

    /// Goes a way; false if that is not possible.
    fn go(&mut self, way: &RecurrentWay) -> Result<bool, Refusal> {
        for (&edge, choices) in way.edges.iter().zip(&way.choices) {
            if let EdgeKind::Internal(relation) = &self.program.edges[edge].kind {
                let mut chosen = Vec::with_capacity(relation.auxiliaries.len());
                for &symbol in &relation.auxiliaries {
                    let value = match choices.iter().find(|(own, _)| *own == symbol) {
                        Some(&(_, value)) => self.value(value)?,
                        None => logic::Value::default_of(self.terms, self.terms.symbol_data(symbol).sort),
                    };
                    chosen.push((symbol, value));
                }
                for (symbol, value) in chosen {
                    self.state.set(symbol, value);
                }
                if !self.value(relation.guard)?.is_true() {
                    return Ok(false);
                }
            }
            self.step(edge, &Model::new())?;
        }
        Ok(true)
    }

    /// The values of these symbols now.
    fn only(&self, symbols: &[Symbol]) -> Model {
        let mut values = Model::new();
        for &symbol in symbols {
            if let Some(value) = self.state.get(symbol) {
                values.set(symbol, value.clone());
            }
        }
        values
    }

    /// Takes an edge whose auxiliary constants have their values. What a call leaves open is taken from `fresh`.
    fn step(&mut self, edge: Edge, fresh: &Model) -> Result<(), Refusal> {
        let program = self.program;
        let is_call = |edge: Edge| matches!(program.edges[edge].kind, EdgeKind::Call(_));
        let behind_call = self.edges.last().is_none_or(|&last| is_call(last));
        let values = match &program.edges[edge].kind {
            EdgeKind::Internal(relation) if !behind_call => self.only(&relation.auxiliaries),
            _ => self.state.clone(),
        };
        self.edges.push(edge);
        self.states.push(values);
        let mut new = Vec::new();
        match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                if !self.value(relation.guard)?.is_true() {
                    return Err(Refusal::Recurrence(format!("{edge} cannot be taken")));
                }
                for &(var, value) in &relation.updates {
                    new.push((program.variables[var].symbol, self.value(value)?));
                }
            }
            EdgeKind::Call(call) => {
                for (var, data) in
                    program.variables.iter().filter(|(_, data)| belongs_to(data.kind, call.callee))
                {
                    let value = match call.bindings.iter().find(|(bound, _)| *bound == var) {
                        Some(&(_, value)) => self.value(value)?,
                        None => fresh.value(self.terms, data.symbol),
                    };
                    new.push((data.symbol, value));
                }
                self.callers.push(self.state.clone());
            }
            EdgeKind::Return(returning) => {
                let Some(caller) = self.callers.pop() else {
                    return Err(Refusal::Recurrence(format!("{edge} returns from no call")));
                };
                for (_, data) in program.variables.iter().filter(|(_, data)| data.kind.belongs_to_a_call()) {
                    new.push((data.symbol, caller.value(self.terms, data.symbol)));
                }
                for &(to, from) in &returning.results {
                    let value = self.state.value(self.terms, program.variables[from].symbol);
                    new.push((program.variables[to].symbol, value));
                }
            }
        }
        for (symbol, value) in new {
            self.state.set(symbol, value);
        }
        Ok(())
    }
}

fn evaluate(state: &Model, terms: &mut Terms, term: Term) -> Result<logic::Value, Refusal> {
    Evaluator::new(state).evaluate(terms, term).map_err(|CannotEvaluate(_)| {
        let why = smt::Reason::Incomplete("a quantifier has no value".to_owned());
        Refusal::Undecided("a step of the run".to_owned(), why)
    })
}
