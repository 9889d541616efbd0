//! Blocks that nothing else points to.

use super::accesses::Cells;
use super::heap::{Class, Heap, product};
use logic::{Term, Terms};

impl Heap<'_> {
    /// No two links of living blocks lead to the same block, and none leads to what a variable points to.
    pub(super) fn unshared(&mut self, terms: &mut Terms) {
        let (kinds, plain): (Vec<Class>, Vec<Class>) =
            self.classes.iter().cloned().partition(|class| class.0.len() > 1);
        for (one, two) in product(&plain, &plain).into_iter().filter(|(one, two)| one != two) {
            for (field, other) in product(&self.links, &self.links) {
                // Of links of the same name, one order is enough.
                let later = || {
                    plain.iter().position(|class| *class == one)
                        > plain.iter().position(|class| *class == two)
                };
                let own = self.kinds.have(&one, field) && self.kinds.have(&two, other);
                if !own || !self.may_meet(field, other) || field > other || (field == other && later()) {
                    continue;
                }
                let (premise, conclusion) = self.lead_apart([(field, &one), (other, &two)], terms);
                self.all(premise, conclusion, terms);
            }
        }
        for class in plain {
            for (field, pointer) in product(&self.links, &self.pointers) {
                let leads = |to: &Class| {
                    self.kinds.leads(field, to) && self.kinds.points(self.program, pointer, to, terms)
                };
                if !self.kinds.have(&class, field) || !self.classes.iter().any(leads) {
                    continue;
                }
                let unlinked = self.not_led_to((field, &class), pointer, terms);
                for kind in kinds.iter().filter(|kind| kind.0[0] == class.0[0]) {
                    let (premise, conclusion) = self.leads_elsewhere((field, kind), pointer, terms);
                    self.all_instead_of(unlinked, (premise, conclusion), terms);
                }
            }
            for (field, other) in product(&self.links, &self.links) {
                let own = self.kinds.have(&class, field) && self.kinds.have(&class, other);
                if field > other || !own || !self.may_meet(field, other) {
                    continue;
                }
                let (premise, conclusion) = self.lead_apart([(field, &class), (other, &class)], terms);
                let apart = self.all(premise, conclusion, terms);
                for (kind, second) in product(&kinds, &kinds) {
                    let (premise, conclusion) = self.lead_apart([(field, &kind), (other, &second)], terms);
                    self.all_instead_of(apart, (premise, conclusion), terms);
                }
            }
        }
    }

    /// Whether two links may lead to blocks of one class.
    fn may_meet(&self, field: Cells, other: Cells) -> bool {
        self.classes.iter().any(|to| self.kinds.leads(field, to) && self.kinds.leads(other, to))
    }

    /// No link of a class leads to what a variable points to; perhaps that of one block does, into which somebody writes.
    fn not_led_to(&mut self, from: (Cells, &Class), pointer: Term, terms: &mut Terms) -> Term {
        let (premise, conclusion) = self.leads_elsewhere(from, pointer, terms);
        let unlinked = self.all(premise, conclusion, terms);
        let linking: Vec<Term> = self.linking.iter().copied().filter(|&other| other != pointer).collect();
        self.weaken_without(unlinked, (premise, conclusion), &linking, terms);
        unlinked
    }

    fn leads_elsewhere(
        &self,
        (field, class): (Cells, &Class),
        pointer: Term,
        terms: &mut Terms,
    ) -> (Term, Term) {
        let k = self.indices[0];
        let target = self.cell(field, k, terms);
        let null = Self::null(pointer, terms);
        let same = terms.eq(target, pointer);
        let other = terms.not(same);
        (self.is(class, k, terms), terms.or([null, other]))
    }

    fn lead_apart(&self, [one, two]: [(Cells, &Class); 2], terms: &mut Terms) -> (Term, Term) {
        let [k, j] = self.indices;
        let (target, shared) = (self.cell(one.0, k, terms), self.cell(two.0, j, terms));
        let mut parts = vec![self.is(one.1, k, terms), self.is(two.1, j, terms)];
        if one == two {
            parts.push(terms.lt(k, j));
        }
        let null = Self::null(target, terms);
        let same = terms.eq(target, shared);
        let different = terms.not(same);
        (terms.and(parts), terms.or([null, different]))
    }
}
