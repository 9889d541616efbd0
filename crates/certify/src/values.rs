//! Values of models as values of the interpreter, and back.
//!
//! Models may have maps that no execution needs in full: a nested array whose rows have different defaults. Such a map
//! is approximated by its listed elements. That is no risk, because an execution counts only if it fails when it is run.

use ir::interpreter::{MapValue, Value};
use ir::{Program, Type, TypeData};
use logic::Value as ModelValue;
use logic::{Sort, Terms};
use std::sync::Arc;

/// The interpreter's form of a model's value, for a type.
pub(crate) fn to_interpreter(program: &Program, ty: Type, value: &ModelValue) -> Option<Value> {
    Some(match (value, &program.types[ty]) {
        (ModelValue::Bool(value), TypeData::Bool) => Value::Bool(*value),
        (ModelValue::Int(value), TypeData::Int) => Value::int(value.clone()),
        (ModelValue::Real(value), TypeData::Real) => Value::real(value.clone()),
        (ModelValue::BitVec(width, value), TypeData::BitVec(_)) => Value::bits(*width, &value.to_biguint()?),
        (ModelValue::Element(_, number), TypeData::Named { .. }) => Value::Element(ty, *number),
        (ModelValue::Array(_), TypeData::Map { domain, range }) => {
            let mut elements = Vec::new();
            let default = flatten(value, domain.len(), &mut Vec::new(), &mut elements);
            let mut map = MapValue::constant(program, domain, to_interpreter(program, *range, default)?);
            for (indices, element) in elements {
                let mut key = Vec::with_capacity(indices.len());
                for (index, &argument) in indices.iter().zip(domain.iter()) {
                    key.push(to_interpreter(program, argument, index)?);
                }
                let key = if key.len() == 1 { key.swap_remove(0) } else { Value::Tuple(Arc::from(key)) };
                map.store(key, to_interpreter(program, *range, element)?).ok()?;
            }
            Value::Map(Arc::new(map))
        }
        _ => return None,
    })
}

/// The elements of a nested array with their lists of indices; returns the innermost default.
fn flatten<'v>(
    value: &'v ModelValue,
    depth: usize,
    prefix: &mut Vec<&'v ModelValue>,
    elements: &mut Vec<(Vec<&'v ModelValue>, &'v ModelValue)>,
) -> &'v ModelValue {
    let ModelValue::Array(array) = value else { return value };
    for (index, element) in &array.entries {
        prefix.push(index);
        if depth == 1 {
            elements.push((prefix.clone(), element));
        } else {
            flatten(element, depth - 1, prefix, elements);
        }
        prefix.pop();
    }
    if depth == 1 {
        &array.default
    } else {
        flatten(&array.default, depth - 1, &mut Vec::new(), &mut Vec::new())
    }
}

/// The model's form of an interpreter's value, for a sort; none for maps, which no function table lists.
pub(crate) fn to_model(terms: &Terms, sort: Sort, value: &Value) -> Option<ModelValue> {
    use logic::SortData;
    Some(match (value, terms.sort_data(sort)) {
        (Value::Bool(value), SortData::Bool) => ModelValue::Bool(*value),
        (Value::Int(value), SortData::Int) => ModelValue::Int(value.to_big()),
        (Value::Real(value), SortData::Real) => ModelValue::Real((**value).clone()),
        (Value::Bits(bits), SortData::BitVec(width)) => ModelValue::BitVec(*width, bits.unsigned().into()),
        (Value::Element(_, number), SortData::Uninterpreted(_)) => ModelValue::Element(sort, *number),
        _ => return None,
    })
}
