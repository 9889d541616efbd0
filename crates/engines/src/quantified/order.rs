//! The order of allocation, which keeps blocks from being lost: candidates about lists whose links follow it.

use super::accesses::Cells;
use super::heap::{Class, Heap, product};
use super::templates::add;
use logic::{Term, Terms};
use std::collections::BTreeMap;

impl Heap<'_> {
    /// No block is lost. "Everything that lives can be reached" is no formula of first order, but this is: a link leads to the next older living
    /// block (or to the next younger one), and a variable points to the youngest (or the oldest). Blocks may be missing in between, so lists may be
    /// used as stacks and queues, and blocks may be cut out of them. If the variable is null at last, nothing lives.
    pub(super) fn ordered(&mut self, terms: &mut Terms) {
        let k = self.indices[0];
        for class in self.classes.clone().into_iter().filter(|class| !class.0.is_empty()) {
            let alive = self.is(&class, k, terms);
            for field in self.links.clone() {
                if !self.kinds.have(&class, field) {
                    continue;
                }
                let (premise, older, younger) = self.neighbours(&class, field, terms);
                self.all(premise, older, terms);
                self.all(premise, younger, terms);
            }
            // The list begins with a variable, or behind a block of its own.
            let mut begins = self.pointers.clone();
            for (field, pointer) in product(&self.links, &self.pointers) {
                begins.push(self.cell(field, pointer, terms));
            }
            for begin in begins {
                let (newest, oldest) = (terms.le(k, begin), self.reached_from(begin, k, terms));
                self.all(alive, newest, terms);
                self.all(alive, oldest, terms);
            }
            if class.0.len() == 1 {
                self.in_two_parts(&class, terms);
            }
        }
        self.owned(terms);
    }

    /// For two living blocks of a class, `k` before `j`: the link of `j` does not leave `k` out on its way down, and that of `k` not `j` on
    /// its way up. Given as the premise and both conclusions.
    pub(super) fn neighbours(&self, class: &Class, field: Cells, terms: &mut Terms) -> (Term, Term, Term) {
        let [k, j] = self.indices;
        let (one, two, behind) = (self.is(class, k, terms), self.is(class, j, terms), terms.lt(k, j));
        let (down, up) = (self.cell(field, j, terms), self.cell(field, k, terms));
        let (older, younger) = (terms.le(k, down), self.reached_from(up, j, terms));
        (terms.and([one, two, behind]), older, younger)
    }

    /// A list that is turned around, or moved into another one, consists of two parts, the blocks up to a variable and those behind it; each part
    /// has an order of its own.
    fn in_two_parts(&mut self, class: &Class, terms: &mut Terms) {
        let [k, j] = self.indices;
        let alive = self.is(class, k, terms);
        for split in self.pointers.clone() {
            let (below, above) = (terms.le(k, split), terms.lt(split, k));
            let both_below = terms.le(j, split);
            for field in self
                .links
                .clone()
                .into_iter()
                .filter(|&field| self.kinds.have(class, field))
                .collect::<Vec<_>>()
            {
                let (premise, older, younger) = self.neighbours(class, field, terms);
                let target = self.cell(field, k, terms);
                let (down, up) = (terms.lt(target, k), terms.lt(k, target));
                let null = Self::null(target, terms);
                let up = terms.or([null, up]);
                for (parts, conclusion) in [
                    ([premise, both_below], older),
                    ([premise, above], younger),
                    ([alive, below], down),
                    ([alive, above], up),
                ] {
                    let premise = terms.and(parts);
                    self.all_without_exception(premise, conclusion, terms);
                }
            }
            for other in self.pointers.clone().into_iter().filter(|&other| other != split) {
                let from = self.reached_from(other, k, terms);
                let either = terms.or([below, from]);
                self.all_without_exception(alive, either, terms);
                let (null, behind) = (Self::null(other, terms), terms.lt(split, other));
                let apart = terms.or([null, behind]);
                add(&mut self.found, apart);
            }
        }
    }

    /// Blocks that are allocated together, one of which points to the other: every block of the one class has its owner in the other class, at
    /// a fixed distance. All blocks are of one of the classes that a field tells apart.
    fn owned(&mut self, terms: &mut Terms) {
        let k = self.indices[0];
        let (kinds, plain): (Vec<Class>, Vec<Class>) =
            self.classes.iter().cloned().partition(|class| class.0.len() > 1);
        let pairs = product(&kinds, &kinds).into_iter().chain(product(&plain, &plain));
        for (owner, owned) in pairs.filter(|(owner, owned)| owner != owned) {
            let premise = self.is(&owned, k, terms);
            for (field, distance) in product(&self.links.clone(), &[1, -1]) {
                if !(self.kinds.have(&owner, field) && self.kinds.leads(field, &owned)) {
                    continue;
                }
                let distance = terms.int(distance);
                let place = terms.sub(k, distance);
                let (lives, link) = (self.is(&owner, place, terms), self.cell(field, place, terms));
                let leads = terms.eq(link, k);
                let conclusion = terms.and([lives, leads]);
                self.all_without_exception(premise, conclusion, terms);
            }
        }
        for base in plain.into_iter().filter(|class| class.0.len() == 1) {
            let mut by_field: BTreeMap<Cells, Vec<Term>> = BTreeMap::new();
            for kind in kinds.iter().filter(|kind| kind.0[0] == base.0[0]) {
                let (field, value) = kind.0[1];
                let cell = self.cell(field, k, terms);
                let equal = terms.eq(cell, value);
                by_field.entry(field).or_default().push(equal);
            }
            let premise = self.is(&base, k, terms);
            for equations in by_field.into_values() {
                let conclusion = terms.or(equations);
                self.all_without_exception(premise, conclusion, terms);
            }
        }
    }
}
