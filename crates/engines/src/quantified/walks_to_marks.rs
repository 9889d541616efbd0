//! Walks to a mark: loops that go from cell to cell until one has a certain value, as over the characters of a string.
//!
//! Such a walk stays inside of its array because a mark lies ahead: `∃k. i ≤ k < n ∧ a[k] = 0`. Which array is read, at which index `i` and up to which mark
//! is what a guard says that compares a cell with a number; the bound `n` is what an assertion compares the index with. Before a walk begins, the mark lies
//! anywhere in the array, also in the words of other pointers to it. A walk that copies what it reads has room for all of it: with `b[j]` and its bound `m`
//! there is a `k` with `k + j - i < m`. Behind a walk, the cell at the index holds the mark.
//!
//! Cost: for each walk, bound and pointer one candidate or two, up to [`limits::MOST_MARKED`].

use super::accesses::{Access, Kind};
use super::counters::difference;
use super::limits;
use super::templates::{Source, Templates, add, replace};
use logic::{Linear, Op, Quantifier, Rational, Sort, Term, Terms};
use num_traits::{One, Signed};
use program::{Program, Var};

/// A cell that is compared with a mark.
struct Walk<'a> {
    access: &'a Access,
    mark: Term,
    /// What the index stays below.
    bounds: Vec<Term>,
}

impl Templates {
    /// Adds what may hold of marks.
    pub(super) fn marks_ahead(&mut self, source: &Source<'_>, terms: &mut Terms) {
        let program = source.program;
        let mut found: Vec<Term> = Vec::new();
        for walk in walks(source, terms) {
            let Walk { access, mark, bounds } = &walk;
            let indices = [access.path.as_slice(), &[access.index]].concat();
            let cell = access.array.at(program, &indices, terms);
            let here = terms.eq(cell, *mark);
            add(&mut found, here);
            for &bound in bounds {
                let from_here = Ahead { program, access, mark: *mark, from: access.index, below: bound };
                add(&mut found, from_here.formula(&[], terms));
                let zero = terms.int(0);
                let anywhere = Ahead { from: zero, ..from_here };
                add(&mut found, anywhere.formula(&[], terms));
                for pointer in pointers(source, access.array.var, &access.path) {
                    let other = [(access.path[0], pointer)];
                    add(&mut found, anywhere.formula(&other, terms));
                }
                for (index, room) in copies(source, access, terms) {
                    let shift = terms.sub(index, access.index);
                    let room = terms.sub(room, shift);
                    add(&mut found, from_here.with_room(room, terms));
                }
            }
        }
        found.truncate(limits::MOST_MARKED);
        for formula in found {
            let of_state = |symbol| program.variables.of_symbol(symbol).is_some();
            if terms.free_symbols(formula).into_iter().all(of_state) {
                add(&mut self.ground, formula);
            }
        }
    }
}

/// There is a mark at an index in a range.
#[derive(Clone, Copy)]
struct Ahead<'a> {
    program: &'a Program,
    access: &'a Access,
    mark: Term,
    from: Term,
    below: Term,
}

impl Ahead<'_> {
    /// The formula, with other terms in the place of some.
    fn formula(self, others: &[(Term, Term)], terms: &mut Terms) -> Term {
        self.where_also(&[], others, terms)
    }

    /// The same where the index is below another bound, too.
    fn with_room(self, room: Term, terms: &mut Terms) -> Term {
        self.where_also(&[room], &[], terms)
    }

    fn where_also(self, bounds: &[Term], others: &[(Term, Term)], terms: &mut Terms) -> Term {
        let Ahead { program, access, mark, from, below } = self;
        let symbol = terms.fresh_symbol("k", Sort::INT);
        let index = terms.constant(symbol);
        let mut path: Vec<Term> = access.path.iter().map(|&part| replace(terms, part, others)).collect();
        path.push(index);
        let cell = access.array.at(program, &path, terms);
        let mut parts = vec![terms.le(from, index), terms.eq(cell, mark)];
        for &bound in [below].iter().chain(bounds) {
            let bound = replace(terms, bound, others);
            parts.push(terms.lt(index, bound));
        }
        let body = terms.and(parts);
        terms.quantify(Quantifier::Exists, &[symbol], body, &[])
    }
}

/// The walks of a program that assertions bound.
fn walks<'a>(source: &Source<'a>, terms: &mut Terms) -> Vec<Walk<'a>> {
    let mut found: Vec<Walk<'a>> = Vec::new();
    for access in source.accesses {
        let Kind::Read(read) = access.kind else { continue };
        let is_new = |walk: &Walk<'_>| !is_same_cell(walk.access, access);
        if terms.sort_of(read) != Sort::INT || !moves(source, access, terms) || !found.iter().all(is_new) {
            continue;
        }
        let Some(relation) = source.program.relation(access.edge) else { continue };
        let Some(mark) = mark(relation.guard, read, terms) else { continue };
        let bounds = bounds(source, access.index, terms);
        if !bounds.is_empty() && found.len() < limits::MOST_WALKS {
            found.push(Walk { access, mark, bounds });
        }
    }
    found
}

fn is_same_cell(left: &Access, right: &Access) -> bool {
    (left.array, &left.path, left.index) == (right.array, &right.path, right.index)
}

/// Whether the index changes in loops.
fn moves(source: &Source<'_>, access: &Access, terms: &Terms) -> bool {
    let counts = |(term, _): &(Term, Rational)| source.counters.iter().any(|counter| counter.term == *term);
    access.array.offset.is_none()
        && access.path.len() <= 1
        && terms.sort_of(access.index) == Sort::INT
        && terms.linear(access.index).monomials.iter().any(counts)
}

/// The number with which a guard compares what is read.
fn mark(guard: Term, read: Term, terms: &mut Terms) -> Option<Term> {
    let mut found = None;
    terms.for_each_subterm(&[guard], |term| {
        if terms.op(term) == Op::Eq && terms.sort_of(terms.args(term)[0]) == Sort::INT {
            let form = difference(terms, term);
            if let [(only, factor)] = form.monomials.as_slice()
                && *only == read
                && factor.abs().is_one()
            {
                found = found.take().or_else(|| Some(-form.constant.clone() / factor));
            }
        }
    });
    let value = Linear::constant(found?);
    Some(terms.from_linear(&value, Sort::INT))
}

/// What an index has to stay below, as assertions say: they compare it with terms that do not move with it.
fn bounds(source: &Source<'_>, index: Term, terms: &mut Terms) -> Vec<Term> {
    let program = source.program;
    let index = terms.linear(index);
    let mut found = Vec::new();
    for edge in program.live_edges() {
        let fails = program.locations[program.edges[edge].target].error.is_some();
        let Some(relation) = program.relation(edge).filter(|_| fails) else { continue };
        let mut atoms = Vec::new();
        terms.for_each_subterm(&[relation.guard], |term| {
            // What is said of all cells, as that no block is left, is no bound.
            let compares = matches!(terms.op(term), Op::Le | Op::Lt) && terms.is_closed(term);
            if compares && terms.sort_of(terms.args(term)[0]) == Sort::INT {
                atoms.push((terms.op(term) == Op::Lt, difference(terms, term)));
            }
        });
        for (is_strict, form) in atoms {
            // `form ≤ 0`, or `< 0`, with the index or its negation as a part.
            for sign in [1, -1] {
                let sign = Rational::from_integer(sign.into());
                let mut rest = form.clone();
                rest.add_scaled(&index, &-sign.clone());
                let is_apart = |(term, _): &(Term, Rational)| rest.coefficient(*term).is_none();
                if !index.monomials.iter().all(is_apart) || rest.monomials.len() >= form.monomials.len() {
                    continue;
                }
                rest.scale(&-sign.clone());
                // Below the bound: `index ≤ rest`, or where the assertion fails, `index ≥ rest`.
                if sign.is_positive() != is_strict {
                    rest.constant += Rational::one();
                }
                if rest.monomials.is_empty() && !rest.constant.is_positive() {
                    continue;
                }
                let bound = terms.from_linear(&rest, Sort::INT);
                if found.len() < limits::MOST_BOUNDS_OF_WALKS {
                    add(&mut found, bound);
                }
            }
        }
    }
    found
}

/// Other variables and numbers with which cells of a map of maps are accessed.
fn pointers(source: &Source<'_>, array: Var, path: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let &[own] = path else { return found };
    for access in source.accesses.iter().filter(|access| access.array.var == array) {
        // Accesses to fields have the block as their index.
        let block =
            if access.array.offset.is_some() { Some(access.index) } else { access.path.first().copied() };
        if let Some(block) = block.filter(|&block| block != own)
            && found.len() < limits::MOST_OTHER_POINTERS
        {
            add(&mut found, block);
        }
    }
    found
}

/// Writes of what a walk reads, on its edges: the indices, and what they have to stay below.
fn copies(source: &Source<'_>, walk: &Access, terms: &mut Terms) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    for access in
        source.accesses.iter().filter(|access| access.edge == walk.edge && !is_same_cell(access, walk))
    {
        if !matches!(access.kind, Kind::Write { .. }) || !moves(source, access, terms) {
            continue;
        }
        for room in bounds(source, access.index, terms) {
            found.push((access.index, room));
        }
    }
    found
}
