//! Pointers that are kept in memory outside of new blocks, and variables that point to them: `struct node **link = &head; while (*link) link = &(*link)->next`.
//!
//! A list may begin in a variable whose address somebody takes, in a member of a global struct, or in a block of its own that is no allocated one. Such
//! a beginning is a cell with a fixed index, and counts as a pointer like the variables. The address of a link is one of these cells, or a link in
//! a living block; nothing else is needed to know what is read and written there.

use super::accesses::{Access, Cells, Kind, place};
use super::counters::leaves;
use super::heap::{Heap, assignments};
use super::limits;
use super::templates::{Source, add};
use logic::{Op, Sort, Term, Terms};
use program::{Program, Var};
use std::collections::{BTreeMap, BTreeSet};

/// What is at fixed places, and who points there.
#[derive(Default)]
pub(super) struct Places {
    /// Cells of links with fixed indices.
    beginnings: Vec<Fixed>,
    /// Other cells of blocks with fixed indices.
    beside: Vec<Fixed>,
    /// What is written to such cells.
    written: Vec<(Fixed, Term)>,
    /// Pairs of variables, block and offset, at which links are read and written.
    addresses: BTreeSet<(Var, Var)>,
    /// The fixed blocks to which variables may point.
    blocks: BTreeMap<Var, BTreeSet<Term>>,
    /// The beginnings, as pointers.
    pub(super) pointers: Vec<Term>,
    /// The addresses that are spoken of now.
    spoken_of: Vec<[Term; 2]>,
}

/// A cell with a fixed index.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fixed {
    array: Cells,
    block: Term,
}

impl Fixed {
    fn term(self, program: &Program, terms: &mut Terms) -> Term {
        self.array.at(program, &[self.block], terms)
    }
}

impl Places {
    pub(super) fn new(
        source: &Source<'_>,
        fields: &BTreeSet<Cells>,
        links: &BTreeSet<Cells>,
        terms: &mut Terms,
    ) -> Places {
        let mut places = Places::default();
        let of = |cells: &BTreeSet<Cells>, access: &Access| {
            let same = |field: &Cells| field.var == access.array.var;
            cells.iter().any(same)
        };
        for access in source.accesses {
            let whole = access.path.is_empty() && terms.is_literal_value(access.index);
            if !whole || !of(fields, access) {
                continue;
            }
            let cell = Fixed { array: access.array, block: access.index };
            let known = if of(links, access) { &mut places.beginnings } else { &mut places.beside };
            if known.len() < limits::MOST_POINTERS {
                add_cell(known, cell);
            }
            if let Kind::Write { value, .. } = access.kind
                && terms.is_literal_value(value)
                && places.written.len() < limits::MOST_POINTERS
            {
                places.written.push((cell, value));
            }
        }
        places.addresses = addresses(source.program, links, terms);
        places.follow(source.program, terms);
        places
    }

    /// Finds the fixed blocks to which variables may point.
    fn follow(&mut self, program: &Program, terms: &mut Terms) {
        let blocks: Vec<Term> = self.beginnings.iter().chain(&self.beside).map(|fixed| fixed.block).collect();
        let assignments = assignments(program, terms);
        for _ in 0..limits::CHAINS {
            for &(var, update) in &assignments {
                if terms.sort_of(update) != Sort::INT {
                    continue;
                }
                for leaf in leaves(terms, update) {
                    let from = terms.as_symbol(leaf).and_then(|symbol| program.variables.of_symbol(symbol));
                    if let Some(all) = from.and_then(|from| self.blocks.get(&from)).cloned() {
                        self.blocks.entry(var).or_default().extend(all);
                    } else if blocks.contains(&leaf) {
                        self.blocks.entry(var).or_default().insert(leaf);
                    }
                }
            }
        }
    }

    /// Speaks of these variables from now on.
    pub(super) fn look_at(&mut self, program: &Program, visible: impl Fn(Var) -> bool, terms: &mut Terms) {
        let seen = self.beginnings.iter().filter(|cell| visible(cell.array.var)).copied();
        self.pointers = seen.map(|cell| cell.term(program, terms)).collect();
        self.pointers.retain(|&pointer| terms.sort_of(pointer) == Sort::INT);
        let pairs = self.addresses.iter().filter(|(block, offset)| visible(*block) && visible(*offset));
        self.spoken_of = pairs
            .take(limits::MOST_POINTERS)
            .map(|&(block, offset)| [block, offset].map(|var| program.variables.term(terms, var)))
            .collect();
    }

    /// The cells with fixed indices in the array of a field.
    pub(super) fn cells_beside(&self, program: &Program, field: Cells, terms: &mut Terms) -> Vec<Term> {
        let own = self.beside.iter().filter(|cell| cell.array.var == field.var);
        let mut cells: Vec<Term> = own.map(|cell| cell.term(program, terms)).collect();
        cells.retain(|&cell| terms.sort_of(cell) == Sort::INT);
        cells
    }

    /// The fixed blocks to which a pointer may lead.
    pub(super) fn bases(&self, program: &Program, pointer: Term, terms: &Terms) -> Vec<Term> {
        let var = terms.as_symbol(pointer).and_then(|symbol| program.variables.of_symbol(symbol));
        var.and_then(|var| self.blocks.get(&var)).into_iter().flatten().copied().collect()
    }
}

impl Heap<'_> {
    /// Fixed cells keep what is written to them, and the address of a link is that of a fixed cell or of a link in a living block.
    pub(super) fn places(&mut self, terms: &mut Terms) {
        for (cell, value) in self.places.written.clone() {
            let now = cell.term(self.program, terms);
            let kept = terms.eq(now, value);
            add(&mut self.found, kept);
        }
        let bases: Vec<_> = self.classes.iter().filter(|class| class.0.len() <= 1).cloned().collect();
        for [block, offset] in self.places.spoken_of.clone() {
            let mut fixed = Vec::new();
            for cell in self.places.beginnings.clone() {
                let Some(own) = cell.array.offset else { continue };
                let (there, at) = (terms.eq(block, cell.block), terms.eq(offset, own));
                fixed.push(terms.and([there, at]));
            }
            let mut offsets = Vec::new();
            for own in self.links.iter().filter_map(|field| field.offset) {
                offsets.push(terms.eq(offset, own));
            }
            for class in &bases {
                let alive = self.is(class, block, terms);
                for &at in &offsets {
                    let inside = terms.and([alive, at]);
                    let somewhere = terms.or([fixed.as_slice(), &[inside]].concat());
                    add(&mut self.found, somewhere);
                }
                let at = terms.or(offsets.iter().copied());
                let inside = terms.and([alive, at]);
                let somewhere = terms.or([fixed.as_slice(), &[inside]].concat());
                add(&mut self.found, somewhere);
            }
        }
    }
}

fn add_cell(cells: &mut Vec<Fixed>, cell: Fixed) {
    if !cells.contains(&cell) {
        cells.push(cell);
    }
}

/// The pairs of variables, block and offset, at which links are read.
fn addresses(program: &Program, links: &BTreeSet<Cells>, terms: &Terms) -> BTreeSet<(Var, Var)> {
    let mut found = BTreeSet::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        let mut roots = vec![relation.guard];
        roots.extend(relation.updates.iter().map(|&(_, update)| update));
        terms.for_each_subterm(&roots, |term| {
            if terms.op(term) != Op::Select {
                return;
            }
            let Some((array, path)) = place(program, terms, term) else { return };
            if !links.iter().any(|field| field.var == array && field.offset.is_some()) {
                return;
            }
            let var =
                |term: Term| terms.as_symbol(term).and_then(|symbol| program.variables.of_symbol(symbol));
            if let &[block, offset] = path.as_slice()
                && let (Some(block), Some(offset)) = (var(block), var(offset))
            {
                found.insert((block, offset));
            }
        });
    }
    found
}
