//! Sums and the relations between them, as people write them: nothing negative where the other side has room for it.

use super::{Level, Piece};
use crate::linear::Linear;
use crate::sort::Sort;
use crate::term::{Op, Term, Terms};
use crate::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::{One, Signed, Zero};

/// A fraction that is not negative: a decimal if it has one, a quotient of decimals if not.
pub(super) fn real(value: &Rational) -> String {
    let mut denominator = value.denom().clone();
    let mut digits = 0;
    for prime in [2, 5] {
        let prime = Integer::from(prime);
        let mut count = 0;
        while denominator.is_multiple_of(&prime) {
            denominator /= &prime;
            count += 1;
        }
        digits = digits.max(count);
    }
    if !denominator.is_one() {
        return format!("{}.0 / {}.0", value.numer(), value.denom());
    }
    let scaled = (value * Rational::from_integer(Integer::from(10).pow(digits))).to_integer();
    let text = format!("{scaled:0width$}", width = digits as usize + 1);
    let (whole, fraction) = text.split_at(text.len() - digits as usize);
    format!("{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
}

/// `Σ cᵢ·tᵢ + c`, as one side of a relation or as a term.
struct Side {
    sort: Sort,
    linear: Linear,
}

impl Side {
    fn number(&self, absolute: &Rational) -> String {
        if self.sort == Sort::INT { absolute.to_string() } else { real(absolute) }
    }

    /// Positive parts first, each with its sign and its size.
    fn pieces(&self) -> (Level, Vec<Piece>) {
        let mut parts: Vec<(bool, Option<Term>, Rational)> =
            self.linear.monomials.iter().map(|(t, c)| (c.is_negative(), Some(*t), c.abs())).collect();
        let constant = &self.linear.constant;
        if !constant.is_zero() || parts.is_empty() {
            parts.push((constant.is_negative(), None, constant.abs()));
        }
        parts.sort_by_key(|(negative, ..)| *negative);
        let single = parts.len() == 1;
        let mut level = if single { Level::Product } else { Level::Sum };
        let mut pieces: Vec<Piece> = Vec::new();
        for (i, (negative, term, size)) in parts.into_iter().enumerate() {
            match (i, negative) {
                (0, false) => {}
                (0, true) => pieces.push("-".into()),
                (_, false) => pieces.push(" + ".into()),
                (_, true) => pieces.push(" - ".into()),
            }
            match term {
                None => {
                    let text = self.number(&size);
                    level = if single && !text.contains('/') { Level::Unary } else { level };
                    let brackets = i > 0 && text.contains('/');
                    pieces.push(if brackets { format!("({text})").into() } else { text.into() });
                }
                Some(term) if size.is_one() => {
                    level = if single && negative { Level::Unary } else { level };
                    let least = if negative && i == 0 { Level::Primary } else { Level::Product };
                    pieces.push(Piece::Term(term, least));
                }
                Some(term) => {
                    let text = self.number(&size);
                    let text = if text.contains('/') { format!("({text})") } else { text };
                    pieces.push(format!("{text} * ").into());
                    pieces.push(Piece::Term(term, Level::Unary));
                }
            }
        }
        (level, pieces)
    }
}

/// A sum or a multiple as a term.
pub(super) fn sum(terms: &Terms, term: Term) -> (Level, Vec<Piece>) {
    Side { sort: terms.sort_of(term), linear: terms.linear(term) }.pieces()
}

/// The sum of an atom, as an integer multiple without fractions, minus its literal.
fn difference(terms: &Terms, atom: Term) -> (Linear, Sort) {
    let [sum, literal] = terms.args(atom)[..] else { unreachable!("an atom has two sides") };
    let mut difference = terms.linear(sum).minus(&terms.linear(literal));
    if terms.sort_of(sum) == Sort::INT {
        return (difference, Sort::INT);
    }
    let denominators = difference.monomials.iter().map(|(_, c)| c).chain([&difference.constant]);
    let common = denominators.fold(Integer::one(), |lcm, c| lcm.lcm(c.denom()));
    // A literal alone is clearer as a decimal.
    if difference.monomials.len() > 1 || real(&difference.constant.abs()).contains('/') {
        difference.scale(&Rational::from_integer(common));
    }
    (difference, Sort::REAL)
}

/// An atom `sum ≤ literal` or `sum < literal`, or its negation.
pub(super) fn comparison(terms: &Terms, atom: Term, negated: bool) -> Vec<Piece> {
    let (difference, sort) = difference(terms, atom);
    let strict = terms.op(atom) == Op::Lt;
    let mut constant = -&difference.constant;
    let operator = if sort == Sort::INT {
        // `L ≤ R + c` is `L < R + c + 1`; its negation is `L > R + c`, which is `L ≥ R + c + 1`.
        let next = &constant + Rational::one();
        match negated {
            false if next.is_zero() => {
                constant = next;
                " < "
            }
            false => " <= ",
            true if constant.is_zero() => " > ",
            true => {
                constant = next;
                " >= "
            }
        }
    } else {
        match (strict, negated) {
            (false, false) => " <= ",
            (true, false) => " < ",
            (false, true) => " > ",
            (true, true) => " >= ",
        }
    };
    relation(&difference, constant, sort, operator)
}

/// An atom `sum = literal`, or its negation, by the operator.
pub(super) fn equation(terms: &Terms, atom: Term, operator: &'static str) -> Vec<Piece> {
    let (mut difference, sort) = difference(terms, atom);
    let negative = difference.monomials.iter().filter(|(_, c)| c.is_negative()).count();
    let positive = difference.monomials.len() - negative;
    let unit = difference.monomials.iter().any(|(_, c)| c.is_negative() && c.abs().is_one());
    // A single thing on the right is what is defined, and stands left.
    if negative == 1 && positive > 1 && unit {
        difference.scale(&-Rational::one());
    }
    let constant = -&difference.constant;
    relation(&difference, constant, sort, operator)
}

fn relation(difference: &Linear, constant: Rational, sort: Sort, operator: &'static str) -> Vec<Piece> {
    let (left, mut right): (Vec<_>, Vec<_>) =
        difference.monomials.iter().cloned().partition(|(_, c)| c.is_positive());
    for (_, coefficient) in &mut right {
        *coefficient = coefficient.abs();
    }
    let side = |monomials, constant| Side { sort, linear: Linear { monomials, constant } }.pieces().1;
    let mut pieces = side(left, Rational::zero());
    pieces.push(operator.into());
    pieces.extend(side(right, constant));
    pieces
}
