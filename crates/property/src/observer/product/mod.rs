//! The product of a program with an observer: a program that fails where the observer enters an error.
//!
//! Whoever calls this has added procedures to the program, in the program's language, so that conditions mean there what they say:
//!
//! * for the number `k` of a condition, a procedure that sets the variable `ATOM k` to its truth value;
//! * for the number `k` of an event, a procedure `EVENT k` that does nothing. It is called where the event happens, behind the
//!   procedures that evaluate the conditions of the event's transitions. Its parameters are named: `ARGUMENT i`, and `RESULT`.
//!   A value of several parts has several parameters, whose names go on with a dot;
//! * calls and returns: a procedure `STAND_IN f` that calls these procedures before and behind the call of `f`, and is called
//!   instead of `f`;
//! * all other events: a procedure `SENSE k` without parameters that does what happens at the event.
//!
//! Here the calls of `EVENT k` become steps of the automaton, whose state is a global variable; what happens at assignments and at the
//! end is called there; the added procedures are spliced into the program; and its own assertions are assumed, as an
//! execution ends where one fails. The procedures of a program stay what they are, so recursion is no matter: the state at a call is
//! kept in a local variable until the return.
//!
//! Costs: linear in the program and in the transitions for every place where an event happens.

mod caret_steps;
mod hooks;
mod own_checks;

use super::{Event, EventKind, Name, Observer, Pattern, State, Transition};
use crate::caret;
use crate::splice::{Moved, splice};
use base::{EntityRef, Span};
use ir::{
    AssertKind, Attribute, AttributeArgument, BinaryOp, Expr, Procedure, Program, Statement, StatementKind,
    Transfer, Type, Variable, VariableKind,
};
use own_checks::assume_own_checks;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// How everything begins that is added to a program.
pub const ADDED: &str = "__unreach_obs_";
/// The procedures that events call.
pub const EVENT: &str = "__unreach_obs_event_";
/// The procedures that evaluate conditions.
pub const WHEN: &str = "__unreach_obs_when_";
/// The variables with the values of conditions.
pub const ATOM: &str = "__unreach_obs_atom_";
/// What is called instead of watched procedures.
pub const STAND_IN: &str = "__unreach_obs_watch_";
/// What happens at events that are no calls.
pub const SENSE: &str = "__unreach_obs_sense_";
/// Calls what a front end would leave out because nothing calls it yet.
pub const KEEP: &str = "__unreach_obs_keep";
/// The arguments of events.
pub const ARGUMENT: &str = "__p";
/// The result of a call.
pub const RESULT: &str = "__r";

/// The name of the automaton's state in the product, which no program can use.
const STATE: &str = "observer#state";

/// The product with what is needed to speak about it.
#[derive(Debug)]
pub struct Product {
    /// The automaton's state: the numbers of states.
    pub state: Variable,
    /// The variables that stand for all values, with their names; a value of several parts has several.
    pub each: Vec<Each>,
    /// What new variables are copies of.
    pub copies: FxHashMap<Variable, Variable>,
    /// Blocks that were cut in two.
    pub moved: Vec<Moved>,
    /// How many assertions there are.
    pub assertions: u32,
}

/// A part of a value that stands for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Each {
    /// Its name in the observer.
    pub name: String,
    /// The variable.
    pub variable: Variable,
}

/// What does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// Where in the observer.
    pub span: Span,
    /// What.
    pub message: String,
}

/// Where a program does what an observer looks for, as far as that is not said by names.
#[derive(Clone, Default, Debug)]
pub struct Places {
    /// The function that a C program begins with: its return is the end of the program. None for other languages, where the
    /// procedures that executions begin with are those of the program's author.
    pub main: Option<Procedure>,
    /// The variables that an assignment is about.
    pub assigned: BTreeMap<Event, Vec<Variable>>,
}

/// What makes the steps at events.
#[derive(Clone, Copy, Debug)]
pub enum Machine<'a> {
    /// The observer itself.
    Observer,
    /// The automaton of a formula of CaRet, which is violated when the automaton accepts. The observer says where calls,
    /// returns and the end of the program are seen, and has a transition for each condition of the formula at each event.
    Caret(&'a caret::Formulas, &'a caret::Automaton),
}

/// Makes a program the product with an observer.
pub fn product(
    program: &mut Program,
    observer: &Observer,
    machine: Machine<'_>,
    places: &Places,
) -> Result<Product, Misfit> {
    let entries = program.entries();
    let span = entries.first().map_or_else(nowhere, |&entry| program.procedures[entry].span);
    let added: FxHashSet<Procedure> = program
        .procedures
        .iter()
        .filter(|(_, data)| data.name.starts_with(ADDED))
        .map(|(procedure, _)| procedure)
        .collect();
    let (label, initial) = match machine {
        Machine::Observer => (format!("observer {}", observer.name), observer.initial.index()),
        Machine::Caret(_, automaton) => ("caret".to_owned(), automaton.initial),
    };
    assume_own_checks(program, &added, &label, places);
    let state = state_variable(program, initial, span);
    without_calls_of(program, KEEP);
    let mut maker = Maker { program, observer, machine, label, state, each: BTreeMap::new(), span };
    for &procedure in sorted(&added).iter() {
        maker.steps_of(procedure)?;
    }
    for (event, data) in observer.events.iter() {
        match data.kind {
            EventKind::Assign => maker.at_assignments(event, places, &added),
            // Labels of C call what happens there themselves.
            EventKind::Label if places.main.is_none() => maker.at_labels(event, &data.name),
            _ => {}
        }
    }
    let exit = observer.events.iter().find(|(_, data)| data.kind == EventKind::Exit);
    let entries = match exit {
        Some((event, _)) => maker.at_exit(event, &entries, places.main),
        None => entries,
    };
    let each = maker.each;
    let spliced = splice(program, &added);
    for &procedure in &sorted(&added) {
        clear(program, procedure);
    }
    let assertions = count_assertions(program);
    program.chosen = Some(entries);
    let names: Vec<Each> = each
        .iter()
        .flat_map(|(name, parts)| parts.iter().map(|&variable| Each { name: name.clone(), variable }))
        .collect();
    let globals: Vec<Variable> = program
        .globals
        .iter()
        .copied()
        .filter(|&global| global == state || program.variables[global].name.starts_with(ADDED))
        .collect();
    for data in program.procedures.values_mut().filter(|data| data.body.is_some()) {
        let more: Vec<Variable> =
            globals.iter().copied().filter(|global| !data.modifies.contains(global)).collect();
        data.modifies.extend(more);
    }
    Ok(Product { state, each: names, copies: spliced.copies, moved: spliced.moved, assertions })
}

fn nowhere() -> Span {
    Span::new(EntityRef::new(0), 0, 0)
}

fn sorted(procedures: &FxHashSet<Procedure>) -> Vec<Procedure> {
    let mut all: Vec<Procedure> = procedures.iter().copied().collect();
    all.sort_unstable();
    all
}

/// A global variable that has the number of the initial state where a run begins.
fn state_variable(program: &mut Program, initial: usize, span: Span) -> Variable {
    let state = program.new_variable(STATE, Type::INT, VariableKind::Global, span);
    let value = program.variable(state, span);
    let first = program.int(initial, span);
    let clause = program.equal(value, first, span);
    program.variables[state].where_clause = Some(clause);
    program.globals.push(state);
    state
}

/// Takes the calls of a procedure out of the program.
fn without_calls_of(program: &mut Program, name: &str) {
    let Some(callee) = program.procedure(name) else { return };
    let bodies = program.procedures.values_mut().filter_map(|data| data.body.as_mut());
    for block in bodies.flat_map(|body| body.blocks.values_mut()) {
        block.statements.retain(|statement| {
            !matches!(statement.kind, StatementKind::Call { procedure, .. } if procedure == callee)
        });
    }
}

/// Nobody calls the procedure any more, so it need not do anything.
fn clear(program: &mut Program, procedure: Procedure) {
    let span = program.procedures[procedure].span;
    let Some(body) = program.procedures[procedure].body.as_mut() else { return };
    let label = "nothing".to_owned();
    let (statements, transfer) = (Vec::new(), Transfer::Return);
    body.blocks = [ir::BlockData { label, statements, transfer, transfer_span: span }].into_iter().collect();
}

/// The assertions of the product.
fn count_assertions(program: &Program) -> u32 {
    let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
    let statements = bodies.flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
    let count = statements.filter(|statement| matches!(statement.kind, StatementKind::Assert(..))).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

struct Maker<'a> {
    program: &'a mut Program,
    observer: &'a Observer,
    machine: Machine<'a>,
    /// What assertions are called.
    label: String,
    state: Variable,
    /// The parts of the values that stand for all.
    each: BTreeMap<String, Vec<Variable>>,
    span: Span,
}

/// The values that an event is about: the names of their parts, and the parts.
struct Values {
    names: Vec<String>,
    values: Vec<Expr>,
}

impl Values {
    fn parts(&self, wanted: &str) -> Vec<Expr> {
        let is_part = |name: &str| {
            name.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '#']))
        };
        self.names
            .iter()
            .zip(&self.values)
            .filter(|(name, _)| is_part(name))
            .map(|(_, value)| *value)
            .collect()
    }
}

impl Maker<'_> {
    fn is_in(&mut self, variable: Variable, state: State) -> Expr {
        let value = self.program.variable(variable, self.span);
        let number = self.program.int(state.index(), self.span);
        self.program.equal(value, number, self.span)
    }

    /// Replaces the calls of event procedures in an added procedure by steps of the automaton.
    fn steps_of(&mut self, procedure: Procedure) -> Result<(), Misfit> {
        let Some(mut body) = self.program.procedures[procedure].body.take() else { return Ok(()) };
        // What is kept from the call to the return.
        let mut before: Option<Variable> = None;
        for block in body.blocks.values_mut() {
            let mut statements = Vec::new();
            for statement in std::mem::take(&mut block.statements) {
                let Some((event, values)) = self.event_of(&statement) else {
                    statements.push(statement);
                    continue;
                };
                if self.keeps(event) {
                    before.get_or_insert_with(|| {
                        let kind = VariableKind::Local(procedure);
                        self.program.new_variable("observer#before", Type::INT, kind, self.span)
                    });
                }
                match self.machine {
                    Machine::Observer => self.step(event, &values, before, &mut statements)?,
                    Machine::Caret(formulas, automaton) => {
                        for _ in 0..self.rounds(event, formulas) {
                            self.caret_step(event, (formulas, automaton), before, &mut statements);
                        }
                    }
                }
            }
            block.statements = statements;
        }
        if let Some(before) = before {
            body.locals.push(before);
        }
        if let (Some(before), Machine::Observer) = (before, self.machine) {
            let value = self.program.variable(self.state, self.span);
            let kind = StatementKind::Assign(vec![(before, value)]);
            let entry = body.entry();
            let statement = Statement { kind, span: self.span, attributes: Vec::new() };
            body.blocks[entry].statements.insert(0, statement);
        }
        self.program.procedures[procedure].body = Some(body);
        Ok(())
    }

    fn event_of(&self, statement: &Statement) -> Option<(Event, Values)> {
        let StatementKind::Call { procedure, arguments, .. } = &statement.kind else { return None };
        let data = &self.program.procedures[*procedure];
        let number: usize = data.name.strip_prefix(EVENT)?.parse().ok()?;
        let names =
            data.parameters.iter().map(|&parameter| self.program.variables[parameter].name.clone()).collect();
        Some((Event::new(number), Values { names, values: arguments.clone() }))
    }

    /// One step of the automaton.
    fn step(
        &mut self,
        event: Event,
        values: &Values,
        before: Option<Variable>,
        out: &mut Vec<Statement>,
    ) -> Result<(), Misfit> {
        let observer = self.observer;
        let span = self.span;
        let mut next = self.program.variable(self.state, span);
        let transitions: Vec<(usize, &Transition)> = observer.on(event).collect();
        for (number, transition) in transitions.iter().rev() {
            let condition = self.condition(*number, transition, values, before)?;
            let to = self.program.int(transition.to.index(), span);
            next = self.program.ite(condition, to, next, span);
        }
        let push =
            |kind, attributes, out: &mut Vec<Statement>| out.push(Statement { kind, span, attributes });
        push(StatementKind::Assign(vec![(self.state, next)]), Vec::new(), out);
        let mut errors: Vec<State> = transitions.iter().map(|(_, transition)| transition.to).collect();
        errors.sort_unstable();
        errors.dedup();
        for error in errors {
            let Some(message) = &observer.states[error].error else { continue };
            let entered = self.is_in(self.state, error);
            let never = self.program.not(entered, span);
            let attribute = self.property(message);
            push(StatementKind::Assert(AssertKind::Assert, never), vec![attribute], out);
        }
        Ok(())
    }

    /// Whether a procedure that tells of an event keeps something from the call to the return.
    fn keeps(&self, event: Event) -> bool {
        match self.machine {
            Machine::Observer => self.observer.on(event).any(|(_, it)| it.called_in.is_some()),
            Machine::Caret(..) => {
                matches!(self.observer.events[event].kind, EventKind::Call | EventKind::Return)
            }
        }
    }

    fn property(&self, message: &str) -> Attribute {
        let text = AttributeArgument::Text(format!("{}: {message}", self.label));
        Attribute { name: "property".to_owned(), arguments: vec![text] }
    }

    /// When a transition is taken.
    fn condition(
        &mut self,
        number: usize,
        transition: &Transition,
        values: &Values,
        before: Option<Variable>,
    ) -> Result<Expr, Misfit> {
        let span = self.span;
        let mut parts = vec![self.is_in(self.state, transition.from)];
        if let (Some(state), Some(before)) = (transition.called_in, before) {
            parts.push(self.is_in(before, state));
        }
        let arguments = transition.arguments.iter().flatten().enumerate();
        let patterns = arguments.map(|(index, pattern)| (format!("{ARGUMENT}{index}"), pattern));
        for (name, pattern) in patterns.chain([(RESULT.to_owned(), &transition.result)]) {
            let given = values.parts(&name);
            match pattern {
                Pattern::Name(name) if self.observer.is_each(&name.text) => {
                    self.equal(name, &given, &mut parts)?
                }
                // The program's language compares numbers.
                Pattern::Any | Pattern::Name(_) | Pattern::Number(_) => {}
            }
        }
        if transition.asks_program() {
            parts.push(self.atom(number));
        }
        Ok(self.program.and(parts, span))
    }

    fn atom(&mut self, number: usize) -> Expr {
        let name = format!("{ATOM}{number}");
        let variable =
            self.program.globals.iter().copied().find(|&global| self.program.variables[global].name == name);
        // A condition that nothing sets is one of a program without the event.
        let Some(variable) = variable else { return self.program.bool(false, self.span) };
        let value = self.program.variable(variable, self.span);
        match self.program.ty(value) {
            Type::BOOL => value,
            _ => {
                let zero = self.program.int(0, self.span);
                self.program.binary(BinaryOp::NotEqual, value, zero, self.span)
            }
        }
    }

    /// A value is the one that the observer watches.
    fn equal(&mut self, name: &Name, given: &[Expr], parts: &mut Vec<Expr>) -> Result<(), Misfit> {
        let types: Vec<Type> = given.iter().map(|&part| self.program.ty(part)).collect();
        if !self.each.contains_key(&name.text) {
            let mut variables = Vec::new();
            for (index, &ty) in types.iter().enumerate() {
                let own = format!("observer#{}#{index}", name.text);
                let variable = self.program.new_variable(own, ty, VariableKind::Global, self.span);
                self.program.globals.push(variable);
                variables.push(variable);
            }
            self.each.insert(name.text.clone(), variables);
        }
        let variables = self.each[&name.text].clone();
        let wanted: Vec<Type> =
            variables.iter().map(|&variable| self.program.variables[variable].ty).collect();
        if wanted != types {
            let message = format!("`{}` stands for values of different types", name.text);
            return Err(Misfit { span: name.span, message });
        }
        for (&part, variable) in given.iter().zip(variables) {
            let value = self.program.variable(variable, self.span);
            parts.push(self.program.equal(part, value, self.span));
        }
        Ok(())
    }
}
