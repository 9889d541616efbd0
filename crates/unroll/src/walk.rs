//! Statements, calls and loops.

use crate::clauses::{Clauses, Encoder};
use crate::gates::{Bit, Gates};
use crate::induction::{Inducted, stays};
use crate::numbers::Bits;
use crate::order::{Order, Visit};
use crate::state::{Guard, Slot, State};
use crate::values::{Range, Store, Value};
use base::{Budget, Interrupted, PrimaryMap};
use float::Operation;
use ir::claims::{Paths, What};
use ir::induction::Induction;
use ir::{
    BinaryOp, Block, Body, Expr, ExprData, Procedure, ProcedureData, Program, Statement, StatementKind,
    Transfer, Type, Variable,
};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use sat::Lit;
use std::collections::BTreeMap;
use std::rc::Rc;

/// So many gates take about as long as a unit of an SMT solver's work.
const GATES_PER_UNIT: usize = 4;
/// So many statements that make no gates do: a program without inputs has no others.
const STEPS_PER_UNIT: u64 = 4;

/// When something is computed: in which call (numbered as they are entered, the first procedure is zero), in which visit
/// of a block, and at which statement. The number behind the last statement stands for the end of the block.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Moment {
    /// The call.
    pub call: u32,
    /// The visit; empty when a procedure is entered.
    pub visit: Visit,
    /// The statement.
    pub statement: u32,
}

impl Moment {
    /// The statement of what happens when a procedure is entered.
    pub const ENTRY: u32 = u32::MAX;
    /// The statement of what happens when a round of a loop begins.
    pub const HEAD: u32 = u32::MAX - 1;
}

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Whether a visit is reached.
    Visit,
    /// Whether a call is made.
    Call,
    /// The value of an expression in a frame: zero for that of the statement, others for bodies of functions.
    Value(u64, Expr),
    /// The value of an expression, as an index of a map.
    Index(u64, Expr),
    /// The value of a variable, for the fact of an induction that has a position.
    Variable(u32, Variable),
}

/// Brings claims, and takes clauses.
pub trait Guide: Clauses {
    /// What is claimed at a question, about a value if there is one.
    fn claim(&mut self, question: u64, subject: Subject, value: Option<&Value>) -> Option<What>;

    /// Whether the claim that was made last is used. The literal must be impossible then; there is none if it obviously is.
    fn uses(&mut self, obligation: Option<Lit>) -> Result<bool, Interrupted>;

    /// What follows is at another moment.
    fn moment(&mut self, _moment: &Moment) {}

    /// The call of the current moment is entered, with a number.
    fn enters(&mut self, _call: u32) {}
}

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The budget was tripped.
    Interrupted(Interrupted),
    /// It becomes too large, or the program has something that cannot be unrolled, or a claim makes no sense.
    Refused(&'static str),
}

impl From<Interrupted> for Halt {
    fn from(interrupted: Interrupted) -> Halt {
        Halt::Interrupted(interrupted)
    }
}

/// How large it may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many gates.
    pub gates: usize,
    /// How many statements.
    pub steps: u64,
    /// How many procedures may be active at once.
    pub call_depth: usize,
    /// How many branches with an open condition may be on one path, if paths are kept apart.
    pub decisions: u32,
}

/// Unrolls a procedure of a program.
pub struct Unroller<'p, 'g> {
    pub(crate) program: &'p Program,
    pub(crate) store: Store<'p>,
    pub(crate) budget: Budget,
    pub(crate) slots: PrimaryMap<Variable, Slot>,
    pub(crate) guide: &'g mut dyn Guide,
    encoder: Encoder,
    questions: u64,
    /// What must be impossible.
    pub(crate) obligations: Vec<Bit>,
    obliged: FxHashSet<Bit>,
    pub(crate) inductions: Vec<Induction>,
    pub(crate) paths: Paths,
    /// Whether nothing fails where we are, as an induction supposes.
    pub(crate) supposing: bool,
    orders: FxHashMap<Procedure, Rc<Order>>,
    /// Results of floating-point operations that have no circuit.
    pub(crate) floats: FxHashMap<(Operation, Vec<Bits>), Value>,
    /// The integers that floating-point numbers are, by their bit patterns.
    pub(crate) integers: FxHashMap<Bits, Bits>,
    /// How many gates floating-point operations have.
    pub(crate) float_gates: usize,
    pub(crate) calls: u32,
    pub(crate) active: usize,
    pub(crate) limits: Limits,
    steps: u64,
    charged: usize,
}

impl<'p, 'g> Unroller<'p, 'g> {
    /// Prepares a well-formed program, some of whose loops are shown by induction.
    pub fn new(
        program: &'p Program,
        inductions: &[Induction],
        guide: &'g mut dyn Guide,
        limits: Limits,
        budget: Budget,
    ) -> Unroller<'p, 'g> {
        Unroller {
            program,
            store: Store::new(&program.types),
            budget,
            slots: slots(program),
            guide,
            encoder: Encoder::default(),
            questions: 0,
            obligations: Vec::new(),
            obliged: FxHashSet::default(),
            inductions: inductions.to_vec(),
            paths: Paths::Merged,
            supposing: false,
            orders: FxHashMap::default(),
            floats: FxHashMap::default(),
            integers: FxHashMap::default(),
            float_gates: 0,
            calls: 1,
            active: 0,
            limits,
            steps: 0,
            charged: 0,
        }
    }

    /// The unrolling in which paths are merged or kept apart.
    pub fn with_paths(mut self, paths: Paths) -> Unroller<'p, 'g> {
        self.paths = paths;
        self
    }

    /// The gates.
    pub fn gates(&self) -> &Gates {
        &self.store.gates
    }

    /// How many statements were unrolled.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What must be impossible, each by itself.
    pub fn obligations(&self) -> &[Bit] {
        &self.obligations
    }

    /// Completes the clauses: some obligation is true. They must be contradictory. The number of variables.
    pub fn question(&mut self) -> u32 {
        let goal = self.store.gates.any(self.obligations.iter().copied());
        let goal = self.encoder.literal(&self.store.gates, goal, self.guide);
        self.guide.clause(&[goal]);
        self.encoder.count()
    }

    /// Unrolls a procedure with a body. To be called once.
    pub fn run(&mut self, procedure: Procedure) -> Result<(), Halt> {
        let program = self.program;
        let globals = program.constants.len() + program.globals.len();
        let mut state = State {
            globals: Rc::new(vec![Value::Opaque; globals]),
            locals: Vec::new(),
            olds: Rc::default(),
            guard: Guard::default(),
            decisions: 0,
        };
        self.guide.moment(&Moment { call: 0, visit: Visit(Vec::new()), statement: Moment::ENTRY });
        for &variable in program.constants.iter().chain(&program.globals) {
            self.choose(&mut state, variable);
        }
        for axiom in &program.axioms {
            self.assume(&mut state, axiom.formula)?;
        }
        for &global in &program.globals {
            self.assume_where(&mut state, global)?;
        }
        let data = &program.procedures[procedure];
        state.locals = vec![Value::Opaque; variables(data).count()];
        for &parameter in &data.parameters {
            self.choose(&mut state, parameter);
        }
        match self.paths {
            Paths::Merged => self.body(procedure, state, 0).map(|_| ()),
            Paths::Apart => self.body_apart(procedure, state, 0).map(|_| ()),
        }
    }

    /// Asks whether something is claimed.
    pub(crate) fn claimed(&mut self, subject: Subject, value: Option<&Value>) -> Option<What> {
        let question = self.questions;
        self.questions += 1;
        self.guide.claim(question, subject, value)
    }

    /// Whether the claim that was made last is used, if it fails exactly where a bit is true.
    pub(crate) fn uses(&mut self, fails: Bit) -> Result<bool, Halt> {
        if fails == Bit::FALSE {
            return Ok(self.guide.uses(None)?);
        }
        let literal = self.encoder.literal(&self.store.gates, fails, self.guide);
        let used = self.guide.uses(Some(literal))?;
        if used {
            self.oblige(fails);
        }
        Ok(used)
    }

    /// A bit must be impossible.
    pub(crate) fn oblige(&mut self, bit: Bit) {
        if bit != Bit::FALSE && self.obliged.insert(bit) {
            self.obligations.push(bit);
        }
    }

    /// Whether it is claimed, and therefore to be shown, that a state is not reached.
    pub(crate) fn is_unreached(&mut self, subject: Subject, state: &State) -> Result<bool, Halt> {
        if state.guard.all() == Bit::TRUE {
            return Ok(false);
        }
        match self.claimed(subject, None) {
            None => Ok(false),
            Some(What::Unreached) => self.uses(state.guard.all()),
            Some(_) => Err(Halt::Refused("a claim about a value where there is none")),
        }
    }

    /// Counts work; says when it becomes too much.
    pub(crate) fn step(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        let gates = self.store.gates.count();
        let units = (gates - self.charged) / GATES_PER_UNIT;
        self.charged += units * GATES_PER_UNIT;
        self.budget.spend(units as u64);
        if self.steps.is_multiple_of(STEPS_PER_UNIT) {
            self.budget.check()?;
        }
        if gates > self.limits.gates || self.steps > self.limits.steps {
            return Err(Halt::Refused("the unwinding becomes too large"));
        }
        Ok(())
    }

    /// The variable gets any value.
    fn choose(&mut self, state: &mut State, variable: Variable) {
        let range = self.range(variable);
        let value = self.store.open(self.program.variables[variable].ty, range);
        state.set(self.slots[variable], value);
    }

    /// The range of an integer whose `where` clause is `0 <= x && x <= 2^n - 1`, or `-2^n <= x && x <= 2^n - 1`.
    fn range(&self, variable: Variable) -> Option<Range> {
        let data = &self.program.variables[variable];
        let expressions = &self.program.expressions;
        let at_most = |expr: Expr| match &expressions[expr] {
            ExprData::Binary(BinaryOp::LessEqual, low, high) => Some((*low, *high)),
            _ => None,
        };
        let number = |expr: Expr| match &expressions[expr] {
            ExprData::Int(number) => Some(number),
            _ => None,
        };
        let ExprData::Binary(BinaryOp::And, left, right) = &expressions[data.where_clause?] else {
            return None;
        };
        let ((low, itself), (again, high)) = (at_most(*left)?, at_most(*right)?);
        let is_it = |expr: Expr| matches!(expressions[expr], ExprData::Variable(other) if other == variable);
        if data.ty != Type::INT || !is_it(itself) || !is_it(again) {
            return None;
        }
        let (low, high) = (number(low)?, number(high)?);
        let count: BigInt = high + 1;
        let bits = count.bits().checked_sub(1).filter(|&bits| bits < 1_000)?;
        let signed = *low != BigInt::ZERO;
        let whole = count == BigInt::from(1) << bits && (!signed || *low == -count);
        whole.then_some(Range { bits: bits as u32, signed })
    }

    fn assume_where(&mut self, state: &mut State, variable: Variable) -> Result<(), Halt> {
        match self.program.variables[variable].where_clause {
            Some(clause) => self.assume(state, clause),
            None => Ok(()),
        }
    }

    /// The state goes on where the condition holds.
    fn assume(&mut self, state: &mut State, condition: Expr) -> Result<(), Halt> {
        let bit = self.condition(condition, state)?;
        self.suppose(state, bit);
        Ok(())
    }

    pub(crate) fn suppose(&mut self, state: &mut State, bit: Bit) {
        if bit == Bit::TRUE {
            return;
        }
        match self.paths {
            Paths::Merged => state.guard = state.guard.and(bit, &mut self.store.gates),
            Paths::Apart => self.suppose_apart(state, bit),
        }
    }

    /// What must hold; the state goes on where it does.
    fn check(&mut self, state: &mut State, condition: Expr) -> Result<(), Halt> {
        let bit = self.condition(condition, state)?;
        self.must_hold(state, bit);
        Ok(())
    }

    pub(crate) fn must_hold(&mut self, state: &mut State, bit: Bit) {
        let bit = self.settled(state, bit);
        if !self.supposing {
            let fails = self.store.gates.and(state.guard.all(), !bit);
            self.oblige(fails);
        }
        self.suppose(state, bit);
    }

    fn order(&mut self, procedure: Procedure, body: &Body) -> Rc<Order> {
        Rc::clone(self.orders.entry(procedure).or_insert_with(|| Rc::new(Order::new(body))))
    }

    /// A procedure whose parameters have their values is entered.
    pub(crate) fn enter(
        &mut self,
        procedure: Procedure,
        mut state: State,
        call: u32,
    ) -> Result<(&'p Body, State), Halt> {
        let data = &self.program.procedures[procedure];
        let Some(body) = &data.body else { return Err(Halt::Refused("a procedure without a body")) };
        if self.active >= self.limits.call_depth {
            return Err(Halt::Refused("too many calls are open at once"));
        }
        self.guide.moment(&Moment { call, visit: Visit(Vec::new()), statement: Moment::ENTRY });
        state.olds = Rc::clone(&state.globals);
        for &variable in data.results.iter().chain(&body.locals) {
            self.choose(&mut state, variable);
        }
        // What is only assumed about arguments is assumed only where the run begins: calls may pass anything.
        let is_first = call == 0;
        for requires in data.requires.iter().filter(|requires| is_first || !requires.free) {
            self.assume(&mut state, requires.condition)?;
        }
        for variable in variables(data) {
            let is_parameter = data.parameters.contains(&variable);
            if !is_parameter && self.range(variable).is_some() {
                // It was chosen from its range.
                continue;
            }
            if is_first || !is_parameter || self.program.variables[variable].is_established() {
                self.assume_where(&mut state, variable)?;
            }
        }
        Ok((body, state))
    }

    /// A body whose parameters have their values; the state at its end, with the procedure's variables.
    fn body(&mut self, procedure: Procedure, state: State, call: u32) -> Result<Option<State>, Halt> {
        let (body, state) = self.enter(procedure, state, call)?;
        let order = self.order(procedure, body);
        let inducted = Inducted::new(&self.inductions, procedure, &order);
        let mut walk =
            Walk { procedure, body, order, call, inducted, waiting: BTreeMap::new(), stay: 0, end: None };
        walk.waiting.insert(walk.order.first(body), (body.entry(), state));
        self.active += 1;
        let supposing = self.supposing;
        while let Some((visit, (block, state))) = walk.waiting.pop_first() {
            walk.stay = walk.inducted.supposed(&self.inductions, &visit);
            self.supposing = supposing || walk.stay > 0;
            self.visit(&mut walk, visit, block, state)?;
        }
        self.supposing = supposing;
        self.active -= 1;
        Ok(walk.end)
    }

    /// Whether a visit is followed.
    fn is_followed(
        &mut self,
        walk: &Walk<'p>,
        visit: &Visit,
        block: Block,
        state: &mut State,
    ) -> Result<bool, Halt> {
        if state.is_unreached() {
            return Ok(false);
        }
        self.guide.moment(&Moment { call: walk.call, visit: visit.clone(), statement: Moment::HEAD });
        let round = walk.order.round(visit, block);
        match (round, walk.inducted.position(walk.order.place(block))) {
            (Some(round), Some(position)) => {
                self.begin_round((position, walk.body, &walk.order), state, round)?;
                Ok(!state.is_unreached())
            }
            _ => Ok(!self.is_unreached(Subject::Visit, state)?),
        }
    }

    fn visit(
        &mut self,
        walk: &mut Walk<'p>,
        visit: Visit,
        block: Block,
        mut state: State,
    ) -> Result<(), Halt> {
        if !self.is_followed(walk, &visit, block, &mut state)? {
            return Ok(());
        }
        let data = &walk.body.blocks[block];
        let mut moment = Moment { call: walk.call, visit, statement: 0 };
        for (index, statement) in data.statements.iter().enumerate() {
            self.step()?;
            moment.statement = index as u32;
            self.guide.moment(&moment);
            match self.statement(statement, state)? {
                Some(next) if !next.is_unreached() => state = next,
                _ => return Ok(()),
            }
        }
        self.step()?;
        moment.statement = data.statements.len() as u32;
        self.guide.moment(&moment);
        let visit = moment.visit;
        match &data.transfer {
            // A round that is supposed to be gone through is not left.
            Transfer::Return if walk.stay > 0 => {}
            Transfer::Return => self.leave(walk, state)?,
            Transfer::Goto(targets) => {
                let Some((&last, others)) = targets.split_last() else { return Ok(()) };
                for &target in others {
                    let mut taken = state.clone();
                    let bit = self.store.gates.input();
                    self.suppose(&mut taken, bit);
                    self.suppose(&mut state, !bit);
                    self.arrive(walk, &visit, (block, target), taken);
                }
                self.arrive(walk, &visit, (block, last), state);
            }
            Transfer::Branch { condition, then, otherwise } => {
                let bit = self.condition(*condition, &mut state)?;
                match bit.constant() {
                    Some(true) => self.arrive(walk, &visit, (block, *then), state),
                    Some(false) => self.arrive(walk, &visit, (block, *otherwise), state),
                    None => {
                        let mut other = state.clone();
                        self.suppose(&mut state, bit);
                        self.suppose(&mut other, !bit);
                        self.arrive(walk, &visit, (block, *then), state);
                        self.arrive(walk, &visit, (block, *otherwise), other);
                    }
                }
            }
        }
        Ok(())
    }

    /// A state goes from one block to another.
    fn arrive(&mut self, walk: &mut Walk<'p>, visit: &Visit, (from, to): (Block, Block), state: State) {
        if state.is_unreached() {
            return;
        }
        let next = walk.order.next(visit, from, to);
        // A round that is supposed to be gone through is not left.
        if !stays(walk.stay, visit, &next) {
            return;
        }
        let state = match walk.waiting.remove(&next) {
            Some((_, other)) => self.merge(other, state),
            None => state,
        };
        walk.waiting.insert(next, (to, state));
    }

    /// Two states of which at most one is reached by an execution.
    fn merge(&mut self, a: State, b: State) -> State {
        let gates = &mut self.store.gates;
        let (shared, adds_a, adds_b) = a.guard.split(&b.guard, gates);
        let either = gates.or(adds_a, adds_b);
        let guard = if adds_a == !adds_b || either == Bit::TRUE { shared } else { shared.and(either, gates) };
        let mut merge = |x: &Value, y: &Value| self.store.merge(adds_a, x, y);
        let globals = if Rc::ptr_eq(&a.globals, &b.globals) {
            a.globals
        } else {
            Rc::new(a.globals.iter().zip(b.globals.iter()).map(|(x, y)| merge(x, y)).collect())
        };
        let locals = a.locals.iter().zip(&b.locals).map(|(x, y)| merge(x, y)).collect();
        State { globals, locals, olds: a.olds, guard, decisions: 0 }
    }

    /// A procedure returns.
    fn leave(&mut self, walk: &mut Walk<'p>, mut state: State) -> Result<(), Halt> {
        self.ensure(walk.procedure, &mut state)?;
        if !state.is_unreached() {
            walk.end = Some(match walk.end.take() {
                Some(other) => self.merge(other, state),
                None => state,
            });
        }
        Ok(())
    }

    /// What holds, or is to hold, when a procedure returns.
    pub(crate) fn ensure(&mut self, procedure: Procedure, state: &mut State) -> Result<(), Halt> {
        let data = &self.program.procedures[procedure];
        for ensures in data.ensures.iter().filter(|ensures| !ensures.free) {
            self.check(state, ensures.condition)?;
        }
        for ensures in data.ensures.iter().filter(|ensures| ensures.free) {
            self.assume(state, ensures.condition)?;
        }
        Ok(())
    }

    /// A statement; nothing if no execution goes on behind it.
    pub(crate) fn statement(
        &mut self,
        statement: &'p Statement,
        mut state: State,
    ) -> Result<Option<State>, Halt> {
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                let mut values = Vec::with_capacity(assignments.len());
                for &(_, value) in assignments {
                    values.push(self.value(value, &mut state)?);
                }
                for (&(variable, _), value) in assignments.iter().zip(values) {
                    state.set(self.slots[variable], value);
                }
            }
            StatementKind::Havoc(variables) => {
                for &variable in variables {
                    self.choose(&mut state, variable);
                }
                for &variable in variables {
                    if self.range(variable).is_none() {
                        self.assume_where(&mut state, variable)?;
                    }
                }
            }
            StatementKind::Assume(condition) => self.assume(&mut state, *condition)?,
            StatementKind::Assert(_, condition) => self.check(&mut state, *condition)?,
            StatementKind::Call { procedure, arguments, results } => {
                let mut values = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    values.push(self.value(argument, &mut state)?);
                }
                return self.call(*procedure, values, results, state);
            }
            StatementKind::Fork { .. } | StatementKind::Join { .. } => return Err(Halt::Refused("threads")),
            // There is only one thread.
            StatementKind::Atomic(_) => {}
        }
        Ok(Some(state))
    }

    fn call(
        &mut self,
        procedure: Procedure,
        arguments: Vec<Value>,
        results: &[Variable],
        state: State,
    ) -> Result<Option<State>, Halt> {
        let (caller, state) = self.pass(procedure, arguments, state)?;
        if state.is_unreached() {
            return Ok(None);
        }
        let data = &self.program.procedures[procedure];
        let state = if data.body.is_some() {
            if self.is_unreached(Subject::Call, &state)? {
                return Ok(None);
            }
            let call = self.next_call();
            match self.body(procedure, state, call)? {
                Some(state) => state,
                None => return Ok(None),
            }
        } else {
            self.contract(data, state)?
        };
        Ok(Some(self.returned(procedure, state, &caller, results)))
    }

    /// The number of a call that is entered now.
    pub(crate) fn next_call(&mut self) -> u32 {
        let call = self.calls;
        self.calls += 1;
        self.guide.enters(call);
        call
    }

    /// Arguments are passed, and what the procedure requires is checked.
    pub(crate) fn pass(
        &mut self,
        procedure: Procedure,
        arguments: Vec<Value>,
        mut state: State,
    ) -> Result<(Caller, State), Halt> {
        let data = &self.program.procedures[procedure];
        let locals = std::mem::replace(&mut state.locals, arguments);
        state.locals.resize(variables(data).count(), Value::Opaque);
        let olds = std::mem::replace(&mut state.olds, Rc::clone(&state.globals));
        for requires in data.requires.iter().filter(|requires| !requires.free) {
            self.check(&mut state, requires.condition)?;
        }
        Ok((Caller { locals, olds }, state))
    }

    /// A procedure has returned to its caller.
    pub(crate) fn returned(
        &self,
        procedure: Procedure,
        mut state: State,
        caller: &Caller,
        results: &[Variable],
    ) -> State {
        let data = &self.program.procedures[procedure];
        let value = |&result: &Variable| state.get(self.slots[result]).cloned().unwrap_or(Value::Opaque);
        let values: Vec<Value> = data.results.iter().map(value).collect();
        state.locals.clone_from(&caller.locals);
        state.olds = Rc::clone(&caller.olds);
        for (&target, value) in results.iter().zip(values) {
            state.set(self.slots[target], value);
        }
        state
    }

    /// A procedure without a body does anything that its contract allows.
    pub(crate) fn contract(&mut self, data: &ProcedureData, mut state: State) -> Result<State, Halt> {
        for &variable in data.modifies.iter().chain(&data.results) {
            self.choose(&mut state, variable);
        }
        for &variable in data.modifies.iter().chain(&data.results) {
            self.assume_where(&mut state, variable)?;
        }
        for ensures in &data.ensures {
            self.assume(&mut state, ensures.condition)?;
        }
        Ok(state)
    }
}

/// What a caller has while the procedure that it calls runs.
pub(crate) struct Caller {
    locals: Vec<Value>,
    olds: Rc<Vec<Value>>,
}

/// A body while it is unrolled.
struct Walk<'p> {
    procedure: Procedure,
    body: &'p Body,
    order: Rc<Order>,
    call: u32,
    inducted: Inducted,
    /// States that wait for their visits.
    waiting: BTreeMap<Visit, (Block, State)>,
    /// So many of the loops around the current visit are not left.
    stay: usize,
    /// The state in which the body ends.
    end: Option<State>,
}

/// Parameters, results and locals, in the order of their slots.
fn variables(data: &ProcedureData) -> impl Iterator<Item = Variable> + '_ {
    let locals = data.body.iter().flat_map(|body| &body.locals);
    data.parameters.iter().chain(&data.results).chain(locals).copied()
}

fn slots(program: &Program) -> PrimaryMap<Variable, Slot> {
    let mut slots: PrimaryMap<Variable, Slot> = program.variables.keys().map(|_| Slot::Nowhere).collect();
    for (index, &variable) in program.constants.iter().chain(&program.globals).enumerate() {
        slots[variable] = Slot::Global(index);
    }
    for data in program.procedures.values() {
        for (index, variable) in variables(data).enumerate() {
            slots[variable] = Slot::Local(index);
        }
    }
    slots
}
