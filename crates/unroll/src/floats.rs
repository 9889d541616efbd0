//! Floating-point operations.
//!
//! Constants are computed by crate `float`. A number that was converted from an integer, exactly, is remembered as that
//! integer. Everything else becomes gates ([`circuits`]), as long as these are not too many; remainders are arbitrary, but
//! the same for the same arguments.

mod circuits;

use crate::gates::Bit;
use crate::numbers::{self, Bits};
use crate::values::Value;
use crate::walk::Unroller;
use circuits::Outcome;
use float::{Class, Format, Operation, Output};
use ir::Type;
use num_bigint::{BigInt, Sign};

/// With so many gates for floating-point operations, the results of further ones are arbitrary.
const MOST_GATES: usize = 1_500_000;
/// Constants of larger exponents are not taken as integers: no integer of a program is so long.
const LARGEST_EXPONENT: i64 = 128;

impl Unroller<'_, '_> {
    pub(crate) fn float(&mut self, operation: Operation, values: &[Value], ty: Type) -> Value {
        let vector = |value: &Value| match value {
            Value::Bits(bits) => Some(bits.to_vec()),
            _ => None,
        };
        let Some(mut arguments) = values.iter().map(vector).collect::<Option<Vec<Bits>>>() else {
            return self.store.anything(ty);
        };
        if operation.commutes() {
            arguments.sort();
        }
        if let Some(value) = of_constants(operation, &arguments) {
            return value;
        }
        if let Some(value) = self.of_integers(operation, &arguments) {
            return value;
        }
        if let Some(value) = self.floats.get(&(operation, arguments.clone())) {
            return value.clone();
        }
        let before = self.store.gates.count();
        let outcome =
            if self.float_gates <= MOST_GATES { self.store.gates.float(operation, &arguments) } else { None };
        self.float_gates += self.store.gates.count() - before;
        let value = match outcome {
            Some(Outcome::Truth(bit)) => Value::Bool(bit),
            Some(Outcome::Pattern(bits)) => {
                self.remember_integer(operation, &arguments[0], &bits);
                Value::vector(bits)
            }
            None => self.store.anything(ty),
        };
        self.floats.insert((operation, arguments), value.clone());
        value
    }

    /// Remembers that a number is an integer, if its format has all integers of that width.
    fn remember_integer(&mut self, operation: Operation, argument: &Bits, result: &Bits) {
        let (bits, to, sign) = match operation.undirected().1 {
            Operation::FromSigned { width, to } => (u32::from(width) - 1, to, None),
            Operation::FromUnsigned { width, to } => (u32::from(width), to, Some(Bit::FALSE)),
            _ => return,
        };
        let largest_exponent = (1 << (to.exponent() - 1)) - 1;
        if bits <= to.significand() && bits <= largest_exponent {
            self.integers.insert(result.clone(), argument.iter().copied().chain(sign).collect());
        }
    }

    /// Operations on numbers that are integers: what they do to those is what they do to the numbers.
    fn of_integers(&mut self, operation: Operation, arguments: &[Bits]) -> Option<Value> {
        use Operation::*;
        let integers = |format: Format| -> Option<Vec<Bits>> {
            arguments.iter().map(|pattern| self.integer(format, pattern)).collect()
        };
        match operation {
            Round(_, format) => integers(format).map(|_| Value::vector(arguments[0].clone())),
            ToSigned { from, width } => {
                let integer = integers(from)?.swap_remove(0);
                let width = usize::from(width);
                (integer.len() <= width).then(|| Value::vector(numbers::widened(&integer, width)))
            }
            ToUnsigned { from, width } => {
                let integer = integers(from)?.swap_remove(0);
                let width = usize::from(width);
                let fits = numbers::sign(&integer) == Bit::FALSE && integer.len() <= width + 1;
                fits.then(|| Value::vector(numbers::widened(&integer, width)[..width].to_vec()))
            }
            Equal(format) | Less(format) | LessEqual(format) => {
                let integers = integers(format)?;
                let (a, b) = (&integers[0], &integers[1]);
                let gates = &mut self.store.gates;
                Some(Value::Bool(match operation {
                    Equal(_) => gates.same_integers(a, b),
                    Less(_) => gates.less(a, b),
                    _ => !gates.less(b, a),
                }))
            }
            _ => None,
        }
    }

    /// The integer that a number is, if that is known.
    fn integer(&self, format: Format, pattern: &Bits) -> Option<Bits> {
        if let Some(integer) = self.integers.get(pattern) {
            return Some(integer.clone());
        }
        let constant = numbers::as_vector(pattern)?.to_biguint()?;
        let Class::Finite { negative, magnitude, exponent } = format.class(&constant) else { return None };
        let zero = magnitude.bits() == 0;
        let whole = if zero {
            magnitude
        } else if (0..=LARGEST_EXPONENT).contains(&exponent) {
            magnitude << exponent.unsigned_abs()
        } else if exponent < 0 && magnitude.trailing_zeros() >= Some(exponent.unsigned_abs()) {
            magnitude >> exponent.unsigned_abs()
        } else {
            return None;
        };
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Some(numbers::integer(&BigInt::from_biguint(sign, whole)))
    }
}

/// The result if all arguments are constants.
fn of_constants(operation: Operation, arguments: &[Bits]) -> Option<Value> {
    let constant = |bits: &Bits| numbers::as_vector(bits)?.to_biguint();
    let constants = arguments.iter().map(constant).collect::<Option<Vec<_>>>()?;
    Some(match operation.evaluate(&constants.iter().collect::<Vec<_>>()) {
        Output::Truth(truth) => Value::Bool(Bit::of(truth)),
        Output::Bits(bits) => {
            let width = operation.shape().result.unwrap_or(0) as usize;
            Value::vector(numbers::vector(&BigInt::from(bits), width))
        }
    })
}
