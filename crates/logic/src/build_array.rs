//! Canonical array terms.
//!
//! * A read goes past writes to indices that are certainly different, and takes what was written to its own.
//! * Writes to one index follow each other at most once; writes to certainly different indices are sorted.
//! * Writing back what is there changes nothing.
//!
//! Two indices are certainly different if their difference is a non-zero number, or if both are different literals.

use crate::sort::Sort;
use crate::term::{Op, Term, Terms};
use num_traits::Zero;

impl Terms {
    /// The element of an array at an index.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_sort, element) = self.array_parts(self.sort_of(array)).expect("an array is read");
        debug_assert_eq!(index_sort, self.sort_of(index));
        let mut array = array;
        loop {
            match self.op(array) {
                Op::Store => {
                    let [inner, written, value] = self.args(array)[..] else {
                        unreachable!("a write has three arguments")
                    };
                    if written == index {
                        return value;
                    } else if self.certainly_different(written, index) {
                        array = inner;
                    } else {
                        break;
                    }
                }
                Op::ConstArray(_) => return self.args(array)[0],
                _ => break,
            }
        }
        self.intern(Op::Select, &[array, index], element)
    }

    /// The array with another element at an index.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let sort = self.sort_of(array);
        debug_assert_eq!(self.array_parts(sort), Some((self.sort_of(index), self.sort_of(value))));
        // Writes that must stay outside of the new one, outermost first.
        let mut outside: Vec<(Term, Term)> = Vec::new();
        let mut base = array;
        while self.op(base) == Op::Store {
            let [inner, written, old] = self.args(base)[..] else {
                unreachable!("a write has three arguments")
            };
            if written == index {
                base = inner;
                break;
            } else if written > index && self.certainly_different(written, index) {
                outside.push((written, old));
                base = inner;
            } else {
                break;
            }
        }
        let mut result = if self.select(base, index) == value {
            base
        } else {
            self.intern(Op::Store, &[base, index, value], sort)
        };
        for (written, old) in outside.into_iter().rev() {
            result = self.intern(Op::Store, &[result, written, old], sort);
        }
        result
    }

    /// The array that has the same element everywhere.
    pub fn const_array(&mut self, sort: Sort, element: Term) -> Term {
        debug_assert_eq!(self.array_parts(sort).map(|(_, e)| e), Some(self.sort_of(element)));
        self.intern(Op::ConstArray(sort), &[element], sort)
    }

    /// The element of a nested array at several indices.
    pub fn select_at(&mut self, array: Term, indices: &[Term]) -> Term {
        indices.iter().fold(array, |inner, &index| self.select(inner, index))
    }

    /// The nested array with another element at several indices.
    pub fn store_at(&mut self, array: Term, indices: &[Term], value: Term) -> Term {
        let Some((&last, outer)) = indices.split_last() else { return value };
        let mut rows = vec![array];
        for &index in outer {
            let row = *rows.last().expect("never empty");
            rows.push(self.select(row, index));
        }
        let mut value = value;
        let innermost = rows.pop().expect("never empty");
        value = self.store(innermost, last, value);
        for (row, &index) in rows.into_iter().zip(outer).rev() {
            value = self.store(row, index, value);
        }
        value
    }

    /// Do two terms of one sort have different values under every model, as far as can be seen at once?
    pub fn certainly_different(&self, left: Term, right: Term) -> bool {
        if self.sort_of(left).is_arithmetic() {
            let difference = self.linear(left).minus(&self.linear(right));
            difference.is_constant() && !difference.constant.is_zero()
        } else {
            left != right && self.is_literal_value(left) && self.is_literal_value(right)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_meet() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Sort::INT, Sort::INT);
        let a = terms.named("a", sort);
        let [i, j, v, w] = ["i", "j", "v", "w"].map(|name| terms.named(name, Sort::INT));
        let one = terms.int(1);
        let next = terms.add(&[i, one]);
        let written = terms.store(a, i, v);
        assert_eq!(terms.select(written, i), v);
        let past = terms.select(written, next);
        assert_eq!(past, terms.select(a, next));
        let maybe = terms.select(written, j);
        assert_eq!(terms.op(maybe), Op::Select);
        let twice = terms.store(written, i, w);
        assert_eq!(twice, terms.store(a, i, w));
        let back = terms.select(a, i);
        assert_eq!(terms.store(a, i, back), a);
        let first = terms.store(written, next, w);
        let other = terms.store(a, next, w);
        assert_eq!(first, terms.store(other, i, v));
    }

    #[test]
    fn nested_arrays_are_read_and_written_by_index_lists() {
        let mut terms = Terms::new();
        let row = terms.array_sort(Sort::INT, Sort::BOOL);
        let sort = terms.array_sort(Sort::INT, row);
        let a = terms.named("a", sort);
        let [i, j, k] = ["i", "j", "k"].map(|name| terms.named(name, Sort::INT));
        let written = terms.store_at(a, &[i, j], Term::TRUE);
        assert_eq!(terms.select_at(written, &[i, j]), Term::TRUE);
        let other = terms.select_at(written, &[i, k]);
        assert_eq!(terms.sort_of(other), Sort::BOOL);
        assert_eq!(terms.store_at(a, &[], a), a);
    }
}
