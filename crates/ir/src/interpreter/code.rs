//! Expressions as code for a stack machine.
//!
//! Every expression that is evaluated is translated once. Conditional operators become jumps, so that only
//! what matters is evaluated: a recursive function needs that, and a quantifier that cannot be evaluated
//! may stand where it does not matter. A part that occurs more than once in an expression becomes a
//! subroutine whose value is remembered, so shared parts are evaluated once, not exponentially often.

use super::integer::Integer;
use super::value::Value;
use crate::builtin::Builtin;
use crate::expressions::{BinaryOp, Expr, ExprData, UnaryOp};
use crate::program::{Function, Meaning, Program, Variable};
use base::{PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An instruction. It takes its operands from the stack and leaves its result there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Op {
    /// A literal of the pool.
    Literal(u32),
    /// A global variable or constant.
    Global(u32),
    /// A parameter, result or local of the current procedure.
    Local(u32),
    /// The old value of a global variable.
    Old(Variable),
    /// A parameter of the current function.
    Parameter(u32),
    /// A variable bound by a quantifier.
    Bound(u32),
    /// A function with a definition, applied to so many arguments.
    Call(Function, u32),
    /// A function without definition, applied to so many arguments.
    Uninterpreted(Function, u32),
    Builtin(Function, Builtin),
    Not,
    Negate,
    IntToReal,
    RealToInt,
    Iff,
    Compare(BinaryOp),
    Arithmetic(BinaryOp),
    Concat,
    Extract(u32, u32),
    /// The number of arguments.
    Select(u32),
    Store(u32),
    Quantifier(Expr),
    /// Goes on at the address if the top of the stack is this; removes it otherwise.
    JumpIf(bool, u32),
    /// Removes the top of the stack, and goes on at the address if it is false.
    Branch(u32),
    Jump(u32),
    /// The value of a shared part: remembered, or computed by the subroutine at the address.
    Shared(Expr, u32),
    /// The end of a subroutine: the value is remembered.
    EndShared(Expr),
    /// The end of the code.
    End,
}

/// Where a variable is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Slot {
    #[default]
    None,
    Global(u32),
    Local(u32),
    Parameter(u32),
    Bound(u32),
}

base::id!(
    /// A position in the code.
    Address,
    "at"
);

/// The code of all expressions that were translated so far.
pub(super) struct Code {
    pub(super) ops: PrimaryMap<Address, Op>,
    /// The expression that an instruction belongs to, for messages.
    pub(super) origins: PrimaryMap<Address, Expr>,
    pub(super) literals: Vec<Value>,
    entries: SecondaryMap<Expr, Option<Address>>,
    slots: SecondaryMap<Variable, Slot>,
    bound: u32,
}

/// Parts with fewer nodes than this are repeated rather than remembered.
const WORTH_SHARING: u32 = 4;

/// A step of the translation.
enum Task {
    /// Translate an expression.
    Expr(Expr),
    /// Emit an instruction for an expression.
    Emit(Expr, Op),
    /// Emit a jump for an expression whose address is not known yet.
    Open(Expr, Open),
    /// The innermost open jump ends here.
    Land,
    /// The condition's branch ends here, and the jump over the other part begins.
    Otherwise(Expr),
}

#[derive(Clone, Copy)]
enum Open {
    JumpIf(bool),
    Branch,
}

impl Code {
    pub(super) fn new(slots: SecondaryMap<Variable, Slot>) -> Code {
        Code {
            ops: PrimaryMap::new(),
            origins: PrimaryMap::new(),
            literals: Vec::new(),
            entries: SecondaryMap::new(),
            slots,
            bound: 0,
        }
    }

    pub(super) fn slot(&self, variable: Variable) -> Slot {
        self.slots[variable]
    }

    /// How many bound variables there are so far.
    pub(super) fn bound_count(&self) -> usize {
        self.bound as usize
    }

    /// The code of an expression.
    pub(super) fn entry(&mut self, program: &Program, expr: Expr) -> Address {
        match self.entries[expr] {
            Some(entry) => entry,
            None => {
                let entry = self.translate(program, expr);
                self.entries[expr] = Some(entry);
                entry
            }
        }
    }

    /// Where a bound variable is stored.
    pub(super) fn bound_slot(&mut self, variable: Variable) -> u32 {
        if let Slot::Bound(index) = self.slots[variable] {
            return index;
        }
        let index = self.bound;
        self.bound += 1;
        self.slots[variable] = Slot::Bound(index);
        index
    }

    fn translate(&mut self, program: &Program, root: Expr) -> Address {
        let shared = shared_parts(program, root);
        let mut subroutines: FxHashMap<Expr, Address> = FxHashMap::default();
        // A subroutine only uses subroutines of smaller parts, which exist already.
        for part in shared {
            let entry = self.straight(program, part, &subroutines);
            self.emit(Op::EndShared(part), part);
            subroutines.insert(part, entry);
        }
        let entry = self.straight(program, root, &subroutines);
        self.emit(Op::End, root);
        entry
    }

    fn emit(&mut self, op: Op, origin: Expr) -> Address {
        self.origins.push(origin);
        self.ops.push(op)
    }

    fn here(&self) -> Address {
        self.ops.next_key()
    }

    /// Translates an expression; parts with a subroutine only call it.
    fn straight(&mut self, program: &Program, root: Expr, subroutines: &FxHashMap<Expr, Address>) -> Address {
        let start = self.here();
        let mut tasks = vec![Task::Expr(root)];
        let mut open: Vec<Address> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Expr(expr) => match subroutines.get(&expr) {
                    Some(entry) if expr != root => {
                        self.emit(Op::Shared(expr, entry.as_u32()), expr);
                    }
                    _ => self.node(program, expr, &mut tasks),
                },
                Task::Emit(expr, op) => {
                    self.emit(op, expr);
                }
                Task::Open(expr, kind) => {
                    let op = match kind {
                        Open::JumpIf(value) => Op::JumpIf(value, 0),
                        Open::Branch => Op::Branch(0),
                    };
                    open.push(self.emit(op, expr));
                }
                Task::Land => {
                    let target = self.here();
                    self.land(&mut open, target);
                }
                Task::Otherwise(expr) => {
                    let jump = self.emit(Op::Jump(0), expr);
                    let target = self.here();
                    self.land(&mut open, target);
                    open.push(jump);
                }
            }
        }
        start
    }

    fn land(&mut self, open: &mut Vec<Address>, target: Address) {
        let Some(jump) = open.pop() else { return };
        if let Op::JumpIf(_, to) | Op::Branch(to) | Op::Jump(to) = &mut self.ops[jump] {
            *to = target.as_u32();
        }
    }

    fn literal(&mut self, value: Value, expr: Expr) {
        let index = self.literals.len() as u32;
        self.literals.push(value);
        self.emit(Op::Literal(index), expr);
    }

    /// Emits a leaf, or plans the translation of the parts. Tasks are done last to first.
    fn node(&mut self, program: &Program, expr: Expr, tasks: &mut Vec<Task>) {
        match &program.expressions[expr] {
            ExprData::Bool(value) => self.literal(Value::Bool(*value), expr),
            ExprData::Int(value) => self.literal(Value::Int(Integer::from(value.clone())), expr),
            ExprData::Real(value) => self.literal(Value::Real(Arc::new(value.clone())), expr),
            ExprData::BitVec { value, width } => self.literal(Value::bits(*width, value), expr),
            ExprData::Variable(variable) => {
                let op = match self.slots[*variable] {
                    Slot::Global(index) => Op::Global(index),
                    Slot::Local(index) => Op::Local(index),
                    Slot::Parameter(index) => Op::Parameter(index),
                    Slot::Bound(index) => Op::Bound(index),
                    Slot::None => Op::Bound(self.bound_slot(*variable)),
                };
                self.emit(op, expr);
            }
            ExprData::Old(variable) => {
                self.emit(Op::Old(*variable), expr);
            }
            ExprData::Apply(function, arguments) => {
                let count = arguments.len() as u32;
                let op = match &program.functions[*function].meaning {
                    Meaning::Uninterpreted => Op::Uninterpreted(*function, count),
                    Meaning::Defined(_) => Op::Call(*function, count),
                    Meaning::Builtin(builtin) => Op::Builtin(*function, *builtin),
                };
                tasks.push(Task::Emit(expr, op));
                tasks.extend(arguments.iter().rev().map(|&argument| Task::Expr(argument)));
            }
            ExprData::Unary(op, operand) => {
                let op = match op {
                    UnaryOp::Not => Op::Not,
                    UnaryOp::Negate => Op::Negate,
                    UnaryOp::IntToReal => Op::IntToReal,
                    UnaryOp::RealToInt => Op::RealToInt,
                };
                tasks.extend([Task::Emit(expr, op), Task::Expr(*operand)]);
            }
            ExprData::Binary(op, left, right) => binary(expr, *op, *left, *right, tasks),
            ExprData::Ite(condition, then, otherwise) => tasks.extend([
                Task::Land,
                Task::Expr(*otherwise),
                Task::Otherwise(expr),
                Task::Expr(*then),
                Task::Open(expr, Open::Branch),
                Task::Expr(*condition),
            ]),
            ExprData::Select(map, arguments) => {
                tasks.push(Task::Emit(expr, Op::Select(arguments.len() as u32)));
                tasks.extend(arguments.iter().rev().map(|&argument| Task::Expr(argument)));
                tasks.push(Task::Expr(*map));
            }
            ExprData::Store(map, arguments, value) => {
                tasks.push(Task::Emit(expr, Op::Store(arguments.len() as u32)));
                tasks.push(Task::Expr(*value));
                tasks.extend(arguments.iter().rev().map(|&argument| Task::Expr(argument)));
                tasks.push(Task::Expr(*map));
            }
            ExprData::Extract { operand, high, low } => {
                tasks.extend([Task::Emit(expr, Op::Extract(*high, *low)), Task::Expr(*operand)]);
            }
            ExprData::Quantified(quantifier) => {
                for &variable in &quantifier.bound {
                    self.bound_slot(variable);
                }
                self.emit(Op::Quantifier(expr), expr);
            }
        }
    }
}

fn binary(expr: Expr, op: BinaryOp, left: Expr, right: Expr, tasks: &mut Vec<Task>) {
    let short = |stop: bool, tasks: &mut Vec<Task>| {
        let jump = Task::Open(expr, Open::JumpIf(stop));
        tasks.extend([Task::Land, Task::Expr(right), jump, Task::Expr(left)]);
    };
    match op {
        BinaryOp::And => short(false, tasks),
        BinaryOp::Or => short(true, tasks),
        BinaryOp::Implies => {
            // Not the left side, or the right side.
            let jump = Task::Open(expr, Open::JumpIf(true));
            tasks.extend([Task::Land, Task::Expr(right), jump, Task::Emit(expr, Op::Not), Task::Expr(left)]);
        }
        _ => {
            let op = match op {
                BinaryOp::Iff => Op::Iff,
                BinaryOp::Concat => Op::Concat,
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::IntDivide
                | BinaryOp::Modulo
                | BinaryOp::RealDivide => Op::Arithmetic(op),
                _ => Op::Compare(op),
            };
            tasks.extend([Task::Emit(expr, op), Task::Expr(right), Task::Expr(left)]);
        }
    }
}

/// The parts of an expression that occur more than once and are worth remembering, children first.
/// Quantifiers are evaluated apart, so what is below them does not count.
fn shared_parts(program: &Program, root: Expr) -> Vec<Expr> {
    let children = |expr: Expr, f: &mut dyn FnMut(Expr)| {
        if !matches!(program.expressions[expr], ExprData::Quantified(_)) {
            program.expressions.for_each_child(expr, f);
        }
    };
    let mut uses: FxHashMap<Expr, u32> = FxHashMap::default();
    let mut order = Vec::new();
    let mut stack = vec![root];
    let mut repeats = false;
    while let Some(expr) = stack.pop() {
        let uses = uses.entry(expr).or_default();
        *uses += 1;
        if *uses == 1 {
            order.push(expr);
            children(expr, &mut |child| stack.push(child));
        } else {
            repeats = true;
        }
    }
    if !repeats {
        return Vec::new();
    }
    // Children have smaller ids, so their sizes are known when they are needed.
    order.sort_unstable();
    let mut sizes: FxHashMap<Expr, u32> = FxHashMap::default();
    let mut shared = Vec::new();
    for expr in order {
        let mut size = 1_u32;
        children(expr, &mut |child| size = size.saturating_add(sizes[&child]));
        if uses[&expr] > 1 && size >= WORTH_SHARING {
            shared.push(expr);
            // A call of the subroutine is one instruction.
            size = 1;
        }
        sizes.insert(expr, size);
    }
    shared
}

/// The slots of all variables but the bound ones.
pub(super) fn slots(program: &Program) -> SecondaryMap<Variable, Slot> {
    let mut slots: SecondaryMap<Variable, Slot> = SecondaryMap::new();
    let outer = program.constants.iter().chain(&program.globals);
    for (index, &variable) in outer.enumerate() {
        slots[variable] = Slot::Global(index as u32);
    }
    for data in program.procedures.values() {
        let locals = data.body.iter().flat_map(|body| &body.locals);
        for (index, &variable) in data.parameters.iter().chain(&data.results).chain(locals).enumerate() {
            slots[variable] = Slot::Local(index as u32);
        }
    }
    for data in program.functions.values() {
        for (index, &variable) in data.parameters.iter().enumerate() {
            slots[variable] = Slot::Parameter(index as u32);
        }
    }
    slots
}
