//! Going back by one level only (Nadel and Ryvchin, "Chronological Backtracking", SAT 2018; Möhle and Biere, "Backing
//! Backtracking", SAT 2019).
//!
//! A circuit of a program has hundreds of thousands of gates, and most have nothing to do with a conflict. Going back to
//! where the learnt clause becomes unit would take all of their values away, only to find them again. So if that is far away,
//! the solver takes back the last level only, and the learnt literal gets the level where it belongs: from then
//! on the trail has literals of lower levels among those of higher ones.
//!
//! Invariants: the level of an implied literal is the highest one of its reason; every literal on the trail comes after
//! those of its reason; after [`Solver::backtrack`] to a level, no literal of a higher one has a value. A clause may have a
//! false literal among the two that are watched while others are open: it is looked at when the other watched
//! literal becomes false, so an implication may be found late, but no conflict is missed.

use crate::Lit;
use crate::solver::{ClauseRef, HEADER, NO_REASON, Recording, Solver};

/// Going back over more levels than this costs more than the literals out of order do.
pub(crate) const FAR: u32 = 100;

impl Solver {
    /// Takes back all values above a level. Literals of lower levels that stand among them stay, and are propagated again.
    pub(crate) fn backtrack(&mut self, level: u32) {
        if self.current_level() <= level {
            return;
        }
        let keep = self.trail_limits[level as usize];
        let mut end = keep;
        for at in keep..self.trail.len() {
            let lit = self.trail[at];
            let var = lit.var().0 as usize;
            if self.out_of_order && self.level[var] <= level {
                self.position[var] = end as u32;
                self.trail[end] = lit;
                end += 1;
                continue;
            }
            self.phase[var] = lit.polarity();
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.reason[var] = NO_REASON;
            // What was never part of a conflict is decided by the structure, if there is one.
            if self.activity[var] > 0.0 || !self.structure.is_known() {
                self.heap.insert(lit.var(), &self.activity);
            }
        }
        self.structure.is_stale = true;
        self.trail.truncate(end);
        self.trail_limits.truncate(level as usize);
        self.propagated = keep;
        // At the bottom everything is in order.
        self.out_of_order &= level > 0;
    }

    /// Goes back far enough for a learnt clause to become unit, but not much further than that.
    pub(crate) fn go_back(&mut self, unit_at: u32) {
        let now = self.current_level();
        if unit_at > 0 && now - unit_at > self.far {
            self.backtrack(now - 1);
            self.out_of_order = true;
        } else {
            self.backtrack(unit_at);
        }
    }

    /// Begins anew, but keeps the decisions that would be made again (van der Tak, Ramos and Heule, "Reusing the
    /// Assignment Trail in CDCL Solvers", JSAT 2011).
    pub(crate) fn restart(&mut self, assumptions: usize) {
        let next = loop {
            match self.heap.pop(&self.activity) {
                Some(var) if self.values[Lit::new(var, true).index()] != 0 => {}
                other => break other,
            }
        };
        let Some(next) = next else { return };
        self.heap.insert(next, &self.activity);
        let least = self.activity[next.0 as usize];
        let is_kept = |&begin: &usize| {
            self.trail.get(begin).is_some_and(|lit| self.activity[lit.var().0 as usize] > least)
        };
        let kept = self.trail_limits.iter().skip(assumptions).take_while(|&begin| is_kept(begin)).count();
        self.backtrack((assumptions + kept) as u32);
    }

    /// The level of a literal that follows from a clause whose other literals are false.
    pub(crate) fn level_by(&self, clause: ClauseRef, implied: Lit) -> u32 {
        if !self.out_of_order {
            return self.current_level();
        }
        let others = (0..self.clause_len(clause)).map(|index| self.lit_at(clause, index));
        let others = others.filter(|&other| other != implied);
        others.map(|other| self.level[other.var().0 as usize]).max().unwrap_or(0)
    }

    /// Gives a literal its level by the clause that it follows from.
    pub(crate) fn assign_out_of_order(&mut self, lit: Lit, clause: ClauseRef) {
        let level = self.level_by(clause, lit);
        self.assign(lit, clause);
        self.level[lit.var().0 as usize] = level;
        if level == 0 && self.current_level() > 0 && self.recording == Recording::Proof {
            self.record_units(self.trail.len() - 1);
        }
    }

    /// Goes back to the level of a conflict. If it has a single literal of that level, the clause is no conflict but
    /// implies the negation one level below, which is assigned; then there is nothing to learn.
    pub(crate) fn at_level_of(&mut self, conflict: ClauseRef) -> Conflict {
        if !self.out_of_order {
            return Conflict::Here;
        }
        let (highest, second) = self.watch_highest(conflict);
        if highest == 0 || highest > second {
            self.backtrack(highest.saturating_sub(1));
            if highest == 0 {
                return Conflict::Here;
            }
            let lit = self.lit_at(conflict, 0);
            self.assign_out_of_order(lit, conflict);
            return Conflict::Implied;
        }
        self.backtrack(highest);
        Conflict::Here
    }

    /// Puts the literals of the two highest levels of a clause into its first places, where they are watched; their levels.
    fn watch_highest(&mut self, clause: ClauseRef) -> (u32, u32) {
        let length = self.clause_len(clause);
        for place in 0..length.min(2) {
            let level = |index: usize| self.level[self.lit_at(clause, index).var().0 as usize];
            // Of equal levels the first, so that a literal stays where it is if it may.
            let best = (place..length).rev().max_by_key(|&index| level(index)).unwrap_or(place);
            if best == place {
                continue;
            }
            // A clause of two literals is watched by both, and keeps their lists.
            if best >= 2 {
                let old = !self.lit_at(clause, place);
                self.watches[old.index()].retain(|watch| watch.is_binary() || watch.clause() != clause);
                let new = !self.lit_at(clause, best);
                let blocker = self.lit_at(clause, 1 - place);
                self.push_watch(new, clause, blocker);
            }
            let base = clause as usize + HEADER;
            self.store.swap(base + place, base + best);
        }
        let level = |index: usize| {
            if index < length { self.level[self.lit_at(clause, index).var().0 as usize] } else { 0 }
        };
        (level(0), level(1))
    }
}

/// What a clause with false literals only turns out to be.
pub(crate) enum Conflict {
    /// A conflict at the current level.
    Here,
    /// It implied a literal, which has its value now.
    Implied,
}
