//! Affine equalities between variables (Karr).
//!
//! A set of forms that are all zero, in reduced echelon form: every row has a pivot (its first dimension, with
//! coefficient 1) that occurs in no other row. No rows is no knowledge. The least upper bound of two sets are the forms
//! that both imply, which is the intersection of two row spaces (Zassenhaus). Chains are as short as the number of
//! dimensions, so widening is joining.

use crate::form::{Dimension, Form};
use logic::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::{One, Zero};

/// A conjunction of equations `row = 0`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Equalities {
    rows: Vec<Form>,
}

/// The equations have no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inconsistent;

fn pivot(row: &Form) -> Dimension {
    row.monomials[0].0
}

impl Equalities {
    /// The rows; each of them is zero.
    pub fn rows(&self) -> &[Form] {
        &self.rows
    }

    /// The form with pivots replaced by the rest of their rows.
    pub fn reduce(&self, form: &Form) -> Form {
        let mut reduced = form.clone();
        for row in &self.rows {
            if let Some(factor) = form.coefficient(pivot(row)) {
                reduced.add_scaled(row, &-factor.clone());
            }
        }
        reduced
    }

    /// Learns that a form is zero; `integers` says that all its dimensions are.
    pub fn add(&mut self, form: &Form, integers: bool) -> Result<(), Inconsistent> {
        let reduced = self.reduce(form);
        if let Some(constant) = reduced.as_constant() {
            return if constant.is_zero() { Ok(()) } else { Err(Inconsistent) };
        }
        if integers && !solvable(&reduced) {
            return Err(Inconsistent);
        }
        let lead = reduced.monomials[0].1.recip();
        let row = reduced.scaled(&lead);
        let position = pivot(&row);
        for other in &mut self.rows {
            if let Some(factor) = other.coefficient(position).cloned() {
                other.add_scaled(&row, &-factor);
            }
        }
        let place = self.rows.partition_point(|other| pivot(other) < position);
        self.rows.insert(place, row);
        Ok(())
    }

    /// Forgets a dimension: keeps what the rows say about the others.
    pub fn forget(&mut self, dimension: Dimension) {
        self.forget_all(&[dimension]);
    }

    /// Forgets dimensions: keeps what the rows say about the others.
    pub fn forget_all(&mut self, dimensions: &[Dimension]) {
        let mut rows = std::mem::take(&mut self.rows);
        let mut changed = false;
        for &dimension in dimensions {
            // A row with the dimension is used up to remove it from the others.
            let Some(place) = rows.iter().rposition(|row| row.mentions(dimension)) else { continue };
            let used = rows.remove(place);
            let lead = used.coefficient(dimension).expect("it mentions the dimension").recip();
            for row in &mut rows {
                if let Some(factor) = row.coefficient(dimension) {
                    let factor = -(factor * &lead);
                    row.add_scaled(&used, &factor);
                    changed = true;
                }
            }
        }
        if changed {
            self.rebuild(rows);
        } else {
            self.rows = rows;
        }
    }

    /// The dimension becomes the value of a form, in which it may occur itself.
    pub fn assign(&mut self, dimension: Dimension, form: &Form) {
        match form.coefficient(dimension).cloned() {
            Some(factor) => {
                // x' = c·x + r, so x = (x' - r) / c.
                let mut old = Form::dimension(dimension).minus(form);
                old.add_scaled(&Form::dimension(dimension), &factor);
                let old = old.scaled(&factor.recip());
                let mut rows = std::mem::take(&mut self.rows);
                for row in &mut rows {
                    row.substitute(dimension, &old);
                }
                self.rebuild(rows);
            }
            None => {
                self.forget(dimension);
                // The dimension is in no row, so the new row contradicts nothing.
                let added = self.add(&Form::dimension(dimension).minus(form), false);
                debug_assert!(added.is_ok(), "a definition contradicts nothing");
            }
        }
    }

    /// Rows that are known to be consistent, in any form.
    fn rebuild(&mut self, rows: Vec<Form>) {
        self.rows.clear();
        for row in rows {
            let added = self.add(&row, false);
            debug_assert!(added.is_ok(), "consistent rows stay consistent");
        }
    }

    /// Learns everything that the other knows.
    pub fn meet(&mut self, other: &Equalities, integers: bool) -> Result<(), Inconsistent> {
        other.rows.iter().try_for_each(|row| self.add(row, integers))
    }

    /// Keeps what both know.
    pub fn join(&mut self, other: &Equalities) {
        if self.rows.is_empty() || self.rows == other.rows {
            return;
        }
        if other.rows.is_empty() {
            self.rows.clear();
            return;
        }
        // Zassenhaus: rows (a | a) and (b | 0) in echelon form; where the left half vanishes, the right halves are a
        // basis of the intersection.
        let mut left: Vec<(Form, Form)> = Vec::new();
        let mut common: Vec<Form> = Vec::new();
        let pairs = self.rows.iter().map(|row| (row.clone(), row.clone()));
        for (mut key, mut payload) in pairs.chain(other.rows.iter().map(|row| (row.clone(), Form::default())))
        {
            for (known, attached) in &left {
                let factor = match leading(known) {
                    Some(dimension) => key.coefficient(dimension).cloned(),
                    None => (!key.constant.is_zero()).then(|| &key.constant / &known.constant),
                };
                if let Some(factor) = factor {
                    // Leading coefficients are 1, that of a constant row is divided out above.
                    key.add_scaled(known, &-factor.clone());
                    payload.add_scaled(attached, &-factor);
                }
            }
            match key.monomials.first() {
                Some((_, lead)) => {
                    let scale = lead.recip();
                    left.push((key.scaled(&scale), payload.scaled(&scale)));
                }
                None if !key.constant.is_zero() => left.push((key, payload)),
                None => common.push(payload),
            }
        }
        self.rows.clear();
        for form in common {
            // What both imply cannot contradict itself, since both have solutions.
            let added = self.add(&form, false);
            debug_assert!(added.is_ok(), "both sides are consistent");
        }
    }

    /// Do these equations imply those of the other?
    pub fn is_in(&self, other: &Equalities) -> bool {
        other.rows.iter().all(|row| self.reduce(row).as_constant().is_some_and(|constant| constant.is_zero()))
    }
}

fn leading(form: &Form) -> Option<Dimension> {
    form.monomials.first().map(|(dimension, _)| *dimension)
}

/// Can a form over integers be zero? The divisor of the coefficients must divide the constant.
fn solvable(form: &Form) -> bool {
    let denominators = form.monomials.iter().fold(Integer::one(), |lcm, (_, c)| lcm.lcm(c.denom()));
    let scale = Rational::from(denominators);
    let divisor = form.monomials.iter().fold(Integer::zero(), |gcd, (_, c)| gcd.gcd((c * &scale).numer()));
    (&form.constant * &scale / Rational::from(divisor)).is_integer()
}
