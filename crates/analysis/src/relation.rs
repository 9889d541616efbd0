//! What is known about the dimensions of a pack together: an octagon, affine equalities, and a polyhedron where one is kept.

use crate::equalities::Equalities;
use crate::form::Form;
use crate::octagon::{Octagon, Signed};
use crate::polyhedron::Polyhedron;
use crate::space::Pack;
use crate::state::Thresholds;
use logic::{Integer, Rational};
use num_traits::{One, Signed as _, ToPrimitive};

/// The relational part of a state, for one pack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Bounds on sums and differences; without variables for a pack of reals.
    pub octagon: Octagon,
    /// Linear equations.
    pub equalities: Equalities,
    /// Linear inequalities; also about parts of terms, as long as these have values.
    pub polyhedron: Polyhedron,
}

impl Relation {
    /// Nothing is known.
    pub fn top(pack: &Pack) -> Relation {
        let variables = if pack.integers { pack.dimensions.len() } else { 0 };
        Relation {
            octagon: Octagon::top(variables),
            equalities: Equalities::default(),
            polyhedron: Polyhedron::all(pack.integers),
        }
    }

    /// Is nothing known?
    pub fn is_top(&self) -> bool {
        self.equalities.rows().is_empty() && self.octagon.is_top() && self.polyhedron.is_all()
    }

    /// Keeps what both know; both must be closed.
    pub fn join(&mut self, other: &Relation) {
        self.octagon.join(&other.octagon);
        self.equalities.join(&other.equalities);
        self.polyhedron.join(&other.polyhedron);
    }

    /// Contains both; the octagon is left open.
    pub fn widen(&mut self, newer: &Relation, thresholds: &Thresholds) {
        self.octagon.widen(&newer.octagon, &thresholds.bounds, &thresholds.doubled);
        self.equalities.join(&newer.equalities);
        self.polyhedron.widen(&newer.polyhedron, &thresholds.forms, &thresholds.values);
    }

    /// Do all members belong to the other?
    pub fn is_in(&self, other: &Relation) -> bool {
        self.octagon.is_in(&other.octagon)
            && self.equalities.is_in(&other.equalities)
            && self.polyhedron.is_in(&other.polyhedron)
    }
}

/// The largest number of this size that is not above a fraction, if the octagon can hold it.
pub fn floor(bound: &Rational) -> Option<i128> {
    bound.floor().to_integer().to_i128()
}

/// A form as two signed variables of a pack with a common factor, and the constant: `factor·(a + b) + constant`.
pub fn as_pair(
    form: &Form,
    position: impl Fn(crate::form::Dimension) -> Option<usize>,
) -> Option<(Signed, Signed)> {
    let [(a, factor_a), (b, factor_b)] = &form.monomials[..] else { return None };
    if factor_a.abs() != factor_b.abs() {
        return None;
    }
    let signed = |dimension, factor: &Rational| {
        Some(Signed { position: position(dimension)?, negated: factor.is_negative() })
    };
    Some((signed(*a, factor_a)?, signed(*b, factor_b)?))
}

/// The number one.
pub fn one() -> Rational {
    Rational::from(Integer::one())
}
