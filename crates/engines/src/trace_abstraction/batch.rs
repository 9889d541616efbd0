//! How many traces the refinement loop has analysed together.
//!
//! One trace at a time is never a waste: each is left when its turn comes. In a batch, the proof of one trace may cover another one, which was analysed
//! in vain; and an assistant needs some milliseconds for its start. So a loop begins with single traces, and has several analysed together only when the
//! last traces took so much work that assistants are worth their start, and when traces that end in other edges were still left
//! after the shortest had been dealt with. A batch in which nothing was in vain is followed by one of twice its size.
//!
//! All of this depends on the program and on counted effort, never on the number of workers.

/// No more traces are analysed together than that: each has an assistant with a solver.
const MOST: usize = 8;
/// So many traces are looked for beside the shortest to find out whether its proof covers others.
const WATCHED: usize = 3;
/// A trace that takes less effort than this is analysed before an assistant has begun.
const LEAST_EFFORT: u64 = 50_000;

/// What the loop knows about traces that could be analysed together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Batches {
    /// So many traces shall be analysed together.
    size: usize,
    /// Whether the last traces were worth an assistant.
    pays: bool,
}

impl Default for Batches {
    fn default() -> Batches {
        Batches { size: 1, pays: false }
    }
}

impl Batches {
    /// How many traces to look for.
    pub(super) fn most_traces(&self) -> usize {
        match (self.pays, self.size) {
            (false, _) => 1,
            (true, 1) => 1 + WATCHED,
            (true, size) => size,
        }
    }

    /// Whether so many traces that were found are to be analysed together.
    pub(super) fn is_together(&self, found: usize) -> bool {
        self.pays && self.size > 1 && found > 1
    }

    /// A trace was analysed by itself with so much effort; of so many others, some are left.
    pub(super) fn was_alone(&mut self, effort: u64, others: usize, left: usize) {
        self.pays = effort >= LEAST_EFFORT;
        if others > 0 && self.size == 1 && left == others {
            self.size = 1 + others;
        }
    }

    /// So many traces were analysed together with so much effort in all; some needlessly.
    pub(super) fn were_together(&mut self, traces: usize, needless: u64, effort: u64) {
        self.pays = effort / traces as u64 >= LEAST_EFFORT;
        self.size = if needless == 0 { MOST.min(2 * self.size) } else { 1 };
    }
}

/// The effort of the busiest of some workers, if whoever is free first takes the next of the jobs, whose efforts these are.
pub(super) fn busiest(efforts: &[u64], workers: usize) -> u64 {
    let mut busy = vec![0_u64; workers];
    for &effort in efforts {
        if let Some(first) = busy.iter_mut().min() {
            *first += effort;
        }
    }
    busy.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_work_is_never_shared() {
        let mut batches = Batches::default();
        assert_eq!(batches.most_traces(), 1);
        batches.was_alone(LEAST_EFFORT - 1, 0, 0);
        assert_eq!(batches.most_traces(), 1);
        assert!(!batches.is_together(2));
    }

    #[test]
    fn batches_grow_while_nothing_is_in_vain() {
        let mut batches = Batches::default();
        batches.was_alone(LEAST_EFFORT, 0, 0);
        assert_eq!(batches.most_traces(), 1 + WATCHED);
        assert!(!batches.is_together(1 + WATCHED), "whether others are covered is not known yet");
        batches.was_alone(LEAST_EFFORT, 3, 3);
        assert!(batches.is_together(4));
        assert!(!batches.is_together(1), "a single trace is analysed by the loop itself");
        batches.were_together(4, 0, 4 * LEAST_EFFORT);
        assert_eq!(batches.most_traces(), 8);
        batches.were_together(8, 0, 8 * LEAST_EFFORT);
        assert_eq!(batches.most_traces(), MOST);
    }

    #[test]
    fn traces_that_are_covered_by_others_end_it() {
        let mut batches = Batches::default();
        batches.was_alone(LEAST_EFFORT, 0, 0);
        batches.was_alone(LEAST_EFFORT, 3, 2);
        assert!(!batches.is_together(4), "one of three was covered");
        batches.was_alone(LEAST_EFFORT, 1, 1);
        assert!(batches.is_together(2));
        batches.were_together(2, 1, 2 * LEAST_EFFORT);
        assert!(!batches.is_together(2));
        batches.was_alone(LEAST_EFFORT, 3, 3);
        batches.were_together(4, 0, LEAST_EFFORT);
        assert!(!batches.is_together(4), "they have become cheap");
    }

    #[test]
    fn the_busiest_worker() {
        let efforts = [5, 1, 1, 1, 3];
        assert_eq!(busiest(&efforts, 1), 11);
        assert_eq!(busiest(&efforts, 2), 6);
        assert_eq!(busiest(&efforts, 8), 5);
        assert_eq!(busiest(&[], 2), 0);
    }
}
