//! Floating-point operations in an unwinding: constants are computed, integers in disguise are seen through, and everything
//! else becomes a circuit, as long as these are not too large.

use crate::circuit::Bit;
use crate::floats::Computed;
use crate::unwinder::Unwinder;
use crate::values::Value;
use crate::words::{self, Bits};
use float::{Class, Format, Operation, Output};
use ir::Type;
use num_bigint::{BigInt, Sign};
use num_traits::Zero;

/// When floating-point operations have so many gates, the results of further ones are arbitrary: a program may need their
/// numbers for nothing, and others have a claim to gates, too.
const MOST_FLOAT_GATES: usize = 1_500_000;

impl Unwinder<'_> {
    pub(super) fn float(&mut self, operation: Operation, values: &[Value], ty: Type) -> Value {
        let mut arguments: Vec<Bits> = Vec::new();
        for value in values {
            let Value::Bits(bits) = value else { return self.arbitrary(ty, "an operation on nothing") };
            arguments.push(bits.to_vec());
        }
        if operation.commutes() {
            arguments.sort();
        }
        if let Some(value) = of_constants(operation, &arguments) {
            return value;
        }
        if let Some(value) = self.of_integers(operation, &arguments) {
            return value;
        }
        let before = self.store.circuit.len();
        if self.float_gates <= MOST_FLOAT_GATES
            && let Some(computed) = self.store.circuit.float(operation, &arguments)
        {
            self.float_gates += self.store.circuit.len() - before;
            return match computed {
                Computed::Truth(bit) => Value::Bool(bit),
                Computed::Bits(bits) => {
                    self.note_integer(operation, &arguments[0], &bits);
                    Value::bits(bits)
                }
            };
        }
        // The same operation on the same numbers has the same result, whatever it is.
        if let Some(value) = self.floats.get(&(operation, arguments.clone())) {
            return value.clone();
        }
        let value = self.arbitrary(ty, "floating-point operations");
        self.floats.insert((operation, arguments), value.clone());
        value
    }

    /// Remembers that a floating-point number is an integer, if the format has all integers of its width.
    fn note_integer(&mut self, operation: Operation, argument: &Bits, result: &Bits) {
        let (width, to, sign) = match operation.undirected().1 {
            Operation::FromSigned { width, to } => (u32::from(width) - 1, to, None),
            Operation::FromUnsigned { width, to } => (u32::from(width), to, Some(Bit::FALSE)),
            _ => return,
        };
        // The largest exponent must suffice as well.
        if width <= to.significand() && width < 1 << (to.exponent() - 1) {
            self.integers.insert(result.clone(), argument.iter().copied().chain(sign).collect());
        }
    }

    /// Conversions of integers to floating-point numbers and back, and comparisons of such numbers: a solver would have to
    /// find out that a number is moved to and fro by the same distance.
    fn of_integers(&mut self, operation: Operation, arguments: &[Bits]) -> Option<Value> {
        use Operation::*;
        match (operation, arguments) {
            (Round(_, format), [a]) => self.integer(format, a).map(|_| Value::bits(a.clone())),
            (ToSigned { from, width }, [a]) => {
                let integer = self.integer(from, a).filter(|integer| integer.len() <= width.into())?;
                Some(Value::bits(words::extend(&integer, width.into())))
            }
            (ToUnsigned { from, width }, [a]) => {
                let fits = |integer: &Bits| {
                    words::sign(integer) == Bit::FALSE && integer.len() <= usize::from(width) + 1
                };
                let integer = self.integer(from, a).filter(fits)?;
                let mut bits = words::extend(&integer, width.into());
                bits.truncate(width.into());
                Some(Value::bits(bits))
            }
            (Equal(format) | Less(format) | LessEqual(format), [a, b]) => {
                let (a, b) = (self.integer(format, a)?, self.integer(format, b)?);
                let circuit = &mut self.store.circuit;
                Some(Value::Bool(match operation {
                    Equal(_) => circuit.equal_integers(&a, &b),
                    Less(_) => circuit.less(&a, &b),
                    _ => !circuit.less(&b, &a),
                }))
            }
            _ => None,
        }
    }

    /// The integer that a floating-point number is, if that is known.
    fn integer(&self, format: Format, bits: &Bits) -> Option<Bits> {
        if let Some(integer) = self.integers.get(bits) {
            return Some(integer.clone());
        }
        let pattern = words::as_unsigned(bits)?.to_biguint()?;
        let Class::Finite { negative, magnitude, exponent } = format.class(&pattern) else { return None };
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        let distance = exponent.unsigned_abs();
        let whole = match exponent {
            _ if magnitude.is_zero() => magnitude,
            // No integer of C is longer.
            0..=128 => magnitude << distance,
            _ if exponent < 0 && magnitude.trailing_zeros() >= Some(distance) => magnitude >> distance,
            _ => return None,
        };
        Some(words::integer(&BigInt::from_biguint(sign, whole)))
    }
}

/// The result if all arguments are constants.
fn of_constants(operation: Operation, arguments: &[Bits]) -> Option<Value> {
    let constant = |bits: &Bits| words::as_unsigned(bits).and_then(|value| value.to_biguint());
    let constants: Vec<_> = arguments.iter().map(constant).collect::<Option<_>>()?;
    let references: Vec<_> = constants.iter().collect();
    Some(match operation.evaluate(&references) {
        Output::Truth(truth) => Value::Bool(Bit::constant(truth)),
        Output::Bits(bits) => {
            let width = operation.shape().result.unwrap_or(0) as usize;
            Value::bits(words::unsigned(&BigInt::from_biguint(Sign::Plus, bits), width))
        }
    })
}
