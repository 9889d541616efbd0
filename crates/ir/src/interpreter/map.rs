//! Values of map types: finitely many entries over a default.
//!
//! The representation is canonical, so that extensional equality is structural equality. Over an infinite
//! domain it suffices that no entry equals the default. Over a finite domain the default may be hidden by
//! entries for all keys, so there:
//!
//! * if the domain is small, the default is always the value at the first key;
//! * otherwise there are never entries for half of the keys or more (a map that would get there is refused), so
//!   two maps with different defaults differ somewhere.
//!
//! A map with several arguments may have another default in every row, as in models of solvers: then a nest of maps
//! with one argument each ([`MapValue::uncurried`]) says what the keys without entry have. Nests are canonical for the
//! same reasons, level by level, so such maps are compared as nests.

use super::bits::Bits;
use super::value::Value;
use crate::program::Program;
use crate::types::{Type, TypeData};
use base::PersistentMap;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// Domains up to this size are enumerated.
const SMALL: u64 = 1 << 12;

/// A map. A precision in its format (`{:.3}`) is how many entries are shown.
#[derive(Clone, Debug)]
pub struct MapValue {
    entries: PersistentMap<Value, Value>,
    default: Value,
    domain: Domain,
    /// What keys without entry have instead of the default; only over infinite domains.
    rows: Option<Arc<Rows>>,
}

/// Maps with one argument, nested as deep as a map has arguments.
#[derive(Clone, Debug)]
struct Rows {
    nest: Value,
    domain: Box<[Domain]>,
}

/// What is known about the keys.
#[derive(Clone, Debug)]
enum Domain {
    /// All keys, in order; at least one.
    Small(Arc<[Value]>),
    /// So many keys.
    Large(u64),
    /// Infinitely many keys, or more than can ever be stored.
    Infinite,
}

/// A map over a large finite domain would have entries for half of its keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapTooFull;

impl MapValue {
    /// The map that has one value everywhere.
    pub fn constant(program: &Program, domain: &[Type], value: Value) -> MapValue {
        MapValue {
            entries: PersistentMap::default(),
            default: value,
            domain: Domain::of(program, domain),
            rows: None,
        }
    }

    /// The map with several arguments that takes them one after the other from a nest of maps with one argument.
    /// Nothing if its domain is finite and large, and its rows have different defaults.
    pub fn uncurried(program: &Program, domain: &[Type], nest: Value) -> Option<MapValue> {
        let mut default = &nest;
        for _ in domain {
            default = default.as_map()?.default();
        }
        let mut map = MapValue::constant(program, domain, default.clone());
        let mut entries = Vec::new();
        if is_flat(&nest, domain.len(), default, &mut Vec::new(), &mut entries) {
            for (key, value) in entries {
                map.store(key, value).ok()?;
            }
            return Some(map);
        }
        match &map.domain {
            Domain::Large(_) => return None,
            Domain::Small(keys) => {
                for key in keys.clone().iter() {
                    map.store(key.clone(), descend(&nest, key)?.clone()).ok()?;
                }
            }
            Domain::Infinite => {
                let domain = domain.iter().map(|&ty| Domain::of(program, &[ty])).collect();
                map.rows = Some(Arc::new(Rows { nest, domain }));
            }
        }
        Some(map)
    }

    /// The map as a nest of maps with one argument each; a map with one argument is itself.
    pub fn nest(&self, program: &Program, domain: &[Type]) -> Value {
        if domain.len() == 1 {
            return Value::Map(Arc::new(self.clone()));
        }
        let levels: Vec<Domain> = domain.iter().map(|&ty| Domain::of(program, &[ty])).collect();
        self.curried(&levels)
    }

    /// The same, with what is known about each argument.
    fn curried(&self, levels: &[Domain]) -> Value {
        let mut nest = match &self.rows {
            Some(rows) => rows.nest.clone(),
            None => levels.iter().rev().fold(self.default.clone(), |default, domain| {
                let (entries, domain) = (PersistentMap::default(), domain.clone());
                Value::Map(Arc::new(MapValue { entries, default, domain, rows: None }))
            }),
        };
        for (key, value) in self.entries.iter() {
            if let Value::Tuple(keys) = key {
                replace(&mut nest, keys, value);
            }
        }
        nest
    }

    /// Both maps as nests, if one of them is more than entries over a default.
    fn nests(&self, other: &MapValue) -> Option<(Value, Value)> {
        let rows = self.rows.as_ref().or(other.rows.as_ref())?;
        Some((self.curried(&rows.domain), other.curried(&rows.domain)))
    }

    /// What a key has if there is no entry for it.
    fn behind(&self, key: &Value) -> &Value {
        self.rows.as_ref().and_then(|rows| descend(&rows.nest, key)).unwrap_or(&self.default)
    }

    /// The value of all keys without entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The keys whose value is not the default, with their values, in order. The key of a map with several
    /// arguments is a [`Value::Tuple`].
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// The value at a key.
    pub fn select(&self, key: &Value) -> &Value {
        self.entries.get(key).unwrap_or_else(|| self.behind(key))
    }

    /// The keys at which two maps with the same default differ, in order. Versions of one map are compared quickly.
    pub fn differing_keys<'a>(&'a self, other: &'a MapValue) -> impl Iterator<Item = &'a Value> {
        self.entries.differences(&other.entries, Value::eq).map(|found| found.key)
    }

    /// Changes the value at a key.
    pub fn store(&mut self, key: Value, value: Value) -> Result<(), MapTooFull> {
        if let Domain::Small(keys) = &self.domain
            && keys[0] == key
        {
            let keys = Arc::clone(keys);
            self.change_default(&keys, value);
            return Ok(());
        }
        if value == *self.behind(&key) {
            self.entries.remove(&key);
        } else {
            self.entries.insert(key, value);
        }
        match self.domain {
            Domain::Large(size) if self.entries.len() as u64 >= size / 2 => Err(MapTooFull),
            _ => Ok(()),
        }
    }

    fn change_default(&mut self, keys: &[Value], value: Value) {
        if value == self.default {
            return;
        }
        let mut entries = PersistentMap::default();
        for key in &keys[1..] {
            let old = self.select(key);
            if *old != value {
                entries.insert(key.clone(), old.clone());
            }
        }
        self.entries = entries;
        self.default = value;
    }
}

impl PartialEq for MapValue {
    fn eq(&self, other: &MapValue) -> bool {
        match self.nests(other) {
            Some((left, right)) => left == right,
            None => {
                self.entries.len() == other.entries.len()
                    && self.default == other.default
                    && self.differing_keys(other).next().is_none()
            }
        }
    }
}

impl Eq for MapValue {}

impl PartialOrd for MapValue {
    fn partial_cmp(&self, other: &MapValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for MapValue {
    fn cmp(&self, other: &MapValue) -> Ordering {
        if let Some((left, right)) = self.nests(other) {
            return left.cmp(&right);
        }
        let sizes = self.entries.len().cmp(&other.entries.len());
        let defaults = || self.default.cmp(&other.default);
        sizes.then_with(defaults).then_with(|| self.entries.iter().cmp(other.entries.iter()))
    }
}

impl fmt::Display for MapValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The precision says how many entries are shown.
        let most = f.precision().unwrap_or(usize::MAX);
        f.write_str("[")?;
        for (key, value) in self.entries().take(most) {
            match f.precision() {
                Some(most) => write!(f, "{key} := {value:.most$}, ")?,
                None => write!(f, "{key} := {value}, ")?,
            }
        }
        if self.entries.len() > most {
            f.write_str("…, ")?;
        }
        let rest = self.rows.as_ref().map_or(&self.default, |rows| &rows.nest);
        match f.precision() {
            Some(most) => write!(f, "else {rest:.most$}]"),
            None => write!(f, "else {rest}]"),
        }
    }
}

/// The value of a nest at the arguments of a key.
fn descend<'v>(nest: &'v Value, key: &Value) -> Option<&'v Value> {
    let Value::Tuple(keys) = key else { return None };
    keys.iter().try_fold(nest, |value, key| Some(value.as_map()?.select(key)))
}

/// Changes the value of a nest at some arguments. Nests are as deep as a map has arguments.
fn replace(nest: &mut Value, keys: &[Value], value: &Value) {
    match (nest, keys) {
        (nest, []) => *nest = value.clone(),
        (Value::Map(map), [key, rest @ ..]) => {
            let mut row = map.select(key).clone();
            replace(&mut row, rest, value);
            // A level over a large finite domain that gets too full has taken the entry nevertheless.
            let _: Result<(), MapTooFull> = Arc::make_mut(map).store(key.clone(), row);
        }
        _ => {}
    }
}

/// Whether a nest is entries over one default; they are added to the list.
fn is_flat(
    nest: &Value,
    depth: usize,
    default: &Value,
    prefix: &mut Vec<Value>,
    entries: &mut Vec<(Value, Value)>,
) -> bool {
    let Some(map) = nest.as_map().filter(|_| depth > 0) else { return nest == default };
    let rest_is_default = {
        let mut rest = map.default();
        let mut plain = true;
        for _ in 1..depth {
            let Some(inner) = rest.as_map() else { return false };
            plain &= inner.entries.is_empty();
            rest = inner.default();
        }
        plain && rest == default
    };
    rest_is_default
        && map.entries().all(|(key, value)| {
            prefix.push(key.clone());
            let flat = match depth {
                1 => {
                    entries.push((Value::Tuple(Arc::from(prefix.as_slice())), value.clone()));
                    true
                }
                _ => is_flat(value, depth - 1, default, prefix, entries),
            };
            prefix.pop();
            flat
        })
}

impl Domain {
    fn of(program: &Program, domain: &[Type]) -> Domain {
        match product(program, domain) {
            None => Domain::Infinite,
            Some(size) if size > SMALL => Domain::Large(size),
            Some(size) => enumerate(program, domain).map_or(Domain::Large(size), Domain::Small),
        }
    }
}

/// How many values a type has, if finitely many and countable in 64 bits.
pub(super) fn size(program: &Program, ty: Type) -> Option<u64> {
    match &program.types[ty] {
        TypeData::Bool => Some(2),
        TypeData::BitVec(width) => 1_u64.checked_shl(*width),
        TypeData::Int | TypeData::Real | TypeData::Named { .. } => None,
        TypeData::Map { domain, range } => {
            // A range of one value makes one map, whatever the domain; larger ones are counted if small.
            let range = size(program, *range)?;
            if range == 1 {
                return Some(1);
            }
            range.checked_pow(u32::try_from(product(program, domain)?).ok()?)
        }
    }
}

/// How many tuples there are.
fn product(program: &Program, types: &[Type]) -> Option<u64> {
    types.iter().try_fold(1_u64, |total, &ty| total.checked_mul(size(program, ty)?))
}

/// All values of a small type of truth values or bit-vectors, in order.
pub(super) fn values_of(program: &Program, ty: Type) -> Option<Vec<Value>> {
    match program.types[ty] {
        TypeData::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        TypeData::BitVec(width) if width <= SMALL.ilog2() => {
            Some((0..1_u64 << width).map(|value| Value::Bits(Bits::from_u64(width, value))).collect())
        }
        _ => None,
    }
}

/// All keys of a small domain, in order, unless they are maps themselves.
fn enumerate(program: &Program, domain: &[Type]) -> Option<Arc<[Value]>> {
    if let [ty] = domain {
        return values_of(program, *ty).map(Arc::from);
    }
    let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
    for &ty in domain {
        let values = values_of(program, ty)?;
        let extend = |tuple: &Vec<Value>| {
            let extended: Vec<Vec<Value>> =
                values.iter().map(|value| tuple.iter().chain([value]).cloned().collect()).collect();
            extended
        };
        tuples = tuples.iter().flat_map(extend).collect();
    }
    Some(tuples.into_iter().map(|tuple| Value::Tuple(tuple.into())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Over `[bool, bv1]int` and `[int]int`: the same stores in another order, or other stores with the same
        /// result, give equal maps; different results give different maps.
        #[test]
        fn equality_is_extensional(
            first in proptest::collection::vec((0_i64..4, 0_i64..3), 0..8),
            second in proptest::collection::vec((0_i64..4, 0_i64..3), 0..8),
            defaults in (0_i64..3, 0_i64..3),
            finite: bool,
        ) {
            let mut program = Program::new();
            let bit = program.types.bit_vector(1);
            let domain = if finite { vec![Type::BOOL, bit] } else { vec![Type::INT] };
            let key = |number: i64| match finite {
                true => Value::Tuple([Value::Bool(number >= 2), Value::Bits(Bits::from_u64(1, number as u64))].into()),
                false => Value::from(number),
            };
            let build = |stores: &[(i64, i64)], default: i64| {
                let mut map = MapValue::constant(&program, &domain, Value::from(default));
                let mut model: BTreeMap<i64, i64> = (0..4).map(|key| (key, default)).collect();
                for &(at, value) in stores {
                    map.store(key(at), Value::from(value)).expect("small maps are never too full");
                    model.insert(at, value);
                }
                (map, model)
            };
            let ((a, model_a), (b, model_b)) = (build(&first, defaults.0), build(&second, defaults.1));
            for (&at, &value) in &model_a {
                prop_assert_eq!(a.select(&key(at)), &Value::from(value));
            }
            let equal = model_a == model_b && (finite || defaults.0 == defaults.1);
            prop_assert_eq!(a == b, equal);
        }
    }

    #[test]
    fn a_large_finite_map_is_never_full() {
        let mut program = Program::new();
        let ty = program.types.bit_vector(13);
        let mut map = MapValue::constant(&program, &[ty], Value::Bool(false));
        let stored = (0..1 << 13)
            .take_while(|&at| map.store(Value::Bits(Bits::from_u64(13, at)), Value::Bool(true)).is_ok());
        assert_eq!(stored.count(), (1 << 12) - 1);
    }

    #[test]
    fn types_are_counted() {
        let mut program = Program::new();
        let bits = program.types.bit_vector(3);
        let small = program.types.map([Type::BOOL], bits);
        let endless = program.types.map([Type::INT], Type::BOOL);
        let sizes = [Type::BOOL, bits, small, endless].map(|ty| size(&program, ty));
        assert_eq!(sizes, [Some(2), Some(8), Some(64), None]);
    }
}
