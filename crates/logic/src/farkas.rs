//! Farkas certificates: why a system of linear constraints has no solution over the rationals.
//!
//! A certificate gives every constraint `lᵢ ≤ 0`, `lᵢ < 0` or `lᵢ = 0` a factor, not negative for inequalities, such that
//! the weighted sum of the left-hand sides is a constant that contradicts the weighted sum of the relations: positive, or
//! zero if a strict inequality has a positive factor. It is found by an exact simplex method with the rule of Bland, so
//! it always ends; the tableau has one row per unknown and one column per constraint.

use crate::Rational;
use crate::linear::Linear;
use crate::term::{Term, Terms};
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

/// How a linear form is related to zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It is at most zero.
    Le,
    /// It is less than zero.
    Lt,
    /// It is zero.
    Eq,
}

/// A linear constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// What is compared with zero.
    pub form: Linear,
    /// How.
    pub relation: Relation,
}

/// What a literal says, if it is a linear constraint: neither a disequality nor a statement about divisibility.
pub fn constraint(terms: &Terms, literal: Term) -> Option<Constraint> {
    let (relation, form) = crate::qe::constraint::relation(terms, literal)?;
    let relation = match relation {
        crate::qe::constraint::Relation::Le => Relation::Le,
        crate::qe::constraint::Relation::Lt => Relation::Lt,
        crate::qe::constraint::Relation::Eq => Relation::Eq,
        _ => return None,
    };
    Some(Constraint { form, relation })
}

/// The factors of the constraints, if they contradict each other over the rationals. `None` also if the tableau would
/// have more than `most_cells` cells.
pub fn certificate(constraints: &[Constraint], most_cells: usize) -> Option<Vec<Rational>> {
    // Either the constants alone contradict the relations, or they add up to zero and an inequality is strict.
    let strict = || constraints.iter().any(|constraint| constraint.relation == Relation::Lt);
    let factors = search(constraints, Gain::Constant, most_cells)
        .or_else(|| if strict() { search(constraints, Gain::Strictness, most_cells) } else { None })?;
    debug_assert!(is_certificate(constraints, &factors), "the simplex method is exact");
    Some(factors)
}

/// What a certificate wins by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gain {
    /// The constants add up to one.
    Constant,
    /// The constants add up to zero, and the factors of strict inequalities to one.
    Strictness,
}

/// Factors with this gain: one unknown per inequality, two (their difference counts) per equality; one equation per
/// term, which has to cancel out, and two for the gain.
fn search(constraints: &[Constraint], gain: Gain, most_cells: usize) -> Option<Vec<Rational>> {
    let mut rows: FxHashMap<Term, usize> = FxHashMap::default();
    for constraint in constraints {
        for &(term, _) in &constraint.form.monomials {
            let next = rows.len();
            rows.entry(term).or_insert(next);
        }
    }
    let columns: Vec<(usize, Rational)> = constraints
        .iter()
        .enumerate()
        .flat_map(|(index, constraint)| {
            let both = constraint.relation == Relation::Eq;
            std::iter::once((index, Rational::one())).chain(both.then(|| (index, -Rational::one())))
        })
        .collect();
    let (constants, strictness) = (rows.len(), rows.len() + 1);
    let height = rows.len() + 2;
    if height.saturating_mul(columns.len() + height + 1) > most_cells {
        return None;
    }
    let mut tableau = Tableau::new(height, columns.len());
    for (column, (index, sign)) in columns.iter().enumerate() {
        let Constraint { form, relation } = &constraints[*index];
        for (term, coefficient) in &form.monomials {
            tableau.set(rows[term], column, sign * coefficient);
        }
        tableau.set(constants, column, sign * &form.constant);
        if gain == Gain::Strictness && *relation == Relation::Lt {
            tableau.set(strictness, column, Rational::one());
        }
    }
    tableau.set_right(if gain == Gain::Constant { constants } else { strictness }, Rational::one());
    let factors = tableau.solve()?;
    let mut certificate = vec![Rational::zero(); constraints.len()];
    for ((index, sign), factor) in columns.iter().zip(factors) {
        certificate[*index] += sign * factor;
    }
    Some(certificate)
}

/// The weighted sum of the constraints.
pub fn combine(constraints: &[Constraint], factors: &[Rational]) -> Constraint {
    let mut form = Linear::zero();
    let mut relation = Relation::Eq;
    for (constraint, factor) in constraints.iter().zip(factors) {
        if factor.is_zero() {
            continue;
        }
        form.add_scaled(&constraint.form, factor);
        relation = match (relation, constraint.relation) {
            (Relation::Lt, _) | (_, Relation::Lt) => Relation::Lt,
            (Relation::Le, _) | (_, Relation::Le) => Relation::Le,
            (Relation::Eq, Relation::Eq) => Relation::Eq,
        };
    }
    Constraint { form, relation }
}

/// Do the factors show a contradiction?
pub fn is_certificate(constraints: &[Constraint], factors: &[Rational]) -> bool {
    let signs = constraints.iter().zip(factors);
    let fair = signs.into_iter().all(|(c, factor)| c.relation == Relation::Eq || !factor.is_negative());
    let Constraint { form, relation } = combine(constraints, factors);
    fair && form.is_constant() && is_contradiction(&form, relation)
}

/// Is the constant of a form without terms not related to zero in this way?
pub fn is_contradiction(form: &Linear, relation: Relation) -> bool {
    match relation {
        Relation::Le => form.constant.is_positive(),
        Relation::Lt => !form.constant.is_negative(),
        Relation::Eq => !form.constant.is_zero(),
    }
}

/// Equations between unknowns that are not negative: `A·x = b`, with `b ≥ 0`.
struct Tableau {
    /// The coefficients, then one artificial unknown per row, then the right-hand side.
    cells: Vec<Vec<Rational>>,
    /// The unknowns, without the artificial ones.
    width: usize,
}

impl Tableau {
    fn new(height: usize, width: usize) -> Tableau {
        let mut cells = vec![vec![Rational::zero(); width + height + 1]; height];
        for (row, line) in cells.iter_mut().enumerate() {
            line[width + row] = Rational::one();
        }
        Tableau { cells, width }
    }

    fn set(&mut self, row: usize, column: usize, value: Rational) {
        self.cells[row][column] = value;
    }

    fn set_right(&mut self, row: usize, value: Rational) {
        if let Some(last) = self.cells[row].last_mut() {
            *last = value;
        }
    }

    /// Values of the unknowns that satisfy all equations, if there are any: phase one of the simplex method, which
    /// drives the sum of the artificial unknowns to zero.
    fn solve(mut self) -> Option<Vec<Rational>> {
        let (height, right) = (self.cells.len(), self.width + self.cells.len());
        let mut basis: Vec<usize> = (self.width..right).collect();
        // The goal in terms of the unknowns that are not in the basis: what is left of the sum of all rows.
        let mut goal: Vec<Rational> = (0..=right)
            .map(|column| {
                let sum: Rational = self.cells.iter().map(|line| &line[column]).sum();
                if (self.width..right).contains(&column) { Rational::zero() } else { sum }
            })
            .collect();
        // Bland's rule: the first column that improves, and of the rows that limit it the one whose unknown comes first.
        while let Some(column) = (0..self.width).find(|&column| goal[column].is_positive()) {
            let mut leaving: Option<(Rational, usize)> = None;
            for row in 0..height {
                let cell = &self.cells[row][column];
                if cell.is_positive() {
                    let ratio = &self.cells[row][right] / cell;
                    let better = leaving.as_ref().is_none_or(|(best, other)| {
                        ratio < *best || (ratio == *best && basis[row] < basis[*other])
                    });
                    if better {
                        leaving = Some((ratio, row));
                    }
                }
            }
            // The sum of the artificial unknowns is bounded by zero, so some row limits every improvement.
            let (_, row) = leaving?;
            self.pivot(row, column, &mut goal);
            basis[row] = column;
        }
        if !goal[right].is_zero() {
            return None;
        }
        let mut values = vec![Rational::zero(); self.width];
        for (row, &unknown) in basis.iter().enumerate() {
            if unknown < self.width {
                values[unknown] = self.cells[row][right].clone();
            }
        }
        Some(values)
    }

    /// Solves a row for an unknown and eliminates it everywhere else.
    fn pivot(&mut self, row: usize, column: usize, goal: &mut [Rational]) {
        let factor = self.cells[row][column].recip();
        for cell in &mut self.cells[row] {
            if !cell.is_zero() {
                *cell *= &factor;
            }
        }
        let solved = std::mem::take(&mut self.cells[row]);
        let others = self.cells.iter_mut().filter(|line| !line.is_empty()).map(|line| &mut line[..]);
        for line in others.chain(std::iter::once(goal)) {
            let factor = line[column].clone();
            if factor.is_zero() {
                continue;
            }
            for (cell, known) in line.iter_mut().zip(&solved) {
                if !known.is_zero() {
                    *cell -= &factor * known;
                }
            }
        }
        self.cells[row] = solved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;
    use proptest::prelude::*;

    fn number(value: i64) -> Rational {
        Rational::from_integer(value.into())
    }

    /// Σ cᵢ·xᵢ + c compared with zero.
    fn related(terms: &mut Terms, coefficients: &[i64], constant: i64, relation: Relation) -> Constraint {
        let mut form = Linear::constant(number(constant));
        for (index, &coefficient) in coefficients.iter().enumerate() {
            let unknown = terms.named(&format!("x{index}"), Sort::REAL);
            if coefficient != 0 {
                form.monomials.push((unknown, number(coefficient)));
            }
        }
        form.monomials.sort_by_key(|&(term, _)| term);
        Constraint { form, relation }
    }

    #[test]
    fn a_contradiction_has_a_certificate() {
        let mut terms = Terms::new();
        // x = 0, y = x + 1, y <= 0
        let system = [
            related(&mut terms, &[1, 0], 0, Relation::Eq),
            related(&mut terms, &[-1, 1], -1, Relation::Eq),
            related(&mut terms, &[0, 1], 0, Relation::Le),
        ];
        let factors = certificate(&system, 1_000).expect("there is no solution");
        assert!(is_certificate(&system, &factors));
        assert_eq!(certificate(&system[..2], 1_000), None);
    }

    #[test]
    fn strictness_matters() {
        let mut terms = Terms::new();
        // x <= 0 and -x < 0 contradict each other, x <= 0 and -x <= 0 do not.
        let strict =
            [related(&mut terms, &[1], 0, Relation::Le), related(&mut terms, &[-1], 0, Relation::Lt)];
        assert!(certificate(&strict, 1_000).is_some());
        let weak = [related(&mut terms, &[1], 0, Relation::Le), related(&mut terms, &[-1], 0, Relation::Le)];
        assert_eq!(certificate(&weak, 1_000), None);
    }

    #[test]
    fn a_large_tableau_is_refused() {
        let mut terms = Terms::new();
        let system = [related(&mut terms, &[1, 2, 3], 1, Relation::Le)];
        assert_eq!(certificate(&system, 5), None);
    }

    fn relation() -> impl Strategy<Value = Relation> {
        prop_oneof![Just(Relation::Le), Just(Relation::Lt), Just(Relation::Eq)]
    }

    proptest! {
        /// What has an integer solution in a small box has no certificate; with a certificate no point is a solution.
        #[test]
        fn certificates_exclude_all_points(
            rows in prop::collection::vec((prop::array::uniform3(-3i64..4), -4i64..5, relation()), 1..7)
        ) {
            let mut terms = Terms::new();
            let system: Vec<Constraint> =
                rows.iter().map(|(a, c, relation)| related(&mut terms, a, *c, *relation)).collect();
            let holds = |x: [i64; 3]| rows.iter().all(|(a, c, relation)| {
                let value = a[0] * x[0] + a[1] * x[1] + a[2] * x[2] + c;
                match relation { Relation::Le => value <= 0, Relation::Lt => value < 0, Relation::Eq => value == 0 }
            });
            let range = || -4i64..5;
            let solvable = range().any(|x| range().any(|y| range().any(|z| holds([x, y, z]))));
            if let Some(factors) = certificate(&system, 10_000) {
                prop_assert!(is_certificate(&system, &factors));
                prop_assert!(!solvable);
            }
        }
    }
}
