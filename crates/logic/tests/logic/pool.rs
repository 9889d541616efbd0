//! Random terms with their values.
//!
//! A random term is built by a straight-line program over a pool: each instruction applies one constructor to terms that
//! are there. Beside the term, the pool keeps its value under some models, computed here from the values of the arguments
//! and not by the crate's evaluator. Programs shrink well: an instruction can simply be left out.

use logic::evaluate::euclidean;
use logic::model::FunctionTable;
use logic::value::ArrayValue;
use logic::{Function, Integer, Model, Op, Rational, Sort, SortData, Symbol, Term, Terms, Value};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One constructor call: which, and on what. Numbers are taken modulo what there is.
#[derive(Clone, Copy, Debug)]
pub struct Instruction(pub u8, pub [u8; 3]);

pub fn programs(length: usize) -> impl Strategy<Value = Vec<Instruction>> {
    let instruction = any::<(u8, [u8; 3])>().prop_map(|(op, arguments)| Instruction(op, arguments));
    prop::collection::vec(instruction, 1..length)
}

/// How many models a term is evaluated under.
pub const MODELS: usize = 4;

type Values = [Value; MODELS];

pub struct Pool {
    pub terms: Terms,
    pub models: Vec<Model>,
    pub symbols: Vec<Symbol>,
    /// The terms of each sort, oldest first.
    pub known: BTreeMap<Sort, Vec<(Term, Values)>>,
    pub byte: Sort,
    pub nibble: Sort,
    pub element: Sort,
    pub row: Sort,
    pub matrix: Sort,
    pub flags: Sort,
    int_function: Function,
    element_function: Function,
    random: u64,
}

pub const SORTS: usize = 9;

impl Pool {
    /// A pool with three symbols of each sort, and models made from the seed.
    pub fn new(seed: u64) -> Pool {
        let mut terms = Terms::new();
        let (byte, nibble) = (terms.bitvec_sort(8), terms.bitvec_sort(4));
        let element = terms.sort(SortData::Uninterpreted("U".into()));
        let row = terms.array_sort(Sort::INT, Sort::INT);
        let matrix = terms.array_sort(nibble, row);
        let flags = terms.array_sort(Sort::BOOL, Sort::REAL);
        let int_function = terms.function("f", &[Sort::INT, Sort::BOOL], Sort::INT);
        let element_function = terms.function("g", &[element, row], element);
        let mut pool = Pool {
            terms,
            models: vec![Model::new(); MODELS],
            symbols: Vec::new(),
            known: BTreeMap::new(),
            byte,
            nibble,
            element,
            row,
            matrix,
            flags,
            int_function,
            element_function,
            random: seed | 1,
        };
        for sort in pool.sorts() {
            for name in ["x", "y", "z"] {
                let name = format!("{name}{}", sort.as_u32());
                let symbol = pool.terms.symbol(&name, sort);
                pool.symbols.push(symbol);
                let values: Values = std::array::from_fn(|_| pool.random_value(sort));
                for (model, value) in pool.models.iter_mut().zip(&values) {
                    model.set(symbol, value.clone());
                }
                let term = pool.terms.constant(symbol);
                pool.known.entry(sort).or_default().push((term, values));
            }
        }
        for i in 0..MODELS {
            for function in [int_function, element_function] {
                let table = pool.random_table(function);
                pool.models[i].set_function(function, table);
            }
        }
        pool
    }

    pub fn sorts(&self) -> [Sort; SORTS] {
        let Pool { byte, nibble, element, row, matrix, flags, .. } = *self;
        [Sort::BOOL, Sort::INT, Sort::REAL, byte, nibble, element, row, matrix, flags]
    }

    /// The newest term of every sort, with its values.
    pub fn newest(&self) -> Vec<(Term, Values)> {
        self.known.values().map(|known| known.last().expect("never empty").clone()).collect()
    }

    fn next(&mut self, below: u64) -> u64 {
        // Xorshift: good enough to choose small numbers, and the same everywhere.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 8) % below
    }

    pub fn random_value(&mut self, sort: Sort) -> Value {
        let small = |pool: &mut Pool| Integer::from(pool.next(9) as i64 - 4);
        match self.terms.sort_data(sort).clone() {
            SortData::Bool => Value::Bool(self.next(2) == 1),
            SortData::Int if self.next(8) == 0 => Value::Int(Integer::from(self.next(1000)) - 500),
            SortData::Int => Value::Int(small(self)),
            SortData::Real => Value::Real(Rational::new(small(self), Integer::from(self.next(3) + 1))),
            SortData::BitVec(width) => Value::BitVec(width, Integer::from(self.next(1 << width))),
            SortData::Array { index, element } => {
                let default = self.random_value(element);
                let mut array = ArrayValue::constant(&self.terms, index, default);
                for _ in 0..self.next(3) {
                    let (index, element) = (self.random_value(index), self.random_value(element));
                    array.set(index, element);
                }
                Value::Array(Arc::new(array))
            }
            SortData::Uninterpreted(_) => Value::Element(sort, self.next(3)),
        }
    }

    fn random_table(&mut self, function: Function) -> FunctionTable {
        let data = self.terms.function_data(function).clone();
        let mut table = FunctionTable { entries: BTreeMap::new(), default: self.random_value(data.result) };
        for _ in 0..self.next(4) {
            let arguments = data.parameters.iter().map(|&sort| self.random_value(sort)).collect();
            let value = self.random_value(data.result);
            table.entries.insert(arguments, value);
        }
        table
    }

    fn pick(&self, sort: Sort, choice: u8) -> (Term, Values) {
        let known = &self.known[&sort];
        // Small numbers choose new terms, so that terms get deep; the symbols stay in reach.
        let back = usize::from(choice) % known.len();
        known[known.len() - 1 - back].clone()
    }

    /// Runs a program.
    pub fn run(&mut self, program: &[Instruction]) {
        for &instruction in program {
            self.step(instruction);
        }
    }

    fn step(&mut self, Instruction(op, choices): Instruction) {
        let sort = self.sorts()[usize::from(op) % SORTS];
        let variant = op / SORTS as u8;
        let made = match sort {
            Sort::BOOL => self.make_bool(variant, choices),
            Sort::INT => self.make_int(variant, choices),
            Sort::REAL => self.make_real(variant, choices),
            _ if sort == self.byte || sort == self.nibble => self.make_bits(sort, variant, choices),
            _ => self.make_other(sort, variant, choices),
        };
        self.known.get_mut(&sort).expect("a sort of the pool").push(made);
    }

    fn map<const N: usize>(
        &self,
        arguments: [&Values; N],
        compute: impl Fn(&Model, [&Value; N]) -> Value,
    ) -> Values {
        std::array::from_fn(|i| compute(&self.models[i], arguments.map(|values| &values[i])))
    }

    fn make_bool(&mut self, variant: u8, [a, b, c]: [u8; 3]) -> (Term, Values) {
        let truth = Value::Bool;
        let [(p, pv), (q, qv), (r, rv)] = [a, b, c].map(|choice| self.pick(Sort::BOOL, choice));
        let arithmetic = if c % 2 == 0 { Sort::INT } else { Sort::REAL };
        let [(s, sv), (t, tv)] = [a, b].map(|choice| self.pick(arithmetic, choice));
        let bits = if c % 2 == 0 { self.byte } else { self.nibble };
        let [(m, mv), (n, nv)] = [a, b].map(|choice| self.pick(bits, choice));
        let terms = &mut self.terms;
        match variant % 14 {
            0 => (terms.not(p), self.map([&pv], |_, [p]| truth(!p.is_true()))),
            1 => (
                terms.and([p, q, r]),
                self.map([&pv, &qv, &rv], |_, all| truth(all.iter().all(|v| v.is_true()))),
            ),
            2 => (
                terms.or([p, q, r]),
                self.map([&pv, &qv, &rv], |_, all| truth(all.iter().any(|v| v.is_true()))),
            ),
            3 => (terms.implies(p, q), self.map([&pv, &qv], |_, [p, q]| truth(!p.is_true() || q.is_true()))),
            4 => (terms.eq(p, q), self.map([&pv, &qv], |_, [p, q]| truth(p == q))),
            5 => self.make_ite(Sort::BOOL, [a, b, c]),
            6 => (terms.le(s, t), self.map([&sv, &tv], |_, [s, t]| truth(s <= t))),
            7 => (terms.lt(s, t), self.map([&sv, &tv], |_, [s, t]| truth(s < t))),
            8 => (terms.ge(s, t), self.map([&sv, &tv], |_, [s, t]| truth(s >= t))),
            9 => {
                let sort = self.sorts()[usize::from(c) % SORTS];
                let [(s, sv), (t, tv)] = [a, b].map(|choice| self.pick(sort, choice));
                (self.terms.eq(s, t), self.map([&sv, &tv], |_, [s, t]| truth(s == t)))
            }
            10 => (terms.bv_ule(m, n), self.map([&mv, &nv], |_, [m, n]| truth(m <= n))),
            11 => (terms.bv_ult(m, n), self.map([&mv, &nv], |_, [m, n]| truth(m < n))),
            12 => (terms.bv_sle(m, n), self.map([&mv, &nv], |_, [m, n]| truth(signed(m) <= signed(n)))),
            _ => (terms.bv_slt(m, n), self.map([&mv, &nv], |_, [m, n]| truth(signed(m) < signed(n)))),
        }
    }

    fn make_ite(&mut self, sort: Sort, [a, b, c]: [u8; 3]) -> (Term, Values) {
        let (p, pv) = self.pick(Sort::BOOL, a);
        let [(s, sv), (t, tv)] = [b, c].map(|choice| self.pick(sort, choice));
        let chosen =
            self.map([&pv, &sv, &tv], |_, [p, s, t]| if p.is_true() { s.clone() } else { t.clone() });
        (self.terms.ite(p, s, t), chosen)
    }

    fn make_int(&mut self, variant: u8, [a, b, c]: [u8; 3]) -> (Term, Values) {
        let [(x, xv), (y, yv), (z, zv)] = [a, b, c].map(|choice| self.pick(Sort::INT, choice));
        let small = i64::from(c % 9) - 4;
        let (p, pv) = self.pick(Sort::BOOL, b);
        let (u, uv) = self.pick(Sort::REAL, a);
        let (m, mv) = self.pick(self.byte, a);
        let (array, av) = self.pick(self.row, a);
        let function = self.int_function;
        let terms = &mut self.terms;
        match variant % 13 {
            0 | 1 => (
                terms.add(&[x, y, z]),
                self.map([&xv, &yv, &zv], |_, [x, y, z]| int(num(x) + num(y) + num(z))),
            ),
            2 => (terms.sub(x, y), self.map([&xv, &yv], |_, [x, y]| int(num(x) - num(y)))),
            3 => (terms.mul(&[x, y]), self.map([&xv, &yv], |_, [x, y]| int(num(x) * num(y)))),
            4 => {
                let factor = Rational::from_integer(small.into());
                (terms.scaled(x, &factor), self.map([&xv], |_, [x]| int(num(x) * small)))
            }
            5 => (terms.int(small), std::array::from_fn(|_| int(small.into()))),
            6 => {
                let (by, byv) = (terms.int(small), int(small.into()));
                (terms.div(x, by), self.map([&xv], |_, [x]| int(divided(x, &byv).0)))
            }
            7 => {
                let (by, byv) = (terms.int(small), int(small.into()));
                (terms.modulo(x, by), self.map([&xv], |_, [x]| int(divided(x, &byv).1)))
            }
            8 if c % 2 == 0 => (terms.div(x, y), self.map([&xv, &yv], |_, [x, y]| int(divided(x, y).0))),
            8 => (terms.modulo(x, y), self.map([&xv, &yv], |_, [x, y]| int(divided(x, y).1))),
            9 => self.make_ite(Sort::INT, [a, b, c]),
            10 => (terms.to_int(u), self.map([&uv], |_, [u]| int(fraction(u).floor().to_integer()))),
            11 if c % 2 == 0 => (terms.bv_to_nat(m), self.map([&mv], |_, [m]| int(unsigned(m).into()))),
            11 => (terms.select(array, y), self.map([&av, &yv], |_, [a, y]| element_at(a, y))),
            _ => {
                let applied = terms.apply(function, &[x, p]);
                let value = |model: &Model, [x, p]: [&Value; 2]| {
                    model.function(function).expect("it was set").get(&[x.clone(), p.clone()]).clone()
                };
                (applied, self.map([&xv, &pv], value))
            }
        }
    }

    fn make_real(&mut self, variant: u8, [a, b, c]: [u8; 3]) -> (Term, Values) {
        let [(u, uv), (v, vv)] = [a, b].map(|choice| self.pick(Sort::REAL, choice));
        let (x, xv) = self.pick(Sort::INT, a);
        let (flags, fv) = self.pick(self.flags, a);
        let (p, pv) = self.pick(Sort::BOOL, b);
        let small = Rational::new((i64::from(c % 9) - 4).into(), (i64::from(b % 3) + 1).into());
        let terms = &mut self.terms;
        match variant % 9 {
            0 => {
                (terms.add(&[u, v]), self.map([&uv, &vv], |_, [u, v]| Value::Real(fraction(u) + fraction(v))))
            }
            1 => (terms.sub(u, v), self.map([&uv, &vv], |_, [u, v]| Value::Real(fraction(u) - fraction(v)))),
            2 => {
                (terms.mul(&[u, v]), self.map([&uv, &vv], |_, [u, v]| Value::Real(fraction(u) * fraction(v))))
            }
            3 => (terms.scaled(u, &small), self.map([&uv], |_, [u]| Value::Real(fraction(u) * &small))),
            4 => (terms.real(small.clone()), std::array::from_fn(|_| Value::Real(small.clone()))),
            5 => {
                let quotient = |_: &Model, [u, v]: [&Value; 2]| {
                    let zero = fraction(v) == Rational::from_integer(0.into());
                    Value::Real(if zero { fraction(v) } else { fraction(u) / fraction(v) })
                };
                (terms.divide(u, v), self.map([&uv, &vv], quotient))
            }
            6 => self.make_ite(Sort::REAL, [a, b, c]),
            7 => (terms.to_real(x), self.map([&xv], |_, [x]| Value::Real(Rational::from_integer(num(x))))),
            _ => (terms.select(flags, p), self.map([&fv, &pv], |_, [f, p]| element_at(f, p))),
        }
    }

    fn make_bits(&mut self, sort: Sort, variant: u8, [a, b, c]: [u8; 3]) -> (Term, Values) {
        let [(m, mv), (n, nv)] = [a, b].map(|choice| self.pick(sort, choice));
        let (byte, nibble) = (self.byte, self.nibble);
        let width: u32 = if sort == byte { 8 } else { 4 };
        let wrap = move |value: i64| Value::BitVec(width, Integer::from(value.rem_euclid(1 << width)));
        let (x, xv) = self.pick(Sort::INT, a);
        let ops = [
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
        match variant % 8 {
            0..=2 => {
                let op = ops[usize::from(c) % ops.len()];
                let value = |_: &Model, [m, n]: [&Value; 2]| wrap(bits_operation(op, width, m, n));
                (self.terms.bv_binary(op, m, n), self.map([&mv, &nv], value))
            }
            3 if c % 3 == 0 => {
                (self.terms.bv_unary(Op::BvNot, m), self.map([&mv], |_, [m]| wrap(!unsigned(m))))
            }
            3 if c % 3 == 1 => {
                (self.terms.bv_unary(Op::BvNeg, m), self.map([&mv], |_, [m]| wrap(-unsigned(m))))
            }
            3 => (self.terms.bv_sub(m, n), self.map([&mv, &nv], |_, [m, n]| wrap(unsigned(m) - unsigned(n)))),
            4 => {
                let literal = i64::from(c);
                (self.terms.bitvec(literal, width), std::array::from_fn(|_| wrap(literal)))
            }
            5 => self.make_ite(sort, [a, b, c]),
            6 => {
                let value = |_: &Model, [x]: [&Value; 1]| {
                    let rest = num(x) % Integer::from(1 << width);
                    wrap(i64::try_from(rest).expect("small"))
                };
                (self.terms.int_to_bv(width, x), self.map([&xv], value))
            }
            _ if sort == byte => {
                let [(m, mv), (n, nv)] = [a, b].map(|choice| self.pick(nibble, choice));
                match c % 3 {
                    0 => {
                        let value = |_: &Model, [m, n]: [&Value; 2]| wrap(unsigned(m) * 16 + unsigned(n));
                        (self.terms.concat(m, n), self.map([&mv, &nv], value))
                    }
                    1 => (self.terms.zero_extend(4, m), self.map([&mv], |_, [m]| wrap(unsigned(m)))),
                    _ => (self.terms.sign_extend(4, m), self.map([&mv], |_, [m]| wrap(signed(m)))),
                }
            }
            _ => {
                let (m, mv) = self.pick(byte, a);
                let low = u32::from(c) % 5;
                (self.terms.extract(low + 3, low, m), self.map([&mv], |_, [m]| wrap(unsigned(m) >> low)))
            }
        }
    }

    fn make_other(&mut self, sort: Sort, variant: u8, [a, b, c]: [u8; 3]) -> (Term, Values) {
        if variant.is_multiple_of(3) {
            return self.make_ite(sort, [a, b, c]);
        }
        let Some((index, element)) = self.terms.array_parts(sort) else {
            let function = self.element_function;
            let [(e, ev), (r, rv)] = [self.pick(self.element, a), self.pick(self.row, b)];
            let value = |model: &Model, [e, r]: [&Value; 2]| {
                model.function(function).expect("it was set").get(&[e.clone(), r.clone()]).clone()
            };
            return (self.terms.apply(function, &[e, r]), self.map([&ev, &rv], value));
        };
        let [(array, av), (at, iv), (value, vv)] =
            [self.pick(sort, a), self.pick(index, b), self.pick(element, c)];
        if sort == self.row && variant % 6 == 1 {
            let (matrix, mv) = self.pick(self.matrix, a);
            let (at, iv) = self.pick(self.nibble, b);
            return (self.terms.select(matrix, at), self.map([&mv, &iv], |_, [m, i]| element_at(m, i)));
        }
        if variant % 9 == 2 {
            let constant = |_: &Model, [v]: [&Value; 1]| {
                Value::Array(Arc::new(ArrayValue::constant(&self.terms, index, v.clone())))
            };
            let values = self.map([&vv], constant);
            return (self.terms.const_array(sort, value), values);
        }
        let written = |_: &Model, [array, at, value]: [&Value; 3]| {
            let Value::Array(array) = array else { panic!("{array:?} is no array") };
            let mut array = (**array).clone();
            array.set(at.clone(), value.clone());
            Value::Array(Arc::new(array))
        };
        (self.terms.store(array, at, value), self.map([&av, &iv, &vv], written))
    }
}

fn int(value: Integer) -> Value {
    Value::Int(value)
}

fn num(value: &Value) -> Integer {
    let Value::Int(value) = value else { panic!("{value:?} is no integer") };
    value.clone()
}

fn fraction(value: &Value) -> Rational {
    let Value::Real(value) = value else { panic!("{value:?} is no real") };
    value.clone()
}

fn element_at(array: &Value, index: &Value) -> Value {
    let Value::Array(array) = array else { panic!("{array:?} is no array") };
    array.get(index).clone()
}

fn unsigned(value: &Value) -> i64 {
    let Value::BitVec(_, value) = value else { panic!("{value:?} is no bit-vector") };
    i64::try_from(value).expect("small")
}

fn signed(value: &Value) -> i64 {
    let Value::BitVec(width, _) = value else { panic!("{value:?} is no bit-vector") };
    let (value, half) = (unsigned(value), 1 << (width - 1));
    if value >= half { value - 2 * half } else { value }
}

/// Euclidean division; what the models say about zero is zero.
fn divided(dividend: &Value, divisor: &Value) -> (Integer, Integer) {
    if num(divisor) == 0.into() { (0.into(), 0.into()) } else { euclidean(&num(dividend), &num(divisor)) }
}

fn bits_operation(op: Op, width: u32, left: &Value, right: &Value) -> i64 {
    let (m, n) = (unsigned(left), unsigned(right));
    let (sm, sn) = (signed(left), signed(right));
    let shift = |shifted: fn(i64, i64) -> i64, value: i64, out: i64| {
        if n < i64::from(width) { shifted(value, n) } else { out }
    };
    match op {
        Op::BvAnd => m & n,
        Op::BvOr => m | n,
        Op::BvXor => m ^ n,
        Op::BvAdd => m + n,
        Op::BvMul => m * n,
        Op::BvUdiv => m.checked_div(n).unwrap_or(-1),
        Op::BvUrem => m.checked_rem(n).unwrap_or(m),
        Op::BvSdiv => sm.checked_div(sn).unwrap_or(if sm < 0 { 1 } else { -1 }),
        Op::BvSrem => sm.checked_rem(sn).unwrap_or(sm),
        Op::BvSmod if sn == 0 => sm,
        Op::BvSmod => (sm % sn + sn) % sn,
        Op::BvShl => shift(|v, n| v << n, m, 0),
        Op::BvLshr => shift(|v, n| v >> n, m, 0),
        Op::BvAshr => shift(|v, n| v >> n, sm, if sm < 0 { -1 } else { 0 }),
        _ => panic!("{op:?} is no binary operator of bit-vectors"),
    }
}
