//! Questions about the shape of terms. Each visits every distinct node once.

use crate::symbol::{Function, Symbol};
use crate::term::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

impl Terms {
    /// Calls `visit` for every distinct subterm, parents before children. Inside of quantifiers these may speak of bound
    /// variables, and mean nothing by themselves then ([`Terms::is_closed`]).
    pub fn for_each_subterm(&self, roots: &[Term], mut visit: impl FnMut(Term)) {
        let mut seen: FxHashSet<Term> = roots.iter().copied().collect();
        let mut pending: Vec<Term> = roots.to_vec();
        while let Some(term) = pending.pop() {
            visit(term);
            pending.extend(self.args(term).iter().filter(|&&argument| seen.insert(argument)));
        }
    }

    /// The symbols of a term, sorted.
    pub fn free_symbols(&self, term: Term) -> Vec<Symbol> {
        self.free_symbols_of(&[term])
    }

    /// The symbols of several terms, sorted.
    pub fn free_symbols_of(&self, roots: &[Term]) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        self.for_each_subterm(roots, |term| symbols.extend(self.as_symbol(term)));
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    /// Does a symbol occur in a term?
    pub fn mentions(&self, term: Term, symbol: Symbol) -> bool {
        let mut found = false;
        self.for_each_subterm(&[term], |t| found |= self.as_symbol(t) == Some(symbol));
        found
    }

    /// The uninterpreted functions of a term, sorted.
    pub fn functions_of(&self, term: Term) -> Vec<Function> {
        let mut functions = Vec::new();
        self.for_each_subterm(&[term], |t| {
            if let Op::Apply(function) = self.op(t) {
                functions.push(function);
            }
        });
        functions.sort_unstable();
        functions.dedup();
        functions
    }

    /// Does the term make sense outside of quantifiers? Parts of a quantified formula may not: they speak of its bound
    /// variables.
    pub fn is_closed(&self, term: Term) -> bool {
        self.loose(term) == 0
    }

    /// Do operations on bits and integers meet in some formula?
    pub fn has_conversions(&self, formulas: &[Term]) -> bool {
        let mut found = false;
        self.for_each_subterm(formulas, |term| {
            found |= matches!(self.op(term), Op::IntToBv(_) | Op::BvToNat);
        });
        found
    }

    /// Does a quantifier occur in a term?
    pub fn has_quantifier(&self, term: Term) -> bool {
        let mut found = false;
        self.for_each_subterm(&[term], |t| found |= matches!(self.op(t), Op::Quantified(..)));
        found
    }

    /// The number of distinct subterms: what the term costs in memory and time.
    pub fn dag_size(&self, term: Term) -> usize {
        let mut size = 0;
        self.for_each_subterm(&[term], |_| size += 1);
        size
    }

    /// The number of nodes if the term were written out without sharing.
    pub fn tree_size(&self, term: Term) -> u64 {
        let mut sizes: FxHashMap<Term, u64> = FxHashMap::default();
        let mut pending = vec![term];
        while let Some(&top) = pending.last() {
            let before = pending.len();
            pending.extend(self.args(top).iter().filter(|&argument| !sizes.contains_key(argument)));
            if pending.len() == before {
                let size =
                    self.args(top).iter().fold(1u64, |sum, argument| sum.saturating_add(sizes[argument]));
                sizes.insert(top, size);
                pending.pop();
            }
        }
        sizes[&term]
    }

    /// Has the term more than `limit` nodes, written out without sharing? Looks at no more than that many.
    pub fn tree_size_exceeds(&self, term: Term, limit: u64) -> bool {
        let mut count = 0;
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            count += 1;
            if count + pending.len() as u64 > limit {
                return true;
            }
            pending.extend_from_slice(self.args(term));
        }
        false
    }

    /// The conjuncts of a formula: its arguments if it is a conjunction, itself otherwise.
    pub fn conjuncts(&self, formula: Term) -> Vec<Term> {
        match self.op(formula) {
            Op::And => self.args(formula).to_vec(),
            Op::True => Vec::new(),
            _ => vec![formula],
        }
    }

    /// The disjuncts of a formula: its arguments if it is a disjunction, itself otherwise.
    pub fn disjuncts(&self, formula: Term) -> Vec<Term> {
        match self.op(formula) {
            Op::Or => self.args(formula).to_vec(),
            Op::False => Vec::new(),
            _ => vec![formula],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    #[test]
    fn shared_parts_count_once_in_the_dag_and_always_in_the_tree() {
        let mut terms = Terms::new();
        let function = terms.function("f", &[Sort::INT, Sort::INT], Sort::INT);
        let mut term = terms.named("x", Sort::INT);
        for _ in 0..100 {
            term = terms.apply(function, &[term, term]);
        }
        assert_eq!(terms.dag_size(term), 101);
        assert_eq!(terms.tree_size(term), u64::MAX);
        assert!(terms.tree_size_exceeds(term, 1_000));
        let x = terms.named("x", Sort::INT);
        let pair = terms.apply(function, &[x, x]);
        assert!(terms.tree_size_exceeds(pair, 2) && !terms.tree_size_exceeds(pair, 3));
        assert_eq!(terms.functions_of(term), [function]);
    }
}
