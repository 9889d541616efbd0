//! Floating-point arithmetic: exact, on bit patterns, or marked (DESIGN §9).
//!
//! Constants and copies are always exact. Operations are exact where bit operations are ([`BitOperations::Exact`]);
//! else their results are arbitrary, on marked statements. Arithmetic is done in the types of its operands
//! (`FLT_EVAL_METHOD` is 0) and rounds to the nearest number, or as `fesetround` has said last in the thread; a program that
//! changes the rounding mode in another way has marked arithmetic only. A number that does not fit the integer type that it is converted to gives an arbitrary integer, on
//! a marked statement: C gives it no meaning.

use super::arithmetic::Number;
use super::numbers::Interval;
use super::values::Value;
use super::{Result, Translator};
use crate::ast::BinaryOp;
use crate::options::BitOperations;
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprKind, Tree, VarId};
use crate::types::{FloatKind, IntKind, Type, TypeId};
use float::{Format, Operation, Output, Pattern, Rounding};
use ir::builtin::{BitVecBinary, BitVecCompare};
use ir::{Builtin, Expr, ExprData};
use num_bigint::BigInt;

/// Functions after which arithmetic may round in a way that is not known.
const ENVIRONMENT_FUNCTIONS: &[&str] = &["fesetenv", "feupdateenv", "feholdexcept", "__fesetround"];

/// The variable in which the model of `fesetround` keeps the rounding mode of a thread.
const MODE: &str = "__unreach_rounding";

/// The ways to round that `fesetround` knows, by what `<fenv.h>` calls them; the last one is that for all other numbers.
const MODES: [(i128, Rounding); 4] =
    [(0, Rounding::NearestEven), (0x400, Rounding::Down), (0x800, Rounding::Up), (0xc00, Rounding::Zero)];

/// How floating-point numbers are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// To the nearest number.
    Nearest,
    /// As a variable says.
    Variable(VarId),
    /// In some way.
    Unknown,
}

/// How numbers are rounded in a program.
pub fn rounding_mode(tree: &Tree, symbols: &Symbols) -> Mode {
    let called = |name: &dyn Fn(&str) -> bool| {
        tree.exprs.values().any(|node| match node.kind {
            ExprKind::Call(Callee::Direct(function), _) | ExprKind::FunctionAddress(function) => {
                name(symbols.text(tree.functions[function].name))
            }
            _ => false,
        })
    };
    if called(&|name| ENVIRONMENT_FUNCTIONS.contains(&name)) {
        return Mode::Unknown;
    }
    if !called(&|name| name == "fesetround") {
        return Mode::Nearest;
    }
    let is_mode = |&var: &VarId| symbols.text(tree.variables[var].name) == MODE;
    // A program that has its own function of that name is none that we know.
    tree.statics.iter().copied().find(is_mode).map_or(Mode::Unknown, Mode::Variable)
}

impl Translator<'_> {
    /// The type of bit patterns.
    pub(super) fn float_type(&mut self, kind: FloatKind) -> ir::Type {
        self.program.types.bit_vector(kind.format().width())
    }

    /// The format of the number whose bit pattern an expression is: their widths differ.
    pub(super) fn format_of(&self, bits: Expr) -> Format {
        let width = self.program.types.width(self.program.ty(bits));
        let all = [Format::SINGLE, Format::DOUBLE, Format::EXTENDED, Format::QUADRUPLE];
        let format = all.into_iter().find(|format| Some(format.width()) == width);
        format.expect("floating numbers are bit-vectors of the width of a format")
    }

    /// The format of a type.
    pub(super) fn format_of_type(&self, ty: TypeId) -> Option<Format> {
        match self.tree.types[ty] {
            Type::Float(kind) => Some(kind.format()),
            _ => None,
        }
    }

    pub(super) fn float_literal(&mut self, bits: &Pattern, format: Format) -> Expr {
        let at = self.expression.at;
        self.program.bit_vector(bits.clone(), format.width(), at)
    }

    /// The zero of the format of a number.
    pub(super) fn float_zero(&mut self, like: Expr) -> Expr {
        let format = self.format_of(like);
        self.float_literal(&Pattern::default(), format)
    }

    /// The bits of a literal.
    pub(super) fn bits_literal(&self, expr: Expr) -> Option<&Pattern> {
        match &self.program.expressions[expr] {
            ExprData::BitVec { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Whether operations are exact. Where they are not but could be, that is noted.
    pub(super) fn floats_are_exact(&mut self) -> bool {
        if self.analyses.rounding_mode == Mode::Unknown {
            return false;
        }
        let exact = self.options.bit_operations == BitOperations::Exact;
        self.report.back.bounded_bits |= !exact;
        exact
    }

    /// An operation that rounds as the program has asked for.
    pub(super) fn float_operation(&mut self, operation: Operation, arguments: &[Expr]) -> Expr {
        self.float_by_mode(arguments, |rounding| operation.directed(rounding))
    }

    /// One of several operations, by the rounding mode.
    pub(super) fn float_by_mode(
        &mut self,
        arguments: &[Expr],
        operation: impl Fn(Rounding) -> Operation,
    ) -> Expr {
        let usual = operation(Rounding::NearestEven);
        let depends = MODES.iter().any(|&(_, rounding)| operation(rounding) != usual);
        let mode = if depends { self.read_mode() } else { None };
        let Some(mode) = mode else { return self.plain_float_operation(usual, arguments) };
        let results = MODES.map(|(_, rounding)| self.plain_float_operation(operation(rounding), arguments));
        let mut result = results[MODES.len() - 1];
        for ((number, _), other) in MODES.iter().zip(results).rev().skip(1) {
            if other == result
                || (self.bits_literal(other).is_some()
                    && self.bits_literal(other) == self.bits_literal(result))
            {
                continue;
            }
            let number = self.int(*number);
            let is_mode = self.equal(mode, number);
            result = self.ite(is_mode, other, result);
        }
        result
    }

    /// The number of the rounding mode, if it changes.
    fn read_mode(&mut self) -> Option<Expr> {
        let Mode::Variable(var) = self.analyses.rounding_mode else { return None };
        let place = self.variable_place(var).ok()?;
        match self.read(&place, self.tree.variables[var].ty).ok()? {
            Value::Int(mode, _) => Some(mode),
            _ => None,
        }
    }

    /// An operation; literals are folded.
    fn plain_float_operation(&mut self, operation: Operation, arguments: &[Expr]) -> Expr {
        let at = self.expression.at;
        let shape = operation.shape();
        let literals: Option<Vec<&Pattern>> =
            arguments.iter().map(|&argument| self.bits_literal(argument)).collect();
        match literals.map(|literals| operation.evaluate(&literals)) {
            Some(Output::Truth(truth)) => return self.truth(truth),
            Some(Output::Bits(bits)) => {
                let width = shape.result.expect("bits have a width");
                return self.program.bit_vector(bits, width, at);
            }
            None => {}
        }
        let domain: Vec<ir::Type> =
            shape.arguments.iter().map(|&width| self.program.types.bit_vector(width)).collect();
        let result = match shape.result {
            Some(width) => self.program.types.bit_vector(width),
            None => ir::Type::BOOL,
        };
        let function = self.builtin(Builtin::Float(operation), &domain, result, at);
        self.program.apply(function, arguments, at)
    }

    /// An operation on bit-vectors of one width; literals are folded for the operators that are used here.
    pub(super) fn bit_operation(&mut self, op: BitVecBinary, left: Expr, right: Expr) -> Expr {
        let at = self.expression.at;
        let ty = self.program.ty(left);
        if let (Some(a), Some(b), Some(width)) =
            (self.bits_literal(left), self.bits_literal(right), self.program.types.width(ty))
        {
            let folded = match op {
                BitVecBinary::And => Some(a & b),
                BitVecBinary::Or => Some(a | b),
                BitVecBinary::Xor => Some(a ^ b),
                _ => None,
            };
            if let Some(bits) = folded {
                return self.program.bit_vector(bits, width, at);
            }
        }
        let function = self.builtin(Builtin::BitVecBinary(op), &[ty, ty], ty, at);
        self.program.apply(function, [left, right], at)
    }

    /// A comparison of bit-vectors; literals are folded.
    pub(super) fn bit_comparison(&mut self, op: BitVecCompare, left: Expr, right: Expr) -> Expr {
        let at = self.expression.at;
        if let (Some(a), Some(b)) = (self.bits_literal(left), self.bits_literal(right)) {
            match op {
                BitVecCompare::UnsignedLess => return self.truth(a < b),
                BitVecCompare::UnsignedGreaterEqual => return self.truth(a >= b),
                _ => {}
            }
        }
        let ty = self.program.ty(left);
        let function = self.builtin(Builtin::BitVecCompare(op), &[ty, ty], ir::Type::BOOL, at);
        self.program.apply(function, [left, right], at)
    }

    /// Whether two bit patterns are the same.
    pub(super) fn same_bits(&mut self, left: Expr, right: Expr) -> Expr {
        match (self.bits_literal(left), self.bits_literal(right)) {
            (Some(a), Some(b)) => self.truth(a == b),
            _ => self.equal(left, right),
        }
    }

    /// `-number`, which changes the sign of every bit pattern.
    pub(super) fn float_negation(&mut self, bits: Expr) -> Expr {
        let format = self.format_of(bits);
        let sign = self.float_literal(&format.sign(), format);
        self.bit_operation(BitVecBinary::Xor, bits, sign)
    }

    /// `+`, `-`, `*`, `/` on numbers of a type.
    pub(super) fn float_arithmetic(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        left: Expr,
        right: Expr,
    ) -> Result<Value> {
        if !self.floats_are_exact() {
            return self.unknown_value(ty, "arithmetic on floating numbers");
        }
        let format = self.format_of(left);
        let operation = match op {
            BinaryOp::Add => Operation::Add(format),
            BinaryOp::Sub => Operation::Subtract(format),
            BinaryOp::Mul => Operation::Multiply(format),
            BinaryOp::Div => Operation::Divide(format),
            _ => return Err(self.unsupported("an operator for integers on floating numbers")),
        };
        Ok(Value::Float(self.float_operation(operation, &[left, right])))
    }

    /// A comparison of numbers of one type; only `!=` holds for NaN.
    pub(super) fn float_comparison(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let literal = self.bits_literal(left).is_some() && self.bits_literal(right).is_some();
        // The rounding mode has no say here.
        let exact = literal || self.options.bit_operations == BitOperations::Exact;
        if !exact {
            self.report.back.bounded_bits = true;
            return self.unknown_truth("a comparison of floating numbers");
        }
        let format = self.format_of(left);
        let (operation, arguments) = match op {
            BinaryOp::Eq | BinaryOp::Ne => (Operation::Equal(format), [left, right]),
            BinaryOp::Lt => (Operation::Less(format), [left, right]),
            BinaryOp::Le => (Operation::LessEqual(format), [left, right]),
            BinaryOp::Gt => (Operation::Less(format), [right, left]),
            _ => (Operation::LessEqual(format), [right, left]),
        };
        let truth = self.float_operation(operation, &arguments);
        if op == BinaryOp::Ne { self.not(truth) } else { truth }
    }

    /// A conversion of an integer.
    pub(super) fn int_to_float(
        &mut self,
        (expr, interval): Number,
        from: TypeId,
        to: TypeId,
    ) -> Result<Value> {
        let Some(format) = self.format_of_type(to) else {
            return Err(self.unsupported("this conversion"));
        };
        let kind = self.tree.types.int_kind(from).unwrap_or(IntKind::Int128);
        let width = kind.width(self.tree.types.model);
        if let Some(value) = interval.constant() {
            let operation = Operation::FromSigned { width: 128, to: format };
            let bits = |rounding| operation.directed(rounding).evaluate(&[&value.cast_unsigned().into()]);
            let nearest = bits(Rounding::NearestEven);
            let any = self.analyses.rounding_mode == Mode::Nearest
                || MODES.iter().all(|&(_, rounding)| bits(rounding) == nearest);
            match nearest {
                Output::Bits(bits) if any => return Ok(Value::Float(self.float_literal(&bits, format))),
                _ => {}
            }
        }
        if !self.floats_are_exact() {
            return self.unknown_value(to, "a conversion to a floating number");
        }
        // As few bits as the value needs: solvers have less to do.
        let signed = interval.low < 0 && kind.is_signed();
        let needed = bits_of(interval.low).max(bits_of(interval.high)) + u32::from(signed);
        let width = width.min(needed.max(1));
        let at = self.expression.at;
        let bits = self.program.types.bit_vector(width);
        let to_bits = self.builtin(Builtin::IntToBitVec(width), &[ir::Type::INT], bits, at);
        let pattern = self.program.apply(to_bits, [expr], at);
        // At most 128.
        let width = width as u8;
        let operation = if signed {
            Operation::FromSigned { width, to: format }
        } else {
            Operation::FromUnsigned { width, to: format }
        };
        Ok(Value::Float(self.float_operation(operation, &[pattern])))
    }

    /// A conversion between floating types.
    pub(super) fn float_to_float(&mut self, bits: Expr, to: TypeId) -> Result<Value> {
        let from = self.format_of(bits);
        match self.format_of_type(to) {
            Some(to) if to == from => Ok(Value::Float(bits)),
            Some(_) if self.bits_literal(bits).is_none() && !self.floats_are_exact() => {
                self.unknown_value(to, "a conversion of floating numbers")
            }
            Some(to) => Ok(Value::Float(self.float_operation(Operation::Convert { from, to }, &[bits]))),
            None => Err(self.unsupported("this conversion")),
        }
    }

    /// A conversion to an integer: towards zero.
    pub(super) fn float_to_int(&mut self, bits: Expr, to: TypeId, kind: IntKind) -> Result<Value> {
        self.rounded_to_int(bits, Rounding::Zero, to, kind)
    }

    /// A whole number next to a floating one, as an integer.
    pub(super) fn rounded_to_int(
        &mut self,
        bits: Expr,
        rounding: Rounding,
        to: TypeId,
        kind: IntKind,
    ) -> Result<Value> {
        let literal = self.bits_literal(bits).is_some();
        if !literal && self.options.bit_operations != BitOperations::Exact {
            self.report.back.bounded_bits = true;
            return self.unknown_value(to, "a conversion of a floating number");
        }
        let from = self.format_of(bits);
        let whole = self.float_operation(Operation::Round(rounding, from), &[bits]);
        self.whole_to_int(whole, to, kind)
    }

    /// A whole number as an integer.
    pub(super) fn whole_to_int(&mut self, whole: Expr, to: TypeId, kind: IntKind) -> Result<Value> {
        let from = self.format_of(whole);
        // At most 128.
        let width = kind.width(self.tree.types.model) as u8;
        let whole = self.share(whole);
        let (lowest, limit) = from.integers(width, kind.is_signed());
        let (lowest, limit) = (self.float_literal(&lowest, from), self.float_literal(&limit, from));
        let above = self.float_operation(Operation::LessEqual(from), &[lowest, whole]);
        let below = self.float_operation(Operation::Less(from), &[whole, limit]);
        let inside = self.and(above, below);
        self.choose(
            inside,
            to,
            |this| {
                let operation = if kind.is_signed() {
                    Operation::ToSigned { from, width }
                } else {
                    Operation::ToUnsigned { from, width }
                };
                let pattern = this.float_operation(operation, &[whole]);
                Ok(this.int_of_bits(pattern, kind))
            },
            |this| this.unknown_value(to, "a conversion of a floating number that does not fit"),
        )
    }

    /// The integer of a type whose bit pattern is given.
    pub(super) fn int_of_bits(&mut self, pattern: Expr, kind: IntKind) -> Value {
        let at = self.expression.at;
        if let ExprData::BitVec { value, width } = &self.program.expressions[pattern] {
            let negative = kind.is_signed() && value.bit(u64::from(*width) - 1);
            let wrapped = if negative { BigInt::from(1) << *width } else { BigInt::from(0) };
            let value = BigInt::from(value.clone()) - wrapped;
            if let Ok(value) = i128::try_from(value) {
                return Value::Int(self.int(value), Interval::exactly(value));
            }
        }
        let ty = self.program.ty(pattern);
        let back = if kind.is_signed() { Builtin::SignedToInt } else { Builtin::UnsignedToInt };
        let to_int = self.builtin(back, &[ty], ir::Type::INT, at);
        let value = self.program.apply(to_int, [pattern], at);
        Value::Int(value, Interval::of(&self.tree.types, kind))
    }
}

/// How many bits a number has without its sign.
fn bits_of(value: i128) -> u32 {
    128 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() }
}
