//! Blocks of several kinds: which of them variables and links lead to, and which have which field.
//!
//! Where new blocks get different marks, as the translation of C gives them by the memory that they are, most of what could be said of blocks of one kind and the
//! fields of another is of no use: nobody ever writes there. Kinds are followed through assignments, without regard to their order, from the
//! edges that give the marks. What is not known may be anything. It is a guess that keeps candidates few: whatever is tried is checked.

use super::accesses::{Access, Cells, Kind};
use super::counters::leaves;
use super::heap::{Class, field_read};
use super::limits;
use super::templates::Source;
use logic::{Sort, Term, Terms};
use num_traits::One;
use program::{Edge, EdgeKind, Program, Var};
use std::collections::{BTreeMap, BTreeSet};

/// Marks of blocks.
type Marks = BTreeSet<Term>;

/// What is known of kinds; nothing where there is one only.
#[derive(Default)]
pub(super) struct Kinds {
    all: Marks,
    /// What is given to new blocks, by the edge and their number.
    given: BTreeMap<(Edge, Term), Marks>,
    pointers: BTreeMap<Var, Marks>,
    owners: BTreeMap<Cells, Marks>,
    targets: BTreeMap<Cells, Marks>,
}

impl Kinds {
    /// Follows the marks in `life` of new blocks, whose number is `next` or one beside it.
    pub(super) fn find(
        source: &Source<'_>,
        (life, next): (Option<Cells>, Term),
        fields: &BTreeSet<Cells>,
        terms: &mut Terms,
    ) -> Kinds {
        let is_new = |term: Term, terms: &Terms| {
            terms.sort_of(term) == Sort::INT && terms.linear(term).coefficient(next).is_some_and(One::is_one)
        };
        let mut kinds = Kinds::default();
        for access in source.accesses.iter().filter(|access| Some(access.array) == life) {
            if let Kind::Write { value, .. } = access.kind
                && is_new(access.index, terms)
            {
                kinds.all.insert(value);
                kinds.given.entry((access.edge, access.index)).or_default().insert(value);
            }
        }
        if kinds.all.len() < 2 {
            return Kinds::default();
        }
        let program = source.program;
        let mut assigned: Vec<(Edge, Var, Term)> = Vec::new();
        for edge in program.live_edges() {
            match &program.edges[edge].kind {
                EdgeKind::Internal(relation) => {
                    assigned.extend(relation.updates.iter().map(|&(var, value)| (edge, var, value)));
                }
                EdgeKind::Call(call) => {
                    assigned.extend(call.bindings.iter().map(|&(var, value)| (edge, var, value)));
                }
                EdgeKind::Return(returning) => {
                    for &(to, from) in &returning.results {
                        assigned.push((edge, to, program.variables.term(terms, from)));
                    }
                }
            }
        }
        assigned.retain(|&(.., value)| terms.sort_of(value) == Sort::INT);
        for _ in 0..2 * limits::CHAINS {
            for &(edge, var, value) in &assigned {
                let led = kinds.of_value((program, fields), (edge, value), is_new, terms);
                kinds.pointers.entry(var).or_default().extend(led);
            }
            for access in source.accesses.iter().filter(|access| fields.contains(&access.array)) {
                let Access { array, edge, .. } = *access;
                let block = access.path.first().copied().unwrap_or(access.index);
                let own = kinds.of_value((program, fields), (edge, block), is_new, terms);
                kinds.owners.entry(array).or_default().extend(own);
                if let Kind::Write { value, .. } = access.kind {
                    let led = kinds.of_value((program, fields), (edge, value), is_new, terms);
                    kinds.targets.entry(array).or_default().extend(led);
                }
            }
        }
        kinds
    }

    /// What a value may lead to.
    fn of_value(
        &self,
        (program, fields): (&Program, &BTreeSet<Cells>),
        (edge, value): (Edge, Term),
        is_new: impl Fn(Term, &Terms) -> bool,
        terms: &mut Terms,
    ) -> Marks {
        let mut found = Marks::new();
        for leaf in leaves(terms, value) {
            let var = terms.as_symbol(leaf).and_then(|symbol| program.variables.of_symbol(symbol));
            if terms.is_literal_value(leaf) {
                continue;
            }
            let known = if is_new(leaf, terms) {
                self.given.get(&(edge, leaf)).or(Some(&self.all))
            } else if let Some(var) = var {
                self.pointers.get(&var)
            } else if let Some(field) = field_read(program, fields, leaf, terms) {
                self.targets.get(&field)
            } else {
                Some(&self.all)
            };
            found.extend(known.into_iter().flatten());
        }
        found
    }

    /// Whether marks are among those of something; all are where nothing is known.
    fn among(&self, known: Option<&Marks>, class: &Class) -> bool {
        let known = known.filter(|known| !known.is_empty());
        match (known, class.0.first()) {
            (Some(known), Some((_, mark))) => known.contains(mark) || !self.all.contains(mark),
            _ => true,
        }
    }

    /// Whether blocks of a class may have a field.
    pub(super) fn have(&self, class: &Class, field: Cells) -> bool {
        self.among(self.owners.get(&field), class)
    }

    /// Whether a link may lead to a block of a class.
    pub(super) fn leads(&self, field: Cells, class: &Class) -> bool {
        self.among(self.targets.get(&field), class)
    }

    /// Whether a variable may point to a block of a class.
    pub(super) fn points(&self, program: &Program, pointer: Term, class: &Class, terms: &Terms) -> bool {
        let var = terms.as_symbol(pointer).and_then(|symbol| program.variables.of_symbol(symbol));
        self.among(var.and_then(|var| self.pointers.get(&var)), class)
    }
}
