//! What is known about bits where a condition holds.
//!
//! After `assume 0 <= x && x <= 9` the high bits of `x` are zero, wherever its value was copied to. So facts are about
//! gates: a gate equals a constant or another bit. They follow from the path condition, and make numbers narrow.

use crate::circuit::{Bit, Circuit, Gate};
use crate::extent::{self, Extent, Few};
use crate::values::{Value, WIDE, Word};
use crate::words;
use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// More facts than this are not kept.
const MOST_FACTS: usize = 4_096;
/// So far down a condition is taken apart.
const DEEPEST: usize = 12;

/// More lists of values than this are not kept.
const MOST_LISTS: usize = 512;

/// Gates with what they equal, and numbers with the few values that they have.
#[derive(Clone, Default, Debug)]
pub(crate) struct Facts {
    known: Rc<BTreeMap<u32, Bit>>,
    /// By the bits of the number.
    few: Rc<BTreeMap<Rc<[Bit]>, Few>>,
}

/// What a comparison says about a number when it is true.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub(crate) word: Word,
    pub(crate) relation: Relation,
}

/// How a number relates to constants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Below(BigInt),
    AtLeast(BigInt),
    Equal(BigInt),
    Unequal(BigInt),
    /// It is one of some numbers if the comparison is true, and one of others if it is false, as far as they are known.
    Among {
        if_true: Option<Few>,
        if_false: Option<Few>,
    },
}

impl Relation {
    fn negated(self) -> Relation {
        match self {
            Relation::Below(constant) => Relation::AtLeast(constant),
            Relation::AtLeast(constant) => Relation::Below(constant),
            Relation::Equal(constant) => Relation::Unequal(constant),
            Relation::Unequal(constant) => Relation::Equal(constant),
            Relation::Among { if_true, if_false } => Relation::Among { if_true: if_false, if_false: if_true },
        }
    }
}

impl Comparison {
    /// The same where the bit that stands for it is false, or where it is true.
    fn turned(self, negated: bool) -> Comparison {
        let Comparison { word, relation } = self;
        Comparison { word, relation: if negated { relation.negated() } else { relation } }
    }
}

/// The comparisons that gates stand for.
#[derive(Default)]
pub(crate) struct Comparisons {
    of: FxHashMap<u32, Vec<Comparison>>,
}

impl Comparisons {
    /// A bit is true exactly if the comparison is.
    pub(crate) fn note(&mut self, bit: Bit, comparison: Comparison) {
        if bit.as_constant().is_some() {
            return;
        }
        let list = self.of.entry(bit.node()).or_default();
        if list.len() < 4 {
            list.push(comparison.turned(bit.is_negated()));
        }
    }

    fn when(&self, bit: Bit) -> Vec<Comparison> {
        let list = self.of.get(&bit.node()).map_or(&[][..], Vec::as_slice);
        list.iter().map(|comparison| comparison.clone().turned(bit.is_negated())).collect()
    }
}

impl Facts {
    /// A bit by what is known.
    pub(crate) fn bit(&self, bit: Bit) -> Bit {
        let mut bit = bit;
        for _ in 0..8 {
            match self.known.get(&bit.node()) {
                Some(&other) => bit = if bit.is_negated() { !other } else { other },
                None => break,
            }
        }
        bit
    }

    /// A value by what is known.
    pub(crate) fn apply(&self, value: &Value) -> Value {
        if self.known.is_empty() && self.few.is_empty() {
            return value.clone();
        }
        match value {
            Value::Bool(bit) => Value::Bool(self.bit(*bit)),
            Value::Int(word) => {
                let bits = word.bits.iter().map(|&bit| self.bit(bit)).collect();
                let word = Word::maybe_beyond(bits, self.bit(word.beyond), word.extent().clone());
                Value::Int(match self.few.get(&word.bits) {
                    Some(few) => word.among(few),
                    None => word,
                })
            }
            Value::Bits(bits) => Value::Bits(bits.iter().map(|&bit| self.bit(bit)).collect()),
            other => other.clone(),
        }
    }

    fn set(&mut self, bit: Bit, to: Bit) {
        let (bit, to) = (self.bit(bit), self.bit(to));
        if bit.as_constant().is_none() && bit.node() != to.node() && self.known.len() < MOST_FACTS {
            let to = if bit.is_negated() { !to } else { to };
            Rc::make_mut(&mut self.known).insert(bit.node(), to);
        }
    }

    /// What both know.
    pub(crate) fn common(&self, other: &Facts) -> Facts {
        let known = if Rc::ptr_eq(&self.known, &other.known) {
            Rc::clone(&self.known)
        } else {
            let same = |(node, bit): &(&u32, &Bit)| other.known.get(node) == Some(bit);
            Rc::new(self.known.iter().filter(same).map(|(&node, &bit)| (node, bit)).collect())
        };
        let few = if Rc::ptr_eq(&self.few, &other.few) {
            Rc::clone(&self.few)
        } else {
            let either = |(bits, few): (&Rc<[Bit]>, &Few)| {
                let all = [&few[..], &other.few.get(bits)?[..]].concat();
                let Extent::OneOf(all) = Extent::one_of(all) else { return None };
                Some((Rc::clone(bits), all))
            };
            Rc::new(self.few.iter().filter_map(either).collect())
        };
        Facts { known, few }
    }

    /// A bit is true.
    pub(crate) fn suppose(&mut self, bit: Bit, circuit: &Circuit, comparisons: [&Comparisons; 2]) {
        let mut found: Vec<Comparison> = Vec::new();
        let mut pending = vec![(bit, 0)];
        while let Some((bit, depth)) = pending.pop() {
            if bit.as_constant().is_some() {
                continue;
            }
            self.set(bit, Bit::TRUE);
            for comparisons in comparisons {
                found.extend(comparisons.when(bit));
            }
            if let Gate::And(a, b) = circuit.gate(bit.node())
                && !bit.is_negated()
                && depth < DEEPEST
            {
                pending.extend([(a, depth + 1), (b, depth + 1)]);
            }
        }
        let mut bounds: Vec<Bounds> = Vec::new();
        for Comparison { word, relation } in found {
            let at = bounds.iter().position(|bounds| bounds.word == word).unwrap_or_else(|| {
                bounds.push(Bounds::new(word));
                bounds.len() - 1
            });
            bounds[at].add(relation);
        }
        for Bounds { word, low, high, not, among } in bounds {
            self.narrow(&word, low.clone(), high.clone());
            let Value::Int(now) = self.apply(&Value::Int(word.clone())) else { continue };
            let Some(few) = among.or_else(|| now.few()) else { continue };
            let allowed = |value: &i128| {
                let value = BigInt::from(*value);
                low.as_ref().is_none_or(|low| *low <= value)
                    && high.as_ref().is_none_or(|high| value <= *high)
                    && !not.contains(&value)
            };
            let values: Vec<i128> = few.iter().copied().filter(allowed).collect();
            self.narrow_to([&word, &now], &values);
        }
    }

    /// A number, as it was and by what is known by now, is one of some. Of none, nothing is said: no execution comes there.
    fn narrow_to(&mut self, [before, word]: [&Word; 2], values: &[i128]) {
        let mut possible = extent::possible(values, &word.bits);
        if let Some(few) = word.few() {
            possible.retain(|value| few.binary_search(value).is_ok());
        }
        let Extent::OneOf(few) = Extent::one_of(possible) else { return };
        self.set(word.beyond, Bit::FALSE);
        for (at, &bit) in word.bits.iter().enumerate() {
            if let Some(common) = extent::common_bit(&few, at) {
                self.set(bit, Bit::constant(common));
            }
        }
        let Value::Int(after) = self.apply(&Value::Int(word.clone())) else { return };
        for bits in [&before.bits, &word.bits, &after.bits] {
            if bits.iter().any(|bit| bit.as_constant().is_none()) && self.few.len() < MOST_LISTS {
                Rc::make_mut(&mut self.few).insert(Rc::clone(bits), Rc::clone(&few));
            }
        }
    }

    /// A number lies between bounds.
    fn narrow(&mut self, word: &Word, low: Option<BigInt>, high: Option<BigInt>) {
        let Value::Int(word) = self.apply(&Value::Int(word.clone())) else { return };
        let width = word.bits.len();
        let sign = words::sign(&word.bits);
        let inside = word.beyond == Bit::FALSE;
        let half = BigInt::from(1) << (width - 1);
        let own_low = match sign {
            Bit::FALSE => Some(BigInt::ZERO),
            _ => inside.then(|| -half.clone()),
        };
        let own_high = match sign {
            Bit::TRUE => Some(BigInt::from(-1)),
            _ => inside.then(|| half - 1),
        };
        let larger = |a: Option<BigInt>, b: Option<BigInt>| match (a, b) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let smaller = |a: Option<BigInt>, b: Option<BigInt>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let (Some(low), Some(high)) = (larger(low, own_low), smaller(high, own_high)) else { return };
        if low > high {
            return;
        }
        // So many bits are enough, with the sign.
        let needed = words::integer(&low).len().max(words::integer(&high).len());
        if needed > WIDE && !inside {
            return;
        }
        self.set(word.beyond, Bit::FALSE);
        if low == high {
            for (&bit, value) in word.bits.iter().zip(words::extend(&words::integer(&low), width)) {
                self.set(bit, value);
            }
            return;
        }
        let sign = if !low.is_negative() {
            self.set(sign, Bit::FALSE);
            Bit::FALSE
        } else if high.is_negative() {
            self.set(sign, Bit::TRUE);
            Bit::TRUE
        } else {
            sign
        };
        for &bit in word.bits.iter().take(width - 1).skip(needed - 1) {
            self.set(bit, sign);
        }
    }
}

/// What is known about a number.
struct Bounds {
    word: Word,
    low: Option<BigInt>,
    high: Option<BigInt>,
    /// It is none of these.
    not: Vec<BigInt>,
    /// It is one of these.
    among: Option<Few>,
}

impl Bounds {
    fn new(word: Word) -> Bounds {
        Bounds { word, low: None, high: None, not: Vec::new(), among: None }
    }

    fn add(&mut self, relation: Relation) {
        let (from, to) = match relation {
            Relation::Below(constant) => (None, Some(constant - 1)),
            Relation::AtLeast(constant) => (Some(constant), None),
            Relation::Equal(constant) => (Some(constant.clone()), Some(constant)),
            Relation::Unequal(constant) => {
                self.not.push(constant);
                (None, None)
            }
            Relation::Among { if_true, .. } => {
                self.among = match (self.among.take(), if_true) {
                    (Some(a), Some(b)) => {
                        match Extent::one_of(a.iter().copied().filter(|n| b.contains(n)).collect()) {
                            Extent::OneOf(both) => Some(both),
                            // Nothing is in both: no execution comes here.
                            _ => Some(a),
                        }
                    }
                    (a, b) => a.or(b),
                };
                (None, None)
            }
        };
        if let Some(from) = from {
            self.low = Some(self.low.take().map_or(from.clone(), |low| low.max(from)));
        }
        if let Some(to) = to {
            self.high = Some(self.high.take().map_or(to.clone(), |high| high.min(to)));
        }
    }
}
