//! Values: what terms evaluate to.

use crate::sort::{Sort, SortData};
use crate::term::Terms;
use crate::{Integer, Rational};
use num_traits::Zero;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of some sort. Two values of one sort are equal exactly if they compare equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A real number; every real that a model mentions is a fraction.
    Real(Rational),
    /// A bit-vector: width and unsigned value.
    BitVec(u32, Integer),
    /// An array.
    Array(Arc<ArrayValue>),
    /// An element of an uninterpreted sort.
    Element(Sort, u64),
}

/// An array that has one value nearly everywhere. It lists no index that has the default.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    /// The value of all indices that are not listed.
    pub default: Value,
    /// The others.
    pub entries: BTreeMap<Value, Value>,
    /// The number of indices there are, if that is small: then the default is the value of the first index.
    domain: Option<u32>,
}

/// Arrays over at most this many indices are normalised by listing them.
const SMALL_DOMAIN: u32 = 256;

impl ArrayValue {
    /// The array with the same value everywhere.
    pub fn constant(terms: &Terms, index: Sort, default: Value) -> ArrayValue {
        let domain = match terms.sort_data(index) {
            SortData::Bool => Some(2),
            SortData::BitVec(width) if *width <= 8 => Some(1 << width),
            _ => None,
        };
        debug_assert!(domain.is_none_or(|size| size <= SMALL_DOMAIN));
        ArrayValue { default, entries: BTreeMap::new(), domain }
    }

    /// The value at an index.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Changes the value at an index.
    pub fn set(&mut self, index: Value, value: Value) {
        if let Some(size) = self.domain.filter(|_| is_first(&index) && value != self.default) {
            // The default follows the first index, so every other index is listed or unlisted anew.
            let old = std::mem::replace(&mut self.default, value);
            let all = indices_like(&index, size);
            let mut entries = BTreeMap::new();
            for other in all.into_iter().filter(|other| *other != index) {
                let element = self.entries.remove(&other).unwrap_or_else(|| old.clone());
                if element != self.default {
                    entries.insert(other, element);
                }
            }
            self.entries = entries;
        } else if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }
}

fn is_first(index: &Value) -> bool {
    match index {
        Value::Bool(value) => !value,
        Value::BitVec(_, value) => value.is_zero(),
        _ => false,
    }
}

fn indices_like(index: &Value, size: u32) -> Vec<Value> {
    match index {
        Value::Bool(_) => vec![Value::Bool(false), Value::Bool(true)],
        Value::BitVec(width, _) => (0..size).map(|value| Value::BitVec(*width, value.into())).collect(),
        _ => Vec::new(),
    }
}

impl Value {
    /// The value that a model gives to what it does not mention.
    pub fn default_of(terms: &Terms, sort: Sort) -> Value {
        match *terms.sort_data(sort) {
            SortData::Bool => Value::Bool(false),
            SortData::Int => Value::Int(Integer::zero()),
            SortData::Real => Value::Real(Rational::zero()),
            SortData::BitVec(width) => Value::BitVec(width, Integer::zero()),
            SortData::Array { index, element } => {
                let element = Value::default_of(terms, element);
                Value::Array(Arc::new(ArrayValue::constant(terms, index, element)))
            }
            SortData::Uninterpreted(_) => Value::Element(sort, 0),
        }
    }

    /// Is this the value `true`?
    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }
}

/// The arithmetic of bit-vectors, on unsigned integers below 2^width.
pub mod bits {
    use crate::Integer;
    use crate::term::Op;
    use num_integer::Integer as _;
    use num_traits::{One, Signed, ToPrimitive, Zero};

    /// 2^width.
    pub fn modulus(width: u32) -> Integer {
        Integer::one() << width
    }

    /// All bits set.
    pub fn ones(width: u32) -> Integer {
        modulus(width) - 1
    }

    /// The value modulo 2^width.
    pub fn wrap(value: &Integer, width: u32) -> Integer {
        value.mod_floor(&modulus(width))
    }

    /// The value read as two's complement.
    pub fn signed(value: &Integer, width: u32) -> Integer {
        if value.bit(u64::from(width) - 1) { value - modulus(width) } else { value.clone() }
    }

    /// `bvnot`, `bvneg`.
    pub fn unary(op: Op, width: u32, value: &Integer) -> Integer {
        match op {
            Op::BvNot => ones(width) - value,
            Op::BvNeg => wrap(&-value, width),
            _ => unreachable!("{op:?} is no unary bit-vector operator"),
        }
    }

    /// The binary operators with a bit-vector result, as SMT-LIB defines them, for a zero divisor too.
    pub fn binary(op: Op, width: u32, a: &Integer, b: &Integer) -> Integer {
        let (sa, sb) = (signed(a, width), signed(b, width));
        let result = match op {
            Op::BvAnd => a & b,
            Op::BvOr => a | b,
            Op::BvXor => a ^ b,
            Op::BvAdd => a + b,
            Op::BvMul => a * b,
            Op::BvUdiv if b.is_zero() => ones(width),
            Op::BvUdiv => a / b,
            Op::BvSdiv if b.is_zero() => {
                if sa.is_negative() {
                    Integer::one()
                } else {
                    ones(width)
                }
            }
            Op::BvSdiv => sa / sb,
            Op::BvUrem | Op::BvSrem | Op::BvSmod if b.is_zero() => a.clone(),
            Op::BvUrem => a % b,
            Op::BvSrem => sa % sb,
            Op::BvSmod => sa.mod_floor(&sb),
            Op::BvShl => match distance(b, width) {
                Some(by) => a << by,
                None => Integer::zero(),
            },
            Op::BvLshr => match distance(b, width) {
                Some(by) => a >> by,
                None => Integer::zero(),
            },
            Op::BvAshr => sa >> distance(b, width).unwrap_or(width),
            _ => unreachable!("{op:?} is no binary bit-vector operator"),
        };
        wrap(&result, width)
    }

    /// How far to shift, unless everything is shifted out.
    fn distance(by: &Integer, width: u32) -> Option<u32> {
        by.to_u32().filter(|by| *by < width)
    }

    /// `bvule`, `bvsle`.
    pub fn compare(op: Op, width: u32, a: &Integer, b: &Integer) -> bool {
        match op {
            Op::BvUle => a <= b,
            Op::BvSle => signed(a, width) <= signed(b, width),
            _ => unreachable!("{op:?} is no comparison of bit-vectors"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_over_few_indices_are_equal_if_their_elements_are() {
        let terms = Terms::new();
        let number = |n: i64| Value::Int(n.into());
        let mut left = ArrayValue::constant(&terms, Sort::BOOL, number(1));
        left.set(Value::Bool(true), number(2));
        let mut right = ArrayValue::constant(&terms, Sort::BOOL, number(2));
        assert_ne!(left, right);
        right.set(Value::Bool(false), number(1));
        assert_eq!(left, right);
        assert_eq!((right.get(&Value::Bool(false)), right.get(&Value::Bool(true))), (&number(1), &number(2)));
    }
}
