//! Abstract states: a value for every dimension, and a relation for every pack; the reduced product of all domains.
//!
//! A state stands for all concrete states whose values lie in its values and satisfy its relations. There is no state
//! that stands for nothing: operations say that instead. What is not in the maps is unknown. States share their parts.
//!
//! Relations of a *normal* state are closed, and bounds have been exchanged between its parts. Only widening makes states
//! that are not normal. All operations but [`Domain::widen`] and [`Domain::is_in`] on its right side want normal states.

use crate::congruence::Congruence;
use crate::form::{Dimension, Form};
use crate::interval::Interval;
use crate::limits;
use crate::number::{minus, over, plus};
use crate::octagon::Signed;
use crate::relation::{Relation, floor, one};
use crate::space::{Packing, Place, Space};
use crate::value::{Kind, Value};
use base::{EntityRef, PersistentMap};
use logic::Rational;
use num_traits::{One, Zero};
use std::rc::Rc;

/// A set of concrete states, never empty.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub(crate) values: PersistentMap<usize, Rc<Value>>,
    pub(crate) relations: PersistentMap<usize, Rc<Relation>>,
}

/// There are no such states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreachable;

/// The operations on states of one procedure.
#[derive(Clone, Copy)]
pub struct Domain<'a> {
    /// The dimensions.
    pub space: &'a Space,
    /// The packs of the procedure.
    pub packing: &'a Packing,
}

/// What widening may stop at, sorted.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    /// For values.
    pub values: Vec<Rational>,
    /// For sums and differences in octagons.
    pub bounds: Vec<i128>,
    /// For single variables in octagons: twice the values, with both signs.
    pub doubled: Vec<i128>,
    /// For polyhedra: forms that may be at most zero.
    pub forms: Vec<Form>,
}

impl<'a> Domain<'a> {
    /// The value of a dimension.
    pub fn value<'s>(&self, state: &'s State, dimension: Dimension) -> &'s Value
    where
        'a: 's,
    {
        match state.values.get(&dimension.index()) {
            Some(value) => value,
            None => self.space.top(dimension),
        }
    }

    /// A value, as far as this domain keeps it.
    fn kept(&self, value: Value) -> Value {
        if self.space.has_strides() { value } else { value.without_stride() }
    }

    /// Replaces the value of a dimension; its relations stay.
    pub fn set_value(&self, state: &mut State, dimension: Dimension, value: Value) {
        let value = self.kept(value);
        let known = !value.is_top(self.space.kind(dimension));
        state.values.set(dimension.index(), known.then(|| Rc::new(value)));
    }

    /// Learns that a dimension has one of these values. Says whether that is news.
    pub fn meet_value(
        &self,
        state: &mut State,
        dimension: Dimension,
        value: &Value,
    ) -> Result<bool, Unreachable> {
        let kind = self.space.kind(dimension);
        let old = self.value(state, dimension);
        let met = old.meet(value, kind).ok_or(Unreachable)?;
        if met == *old {
            return Ok(false);
        }
        self.set_value(state, dimension, met);
        Ok(true)
    }

    pub(crate) fn relation<'s>(&self, state: &'s State, pack: usize) -> Option<&'s Relation> {
        state.relations.get(&pack).map(|relation| &**relation)
    }

    /// The relation of a pack, to be changed in a copy.
    pub(crate) fn shared_relation(&self, state: &State, pack: usize) -> Rc<Relation> {
        match state.relations.get(&pack) {
            Some(relation) => relation.clone(),
            None => Rc::new(Relation::top(&self.packing.packs()[pack])),
        }
    }

    /// The smallest set around two normal states; the result is normal up to bounds that could be exchanged.
    pub fn join(&self, left: &State, right: &State) -> State {
        let mut joined = left.clone();
        joined.values.combine(&right.values, Rc::ptr_eq, |found| {
            let kind = self.space.kind(Dimension::new(*found.key));
            let value = self.kept(found.left?.join(found.right?, kind));
            (!value.is_top(kind)).then(|| Rc::new(value))
        });
        joined.relations.combine(&right.relations, Rc::ptr_eq, |found| {
            let mut relation = (**found.left?).clone();
            relation.join(found.right?);
            Some(Rc::new(relation))
        });
        joined
    }

    /// A set around both such that repeating this comes to an end. The left state is the older one and need not be
    /// normal; the result is not normal.
    pub fn widen(&self, older: &State, newer: &State, thresholds: &Thresholds) -> State {
        let mut widened = older.clone();
        widened.values.combine(&newer.values, Rc::ptr_eq, |found| {
            let kind = self.space.kind(Dimension::new(*found.key));
            let value = self.kept(found.left?.widen(found.right?, &thresholds.values, kind));
            (!value.is_top(kind)).then(|| Rc::new(value))
        });
        widened.relations.combine(&newer.relations, Rc::ptr_eq, |found| {
            let mut relation = (**found.left?).clone();
            relation.widen(found.right?, thresholds);
            Some(Rc::new(relation))
        });
        widened
    }

    /// Are all members of a normal state members of the other?
    pub fn is_in(&self, left: &State, right: &State) -> bool {
        left.values.differences(&right.values, Rc::ptr_eq).all(|found| match (found.left, found.right) {
            (_, None) => true,
            (None, Some(theirs)) => self.space.top(Dimension::new(*found.key)).is_in(theirs),
            (Some(mine), Some(theirs)) => mine.is_in(theirs),
        }) && left.relations.differences(&right.relations, Rc::ptr_eq).all(|found| {
            match (found.left, found.right) {
                (_, None) => true,
                (None, Some(theirs)) => Relation::top(&self.packing.packs()[*found.key]).is_in(theirs),
                (Some(mine), Some(theirs)) => mine.is_in(theirs),
            }
        })
    }

    /// The members of both normal states.
    pub fn meet(&self, left: &State, right: &State) -> Result<State, Unreachable> {
        let mut met = left.clone();
        let mut empty = false;
        met.values.combine(&right.values, Rc::ptr_eq, |found| match (found.left, found.right) {
            (Some(mine), Some(theirs)) => {
                let value = mine.meet(theirs, self.space.kind(Dimension::new(*found.key)));
                empty |= value.is_none();
                value.map(Rc::new)
            }
            (mine, theirs) => mine.or(theirs).cloned(),
        });
        met.relations.combine(&right.relations, Rc::ptr_eq, |found| match (found.left, found.right) {
            (Some(mine), Some(theirs)) => {
                let mut relation = (**mine).clone();
                relation.octagon.meet(&theirs.octagon);
                let integers = self.packing.packs()[*found.key].integers;
                empty |= relation.octagon.close().is_err();
                empty |= relation.polyhedron.meet(&theirs.polyhedron).is_err();
                empty |= relation.equalities.meet(&theirs.equalities, integers).is_err();
                Some(Rc::new(relation))
            }
            (mine, theirs) => mine.or(theirs).cloned(),
        });
        if empty {
            return Err(Unreachable);
        }
        for pack in 0..self.packing.packs().len() {
            self.reduce(&mut met, pack)?;
        }
        Ok(met)
    }

    /// The same states, normal.
    pub fn normalised(&self, state: &State) -> Result<State, Unreachable> {
        let mut normal = state.clone();
        for pack in self.packs_in_use(state) {
            self.reduce(&mut normal, pack)?;
        }
        Ok(normal)
    }

    /// The packs of whose dimensions something is known, sorted.
    fn packs_in_use(&self, state: &State) -> Vec<usize> {
        let with_values = state.values.iter().filter_map(|(&index, _)| {
            let place = self.packing.place(Dimension::new(index))?;
            Some(place.pack)
        });
        let mut packs: Vec<usize> =
            with_values.chain(state.relations.iter().map(|(&pack, _)| pack)).collect();
        packs.sort_unstable();
        packs.dedup();
        packs
    }

    /// Exchanges bounds between the values and the relation of a pack.
    pub fn reduce(&self, state: &mut State, pack: usize) -> Result<(), Unreachable> {
        let data = &self.packing.packs()[pack];
        let mut shared = self.shared_relation(state, pack);
        let relation = Rc::make_mut(&mut shared);
        relation.octagon.close().map_err(|_| Unreachable)?;
        // Values become unary bounds, and constants become equations.
        for (position, &dimension) in data.dimensions.iter().enumerate() {
            let value = self.value(state, dimension);
            if let Some(point) = value.as_point() {
                let form = Form { monomials: vec![(dimension, one())], constant: -point.clone() };
                relation.equalities.add(&form, data.integers).map_err(|_| Unreachable)?;
            }
            if data.integers {
                let above = Signed { position, negated: false };
                let below = Signed { position, negated: true };
                if let Some(high) = value.interval.high.as_ref().and_then(floor) {
                    relation.octagon.bound_one(above, high).map_err(|_| Unreachable)?;
                }
                if let Some(low) = value.interval.low.as_ref().and_then(|low| floor(&-low.clone())) {
                    relation.octagon.bound_one(below, low).map_err(|_| Unreachable)?;
                }
            }
        }
        if data.integers {
            self.equations_to_octagon(relation, pack)?;
            let known = |dimension| self.value(state, dimension).as_point().is_some();
            self.octagon_to_equations(relation, pack, known)?;
            for (position, &dimension) in data.dimensions.iter().enumerate() {
                let bound = |negated| relation.octagon.bound(Signed { position, negated });
                let high = bound(false).map(|bound| Rational::from_integer(bound.into()));
                let low = bound(true).map(|bound| -Rational::from_integer(bound.into()));
                let interval = Interval::new(low, high).ok_or(Unreachable)?;
                let value = Value::of_interval(interval, Kind::Int).ok_or(Unreachable)?;
                self.meet_value(state, dimension, &value)?;
            }
        }
        if data.polyhedra {
            self.exchange_with_polyhedron(state, relation, pack)?;
        }
        // Equations bound and align their dimensions.
        let rows = relation.equalities.rows().to_vec();
        state.relations.set(pack, Some(shared));
        for row in &rows {
            if row.monomials.len() <= limits::MOST_MONOMIALS {
                self.propagate_equation(state, row)?;
            }
        }
        Ok(())
    }

    /// Equations between two variables are bounds on their sum or difference.
    fn equations_to_octagon(&self, relation: &mut Relation, pack: usize) -> Result<(), Unreachable> {
        let position = |dimension| self.position_in(dimension, pack);
        for row in relation.equalities.rows() {
            let Some((a, b)) = crate::relation::as_pair(row, position) else { continue };
            let factor = num_traits::Signed::abs(&row.monomials[0].1);
            let total = -(&row.constant / factor);
            if !total.is_integer() {
                return Err(Unreachable);
            }
            let Some(total) = floor(&total) else { continue };
            relation.octagon.bound_sum(a, b, total).map_err(|_| Unreachable)?;
            let (a, b) = (flipped(a), flipped(b));
            relation.octagon.bound_sum(a, b, -total).map_err(|_| Unreachable)?;
        }
        Ok(())
    }

    /// Sums and differences that are bounded from both sides alike are equations. Those between two that are `known` follow from what is
    /// known of each.
    fn octagon_to_equations(
        &self,
        relation: &mut Relation,
        pack: usize,
        known: impl Fn(Dimension) -> bool,
    ) -> Result<(), Unreachable> {
        let dimensions = &self.packing.packs()[pack].dimensions;
        let known: Vec<bool> = dimensions.iter().map(|&dimension| known(dimension)).collect();
        for left in 0..dimensions.len() {
            for right in (0..left).filter(|&right| !(known[left] && known[right])) {
                for negated in [false, true] {
                    let a = Signed { position: left, negated: false };
                    let b = Signed { position: right, negated };
                    let high = relation.octagon.sum_bound(a, b);
                    let low = relation.octagon.sum_bound(flipped(a), flipped(b));
                    let (Some(high), Some(low)) = (high, low) else { continue };
                    if high != -low {
                        continue;
                    }
                    let mut form = Form::dimension(dimensions[left]);
                    let sign = if negated { -one() } else { one() };
                    form.add_scaled(&Form::dimension(dimensions[right]), &sign);
                    form.constant = -Rational::from_integer(high.into());
                    relation.equalities.add(&form, true).map_err(|_| Unreachable)?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn position_in(&self, dimension: Dimension, pack: usize) -> Option<usize> {
        self.packing.place(dimension).filter(|place| place.pack == pack).map(|place| place.position)
    }

    /// The values of a form: by its parts, by equations, and by sums and differences that are bounded.
    pub fn evaluate(&self, state: &State, form: &Form, kind: Kind) -> Value {
        let interval = self.bounds(state, form);
        let congruence = match kind {
            Kind::Int if self.space.is_integral(form) => self.strides(state, form),
            _ => None,
        };
        let Some(congruence) = congruence else {
            return Value::of_interval(interval, kind).unwrap_or_else(|| Value::top(kind));
        };
        // A normal state has members, so the form has values; bounds from different sources may still exclude all
        // integers where the state is empty without anybody knowing.
        Value::reduced(interval, congruence, kind).unwrap_or_else(|| Value::top(kind))
    }

    /// The congruence of an integral form, if one is known.
    pub(crate) fn strides(&self, state: &State, form: &Form) -> Option<Congruence> {
        let unknown = |(dimension, coefficient): &(Dimension, Rational)| {
            let value = self.value(state, *dimension);
            value.stride().is_none() && value.as_point().is_none() && coefficient.numer().magnitude().is_one()
        };
        if form.monomials.iter().any(unknown) {
            return None;
        }
        let start = Congruence::point(form.constant.to_integer());
        let sum = form.monomials.iter().fold(start, |sum, (dimension, coefficient)| {
            sum.add(&self.value(state, *dimension).congruence().scale(coefficient.numer()))
        });
        (!sum.is_top()).then_some(sum)
    }

    /// The sum of the intervals of the monomials.
    pub(crate) fn plain_bounds(&self, state: &State, form: &Form) -> Interval {
        let start = Interval::point(form.constant.clone());
        form.monomials.iter().fold(start, |sum, (dimension, coefficient)| {
            sum.add(&self.value(state, *dimension).interval.scale(coefficient))
        })
    }

    /// Bounds of a form.
    pub fn bounds(&self, state: &State, form: &Form) -> Interval {
        let plain = self.plain_bounds(state, form);
        if form.monomials.len() < 2 || self.packing.packs().is_empty() {
            return plain;
        }
        let mut best = self.paired_bounds(state, form, plain);
        let reduced = self.reduced_form(state, form);
        if reduced != *form {
            let other = self.plain_bounds(state, &reduced);
            let other = self.paired_bounds(state, &reduced, other);
            best = best.meet(&other).unwrap_or(best);
        }
        if self.packing.has_polyhedra() {
            let other = self.polyhedral_bounds(state, form);
            best = best.meet(&other).unwrap_or(best);
        }
        best
    }

    /// The form with pivots of equations replaced.
    fn reduced_form(&self, state: &State, form: &Form) -> Form {
        let mut packs: Vec<usize> = form
            .monomials
            .iter()
            .filter_map(|(dimension, _)| Some(self.packing.place(*dimension)?.pack))
            .collect();
        packs.sort_unstable();
        packs.dedup();
        let mut reduced = form.clone();
        for pack in packs {
            if let Some(relation) = self.relation(state, pack) {
                reduced = relation.equalities.reduce(&reduced);
            }
        }
        reduced
    }

    /// Improves bounds by pairs of monomials whose sum the octagon bounds.
    fn paired_bounds(&self, state: &State, form: &Form, plain: Interval) -> Interval {
        let mut best = plain;
        for (i, (a, factor_a)) in form.monomials.iter().enumerate() {
            let Some(Place { pack, position: position_a }) = self.packing.place(*a) else { continue };
            if !self.packing.packs()[pack].integers {
                continue;
            }
            let Some(relation) = self.relation(state, pack) else { continue };
            for (b, factor_b) in &form.monomials[i + 1..] {
                let Some(position_b) = self.position_in(*b, pack) else { continue };
                use num_traits::Signed as _;
                let factor = factor_a.abs();
                if factor != factor_b.abs() {
                    continue;
                }
                let signed = |position, factor: &Rational| Signed { position, negated: factor.is_negative() };
                let (first, second) = (signed(position_a, factor_a), signed(position_b, factor_b));
                let high = relation.octagon.sum_bound(first, second);
                let low = relation.octagon.sum_bound(flipped(first), flipped(second));
                if high.is_none() && low.is_none() {
                    continue;
                }
                let number = |bound: i128| Rational::from_integer(bound.into());
                let pair = Interval { low: low.map(|low| -number(low)), high: high.map(number) };
                let mut rest = form.clone();
                rest.monomials.retain(|(dimension, _)| dimension != a && dimension != b);
                let total = pair.scale(&factor).add(&self.plain_bounds(state, &rest));
                best = best.meet(&total).unwrap_or(best);
            }
        }
        best
    }

    /// Learns that a form is zero, for values only.
    pub(crate) fn propagate_equation(&self, state: &mut State, form: &Form) -> Result<(), Unreachable> {
        self.propagate(state, form)?;
        self.propagate(state, &form.clone().negated())?;
        for (dimension, coefficient) in &form.monomials {
            if self.space.kind(*dimension) != Kind::Int {
                continue;
            }
            // d = -(rest) / c, where the rest has integer coefficients after division.
            let mut rest = form.clone();
            rest.monomials.retain(|(d, _)| d != dimension);
            let rest = rest.scaled(&-coefficient.recip());
            if !self.space.is_integral(&rest) {
                continue;
            }
            if let Some(congruence) = self.strides(state, &rest) {
                let aligned = Value::reduced(Interval::top(), congruence, Kind::Int).ok_or(Unreachable)?;
                self.meet_value(state, *dimension, &aligned)?;
            }
        }
        Ok(())
    }

    /// Learns that a form is at most zero, for values only.
    pub(crate) fn propagate(&self, state: &mut State, form: &Form) -> Result<(), Unreachable> {
        // The smallest value of every monomial; at most one may be missing if anything is to be learnt.
        let lows: Vec<Option<Rational>> = form
            .monomials
            .iter()
            .map(|(dimension, factor)| self.value(state, *dimension).interval.scale(factor).low)
            .collect();
        let missing = lows.iter().filter(|low| low.is_none()).count();
        if missing > 1 {
            return Ok(());
        }
        let total = lows.iter().flatten().fold(form.constant.clone(), |sum, low| plus(&sum, low));
        if missing == 0 && total > Rational::zero() {
            return Err(Unreachable);
        }
        for ((dimension, factor), low) in form.monomials.iter().zip(&lows) {
            if missing == 1 && low.is_some() {
                continue;
            }
            // factor·d ≤ -(everything else at its smallest).
            let others = match low {
                Some(low) => minus(&total, low),
                None => total.clone(),
            };
            let bound = -over(&others, factor);
            use num_traits::Signed as _;
            let interval = if factor.is_positive() {
                Interval { low: None, high: Some(bound) }
            } else {
                Interval { low: Some(bound), high: None }
            };
            let value = Value::of_interval(interval, self.space.kind(*dimension)).ok_or(Unreachable)?;
            self.meet_value(state, *dimension, &value)?;
        }
        Ok(())
    }
}

/// The other sign.
pub(crate) fn flipped(signed: Signed) -> Signed {
    Signed { negated: !signed.negated, ..signed }
}
