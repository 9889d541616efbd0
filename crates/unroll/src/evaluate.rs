//! Expressions as bits.
//!
//! What has no exact form here (reals, quantifiers, functions without meaning, division by zero, remainders of
//! floating-point numbers, integers of more than a few thousand bits) becomes an arbitrary value. Then more is possible
//! here than in the program, and what is shown to be impossible here is impossible there.

use crate::gates::Bit;
use crate::numbers::{self, Bits, Shift};
use crate::state::State;
use crate::values::{BaseData, Value, WIDE, Word};
use crate::walk::{Halt, Subject, Unroller};
use base::EntityRef;
use ir::builtin::{BitVecBinary, BitVecCompare, BitVecUnary};
use ir::claims::What;
use ir::{BinaryOp, Builtin, Expr, ExprData, Function, Meaning, Type, UnaryOp, Variable, VariableKind};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Expressions nested deeper than this are arbitrary values.
const DEEPEST: usize = 4_000;
/// A body of a function counts as so many levels.
const LEVELS_OF_A_BODY: usize = 50;
/// Integers with more bits than this are arbitrary.
const WIDEST: usize = 4_096;

/// Where an expression is evaluated.
pub(crate) struct Scope<'s> {
    pub(crate) state: &'s mut State,
    /// The parameters of the function whose body it is.
    arguments: FxHashMap<Variable, Value>,
    known: FxHashMap<Expr, Value>,
    depth: usize,
    /// Which body of which function it is, reached from the statement on which way; zero for the statement itself.
    pub(crate) frame: u64,
}

/// The frame of the body of a function that is applied in another frame.
pub(crate) fn frame_inside(frame: u64, apply: Expr) -> u64 {
    (frame ^ (apply.index() as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A value that is a number.
pub(crate) struct Operand(Word);

impl Operand {
    /// As an integer: `true` is 1, and bit-vectors are without sign.
    pub(crate) fn of(value: &Value) -> Option<Operand> {
        match value {
            Value::Bool(bit) => Some(Operand(Word::new(vec![*bit, Bit::FALSE]))),
            Value::Int(word) => Some(Operand(word.clone())),
            Value::Bits(bits) => Some(Operand(Word::new(bits.iter().copied().chain([Bit::FALSE]).collect()))),
            Value::Map(_) | Value::Opaque | Value::Open(_) => None,
        }
    }

    pub(crate) fn into_word(self) -> Word {
        self.0
    }
}

/// Whether all bits of a value are constant, or it has none.
fn is_constant(value: &Value) -> bool {
    let constant = |bits: &[Bit]| bits.iter().all(|bit| bit.constant().is_some());
    match value {
        Value::Bool(bit) => bit.constant().is_some(),
        Value::Int(word) => word.beyond == Bit::FALSE && constant(&word.bits),
        Value::Bits(bits) => constant(bits),
        Value::Map(_) | Value::Opaque | Value::Open(_) => true,
    }
}

/// A bit of a number in two's complement.
fn bit_of(value: i128, at: usize) -> bool {
    value >> at.min(127) & 1 == 1
}

impl Unroller<'_, '_> {
    /// The value of an expression in a state. What is claimed about variables on the way stays known in the state.
    pub(crate) fn value(&mut self, expr: Expr, state: &mut State) -> Result<Value, Halt> {
        let (arguments, known) = (FxHashMap::default(), FxHashMap::default());
        self.eval(expr, &mut Scope { state, arguments, known, depth: 0, frame: 0 })
    }

    /// The value of a condition in a state.
    pub(crate) fn condition(&mut self, expr: Expr, state: &mut State) -> Result<Bit, Halt> {
        let value = self.value(expr, state)?;
        Ok(self.truth(value))
    }

    /// A value with what is claimed about it where a state is reached.
    pub(crate) fn narrowed(&mut self, value: Value, subject: Subject, state: &State) -> Result<Value, Halt> {
        if is_constant(&value) {
            return Ok(value);
        }
        let Some(what) = self.claimed(subject, Some(&value)) else { return Ok(value) };
        let (holds, narrow) = match (&what, &value) {
            (What::Truth(truth), Value::Bool(bit)) => {
                (if *truth { *bit } else { !*bit }, Value::Bool(Bit::of(*truth)))
            }
            (What::Width(width), Value::Int(word)) if *width > 0 => {
                let kept = word.bits.len().min(*width as usize);
                let sign = word.bits[kept - 1];
                let mut holds = !word.beyond;
                for &bit in &word.bits[kept..] {
                    let same = self.store.gates.same(bit, sign);
                    holds = self.store.gates.and(holds, same);
                }
                (holds, Value::int(word.bits[..kept].to_vec()))
            }
            (What::OneOf(values), Value::Int(word)) if !values.is_empty() => {
                let mut any = Bit::FALSE;
                for &value in values {
                    let same = self.same_words(word, &Word::new(numbers::integer(&BigInt::from(value))));
                    any = self.store.gates.or(any, same);
                }
                let holds = self.store.gates.and(any, !word.beyond);
                (holds, Value::Int(one_of(word, values)))
            }
            (What::OneOf(values), Value::Bits(bits)) if !values.is_empty() => {
                let vector = |value: i128| numbers::vector(&BigInt::from(value), bits.len());
                let same: Vec<Bit> =
                    values.iter().map(|&value| self.store.gates.same_bits(bits, &vector(value))).collect();
                let narrow = with_common_bits(bits, values);
                (self.store.gates.any(same), Value::vector(narrow))
            }
            _ => return Err(Halt::Refused("a claim about a value of another type")),
        };
        let fails = self.store.gates.and(state.guard.all(), !holds);
        Ok(if self.uses(fails)? { narrow } else { value })
    }

    fn eval(&mut self, expr: Expr, at: &mut Scope<'_>) -> Result<Value, Halt> {
        if let Some(value) = at.known.get(&expr) {
            return Ok(value.clone());
        }
        if at.depth >= DEEPEST {
            return Ok(self.store.anything(self.program.ty(expr)));
        }
        at.depth += 1;
        let value = self.eval_new(expr, at)?;
        at.depth -= 1;
        let value = self.narrowed(value, Subject::Value(at.frame, expr), at.state)?;
        if let ExprData::Variable(variable) = self.program.expressions[expr] {
            let is_parameter =
                matches!(self.program.variables[variable].kind, VariableKind::FunctionParameter(_));
            let slot = self.slots[variable];
            if !is_parameter && at.state.get(slot).is_some_and(|old| !old.same(&value)) {
                at.state.set(slot, value.clone());
            }
        }
        at.known.insert(expr, value.clone());
        Ok(value)
    }

    fn variable(&mut self, variable: Variable, at: &Scope<'_>) -> Value {
        let data = &self.program.variables[variable];
        let value = match data.kind {
            VariableKind::FunctionParameter(_) => at.arguments.get(&variable),
            _ => at.state.get(self.slots[variable]),
        };
        match value {
            Some(value) => self.store.look(&value.clone()),
            // It is bound by a quantifier.
            None => self.store.anything(data.ty),
        }
    }

    fn eval_new(&mut self, expr: Expr, at: &mut Scope<'_>) -> Result<Value, Halt> {
        let program = self.program;
        let ty = program.ty(expr);
        Ok(match &program.expressions[expr] {
            ExprData::Bool(value) => Value::Bool(Bit::of(*value)),
            ExprData::Int(value) => Value::int(numbers::integer(value)),
            ExprData::BitVec { value, width } => {
                Value::vector(numbers::vector(&BigInt::from(value.clone()), *width as usize))
            }
            ExprData::Variable(variable) => self.variable(*variable, at),
            ExprData::Old(variable) => match self.slots[*variable] {
                crate::state::Slot::Global(index) if index < at.state.olds.len() => {
                    let value = at.state.olds[index].clone();
                    self.store.look(&value)
                }
                _ => self.store.anything(ty),
            },
            ExprData::Apply(function, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for &argument in arguments.iter() {
                    values.push(self.eval(argument, at)?);
                }
                self.apply(*function, values, expr, at)?
            }
            ExprData::Unary(op, operand) => match (op, self.eval(*operand, at)?) {
                (UnaryOp::Not, Value::Bool(bit)) => Value::Bool(!bit),
                (UnaryOp::Negate, Value::Int(word)) => {
                    let zero = Word::new(numbers::small(0));
                    Value::Int(self.integer_operation(BinaryOp::Subtract, &zero, &word))
                }
                _ => self.store.anything(ty),
            },
            ExprData::Binary(op, left, right) => self.binary(*op, (*left, *right), ty, at)?,
            ExprData::Ite(condition, then, otherwise) => {
                let condition = self.eval(*condition, at)?;
                let condition = self.truth(condition);
                match condition.constant() {
                    Some(true) => self.eval(*then, at)?,
                    Some(false) => self.eval(*otherwise, at)?,
                    None => {
                        let (a, b) = (self.eval(*then, at)?, self.eval(*otherwise, at)?);
                        self.store.merge(condition, &a, &b)
                    }
                }
            }
            ExprData::Select(map, arguments) => {
                let map = self.eval(*map, at)?;
                let indices = self.indices(arguments, at)?;
                let value = self.element(&map, indices.as_deref(), ty)?;
                self.store.look(&value)
            }
            ExprData::Store(map, arguments, value) => {
                let map = self.eval(*map, at)?;
                let indices = self.indices(arguments, at)?;
                let value = self.eval(*value, at)?;
                self.stored(map, indices.as_deref(), &value, ty)?
            }
            ExprData::Extract { operand, high, low } => match self.eval(*operand, at)? {
                Value::Bits(bits) => Value::vector(bits[*low as usize..*high as usize].to_vec()),
                _ => self.store.anything(ty),
            },
            ExprData::Real(_) | ExprData::Quantified(_) => self.store.anything(ty),
        })
    }

    /// The arguments of a map as integers; nothing if one of them is none.
    fn indices(&mut self, arguments: &[Expr], at: &mut Scope<'_>) -> Result<Option<Vec<Word>>, Halt> {
        let mut indices = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let value = self.eval(argument, at)?;
            let Some(operand) = Operand::of(&value) else { return Ok(None) };
            let index = Value::Int(operand.into_word());
            let index = self.narrowed(index, Subject::Index(at.frame, argument), at.state)?;
            let Value::Int(word) = index else { return Ok(None) };
            if let (ExprData::Variable(variable), Value::Int(_)) =
                (&self.program.expressions[argument], &value)
                && at.state.get(self.slots[*variable]).is_some()
            {
                at.state.set(self.slots[*variable], Value::Int(word.clone()));
            }
            indices.push(word);
        }
        Ok(Some(indices))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        (left, right): (Expr, Expr),
        ty: Type,
        at: &mut Scope<'_>,
    ) -> Result<Value, Halt> {
        use BinaryOp::*;
        let a = self.eval(left, at)?;
        // The right side does not matter if the left side decides.
        match (op, &a) {
            (And, Value::Bool(Bit::FALSE)) => return Ok(Value::Bool(Bit::FALSE)),
            (Or, Value::Bool(Bit::TRUE)) | (Implies, Value::Bool(Bit::FALSE)) => {
                return Ok(Value::Bool(Bit::TRUE));
            }
            _ => {}
        }
        let b = self.eval(right, at)?;
        Ok(match (op, &a, &b) {
            (And, Value::Bool(a), Value::Bool(b)) => Value::Bool(self.store.gates.and(*a, *b)),
            (Or, Value::Bool(a), Value::Bool(b)) => Value::Bool(self.store.gates.or(*a, *b)),
            (Implies, Value::Bool(a), Value::Bool(b)) => Value::Bool(self.store.gates.or(!*a, *b)),
            (Iff | Equal, ..) => Value::Bool(self.same(&a, &b)),
            (NotEqual, ..) => Value::Bool(!self.same(&a, &b)),
            (Less, Value::Int(a), Value::Int(b)) => Value::Bool(self.less_words(a, b)),
            (Greater, Value::Int(a), Value::Int(b)) => Value::Bool(self.less_words(b, a)),
            (LessEqual, Value::Int(a), Value::Int(b)) => Value::Bool(!self.less_words(b, a)),
            (GreaterEqual, Value::Int(a), Value::Int(b)) => Value::Bool(!self.less_words(a, b)),
            (Add | Subtract | Multiply | IntDivide | Modulo, Value::Int(a), Value::Int(b)) => {
                Value::Int(self.integer_operation(op, a, b))
            }
            (Concat, Value::Bits(high), Value::Bits(low)) => {
                Value::vector(low.iter().chain(high.iter()).copied().collect())
            }
            _ => self.store.anything(ty),
        })
    }

    /// An integer from two. If one of them is beyond, it is arbitrary, and so it is behind a division by zero.
    pub(crate) fn integer_operation(&mut self, op: BinaryOp, a: &Word, b: &Word) -> Word {
        let gates = &mut self.store.gates;
        let (x, y) = (&a.bits, &b.bits);
        let divides = matches!(op, BinaryOp::IntDivide | BinaryOp::Modulo);
        let mut unknown = gates.or(a.beyond, b.beyond);
        if divides {
            let zero = gates.is_zero(y);
            unknown = gates.or(unknown, zero);
        }
        if unknown == Bit::TRUE || x.len() + y.len() > WIDEST {
            return self.store.any_integer();
        }
        let bits = match op {
            BinaryOp::Add => gates.plus(x, y),
            BinaryOp::Subtract => gates.minus(x, y),
            BinaryOp::Multiply => gates.times(x, y),
            BinaryOp::IntDivide => gates.divided(x, y).quotient,
            BinaryOp::Modulo => gates.divided(x, y).remainder,
            _ => return self.store.any_integer(),
        };
        let known = Word::new(bits);
        if unknown == Bit::FALSE {
            return known;
        }
        let any = self.store.any_integer();
        match self.store.merge(unknown, &Value::Int(any.clone()), &Value::Int(known)) {
            Value::Int(word) => word,
            _ => any,
        }
    }

    /// a < b. An integer that is beyond is below or above all that have [`WIDE`] bits, as its sign says.
    pub(crate) fn less_words(&mut self, a: &Word, b: &Word) -> Bit {
        let gates = &mut self.store.gates;
        let inside = gates.less(&a.bits, &b.bits);
        if a.beyond == Bit::FALSE && b.beyond == Bit::FALSE {
            return inside;
        }
        let unknown = gates.input();
        if a.bits.len() > WIDE || b.bits.len() > WIDE {
            let any = gates.or(a.beyond, b.beyond);
            return gates.choice(any, unknown, inside);
        }
        let (minus_a, minus_b) = (numbers::sign(&a.bits), numbers::sign(&b.bits));
        let differ = gates.xor(minus_a, minus_b);
        let both = gates.choice(differ, minus_a, unknown);
        let only_b = gates.choice(b.beyond, !minus_b, inside);
        let with_a = gates.choice(b.beyond, both, minus_a);
        gates.choice(a.beyond, with_a, only_b)
    }

    /// a = b. An integer that is beyond is none that has [`WIDE`] bits.
    pub(crate) fn same_words(&mut self, a: &Word, b: &Word) -> Bit {
        let gates = &mut self.store.gates;
        let inside = gates.same_integers(&a.bits, &b.bits);
        if a.beyond == Bit::FALSE && b.beyond == Bit::FALSE {
            return inside;
        }
        if a.bits == b.bits && a.beyond == b.beyond {
            return Bit::TRUE;
        }
        let unknown = gates.input();
        if a.bits.len() > WIDE || b.bits.len() > WIDE {
            let any = gates.or(a.beyond, b.beyond);
            return gates.choice(any, unknown, inside);
        }
        let both = gates.and(a.beyond, b.beyond);
        let one = gates.xor(a.beyond, b.beyond);
        let alike = gates.choice(both, unknown, inside);
        gates.and(alike, !one)
    }

    fn same(&mut self, a: &Value, b: &Value) -> Bit {
        match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => self.store.gates.same(*a, *b),
            (Value::Int(a), Value::Int(b)) => self.same_words(a, b),
            (Value::Bits(a), Value::Bits(b)) => self.store.gates.same_bits(a, b),
            (Value::Map(_), Value::Map(_)) if a.same(b) => Bit::TRUE,
            _ => self.store.gates.input(),
        }
    }

    fn apply(
        &mut self,
        function: Function,
        values: Vec<Value>,
        expr: Expr,
        at: &mut Scope<'_>,
    ) -> Result<Value, Halt> {
        self.budget.check()?;
        let ty = self.program.ty(expr);
        let data = &self.program.functions[function];
        match &data.meaning {
            Meaning::Builtin(builtin) => Ok(self.builtin(*builtin, &values, ty)),
            Meaning::Defined(body) if at.depth + LEVELS_OF_A_BODY < DEEPEST => {
                let mut inside = Scope {
                    state: at.state,
                    arguments: data.parameters.iter().copied().zip(values).collect(),
                    known: FxHashMap::default(),
                    depth: at.depth + LEVELS_OF_A_BODY,
                    frame: frame_inside(at.frame, expr),
                };
                self.eval(*body, &mut inside)
            }
            Meaning::Uninterpreted | Meaning::Defined(_) => Ok(self.store.anything(ty)),
        }
    }

    fn builtin(&mut self, builtin: Builtin, values: &[Value], ty: Type) -> Value {
        match (builtin, values) {
            (Builtin::ConstantMap, [value]) => self.store.map_over(BaseData::Constant(value.clone())),
            (Builtin::IntToBitVec(width), [Value::Int(word)]) => {
                let width = width as usize;
                let known = Value::vector(numbers::widened(&word.bits, width)[..width].to_vec());
                if word.beyond == Bit::FALSE {
                    return known;
                }
                let unknown = self.store.anything(ty);
                self.store.merge(word.beyond, &unknown, &known)
            }
            (Builtin::Float(operation), _) => self.float(operation, values, ty),
            (_, [Value::Bits(bits)]) if !bits.is_empty() => self.of_vector(builtin, bits, ty),
            (Builtin::BitVecCompare(op), [Value::Bits(a), Value::Bits(b)]) if !a.is_empty() => {
                Value::Bool(self.compare_vectors(op, a, b))
            }
            (Builtin::BitVecBinary(op), [Value::Bits(a), Value::Bits(b)]) if !a.is_empty() => {
                Value::vector(self.of_vectors(op, a, b))
            }
            _ => self.store.anything(ty),
        }
    }

    /// An operation on one bit-vector.
    fn of_vector(&mut self, builtin: Builtin, bits: &[Bit], ty: Type) -> Value {
        let width = bits.len();
        match builtin {
            Builtin::UnsignedToInt => Value::int(bits.iter().copied().chain([Bit::FALSE]).collect()),
            Builtin::SignedToInt => Value::int(bits.to_vec()),
            Builtin::ZeroExtend(by) => {
                let mut wide = bits.to_vec();
                wide.resize(width + by as usize, Bit::FALSE);
                Value::vector(wide)
            }
            Builtin::SignExtend(by) => Value::vector(numbers::widened(bits, width + by as usize)),
            Builtin::RotateLeft(by) => {
                Value::vector((0..width).map(|at| bits[(at + width - by as usize % width) % width]).collect())
            }
            Builtin::RotateRight(by) => {
                Value::vector((0..width).map(|at| bits[(at + by as usize % width) % width]).collect())
            }
            Builtin::BitVecUnary(BitVecUnary::Not) => Value::vector(bits.iter().map(|&bit| !bit).collect()),
            Builtin::BitVecUnary(BitVecUnary::Negate) => {
                Value::vector(self.store.gates.negative_vector(bits))
            }
            _ => self.store.anything(ty),
        }
    }

    fn compare_vectors(&mut self, op: BitVecCompare, a: &[Bit], b: &[Bit]) -> Bit {
        use BitVecCompare::*;
        let gates = &mut self.store.gates;
        match op {
            UnsignedLess => gates.below(a, b),
            UnsignedLessEqual => !gates.below(b, a),
            UnsignedGreater => gates.below(b, a),
            UnsignedGreaterEqual => !gates.below(a, b),
            SignedLess => gates.less(a, b),
            SignedLessEqual => !gates.less(b, a),
            SignedGreater => gates.less(b, a),
            SignedGreaterEqual => !gates.less(a, b),
        }
    }

    /// An operation on two bit-vectors of one width.
    fn of_vectors(&mut self, op: BitVecBinary, a: &[Bit], b: &[Bit]) -> Bits {
        use BitVecBinary::*;
        let gates = &mut self.store.gates;
        let (minus_a, minus_b) = (numbers::sign(a), numbers::sign(b));
        let pairs = || a.iter().copied().zip(b.iter().copied());
        match op {
            And => pairs().map(|(a, b)| gates.and(a, b)).collect(),
            Or => pairs().map(|(a, b)| gates.or(a, b)).collect(),
            Xor => pairs().map(|(a, b)| gates.xor(a, b)).collect(),
            Nand => pairs().map(|(a, b)| !gates.and(a, b)).collect(),
            Nor => pairs().map(|(a, b)| !gates.or(a, b)).collect(),
            Xnor => pairs().map(|(a, b)| gates.same(a, b)).collect(),
            Add => gates.sum(a, b, Bit::FALSE).0,
            Subtract => gates.difference(a, b),
            Multiply => gates.product(a, b),
            UnsignedDivide => gates.long_division(a, b).quotient,
            UnsignedRemainder => gates.long_division(a, b).remainder,
            SignedDivide => {
                let (x, y) = (gates.magnitude(a), gates.magnitude(b));
                let quotient = gates.long_division(&x, &y).quotient;
                let negative = gates.negative_vector(&quotient);
                let flips = gates.xor(minus_a, minus_b);
                gates.select(flips, &negative, &quotient)
            }
            SignedRemainder | SignedModulo => {
                let (x, y) = (gates.magnitude(a), gates.magnitude(b));
                let remainder = gates.long_division(&x, &y).remainder;
                let negative = gates.negative_vector(&remainder);
                let signed = gates.select(minus_a, &negative, &remainder);
                if op == SignedRemainder {
                    return signed;
                }
                // A remainder that is not zero takes the sign of the divisor, by adding that once.
                let added = gates.sum(&signed, b, Bit::FALSE).0;
                let whole = gates.is_zero(&remainder);
                let differ = gates.xor(minus_a, minus_b);
                let adds = gates.and(differ, !whole);
                gates.select(adds, &added, &signed)
            }
            ShiftLeft => gates.shifted(a, b, Shift::Left),
            LogicalShiftRight => gates.shifted(a, b, Shift::Right),
            ArithmeticShiftRight => gates.shifted(a, b, Shift::RightSigned),
        }
    }
}

/// An integer that is one of some: bits that these have in common are constant, and it has no more than they have.
fn one_of(word: &Word, values: &[i128]) -> Word {
    let width = values.iter().map(|&value| numbers::integer(&BigInt::from(value)).len()).max().unwrap_or(1);
    let bits = numbers::widened(&word.bits, width);
    let bits = numbers::trimmed(with_common_bits(&bits[..width], values));
    Word { bits: bits.into(), beyond: Bit::FALSE, one_of: Some(Rc::from(values)) }
}

/// The bits, where some numbers do not have one in common; else that one.
fn with_common_bits(bits: &[Bit], values: &[i128]) -> Bits {
    let common = |at: usize| {
        let first = bit_of(values[0], at);
        values.iter().all(|&value| bit_of(value, at) == first).then_some(Bit::of(first))
    };
    bits.iter().enumerate().map(|(at, &bit)| common(at).unwrap_or(bit)).collect()
}
