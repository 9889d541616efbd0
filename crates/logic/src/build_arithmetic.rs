//! Canonical arithmetic.
//!
//! * A sum is a linear combination of terms that are no sums, with one literal at the end ([`Linear`]).
//! * An atom compares a sum without literal against a literal. On `Int` only `≤` is used, coefficients have
//!   no common divisor and the literal is rounded; on `Real` the first coefficient is ±1. The first
//!   coefficient is positive, so `x ≥ 5` is `¬(x ≤ 4)`: a comparison and its negation share one atom.
//! * Products of sums are multiplied out if that is small; powers are repeated factors, up to a number of factors beyond
//!   which products are factors of products, so that repeated squaring costs one node per square.
//! * A quotient by a literal has a positive divisor, and what the divisor divides is taken out; a remainder
//!   has coefficients reduced by the divisor.

use crate::linear::Linear;
use crate::sort::Sort;
use crate::term::{Call, Op, Term, Terms};
use crate::{Integer, Rational};
use num_integer::Integer as _;
use num_traits::{One, Signed, Zero};

/// Products of products are one product if it has at most this many factors.
const MOST_FACTORS: usize = 64;

/// A product of sums is multiplied out if it gives at most this many monomials.
const MULTIPLY_OUT: usize = 32;

impl Terms {
    /// A literal of sort `Int` (for which it must be an integer) or `Real`.
    pub fn numeral(&mut self, value: Rational, sort: Sort) -> Term {
        debug_assert!(sort == Sort::REAL || value.is_integer());
        let number = self.number(value);
        let op = if sort == Sort::INT { Op::Int(number) } else { Op::Real(number) };
        self.intern(op, &[], sort)
    }

    /// An integer literal.
    pub fn int(&mut self, value: impl Into<Integer>) -> Term {
        self.numeral(Rational::from_integer(value.into()), Sort::INT)
    }

    /// A real literal.
    pub fn real(&mut self, value: Rational) -> Term {
        self.numeral(value, Sort::REAL)
    }

    /// The sum of at least one term.
    pub fn add(&mut self, summands: &[Term]) -> Term {
        if let Some(known) = self.remembered(Call::Add, summands) {
            return known;
        }
        let sort = self.sort_of(summands[0]);
        let mut sum = Linear::zero();
        for &summand in summands {
            debug_assert_eq!(self.sort_of(summand), sort);
            sum.add_scaled(&self.linear(summand), &Rational::one());
        }
        let sum = self.from_linear(&sum, sort);
        self.remember(Call::Add, summands, sum)
    }

    /// `left − right`.
    pub fn sub(&mut self, left: Term, right: Term) -> Term {
        if let Some(known) = self.remembered(Call::Sub, &[left, right]) {
            return known;
        }
        let difference = self.linear(left).minus(&self.linear(right));
        let difference = self.from_linear(&difference, self.sort_of(left));
        self.remember(Call::Sub, &[left, right], difference)
    }

    /// `−term`.
    pub fn neg(&mut self, term: Term) -> Term {
        self.scaled(term, &-Rational::one())
    }

    /// `factor · term`.
    pub fn scaled(&mut self, term: Term, factor: &Rational) -> Term {
        let mut linear = self.linear(term);
        linear.scale(factor);
        self.from_linear(&linear, self.sort_of(term))
    }

    /// The product of at least one term.
    ///
    /// Either all sums among the factors are multiplied out or none is, so that the product of the factors of
    /// a product is that product again.
    pub fn mul(&mut self, factors: &[Term]) -> Term {
        match self.remembered(Call::Mul, factors) {
            Some(known) => known,
            None => {
                let product = self.multiply(factors);
                self.remember(Call::Mul, factors, product)
            }
        }
    }

    fn multiply(&mut self, factors: &[Term]) -> Term {
        let sort = self.sort_of(factors[0]);
        let mut coefficient = Rational::one();
        let mut flat: Vec<Linear> = Vec::new();
        debug_assert!(factors.iter().all(|&factor| self.sort_of(factor) == sort));
        let linears: Vec<Linear> = factors.iter().map(|&factor| self.linear(factor)).collect();
        let count = |linear: &Linear| match &linear.monomials[..] {
            [(term, _)] if linear.constant.is_zero() => self.factor_count(*term),
            _ => 1,
        };
        let flatten = linears.iter().map(count).sum::<usize>() <= MOST_FACTORS;
        for linear in linears {
            match &linear.monomials[..] {
                [] => coefficient *= linear.constant,
                [(term, scale)] if linear.constant.is_zero() => {
                    coefficient *= scale;
                    let parts =
                        if flatten && self.op(*term) == Op::Mul { self.args(*term) } else { &[*term] };
                    flat.extend(parts.iter().map(|&part| self.linear(part)));
                }
                _ => flat.push(linear),
            }
        }
        let monomials = |l: &Linear| l.monomials.len() + usize::from(!l.constant.is_zero());
        let total = flat.iter().fold(1usize, |total, l| total.saturating_mul(monomials(l)));
        let mut product = Linear::constant(Rational::one());
        if coefficient.is_zero() {
            return self.numeral(coefficient, sort);
        }
        if flatten && total <= MULTIPLY_OUT {
            for factor in flat {
                product = self.product(&product, &factor, sort);
            }
        } else {
            let mut factors: Vec<Term> = flat.iter().map(|l| self.from_linear(l, sort)).collect();
            factors.sort_unstable();
            let term = if factors.len() > 1 { self.intern(Op::Mul, &factors, sort) } else { factors[0] };
            product = self.linear(term);
        }
        product.scale(&coefficient);
        self.from_linear(&product, sort)
    }

    /// How many factors a term has that is no sum and not scaled.
    fn factor_count(&self, term: Term) -> usize {
        if self.op(term) == Op::Mul { self.args(term).len() } else { 1 }
    }

    fn product(&mut self, left: &Linear, right: &Linear, sort: Sort) -> Linear {
        let mut product = Linear::constant(&left.constant * &right.constant);
        let constant_free = |l: &Linear| Linear { constant: Rational::zero(), ..l.clone() };
        product.add_scaled(&constant_free(left), &right.constant);
        product.add_scaled(&constant_free(right), &left.constant);
        for (a, ca) in &left.monomials {
            for (b, cb) in &right.monomials {
                let term = self.power_product(*a, *b, sort);
                let single = Linear { monomials: vec![(term, ca * cb)], constant: Rational::zero() };
                product.add_scaled(&single, &Rational::one());
            }
        }
        product
    }

    /// The product of two terms that are no literals, no sums and not scaled, as one `Mul`.
    fn power_product(&mut self, left: Term, right: Term, sort: Sort) -> Term {
        let mut factors: Vec<Term> = Vec::new();
        let flatten = self.factor_count(left) + self.factor_count(right) <= MOST_FACTORS;
        for term in [left, right] {
            if flatten && self.op(term) == Op::Mul {
                factors.extend_from_slice(self.args(term));
            } else {
                factors.push(term);
            }
        }
        factors.sort_unstable();
        self.intern(Op::Mul, &factors, sort)
    }

    /// `left ≤ right`.
    pub fn le(&mut self, left: Term, right: Term) -> Term {
        if let Some(known) = self.remembered(Call::Le, &[left, right]) {
            return known;
        }
        let difference = self.linear(left).minus(&self.linear(right));
        let atom = self.at_most_zero(difference, self.sort_of(left));
        self.remember(Call::Le, &[left, right], atom)
    }

    /// `left < right`.
    pub fn lt(&mut self, left: Term, right: Term) -> Term {
        let greater = self.le(right, left);
        self.not(greater)
    }

    /// `left ≥ right`.
    pub fn ge(&mut self, left: Term, right: Term) -> Term {
        self.le(right, left)
    }

    /// `left > right`.
    pub fn gt(&mut self, left: Term, right: Term) -> Term {
        self.lt(right, left)
    }

    /// The canonical atom for `linear ≤ 0`.
    pub fn at_most_zero(&mut self, mut linear: Linear, sort: Sort) -> Term {
        if linear.is_constant() {
            return self.bool(!linear.constant.is_positive());
        }
        let divisor = common_divisor(&linear, sort);
        linear.scale(&divisor.recip());
        let flipped = linear.leads_negative();
        if flipped {
            linear.scale(&-Rational::one());
        }
        // Now it says `sum + constant ≤ 0`, or `sum + constant ≥ 0` if flipped.
        let bound = -std::mem::take(&mut linear.constant);
        let sum = self.from_linear(&linear, sort);
        // A remainder lies between zero and its divisor.
        if let Some(modulus) = self.modulus(sum) {
            let (least, most) = (Rational::zero(), Rational::from_integer(modulus - Integer::one()));
            let decided = match flipped {
                false if bound < least => Some(false),
                false if bound >= most => Some(true),
                true if bound <= least => Some(true),
                true if bound > most => Some(false),
                _ => None,
            };
            if let Some(truth) = decided {
                return self.bool(truth);
            }
        }
        let (op, bound) = match (sort, flipped) {
            (Sort::INT, false) => (Op::Le, bound.floor()),
            (Sort::INT, true) => (Op::Le, bound.ceil() - Rational::one()),
            (_, false) => (Op::Le, bound),
            (_, true) => (Op::Lt, bound),
        };
        let bound = self.numeral(bound, sort);
        let atom = self.intern(op, &[sum, bound], Sort::BOOL);
        if flipped { self.not(atom) } else { atom }
    }

    pub(crate) fn arithmetic_eq(&mut self, left: Term, right: Term) -> Term {
        if let Some(known) = self.remembered(Call::Eq, &[left, right]) {
            return known;
        }
        let difference = self.linear(left).minus(&self.linear(right));
        let atom = self.equals_zero(difference, self.sort_of(left));
        self.remember(Call::Eq, &[left, right], atom)
    }

    /// The canonical atom for `linear = 0`.
    pub fn equals_zero(&mut self, mut linear: Linear, sort: Sort) -> Term {
        if linear.is_constant() {
            return self.bool(linear.constant.is_zero());
        }
        let divisor = common_divisor(&linear, sort);
        linear.scale(&divisor.recip());
        if linear.leads_negative() {
            linear.scale(&-Rational::one());
        }
        if sort == Sort::INT && !linear.constant.is_integer() {
            return Term::FALSE;
        }
        let value = -std::mem::take(&mut linear.constant);
        let sum = self.from_linear(&linear, sort);
        if let Some(modulus) = self.modulus(sum)
            && (value.is_negative() || value >= Rational::from_integer(modulus))
        {
            return Term::FALSE;
        }
        let value = self.numeral(value, sort);
        self.intern(Op::Eq, &[sum, value], Sort::BOOL)
    }

    /// The divisor of a remainder by a positive literal.
    fn modulus(&self, term: Term) -> Option<Integer> {
        let (Op::Mod, &[_, divisor]) = (self.op(term), self.args(term)) else { return None };
        self.as_integer(divisor).filter(|divisor| divisor.is_positive()).cloned()
    }

    /// The Euclidean quotient of integers.
    pub fn div(&mut self, dividend: Term, divisor: Term) -> Term {
        let Some(by) = self.as_integer(divisor).filter(|by| !by.is_zero()).cloned() else {
            return self.intern(Op::Div, &[dividend, divisor], Sort::INT);
        };
        let by_positive = Rational::from_integer(by.abs());
        // What the divisor divides comes out of the quotient as it is.
        let mut outside = Linear::zero();
        let mut inside = Linear::zero();
        let linear = self.linear(dividend);
        for (term, coefficient) in linear.monomials {
            let quotient = &coefficient / &by_positive;
            if quotient.is_integer() {
                outside.monomials.push((term, quotient));
            } else {
                inside.monomials.push((term, coefficient));
            }
        }
        outside.constant = (&linear.constant / &by_positive).floor();
        inside.constant = linear.constant - &outside.constant * &by_positive;
        if !inside.is_constant() {
            let inside = self.from_linear(&inside, Sort::INT);
            let by_positive = self.numeral(by_positive, Sort::INT);
            let quotient = self.intern(Op::Div, &[inside, by_positive], Sort::INT);
            outside = outside.plus(&self.linear(quotient));
        }
        if by.is_negative() {
            outside.scale(&-Rational::one());
        }
        self.from_linear(&outside, Sort::INT)
    }

    /// The Euclidean remainder of integers.
    pub fn modulo(&mut self, dividend: Term, divisor: Term) -> Term {
        let Some(by) = self.as_integer(divisor).filter(|by| !by.is_zero()).cloned() else {
            return self.intern(Op::Mod, &[dividend, divisor], Sort::INT);
        };
        let by = by.abs();
        let rest = self.reduced(dividend, &by);
        if rest.is_constant() {
            return self.from_linear(&rest, Sort::INT);
        }
        let rest = self.from_linear(&rest, Sort::INT);
        if self.op(rest) == Op::Mod
            && self.as_integer(self.args(rest)[1]).is_some_and(|inner| *inner <= by && inner.is_positive())
        {
            return rest;
        }
        let by = self.int(by);
        self.intern(Op::Mod, &[rest, by], Sort::INT)
    }

    /// A linear term with the same remainder: coefficients reduced, remainders by a multiple of `by` unwrapped.
    fn reduced(&self, dividend: Term, by: &Integer) -> Linear {
        let modulus = Rational::from_integer(by.clone());
        let mut linear = self.linear(dividend);
        loop {
            let unwrapped = linear.monomials.iter().position(|(term, coefficient)| {
                self.op(*term) == Op::Mod
                    && self.as_integer(self.args(*term)[1]).is_some_and(|inner| {
                        !inner.is_zero() && (coefficient.numer() * inner).is_multiple_of(by)
                    })
            });
            let Some(position) = unwrapped else { break };
            let (term, coefficient) = linear.monomials.remove(position);
            linear.add_scaled(&self.linear(self.args(term)[0]), &coefficient);
        }
        let reduce = |value: &Rational| value - (value / &modulus).floor() * &modulus;
        linear.monomials.retain_mut(|(_, coefficient)| {
            *coefficient = reduce(coefficient);
            !coefficient.is_zero()
        });
        linear.constant = reduce(&linear.constant);
        linear
    }

    /// The quotient of reals.
    pub fn divide(&mut self, dividend: Term, divisor: Term) -> Term {
        match self.as_number(divisor).filter(|by| !by.is_zero()).cloned() {
            Some(by) => self.scaled(dividend, &by.recip()),
            None => self.intern(Op::Divide, &[dividend, divisor], Sort::REAL),
        }
    }

    /// An integer as a real.
    pub fn to_real(&mut self, term: Term) -> Term {
        let mut linear = self.linear(term);
        for (monomial, _) in &mut linear.monomials {
            *monomial = self.intern(Op::ToReal, &[*monomial], Sort::REAL);
        }
        linear.monomials.sort_unstable_by_key(|(t, _)| *t);
        self.from_linear(&linear, Sort::REAL)
    }

    /// The largest integer that is not larger than a real.
    pub fn to_int(&mut self, term: Term) -> Term {
        let linear = self.linear(term);
        let integral = linear
            .monomials
            .iter()
            .all(|(monomial, coefficient)| self.op(*monomial) == Op::ToReal && coefficient.is_integer());
        if !integral {
            return self.intern(Op::ToInt, &[term], Sort::INT);
        }
        let mut inside = Linear::constant(linear.constant.floor());
        for (monomial, coefficient) in &linear.monomials {
            inside.add_scaled(&self.linear(self.args(*monomial)[0]), coefficient);
        }
        self.from_linear(&inside, Sort::INT)
    }

    /// Is a real a whole number?
    pub fn is_int(&mut self, term: Term) -> Term {
        let floor = self.to_int(term);
        let floor = self.to_real(floor);
        self.eq(floor, term)
    }
}

/// What to divide an atom by: the content of an integer sum, the first coefficient's size of a real one.
fn common_divisor(linear: &Linear, sort: Sort) -> Rational {
    if sort == Sort::INT { Rational::from_integer(linear.content()) } else { linear.monomials[0].1.abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> (Terms, Term, Term) {
        let mut terms = Terms::new();
        let (x, y) = (terms.named("x", Sort::INT), terms.named("y", Sort::INT));
        (terms, x, y)
    }

    #[test]
    fn a_comparison_and_its_negation_share_an_atom() {
        let (mut terms, x, y) = variables();
        let five = terms.int(5);
        let less = terms.lt(x, five);
        let at_least = terms.ge(x, five);
        assert_eq!(terms.not(less), at_least);
        let (le, gt) = (terms.le(x, y), terms.gt(x, y));
        assert_eq!(terms.not(le), gt);
        let (xx, yy) = (terms.add(&[x, x, five]), terms.add(&[y, y, five]));
        assert_eq!(terms.le(xx, yy), le);
    }

    #[test]
    fn integer_atoms_are_tightened() {
        let (mut terms, x, y) = variables();
        let sum = terms.add(&[x, x, y, y]);
        let (six, seven) = (terms.int(6), terms.int(7));
        assert_eq!(terms.le(sum, seven), terms.le(sum, six));
        assert_eq!(terms.eq(sum, seven), Term::FALSE);
    }

    #[test]
    fn polynomials_have_one_form() {
        let (mut terms, x, y) = variables();
        let sum = terms.add(&[x, y]);
        let square = terms.mul(&[sum, sum]);
        let (xx, xy, yy) = (terms.mul(&[x, x]), terms.mul(&[y, x]), terms.mul(&[y, y]));
        assert_eq!(square, terms.add(&[xx, xy, xy, yy]));
    }

    #[test]
    fn products_of_large_sums_stay_and_are_rebuilt_as_they_were() {
        let (mut terms, x, _) = variables();
        let sum = |terms: &mut Terms, prefix: &str, count: usize| {
            let summands: Vec<Term> =
                (0..count).map(|i| terms.named(&format!("{prefix}{i}"), Sort::INT)).collect();
            terms.add(&summands)
        };
        let (long, short) = (sum(&mut terms, "l", 20), sum(&mut terms, "s", 3));
        let product = terms.mul(&[long, short]);
        let product = terms.mul(&[product, x]);
        assert_eq!(terms.op(product), Op::Mul);
        let factors = terms.args(product).to_vec();
        assert_eq!(terms.mul(&factors), product);
        let zero = terms.int(0);
        assert_eq!(terms.mul(&[long, zero, short]), zero);
    }

    #[test]
    fn repeated_squares_are_small() {
        let (mut terms, x, y) = variables();
        let mut power = x;
        for _ in 0..40 {
            power = terms.mul(&[power, power]);
            let factors = terms.args(power).to_vec();
            assert_eq!(terms.mul(&factors), power);
        }
        assert!(terms.args(power).len() <= MOST_FACTORS);
        let mixed = terms.mul(&[power, y]);
        let factors = terms.args(mixed).to_vec();
        assert_eq!(terms.mul(&factors), mixed);
        let many: Vec<Term> = (0..100).map(|i| terms.named(&format!("v{i}"), Sort::INT)).collect();
        let product = terms.mul(&many);
        let factors = terms.args(product).to_vec();
        assert_eq!(terms.mul(&factors), product);
    }

    #[test]
    fn remainders_absorb_inner_remainders() {
        let (mut terms, x, _) = variables();
        let (one, modulus) = (terms.int(1), terms.int(1u64 << 32));
        let wrapped = terms.modulo(x, modulus);
        let next = terms.add(&[wrapped, one]);
        let next = terms.modulo(next, modulus);
        let direct = terms.add(&[x, one]);
        assert_eq!(next, terms.modulo(direct, modulus));
        assert_eq!(terms.modulo(wrapped, modulus), wrapped);
    }

    #[test]
    fn remainders_lie_between_zero_and_their_divisor() {
        let (mut terms, x, _) = variables();
        let numbers = [-1, 0, 1, 2, 3].map(|n| terms.int(n));
        let rest = terms.modulo(x, numbers[4]);
        let decided = |term: Term| (term.is_true() || term.is_false()).then(|| term.is_true());
        let le = numbers.map(|n| decided(terms.le(rest, n)));
        assert_eq!(le, [Some(false), None, None, Some(true), Some(true)]);
        let ge = numbers.map(|n| decided(terms.ge(rest, n)));
        assert_eq!(ge, [Some(true), Some(true), None, None, Some(false)]);
        let eq = numbers.map(|n| decided(terms.eq(rest, n)));
        assert_eq!(eq, [Some(false), None, None, None, Some(false)]);
    }

    #[test]
    fn quotients_take_out_what_is_divisible() {
        let (mut terms, x, y) = variables();
        let (minus_three, three, seven) = (terms.int(-3), terms.int(3), terms.int(7));
        let dividend = terms.add(&[x, x, x, y, seven]);
        let quotient = terms.div(dividend, minus_three);
        let one = terms.int(1);
        let (y_one, two) = (terms.add(&[y, one]), terms.int(2));
        let inner = terms.div(y_one, three);
        let sum = terms.add(&[x, inner, two]);
        assert_eq!(quotient, terms.neg(sum));
    }
}
