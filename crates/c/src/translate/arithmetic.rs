//! Arithmetic on integers, exactly as machines do it (DESIGN §9).
//!
//! Unsigned results wrap. A signed result that may leave its range is an assertion of the property `no-overflow`; for
//! other properties it wraps or ends the execution, as the options say. Division rounds towards zero; division by
//! zero ends the execution, as the hardware does.

use super::numbers::Interval;
use super::values::Value;
use super::{Result, Translator};
use crate::ast::BinaryOp;
use crate::options::{Check, SignedOverflow};
use crate::types::{IntKind, TypeId};
use ir::Expr;
use num_bigint::BigInt;

/// An integer with its interval.
pub type Number = (Expr, Interval);

impl Translator<'_> {
    /// Brings a number into the range of a type, as conversions do.
    pub(super) fn fit(&mut self, expr: Expr, interval: Interval, kind: IntKind) -> Result<Value> {
        if kind == IntKind::Bool {
            if interval.within(Interval::TRUTH) {
                return Ok(Value::Int(expr, interval));
            }
            let truth = self.truth_of(&Value::Int(expr, interval))?;
            return Ok(self.int_of_truth(truth));
        }
        if self.expression.mathematical {
            return Ok(Value::Int(expr, interval));
        }
        let range = Interval::of(&self.tree.types, kind);
        let width = kind.width(self.tree.types.model);
        if interval.within(range) && (width < 128 || interval.is_known()) {
            return Ok(Value::Int(expr, interval));
        }
        if width == 128 {
            return Ok(Value::Int(self.wrap_widest(expr, kind), range));
        }
        Ok(Value::Int(self.wrap(expr, interval, range, width), range))
    }

    /// The number that equals `expr` modulo 2^128 and lies in the range of a type with 128 bits, whose bounds are too
    /// large for intervals.
    fn wrap_widest(&mut self, expr: Expr, kind: IntKind) -> Expr {
        let period = self.int(BigInt::from(1) << 128);
        let rest = self.modulo(expr, period);
        if !kind.is_signed() {
            return rest;
        }
        let rest = self.share(rest);
        let high = self.int(i128::MAX);
        let above = self.compare(ir::BinaryOp::Greater, rest, high);
        let less = self.subtract(rest, period);
        self.ite(above, less, rest)
    }

    /// The number that equals `expr` modulo 2^width and lies in `range`.
    fn wrap(&mut self, expr: Expr, interval: Interval, range: Interval, width: u32) -> Expr {
        let period = 1i128 << width;
        let expr = self.share(expr);
        let near = interval.low >= range.low - period && interval.high <= range.high + period;
        let period_expr = self.int(period);
        if near {
            let mut result = expr;
            if interval.high > range.high {
                let high = self.int(range.high);
                let above = self.compare(ir::BinaryOp::Greater, expr, high);
                let less = self.subtract(expr, period_expr);
                result = self.ite(above, less, result);
            }
            if interval.low < range.low {
                let low = self.int(range.low);
                let below = self.compare(ir::BinaryOp::Less, expr, low);
                let more = self.add(expr, period_expr);
                result = self.ite(below, more, result);
            }
            return result;
        }
        let rest = self.modulo(expr, period_expr);
        let rest = self.share(rest);
        if range.low == 0 {
            return rest;
        }
        let high = self.int(range.high);
        let above = self.compare(ir::BinaryOp::Greater, rest, high);
        let less = self.subtract(rest, period_expr);
        self.ite(above, less, rest)
    }

    /// A value as a bit-field of a width holds it.
    pub(super) fn fit_width(&mut self, value: Value, ty: TypeId, width: Option<u32>) -> Value {
        let (Some(width), Value::Int(expr, interval), Some(kind)) =
            (width, &value, self.tree.types.int_kind(ty))
        else {
            return value;
        };
        let range = Interval::of_bits(width, kind.is_signed());
        if interval.within(range) {
            return value;
        }
        Value::Int(self.wrap(*expr, *interval, range, width), range)
    }

    /// The result of signed or unsigned arithmetic as a value of its type.
    fn result(&mut self, number: Number, kind: IntKind, what: &str) -> Result<Value> {
        let (expr, interval) = number;
        let range = Interval::of(&self.tree.types, kind);
        let widest = kind.width(self.tree.types.model) == 128;
        let inside = interval.within(range) && (!widest || interval.is_known());
        if !kind.is_signed() || self.expression.mathematical || inside {
            let wraps = self.options.asks(Check::UnsignedOverflow) && !inside;
            if !wraps || kind.is_signed() || self.expression.mathematical {
                return self.fit(expr, interval, kind);
            }
            let expr = self.share(expr);
            let inside = self.between(expr, range.low, range.high);
            self.assert(inside, &format!("{}: {what} in {}", Check::UnsignedOverflow.name(), kind.name()));
            // Wrapping has a meaning: the execution goes on.
            return self.fit(expr, interval, kind);
        }
        match (self.options.asks(Check::Overflow), self.options.signed_overflow) {
            // The integers of a monitor are mathematical.
            _ if self.observing.is_some() && interval.within(Interval::WIDE) => {
                Ok(Value::Int(expr, interval))
            }
            _ if self.observing.is_some() => {
                let expr = self.share(expr);
                let inside = self.between(expr, range.low, range.high);
                self.defined_if(inside);
                Ok(Value::Int(expr, range))
            }
            (true, _) => {
                let expr = self.share(expr);
                let inside = self.between(expr, range.low, range.high);
                self.assert(inside, &format!("no-overflow: {what} in {}", kind.name()));
                if !Check::Overflow.belongs_to(self.options.property) {
                    self.assume(inside);
                }
                Ok(Value::Int(expr, range))
            }
            (false, SignedOverflow::Ends) => {
                self.report.back.assumed.insert(Check::Overflow);
                let expr = self.share(expr);
                let inside = self.between(expr, range.low, range.high);
                self.assume(inside);
                Ok(Value::Int(expr, range))
            }
            (false, SignedOverflow::GoesOn) => {
                let expr = self.share(expr);
                Ok(Value::Int(expr, range))
            }
            (false, SignedOverflow::Wraps) => self.fit(expr, interval, kind),
        }
    }

    /// `-value`
    pub(super) fn negated(&mut self, (expr, interval): Number, kind: IntKind) -> Result<Value> {
        let negative = self.negate(expr);
        let zero = Interval::exactly(0);
        self.result((negative, zero.subtract(interval)), kind, "-")
    }

    /// `~value`
    pub(super) fn complemented(&mut self, (expr, interval): Number, kind: IntKind) -> Value {
        // In two's complement, the sum of a number and its complement is -1, or all ones without sign.
        let all = if kind.is_signed() { -1 } else { Interval::of(&self.tree.types, kind).high };
        let ones = self.int(all);
        let value = self.subtract(ones, expr);
        Value::Int(value, Interval::exactly(all).subtract(interval))
    }

    /// An operand in the bounds of its type: only the mathematical integers of a monitor can be outside of them.
    fn bounded_operand(&mut self, (expr, interval): Number, kind: IntKind) -> Number {
        let range = Interval::of(&self.tree.types, kind);
        if self.observing.is_none() || !kind.is_signed() || interval.within(range) {
            return (expr, interval);
        }
        let expr = self.share(expr);
        let inside = self.between(expr, range.low, range.high);
        self.defined_if(inside);
        (expr, range)
    }

    /// An arithmetic operator (no comparison) on numbers of a type; shifts take any right operand.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        kind: IntKind,
        (left, a): Number,
        (right, b): Number,
    ) -> Result<Value> {
        let ((left, a), (right, b)) = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => ((left, a), (right, b)),
            _ => (self.bounded_operand((left, a), kind), self.bounded_operand((right, b), kind)),
        };
        match op {
            BinaryOp::Add => {
                let sum = self.add(left, right);
                self.result((sum, a.add(b)), kind, "+")
            }
            BinaryOp::Sub => {
                let difference = self.subtract(left, right);
                self.result((difference, a.subtract(b)), kind, "-")
            }
            BinaryOp::Mul => {
                let product = self.multiply(left, right);
                self.result((product, a.multiply(b)), kind, "*")
            }
            BinaryOp::Div | BinaryOp::Rem => self.division(op, kind, (left, a), (right, b)),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, kind, (left, a), (right, b)),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                self.bitwise(op, kind, (left, a), (right, b))
            }
            _ => Err(self.unsupported("a comparison as arithmetic")),
        }
    }

    fn division(
        &mut self,
        op: BinaryOp,
        kind: IntKind,
        (left, a): Number,
        (right, b): Number,
    ) -> Result<Value> {
        let (left, right) = (self.share(left), self.share(right));
        if Interval::exactly(0).within(b) {
            let zero = self.int(0);
            let valid = self.compare(ir::BinaryOp::NotEqual, right, zero);
            self.check(
                valid,
                Check::Division,
                &format!("the divisor of {}", if op == BinaryOp::Div { "/" } else { "%" }),
            );
        }
        let is_division = op == BinaryOp::Div;
        // Euclidean and C division agree for a dividend that is not negative.
        let euclidean = |this: &mut Self, dividend: Expr| {
            if is_division { this.divide_floor(dividend, right) } else { this.modulo(dividend, right) }
        };
        let positive = euclidean(self, left);
        let mut result = positive;
        if a.low < 0 {
            let opposite = self.negate(left);
            let negative = euclidean(self, opposite);
            let negative = self.negate(negative);
            let zero = self.int(0);
            let sign = self.compare(ir::BinaryOp::GreaterEqual, left, zero);
            result = self.ite(sign, positive, negative);
        }
        if is_division {
            self.result((result, a.divide(b)), kind, "/")
        } else {
            // The least number divided by -1 overflows also as a remainder.
            let range = Interval::of(&self.tree.types, kind);
            let may_overflow = kind.is_signed() && a.low <= range.low && Interval::exactly(-1).within(b);
            if may_overflow && self.checks_overflow() {
                let (low, minus_one) = (self.int(range.low), self.int(-1));
                let least = self.equal(left, low);
                let minus = self.equal(right, minus_one);
                let both = self.and(least, minus);
                let fine = self.not(both);
                self.assert(fine, &format!("no-overflow: % in {}", kind.name()));
            }
            Ok(Value::Int(result, a.remainder(b)))
        }
    }

    /// Whether an overflow here would be the error.
    fn checks_overflow(&self) -> bool {
        self.options.asks(Check::Overflow) && !self.expression.mathematical && self.observing.is_none()
    }

    fn shift(&mut self, op: BinaryOp, kind: IntKind, (left, a): Number, (right, b): Number) -> Result<Value> {
        let width = i128::from(kind.width(self.tree.types.model));
        let bounds = Interval { low: 0, high: width - 1 };
        let (left, right) = (self.share(left), self.share(right));
        // A shift by the width or more has no meaning in C, nor has one of a negative number to the left.
        let checks_overflow = self.checks_overflow();
        let checked = checks_overflow || self.options.asks(Check::Shift) || self.observing.is_some();
        if !b.within(bounds) && !checked {
            return self.shift_if_defined(op, kind, (left, a), (right, b));
        }
        if !b.within(bounds) {
            let inside = self.between(right, bounds.low, bounds.high);
            if checks_overflow {
                self.assert(inside, &format!("no-overflow: the amount of a shift in {}", kind.name()));
            }
            self.check(inside, Check::Shift, &format!("the amount of a shift in {}", kind.name()));
        }
        if checks_overflow && op == BinaryOp::Shl && kind.is_signed() && a.low < 0 {
            let zero = self.int(0);
            let positive = self.compare(ir::BinaryOp::GreaterEqual, left, zero);
            self.assert(positive, &format!("no-overflow: << of a negative {}", kind.name()));
        }
        let (low, high) = (b.low.max(0), b.high.min(width - 1));
        if low > high {
            let zero = self.int(0);
            return Ok(Value::Int(zero, Interval::exactly(0)));
        }
        let mut result: Option<Number> = None;
        for by in (low..=high).rev() {
            // The greatest power of two does not fit; then, nothing is known of the product.
            let factor = 1i128.checked_shl(by as u32).filter(|factor| *factor > 0);
            let factor = factor.map_or(Interval::ALL, Interval::exactly);
            let factor_expr = self.int(BigInt::from(1) << by as u32);
            let (expr, interval) = if op == BinaryOp::Shl {
                (self.multiply(left, factor_expr), a.multiply(factor))
            } else {
                (self.divide_floor(left, factor_expr), a.shift_right(by as u32))
            };
            result = Some(match result {
                None => (expr, interval),
                Some((other, hull)) => {
                    let amount = self.int(by);
                    let here = self.equal(right, amount);
                    (self.ite(here, expr, other), hull.hull(interval))
                }
            });
        }
        let number = result.expect("the range of amounts is not empty");
        if op == BinaryOp::Shr { Ok(Value::Int(number.0, number.1)) } else { self.result(number, kind, "<<") }
    }

    /// A shift by an amount that may be too large or negative: machines go on with some number then.
    fn shift_if_defined(
        &mut self,
        op: BinaryOp,
        kind: IntKind,
        left: Number,
        (right, b): Number,
    ) -> Result<Value> {
        let last = i128::from(kind.width(self.tree.types.model)) - 1;
        let inside = self.between(right, 0, last);
        let result = self.temporary(ir::Type::INT);
        let all = Interval::of(&self.tree.types, kind);
        let (good, bad, join) = (self.new_block("shift"), self.new_block("strange"), self.new_block("join"));
        self.branch(inside, good, bad);
        self.start(bad);
        self.havoc_marked(vec![result], "a shift by too much", None);
        let number = self.var(result);
        let range = self.between(number, all.low, all.high);
        self.assume(range);
        self.jump(join);
        self.start(good);
        let (low, high) = (b.low.max(0), b.high.min(last));
        if low <= high {
            let shifted = self.shift(op, kind, left, (right, Interval { low, high }))?;
            if let Value::Int(number, _) = shifted {
                self.assign(result, number);
            }
        }
        self.continue_in(join);
        Ok(Value::Int(self.var(result), all))
    }
}
