//! Runs of a program automaton with one edge per step, from many beginnings.
//!
//! A run begins with small or known numbers in all variables and takes any edge whose guard holds. Where none does, what the guard says
//! about a variable that nothing was done with so far is made true, as `assume x == 0` at the beginning of a program asks for one
//! value of all ([`Unused`]). Everything random comes from a fixed seed.

use super::limits;
use super::remainder;
use crate::horn::WholeProgram;
use base::Random;
use base::{Budget, EntitySet, Interrupted};
use logic::evaluate::Evaluator;
use logic::{Model, Op, Rational, Sort, Symbol, Term, Terms, Value};
use num_traits::{One, Signed, Zero};
use program::{Edge, Location, Program, Relation, Var};
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

/// The variables of a run that no step has read or written so far: whatever they are, the run would have come here.
struct Unused(EntitySet<Symbol>);

impl Unused {
    /// A step was made.
    fn note(&mut self, relation: &Relation, program: &Program, terms: &Terms) {
        let mut roots = vec![relation.guard];
        roots.extend(relation.updates.iter().map(|&(_, value)| value));
        for symbol in terms.free_symbols_of(&roots) {
            self.0.remove(symbol);
        }
        for &(var, value) in &relation.updates {
            let symbol = program.variables[var].symbol;
            let arbitrary =
                terms.as_symbol(value).is_some_and(|symbol| relation.auxiliaries.contains(&symbol));
            if arbitrary {
                self.0.insert(symbol)
            } else {
                self.0.remove(symbol)
            };
        }
    }

    /// Makes conjuncts of a guard true, each by the value of one of these variables.
    fn suit(&mut self, guard: Term, state: &mut Model, terms: &mut Terms) {
        for conjunct in terms.conjuncts(guard) {
            if !logic::evaluate::holds(terms, state, conjunct).is_ok_and(|holds| holds)
                && let Some((symbol, value)) = self.solution(conjunct, state, terms)
            {
                state.set(symbol, value);
                self.0.remove(symbol);
            }
        }
    }

    /// A variable and the value with which a comparison of integers just holds, or a truth value.
    fn solution(&self, conjunct: Term, state: &Model, terms: &mut Terms) -> Option<(Symbol, Value)> {
        let unused =
            |term: Term, terms: &Terms| terms.as_symbol(term).filter(|&symbol| self.0.contains(symbol));
        let (atom, wanted) = match (terms.op(conjunct), terms.args(conjunct)) {
            (Op::Not, &[atom]) => (atom, false),
            _ => (conjunct, true),
        };
        let distance = match (terms.op(atom), wanted) {
            (Op::Symbol(_), _) => return unused(atom, terms).map(|symbol| (symbol, Value::Bool(wanted))),
            (Op::Eq | Op::Le, true) | (Op::Lt, false) => Rational::default(),
            (Op::Lt, true) => Rational::one(),
            (Op::Eq | Op::Le, false) => -Rational::one(),
            _ => return None,
        };
        let &[left, right] = terms.args(atom) else { return None };
        if terms.sort_of(left) != Sort::INT {
            return None;
        }
        // The sum has to be 0, and is solved for one of its variables.
        let mut sum = terms.linear(left).minus(&terms.linear(right));
        sum.constant += distance;
        let solvable = |(term, coefficient): &(Term, Rational)| {
            coefficient.abs().is_one().then(|| unused(*term, terms).map(|symbol| (*term, symbol)))?
        };
        let (term, symbol) = sum.monomials.iter().find_map(solvable)?;
        let coefficient = sum.remove(term)?;
        sum.scale(&-coefficient);
        let value = terms.from_linear(&sum, Sort::INT);
        Some((symbol, Evaluator::new(state).evaluate(terms, value).ok()?))
    }
}

/// What was met.
pub(super) struct Runs<'p> {
    program: &'p Program,
    /// The numeric variables that can matter, and then cells of arrays, in the order of [`State::values`].
    pub(super) unknowns: Vec<Term>,
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
    /// So many states are kept at a place.
    most: usize,
    pub(super) count: u64,
}

impl<'p> Runs<'p> {
    pub(super) fn new(
        program: &'p Program,
        (watched, cells): (&[Location], &[Term]),
        terms: &mut Terms,
    ) -> Runs<'p> {
        let relevant = WholeProgram::of(program).relevant_variables(program, terms);
        let relevant = program.variables.iter().filter(|&(var, _)| relevant.contains(var));
        let numeric = |&symbol: &Symbol| terms.symbol_data(symbol).sort == Sort::INT;
        let symbols: Vec<Symbol> = relevant.map(|(_, data)| data.symbol).filter(numeric).collect();
        let mut unknowns: Vec<Term> = symbols.iter().map(|&symbol| terms.constant(symbol)).collect();
        let mut places = EntitySet::new();
        for &location in watched {
            places.insert(location);
        }
        // Cells are left out where they would leave too few states of the variables.
        let most = |unknowns: usize| {
            (limits::MOST_VALUES / (places.iter().count() * unknowns).max(1)).min(limits::MOST_STATES)
        };
        if most(unknowns.len() + cells.len()) >= limits::FEWEST_STATES {
            unknowns.extend(cells);
        }
        Runs {
            program,
            most: most(unknowns.len()),
            unknowns,
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

    /// Whether there are so many places and variables that too few states can be kept to see anything in them.
    pub(super) fn are_hopeless(&self) -> bool {
        self.most < limits::FEWEST_STATES
    }

    /// Whether there are cells among the unknowns.
    pub(super) fn has_cells(&self) -> bool {
        self.unknowns.len() > self.symbols.len()
    }

    /// How many times the units of effort count that are meant for programs with few variables.
    pub(super) fn weight(&self) -> u64 {
        1 + self.symbols.len() as u64 / limits::FEW_VARIABLES
    }

    /// Which of the variables, and which of the cells, are worth speaking of at a place: those that are read later.
    pub(super) fn in_scope(
        &self,
        location: Location,
        live: &EntitySet<Var>,
        terms: &Terms,
    ) -> (Vec<usize>, Vec<usize>) {
        let scope: Vec<Symbol> =
            self.program.scope(location).map(|var| self.program.variables[var].symbol).collect();
        let read = |symbol: &Symbol| {
            scope.contains(symbol)
                && self.program.variables.of_symbol(*symbol).is_some_and(|var| live.contains(var))
        };
        let is_read = |&index: &usize| terms.free_symbols(self.unknowns[index]).iter().all(read);
        let variables = (0..self.symbols.len()).filter(is_read).collect();
        let cells = (self.symbols.len()..self.unknowns.len()).filter(is_read).collect();
        (variables, cells)
    }

    /// The variables that are 0 in some state.
    pub(super) fn sometimes_zero(&self) -> Vec<usize> {
        let is_zero =
            |&index: &usize| self.states.values().flatten().any(|state| state.values[index].is_zero());
        (0..self.symbols.len()).filter(is_zero).collect()
    }

    /// Makes all runs.
    pub(super) fn run(&mut self, terms: &mut Terms, budget: &Budget) -> Result<(), Interrupted> {
        let has_cells = self.has_cells();
        let mut left = if has_cells { limits::STEPS_WITH_CELLS.0 } else { limits::STEPS };
        let is_array = |symbol: Symbol| terms.array_parts(terms.symbol_data(symbol).sort).is_some();
        let has_arrays = self.program.variables.iter().any(|(_, data)| is_array(data.symbol));
        let units = match (has_cells, has_arrays) {
            (true, _) => limits::STEPS_WITH_CELLS.1,
            (false, true) => limits::UNITS_PER_STEP.1,
            (false, false) => limits::UNITS_PER_STEP.0,
        };
        let units = units * self.weight();
        for _ in 0..limits::RUNS {
            if left == 0 || self.program.initial.is_empty() {
                break;
            }
            let mut here = self.program.initial[self.random.below(self.program.initial.len())];
            let mut state = Model::new();
            let symbols: Vec<Symbol> = self.program.variables.iter().map(|(_, data)| data.symbol).collect();
            let mut unused = Unused(EntitySet::new());
            for symbol in symbols {
                let value = self.any(symbol, terms);
                state.set(symbol, value);
                unused.0.insert(symbol);
            }
            self.count += 1;
            for _ in 0..limits::LONGEST.min(left.div_ceil(limits::LEAVES)) {
                left -= 1;
                budget.spend(units);
                budget.check()?;
                self.meet(here, &state, terms);
                let Some(edge) = self.step(here, (&mut state, &mut unused), terms) else { break };
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

    /// What is chosen on the way. In every second run it is nearly always a positive number: whatever asks for one each time
    /// before it goes on would soon be over otherwise.
    fn chosen(&mut self, symbol: Symbol, terms: &Terms) -> Value {
        let goes_on = self.count.is_multiple_of(2) && self.random.below(limits::GOES_ON) > 0;
        let value = self.any(symbol, terms);
        match value {
            Value::Int(number) if goes_on && !number.is_positive() => Value::Int(number.abs() + 1),
            value => value,
        }
    }

    /// Takes one of the edges whose guards hold, beginning with a random one; if there is none, one whose guard can be made to hold.
    fn step(
        &mut self,
        here: Location,
        (state, unused): (&mut Model, &mut Unused),
        terms: &mut Terms,
    ) -> Option<Edge> {
        let edges = &self.program.outgoing[here];
        let first = self.random.below(edges.len().max(1));
        for suits in [false, true] {
            for position in 0..edges.len() {
                let edge = edges[(first + position) % edges.len()];
                let relation = self.program.relation(edge)?;
                for &symbol in &relation.auxiliaries {
                    let value = self.chosen(symbol, terms);
                    state.set(symbol, value);
                    unused.0.insert(symbol);
                }
                if suits {
                    unused.suit(relation.guard, state, terms);
                }
                let mut evaluator = Evaluator::new(state);
                if !evaluator.evaluate(terms, relation.guard).is_ok_and(|value| value.is_true()) {
                    continue;
                }
                let mut updates = Vec::with_capacity(relation.updates.len());
                for &(var, value) in &relation.updates {
                    updates
                        .push((self.program.variables[var].symbol, evaluator.evaluate(terms, value).ok()?));
                }
                for (symbol, value) in updates {
                    state.set(symbol, value);
                }
                if !unused.0.is_empty() {
                    unused.note(relation, self.program, terms);
                }
                return Some(edge);
            }
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
        let is_early = *met <= limits::FIRST_STATES.min(self.most as u64);
        if !is_early && !met.is_multiple_of(*every) {
            return;
        }
        let kept = self.states.entry(here).or_default();
        if kept.len() >= self.most {
            let mut keep = false;
            kept.retain(|_| {
                keep = !keep;
                keep
            });
            *every *= 2;
        }
        let mut evaluator = Evaluator::new(state);
        let mut values = Vec::with_capacity(self.unknowns.len());
        for &unknown in &self.unknowns {
            values.push(match evaluator.evaluate(terms, unknown) {
                Ok(Value::Int(value)) => Rational::from_integer(value),
                _ => Rational::default(),
            });
        }
        let holds = |guard: &&Term| evaluator.evaluate(terms, **guard).is_ok_and(|value| value.is_true());
        let guards = self.guards.iter().filter(holds).copied().collect();
        let state = State::new(values, guards);
        if is_early {
            self.first.entry(here).or_default().push(state.clone());
        }
        kept.push(state);
    }
}
