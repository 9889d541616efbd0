//! Bitwise operators: exact where a rule over integers exists, else marked (DESIGN §9).
//!
//! With a constant operand, `&` takes runs of bits out by `div` and `mod`; `|` and `^` follow from `&` by
//! `a | b = a + b - (a & b)` and `a ^ b = a + b - 2 (a & b)`, which hold for two's complement of any width. These
//! rules hold for negative numbers too, as `div` and `mod` round down for positive divisors.
//!
//! Operands that have no bit in common are added; small ones are taken apart bit by bit.
//!
//! Otherwise the result is any number within bounds that hold, on a statement that is marked as an
//! over-approximation and carries the exact value in bit-vectors.

use super::arithmetic::Number;
use super::numbers::Interval;
use super::values::Value;
use super::{Result, Translator};
use crate::ast::BinaryOp;
use crate::options::BitOperations;
use crate::types::IntKind;
use base::Span;
use ir::builtin::BitVecBinary;
use ir::{Builtin, Expr, ExprData, FunctionData, Meaning, VariableKind};

/// Numbers of at most so many bits are taken apart.
const MAX_BITS: u32 = 4;

/// A constant with more runs of ones than this is not taken apart.
const MAX_RUNS: usize = 6;

impl Translator<'_> {
    pub(super) fn bitwise(
        &mut self,
        op: BinaryOp,
        kind: IntKind,
        (left, a): Number,
        (right, b): Number,
    ) -> Result<Value> {
        let width = kind.width(self.tree.types.model);
        if let (Some(x), Some(y)) = (a.constant(), b.constant()) {
            let value = match op {
                BinaryOp::BitAnd => x & y,
                BinaryOp::BitOr => x | y,
                _ => x ^ y,
            };
            let expr = self.int(value);
            return Ok(Value::Int(expr, Interval::exactly(value)));
        }
        let with_constant = match (a.constant(), b.constant()) {
            (_, Some(mask)) => Some((left, a, mask)),
            (Some(mask), _) => Some((right, b, mask)),
            _ => None,
        };
        if let Some((operand, interval, mask)) = with_constant
            && let Some(runs) = runs(mask, width)
        {
            let operand = self.share(operand);
            let and = self.and_constant(operand, interval, &runs);
            let mask_expr = self.int(mask);
            let range = Interval::of(&self.tree.types, kind);
            return Ok(match op {
                BinaryOp::BitAnd => Value::Int(and, and_bounds(a, b, range)),
                BinaryOp::BitOr => {
                    let sum = self.add(operand, mask_expr);
                    Value::Int(self.subtract(sum, and), or_bounds(a, b, range))
                }
                _ => {
                    let two = self.int(2);
                    let twice = self.multiply(and, two);
                    let sum = self.add(operand, mask_expr);
                    Value::Int(self.subtract(sum, twice), or_bounds(a, b, range))
                }
            });
        }
        if a.within(Interval::TRUTH) && b.within(Interval::TRUTH) {
            let (zero, one) = (self.int(0), self.int(1));
            let value = match op {
                BinaryOp::BitAnd => {
                    let none = self.equal(left, zero);
                    self.ite(none, zero, right)
                }
                BinaryOp::BitOr => {
                    let none = self.equal(left, zero);
                    self.ite(none, right, one)
                }
                _ => {
                    let same = self.equal(left, right);
                    self.ite(same, zero, one)
                }
            };
            return Ok(Value::Int(value, Interval::TRUTH));
        }
        if self.ones(left) & ones_within(a) & self.ones(right) & ones_within(b) == 0 {
            // No bit is set in both.
            let range = Interval::of(&self.tree.types, kind);
            return Ok(match op {
                BinaryOp::BitAnd => Value::Int(self.int(0), Interval::exactly(0)),
                _ => Value::Int(self.add(left, right), or_bounds(a, b, range)),
            });
        }
        let small = Interval { low: 0, high: (1 << MAX_BITS) - 1 };
        if a.within(small) && b.within(small) {
            return Ok(self.bit_by_bit(op, (left, a), (right, b)));
        }
        self.marked_bitwise(op, kind, (left, a), (right, b))
    }

    /// The bits that an expression may have set, as far as its form tells; in two's complement of any width.
    pub(super) fn ones(&self, expr: Expr) -> i128 {
        let mut expr = expr;
        // What comes around the part that is being looked at: shifts to the left, and bits that remain.
        let (mut shift, mut kept) = (0u32, -1i128);
        loop {
            let found = match self.program.expressions[expr] {
                ExprData::Int(_) => self.literal(expr).unwrap_or(-1),
                ExprData::Variable(variable) => {
                    self.expression.possible_ones.get(&variable).copied().unwrap_or(-1)
                }
                ExprData::Binary(ir::BinaryOp::Multiply, inner, factor) => match self.power_of_two(factor) {
                    Some(power) if shift + power < 100 => {
                        shift += power;
                        expr = inner;
                        continue;
                    }
                    _ => -1,
                },
                // The remainder keeps the low bits.
                ExprData::Binary(ir::BinaryOp::Modulo, inner, size) => match self.power_of_two(size) {
                    Some(power) if shift + power < 100 => {
                        kept &= ((1i128 << power) - 1) << shift;
                        expr = inner;
                        continue;
                    }
                    _ => -1,
                },
                _ => -1,
            };
            // A large number that was shifted may have lost its high bits: nothing is known then.
            let shifted = found.checked_mul(1i128 << shift).unwrap_or(-1);
            return shifted & kept;
        }
    }

    /// The exponent of a literal that is a power of two.
    fn power_of_two(&self, expr: Expr) -> Option<u32> {
        let value = self.literal(expr).filter(|value| *value > 0 && value.count_ones() == 1)?;
        Some(value.trailing_zeros())
    }

    /// The operation on small numbers that are not negative, one bit after the other.
    fn bit_by_bit(&mut self, op: BinaryOp, (left, a): Number, (right, b): Number) -> Value {
        let (left, right) = (self.share(left), self.share(right));
        let most = ones_above(a.high.min(b.high)).count_ones();
        let (zero, one, two) = (self.int(0), self.int(1), self.int(2));
        let mut both = zero;
        for bit in 0..most {
            let unit = self.int(1i128 << bit);
            let mut set = Vec::new();
            for operand in [left, right] {
                let shifted = self.divide_floor(operand, unit);
                let lowest = self.modulo(shifted, two);
                set.push(self.equal(lowest, one));
            }
            let in_both = self.and(set[0], set[1]);
            let part = self.ite(in_both, unit, zero);
            both = self.add(both, part);
        }
        let range = Interval { low: 0, high: (1 << MAX_BITS) - 1 };
        if op == BinaryOp::BitAnd {
            return Value::Int(both, and_bounds(a, b, range));
        }
        let both = if op == BinaryOp::BitXor { self.multiply(both, two) } else { both };
        let sum = self.add(left, right);
        Value::Int(self.subtract(sum, both), or_bounds(a, b, range))
    }

    /// `operand & mask`, where the mask has ones in the given runs of bits (low, high).
    fn and_constant(&mut self, operand: Expr, interval: Interval, runs: &[(u32, Option<u32>)]) -> Expr {
        // A number below the mask's lowest run of ones from bit 0 stays as it is.
        if let [(0, Some(high))] = runs
            && interval.low >= 0
            && interval.high < 1 << high
        {
            return operand;
        }
        let mut sum = self.int(0);
        for &(low, high) in runs {
            let unit = self.int(1i128 << low);
            let part = match high {
                // Ones up to the sign: everything but the low bits.
                None if low == 0 => operand,
                None => {
                    let rest = self.modulo(operand, unit);
                    self.subtract(operand, rest)
                }
                Some(high) => {
                    let size = self.int(1i128 << (high - low));
                    let shifted = self.divide_floor(operand, unit);
                    let bits = self.modulo(shifted, size);
                    self.multiply(bits, unit)
                }
            };
            sum = self.add(sum, part);
        }
        self.share(sum)
    }

    /// A result that is only bounded, with its exact value in bit-vectors for whoever can decide those.
    fn marked_bitwise(
        &mut self,
        op: BinaryOp,
        kind: IntKind,
        (left, a): Number,
        (right, b): Number,
    ) -> Result<Value> {
        let width = kind.width(self.tree.types.model);
        let (left, right) = (self.share(left), self.share(right));
        let (builtin, why) = match op {
            BinaryOp::BitAnd => (BitVecBinary::And, "&"),
            BinaryOp::BitOr => (BitVecBinary::Or, "|"),
            _ => (BitVecBinary::Xor, "^"),
        };
        let exact = self.bit_vector_value(builtin, width, kind.is_signed(), left, right);
        let result = self.temporary(ir::Type::INT);
        if self.options.bit_operations == BitOperations::Exact {
            self.assign(result, exact);
        } else {
            self.report.back.bounded_bits = true;
            self.havoc_marked(vec![result], why, Some(exact));
        }
        let value = self.var(result);
        let range = Interval::of(&self.tree.types, kind);
        let bounds = if op == BinaryOp::BitAnd { and_bounds(a, b, range) } else { or_bounds(a, b, range) };
        let inside = self.between(value, bounds.low, bounds.high);
        self.assume(inside);
        if a.low >= 0 && b.low >= 0 {
            for operand in [left, right] {
                let fact = match op {
                    BinaryOp::BitAnd => self.compare(ir::BinaryOp::LessEqual, value, operand),
                    BinaryOp::BitOr => self.compare(ir::BinaryOp::GreaterEqual, value, operand),
                    _ => continue,
                };
                self.assume(fact);
            }
            if op != BinaryOp::BitAnd {
                let sum = self.add(left, right);
                let fact = self.compare(ir::BinaryOp::LessEqual, value, sum);
                self.assume(fact);
            }
        }
        Ok(Value::Int(value, bounds))
    }

    /// The operation on the bit-vectors of two numbers, as a number again.
    fn bit_vector_value(
        &mut self,
        op: BitVecBinary,
        width: u32,
        signed: bool,
        left: Expr,
        right: Expr,
    ) -> Expr {
        let at = self.expression.at;
        let bits = self.program.types.bit_vector(width);
        let to_bits = self.builtin(Builtin::IntToBitVec(width), &[ir::Type::INT], bits, at);
        let operation = self.builtin(Builtin::BitVecBinary(op), &[bits, bits], bits, at);
        let back = if signed { Builtin::SignedToInt } else { Builtin::UnsignedToInt };
        let to_int = self.builtin(back, &[bits], ir::Type::INT, at);
        let left = self.program.apply(to_bits, [left], at);
        let right = self.program.apply(to_bits, [right], at);
        let result = self.program.apply(operation, [left, right], at);
        self.program.apply(to_int, [result], at)
    }

    /// A function for an operation of the logic.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        domain: &[ir::Type],
        result: ir::Type,
        span: Span,
    ) -> ir::Function {
        let key = (builtin, domain.to_vec());
        if let Some(&function) = self.declared.builtins.get(&key) {
            return function;
        }
        let name = format!("#{builtin}{}", self.declared.builtins.len());
        let name: String =
            name.chars().map(|c| if c.is_alphanumeric() || c == '#' { c } else { '_' }).collect();
        let function = self.program.functions.next_key();
        let kind = VariableKind::FunctionParameter(function);
        let parameters = domain
            .iter()
            .enumerate()
            .map(|(index, &ty)| self.program.new_variable(format!("p{index}"), ty, kind, span))
            .collect();
        self.program.functions.push(FunctionData {
            name,
            parameters,
            result,
            meaning: Meaning::Builtin(builtin),
            attributes: Vec::new(),
            span,
        });
        self.declared.builtins.insert(key, function);
        function
    }
}

/// The runs of ones of a mask: from bit (with) to bit (without), or up to the sign and beyond.
fn runs(mask: i128, width: u32) -> Option<Vec<(u32, Option<u32>)>> {
    let mut runs = Vec::new();
    let bit = |index: u32| (mask >> index) & 1 == 1;
    let mut index = 0;
    while index < width {
        if !bit(index) {
            index += 1;
            continue;
        }
        let low = index;
        while index < width && bit(index) {
            index += 1;
        }
        let high = if index == width && mask < 0 { None } else { Some(index) };
        runs.push((low, high));
    }
    (runs.len() <= MAX_RUNS).then_some(runs)
}

/// The least number of all ones that is not below a number that is not negative.
fn ones_above(value: i128) -> i128 {
    if value <= 0 { 0 } else { (1i128 << (128 - value.leading_zeros())) - 1 }
}

/// The bits that numbers of an interval may have set.
fn ones_within(interval: Interval) -> i128 {
    if interval.low >= 0 && interval.high < 1 << 100 { ones_above(interval.high) } else { -1 }
}

fn and_bounds(a: Interval, b: Interval, range: Interval) -> Interval {
    match (a.low >= 0, b.low >= 0) {
        (true, true) => Interval { low: 0, high: a.high.min(b.high) },
        (true, false) => Interval { low: 0, high: a.high },
        (false, true) => Interval { low: 0, high: b.high },
        (false, false) => range,
    }
}

/// Bounds of `|` and `^`.
fn or_bounds(a: Interval, b: Interval, range: Interval) -> Interval {
    if a.low >= 0 && b.low >= 0 && a.high < 1 << 100 && b.high < 1 << 100 {
        return Interval { low: 0, high: ones_above(a.high.max(b.high)) };
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the emitted expression of `x & mask` computes.
    fn and_by_runs(x: i128, runs: &[(u32, Option<u32>)]) -> i128 {
        runs.iter()
            .map(|&(low, high)| match high {
                None => x - x.rem_euclid(1 << low),
                Some(high) => (x.div_euclid(1 << low)).rem_euclid(1 << (high - low)) << low,
            })
            .sum()
    }

    proptest! {
        #[test]
        fn and_with_a_constant_is_exact(x in any::<i32>(), mask in any::<i32>()) {
            for (x, mask) in [(x, mask), (x, mask & 0xff00), (x, mask | !0xffff)] {
                if let Some(runs) = runs(mask.into(), 32) {
                    prop_assert_eq!(and_by_runs(x.into(), &runs), i128::from(x & mask), "{} & {}", x, mask);
                }
            }
            let (x, mask) = (x as u32, mask as u32 & 0xf0f0_0000);
            if let Some(runs) = runs(mask.into(), 32) {
                prop_assert_eq!(and_by_runs(x.into(), &runs), i128::from(x & mask));
            }
        }

        #[test]
        fn or_and_xor_follow_from_and(x in any::<i32>(), y in any::<i32>()) {
            let (a, b, and) = (i64::from(x), i64::from(y), i64::from(x & y));
            prop_assert_eq!(a + b - and, i64::from(x | y));
            prop_assert_eq!(a + b - 2 * and, i64::from(x ^ y));
        }

        #[test]
        fn bounds_hold(x in -40i128..200, y in -40i128..200) {
            let range = Interval { low: i32::MIN.into(), high: i32::MAX.into() };
            for slack in [0, 3] {
                let a = Interval { low: x - slack, high: x + slack };
                let b = Interval { low: y, high: y + slack };
                prop_assert!(Interval::exactly(x & y).within(and_bounds(a, b, range)));
                prop_assert!(Interval::exactly(x | y).within(or_bounds(a, b, range)));
                prop_assert!(Interval::exactly(x ^ y).within(or_bounds(a, b, range)));
            }
        }
    }
}
