//! Random formulas over a few integer, real and Boolean variables, dense enough that their atoms have to do with each
//! other.

use logic::{Integer, Model, Rational, Sort, Symbol, Term, Terms, Value};
use proptest::prelude::*;

/// How a formula is built.
#[derive(Clone, Debug)]
pub enum Formula {
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    Boolean(usize),
    /// `Σ cᵢ·xᵢ ⋈ c`.
    Compare(Relation, [i64; 3], i64),
    /// `Σ cᵢ·xᵢ ≡ c` modulo something; an equation on reals.
    Congruent([i64; 3], i64, i64),
}

#[derive(Clone, Copy, Debug)]
pub enum Relation {
    Le,
    Lt,
    Eq,
    Ne,
}

/// Formulas with coefficients up to `coefficient` and about `size` atoms.
pub fn formulas(coefficient: i64, size: u32) -> impl Strategy<Value = Formula> {
    let coefficients = prop::array::uniform3(prop_oneof![2 => Just(0), 3 => -coefficient..=coefficient]);
    let relation = prop::sample::select(vec![Relation::Le, Relation::Lt, Relation::Eq, Relation::Ne]);
    let atom = prop_oneof![
        6 => (relation, coefficients.clone(), -5i64..=5).prop_map(|(r, cs, c)| Formula::Compare(r, cs, c)),
        1 => (coefficients, 2i64..=4, 0i64..=3).prop_map(|(cs, m, r)| Formula::Congruent(cs, m, r)),
        2 => (0usize..2).prop_map(Formula::Boolean),
    ];
    let formula = atom.prop_recursive(3, size, 4, |inner| {
        let several = prop::collection::vec(inner.clone(), 2..5);
        prop_oneof![
            4 => several.clone().prop_map(Formula::And),
            3 => several.prop_map(Formula::Or),
            1 => inner.clone().prop_map(|f| Formula::Not(Box::new(f))),
            1 => (inner.clone(), inner).prop_map(|(f, g)| Formula::Iff(Box::new(f), Box::new(g))),
        ]
    });
    prop::collection::vec(formula, 1..4).prop_map(Formula::And)
}

/// Three numbers and two truth values.
pub struct Variables {
    pub sort: Sort,
    pub numbers: [Symbol; 3],
    pub booleans: [Symbol; 2],
}

impl Variables {
    pub fn new(terms: &mut Terms, sort: Sort) -> Variables {
        Variables {
            sort,
            numbers: ["x", "y", "z"].map(|name| terms.symbol(name, sort)),
            booleans: ["p", "q"].map(|name| terms.symbol(name, Sort::BOOL)),
        }
    }

    fn sum(&self, terms: &mut Terms, coefficients: [i64; 3]) -> Term {
        let summands: Vec<Term> = self
            .numbers
            .iter()
            .zip(coefficients)
            .map(|(&symbol, coefficient)| {
                let variable = terms.constant(symbol);
                terms.scaled(variable, &Rational::from_integer(coefficient.into()))
            })
            .collect();
        terms.add(&summands)
    }

    pub fn term(&self, terms: &mut Terms, formula: &Formula) -> Term {
        match formula {
            Formula::And(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| self.term(terms, part)).collect();
                terms.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| self.term(terms, part)).collect();
                terms.or(parts)
            }
            Formula::Not(part) => {
                let part = self.term(terms, part);
                terms.not(part)
            }
            Formula::Iff(left, right) => {
                let (left, right) = (self.term(terms, left), self.term(terms, right));
                terms.eq(left, right)
            }
            Formula::Boolean(i) => terms.constant(self.booleans[*i]),
            Formula::Compare(relation, coefficients, constant) => {
                let sum = self.sum(terms, *coefficients);
                let constant = terms.numeral(Rational::from_integer((*constant).into()), self.sort);
                match relation {
                    Relation::Le => terms.le(sum, constant),
                    Relation::Lt => terms.lt(sum, constant),
                    Relation::Eq => terms.eq(sum, constant),
                    Relation::Ne => {
                        let equal = terms.eq(sum, constant);
                        terms.not(equal)
                    }
                }
            }
            Formula::Congruent(coefficients, modulus, rest) => {
                let sum = self.sum(terms, *coefficients);
                let rest_term = terms.numeral(Rational::from_integer((*rest).into()), self.sort);
                if self.sort == Sort::REAL {
                    return terms.eq(sum, rest_term);
                }
                let (modulus, rest) = (terms.int(*modulus), terms.int(rest % modulus));
                let remainder = terms.modulo(sum, modulus);
                terms.eq(remainder, rest)
            }
        }
    }

    /// A model; real numbers are halves.
    pub fn model(&self, numbers: [i64; 3], booleans: [bool; 2]) -> Model {
        let mut model = Model::new();
        for (&symbol, number) in self.numbers.iter().zip(numbers) {
            model.set(symbol, self.number(number));
        }
        for (&symbol, truth) in self.booleans.iter().zip(booleans) {
            model.set(symbol, Value::Bool(truth));
        }
        model
    }

    /// The value that a small number stands for: itself, or as many halves.
    pub fn number(&self, number: i64) -> Value {
        if self.sort == Sort::INT {
            Value::Int(number.into())
        } else {
            Value::Real(Rational::new(number.into(), Integer::from(2)))
        }
    }
}
