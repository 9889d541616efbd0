//! What variables hold.

use crate::gates::{Bit, Gates};
use crate::numbers::{Bits, trimmed};
use base::{PersistentMap, PrimaryMap};
use ir::{Type, TypeData, Types};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An integer of which nothing is known has so many bits, or is beyond them.
pub(crate) const WIDE: usize = 68;

/// An integer.
#[derive(Clone, Debug)]
pub struct Word {
    /// In two's complement, at least one bit.
    pub bits: Rc<[Bit]>,
    /// If this is true, the number is none that has [`WIDE`] bits, and only its sign is right.
    pub beyond: Bit,
    /// It is one of these, if that was claimed where it comes from.
    pub one_of: Option<Rc<[i128]>>,
}

impl Word {
    /// An integer with these bits.
    pub(crate) fn new(bits: Bits) -> Word {
        Word { bits: trimmed(bits).into(), beyond: Bit::FALSE, one_of: None }
    }

    fn same(&self, other: &Word) -> bool {
        self.bits == other.bits && self.beyond == other.beyond
    }
}

base::id!(
    /// Where the values of a map come from that were not stored.
    Base,
    "base"
);

base::id!(
    /// A value that the program leaves open.
    Choice,
    "choice"
);

/// The arguments of a map that are constants.
pub(crate) type Key = Rc<[i128]>;

/// A map: what was stored at known places, over what was there before.
#[derive(Clone, Debug)]
pub struct Map {
    pub(crate) base: Base,
    pub(crate) entries: PersistentMap<Key, Value>,
}

/// What was in a map before.
#[derive(Clone, Debug)]
pub(crate) enum BaseData {
    /// One value everywhere.
    Constant(Value),
    /// Anything; what was looked at is kept.
    Unknown { element: Type, cells: BTreeMap<Key, Value> },
    /// One of two.
    Either(Bit, Base, Base),
}

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// Of type `bool`.
    Bool(Bit),
    /// Of type `int`.
    Int(Word),
    /// Of a bit-vector type.
    Bits(Rc<[Bit]>),
    /// Of a map type.
    Map(Map),
    /// Anything, of a type that has no bits.
    Opaque,
    /// Anything, and nobody has looked at it yet.
    Open(Choice),
}

impl Value {
    pub(crate) fn int(bits: Bits) -> Value {
        Value::Int(Word::new(bits))
    }

    pub(crate) fn vector(bits: Bits) -> Value {
        Value::Bits(bits.into())
    }

    /// Whether two values are the same for all inputs, as far as can be seen at once.
    pub(crate) fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a.same(b),
            (Value::Bits(a), Value::Bits(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a.base == b.base && a.entries.is_shared_with(&b.entries),
            (Value::Open(a), Value::Open(b)) => a == b,
            // Two values of a type without bits need not be the same, but nothing is ever computed from them.
            (Value::Opaque, Value::Opaque) => true,
            _ => false,
        }
    }
}

/// All integers of so many bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    /// Without the sign.
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

struct ChoiceData {
    ty: Type,
    range: Option<Range>,
    value: Option<Value>,
}

/// Gates, open values and maps.
pub(crate) struct Store<'p> {
    pub(crate) gates: Gates,
    types: &'p Types,
    choices: PrimaryMap<Choice, ChoiceData>,
    pub(crate) bases: PrimaryMap<Base, BaseData>,
}

impl<'p> Store<'p> {
    pub(crate) fn new(types: &'p Types) -> Store<'p> {
        Store { gates: Gates::default(), types, choices: PrimaryMap::new(), bases: PrimaryMap::new() }
    }

    /// Anything of a type and a range. Its inputs are made when somebody looks at it.
    pub(crate) fn open(&mut self, ty: Type, range: Option<Range>) -> Value {
        Value::Open(self.choices.push(ChoiceData { ty, range, value: None }))
    }

    /// The value itself, if it was open.
    pub(crate) fn look(&mut self, value: &Value) -> Value {
        let Value::Open(choice) = *value else { return value.clone() };
        if let Some(value) = &self.choices[choice].value {
            return value.clone();
        }
        let ChoiceData { ty, range, .. } = self.choices[choice];
        let value = match range {
            Some(Range { bits, signed }) => {
                let mut bits = self.inputs(bits as usize);
                bits.push(if signed { self.gates.input() } else { Bit::FALSE });
                Value::int(bits)
            }
            None => self.anything(ty),
        };
        self.choices[choice].value = Some(value.clone());
        value
    }

    fn inputs(&mut self, count: usize) -> Bits {
        (0..count).map(|_| self.gates.input()).collect()
    }

    /// Any integer.
    pub(crate) fn any_integer(&mut self) -> Word {
        Word { bits: self.inputs(WIDE).into(), beyond: self.gates.input(), one_of: None }
    }

    /// Anything of a type.
    pub(crate) fn anything(&mut self, ty: Type) -> Value {
        match &self.types[ty] {
            TypeData::Bool => Value::Bool(self.gates.input()),
            TypeData::Int => Value::Int(self.any_integer()),
            TypeData::BitVec(width) => Value::vector(self.inputs(*width as usize)),
            TypeData::Map { range, .. } => {
                self.map_over(BaseData::Unknown { element: *range, cells: BTreeMap::new() })
            }
            TypeData::Real | TypeData::Named { .. } => Value::Opaque,
        }
    }

    /// A map in which nothing was stored.
    pub(crate) fn map_over(&mut self, base: BaseData) -> Value {
        Value::Map(Map { base: self.bases.push(base), entries: PersistentMap::default() })
    }

    /// If the condition holds one value, else the other; both are of one type.
    pub(crate) fn merge(&mut self, condition: Bit, then: &Value, otherwise: &Value) -> Value {
        if condition == Bit::TRUE || then.same(otherwise) {
            return then.clone();
        }
        if condition == Bit::FALSE {
            return otherwise.clone();
        }
        match (self.look(then), self.look(otherwise)) {
            (Value::Bool(a), Value::Bool(b)) => Value::Bool(self.gates.choice(condition, a, b)),
            (Value::Int(a), Value::Int(b)) => {
                let bits = self.gates.select_integer(condition, &a.bits, &b.bits).into();
                Value::Int(Word {
                    bits,
                    beyond: self.gates.choice(condition, a.beyond, b.beyond),
                    one_of: None,
                })
            }
            (Value::Bits(a), Value::Bits(b)) => Value::vector(self.gates.select(condition, &a, &b)),
            (Value::Map(a), Value::Map(b)) => self.merge_maps(condition, &a, &b),
            _ => Value::Opaque,
        }
    }

    fn merge_maps(&mut self, condition: Bit, a: &Map, b: &Map) -> Value {
        let base = if a.base == b.base {
            a.base
        } else {
            self.bases.push(BaseData::Either(condition, a.base, b.base))
        };
        let mut entries = a.entries.clone();
        entries.combine(&b.entries, Value::same, |cell| {
            let x = cell.left.cloned().unwrap_or_else(|| self.below(a.base, cell.key));
            let y = cell.right.cloned().unwrap_or_else(|| self.below(b.base, cell.key));
            Some(self.merge(condition, &x, &y))
        });
        Value::Map(Map { base, entries })
    }

    /// The element of a map at a known place.
    pub(crate) fn at(&mut self, map: &Map, key: &Key) -> Value {
        match map.entries.get(key) {
            Some(value) => value.clone(),
            None => self.below(map.base, key),
        }
    }

    /// What was at a place before anything was stored.
    fn below(&mut self, base: Base, key: &Key) -> Value {
        self.below_choices(base, key, &mut BTreeMap::new())
    }

    /// The same, where every base is looked at once: two choices may have the same base below them.
    fn below_choices(&mut self, base: Base, key: &Key, seen: &mut BTreeMap<Base, Value>) -> Value {
        if let Some(value) = seen.get(&base) {
            return value.clone();
        }
        match &self.bases[base] {
            BaseData::Constant(value) => value.clone(),
            BaseData::Either(condition, a, b) => {
                let (condition, a, b) = (*condition, *a, *b);
                let (x, y) = (self.below_choices(a, key, seen), self.below_choices(b, key, seen));
                let value = self.merge(condition, &x, &y);
                seen.insert(base, value.clone());
                value
            }
            BaseData::Unknown { element, cells } => {
                if let Some(value) = cells.get(key) {
                    return value.clone();
                }
                let element = *element;
                let value = self.anything(element);
                if let BaseData::Unknown { cells, .. } = &mut self.bases[base] {
                    cells.insert(key.clone(), value.clone());
                }
                value
            }
        }
    }
}
