//! Positive Boolean formulas.

use crate::{Atom, Budget, Interrupted};
use std::collections::BTreeSet;

/// A positive Boolean formula over atoms of some kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula<A> {
    /// Holds.
    True,
    /// Does not hold.
    False,
    /// Holds if the atom does.
    Atom(A),
    /// Holds if all do.
    And(Vec<Formula<A>>),
    /// Holds if one does.
    Or(Vec<Formula<A>>),
}

impl<A> Formula<A> {
    /// The conjunction.
    pub fn and(parts: impl IntoIterator<Item = Formula<A>>) -> Formula<A> {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Formula::True => {}
                Formula::False => return Formula::False,
                Formula::And(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Formula::True,
            1 => kept.pop().unwrap_or(Formula::True),
            _ => Formula::And(kept),
        }
    }

    /// The disjunction.
    pub fn or(parts: impl IntoIterator<Item = Formula<A>>) -> Formula<A> {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Formula::False => {}
                Formula::True => return Formula::True,
                Formula::Or(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Formula::False,
            1 => kept.pop().unwrap_or(Formula::False),
            _ => Formula::Or(kept),
        }
    }

    /// The formula with other formulas in the place of its atoms.
    pub fn map<B>(&self, atom: &mut impl FnMut(&A) -> Formula<B>) -> Formula<B> {
        match self {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::Atom(own) => atom(own),
            Formula::And(parts) => Formula::and(parts.iter().map(|part| part.map(atom)).collect::<Vec<_>>()),
            Formula::Or(parts) => Formula::or(parts.iter().map(|part| part.map(atom)).collect::<Vec<_>>()),
        }
    }

    /// The dual formula: "and" and "or" exchanged, and duals in the place of atoms. It holds exactly if the formula does not, with atoms whose duals hold
    /// exactly if they do not.
    pub fn dual<B>(&self, atom: &mut impl FnMut(&A) -> B) -> Formula<B> {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Atom(own) => Formula::Atom(atom(own)),
            Formula::And(parts) => Formula::or(parts.iter().map(|part| part.dual(atom)).collect::<Vec<_>>()),
            Formula::Or(parts) => Formula::and(parts.iter().map(|part| part.dual(atom)).collect::<Vec<_>>()),
        }
    }

    /// Looks at all atoms that occur.
    pub fn for_each(&self, look: &mut impl FnMut(&A)) {
        match self {
            Formula::True | Formula::False => {}
            Formula::Atom(own) => look(own),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.for_each(look)),
        }
    }

    /// Does it hold, if these atoms do?
    pub fn holds(&self, atom: &impl Fn(&A) -> bool) -> bool {
        match self {
            Formula::True => true,
            Formula::False => false,
            Formula::Atom(own) => atom(own),
            Formula::And(parts) => parts.iter().all(|part| part.holds(atom)),
            Formula::Or(parts) => parts.iter().any(|part| part.holds(atom)),
        }
    }
}

impl Formula<Atom> {
    /// The atoms that occur, sorted.
    pub fn atoms(&self) -> Vec<Atom> {
        let mut found = BTreeSet::new();
        self.for_each(&mut |atom| {
            found.insert(atom.clone());
        });
        found.into_iter().collect()
    }

    /// The smallest sets of atoms that make the formula hold, none within another. There may be exponentially many.
    pub(crate) fn smallest_sets(&self, budget: &dyn Budget) -> Result<Vec<BTreeSet<Atom>>, Interrupted> {
        budget.check()?;
        Ok(match self {
            Formula::True => vec![BTreeSet::new()],
            Formula::False => Vec::new(),
            Formula::Atom(atom) => vec![BTreeSet::from([atom.clone()])],
            Formula::Or(parts) => {
                let mut sets = Vec::new();
                for part in parts {
                    for set in part.smallest_sets(budget)? {
                        add_smallest(&mut sets, set);
                    }
                }
                sets
            }
            Formula::And(parts) => {
                let mut sets = vec![BTreeSet::new()];
                for part in parts {
                    let ways = part.smallest_sets(budget)?;
                    let mut next = Vec::new();
                    for set in &sets {
                        for way in &ways {
                            budget.check()?;
                            add_smallest(&mut next, set.union(way).cloned().collect());
                        }
                    }
                    sets = next;
                }
                sets
            }
        })
    }
}

/// Adds a set unless one within it is there; those that it is within are removed.
fn add_smallest(sets: &mut Vec<BTreeSet<Atom>>, set: BTreeSet<Atom>) {
    if sets.iter().any(|known| known.is_subset(&set)) {
        return;
    }
    sets.retain(|known| !set.is_subset(known));
    sets.push(set);
}
