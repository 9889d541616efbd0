//! Statements, calls and loops.

use crate::circuit::{Bit, Circuit};
use crate::facts::{Comparisons, Facts};
use crate::flow::{Flow, Visit};
use crate::induction::{Beginning, Broken, Inducted, stays};
use crate::record::{Record, Subject};
use crate::state::{Guard, Slot, State};
use crate::values::{Choice, ChoiceData, Range, Store, Value};
use crate::words::Bits;
use base::{Budget, EntityRef, Interrupted, PrimaryMap};
use float::Operation;
use ir::induction::Induction;
use ir::interpreter::Place;
use ir::{
    BinaryOp, Block, Body, Expr, ExprData, Procedure, ProcedureData, Program, Specification, Statement,
    StatementKind, Transfer, Type, Variable, VariableKind,
};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many gates take about as long as a unit of an SMT solver's work.
const GATES_PER_UNIT: usize = 4;

/// The number of the procedure with which the run begins, among the calls.
const FIRST: u32 = 0;

/// Whether to follow a loop or a recursion further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Follow it.
    Continue,
    /// It cannot go on: the condition is never true, which has to be shown.
    Impossible,
    /// It may go on, but is not followed; the unwinding is not complete.
    Leave,
}

/// Decides how far loops and recursions are followed whose end depends on inputs.
pub trait Oracle {
    /// Shall what is reached under the condition be followed, after so many iterations that depend on inputs?
    fn decide(&mut self, circuit: &Circuit, condition: Bit, iterations: u32)
    -> Result<Decision, Interrupted>;

    /// Shall an iteration be followed that comes for certain? If not, the unwinding is not complete.
    fn follows(&self, _circuit: &Circuit, _iteration: u32) -> bool {
        true
    }
}

/// Why an unwinding has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The budget was tripped.
    Interrupted(Interrupted),
    /// It becomes too large, or the program has something that cannot be unwound.
    Unsupported(&'static str),
}

impl From<Interrupted> for Halt {
    fn from(interrupted: Interrupted) -> Halt {
        Halt::Interrupted(interrupted)
    }
}

/// How large an unwinding may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many gates.
    pub gates: usize,
    /// How many statements.
    pub steps: u64,
    /// How many procedures may be active at once.
    pub call_depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        // A gate with its clauses takes some 250 bytes in the SAT solver.
        Limits { gates: 1_800_000, steps: 1_000_000, call_depth: 1_000 }
    }
}

/// Something that must not be true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// When it fails.
    pub bit: Bit,
    /// Where.
    pub place: Place,
}

/// The place of a choice: the call, the visit of a block, and the statement; [`ENTRY`] for what happens before the first.
pub(crate) type Moment = (u32, Visit, u32);

pub(crate) const ENTRY: u32 = u32::MAX;

/// The statement of what happens when a round of a loop begins.
pub(crate) const HEAD: u32 = u32::MAX - 1;

/// Unwinds a procedure of a program.
pub struct Unwinder<'p> {
    pub(crate) program: &'p Program,
    pub(crate) store: Store<'p>,
    pub(crate) budget: Budget,
    pub(crate) slots: PrimaryMap<Variable, Slot>,
    /// What gates stand for, wherever they occur.
    pub(crate) comparisons: Comparisons,
    /// What gates stand for in the state in which a condition was evaluated last.
    pub(crate) here: Comparisons,
    /// Results of floating-point operations that are not followed into their circuits.
    pub(crate) floats: FxHashMap<(Operation, Vec<Bits>), Value>,
    /// The integers that floating-point numbers are, in two's complement, by their bit patterns.
    pub(crate) integers: FxHashMap<Bits, Bits>,
    /// How many gates floating-point operations have.
    pub(crate) float_gates: usize,
    /// Why something is possible here that is not possible in the program, if that is so.
    pub imprecise: Option<&'static str>,
    /// What must not be true.
    pub failures: Vec<Failure>,
    /// What the oracle has called impossible.
    pub impossible: Vec<Bit>,
    /// What was not followed.
    pub open: Vec<Bit>,
    /// The loops that were not followed further.
    pub open_loops: BTreeSet<(Procedure, Block)>,
    /// The loops that are shown by induction.
    pub(crate) inductions: Vec<Induction>,
    /// Facts of inductions, where they must not be broken.
    pub broken: Vec<Broken>,
    /// The values with which rounds begin, if somebody wants to know.
    pub beginnings: Vec<Beginning>,
    pub(crate) watch: bool,
    /// What was known, if somebody wants to know.
    pub record: Option<Box<Record>>,
    /// Whether nothing fails where we are, as an induction supposes.
    pub(crate) supposing: bool,
    pub(crate) flows: FxHashMap<Procedure, Rc<Flow>>,
    pub(crate) chosen: FxHashMap<(Moment, Variable), Choice>,
    pub(crate) jumps: FxHashMap<(u32, Visit), Vec<Bit>>,
    pub(crate) calls: FxHashMap<Moment, u32>,
    next_call: u32,
    active: Vec<Procedure>,
    limits: Limits,
    steps: u64,
    charged: usize,
}

impl<'p> Unwinder<'p> {
    /// Prepares the unwinding of a well-formed program.
    pub fn new(program: &'p Program, limits: Limits, budget: Budget) -> Unwinder<'p> {
        Unwinder {
            program,
            store: Store::new(&program.types),
            budget,
            slots: slots(program),
            comparisons: Comparisons::default(),
            here: Comparisons::default(),
            floats: FxHashMap::default(),
            integers: FxHashMap::default(),
            float_gates: 0,
            imprecise: None,
            failures: Vec::new(),
            impossible: Vec::new(),
            open: Vec::new(),
            open_loops: BTreeSet::new(),
            inductions: Vec::new(),
            broken: Vec::new(),
            beginnings: Vec::new(),
            watch: false,
            record: None,
            supposing: false,
            flows: FxHashMap::default(),
            chosen: FxHashMap::default(),
            jumps: FxHashMap::default(),
            calls: FxHashMap::default(),
            next_call: 1,
            active: Vec::new(),
            limits,
            steps: 0,
            charged: 0,
        }
    }

    /// The unwinding that writes down what it knows.
    pub fn with_record(mut self) -> Unwinder<'p> {
        self.record = Some(Box::default());
        self
    }

    fn at_moment(&mut self, moment: &Moment) {
        if let Some(record) = &mut self.record {
            record.moment(moment);
        }
    }

    /// The gates.
    pub fn circuit(&self) -> &Circuit {
        &self.store.circuit
    }

    /// How many statements were unwound.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// One of these bits.
    pub fn any(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::FALSE, |any, bit| self.store.circuit.or(any, bit))
    }

    /// Unwinds a procedure with a body. To be called once.
    pub fn run(&mut self, procedure: Procedure, oracle: &mut dyn Oracle) -> Result<(), Halt> {
        let program = self.program;
        let mut state = State {
            globals: Rc::new(vec![Value::Opaque; program.constants.len() + program.globals.len()]),
            locals: Vec::new(),
            olds: Rc::default(),
            guard: Guard::always(),
            facts: Facts::default(),
        };
        let start: Moment = (0, Visit(Vec::new()), ENTRY);
        self.at_moment(&start);
        for &variable in program.constants.iter().chain(&program.globals) {
            self.choose(&mut state, variable, &start);
        }
        for axiom in &program.axioms {
            self.assume(&mut state, axiom.formula)?;
        }
        for &global in &program.globals {
            self.assume_where(&mut state, global)?;
        }
        let data = &program.procedures[procedure];
        let count = variables(data).count();
        state.locals = vec![Value::Opaque; count];
        for &parameter in &data.parameters {
            self.choose(&mut state, parameter, &start);
        }
        self.body(procedure, state, FIRST, oracle)?;
        if let Some(record) = &mut self.record {
            record.close();
        }
        Ok(())
    }

    /// Counts work; says when it becomes too much.
    fn step(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        let gates = self.store.circuit.len();
        let units = (gates - self.charged) / GATES_PER_UNIT;
        // A step without gates is work as well: a program without inputs has no others.
        self.budget.spend(1 + units as u64);
        self.charged += units * GATES_PER_UNIT;
        self.budget.check()?;
        if gates > self.limits.gates || self.steps > self.limits.steps {
            return Err(Halt::Unsupported("the unwinding becomes too large"));
        }
        Ok(())
    }

    fn choose(&mut self, state: &mut State, variable: Variable, moment: &Moment) {
        let data = &self.program.variables[variable];
        let choice = self.store.choices.push(ChoiceData { ty: data.ty, range: self.range(variable) });
        self.chosen.insert((moment.clone(), variable), choice);
        state.set(self.slots[variable], Value::Unread(choice));
    }

    /// The range of a variable whose `where` clause names one that is a number of bits.
    fn range(&self, variable: Variable) -> Option<Range> {
        let data = &self.program.variables[variable];
        let expressions = &self.program.expressions;
        let ExprData::Binary(BinaryOp::And, left, right) = &expressions[data.where_clause?] else {
            return None;
        };
        let (
            ExprData::Binary(BinaryOp::LessEqual, low, own),
            ExprData::Binary(BinaryOp::LessEqual, same, high),
        ) = (&expressions[*left], &expressions[*right])
        else {
            return None;
        };
        let itself = |expr: Expr| matches!(expressions[expr], ExprData::Variable(v) if v == variable);
        let (ExprData::Int(low), ExprData::Int(high)) = (&expressions[*low], &expressions[*high]) else {
            return None;
        };
        let bits = (high + 1_u32).bits().checked_sub(1)?;
        let power = BigInt::one() << bits;
        let signed = !low.is_zero();
        let fits = itself(*own) && itself(*same) && high + 1_u32 == power && (!signed || *low == -power);
        (fits && data.ty == Type::INT && bits < 1_000).then_some(Range { bits: bits as u32, signed })
    }

    fn assume_where(&mut self, state: &mut State, variable: Variable) -> Result<(), Halt> {
        match self.program.variables[variable].where_clause {
            Some(clause) => self.assume(state, clause),
            None => Ok(()),
        }
    }

    fn assume(&mut self, state: &mut State, condition: Expr) -> Result<(), Halt> {
        let (bit, here) = self.decided(state, condition)?;
        self.suppose(state, bit, &here);
        Ok(())
    }

    /// A condition, by what is known, and what its gates stand for in this state.
    fn decided(&mut self, state: &State, condition: Expr) -> Result<(Bit, Comparisons), Halt> {
        self.here = Comparisons::default();
        let bit = self.condition(condition, state)?;
        let decided = state.facts.bit(bit);
        if decided != bit {
            self.note_known(Subject::Value(0, condition), &Value::Bool(decided));
        }
        Ok((decided, std::mem::take(&mut self.here)))
    }

    pub(crate) fn suppose(&mut self, state: &mut State, bit: Bit, here: &Comparisons) {
        if bit != Bit::TRUE {
            state.guard = state.guard.and(bit, &mut self.store.circuit);
            state.facts.suppose(bit, &self.store.circuit, [here, &self.comparisons]);
        }
    }

    /// What must hold; the state goes on where it does.
    fn check(&mut self, state: &mut State, condition: Expr, place: Place) -> Result<(), Halt> {
        let (bit, here) = self.decided(state, condition)?;
        let fails = self.store.circuit.and(state.guard.all(), !bit);
        if fails != Bit::FALSE && !self.supposing {
            self.failures.push(Failure { bit: fails, place });
        }
        self.suppose(state, bit, &here);
        Ok(())
    }

    /// Runs the body of a procedure whose parameters have their values; the state at its end, with the procedure's variables.
    fn body(
        &mut self,
        procedure: Procedure,
        mut state: State,
        call: u32,
        oracle: &mut dyn Oracle,
    ) -> Result<Option<State>, Halt> {
        let data = &self.program.procedures[procedure];
        let Some(body) = &data.body else { return Err(Halt::Unsupported("a procedure without a body")) };
        if self.active.len() >= self.limits.call_depth {
            return Err(Halt::Unsupported("recursion that goes on for a thousand calls"));
        }
        let flow = match self.flows.get(&procedure) {
            Some(flow) => Rc::clone(flow),
            None => {
                let flow = Rc::new(Flow::new(body));
                self.flows.insert(procedure, Rc::clone(&flow));
                flow
            }
        };
        state.olds = Rc::clone(&state.globals);
        let entry: Moment = (call, Visit(Vec::new()), ENTRY);
        self.at_moment(&entry);
        for &variable in data.results.iter().chain(&body.locals) {
            self.choose(&mut state, variable, &entry);
        }
        // What is assumed without a check about arguments is assumed only where the run begins.
        let first = call == FIRST;
        for requires in data.requires.iter().filter(|requires| first || !requires.free) {
            self.assume(&mut state, requires.condition)?;
        }
        for variable in variables(data) {
            let is_parameter = data.parameters.contains(&variable);
            let implied = !is_parameter && self.range(variable).is_some();
            let is_known = first || !is_parameter || self.program.variables[variable].is_established();
            if !implied && is_known {
                self.assume_where(&mut state, variable)?;
            }
        }
        self.active.push(procedure);
        let mut walk = Walk {
            procedure,
            body,
            inducted: Inducted::new(&self.inductions, procedure, &flow),
            flow,
            call,
            pending: BTreeMap::new(),
            heads: FxHashMap::default(),
            stay: 0,
            end: None,
        };
        let visit = walk.flow.entry(body);
        walk.pending.insert(visit, (body.entry(), state));
        let supposing = self.supposing;
        while let Some((visit, (block, state))) = walk.pending.pop_first() {
            walk.stay = walk.inducted.supposed(&self.inductions, &visit);
            self.supposing = supposing || walk.stay > 0;
            self.visit(&mut walk, visit, block, state, oracle)?;
        }
        self.supposing = supposing;
        self.active.pop();
        Ok(walk.end)
    }

    /// A block in one of its visits.
    fn visit(
        &mut self,
        walk: &mut Walk<'p>,
        visit: Visit,
        block: Block,
        mut state: State,
        oracle: &mut dyn Oracle,
    ) -> Result<(), Halt> {
        if state.guard.all() == Bit::FALSE || !self.goes_on(walk, &visit, block, &mut state, oracle)? {
            return Ok(());
        }
        if let Some(record) = &mut self.record {
            record.visit(walk.call, &visit);
        }
        let data = &walk.body.blocks[block];
        for (index, statement) in data.statements.iter().enumerate() {
            self.step()?;
            let place = Place { procedure: walk.procedure, block, index };
            let moment = (walk.call, visit.clone(), index as u32);
            self.at_moment(&moment);
            match self.statement(statement, state, (place, moment), oracle)? {
                Some(next) if next.guard.all() != Bit::FALSE => state = next,
                _ => return Ok(()),
            }
        }
        self.step()?;
        self.at_moment(&(walk.call, visit.clone(), data.statements.len() as u32));
        match &data.transfer {
            // A loop whose rounds are supposed to be gone through is not left.
            Transfer::Return if walk.stay > 0 => {}
            Transfer::Return => {
                let place = Place { procedure: walk.procedure, block, index: data.statements.len() };
                self.leave(walk, state, place)?;
            }
            Transfer::Goto(targets) => {
                let mut rest = state;
                let mut bits = Vec::new();
                for (index, &target) in targets.iter().enumerate() {
                    if index + 1 == targets.len() {
                        self.arrive(walk, &visit, block, target, rest);
                        break;
                    }
                    let bit = self.store.circuit.input();
                    bits.push(bit);
                    let mut taken = rest.clone();
                    self.suppose(&mut taken, bit, &Comparisons::default());
                    self.suppose(&mut rest, !bit, &Comparisons::default());
                    self.arrive(walk, &visit, block, target, taken);
                }
                if !bits.is_empty() {
                    self.jumps.insert((walk.call, visit), bits);
                }
            }
            Transfer::Branch { condition, then, otherwise } => {
                let (bit, here) = self.decided(&state, *condition)?;
                match bit.as_constant() {
                    Some(true) => self.arrive(walk, &visit, block, *then, state),
                    Some(false) => self.arrive(walk, &visit, block, *otherwise, state),
                    None => {
                        let mut other = state.clone();
                        self.suppose(&mut state, bit, &here);
                        self.suppose(&mut other, !bit, &here);
                        self.arrive(walk, &visit, block, *then, state);
                        self.arrive(walk, &visit, block, *otherwise, other);
                    }
                }
            }
        }
        Ok(())
    }

    /// Is a visit to be followed? Iterations that come for certain are.
    fn goes_on(
        &mut self,
        walk: &mut Walk<'p>,
        visit: &Visit,
        block: Block,
        state: &mut State,
        oracle: &mut dyn Oracle,
    ) -> Result<bool, Halt> {
        let Some(iteration) = walk.flow.iteration(visit, block) else { return Ok(true) };
        if let Some(position) = walk.inducted.position(walk.flow.place(block)) {
            self.at_moment(&(walk.call, visit.clone(), HEAD));
            return Ok(self.begin_round((position, walk.body, &walk.flow), state, iteration));
        }
        let condition = state.guard.all();
        let mut head = visit.clone();
        let last = head.0.len() - 2;
        head.0[last].1 = 0;
        let known = walk.heads.entry(head).or_insert((condition, 0));
        if iteration == 0 {
            return Ok(true);
        }
        let before = self.open.len();
        let goes_on = if known.0 == condition {
            let follows = oracle.follows(&self.store.circuit, iteration);
            if !follows {
                self.open.push(condition);
            }
            follows
        } else {
            known.0 = condition;
            known.1 += 1;
            let count = known.1;
            self.ask(condition, count, oracle)?
        };
        if self.open.len() > before {
            self.open_loops.insert((walk.procedure, block));
        }
        Ok(goes_on)
    }

    fn ask(&mut self, condition: Bit, count: u32, oracle: &mut dyn Oracle) -> Result<bool, Halt> {
        match oracle.decide(&self.store.circuit, condition, count)? {
            Decision::Continue => Ok(true),
            Decision::Impossible => {
                self.impossible.push(condition);
                Ok(false)
            }
            Decision::Leave => {
                self.open.push(condition);
                Ok(false)
            }
        }
    }

    /// A state comes to a block.
    fn arrive(&mut self, walk: &mut Walk<'p>, visit: &Visit, from: Block, to: Block, state: State) {
        if state.guard.all() == Bit::FALSE {
            return;
        }
        let next = walk.flow.next(visit, from, to);
        // A loop whose rounds are supposed to be gone through is not left.
        if !stays(walk.stay, visit, &next) {
            return;
        }
        match walk.pending.remove(&next) {
            Some((_, other)) => {
                let merged = self.merge(other, state);
                walk.pending.insert(next, (to, merged));
            }
            None => {
                walk.pending.insert(next, (to, state));
            }
        }
    }

    /// Two states of which at most one is reached.
    fn merge(&mut self, a: State, b: State) -> State {
        let (common, of_a, of_b) = a.guard.fork(&b.guard, &mut self.store.circuit);
        let guard = if of_a == !of_b {
            common
        } else {
            let either = self.store.circuit.or(of_a, of_b);
            common.and(either, &mut self.store.circuit)
        };
        // What is known on each side only is known about its values.
        let mut merge = |x: &Value, y: &Value| {
            if x.same(y) { x.clone() } else { self.store.merge(of_a, &a.facts.apply(x), &b.facts.apply(y)) }
        };
        let globals = if Rc::ptr_eq(&a.globals, &b.globals) {
            a.globals
        } else {
            Rc::new(a.globals.iter().zip(b.globals.iter()).map(|(x, y)| merge(x, y)).collect())
        };
        let locals = a.locals.iter().zip(&b.locals).map(|(x, y)| merge(x, y)).collect();
        State { globals, locals, olds: a.olds, guard, facts: a.facts.common(&b.facts) }
    }

    fn leave(&mut self, walk: &mut Walk<'p>, mut state: State, place: Place) -> Result<(), Halt> {
        let data = &self.program.procedures[walk.procedure];
        for ensures in data.ensures.iter().filter(|ensures| !ensures.free) {
            self.check(&mut state, ensures.condition, place)?;
        }
        for ensures in data.ensures.iter().filter(|ensures| ensures.free) {
            self.assume(&mut state, ensures.condition)?;
        }
        if state.guard.all() == Bit::FALSE {
            return Ok(());
        }
        walk.end = Some(match walk.end.take() {
            Some(other) => self.merge(other, state),
            None => state,
        });
        Ok(())
    }

    /// A statement; nothing if no execution goes on behind it.
    fn statement(
        &mut self,
        statement: &'p Statement,
        mut state: State,
        (place, moment): (Place, Moment),
        oracle: &mut dyn Oracle,
    ) -> Result<Option<State>, Halt> {
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                let mut values = Vec::with_capacity(assignments.len());
                for (_, value) in assignments {
                    values.push(self.evaluate(*value, &state)?);
                }
                for ((variable, _), value) in assignments.iter().zip(values) {
                    state.set(self.slots[*variable], value);
                }
            }
            StatementKind::Havoc(variables) => {
                for &variable in variables {
                    self.choose(&mut state, variable, &moment);
                }
                for &variable in variables {
                    if self.range(variable).is_none() {
                        self.assume_where(&mut state, variable)?;
                    }
                }
            }
            StatementKind::Assume(condition) => self.assume(&mut state, *condition)?,
            StatementKind::Assert(_, condition) => self.check(&mut state, *condition, place)?,
            StatementKind::Call { procedure, arguments, results } => {
                let mut values = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    values.push(self.evaluate(argument, &state)?);
                }
                return self.call(*procedure, (values, results), state, (place, moment), oracle);
            }
            StatementKind::Fork { .. } | StatementKind::Join { .. } => {
                return Err(Halt::Unsupported("threads"));
            }
            StatementKind::Atomic(_) => {}
        }
        Ok(Some(state))
    }

    fn call(
        &mut self,
        procedure: Procedure,
        (values, results): (Vec<Value>, &[Variable]),
        mut state: State,
        (place, moment): (Place, Moment),
        oracle: &mut dyn Oracle,
    ) -> Result<Option<State>, Halt> {
        let data = &self.program.procedures[procedure];
        let locals = std::mem::take(&mut state.locals);
        let olds = std::mem::replace(&mut state.olds, Rc::clone(&state.globals));
        state.locals = values;
        state.locals.resize(variables(data).count(), Value::Opaque);
        let checked = |clause: &&Specification| !clause.free;
        for requires in data.requires.iter().filter(checked) {
            self.check(&mut state, requires.condition, place)?;
        }
        if state.guard.all() == Bit::FALSE {
            return Ok(None);
        }
        let mut state = if data.body.is_some() {
            let depth = self.active.iter().filter(|&&active| active == procedure).count();
            if depth > 0 && state.guard.all() != Bit::TRUE {
                let condition = state.guard.all();
                if !self.ask(condition, depth as u32, oracle)? {
                    return Ok(None);
                }
            }
            let call = self.next_call;
            self.next_call += 1;
            if let Some(record) = &mut self.record {
                record.enter(&moment, call);
            }
            self.calls.insert(moment, call);
            match self.body(procedure, state, call, oracle)? {
                Some(state) => state,
                None => return Ok(None),
            }
        } else {
            self.contract(data, state, &moment)?
        };
        let values: Vec<Value> = data
            .results
            .iter()
            .map(|&result| state.get(self.slots[result]).cloned().unwrap_or(Value::Opaque))
            .collect();
        state.locals = locals;
        state.olds = olds;
        for (&target, value) in results.iter().zip(values) {
            state.set(self.slots[target], value);
        }
        Ok(Some(state))
    }

    /// A procedure without body does anything that its contract allows.
    fn contract(&mut self, data: &ProcedureData, mut state: State, moment: &Moment) -> Result<State, Halt> {
        for &variable in data.modifies.iter().chain(&data.results) {
            self.choose(&mut state, variable, moment);
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

/// A body while it is unwound.
struct Walk<'p> {
    procedure: Procedure,
    body: &'p Body,
    flow: Rc<Flow>,
    call: u32,
    pending: BTreeMap<Visit, (Block, State)>,
    /// For every loop that was entered, the condition of its last iteration, and how often it has changed.
    heads: FxHashMap<Visit, (Bit, u32)>,
    /// The loops that are shown by induction.
    inducted: Inducted,
    /// So many of the loops around the current visit are not left.
    stay: usize,
    end: Option<State>,
}

/// Parameters, results and locals, in the order of their slots.
fn variables(data: &ProcedureData) -> impl Iterator<Item = Variable> + '_ {
    let locals = data.body.iter().flat_map(|body| &body.locals);
    data.parameters.iter().chain(&data.results).chain(locals).copied()
}

fn slots(program: &Program) -> PrimaryMap<Variable, Slot> {
    let mut slots: PrimaryMap<Variable, Slot> = PrimaryMap::new();
    for _ in 0..program.variables.len() {
        slots.push(Slot::Nowhere);
    }
    for (index, &variable) in program.constants.iter().chain(&program.globals).enumerate() {
        slots[variable] = Slot::Global(index);
    }
    for data in program.procedures.values() {
        for (index, variable) in variables(data).enumerate() {
            debug_assert!(!matches!(program.variables[variable].kind, VariableKind::Bound));
            slots[variable] = Slot::Local(index);
        }
    }
    debug_assert_eq!(slots.len(), program.variables.keys().map(|v| v.index() + 1).max().unwrap_or(0));
    slots
}
