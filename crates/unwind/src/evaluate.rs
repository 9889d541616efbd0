//! Expressions as bits.
//!
//! What has no exact form here (reals, quantifiers, functions without meaning, divisions by zero, remainders of
//! floating-point numbers that are not constant, integers beyond [`WIDE`] bits) becomes an arbitrary value: more is possible then than in
//! the program, so that what is shown to be impossible is impossible.

mod floats;
mod places;

use crate::circuit::Bit;
use crate::extent::{self, Extent};
use crate::facts::{Comparison, Relation};
use crate::interval::Interval;
use crate::record::{Subject, frame_inside};
use crate::state::State;
use crate::unwinder::Unwinder;
use crate::values::{Value, WIDE, Word};
use crate::words::{self, Bits, Division, Shift};
use base::Interrupted;
use ir::builtin::{BitVecBinary, BitVecCompare, BitVecUnary};
use ir::{BinaryOp, Builtin, Expr, ExprData, Function, Meaning, Type, UnaryOp, Variable, VariableKind};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// An index with so many bits that are not constant means one of all places that they may be.
const MOST_OPEN_BITS: usize = 11;
/// Indices with a few values each mean at most so many places.
const MOST_PLACES: usize = 512;
/// Expressions nested deeper than this are arbitrary values.
const DEEPEST: usize = 4_000;
/// Integers with more bits than this are arbitrary.
const WIDEST: usize = 4_096;

/// The values of the parameters of a function.
pub(crate) type Arguments = FxHashMap<Variable, Value>;

/// What an evaluation knows.
pub(crate) struct Evaluation<'s> {
    state: &'s State,
    arguments: Arguments,
    memo: FxHashMap<Expr, Value>,
    depth: usize,
    /// The body of a function that is evaluated; zero for the statement itself.
    frame: u64,
}

impl<'s> Evaluation<'s> {
    pub(crate) fn new(state: &'s State) -> Evaluation<'s> {
        Evaluation { state, arguments: Arguments::default(), memo: FxHashMap::default(), depth: 0, frame: 0 }
    }
}

impl Unwinder<'_> {
    /// The value of an expression in a state.
    pub(crate) fn evaluate(&mut self, expr: Expr, state: &State) -> Result<Value, Interrupted> {
        self.eval(expr, &mut Evaluation::new(state))
    }

    /// The value of a condition in a state.
    pub(crate) fn condition(&mut self, expr: Expr, state: &State) -> Result<Bit, Interrupted> {
        let value = self.evaluate(expr, state)?;
        Ok(self.truth(value))
    }

    fn truth(&mut self, value: Value) -> Bit {
        match value {
            Value::Bool(bit) => bit,
            _ => self.store.circuit.input(),
        }
    }

    fn eval(&mut self, expr: Expr, at: &mut Evaluation<'_>) -> Result<Value, Interrupted> {
        if let Some(value) = at.memo.get(&expr) {
            return Ok(value.clone());
        }
        if at.depth >= DEEPEST {
            return Ok(self.arbitrary(self.program.ty(expr), "a deeply nested expression"));
        }
        at.depth += 1;
        let value = self.eval_new(expr, at)?;
        at.depth -= 1;
        self.note_known(Subject::Value(at.frame, expr), &value);
        at.memo.insert(expr, value.clone());
        Ok(value)
    }

    /// Writes down what a value is seen to be, if somebody wants to know.
    pub(crate) fn note_known(&mut self, subject: Subject, value: &Value) {
        if let Some(record) = &mut self.record {
            record.note(subject, value);
        }
    }

    /// An arbitrary value instead of one that is not known.
    fn arbitrary(&mut self, ty: Type, why: &'static str) -> Value {
        self.imprecise.get_or_insert(why);
        self.store.fresh(ty)
    }

    fn variable(&mut self, variable: Variable, at: &Evaluation<'_>) -> Value {
        if let VariableKind::FunctionParameter(_) = self.program.variables[variable].kind {
            return match at.arguments.get(&variable) {
                Some(value) => value.clone(),
                None => self.arbitrary(self.program.variables[variable].ty, "a parameter without a value"),
            };
        }
        match at.state.get(self.slots[variable]) {
            Some(value) => {
                let value = self.store.look(&value.clone());
                at.state.facts.apply(&value)
            }
            None => self.arbitrary(self.program.variables[variable].ty, "a bound variable"),
        }
    }

    fn eval_new(&mut self, expr: Expr, at: &mut Evaluation<'_>) -> Result<Value, Interrupted> {
        let program = self.program;
        let ty = program.ty(expr);
        Ok(match &program.expressions[expr] {
            ExprData::Bool(value) => Value::Bool(Bit::constant(*value)),
            ExprData::Int(value) => Value::int(words::integer(value)),
            ExprData::Real(_) => Value::Opaque,
            ExprData::BitVec { value, width } => {
                Value::bits(words::unsigned(&BigInt::from(value.clone()), *width as usize))
            }
            ExprData::Variable(variable) => self.variable(*variable, at),
            ExprData::Old(variable) => match at.state.old(self.slots[*variable]) {
                Some(value) => self.store.look(&value.clone()),
                None => self.arbitrary(ty, "an old value"),
            },
            ExprData::Apply(function, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for &argument in arguments.iter() {
                    values.push(self.eval(argument, at)?);
                }
                self.apply(*function, values, expr, at)?
            }
            ExprData::Unary(op, operand) => {
                let operand = self.eval(*operand, at)?;
                match (op, operand) {
                    (UnaryOp::Not, Value::Bool(bit)) => Value::Bool(!bit),
                    (UnaryOp::Negate, Value::Int(word)) => {
                        let negated =
                            |few: extent::Few| few.iter().map(|&value| value.checked_neg()).collect();
                        let extent = match word.few().and_then(negated) {
                            Some(values) => Extent::one_of(values),
                            None => Extent::within(word.bounds().and_then(Interval::negated)),
                        };
                        self.arithmetic(&[&word], extent, |circuit| circuit.negate(&word.bits))
                    }
                    _ => self.arbitrary(ty, "real numbers"),
                }
            }
            ExprData::Binary(op, left, right) => self.binary(*op, *left, *right, ty, at)?,
            ExprData::Ite(condition, then, otherwise) => {
                let condition = self.eval(*condition, at)?;
                let condition = self.truth(condition);
                match condition.as_constant() {
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
                let value = self.select(&map, &indices, ty)?;
                let value = self.store.look(&value);
                at.state.facts.apply(&value)
            }
            ExprData::Store(map, arguments, value) => {
                let map = self.eval(*map, at)?;
                let indices = self.indices(arguments, at)?;
                let value = self.eval(*value, at)?;
                self.store_at(map, &indices, value, ty)?
            }
            ExprData::Extract { operand, high, low } => match self.eval(*operand, at)? {
                Value::Bits(bits) => Value::bits(bits[*low as usize..*high as usize].to_vec()),
                _ => self.arbitrary(ty, "bits of nothing"),
            },
            ExprData::Quantified(_) => self.arbitrary(ty, "quantifiers"),
        })
    }

    /// An integer from integers. If one of them is beyond, it is arbitrary.
    fn arithmetic(
        &mut self,
        operands: &[&Word],
        extent: Extent,
        compute: impl FnOnce(&mut crate::circuit::Circuit) -> Bits,
    ) -> Value {
        let mut beyond = Bit::FALSE;
        for operand in operands {
            beyond = self.store.circuit.or(beyond, operand.beyond);
        }
        if beyond == Bit::TRUE {
            return Value::Int(self.store.fresh_word());
        }
        let bits = compute(&mut self.store.circuit);
        if bits.len() > WIDEST {
            self.imprecise.get_or_insert("integers of thousands of bits");
            return Value::Int(self.store.fresh_word());
        }
        if beyond == Bit::FALSE {
            return Value::Int(Word::within(bits, extent));
        }
        let value = Value::int(bits);
        let unknown = Value::Int(self.store.fresh_word());
        self.store.merge(beyond, &unknown, &value)
    }

    /// Remembers what a bit stands for: here with all that is known about the number, elsewhere with its bits only.
    pub(crate) fn note(&mut self, bit: Bit, comparison: Comparison) {
        let word = comparison.word.with_bits_only();
        self.comparisons.note(bit, Comparison { word, relation: comparison.relation.clone() });
        self.here.note(bit, comparison);
    }

    /// a < b. Comparisons with constants are remembered, so that something is known where they hold.
    fn less(&mut self, a: &Word, b: &Word) -> Bit {
        let bit = self.less_words(a, b);
        if let Some(constant) = words::as_integer(&b.bits).filter(|_| b.beyond == Bit::FALSE) {
            self.note(bit, Comparison { word: a.clone(), relation: Relation::Below(constant) });
        } else if let Some(constant) = words::as_integer(&a.bits).filter(|_| a.beyond == Bit::FALSE) {
            let relation = Relation::AtLeast(constant + 1);
            self.note(bit, Comparison { word: b.clone(), relation });
        }
        bit
    }

    /// a < b, where integers beyond are below or above all others.
    fn less_words(&mut self, a: &Word, b: &Word) -> Bit {
        if let (Some(x), Some(y)) = (a.bounds(), b.bounds()) {
            if x.high < y.low {
                return Bit::TRUE;
            }
            if x.low >= y.high {
                return Bit::FALSE;
            }
        }
        let circuit = &mut self.store.circuit;
        let inside = circuit.less(&a.bits, &b.bits);
        if a.beyond == Bit::FALSE && b.beyond == Bit::FALSE {
            return inside;
        }
        let unknown = circuit.input();
        if a.bits.len() > WIDE || b.bits.len() > WIDE {
            let any = circuit.or(a.beyond, b.beyond);
            return circuit.mux(any, unknown, inside);
        }
        // Both beyond: the signs may decide, else anything.
        let (sign_a, sign_b) = (words::sign(&a.bits), words::sign(&b.bits));
        let differ = circuit.xor(sign_a, sign_b);
        let both = circuit.mux(differ, sign_a, unknown);
        let if_b = circuit.mux(b.beyond, both, sign_a);
        let not_a = circuit.mux(b.beyond, !sign_b, inside);
        circuit.mux(a.beyond, if_b, not_a)
    }

    fn equal_words(&mut self, a: &Word, b: &Word) -> Bit {
        if let (Some(x), Some(y)) = (a.bounds(), b.bounds())
            && x.common(y).is_none()
        {
            return Bit::FALSE;
        }
        if let (Some(x), Some(y)) = (a.few(), b.few())
            && !x.iter().any(|value| y.binary_search(value).is_ok())
        {
            return Bit::FALSE;
        }
        let circuit = &mut self.store.circuit;
        let inside = circuit.equal_integers(&a.bits, &b.bits);
        if a.beyond == Bit::FALSE && b.beyond == Bit::FALSE {
            return inside;
        }
        if a == b {
            return Bit::TRUE;
        }
        let unknown = circuit.input();
        if a.bits.len() > WIDE || b.bits.len() > WIDE {
            let any = circuit.or(a.beyond, b.beyond);
            return circuit.mux(any, unknown, inside);
        }
        let both = circuit.and(a.beyond, b.beyond);
        let one = circuit.xor(a.beyond, b.beyond);
        let outside = circuit.mux(both, unknown, inside);
        circuit.and(!one, outside)
    }

    fn equal(&mut self, a: &Value, b: &Value) -> Bit {
        match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => self.store.circuit.equal(*a, *b),
            (Value::Int(a), Value::Int(b)) => {
                let bit = self.equal_words(a, b);
                for (word, other) in [(a, b), (b, a)] {
                    if let Some(constant) =
                        words::as_integer(&other.bits).filter(|_| other.beyond == Bit::FALSE)
                    {
                        let relation = Relation::Equal(constant);
                        self.note(bit, Comparison { word: word.clone(), relation });
                    }
                }
                bit
            }
            (Value::Bits(a), Value::Bits(b)) => self.store.circuit.equal_bits(a, b),
            (Value::Map(_), Value::Map(_)) if a.same(b) => Bit::TRUE,
            _ => {
                self.imprecise.get_or_insert("equality of maps, reals, or uninterpreted values");
                self.store.circuit.input()
            }
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        ty: Type,
        at: &mut Evaluation<'_>,
    ) -> Result<Value, Interrupted> {
        use BinaryOp::*;
        let a = self.eval(left, at)?;
        // The right side need not be looked at if the left side decides.
        match (op, &a) {
            (And, Value::Bool(Bit::FALSE)) => return Ok(Value::Bool(Bit::FALSE)),
            (Or, Value::Bool(Bit::TRUE)) | (Implies, Value::Bool(Bit::FALSE)) => {
                return Ok(Value::Bool(Bit::TRUE));
            }
            _ => {}
        }
        let b = self.eval(right, at)?;
        let value = self.operation(op, &a, &b, ty);
        if let Value::Bool(bit) = value
            && bit.as_constant().is_none()
            && is_comparison(op)
        {
            self.note_places(bit, op, (left, &b), at)?;
        }
        Ok(value)
    }

    pub(crate) fn operation(&mut self, op: BinaryOp, a: &Value, b: &Value, ty: Type) -> Value {
        use BinaryOp::*;
        match (op, a, b) {
            (And, Value::Bool(a), Value::Bool(b)) => Value::Bool(self.store.circuit.and(*a, *b)),
            (Or, Value::Bool(a), Value::Bool(b)) => Value::Bool(self.store.circuit.or(*a, *b)),
            (Implies, Value::Bool(a), Value::Bool(b)) => Value::Bool(self.store.circuit.or(!*a, *b)),
            (Iff | Equal, ..) => Value::Bool(self.equal(a, b)),
            (NotEqual, ..) => Value::Bool(!self.equal(a, b)),
            (Less, Value::Int(a), Value::Int(b)) => Value::Bool(self.less(a, b)),
            (Greater, Value::Int(a), Value::Int(b)) => Value::Bool(self.less(b, a)),
            (LessEqual, Value::Int(a), Value::Int(b)) => Value::Bool(!self.less(b, a)),
            (GreaterEqual, Value::Int(a), Value::Int(b)) => Value::Bool(!self.less(a, b)),
            (Add, Value::Int(a), Value::Int(b)) => {
                let extent = both(a, b, i128::checked_add, Interval::plus);
                self.arithmetic(&[a, b], extent, |c| c.add(&a.bits, &b.bits))
            }
            (Subtract, Value::Int(a), Value::Int(b)) => {
                let extent = both(a, b, i128::checked_sub, |a, b| a.plus(b.negated()?));
                self.arithmetic(&[a, b], extent, |c| c.subtract(&a.bits, &b.bits))
            }
            (Multiply, Value::Int(a), Value::Int(b)) => {
                let extent = both(a, b, i128::checked_mul, Interval::times);
                self.arithmetic(&[a, b], extent, |c| c.multiply(&a.bits, &b.bits))
            }
            (IntDivide, Value::Int(a), Value::Int(b)) => {
                let extent = both(a, b, positive(i128::checked_div_euclid), Interval::quotients);
                self.division(a, b, extent, |division| division.quotient)
            }
            (Modulo, Value::Int(a), Value::Int(b)) => {
                let extent = both(a, b, positive(i128::checked_rem_euclid), Interval::remainders);
                self.division(a, b, extent, |division| division.remainder)
            }
            (Concat, Value::Bits(a), Value::Bits(b)) => {
                Value::bits(b.iter().chain(a.iter()).copied().collect())
            }
            _ => self.arbitrary(ty, "real numbers"),
        }
    }

    fn division(&mut self, a: &Word, b: &Word, extent: Extent, part: impl FnOnce(Division) -> Bits) -> Value {
        let zero = self.store.circuit.is_zero(&b.bits);
        if zero == Bit::TRUE && b.beyond == Bit::FALSE {
            return Value::Int(self.store.fresh_word());
        }
        let value = self.arithmetic(&[a, b], extent, |circuit| part(circuit.divide(&a.bits, &b.bits)));
        if zero == Bit::FALSE {
            return value;
        }
        let unknown = Value::Int(self.store.fresh_word());
        self.store.merge(zero, &unknown, &value)
    }

    fn apply(
        &mut self,
        function: Function,
        values: Vec<Value>,
        expr: Expr,
        at: &mut Evaluation<'_>,
    ) -> Result<Value, Interrupted> {
        self.budget.check()?;
        let ty = self.program.ty(expr);
        match &self.program.functions[function].meaning {
            Meaning::Uninterpreted => Ok(self.arbitrary(ty, "a function without meaning")),
            Meaning::Builtin(builtin) => Ok(self.builtin(*builtin, &values, ty)),
            Meaning::Defined(body) => {
                if at.depth + 50 >= DEEPEST {
                    return Ok(self.arbitrary(ty, "a recursive function"));
                }
                let parameters = &self.program.functions[function].parameters;
                let arguments = parameters.iter().copied().zip(values).collect();
                let mut inner = Evaluation {
                    state: at.state,
                    arguments,
                    memo: FxHashMap::default(),
                    depth: at.depth + 50,
                    frame: frame_inside(at.frame, expr),
                };
                self.eval(*body, &mut inner)
            }
        }
    }

    fn builtin(&mut self, builtin: Builtin, values: &[Value], ty: Type) -> Value {
        match (builtin, values) {
            (Builtin::ConstantMap, [value]) => self.store.constant_map(value.clone()),
            (Builtin::IntToBitVec(width), [Value::Int(word)]) => {
                let width = width as usize;
                let mut bits = words::extend(&word.bits, width);
                bits.truncate(width);
                if word.beyond == Bit::FALSE {
                    return Value::bits(bits);
                }
                let unknown = self.store.fresh(ty);
                self.store.merge(word.beyond, &unknown, &Value::bits(bits))
            }
            (Builtin::UnsignedToInt, [Value::Bits(bits)]) => {
                Value::int(bits.iter().copied().chain([Bit::FALSE]).collect())
            }
            (Builtin::SignedToInt, [Value::Bits(bits)]) if !bits.is_empty() => Value::int(bits.to_vec()),
            (Builtin::ZeroExtend(by), [Value::Bits(bits)]) => {
                let mut bits = bits.to_vec();
                bits.resize(bits.len() + by as usize, Bit::FALSE);
                Value::bits(bits)
            }
            (Builtin::SignExtend(by), [Value::Bits(bits)]) if !bits.is_empty() => {
                Value::bits(words::extend(bits, bits.len() + by as usize))
            }
            (Builtin::RotateLeft(by), [Value::Bits(bits)]) if !bits.is_empty() => {
                let mut bits = bits.to_vec();
                let by = by as usize % bits.len();
                bits.rotate_right(by);
                Value::bits(bits)
            }
            (Builtin::RotateRight(by), [Value::Bits(bits)]) if !bits.is_empty() => {
                let mut bits = bits.to_vec();
                let by = by as usize % bits.len();
                bits.rotate_left(by);
                Value::bits(bits)
            }
            (Builtin::BitVecUnary(BitVecUnary::Not), [Value::Bits(bits)]) => {
                Value::bits(bits.iter().map(|&bit| !bit).collect())
            }
            (Builtin::BitVecUnary(BitVecUnary::Negate), [Value::Bits(bits)]) => {
                Value::bits(self.store.circuit.negate_bits(bits))
            }
            (Builtin::BitVecCompare(op), [Value::Bits(a), Value::Bits(b)]) if !a.is_empty() => {
                Value::Bool(self.compare_bits(op, a, b))
            }
            (Builtin::BitVecBinary(op), [Value::Bits(a), Value::Bits(b)]) if !a.is_empty() => {
                Value::bits(self.binary_bits(op, a, b))
            }
            (Builtin::Float(operation), _) => self.float(operation, values, ty),
            _ => self.arbitrary(ty, "an operation on nothing"),
        }
    }

    fn compare_bits(&mut self, op: BitVecCompare, a: &[Bit], b: &[Bit]) -> Bit {
        use BitVecCompare::*;
        let circuit = &mut self.store.circuit;
        match op {
            UnsignedLess => circuit.less_unsigned(a, b),
            UnsignedLessEqual => !circuit.less_unsigned(b, a),
            UnsignedGreater => circuit.less_unsigned(b, a),
            UnsignedGreaterEqual => !circuit.less_unsigned(a, b),
            SignedLess => circuit.less(a, b),
            SignedLessEqual => !circuit.less(b, a),
            SignedGreater => circuit.less(b, a),
            SignedGreaterEqual => !circuit.less(a, b),
        }
    }

    fn binary_bits(&mut self, op: BitVecBinary, a: &[Bit], b: &[Bit]) -> Bits {
        use BitVecBinary::*;
        let circuit = &mut self.store.circuit;
        let mut each = |f: fn(&mut crate::circuit::Circuit, Bit, Bit) -> Bit| -> Bits {
            a.iter().zip(b).map(|(&a, &b)| f(circuit, a, b)).collect()
        };
        match op {
            And => return each(|c, a, b| c.and(a, b)),
            Or => return each(|c, a, b| c.or(a, b)),
            Xor => return each(|c, a, b| c.xor(a, b)),
            Nand => return each(|c, a, b| !c.and(a, b)),
            Nor => return each(|c, a, b| !c.or(a, b)),
            Xnor => return each(|c, a, b| c.equal(a, b)),
            _ => {}
        }
        let (sign_a, sign_b) = (words::sign(a), words::sign(b));
        match op {
            Add => circuit.add_carry(a, b, Bit::FALSE).0,
            Subtract => {
                let flipped: Bits = b.iter().map(|&bit| !bit).collect();
                circuit.add_carry(a, &flipped, Bit::TRUE).0
            }
            Multiply => circuit.multiply_bits(a, b),
            UnsignedDivide => circuit.divide_unsigned(a, b).quotient,
            UnsignedRemainder => circuit.divide_unsigned(a, b).remainder,
            SignedDivide => {
                let (x, y) = (circuit.absolute_bits(a), circuit.absolute_bits(b));
                let quotient = circuit.divide_unsigned(&x, &y).quotient;
                let negated = circuit.negate_bits(&quotient);
                let flip = circuit.xor(sign_a, sign_b);
                circuit.choose(flip, &negated, &quotient)
            }
            SignedRemainder => {
                let (x, y) = (circuit.absolute_bits(a), circuit.absolute_bits(b));
                let remainder = circuit.divide_unsigned(&x, &y).remainder;
                let negated = circuit.negate_bits(&remainder);
                circuit.choose(sign_a, &negated, &remainder)
            }
            SignedModulo => {
                let (x, y) = (circuit.absolute_bits(a), circuit.absolute_bits(b));
                let remainder = circuit.divide_unsigned(&x, &y).remainder;
                let negated = circuit.negate_bits(&remainder);
                let with_sign = circuit.choose(sign_a, &negated, &remainder);
                // The remainder takes the sign of the divisor, by one more divisor if the signs differ.
                let shifted = circuit.add_carry(&with_sign, b, Bit::FALSE).0;
                let zero = circuit.is_zero(&remainder);
                let differ = circuit.xor(sign_a, sign_b);
                let shift = circuit.and(differ, !zero);
                circuit.choose(shift, &shifted, &with_sign)
            }
            ShiftLeft => circuit.shift(a, b, Shift::Left),
            LogicalShiftRight => circuit.shift(a, b, Shift::Right),
            ArithmeticShiftRight => circuit.shift(a, b, Shift::SignedRight),
            And | Or | Xor | Nand | Nor | Xnor => unreachable!("done bit by bit"),
        }
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

/// What follows from where two numbers lie.
fn both(
    a: &Word,
    b: &Word,
    each: impl Fn(i128, i128) -> Option<i128>,
    all: impl FnOnce(Interval, Interval) -> Option<Interval>,
) -> Extent {
    let exact = extent::results(a.few(), b.few(), each);
    let around = || all(a.bounds()?, b.bounds()?);
    exact.unwrap_or_else(|| Extent::within(around()))
}

/// An operation by positive numbers only.
fn positive(f: fn(i128, i128) -> Option<i128>) -> impl Fn(i128, i128) -> Option<i128> {
    move |a, b| if b > 0 { f(a, b) } else { None }
}

/// A place as the interpreter's key: for a model.
pub(crate) fn place_value(program: &ir::Program, ty: Type, number: i128) -> ir::interpreter::Value {
    use ir::TypeData;
    use ir::interpreter::Value;
    match program.types[ty] {
        TypeData::Bool => Value::Bool(number != 0),
        TypeData::BitVec(width) => Value::bits(width, &BigInt::from(number).to_biguint().unwrap_or_default()),
        _ => Value::int(BigInt::from(number)),
    }
}
