//! Configurations: sets of atoms, all of which have to be accepted.

use crate::{Atom, Thread};
use std::collections::{BTreeMap, BTreeSet};

/// A set of atoms that have to be accepted together.
///
/// A configuration *covers* another one if, with its threads renamed, different ones to different ones, it is a part of the other. Then every word that the
/// other one accepts is accepted by it, with the threads renamed back: there is less that has to be accepted, and nothing depends on what threads are
/// called. Where all predicates have at most one place this is a well-quasi-order (by Dickson's lemma: a configuration is a number of threads for every set of
/// predicates, and a set of predicates without threads), so every infinite sequence of configurations has one that covers a later one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Configuration {
    atoms: Vec<Atom>,
    /// A bit for the predicates that occur, several of which may share one.
    mask: u64,
}

impl Configuration {
    /// The configuration of these atoms.
    pub fn new(atoms: BTreeSet<Atom>) -> Configuration {
        let mask = atoms.iter().fold(0, |mask, atom| mask | 1 << (atom.predicate.as_u32() % 64));
        Configuration { atoms: atoms.into_iter().collect(), mask }
    }

    /// The atoms, sorted.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The threads that occur, sorted.
    pub fn threads(&self) -> Vec<Thread> {
        let mut threads: Vec<Thread> =
            self.atoms.iter().flat_map(|atom| atom.threads.iter().copied()).collect();
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    /// The part about some threads only: it covers the whole.
    #[must_use]
    pub fn about(&self, threads: &[Thread]) -> Configuration {
        let is_about = |atom: &&Atom| atom.threads.iter().all(|thread| threads.contains(thread));
        Configuration::new(self.atoms.iter().filter(is_about).cloned().collect())
    }

    /// Does it cover another one? Exponential in the number of atoms that look alike in the worst case.
    pub fn covers(&self, other: &Configuration) -> bool {
        self.mask & !other.mask == 0
            && self.atoms.len() <= other.atoms.len()
            && embeds(&self.atoms, &other.atoms, &mut BTreeMap::new())
    }
}

/// Extends the renaming such that all these atoms are among the others.
fn embeds(atoms: &[Atom], others: &[Atom], renaming: &mut BTreeMap<Thread, Thread>) -> bool {
    let Some((first, rest)) = atoms.split_first() else { return true };
    let begin = others.partition_point(|other| other.predicate < first.predicate);
    for other in others[begin..].iter().take_while(|other| other.predicate == first.predicate) {
        let mut added = Vec::new();
        let fits = first.threads.iter().zip(&other.threads).all(|(&from, &to)| match renaming.get(&from) {
            Some(&known) => known == to,
            None => {
                let free = !renaming.values().any(|&taken| taken == to);
                if free {
                    renaming.insert(from, to);
                    added.push(from);
                }
                free
            }
        });
        if fits && embeds(rest, others, renaming) {
            return true;
        }
        for thread in added {
            renaming.remove(&thread);
        }
    }
    false
}
