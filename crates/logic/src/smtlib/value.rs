//! Values as solvers print them, for example in the answer to `get-value`.
//!
//! Read are literals, quotients and negations of them, arrays as writes to a constant array, names of elements of
//! uninterpreted sorts, and `let`s around these. Anything else (`lambda`, `as-array`, irrational numbers) is an error.
//! Recursion is on the nesting of sorts only.

use super::names::decode;
use super::parse_term::{decimal, integer};
use super::sexpr::{Document, Error, Node, Sexpr};
use crate::sort::{Sort, SortData};
use crate::term::Terms;
use crate::value::{ArrayValue, Value, bits};
use crate::{Integer, Rational};
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The elements of uninterpreted sorts that have appeared by name. One name is one element, through all answers that
/// are read with the same table.
#[derive(Clone, Default, Debug)]
pub struct Elements {
    known: FxHashMap<(Sort, String), u64>,
    counts: FxHashMap<Sort, u64>,
}

impl Elements {
    /// None has appeared yet.
    pub fn new() -> Elements {
        Elements::default()
    }

    fn element(&mut self, sort: Sort, name: String) -> Value {
        let count = self.counts.entry(sort).or_insert(0);
        let element = *self.known.entry((sort, name)).or_insert_with(|| {
            let next = *count;
            *count += 1;
            next
        });
        Value::Element(sort, element)
    }
}

/// Reads the answer to `get-value`: a list of pairs of a term and its value. `sorts` are those of the terms that were
/// asked for, in order.
pub fn get_value_answer(
    terms: &Terms,
    elements: &mut Elements,
    sorts: &[Sort],
    text: &str,
) -> Result<Vec<Value>, Error> {
    let document = Document::read(text)?;
    let pairs = match document.roots() {
        &[root] => document.list(root),
        _ => None,
    };
    let Some(pairs) = pairs.filter(|pairs| pairs.len() == sorts.len()) else {
        let message = format!("a list of {} pairs is expected here", sorts.len());
        return Err(Error { at: base::LineColumn { line: 1, column: 1 }, message });
    };
    let mut values = Vec::with_capacity(pairs.len());
    for (&pair, &sort) in pairs.iter().zip(sorts) {
        let Some(&[_, value]) = document.list(pair) else {
            return Err(document.error(pair, "a term and its value are expected here"));
        };
        values.push(read(terms, elements, &document, value, sort)?);
    }
    Ok(values)
}

/// The value of a sort that a node denotes.
pub fn read(
    terms: &Terms,
    elements: &mut Elements,
    document: &Document<'_>,
    node: Node,
    sort: Sort,
) -> Result<Value, Error> {
    ValueReader { terms, elements, document, bindings: Vec::new() }.value(Closure { node, scope: 0 }, sort)
}

/// A node together with the `let` bindings that are in force there.
#[derive(Clone, Copy)]
struct Closure {
    node: Node,
    /// One more than the position of the innermost binding; 0 if there is none.
    scope: usize,
}

struct Binding<'d> {
    name: &'d str,
    definition: Closure,
    /// The next binding outwards, as in [`Closure::scope`].
    outer: usize,
}

struct ValueReader<'r, 'd> {
    terms: &'r Terms,
    elements: &'r mut Elements,
    document: &'d Document<'d>,
    bindings: Vec<Binding<'d>>,
}

impl ValueReader<'_, '_> {
    fn wrong<T>(&self, closure: Closure, what: &str) -> Result<T, Error> {
        Err(self.document.error(closure.node, format!("{what} is expected here")))
    }

    /// Goes into `let`s and through names that they bind.
    fn resolve(&mut self, mut closure: Closure) -> Result<Closure, Error> {
        loop {
            match self.document.get(closure.node) {
                Sexpr::List(&[keyword, list, body]) if self.document.symbol(keyword) == Some("let") => {
                    let outside = closure.scope;
                    for &binding in self.document.list(list).unwrap_or(&[]) {
                        let pair = match self.document.list(binding) {
                            Some(&[name, node]) => self.document.symbol(name).map(|name| (name, node)),
                            _ => None,
                        };
                        let Some((name, node)) = pair else {
                            return Err(self.document.error(binding, "a binding is expected here"));
                        };
                        let definition = Closure { node, scope: outside };
                        self.bindings.push(Binding { name, definition, outer: closure.scope });
                        closure.scope = self.bindings.len();
                    }
                    closure.node = body;
                }
                Sexpr::Symbol(name) => match self.lookup(name, closure.scope) {
                    Some(definition) => closure = definition,
                    None => return Ok(closure),
                },
                _ => return Ok(closure),
            }
        }
    }

    fn lookup(&self, name: &str, mut scope: usize) -> Option<Closure> {
        while scope > 0 {
            let binding = &self.bindings[scope - 1];
            if binding.name == name {
                return Some(binding.definition);
            }
            scope = binding.outer;
        }
        None
    }

    fn value(&mut self, closure: Closure, sort: Sort) -> Result<Value, Error> {
        let closure = self.resolve(closure)?;
        let sexpr = self.document.get(closure.node);
        match *self.terms.sort_data(sort) {
            SortData::Bool => match sexpr {
                Sexpr::Symbol("true") => Ok(Value::Bool(true)),
                Sexpr::Symbol("false") => Ok(Value::Bool(false)),
                _ => self.wrong(closure, "a truth value"),
            },
            SortData::Int => match self.rational(closure)? {
                number if number.is_integer() => Ok(Value::Int(number.to_integer())),
                _ => self.wrong(closure, "an integer"),
            },
            SortData::Real => self.rational(closure).map(Value::Real),
            SortData::BitVec(width) => match self.bits(sexpr) {
                Some((found, value)) if found == width => Ok(Value::BitVec(width, bits::wrap(&value, width))),
                _ => self.wrong(closure, &format!("a bit-vector of {width} bits")),
            },
            SortData::Array { index, element } => self.array(closure, index, element),
            SortData::Uninterpreted(_) => {
                let name = match sexpr {
                    Sexpr::Symbol(name) => Some(name),
                    Sexpr::List(&[keyword, name, _]) if self.document.symbol(keyword) == Some("as") => {
                        self.document.symbol(name)
                    }
                    _ => None,
                };
                match name {
                    Some(name) => Ok(self.elements.element(sort, decode(name))),
                    None => self.wrong(closure, "the name of an element"),
                }
            }
        }
    }

    fn array(&mut self, mut closure: Closure, index: Sort, element: Sort) -> Result<Value, Error> {
        let mut writes: Vec<(Value, Value)> = Vec::new();
        loop {
            closure = self.resolve(closure)?;
            let scope = closure.scope;
            let inside = |node: Node| Closure { node, scope };
            match self.document.list(closure.node) {
                Some(&[store, array, at, value]) if self.document.symbol(store) == Some("store") => {
                    writes.push((self.value(inside(at), index)?, self.value(inside(value), element)?));
                    closure = inside(array);
                }
                Some(&[head, value]) if self.is_const(head) => {
                    let default = self.value(inside(value), element)?;
                    let mut array = ArrayValue::constant(self.terms, index, default);
                    for (at, value) in writes.into_iter().rev() {
                        array.set(at, value);
                    }
                    return Ok(Value::Array(Arc::new(array)));
                }
                _ => return self.wrong(closure, "an array built of writes to a constant one"),
            }
        }
    }

    fn is_const(&self, head: Node) -> bool {
        match self.document.list(head) {
            Some(&[keyword, name, _]) => {
                self.document.symbol(keyword) == Some("as") && self.document.symbol(name) == Some("const")
            }
            _ => false,
        }
    }

    fn bits(&self, sexpr: Sexpr<'_>) -> Option<(u32, Integer)> {
        match sexpr {
            Sexpr::Hexadecimal(digits) => {
                Some((u32::try_from(digits.len()).ok()?.checked_mul(4)?, integer(digits, 16)))
            }
            Sexpr::Binary(digits) => Some((u32::try_from(digits.len()).ok()?, integer(digits, 2))),
            Sexpr::List(&[keyword, name, width]) if self.document.symbol(keyword) == Some("_") => {
                let digits = self.document.symbol(name)?.strip_prefix("bv")?;
                match self.document.get(width) {
                    Sexpr::Numeral(width) => Some((width.parse().ok()?, digits.parse().ok()?)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A number, negated any number of times, or a quotient of two such numbers.
    fn rational(&mut self, closure: Closure) -> Result<Rational, Error> {
        let (negative, closure) = self.signs(closure)?;
        let scope = closure.scope;
        let absolute = match self.document.get(closure.node) {
            Sexpr::List(&[slash, dividend, divisor]) if self.document.symbol(slash) == Some("/") => {
                let [dividend, divisor] =
                    [dividend, divisor].map(|node| self.signed_number(Closure { node, scope }));
                let (dividend, divisor) = (dividend?, divisor?);
                if divisor.is_zero() {
                    return self.wrong(closure, "a quotient by something other than zero");
                }
                dividend / divisor
            }
            _ => self.number(closure)?,
        };
        Ok(if negative { -absolute } else { absolute })
    }

    fn signed_number(&mut self, closure: Closure) -> Result<Rational, Error> {
        let (negative, closure) = self.signs(closure)?;
        let absolute = self.number(closure)?;
        Ok(if negative { -absolute } else { absolute })
    }

    /// Goes through negations and `to_real`, and says whether the number of negations is odd.
    fn signs(&mut self, closure: Closure) -> Result<(bool, Closure), Error> {
        let mut negative = false;
        let mut closure = self.resolve(closure)?;
        while let Some(&[head, node]) = self.document.list(closure.node) {
            match self.document.symbol(head) {
                Some("-") => negative = !negative,
                Some("to_real") => {}
                _ => break,
            }
            closure = self.resolve(Closure { node, scope: closure.scope })?;
        }
        Ok((negative, closure))
    }

    fn number(&self, closure: Closure) -> Result<Rational, Error> {
        match self.document.get(closure.node) {
            Sexpr::Numeral(digits) => Ok(Rational::from_integer(integer(digits, 10))),
            Sexpr::Decimal(digits) => Ok(decimal(digits)),
            _ => self.wrong(closure, "a number"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(sorts: &[SortData], text: &str) -> Result<Vec<Value>, String> {
        let mut terms = Terms::new();
        let sorts: Vec<Sort> = sorts.iter().map(|data| terms.sort(data.clone())).collect();
        get_value_answer(&terms, &mut Elements::new(), &sorts, text).map_err(|error| error.to_string())
    }

    #[test]
    fn literals_are_read() {
        let real = |n: i64, d: i64| Value::Real(Rational::new(n.into(), d.into()));
        let cases = [
            (SortData::Bool, "true", Value::Bool(true)),
            (SortData::Int, "(- 12)", Value::Int((-12).into())),
            (SortData::Real, "(- (/ 1.0 3.0))", real(-1, 3)),
            (SortData::Real, "(/ (- 1) 3)", real(-1, 3)),
            (SortData::Real, "2.50", real(5, 2)),
            (SortData::BitVec(8), "#xfe", Value::BitVec(8, 254.into())),
            (SortData::BitVec(3), "#b101", Value::BitVec(3, 5.into())),
            (SortData::BitVec(3), "(_ bv5 3)", Value::BitVec(3, 5.into())),
            (SortData::Int, "(let ((a 1) (b 2)) (let ((a b) (b a)) (- a)))", Value::Int((-2).into())),
        ];
        for (sort, text, value) in cases {
            assert_eq!(values(&[sort], &format!("((t {text}))")), Ok(vec![value]), "{text}");
        }
    }

    #[test]
    fn arrays_and_elements_are_read() {
        let mut terms = Terms::new();
        let element = terms.sort(SortData::Uninterpreted("U".into()));
        let array = terms.array_sort(element, Sort::INT);
        let text = "((a (let ((c ((as const (Array U Int)) 7))) (store (store c U!val!1 1) U!val!0 2)))
                     (x U!val!1) (y (as U!val!0 U)) (z (as @other U)))";
        let mut elements = Elements::new();
        let found = get_value_answer(&terms, &mut elements, &[array, element, element, element], text)
            .expect("well-formed");
        let Value::Array(array) = &found[0] else { panic!("no array: {found:?}") };
        let at = |index: &Value| array.get(index).clone();
        assert_eq!(
            [at(&found[1]), at(&found[2]), at(&found[3])],
            [1, 2, 7].map(|n: i64| Value::Int(n.into()))
        );
    }

    #[test]
    fn what_is_no_value_is_an_error_with_a_place() {
        let cases = [
            (SortData::Int, "((t x))", "1:5: a number is expected here"),
            (SortData::Int, "((t 1.5))", "1:5: an integer is expected here"),
            (SortData::Bool, "((t 1))", "1:5: a truth value is expected here"),
            (SortData::BitVec(4), "((t #b1))", "1:5: a bit-vector of 4 bits is expected here"),
            (
                SortData::Real,
                "((t (/ 1 0)))",
                "1:5: a quotient by something other than zero is expected here",
            ),
            (SortData::Int, "((t))", "1:2: a term and its value are expected here"),
            (SortData::Int, "(error \"no\")", "1:1: a list of 1 pairs is expected here"),
            (SortData::Int, "((t (- ", "1:5: this `(` is never closed"),
        ];
        for (sort, text, message) in cases {
            assert_eq!(values(&[sort], text), Err(message.to_owned()), "{text}");
        }
    }
}
