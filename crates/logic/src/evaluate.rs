//! The value of a term under a model. This is the meaning of terms: everything else is tested against it.
//!
//! Quantifiers are evaluated if all bound variables are Boolean; otherwise the evaluator says that it cannot.
//! It visits every distinct node once and does not recurse on the host's stack, except into quantifiers.

use crate::model::Model;
use crate::sort::{Sort, SortData};
use crate::substitute::Opened;
use crate::term::{Op, Quantifier, Term, Terms};
use crate::value::{ArrayValue, Value, bits};
use crate::{Integer, Rational};
use float::{Operation, Output};
use num_integer::Integer as _;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::Arc;

/// The evaluator met a quantifier over a large domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CannotEvaluate(pub Term);

/// The operators whose value for a zero divisor is up to the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ZeroDivision {
    /// `div` on integers.
    Div,
    /// `mod` on integers.
    Mod,
    /// `/` on reals.
    Divide,
}

/// The value of a term. `terms` only changes if a quantifier has to be opened.
pub fn evaluate(terms: &mut Terms, model: &Model, term: Term) -> Result<Value, CannotEvaluate> {
    Evaluator { model, known: FxHashMap::default() }.evaluate(terms, term)
}

/// Does the model satisfy the formula?
pub fn holds(terms: &mut Terms, model: &Model, formula: Term) -> Result<bool, CannotEvaluate> {
    Ok(evaluate(terms, model, formula)?.is_true())
}

/// Evaluates several terms under one model and remembers the values of their parts.
pub struct Evaluator<'m> {
    model: &'m Model,
    known: FxHashMap<Term, Value>,
}

impl<'m> Evaluator<'m> {
    /// Nothing is known yet.
    pub fn new(model: &'m Model) -> Evaluator<'m> {
        Evaluator { model, known: FxHashMap::default() }
    }

    /// The value of a term.
    pub fn evaluate(&mut self, terms: &mut Terms, term: Term) -> Result<Value, CannotEvaluate> {
        loop {
            match self.evaluate_plain(terms, term) {
                Ok(value) => return Ok(value),
                Err(CannotEvaluate(quantified)) => {
                    let Op::Quantified(quantifier, _) = terms.op(quantified) else {
                        unreachable!("only quantifiers are in the way")
                    };
                    let value = self.quantified(terms, quantifier, quantified)?;
                    self.known.insert(quantified, value);
                }
            }
        }
    }

    /// The value of a term, or a quantifier that is in the way.
    pub fn evaluate_plain(&mut self, terms: &Terms, term: Term) -> Result<Value, CannotEvaluate> {
        let mut pending = vec![term];
        while let Some(&top) = pending.last() {
            if self.known.contains_key(&top) {
                pending.pop();
                continue;
            }
            if let Op::Quantified(..) = terms.op(top) {
                return Err(CannotEvaluate(top));
            }
            let before = pending.len();
            pending.extend(terms.args(top).iter().filter(|&argument| !self.known.contains_key(argument)));
            if pending.len() > before {
                continue;
            }
            let arguments: Vec<Value> = terms.args(top).iter().map(|a| self.known[a].clone()).collect();
            let value = self.apply(terms, top, &arguments);
            self.known.insert(top, value);
            pending.pop();
        }
        Ok(self.known[&term].clone())
    }

    fn quantified(
        &mut self,
        terms: &mut Terms,
        quantifier: Quantifier,
        term: Term,
    ) -> Result<Value, CannotEvaluate> {
        let Opened { variables, body, .. } = terms.open(term);
        if variables.len() > 8 || variables.iter().any(|&v| terms.symbol_data(v).sort != Sort::BOOL) {
            return Err(CannotEvaluate(term));
        }
        let decisive = quantifier == Quantifier::Exists;
        for choice in 0..1u32 << variables.len() {
            let mut model = self.model.clone();
            for (i, &variable) in variables.iter().enumerate() {
                model.set(variable, Value::Bool(choice >> i & 1 == 1));
            }
            if holds(terms, &model, body)? == decisive {
                return Ok(Value::Bool(decisive));
            }
        }
        Ok(Value::Bool(!decisive))
    }

    /// The value of an operator at values.
    fn apply(&self, terms: &Terms, term: Term, arguments: &[Value]) -> Value {
        let number = |n| terms.number_value(n).clone();
        match terms.op(term) {
            Op::True => Value::Bool(true),
            Op::False => Value::Bool(false),
            Op::Int(n) => Value::Int(number(n).to_integer()),
            Op::Real(n) => Value::Real(number(n)),
            Op::BitVec(width, n) => Value::BitVec(width, number(n).to_integer()),
            Op::Symbol(symbol) => self.model.value(terms, symbol),
            Op::Bound(_) => unreachable!("quantifiers are opened before their bodies are evaluated"),
            Op::Apply(function) => match self.model.function(function) {
                Some(table) => table.get(arguments).clone(),
                None => Value::default_of(terms, terms.function_data(function).result),
            },
            Op::Not => Value::Bool(!bool_of(&arguments[0])),
            Op::And => Value::Bool(arguments.iter().all(bool_of)),
            Op::Or => Value::Bool(arguments.iter().any(bool_of)),
            Op::Eq => Value::Bool(arguments[0] == arguments[1]),
            Op::Ite => arguments[if bool_of(&arguments[0]) { 1 } else { 2 }].clone(),
            Op::Add => match &arguments[0] {
                Value::Int(_) => Value::Int(integers(arguments).sum()),
                _ => Value::Real(rationals(arguments).sum()),
            },
            Op::Mul => match &arguments[0] {
                Value::Int(_) => Value::Int(integers(arguments).product()),
                _ => Value::Real(rationals(arguments).product()),
            },
            Op::Scale(n) => match &arguments[0] {
                Value::Int(value) => Value::Int(scaled(value, terms.number_value(n))),
                value => Value::Real(rational_of(value) * terms.number_value(n)),
            },
            Op::Le => Value::Bool(order(arguments).is_le()),
            Op::Lt => Value::Bool(order(arguments).is_lt()),
            Op::Div => self.divided(terms, ZeroDivision::Div, arguments),
            Op::Mod => self.divided(terms, ZeroDivision::Mod, arguments),
            Op::Divide => self.divided(terms, ZeroDivision::Divide, arguments),
            Op::ToReal => Value::Real(rational_of(&arguments[0])),
            Op::ToInt => Value::Int(rational_of(&arguments[0]).floor().to_integer()),
            Op::Select => array_of(&arguments[0]).get(&arguments[1]).clone(),
            Op::Store => {
                let mut array = array_of(&arguments[0]).clone();
                array.set(arguments[1].clone(), arguments[2].clone());
                Value::Array(Arc::new(array))
            }
            Op::ConstArray(sort) => {
                let SortData::Array { index, .. } = *terms.sort_data(sort) else {
                    unreachable!("an array sort")
                };
                Value::Array(Arc::new(ArrayValue::constant(terms, index, arguments[0].clone())))
            }
            Op::Quantified(..) => unreachable!("quantifiers are evaluated before this"),
            Op::Float(operation) => float_operation(operation, arguments),
            op => bitvec_operator(op, arguments),
        }
    }

    fn divided(&self, terms: &Terms, operator: ZeroDivision, arguments: &[Value]) -> Value {
        let (dividend, divisor) = (rational_of(&arguments[0]), rational_of(&arguments[1]));
        if divisor.is_zero() {
            let sort = if operator == ZeroDivision::Divide { Sort::REAL } else { Sort::INT };
            return match self.model.zero_division(operator) {
                Some(table) => table.get(&arguments[..1]).clone(),
                None => Value::default_of(terms, sort),
            };
        }
        match operator {
            ZeroDivision::Div => Value::Int(euclidean(dividend.numer(), divisor.numer()).0),
            ZeroDivision::Mod => Value::Int(euclidean(dividend.numer(), divisor.numer()).1),
            ZeroDivision::Divide => Value::Real(dividend / divisor),
        }
    }
}

/// Quotient and remainder with 0 ≤ remainder < |divisor|.
pub fn euclidean(dividend: &Integer, divisor: &Integer) -> (Integer, Integer) {
    let remainder = dividend.mod_floor(&divisor.abs());
    ((dividend - &remainder) / divisor, remainder)
}

fn bool_of(value: &Value) -> bool {
    match value {
        Value::Bool(value) => *value,
        other => unreachable!("{other:?} is no truth value"),
    }
}

fn rational_of(value: &Value) -> Rational {
    match value {
        Value::Int(value) => Rational::from_integer(value.clone()),
        Value::Real(value) => value.clone(),
        other => unreachable!("{other:?} is no number"),
    }
}

fn array_of(value: &Value) -> &ArrayValue {
    match value {
        Value::Array(array) => array,
        other => unreachable!("{other:?} is no array"),
    }
}

fn bits_of(value: &Value) -> (u32, &Integer) {
    match value {
        Value::BitVec(width, value) => (*width, value),
        other => unreachable!("{other:?} is no bit-vector"),
    }
}

/// The arguments of an operation on integers. They are by far the most frequent numbers, and fractions would be reduced at every step.
fn integers(arguments: &[Value]) -> impl Iterator<Item = &Integer> {
    arguments.iter().map(|value| match value {
        Value::Int(value) => value,
        other => unreachable!("{other:?} is no integer"),
    })
}

fn rationals(arguments: &[Value]) -> impl Iterator<Item = Rational> {
    arguments.iter().map(rational_of)
}

fn scaled(value: &Integer, factor: &Rational) -> Integer {
    match factor.is_integer() {
        true => value * factor.numer(),
        false => (Rational::from_integer(value.clone()) * factor).to_integer(),
    }
}

fn order(arguments: &[Value]) -> Ordering {
    match (&arguments[0], &arguments[1]) {
        (Value::Int(left), Value::Int(right)) => left.cmp(right),
        (left, right) => rational_of(left).cmp(&rational_of(right)),
    }
}

fn float_operation(operation: Operation, arguments: &[Value]) -> Value {
    let arguments: Vec<_> = arguments.iter().map(|argument| bits_of(argument).1.magnitude()).collect();
    match operation.evaluate(&arguments) {
        Output::Truth(truth) => Value::Bool(truth),
        Output::Bits(bits) => {
            Value::BitVec(operation.shape().result.expect("bits have a width"), bits.into())
        }
    }
}

fn bitvec_operator(op: Op, arguments: &[Value]) -> Value {
    if let Op::IntToBv(width) = op {
        let Value::Int(value) = &arguments[0] else { unreachable!("an integer is converted") };
        return Value::BitVec(width, bits::wrap(value, width));
    }
    let (width, first) = bits_of(&arguments[0]);
    match op {
        Op::BvNot | Op::BvNeg => Value::BitVec(width, bits::unary(op, width, first)),
        Op::BvUle | Op::BvSle => Value::Bool(bits::compare(op, width, first, bits_of(&arguments[1]).1)),
        Op::Concat => {
            let (low_width, low) = bits_of(&arguments[1]);
            Value::BitVec(width + low_width, (first << low_width) + low)
        }
        Op::Extract { high, low } => {
            Value::BitVec(high - low + 1, bits::wrap(&(first >> low), high - low + 1))
        }
        Op::ZeroExtend(by) => Value::BitVec(width + by, first.clone()),
        Op::SignExtend(by) => Value::BitVec(width + by, bits::wrap(&bits::signed(first, width), width + by)),
        Op::BvToNat => Value::Int(first.clone()),
        _ => Value::BitVec(width, bits::binary(op, width, first, bits_of(&arguments[1]).1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_euclidean() {
        for (a, b, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (-6, 3, -2, 0)] {
            assert_eq!(euclidean(&a.into(), &b.into()), (q.into(), r.into()), "{a} by {b}");
        }
    }

    #[test]
    fn boolean_quantifiers_are_evaluated_and_integer_ones_are_not() {
        let mut terms = Terms::new();
        let (p, x) = (terms.symbol("p", Sort::BOOL), terms.symbol("x", Sort::INT));
        let (p_term, q, x_term) = (terms.constant(p), terms.named("q", Sort::BOOL), terms.constant(x));
        let either = terms.or([p_term, q]);
        let all = terms.quantify(Quantifier::Forall, &[p], either, &[]);
        let mut model = Model::new();
        assert_eq!(holds(&mut terms, &model, all), Ok(false));
        let q = terms.as_symbol(q).expect("a symbol");
        model.set(q, Value::Bool(true));
        assert_eq!(holds(&mut terms, &model, all), Ok(true));
        let zero = terms.int(0);
        let positive = terms.gt(x_term, zero);
        let some = terms.quantify(Quantifier::Exists, &[x], positive, &[]);
        assert_eq!(holds(&mut terms, &model, some), Err(CannotEvaluate(some)));
    }
}
