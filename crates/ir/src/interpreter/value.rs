//! Values of the intermediate language.

use super::bits::Bits;
use super::integer::Integer;
use super::map::MapValue;
use crate::program::Program;
use crate::types::{Type, TypeData};
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use num_traits::Zero;
use std::fmt;
use std::sync::Arc;

/// A value. Equal values have equal representations, so equality is that of the language: of maps it is
/// extensional.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// Of type `bool`.
    Bool(bool),
    /// Of type `int`.
    Int(Integer),
    /// Of type `real`.
    Real(Arc<Ratio<BigInt>>),
    /// Of a bit-vector type.
    Bits(Bits),
    /// Of a map type.
    Map(Arc<MapValue>),
    /// An element of an uninterpreted type, told apart by a number. Such a type has infinitely many.
    Element(Type, u64),
    /// The arguments of a map with several, as a key.
    Tuple(Arc<[Value]>),
}

impl Value {
    /// An integer.
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(Integer::from(value.into()))
    }

    /// A real.
    pub fn real(value: Ratio<BigInt>) -> Value {
        Value::Real(Arc::new(value))
    }

    /// The lowest bits of a number.
    pub fn bits(width: u32, value: &BigUint) -> Value {
        Value::Bits(Bits::new(width, value))
    }

    /// The map that has one value everywhere; nothing if the type is not a map type.
    pub fn constant_map(program: &Program, ty: Type, value: Value) -> Option<Value> {
        let (domain, _) = program.types.as_map(ty)?;
        Some(Value::Map(Arc::new(MapValue::constant(program, domain, value))))
    }

    /// Zero, `false`, and maps to them.
    pub fn default_of(program: &Program, ty: Type) -> Value {
        // Maps to maps to … are followed in a loop, since types may be nested deep.
        let mut maps = Vec::new();
        let mut ty = ty;
        while let Some((domain, range)) = program.types.as_map(ty) {
            maps.push(domain);
            ty = range;
        }
        let mut value = match program.types[ty] {
            TypeData::Bool => Value::Bool(false),
            TypeData::Int => Value::Int(Integer::Small(0)),
            TypeData::Real => Value::real(Ratio::zero()),
            TypeData::BitVec(width) => Value::Bits(Bits::from_u64(width, 0)),
            TypeData::Map { .. } | TypeData::Named { .. } => Value::Element(ty, 0),
        };
        for domain in maps.into_iter().rev() {
            value = Value::Map(Arc::new(MapValue::constant(program, domain, value)));
        }
        value
    }

    /// Whether the value belongs to the type. Looks into maps, so it costs their size.
    pub fn has_type(&self, program: &Program, ty: Type) -> bool {
        let mut pending = vec![(self, ty)];
        while let Some((value, ty)) = pending.pop() {
            let fits = match (value, &program.types[ty]) {
                (Value::Bool(_), TypeData::Bool) => true,
                (Value::Int(_), TypeData::Int) => true,
                (Value::Real(_), TypeData::Real) => true,
                (Value::Bits(bits), TypeData::BitVec(width)) => bits.width() == *width,
                (Value::Element(own, _), TypeData::Named { .. }) => *own == ty,
                (Value::Map(map), TypeData::Map { domain, range }) => {
                    pending.push((map.default(), *range));
                    let mut fits = true;
                    for (key, value) in map.entries() {
                        pending.push((value, *range));
                        match (key, &**domain) {
                            (key, [argument]) => pending.push((key, *argument)),
                            (Value::Tuple(keys), _) if keys.len() == domain.len() => {
                                pending.extend(keys.iter().zip(domain.iter().copied()));
                            }
                            _ => fits = false,
                        }
                    }
                    fits
                }
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// The place of a variable that has no value yet. No variable ever has such a value.
    pub(super) fn unset() -> Value {
        Value::Tuple(Arc::default())
    }

    pub(super) fn is_unset(&self) -> bool {
        matches!(self, Value::Tuple(values) if values.is_empty())
    }

    /// As a truth value; well-typed programs ask only Boolean values.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// As an integer.
    pub fn as_int(&self) -> Option<&Integer> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// As a map.
    pub fn as_map(&self) -> Option<&MapValue> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(Integer::Small(value))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Real(value) if value.is_integer() => write!(f, "{}.0", value.numer()),
            Value::Real(value) => write!(f, "{}.0 / {}.0", value.numer(), value.denom()),
            Value::Bits(bits) => write!(f, "{bits}"),
            Value::Map(map) => map.fmt(f),
            Value::Element(_, number) => write!(f, "element!{number}"),
            Value::Tuple(values) => {
                for (index, value) in values.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}{value}")?;
                }
                Ok(())
            }
        }
    }
}
