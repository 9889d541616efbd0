//! Canonical array terms.
//!
//! * A read goes past writes to indices that are certainly different, and takes what was written to its own.
//! * Writes to one index follow each other at most once; writes to certainly different indices are sorted.
//! * Writing back what is there changes nothing.
//!
//! Two indices are certainly different if their difference is a non-zero number, or if both are different literals.

use crate::sort::Sort;
use crate::term::{Op, Term, Terms};

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
                    } else if let Some(under) = self.under_smaller(array, written, index) {
                        array = under;
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
        let mut result =
            if self.select(base, index) == value { base } else { self.written(base, (index, value), sort) };
        for (written, old) in outside.into_iter().rev() {
            result = self.written(result, (written, old), sort);
        }
        result
    }

    /// A write as it is, which is kept in mind if its index is a literal.
    fn written(&mut self, base: Term, (index, value): (Term, Term), sort: Sort) -> Term {
        let write = self.intern(Op::Store, &[base, index, value], sort);
        if self.is_literal_value(index) {
            let smaller = match self.op(base) {
                Op::Store => self.under_smaller(base, self.args(base)[1], index),
                _ => None,
            };
            self.under_writes.insert(write, smaller.unwrap_or(base));
        }
        write
    }

    /// The array under a write and those that it stands on, if all of them are to literals with smaller numbers than the index has, which is
    /// a literal as well: different terms that are literals have different values. A long table is written in this order, and whoever reads behind
    /// its end need not go through all of it.
    fn under_smaller(&self, array: Term, written: Term, index: Term) -> Option<Term> {
        let is_smaller = written < index && self.is_literal_value(index);
        self.under_writes.get(&array).copied().filter(|_| is_smaller)
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
        if left == right {
            return false;
        }
        if self.is_literal_value(left) && self.is_literal_value(right) {
            return true;
        }
        if !self.sort_of(left).is_arithmetic() {
            return false;
        }
        // Sums of the same terms have the same summands, as sums are sorted, and then only their constants differ.
        let is_number = |term: &Term| matches!(self.op(*term), Op::Int(_) | Op::Real(_));
        let others = |sum| self.summands(sum).iter().filter(|&summand| !is_number(summand));
        others(&left).eq(others(&right)) && {
            let constant = |sum| self.linear(sum).constant;
            constant(left) != constant(right)
        }
    }

    /// The summands of a sum, or the term itself.
    fn summands<'t>(&'t self, term: &'t Term) -> &'t [Term] {
        if self.op(*term) == Op::Add { self.args(*term) } else { std::slice::from_ref(term) }
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

    /// A long table: whatever is read or written again, the result is what walking through all writes gives.
    #[test]
    fn reads_go_past_long_tables() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Sort::INT, Sort::INT);
        let a = terms.named("a", sort);
        let literals: Vec<Term> = (0..40).map(|number| terms.int(number)).collect();
        let [i, v] = ["i", "v"].map(|name| terms.named(name, Sort::INT));
        // Upwards, with one that is not written, and one in between that nobody knows.
        for from in [0, 10] {
            let base = if from == 0 { a } else { terms.store(a, i, v) };
            let mut table = base;
            for number in (from..40).filter(|&number| number != 20) {
                table = terms.store(table, literals[number], literals[39 - number]);
                assert_eq!(terms.under_writes[&table], base);
            }
            for (number, &index) in literals.iter().enumerate() {
                let read = terms.select(table, index);
                let expected = match number >= from && number != 20 {
                    true => literals[39 - number],
                    false => terms.select(base, index),
                };
                assert_eq!(read, expected, "{number}");
            }
            let again = terms.store(table, literals[30], v);
            assert_eq!(terms.select(again, literals[30]), v);
            assert_eq!(terms.select(again, literals[39]), literals[0]);
            let next = terms.add(&[i, literals[1]]);
            let read = terms.select(table, next);
            assert_eq!(terms.op(read), Op::Select, "nobody knows what is there");
        }
        // In any order, all writes that come to the same are the same term.
        let (mut up, mut down) = (a, a);
        for number in 0..20 {
            up = terms.store(up, literals[number], v);
            down = terms.store(down, literals[19 - number], v);
        }
        assert_eq!(up, down);
        assert_eq!(terms.under_writes[&down], a);
    }

    #[test]
    fn sums_differ_by_their_constants() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.named(name, Sort::INT));
        let [zero, one, two] = [0, 1, 2].map(|number| terms.int(number));
        let next = terms.add(&[x, one]);
        let after = terms.add(&[x, two]);
        let twice = terms.add(&[x, x]);
        let both = terms.add(&[x, y]);
        let both_next = terms.add(&[y, one, x]);
        for (left, right, expected) in [
            (zero, one, true),
            (one, one, false),
            (x, next, true),
            (next, after, true),
            (after, x, true),
            (x, x, false),
            (x, y, false),
            (x, twice, false),
            (next, twice, false),
            (both, both_next, true),
            (both, next, false),
            (x, one, false),
        ] {
            assert_eq!(terms.certainly_different(left, right), expected);
            assert_eq!(terms.certainly_different(right, left), expected);
        }
    }
}
