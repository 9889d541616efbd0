//! Values that are worth a try: small ones, those that the program names, and those that variables have.
//!
//! Interesting behaviour is near the numbers that a program compares with, so every literal comes with its neighbours.
//! Everything is drawn from a seeded sequence, so the same program gives the same search.

use super::limits;
use base::Random;
use ir::interpreter::{Bits, Integer, MapValue, State, Value};
use ir::{ExprData, Program, Type, TypeData, Variable};
use num_bigint::BigInt;
use num_rational::Ratio;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The numbers of a program.
pub struct Values {
    integers: Vec<BigInt>,
    reals: Vec<Ratio<BigInt>>,
}

impl Values {
    /// Collects the literals of a program.
    pub fn new(program: &Program) -> Values {
        let mut literals: BTreeSet<BigInt> = BTreeSet::new();
        let mut reals: BTreeSet<Ratio<BigInt>> = BTreeSet::new();
        for (_, node) in program.expressions.iter() {
            match &node.data {
                ExprData::Int(value) => drop(literals.insert(value.clone())),
                ExprData::BitVec { value, .. } => drop(literals.insert(BigInt::from(value.clone()))),
                ExprData::Real(value) => drop(reals.insert(value.clone())),
                _ => {}
            }
        }
        let mut integers: Vec<BigInt> = [0, 1, -1, 2, 3, 10].map(BigInt::from).to_vec();
        let mut by_size: Vec<BigInt> = literals.into_iter().collect();
        by_size.sort_by_key(|value| value.magnitude().clone());
        for literal in by_size.into_iter().take(limits::MOST_LITERALS) {
            for value in [literal.clone(), &literal + 1, &literal - 1, -literal] {
                if !integers.contains(&value) {
                    integers.push(value);
                }
            }
        }
        let mut all: Vec<Ratio<BigInt>> = [0, 1, -1].map(|value| Ratio::from(BigInt::from(value))).to_vec();
        all.extend(reals.into_iter().take(limits::MOST_LITERALS));
        Values { integers, reals: all }
    }

    /// How many values of a type are tried one after the other before anything is drawn.
    pub fn listed(&self, program: &Program, ty: Type) -> usize {
        match program.types[ty] {
            TypeData::Bool => 2,
            TypeData::Int | TypeData::BitVec(_) => self.integers.len(),
            TypeData::Real => self.reals.len(),
            TypeData::Map { .. } => 6,
            TypeData::Named { .. } => 3,
        }
    }

    /// The value of a type with a number, of [`listed`](Values::listed) ones.
    pub fn list(&self, program: &Program, ty: Type, number: usize) -> Value {
        match program.types[ty] {
            TypeData::Bool => Value::Bool(number % 2 == 1),
            TypeData::Int => Value::int(self.integers[number % self.integers.len()].clone()),
            TypeData::BitVec(width) => {
                Value::Bits(Bits::from_int(width, &self.integers[number % self.integers.len()]))
            }
            TypeData::Real => Value::real(self.reals[number % self.reals.len()].clone()),
            TypeData::Map { .. } => self.constant_map(program, ty, number),
            TypeData::Named { .. } => Value::Element(ty, number as u64),
        }
    }

    /// A map with one value everywhere; maps to maps are followed in a loop, since types may be nested deep.
    fn constant_map(&self, program: &Program, ty: Type, number: usize) -> Value {
        let mut maps = vec![ty];
        let mut element = ty;
        while let Some((_, range)) = program.types.as_map(element) {
            maps.push(range);
            element = range;
        }
        maps.pop();
        let mut value = self.list(program, element, number);
        for ty in maps.into_iter().rev() {
            value = Value::constant_map(program, ty, value).unwrap_or_else(|| Value::default_of(program, ty));
        }
        value
    }

    /// A value of a type: one that the program names, a small one, one that a variable has or a neighbour of it, or
    /// any at all.
    pub fn draw(
        &self,
        program: &Program,
        ty: Type,
        variables: &[Variable],
        state: Option<&State<'_>>,
        random: &mut Random,
    ) -> Value {
        let same: Vec<&Value> = match state {
            Some(state) if random.once_in(3) => {
                let own = variables.iter().filter(|variable| program.variables[**variable].ty == ty);
                own.filter_map(|&variable| state.value(variable)).collect()
            }
            _ => Vec::new(),
        };
        if !same.is_empty() {
            let value = same[random.below(same.len())];
            return match random.below(3) {
                // What is missing to a number that the program names.
                0 => self.missing(value, random),
                _ => near(value, random),
            };
        }
        match program.types[ty] {
            TypeData::Map { .. } => self.draw_map(program, ty, variables, state, random),
            TypeData::Int | TypeData::BitVec(_) if random.once_in(4) => {
                let bits = [2, 4, 8, 16, 31, 32, 63][random.below(7)];
                let value = random.below(1 << bits);
                let value = if random.once_in(3) { -BigInt::from(value) } else { BigInt::from(value) };
                match program.types[ty] {
                    TypeData::BitVec(width) => Value::Bits(Bits::from_int(width, &value)),
                    _ => Value::int(value),
                }
            }
            TypeData::Int | TypeData::BitVec(_) if random.once_in(2) => {
                self.list(program, ty, random.below(6))
            }
            _ => self.list(program, ty, random.below(self.listed(program, ty))),
        }
    }
}

impl Values {
    /// A map that is the same everywhere, except at a few keys.
    fn draw_map(
        &self,
        program: &Program,
        ty: Type,
        variables: &[Variable],
        state: Option<&State<'_>>,
        random: &mut Random,
    ) -> Value {
        let plain = self.constant_map(program, ty, random.below(self.integers.len()));
        let (Some(([key], range)), Value::Map(map)) = (program.types.as_map(ty), &plain) else {
            return plain;
        };
        if program.types.as_map(*key).is_some() {
            return plain;
        }
        if let Some((_, cell)) = program.types.as_map(range) {
            if program.types.as_map(cell).is_some() {
                return plain;
            }
            // Memory: all objects alike, but not all of their cells.
            let inner = self.draw_map(program, range, variables, state, random);
            return Value::constant_map(program, ty, inner).unwrap_or(plain);
        }
        let mut map = MapValue::clone(map);
        if matches!(program.types[*key], TypeData::Int) && random.once_in(2) {
            // Cells of an array, one after the other, as loops walk through it.
            let stride = limits::STRIDES[random.below(limits::STRIDES.len())];
            for position in 0..random.below(limits::MOST_CELLS) {
                let value = self.list(program, range, random.below(8));
                if map.store(Value::int(position * stride), value).is_err() {
                    return plain;
                }
            }
            return Value::Map(Arc::new(map));
        }
        for _ in 0..random.below(limits::MOST_ENTRIES) {
            let at = self.draw(program, *key, variables, state, random);
            let value = self.draw(program, range, variables, state, random);
            if map.store(at, value).is_err() {
                return plain;
            }
        }
        Value::Map(Arc::new(map))
    }
}

impl Values {
    /// The difference of a number that the program names and a value.
    fn missing(&self, value: &Value, random: &mut Random) -> Value {
        match value {
            Value::Int(value) => {
                let named = Integer::from(self.integers[random.below(self.integers.len())].clone());
                Value::Int(named.subtract(value))
            }
            Value::Real(value) => {
                Value::real(&self.reals[random.below(self.reals.len())] - Ratio::clone(value))
            }
            other => other.clone(),
        }
    }
}

/// A value or one beside it.
fn near(value: &Value, random: &mut Random) -> Value {
    beside(value, [0, 1, -1][random.below(3)])
}

/// A number so far from another one; other values stay.
pub(super) fn beside(value: &Value, offset: i64) -> Value {
    match value {
        Value::Int(value) => Value::Int(value.add(&Integer::Small(offset))),
        Value::Bits(bits) => {
            let value = BigInt::from(bits.unsigned()) + offset;
            Value::Bits(Bits::from_int(bits.width(), &value))
        }
        other => other.clone(),
    }
}
