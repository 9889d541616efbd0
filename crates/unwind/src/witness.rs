//! From an assignment of a circuit's inputs to a run of the program.
//!
//! The interpreter runs the program; what it leaves open is decided as the assignment says, where the unwinding has looked
//! at it, and by default elsewhere. Whether the run fails is for the caller to see: nothing is promised here.

use crate::circuit::Bit;
use crate::evaluate::place_value;
use crate::flow::Visit;
use crate::unwinder::{ENTRY, Moment, Unwinder};
use crate::values::{Base, BaseData, Choice, Key, Map, Value as Symbolic};
use ir::interpreter::{Driver, Event, MapValue, Place, Reason, State, Value, default_value};
use ir::{Block, Procedure, Program, Transfer, Type, TypeData, Variable};
use num_bigint::BigInt;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Drives the interpreter along an assignment, and writes down what was decided.
pub struct Follower<'u, 'p, F> {
    unwinder: &'u Unwinder<'p>,
    assignment: F,
    frames: Vec<Frame>,
    /// The call whose variables get their values, before its body begins.
    entering: Option<u32>,
    asked: u64,
    /// The values that are not the default of their variable, with their position among all that were asked for.
    pub values: Vec<(u64, Value)>,
    /// The targets of all jumps with a choice.
    pub targets: Vec<u32>,
}

struct Frame {
    call: u32,
    visit: Visit,
    index: u32,
}

impl<'u, 'p, F: Fn(Bit) -> bool> Follower<'u, 'p, F> {
    /// Follows an assignment of the inputs of an unwinding.
    pub fn new(unwinder: &'u Unwinder<'p>, assignment: F) -> Self {
        Follower {
            unwinder,
            assignment,
            frames: Vec::new(),
            entering: None,
            asked: 0,
            values: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// The call that is made now.
    fn next_call(&self) -> u32 {
        let Some(frame) = self.frames.last() else { return 0 };
        let moment: Moment = (frame.call, frame.visit.clone(), frame.index);
        self.unwinder.calls.get(&moment).copied().unwrap_or(u32::MAX)
    }

    fn moment(&mut self, reason: Reason) -> Moment {
        match reason {
            Reason::Initial => (0, Visit(Vec::new()), ENTRY),
            Reason::Entry(_) => {
                let call = match self.entering {
                    Some(call) => call,
                    None => self.next_call(),
                };
                self.entering = Some(call);
                (call, Visit(Vec::new()), ENTRY)
            }
            Reason::Havoc | Reason::Contract(_) => match self.frames.last() {
                Some(frame) => (frame.call, frame.visit.clone(), frame.index),
                None => (u32::MAX, Visit(Vec::new()), ENTRY),
            },
        }
    }

    fn value(&self, choice: Choice) -> Option<Value> {
        let symbolic = self.unwinder.store.read.get(&choice)?;
        self.concrete(symbolic, self.unwinder.store.choices[choice].ty)
    }

    fn number(&self, bits: &[Bit]) -> BigInt {
        let mut number = BigInt::ZERO;
        for (at, &bit) in bits.iter().enumerate() {
            number.set_bit(at as u64, (self.assignment)(bit));
        }
        number
    }

    fn concrete(&self, value: &Symbolic, ty: Type) -> Option<Value> {
        Some(match value {
            Symbolic::Bool(bit) => Value::Bool((self.assignment)(*bit)),
            Symbolic::Int(word) => {
                let mut number = self.number(&word.bits);
                let negative = word.bits.last().is_some_and(|&sign| (self.assignment)(sign));
                if negative {
                    number -= BigInt::from(1) << word.bits.len();
                }
                if (self.assignment)(word.beyond) {
                    number = BigInt::from(if negative { -1 } else { 1 }) << 100;
                }
                Value::int(number)
            }
            Symbolic::Bits(bits) => Value::bits(bits.len() as u32, &self.number(bits).to_biguint()?),
            Symbolic::Map(map) => self.map(map, ty)?,
            Symbolic::Unread(choice) => self.value(*choice)?,
            Symbolic::Opaque => return None,
        })
    }

    /// A map as far as it was looked at.
    fn map(&self, map: &Map, ty: Type) -> Option<Value> {
        let program = self.unwinder.program;
        let TypeData::Map { domain, range } = &program.types[ty] else { return None };
        let mut result = MapValue::constant(program, domain, Value::default_of(program, *range));
        let mut keys: BTreeSet<Key> = map.entries.iter().map(|(key, _)| key.clone()).collect();
        self.keys(map.base, &mut keys);
        for key in keys {
            let Some(element) = self.element(map, &key, *range) else { continue };
            let place: Vec<Value> = key
                .iter()
                .zip(domain.iter())
                .map(|(&number, &ty)| place_value(program, ty, number))
                .collect();
            let place = match <[Value; 1]>::try_from(place) {
                Ok([only]) => only,
                Err(several) => Value::Tuple(Arc::from(several)),
            };
            result.store(place, element).ok()?;
        }
        Some(Value::Map(Arc::new(result)))
    }

    fn keys(&self, base: Base, keys: &mut BTreeSet<Key>) {
        match &self.unwinder.store.bases[base] {
            BaseData::Constant(_) => {}
            BaseData::Unknown { cells, .. } => keys.extend(cells.keys().cloned()),
            BaseData::Choice(_, a, b) => {
                self.keys(*a, keys);
                self.keys(*b, keys);
            }
        }
    }

    fn element(&self, map: &Map, key: &Key, range: Type) -> Option<Value> {
        if let Some(value) = map.entries.get(key) {
            return self.concrete(value, range);
        }
        let mut base = map.base;
        loop {
            match &self.unwinder.store.bases[base] {
                BaseData::Constant(value) => return self.concrete(value, range),
                BaseData::Unknown { cells, .. } => return self.concrete(cells.get(key)?, range),
                BaseData::Choice(condition, a, b) => {
                    base = if (self.assignment)(*condition) { *a } else { *b }
                }
            }
        }
    }

    fn arrive(&mut self, program: &Program, place: Place, to: Option<Block>) {
        let Some(flow) = self.unwinder.flows.get(&place.procedure) else { return };
        if let (Some(frame), Some(to), Some(_)) =
            (self.frames.last_mut(), to, &program.procedures[place.procedure].body)
        {
            frame.visit = flow.next(&frame.visit, place.block, to);
            frame.index = 0;
        }
    }
}

impl<F: Fn(Bit) -> bool> Driver for Follower<'_, '_, F> {
    fn choose(&mut self, program: &Program, variable: Variable, reason: Reason) -> Option<Value> {
        let moment = self.moment(reason);
        let position = self.asked;
        self.asked += 1;
        let default = default_value(program, variable);
        let chosen = self.unwinder.chosen.get(&(moment, variable)).copied();
        let value = chosen.and_then(|choice| self.value(choice)).unwrap_or_else(|| default.clone());
        if value != default {
            self.values.push((position, value.clone()));
        }
        Some(value)
    }

    fn goto(&mut self, program: &Program, procedure: Procedure, block: Block) -> Option<usize> {
        let body = program.procedures[procedure].body.as_ref()?;
        let Transfer::Goto(targets) = &body.blocks[block].transfer else { return None };
        let frame = self.frames.last()?;
        let bits = self.unwinder.jumps.get(&(frame.call, frame.visit.clone()));
        let first = bits.and_then(|bits| bits.iter().position(|&bit| (self.assignment)(bit)));
        let target = match (first, bits) {
            (Some(first), _) => first,
            (None, Some(_)) => targets.len() - 1,
            (None, None) => 0,
        };
        self.targets.push(target as u32);
        Some(target)
    }

    fn observe(&mut self, state: &State<'_>, event: Event<'_>) -> bool {
        let program = state.program();
        let target = |place: Place, choose: &dyn Fn(&Transfer) -> Option<Block>| {
            let body = program.procedures[place.procedure].body.as_ref()?;
            choose(&body.blocks[place.block].transfer)
        };
        match event {
            Event::Entered(procedure) => {
                let call = self.entering.take().unwrap_or_else(|| self.next_call());
                let body = program.procedures[procedure].body.as_ref();
                let visit = match (self.unwinder.flows.get(&procedure), body) {
                    (Some(flow), Some(body)) => flow.entry(body),
                    _ => Visit(Vec::new()),
                };
                self.frames.push(Frame { call, visit, index: 0 });
            }
            Event::Executed(place, _) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.index = place.index as u32 + 1;
                }
            }
            Event::Branched(place, holds) => {
                let to = target(place, &|transfer| match transfer {
                    Transfer::Branch { then, otherwise, .. } => Some(if holds { *then } else { *otherwise }),
                    _ => None,
                });
                self.arrive(program, place, to);
            }
            Event::Jumped(place, choice) => {
                let to = target(place, &|transfer| match transfer {
                    Transfer::Goto(targets) => targets.get(choice).copied(),
                    _ => None,
                });
                self.arrive(program, place, to);
            }
            Event::Left(_) => {}
            Event::Returned(place) => {
                self.frames.pop();
                if let Some(frame) = self.frames.last_mut() {
                    frame.index = place.index as u32 + 1;
                }
            }
        }
        true
    }
}
