//! How many traces the refinement loop has analysed together.
//!
//! One trace at a time is never a waste: each is left when its turn comes. In a batch, the proof of one trace may cover another one, which was analysed
//! in vain; and an assistant has to begin: with a solver, with what it needs to know about the program, and without the answers that others have got. So a loop starts with single traces. It has several analysed together when traces that end in
//! other edges were still left after the shortest had been dealt with, and only by as many assistants as its work so far is worth.
//! A batch in which nothing was in vain is followed by one of twice its size.
//!
//! All of this depends on the program and on counted effort, never on the number of workers.

/// No more traces are analysed together than that: each has an assistant with a solver.
const MOST: usize = 8;
/// So many traces are looked for beside the shortest to find out whether its proof covers others.
const WATCHED: usize = 3;

/// What the loop knows about traces that could be analysed together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Batches {
    /// So many traces could be analysed together.
    size: usize,
    /// The effort of the loop so far.
    spent: u64,
    /// For so much of it there may be one assistant: to begin costs a fraction of that.
    per_assistant: u64,
}

impl Batches {
    /// Before the first trace, with an assistant for so much effort.
    pub(super) fn new(per_assistant: u64) -> Batches {
        Batches { size: 1, spent: 0, per_assistant: per_assistant.max(1) }
    }

    /// How many traces to look for.
    pub(super) fn most_traces(&self) -> usize {
        let assistants = usize::try_from(self.spent / self.per_assistant).unwrap_or(usize::MAX);
        match self.size {
            _ if assistants < 2 => 1,
            1 => 1 + WATCHED,
            size => size.min(assistants),
        }
    }

    /// Whether so many traces that were found are to be analysed together.
    pub(super) fn is_together(&self, found: usize) -> bool {
        self.size > 1 && found > 1
    }

    /// A trace was analysed by itself with so much effort; of so many others that were found, some are left.
    pub(super) fn was_alone(&mut self, effort: u64, others: usize, left: usize) {
        self.spent += effort;
        if others > 0 && left == others {
            self.size = 1 + others;
        }
    }

    /// So many traces were analysed together with so much effort in all, some of them in vain.
    pub(super) fn were_together(&mut self, effort: u64, in_vain: u64) {
        self.spent += effort;
        self.size = if in_vain == 0 { MOST.min(2 * self.size) } else { 1 };
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

    const EFFORT_PER_ASSISTANT: u64 = 1_000;

    #[test]
    fn little_work_is_never_shared() {
        let mut batches = Batches::new(EFFORT_PER_ASSISTANT);
        assert_eq!(batches.most_traces(), 1);
        batches.was_alone(2 * EFFORT_PER_ASSISTANT - 1, 0, 0);
        assert_eq!(batches.most_traces(), 1);
        batches.was_alone(1, 0, 0);
        assert_eq!(batches.most_traces(), 1 + WATCHED);
    }

    #[test]
    fn batches_grow_while_nothing_is_in_vain() {
        let mut batches = Batches::new(EFFORT_PER_ASSISTANT);
        batches.was_alone(2 * EFFORT_PER_ASSISTANT, 0, 0);
        assert!(!batches.is_together(1 + WATCHED), "whether others are covered is not known yet");
        batches.was_alone(EFFORT_PER_ASSISTANT, 3, 3);
        assert_eq!(batches.most_traces(), 3, "more assistants are not worth it yet");
        assert!(batches.is_together(3));
        assert!(!batches.is_together(1), "a single trace is analysed by the loop itself");
        batches.were_together(EFFORT_PER_ASSISTANT, 0);
        assert_eq!(batches.most_traces(), 4);
        batches.were_together(100 * EFFORT_PER_ASSISTANT, 0);
        assert_eq!(batches.most_traces(), MOST);
    }

    #[test]
    fn traces_that_are_covered_by_others_end_it() {
        let mut batches = Batches::new(EFFORT_PER_ASSISTANT);
        batches.was_alone(100 * EFFORT_PER_ASSISTANT, 0, 0);
        batches.was_alone(1, 3, 2);
        assert!(!batches.is_together(4), "one of three was covered");
        batches.was_alone(1, 1, 1);
        assert!(batches.is_together(2));
        batches.were_together(1, 1);
        assert!(!batches.is_together(2));
        assert_eq!(batches.most_traces(), 1 + WATCHED, "it is tried again");
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
