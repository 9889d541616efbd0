//! Which variables are worth relating: packs for the relational domains, and thresholds for widening.
//!
//! A procedure with few numeric variables has one pack. In others, variables that occur together in comparisons and
//! assignments are grouped, those that occur together most often first, as long as groups stay small.

use crate::code::{Code, Condition, Definition, Update};
use crate::form::{Dimension, Form};
use crate::limits;
use crate::sharing::{Lives, Slots};
use crate::space::{Packing, Space};
use crate::state::Thresholds;
use crate::value::Kind;
use logic::Rational;
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// One of two values is taken as a mixture of both, so that the variables of both are in it.
const MIXED: u32 = 257;

/// What the edges of a procedure say about its variables.
#[derive(Default)]
pub struct Survey {
    dimensions: BTreeSet<Dimension>,
    together: BTreeMap<(Dimension, Dimension), u32>,
    constants: BTreeSet<Rational>,
    /// What is compared with zero, between several variables.
    compared: Vec<Form>,
    /// Are variables together that occur together inside of parts of terms, as remainders?
    looks_into_parts: bool,
    /// What the parts of the terms of an edge are made of.
    parts: BTreeMap<Dimension, Form>,
}

impl Survey {
    /// A survey that sees variables together also where they are inside of parts of terms that are not linear.
    pub fn into_parts(looks_into_parts: bool) -> Survey {
        Survey { looks_into_parts, ..Survey::default() }
    }

    /// Looks at the code of an edge.
    pub fn look_at(&mut self, space: &Space, code: &Code) {
        self.parts.clear();
        for (part, definition) in code.definitions.iter().filter(|_| self.looks_into_parts) {
            let made_of = match definition {
                Definition::Modulo(form, _) | Definition::Quotient(form, _) => self.look_into(form),
                Definition::Choice { then, otherwise, .. } => {
                    let mut both = self.look_into(then);
                    both.add_scaled(&self.look_into(otherwise), &Rational::from_integer(MIXED.into()));
                    both
                }
                _ => continue,
            };
            self.parts.insert(*part, made_of);
        }
        for condition in &code.guard {
            self.condition(space, condition);
        }
        for (_, definition) in &code.definitions {
            if let Definition::Choice { condition, then, otherwise, .. } = definition {
                self.condition(space, condition);
                for form in [then, otherwise] {
                    let form = self.look_into(form);
                    self.relate(space, form.monomials.iter().map(|(read, _)| *read), 1);
                }
            }
        }
        for (dimension, update) in &code.updates {
            if let Update::Form(form) = update {
                let form = &self.look_into(form);
                let read = form.monomials.iter().map(|(read, _)| *read).filter(|read| read != dimension);
                self.relate(space, read.chain([*dimension]), 1);
                if form.as_constant().is_some() {
                    self.constants.insert(form.constant.clone());
                }
            }
        }
        self.dimensions.extend(&code.havoc);
    }

    /// What a call assigns belongs to another procedure.
    pub fn forget_assigned(&mut self, code: &Code) {
        for (dimension, _) in &code.updates {
            self.dimensions.remove(dimension);
        }
    }

    /// These variables are worth knowing.
    pub fn know(&mut self, space: &Space, dimensions: impl Iterator<Item = Dimension>) {
        self.dimensions.extend(dimensions.filter(|&d| space.var(d).is_some()));
    }

    /// The depth of this recursion is bounded by the translation of terms.
    fn condition(&mut self, space: &Space, condition: &Condition) {
        match condition {
            Condition::Compare(_, form) => {
                let form = &self.look_into(form);
                self.relate(space, form.monomials.iter().map(|(read, _)| *read), 2);
                let is_variable = |(dimension, _): &(Dimension, Rational)| space.is_variable(*dimension);
                let is_known = self.compared.contains(form);
                if form.monomials.len() > 1
                    && !is_known
                    && self.compared.len() < limits::MOST_FORMS
                    && form.monomials.iter().all(is_variable)
                {
                    self.compared.push(form.clone());
                }
                let factor = match &form.monomials[..] {
                    [(_, factor)] => factor.abs(),
                    _ => Rational::one(),
                };
                let bound = &form.constant / factor;
                let near = [-&bound, &bound + Rational::one(), &bound - Rational::one(), bound];
                self.constants.extend(near.iter().flat_map(|number| [number.clone(), -number]));
            }
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|part| self.condition(space, part));
            }
            Condition::Unknown | Condition::Never => {}
        }
    }

    /// The form with what parts are made of in their place.
    fn look_into(&self, form: &Form) -> Form {
        let mut whole = Form::constant(form.constant.clone());
        for (dimension, factor) in &form.monomials {
            match self.parts.get(dimension) {
                Some(part) => whole.add_scaled(part, factor),
                None => whole.add_scaled(&Form::dimension(*dimension), factor),
            }
        }
        whole
    }

    fn relate(&mut self, space: &Space, dimensions: impl Iterator<Item = Dimension>, weight: u32) {
        let variables: Vec<Dimension> = dimensions.filter(|&d| space.var(d).is_some()).collect();
        self.dimensions.extend(&variables);
        for (i, &a) in variables.iter().enumerate().take(4) {
            for &b in &variables[i + 1..] {
                *self.together.entry((a.min(b), a.max(b))).or_default() += weight;
            }
        }
    }

    /// The numbers of one kind.
    fn members(&self, space: &Space, kind: Kind) -> Vec<Dimension> {
        let dimensions = self.dimensions.iter().copied();
        dimensions.filter(|&d| space.kind(d) == kind && space.is_scalar(d)).collect()
    }

    /// How many integers are divided into groups, if they could as well be related all at once in a procedure with so many edges.
    pub fn grouped(&self, space: &Space, edges: usize) -> Option<usize> {
        let integers = self.members(space, Kind::Int).len();
        let modest = integers * integers * edges <= limits::MOST_RELATED;
        (limits::FEW < integers && integers <= limits::ALL && modest).then_some(integers)
    }

    /// The packs of the procedure, in which so many variables are not divided into groups, and the slots of all packs. Variables share
    /// slots where there are too many of them for one pack.
    pub(crate) fn packing(
        &self,
        space: &Space,
        (mut packing, few): (Packing, usize),
        lives: &Lives,
    ) -> (Packing, Vec<Slots>) {
        let mut all = Vec::new();
        for kind in [Kind::Int, Kind::Real] {
            let members = self.members(space, kind);
            let groups = if members.len() <= few {
                vec![Slots::apart(&members)]
            } else {
                let (few, group) = match packing.has_polyhedra() {
                    true => (limits::POLYHEDRAL, limits::POLYHEDRAL),
                    false => (limits::FEW, limits::GROUP),
                };
                match Slots::shared(&members, few, lives) {
                    Some(slots) => vec![slots],
                    None => self.groups(&members, group, lives),
                }
            };
            for mut slots in groups.into_iter().filter(|slots| slots.variables() > 1) {
                slots.0.sort_unstable_by_key(|slot| slot.members[0]);
                packing.add(slots.0.iter().map(|slot| slot.members[0]).collect(), kind == Kind::Int);
                all.push(slots);
            }
        }
        (packing, all)
    }

    /// Merges groups along the pairs that occur together most often.
    fn groups(&self, members: &[Dimension], most: usize, lives: &Lives) -> Vec<Slots> {
        let mut pairs: Vec<(u32, Dimension, Dimension)> = self
            .together
            .iter()
            .filter(|((a, b), _)| members.binary_search(a).is_ok() && members.binary_search(b).is_ok())
            .map(|(&(a, b), &weight)| (weight, a, b))
            .collect();
        pairs.sort_by_key(|&(weight, a, b)| (std::cmp::Reverse(weight), a, b));
        let mut group_of: BTreeMap<Dimension, usize> = BTreeMap::new();
        let mut groups: Vec<Option<Slots>> = Vec::new();
        for (_, a, b) in pairs {
            let mut group = |dimension: Dimension| {
                *group_of.entry(dimension).or_insert_with(|| {
                    groups.push(Some(Slots::one(dimension, lives)));
                    groups.len() - 1
                })
            };
            let (left, right) = (group(a), group(b));
            if left == right {
                continue;
            }
            let size = |group: usize| groups[group].as_ref().map_or(0, Slots::variables);
            let (large, small) = if size(left) < size(right) { (right, left) } else { (left, right) };
            let (Some(kept), Some(moved)) = (&groups[large], &groups[small]) else { continue };
            let Some(merged) = kept.clone().with(moved, most, lives) else { continue };
            for slot in &moved.0 {
                group_of.extend(slot.members.iter().map(|&member| (member, large)));
            }
            groups[large] = Some(merged);
            groups[small] = None;
        }
        groups.into_iter().flatten().collect()
    }

    /// What widening stops at.
    pub fn thresholds(&self) -> Thresholds {
        let mut values: Vec<Rational> = self.constants.iter().cloned().collect();
        if values.len() > limits::MOST_THRESHOLDS {
            // Small numbers are more often a bound than large ones.
            values.sort_by_key(|value| value.abs());
            values.truncate(limits::MOST_THRESHOLDS);
        }
        values.push(Rational::zero());
        values.sort();
        values.dedup();
        let mut bounds: Vec<i128> = values.iter().filter_map(crate::relation::floor).collect();
        let twice: Vec<i128> = bounds.iter().filter_map(|bound| bound.checked_mul(2)).collect();
        let mut doubled: Vec<i128> = twice.iter().flat_map(|&bound| [bound, -bound]).collect();
        bounds.extend(twice);
        for list in [&mut bounds, &mut doubled] {
            list.sort_unstable();
            list.dedup();
        }
        let both = self.compared.iter().flat_map(|form| [form.clone(), form.clone().negated()]);
        let near = both.flat_map(|form| {
            let mut above = form.clone();
            above.constant += Rational::one();
            let mut below = form.clone();
            below.constant -= Rational::one();
            [above, form, below]
        });
        Thresholds { values, bounds, doubled, forms: near.collect() }
    }
}
