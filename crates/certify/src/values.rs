//! Values of models as values of the interpreter, and back; and values as terms.

use ir::interpreter::{MapValue, Value};
use ir::{Program, Type, TypeData};
use logic::Value as ModelValue;
use logic::value::ArrayValue;
use logic::{Sort, Term, Terms};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The interpreter's form of a model's value, for a type.
pub(crate) fn to_interpreter(program: &Program, ty: Type, value: &ModelValue) -> Option<Value> {
    Some(match (value, &program.types[ty]) {
        (ModelValue::Bool(value), TypeData::Bool) => Value::Bool(*value),
        (ModelValue::Int(value), TypeData::Int) => Value::int(value.clone()),
        (ModelValue::Real(value), TypeData::Real) => Value::real(value.clone()),
        (ModelValue::BitVec(..), TypeData::BitVec(0)) => Value::bits(0, &0_u32.into()),
        (ModelValue::BitVec(width, value), TypeData::BitVec(_)) => Value::bits(*width, &value.to_biguint()?),
        (ModelValue::Element(_, number), TypeData::Named { .. }) => Value::Element(ty, *number),
        (ModelValue::Array(_), TypeData::Map { domain, range }) => {
            let nest = nested(program, domain, *range, value)?;
            match &**domain {
                [_] => nest,
                _ => Value::Map(Arc::new(MapValue::uncurried(program, domain, nest)?)),
            }
        }
        _ => return None,
    })
}

/// A nested array as maps with one argument each. The recursion is as deep as the type has arguments.
fn nested(program: &Program, domain: &[Type], range: Type, value: &ModelValue) -> Option<Value> {
    let (ModelValue::Array(array), [first, rest @ ..]) = (value, domain) else {
        return to_interpreter(program, range, value);
    };
    let default = nested(program, rest, range, &array.default)?;
    let mut map = MapValue::constant(program, &[*first], default);
    for (index, element) in &array.entries {
        let key = to_interpreter(program, *first, index)?;
        map.store(key, nested(program, rest, range, element)?).ok()?;
    }
    Some(Value::Map(Arc::new(map)))
}

/// The model's form of an interpreter's value of a type, whose sort is given. The recursion is as deep as the type.
pub(crate) fn to_model(
    (program, terms): (&Program, &Terms),
    (ty, sort): (Type, Sort),
    value: &Value,
) -> Option<ModelValue> {
    Some(match (value, &program.types[ty]) {
        (Value::Bool(value), TypeData::Bool) => ModelValue::Bool(*value),
        (Value::Int(value), TypeData::Int) => ModelValue::Int(value.to_big()),
        (Value::Real(value), TypeData::Real) => ModelValue::Real((**value).clone()),
        (Value::Bits(_), TypeData::BitVec(0)) => ModelValue::BitVec(1, 0.into()),
        (Value::Bits(bits), TypeData::BitVec(width)) => ModelValue::BitVec(*width, bits.unsigned().into()),
        (Value::Element(_, number), TypeData::Named { .. }) => ModelValue::Element(sort, *number),
        (Value::Map(map), TypeData::Map { domain, range }) => {
            model_array((program, terms), (domain, *range), sort, &map.nest(program, domain))?
        }
        _ => return None,
    })
}

/// The model's form of a nest of maps.
fn model_array(
    (program, terms): (&Program, &Terms),
    (domain, range): (&[Type], Type),
    sort: Sort,
    nest: &Value,
) -> Option<ModelValue> {
    let [first, rest @ ..] = domain else { return to_model((program, terms), (range, sort), nest) };
    let (index, inner) = terms.array_parts(sort)?;
    let map = nest.as_map()?;
    let default = model_array((program, terms), (rest, range), inner, map.default())?;
    let mut array = ArrayValue::constant(terms, index, default);
    for (key, value) in map.entries() {
        let key = to_model((program, terms), (*first, index), key)?;
        array.set(key, model_array((program, terms), (rest, range), inner, value)?);
    }
    Some(ModelValue::Array(Arc::new(array)))
}

/// An element of an uninterpreted sort.
pub(crate) type Element = (Sort, u64);

/// The term of a value of a type, whose sort is given. Elements of uninterpreted sorts become constants, and are put on
/// the list. The recursion is as deep as the type.
pub(crate) fn to_term(
    (program, terms): (&Program, &mut Terms),
    (ty, sort): (Type, Sort),
    value: &Value,
    elements: &mut BTreeSet<Element>,
) -> Option<Term> {
    Some(match (value, &program.types[ty]) {
        (Value::Bool(value), TypeData::Bool) => terms.bool(*value),
        (Value::Int(value), TypeData::Int) => terms.int(value.to_big()),
        (Value::Real(value), TypeData::Real) => terms.real((**value).clone()),
        (Value::Bits(_), TypeData::BitVec(0)) => terms.bitvec(0, 1),
        (Value::Bits(bits), TypeData::BitVec(width)) => {
            terms.bitvec(logic::Integer::from(bits.unsigned()), *width)
        }
        (Value::Element(_, number), TypeData::Named { .. }) => {
            elements.insert((sort, *number));
            element(terms, (sort, *number))
        }
        (Value::Map(map), TypeData::Map { domain, range }) => {
            let nest = map.nest(program, domain);
            array_term((program, terms), (domain, *range), sort, &nest, elements)?
        }
        _ => return None,
    })
}

/// The term of a nest of maps.
fn array_term(
    (program, terms): (&Program, &mut Terms),
    (domain, range): (&[Type], Type),
    sort: Sort,
    nest: &Value,
    elements: &mut BTreeSet<Element>,
) -> Option<Term> {
    let [first, rest @ ..] = domain else {
        return to_term((program, terms), (range, sort), nest, elements);
    };
    let (index, inner) = terms.array_parts(sort)?;
    let map = nest.as_map()?;
    let default = array_term((program, terms), (rest, range), inner, map.default(), elements)?;
    let mut result = terms.const_array(sort, default);
    for (key, value) in map.entries() {
        let key = to_term((program, terms), (*first, index), key, elements)?;
        let value = array_term((program, terms), (rest, range), inner, value, elements)?;
        result = terms.store(result, key, value);
    }
    Some(result)
}

/// The constant that stands for an element.
fn element(terms: &mut Terms, (sort, number): Element) -> Term {
    let symbol = terms.symbol(&format!("element {number} of {sort}"), sort);
    terms.constant(symbol)
}

/// That elements are different.
pub(crate) fn different(terms: &mut Terms, elements: &BTreeSet<Element>) -> Vec<Term> {
    let mut formulas = Vec::new();
    let mut rest: Vec<Element> = elements.iter().copied().collect();
    while let Some(&(sort, _)) = rest.first() {
        let (same, others): (Vec<Element>, Vec<Element>) = rest.into_iter().partition(|(of, _)| *of == sort);
        let same: Vec<Term> = same.into_iter().map(|one| element(terms, one)).collect();
        formulas.push(terms.distinct(&same));
        rest = others;
    }
    formulas
}
