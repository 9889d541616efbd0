//! What variables hold while a program is unwound.

use crate::circuit::{Bit, Circuit};
use crate::extent::{self, Extent, Few};
use crate::interval::Interval;
use crate::words::{self, Bits};
use base::PersistentMap;
use ir::{Type, TypeData, Types};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Integers of which nothing is known have so many bits, or are beyond them.
pub const WIDE: usize = 68;

/// An integer. If `beyond`, it is none of those that have [`WIDE`] bits, and only its sign is known.
#[derive(Clone, Debug)]
pub struct Word {
    /// In two's complement, at least one bit.
    pub bits: Rc<[Bit]>,
    /// Whether it is beyond.
    pub beyond: Bit,
    /// Where it lies unless it is beyond, if more is known than its bits say.
    extent: Extent,
}

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.bits == other.bits && self.beyond == other.beyond
    }
}

impl Eq for Word {}

impl Word {
    /// An integer that is not beyond.
    pub fn new(bits: Bits) -> Word {
        Word::within(bits, Extent::Open)
    }

    /// An integer that is not beyond and lies where the extent says, wherever it is used.
    pub(crate) fn within(bits: Bits, extent: Extent) -> Word {
        Word::maybe_beyond(bits, Bit::FALSE, extent)
    }

    /// An integer that lies where the extent says unless it is beyond. Bits that it does not need are dropped, and those
    /// that all its values have in common are constant.
    pub(crate) fn maybe_beyond(bits: Bits, beyond: Bit, extent: Extent) -> Word {
        let bits = words::trim(bits);
        if beyond != Bit::FALSE {
            return Word { bits: bits.into(), beyond, extent: extent.hull() };
        }
        match extent {
            Extent::Open => Word { bits: bits.into(), beyond, extent },
            Extent::Within(range) => {
                let bits = inside(bits, range);
                Word { bits: bits.into(), beyond, extent }
            }
            Extent::OneOf(values) => {
                let possible = extent::possible(&values, &bits);
                let (Some(&low), Some(&high)) = (possible.first(), possible.last()) else {
                    // Where nothing is in both, no execution comes.
                    return Word { bits: bits.into(), beyond, extent: Extent::Open };
                };
                let mut bits = inside(bits, Interval { low, high });
                for (at, bit) in bits.iter_mut().enumerate() {
                    if let Some(common) = extent::common_bit(&possible, at) {
                        *bit = Bit::constant(common);
                    }
                }
                let same = possible.len() == values.len();
                let extent = Extent::OneOf(if same { values } else { possible.into() });
                Word { bits: words::trim(bits).into(), beyond, extent }
            }
        }
    }

    /// Where it lies; nothing if it may be beyond, or is very wide.
    pub(crate) fn bounds(&self) -> Option<Interval> {
        let width = self.bits.len();
        if self.beyond != Bit::FALSE || width > 120 {
            return None;
        }
        let (sign, half) = (words::sign(&self.bits), 1_i128 << (width - 1));
        let own = Interval {
            low: if sign == Bit::FALSE { 0 } else { -half },
            high: if sign == Bit::TRUE { -1 } else { half - 1 },
        };
        match self.extent.interval() {
            // Where nothing is in both, no execution comes.
            Some(range) => Some(range.common(own).unwrap_or(own)),
            None => Some(own),
        }
    }

    /// All values that it can have wherever it is used, if they are few.
    pub(crate) fn few(&self) -> Option<Few> {
        if self.beyond != Bit::FALSE {
            return None;
        }
        if let Extent::OneOf(values) = &self.extent {
            return Some(Rc::clone(values));
        }
        match Extent::one_of(extent::values_of_bits(&self.bits)?) {
            Extent::OneOf(values) => Some(values),
            _ => None,
        }
    }

    /// The same number where it is one of some.
    pub(crate) fn among(self, few: &Few) -> Word {
        let both: Vec<i128> = match self.few() {
            Some(own) => own.iter().copied().filter(|value| few.binary_search(value).is_ok()).collect(),
            None => few.to_vec(),
        };
        if both.is_empty() {
            // No execution comes here.
            return self;
        }
        Word::maybe_beyond(self.bits.to_vec(), self.beyond, Extent::one_of(both))
    }

    /// The same number without what is known where it is used: what its bits can be, wherever they are.
    pub(crate) fn with_bits_only(&self) -> Word {
        Word { extent: Extent::Open, ..self.clone() }
    }

    pub(crate) fn extent(&self) -> &Extent {
        &self.extent
    }
}

/// The bits of an integer that lies in an interval, as many as that needs.
fn inside(mut bits: Bits, range: Interval) -> Bits {
    let width = range.width();
    if bits.len() > width {
        bits.truncate(width);
    }
    if bits.len() >= width && (range.low >= 0 || range.high < 0) {
        let last = bits.len() - 1;
        bits[last] = Bit::constant(range.high < 0);
    }
    words::trim(bits)
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
pub type Key = Rc<[i128]>;

/// A map: what was stored at known places, over what was there before.
#[derive(Clone, Debug)]
pub struct Map {
    /// What was there before.
    pub base: Base,
    /// What was stored.
    pub entries: PersistentMap<Key, Value>,
}

/// What was in a map before.
#[derive(Clone, Debug)]
pub enum BaseData {
    /// One value everywhere.
    Constant(Value),
    /// Anything; what was looked at is remembered.
    Unknown {
        /// The type of the elements.
        range: Type,
        /// What was looked at.
        cells: BTreeMap<Key, Value>,
    },
    /// One of two.
    Choice(Bit, Base, Base),
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
    /// Anything of a type that has no bits.
    Opaque,
    /// A choice that nobody has looked at yet.
    Unread(Choice),
}

impl Value {
    /// An integer.
    pub fn int(bits: Bits) -> Value {
        Value::Int(Word::new(bits))
    }

    /// A bit-vector.
    pub fn bits(bits: Bits) -> Value {
        Value::Bits(bits.into())
    }

    /// Are the representations the same?
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Bits(a), Value::Bits(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a.base == b.base && a.entries.is_shared_with(&b.entries),
            (Value::Unread(a), Value::Unread(b)) => a == b,
            (Value::Opaque, Value::Opaque) => true,
            _ => false,
        }
    }
}

/// What a choice is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChoiceData {
    /// The type.
    pub ty: Type,
    /// So many bits, with or without a sign, if a `where` clause says so.
    pub range: Option<Range>,
}

/// All integers of so many bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// How many bits, without the sign.
    pub bits: u32,
    /// Whether there are negative ones.
    pub signed: bool,
}

/// Choices, maps and gates.
pub struct Store<'p> {
    /// The gates.
    pub circuit: Circuit,
    pub(crate) types: &'p Types,
    pub(crate) bases: base::PrimaryMap<Base, BaseData>,
    pub(crate) choices: base::PrimaryMap<Choice, ChoiceData>,
    pub(crate) read: FxHashMap<Choice, Value>,
}

impl<'p> Store<'p> {
    pub(crate) fn new(types: &'p Types) -> Store<'p> {
        Store {
            circuit: Circuit::default(),
            types,
            bases: base::PrimaryMap::new(),
            choices: base::PrimaryMap::new(),
            read: FxHashMap::default(),
        }
    }

    /// The value of a choice.
    pub(crate) fn look(&mut self, value: &Value) -> Value {
        let Value::Unread(choice) = *value else { return value.clone() };
        if let Some(value) = self.read.get(&choice) {
            return value.clone();
        }
        let ChoiceData { ty, range } = self.choices[choice];
        let value = match range {
            Some(Range { bits, signed }) => {
                let mut bits = self.inputs(bits as usize);
                let sign = if signed { self.circuit.input() } else { Bit::FALSE };
                bits.push(sign);
                Value::int(bits)
            }
            None => self.fresh(ty),
        };
        self.read.insert(choice, value.clone());
        value
    }

    fn inputs(&mut self, count: usize) -> Bits {
        (0..count).map(|_| self.circuit.input()).collect()
    }

    /// An arbitrary integer.
    pub(crate) fn fresh_word(&mut self) -> Word {
        let bits = self.inputs(WIDE);
        Word::maybe_beyond(bits, self.circuit.unlikely_input(), Extent::Open)
    }

    /// An arbitrary value of a type.
    pub(crate) fn fresh(&mut self, ty: Type) -> Value {
        match &self.types[ty] {
            TypeData::Bool => Value::Bool(self.circuit.input()),
            TypeData::Int => Value::Int(self.fresh_word()),
            TypeData::BitVec(width) => Value::bits(self.inputs(*width as usize)),
            TypeData::Map { range, .. } => {
                let range = *range;
                self.unknown_map(range)
            }
            TypeData::Real | TypeData::Named { .. } => Value::Opaque,
        }
    }

    fn unknown_map(&mut self, range: Type) -> Value {
        let base = self.bases.push(BaseData::Unknown { range, cells: BTreeMap::new() });
        Value::Map(Map { base, entries: PersistentMap::default() })
    }

    /// The map with one value everywhere.
    pub(crate) fn constant_map(&mut self, value: Value) -> Value {
        let base = self.bases.push(BaseData::Constant(value));
        Value::Map(Map { base, entries: PersistentMap::default() })
    }

    /// If the condition then one value, else the other; of the same type.
    pub(crate) fn merge(&mut self, condition: Bit, then: &Value, otherwise: &Value) -> Value {
        if condition == Bit::TRUE || then.same(otherwise) {
            return then.clone();
        }
        if condition == Bit::FALSE {
            return otherwise.clone();
        }
        match (self.look(then), self.look(otherwise)) {
            (Value::Bool(a), Value::Bool(b)) => Value::Bool(self.circuit.mux(condition, a, b)),
            (Value::Int(a), Value::Int(b)) => {
                let bits = self.circuit.choose_integer(condition, &a.bits, &b.bits);
                let beyond = self.circuit.mux(condition, a.beyond, b.beyond);
                let extent = match (a.few(), b.few(), a.bounds(), b.bounds()) {
                    (Some(a), Some(b), ..) => Extent::one_of([&a[..], &b[..]].concat()),
                    (_, _, Some(a), Some(b)) => Extent::Within(a.hull(b)),
                    _ => Extent::Open,
                };
                Value::Int(Word::maybe_beyond(bits, beyond, extent))
            }
            (Value::Bits(a), Value::Bits(b)) => Value::bits(self.circuit.choose(condition, &a, &b)),
            (Value::Map(a), Value::Map(b)) => self.merge_maps(condition, &a, &b),
            _ => Value::Opaque,
        }
    }

    fn merge_maps(&mut self, condition: Bit, a: &Map, b: &Map) -> Value {
        let base = if a.base == b.base {
            a.base
        } else {
            self.bases.push(BaseData::Choice(condition, a.base, b.base))
        };
        // Two branches usually change few cells, and share all others.
        let mut entries = a.entries.clone();
        entries.combine(&b.entries, Value::same, |cell| {
            let mut at = |map: &Map, stored: Option<&Value>| match stored {
                Some(value) => value.clone(),
                None => self.at_base(map.base, cell.key),
            };
            let (x, y) = (at(a, cell.left), at(b, cell.right));
            Some(self.merge(condition, &x, &y))
        });
        Value::Map(Map { base, entries })
    }

    /// The element of a map at a known place.
    pub(crate) fn at(&mut self, map: &Map, key: &Key) -> Value {
        match map.entries.get(key) {
            Some(value) => value.clone(),
            None => self.at_base(map.base, key),
        }
    }

    fn at_base(&mut self, base: Base, key: &Key) -> Value {
        self.chosen_at(base, key, &mut FxHashMap::default())
    }

    /// The same with what is known of choices: they share parts, so that the ways through them are many more than there are choices.
    fn chosen_at(&mut self, base: Base, key: &Key, known: &mut FxHashMap<Base, Value>) -> Value {
        match &self.bases[base] {
            BaseData::Constant(value) => value.clone(),
            BaseData::Choice(condition, a, b) => {
                if let Some(value) = known.get(&base) {
                    return value.clone();
                }
                let (condition, a, b) = (*condition, *a, *b);
                let (x, y) = (self.chosen_at(a, key, known), self.chosen_at(b, key, known));
                let value = self.merge(condition, &x, &y);
                known.insert(base, value.clone());
                value
            }
            BaseData::Unknown { range, cells } => {
                if let Some(value) = cells.get(key) {
                    return value.clone();
                }
                let range = *range;
                let value = self.fresh(range);
                if let BaseData::Unknown { cells, .. } = &mut self.bases[base] {
                    cells.insert(key.clone(), value.clone());
                }
                value
            }
        }
    }
}
