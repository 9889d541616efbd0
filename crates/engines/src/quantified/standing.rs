//! Cells whose index does not count: `memory[p]` for a variable `p` that points somewhere.
//!
//! What is known of such a cell is lost at a write to another one, unless the two indices are known to be different. So
//! for every two indices of one array it is a candidate that they are. New blocks are those that a map of marks
//! (`valid[p] == 0`) knows nothing of, so that a variable holds an index that is marked is a candidate, too; and so are sums and
//! differences of two cells, by what was written to them at first.

use super::accesses::{Access, Cells, Kind};
use super::limits;
use super::templates::{Source, Templates, add};
use logic::{Op, Sort, Term, Terms};
use program::Program;
use std::collections::BTreeMap;

impl Templates {
    /// Adds what may hold of cells whose index does not count.
    pub(super) fn standing(&mut self, source: &Source<'_>, terms: &mut Terms) {
        let counts = |term: Term| source.counters.iter().any(|counter| counter.term == term);
        // The indices of each array, and the marks that are written to it.
        let mut indices: BTreeMap<Cells, Vec<Term>> = BTreeMap::new();
        let mut marks: BTreeMap<Cells, Vec<Term>> = BTreeMap::new();
        let whole = source.accesses.iter().filter(|access| is_whole(access) && !counts(access.index));
        for access in whole {
            if is_variable(source.program, access.index, terms) {
                let known = indices.entry(access.array).or_default();
                if known.len() < limits::MOST_STANDING {
                    add(known, access.index);
                }
            }
            if let Some(value) = literal(access, terms) {
                add(marks.entry(access.array).or_default(), value);
            }
        }
        for known in indices.values() {
            for (left, right) in pairs(known) {
                let equal = terms.eq(left, right);
                let different = terms.not(equal);
                add(&mut self.ground, different);
            }
        }
        let mut all: Vec<Term> = Vec::new();
        indices.values().flatten().for_each(|&index| add(&mut all, index));
        for (array, values) in &marks {
            for &index in all.iter().take(limits::MOST_STANDING) {
                let root = source.program.variables.term(terms, array.var);
                let fits =
                    terms.array_parts(terms.sort_of(root)).is_some_and(|(of, _)| of == terms.sort_of(index));
                if !fits {
                    continue;
                }
                let cell = array.at(source.program, &[index], terms);
                for &value in values.iter().take(limits::MOST_MARKS) {
                    let marked = terms.eq(cell, value);
                    add(&mut self.ground, marked);
                }
            }
        }
        self.sums(source, &indices, terms);
    }

    /// Adds sums and differences of two cells of one array that stay what they are at first, also for indices that
    /// are the same.
    fn sums(&mut self, source: &Source<'_>, indices: &BTreeMap<Cells, Vec<Term>>, terms: &mut Terms) {
        for (&array, indices) in indices {
            let written = |index: Term, terms: &Terms| {
                let own =
                    |access: &&Access| access.array == array && access.index == index && is_whole(access);
                source.accesses.iter().filter(own).find_map(|access| literal(access, terms))
            };
            for (left, right) in pairs(indices).take(limits::MOST_SUMS) {
                let (Some(first), Some(second)) = (written(left, terms), written(right, terms)) else {
                    continue;
                };
                if terms.sort_of(first) != Sort::INT {
                    continue;
                }
                let cells = [left, right].map(|index| array.at(source.program, &[index], terms));
                let sum = (terms.add(&cells), terms.add(&[first, second]));
                let difference = (terms.sub(cells[0], cells[1]), terms.sub(first, second));
                let same = terms.eq(left, right);
                for (now, at_first) in [sum, difference] {
                    let kept = terms.eq(now, at_first);
                    add(&mut self.ground, kept);
                    let unless_same = terms.or([same, kept]);
                    add(&mut self.ground, unless_same);
                }
            }
        }
    }
}

/// All pairs of different elements.
fn pairs(list: &[Term]) -> impl Iterator<Item = (Term, Term)> + '_ {
    list.iter()
        .enumerate()
        .flat_map(|(position, &left)| list[position + 1..].iter().map(move |&right| (left, right)))
}

/// Is the cell one of a map, and not of a map in a map?
fn is_whole(access: &Access) -> bool {
    access.path.is_empty() && access.array.offset.is_none()
}

fn is_variable(program: &Program, index: Term, terms: &Terms) -> bool {
    matches!(terms.op(index), Op::Symbol(symbol) if program.variables.of_symbol(symbol).is_some())
}

/// The literal that is written.
fn literal(access: &Access, terms: &Terms) -> Option<Term> {
    match access.kind {
        Kind::Write { value, .. } => terms.is_literal_value(value).then_some(value),
        Kind::Read(_) => None,
    }
}
