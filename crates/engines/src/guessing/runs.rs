//! Runs of a program automaton with one edge per step, from many beginnings.
//!
//! A run begins with small or known numbers in all variables and takes any edge whose guard holds. Where none does, what the guard says
//! about a variable that nothing was done with so far is made true, as `assume x == 0` at the beginning of a program asks for one
//! value of all ([`Unused`]). Loops that no such run comes to are begun with a state that a short path to them allows
//! ([`Runs::begin_at`]); what holds at the beginning of that path is known from static analysis only, so there may be states that the program never has, and
//! fewer guesses. Calls are followed, and what a procedure is called with and leaves behind are states at its beginning and its end. Everything random comes
//! from a fixed seed.

use super::limits;
use super::places::{Place, places, places_with_cells};
use super::remainder;
use crate::context::Context;
use crate::horn::WholeProgram;
use crate::traces::{Ssa, Trace};
use analysis::Facts;
use base::Random;
use base::{EntitySet, Interrupted, SecondaryMap};
use logic::evaluate::Evaluator;
use logic::{Model, Op, Rational, Sort, Symbol, Term, Terms, Value};
use num_traits::{One, Signed, Zero};
use program::{Call, Edge, EdgeKind, Location, Program, Relation, ReturnEdge, Var, VarKind};
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The numbers of the variables of a place, then those of its cells, and the guards that hold there.
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
    pub(super) fn restricted(&self, positions: &[usize]) -> State {
        let values = positions.iter().map(|&position| self.values[position].clone()).collect();
        let remainders = positions.iter().map(|&position| self.remainders[position]).collect();
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

/// A call that a run has not come back from.
struct Frame {
    call: Edge,
    /// The caller's own variables, and which of them no step has read or written so far.
    kept: Vec<(Symbol, Value, bool)>,
}

/// What was met at a place.
#[derive(Default)]
pub(super) struct Met {
    /// What can be said there.
    pub(super) place: Place,
    /// The states.
    pub(super) states: Vec<State>,
    /// The first ones, one after the other: what happens in every second round shows in them only.
    pub(super) first: Vec<State>,
    /// How often the place was met.
    count: u64,
    /// Every how many times its state is kept.
    every: u64,
}

/// What was met.
pub(super) struct Runs<'p> {
    program: &'p Program,
    /// The numeric variables that can matter, and then cells of arrays. Places have indices into these.
    pub(super) unknowns: Vec<Term>,
    symbols: Vec<Symbol>,
    /// The places that are watched.
    pub(super) met: BTreeMap<Location, Met>,
    random: Random,
    /// The calls of the run that is made.
    frames: Vec<Frame>,
    /// The variables of each procedure of which every call has its own; nothing if there are no calls.
    own: BTreeMap<ir::Procedure, Vec<Symbol>>,
    /// So many states are kept at a place.
    most: usize,
    /// So many steps may be made.
    left: u64,
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
        let states = |values: usize| (limits::MOST_VALUES / values.max(1)).min(limits::MOST_STATES);
        // Cells are left out where they would leave too few states of the variables.
        let has_cells = !cells.is_empty()
            && states(watched.len() * (unknowns.len() + cells.len())) >= limits::FEWEST_STATES;
        let places = if has_cells {
            unknowns.extend(cells);
            places_with_cells(program, (&symbols, &unknowns), watched, terms)
        } else {
            places(program, &symbols, watched, terms)
        };
        let values = places.iter().map(|(_, place)| place.scope.len() + place.cells.len()).sum();
        let meet = |(location, place)| (location, Met { place, every: 1, ..Met::default() });
        Runs {
            program,
            frames: Vec::new(),
            own: own(program),
            most: states(values),
            unknowns,
            symbols,
            met: places.into_iter().map(meet).collect(),
            random: Random::new(1),
            left: if has_cells { limits::STEPS_WITH_CELLS.0 } else { limits::STEPS },
            count: 0,
        }
    }

    /// Whether procedures are called.
    pub(super) fn has_calls(&self) -> bool {
        !self.own.is_empty()
    }

    /// Whether there are cells among the unknowns.
    pub(super) fn has_cells(&self) -> bool {
        self.unknowns.len() > self.symbols.len()
    }

    /// The variables that are 0 in some state, as indices of unknowns.
    pub(super) fn sometimes_zero(&self) -> BTreeSet<usize> {
        let zeros = |met: &Met| {
            let is_zero = |position: &usize| met.states.iter().any(|state| state.values[*position].is_zero());
            (0..met.place.scope.len()).filter(is_zero).map(|at| met.place.scope[at]).collect::<Vec<_>>()
        };
        self.met.values().flat_map(zeros).collect()
    }

    /// How many times the units of effort count that are meant for programs with few variables, where cells are looked at.
    pub(super) fn weight(&self) -> u64 {
        1 + self.symbols.len() as u64 / limits::FEW_VARIABLES
    }

    /// Whether there are so many places and variables that too few states can be kept to see anything in them, or no place with few
    /// variables.
    pub(super) fn are_hopeless(&self) -> bool {
        let many = self.symbols.len() > limits::MOST_RELATED;
        (self.met.is_empty() && many) || self.most < limits::FEWEST_STATES
    }

    /// At most so many steps are made, beside those from loops that no run comes to.
    pub(super) fn restrict(&mut self, steps: u64) {
        self.left = self.left.min(steps);
    }

    /// Makes all runs.
    pub(super) fn run(&mut self, context: &mut Context<'_>, facts: &Facts<'_>) -> Result<(), Interrupted> {
        if self.met.is_empty() {
            return Ok(());
        }
        let units = self.units_per_step(context.terms);
        let mut state = Model::new();
        let symbols: Vec<Symbol> = self.program.variables.iter().map(|(_, data)| data.symbol).collect();
        for _ in 0..limits::RUNS {
            if self.left == 0 || self.program.initial.is_empty() {
                break;
            }
            let here = self.program.initial[self.random.below(self.program.initial.len())];
            let mut unused = Unused(EntitySet::new());
            for &symbol in &symbols {
                let value = self.any(symbol, context.terms);
                state.set(symbol, value);
                unused.0.insert(symbol);
            }
            context.budget.spend(symbols.len() as u64 / limits::VARIABLES_PER_UNIT);
            let most = if self.has_cells() { self.left.div_ceil(limits::LEAVES) } else { self.left };
            // A recursion of two calls would take all steps.
            let longest = if self.own.is_empty() { limits::LONGEST } else { limits::LONGEST_WITH_CALLS };
            let begin = (here, most.min(longest));
            self.follow(begin, (&mut state, &mut unused), (context, units))?;
        }
        if !self.own.is_empty() {
            return Ok(());
        }
        // These runs are short, and so many more steps are made for each place.
        let is_new = |met: &Met| met.place.is_in_loop && met.count < limits::FEWEST_STATES as u64;
        let new: Vec<Location> = self.met.iter().filter(|(_, met)| is_new(met)).map(|(&at, _)| at).collect();
        if new.is_empty() {
            return Ok(());
        }
        let ways = Ways::of(self.program);
        for location in new {
            context.budget.check()?;
            if is_new(&self.met[&location]) {
                self.begin_at(
                    location,
                    &ways.to(self.program, location),
                    (&mut state, units),
                    (context, facts),
                )?;
            }
        }
        Ok(())
    }

    fn units_per_step(&self, terms: &Terms) -> u64 {
        let is_array = |symbol: Symbol| terms.array_parts(terms.symbol_data(symbol).sort).is_some();
        let has_arrays = self.program.variables.iter().any(|(_, data)| is_array(data.symbol));
        match (self.has_cells(), has_arrays) {
            (true, _) => limits::STEPS_WITH_CELLS.1 * self.weight(),
            (false, true) => limits::UNITS_PER_STEP.1,
            (false, false) => limits::UNITS_PER_STEP.0,
        }
    }

    /// A single run, from a location on.
    fn follow(
        &mut self,
        (mut here, most): (Location, u64),
        (state, unused): (&mut Model, &mut Unused),
        (context, units): (&mut Context<'_>, u64),
    ) -> Result<(), Interrupted> {
        self.count += 1;
        self.frames.clear();
        for _ in 0..most.min(self.left) {
            self.left -= 1;
            context.budget.spend(units);
            context.budget.check()?;
            self.meet(here, state, context.terms);
            let Some(edge) = self.step(here, (&mut *state, &mut *unused), context.terms) else { break };
            here = self.program.edges[edge].target;
        }
        Ok(())
    }

    /// Runs from a place to which a path leads, with numbers that the path allows. Variables that the path does not speak of are as they were
    /// at the end of another run.
    fn begin_at(
        &mut self,
        location: Location,
        path: &[Edge],
        (state, units): (&mut Model, u64),
        (context, facts): (&mut Context<'_>, &Facts<'_>),
    ) -> Result<(), Interrupted> {
        let Some(&first) = path.first() else { return Ok(()) };
        let program = self.program;
        let trace = Trace::new(program, path.to_vec());
        let mut ssa = Ssa::new(program, &trace, context.terms);
        let known = facts.conjuncts(program.edges[first].source, context.terms);
        let mut versions = ssa.versions_of(program, 0, &known, context.terms);
        let known: Vec<Term> = known.iter().map(|&fact| versions.apply(context.terms, fact)).collect();
        let mut solver = context.session();
        for &formula in program.axioms.iter().chain(&known).chain(ssa.constraints.iter().flatten()) {
            solver.assert(context.terms, formula);
        }
        let scope = self.met[&location].place.scope.clone();
        let mut spoken: BTreeSet<Var> = program
            .variables
            .of_symbols(&scope.iter().map(|&index| self.symbols[index]).collect::<Vec<_>>())
            .collect();
        let numbers: Vec<Var> = spoken.iter().copied().collect();
        for relation in path.iter().filter_map(|&edge| program.relation(edge)) {
            let mut roots = vec![relation.guard];
            roots.extend(relation.updates.iter().map(|&(_, value)| value));
            spoken.extend(program.variables.of_symbols(&context.terms.free_symbols_of(&roots)));
            spoken.extend(relation.updates.iter().map(|&(var, _)| var));
        }
        for tried in 0..limits::MOST_BEGINNINGS {
            context.budget.check()?;
            if tried >= limits::BEGINNINGS && self.met[&location].count >= limits::ENOUGH_STATES {
                break;
            }
            // As many numbers as possible are any.
            let mut wishes: Vec<Term> = Vec::new();
            for &var in &numbers {
                let version = ssa.version(program, trace.len(), var, context.terms);
                let number = context.terms.int(limits::NUMBERS[self.random.below(limits::NUMBERS.len())]);
                wishes.push(context.terms.eq(version, number));
                if solver.check_assuming(context.terms, &wishes) != Answer::Sat {
                    wishes.pop();
                }
            }
            if solver.check_assuming(context.terms, &wishes) != Answer::Sat {
                break;
            }
            let Ok(model) = solver.model(context.terms) else { break };
            for &var in &spoken {
                let version = ssa.version(program, trace.len(), var, context.terms);
                if let Ok(value) = Evaluator::new(&model).evaluate(context.terms, version) {
                    state.set(program.variables[var].symbol, value);
                }
            }
            self.left += limits::STEPS_OF_BEGINNING;
            let begin = (location, limits::STEPS_OF_BEGINNING);
            self.follow(begin, (state, &mut Unused(EntitySet::new())), (context, units))?;
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

    /// What is chosen on the way. Where cells are looked at, it is nearly always a positive number in every second run: whatever asks for one each time
    /// before it goes on would soon be over otherwise.
    fn chosen(&mut self, symbol: Symbol, terms: &Terms) -> Value {
        let goes_on =
            self.has_cells() && self.count.is_multiple_of(2) && self.random.below(limits::GOES_ON) > 0;
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
                let relation = match &self.program.edges[edge].kind {
                    EdgeKind::Internal(relation) => relation,
                    EdgeKind::Call(call) => {
                        self.enter((edge, call), (state, unused), terms)?;
                        return Some(edge);
                    }
                    EdgeKind::Return(returning) => match self.leave(returning, (state, unused), terms) {
                        true => return Some(edge),
                        false => continue,
                    },
                };
                for &symbol in &relation.auxiliaries {
                    let value = self.chosen(symbol, terms);
                    state.set(symbol, value);
                    if self.has_cells() {
                        unused.0.insert(symbol);
                    }
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

    /// Goes into a procedure, whose variables have the values that are passed, or any.
    fn enter(
        &mut self,
        (edge, call): (Edge, &Call),
        (state, unused): (&mut Model, &mut Unused),
        terms: &mut Terms,
    ) -> Option<()> {
        let mut passed = Vec::with_capacity(call.bindings.len());
        let mut evaluator = Evaluator::new(state);
        for &(var, value) in &call.bindings {
            passed.push((self.program.variables[var].symbol, evaluator.evaluate(terms, value).ok()?));
            for symbol in terms.free_symbols(value) {
                unused.0.remove(symbol);
            }
        }
        let caller = self.program.locations[self.program.edges[edge].source].procedure;
        let kept = self.own.get(&caller).into_iter().flatten();
        let kept = kept.map(|&symbol| (symbol, state.value(terms, symbol), unused.0.contains(symbol)));
        self.frames.push(Frame { call: edge, kept: kept.collect() });
        for symbol in self.own.get(&call.callee).cloned().unwrap_or_default() {
            let value = self.any(symbol, terms);
            state.set(symbol, value);
            unused.0.insert(symbol);
        }
        for (symbol, value) in passed {
            state.set(symbol, value);
            unused.0.remove(symbol);
        }
        Some(())
    }

    /// Comes back from the last call, if the edge does so.
    fn leave(
        &mut self,
        returning: &ReturnEdge,
        (state, unused): (&mut Model, &mut Unused),
        terms: &Terms,
    ) -> bool {
        let Some(Frame { kept, .. }) = self.frames.pop_if(|frame| frame.call == returning.call) else {
            return false;
        };
        let symbol = |var: Var| self.program.variables[var].symbol;
        let results: Vec<(Symbol, Value)> = returning
            .results
            .iter()
            .map(|&(to, from)| (symbol(to), state.value(terms, symbol(from))))
            .collect();
        for (symbol, value, is_unused) in kept {
            state.set(symbol, value);
            if is_unused {
                unused.0.insert(symbol)
            } else {
                unused.0.remove(symbol)
            };
        }
        for (symbol, value) in results {
            state.set(symbol, value);
            unused.0.remove(symbol);
        }
        true
    }

    /// Keeps the state if the place is watched: all at first, then every second, every fourth.
    fn meet(&mut self, here: Location, state: &Model, terms: &mut Terms) {
        let Some(met) = self.met.get_mut(&here) else { return };
        met.count += 1;
        let is_early = met.count <= limits::FIRST_STATES.min(self.most as u64);
        if !is_early && !met.count.is_multiple_of(met.every) {
            return;
        }
        if met.states.len() >= self.most {
            let mut keep = false;
            met.states.retain(|_| {
                keep = !keep;
                keep
            });
            met.every *= 2;
        }
        let mut evaluator = Evaluator::new(state);
        let mut values = Vec::with_capacity(met.place.scope.len() + met.place.cells.len());
        for &index in met.place.scope.iter().chain(&met.place.cells) {
            values.push(match evaluator.evaluate(terms, self.unknowns[index]) {
                Ok(Value::Int(value)) => Rational::from_integer(value),
                _ => Rational::default(),
            });
        }
        let holds = |guard: &&Term| evaluator.evaluate(terms, **guard).is_ok_and(|value| value.is_true());
        let guards = met.place.guards.iter().filter(holds).copied().collect();
        let state = State::new(values, guards);
        if is_early {
            met.first.push(state.clone());
        }
        met.states.push(state);
    }
}

/// The variables of each procedure of which every call has its own; nothing if nobody calls.
fn own(program: &Program) -> BTreeMap<ir::Procedure, Vec<Symbol>> {
    let mut found: BTreeMap<ir::Procedure, Vec<Symbol>> = BTreeMap::new();
    for edge in program.live_edges() {
        if let EdgeKind::Call(call) = &program.edges[edge].kind {
            let caller = program.locations[program.edges[edge].source].procedure;
            found.entry(caller).or_default();
            found.entry(call.callee).or_default();
        }
    }
    for (&procedure, symbols) in &mut found {
        let is_own = |kind: VarKind| match kind {
            VarKind::Local(owner) => owner == procedure,
            kind => kind.belongs_to_a_call(),
        };
        symbols.extend(
            program.variables.iter().filter(|(_, data)| is_own(data.kind)).map(|(_, data)| data.symbol),
        );
    }
    found
}

/// Shortest paths from the beginning of the program, as the edge by which each location is reached first.
struct Ways(SecondaryMap<Location, Option<Edge>>);

impl Ways {
    fn of(program: &Program) -> Ways {
        let mut by = SecondaryMap::new();
        let mut seen: EntitySet<Location> = EntitySet::new();
        let mut pending: VecDeque<Location> = program.initial.iter().copied().collect();
        for &location in &pending {
            seen.insert(location);
        }
        while let Some(location) = pending.pop_front() {
            for &edge in &program.outgoing[location] {
                let target = program.edges[edge].target;
                if matches!(program.edges[edge].kind, EdgeKind::Internal(_)) && seen.insert(target) {
                    by[target] = Some(edge);
                    pending.push_back(target);
                }
            }
        }
        Ways(by)
    }

    /// The last edges of the path to a location.
    fn to(&self, program: &Program, location: Location) -> Vec<Edge> {
        let mut path: Vec<Edge> = Vec::new();
        let mut here = location;
        while path.len() < limits::LONGEST_WAY
            && let Some(edge) = self.0[here]
        {
            path.push(edge);
            here = program.edges[edge].source;
        }
        path.reverse();
        path
    }
}
