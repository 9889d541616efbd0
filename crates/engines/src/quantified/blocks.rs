//! Blocks of memory that are numbered in the order of their allocation.
//!
//! A counter that nothing stops and that only ever grows by one gives each new block its number, and fields of blocks
//! are arrays over these numbers. A field that points to another block holds a number that was given, or null; so does every
//! variable that is used as such a number. With that, what was written into a field of every new block is still
//! known when the blocks are visited along their pointers: lists that are built in one loop and walked through in another.

use super::accesses::{Cells, Kind};
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
            let fields = fields(source, counter, terms);
            if fields.is_empty() {
                continue;
            }
            let first = with_early_blocks(source, &fields, first, terms);
            let numbers = Numbers { first, next: counter.term };
            let pointers = pointers(source, counter, &fields, terms);
            let mut ranges = Vec::new();
            for &pointer in &pointers.visiting {
                ranges.extend(numbers.ranges(pointer, self.index, terms));
            }
            for &field in &fields {
                let cell = self.cell_of(field);
                if terms.sort_of(cell) == Sort::INT {
                    let properties = numbers.properties(cell, self.index, terms);
                    self.add_to_field(source.program, field, (&ranges, &properties), terms);
                }
            }
            for &pointer in &pointers.all {
                let (given, maybe) = (numbers.given(pointer, terms), numbers.given_or_null(pointer, terms));
                add(&mut self.ground, given);
                add(&mut self.ground, maybe);
            }
            for &pointer in &pointers.visiting {
                for other in source.counters.iter().filter(|other| other.var != counter.var) {
                    for fact in numbers.counts(pointer, other.term, terms) {
                        add(&mut self.ground, fact);
                    }
                }
                let newest = numbers.newest(pointer, terms);
                add(&mut self.ground, newest);
            }
        }
    }
}

/// Blocks that are linked in the order of their allocation, or against it.
impl Numbers {
    /// The blocks from the first one to a pointer, and those from the pointer on.
    fn ranges(self, pointer: Term, k: Term, terms: &mut Terms) -> [Term; 2] {
        let (begun, reached) = (terms.le(self.first, k), terms.le(k, pointer));
        let up_to = terms.and([begun, reached]);
        let zero = terms.int(0);
        let (some, from, given) =
            (terms.distinct(&[pointer, zero]), terms.le(pointer, k), terms.lt(k, self.next));
        [up_to, terms.and([some, from, given])]
    }

    /// What a field of the block `k` may hold if it points to another one: any, an older one, the one before, the one after.
    fn properties(self, cell: Term, k: Term, terms: &mut Terms) -> [Term; 4] {
        let (zero, one) = (terms.int(0), terms.int(1));
        let null = terms.eq(cell, zero);
        let older = terms.lt(cell, k);
        let (before, after) = (terms.sub(k, one), terms.add(&[k, one]));
        let is_first = terms.eq(k, self.first);
        let ends = terms.and([is_first, null]);
        let links = terms.eq(cell, before);
        let previous = terms.or([links, ends]);
        let is_last = terms.eq(after, self.next);
        let ends = terms.and([is_last, null]);
        let links = terms.eq(cell, after);
        let following = terms.or([links, ends]);
        [self.given_or_null(cell, terms), older, previous, following]
    }

    /// A number counts the blocks up to a pointer, or those from it on; it is zero if the pointer is null.
    fn counts(self, pointer: Term, count: Term, terms: &mut Terms) -> [Term; 2] {
        let (zero, one) = (terms.int(0), terms.int(1));
        let (null, none) = (terms.eq(pointer, zero), terms.eq(count, zero));
        let nothing = terms.and([null, none]);
        let given = self.given(pointer, terms);
        let before = terms.sub(pointer, self.first);
        let up_to = terms.add(&[before, one]);
        let from = terms.sub(self.next, pointer);
        [up_to, from].map(|number| {
            let counted = terms.eq(count, number);
            let some = terms.and([given, counted]);
            terms.or([nothing, some])
        })
    }

    /// A pointer to the newest block, or null if there is none.
    fn newest(self, pointer: Term, terms: &mut Terms) -> Term {
        let (zero, one) = (terms.int(0), terms.int(1));
        let last = terms.sub(self.next, one);
        let (newest, null, none) =
            (terms.eq(pointer, last), terms.eq(pointer, zero), terms.eq(self.next, self.first));
        let nothing = terms.and([null, none]);
        terms.or([newest, nothing])
    }
}

/// The first number, if blocks that were allocated before all loops are counted, too: there the counter has a value, and
/// numbers are written out.
fn with_early_blocks(source: &Source<'_>, fields: &BTreeSet<Cells>, first: Term, terms: &mut Terms) -> Term {
    let mut written: BTreeSet<Term> = BTreeSet::new();
    for access in source.accesses.iter().filter(|access| fields.contains(&access.array)) {
        let index = access.path.first().copied().unwrap_or(access.index);
        if terms.is_literal_value(index) {
            written.insert(index);
        }
    }
    let one = terms.int(1);
    let mut first = first;
    for _ in 0..written.len() {
        let before = terms.sub(first, one);
        if !written.contains(&before) {
            break;
        }
        first = before;
    }
    first
}

/// Variables that hold numbers of blocks.
struct Pointers {
    /// Those with which fields are accessed.
    visiting: Vec<Term>,
    /// These and others that get a number from a field or a new block.
    all: Vec<Term>,
}

/// The arrays that are written at the number of a new block.
fn fields(source: &Source<'_>, counter: &Counter, terms: &Terms) -> BTreeSet<Cells> {
    let new = |index: Term| {
        terms.sort_of(index) == Sort::INT
            && terms.linear(index).coefficient(counter.term).is_some_and(One::is_one)
    };
    let writes = source.accesses.iter().filter(|access| matches!(access.kind, Kind::Write { .. }));
    writes.filter(|access| access.path.is_empty() && new(access.index)).map(|access| access.array).collect()
}

fn pointers(source: &Source<'_>, counter: &Counter, fields: &BTreeSet<Cells>, terms: &mut Terms) -> Pointers {
    let variables = &source.program.variables;
    let mut visiting: BTreeSet<Var> = BTreeSet::new();
    for access in source.accesses.iter().filter(|access| fields.contains(&access.array)) {
        let index = access.path.first().copied().unwrap_or(access.index);
        visiting.extend(terms.as_symbol(index).and_then(|symbol| variables.of_symbol(symbol)));
    }
    let mut others: BTreeSet<Var> = BTreeSet::new();
    for edge in source.program.live_edges() {
        let Some(relation) = source.program.relation(edge) else { continue };
        for &(var, update) in &relation.updates {
            let from_field = terms.op(update) == Op::Select
                && super::accesses::place(source.program, terms, update)
                    .is_some_and(|(array, _)| fields.iter().any(|field| field.var == array));
            if update == counter.term || from_field {
                others.insert(var);
            }
        }
    }
    let is_int =
        |var: &Var| *var != counter.var && terms.symbol_data(variables[*var].symbol).sort == Sort::INT;
    visiting.retain(is_int);
    others.retain(|var| is_int(var) && !visiting.contains(var));
    let all: Vec<Var> = visiting.iter().chain(&others).copied().take(limits::MOST_POINTERS).collect();
    let visiting: Vec<Var> = visiting.into_iter().take(limits::MOST_VISITING).collect();
    let mut terms_of = |vars: Vec<Var>| vars.into_iter().map(|var| variables.term(terms, var)).collect();
    Pointers { visiting: terms_of(visiting), all: terms_of(all) }
}
