//! States as numbers, so that a state is not looked at twice.
//!
//! Only what is live in the innermost procedure counts there. Two states may have one number by chance, which can
//! only hide an error, never invent one.

use super::limits;
use super::places::ChoiceData;
use ir::Program;
use ir::interpreter::{State, Value};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The number of a state in which a choice is next.
pub fn key(program: &Program, state: &State<'_>, choice: &ChoiceData) -> Option<u64> {
    let mut hasher = FxHasher::default();
    let mut parts = 0;
    let frames: Vec<_> = state.frames().collect();
    for (position, place) in frames.iter().enumerate() {
        place.hash(&mut hasher);
        if position + 1 == frames.len() {
            for &variable in &choice.live {
                value(state.value(variable)?, &mut hasher, &mut parts)?;
            }
            continue;
        }
        let data = &program.procedures[place.procedure];
        let locals = data.body.iter().flat_map(|body| &body.locals);
        for &variable in data.parameters.iter().chain(&data.results).chain(locals) {
            if let Some(held) = state.value_in(position, variable) {
                value(held, &mut hasher, &mut parts)?;
            }
        }
    }
    for &global in program.constants.iter().chain(&program.globals) {
        value(state.value(global)?, &mut hasher, &mut parts)?;
    }
    Some(hasher.finish())
}

/// Nothing if there are too many parts.
fn value(root: &Value, hasher: &mut FxHasher, parts: &mut usize) -> Option<()> {
    let mut pending = vec![root];
    while let Some(value) = pending.pop() {
        *parts += 1;
        if *parts > limits::MOST_PARTS {
            return None;
        }
        match value {
            Value::Bool(value) => value.hash(hasher),
            Value::Int(value) => match value.to_i64() {
                Some(small) => small.hash(hasher),
                None => value.to_big().hash(hasher),
            },
            Value::Real(value) => value.hash(hasher),
            Value::Bits(bits) => bits.unsigned().hash(hasher),
            Value::Element(_, number) => number.hash(hasher),
            Value::Tuple(values) => pending.extend(values.iter()),
            Value::Map(map) => {
                pending.push(map.default());
                for (key, value) in map.entries() {
                    pending.extend([key, value]);
                    if pending.len() > limits::MOST_PARTS {
                        return None;
                    }
                }
            }
        }
    }
    Some(())
}
