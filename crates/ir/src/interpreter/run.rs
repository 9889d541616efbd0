//! Statements and calls.

use super::driver::{Driver, Reason, Request, Requested};
use super::machine::{Evaluated, Machine, Stop};
use super::state::{Event, State};
use super::threads::Thread;
use super::{Assumption, Failure, FailureKind, Limits, Outcome, Place, Unchecked, Value};
use crate::accesses::{self, Access};
use crate::definitions::{Definitions, Recursion};
use crate::expressions::{Expr, ExprData};
use crate::program::{Function, Procedure, ProcedureData, Program, Specification, Variable, VariableKind};
use crate::statements::{Block, Body, Statement, StatementKind, Transfer};
use base::{Budget, Interrupted, PrimaryMap};

/// An active procedure.
#[derive(Clone, Copy)]
pub(super) struct Frame<'p> {
    procedure: Procedure,
    body: &'p Body,
    block: Block,
    index: usize,
    pub(super) local_base: usize,
    old_base: usize,
    /// Where the caller wants the results.
    targets: &'p [Variable],
}

impl<'p> Frame<'p> {
    /// The statement that comes next, if it is not the end of the block.
    pub(super) fn next_statement(&self) -> Option<&'p Statement> {
        self.body.blocks[self.block].statements.get(self.index)
    }

    /// What the next step accesses of watched variables, and where it is.
    pub(super) fn next_accesses(&self, program: &Program) -> Option<(Place, Vec<Access>)> {
        let block = &self.body.blocks[self.block];
        match (self.next_statement(), &block.transfer) {
            (Some(statement), _) => Some((self.place(), accesses::of_statement(program, statement))),
            (None, Transfer::Branch { condition, .. }) => {
                Some((self.place(), accesses::of_condition(program, *condition)))
            }
            (None, _) => None,
        }
    }

    pub(super) fn place(&self) -> Place {
        Place { procedure: self.procedure, block: self.block, index: self.index }
    }
}

/// A state between two steps, from which runs can go on. Maps share what they have in common, so it is small.
#[derive(Clone)]
pub struct Snapshot<'p> {
    frames: Vec<Frame<'p>>,
    globals: Vec<Value>,
    locals: Vec<Value>,
    olds: Vec<(Variable, Value)>,
    threads: Vec<Thread<'p>>,
    current: usize,
    atomic: u32,
}

impl Snapshot<'_> {
    /// How many values it holds, a map counted as one.
    pub fn size(&self) -> usize {
        self.globals.len() + self.locals.len() + self.olds.len() + self.frames.len()
    }
}

/// Why a run ends: with an outcome, or because its budget was tripped.
pub(super) enum End {
    Outcome(Outcome),
    Interrupted(Interrupted),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        match stop {
            Stop::Obstacle(expr, obstacle) => End::Outcome(Outcome::CannotEvaluate(expr, obstacle)),
            Stop::Interrupted(interrupted) => End::Interrupted(interrupted),
        }
    }
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> End {
        End::Outcome(outcome)
    }
}

impl From<Assumption> for End {
    fn from(assumption: Assumption) -> End {
        End::Outcome(Outcome::Blocked(assumption))
    }
}

pub(super) type Step<T> = Result<T, End>;

/// Runs procedures of one program. Keeps the translated expressions between runs.
pub struct Interpreter<'p> {
    pub(super) program: &'p Program,
    pub(super) machine: Machine<'p>,
    /// The active procedures of the running thread.
    pub(super) frames: Vec<Frame<'p>>,
    /// All threads; none as long as there is only one.
    pub(super) threads: Vec<Thread<'p>>,
    /// The running thread.
    pub(super) current: usize,
    /// How deep the running thread is in atomic parts.
    pub(super) atomic: u32,
    /// The globals whose old values a procedure needs, sorted.
    olds: PrimaryMap<Procedure, Vec<Variable>>,
    /// A race in the atomic part in which the running thread is.
    raced: Option<Failure>,
    call_depth: usize,
    steps: u64,
    limit: u64,
    definitions: Definitions,
    unchecked: Vec<Unchecked>,
}

impl<'p> Interpreter<'p> {
    /// Prepares the runs of a program.
    pub fn new(program: &'p Program, budget: Budget) -> Interpreter<'p> {
        let mut olds = PrimaryMap::with_capacity(program.procedures.len());
        for data in program.procedures.values() {
            olds.push(old_variables(program, data));
        }
        let machine = Machine::new(program, budget);
        Interpreter {
            program,
            machine,
            frames: Vec::new(),
            threads: Vec::new(),
            current: 0,
            atomic: 0,
            olds,
            raced: None,
            call_depth: 0,
            steps: 0,
            limit: 0,
            definitions: Definitions::of(program),
            unchecked: Vec::new(),
        }
    }

    /// Runs a procedure with a body. Constants, globals and parameters get the given values; the driver is asked
    /// for the others, in the order of their declaration.
    pub fn run(
        &mut self,
        procedure: Procedure,
        inputs: &[(Variable, Value)],
        driver: &mut dyn Driver,
        limits: Limits,
    ) -> Result<Outcome, Interrupted> {
        self.reset(limits);
        match self.start(procedure, inputs, driver).and_then(|()| self.steps(driver)) {
            Ok(()) => Ok(Outcome::Finished),
            Err(End::Outcome(outcome)) => Ok(outcome),
            Err(End::Interrupted(interrupted)) => Err(interrupted),
        }
    }

    /// The state in which the last run was stopped. It has to be between two steps, which it is if the driver has
    /// stopped the run or its steps were used up.
    pub fn snapshot(&self) -> Snapshot<'p> {
        Snapshot {
            frames: self.frames.clone(),
            globals: self.machine.globals.clone(),
            locals: self.machine.locals.clone(),
            olds: self.machine.olds.clone(),
            threads: self.threads.clone(),
            current: self.current,
            atomic: self.atomic,
        }
    }

    /// How many values the present state has, a map counted as one.
    pub fn size(&self) -> usize {
        self.machine.globals.len() + self.machine.locals.len() + self.machine.olds.len() + self.frames.len()
    }

    /// Goes back to a state of an earlier run.
    pub fn restore(&mut self, to: &Snapshot<'p>) {
        self.frames.clone_from(&to.frames);
        self.machine.globals.clone_from(&to.globals);
        self.machine.locals.clone_from(&to.locals);
        self.machine.olds.clone_from(&to.olds);
        self.threads.clone_from(&to.threads);
        (self.current, self.atomic) = (to.current, to.atomic);
        self.rebase();
    }

    /// Tells the machine where the variables of the innermost procedure are.
    pub(super) fn rebase(&mut self) {
        let (local_base, old_base) =
            self.frames.last().map_or((0, 0), |frame| (frame.local_base, frame.old_base));
        self.machine.local_base = local_base;
        self.machine.old_base = old_base;
    }

    /// Goes on from the state in which the last run was stopped, or which was restored since.
    pub fn proceed(&mut self, driver: &mut dyn Driver, limits: Limits) -> Result<Outcome, Interrupted> {
        self.limit(limits);
        match self.steps(driver) {
            Ok(()) => Ok(Outcome::Finished),
            Err(End::Outcome(outcome)) => Ok(outcome),
            Err(End::Interrupted(interrupted)) => Err(interrupted),
        }
    }

    /// The state in which the last run has ended.
    pub fn state(&self) -> State<'_> {
        self.seen()
    }

    /// How many steps the last run has taken.
    pub fn steps_taken(&self) -> u64 {
        self.steps
    }

    /// What holds in every execution, but of which the last run could not say whether it holds. Unless somebody else
    /// knows that all of it holds, the run is not known to be an execution of the program.
    pub fn unchecked(&self) -> &[Unchecked] {
        &self.unchecked
    }

    fn reset(&mut self, limits: Limits) {
        self.frames.clear();
        self.threads.clear();
        (self.current, self.atomic) = (0, 0);
        self.raced = None;
        self.unchecked.clear();
        self.limit(limits);
        let machine = &mut self.machine;
        machine.locals.clear();
        machine.olds.clear();
        machine.local_base = 0;
        machine.old_base = 0;
    }

    fn limit(&mut self, limits: Limits) {
        self.steps = 0;
        self.limit = limits.steps;
        self.call_depth = limits.call_depth;
        self.machine.operations = limits.operations;
    }

    fn start(
        &mut self,
        procedure: Procedure,
        inputs: &[(Variable, Value)],
        driver: &mut dyn Driver,
    ) -> Step<()> {
        let program = self.program;
        let given = |variable: Variable| inputs.iter().find(|(name, _)| *name == variable);
        for &variable in program.constants.iter().chain(&program.globals) {
            self.initial(variable, given(variable), driver)?;
        }
        self.check_background(driver)?;
        for &global in &program.globals {
            self.assume_where(global, driver)?;
        }
        let data = &program.procedures[procedure];
        self.open(procedure, data, Vec::new(), &[]);
        for &parameter in &data.parameters {
            self.initial(parameter, given(parameter), driver)?;
        }
        self.enter(procedure, Entering::First, driver)
    }

    fn initial(
        &mut self,
        variable: Variable,
        given: Option<&(Variable, Value)>,
        driver: &mut dyn Driver,
    ) -> Step<()> {
        match given {
            Some((_, value)) => self.give(variable, Some(value.clone())),
            None => self.choose(variable, Reason::Initial, driver),
        }
    }

    fn choose(&mut self, variable: Variable, reason: Reason, driver: &mut dyn Driver) -> Step<()> {
        let value = driver.choose(self.program, variable, reason);
        self.give(variable, value)
    }

    fn give(&mut self, variable: Variable, value: Option<Value>) -> Step<()> {
        let value = value.ok_or(Outcome::NoValue(variable))?;
        if !value.has_type(self.program, self.program.variables[variable].ty) {
            return Err(Outcome::IllTypedValue(variable).into());
        }
        self.machine.set(variable, value);
        Ok(())
    }

    /// Axioms, definitions and uniqueness. What cannot be evaluated is put on a list.
    fn check_background(&mut self, driver: &mut dyn Driver) -> Step<()> {
        for (index, axiom) in self.program.axioms.iter().enumerate() {
            match self.machine.holds(axiom.formula, driver) {
                Ok(true) => {}
                Ok(false) => return Err(Assumption::Axiom(index).into()),
                Err(Stop::Obstacle(_, obstacle)) => self.unchecked.push(Unchecked::Axiom(index, obstacle)),
                Err(interrupted) => return Err(interrupted.into()),
            }
        }
        let program = self.program;
        let unfounded = |&function: &Function| self.definitions.recursion(function) == Recursion::Unknown;
        let unfounded = program.functions.keys().filter(unfounded);
        self.unchecked.extend(unfounded.map(Unchecked::Definition));
        let unique = VariableKind::Constant { unique: true };
        let constants =
            program.constants.iter().filter(|&&constant| program.variables[constant].kind == unique);
        let mut values: Vec<(Value, Variable)> =
            constants.filter_map(|&constant| Some((self.machine.get(constant)?.clone(), constant))).collect();
        values.sort();
        match values.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(Assumption::Unique(pair[0].1, pair[1].1).into()),
            None => Ok(()),
        }
    }

    fn assume_where(&mut self, variable: Variable, driver: &mut dyn Driver) -> Step<()> {
        match self.program.variables[variable].where_clause {
            Some(clause) if !self.machine.holds(clause, driver)? => Err(Assumption::Where(variable).into()),
            _ => Ok(()),
        }
    }

    /// Makes room for the variables of a procedure; the given values are those of its first variables.
    pub(super) fn open(
        &mut self,
        procedure: Procedure,
        data: &'p ProcedureData,
        arguments: Vec<Value>,
        targets: &'p [Variable],
    ) {
        let machine = &mut self.machine;
        machine.local_base = machine.locals.len();
        machine.old_base = machine.olds.len();
        for &global in &self.olds[procedure] {
            if let Some(value) = machine.get(global).cloned() {
                machine.olds.push((global, value));
            }
        }
        let locals = data.body.as_ref().map_or(0, |body| body.locals.len());
        let count = data.parameters.len() + data.results.len() + locals;
        machine.locals.extend(arguments);
        machine.locals.resize(machine.local_base + count, Value::unset());
        if let Some(body) = &data.body {
            self.frames.push(Frame {
                procedure,
                body,
                block: body.entry(),
                index: 0,
                local_base: machine.local_base,
                old_base: machine.old_base,
                targets,
            });
        }
    }

    /// Closes the innermost procedure and goes back to the one around it.
    fn close(&mut self) {
        let machine = &mut self.machine;
        machine.locals.truncate(machine.local_base);
        machine.olds.truncate(machine.old_base);
        self.rebase();
    }

    /// Begins the body of the innermost procedure, whose parameters have their values.
    pub(super) fn enter(
        &mut self,
        procedure: Procedure,
        entering: Entering,
        driver: &mut dyn Driver,
    ) -> Step<()> {
        let first = entering == Entering::First;
        let data = &self.program.procedures[procedure];
        let locals = data.body.iter().flat_map(|body| &body.locals);
        for &variable in data.results.iter().chain(locals.clone()) {
            self.choose(variable, Reason::Entry(procedure), driver)?;
        }
        for (index, requires) in data.requires.iter().enumerate().filter(|(_, r)| first || !r.free) {
            if !self.machine.holds(requires.condition, driver)? {
                return Err(Assumption::Requires(procedure, index).into());
            }
        }
        let program = self.program;
        let is_known = |parameter: &&Variable| first || program.variables[**parameter].is_established();
        let parameters = data.parameters.iter().filter(is_known);
        for &variable in parameters.chain(&data.results).chain(locals) {
            self.assume_where(variable, driver)?;
        }
        self.observe(Event::Entered(procedure), driver)
    }

    fn observe(&mut self, event: Event<'_>, driver: &mut dyn Driver) -> Step<()> {
        if driver.observe(&self.seen(), event) { Ok(()) } else { Err(Outcome::Stopped.into()) }
    }

    fn count(&mut self) -> Step<()> {
        if self.steps == self.limit {
            return Err(Outcome::OutOfSteps.into());
        }
        self.steps += 1;
        if self.steps.is_multiple_of(1 << 10) {
            // About ten steps take as long as a solver's unit of work.
            self.machine.budget.spend(100);
            self.machine.budget.check().map_err(End::Interrupted)?;
        }
        Ok(())
    }

    /// Runs until the outermost procedures of all threads have returned.
    fn steps(&mut self, driver: &mut dyn Driver) -> Step<()> {
        loop {
            if driver.stuck(&self.seen()) && self.is_stuck(driver)? {
                let place = self.frames.last().map(Frame::place);
                let failed = place.map(|place| failed(FailureKind::NoDeadlock, place));
                return Err(failed.unwrap_or(Outcome::NoThread.into()));
            }
            if !self.threads.is_empty() {
                if let (Some(race), 0) = (self.raced, self.atomic) {
                    return Err(Outcome::Failed(race).into());
                }
                if !self.schedule(driver)? {
                    return Ok(());
                }
                self.meet(driver)?;
            }
            let Some(frame) = self.frames.last() else { return Ok(()) };
            let (place, body) = (frame.place(), frame.body);
            self.count()?;
            let block = &body.blocks[place.block];
            match block.statements.get(place.index) {
                Some(statement) => self.statement(place, statement, driver)?,
                None => self.transfer(place, &block.transfer, driver)?,
            }
        }
    }

    /// Sees whether two threads race. In an atomic part, that counts when the part comes to its end.
    fn meet(&mut self, driver: &mut dyn Driver) -> Step<()> {
        let Some((one, other)) = driver.meeting(&self.seen()) else { return Ok(()) };
        let Some(variable) = self.race(one, other, driver)? else { return Ok(()) };
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let failure = Failure { kind: FailureKind::NoRace(variable), place: frame.place() };
        if self.atomic == 0 {
            return Err(Outcome::Failed(failure).into());
        }
        self.raced.get_or_insert(failure);
        Ok(())
    }

    fn advance(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.index += 1;
        }
    }

    fn transfer(&mut self, place: Place, transfer: &'p Transfer, driver: &mut dyn Driver) -> Step<()> {
        let (target, event) = match transfer {
            Transfer::Goto(targets) => {
                let choice = match targets.len() {
                    1 => 0,
                    _ => driver
                        .goto(self.program, place.procedure, place.block)
                        .ok_or(Outcome::NoTarget(place))?,
                };
                let target = targets.get(choice).ok_or(Outcome::NoTarget(place))?;
                (*target, Event::Jumped(place, choice))
            }
            Transfer::Branch { condition, then, otherwise } => {
                let holds = self.machine.holds(*condition, driver)?;
                (if holds { *then } else { *otherwise }, Event::Branched(place, holds))
            }
            Transfer::Return => return self.leave(place, driver),
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.block = target;
            frame.index = 0;
        }
        self.observe(event, driver)
    }

    fn statement(&mut self, place: Place, statement: &'p Statement, driver: &mut dyn Driver) -> Step<()> {
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                if let [(variable, value)] = assignments.as_slice() {
                    self.assign(*variable, *value, driver)?;
                } else {
                    let values: Evaluated<Vec<Value>> =
                        assignments.iter().map(|(_, value)| self.machine.evaluate(*value, driver)).collect();
                    for ((variable, _), value) in assignments.iter().zip(values?) {
                        self.machine.set(*variable, value);
                    }
                }
            }
            StatementKind::Havoc(variables) => {
                self.suggest(place, driver)?;
                for &variable in variables {
                    self.choose(variable, Reason::Havoc, driver)?;
                }
                for &variable in variables {
                    self.assume_where(variable, driver)?;
                }
            }
            StatementKind::Assume(condition) => {
                if !self.machine.holds(*condition, driver)? {
                    return Err(Assumption::Statement(place).into());
                }
            }
            StatementKind::Assert(kind, condition) => {
                if !self.machine.holds(*condition, driver)? {
                    return Err(failed(FailureKind::Assert(*kind), place));
                }
            }
            StatementKind::Call { procedure, arguments, results } => {
                let called = self.call(place, *procedure, arguments, results, driver)?;
                if called == Called::Body {
                    return Ok(());
                }
            }
            StatementKind::Fork { thread, procedure, arguments } => {
                self.fork(place, (thread, *procedure), arguments, driver)?;
            }
            StatementKind::Join { thread, results } => self.join(place, thread, results, driver)?,
            StatementKind::Atomic(boundary) => self.boundary(*boundary),
        }
        self.advance();
        self.observe(Event::Executed(place, statement), driver)
    }

    /// Tells the driver what it wants to know. What has no value is not told.
    fn suggest(&mut self, place: Place, driver: &mut dyn Driver) -> Step<()> {
        for request in driver.requests(place) {
            match self.requested(request, driver) {
                Ok(Some(value)) => driver.suggest(request.variable, value),
                Ok(None) | Err(Stop::Obstacle(..)) => {}
                Err(interrupted) => return Err(interrupted.into()),
            }
        }
        Ok(())
    }

    fn requested(&mut self, request: Request, driver: &mut dyn Driver) -> Evaluated<Option<Value>> {
        if let Some(condition) = request.condition
            && !self.machine.holds(condition, driver)?
        {
            return Ok(None);
        }
        match request.value {
            Requested::Of(expr) => self.machine.evaluate(expr, driver).map(Some),
            Requested::Truth(value) => Ok(Some(Value::Bool(value))),
        }
    }

    #[inline]
    fn assign(&mut self, variable: Variable, value: Expr, driver: &mut dyn Driver) -> Step<()> {
        let expressions = &self.program.expressions;
        // `m := m[i := v]` changes the map in place, if nobody else holds it.
        if let ExprData::Store(map, arguments, element) = &expressions[value]
            && let ExprData::Variable(stored) = expressions[*map]
            && stored == variable
        {
            self.machine.store(variable, value, (arguments, *element), driver)?;
            return Ok(());
        }
        let value = self.machine.evaluate(value, driver)?;
        self.machine.set(variable, value);
        Ok(())
    }

    fn call(
        &mut self,
        place: Place,
        procedure: Procedure,
        arguments: &[Expr],
        results: &'p [Variable],
        driver: &mut dyn Driver,
    ) -> Step<Called> {
        let data = &self.program.procedures[procedure];
        let values: Evaluated<Vec<Value>> =
            arguments.iter().map(|&argument| self.machine.evaluate(argument, driver)).collect();
        let values = values?;
        if self.frames.len() >= self.call_depth {
            return Err(Outcome::TooManyCalls.into());
        }
        self.open(procedure, data, values, results);
        let allowed = self.check_requires(place, procedure, driver);
        if data.body.is_some() {
            if let Err(end) = allowed {
                // The state is that of the caller, since the callee has not begun.
                self.frames.pop();
                self.close();
                return Err(end);
            }
            self.enter(procedure, Entering::Called, driver)?;
            return Ok(Called::Body);
        }
        let suggested = allowed.and_then(|()| self.suggest(place, driver));
        let done = suggested.and_then(|()| self.contract(procedure, data, driver));
        let values = self.results(data);
        self.close();
        done?;
        for (&target, value) in results.iter().zip(values) {
            self.machine.set(target, value);
        }
        Ok(Called::Contract)
    }

    /// The preconditions of the procedure that has just been opened.
    pub(super) fn check_requires(
        &mut self,
        place: Place,
        procedure: Procedure,
        driver: &mut dyn Driver,
    ) -> Step<()> {
        let requires = &self.program.procedures[procedure].requires;
        for (index, clause) in requires.iter().enumerate().filter(|(_, clause)| !clause.free) {
            if !self.machine.holds(clause.condition, driver)? {
                return Err(failed(FailureKind::Requires(procedure, index), place));
            }
        }
        Ok(())
    }

    /// A procedure without body does anything that its contract allows.
    fn contract(&mut self, procedure: Procedure, data: &ProcedureData, driver: &mut dyn Driver) -> Step<()> {
        let changed = || data.modifies.iter().chain(&data.results).copied();
        for variable in changed() {
            self.choose(variable, Reason::Contract(procedure), driver)?;
        }
        for variable in changed() {
            self.assume_where(variable, driver)?;
        }
        for (index, ensures) in data.ensures.iter().enumerate() {
            if !self.machine.holds(ensures.condition, driver)? {
                return Err(Assumption::Ensures(procedure, index).into());
            }
        }
        Ok(())
    }

    fn results(&self, data: &ProcedureData) -> Vec<Value> {
        data.results.iter().filter_map(|&result| self.machine.get(result).cloned()).collect()
    }

    fn leave(&mut self, place: Place, driver: &mut dyn Driver) -> Step<()> {
        let procedure = place.procedure;
        let data = &self.program.procedures[procedure];
        let checked = |specification: &&Specification| !specification.free;
        for (index, ensures) in data.ensures.iter().enumerate().filter(|(_, ensures)| checked(ensures)) {
            if !self.machine.holds(ensures.condition, driver)? {
                return Err(failed(FailureKind::Ensures(procedure, index), place));
            }
        }
        for (index, ensures) in data.ensures.iter().enumerate().filter(|(_, ensures)| !checked(ensures)) {
            if !self.machine.holds(ensures.condition, driver)? {
                return Err(Assumption::Ensures(procedure, index).into());
            }
        }
        self.observe(Event::Left(place), driver)?;
        let values = self.results(data);
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        if self.frames.is_empty() {
            // The variables of the outermost procedure stay readable.
            self.end_thread(values);
            return Ok(());
        }
        self.close();
        for (&target, value) in frame.targets.iter().zip(values) {
            self.machine.set(target, value);
        }
        let call = self.frames.last().map(Frame::place);
        self.advance();
        match call {
            Some(call) => self.observe(Event::Returned(call), driver),
            None => Ok(()),
        }
    }
}

/// How a body begins. What is assumed without a check about the arguments (`free requires`, `where` of
/// parameters) is assumed only where the run begins: a caller's execution goes on whatever it has passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entering {
    /// The run begins with it.
    First,
    /// Another body calls it.
    Called,
}

/// How a call was made.
#[derive(PartialEq)]
enum Called {
    /// The body runs now.
    Body,
    /// It is over.
    Contract,
}

fn failed(kind: FailureKind, place: Place) -> End {
    End::Outcome(Outcome::Failed(Failure { kind, place }))
}

/// The globals whose old values are named in the specification or the body of a procedure.
fn old_variables(program: &Program, data: &ProcedureData) -> Vec<Variable> {
    let specifications = data.requires.iter().chain(&data.ensures).map(|clause| clause.condition);
    let mut roots: Vec<Expr> = specifications.collect();
    for block in data.body.iter().flat_map(|body| body.blocks.values()) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(assignments) => {
                    roots.extend(assignments.iter().map(|(_, value)| *value))
                }
                StatementKind::Assume(condition) | StatementKind::Assert(_, condition) => {
                    roots.push(*condition)
                }
                StatementKind::Call { arguments, .. } => roots.extend(arguments),
                StatementKind::Fork { thread, arguments, .. } => roots.extend(thread.iter().chain(arguments)),
                StatementKind::Join { thread, .. } => roots.extend(thread),
                StatementKind::Havoc(_) | StatementKind::Atomic(_) => {}
            }
        }
        if let Transfer::Branch { condition, .. } = block.transfer {
            roots.push(condition);
        }
    }
    let mut found: Vec<Variable> = program
        .expressions
        .post_order(roots)
        .into_iter()
        .filter_map(|expr| match program.expressions[expr] {
            ExprData::Old(variable) => Some(variable),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
