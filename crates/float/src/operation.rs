//! The operations, and what they compute.

use crate::format::{Class, Format};
use crate::round::{Magnitude, Quotient, Rounding, Target};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::fmt;

/// An operation on bit patterns. Negation, absolute values and most classifications are operations on bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operation {
    /// The sum.
    Add(Format),
    /// The difference.
    Subtract(Format),
    /// The product.
    Multiply(Format),
    /// The quotient.
    Divide(Format),
    /// What is left of the dividend after subtracting the divisor as often as the nearest whole number to the quotient
    /// says.
    Remainder(Format),
    /// The square root.
    SquareRoot(Format),
    /// A whole number.
    Round(Rounding, Format),
    /// Equality: zeros are equal, and NaN equals nothing.
    Equal(Format),
    /// Less.
    Less(Format),
    /// Less or equal.
    LessEqual(Format),
    /// The nearest number of another format.
    Convert {
        /// Of the argument.
        from: Format,
        /// Of the result.
        to: Format,
    },
    /// The number nearest to an integer in two's complement.
    FromSigned {
        /// Of the integer.
        width: u8,
        /// Of the result.
        to: Format,
    },
    /// The number nearest to an integer without sign.
    FromUnsigned {
        /// Of the integer.
        width: u8,
        /// Of the result.
        to: Format,
    },
    /// The integer in two's complement that is next towards zero; 0 if it does not fit.
    ToSigned {
        /// Of the argument.
        from: Format,
        /// Of the integer.
        width: u8,
    },
    /// The integer without sign that is next towards zero; 0 if it does not fit.
    ToUnsigned {
        /// Of the argument.
        from: Format,
        /// Of the integer.
        width: u8,
    },
    /// An operation that rounds in another way than to the nearest number, and to the even one of two.
    Directed(Rounding, Directed),
}

/// An operation whose result is rounded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Directed {
    /// The sum.
    Add(Format),
    /// The difference.
    Subtract(Format),
    /// The product.
    Multiply(Format),
    /// The quotient.
    Divide(Format),
    /// The square root.
    SquareRoot(Format),
    /// A number of another format.
    Convert {
        /// Of the argument.
        from: Format,
        /// Of the result.
        to: Format,
    },
    /// A number for an integer in two's complement.
    FromSigned {
        /// Of the integer.
        width: u8,
        /// Of the result.
        to: Format,
    },
    /// A number for an integer without sign.
    FromUnsigned {
        /// Of the integer.
        width: u8,
        /// Of the result.
        to: Format,
    },
}

/// The widths of the arguments, and that of the result; none for a truth value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// One or two widths.
    pub arguments: Vec<u32>,
    /// The width of the result.
    pub result: Option<u32>,
}

/// A result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// A bit pattern.
    Bits(BigUint),
    /// A truth value.
    Truth(bool),
}

/// An operation by name, for any format.
type Plain = (&'static str, fn(Format) -> Operation);

/// The operations of one format.
const PLAIN: &[Plain] = &[
    ("add", Operation::Add),
    ("sub", Operation::Subtract),
    ("mul", Operation::Multiply),
    ("div", Operation::Divide),
    ("rem", Operation::Remainder),
    ("sqrt", Operation::SquareRoot),
    ("round_even", |format| Operation::Round(Rounding::NearestEven, format)),
    ("round_away", |format| Operation::Round(Rounding::NearestAway, format)),
    ("round_up", |format| Operation::Round(Rounding::Up, format)),
    ("round_down", |format| Operation::Round(Rounding::Down, format)),
    ("round_zero", |format| Operation::Round(Rounding::Zero, format)),
    ("eq", Operation::Equal),
    ("lt", Operation::Less),
    ("le", Operation::LessEqual),
];

/// The ways to round that are not the usual one, by name.
const DIRECTIONS: &[(&str, Rounding)] = &[
    ("away", Rounding::NearestAway),
    ("up", Rounding::Up),
    ("down", Rounding::Down),
    ("zero", Rounding::Zero),
];

impl Operation {
    /// All operations of one format, and those between it and integers of a width.
    pub fn all(format: Format, width: u8) -> Vec<Operation> {
        let mut all: Vec<Operation> = PLAIN.iter().map(|(_, make)| make(format)).collect();
        all.push(Operation::FromSigned { width, to: format });
        all.push(Operation::FromUnsigned { width, to: format });
        let rounded = all.clone();
        for &(_, rounding) in DIRECTIONS {
            let directed = rounded.iter().map(|operation| operation.directed(rounding));
            all.extend(directed.filter(|operation| matches!(operation, Operation::Directed(..))));
        }
        all.push(Operation::ToSigned { from: format, width });
        all.push(Operation::ToUnsigned { from: format, width });
        all
    }

    /// The operation with its result rounded in some way, if it is rounded at all.
    pub fn directed(self, rounding: Rounding) -> Operation {
        let directed = match self {
            _ if rounding == Rounding::NearestEven => return self,
            Operation::Add(format) => Directed::Add(format),
            Operation::Subtract(format) => Directed::Subtract(format),
            Operation::Multiply(format) => Directed::Multiply(format),
            Operation::Divide(format) => Directed::Divide(format),
            Operation::SquareRoot(format) => Directed::SquareRoot(format),
            Operation::Convert { from, to } => Directed::Convert { from, to },
            Operation::FromSigned { width, to } => Directed::FromSigned { width, to },
            Operation::FromUnsigned { width, to } => Directed::FromUnsigned { width, to },
            _ => return self,
        };
        Operation::Directed(rounding, directed)
    }

    /// How the result is rounded, and the operation that rounds as usual.
    pub fn undirected(self) -> (Rounding, Operation) {
        let Operation::Directed(rounding, directed) = self else { return (Rounding::NearestEven, self) };
        let operation = match directed {
            Directed::Add(format) => Operation::Add(format),
            Directed::Subtract(format) => Operation::Subtract(format),
            Directed::Multiply(format) => Operation::Multiply(format),
            Directed::Divide(format) => Operation::Divide(format),
            Directed::SquareRoot(format) => Operation::SquareRoot(format),
            Directed::Convert { from, to } => Operation::Convert { from, to },
            Directed::FromSigned { width, to } => Operation::FromSigned { width, to },
            Directed::FromUnsigned { width, to } => Operation::FromUnsigned { width, to },
        };
        (rounding, operation)
    }

    /// The operation of a name, as `Display` writes it.
    pub fn parse(name: &str) -> Option<Operation> {
        let name = name.strip_prefix("float.")?;
        for (direction, rounding) in DIRECTIONS {
            if let Some(plain) = name.strip_suffix(direction).and_then(|plain| plain.strip_suffix('.')) {
                let plain = Operation::parse(&format!("float.{plain}"))?;
                let directed = plain.directed(*rounding);
                return (directed != plain).then_some(directed);
            }
        }
        let mut parts = name.split('.');
        let stem = parts.next()?;
        let mut numbers = Vec::new();
        for part in parts {
            // One spelling per number.
            let number: u32 = part.parse().ok().filter(|number: &u32| number.to_string() == part)?;
            numbers.push(number);
        }
        let format = |at: usize| Format::new(*numbers.get(at)?, *numbers.get(at + 1)?);
        let width =
            |at: usize| u8::try_from(*numbers.get(at)?).ok().filter(|width| (1..=128).contains(width));
        let plain = PLAIN.iter().find(|(known, _)| *known == stem);
        match (stem, numbers.len()) {
            (_, 2) => Some(plain?.1(format(0)?)),
            ("convert", 4) => Some(Operation::Convert { from: format(0)?, to: format(2)? }),
            ("from_signed", 3) => Some(Operation::FromSigned { width: width(0)?, to: format(1)? }),
            ("from_unsigned", 3) => Some(Operation::FromUnsigned { width: width(0)?, to: format(1)? }),
            ("to_signed", 3) => Some(Operation::ToSigned { from: format(0)?, width: width(2)? }),
            ("to_unsigned", 3) => Some(Operation::ToUnsigned { from: format(0)?, width: width(2)? }),
            _ => None,
        }
    }

    /// The widths of arguments and result.
    pub fn shape(self) -> Shape {
        use Operation::*;
        let (arguments, result) = match self {
            Directed(..) => return self.undirected().1.shape(),
            Add(f) | Subtract(f) | Multiply(f) | Divide(f) | Remainder(f) => {
                (vec![f.width(), f.width()], Some(f.width()))
            }
            SquareRoot(f) | Round(_, f) => (vec![f.width()], Some(f.width())),
            Equal(f) | Less(f) | LessEqual(f) => (vec![f.width(), f.width()], None),
            Convert { from, to } => (vec![from.width()], Some(to.width())),
            FromSigned { width, to } | FromUnsigned { width, to } => (vec![width.into()], Some(to.width())),
            ToSigned { from, width } | ToUnsigned { from, width } => (vec![from.width()], Some(width.into())),
        };
        Shape { arguments, result }
    }

    /// Does the order of the arguments not matter?
    pub fn commutes(self) -> bool {
        matches!(self.undirected().1, Operation::Add(_) | Operation::Multiply(_) | Operation::Equal(_))
    }

    /// The result for arguments of the widths of [`Operation::shape`].
    pub fn evaluate(self, arguments: &[&BigUint]) -> Output {
        use Operation::*;
        let (rounding, operation) = self.undirected();
        let target = |format| Target { format, rounding };
        let bits = match operation {
            Directed(..) => unreachable!("the direction was taken off"),
            Add(format) => add(target(format), arguments[0], arguments[1]),
            Subtract(format) => {
                // The NaN that a changed sign may make of a NaN is none that shows.
                let negated = arguments[1] ^ format.sign();
                add(target(format), arguments[0], &negated)
            }
            Multiply(format) => multiply(target(format), arguments[0], arguments[1]),
            Divide(format) => divide(target(format), arguments[0], arguments[1]),
            Remainder(format) => remainder(format, arguments[0], arguments[1]),
            SquareRoot(format) => square_root(target(format), arguments[0]),
            Round(rounding, format) => round(format, rounding, arguments[0]),
            Equal(format) => {
                return Output::Truth(compare(format, arguments) == Some(std::cmp::Ordering::Equal));
            }
            Less(format) => {
                return Output::Truth(compare(format, arguments) == Some(std::cmp::Ordering::Less));
            }
            LessEqual(format) => {
                return Output::Truth(compare(format, arguments).is_some_and(|order| order.is_le()));
            }
            Convert { from, to } => convert(from, target(to), arguments[0]),
            FromSigned { width, to } => {
                let negative = arguments[0].bit(u64::from(width) - 1);
                let magnitude =
                    if negative { (BigUint::one() << width) - arguments[0] } else { arguments[0].clone() };
                target(to).next(negative, &Magnitude::exact(magnitude, 0))
            }
            FromUnsigned { to, .. } => target(to).next(false, &Magnitude::exact(arguments[0].clone(), 0)),
            ToSigned { from, width } => match truncated(from, arguments[0]) {
                Some(whole) => {
                    let limit = BigInt::one() << (width - 1);
                    let fits = whole >= -&limit && whole < limit;
                    if fits { whole.mod_floor(&(limit << 1u32)).magnitude().clone() } else { BigUint::zero() }
                }
                None => BigUint::zero(),
            },
            ToUnsigned { from, width } => {
                let whole = truncated(from, arguments[0]).and_then(|whole| whole.to_biguint());
                whole.filter(|whole| whole.bits() <= width.into()).unwrap_or_default()
            }
        };
        Output::Bits(bits)
    }
}

fn zero(format: Format, negative: bool) -> BigUint {
    if negative { format.sign() } else { BigUint::zero() }
}

fn infinity(format: Format, negative: bool) -> BigUint {
    zero(format, negative) | format.infinity()
}

/// A magnitude with its sign, in units of a power of two that is not above its exponent.
fn in_units(negative: bool, magnitude: &BigUint, exponent: i64, unit: i64) -> BigInt {
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, magnitude << (exponent - unit).unsigned_abs())
}

fn add(target: Target, a: &BigUint, b: &BigUint) -> BigUint {
    use Class::*;
    let format = target.format;
    match (format.class(a), format.class(b)) {
        (Nan, _) | (_, Nan) => format.nan(),
        (Infinite(x), Infinite(y)) if x != y => format.nan(),
        (Infinite(negative), _) | (_, Infinite(negative)) => infinity(format, negative),
        (
            Finite { negative: x, magnitude: m, exponent: e },
            Finite { negative: y, magnitude: n, exponent: f },
        ) => {
            let unit = e.min(f);
            let sum = in_units(x, &m, e, unit) + in_units(y, &n, f, unit);
            // A sum of zero has the sign of both; if they differ, it is positive unless everything is rounded down.
            let of_zero = if x == y { x } else { target.rounding == Rounding::Down };
            let negative = if sum.is_zero() { of_zero } else { sum.is_negative() };
            target.next(negative, &Magnitude::exact(sum.magnitude().clone(), unit))
        }
    }
}

fn multiply(target: Target, a: &BigUint, b: &BigUint) -> BigUint {
    use Class::*;
    let format = target.format;
    match (format.class(a), format.class(b)) {
        (Nan, _) | (_, Nan) => format.nan(),
        (Infinite(x), Infinite(y)) => infinity(format, x != y),
        (Infinite(x), Finite { negative, magnitude, .. })
        | (Finite { negative, magnitude, .. }, Infinite(x)) => {
            if magnitude.is_zero() {
                format.nan()
            } else {
                infinity(format, x != negative)
            }
        }
        (
            Finite { negative: x, magnitude: m, exponent: e },
            Finite { negative: y, magnitude: n, exponent: f },
        ) => target.next(x != y, &Magnitude::exact(m * n, e + f)),
    }
}

fn divide(target: Target, a: &BigUint, b: &BigUint) -> BigUint {
    use Class::*;
    let format = target.format;
    match (format.class(a), format.class(b)) {
        (Nan, _) | (_, Nan) | (Infinite(_), Infinite(_)) => format.nan(),
        (Infinite(x), Finite { negative, .. }) => infinity(format, x != negative),
        (Finite { negative, .. }, Infinite(x)) => zero(format, x != negative),
        (
            Finite { negative: x, magnitude: m, exponent: e },
            Finite { negative: y, magnitude: n, exponent: f },
        ) => match (m.is_zero(), n.is_zero()) {
            (true, true) => format.nan(),
            (true, false) => zero(format, x != y),
            (false, true) => infinity(format, x != y),
            (false, false) => target.next_quotient(x != y, Quotient { dividend: &m, divisor: &n }, e - f),
        },
    }
}

fn remainder(format: Format, a: &BigUint, b: &BigUint) -> BigUint {
    use Class::*;
    match (format.class(a), format.class(b)) {
        (Nan | Infinite(_), _) | (_, Nan) => format.nan(),
        (Finite { .. }, Infinite(_)) => a.clone(),
        (Finite { negative, magnitude: m, exponent: e }, Finite { magnitude: n, exponent: f, .. }) => {
            if n.is_zero() {
                return format.nan();
            }
            let unit = e.min(f);
            let divisor = in_units(false, &n, f, unit);
            let (quotient, rest) = in_units(false, &m, e, unit).div_rem(&divisor);
            let twice: BigInt = &rest << 1u32;
            let up = twice > divisor || (twice == divisor && quotient.is_odd());
            let rest = if up { rest - divisor } else { rest };
            // The rest has the sign that it has as a part of the dividend, and zero that of the dividend.
            format.nearest(negative != rest.is_negative(), &Magnitude::exact(rest.magnitude().clone(), unit))
        }
    }
}

fn square_root(target: Target, a: &BigUint) -> BigUint {
    let format = target.format;
    match format.class(a) {
        Class::Nan | Class::Infinite(true) => format.nan(),
        Class::Infinite(false) => format.infinity(),
        Class::Finite { magnitude, .. } if magnitude.is_zero() => a.clone(),
        Class::Finite { negative: true, .. } => format.nan(),
        Class::Finite { magnitude, exponent, .. } => target.next_root(&magnitude, exponent),
    }
}

fn round(format: Format, rounding: Rounding, a: &BigUint) -> BigUint {
    match format.class(a) {
        Class::Nan => format.nan(),
        Class::Finite { negative, magnitude, exponent } if exponent < 0 => {
            let whole = rounding.units(negative, &Magnitude::exact(magnitude, exponent), 0);
            format.nearest(negative, &Magnitude::exact(whole, 0))
        }
        _ => a.clone(),
    }
}

fn convert(from: Format, to: Target, a: &BigUint) -> BigUint {
    match from.class(a) {
        Class::Nan => to.format.nan(),
        Class::Infinite(negative) => infinity(to.format, negative),
        Class::Finite { negative, magnitude, exponent } => {
            to.next(negative, &Magnitude::exact(magnitude, exponent))
        }
    }
}

/// The integer that is next towards zero.
fn truncated(format: Format, a: &BigUint) -> Option<BigInt> {
    match format.class(a) {
        Class::Nan | Class::Infinite(_) => None,
        Class::Finite { negative, magnitude, exponent } => {
            let whole = Rounding::Zero.units(negative, &Magnitude::exact(magnitude, exponent), 0);
            Some(in_units(negative, &whole, 0, 0))
        }
    }
}

/// The order of two numbers; none if one is NaN.
fn compare(format: Format, arguments: &[&BigUint]) -> Option<std::cmp::Ordering> {
    // As whole numbers with sign, bit patterns without the sign bit are in the order of the numbers.
    let key = |bits: &BigUint| match format.class(bits) {
        Class::Nan => None,
        Class::Infinite(negative) | Class::Finite { negative, .. } => {
            let magnitude = if negative { bits - format.sign() } else { bits.clone() };
            Some(in_units(negative, &magnitude, 0, 0))
        }
    };
    Some(key(arguments[0])?.cmp(&key(arguments[1])?))
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Operation::*;
        let numbers = |format: Format| format!("{}.{}", format.exponent(), format.significand());
        match *self {
            Directed(rounding, _) => {
                let named = DIRECTIONS.iter().find(|(_, known)| *known == rounding);
                let (direction, _) = named.expect("every other way to round is in the table");
                write!(f, "{}.{direction}", self.undirected().1)
            }
            Convert { from, to } => write!(f, "float.convert.{}.{}", numbers(from), numbers(to)),
            FromSigned { width, to } => write!(f, "float.from_signed.{width}.{}", numbers(to)),
            FromUnsigned { width, to } => write!(f, "float.from_unsigned.{width}.{}", numbers(to)),
            ToSigned { from, width } => write!(f, "float.to_signed.{}.{width}", numbers(from)),
            ToUnsigned { from, width } => write!(f, "float.to_unsigned.{}.{width}", numbers(from)),
            Add(format)
            | Subtract(format)
            | Multiply(format)
            | Divide(format)
            | Remainder(format)
            | SquareRoot(format)
            | Round(_, format)
            | Equal(format)
            | Less(format)
            | LessEqual(format) => {
                let plain = PLAIN.iter().find(|(_, make)| make(format) == *self);
                let (name, _) = plain.expect("every operation of one format is in the table");
                write!(f, "float.{name}.{}", numbers(format))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for format in [Format::SINGLE, Format::DOUBLE, Format::EXTENDED] {
            let mut all = Operation::all(format, 64);
            let convert = Operation::Convert { from: Format::QUADRUPLE, to: format };
            all.extend([convert, convert.directed(Rounding::Down)]);
            for operation in all {
                assert_eq!(Operation::parse(&operation.to_string()), Some(operation));
            }
        }
        for wrong in [
            "float.add",
            "float.add.8",
            "float.add.08.24",
            "float.add.8.24.1",
            "float.none.8.24",
            "float.rem.8.24.up",
        ] {
            assert_eq!(Operation::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Operation::parse("float.to_signed.8.24.0"), None);
        assert_eq!(Operation::parse("float.add.16.24"), None);
    }
}
