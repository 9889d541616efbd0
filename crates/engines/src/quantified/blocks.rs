//! Blocks of memory that are numbered in the order of their allocation.
//!
//! A counter that nothing stops and that only ever grows by one gives each new block its number, and fields of blocks
//! are arrays over these numbers. A field that points to another block holds a number that was given, or null; so does every
//! variable that is used as such a number. With that, what was written into a field of every new block is still
//! known when the blocks are visited along their pointers: lists that are built in one loop and walked through in another.

use super::accesses::Kind;
use super::counters::Counter;
use super::limits;
use super::templates::{Source, Templates, add};
use logic::{Op, Sort, Term, Terms};
use num_traits::One;
use program::Var;
use std::collections::BTreeSet;

/// The numbers that blocks have.
#[derive(Clone, Copy)]
struct Numbers {
    /// The first one.
    first: Term,
    /// The one that is given next.
    next: Term,
}

impl Numbers {
    /// A number that was given.
    fn given(self, number: Term, terms: &mut Terms) -> Term {
        let (low, high) = (terms.le(self.first, number), terms.lt(number, self.next));
        terms.and([low, high])
    }

    /// A number that was given, or null.
    fn given_or_null(self, number: Term, terms: &mut Terms) -> Term {
        let zero = terms.int(0);
        let (null, given) = (terms.eq(number, zero), self.given(number, terms));
        terms.or([null, given])
    }
}

impl Templates {
    /// Adds what may hold of blocks and of pointers to them.
    pub(super) fn blocks(&mut self, source: &Source<'_>, terms: &mut Terms) {
        for counter in source.counters {
            let Some(first) = counter.first_number(terms) else { continue };
            let numbers = Numbers { first, next: counter.term };
            let fields = fields(source, counter, terms);
            if fields.is_empty() {
                continue;
            }
            for &field in &fields {
                let cell = self.cell_of(field);
                if terms.sort_of(cell) != Sort::INT {
                    continue;
                }
                let points = numbers.given_or_null(cell, terms);
                self.add_general(field, points);
            }
            for pointer in pointers(source, counter, &fields, terms) {
                let (given, maybe) = (numbers.given(pointer, terms), numbers.given_or_null(pointer, terms));
                add(&mut self.ground, given);
                add(&mut self.ground, maybe);
            }
        }
    }
}

/// The arrays that are written at the number of a new block.
fn fields(source: &Source<'_>, counter: &Counter, terms: &Terms) -> BTreeSet<Var> {
    let new = |index: Term| {
        terms.sort_of(index) == Sort::INT
            && terms.linear(index).coefficient(counter.term).is_some_and(One::is_one)
    };
    let writes = source.accesses.iter().filter(|access| matches!(access.kind, Kind::Write { .. }));
    writes.filter(|access| access.path.is_empty() && new(access.index)).map(|access| access.array).collect()
}

/// The variables that are used as numbers of blocks, or get one from a field.
fn pointers(source: &Source<'_>, counter: &Counter, fields: &BTreeSet<Var>, terms: &mut Terms) -> Vec<Term> {
    let variables = &source.program.variables;
    let mut found: BTreeSet<Var> = BTreeSet::new();
    for access in source.accesses.iter().filter(|access| fields.contains(&access.array)) {
        let index = access.path.first().copied().unwrap_or(access.index);
        found.extend(terms.as_symbol(index).and_then(|symbol| variables.of_symbol(symbol)));
    }
    for edge in source.program.live_edges() {
        let Some(relation) = source.program.relation(edge) else { continue };
        for &(var, update) in &relation.updates {
            let from_field = terms.op(update) == Op::Select
                && super::accesses::place(source.program, terms, update)
                    .is_some_and(|(array, _)| fields.contains(&array));
            if update == counter.term || from_field {
                found.insert(var);
            }
        }
    }
    found.remove(&counter.var);
    let is_int = |var: &Var| terms.symbol_data(variables[*var].symbol).sort == Sort::INT;
    let ints: Vec<Var> = found.into_iter().filter(is_int).take(limits::MOST_POINTERS).collect();
    ints.into_iter().map(|var| variables.term(terms, var)).collect()
}
