//! The stack machine that evaluates expressions.
//!
//! Calls of defined functions use the machine's own stack, to a bounded depth; only quantifiers use the
//! host's stack, to a small depth ([`quantifiers`](super::quantifiers)).

use super::bits::Bits;
use super::code::{Address, Code, Op, Slot};
use super::driver::{Driver, Mentioned};
use super::value::Value;
use crate::builtin::Builtin;
use crate::expressions::{BinaryOp, Expr};
use crate::program::{Function, Meaning, Program, Variable};
use base::{Budget, EntityRef, Interrupted};
use float::{Operation, Output};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// Numbers may have at most so many bits.
const MAX_BITS: u64 = 1 << 20;

/// Why an expression has no value here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A quantifier ranges over infinitely many values, or over too many.
    UnboundedQuantifier,
    /// Quantifiers are nested too deep.
    NestedQuantifiers,
    /// A number has millions of digits.
    HugeNumber,
    /// A map over a finite domain has entries for half of its keys.
    FullMap,
    /// Functions call each other too deep.
    FunctionDepth,
    /// The evaluation takes too many steps.
    TooManyOperations,
    /// The driver gives no value for a function.
    NoValue,
    /// The driver gives a value of another type.
    IllTypedValue,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Obstacle::UnboundedQuantifier => "the quantifier ranges over too many values",
            Obstacle::NestedQuantifiers => "the quantifiers are nested too deep",
            Obstacle::HugeNumber => "the number is too large",
            Obstacle::FullMap => "the map has too many entries for its finite domain",
            Obstacle::FunctionDepth => "the functions call each other too deep",
            Obstacle::TooManyOperations => "the evaluation takes too many steps",
            Obstacle::NoValue => "nothing is known about the function",
            Obstacle::IllTypedValue => "a given value has another type",
        })
    }
}

/// Why an evaluation has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The expression has no value here.
    Obstacle(Expr, Obstacle),
    Interrupted(Interrupted),
}

impl From<Interrupted> for Stop {
    fn from(interrupted: Interrupted) -> Stop {
        Stop::Interrupted(interrupted)
    }
}

pub(super) type Evaluated<T> = Result<T, Stop>;

/// Where to go on after a subroutine or a function.
struct Return {
    address: Address,
    base: usize,
    activation: u64,
}

pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) code: Code,
    /// Constants and global variables.
    pub(super) globals: Vec<Value>,
    /// The variables of all active procedures.
    pub(super) locals: Vec<Value>,
    /// Where those of the current procedure begin.
    pub(super) local_base: usize,
    /// The old values that the active procedures need, each sorted by variable.
    pub(super) olds: Vec<(Variable, Value)>,
    /// Where those of the current procedure begin.
    pub(super) old_base: usize,
    /// Variables bound by quantifiers.
    pub(super) bound: Vec<Value>,
    /// How many instructions may still be executed.
    pub(super) operations: u64,
    /// How deep functions may call each other.
    pub(super) function_depth: usize,
    pub(super) budget: Budget,
    pub(super) quantifier_depth: u32,
    /// The operations of all evaluations.
    worked: u32,
    stack: Vec<Value>,
    /// Where the parameters of the current function begin.
    base: usize,
    returns: Vec<Return>,
    /// Values of shared parts, with the activation that has computed them.
    remembered: FxHashMap<Expr, (u64, Value)>,
    activation: u64,
    activations: u64,
}

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program, budget: Budget) -> Machine<'p> {
        let outer = program.constants.iter().chain(&program.globals);
        let globals =
            outer.map(|&variable| Value::default_of(program, program.variables[variable].ty)).collect();
        Machine {
            program,
            code: Code::new(super::code::slots(program)),
            globals,
            locals: Vec::new(),
            local_base: 0,
            olds: Vec::new(),
            old_base: 0,
            bound: Vec::new(),
            operations: u64::MAX,
            function_depth: 10_000,
            budget,
            quantifier_depth: 0,
            worked: 0,
            stack: Vec::new(),
            base: 0,
            returns: Vec::new(),
            remembered: FxHashMap::default(),
            activation: 0,
            activations: 0,
        }
    }

    /// The value of a variable of the program or of the current procedure, if it has one already.
    pub(super) fn get(&self, variable: Variable) -> Option<&Value> {
        self.get_at(variable, self.local_base)
    }

    /// The same, for the active procedure whose variables begin at `base`.
    pub(super) fn get_at(&self, variable: Variable, base: usize) -> Option<&Value> {
        match self.code.slot(variable) {
            Slot::Global(index) => self.globals.get(index as usize),
            Slot::Local(index) => self.locals.get(base + index as usize).filter(|value| !value.is_unset()),
            Slot::Parameter(_) | Slot::Bound(_) | Slot::None => None,
        }
    }

    /// The value of something that a formula mentions: a parameter of the current function and what outer
    /// quantifiers bind included.
    pub(super) fn mentioned(&self, mentioned: Mentioned) -> Option<Value> {
        let variable = match mentioned {
            Mentioned::Now(variable) => variable,
            Mentioned::Old(variable) => return Some(self.old(variable)),
        };
        match self.code.slot(variable) {
            Slot::Parameter(index) => self.stack.get(self.base + index as usize).cloned(),
            Slot::Bound(index) => self.bound.get(index as usize).cloned(),
            Slot::Global(_) | Slot::Local(_) | Slot::None => self.get(variable).cloned(),
        }
    }

    #[inline]
    pub(super) fn set(&mut self, variable: Variable, value: Value) {
        match self.code.slot(variable) {
            Slot::Global(index) => self.globals[index as usize] = value,
            Slot::Local(index) => self.locals[self.local_base + index as usize] = value,
            Slot::Parameter(_) | Slot::Bound(_) | Slot::None => {}
        }
    }

    /// Changes an element of the map in a variable.
    pub(super) fn store(
        &mut self,
        variable: Variable,
        origin: Expr,
        (arguments, element): (&[Expr], Expr),
        driver: &mut dyn Driver,
    ) -> Evaluated<()> {
        let key = match arguments {
            [argument] => self.evaluate(*argument, driver)?,
            _ => {
                let keys: Evaluated<Arc<[Value]>> =
                    arguments.iter().map(|&argument| self.evaluate(argument, driver)).collect();
                Value::Tuple(keys?)
            }
        };
        let value = self.evaluate(element, driver)?;
        let place = match self.code.slot(variable) {
            Slot::Global(index) => self.globals.get_mut(index as usize),
            Slot::Local(index) => self.locals.get_mut(self.local_base + index as usize),
            Slot::Parameter(_) | Slot::Bound(_) | Slot::None => None,
        };
        match place {
            Some(Value::Map(map)) => {
                let stored = Arc::make_mut(map).store(key, value);
                stored.map_err(|_| Stop::Obstacle(origin, Obstacle::FullMap))
            }
            _ => Err(Stop::Obstacle(origin, Obstacle::IllTypedValue)),
        }
    }

    /// The truth value of a formula.
    #[inline]
    pub(super) fn holds(&mut self, formula: Expr, driver: &mut dyn Driver) -> Evaluated<bool> {
        let value = self.evaluate(formula, driver)?;
        value.as_bool().ok_or(Stop::Obstacle(formula, Obstacle::IllTypedValue))
    }

    /// The value of an expression.
    pub(super) fn evaluate(&mut self, expr: Expr, driver: &mut dyn Driver) -> Evaluated<Value> {
        let entry = self.code.entry(self.program, expr);
        if self.bound.len() < self.code.bound_count() {
            self.bound.resize(self.code.bound_count(), Value::Bool(false));
        }
        let (depth, bottom, base, activation) =
            (self.stack.len(), self.returns.len(), self.base, self.activation);
        self.activations += 1;
        self.activation = self.activations;
        let result = self.execute(entry, bottom, driver);
        self.stack.truncate(depth);
        self.returns.truncate(bottom);
        self.base = base;
        self.activation = activation;
        result
    }

    fn pop(&mut self) -> Value {
        self.stack.pop().expect("the code of an expression pops only what it has pushed")
    }

    fn count(&mut self, origin: Expr) -> Evaluated<()> {
        if self.operations == 0 {
            return Err(Stop::Obstacle(origin, Obstacle::TooManyOperations));
        }
        self.operations -= 1;
        self.worked = self.worked.wrapping_add(1);
        if self.worked.is_multiple_of(1 << 14) {
            // About fifty operations take as long as a solver's unit of work.
            self.budget.spend((1 << 14) / 50);
            self.budget.check()?;
        }
        Ok(())
    }

    /// Counts an operation that takes as long as so many others.
    #[inline]
    fn count_work(&mut self, operations: u64) -> Evaluated<()> {
        if operations == 0 {
            return Ok(());
        }
        self.budget.spend(operations / 50);
        Ok(self.budget.check()?)
    }

    fn execute(&mut self, entry: Address, bottom: usize, driver: &mut dyn Driver) -> Evaluated<Value> {
        let mut at = entry;
        loop {
            let op = self.code.ops[at];
            let origin = self.code.origins[at];
            at = Address::new(at.index() + 1);
            self.count(origin)?;
            match op {
                Op::Literal(index) => self.stack.push(self.code.literals[index as usize].clone()),
                Op::Global(index) => self.stack.push(self.globals[index as usize].clone()),
                Op::Local(index) => {
                    self.stack.push(self.locals[self.local_base + index as usize].clone());
                }
                Op::Old(variable) => {
                    let value = self.old(variable);
                    self.stack.push(value);
                }
                Op::Parameter(index) => {
                    self.stack.push(self.stack[self.base + index as usize].clone());
                }
                Op::Bound(index) => self.stack.push(self.bound[index as usize].clone()),
                Op::JumpIf(stop, target) => match self.stack.last() {
                    Some(Value::Bool(value)) if *value == stop => at = Address::from_u32(target),
                    _ => {
                        self.pop();
                    }
                },
                Op::Branch(target) => {
                    if self.pop() != Value::Bool(true) {
                        at = Address::from_u32(target);
                    }
                }
                Op::Jump(target) => at = Address::from_u32(target),
                Op::Call(function, count) => {
                    self.enter(function, count, at, origin)?;
                    let Meaning::Defined(body) = self.program.functions[function].meaning else { continue };
                    at = self.code.entry(self.program, body);
                    if self.bound.len() < self.code.bound_count() {
                        self.bound.resize(self.code.bound_count(), Value::Bool(false));
                    }
                }
                Op::End => {
                    let value = self.pop();
                    if self.returns.len() == bottom {
                        return Ok(value);
                    }
                    self.stack.truncate(self.base);
                    self.stack.push(value);
                    at = self.leave();
                }
                Op::Shared(part, target) => match self.remembered.get(&part) {
                    Some((activation, value)) if *activation == self.activation => {
                        self.stack.push(value.clone());
                    }
                    _ => {
                        let (base, activation) = (self.base, self.activation);
                        self.returns.push(Return { address: at, base, activation });
                        at = Address::from_u32(target);
                    }
                },
                Op::EndShared(part) => {
                    let value = self.stack.last().expect("a subroutine leaves its value").clone();
                    self.remembered.insert(part, (self.activation, value));
                    at = self.leave();
                }
                Op::Uninterpreted(function, count) => self.uninterpreted(function, count, origin, driver)?,
                Op::Quantifier(expr) => {
                    let value = self.quantifier(expr, driver)?;
                    self.stack.push(Value::Bool(value));
                }
                op => self.operation(op, origin, driver)?,
            }
        }
    }

    fn old(&self, variable: Variable) -> Value {
        let olds = &self.olds[self.old_base..];
        match olds.binary_search_by_key(&variable, |&(variable, _)| variable) {
            Ok(index) => olds[index].1.clone(),
            // Whoever opens a procedure keeps all old values that its expressions name; elsewhere, as in the
            // `requires` of a program that a front end has built, the old value is the current one.
            Err(_) => self.get(variable).cloned().unwrap_or(Value::Bool(false)),
        }
    }

    fn enter(&mut self, function: Function, count: u32, at: Address, origin: Expr) -> Evaluated<()> {
        debug_assert_eq!(self.program.functions[function].parameters.len(), count as usize);
        if self.returns.len() >= self.function_depth {
            return Err(Stop::Obstacle(origin, Obstacle::FunctionDepth));
        }
        self.returns.push(Return { address: at, base: self.base, activation: self.activation });
        self.base = self.stack.len() - count as usize;
        self.activations += 1;
        self.activation = self.activations;
        Ok(())
    }

    fn leave(&mut self) -> Address {
        let caller = self.returns.pop().expect("whoever jumps to a subroutine says where to go on");
        self.base = caller.base;
        self.activation = caller.activation;
        caller.address
    }

    fn uninterpreted(
        &mut self,
        function: Function,
        count: u32,
        origin: Expr,
        driver: &mut dyn Driver,
    ) -> Evaluated<()> {
        let first = self.stack.len() - count as usize;
        let value = driver
            .apply(self.program, function, &self.stack[first..])
            .ok_or(Stop::Obstacle(origin, Obstacle::NoValue))?;
        if !value.has_type(self.program, self.program.functions[function].result) {
            return Err(Stop::Obstacle(origin, Obstacle::IllTypedValue));
        }
        self.stack.truncate(first);
        self.stack.push(value);
        Ok(())
    }

    /// Operations that only look at the top of the stack.
    fn operation(&mut self, op: Op, origin: Expr, driver: &mut dyn Driver) -> Evaluated<()> {
        let value = match op {
            Op::Compare(op) => {
                let (right, left) = (self.pop(), self.pop());
                Value::Bool(compare(op, &left, &right))
            }
            Op::Arithmetic(op) => {
                let (right, left) = (self.pop(), self.pop());
                self.count_work(weight(op, &left, &right))?;
                arithmetic(op, left, right, driver).ok_or(Stop::Obstacle(origin, Obstacle::HugeNumber))?
            }
            Op::Not => Value::Bool(self.pop() == Value::Bool(false)),
            Op::Iff => {
                let (right, left) = (self.pop(), self.pop());
                Value::Bool(left == right)
            }
            Op::Negate => match self.pop() {
                Value::Int(value) => Value::Int(value.negate()),
                Value::Real(value) => Value::real(-&*value),
                other => other,
            },
            Op::IntToReal => match self.pop() {
                Value::Int(value) => Value::real(Ratio::from(value.to_big())),
                other => other,
            },
            Op::RealToInt => match self.pop() {
                Value::Real(value) => Value::int(value.floor().to_integer()),
                other => other,
            },
            Op::Select(count) => {
                let key = self.key(count);
                match self.pop() {
                    Value::Map(map) => map.select(&key).clone(),
                    other => other,
                }
            }
            Op::Store(count) => {
                let value = self.pop();
                let key = self.key(count);
                match self.pop() {
                    Value::Map(mut map) => {
                        let stored = Arc::make_mut(&mut map).store(key, value);
                        stored.map_err(|_| Stop::Obstacle(origin, Obstacle::FullMap))?;
                        Value::Map(map)
                    }
                    other => other,
                }
            }
            Op::Extract(high, low) => match self.pop() {
                Value::Bits(bits) => Value::Bits(bits.extract(high, low)),
                other => other,
            },
            Op::Concat => match (self.pop(), self.pop()) {
                (Value::Bits(low), Value::Bits(high)) => Value::Bits(high.concat(&low)),
                (other, _) => other,
            },
            Op::Builtin(function, builtin) => self.builtin(function, builtin),
            _ => return Ok(()),
        };
        self.stack.push(value);
        Ok(())
    }

    /// Takes the arguments of a map from the stack.
    #[inline]
    fn key(&mut self, count: u32) -> Value {
        if count == 1 {
            return self.pop();
        }
        let first = self.stack.len() - count as usize;
        Value::Tuple(self.stack.drain(first..).collect())
    }

    fn builtin(&mut self, function: Function, builtin: Builtin) -> Value {
        let operand = self.pop();
        match (builtin, operand) {
            (Builtin::BitVecBinary(op), Value::Bits(right)) => match self.pop() {
                Value::Bits(left) => Value::Bits(left.binary(op, &right)),
                other => other,
            },
            (Builtin::BitVecCompare(op), Value::Bits(right)) => match self.pop() {
                Value::Bits(left) => Value::Bool(left.compare(op, &right)),
                other => other,
            },
            (Builtin::BitVecUnary(op), Value::Bits(bits)) => Value::Bits(bits.unary(op)),
            (Builtin::ZeroExtend(by), Value::Bits(bits)) => Value::Bits(bits.zero_extend(by)),
            (Builtin::SignExtend(by), Value::Bits(bits)) => Value::Bits(bits.sign_extend(by)),
            (Builtin::RotateLeft(by), Value::Bits(bits)) => Value::Bits(bits.rotate_left(by)),
            (Builtin::RotateRight(by), Value::Bits(bits)) => Value::Bits(bits.rotate_right(by)),
            (Builtin::UnsignedToInt, Value::Bits(bits)) => Value::int(BigInt::from(bits.unsigned())),
            (Builtin::SignedToInt, Value::Bits(bits)) => Value::int(bits.signed()),
            (Builtin::IntToBitVec(width), Value::Int(value)) => {
                Value::Bits(Bits::from_int(width, &value.to_big()))
            }
            (Builtin::Float(operation), Value::Bits(last)) => {
                if operation.shape().arguments.len() == 1 {
                    return float(operation, &[&last]);
                }
                match self.pop() {
                    Value::Bits(first) => float(operation, &[&first, &last]),
                    other => other,
                }
            }
            (Builtin::ConstantMap, value) => {
                let ty = self.program.functions[function].result;
                Value::constant_map(self.program, ty, value.clone()).unwrap_or(value)
            }
            (_, other) => other,
        }
    }
}

fn float(operation: Operation, arguments: &[&Bits]) -> Value {
    let arguments: Vec<_> = arguments.iter().map(|bits| bits.unsigned()).collect();
    match operation.evaluate(&arguments.iter().collect::<Vec<_>>()) {
        Output::Truth(truth) => Value::Bool(truth),
        Output::Bits(bits) => {
            Value::Bits(Bits::new(operation.shape().result.expect("bits have a width"), &bits))
        }
    }
}

#[inline]
fn compare(op: BinaryOp, left: &Value, right: &Value) -> bool {
    match op {
        BinaryOp::Equal => left == right,
        BinaryOp::NotEqual => left != right,
        BinaryOp::Less => left < right,
        BinaryOp::LessEqual => left <= right,
        BinaryOp::Greater => left > right,
        _ => left >= right,
    }
}

/// How many usual operations one on these numbers takes, if that is many: products and greatest common divisors take the
/// square of the length.
#[inline]
fn weight(op: BinaryOp, left: &Value, right: &Value) -> u64 {
    const FEW_WORDS: u64 = 16;
    let (words, factor) = match (left, right) {
        (Value::Int(left), Value::Int(right)) => match op {
            BinaryOp::Add | BinaryOp::Subtract => return 0,
            _ => ((left.bits() + right.bits()) / 64, 1),
        },
        (Value::Real(left), Value::Real(right)) => {
            let bits = |value: &Ratio<BigInt>| value.numer().bits() + value.denom().bits();
            ((bits(left) + bits(right)) / 64, 32)
        }
        _ => return 0,
    };
    if words < FEW_WORDS { 0 } else { words * words * factor / 16 }
}

/// Nothing if the result is too large.
#[inline]
fn arithmetic(op: BinaryOp, left: Value, right: Value, driver: &mut dyn Driver) -> Option<Value> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            let value = match op {
                BinaryOp::Add => left.add(&right),
                BinaryOp::Subtract => left.subtract(&right),
                BinaryOp::Multiply if left.bits() + right.bits() > MAX_BITS => return None,
                BinaryOp::Multiply => left.multiply(&right),
                BinaryOp::IntDivide => match left.div_mod(&right) {
                    Some((quotient, _)) => quotient,
                    None => driver.div_zero(&left),
                },
                _ => match left.div_mod(&right) {
                    Some((_, remainder)) => remainder,
                    None => driver.mod_zero(&left),
                },
            };
            Some(Value::Int(value))
        }
        (Value::Real(left), Value::Real(right)) => {
            let bits = |value: &Ratio<BigInt>| value.numer().bits() + value.denom().bits();
            if bits(&left) + bits(&right) > MAX_BITS {
                return None;
            }
            let value = match op {
                BinaryOp::Add => &*left + &*right,
                BinaryOp::Subtract => &*left - &*right,
                BinaryOp::Multiply => &*left * &*right,
                _ if right.is_zero() => driver.real_div_zero(&left),
                _ => &*left / &*right,
            };
            Some(Value::real(value))
        }
        (other, _) => Some(other),
    }
}
