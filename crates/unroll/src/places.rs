//! Places in maps: which ones an index may mean, and what is read and stored there.

use crate::gates::Bit;
use crate::numbers;
use crate::values::{BaseData, Key, Map, Value, Word};
use crate::walk::{Halt, Unroller};
use base::PersistentMap;
use ir::Type;
use num_bigint::BigInt;

/// An index with so many open bits means one of all the places that they can name.
const MOST_OPEN_BITS: usize = 11;
/// Indices with some values each mean at most so many places.
const MOST_PLACES: usize = 512;
/// Of an index without claimed values, all values of so many open bits are taken.
const FEW_OPEN_BITS: usize = 4;

/// All places that an index may mean.
enum Places {
    /// One for every choice of values of some gates; the first gate is the lowest bit of the choice.
    ByBits { open: Vec<u32>, keys: Vec<Key> },
    /// One of these.
    OneOf(Vec<Key>),
}

/// The gates of all bits that are not constant, each once.
fn open_gates<'w>(words: impl IntoIterator<Item = &'w Word>) -> Vec<u32> {
    let bits = words.into_iter().flat_map(|word| word.bits.iter());
    let mut open: Vec<u32> = bits.filter(|bit| bit.constant().is_none()).map(|bit| bit.gate()).collect();
    open.sort_unstable();
    open.dedup();
    open
}

/// The integer that a word is when the open gates have the values of a choice.
fn number(word: &Word, open: &[u32], choice: usize) -> i128 {
    let last = word.bits.len() - 1;
    let value = |bit: Bit| match bit.constant() {
        Some(value) => value,
        None => {
            let at = open.binary_search(&bit.gate()).expect("all open gates are listed");
            (choice >> at & 1 == 1) != bit.negated()
        }
    };
    let power = |at: usize| if at == last { -(1_i128 << at) } else { 1 << at };
    word.bits.iter().enumerate().filter(|&(_, &bit)| value(bit)).map(|(at, _)| power(at)).sum()
}

/// All values of an index if they are few: those that are claimed, or those that its bits can be.
fn values(word: &Word) -> Option<Vec<i128>> {
    if let Some(values) = &word.one_of {
        return Some(values.to_vec());
    }
    let open = open_gates([word]);
    (open.len() <= FEW_OPEN_BITS)
        .then(|| (0..1 << open.len()).map(|choice| number(word, &open, choice)).collect())
}

/// The places of indices that have some values each.
fn combinations(indices: &[Word]) -> Option<Vec<Key>> {
    let mut keys: Vec<Vec<i128>> = vec![Vec::new()];
    for word in indices {
        let values = values(word)?;
        if keys.len() * values.len() > MOST_PLACES {
            return None;
        }
        let longer = |key: &Vec<i128>| {
            let key = key.clone();
            values.iter().map(move |&value| [&key[..], &[value]].concat()).collect::<Vec<_>>()
        };
        keys = keys.iter().flat_map(longer).collect();
    }
    Some(keys.into_iter().map(Key::from).collect())
}

/// The places that indices may mean; nothing if there are too many.
fn places(indices: &[Word]) -> Option<Places> {
    if indices.iter().any(|word| word.beyond != Bit::FALSE || word.bits.len() > 120) {
        return None;
    }
    let open = open_gates(indices);
    let count = 1_usize.checked_shl(open.len() as u32).unwrap_or(usize::MAX);
    if indices.iter().any(|word| word.one_of.is_some())
        && let Some(keys) = combinations(indices)
        && keys.len() < count
    {
        return Some(Places::OneOf(keys));
    }
    if open.len() > MOST_OPEN_BITS {
        return None;
    }
    let key = |choice| indices.iter().map(|word| number(word, &open, choice)).collect();
    Some(Places::ByBits { keys: (0..count).map(key).collect(), open })
}

impl Unroller<'_, '_> {
    /// Whether the indices are those of a place.
    fn is_place(&mut self, indices: &[Word], key: &Key) -> Bit {
        let mut all = Bit::TRUE;
        for (word, &number) in indices.iter().zip(key.iter()) {
            let same = self.same_words(word, &Word::new(numbers::integer(&BigInt::from(number))));
            all = self.store.gates.and(all, same);
        }
        all
    }

    /// What is in a map.
    pub(crate) fn element(&mut self, map: &Value, indices: Option<&[Word]>, ty: Type) -> Result<Value, Halt> {
        let (Value::Map(map), Some(indices)) = (map, indices) else { return Ok(self.store.anything(ty)) };
        match places(indices) {
            Some(Places::ByBits { open, keys }) => {
                self.budget.spend(keys.len() as u64);
                self.budget.check()?;
                let mut values: Vec<Value> = keys.iter().map(|key| self.store.at(map, key)).collect();
                for gate in open {
                    let pairs = values.chunks(2);
                    values =
                        pairs.map(|pair| self.store.merge(Bit::output(gate), &pair[1], &pair[0])).collect();
                }
                Ok(values.swap_remove(0))
            }
            Some(Places::OneOf(keys)) => {
                self.budget.check()?;
                // It is the last place if it is none of the others.
                let mut keys = keys.iter().rev();
                let last = keys.next().expect("there is a place");
                let mut value = self.store.at(map, last);
                for key in keys {
                    let here = self.is_place(indices, key);
                    let element = self.store.at(map, key);
                    value = self.store.merge(here, &element, &value);
                }
                Ok(value)
            }
            None => {
                // What was stored, else what was there before: that may be anything unless it is the same everywhere.
                let mut value = match &self.store.bases[map.base] {
                    BaseData::Constant(value) => value.clone(),
                    _ => self.store.anything(ty),
                };
                for (key, element) in map.entries.iter() {
                    self.budget.check()?;
                    let here = self.is_place(indices, key);
                    value = self.store.merge(here, element, &value);
                }
                Ok(value)
            }
        }
    }

    /// A map in which something is stored.
    pub(crate) fn stored(
        &mut self,
        map: Value,
        indices: Option<&[Word]>,
        value: &Value,
        ty: Type,
    ) -> Result<Value, Halt> {
        let (Value::Map(mut map), Some(indices)) = (map, indices) else { return Ok(self.store.anything(ty)) };
        let places = places(indices);
        let keys = match &places {
            Some(Places::ByBits { keys, .. } | Places::OneOf(keys)) => keys,
            None => return self.stored_anywhere(&map, indices, value, ty),
        };
        for (choice, key) in keys.iter().enumerate() {
            self.budget.check()?;
            let here = match &places {
                Some(Places::ByBits { open, .. }) => {
                    let chosen = |(at, &gate): (usize, &u32)| {
                        let bit = Bit::output(gate);
                        if choice >> at & 1 == 1 { bit } else { !bit }
                    };
                    self.store.gates.all(open.iter().enumerate().map(chosen).collect::<Vec<Bit>>())
                }
                _ => self.is_place(indices, key),
            };
            if here != Bit::FALSE {
                let before = if here == Bit::TRUE { value.clone() } else { self.store.at(&map, key) };
                let after = self.store.merge(here, value, &before);
                map.entries.insert(key.clone(), after);
            }
        }
        Ok(Value::Map(map))
    }

    /// A store at a place that may be any: of what is not listed nothing is known afterwards.
    fn stored_anywhere(
        &mut self,
        map: &Map,
        indices: &[Word],
        value: &Value,
        ty: Type,
    ) -> Result<Value, Halt> {
        let Value::Map(Map { base, .. }) = self.store.anything(ty) else { return Ok(Value::Opaque) };
        let mut entries = PersistentMap::default();
        for (key, element) in map.entries.iter() {
            self.budget.check()?;
            let here = self.is_place(indices, key);
            entries.insert(key.clone(), self.store.merge(here, value, element));
        }
        Ok(Value::Map(Map { base, entries }))
    }
}
