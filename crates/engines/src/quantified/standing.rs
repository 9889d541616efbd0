//! Cells whose index does not count: `memory[p]` for a variable `p` that points somewhere.
//!
//! What is known of such a cell is lost at a write to another one, unless the two indices are known to be different. So
//! for every two indices of one array it is a candidate that they are. New blocks are those that a map of marks
//! (`valid[p] == 0`) knows nothing of, so that a variable holds an index that is marked is a candidate, too; so are what was written to a
//! cell, as the size of a block is, and sums and differences of two cells, by what was written to them at first.

use super::accesses::{Access, Cells, Kind};
use super::limits;
use super::templates::{Source, Templates, add};
use logic::{Op, Sort, Symbol, Term, Terms};
use program::{Program, Relation};
use std::collections::BTreeMap;

impl Templates {
    /// Adds what may hold of cells whose index does not count.
    pub(super) fn standing(&mut self, source: &Source<'_>, terms: &mut Terms) {
        let counts = |term: Term| source.counters.iter().any(|counter| counter.term == term);
        // The indices of each array.
        let mut indices: BTreeMap<Cells, Vec<Term>> = BTreeMap::new();
        let whole = source.accesses.iter().filter(|access| is_whole(access) && !counts(access.index));
        for access in whole {
            if is_variable(source.program, access.index, terms) {
                let known = indices.entry(access.array).or_default();
                if known.len() < limits::MOST_STANDING {
                    add(known, access.index);
                }
            }
        }
        for known in indices.values() {
            for (left, right) in pairs(known) {
                let equal = terms.eq(left, right);
                let different = terms.not(equal);
                add(&mut self.ground, different);
            }
        }
        self.marks(source, &indices, terms);
        self.written_once(source, &indices, terms);
        self.sums(source, &indices, terms);
    }

    /// Adds that cells hold what is written somewhere to an array of the same sort, also if the write is only said by a contract.
    fn marks(&mut self, source: &Source<'_>, indices: &BTreeMap<Cells, Vec<Term>>, terms: &mut Terms) {
        let program = source.program;
        let mut all: Vec<Term> = Vec::new();
        indices.values().flatten().for_each(|&index| add(&mut all, index));
        all.truncate(limits::MOST_STANDING);
        let mut marks: BTreeMap<Sort, Vec<Term>> = BTreeMap::new();
        for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
            let mut roots = vec![relation.guard];
            roots.extend(relation.updates.iter().map(|&(_, value)| value));
            terms.for_each_subterm(&roots, |term| {
                if let (Op::Store, &[_, _, value]) = (terms.op(term), terms.args(term))
                    && terms.is_literal_value(value)
                {
                    add(marks.entry(terms.sort_of(term)).or_default(), value);
                }
            });
        }
        for (_, data) in program.variables.iter() {
            let sort = terms.symbol_data(data.symbol).sort;
            let (Some(values), Some((of, _))) = (marks.get(&sort), terms.array_parts(sort)) else { continue };
            let array = terms.constant(data.symbol);
            for &index in all.iter().filter(|&&index| terms.sort_of(index) == of).collect::<Vec<_>>() {
                let cell = terms.select(array, index);
                for &value in values.iter().take(limits::MOST_MARKS) {
                    let marked = terms.eq(cell, value);
                    add(&mut self.ground, marked);
                }
            }
        }
    }

    /// Adds that cells hold what was written to them, in the words of the state behind the write: `size[p] == 4 * n` behind
    /// `n := 2 * n; size[next] := 4 * n; p := next`, which as one block writes eight times what `n` was. With them come the orders of
    /// variables that are compared, which say how far such a block is in use.
    fn written_once(&mut self, source: &Source<'_>, indices: &BTreeMap<Cells, Vec<Term>>, terms: &mut Terms) {
        let program = source.program;
        let mut values: BTreeMap<Cells, Vec<Term>> = BTreeMap::new();
        for access in source.accesses.iter().filter(|access| is_whole(access)) {
            let Kind::Write { value, .. } = access.kind else { continue };
            let Some(relation) = program.relation(access.edge) else { continue };
            if terms.sort_of(value) != Sort::INT || terms.is_literal_value(value) {
                continue;
            }
            let known = values.entry(access.array).or_default();
            for said in said_behind(program, relation, value, terms) {
                let of_state = |symbol: &Symbol| program.variables.of_symbol(*symbol).is_some();
                if known.len() < limits::MOST_WRITTEN_ONCE && terms.free_symbols(said).iter().all(of_state) {
                    add(known, said);
                }
            }
        }
        if values.values().all(Vec::is_empty) {
            return;
        }
        for (array, values) in values {
            let indices = indices.get(&array).map_or(&[][..], Vec::as_slice);
            for (&index, &value) in
                indices.iter().flat_map(|index| values.iter().map(move |value| (index, value)))
            {
                let cell = array.at(program, &[index], terms);
                let holds = terms.eq(cell, value);
                add(&mut self.ground, holds);
            }
        }
        for (left, right) in compared(program, terms) {
            for (small, large) in [(left, right), (right, left)] {
                let ordered = terms.le(small, large);
                add(&mut self.ground, ordered);
            }
        }
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

/// A number over the state before an edge, said of the state behind it in several ways: a term of it that some variable holds now, alone or in a
/// multiple, is said by that variable.
fn said_behind(program: &Program, relation: &Relation, value: Term, terms: &mut Terms) -> Vec<Term> {
    let written = terms.linear(value);
    let mut ways = vec![value];
    for &(var, update) in &relation.updates {
        if terms.sort_of(update) != Sort::INT {
            continue;
        }
        for leaf in leaves(update, terms) {
            let now = terms.linear(leaf);
            for (term, factor) in now.monomials.clone() {
                let Some(times) = written.coefficient(term).map(|coefficient| coefficient / &factor) else {
                    continue;
                };
                if !times.is_integer() {
                    continue;
                }
                let times = terms.int(times.to_integer());
                let variable = program.variables.term(terms, var);
                let moved = terms.sub(variable, leaf);
                let moved = terms.mul(&[times, moved]);
                let said = terms.add(&[value, moved]);
                add(&mut ways, said);
            }
        }
    }
    ways
}

/// What a term may be, by the choices around it.
fn leaves(term: Term, terms: &Terms) -> Vec<Term> {
    let (mut pending, mut found) = (vec![term], Vec::new());
    while let Some(term) = pending.pop() {
        if found.len() + pending.len() >= limits::MOST_LEAVES {
            break;
        }
        match (terms.op(term), terms.args(term)) {
            (Op::Ite, &[_, then, otherwise]) => pending.extend([otherwise, then]),
            _ => add(&mut found, term),
        }
    }
    found
}

/// The pairs of variables that guards compare with each other.
fn compared(program: &Program, terms: &Terms) -> Vec<(Term, Term)> {
    let mut pairs = Vec::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        terms.for_each_subterm(&[relation.guard], |term| {
            if matches!(terms.op(term), Op::Eq | Op::Le | Op::Lt)
                && let &[left, right] = terms.args(term)
                && terms.sort_of(left) == Sort::INT
                && is_variable(program, left, terms)
                && is_variable(program, right, terms)
                && !pairs.contains(&(left, right))
                && pairs.len() < limits::MOST_COMPARED
            {
                pairs.push((left, right));
            }
        });
    }
    pairs
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
