//! What statements do to states: learning a comparison, assigning a form, forgetting a dimension.
//!
//! All operations want a normal state and leave a normal one.

use crate::form::{Dimension, Form};
use crate::interval::Interval;
use crate::octagon::Signed;
use crate::polyhedron::Sense;
use crate::relation::{floor, one};
use crate::space::Place;
use crate::state::{Domain, State, Unreachable, flipped};
use crate::value::{Kind, Value};
use logic::Rational;
use num_traits::{One, Signed as _, Zero};
use std::rc::Rc;

/// How a form compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// It is at most zero.
    AtMost,
    /// It is less than zero.
    Less,
    /// It is zero.
    Equal,
    /// It is not zero.
    Different,
}

impl Domain<'_> {
    /// Learns how a form compares with zero.
    pub fn compare(&self, state: &mut State, comparison: Comparison, form: &Form) -> Result<(), Unreachable> {
        let bounds = self.bounds(state, form);
        let zero = Rational::zero();
        let integral = self.space.is_integral(form);
        match comparison {
            Comparison::AtMost if bounds.high.as_ref().is_some_and(|high| *high <= zero) => Ok(()),
            Comparison::AtMost => self.at_most_zero(state, form, &bounds),
            Comparison::Less if integral => {
                let mut form = form.clone();
                form.constant += one();
                self.compare(state, Comparison::AtMost, &form)
            }
            Comparison::Less => {
                // Bounds of reals are weak, so only the contradiction is sharper.
                if bounds.low.as_ref().is_some_and(|low| *low >= zero) {
                    return Err(Unreachable);
                }
                self.at_most_zero(state, form, &bounds)
            }
            Comparison::Equal => {
                let aligned =
                    || self.strides(state, form).is_none_or(|strides| strides.contains(zero.numer()));
                if !bounds.contains(&zero) || integral && !aligned() {
                    return Err(Unreachable);
                }
                self.zero(state, form)
            }
            Comparison::Different => {
                if *bounds.as_point().unwrap_or(&one()) == zero {
                    return Err(Unreachable);
                }
                if !integral {
                    return Ok(());
                }
                // At an end of its range the form can only move inwards.
                let mut moved = form.clone();
                if bounds.high.as_ref().is_some_and(|high| high.is_zero()) {
                    moved.constant += one();
                } else if bounds.low.as_ref().is_some_and(|low| low.is_zero()) {
                    moved = moved.negated();
                    moved.constant += one();
                } else {
                    return Ok(());
                }
                self.compare(state, Comparison::AtMost, &moved)
            }
        }
    }

    fn at_most_zero(&self, state: &mut State, form: &Form, bounds: &Interval) -> Result<(), Unreachable> {
        if bounds.low.as_ref().is_some_and(|low| low.is_positive()) {
            return Err(Unreachable);
        }
        self.propagate(state, form)?;
        self.learn_inequality(state, form, Sense::AtMost)?;
        let packs = self.learn_pairs(state, form)?;
        self.reduce_around(state, form, packs)
    }

    fn zero(&self, state: &mut State, form: &Form) -> Result<(), Unreachable> {
        self.propagate_equation(state, form)?;
        self.learn_inequality(state, form, Sense::Zero)?;
        let mut packs = self.learn_pairs(state, form)?;
        packs.extend(self.learn_pairs(state, &form.clone().negated())?);
        let known = self.with_constants(state, form);
        if let Some(pack) = self.common_pack(&known) {
            let mut shared = self.shared_relation(state, pack);
            let integers = self.packing.packs()[pack].integers;
            Rc::make_mut(&mut shared).equalities.add(&known, integers).map_err(|_| Unreachable)?;
            state.relations.set(pack, Some(shared));
            packs.push(pack);
        }
        self.reduce_around(state, form, packs)
    }

    /// The form with the numbers of dimensions that have just one value.
    fn with_constants(&self, state: &State, form: &Form) -> Form {
        let mut known = Form::constant(form.constant.clone());
        for (dimension, factor) in &form.monomials {
            let in_pack = self.packing.place(*dimension).is_some();
            match self.value(state, *dimension).as_point().filter(|_| !in_pack) {
                Some(point) => known.constant += point * factor,
                None => known.monomials.push((*dimension, factor.clone())),
            }
        }
        known
    }

    /// The pack that has all dimensions of a form.
    fn common_pack(&self, form: &Form) -> Option<usize> {
        let mut packs =
            form.monomials.iter().map(|(dimension, _)| Some(self.packing.place(*dimension)?.pack));
        let first = packs.next()??;
        packs.all(|pack| pack == Some(first)).then_some(first)
    }

    /// Exchanges bounds in the packs that may have changed.
    fn reduce_around(
        &self,
        state: &mut State,
        form: &Form,
        mut packs: Vec<usize>,
    ) -> Result<(), Unreachable> {
        packs.extend(
            form.monomials.iter().filter_map(|(dimension, _)| Some(self.packing.place(*dimension)?.pack)),
        );
        packs.sort_unstable();
        packs.dedup();
        packs.into_iter().try_for_each(|pack| self.reduce(state, pack))
    }

    /// Octagons learn that a form is at most zero, from every pair of its monomials. Returns the packs that did.
    fn learn_pairs(&self, state: &mut State, form: &Form) -> Result<Vec<usize>, Unreachable> {
        let mut learnt = Vec::new();
        for (i, (a, factor_a)) in form.monomials.iter().enumerate() {
            let Some(Place { pack, position: position_a }) = self.packing.place(*a) else { continue };
            if !self.packing.packs()[pack].integers {
                continue;
            }
            for (b, factor_b) in &form.monomials[i + 1..] {
                let Some(position_b) = self.position_in(*b, pack) else { continue };
                let factor = factor_a.abs();
                if factor != factor_b.abs() {
                    continue;
                }
                let mut rest = form.clone();
                rest.monomials.retain(|(dimension, _)| dimension != a && dimension != b);
                let Some(low) = self.bounds(state, &rest).low else { continue };
                let Some(bound) = floor(&-(low / &factor)) else { continue };
                let signed = |position, factor: &Rational| Signed { position, negated: factor.is_negative() };
                let mut shared = self.shared_relation(state, pack);
                let octagon = &mut Rc::make_mut(&mut shared).octagon;
                octagon
                    .bound_sum(signed(position_a, factor_a), signed(position_b, factor_b), bound)
                    .map_err(|_| Unreachable)?;
                state.relations.set(pack, Some(shared));
                learnt.push(pack);
            }
        }
        Ok(learnt)
    }

    /// Everything about a dimension is forgotten.
    pub fn forget(&self, state: &mut State, dimension: Dimension) {
        state.values.set(base::EntityRef::index(dimension), None);
        let Some(Place { pack, position }) = self.packing.place(dimension) else {
            return self.forget_part(state, dimension);
        };
        if state.relations.get(&pack).is_none() {
            return;
        }
        let mut shared = self.shared_relation(state, pack);
        let relation = Rc::make_mut(&mut shared);
        if self.packing.packs()[pack].integers {
            relation.octagon.forget(position);
        }
        relation.equalities.forget(dimension);
        relation.polyhedron.forget(dimension);
        let known = !relation.is_top();
        state.relations.set(pack, known.then_some(shared));
    }

    /// A dimension gets the value of a form, in which it may occur.
    pub fn assign(&self, state: &mut State, dimension: Dimension, form: &Form) -> Result<(), Unreachable> {
        let value = self.evaluate(state, form, self.space.kind(dimension));
        if let Some(place) = self.packing.place(dimension) {
            self.assign_related(state, dimension, form, place)?;
            self.set_value(state, dimension, value);
            return self.reduce(state, place.pack);
        }
        self.set_value(state, dimension, value);
        Ok(())
    }

    fn assign_related(
        &self,
        state: &mut State,
        dimension: Dimension,
        form: &Form,
        Place { pack, position }: Place,
    ) -> Result<(), Unreachable> {
        let known = self.with_constants(state, form);
        self.assign_in_polyhedron(state, dimension, form, pack)?;
        let relations = self.relations_of_value(state, &known, dimension, pack);
        let mut shared = self.shared_relation(state, pack);
        let relation = Rc::make_mut(&mut shared);
        if known.as_constant().is_some() || self.common_pack(&known) == Some(pack) {
            relation.equalities.assign(dimension, &known);
        } else {
            relation.equalities.forget(dimension);
        }
        if self.packing.packs()[pack].integers {
            match shift_of(&known, dimension) {
                Some(by) => relation.octagon.shift(position, by),
                None => {
                    relation.octagon.forget(position);
                    for (this, other, bound) in relations {
                        relation.octagon.bound_sum(this, other, bound).map_err(|_| Unreachable)?;
                    }
                }
            }
        }
        state.relations.set(pack, Some(shared));
        Ok(())
    }

    /// Bounds on sums and differences of a form and the other dimensions of a pack, where they say more than bounds
    /// on the two by themselves.
    fn relations_of_value(
        &self,
        state: &State,
        form: &Form,
        assigned: Dimension,
        pack: usize,
    ) -> Vec<(Signed, Signed, i128)> {
        let data = &self.packing.packs()[pack];
        let related = form.monomials.iter().any(|(dimension, _)| self.packing.place(*dimension).is_some());
        let mut found = Vec::new();
        if !data.integers || !related || shift_of(form, assigned).is_some() {
            return found;
        }
        let Some(position) = self.position_in(assigned, pack) else { return found };
        for (other_position, &other) in data.dimensions.iter().enumerate() {
            if other == assigned {
                continue;
            }
            for negated in [false, true] {
                let mut sum = form.clone();
                sum.add_scaled(&Form::dimension(other), &if negated { -one() } else { one() });
                let bounds = self.bounds(state, &sum);
                let this = Signed { position, negated: false };
                let that = Signed { position: other_position, negated };
                found.extend(bounds.high.as_ref().and_then(floor).map(|bound| (this, that, bound)));
                let low = bounds.low.as_ref().and_then(|low| floor(&-low.clone()));
                found.extend(low.map(|bound| (flipped(this), flipped(that), bound)));
            }
        }
        found
    }

    /// An array gets contents that are all among these values; none if nothing is known.
    pub fn assign_contents(&self, state: &mut State, dimension: Dimension, value: Option<Value>) {
        let value = value.unwrap_or_else(|| Value::top(self.space.kind(dimension)));
        self.set_value(state, dimension, value);
    }

    /// The values between two of a kind, from bounds that may be infinite.
    pub fn between(low: Option<Rational>, high: Option<Rational>, kind: Kind) -> Result<Value, Unreachable> {
        let interval = Interval::new(low, high).ok_or(Unreachable)?;
        Value::of_interval(interval, kind).ok_or(Unreachable)
    }
}

/// The number that is added, if the form is the dimension and a whole number.
fn shift_of(form: &Form, dimension: Dimension) -> Option<i128> {
    match &form.monomials[..] {
        [(only, factor)] if *only == dimension && factor.is_one() && form.constant.is_integer() => {
            floor(&form.constant)
        }
        _ => None,
    }
}
