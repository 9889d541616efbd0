//! A counterexample counts only if the interpreter can run it.
//!
//! The steps of a feasible trace tell the interpreter which way to go, and the model which values to choose. If the
//! run fails an assertion, the program is unsafe, whatever the engine thought: the run is an execution of the program.

use crate::Certified;
use crate::background::{Applied, Background};
use crate::values;
use base::{Budget, Interrupted};
use ir::interpreter::{
    Driver, Event, Failure, Integer, Interpreter, Limits, Mentioned, Outcome, Place, Reason, State,
    Unchecked, Value,
};
use logic::evaluate::{Evaluator, ZeroDivision};
use logic::{Model, Rational, Symbol, Terms};
use program::steps::{OriginData, Step};
use program::{ConcreteRun, Counterexample, Edge, EdgeKind, Program, Uninterpreted};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

/// An execution that fails.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The procedure that it begins with.
    pub procedure: ir::Procedure,
    /// The values of constants, globals and parameters at the beginning.
    pub inputs: Vec<(ir::Variable, Value)>,
    /// What happened, in order; of a long run only the first and the last part.
    pub events: Vec<Recorded>,
    /// What was left out between them.
    pub left_out: Option<LeftOut>,
    /// The numbers that `havoc` statements chose, in order, up to a bound far beyond what is written down as events.
    pub choices: Vec<(ir::Variable, Value)>,
    /// What failed.
    pub failure: Failure,
    /// The values of the visible variables when it failed.
    pub last: Vec<(ir::Variable, Value)>,
    /// What was decided on the way, so that it can be run again; without the values of functions.
    pub run: ConcreteRun,
}

/// A part of a run that was not written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// How many of the events come before it.
    pub position: usize,
    /// How many events it has.
    pub count: u64,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: RecordedKind,
    /// How many procedures were active.
    pub depth: usize,
    /// The variables that got a value, with it.
    pub changed: Vec<(ir::Variable, Value)>,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordedKind {
    /// A statement was executed.
    Statement,
    /// A procedure was entered.
    Enter(ir::Procedure),
    /// A condition was decided.
    Branch(bool),
    /// A call came back.
    Return,
}

/// Why a counterexample is not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotReplayed {
    /// The run ended in another way.
    Outcome(String),
    /// Nobody knows whether the run satisfies what holds in every execution; what.
    Background(String),
    /// A value of the model has no counterpart.
    Value(String),
    /// The run passes something that allows more than the original program does, so it is no execution of that.
    Overapproximated,
    /// The budget was tripped.
    Interrupted(Interrupted),
}

impl fmt::Display for NotReplayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotReplayed::Outcome(why) | NotReplayed::Value(why) | NotReplayed::Background(why) => {
                f.write_str(why)
            }
            NotReplayed::Overapproximated => {
                f.write_str("the execution passes an overapproximated statement")
            }
            NotReplayed::Interrupted(why) => why.fmt(f),
        }
    }
}

/// Does an attribute say that more is allowed than in the original program?
pub(crate) fn is_vague(attributes: &[ir::Attribute]) -> bool {
    ir::Mark::Overapproximation.is_in(attributes)
}

/// Is the statement that is executed next one that allows more than the original program does?
pub(crate) fn meets_vagueness(state: &State<'_>) -> bool {
    let Some(place) = state.frames().next_back() else { return false };
    let body = state.program().procedures[place.procedure].body.as_ref();
    let next = body.and_then(|body| body.blocks[place.block].statements.get(place.index));
    next.is_some_and(|statement| is_vague(&statement.attributes))
}

/// How many steps a replay may take; a trace has far fewer.
const LIMITS: Limits = Limits { steps: 10_000_000, call_depth: 100_000, operations: 10_000_000_000 };

/// Runs a counterexample.
pub fn replay(
    source: &ir::Program,
    program: &Program,
    counterexample: &Counterexample,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Certified<Execution>, NotReplayed> {
    let plan = Plan::new(source, program, (&counterexample.edges, &counterexample.states), terms)?;
    let procedure = plan.procedure.ok_or_else(|| NotReplayed::Value("no step starts the run".to_owned()))?;
    let background = Background::new(source, budget);
    let mut follower = Follower::new(program, terms, plan, (procedure, background));
    let mut interpreter = Interpreter::new(source, budget.clone());
    let outcome = interpreter.run(procedure, &[], &mut follower, LIMITS).map_err(NotReplayed::Interrupted)?;
    if follower.vague {
        return Err(NotReplayed::Overapproximated);
    }
    let Outcome::Failed(failure) = outcome else {
        let detail = follower.missing.unwrap_or_else(|| outcome.describe(source));
        return Err(NotReplayed::Outcome(detail));
    };
    let Follower { inputs, events, run, mut background, terms, .. } = follower;
    let unchecked = interpreter.unchecked().first().copied();
    if (unchecked.is_some() || background.has_decided()) && !background.is_consistent(terms) {
        return Err(NotReplayed::Background(unchecked.map_or_else(
            || "the solver finds no functions that fit the quantified formulas".to_owned(),
            |unchecked| describe_unchecked(source, unchecked),
        )));
    }
    Ok(execution(source, &interpreter, (run, failure), inputs, events))
}

/// How far the interpreter follows a run that need not end.
pub(crate) struct Followed {
    /// How the interpreter came to its end.
    pub(crate) outcome: Outcome,
    /// How many of the jumps that the run decides were not taken.
    pub(crate) targets_left: usize,
    /// How many of the values that the run chooses were not asked for.
    pub(crate) values_left: usize,
    /// The values at the beginning.
    pub(crate) inputs: Vec<(ir::Variable, Value)>,
    /// What happened.
    pub(crate) events: Vec<Recorded>,
}

/// Lets the interpreter follow the beginning of a run, for so many of its steps.
pub(crate) fn follow(
    (source, program): (&ir::Program, &Program),
    (edges, states): (&[Edge], &[Model]),
    steps: u64,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Followed, NotReplayed> {
    let plan = Plan::new(source, program, (edges, states), terms)?;
    let procedure = plan.procedure.ok_or_else(|| NotReplayed::Value("no step starts the run".to_owned()))?;
    let background = Background::new(source, budget);
    let mut follower = Follower::new(program, terms, plan, (procedure, background));
    let mut interpreter = Interpreter::new(source, budget.clone());
    let limits = Limits { steps, ..LIMITS };
    let outcome = interpreter.run(procedure, &[], &mut follower, limits).map_err(NotReplayed::Interrupted)?;
    if follower.vague {
        return Err(NotReplayed::Overapproximated);
    }
    let Follower { plan, inputs, events, mut background, terms, .. } = follower;
    let unchecked = interpreter.unchecked().first().copied();
    if (unchecked.is_some() || background.has_decided()) && !background.is_consistent(terms) {
        return Err(NotReplayed::Background("quantified formulas are not decided".to_owned()));
    }
    Ok(Followed {
        outcome,
        targets_left: plan.targets.len(),
        values_left: plan.choices.into_values().map(|values| values.len()).sum(),
        inputs,
        events: events.finish().0,
    })
}

/// What is told about a run that has failed.
pub(crate) fn execution(
    source: &ir::Program,
    interpreter: &Interpreter<'_>,
    (run, failure): (ConcreteRun, Failure),
    inputs: Vec<(ir::Variable, Value)>,
    events: Events,
) -> Certified<Execution> {
    let last = visible(source, failure.place.procedure, &interpreter.state());
    let mut events = events;
    let choices = std::mem::take(&mut events.choices);
    let (events, left_out) = events.finish();
    let procedure = run.procedure;
    Certified::new(Execution { procedure, inputs, events, left_out, choices, failure, last, run })
}

/// What nobody could check.
pub(crate) fn describe_unchecked(source: &ir::Program, unchecked: Unchecked) -> String {
    match unchecked {
        Unchecked::Axiom(..) => "an axiom cannot be evaluated".to_owned(),
        Unchecked::Definition(function) => {
            let name = &source.functions[function].name;
            format!("the recursive definition of `{name}` is not known to have a solution")
        }
    }
}

/// The events of a run, without the middle of a long one.
#[derive(Default)]
pub(crate) struct Events {
    first: Vec<Recorded>,
    last: VecDeque<Recorded>,
    left_out: u64,
    choices: Vec<(ir::Variable, Value)>,
    /// How many events there were so far, without jumps.
    count: u64,
    /// The events that are not written down: all between these numbers.
    skipped: Range<u64>,
}

/// So many events are kept at the beginning, and at the end.
const MOST_EVENTS: usize = 10_000;

/// How many choices are kept.
const MOST_CHOICES: usize = 1_000_000;

impl Events {
    /// Counts events and writes down nothing.
    pub(crate) fn counted() -> Events {
        Events { skipped: 0..u64::MAX, ..Events::default() }
    }

    /// Writes down the first and the last events of a run that was counted before.
    pub(crate) fn of_run(counted: &Events) -> Events {
        let most = MOST_EVENTS as u64;
        Events { skipped: most..counted.count.saturating_sub(most).max(most), ..Events::default() }
    }

    fn push(&mut self, event: Recorded) {
        if self.first.len() < MOST_EVENTS {
            self.first.push(event);
            return;
        }
        if self.last.len() == MOST_EVENTS {
            self.last.pop_front();
            self.left_out += 1;
        }
        self.last.push_back(event);
    }

    /// Notes what a `havoc` statement chose.
    pub(crate) fn chose(&mut self, variable: ir::Variable, value: &Value) {
        if matches!(value, Value::Int(_) | Value::Bits(_)) && self.choices.len() < MOST_CHOICES {
            self.choices.push((variable, value.clone()));
        }
    }

    fn finish(self) -> (Vec<Recorded>, Option<LeftOut>) {
        let Events { first: mut events, last, left_out, .. } = self;
        let left_out = (left_out > 0).then_some(LeftOut { position: events.len(), count: left_out });
        events.extend(last);
        (events, left_out)
    }

    /// Writes down what has happened.
    pub(crate) fn record(&mut self, state: &State<'_>, event: Event<'_>) {
        if matches!(event, Event::Jumped(..) | Event::Left(_)) {
            return;
        }
        self.count += 1;
        if self.skipped.contains(&(self.count - 1)) {
            self.left_out += 1;
            return;
        }
        let depth = state.frames().len();
        let innermost = state.frames().next_back();
        let values = |variables: Vec<ir::Variable>| {
            variables.into_iter().filter_map(|v| Some((v, state.value(v)?.clone()))).collect::<Vec<_>>()
        };
        let recorded = match event {
            Event::Entered(procedure) => {
                let parameters = state.program().procedures[procedure].parameters.clone();
                innermost.map(|place| (place, RecordedKind::Enter(procedure), values(parameters)))
            }
            Event::Executed(place, statement) => {
                Some((place, RecordedKind::Statement, values(changed(statement))))
            }
            Event::Branched(place, holds) => Some((place, RecordedKind::Branch(holds), Vec::new())),
            Event::Returned(place) => {
                let body = state.program().procedures[place.procedure].body.as_ref();
                let statement = body.and_then(|body| body.blocks[place.block].statements.get(place.index));
                Some((place, RecordedKind::Return, values(statement.map(changed).unwrap_or_default())))
            }
            Event::Jumped(..) | Event::Left(_) => None,
        };
        if let Some((place, kind, changed)) = recorded {
            self.push(Recorded { place, kind, depth, changed });
        }
    }
}

/// The variables that can be seen in a procedure, with their values.
fn visible(source: &ir::Program, procedure: ir::Procedure, state: &State<'_>) -> Vec<(ir::Variable, Value)> {
    let data = &source.procedures[procedure];
    let locals = data.body.iter().flat_map(|body| &body.locals);
    let all = source.globals.iter().chain(&data.parameters).chain(&data.results).chain(locals);
    all.filter_map(|&variable| Some((variable, state.value(variable)?.clone()))).collect()
}

/// What the model wants the run to do.
struct Plan {
    procedure: Option<ir::Procedure>,
    /// The values before the run, and at the entry of every call. Functions have the same tables in all of them.
    entries: Vec<Model>,
    /// How many procedures have been entered.
    entered: usize,
    /// The values of havocked variables, per variable in the order of execution.
    choices: FxHashMap<ir::Variable, VecDeque<Value>>,
    targets: VecDeque<usize>,
    functions: FxHashMap<ir::Function, Uninterpreted>,
}

impl Plan {
    fn new(
        source: &ir::Program,
        program: &Program,
        (edges, states): (&[Edge], &[Model]),
        terms: &mut Terms,
    ) -> Result<Plan, NotReplayed> {
        let mut plan = Plan {
            procedure: None,
            entries: states.first().cloned().into_iter().collect(),
            entered: 0,
            choices: FxHashMap::default(),
            targets: VecDeque::new(),
            functions: program.functions.iter().copied().collect(),
        };
        for (position, &edge) in edges.iter().enumerate() {
            let model = &states[position];
            let mut evaluator = Evaluator::new(model);
            let holds = |selector| Ok(evaluator.evaluate(terms, selector)?.is_true());
            let steps = program.origins.steps(program.edges[edge].origin, holds);
            let steps = steps.map_err(|logic::evaluate::CannotEvaluate(term)| {
                NotReplayed::Value(format!("the choice {term} has no value"))
            })?;
            for origin in steps {
                let OriginData::Step { step, choices } = &program.origins[origin] else { continue };
                if let Step::Call(_) = step {
                    plan.entries.push(entry(program, (edge, states, position), choices, terms));
                    continue;
                }
                for &(variable, symbol) in choices {
                    let ty = source.variables[variable].ty;
                    let value = model.value(terms, symbol);
                    let value = values::to_interpreter(source, ty, &value).ok_or_else(|| {
                        NotReplayed::Value(format!("a value of `{}`", source.variables[variable].name))
                    })?;
                    plan.choices.entry(variable).or_default().push_back(value);
                }
                match *step {
                    Step::Start(procedure) => plan.procedure = Some(procedure),
                    Step::Goto { procedure, block, target } => {
                        let body = source.procedures[procedure].body.as_ref().expect("a step is in a body");
                        if body.blocks[block].transfer.successors().count() > 1 {
                            plan.targets.push_back(target);
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(plan)
    }
}

/// The values at the entry of a procedure. If the call was inlined, it says itself how the callee's variables begin, and
/// nothing else is asked for.
fn entry(
    program: &Program,
    (edge, states, position): (Edge, &[Model], usize),
    choices: &[(ir::Variable, Symbol)],
    terms: &Terms,
) -> Model {
    let mut entry = match &program.edges[edge].kind {
        EdgeKind::Call(_) => states[position + 1].clone(),
        EdgeKind::Internal(_) | EdgeKind::Return(_) => Model::new(),
    };
    for &(variable, symbol) in choices {
        if let Some(var) = program.variables.of_source(variable) {
            let value = states[position].value(terms, symbol);
            entry.set(program.variables[var].symbol, value);
        }
    }
    entry
}

/// Drives the interpreter along the plan and writes down what happens.
struct Follower<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    plan: Plan,
    inputs: Vec<(ir::Variable, Value)>,
    events: Events,
    missing: Option<String>,
    background: Background<'a>,
    /// Whether the next statement is an assertion.
    at_assertion: bool,
    /// Whether the run has met an over-approximation.
    vague: bool,
    /// What was decided.
    run: ConcreteRun,
}

impl<'a> Follower<'a> {
    fn new(
        program: &'a Program,
        terms: &'a mut Terms,
        plan: Plan,
        (procedure, background): (ir::Procedure, Background<'a>),
    ) -> Follower<'a> {
        let run = ConcreteRun { procedure, values: Vec::new(), targets: Vec::new() };
        let (inputs, events) = (Vec::new(), Events::default());
        let (missing, at_assertion, vague) = (None, false, false);
        Follower { program, terms, plan, inputs, events, missing, background, at_assertion, vague, run }
    }
}

impl Follower<'_> {
    /// The value of a variable at an entry.
    fn at_entry(&self, source: &ir::Program, variable: ir::Variable, model: &Model) -> Option<Value> {
        let ty = source.variables[variable].ty;
        match self.program.variables.of_source(variable) {
            Some(var) => {
                let value = model.value(self.terms, self.program.variables[var].symbol);
                values::to_interpreter(source, ty, &value)
            }
            None => Some(Value::default_of(source, ty)),
        }
    }

    fn divided(&self, operator: ZeroDivision, dividend: logic::Value) -> Option<logic::Value> {
        let table = self.plan.entries[0].zero_division(operator)?;
        Some(table.get(&[dividend]).clone())
    }
}

impl Driver for Follower<'_> {
    fn choose(&mut self, source: &ir::Program, variable: ir::Variable, reason: Reason) -> Option<Value> {
        let value = match reason {
            Reason::Initial | Reason::Entry(_) => {
                let model = self.plan.entries.get(self.plan.entered);
                model.and_then(|model| self.at_entry(source, variable, model))
            }
            Reason::Havoc | Reason::Contract(_) => {
                self.plan.choices.get_mut(&variable).and_then(VecDeque::pop_front)
            }
        };
        if value.is_none() {
            self.missing = Some(format!("no value for `{}`", source.variables[variable].name));
        }
        if let Some(value) = &value {
            self.run.values.push((self.run.values.len() as u64, value.clone()));
            match reason {
                Reason::Initial => {
                    self.inputs.push((variable, value.clone()));
                    self.background.constant(variable, value);
                }
                Reason::Havoc => self.events.chose(variable, value),
                _ => {}
            }
        }
        value
    }

    fn goto(&mut self, _: &ir::Program, _: ir::Procedure, _: ir::Block) -> Option<usize> {
        let target = self.plan.targets.pop_front();
        self.run.targets.extend(target.and_then(|target| u32::try_from(target).ok()));
        target
    }

    fn apply(&mut self, source: &ir::Program, function: ir::Function, arguments: &[Value]) -> Option<Value> {
        let ty = source.functions[function].result;
        if is_vague(&source.functions[function].attributes) {
            self.vague = true;
            return None;
        }
        let model = &self.plan.entries[0];
        let value = match self.plan.functions.get(&function) {
            None => {
                let value = Value::default_of(source, ty);
                self.background.applied(Applied::Function(function), arguments, &value);
                return Some(value);
            }
            Some(&Uninterpreted::Symbol(symbol)) => model.value(self.terms, symbol),
            Some(&Uninterpreted::Function(symbol)) => {
                let sorts = self.terms.function_data(symbol).parameters.clone();
                let mut keys = Vec::with_capacity(arguments.len());
                let parameters = &source.functions[function].parameters;
                for ((argument, sort), &parameter) in arguments.iter().zip(sorts).zip(parameters) {
                    let ty = source.variables[parameter].ty;
                    keys.push(values::to_model((source, self.terms), (ty, sort), argument)?);
                }
                match model.function(symbol) {
                    Some(table) => table.get(&keys).clone(),
                    None => logic::Value::default_of(self.terms, self.terms.function_data(symbol).result),
                }
            }
        };
        let value = values::to_interpreter(source, ty, &value)?;
        self.background.applied(Applied::Function(function), arguments, &value);
        Some(value)
    }

    fn decide(
        &mut self,
        _: &ir::Program,
        formula: ir::Expr,
        value: &dyn Fn(Mentioned) -> Option<Value>,
    ) -> Option<bool> {
        self.background.decide(self.terms, formula, value, !self.at_assertion)
    }

    fn div_zero(&mut self, dividend: &Integer) -> Integer {
        let value = match self.divided(ZeroDivision::Div, logic::Value::Int(dividend.to_big())) {
            Some(logic::Value::Int(value)) => Integer::from(value),
            _ => Integer::Small(0),
        };
        let (dividend, quotient) = (Value::Int(dividend.clone()), Value::Int(value.clone()));
        self.background.applied(Applied::DivZero, &[dividend], &quotient);
        value
    }

    fn mod_zero(&mut self, dividend: &Integer) -> Integer {
        let value = match self.divided(ZeroDivision::Mod, logic::Value::Int(dividend.to_big())) {
            Some(logic::Value::Int(value)) => Integer::from(value),
            _ => Integer::Small(0),
        };
        let (dividend, remainder) = (Value::Int(dividend.clone()), Value::Int(value.clone()));
        self.background.applied(Applied::ModZero, &[dividend], &remainder);
        value
    }

    fn real_div_zero(&mut self, dividend: &Rational) -> Rational {
        let value = match self.divided(ZeroDivision::Divide, logic::Value::Real(dividend.clone())) {
            Some(logic::Value::Real(value)) => value,
            _ => Rational::from_integer(0.into()),
        };
        let (dividend, quotient) = (Value::real(dividend.clone()), Value::real(value.clone()));
        self.background.applied(Applied::RealDivZero, &[dividend], &quotient);
        value
    }

    fn observe(&mut self, state: &State<'_>, event: Event<'_>) -> bool {
        self.plan.entered += usize::from(matches!(event, Event::Entered(_)));
        self.at_assertion = is_at_assertion(state);
        self.events.record(state, event);
        self.vague |= meets_vagueness(state);
        !self.vague
    }
}

/// Whether the next statement is an assertion.
fn is_at_assertion(state: &State<'_>) -> bool {
    let Some(place) = state.frames().next_back() else { return false };
    let body = state.program().procedures[place.procedure].body.as_ref();
    let next = body.and_then(|body| body.blocks[place.block].statements.get(place.index));
    matches!(next, Some(ir::Statement { kind: ir::StatementKind::Assert(..), .. }))
}

/// The variables that a statement assigns.
fn changed(statement: &ir::Statement) -> Vec<ir::Variable> {
    match &statement.kind {
        ir::StatementKind::Assign(assignments) => assignments.iter().map(|&(variable, _)| variable).collect(),
        ir::StatementKind::Havoc(variables) => variables.clone(),
        ir::StatementKind::Call { results, .. } | ir::StatementKind::Join { results, .. } => results.clone(),
        ir::StatementKind::Assume(_)
        | ir::StatementKind::Assert(..)
        | ir::StatementKind::Fork { .. }
        | ir::StatementKind::Atomic(_) => Vec::new(),
    }
}
