//! Model-based projection of a conjunction of literals.
//!
//! Given literals that a model satisfies, projection finds literals without the variables that the model satisfies too and
//! that imply that *some* values of the variables satisfy the given ones. It does what the exact rules do as far as they
//! go, and lets the model choose where they would branch: which remainders, which of two indices is smaller, which bound
//! is the tightest ([`bounds`](super::bounds)). For one conjunction there are finitely many results, which is why the loop
//! around it can end.

use super::array::{self, Occurrences, Replaced, Written};
use super::constraint::divisibility;
use super::implicant::{implicant, mentions_any};
use super::split::{innermost, replaced};
use super::{arithmetic, bounds, equality};
use crate::evaluate::{evaluate, holds};
use crate::model::Model;
use crate::sort::Sort;
use crate::substitute::Substitution;
use crate::symbol::Symbol;
use crate::term::{Op, Term, Terms};
use crate::value::Value;
use num_traits::Signed;
use rustc_hash::FxHashMap;

/// How many more literals than before an exact step may leave.
const GROWTH: usize = 4;

/// This variable, one of those given, cannot be projected.
pub(super) struct Stuck(pub(super) Symbol);

/// Literals that hold in a model, and the variables to be projected away.
struct Cube<'t> {
    terms: &'t mut Terms,
    model: Model,
    literals: Vec<Term>,
    variables: Vec<Symbol>,
    /// For variables that were introduced on the way: the given variable that they come from.
    origin: FxHashMap<Symbol, Symbol>,
}

/// Literals without the variables that hold in the model and imply that the formulas hold for some values of the variables.
/// The model must satisfy the formulas.
pub(super) fn project(
    terms: &mut Terms,
    model: &Model,
    formulas: &[Term],
    variables: &[Symbol],
) -> Result<Vec<Term>, Stuck> {
    let mut cube = Cube {
        terms,
        model: model.clone(),
        literals: Vec::new(),
        variables: variables.to_vec(),
        origin: FxHashMap::default(),
    };
    cube.set(formulas.to_vec())?;
    while !cube.variables.is_empty() {
        cube.step()?;
    }
    Ok(cube.literals)
}

impl Cube<'_> {
    /// Makes literals of formulas that hold in the model.
    fn set(&mut self, mut formulas: Vec<Term>) -> Result<(), Stuck> {
        for formula in &mut formulas {
            *formula = array::compare_elements(self.terms, *formula, &self.variables);
        }
        match implicant(self.terms, &self.model, formulas, &self.variables) {
            Some(literals) => self.literals = literals,
            None => return Err(self.stuck(self.variables[0])),
        }
        let symbols = self.terms.free_symbols_of(&self.literals);
        self.variables.retain(|variable| symbols.binary_search(variable).is_ok());
        Ok(())
    }

    fn stuck(&self, variable: Symbol) -> Stuck {
        Stuck(self.origin.get(&variable).copied().unwrap_or(variable))
    }

    /// Removes one variable, or brings one out of a remainder or a quotient.
    fn step(&mut self) -> Result<(), Stuck> {
        if let Some(formulas) = self.without_remainder() {
            return self.set(formulas);
        }
        if let Some((_, formulas)) = equality::resolve(self.terms, &self.literals, &self.variables) {
            return self.set(formulas);
        }
        if let Some(written) = array::written_element(self.terms, &self.literals, &self.variables) {
            let formulas = self.read_instead(written);
            return self.set(formulas);
        }
        for variable in self.variables.clone() {
            if let Some(formulas) = self.exactly(variable) {
                return self.set(formulas);
            }
        }
        for variable in self.variables.clone() {
            if let Some(formulas) = self.by_model(variable) {
                return self.set(formulas);
            }
        }
        Err(self.stuck(self.variables[0]))
    }

    /// Splits the literals into those that mention a variable and those that do not.
    fn about(&self, variable: Symbol) -> (Vec<Term>, Vec<Term>) {
        self.literals.iter().partition(|&&literal| self.terms.mentions(literal, variable))
    }

    fn exactly(&mut self, variable: Symbol) -> Option<Vec<Term>> {
        if !self.terms.symbol_data(variable).sort.is_arithmetic() {
            return None;
        }
        let (about, mut rest) = self.about(variable);
        rest.extend(arithmetic::eliminate(self.terms, &about, variable, &self.variables, GROWTH)?);
        Some(rest)
    }

    fn by_model(&mut self, variable: Symbol) -> Option<Vec<Term>> {
        let sort = self.terms.symbol_data(variable).sort;
        if sort == Sort::BOOL {
            let value = self.model.value(self.terms, variable).is_true();
            let mut substitution: Substitution = [(variable, self.terms.bool(value))].into_iter().collect();
            return Some(
                self.literals.iter().map(|&literal| substitution.apply(self.terms, literal)).collect(),
            );
        }
        if sort.is_arithmetic() {
            let (about, mut rest) = self.about(variable);
            rest.extend(bounds::project(self.terms, &self.model, &about, variable)?);
            return Some(rest);
        }
        self.terms.array_parts(sort)?;
        self.array(variable)
    }

    /// Replaces a remainder or quotient that hides a variable: by the remainder that the model has, or by a new variable.
    fn without_remainder(&mut self) -> Option<Vec<Term>> {
        let variables = &self.variables;
        let found = self.literals.iter().find_map(|&literal| {
            let atom = if self.terms.op(literal) == Op::Not { self.terms.args(literal)[0] } else { literal };
            // A remainder that is compared with a number is a divisibility, which is understood.
            let understood = match (self.terms.op(atom), self.terms.args(atom)) {
                (Op::Eq, &[sum, _]) => divisibility(self.terms, sum).map(|_| sum),
                _ => None,
            };
            innermost(self.terms, literal, |terms, term| {
                matches!(terms.op(term), Op::Mod | Op::Div)
                    && Some(term) != understood
                    && terms.as_integer(terms.args(term)[1]).is_some_and(Signed::is_positive)
                    && mentions_any(terms, term, variables)
            })
        })?;
        let [dividend, divisor] = self.terms.args(found)[..] else { unreachable!("two arguments") };
        let rest = self.terms.modulo(dividend, divisor);
        let Ok(Value::Int(value)) = evaluate(self.terms, &self.model, rest) else { return None };
        let value = self.terms.int(value);
        let (replacement, fact) = if self.terms.op(found) == Op::Mod {
            (value, self.terms.eq(rest, value))
        } else {
            let quotient = self.terms.fresh_symbol("quotient", Sort::INT);
            self.introduce(quotient, found, found)?;
            let quotient = self.terms.constant(quotient);
            let multiple = self.terms.mul(&[divisor, quotient]);
            let sum = self.terms.add(&[multiple, value]);
            (quotient, self.terms.eq(dividend, sum))
        };
        let mut formulas: Vec<Term> =
            self.literals.iter().map(|&literal| replaced(self.terms, literal, found, replacement)).collect();
        formulas.push(fact);
        Some(formulas)
    }

    /// Replaces a variable that an equation between arrays writes by what is read there, or removes the write if the model
    /// has a later one at the same index.
    fn read_instead(&mut self, written: Written) -> Vec<Term> {
        let Written { equation, element, read, index, later, without } = written;
        let same: Vec<Term> = later.iter().map(|&later| self.terms.eq(index, later)).collect();
        let hidden = same.iter().copied().find(|&same| holds(self.terms, &self.model, same) == Ok(true));
        if let Some(hidden) = hidden {
            let kept = self.literals.iter().copied().filter(|&literal| literal != equation);
            return kept.chain([without, hidden]).collect();
        }
        let mut substitution: Substitution = [(element, read)].into_iter().collect();
        let mut formulas: Vec<Term> =
            self.literals.iter().map(|&literal| substitution.apply(self.terms, literal)).collect();
        formulas.extend(same.into_iter().map(|same| self.terms.not(same)));
        formulas
    }

    /// Adds a variable with the value of a term. It comes from the first variable of another term.
    fn introduce(&mut self, variable: Symbol, value_of: Term, from: Term) -> Option<()> {
        let value = evaluate(self.terms, &self.model, value_of).ok()?;
        self.model.set(variable, value);
        let symbols = self.terms.free_symbols(from);
        let source = *self.variables.iter().find(|v| symbols.binary_search(v).is_ok())?;
        let origin = self.origin.get(&source).copied().unwrap_or(source);
        self.origin.insert(variable, origin);
        self.variables.push(variable);
        Some(())
    }

    fn array(&mut self, array: Symbol) -> Option<Vec<Term>> {
        let array_term = self.terms.constant(array);
        if let Some(Replaced { conjuncts, elements }) =
            array::resolve_writes(self.terms, &self.literals, array)
        {
            for (element, index) in elements {
                let read = self.terms.select(array_term, index);
                self.introduce(element, read, array_term)?;
            }
            return Some(conjuncts);
        }
        let Occurrences::Reads(indices) = array::occurrences(self.terms, &self.literals, array) else {
            return None;
        };
        let Replaced { mut conjuncts, elements } =
            array::replace_reads(self.terms, &self.literals, array, &indices);
        let mut valued: Vec<(Value, Symbol, Term)> = Vec::new();
        for (element, index) in elements {
            let read = self.terms.select(array_term, index);
            self.introduce(element, read, array_term)?;
            let value = evaluate(self.terms, &self.model, index).ok()?;
            valued.push((value, element, index));
        }
        conjuncts.extend(self.order(valued));
        Some(conjuncts)
    }

    /// Says which indices are equal, with equal elements, and which are not, as the model has it. Numbers are put in order,
    /// so that a chain says it all.
    fn order(&mut self, mut valued: Vec<(Value, Symbol, Term)>) -> Vec<Term> {
        valued.sort_by(|left, right| left.0.cmp(&right.0));
        let mut said = Vec::new();
        let mut different: Vec<Term> = Vec::new();
        for pair in valued.windows(2) {
            let [(left_value, left, left_index), (right_value, right, right_index)] = pair else {
                unreachable!("windows of two")
            };
            if left_value == right_value {
                let (left, right) = (self.terms.constant(*left), self.terms.constant(*right));
                said.push(self.terms.eq(*left_index, *right_index));
                said.push(self.terms.eq(left, right));
            } else if self.terms.sort_of(*left_index).is_arithmetic() {
                said.push(self.terms.lt(*left_index, *right_index));
            } else {
                different.push(*left_index);
            }
        }
        if let (false, Some(last)) = (different.is_empty(), valued.last()) {
            different.push(last.2);
            said.push(self.terms.distinct(&different));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::infix;
    use crate::qe::constraint::{Relation, divisible, literal};
    use crate::{Integer, Linear, Rational};
    use proptest::prelude::*;

    /// `Σ cᵢ·xᵢ + c` in some relation to zero, made true by negation if it is false in the model.
    type Shape = ([i64; 3], i64, u8);

    fn literals(
        terms: &mut Terms,
        symbols: [Symbol; 3],
        sort: Sort,
        shapes: &[Shape],
        model: &Model,
    ) -> Vec<Term> {
        let mut literals = Vec::new();
        for &(coefficients, constant, relation) in shapes {
            let mut linear = Linear::constant(Rational::from_integer(constant.into()));
            for (&symbol, coefficient) in symbols.iter().zip(coefficients) {
                let term = terms.constant(symbol);
                linear.add_scaled(&terms.linear(term), &Rational::from_integer(coefficient.into()));
            }
            let formula = match relation % 6 {
                0 | 1 => literal(terms, &Relation::Le, linear, sort),
                2 => literal(terms, &Relation::Eq, linear, sort),
                3 if sort == Sort::INT => divisible(terms, &linear, &Integer::from(2 + relation % 5)),
                4 if sort == Sort::INT => {
                    // A remainder that is no divisibility, and a quotient.
                    let (sum, modulus) = (terms.from_linear(&linear, sort), terms.int(2 + relation % 5));
                    let (rest, quotient) = (terms.modulo(sum, modulus), terms.div(sum, modulus));
                    let z = terms.constant(symbols[2]);
                    let (left, right) = (terms.add(&[rest, z]), terms.mul(&[modulus, quotient]));
                    terms.le(left, right)
                }
                _ => literal(terms, &Relation::Lt, linear, sort),
            };
            let truth = holds(terms, model, formula) == Ok(true);
            literals.push(if truth { formula } else { terms.not(formula) });
        }
        literals
    }

    fn number(sort: Sort, value: i64) -> Value {
        match sort {
            Sort::INT => Value::Int(value.into()),
            _ => Value::Real(Rational::new(value.into(), 2.into())),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn projections_hold_in_the_model_and_imply_that_there_is_a_value(
            shapes in prop::collection::vec((prop::array::uniform3(-3i64..=3), -5i64..=5, 0u8..60), 1..6),
            values in prop::array::uniform3(-6i64..=6),
            others in prop::collection::vec(prop::array::uniform2(-6i64..=6), 3),
            real: bool,
        ) {
            let sort = if real { Sort::REAL } else { Sort::INT };
            let mut terms = Terms::new();
            let symbols = ["x", "y", "z"].map(|name| terms.symbol(name, sort));
            let mut model = Model::new();
            for (&symbol, value) in symbols.iter().zip(values) {
                model.set(symbol, number(sort, value));
            }
            let cube = literals(&mut terms, symbols, sort, &shapes, &model);
            let whole = terms.and(cube.clone());
            let Ok(projected) = project(&mut terms, &model, &cube, &symbols[..1]) else {
                return Err(TestCaseError::fail(format!("stuck: {}", infix(&terms, whole))));
            };
            let projected = terms.and(projected);
            let text = format!("{}\n{}", infix(&terms, whole), infix(&terms, projected));
            prop_assert!(terms.free_symbols(projected).iter().all(|s| symbols[1..].contains(s)), "{}", text);
            prop_assert_eq!(holds(&mut terms, &model, projected), Ok(true), "{}", text);
            for other in others {
                for (&symbol, value) in symbols[1..].iter().zip(other) {
                    model.set(symbol, number(sort, value));
                }
                if holds(&mut terms, &model, projected) == Ok(true) {
                    // Bounds lie at multiples of 1/12 up to 50, remainders have periods up to 60.
                    let witness = (-1320..=1320i64).any(|k| {
                        let value = match real {
                            true => Value::Real(Rational::new(k.into(), 24.into())),
                            false => Value::Int((k / 6).into()),
                        };
                        model.set(symbols[0], value);
                        holds(&mut terms, &model, whole) == Ok(true)
                    });
                    prop_assert!(witness, "{} at {:?}", text, other);
                }
            }
        }
    }
}
