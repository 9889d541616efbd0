//! The functions of `math.h` that IEEE 754 defines, and those by which compilers know them.
//!
//! A function has one model for all types; its argument says which type it is. What has no exact definition there
//! (powers, logarithms, angles) is not modelled.

use super::floats::Mode;
use super::numbers::Interval;
use super::values::Value;
use super::{Result, Translator};
use crate::ast::BinaryOp;
use crate::options::BitOperations;
use crate::tree::ExprId;
use crate::types::TypeId;
use float::{Format, Operation, Pattern, Rounding};
use ir::Expr;
use ir::builtin::{BitVecBinary, BitVecCompare};

/// What `fpclassify` gives, as the C library on Linux numbers it.
const CLASSES: [i128; 5] = [0, 1, 4, 3, 2];

/// The functions without a suffix for their type.
const FUNCTIONS: &[&str] = &[
    "ceil",
    "copysign",
    "drem",
    "fabs",
    "fdim",
    "finite",
    "floor",
    "fmax",
    "fmin",
    "fmod",
    "fpclassify",
    "huge_val",
    "inf",
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isinf_sign",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "isunordered",
    "llrint",
    "llround",
    "lrint",
    "lround",
    "modf",
    "nan",
    "nearbyint",
    "remainder",
    "rint",
    "round",
    "roundeven",
    "signbit",
    "sqrt",
    "trunc",
];

/// The model of a function, by its name: `__builtin_` and the underscores of the library's own names are left out, and the
/// suffix of a type.
fn model(name: &str) -> Option<&'static str> {
    let plain = name.strip_prefix("__builtin_").unwrap_or_else(|| name.trim_start_matches('_'));
    let exact = |text: &str| FUNCTIONS.iter().copied().find(|known| *known == text);
    exact(plain)
        .or_else(|| exact(plain.strip_suffix(['f', 'l'])?))
        .or_else(|| exact(plain.strip_suffix("f128")?))
}

/// Whether a function of this name writes where its second argument points to.
pub fn writes_through_pointers(name: &str) -> bool {
    model(name) == Some("modf")
}

impl Translator<'_> {
    /// A call of one of these functions with a result of a type; nothing if it is none, or called in a way that is not
    /// its own.
    pub(super) fn mathematical_call(
        &mut self,
        name: &str,
        ty: TypeId,
        arguments: &[ExprId],
        values: &[Value],
    ) -> Result<Option<Value>> {
        let Some(model) = model(name) else { return Ok(None) };
        let result = self.format_of_type(ty);
        match (model, result) {
            ("inf" | "huge_val", Some(format)) => {
                return Ok(Some(Value::Float(self.float_literal(&format.infinity(), format))));
            }
            // The argument tells bits of the NaN that nothing depends on.
            ("nan", Some(format)) => {
                return Ok(Some(Value::Float(self.float_literal(&format.nan(), format))));
            }
            _ => {}
        }
        let mut numbers: Vec<Expr> = Vec::new();
        for value in values {
            if let Value::Float(bits) = value {
                numbers.push(*bits);
            }
        }
        if let (None, [left, right], [Value::Int(..), Value::Float(_)] | [Value::Float(_), Value::Int(..)]) =
            (result, arguments, values)
        {
            // A relation between numbers of any types.
            let types = (self.tree.exprs[*left].ty, self.tree.exprs[*right].ty);
            let common = if self.format_of_type(types.0).is_some() { types.0 } else { types.1 };
            numbers.clear();
            for (value, from) in values.iter().zip([types.0, types.1]) {
                if let Value::Float(bits) = self.converted(value.clone(), from, common)? {
                    numbers.push(bits);
                }
            }
        }
        let widest = numbers.iter().map(|&number| self.format_of(number)).max_by_key(|format| format.width());
        let Some(format) = widest else { return Ok(None) };
        let alike = numbers.iter().all(|&number| self.format_of(number) == format);
        if result.is_some_and(|result| !alike || result != format) {
            return Ok(None);
        }
        if self.options.bit_operations != BitOperations::Exact
            || (rounds(model) && self.analyses.rounding_mode == Mode::Unknown)
        {
            self.report.back.bounded_bits |= self.analyses.rounding_mode != Mode::Unknown;
            if let ("modf", [_, pointer]) = (model, values)
                && let Some(to) = self.tree.types.pointee(self.tree.exprs[arguments[1]].ty)
            {
                let (place, whole) =
                    (self.pointed_place(pointer, arguments[1])?, self.unknown_value(to, name)?);
                self.write(&place, to, &whole)?;
            }
            let known = !self.tree.types.is_arithmetic(ty);
            return if known { Ok(Some(Value::Void)) } else { self.unknown_value(ty, name).map(Some) };
        }
        for number in &mut numbers {
            let from = self.format_of(*number);
            if from != format {
                *number = self.float_operation(Operation::Convert { from, to: format }, &[*number]);
            }
            *number = self.share(*number);
        }
        match (model, &numbers[..], values) {
            ("modf", &[x], [_, pointer]) => {
                let place = self.pointed_place(pointer, arguments[1])?;
                let to = self.tree.types.pointee(self.tree.exprs[arguments[1]].ty);
                let Some(to) = to.filter(|&to| self.format_of_type(to) == Some(format)) else {
                    return Ok(None);
                };
                let whole = self.float_operation(Operation::Round(Rounding::Zero, format), &[x]);
                let whole = self.share(whole);
                self.write(&place, to, &Value::Float(whole))?;
                Ok(Some(Value::Float(self.fraction(x, whole))))
            }
            ("fpclassify", &[x], _) => self.classified(x, values).map(Some),
            (_, &[x], [_]) if result.is_some() => Ok(self.unary_function(model, x).map(Value::Float)),
            (_, &[x], [_]) => self.property_of(name, model, x, ty),
            (_, &[x, y], [_, _]) if result.is_some() => self.binary_function(model, x, y, ty),
            (_, &[x, y], [_, _]) => {
                let truth = self.relation(model, x, y);
                Ok(truth.map(|truth| self.int_of_truth(truth)))
            }
            _ => Ok(None),
        }
    }

    /// A number to a number of its type.
    fn unary_function(&mut self, model: &str, x: Expr) -> Option<Expr> {
        let format = self.format_of(x);
        let rounding = match model {
            "fabs" => return Some(self.magnitude(x)),
            "sqrt" => return Some(self.float_operation(Operation::SquareRoot(format), &[x])),
            "ceil" => Rounding::Up,
            "floor" => Rounding::Down,
            "trunc" => Rounding::Zero,
            "round" => Rounding::NearestAway,
            "roundeven" => Rounding::NearestEven,
            "rint" | "nearbyint" => {
                return Some(self.float_by_mode(&[x], |rounding| Operation::Round(rounding, format)));
            }
            _ => return None,
        };
        Some(self.float_operation(Operation::Round(rounding, format), &[x]))
    }

    /// Two numbers to a number of their type.
    fn binary_function(&mut self, model: &str, x: Expr, y: Expr, ty: TypeId) -> Result<Option<Value>> {
        let format = self.format_of(x);
        let result = match model {
            "copysign" => self.with_sign_of(x, y),
            "remainder" | "drem" => self.float_operation(Operation::Remainder(format), &[x, y]),
            "fmod" => {
                // Of the remainder that may be negative, to that of positive numbers; the sum is exact.
                let (dividend, divisor) = (self.magnitude(x), self.magnitude(y));
                let divisor = self.share(divisor);
                let rest = self.float_operation(Operation::Remainder(format), &[dividend, divisor]);
                let rest = self.share(rest);
                let zero = self.float_zero(rest);
                let negative = self.float_operation(Operation::Less(format), &[rest, zero]);
                let more = self.float_operation(Operation::Add(format), &[rest, divisor]);
                let rest = self.ite(negative, more, rest);
                let rest = self.share(rest);
                self.with_sign_of(rest, x)
            }
            "fdim" => {
                let (unordered, less) = (self.unordered(x, y), self.float_comparison(BinaryOp::Le, x, y));
                let (zero, nan) = (self.float_zero(x), self.float_literal(&format.nan(), format));
                let difference = self.float_operation(Operation::Subtract(format), &[x, y]);
                let positive = self.ite(less, zero, difference);
                self.ite(unordered, nan, positive)
            }
            "fmin" | "fmax" => {
                let op = if model == "fmin" { BinaryOp::Lt } else { BinaryOp::Gt };
                let first = self.float_comparison(op, x, y);
                let chosen = self.ite(first, x, y);
                let (x_none, y_none) = (self.is_nan(x), self.is_nan(y));
                let chosen = self.ite(y_none, x, chosen);
                let chosen = self.ite(x_none, y, chosen);
                // Which of two zeros it is, nobody says.
                let (equal, same) = (self.float_comparison(BinaryOp::Eq, x, y), self.same_bits(x, y));
                let different = self.not(same);
                let zeros = self.and(equal, different);
                let open = |this: &mut Self| {
                    let either = this.temporary(ir::Type::BOOL);
                    this.havoc_marked(vec![either], "the sign of a zero", None);
                    let either = this.var(either);
                    Ok(Value::Float(this.ite(either, x, y)))
                };
                return self.choose(zeros, ty, open, |_| Ok(Value::Float(chosen))).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(Value::Float(result)))
    }

    /// A number to an integer.
    fn property_of(&mut self, name: &str, model: &str, x: Expr, ty: TypeId) -> Result<Option<Value>> {
        let format = self.format_of(x);
        let truth = match model {
            "isnan" => self.is_nan(x),
            "isfinite" | "finite" => self.magnitude_is(BitVecCompare::UnsignedLess, x, &format.infinity()),
            "isnormal" => {
                let finite = self.magnitude_is(BitVecCompare::UnsignedLess, x, &format.infinity());
                let normal =
                    self.magnitude_is(BitVecCompare::UnsignedGreaterEqual, x, &format.least_normal());
                self.and(finite, normal)
            }
            "signbit" => self.is_negative(x),
            "isinf" | "isinf_sign" => {
                let infinite = self.is_infinite(x);
                if name == "__builtin_isinf" {
                    return Ok(Some(self.int_of_truth(infinite)));
                }
                // The library tells the sign, too.
                let negative = self.is_negative(x);
                let (one, minus, zero) = (self.int(1), self.int(-1), self.int(0));
                let sign = self.ite(negative, minus, one);
                let value = self.ite(infinite, sign, zero);
                return Ok(Some(Value::Int(value, Interval { low: -1, high: 1 })));
            }
            "lround" | "llround" | "lrint" | "llrint" => {
                let Some(kind) = self.tree.types.int_kind(ty) else { return Ok(None) };
                if model.ends_with("round") {
                    return self.rounded_to_int(x, Rounding::NearestAway, ty, kind).map(Some);
                }
                let whole = self.float_by_mode(&[x], |rounding| Operation::Round(rounding, format));
                return self.whole_to_int(whole, ty, kind).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(self.int_of_truth(truth)))
    }

    fn relation(&mut self, model: &str, x: Expr, y: Expr) -> Option<Expr> {
        Some(match model {
            "isgreater" => self.float_comparison(BinaryOp::Gt, x, y),
            "isgreaterequal" => self.float_comparison(BinaryOp::Ge, x, y),
            "isless" => self.float_comparison(BinaryOp::Lt, x, y),
            "islessequal" => self.float_comparison(BinaryOp::Le, x, y),
            "islessgreater" => {
                let (less, greater) =
                    (self.float_comparison(BinaryOp::Lt, x, y), self.float_comparison(BinaryOp::Gt, x, y));
                self.or(less, greater)
            }
            "isunordered" => self.unordered(x, y),
            _ => return None,
        })
    }

    /// `fpclassify`: by the library's numbers, or by those that the compiler's function gets first.
    fn classified(&mut self, x: Expr, values: &[Value]) -> Result<Value> {
        let format = self.format_of(x);
        // NaN, infinite, normal, subnormal, zero.
        let mut classes: Vec<Expr> = Vec::new();
        for value in values {
            if let Value::Int(class, _) = value {
                classes.push(*class);
            }
        }
        if classes.len() != CLASSES.len() {
            classes = CLASSES.iter().map(|&class| self.int(class)).collect();
        }
        let (none, infinite) = (self.is_nan(x), self.is_infinite(x));
        let normal = self.magnitude_is(BitVecCompare::UnsignedGreaterEqual, x, &format.least_normal());
        let zero = self.float_zero(x);
        let zero = self.float_comparison(BinaryOp::Eq, x, zero);
        let mut result = classes[3];
        for (condition, class) in
            [(zero, classes[4]), (normal, classes[2]), (infinite, classes[1]), (none, classes[0])]
        {
            result = self.ite(condition, class, result);
        }
        let int = self.tree.types.int_kind(self.tree.types.int);
        let range = int.map(|kind| Interval::of(&self.tree.types, kind));
        Ok(Value::Int(result, range.unwrap_or(Interval { low: i128::MIN, high: i128::MAX })))
    }

    /// What is left of a number without its whole part; with its sign, and zero for infinities.
    fn fraction(&mut self, x: Expr, whole: Expr) -> Expr {
        let format = self.format_of(x);
        let (infinite, zero) = (self.is_infinite(x), self.float_zero(x));
        let rest = self.float_operation(Operation::Subtract(format), &[x, whole]);
        let rest = self.ite(infinite, zero, rest);
        let rest = self.share(rest);
        self.with_sign_of(rest, x)
    }

    /// The bit pattern without the sign.
    fn magnitude(&mut self, x: Expr) -> Expr {
        let format = self.format_of(x);
        let rest = self.float_literal(&(format.sign() - 1u32), format);
        self.bit_operation(BitVecBinary::And, x, rest)
    }

    fn with_sign_of(&mut self, x: Expr, y: Expr) -> Expr {
        let format = self.format_of(x);
        let sign = self.float_literal(&format.sign(), format);
        let (magnitude, sign) = (self.magnitude(x), self.bit_operation(BitVecBinary::And, y, sign));
        self.bit_operation(BitVecBinary::Or, magnitude, sign)
    }

    fn is_nan(&mut self, x: Expr) -> Expr {
        let number = self.float_comparison(BinaryOp::Eq, x, x);
        self.not(number)
    }

    fn unordered(&mut self, x: Expr, y: Expr) -> Expr {
        let (x_none, y_none) = (self.is_nan(x), self.is_nan(y));
        self.or(x_none, y_none)
    }

    fn is_infinite(&mut self, x: Expr) -> Expr {
        let format = self.format_of(x);
        let (magnitude, infinity) = (self.magnitude(x), self.float_literal(&format.infinity(), format));
        self.same_bits(magnitude, infinity)
    }

    fn is_negative(&mut self, x: Expr) -> Expr {
        let format = self.format_of(x);
        let sign = self.float_literal(&format.sign(), format);
        self.bit_comparison(BitVecCompare::UnsignedGreaterEqual, x, sign)
    }

    fn magnitude_is(&mut self, op: BitVecCompare, x: Expr, bound: &Pattern) -> Expr {
        let format: Format = self.format_of(x);
        let (magnitude, bound) = (self.magnitude(x), self.float_literal(bound, format));
        self.bit_comparison(op, magnitude, bound)
    }
}

/// Whether the result depends on the rounding mode.
fn rounds(model: &str) -> bool {
    matches!(model, "sqrt" | "fdim" | "rint" | "nearbyint" | "lrint" | "llrint")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_models() {
        let cases = [
            ("ceil", Some("ceil")),
            ("ceilf", Some("ceil")),
            ("ceill", Some("ceil")),
            ("__builtin_isnan", Some("isnan")),
            ("__isnanl", Some("isnan")),
            ("__fpclassifyf", Some("fpclassify")),
            ("__builtin_huge_valf", Some("huge_val")),
            ("__signbitf128", Some("signbit")),
            ("inff", Some("inf")),
            ("modff", Some("modf")),
            ("powf", None),
            ("erf", None),
            ("expl", None),
        ];
        for (name, expected) in cases {
            assert_eq!(model(name), expected, "{name}");
        }
    }
}
