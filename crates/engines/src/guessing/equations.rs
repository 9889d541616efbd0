//! Equations between monomials that hold in given states: the vectors that are orthogonal to all of them.

use super::limits;
use super::remainder;
use super::runs::State;
use logic::{Linear, Rational, Sort, Term, Terms};
use num_traits::{One, Signed, Zero};

/// Monomials of variables, as the indices of the variables and as terms.
pub(super) struct Equations {
    monomials: Vec<(Vec<usize>, Term)>,
    sort: Sort,
}

impl Equations {
    /// Between the variables themselves.
    pub(super) fn linear(variables: &[Term], terms: &Terms) -> Equations {
        let monomials = variables.iter().enumerate().map(|(index, &term)| (vec![index], term)).collect();
        Equations { monomials, sort: sort(variables, terms) }
    }

    /// Between the variables and their products.
    pub(super) fn quadratic(variables: &[Term], terms: &mut Terms) -> Equations {
        let mut equations = Equations::linear(variables, terms);
        for (first, &left) in variables.iter().enumerate() {
            for (second, &right) in variables.iter().enumerate().skip(first) {
                let product = terms.mul(&[left, right]);
                equations.monomials.push((vec![first, second], product));
            }
        }
        equations
    }

    /// A basis of the equations that all states satisfy; nothing if there are too few states to tell.
    pub(super) fn satisfied_by(&self, states: &[&State], terms: &mut Terms) -> Vec<Term> {
        let width = self.monomials.len() + 1;
        // Too few states satisfy too many equations.
        if states.len() < width + 3 {
            return Vec::new();
        }
        let independent = self.independent(states);
        if independent.len() == width {
            return Vec::new();
        }
        let mut rows: Vec<Vec<Rational>> = Vec::new();
        let mut pivots: Vec<usize> = Vec::new();
        for state in independent {
            let mut row = vec![Rational::one()];
            row.extend(self.monomials.iter().map(|(factors, _)| {
                factors.iter().fold(Rational::one(), |all, &index| all * &state.values[index])
            }));
            reduce(&rows, &pivots, &mut row);
            // Pivots are looked for from the products to the constant, so that equations are solved for products.
            let Some(pivot) = (0..width).rev().find(|&column| !row[column].is_zero()) else { continue };
            let factor = row[pivot].recip();
            row.iter_mut().for_each(|cell| *cell *= &factor);
            for other in &mut rows {
                let factor = other[pivot].clone();
                if !factor.is_zero() {
                    other.iter_mut().zip(&row).for_each(|(cell, known)| *cell -= &factor * known);
                }
            }
            rows.push(row);
            pivots.push(pivot);
        }
        let free = (0..width).filter(|column| !pivots.contains(column));
        free.filter_map(|column| {
            // The orthogonal vector that is one at this column.
            let mut vector = vec![Rational::zero(); width];
            vector[column] = Rational::one();
            for (row, &pivot) in rows.iter().zip(&pivots) {
                vector[pivot] = -row[column].clone();
            }
            self.equation(&vector, terms)
        })
        .collect()
    }

    /// States on which all others depend, as far as remainders tell: exact numbers grow and are slow, and a state that is
    /// missing makes a guess wrong and nothing else.
    fn independent<'s>(&self, states: &[&'s State]) -> Vec<&'s State> {
        let mut rows: Vec<(usize, Vec<u64>)> = Vec::new();
        let mut found = Vec::new();
        for state in states {
            let mut row = vec![1];
            let remainders = &state.remainders;
            row.extend(self.monomials.iter().map(|(factors, _)| {
                factors.iter().fold(1, |all, &index| remainder::product(all, remainders[index]))
            }));
            for (pivot, known) in &rows {
                let factor = row[*pivot];
                remainder::subtract(&mut row, known, factor);
            }
            let Some(pivot) = row.iter().position(|&cell| cell != 0) else { continue };
            let inverse = remainder::inverse(row[pivot]);
            row.iter_mut().for_each(|cell| *cell = remainder::product(*cell, inverse));
            rows.push((pivot, row));
            found.push(*state);
            if found.len() > self.monomials.len() {
                break;
            }
        }
        found
    }

    /// `Σ vᵢ·mᵢ = 0`, if its coefficients are no accident.
    fn equation(&self, vector: &[Rational], terms: &mut Terms) -> Option<Term> {
        let mut form = Linear::constant(vector[0].clone());
        for ((_, term), coefficient) in self.monomials.iter().zip(&vector[1..]) {
            form.add_scaled(&terms.linear(*term), coefficient);
        }
        let denominators = form.monomials.iter().map(|(_, coefficient)| coefficient.denom().clone());
        let all = denominators.fold(form.constant.denom().clone(), num_integer::lcm);
        form.scale(&Rational::from_integer(all));
        let largest = Rational::from_integer(limits::LARGEST.into());
        let plain = form.monomials.iter().all(|(_, coefficient)| coefficient.abs() <= largest);
        (plain && !form.is_constant()).then(|| terms.equals_zero(form, self.sort))
    }
}

fn sort(variables: &[Term], terms: &Terms) -> Sort {
    variables.first().map_or(Sort::INT, |&term| terms.sort_of(term))
}

/// Subtracts the known rows so that their pivots become zero.
fn reduce(rows: &[Vec<Rational>], pivots: &[usize], row: &mut [Rational]) {
    for (known, &pivot) in rows.iter().zip(pivots) {
        let factor = row[pivot].clone();
        if !factor.is_zero() {
            row.iter_mut().zip(known).for_each(|(cell, known)| *cell -= &factor * known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(values: impl Iterator<Item = Vec<i64>>) -> Vec<State> {
        let rational = |value: i64| Rational::from_integer(value.into());
        values.map(|v| State::new(v.into_iter().map(rational).collect(), Vec::new())).collect()
    }

    #[test]
    fn a_sum_of_numbers_is_found() {
        let mut terms = Terms::new();
        let variables = [terms.named("i", Sort::INT), terms.named("s", Sort::INT)];
        let states = states((0..20).map(|i| vec![i, i * (i + 1) / 2]));
        let all: Vec<&State> = states.iter().collect();
        assert!(Equations::linear(&variables, &terms).satisfied_by(&all, &mut terms).is_empty());
        let found = Equations::quadratic(&variables, &mut terms).satisfied_by(&all, &mut terms);
        let shown: Vec<String> = found.iter().map(|&f| logic::print::infix(&terms, f)).collect();
        assert_eq!(shown, ["i + i * i == 2 * s"]);
    }

    #[test]
    fn few_states_say_nothing() {
        let mut terms = Terms::new();
        let variables = [terms.named("i", Sort::INT), terms.named("s", Sort::INT)];
        let states = states((0..4).map(|i| vec![i, i]));
        let all: Vec<&State> = states.iter().collect();
        assert!(Equations::linear(&variables, &terms).satisfied_by(&all, &mut terms).is_empty());
    }
}
