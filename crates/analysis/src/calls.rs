//! Calls and returns on abstract states.
//!
//! A call starts the callee with the values of its parameters and with the globals. A return joins two states: the one
//! at the exit of the callee and the one at the call; they meet in the parameters, whose values are those of the
//! arguments. Since parameters keep their values in the callee, what relates them to results and globals at the exit is a
//! summary of the callee that every call sharpens with its own arguments.

use crate::code::{Code, Update};
use crate::equalities::Equalities;
use crate::form::{Dimension, Form};
use crate::octagon::Signed;
use crate::polyhedron::{Polyhedron, Sense};
use crate::relation::{floor, one};
use crate::state::{Domain, State, Unreachable, flipped};
use crate::transfer::Way;
use crate::value::{Kind, Value};
use base::EntityRef;
use logic::Rational;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A parameter (or old global) of the callee with its value at the call.
struct Binding {
    parameter: Dimension,
    /// The value as a form over the caller's dimensions, if it has one.
    form: Option<Form>,
    value: Value,
}

/// What comes together at a return.
struct Sides<'s> {
    /// The state at the call, and what it passes.
    way: &'s Way,
    bindings: &'s [Binding],
    /// The state at the exit of the callee.
    exit: &'s State,
    /// Equations between the two, with the callee's dimensions apart.
    equalities: Equalities,
    /// Inequalities in the same way, between reals and between integers.
    polyhedra: [Polyhedron; 2],
}

/// Dimensions of the other side are renamed by this distance, which is larger than any number of dimensions.
pub(crate) const APART: usize = 1 << 28;

pub(crate) fn apart(dimension: Dimension) -> Dimension {
    Dimension::new(dimension.index() + APART)
}

/// The two sides of a call.
pub struct Frames<'a> {
    /// Of the caller.
    pub caller: Domain<'a>,
    /// Of the callee.
    pub callee: Domain<'a>,
    /// The globals and constants, which both share.
    pub shared: &'a [Dimension],
}

impl Frames<'_> {
    fn bindings(&self, code: &Code, way: &Way) -> Vec<Binding> {
        let mut bindings = Vec::with_capacity(code.updates.len());
        for (parameter, update) in &code.updates {
            let kind = self.caller.space.kind(*parameter);
            let (form, value) = match update {
                Update::Form(form) => {
                    let form = way.resolve(form);
                    let value = self.caller.evaluate(&way.state, &form, kind);
                    (Some(form), value)
                }
                Update::Contents(sources) => {
                    let value = self.caller.contents(way, sources, kind);
                    (None, value.unwrap_or_else(|| Value::top(kind)))
                }
                Update::Forget => (None, Value::top(kind)),
            };
            bindings.push(Binding { parameter: *parameter, form, value });
        }
        bindings
    }

    /// The state at the call with the arguments evaluated. Arguments split no way: a call has one state.
    fn at_call(&self, code: &Code, state: &State) -> Result<Way, Unreachable> {
        let mut ways = self.caller.ways(code, state).into_iter();
        let mut way = ways.next().ok_or(Unreachable)?;
        for other in ways {
            way.merge(&self.caller, &other);
        }
        Ok(way)
    }

    /// The state at the entry of the callee.
    pub fn call(&self, code: &Code, state: &State) -> Result<State, Unreachable> {
        let way = self.at_call(code, state)?;
        let bindings = self.bindings(code, &way);
        let mut entry = State::default();
        for &dimension in self.shared {
            if let Some(value) = way.state.values.get(&dimension.index()) {
                entry.values.set(dimension.index(), Some(value.clone()));
            }
        }
        for binding in &bindings {
            self.callee.set_value(&mut entry, binding.parameter, binding.value.clone());
        }
        // Of all other packs nothing is known at the entry.
        let begun = bindings.iter().map(|binding| binding.parameter).chain(self.shared.iter().copied());
        for pack in packs_of(&self.callee, begun) {
            self.enter_pack(&way, &bindings, &mut entry, pack)?;
        }
        Ok(entry)
    }

    /// What a dimension of the callee is for the caller, at the call.
    fn image(&self, bindings: &[Binding], dimension: Dimension) -> Option<Form> {
        let binding = bindings.iter().find(|binding| binding.parameter == dimension);
        match binding {
            Some(binding) => binding.form.clone(),
            None => self.shared.binary_search(&dimension).is_ok().then(|| Form::dimension(dimension)),
        }
    }

    fn enter_pack(
        &self,
        way: &Way,
        bindings: &[Binding],
        entry: &mut State,
        pack: usize,
    ) -> Result<(), Unreachable> {
        let data = &self.callee.packing.packs()[pack];
        let images: Vec<Option<Form>> = data.dimensions.iter().map(|&d| self.image(bindings, d)).collect();
        let mut shared = self.callee.shared_relation(entry, pack);
        let relation = Rc::make_mut(&mut shared);
        if data.integers {
            for_each_pair(data.dimensions.len(), |a, b| {
                let (Some(left), Some(right)) = (&images[a.position], &images[b.position]) else {
                    return Ok(());
                };
                let sum = signed_sum((left, a), (right, b));
                match self.caller.bounds(&way.state, &sum).high.as_ref().and_then(floor) {
                    Some(bound) => relation.octagon.bound_sum(a, b, bound).map_err(|_| Unreachable),
                    None => Ok(()),
                }
            })?;
        }
        let read = images.iter().flatten().flat_map(|image| image.monomials.iter().map(|(read, _)| *read));
        let sources = packs_of(&self.caller, read);
        let mut equalities = all_equalities(&way.state, &sources, |dimension| dimension);
        for (&dimension, image) in data.dimensions.iter().zip(&images) {
            if let Some(image) = image {
                // The renamed dimension is new, so this only defines it.
                let _defined = equalities.add(&Form::dimension(apart(dimension)).minus(image), false);
            }
        }
        keep(&mut equalities, |dimension| dimension.index() >= APART);
        for row in equalities.rows() {
            let row = row.renamed(|dimension| Dimension::new(dimension.index() - APART));
            relation.equalities.add(&row, data.integers).map_err(|_| Unreachable)?;
        }
        if data.polyhedra {
            let passed = data.dimensions.iter().zip(&images);
            let passed = passed.filter_map(|(&dimension, image)| Some((dimension, image.as_ref()?)));
            let mut all = self.passed((way, &sources), passed, data.integers)?;
            keep_polyhedron(&mut all, |dimension| dimension.index() >= APART);
            let all = all.renamed(|dimension| Dimension::new(dimension.index() - APART));
            relation.polyhedron.meet(&all).map_err(|_| Unreachable)?;
        }
        entry.relations.set(pack, Some(shared));
        self.callee.reduce(entry, pack)
    }

    /// Inequalities between the dimensions of some packs of the caller and what is passed, moved away.
    fn passed<'f>(
        &self,
        (way, sources): (&Way, &[usize]),
        passed: impl Iterator<Item = (Dimension, &'f Form)>,
        integers: bool,
    ) -> Result<Polyhedron, Unreachable> {
        let mut all = Polyhedron::all(integers);
        for &pack in sources.iter().filter(|&&pack| self.caller.packing.packs()[pack].integers == integers) {
            let Some(relation) = way.state.relations.get(&pack) else { continue };
            all.meet(&relation.polyhedron).map_err(|_| Unreachable)?;
        }
        for (dimension, image) in passed.filter(|(_, image)| self.are_of(image, integers)) {
            let equation = Form::dimension(apart(dimension)).minus(image);
            all.assume(&equation, Sense::Zero).map_err(|_| Unreachable)?;
        }
        Ok(all)
    }

    /// Are the dimensions of a form integers, if they have to be?
    fn are_of(&self, form: &Form, integers: bool) -> bool {
        let is_integer =
            |(dimension, _): &(Dimension, Rational)| self.caller.space.kind(*dimension) == Kind::Int;
        !integers || form.monomials.iter().all(is_integer)
    }

    /// The state after a return: `exit` is at the exit of the callee, `state` at the call; `results` are pairs of a
    /// dimension of the caller and one of the callee.
    pub fn come_back(
        &self,
        code: &Code,
        state: &State,
        exit: &State,
        results: &[(Dimension, Dimension)],
    ) -> Result<State, Unreachable> {
        let way = self.at_call(code, state)?;
        let bindings = self.bindings(code, &way);
        // The exit of this very call: parameters have the values that were passed.
        let mut exit = exit.clone();
        let mut news = false;
        for binding in &bindings {
            news |= self.callee.meet_value(&mut exit, binding.parameter, &binding.value)?;
        }
        if news {
            exit = self.callee.normalised(&exit)?;
        }
        let returned = self.returned(results);
        // What is related to something that was passed may be known better afterwards; all other relations stay as they were.
        let passed = bindings.iter().filter_map(|binding| binding.form.as_ref());
        let passed = passed.flat_map(|form| form.monomials.iter().map(|(read, _)| *read));
        let touched = packs_of(&self.caller, returned.keys().copied().chain(passed));
        let mut after = way.state.clone();
        for &pack in &touched {
            after.relations.set(pack, None);
        }
        for &dimension in &code.scratch {
            self.caller.forget(&mut after, dimension);
        }
        for (&target, &origin) in &returned {
            after.values.set(target.index(), exit.values.get(&origin.index()).cloned());
        }
        let equalities = self.equalities_across((&way, &bindings), &exit, (&returned, &touched))?;
        let across =
            |integers| self.polyhedron_across((&way, &bindings), &exit, (&returned, &touched), integers);
        let polyhedra = [across(false)?, across(true)?];
        let sides = Sides { way: &way, bindings: &bindings, exit: &exit, equalities, polyhedra };
        for pack in touched {
            self.come_back_pack(&sides, &returned, (&mut after, pack))?;
        }
        Ok(after)
    }

    /// What the caller gets from the callee: globals, then results, which win.
    fn returned(&self, results: &[(Dimension, Dimension)]) -> Returned {
        let mut returned: Returned = self.shared.iter().map(|&global| (global, global)).collect();
        returned.extend(results.iter().copied());
        returned
    }

    fn come_back_pack(
        &self,
        sides: &Sides<'_>,
        returned: &Returned,
        (after, pack): (&mut State, usize),
    ) -> Result<(), Unreachable> {
        let Sides { way, exit, equalities, polyhedra, .. } = sides;
        let data = &self.caller.packing.packs()[pack];
        let origins: Vec<Option<Dimension>> =
            data.dimensions.iter().map(|dimension| returned.get(dimension).copied()).collect();
        let mut shared = self.caller.shared_relation(&way.state, pack);
        let relation = Rc::make_mut(&mut shared);
        if data.integers {
            let replaced = origins.iter().enumerate().filter(|(_, origin)| origin.is_some());
            replaced.for_each(|(position, _)| relation.octagon.forget(position));
            for_each_pair(data.dimensions.len(), |a, b| {
                let side = |s: Signed| (data.dimensions[s.position], origins[s.position]);
                let bound = match (side(a), side(b)) {
                    ((_, None), (_, None)) => return Ok(()),
                    ((_, Some(left)), (_, Some(right))) => {
                        let sum = signed_sum((&Form::dimension(left), a), (&Form::dimension(right), b));
                        self.callee.bounds(exit, &sum).high
                    }
                    ((left, None), (_, Some(right))) => self.bound_across(sides, (left, a), (right, b)),
                    ((_, Some(left)), (right, None)) => self.bound_across(sides, (right, b), (left, a)),
                };
                match bound.as_ref().and_then(floor) {
                    Some(bound) => relation.octagon.bound_sum(a, b, bound).map_err(|_| Unreachable),
                    None => Ok(()),
                }
            })?;
        }
        let mut equalities = equalities.clone();
        for (&target, origin) in data.dimensions.iter().zip(&origins) {
            if let Some(origin) = origin {
                let equation = Form::dimension(target).minus(&Form::dimension(apart(*origin)));
                equalities.add(&equation, false).map_err(|_| Unreachable)?;
            }
        }
        keep(&mut equalities, |dimension| data.dimensions.contains(&dimension));
        relation.equalities = equalities;
        if data.polyhedra {
            let mut polyhedron = polyhedra[usize::from(data.integers)].clone();
            for (&target, origin) in data.dimensions.iter().zip(&origins) {
                if let Some(origin) = origin {
                    let equation = Form::dimension(target).minus(&Form::dimension(apart(*origin)));
                    polyhedron.assume(&equation, Sense::Zero).map_err(|_| Unreachable)?;
                }
            }
            keep_polyhedron(&mut polyhedron, |dimension| data.dimensions.contains(&dimension));
            relation.polyhedron = polyhedron;
        }
        after.relations.set(pack, Some(shared));
        self.caller.reduce(after, pack)
    }

    /// A bound on the sum of something of the caller and something of the callee, through a parameter that both are
    /// related to. Without a relation on both sides it would be the sum of the bounds of both.
    fn bound_across(
        &self,
        Sides { way, bindings, exit, .. }: &Sides<'_>,
        (mine, a): (Dimension, Signed),
        (theirs, b): (Dimension, Signed),
    ) -> Option<Rational> {
        let mut best: Option<Rational> = None;
        let pack = |domain: &Domain<'_>, dimension| domain.packing.place(dimension).map(|place| place.pack);
        let (my_pack, their_pack) = (pack(&self.caller, mine), pack(&self.callee, theirs));
        for binding in *bindings {
            let Some(argument) = &binding.form else { continue };
            let related = binding.parameter == theirs || pack(&self.callee, binding.parameter) == their_pack;
            let mentioned =
                |(read, _): &(Dimension, Rational)| *read == mine || pack(&self.caller, *read) == my_pack;
            if !related || !argument.monomials.iter().any(mentioned) {
                continue;
            }
            for negated in [false, true] {
                // ±mine ± theirs = (±theirs + s·parameter) + (±mine - s·argument).
                let sign = Signed { position: 0, negated };
                let parameter = Form::dimension(binding.parameter);
                let inside = signed_sum((&Form::dimension(theirs), b), (&parameter, sign));
                let outside = signed_sum((&Form::dimension(mine), a), (argument, flipped(sign)));
                let Some(inner) = self.callee.bounds(exit, &inside).high else { continue };
                let Some(outer) = self.caller.bounds(&way.state, &outside).high else { continue };
                let total = inner + outer;
                if best.as_ref().is_none_or(|best| total < *best) {
                    best = Some(total);
                }
            }
        }
        best
    }

    /// Equations between the states at a call and at the exit of the callee.
    fn equalities_across(
        &self,
        (way, bindings): (&Way, &[Binding]),
        exit: &State,
        (returned, touched): (&Returned, &[usize]),
    ) -> Result<Equalities, Unreachable> {
        // The callee's dimensions are moved away; so are those of the caller that it gets back, as they were at the call.
        let before = |dimension: Dimension| {
            if returned.contains_key(&dimension) { apart(apart(dimension)) } else { dimension }
        };
        let mut all = all_equalities(&way.state, touched, before);
        let every: Vec<usize> = (0..self.callee.packing.packs().len()).collect();
        let inside = all_equalities(exit, &every, apart);
        all.meet(&inside, false).map_err(|_| Unreachable)?;
        for binding in bindings {
            if let Some(argument) = &binding.form {
                let equation = Form::dimension(apart(binding.parameter)).minus(&argument.renamed(before));
                all.add(&equation, false).map_err(|_| Unreachable)?;
            }
        }
        Ok(all)
    }

    /// Inequalities between the states at a call and at the exit of the callee; the same dimensions are moved away as for equations.
    fn polyhedron_across(
        &self,
        (way, bindings): (&Way, &[Binding]),
        exit: &State,
        (returned, touched): (&Returned, &[usize]),
        integers: bool,
    ) -> Result<Polyhedron, Unreachable> {
        let mut all = Polyhedron::all(integers);
        if !self.caller.packing.has_polyhedra() {
            return Ok(all);
        }
        let before = |dimension: Dimension| {
            if returned.contains_key(&dimension) { apart(apart(dimension)) } else { dimension }
        };
        for &pack in touched.iter().filter(|&&pack| self.caller.packing.packs()[pack].integers == integers) {
            let Some(relation) = way.state.relations.get(&pack) else { continue };
            all.meet(&relation.polyhedron.renamed(before)).map_err(|_| Unreachable)?;
        }
        for (&pack, relation) in exit.relations.iter() {
            if self.callee.packing.packs()[pack].integers == integers {
                all.meet(&relation.polyhedron.renamed(apart)).map_err(|_| Unreachable)?;
            }
        }
        for binding in bindings {
            if let Some(argument) = binding.form.as_ref().filter(|form| self.are_of(form, integers)) {
                let equation = Form::dimension(apart(binding.parameter)).minus(&argument.renamed(before));
                all.assume(&equation, Sense::Zero).map_err(|_| Unreachable)?;
            }
        }
        Ok(all)
    }
}

/// What the caller gets from the callee, each with what it was there.
type Returned = BTreeMap<Dimension, Dimension>;

/// The packs in which some dimensions are, sorted.
fn packs_of(domain: &Domain<'_>, dimensions: impl Iterator<Item = Dimension>) -> Vec<usize> {
    let places = dimensions.filter_map(|dimension| domain.packing.place(dimension));
    let mut packs: Vec<usize> = places.map(|place| place.pack).collect();
    packs.sort_unstable();
    packs.dedup();
    packs
}

/// The equations of some packs of a state.
fn all_equalities(state: &State, packs: &[usize], rename: impl Fn(Dimension) -> Dimension) -> Equalities {
    let mut all = Equalities::default();
    for relation in packs.iter().filter_map(|pack| state.relations.get(pack)) {
        for row in relation.equalities.rows() {
            // Packs have no common dimensions, so their equations do not contradict each other.
            let _consistent = all.add(&row.renamed(&rename), false);
        }
    }
    all
}

/// Forgets all other dimensions.
fn keep(equalities: &mut Equalities, kept: impl Fn(Dimension) -> bool) {
    let mut others: Vec<Dimension> = equalities
        .rows()
        .iter()
        .flat_map(|row| row.monomials.iter().map(|(dimension, _)| *dimension))
        .filter(|&dimension| !kept(dimension))
        .collect();
    others.sort_unstable();
    others.dedup();
    equalities.forget_all(&others);
}

/// Forgets all other dimensions.
fn keep_polyhedron(polyhedron: &mut Polyhedron, kept: impl Fn(Dimension) -> bool) {
    let others: Vec<Dimension> = polyhedron.dimensions().filter(|&dimension| !kept(dimension)).collect();
    others.into_iter().for_each(|dimension| polyhedron.forget(dimension));
}

fn signed_sum((left, a): (&Form, Signed), (right, b): (&Form, Signed)) -> Form {
    let sign = |signed: Signed| if signed.negated { -one() } else { one() };
    let mut sum = left.clone().scaled(&sign(a));
    sum.add_scaled(right, &sign(b));
    sum
}

/// All pairs of different variables with all signs.
fn for_each_pair(
    variables: usize,
    mut visit: impl FnMut(Signed, Signed) -> Result<(), Unreachable>,
) -> Result<(), Unreachable> {
    for left in 0..variables {
        for right in 0..left {
            for signs in 0..4 {
                let a = Signed { position: left, negated: signs & 1 == 1 };
                let b = Signed { position: right, negated: signs & 2 == 2 };
                visit(a, b)?;
            }
        }
    }
    Ok(())
}
