//! Compressed rows: for each state a sorted run of items in one vector.
//!
//! A row is found with two loads and read as a slice. Building is a counting sort by row followed by a sort of
//! each row, and drops repeated items: O(n log d) for n items and rows of at most d.

use crate::EntityRef;
use std::ops::Range;

/// The rows of items, indexed by state.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Ord> Rows<T> {
    /// Sorts the items into `rows` rows and drops repetitions.
    pub(crate) fn new<R: EntityRef>(rows: usize, items: &[(R, T)]) -> Rows<T> {
        assert!(u32::try_from(items.len()).is_ok(), "an automaton has fewer than 2^32 transitions of a kind");
        let mut starts = vec![0u32; rows + 1];
        for (row, _) in items {
            starts[row.index() + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let Some(&(_, filler)) = items.first() else { return Rows { starts, items: Vec::new() } };
        let mut sorted = vec![filler; items.len()];
        let mut next = starts.clone();
        for &(row, item) in items {
            let slot = &mut next[row.index()];
            sorted[*slot as usize] = item;
            *slot += 1;
        }
        let mut end = 0;
        for row in 0..rows {
            let range = starts[row] as usize..starts[row + 1] as usize;
            starts[row] = end as u32;
            end = sort_and_compact(&mut sorted, range, end);
        }
        starts[rows] = end as u32;
        sorted.truncate(end);
        sorted.shrink_to_fit();
        Rows { starts, items: sorted }
    }
}

/// Sorts a range, moves its distinct items to `to`, and returns where they end.
fn sort_and_compact<T: Copy + Ord>(items: &mut [T], range: Range<usize>, to: usize) -> usize {
    items[range.clone()].sort_unstable();
    let mut end = to;
    for from in range {
        if end == to || items[end - 1] != items[from] {
            items[end] = items[from];
            end += 1;
        }
    }
    end
}

impl<T> Rows<T> {
    /// The items of a row.
    #[inline]
    pub(crate) fn row(&self, row: impl EntityRef) -> &[T] {
        &self.items[self.starts[row.index()] as usize..self.starts[row.index() + 1] as usize]
    }

    /// All items, in the order of the rows.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;

    #[test]
    fn rows_are_sorted_and_without_repetition() {
        let q = State::new;
        let rows = Rows::new(4, &[(q(2), 7), (q(0), 3), (q(2), 5), (q(2), 7), (q(0), 3), (q(3), 1)]);
        let all: Vec<&[i32]> = (0..4).map(|row| rows.row(q(row))).collect();
        assert_eq!(all, [&[3][..], &[], &[5, 7], &[1]]);
        assert_eq!(rows.items(), [3, 5, 7, 1]);
    }

    #[test]
    fn there_may_be_no_rows_and_no_items() {
        assert!(Rows::<u32>::new::<State>(0, &[]).items().is_empty());
        assert!(Rows::<u32>::new::<State>(2, &[]).row(State::new(1)).is_empty());
    }
}
