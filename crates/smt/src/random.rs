//! Random terms, values and models for the property tests.
//!
//! Everything is drawn from a list of numbers, so that a failing case shrinks: an empty list gives the simplest term.

use logic::model::FunctionTable;
use logic::value::ArrayValue;
use logic::{Function, Model, Op, Quantifier, Rational, Sort, SortData, Symbol, Term, Terms, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Draws terms and values.
pub(crate) struct Random<'a> {
    choices: std::slice::Iter<'a, u8>,
    /// The sorts that occur.
    sorts: Vec<Sort>,
    element: Sort,
    functions: Vec<Function>,
}

impl<'a> Random<'a> {
    /// Draws from these numbers. All sorts that terms can have are entered into the store.
    pub(crate) fn new(terms: &mut Terms, choices: &'a [u8]) -> Random<'a> {
        let element = terms.sort(SortData::Uninterpreted("U".into()));
        let (nibble, byte) = (terms.bitvec_sort(4), terms.bitvec_sort(9));
        let map = terms.array_sort(Sort::INT, Sort::INT);
        let few = terms.array_sort(Sort::BOOL, nibble);
        let row = terms.array_sort(nibble, Sort::BOOL);
        // No array has elements of `U` as indices: Z3 may give `U` one element only, which makes more arrays equal
        // than the evaluator, for which `U` has no end, thinks.
        let nested = terms.array_sort(Sort::INT, row);
        let functions = vec![
            terms.function("f", &[Sort::INT], Sort::INT),
            terms.function("g", &[nibble, element], element),
            terms.function("h", &[Sort::REAL, Sort::BOOL], Sort::REAL),
            terms.function("p", &[Sort::INT, Sort::INT], Sort::BOOL),
        ];
        let sorts = vec![Sort::BOOL, Sort::INT, Sort::REAL, nibble, byte, element, map, few, row, nested];
        Random { choices: choices.iter(), sorts, element, functions }
    }

    /// A formula without functions, quantifiers and uninterpreted sorts.
    pub(crate) fn plain_formula(&mut self, terms: &mut Terms, depth: u32) -> Term {
        self.plain_term(terms, Sort::BOOL, depth)
    }

    /// A term without functions, quantifiers and uninterpreted sorts.
    pub(crate) fn plain_term(&mut self, terms: &mut Terms, sort: Sort, depth: u32) -> Term {
        let functions = std::mem::take(&mut self.functions);
        self.sorts[5] = Sort::INT;
        let formula = self.term(terms, sort, depth);
        self.functions = functions;
        self.sorts[5] = self.element;
        formula
    }

    /// Some of the symbols.
    pub(crate) fn some_of(&mut self, mut symbols: Vec<Symbol>) -> Vec<Symbol> {
        symbols.retain(|_| self.draw(3) < 2);
        symbols
    }

    fn draw(&mut self, below: usize) -> usize {
        usize::from(self.choices.next().copied().unwrap_or(0)) % below
    }

    /// A sort that terms can have.
    pub(crate) fn sort(&mut self) -> Sort {
        let position = self.draw(self.sorts.len());
        self.sorts[position]
    }

    fn symbol(&mut self, terms: &mut Terms, sort: Sort) -> Term {
        let number = self.draw(3);
        terms.named(&format!("x{sort}_{number}"), sort)
    }

    /// A term of a sort, at most `depth` deep.
    pub(crate) fn term(&mut self, terms: &mut Terms, sort: Sort, depth: u32) -> Term {
        if depth == 0 || self.draw(16) == 1 {
            return self.leaf(terms, sort);
        }
        let depth = depth - 1;
        match self.draw(8) {
            0 => {
                let condition = self.term(terms, Sort::BOOL, depth);
                let (then, otherwise) = (self.term(terms, sort, depth), self.term(terms, sort, depth));
                return terms.ite(condition, then, otherwise);
            }
            1 => {
                let arrays =
                    self.sorts.iter().copied().find(|&s| terms.array_parts(s).is_some_and(|p| p.1 == sort));
                if let Some(array) = arrays {
                    let (index, _) = terms.array_parts(array).expect("it was just found");
                    let (array, index) = (self.term(terms, array, depth), self.term(terms, index, depth));
                    return terms.select(array, index);
                }
            }
            2 => {
                let result = |f: &&Function| terms.function_data(**f).result == sort;
                if let Some(&function) = self.functions.iter().find(result) {
                    let parameters = terms.function_data(function).parameters.clone();
                    let arguments: Vec<Term> =
                        parameters.iter().map(|&p| self.term(terms, p, depth)).collect();
                    return terms.apply(function, &arguments);
                }
            }
            _ => {}
        }
        match *terms.sort_data(sort) {
            SortData::Bool => self.formula(terms, depth),
            SortData::Int => self.integer(terms, depth),
            SortData::Real => self.real(terms, depth),
            SortData::BitVec(width) => self.bitvec(terms, width, depth),
            SortData::Array { index, element } => {
                let (at, value) = (self.term(terms, index, depth), self.term(terms, element, depth));
                let array = self.term(terms, sort, depth);
                if self.draw(6) == 0 { terms.const_array(sort, value) } else { terms.store(array, at, value) }
            }
            SortData::Uninterpreted(_) => self.leaf(terms, sort),
        }
    }

    fn leaf(&mut self, terms: &mut Terms, sort: Sort) -> Term {
        if self.draw(2) == 0 || sort == self.element {
            return self.symbol(terms, sort);
        }
        let value = self.value(terms, sort);
        literal(terms, sort, &value)
    }

    fn formula(&mut self, terms: &mut Terms, depth: u32) -> Term {
        let choice = self.draw(12);
        if let 0..4 = choice {
            let [a, b, c] = [(); 3].map(|()| self.term(terms, Sort::BOOL, depth));
            return match choice {
                0 => terms.and([a, b, c]),
                1 => terms.or([a, b, c]),
                2 => terms.not(a),
                _ => terms.eq(a, b),
            };
        }
        // A formula without functions is to have no quantifiers either.
        if choice == 4 && !self.functions.is_empty() {
            let symbol = terms.symbol("bound", Sort::BOOL);
            let (variable, other) = (terms.constant(symbol), self.term(terms, Sort::BOOL, depth));
            let body = self.term(terms, Sort::BOOL, depth);
            let condition = terms.eq(variable, other);
            let body = terms.implies(condition, body);
            let quantifier = if self.draw(2) == 0 { Quantifier::Forall } else { Quantifier::Exists };
            return terms.quantify(quantifier, &[symbol], body, &[]);
        }
        let sort = match choice {
            5..8 => Sort::INT,
            8 => Sort::REAL,
            9 => self.sorts[3],
            10 => self.sorts[4],
            _ => self.sort(),
        };
        let (a, b) = (self.term(terms, sort, depth), self.term(terms, sort, depth));
        let choice = self.draw(4);
        match *terms.sort_data(sort) {
            SortData::Int | SortData::Real if choice > 0 => {
                if choice == 1 {
                    terms.lt(a, b)
                } else {
                    terms.le(a, b)
                }
            }
            SortData::BitVec(_) if choice > 0 => match choice {
                1 => terms.bv_ule(a, b),
                2 => terms.bv_slt(a, b),
                _ => terms.bv_sle(a, b),
            },
            _ => terms.eq(a, b),
        }
    }

    fn integer(&mut self, terms: &mut Terms, depth: u32) -> Term {
        let choice = self.draw(10);
        if choice == 0 {
            let real = self.term(terms, Sort::REAL, depth);
            return terms.to_int(real);
        } else if choice == 1 {
            let bits = self.term(terms, self.sorts[3], depth);
            return terms.bv_to_nat(bits);
        }
        let (a, b) = (self.term(terms, Sort::INT, depth), self.term(terms, Sort::INT, depth));
        let number = self.draw(9) as i64 - 4;
        match choice {
            2..5 => terms.add(&[a, b]),
            5 => terms.scaled(a, &Rational::from_integer(number.into())),
            6 => terms.sub(a, b),
            7 if self.draw(4) == 0 => terms.mul(&[a, b]),
            8 => {
                let divisor = if self.draw(4) == 0 { b } else { terms.int(number) };
                terms.div(a, divisor)
            }
            _ => {
                let divisor = if self.draw(4) == 0 { b } else { terms.int(number) };
                terms.modulo(a, divisor)
            }
        }
    }

    fn real(&mut self, terms: &mut Terms, depth: u32) -> Term {
        let choice = self.draw(6);
        if choice == 0 {
            let integer = self.term(terms, Sort::INT, depth);
            return terms.to_real(integer);
        }
        let (a, b) = (self.term(terms, Sort::REAL, depth), self.term(terms, Sort::REAL, depth));
        match choice {
            1 => terms.sub(a, b),
            2 => terms.scaled(a, &Rational::new((self.draw(7) as i64 - 3).into(), 3.into())),
            3 => {
                let divisor =
                    if self.draw(2) == 0 { terms.real(Rational::from_integer(0.into())) } else { b };
                terms.divide(a, divisor)
            }
            _ => terms.add(&[a, b]),
        }
    }

    fn bitvec(&mut self, terms: &mut Terms, width: u32, depth: u32) -> Term {
        let sort = terms.bitvec_sort(width);
        let choice = self.draw(24);
        match choice {
            0 => {
                let integer = self.term(terms, Sort::INT, depth);
                return terms.int_to_bv(width, integer);
            }
            1 if width == 4 => {
                let wide = self.term(terms, self.sorts[4], depth);
                let low = self.draw(6) as u32;
                return terms.extract(low + 3, low, wide);
            }
            1..4 if width == 9 => {
                let narrow = self.term(terms, self.sorts[3], depth);
                return match choice {
                    1 => terms.zero_extend(5, narrow),
                    2 => terms.sign_extend(5, narrow),
                    _ => {
                        let (bit, other) = (terms.bitvec(1, 1), self.term(terms, self.sorts[3], depth));
                        let high = terms.concat(other, bit);
                        terms.concat(high, narrow)
                    }
                };
            }
            _ => {}
        }
        const BINARY: [Op; 13] = [
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvSmod,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        let (a, b) = (self.term(terms, sort, depth), self.term(terms, sort, depth));
        match self.draw(BINARY.len() + 2) {
            0 => terms.bv_unary(Op::BvNeg, a),
            1 => terms.bv_unary(Op::BvNot, a),
            other => terms.bv_binary(BINARY[other - 2], a, b),
        }
    }

    /// A value of a sort.
    pub(crate) fn value(&mut self, terms: &Terms, sort: Sort) -> Value {
        let number = self.draw(13) as i64 - 6;
        match *terms.sort_data(sort) {
            SortData::Bool => Value::Bool(number > 0),
            SortData::Int if self.draw(16) == 1 => Value::Int(logic::Integer::from(number) << 70),
            SortData::Int => Value::Int(number.into()),
            SortData::Real => {
                let denominator = 1 + self.draw(3) as i64;
                Value::Real(Rational::new(number.into(), denominator.into()))
            }
            SortData::BitVec(width) => {
                let number = logic::Integer::from(self.draw(256) * 3);
                Value::BitVec(width, logic::value::bits::wrap(&number, width))
            }
            SortData::Array { index, element } => {
                let default = self.value(terms, element);
                let mut array = ArrayValue::constant(terms, index, default);
                for _ in 0..self.draw(3) {
                    let (at, value) = (self.value(terms, index), self.value(terms, element));
                    array.set(at, value);
                }
                Value::Array(Arc::new(array))
            }
            SortData::Uninterpreted(_) => Value::Element(sort, self.draw(3) as u64),
        }
    }

    /// A model of the symbols and functions of some terms.
    pub(crate) fn model(&mut self, terms: &Terms, roots: &[Term]) -> Model {
        let mut model = Model::new();
        for symbol in terms.free_symbols_of(roots) {
            let value = self.value(terms, terms.symbol_data(symbol).sort);
            model.set(symbol, value);
        }
        for function in self.functions.clone() {
            let data = terms.function_data(function);
            let mut entries = BTreeMap::new();
            for _ in 0..self.draw(3) {
                let arguments: Vec<Value> = data.parameters.iter().map(|&p| self.value(terms, p)).collect();
                entries.insert(arguments, self.value(terms, data.result));
            }
            let default = self.value(terms, data.result);
            model.set_function(function, FunctionTable { entries, default });
        }
        model
    }
}

/// The term of a value. Elements of uninterpreted sorts are symbols, which [`elements`] makes different.
pub(crate) fn literal(terms: &mut Terms, sort: Sort, value: &Value) -> Term {
    match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Int(number) => terms.int(number.clone()),
        Value::Real(number) => terms.real(number.clone()),
        Value::BitVec(width, bits) => terms.bitvec(bits.clone(), *width),
        Value::Element(_, number) => {
            let symbol = element_symbol(terms, sort, *number);
            terms.constant(symbol)
        }
        Value::Array(array) => {
            let (index, element) = terms.array_parts(sort).expect("an array has an array sort");
            let default = literal(terms, element, &array.default);
            let base = terms.const_array(sort, default);
            array.entries.iter().fold(base, |base, (at, value)| {
                let (at, value) = (literal(terms, index, at), literal(terms, element, value));
                terms.store(base, at, value)
            })
        }
    }
}

fn element_symbol(terms: &mut Terms, sort: Sort, number: u64) -> Symbol {
    terms.symbol(&format!("element{number}"), sort)
}

/// Says that the symbols of elements are different, and enters them into a model.
pub(crate) fn elements(terms: &mut Terms, model: &mut Model) -> Term {
    let sort = terms.sort(SortData::Uninterpreted("U".into()));
    let mut all = Vec::new();
    for number in 0..3 {
        let symbol = element_symbol(terms, sort, number);
        model.set(symbol, Value::Element(sort, number));
        all.push(terms.constant(symbol));
    }
    terms.distinct(&all)
}
