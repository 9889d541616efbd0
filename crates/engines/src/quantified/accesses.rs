//! Where a program reads and writes the cells of arrays.
//!
//! An access to a map of maps, such as the memory of a C program, has a path of indices before the last one. All terms
//! are over the state before the edge and its auxiliary constants.

use super::limits;
use logic::{Linear, Op, Sort, Term, Terms};
use num_traits::One;
use program::{Edge, Program, Relation, Var};
use rustc_hash::FxHashSet;

/// An array, or a field of blocks: in a map of maps, the cells with the same last index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Cells {
    pub(super) var: Var,
    /// The last index of all cells, if they are a field.
    pub(super) offset: Option<Term>,
}

impl Cells {
    /// All cells of a variable.
    fn of(var: Var) -> Cells {
        Cells { var, offset: None }
    }

    /// One of the cells.
    pub(super) fn at(self, program: &Program, indices: &[Term], terms: &mut Terms) -> Term {
        let root = program.variables.term(terms, self.var);
        let cell = terms.select_at(root, indices);
        match self.offset {
            Some(offset) => terms.select(cell, offset),
            None => cell,
        }
    }
}

/// One access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Access {
    pub(super) array: Cells,
    /// The indices of the maps around the last one.
    pub(super) path: Vec<Term>,
    /// The last index.
    pub(super) index: Term,
    pub(super) edge: Edge,
    pub(super) kind: Kind,
}

/// What is done with the cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// This value is written under these conditions.
    Write { value: Term, conditions: Vec<Term> },
    /// This term is what is read.
    Read(Term),
}

/// All accesses of the edges of a program, in their order.
pub(super) fn accesses(program: &Program, terms: &mut Terms) -> Vec<Access> {
    let mut all = Vec::new();
    for edge in program.live_edges() {
        let Some(relation) = program.relation(edge) else { continue };
        writes(relation, edge, terms, &mut all);
        reads(program, relation, edge, terms, &mut all);
    }
    all
}

/// Accesses to maps of maps whose last index is a number, or a number beyond what does not count, as accesses to fields of blocks. That
/// a pointer into a block points to its beginning is a guess: what comes of it is checked.
pub(super) fn by_field(accesses: &mut [Access], counts: impl Fn(Term) -> bool, terms: &mut Terms) {
    for access in accesses {
        let &[block] = access.path.as_slice() else { continue };
        if terms.sort_of(access.index) != Sort::INT {
            continue;
        }
        let form = terms.linear(access.index);
        let is_offset = match form.monomials.as_slice() {
            [] => true,
            [(term, factor)] => factor.is_one() && terms.as_symbol(*term).is_some() && !counts(*term),
            _ => false,
        };
        if is_offset {
            let offset = terms.from_linear(&Linear::constant(form.constant), Sort::INT);
            *access = Access {
                array: Cells { offset: Some(offset), ..access.array },
                path: Vec::new(),
                index: block,
                ..access.clone()
            };
        }
    }
}

fn writes(relation: &Relation, edge: Edge, terms: &mut Terms, all: &mut Vec<Access>) {
    for &(array, update) in &relation.updates {
        if terms.array_parts(terms.sort_of(update)).is_none() {
            continue;
        }
        let first = all.len();
        let mut pending: Vec<(Term, Vec<Term>, Vec<Term>)> = vec![(update, Vec::new(), Vec::new())];
        while let Some((term, path, conditions)) = pending.pop() {
            if all.len() - first >= limits::MOST_WRITES || pending.len() >= limits::MOST_WRITES {
                break;
            }
            match (terms.op(term), terms.args(term)) {
                (Op::Ite, &[condition, then, otherwise]) => {
                    let negated = terms.not(condition);
                    for (branch, condition) in [(then, condition), (otherwise, negated)] {
                        let conditions = [conditions.as_slice(), &[condition]].concat();
                        pending.push((branch, path.clone(), conditions));
                    }
                }
                (Op::Store, &[inner, index, value]) => {
                    if terms.array_parts(terms.sort_of(value)).is_some() {
                        let longer = [path.as_slice(), &[index]].concat();
                        pending.push((value, longer, conditions.clone()));
                    } else {
                        let kind = Kind::Write { value, conditions: conditions.clone() };
                        all.push(Access { array: Cells::of(array), path: path.clone(), index, edge, kind });
                    }
                    pending.push((inner, path, conditions));
                }
                _ => {}
            }
        }
    }
}

fn reads(program: &Program, relation: &Relation, edge: Edge, terms: &Terms, all: &mut Vec<Access>) {
    let mut roots: Vec<Term> = vec![relation.guard];
    roots.extend(relation.updates.iter().map(|&(_, update)| update));
    let mut found = Vec::new();
    terms.for_each_subterm(&roots, |term| {
        if terms.op(term) == Op::Select && terms.array_parts(terms.sort_of(term)).is_none() {
            found.push(term);
        }
    });
    found.retain(|&term| terms.is_closed(term));
    found.sort_unstable();
    let mut known: FxHashSet<(Var, Vec<Term>)> = FxHashSet::default();
    for read in found {
        let Some((array, mut path)) = place(program, terms, read) else { continue };
        let Some(index) = path.pop() else { continue };
        if known.insert((array, [path.as_slice(), &[index]].concat())) {
            all.push(Access { array: Cells::of(array), path, index, edge, kind: Kind::Read(read) });
        }
    }
}

/// The array from which a term reads, and at which indices; what was written to it before is looked through.
pub(super) fn place(program: &Program, terms: &Terms, read: Term) -> Option<(Var, Vec<Term>)> {
    let mut path = Vec::new();
    let mut term = read;
    loop {
        match (terms.op(term), terms.args(term)) {
            (Op::Select, &[array, index]) => {
                path.push(index);
                term = array;
            }
            (Op::Store, &[array, ..]) | (Op::Ite, &[_, array, _]) => term = array,
            (Op::Symbol(symbol), _) => {
                path.reverse();
                return Some((program.variables.of_symbol(symbol)?, path));
            }
            _ => return None,
        }
    }
}
