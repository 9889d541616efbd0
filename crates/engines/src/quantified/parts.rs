//! Parts of arrays: where a program cuts them.
//!
//! A sort has arranged what lies below its counter, or what lies above `n - i`; a search has excluded what lies before `low` and from `high` on. Such parts end at
//! variables that occur in indices, at the numbers where these begin, and at what guards compare them with ([`Walked::cuts`]). Which of the cuts comes first is
//! a candidate of its own, and only parts whose ends are in order are spoken of.

use super::accesses::{Cells, Kind};
use super::counters::{after, atoms, difference, is_bound_of_type, leaves};
use super::limits;
use super::templates::{Source, add};
use logic::{Op, Rational, Sort, Term, Terms};
use num_traits::{One, Signed};
use program::{Program, Relation};
use std::collections::BTreeMap;

/// An array of integers with the places where it is read, written and cut.
pub(super) struct Walked {
    pub(super) array: Cells,
    /// The indices of the maps around the last one.
    pub(super) path: Vec<Term>,
    /// The indices of accesses, as far as they speak of variables only.
    pub(super) indices: Vec<Term>,
    /// Those among them at which it is written.
    pub(super) written: Vec<Term>,
    /// Ends of parts.
    pub(super) cuts: Vec<Term>,
}

impl Walked {
    /// The cell at an index.
    pub(super) fn cell(&self, program: &Program, index: Term, terms: &mut Terms) -> Term {
        let path = [self.path.as_slice(), &[index]].concat();
        self.array.at(program, &path, terms)
    }
}

/// The arrays of integers of a program.
pub(super) fn walked(source: &Source<'_>, terms: &mut Terms) -> Vec<Walked> {
    let mut groups: BTreeMap<(Cells, Vec<Term>), [Vec<Term>; 2]> = BTreeMap::new();
    for access in source.accesses {
        let of_state = |&term: &Term| {
            terms.sort_of(term) == Sort::INT
                && terms.free_symbols(term).iter().all(|&s| source.program.variables.of_symbol(s).is_some())
                && !reads(terms, term)
        };
        if !of_state(&access.index) || !access.path.iter().all(of_state) {
            continue;
        }
        let [indices, written] = groups.entry((access.array, access.path.clone())).or_default();
        add(indices, access.index);
        if let Kind::Write { .. } = access.kind {
            add(written, access.index);
        }
    }
    let mut all = Vec::new();
    for ((array, path), [indices, written]) in groups {
        let mut walked = Walked { array, path, indices, written, cuts: Vec::new() };
        let first = walked.indices[0];
        let cell = walked.cell(source.program, first, terms);
        if terms.sort_of(cell) == Sort::INT {
            walked.cut(source, terms);
            all.push(walked);
        }
    }
    all.truncate(limits::MOST_ARRAYS_IN_PARTS);
    all
}

/// Whether a term depends on cells of arrays.
fn reads(terms: &Terms, term: Term) -> bool {
    let mut found = false;
    terms.for_each_subterm(&[term], |part| found |= terms.op(part) == Op::Select);
    found
}

impl Walked {
    fn cut(&mut self, source: &Source<'_>, terms: &mut Terms) {
        let program = source.program;
        let mut variables = Vec::new();
        for &index in &self.indices {
            for symbol in terms.free_symbols(index) {
                let variable = terms.constant(symbol);
                if terms.sort_of(variable) == Sort::INT {
                    add(&mut variables, variable);
                }
            }
        }
        variables.truncate(limits::MOST_CUTTING);
        let (zero, one) = (terms.int(0), terms.int(1));
        let mut cuts = vec![zero];
        let (mut ends, mut shifted) = (Vec::new(), Vec::new());
        for &variable in &variables {
            add(&mut cuts, variable);
        }
        let mut behind = variables.clone();
        for &variable in &variables {
            for begin in begins(source, variable, terms) {
                add(&mut cuts, begin);
                if !terms.is_literal_value(begin) {
                    add(&mut behind, begin);
                }
            }
            let mut own: Vec<Term> = Vec::new();
            for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
                for end in compared_with(program, relation, variable, terms) {
                    add(&mut own, end);
                }
            }
            let mut shifts: Vec<Rational> = Vec::new();
            for &index in &self.indices {
                let form = terms.linear(index);
                if let [(term, factor)] = form.monomials.as_slice()
                    && *term == variable
                    && factor.is_one()
                    && form.constant.abs().is_one()
                    && !shifts.contains(&form.constant)
                {
                    shifts.push(form.constant);
                }
            }
            let unshifted = own.clone();
            for shift in shifts {
                let shift = terms.int(shift.to_integer());
                let before = terms.add(&[variable, shift]);
                add(&mut shifted, before);
                for &end in &unshifted {
                    let end = terms.add(&[end, shift]);
                    add(&mut own, end);
                }
            }
            own.into_iter().for_each(|end| add(&mut ends, end));
        }
        // Sizes of arrays bound all indices, and end no part if something else does.
        if ends.iter().any(|&end| !terms.is_literal_value(end)) {
            ends.retain(|&end| !terms.is_literal_value(end));
        }
        // The simplest come first.
        ends.sort_by_key(|&end| terms.linear(end).monomials.len());
        ends.into_iter().for_each(|end| add(&mut cuts, end));
        for place in behind {
            let next = terms.add(&[place, one]);
            add(&mut cuts, next);
        }
        shifted.into_iter().for_each(|place| add(&mut cuts, place));
        cuts.truncate(limits::MOST_CUTS);
        self.cuts = cuts;
    }
}

/// Where a variable begins.
fn begins(source: &Source<'_>, variable: Term, terms: &mut Terms) -> Vec<Term> {
    let program = source.program;
    let Some(var) = terms.as_symbol(variable).and_then(|symbol| program.variables.of_symbol(symbol)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        let Some(update) = relation.update(var) else { continue };
        for leaf in leaves(terms, update) {
            let begin = after(program, relation, leaf, terms);
            if let Some(begin) = begin
                && !reads(terms, begin)
                && terms.linear(begin).coefficient(variable).is_none()
            {
                add(&mut found, begin);
            }
        }
    }
    found.truncate(limits::MOST_RESETS);
    found
}

/// What a guard compares a variable with: up to where it holds.
fn compared_with(program: &Program, relation: &Relation, variable: Term, terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    for atom in atoms(terms, relation.guard) {
        let mut form = difference(terms, atom);
        let Some(factor) = form.remove(variable) else { continue };
        let simple = |term: Term| {
            terms.as_symbol(term).is_some_and(|symbol| program.variables.of_symbol(symbol).is_some())
        };
        if terms.op(atom) != Op::Le
            || !factor.abs().is_one()
            || is_bound_of_type(&form.constant)
            || !form.monomials.iter().all(|(term, factor)| simple(*term) && factor.is_integer())
        {
            continue;
        }
        // variable + rest <= 0 holds up to -rest, and rest <= variable from rest on.
        if factor.is_one() {
            form.scale(&-Rational::one());
            form.constant += Rational::one();
        }
        found.push(terms.from_linear(&form, Sort::INT));
    }
    found
}
