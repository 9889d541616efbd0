//! Random walks through a program automaton with concrete states, and what they must satisfy.

use base::Random;
use logic::evaluate::{Evaluator, evaluate};
use logic::value::ArrayValue;
use logic::{Integer, Model, Rational, Sort, SortData, Symbol, Terms, Value};
use program::{Edge, EdgeKind, Location, Program, VarKind};
use std::sync::Arc;

/// A number that is more often small than large.
fn number(random: &mut Random) -> i64 {
    let size = random.pick(&[3, 12, 300, 1 << 33]);
    random.number(2 * size + 1) as i64 - size as i64
}

fn any_value(random: &mut Random, terms: &Terms, sort: Sort) -> Value {
    match *terms.sort_data(sort) {
        SortData::Bool => Value::Bool(random.number(2) == 1),
        SortData::Int => Value::Int(number(random).into()),
        SortData::Real => {
            Value::Real(Rational::new(number(random).into(), Integer::from(1 + random.number(3))))
        }
        SortData::Array { index, element } => {
            let mut array = ArrayValue::constant(terms, index, any_value(random, terms, element));
            for _ in 0..random.number(4) {
                let at = any_value(random, terms, index);
                array.set(at, any_value(random, terms, element));
            }
            Value::Array(Arc::new(array))
        }
        _ => Value::default_of(terms, sort),
    }
}

/// A run of the program that is somewhere on its way.
struct Run<'a> {
    program: &'a Program,
    random: &'a mut Random,
    state: Model,
    /// The open calls, with the states there.
    calls: Vec<(Edge, Model)>,
}

impl Run<'_> {
    fn symbol_value(&mut self, terms: &Terms, symbol: Symbol) -> Value {
        any_value(self.random, terms, terms.symbol_data(symbol).sort)
    }

    /// Takes an edge, if the concrete state and some random choices allow it.
    fn take(&mut self, edge: Edge, terms: &mut Terms) -> bool {
        let program = self.program;
        let variables = &program.variables;
        match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                let mut before = self.state.clone();
                for &symbol in &relation.auxiliaries {
                    let value = self.symbol_value(terms, symbol);
                    before.set(symbol, value);
                }
                let mut evaluator = Evaluator::new(&before);
                if !evaluator.evaluate(terms, relation.guard).is_ok_and(|value| value.is_true()) {
                    return false;
                }
                for &(var, value) in &relation.updates {
                    let value = evaluator.evaluate(terms, value).expect("updates have no quantifiers");
                    self.state.set(variables[var].symbol, value);
                }
            }
            EdgeKind::Call(call) => {
                let caller = self.state.clone();
                for (_, data) in variables.iter() {
                    if matches!(data.kind, VarKind::Local(owner) if owner == call.callee) {
                        let value = self.symbol_value(terms, data.symbol);
                        self.state.set(data.symbol, value);
                    }
                }
                for &(var, value) in &call.bindings {
                    let value = evaluate(terms, &caller, value).expect("arguments have no quantifiers");
                    self.state.set(variables[var].symbol, value);
                }
                self.calls.push((edge, caller));
            }
            EdgeKind::Return(returning) => {
                if self.calls.last().is_none_or(|(call, _)| *call != returning.call) {
                    return false;
                }
                let (_, caller) = self.calls.pop().expect("there is one");
                let exit = std::mem::replace(&mut self.state, caller);
                for global in variables.globals() {
                    let symbol = variables[global].symbol;
                    self.state.set(symbol, exit.value(terms, symbol));
                }
                for &(to, from) in &returning.results {
                    let value = exit.value(terms, variables[from].symbol);
                    self.state.set(variables[to].symbol, value);
                }
            }
        }
        true
    }
}

/// Walks through the program and shows every location with the concrete state there.
pub fn walk(
    program: &Program,
    terms: &mut Terms,
    random: &mut Random,
    mut visit: impl FnMut(&mut Terms, Location, &Model),
) {
    let mut state = Model::new();
    for (_, data) in program.variables.iter() {
        let value = any_value(random, terms, terms.symbol_data(data.symbol).sort);
        state.set(data.symbol, value);
    }
    let mut location = random.pick(&program.initial);
    let mut run = Run { program, random, state, calls: Vec::new() };
    for _ in 0..300 {
        visit(terms, location, &run.state);
        let edges = &program.outgoing[location];
        if edges.is_empty() {
            return;
        }
        // Several attempts: a guard may ask for a lucky choice.
        let mut next = None;
        for _ in 0..12 {
            let edge = run.random.pick(edges);
            if run.take(edge, terms) {
                next = Some(program.edges[edge].target);
                break;
            }
        }
        match next {
            Some(target) => location = target,
            None => return,
        }
    }
}
