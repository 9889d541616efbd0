//! Linear forms over dimensions.

use logic::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::{One, Signed, Zero};

base::id!(
    /// Something that has a value in a state: a variable, an auxiliary constant, a part of a term that is not linear.
    Dimension,
    "d"
);

/// `c₁·d₁ + … + cₙ·dₙ + c`, with d₁ < … < dₙ and no cᵢ zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// The dimensions with their coefficients, sorted by dimension.
    pub monomials: Vec<(Dimension, Rational)>,
    /// The constant summand.
    pub constant: Rational,
}

impl Form {
    /// A number.
    pub fn constant(constant: Rational) -> Form {
        Form { monomials: Vec::new(), constant }
    }

    /// A dimension.
    pub fn dimension(dimension: Dimension) -> Form {
        Form { monomials: vec![(dimension, Rational::one())], constant: Rational::zero() }
    }

    /// The number, if the form is one.
    pub fn as_constant(&self) -> Option<&Rational> {
        self.monomials.is_empty().then_some(&self.constant)
    }

    /// The dimension, if the form is just that.
    pub fn as_dimension(&self) -> Option<Dimension> {
        match &self.monomials[..] {
            [(dimension, factor)] if factor.is_one() && self.constant.is_zero() => Some(*dimension),
            _ => None,
        }
    }

    /// The coefficient of a dimension, if it is not zero.
    pub fn coefficient(&self, dimension: Dimension) -> Option<&Rational> {
        let position = self.monomials.binary_search_by_key(&dimension, |(d, _)| *d).ok()?;
        Some(&self.monomials[position].1)
    }

    /// Does it mention the dimension?
    pub fn mentions(&self, dimension: Dimension) -> bool {
        self.coefficient(dimension).is_some()
    }

    /// The form times a number.
    pub fn scaled(mut self, factor: &Rational) -> Form {
        if factor.is_zero() {
            return Form::default();
        }
        if !factor.is_one() {
            self.constant *= factor;
            self.monomials.iter_mut().for_each(|(_, coefficient)| *coefficient *= factor);
        }
        self
    }

    /// Adds a multiple of another form.
    pub fn add_scaled(&mut self, other: &Form, factor: &Rational) {
        if factor.is_zero() {
            return;
        }
        self.constant += &other.constant * factor;
        let mut merged = Vec::with_capacity(self.monomials.len() + other.monomials.len());
        let mut mine = std::mem::take(&mut self.monomials).into_iter().peekable();
        for (dimension, coefficient) in &other.monomials {
            while let Some(smaller) = mine.next_if(|(d, _)| d < dimension) {
                merged.push(smaller);
            }
            let mut sum = coefficient * factor;
            if let Some((_, present)) = mine.next_if(|(d, _)| d == dimension) {
                sum += present;
            }
            if !sum.is_zero() {
                merged.push((*dimension, sum));
            }
        }
        merged.extend(mine);
        self.monomials = merged;
    }

    /// The difference of two forms.
    pub fn minus(mut self, other: &Form) -> Form {
        self.add_scaled(other, &-Rational::one());
        self
    }

    /// The form with the sign changed.
    pub fn negated(self) -> Form {
        self.scaled(&-Rational::one())
    }

    /// The form with a form for a dimension.
    pub fn substitute(&mut self, dimension: Dimension, image: &Form) {
        let Ok(position) = self.monomials.binary_search_by_key(&dimension, |(d, _)| *d) else { return };
        let (_, factor) = self.monomials.remove(position);
        self.add_scaled(image, &factor);
    }

    /// The form with other dimensions. Two of them may become one.
    pub fn renamed(&self, mut rename: impl FnMut(Dimension) -> Dimension) -> Form {
        let mut renamed = Form::constant(self.constant.clone());
        for (dimension, coefficient) in &self.monomials {
            renamed.add_scaled(&Form::dimension(rename(*dimension)), coefficient);
        }
        renamed
    }

    /// A positive multiple whose coefficients and constant are integers without common divisor.
    pub fn integral(self) -> Form {
        let numbers = || self.monomials.iter().map(|(_, c)| c).chain([&self.constant]);
        let denominators = numbers().fold(Integer::one(), |lcm, c| lcm.lcm(c.denom()));
        let scale = Rational::from(denominators);
        let divisor = numbers().fold(Integer::zero(), |gcd, c| gcd.gcd((c * &scale).numer()));
        if divisor.is_zero() {
            return self;
        }
        self.scaled(&(scale / Rational::from(divisor)))
    }

    /// Are all coefficients integers?
    pub fn has_integer_coefficients(&self) -> bool {
        self.monomials.iter().all(|(_, c)| c.is_integer())
    }

    /// Is the first coefficient negative?
    pub fn leads_negative(&self) -> bool {
        self.monomials.first().is_some_and(|(_, c)| c.is_negative())
    }
}
