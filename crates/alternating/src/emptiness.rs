//! Does an automaton accept a word?
//!
//! A breadth-first search over [`Configuration`]s. From a configuration, a letter is read with threads that occur in it or with others, among which it does not
//! matter which they are. A configuration that is covered by one that was found before accepts nothing that the other one does not, so it is left out.
//!
//! Ends with an answer where all predicates have at most one place, because configurations are well-quasi-ordered then; otherwise it is
//! a semi-algorithm that finds every word, and may find out that there is none. A word that is found is a shortest one.
//!
//! Cost: the number of configurations times letters and choices of threads, with a comparison to all configurations that were kept for each.

use crate::{Alternating, Budget, Configuration, Formula, Interrupted, Reading, Thread};
use std::collections::VecDeque;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Emptiness {
    /// No word is accepted. The configurations cover everything that has to be accepted after any beginning of a word, none is covered by another, and each
    /// has an atom that is not accepting: whatever can be read from one of them leads to what is covered by one of them.
    Empty(Vec<Configuration>),
    /// This word is accepted, and no shorter one is.
    Word(Vec<Reading>),
}

struct Node {
    configuration: Configuration,
    /// Where it was found, and what was read then.
    parent: Option<(usize, Reading)>,
    depth: usize,
    /// No thread from here on has occurred yet.
    next: u32,
    /// The depth of a configuration that was found later and covers it.
    covered: Option<usize>,
}

/// Looks for a word that the automaton accepts.
pub fn emptiness(automaton: &mut impl Alternating, budget: &dyn Budget) -> Result<Emptiness, Interrupted> {
    let sets = automaton.initial().smallest_sets(budget)?;
    let beginnings: Vec<Configuration> = sets.into_iter().map(Configuration::new).collect();
    emptiness_from(automaton, &beginnings, &[], budget)
}

/// Looks for a word that is accepted from one of some configurations. What is covered by a known one is left out, and those are not among the result; so
/// it is known that nothing is accepted from there, or that is to be shown later.
pub fn emptiness_from(
    automaton: &mut impl Alternating,
    beginnings: &[Configuration],
    known: &[Configuration],
    budget: &dyn Budget,
) -> Result<Emptiness, Interrupted> {
    let letters = automaton.letters();
    let mut search = Search { nodes: Vec::new(), kept: Vec::new(), pending: VecDeque::new(), known };
    for beginning in beginnings {
        let next = beginning.threads().last().map_or(0, |thread| thread.as_u32() + 1);
        search.add(beginning.clone(), None, (0, next), budget)?;
    }
    while let Some(number) = search.pending.pop_front() {
        budget.check()?;
        let Node { depth, next, covered, .. } = search.nodes[number];
        // Its words are as short from the other one.
        if covered == Some(depth) {
            continue;
        }
        let configuration = search.nodes[number].configuration.clone();
        if configuration.atoms().iter().all(|atom| automaton.is_accepting(atom.predicate)) {
            return Ok(Emptiness::Word(search.word(number)));
        }
        let present = configuration.threads();
        for &(letter, arity) in &letters {
            for threads in choices(&present, next, arity) {
                let reading = Reading { letter, threads };
                let mut after = Vec::with_capacity(configuration.atoms().len());
                for atom in configuration.atoms() {
                    budget.check()?;
                    let formula = automaton.step(atom, &reading)?;
                    if formula == Formula::False {
                        after.clear();
                        after.push(formula);
                        break;
                    }
                    after.push(formula);
                }
                let highest = reading.threads.iter().map(|thread| thread.as_u32() + 1).max();
                let next = next.max(highest.unwrap_or(0));
                for set in Formula::and(after).smallest_sets(budget)? {
                    let found = Configuration::new(set);
                    search.add(found, Some((number, reading.clone())), (depth + 1, next), budget)?;
                }
            }
        }
    }
    let kept = search.kept.into_iter().map(|number| search.nodes[number].configuration.clone());
    Ok(Emptiness::Empty(kept.collect()))
}

struct Search<'k> {
    nodes: Vec<Node>,
    /// The nodes that no other one covers.
    kept: Vec<usize>,
    pending: VecDeque<usize>,
    /// What these cover is left out.
    known: &'k [Configuration],
}

impl Search<'_> {
    fn add(
        &mut self,
        configuration: Configuration,
        parent: Option<(usize, Reading)>,
        (depth, next): (usize, u32),
        budget: &dyn Budget,
    ) -> Result<(), Interrupted> {
        budget.check()?;
        if self.known.iter().any(|known| known.covers(&configuration)) {
            return Ok(());
        }
        if self.kept.iter().any(|&known| self.nodes[known].configuration.covers(&configuration)) {
            return Ok(());
        }
        let Search { nodes, kept, pending, .. } = self;
        kept.retain(|&known| {
            let node = &mut nodes[known];
            let covered = configuration.covers(&node.configuration);
            if covered {
                node.covered = Some(depth);
            }
            !covered
        });
        kept.push(nodes.len());
        pending.push_back(nodes.len());
        nodes.push(Node { configuration, parent, depth, next, covered: None });
        Ok(())
    }

    /// What was read on the way to a node.
    fn word(&self, mut number: usize) -> Vec<Reading> {
        let mut word = Vec::new();
        while let Some((parent, reading)) = &self.nodes[number].parent {
            word.push(reading.clone());
            number = *parent;
        }
        word.reverse();
        word
    }
}

/// The ways to choose different threads among those that are present and new ones, of which the first free one is always taken.
fn choices(present: &[Thread], next: u32, arity: usize) -> Vec<Vec<Thread>> {
    let mut found: Vec<(Vec<Thread>, u32)> = vec![(Vec::new(), next)];
    for _ in 0..arity {
        let mut longer = Vec::new();
        for (threads, next) in found {
            for &thread in present.iter().filter(|thread| !threads.contains(thread)) {
                let mut with = threads.clone();
                with.push(thread);
                longer.push((with, next));
            }
            let mut with: Vec<Thread> = threads;
            with.push(Thread::from_u32(next));
            longer.push((with, next + 1));
        }
        found = longer;
    }
    found.into_iter().map(|(threads, _)| threads).collect()
}
