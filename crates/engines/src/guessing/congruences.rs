//! Congruences between two variables that hold in given states: `y ≡ c·x + r (mod m)`.
//!
//! A counter that starts again after seven steps goes with the number of rounds modulo seven; two variables that change
//! places go with its parity. The differences of the states span a lattice in the plane of the two variables; a lattice
//! that is not everything says a congruence. If all states lie on a line, because no run was long enough to see where a remainder
//! starts again, the numbers by which the program takes remainders are tried. Costs a few divisions for each pair of variables and state.

use super::limits;
use super::runs::State;
use logic::{Integer as Modulus, Linear, Rational, Sort, Term, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// A point of the plane.
#[derive(Clone, Debug)]
struct Point {
    x: BigInt,
    y: BigInt,
}

/// All sums of multiples of two vectors: `(step, along)` and `(0, across)`.
struct Lattice {
    step: BigInt,
    along: BigInt,
    across: BigInt,
}

impl Lattice {
    fn trivial() -> Lattice {
        Lattice { step: BigInt::zero(), along: BigInt::zero(), across: BigInt::zero() }
    }

    /// The smallest lattice that has the vector too: the algorithm of Euclid on the first coordinates.
    fn add(&mut self, vector: Point) {
        let Point { mut x, mut y } = vector;
        while !x.is_zero() {
            let quotient = self.step.div_floor(&x);
            self.step -= &quotient * &x;
            self.along -= &quotient * &y;
            std::mem::swap(&mut self.step, &mut x);
            std::mem::swap(&mut self.along, &mut y);
        }
        self.across = self.across.gcd(&y);
        if self.step.is_negative() {
            self.step = -&self.step;
            self.along = -&self.along;
        }
        if !self.across.is_zero() {
            self.along = self.along.mod_floor(&self.across);
        }
    }

    /// `(c, m)` if the vectors of the lattice are those with `y ≡ c·x (mod m)`, and not all.
    fn congruence(&self) -> Option<(&BigInt, &BigInt)> {
        let modest = BigInt::one() < self.across && self.across <= limits::LARGEST.into();
        (self.step.is_one() && modest).then_some((&self.along, &self.across))
    }
}

/// The congruences between pairs of variables that all states satisfy, as far as each is more than an accident.
pub(super) fn congruences(
    variables: &[Term],
    (states, moduli): (&[State], &[Modulus]),
    terms: &mut Terms,
) -> Vec<Term> {
    let mut found = Vec::new();
    if states.len() < limits::FEWEST_FOR_CONGRUENCES || variables.len() > limits::MOST_RELATED {
        return found;
    }
    for first in 0..variables.len() {
        for second in first + 1..variables.len() {
            let forward = congruence(variables, (states, moduli), [first, second], terms);
            let backward =
                |terms: &mut Terms| congruence(variables, (states, moduli), [second, first], terms);
            found.extend(if forward.is_empty() { backward(terms) } else { forward });
        }
    }
    found
}

fn congruence(
    variables: &[Term],
    (states, moduli): (&[State], &[Modulus]),
    [x, y]: [usize; 2],
    terms: &mut Terms,
) -> Vec<Term> {
    let mut points =
        states.iter().map(|state| Point { x: state.values[x].to_integer(), y: state.values[y].to_integer() });
    let Some(origin) = points.next() else { return Vec::new() };
    let mut lattice = Lattice::trivial();
    for point in points {
        lattice.add(Point { x: point.x - &origin.x, y: point.y - &origin.y });
        if lattice.across.is_one() {
            return Vec::new();
        }
    }
    let on_a_line = lattice.across.is_zero() && lattice.step.is_one();
    let found: Vec<(&BigInt, &BigInt)> = match lattice.congruence() {
        None if on_a_line => moduli.iter().map(|modulus| (&lattice.along, modulus)).collect(),
        congruence => congruence.into_iter().collect(),
    };
    found.into_iter().map(|said| formula(said, &origin, [variables[x], variables[y]], terms)).collect()
}

/// `y ≡ factor · x + r (mod modulus)` with the `r` that fits a point.
fn formula(
    (factor, modulus): (&BigInt, &BigInt),
    origin: &Point,
    [x, y]: [Term; 2],
    terms: &mut Terms,
) -> Term {
    let remainder = (&origin.y - factor * &origin.x).mod_floor(modulus);
    let mut form = Linear::constant(-Rational::from_integer(remainder));
    form.add_scaled(&terms.linear(y), &Rational::one());
    form.add_scaled(&terms.linear(x), &-Rational::from_integer(factor.clone()));
    let form = terms.from_linear(&form, Sort::INT);
    let modulus = terms.numeral(Rational::from_integer(modulus.clone()), Sort::INT);
    let left_over = terms.modulo(form, modulus);
    let zero = terms.numeral(Rational::zero(), Sort::INT);
    terms.eq(left_over, zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(values: impl Iterator<Item = [i64; 2]>) -> Vec<String> {
        let mut terms = Terms::new();
        let variables = [terms.named("i", Sort::INT), terms.named("k", Sort::INT)];
        let rational = |value: i64| Rational::from_integer(value.into());
        let states: Vec<State> = values.map(|v| State::new(v.map(rational).to_vec(), Vec::new())).collect();
        let found = congruences(&variables, (&states, &[65535.into()]), &mut terms);
        found.iter().map(|&formula| logic::print::infix(&terms, formula)).collect()
    }

    #[test]
    fn a_counter_that_starts_again_goes_with_the_rounds() {
        assert_eq!(shown((0..40).map(|i| [i, i % 7])), ["(6 * i + k) mod 7 == 0"]);
        assert_eq!(shown((0..40).map(|i| [i, 3 * i % 5 + 1])), ["(2 * i + k + 4) mod 5 == 0"]);
    }

    #[test]
    fn on_a_line_the_remainders_of_the_program_are_tried() {
        assert_eq!(shown((0..40).map(|i| [i, i + 3])), ["(65534 * i + k + 65532) mod 65535 == 0"]);
    }

    #[test]
    fn other_pairs_have_none() {
        assert_eq!(shown((0..40).map(|i| [i, i * i % 11])), [] as [&str; 0]);
        assert_eq!(shown((0..5).map(|i| [i, i % 3])), [] as [&str; 0]);
    }
}
