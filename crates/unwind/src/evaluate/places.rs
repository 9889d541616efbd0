//! Places in maps: which ones an index may mean, and what is read and stored there.

use super::{Evaluation, MOST_OPEN_BITS, MOST_PLACES};
use crate::circuit::Bit;
use crate::extent::{Extent, number};
use crate::facts::{Comparison, Relation};
use crate::unwinder::Unwinder;
use crate::values::{BaseData, Key, Map, Value, Word};
use crate::words;
use base::{Interrupted, PersistentMap};
use ir::{BinaryOp, Expr, ExprData, Type};
use num_bigint::BigInt;

impl Unwinder<'_> {
    pub(super) fn indices(
        &mut self,
        arguments: &[Expr],
        at: &mut Evaluation<'_>,
    ) -> Result<Indices, Interrupted> {
        let mut indices = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            indices.push(match self.eval(argument, at)? {
                Value::Bool(bit) => Some(Word::new(vec![bit, Bit::FALSE])),
                Value::Int(word) => Some(word),
                Value::Bits(bits) => Some(Word::new(bits.iter().copied().chain([Bit::FALSE]).collect())),
                _ => None,
            });
        }
        Ok(indices.into_iter().collect())
    }

    /// Is the choice of open bits that of a place?
    fn is_choice(&mut self, open: &[u32], choice: usize) -> Bit {
        let mut all = Bit::TRUE;
        for (at, &node) in open.iter().enumerate() {
            let bit = if choice >> at & 1 == 1 { Bit::of(node) } else { !Bit::of(node) };
            all = self.store.circuit.and(all, bit);
        }
        all
    }

    /// Is the index this place?
    fn is_place(&mut self, indices: &[Word], key: &Key) -> Bit {
        let mut all = Bit::TRUE;
        for (word, &number) in indices.iter().zip(key.iter()) {
            let place = Word::new(words::integer(&BigInt::from(number)));
            let same = self.equal_words(word, &place);
            all = self.store.circuit.and(all, same);
        }
        all
    }

    pub(super) fn select(&mut self, map: &Value, indices: &Indices, ty: Type) -> Result<Value, Interrupted> {
        let (Value::Map(map), Some(indices)) = (map, indices) else {
            return Ok(self.arbitrary(ty, "maps with unusual arguments"));
        };
        match Places::of(indices) {
            Some(Places::Bits { open, keys }) => {
                let mut values = Vec::with_capacity(keys.len());
                for key in &keys {
                    self.budget.check()?;
                    values.push(self.store.at(map, key));
                }
                // A tree of choices, one open bit of the index after the other.
                for node in open {
                    self.budget.spend(values.len() as u64);
                    let pairs = values.chunks(2);
                    values = pairs.map(|pair| self.store.merge(Bit::of(node), &pair[1], &pair[0])).collect();
                }
                return Ok(values.swap_remove(0));
            }
            Some(Places::Few(keys)) => {
                // The index is the last place if it is none of the others.
                let mut value = None;
                for key in keys.iter().rev() {
                    self.budget.check()?;
                    let element = self.store.at(map, key);
                    value = Some(match value {
                        None => element,
                        Some(otherwise) => {
                            let here = self.is_place(indices, key);
                            self.store.merge(here, &element, &otherwise)
                        }
                    });
                }
                if let Some(value) = value {
                    return Ok(value);
                }
            }
            None => {}
        }
        // Any place: what was stored, else what was there before.
        let mut value = match &self.store.bases[map.base] {
            BaseData::Constant(value) => value.clone(),
            _ => self.arbitrary(ty, "an index that may be anything"),
        };
        for (key, element) in map.entries.iter() {
            self.budget.check()?;
            let here = self.is_place(indices, key);
            value = self.store.merge(here, element, &value);
        }
        Ok(value)
    }

    pub(super) fn store_at(
        &mut self,
        map: Value,
        indices: &Indices,
        value: Value,
        ty: Type,
    ) -> Result<Value, Interrupted> {
        let (Value::Map(mut map), Some(indices)) = (map, indices) else {
            return Ok(self.arbitrary(ty, "maps with unusual arguments"));
        };
        let Some(places) = Places::of(indices) else {
            return self.store_anywhere(&map, indices, &value, ty);
        };
        let (open, keys) = match places {
            Places::Bits { open, keys } => (Some(open), keys),
            Places::Few(keys) => (None, keys),
        };
        for (choice, key) in keys.iter().enumerate() {
            self.budget.check()?;
            let here = match &open {
                Some(open) => self.is_choice(open, choice),
                None => self.is_place(indices, key),
            };
            if here == Bit::FALSE {
                continue;
            }
            let before = if here == Bit::TRUE { value.clone() } else { self.store.at(&map, key) };
            let after = self.store.merge(here, &value, &before);
            map.entries.insert(key.clone(), after);
        }
        Ok(Value::Map(map))
    }

    /// A store at a place that may be any: what is not written down becomes unknown.
    fn store_anywhere(
        &mut self,
        map: &Map,
        indices: &[Word],
        value: &Value,
        ty: Type,
    ) -> Result<Value, Interrupted> {
        let unknown = self.arbitrary(ty, "a store at an index that may be anything");
        let Value::Map(Map { base, .. }) = unknown else { return Ok(unknown) };
        let mut entries = PersistentMap::default();
        for (key, element) in map.entries.iter() {
            self.budget.check()?;
            let here = self.is_place(indices, key);
            entries.insert(key.clone(), self.store.merge(here, value, element));
        }
        Ok(Value::Map(Map { base, entries }))
    }

    /// A comparison of what is read at an index says where the index may be: the block whose state is not zero is one of
    /// those that live.
    pub(super) fn note_places(
        &mut self,
        bit: Bit,
        op: BinaryOp,
        (left, right): (Expr, &Value),
        at: &mut Evaluation<'_>,
    ) -> Result<(), Interrupted> {
        let ExprData::Select(map, arguments) = &self.program.expressions[left] else { return Ok(()) };
        let &[index] = &arguments[..] else { return Ok(()) };
        let (Value::Map(map), Value::Int(index)) = (self.eval(*map, at)?, self.eval(index, at)?) else {
            return Ok(());
        };
        // What is said of all places that are not listed, and the others.
        let (rest, keys): (Bit, Vec<Key>) = match index.few() {
            Some(few) => (Bit::FALSE, few.iter().map(|&value| Key::from([value])).collect()),
            None => {
                let BaseData::Constant(element) = &self.store.bases[map.base] else { return Ok(()) };
                let element = element.clone();
                if map.entries.iter().count() > MOST_PLACES {
                    return Ok(());
                }
                let keys = map.entries.iter().map(|(key, _)| key.clone()).collect();
                (self.holds(op, &element, right), keys)
            }
        };
        let all_listed = index.few().is_some();
        let (mut if_true, mut if_false) = (Vec::new(), Vec::new());
        for key in &keys {
            self.budget.check()?;
            let element = self.store.at(&map, key);
            let holds = self.holds(op, &element, right);
            if holds != Bit::FALSE {
                if_true.push(key[0]);
            }
            if holds != Bit::TRUE {
                if_false.push(key[0]);
            }
        }
        let known = |values: Vec<i128>, rest_excluded: bool| match Extent::one_of(values) {
            Extent::OneOf(few) if all_listed || rest_excluded => Some(few),
            _ => None,
        };
        let relation = Relation::Among {
            if_true: known(if_true, rest == Bit::FALSE),
            if_false: known(if_false, rest == Bit::TRUE),
        };
        // Which values the index has is known here and not wherever the same gate stands for something.
        self.here.note(bit, Comparison { word: index, relation });
        Ok(())
    }

    /// Whether a comparison holds of an element, without noting anything.
    fn holds(&mut self, op: BinaryOp, element: &Value, other: &Value) -> Bit {
        use BinaryOp::*;
        let element = self.store.look(element);
        let (Value::Int(a), Value::Int(b)) = (&element, other) else { return self.store.circuit.input() };
        match op {
            Equal => self.equal_words(a, b),
            NotEqual => !self.equal_words(a, b),
            Less => self.less_words(a, b),
            Greater => self.less_words(b, a),
            LessEqual => !self.less_words(b, a),
            GreaterEqual => !self.less_words(a, b),
            _ => self.store.circuit.input(),
        }
    }
}

/// The arguments of a map as integers; nothing if one of them is none.
pub(super) type Indices = Option<Vec<Word>>;

/// All places that an index may mean.
enum Places {
    /// Those that its bits can name.
    Bits {
        /// The gates of its bits that are not constant, each once.
        open: Vec<u32>,
        /// The place for every choice of their values; the first gate is the lowest bit of the choice.
        keys: Vec<Key>,
    },
    /// These.
    Few(Vec<Key>),
}

impl Places {
    /// Nothing if there are too many.
    fn of(indices: &[Word]) -> Option<Places> {
        let usable = |word: &Word| word.beyond == Bit::FALSE && word.bits.len() <= 120;
        if !indices.iter().all(usable) {
            return None;
        }
        // Bits that are the same, or opposite, count once.
        let bits = indices.iter().flat_map(|word| word.bits.iter());
        let mut open: Vec<u32> =
            bits.filter(|bit| bit.as_constant().is_none()).map(|bit| bit.node()).collect();
        open.sort_unstable();
        open.dedup();
        let by_bits = 1_usize.checked_shl(open.len() as u32).unwrap_or(usize::MAX);
        if let Some(keys) = few_keys(indices)
            && keys.len() < by_bits
        {
            return Some(Places::Few(keys));
        }
        if open.len() > MOST_OPEN_BITS {
            return None;
        }
        let key = |choice: usize| indices.iter().map(|word| number(&word.bits, &open, choice)).collect();
        let keys = (0..by_bits).map(key).collect();
        Some(Places::Bits { open, keys })
    }
}

/// The places of indices that have a few values each; nothing if they are many.
fn few_keys(indices: &[Word]) -> Option<Vec<Key>> {
    let mut keys: Vec<Vec<i128>> = vec![Vec::new()];
    for word in indices {
        let values = word.few()?;
        if keys.len() * values.len() > MOST_PLACES {
            return None;
        }
        let longer = |key: &Vec<i128>| {
            let key = key.clone();
            values.iter().map(move |&value| [key.as_slice(), &[value]].concat()).collect::<Vec<_>>()
        };
        keys = keys.iter().flat_map(longer).collect();
    }
    Some(keys.into_iter().map(Key::from).collect())
}
