//! Linear views of arithmetic terms: what every integer or real term is, up to its non-linear parts.

use crate::sort::Sort;
use crate::term::{Op, Term, Terms};
use crate::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::{One, Signed, Zero};

/// `c₁·t₁ + … + cₙ·tₙ + c`, with t₁ < … < tₙ, no cᵢ zero, and no tᵢ a literal, a sum or scaled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    /// The terms with their coefficients, sorted by term.
    pub monomials: Vec<(Term, Rational)>,
    /// The constant summand.
    pub constant: Rational,
}

impl Linear {
    /// A constant.
    pub fn constant(value: Rational) -> Linear {
        Linear { monomials: Vec::new(), constant: value }
    }

    /// Zero.
    pub fn zero() -> Linear {
        Linear::constant(Rational::zero())
    }

    /// The coefficient of a term.
    pub fn coefficient(&self, term: Term) -> Option<&Rational> {
        let position = self.monomials.binary_search_by_key(&term, |(t, _)| *t).ok()?;
        Some(&self.monomials[position].1)
    }

    /// Takes a term out and returns its coefficient.
    pub fn remove(&mut self, term: Term) -> Option<Rational> {
        let position = self.monomials.binary_search_by_key(&term, |(t, _)| *t).ok()?;
        Some(self.monomials.remove(position).1)
    }

    /// Multiplies everything by a factor.
    pub fn scale(&mut self, factor: &Rational) {
        if factor.is_zero() {
            self.monomials.clear();
        }
        for (_, coefficient) in &mut self.monomials {
            *coefficient *= factor;
        }
        self.constant *= factor;
    }

    /// Adds `factor` times another linear term.
    pub fn add_scaled(&mut self, other: &Linear, factor: &Rational) {
        if factor.is_zero() {
            return;
        }
        // Products of fractions are costly, and nearly all factors are 1.
        let unit = factor.is_one();
        let scaled = |value: &Rational| if unit { value.clone() } else { value * factor };
        if !other.constant.is_zero() {
            self.constant += scaled(&other.constant);
        }
        if self.monomials.is_empty() {
            self.monomials = other.monomials.iter().map(|(t, c)| (*t, scaled(c))).collect();
            return;
        }
        let mut merged = Vec::with_capacity(self.monomials.len() + other.monomials.len());
        let mut mine = std::mem::take(&mut self.monomials).into_iter().peekable();
        for (term, coefficient) in &other.monomials {
            while let Some(smaller) = mine.next_if(|(t, _)| t < term) {
                merged.push(smaller);
            }
            let mut sum = scaled(coefficient);
            if let Some((_, present)) = mine.next_if(|(t, _)| t == term) {
                sum += present;
            }
            if !sum.is_zero() {
                merged.push((*term, sum));
            }
        }
        merged.extend(mine);
        self.monomials = merged;
    }

    /// The sum of two linear terms.
    pub fn plus(mut self, other: &Linear) -> Linear {
        self.add_scaled(other, &Rational::one());
        self
    }

    /// The difference of two linear terms.
    pub fn minus(mut self, other: &Linear) -> Linear {
        self.add_scaled(other, &-Rational::one());
        self
    }

    /// Is it a number?
    pub fn is_constant(&self) -> bool {
        self.monomials.is_empty()
    }

    /// Is the coefficient of the first term negative?
    pub fn leads_negative(&self) -> bool {
        self.monomials.first().is_some_and(|(_, c)| c.is_negative())
    }

    /// The greatest common divisor of the coefficients, all of which are integers; zero for a constant.
    pub fn content(&self) -> Integer {
        self.monomials.iter().fold(Integer::zero(), |gcd, (_, c)| gcd.gcd(c.numer()))
    }
}

impl Terms {
    /// The linear view of an integer or real term.
    pub fn linear(&self, term: Term) -> Linear {
        let mut linear = Linear::zero();
        let summands = if self.op(term) == Op::Add { self.args(term) } else { std::slice::from_ref(&term) };
        for &summand in summands {
            match self.op(summand) {
                Op::Int(number) | Op::Real(number) => linear.constant = self.number_value(number).clone(),
                Op::Scale(number) => {
                    linear.monomials.push((self.args(summand)[0], self.number_value(number).clone()));
                }
                _ => linear.monomials.push((summand, Rational::one())),
            }
        }
        // A sum is sorted by its summands, a linear term by what they scale.
        linear.monomials.sort_unstable_by_key(|(t, _)| *t);
        linear
    }

    /// The term of a linear view. For `Int` all coefficients and the constant must be integers.
    pub fn from_linear(&mut self, linear: &Linear, sort: Sort) -> Term {
        let mut summands: Vec<Term> = Vec::with_capacity(linear.monomials.len() + 1);
        for (term, coefficient) in &linear.monomials {
            debug_assert_eq!(self.sort_of(*term), sort);
            debug_assert!(sort == Sort::REAL || coefficient.is_integer());
            summands.push(if coefficient.is_one() {
                *term
            } else {
                let number = self.number(coefficient.clone());
                self.intern(Op::Scale(number), &[*term], sort)
            });
        }
        summands.sort_unstable();
        if !linear.constant.is_zero() || summands.is_empty() {
            summands.push(self.numeral(linear.constant.clone(), sort));
        }
        match summands[..] {
            [single] => single,
            _ => self.intern(Op::Add, &summands, sort),
        }
    }
}
