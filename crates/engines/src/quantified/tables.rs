//! Tables: arrays with other indices than numbers of blocks whose cells lead to blocks, as hash tables of lists have them.

use super::accesses::Kind;
use super::heap::Heap;
use super::limits;
use super::templates::{Source, add};
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
        let current = self.current.clone();
        for (premise, conclusion) in formulas {
            let candidate = self.all_without_exception(premise, conclusion, terms);
            // The cell that is being emptied may lead anywhere.
            for &index in &current {
                let apart = [k, j].map(|other| terms.distinct(&[other, index]));
                let used = [k, j].map(|other| self.mentions(premise, conclusion, other, terms));
                for parts in [vec![apart[0]], apart.to_vec()] {
                    if parts.len() == 2 && used != [true, true] {
                        continue;
                    }
                    let premise = terms.and([&[premise], parts.as_slice()].concat());
                    self.plain_instead_of(candidate, (premise, conclusion), terms);
                }
            }
        }
    }

    fn mentions(&self, premise: Term, conclusion: Term, index: Term, terms: &Terms) -> bool {
        let symbol = terms.as_symbol(index).expect("a symbol");
        terms.mentions(premise, symbol) || terms.mentions(conclusion, symbol)
    }
}

/// The variables at which tables are written.
pub(super) fn written_at(source: &Source<'_>, tables: &[Var], terms: &Terms) -> Vec<Term> {
    let mut found = Vec::new();
    for access in source.accesses.iter().filter(|access| tables.contains(&access.array.var)) {
        if let Kind::Write { .. } = access.kind
            && terms.as_symbol(access.index).is_some()
            && found.len() < limits::MOST_VISITING
        {
            add(&mut found, access.index);
        }
    }
    found
}
