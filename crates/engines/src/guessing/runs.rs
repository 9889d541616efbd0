//! Runs of a program automaton with one edge per step, from many beginnings.
//!
//! A run begins with small or known numbers in all variables and takes any edge whose guard holds. Everything random comes
//! from a fixed seed.

use super::limits;
use super::remainder;
use crate::horn::WholeProgram;
use base::Random;
use base::{Budget, EntitySet, Interrupted};
use logic::evaluate::Evaluator;
use logic::{Model, Rational, Sort, Symbol, Term, Terms, Value};
use program::{Edge, Location, Program};
use std::collections::BTreeMap;

/// The numbers of all variables at a place, and the guards that hold there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub(super) values: Vec<Rational>,
    /// Their remainders by a large prime.
    pub(super) remainders: Vec<u64>,
    pub(super) guards: Vec<Term>,
}

impl State {
    pub(super) fn new(values: Vec<Rational>, guards: Vec<Term>) -> State {
        let remainders = values.iter().map(remainder::of).collect();
        State { values, remainders, guards }
    }

    /// Only some of the variables.
    pub(super) fn restricted(&self, scope: &[usize]) -> State {
        let values = scope.iter().map(|&index| self.values[index].clone()).collect();
        let remainders = scope.iter().map(|&index| self.remainders[index]).collect();
        State { values, remainders, guards: self.guards.clone() }
    }
}

/// What was met.
pub(super) struct Runs<'p> {
    program: &'p Program,
    /// The numeric variables that can matter, as terms, in the order of [`State::values`].
    pub(super) variables: Vec<Term>,
    symbols: Vec<Symbol>,
    watched: EntitySet<Location>,
    guards: Vec<Term>,
    /// The states at the places that are watched.
    pub(super) states: BTreeMap<Location, Vec<State>>,
    /// The first states at these places, one after the other: what happens in every second round shows in them only.
    pub(super) first: BTreeMap<Location, Vec<State>>,
    /// How often a place was met, and every how many times its state is kept.
    met: BTreeMap<Location, (u64, u64)>,
    random: Random,
    pub(super) count: u64,
}

impl<'p> Runs<'p> {
    pub(super) fn new(program: &'p Program, watched: &[Location], terms: &mut Terms) -> Runs<'p> {
        let relevant = WholeProgram::of(program).relevant_variables(program, terms);
        let relevant = program.variables.iter().filter(|&(var, _)| relevant.contains(var));
        let numeric = |&symbol: &Symbol| terms.symbol_data(symbol).sort == Sort::INT;
        let symbols: Vec<Symbol> = relevant.map(|(_, data)| data.symbol).filter(numeric).collect();
        let variables = symbols.iter().map(|&symbol| terms.constant(symbol)).collect();
        let mut places = EntitySet::new();
        for &location in watched {
            places.insert(location);
        }
        Runs {
            program,
            variables,
            symbols,
            watched: places,
            guards: super::guards(program, terms),
            states: BTreeMap::new(),
            first: BTreeMap::new(),
            met: BTreeMap::new(),
            random: Random::new(1),
            count: 0,
        }
    }

    /// Which of the variables can be spoken of at a place.
    pub(super) fn in_scope(&self, location: Location) -> Vec<usize> {
        let scope: Vec<Symbol> =
            self.program.scope(location).map(|var| self.program.variables[var].symbol).collect();
        (0..self.symbols.len()).filter(|&index| scope.contains(&self.symbols[index])).collect()
    }

    /// Makes all runs.
    pub(super) fn run(&mut self, terms: &mut Terms, budget: &Budget) -> Result<(), Interrupted> {
        let mut left = limits::STEPS;
        let is_array = |symbol: Symbol| terms.array_parts(terms.symbol_data(symbol).sort).is_some();
        let has_arrays = self.program.variables.iter().any(|(_, data)| is_array(data.symbol));
        let units = if has_arrays { limits::UNITS_PER_STEP.1 } else { limits::UNITS_PER_STEP.0 };
        for _ in 0..limits::RUNS {
            if left == 0 || self.program.initial.is_empty() {
                break;
            }
            let mut here = self.program.initial[self.random.below(self.program.initial.len())];
            let mut state = Model::new();
            let symbols: Vec<Symbol> = self.program.variables.iter().map(|(_, data)| data.symbol).collect();
            for symbol in symbols {
                let value = self.any(symbol, terms);
                state.set(symbol, value);
            }
            self.count += 1;
            for _ in 0..limits::LONGEST.min(left) {
                left -= 1;
                budget.spend(units);
                budget.check()?;
                self.meet(here, &state, terms);
                let Some(edge) = self.step(here, &mut state, terms) else { break };
                here = self.program.edges[edge].target;
            }
        }
        Ok(())
    }

    fn any(&mut self, symbol: Symbol, terms: &Terms) -> Value {
        let sort = terms.symbol_data(symbol).sort;
        if sort == Sort::INT {
            let which = self.random.below(limits::NUMBERS.len());
            return Value::Int(limits::NUMBERS[which].into());
        }
        if sort == Sort::BOOL {
            return Value::Bool(self.random.below(2) == 1);
        }
        Value::default_of(terms, sort)
    }

    /// Takes one of the edges whose guards hold, beginning with a random one.
    fn step(&mut self, here: Location, state: &mut Model, terms: &mut Terms) -> Option<Edge> {
        let edges = &self.program.outgoing[here];
        let first = self.random.below(edges.len().max(1));
        for position in 0..edges.len() {
            let edge = edges[(first + position) % edges.len()];
            let relation = self.program.relation(edge)?;
            for &symbol in &relation.auxiliaries {
                let value = self.any(symbol, terms);
                state.set(symbol, value);
            }
            let mut evaluator = Evaluator::new(state);
            if !evaluator.evaluate(terms, relation.guard).is_ok_and(|value| value.is_true()) {
                continue;
            }
            let mut updates = Vec::with_capacity(relation.updates.len());
            for &(var, value) in &relation.updates {
                updates.push((self.program.variables[var].symbol, evaluator.evaluate(terms, value).ok()?));
            }
            for (symbol, value) in updates {
                state.set(symbol, value);
            }
            return Some(edge);
        }
        None
    }

    /// Keeps the state if the place is watched: all at first, then every second, every fourth.
    fn meet(&mut self, here: Location, state: &Model, terms: &mut Terms) {
        if !self.watched.contains(here) {
            return;
        }
        let (met, every) = self.met.entry(here).or_insert((0, 1));
        *met += 1;
        let is_early = *met <= limits::FIRST_STATES;
        if !is_early && !met.is_multiple_of(*every) {
            return;
        }
        let kept = self.states.entry(here).or_default();
        if kept.len() >= limits::MOST_STATES {
            let mut keep = false;
            kept.retain(|_| {
                keep = !keep;
                keep
            });
            *every *= 2;
        }
        let number = |symbol: &Symbol| match state.get(*symbol) {
            Some(Value::Int(value)) => Rational::from_integer(value.clone()),
            _ => Rational::default(),
        };
        let values = self.symbols.iter().map(number).collect();
        let mut evaluator = Evaluator::new(state);
        let holds = |guard: &&Term| evaluator.evaluate(terms, **guard).is_ok_and(|value| value.is_true());
        let guards = self.guards.iter().filter(holds).copied().collect();
        let state = State::new(values, guards);
        if is_early {
            self.first.entry(here).or_default().push(state.clone());
        }
        kept.push(state);
    }
}
