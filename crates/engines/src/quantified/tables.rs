//! Tables: arrays with other indices than numbers of blocks whose cells lead to blocks, as hash tables of lists have them.

use super::heap::Heap;
use logic::{Term, Terms};
use program::Var;

impl Heap<'_> {
    /// Every cell of a table is null or leads to a living block, to which no other cell, no link and no variable leads.
    pub(super) fn tables(&mut self, terms: &mut Terms) {
        if self.tables.is_empty() {
            return;
        }
        let [k, j] = self.indices;
        let cell = |var: Var, index: Term, terms: &mut Terms| {
            let array = self.program.variables.term(terms, var);
            terms.select(array, index)
        };
        let mut formulas: Vec<(Term, Term)> = Vec::new();
        for &var in self.constant.iter().filter(|var| !self.tables.contains(var)) {
            let number = cell(var, k, terms);
            formulas.push((Term::TRUE, Self::null(number, terms)));
        }
        for &table in &self.tables {
            let first = cell(table, k, terms);
            let null = Self::null(first, terms);
            let elsewhere = |other: Term, terms: &mut Terms| {
                let same = terms.eq(first, other);
                let different = terms.not(same);
                terms.or([null, different])
            };
            for &other in &self.tables {
                let second = cell(other, j, terms);
                let premise = if other == table { terms.lt(k, j) } else { Term::TRUE };
                formulas.push((premise, elsewhere(second, terms)));
            }
            for &pointer in &self.pointers {
                formulas.push((Term::TRUE, elsewhere(pointer, terms)));
            }
            for class in self.classes.iter().filter(|class| class.0.len() <= 1) {
                let inside = self.is(class, first, terms);
                formulas.push((Term::TRUE, terms.or([null, inside])));
                let alive = self.is(class, j, terms);
                for &field in &self.links {
                    let target = self.cell(field, j, terms);
                    formulas.push((alive, elsewhere(target, terms)));
                }
            }
        }
        for (premise, conclusion) in formulas {
            self.all_without_exception(premise, conclusion, terms);
        }
    }
}
