//! Values of symbols and of what is read and applied, and what formulas are under them.
//!
//! The evaluation is exact where it says something, and `None` where a term is beyond it: bit-vectors, quantifiers, arrays as wholes.

use super::number::Fraction;
use logic::{Function, Integer, Model, Op, Rational, Sort, Symbol, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Terms are followed by recursion to this depth.
const DEEPEST: u32 = 200;

/// What is applied: an array that is a symbol, or a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Applied {
    Array(Symbol),
    Function(Function),
}

/// A model. What it does not mention is zero, or false.
pub(super) struct Assignment {
    symbols: FxHashMap<Symbol, Fraction>,
    /// The values of what is read and applied, by the arguments' values.
    results: FxHashMap<(Applied, Vec<(i128, i128)>), Fraction>,
}

/// Truth values are numbers here.
fn number(truth: bool) -> Fraction {
    Fraction::whole(i128::from(truth))
}

impl Assignment {
    /// The model with these numbers and truth values, if equal arguments have equal results in it.
    pub(super) fn new(
        terms: &Terms,
        numbers: impl Iterator<Item = (Term, Fraction)>,
        atoms: &FxHashMap<Term, bool>,
    ) -> Option<Assignment> {
        let mut assignment = Assignment { symbols: FxHashMap::default(), results: FxHashMap::default() };
        let mut known: FxHashMap<Term, Fraction> = FxHashMap::default();
        let mut applied: Vec<Term> = Vec::new();
        // The order of the atoms does not matter: each is about a term of its own.
        for (term, value) in numbers.chain(atoms.iter().map(|(&term, &truth)| (term, number(truth)))) {
            match terms.op(term) {
                Op::Symbol(symbol) => {
                    assignment.symbols.insert(symbol, value);
                }
                Op::Apply(_) => {
                    known.insert(term, value);
                    applied.push(term);
                }
                Op::Select if terms.as_symbol(terms.args(term)[0]).is_some() => {
                    known.insert(term, value);
                    applied.push(term);
                }
                _ => {}
            }
        }
        for term in applied {
            let mut evaluation = Evaluation { terms, assignment: &assignment, known: known.clone() };
            let key = evaluation.application(term, DEEPEST)?;
            let value = known[&term];
            if assignment.results.insert(key, value).is_some_and(|before| before != value) {
                return None;
            }
        }
        Some(assignment)
    }

    /// Are all formulas true? No, if that was not found out.
    pub(super) fn satisfies(&self, terms: &Terms, formulas: &[Term]) -> bool {
        let mut evaluation = Evaluation { terms, assignment: self, known: FxHashMap::default() };
        formulas.iter().all(|&formula| evaluation.value(formula, DEEPEST) == Some(number(true)))
    }

    /// As a model, unless it is about arrays and functions.
    pub(super) fn model(&self, terms: &Terms) -> Option<Model> {
        if !self.results.is_empty() {
            return None;
        }
        let mut model = Model::new();
        // A model has no order.
        for (&symbol, &value) in &self.symbols {
            let value = match terms.symbol_data(symbol).sort {
                Sort::BOOL => Value::Bool(!value.is_zero()),
                Sort::INT => Value::Int(Integer::from(value.to_whole()?)),
                Sort::REAL => {
                    let (numerator, denominator) = value.parts();
                    Value::Real(Rational::new(Integer::from(numerator), Integer::from(denominator)))
                }
                _ => return None,
            };
            model.set(symbol, value);
        }
        Some(model)
    }
}

struct Evaluation<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    known: FxHashMap<Term, Fraction>,
}

impl Evaluation<'_> {
    /// What is applied in a term, and to which values.
    fn application(&mut self, term: Term, depth: u32) -> Option<(Applied, Vec<(i128, i128)>)> {
        let args = self.terms.args(term);
        let (applied, args) = match self.terms.op(term) {
            Op::Apply(function) => (Applied::Function(function), args),
            _ => (Applied::Array(self.terms.as_symbol(args[0])?), &args[1..]),
        };
        let values = args.iter().map(|&argument| Some(self.value(argument, depth)?.parts()));
        Some((applied, values.collect::<Option<Vec<_>>>()?))
    }

    fn value(&mut self, term: Term, depth: u32) -> Option<Fraction> {
        if depth == 0 {
            return None;
        }
        if let Some(&known) = self.known.get(&term) {
            return Some(known);
        }
        let value = self.compute(term, depth - 1)?;
        self.known.insert(term, value);
        Some(value)
    }

    fn compute(&mut self, term: Term, depth: u32) -> Option<Fraction> {
        let terms = self.terms;
        let args = terms.args(term);
        match terms.op(term) {
            Op::True => Some(number(true)),
            Op::False => Some(number(false)),
            Op::Int(value) | Op::Real(value) => fraction(terms.number_value(value)),
            Op::Symbol(symbol) => {
                let sort = terms.symbol_data(symbol).sort;
                let default = (sort == Sort::BOOL || sort.is_arithmetic()).then_some(Fraction::ZERO)?;
                Some(self.assignment.symbols.get(&symbol).copied().unwrap_or(default))
            }
            Op::Not => Some(number(self.value(args[0], depth)?.is_zero())),
            op @ (Op::And | Op::Or) => {
                let decisive = number(op == Op::Or);
                let mut all = true;
                for &part in args {
                    match self.value(part, depth) {
                        Some(value) if value == decisive => return Some(decisive),
                        Some(_) => {}
                        None => all = false,
                    }
                }
                all.then_some(number(op == Op::And))
            }
            Op::Eq => Some(number(self.value(args[0], depth)? == self.value(args[1], depth)?)),
            Op::Ite => {
                let chosen = if self.value(args[0], depth)?.is_zero() { args[2] } else { args[1] };
                self.value(chosen, depth)
            }
            Op::Le | Op::Lt => {
                let order = self.value(args[0], depth)?.compare(self.value(args[1], depth)?)?;
                let holds = order == Ordering::Less || (order == Ordering::Equal && terms.op(term) == Op::Le);
                Some(number(holds))
            }
            Op::Add => args.iter().try_fold(Fraction::ZERO, |sum, &part| sum.plus(self.value(part, depth)?)),
            Op::Mul => args
                .iter()
                .try_fold(Fraction::whole(1), |product, &part| product.times(self.value(part, depth)?)),
            Op::Scale(factor) => self.value(args[0], depth)?.times(fraction(terms.number_value(factor))?),
            op @ (Op::Div | Op::Mod) => {
                let dividend = self.value(args[0], depth)?.to_whole()?;
                let divisor = self.value(args[1], depth)?.to_whole()?;
                let result = match op {
                    Op::Div => dividend.checked_div_euclid(divisor)?,
                    _ => dividend.checked_rem_euclid(divisor)?,
                };
                Some(Fraction::whole(result))
            }
            Op::ToReal => self.value(args[0], depth),
            Op::ToInt => Some(Fraction::whole(self.value(args[0], depth)?.floor())),
            Op::Apply(_) => self.result(term, depth),
            Op::Select => match (terms.op(args[0]), terms.args(args[0])) {
                (Op::Symbol(_), _) => self.result(term, depth),
                (Op::Store, &[array, at, value]) => {
                    if self.value(at, depth)? == self.value(args[1], depth)? {
                        return self.value(value, depth);
                    }
                    // The term that reads the rest of the array may not exist, so it is followed by hand.
                    self.read(array, args[1], depth)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What is read of an array at an index.
    fn read(&mut self, mut array: Term, index: Term, depth: u32) -> Option<Fraction> {
        let terms = self.terms;
        let index = self.value(index, depth)?;
        loop {
            match (terms.op(array), terms.args(array)) {
                (Op::Symbol(symbol), _) => {
                    let key = (Applied::Array(symbol), vec![index.parts()]);
                    return self.result_at(key, terms.array_parts(terms.sort_of(array))?.1);
                }
                (Op::Store, &[_, at, value]) if self.value(at, depth)? == index => {
                    return self.value(value, depth);
                }
                (Op::Store, &[rest, ..]) => array = rest,
                _ => return None,
            }
        }
    }

    fn result(&mut self, term: Term, depth: u32) -> Option<Fraction> {
        let key = self.application(term, depth)?;
        self.result_at(key, self.terms.sort_of(term))
    }

    fn result_at(&self, key: (Applied, Vec<(i128, i128)>), sort: Sort) -> Option<Fraction> {
        let default = (sort == Sort::BOOL || sort.is_arithmetic()).then_some(Fraction::ZERO)?;
        Some(self.assignment.results.get(&key).copied().unwrap_or(default))
    }
}

fn fraction(number: &Rational) -> Option<Fraction> {
    use num_traits::ToPrimitive as _;
    Fraction::new(number.numer().to_i128()?, number.denom().to_i128()?)
}
