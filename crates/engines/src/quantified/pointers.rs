//! What variables point to, and what they say of each other.

use super::accesses::Cells;
use super::heap::{Class, Heap, product};
use super::templates::add;
use logic::{Term, Terms};

impl Heap<'_> {
    /// What variables point to.
    pub(super) fn pointed(&mut self, terms: &mut Terms) {
        for (pointer, class) in product(&self.pointers, &self.classes) {
            if !self.kinds.points(self.program, pointer, &class, terms) {
                continue;
            }
            let inside = self.is(&class, pointer, terms);
            let null = Self::null(pointer, terms);
            add(&mut self.found, inside);
            let maybe = terms.or([null, inside]);
            self.instead_of(inside, maybe);
            for base in self.places.bases(self.program, pointer, terms) {
                let there = terms.eq(pointer, base);
                let either = terms.or([there, inside]);
                self.instead_of(inside, either);
                let maybe = terms.or([null, either]);
                self.instead_of(either, maybe);
            }
        }
        for (pointer, field) in product(&self.pointers, &self.links) {
            if !self.may_have(pointer, field, terms) {
                continue;
            }
            let null = Self::null(pointer, terms);
            let cell = self.cell(field, pointer, terms);
            let ends = Self::null(cell, terms);
            let ends = terms.or([null, ends]);
            add(&mut self.found, ends);
        }
    }

    /// Whether a variable may point to a block that has a field.
    fn may_have(&self, pointer: Term, field: Cells, terms: &Terms) -> bool {
        let both = |class: &Class| {
            self.kinds.have(class, field) && self.kinds.points(self.program, pointer, class, terms)
        };
        self.classes.iter().any(both)
    }

    /// What variables say of each other.
    pub(super) fn pairs(&mut self, terms: &mut Terms) {
        for (pointer, other) in product(&self.pointers, &self.pointers) {
            if pointer == other {
                continue;
            }
            let null = Self::null(pointer, terms);
            for class in self.classes.clone() {
                if !self.kinds.points(self.program, other, &class, terms) {
                    continue;
                }
                let inside = self.is(&class, other, terms);
                let together = terms.or([null, inside]);
                add(&mut self.found, together);
            }
            let mut some = vec![null];
            for field in self.links.clone() {
                if self.may_have(other, field, terms) {
                    let cell = self.cell(field, other, terms);
                    let ends = Self::null(cell, terms);
                    let together = terms.or([null, ends]);
                    add(&mut self.found, together);
                }
                if self.may_have(pointer, field, terms) {
                    let cell = self.cell(field, pointer, terms);
                    let leads = terms.eq(cell, other);
                    let this_one = terms.or([null, leads]);
                    add(&mut self.found, this_one);
                    some.push(leads);
                }
            }
            let linked = terms.or(some);
            add(&mut self.found, linked);
            let same = terms.eq(pointer, other);
            let different = terms.not(same);
            add(&mut self.found, different);
            let unless_null = terms.or([null, different]);
            self.instead_of(different, unless_null);
            if self.from.is_some() {
                let later = terms.lt(pointer, other);
                let without = Self::null(other, terms);
                let later = terms.or([without, later]);
                add(&mut self.found, later);
            }
            for &third in &self.pointers.clone() {
                if third != pointer && third < other {
                    let same = terms.eq(third, other);
                    let (not_null, maybe) = (terms.not(null), same);
                    let otherwise = terms.or([not_null, maybe]);
                    add(&mut self.found, otherwise);
                }
            }
        }
    }
}
