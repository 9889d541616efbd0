//! Polyhedra in abstract states.
//!
//! A polyhedron belongs to a pack, and its dimensions are those of the pack. While an edge is executed it also relates them to parts of terms
//! that are not linear (a quotient, an input), with what is known of their values, until these are forgotten; and what comes from
//! variables of other packs is related by their bounds.

use crate::calls::{APART, apart};
use crate::form::{Dimension, Form};
use crate::interval::Interval;
use crate::polyhedron::{Polyhedron, Sense};
use crate::relation::{Relation, one};
use crate::space::Pack;
use crate::state::{Domain, State, Unreachable};
use crate::value::{Kind, Value};
use base::EntityRef as _;
use logic::{Integer, Rational};
use std::rc::Rc;

impl Domain<'_> {
    /// Bounds of single dimensions, from values to the polyhedron of a pack and back.
    pub(crate) fn exchange_with_polyhedron(
        &self,
        state: &mut State,
        relation: &mut Relation,
        pack: usize,
    ) -> Result<(), Unreachable> {
        let data = &self.packing.packs()[pack];
        for &dimension in &data.dimensions {
            let interval = self.value(state, dimension).interval.clone();
            bound(&mut relation.polyhedron, dimension, &interval)?;
        }
        for &dimension in &data.dimensions {
            if relation.polyhedron.mentions(dimension) {
                let interval = relation.polyhedron.bounds(&Form::dimension(dimension));
                let value = Value::of_interval(interval, self.space.kind(dimension)).ok_or(Unreachable)?;
                self.meet_value(state, dimension, &value)?;
            }
        }
        for (form, sense) in relation.polyhedron.conditions() {
            let is_inside = |(dimension, _): &(Dimension, Rational)| data.dimensions.contains(dimension);
            if sense == Sense::Zero && form.monomials.len() > 1 && form.monomials.iter().all(is_inside) {
                relation.equalities.add(&form, data.integers).map_err(|_| Unreachable)?;
            }
        }
        Ok(())
    }

    /// What polyhedra say about a form, the rest of it taken by its values.
    pub(crate) fn polyhedral_bounds(&self, state: &State, form: &Form) -> Interval {
        let mut best = Interval::top();
        for pack in self.polyhedra_of(form) {
            let Some(relation) = self.relation(state, pack) else { continue };
            let (inside, rest): (Vec<_>, Vec<_>) = form
                .monomials
                .iter()
                .cloned()
                .partition(|(dimension, _)| relation.polyhedron.mentions(*dimension));
            if inside.len() > 1 {
                let inside = Form { monomials: inside, constant: form.constant.clone() };
                let rest = Form { monomials: rest, constant: Rational::default() };
                let bounds = relation.polyhedron.bounds(&inside).add(&self.plain_bounds(state, &rest));
                best = best.meet(&bounds).unwrap_or(best);
            }
        }
        best
    }

    /// The packs of the dimensions of a form.
    fn polyhedra_of(&self, form: &Form) -> Vec<usize> {
        let places = form.monomials.iter().filter_map(|(dimension, _)| self.packing.place(*dimension));
        let mut packs: Vec<usize> = places.map(|place| place.pack).collect();
        packs.sort_unstable();
        packs.dedup();
        packs
    }

    /// Polyhedra learn how a form compares with zero.
    pub(crate) fn learn_inequality(
        &self,
        state: &mut State,
        form: &Form,
        sense: Sense,
    ) -> Result<(), Unreachable> {
        if !self.packing.has_polyhedra() || form.monomials.len() < 2 {
            return Ok(());
        }
        for pack in self.polyhedra_of(form) {
            let mut shared = self.shared_relation(state, pack);
            let polyhedron = &mut Rc::make_mut(&mut shared).polyhedron;
            let Some(guests) = self.invite(state, polyhedron, form, pack)? else { continue };
            polyhedron.assume(form, sense).map_err(|_| Unreachable)?;
            guests.into_iter().for_each(|guest| polyhedron.forget(guest));
            state.relations.set(pack, Some(shared));
        }
        Ok(())
    }

    /// The polyhedron of a pack after an assignment to one of its dimensions.
    pub(crate) fn assign_in_polyhedron(
        &self,
        state: &mut State,
        dimension: Dimension,
        form: &Form,
        pack: usize,
    ) -> Result<(), Unreachable> {
        if !self.packing.has_polyhedra() {
            return Ok(());
        }
        let mut shared = self.shared_relation(state, pack);
        let polyhedron = &mut Rc::make_mut(&mut shared).polyhedron;
        match self.invite(state, polyhedron, form, pack)? {
            Some(guests) => {
                polyhedron.assign(dimension, form).map_err(|_| Unreachable)?;
                guests.into_iter().for_each(|guest| polyhedron.forget(guest));
            }
            None => polyhedron.forget(dimension),
        }
        state.relations.set(pack, Some(shared));
        Ok(())
    }

    /// The polyhedra of packs after several assignments at once.
    pub(crate) fn polyhedra_after(
        &self,
        state: &State,
        assignments: &[(Dimension, Form)],
    ) -> Vec<(usize, Polyhedron)> {
        let mut found = Vec::new();
        if !self.packing.has_polyhedra() {
            return found;
        }
        let mut packs: Vec<usize> =
            assignments.iter().filter_map(|(target, _)| Some(self.packing.place(*target)?.pack)).collect();
        packs.sort_unstable();
        packs.dedup();
        for pack in packs {
            let mut polyhedron = self.shared_relation(state, pack).polyhedron.clone();
            let mut gone: Vec<Dimension> = assignments.iter().map(|(target, _)| *target).collect();
            for (target, form) in assignments {
                if self.position_in(*target, pack).is_none() {
                    continue;
                }
                if let Ok(Some(guests)) = self.invite(state, &mut polyhedron, form, pack) {
                    gone.extend(guests);
                    // The dimension is new, so this only defines it.
                    let _defined =
                        polyhedron.assume(&Form::dimension(apart(*target)).minus(form), Sense::Zero);
                }
            }
            gone.into_iter().for_each(|dimension| polyhedron.forget(dimension));
            let back = |dimension: Dimension| match dimension.index().checked_sub(APART) {
                Some(index) => Dimension::new(index),
                None => dimension,
            };
            found.push((pack, polyhedron.renamed(back)));
        }
        found
    }

    /// Lets a polyhedron know the values of those dimensions of a form that are not of its pack. Says which of them are
    /// variables, which it has to forget afterwards; nothing where they are no integers and it relates integers.
    fn invite(
        &self,
        state: &State,
        polyhedron: &mut Polyhedron,
        form: &Form,
        pack: usize,
    ) -> Result<Option<Vec<Dimension>>, Unreachable> {
        let Pack { integers, .. } = self.packing.packs()[pack];
        let mut guests = Vec::new();
        for (dimension, _) in &form.monomials {
            if self.position_in(*dimension, pack).is_some() {
                continue;
            }
            if integers && !matches!(self.space.kind(*dimension), Kind::Int | Kind::Bool) {
                return Ok(None);
            }
            if self.space.is_variable(*dimension) {
                guests.push(*dimension);
            }
            bound(polyhedron, *dimension, &self.value(state, *dimension).interval)?;
        }
        Ok(Some(guests))
    }

    /// What is known about a quotient by a positive integer, as far as its dividend has a polyhedron.
    pub(crate) fn learn_quotient(
        &self,
        state: &mut State,
        quotient: Dimension,
        (form, divisor): (&Form, &Integer),
    ) -> Result<(), Unreachable> {
        if !self.packing.has_polyhedra() || !self.space.is_integral(form) {
            return Ok(());
        }
        // divisor·q ≤ form ≤ divisor·q + divisor - 1.
        let divisor = Rational::from(divisor.clone());
        let mut below = form.clone().negated();
        below.add_scaled(&Form::dimension(quotient), &divisor);
        let mut above = below.clone().negated();
        above.constant -= &divisor - one();
        self.learn_inequality(state, &below, Sense::AtMost)?;
        self.learn_inequality(state, &above, Sense::AtMost)
    }

    /// A remainder of something that is not negative is not larger than that.
    pub(crate) fn learn_remainder(
        &self,
        state: &mut State,
        remainder: Dimension,
        form: &Form,
    ) -> Result<(), Unreachable> {
        if !self.packing.has_polyhedra() || !self.space.is_integral(form) {
            return Ok(());
        }
        if self.bounds(state, form).low.is_some_and(|low| low >= Rational::default()) {
            let below = Form::dimension(remainder).minus(form);
            self.learn_inequality(state, &below, Sense::AtMost)?;
        }
        Ok(())
    }

    /// Polyhedra forget a part of a term.
    pub(crate) fn forget_part(&self, state: &mut State, dimension: Dimension) {
        if !self.packing.has_polyhedra() {
            return;
        }
        let knows = |relation: &Rc<Relation>| relation.polyhedron.mentions(dimension);
        let packs: Vec<usize> =
            state.relations.iter().filter(|(_, relation)| knows(relation)).map(|(&pack, _)| pack).collect();
        for pack in packs {
            let mut shared = self.shared_relation(state, pack);
            let relation = Rc::make_mut(&mut shared);
            relation.polyhedron.forget(dimension);
            let known = !relation.is_top();
            state.relations.set(pack, known.then_some(shared));
        }
    }
}

/// A polyhedron learns the bounds of a dimension.
fn bound(polyhedron: &mut Polyhedron, dimension: Dimension, interval: &Interval) -> Result<(), Unreachable> {
    if let Some(point) = interval.as_point() {
        let form = Form::dimension(dimension).minus(&Form::constant(point.clone()));
        return polyhedron.assume(&form, Sense::Zero).map_err(|_| Unreachable);
    }
    if let Some(high) = &interval.high {
        let form = Form::dimension(dimension).minus(&Form::constant(high.clone()));
        polyhedron.assume(&form, Sense::AtMost).map_err(|_| Unreachable)?;
    }
    if let Some(low) = &interval.low {
        let form = Form::constant(low.clone()).minus(&Form::dimension(dimension));
        polyhedron.assume(&form, Sense::AtMost).map_err(|_| Unreachable)?;
    }
    Ok(())
}
