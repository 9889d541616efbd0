//! Terms of one store in another one.
//!
//! Stores grow on their own, so the same number may stand for different terms in two of them. A transfer therefore rebuilds a term
//! from its symbols on, through the canonical constructors of the store it goes to. Symbols and functions are those that have
//! the same name in print there; who is not known there is made. So a name must mean the same in both stores, as the names of program
//! variables do in clones of one store. Names that stores give to fresh symbols do not, and terms with such symbols must stay at home.
//!
//! A store without other terms makes formulas portable: it is small, and can be sent to another thread.
//!
//! Cost: each distinct node is visited once per [`Transfer`].

use crate::sort::{Sort, SortData};
use crate::symbol::{Function, FunctionData, Symbol, SymbolData};
use crate::term::{BinderData, Op, Term, Terms};
use rustc_hash::FxHashMap;

/// From one store to another, with what was already brought over.
pub struct Transfer<'f> {
    from: &'f Terms,
    done: FxHashMap<Term, Term>,
    sorts: FxHashMap<Sort, Sort>,
}

impl<'f> Transfer<'f> {
    /// Nothing is brought over yet.
    pub fn new(from: &'f Terms) -> Transfer<'f> {
        Transfer { from, done: FxHashMap::default(), sorts: FxHashMap::default() }
    }

    /// The term in the other store, which must be the same one in every call. None if a name stands for something else there.
    pub fn bring(&mut self, root: Term, to: &mut Terms) -> Option<Term> {
        let from = self.from;
        let mut pending = vec![root];
        while let Some(&top) = pending.last() {
            if self.done.contains_key(&top) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            pending.extend(from.args(top).iter().filter(|argument| !self.done.contains_key(argument)));
            if pending.len() > before {
                continue;
            }
            let arguments: Vec<Term> = from.args(top).iter().map(|argument| self.done[argument]).collect();
            let brought = self.node(top, &arguments, to)?;
            self.done.insert(top, brought);
            pending.pop();
        }
        Some(self.done[&root])
    }

    /// A node whose arguments are there already.
    fn node(&mut self, term: Term, arguments: &[Term], to: &mut Terms) -> Option<Term> {
        let from = self.from;
        Some(match from.op(term) {
            Op::True => Term::TRUE,
            Op::False => Term::FALSE,
            Op::Int(number) => to.int(from.number_value(number).to_integer()),
            Op::Real(number) => to.real(from.number_value(number).clone()),
            Op::BitVec(width, number) => to.bitvec(from.number_value(number).to_integer(), width),
            Op::Symbol(symbol) => {
                let symbol = self.symbol(symbol, to)?;
                to.constant(symbol)
            }
            Op::Bound(index) => {
                let sort = self.sort(from.sort_of(term), to);
                to.intern(Op::Bound(index), &[], sort)
            }
            Op::Apply(function) => {
                let function = self.function(function, to)?;
                to.apply(function, arguments)
            }
            Op::Scale(number) => {
                let number = to.number(from.number_value(number).clone());
                to.made(Op::Scale(number), arguments)
            }
            Op::ConstArray(sort) => {
                let sort = self.sort(sort, to);
                to.made(Op::ConstArray(sort), arguments)
            }
            Op::Quantified(quantifier, binder) => {
                let BinderData { sorts, triggers } = from.binder_data(binder).clone();
                let sorts = sorts.into_iter().map(|sort| self.sort(sort, to)).collect();
                let binder = to.binder(BinderData { sorts, triggers });
                let quantified = to.intern(Op::Quantified(quantifier, binder), arguments, Sort::BOOL);
                to.name_quantifier(quantified, || from.quantifier_names(term).to_vec());
                quantified
            }
            op => to.made(op, arguments),
        })
    }

    fn sort(&mut self, sort: Sort, to: &mut Terms) -> Sort {
        if let Some(&known) = self.sorts.get(&sort) {
            return known;
        }
        let data = match self.from.sort_data(sort).clone() {
            SortData::Array { index, element } => {
                SortData::Array { index: self.sort(index, to), element: self.sort(element, to) }
            }
            plain => plain,
        };
        let brought = to.sort(data);
        self.sorts.insert(sort, brought);
        brought
    }

    fn symbol(&mut self, symbol: Symbol, to: &mut Terms) -> Option<Symbol> {
        let SymbolData { name, sort } = self.from.symbol_data(symbol);
        let sort = self.sort(*sort, to);
        let found = to.symbol_by_name(name).unwrap_or_else(|| to.symbol(name, sort));
        let is_same = |data: &SymbolData| data.name == *name && data.sort == sort;
        is_same(to.symbol_data(found)).then_some(found)
    }

    fn function(&mut self, function: Function, to: &mut Terms) -> Option<Function> {
        let FunctionData { name, parameters, result } = self.from.function_data(function);
        let parameters: Vec<Sort> = parameters.iter().map(|&sort| self.sort(sort, to)).collect();
        let result = self.sort(*result, to);
        let found = to.function_by_name(name).unwrap_or_else(|| to.function(name, &parameters, result));
        let is_same = |data: &FunctionData| {
            data.name == *name && data.parameters == parameters && data.result == result
        };
        is_same(to.function_data(found)).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Quantifier;

    /// Formulas of many kinds over variables that are named as in a program.
    fn formulas(terms: &mut Terms) -> Vec<Term> {
        let [x, y] = ["x", "y"].map(|name| terms.named(name, Sort::INT));
        let ints = terms.array_sort(Sort::INT, Sort::INT);
        let (a, k) = (terms.named("a", ints), terms.symbol("k", Sort::INT));
        let bound = terms.constant(k);
        let f = terms.function("f", &[Sort::INT], Sort::INT);
        let (three, seven) = (terms.int(3), terms.int(7));
        let product = terms.mul(&[three, x]);
        let sum = terms.add(&[product, y]);
        let first = terms.le(sum, seven);
        let image = terms.apply(f, &[y]);
        let second = terms.eq(image, x);
        let cell = terms.select(a, bound);
        let small = terms.le(bound, x);
        let filled = terms.eq(cell, seven);
        let body = terms.implies(small, filled);
        let third = terms.quantify(Quantifier::Forall, &[k], body, &[vec![cell]]);
        let w = terms.bitvec_sort(8);
        let (b, mask) = (terms.named("b", w), terms.bitvec(15, 8));
        let masked = terms.bv_binary(Op::BvAnd, b, mask);
        let fourth = terms.eq(masked, mask);
        let not = terms.not(second);
        let fifth = terms.or([first, not, fourth]);
        vec![first, second, third, fourth, fifth, Term::TRUE, Term::FALSE]
    }

    #[test]
    fn what_is_brought_over_and_back_is_the_same() {
        let mut home = Terms::new();
        let there = formulas(&mut home);
        // The other clone has seen other terms first.
        let mut other = home.clone();
        other.named("z", Sort::REAL);
        other.int(1234);
        let mut small = Terms::new();
        small.named("y", Sort::INT);
        let mut away = Transfer::new(&home);
        let packed: Vec<Term> =
            there.iter().map(|&term| away.bring(term, &mut small).expect("no name is taken")).collect();
        let mut back = Transfer::new(&small);
        for (&packed, &expected) in packed.iter().zip(&there) {
            assert_eq!(back.bring(packed, &mut other), Some(expected));
        }
    }

    #[test]
    fn variables_with_a_number_in_their_name_are_found() {
        let mut home = Terms::new();
        home.named("x", Sort::BOOL);
        let x = home.fresh_symbol("x", Sort::INT);
        assert_ne!(home.symbol_data(x).name, "x");
        let (x, zero) = (home.constant(x), home.int(0));
        let positive = home.lt(zero, x);
        let mut small = Terms::new();
        let packed = Transfer::new(&home).bring(positive, &mut small).expect("no name is taken");
        assert_eq!(Transfer::new(&small).bring(packed, &mut home), Some(positive));
    }

    #[test]
    fn a_name_that_stands_for_something_else_is_refused() {
        let mut home = Terms::new();
        let x = home.named("x", Sort::BOOL);
        let mut other = Terms::new();
        other.named("x", Sort::INT);
        assert_eq!(Transfer::new(&home).bring(x, &mut other), None);
        other.function("y", &[Sort::INT], Sort::INT);
        let y = home.named("y", Sort::INT);
        assert_eq!(Transfer::new(&home).bring(y, &mut other), None);
    }
}
