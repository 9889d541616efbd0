//! Edges that do the same.
//!
//! A triple speaks of what an edge does, and not of where it is: a proof is a set of triples over statements ("Software Model
//! Checking for People who Love Automata", Section 2). Many edges of a program may have the same relation, above all in a
//! product of threads, where a step of one thread occurs once for every place of the others. What was found out about one
//! of them, and the solver that knows its formula, then serves all.

use logic::{Substitution, Symbol, Term, Terms};
use program::{Edge, EdgeKind, Program, Relation, Var};
use rustc_hash::FxHashMap;

/// A relation whose auxiliaries have the names of their order.
type Shape = (Term, Vec<(Var, Term)>);

/// For every edge that was asked about the first one with the same relation.
#[derive(Default)]
pub(crate) struct Alike {
    first: FxHashMap<Edge, Edge>,
    by_shape: FxHashMap<Shape, Edge>,
}

impl Alike {
    /// The first edge that was seen to do the same. Calls and returns are themselves.
    pub(crate) fn first(&mut self, program: &Program, terms: &mut Terms, edge: Edge) -> Edge {
        if let Some(&first) = self.first.get(&edge) {
            return first;
        }
        let first = match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => *self.by_shape.entry(shape(relation, terms)).or_insert(edge),
            EdgeKind::Call(_) | EdgeKind::Return(_) => edge,
        };
        self.first.insert(edge, first);
        first
    }
}

/// The relation with its auxiliaries renamed in the order in which they occur. Terms that differ only in the order of arguments
/// may keep different shapes, which costs nothing but time.
fn shape(relation: &Relation, terms: &mut Terms) -> Shape {
    let mut names = Substitution::new();
    if !relation.auxiliaries.is_empty() {
        let roots: Vec<Term> =
            std::iter::once(relation.guard).chain(relation.updates.iter().map(|update| update.1)).collect();
        let mut found: Vec<Symbol> = Vec::new();
        terms.for_each_subterm(&roots, |term| {
            let symbol = terms.as_symbol(term);
            found.extend(symbol.filter(|symbol| relation.auxiliaries.binary_search(symbol).is_ok()));
        });
        for (position, symbol) in found.into_iter().enumerate() {
            let sort = terms.symbol_data(symbol).sort;
            let name = terms.named(&format!("chosen {position}"), sort);
            names.insert(symbol, name);
        }
    }
    let updates = relation.updates.iter().map(|&(var, value)| (var, names.apply(terms, value))).collect();
    (names.apply(terms, relation.guard), updates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::EntityRef;
    use logic::Sort;

    /// `havoc c; assume c > bound; x := c`
    fn havoc_above(terms: &mut Terms, bound: i64) -> Relation {
        let chosen = terms.fresh_symbol("c", Sort::INT);
        let (value, bound) = (terms.constant(chosen), terms.int(bound));
        let guard = terms.lt(bound, value);
        Relation { guard, updates: vec![(Var::new(0), value)], auxiliaries: vec![chosen] }
    }

    #[test]
    fn names_of_choices_do_not_matter() {
        let mut terms = Terms::new();
        let (one, other) = (havoc_above(&mut terms, 3), havoc_above(&mut terms, 3));
        assert_ne!(one, other);
        assert_eq!(shape(&one, &mut terms), shape(&other, &mut terms));
    }

    #[test]
    fn what_is_chosen_does() {
        let mut terms = Terms::new();
        let (one, other) = (havoc_above(&mut terms, 3), havoc_above(&mut terms, 4));
        assert_ne!(shape(&one, &mut terms), shape(&other, &mut terms));
        // A variable of the program is no choice, even where it stands in the same place.
        let mut fixed = havoc_above(&mut terms, 3);
        fixed.auxiliaries.clear();
        let (free, fixed) = (havoc_above(&mut terms, 3), fixed);
        assert_ne!(shape(&free, &mut terms), shape(&fixed, &mut terms));
    }
}
