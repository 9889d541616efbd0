//! What a program leaves open is decided by a driver.

use super::integer::Integer;
use super::map::MapValue;
use super::value::Value;
use super::{Event, Place, State};
use crate::expressions::Expr;
use crate::marks::Mark;
use crate::program::{Attribute, AttributeArgument, Function, Procedure, Program, Variable, VariableKind};
use crate::statements::Block;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;
use std::sync::Arc;

/// Why a variable gets an arbitrary value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A constant, or a global variable, or a parameter of the first procedure, before the run.
    Initial,
    /// A result or local at the entry of a procedure.
    Entry(Procedure),
    /// A `havoc` statement.
    Havoc,
    /// A modified global or a result of a call that is used by contract.
    Contract(Procedure),
}

/// A value that a driver wants to know before it chooses one for a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The variable.
    pub variable: Variable,
    /// Only if this holds.
    pub condition: Option<Expr>,
    /// The value.
    pub value: Requested,
}

/// What is requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requested {
    /// The value of an expression.
    Of(Expr),
    /// A truth value.
    Truth(bool),
}

/// A value that a formula depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mentioned {
    /// The present value of a variable.
    Now(Variable),
    /// The value of a global at the entry of the procedure.
    Old(Variable),
}

/// Decides what the program leaves open, and watches the run. A function must give equal results for equal
/// arguments, or the run is no execution of the program.
pub trait Driver {
    /// The value that a variable gets; nothing if the driver has none, which ends the run.
    fn choose(&mut self, program: &Program, variable: Variable, reason: Reason) -> Option<Value>;

    /// A `havoc` or a call by contract is next. The driver may want to know the values of some expressions over the
    /// state before; in a call they may use the parameters.
    fn requests(&mut self, _place: Place) -> Vec<Request> {
        Vec::new()
    }

    /// The value that was requested for a variable, before [`choose`](Driver::choose) is asked about its variable.
    fn suggest(&mut self, _variable: Variable, _value: Value) {}

    /// Which target of a `goto` with several targets is taken, as a position in the list.
    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize>;

    /// Which of the threads that can go on makes the next step, once there are several. By default the one that was running, if it can.
    fn schedule(&mut self, state: &State<'_>, threads: &[usize]) -> Option<usize> {
        let running = state.thread();
        if threads.contains(&running) { Some(running) } else { threads.first().copied() }
    }

    /// Two threads that are both about to make a step, if it is to be seen whether the steps are a race.
    fn meeting(&mut self, _state: &State<'_>) -> Option<(usize, usize)> {
        None
    }

    /// Whether it is to be seen if all threads wait.
    fn stuck(&mut self, _state: &State<'_>) -> bool {
        false
    }

    /// Which of several threads that are over and have the name is joined.
    fn join(&mut self, threads: &[usize]) -> Option<usize> {
        threads.first().copied()
    }

    /// The value of a function without definition.
    fn apply(&mut self, program: &Program, function: Function, _arguments: &[Value]) -> Option<Value> {
        Some(Value::default_of(program, program.functions[function].result))
    }

    /// `dividend div 0`
    fn div_zero(&mut self, _dividend: &Integer) -> Integer {
        Integer::Small(0)
    }

    /// `dividend mod 0`
    fn mod_zero(&mut self, _dividend: &Integer) -> Integer {
        Integer::Small(0)
    }

    /// `dividend / 0.0`
    fn real_div_zero(&mut self, _dividend: &Ratio<BigInt>) -> Ratio<BigInt> {
        Ratio::zero()
    }

    /// Whether a quantified formula holds that ranges over too many values to try them all. Nothing if the driver does
    /// not know. `value` tells the values of what the formula mentions.
    fn decide(
        &mut self,
        _program: &Program,
        _formula: Expr,
        _value: &dyn Fn(Mentioned) -> Option<Value>,
    ) -> Option<bool> {
        None
    }

    /// Something has happened. The run goes on if the answer is yes.
    fn observe(&mut self, _state: &State<'_>, _event: Event<'_>) -> bool {
        true
    }
}

/// The driver that takes zero, `false`, maps to them, and the first target; unique constants are different.
#[derive(Clone, Copy, Default, Debug)]
pub struct Defaults;

impl Driver for Defaults {
    fn choose(&mut self, program: &Program, variable: Variable, _reason: Reason) -> Option<Value> {
        Some(default_value(program, variable))
    }

    fn goto(&mut self, _program: &Program, _procedure: Procedure, _block: Block) -> Option<usize> {
        Some(0)
    }
}

/// The default value of a variable. Unique constants of one type get different values as far as the type has
/// enough of them.
pub fn default_value(program: &Program, variable: Variable) -> Value {
    let data = &program.variables[variable];
    let default = Value::default_of(program, data.ty);
    if let (Some(hint), Value::Map(map)) = (Mark::Apart.find_in(&data.attributes), &default) {
        return apart(MapValue::clone(map), hint).unwrap_or(default);
    }
    if data.kind != (VariableKind::Constant { unique: true }) {
        return default;
    }
    // Where there are values enough, the place among all constants will do; counting those of the type takes longer.
    let place = || program.constants.partition_point(|&other| other < variable) as u64;
    let earlier = || {
        let same = |other: &&Variable| {
            let other = &program.variables[**other];
            other.kind == data.kind && other.ty == data.ty
        };
        program.constants.iter().take_while(|&&other| other != variable).filter(same).count() as u64
    };
    match default {
        Value::Element(ty, _) => Value::Element(ty, place()),
        Value::Int(_) => Value::int(place()),
        Value::Real(_) => Value::real(Ratio::from(BigInt::from(place()))),
        Value::Bits(bits) => Value::bits(bits.width(), &earlier().into()),
        Value::Bool(_) => Value::Bool(earlier() == 1),
        other => other,
    }
}

/// The map whose cells are as far apart as a hint says; nothing if it says something else.
fn apart(mut map: MapValue, hint: &Attribute) -> Option<Value> {
    let mut arguments = hint.arguments.iter().map(|argument| match argument {
        AttributeArgument::Text(text) => Some(text.as_str()),
        AttributeArgument::Expr(_) => None,
    });
    let distance: BigInt = arguments.next()??.parse().ok()?;
    for range in arguments {
        let (first, end) = range?.split_once("..")?;
        for cell in first.parse::<u64>().ok()?..end.parse().ok()? {
            map.store(Value::int(cell), Value::int(&distance * cell)).ok()?;
        }
    }
    Some(Value::Map(Arc::new(map)))
}

/// A driver that follows lists: values in the order in which they are asked for, and targets of jumps. It has
/// nothing to say once a list is used up.
#[derive(Clone, Default, Debug)]
pub struct Script {
    values: std::collections::VecDeque<Value>,
    targets: std::collections::VecDeque<usize>,
}

impl Script {
    /// Follows the lists.
    pub fn new(values: impl IntoIterator<Item = Value>, targets: impl IntoIterator<Item = usize>) -> Script {
        Script { values: values.into_iter().collect(), targets: targets.into_iter().collect() }
    }

    /// Whether both lists are used up.
    pub fn is_finished(&self) -> bool {
        self.values.is_empty() && self.targets.is_empty()
    }
}

impl Driver for Script {
    fn choose(&mut self, _program: &Program, _variable: Variable, _reason: Reason) -> Option<Value> {
        self.values.pop_front()
    }

    fn goto(&mut self, _program: &Program, _procedure: Procedure, _block: Block) -> Option<usize> {
        self.targets.pop_front()
    }
}
