//! Floating-point numbers: the types `float24e8` (significand and exponent in bits), literals, operators, and the
//! functions of SMT-LIB's theory that attributes name.
//!
//! A number is a struct ([`structs`](super::structs)) whose only field is its bit pattern. All patterns of NaN are one
//! value, which matters only where values are arguments of functions or indices of maps ([`expand`](super::expand)).
//! Operators round to the nearest number, ties to even; `==` is IEEE equality, as in the reference: NaN differs from
//! itself, and the zeros are equal. Functions of the theory may be given another rounding mode.

use super::Elaborator;
use super::structs::Normal;
use crate::ast::BinaryOp;
use crate::features::Feature;
use crate::symbols::Symbol;
use base::Span;
use float::{Format, Operation, Rounding};
use ir::{Builtin, ConstructorData, Expr, Function, Meaning, Type, TypeData, Variable, VariableKind};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The rounding modes, short and long.
const MODES: &[(&str, &str, Rounding)] = &[
    ("RNE", "roundNearestTiesToEven", Rounding::NearestEven),
    ("RNA", "roundNearestTiesToAway", Rounding::NearestAway),
    ("RTP", "roundTowardPositive", Rounding::Up),
    ("RTN", "roundTowardNegative", Rounding::Down),
    ("RTZ", "roundTowardZero", Rounding::Zero),
];

/// What is known about floating-point types.
#[derive(Default)]
pub(super) struct Floats {
    formats: FxHashMap<Type, Format>,
    types: FxHashMap<(u32, u32), Type>,
    operations: FxHashMap<Builtin, Function>,
    mode: Option<Type>,
    modes: Vec<Variable>,
}

impl Elaborator<'_> {
    /// The type of a name like `float24e8`; nothing for other names.
    pub(super) fn float_type(&mut self, symbol: Symbol, span: Span) -> Option<Option<Type>> {
        let (significand, exponent) = float_name(self.ast.name(symbol))?;
        let Some(format) = Format::new(exponent, significand) else {
            self.unsupported(Feature::Float, span);
            return Some(None);
        };
        if let Some(&ty) = self.floats.types.get(&(significand, exponent)) {
            return Some(Some(ty));
        }
        let name = format!("float{significand}e{exponent}");
        let constructor =
            self.program.constructors.push(ConstructorData { name, arity: 0, attributes: Vec::new(), span });
        let ty = self.program.types.named(constructor, []);
        let bits = self.program.types.bit_vector(format.width());
        self.struct_for(ty, vec![(symbol, bits)], Some(Normal::Float(format)), span);
        self.floats.types.insert((significand, exponent), ty);
        self.floats.formats.insert(ty, format);
        Some(Some(ty))
    }

    /// `rmode`
    pub(super) fn mode_type(&mut self, span: Span) -> Type {
        if let Some(ty) = self.floats.mode {
            return ty;
        }
        let name = self.made_name("rmode");
        let data = ConstructorData { name, arity: 0, attributes: Vec::new(), span };
        let constructor = self.program.constructors.push(data);
        let ty = self.program.types.named(constructor, []);
        self.floats.mode = Some(ty);
        for (short, ..) in MODES {
            let name = self.made_name(short);
            let kind = VariableKind::Constant { unique: true };
            let constant = self.program.new_variable(name, ty, kind, span);
            self.program.constants.push(constant);
            self.floats.modes.push(constant);
        }
        ty
    }

    /// The rounding mode of a name that is not declared.
    pub(super) fn mode(&mut self, name: &str, span: Span) -> Option<Expr> {
        let index = MODES.iter().position(|&(short, long, _)| name == short || name == long)?;
        self.mode_type(span);
        Some(self.program.variable(self.floats.modes[index], span))
    }

    pub(super) fn is_float(&self, ty: Type) -> bool {
        self.floats.formats.contains_key(&ty)
    }

    fn bits(&mut self, operand: Expr, span: Span) -> Expr {
        match self.structs.get(self.program.ty(operand)).map(|data| data.select[0]) {
            Some(select) => self.program.apply(select, [operand], span),
            None => unreachable!("a floating-point type is a struct"),
        }
    }

    fn of_bits(&mut self, ty: Type, bits: Expr, span: Span) -> Expr {
        match self.structs.get(ty).map(|data| data.make) {
            Some(make) => self.program.apply(make, [bits], span),
            None => unreachable!("a floating-point type is a struct"),
        }
    }

    /// A function that is an operation on bit patterns.
    fn operation(&mut self, builtin: Builtin, domain: &[Type], result: Type, span: Span) -> Function {
        if let Some(&function) = self.floats.operations.get(&builtin) {
            return function;
        }
        let function = self.made_function("float", domain, result, span);
        self.program.functions[function].meaning = Meaning::Builtin(builtin);
        self.floats.operations.insert(builtin, function);
        function
    }

    /// An operation on numbers, to a number or a truth value.
    fn float_operation(&mut self, operation: Operation, operands: &[Expr], to: Type, span: Span) -> Expr {
        let arguments: Vec<Expr> = operands.iter().map(|&operand| self.bits_of(operand, span)).collect();
        let domain: Vec<Type> = arguments.iter().map(|&argument| self.program.ty(argument)).collect();
        let result = match operation.shape().result {
            Some(width) => self.program.types.bit_vector(width),
            None => Type::BOOL,
        };
        let function = self.operation(Builtin::Float(operation), &domain, result, span);
        let value = self.program.apply(function, arguments, span);
        let number = operation.shape().result.is_some() && self.is_float(to);
        if number { self.of_bits(to, value, span) } else { value }
    }

    /// The pattern of a number, or a bit-vector itself.
    fn bits_of(&mut self, operand: Expr, span: Span) -> Expr {
        if self.is_float(self.program.ty(operand)) { self.bits(operand, span) } else { operand }
    }

    /// An operator on two numbers of one type; nothing if it is none of theirs.
    pub(super) fn float_binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let ty = self.program.ty(left);
        let format = *self.floats.formats.get(&ty)?;
        if self.program.ty(right) != ty {
            return None;
        }
        let (operation, operands) = match op {
            BinaryOp::Add => (Operation::Add(format), [left, right]),
            BinaryOp::Subtract => (Operation::Subtract(format), [left, right]),
            BinaryOp::Multiply => (Operation::Multiply(format), [left, right]),
            BinaryOp::Slash => (Operation::Divide(format), [left, right]),
            BinaryOp::Equal | BinaryOp::NotEqual => (Operation::Equal(format), [left, right]),
            BinaryOp::Less => (Operation::Less(format), [left, right]),
            BinaryOp::LessEqual => (Operation::LessEqual(format), [left, right]),
            BinaryOp::Greater => (Operation::Less(format), [right, left]),
            BinaryOp::GreaterEqual => (Operation::LessEqual(format), [right, left]),
            _ => return None,
        };
        let value = self.float_operation(operation, &operands, ty, span);
        Some(if op == BinaryOp::NotEqual { self.program.not(value, span) } else { value })
    }

    /// The number with the other sign.
    pub(super) fn float_negate(&mut self, operand: Expr, span: Span) -> Option<Expr> {
        let ty = self.program.ty(operand);
        let format = *self.floats.formats.get(&ty)?;
        let bits = self.bits(operand, span);
        let sign = self.program.bit_vector(format.sign(), format.width(), span);
        let ty_bits = self.program.ty(bits);
        let xor = Builtin::BitVecBinary(ir::builtin::BitVecBinary::Xor);
        // The operation is one per width, so it is not shared between formats.
        let function = self.made_function("float", &[ty_bits, ty_bits], ty_bits, span);
        self.program.functions[function].meaning = Meaning::Builtin(xor);
        let value = self.program.apply(function, [bits, sign], span);
        Some(self.of_bits(ty, value, span))
    }

    /// A literal: `0x1.8e0f24e8` is 1.5 · 16⁰ with 24 bits of significand and 8 of exponent; also `0NaN24e8`, `0+oo24e8`.
    pub(super) fn float_literal(&mut self, span: Span) -> Option<Expr> {
        let text = self.ast.text(span);
        let Some((number, significand, exponent)) = literal_parts(text) else {
            self.error(span, "the floating-point literal is not well formed");
            return None;
        };
        let name = format!("float{significand}e{exponent}");
        let symbol = self.ast.symbols.find(&name);
        let Some(symbol) = symbol else {
            // A type that is never named has no variables, so that only literals are compared with each other.
            self.unsupported(Feature::Float, span);
            return None;
        };
        let ty = self.float_type(symbol, span)??;
        let format = *self.floats.formats.get(&ty)?;
        let bits: Option<BigUint> = match number {
            Number::Undefined => Some(format.nan()),
            Number::Infinity => Some(format.infinity()),
            Number::NegativeInfinity => Some(format.infinity() | format.sign()),
            Number::Hexadecimal(text) => format.parse(&text),
        };
        let Some(bits) = bits else {
            self.error(span, "the floating-point literal is not well formed");
            return None;
        };
        let bits = self.program.bit_vector(bits, format.width(), span);
        Some(self.of_bits(ty, bits, span))
    }

    /// The body of a function that an attribute names as one of the theory of floating-point numbers. Nothing if it is
    /// none of them; an inner nothing if it is not supported.
    pub(super) fn float_function(&mut self, text: &str, function: Function) -> Option<Option<Expr>> {
        let words: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || "()".contains(c)).filter(|w| !w.is_empty()).collect();
        let words: Vec<&str> = words.into_iter().filter(|&word| word != "_").collect();
        let (&name, rest) = words.split_first()?;
        if !name.starts_with("fp.") && !name.starts_with("to_fp") {
            return None;
        }
        let data = &self.program.functions[function];
        let (span, result) = (data.span, data.result);
        let parameters: Vec<Variable> = data.parameters.clone();
        let mut operands: Vec<Expr> =
            parameters.iter().map(|&parameter| self.program.variable(parameter, span)).collect();
        // The rounding mode is the first argument, or is written behind the name.
        let mode = match operands.first() {
            Some(&first) if Some(self.program.ty(first)) == self.floats.mode => Some(operands.remove(0)),
            _ => None,
        };
        let written =
            |&(short, long, _): &&(&str, &str, Rounding)| rest.contains(short) || rest.contains(long);
        let written = MODES.iter().find(written).map(|&(_, _, rounding)| rounding);
        let Some(mode) = mode else {
            let value = self.float_value((name, written), &operands, result, span);
            return Some(value.filter(|&value| self.program.ty(value) == result));
        };
        // One of the modes; the last one if it is none of the others.
        let mut chosen = None;
        for &(short, _, rounding) in MODES.iter().rev() {
            let value = self.float_value((name, Some(rounding)), &operands, result, span);
            let Some(value) = value.filter(|&value| self.program.ty(value) == result) else {
                return Some(None);
            };
            chosen = Some(match chosen {
                None => value,
                Some(others) => {
                    let known = self.mode(short, span)?;
                    let is_mode = self.program.equal(mode, known, span);
                    self.program.ite(is_mode, value, others, span)
                }
            });
        }
        Some(chosen)
    }

    /// The value of a function of the theory, which rounds in a way or does not round.
    fn float_value(
        &mut self,
        (name, rounding): (&str, Option<Rounding>),
        operands: &[Expr],
        result: Type,
        span: Span,
    ) -> Option<Expr> {
        let first = *operands.first()?;
        let ty = self.program.ty(first);
        if name.starts_with("to_fp") {
            return self.float_conversion((name, rounding), first, result, span);
        }
        let format = *self.floats.formats.get(&ty)?;
        let is_operation = !name.starts_with("fp.is") && !matches!(name, "fp.abs" | "fp.neg");
        let compares = matches!(name, "fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq");
        // What an operation gives is known: a function that is declared with another result is none.
        if is_operation && result != (if compares { Type::BOOL } else { ty }) {
            return None;
        }
        let one = |make: fn(Format) -> Operation| (operands.len() == 1).then(|| make(format));
        let two = |make: fn(Format) -> Operation| {
            let fits = operands.len() == 2 && self.program.ty(operands[1]) == ty;
            fits.then(|| make(format))
        };
        let operation = match name {
            "fp.add" => two(Operation::Add)?,
            "fp.sub" => two(Operation::Subtract)?,
            "fp.mul" => two(Operation::Multiply)?,
            "fp.div" => two(Operation::Divide)?,
            "fp.rem" => two(Operation::Remainder)?,
            "fp.sqrt" => one(Operation::SquareRoot)?,
            "fp.roundToIntegral" => {
                let rounding = rounding?;
                (operands.len() == 1).then_some(Operation::Round(rounding, format))?
            }
            "fp.eq" => two(Operation::Equal)?,
            "fp.lt" => two(Operation::Less)?,
            "fp.leq" => two(Operation::LessEqual)?,
            "fp.gt" | "fp.geq" => {
                let make = if name == "fp.gt" { Operation::Less } else { Operation::LessEqual };
                let operation = two(make)?;
                return Some(self.float_operation(operation, &[operands[1], first], result, span));
            }
            _ if operands.len() == 1 => return self.float_class(name, (first, format), span),
            _ => return None,
        };
        let operation = operation.directed(rounding.unwrap_or(Rounding::NearestEven));
        Some(self.float_operation(operation, operands, result, span))
    }

    /// `to_fp` and `to_fp_unsigned`: from a bit pattern, an integer, or another format. Which of the first two is meant
    /// tells the rounding mode, which only integers have.
    fn float_conversion(
        &mut self,
        (name, rounding): (&str, Option<Rounding>),
        operand: Expr,
        result: Type,
        span: Span,
    ) -> Option<Expr> {
        let to = *self.floats.formats.get(&result)?;
        let ty = self.program.ty(operand);
        if let Some(&from) = self.floats.formats.get(&ty) {
            let operation =
                Operation::Convert { from, to }.directed(rounding.unwrap_or(Rounding::NearestEven));
            return Some(self.float_operation(operation, &[operand], result, span));
        }
        let TypeData::BitVec(width) = self.program.types[ty] else { return None };
        if name == "to_fp" && rounding.is_none() {
            return (width == to.width()).then(|| self.of_bits(result, operand, span));
        }
        let width = u8::try_from(width).ok().filter(|width| (1..=128).contains(width))?;
        let operation = match name {
            "to_fp" => Operation::FromSigned { width, to },
            _ => Operation::FromUnsigned { width, to },
        };
        let operation = operation.directed(rounding.unwrap_or(Rounding::NearestEven));
        Some(self.float_operation(operation, &[operand], result, span))
    }

    /// Tests of one number, its absolute value and its negation.
    fn float_class(&mut self, name: &str, (operand, format): (Expr, Format), span: Span) -> Option<Expr> {
        let ty = self.program.ty(operand);
        if name == "fp.neg" {
            return self.float_negate(operand, span);
        }
        let bits = self.bits(operand, span);
        let (width, rest) = (format.width(), format.significand() - 1);
        let sign = self.program.extract(bits, width, width - 1, span);
        let exponent = self.program.extract(bits, width - 1, rest, span);
        let fraction = self.program.extract(bits, rest, 0, span);
        if name == "fp.abs" {
            let plus = self.program.bit_vector(0u32, 1, span);
            let magnitude = self.program.extract(bits, width - 1, 0, span);
            let value = self.program.binary(ir::BinaryOp::Concat, plus, magnitude, span);
            return Some(self.of_bits(ty, value, span));
        }
        let ones = (BigUint::from(1u32) << format.exponent()) - 1u32;
        let [ones, no_exponent] =
            [ones, BigUint::from(0u32)].map(|value| self.program.bit_vector(value, format.exponent(), span));
        let (no_fraction, plus) =
            (self.program.bit_vector(0u32, rest, span), self.program.bit_vector(0u32, 1, span));
        let special = self.program.equal(exponent, ones, span);
        let small = self.program.equal(exponent, no_exponent, span);
        let whole = self.program.equal(fraction, no_fraction, span);
        let broken = self.program.not(whole, span);
        let nan = self.program.and([special, broken], span);
        let number = self.program.not(nan, span);
        let positive = self.program.equal(sign, plus, span);
        let negative = self.program.not(positive, span);
        let (normal, large) = (self.program.not(special, span), self.program.not(small, span));
        Some(match name {
            "fp.isNaN" => nan,
            "fp.isInfinite" => self.program.and([special, whole], span),
            "fp.isZero" => self.program.and([small, whole], span),
            "fp.isSubnormal" => self.program.and([small, broken], span),
            "fp.isNormal" => self.program.and([normal, large], span),
            "fp.isNegative" => self.program.and([number, negative], span),
            "fp.isPositive" => self.program.and([number, positive], span),
            _ => return None,
        })
    }
}

/// What a literal says.
enum Number {
    Undefined,
    Infinity,
    NegativeInfinity,
    /// As C writes it, with a power of two.
    Hexadecimal(String),
}

/// Significand and exponent of a type's name.
fn float_name(name: &str) -> Option<(u32, u32)> {
    let (significand, exponent) = name.strip_prefix("float")?.split_once('e')?;
    Some((number(significand)?, number(exponent)?))
}

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// The number of a literal, with the bits of significand and exponent. The last `e` parts these two, the last `f` comes
/// before them, and the `e` before that one begins the power of sixteen.
fn literal_parts(text: &str) -> Option<(Number, u32, u32)> {
    let (rest, exponent) = text.rsplit_once('e')?;
    let exponent = number(exponent)?;
    for (prefix, special) in [
        ("0NaN", Number::Undefined),
        ("0nan", Number::Undefined),
        ("0+oo", Number::Infinity),
        ("0-oo", Number::NegativeInfinity),
    ] {
        if let Some(significand) = rest.strip_prefix(prefix) {
            return Some((special, number(significand)?, exponent));
        }
    }
    let (value, significand) = rest.rsplit_once('f')?;
    let (digits, power) = value.strip_prefix("0x")?.rsplit_once('e')?;
    let power: i64 = power.parse().ok()?;
    let text = format!("0x{digits}p{}", power.checked_mul(4)?);
    Some((Number::Hexadecimal(text), number(significand)?, exponent))
}
