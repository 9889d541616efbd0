//! Conflict-driven clause learning.
//!
//! Two watched literals, activities with decay, saved phases, first unique implication point with minimisation, restarts by
//! moving averages of the learnt clauses' levels (Audemard and Simon, Glucose), and regular removal of learnt clauses of
//! many levels.
//!
//! Invariant: the two watched literals of a clause are its first two; a clause is in the lists of their negations. A clause
//! of more than two literals that is the reason of a literal has it in the first place.
//!
//! With [`Recording::Proof`] every learnt clause is written down with the clauses that it follows from, for [`crate::lrat`].

use crate::chronological::{Conflict, FAR};
use crate::heap::Heap;
use crate::lrat::{Proof, Step};
use crate::structure::Structure;
use crate::sweeping::{FIRST_SWEEP, SWEEP_GROWTH};
use crate::{Lit, Var};
use base::{Budget, Interrupted};
use std::fmt;

/// Is there an assignment?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Yes; [`Solver::value`] gives it.
    Sat,
    /// No, under the assumptions.
    Unsat,
}

/// What a solver writes down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recording {
    /// Nothing.
    Nothing,
    /// Every learnt clause.
    Proof,
}

/// What a solver has counted.
#[derive(Clone, Copy, Default, Debug)]
pub struct Statistics {
    /// Questions.
    pub solved: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Literals that were propagated.
    pub propagations: u64,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  SAT: {} questions, {} conflicts, {} propagations",
            self.solved, self.conflicts, self.propagations
        )
    }
}

/// Where a clause begins in the store.
pub(crate) type ClauseRef = u32;
pub(crate) const NO_REASON: ClauseRef = u32::MAX;
/// Words before the literals of a clause: its length, its levels (zero for a clause of the problem), its number.
pub(crate) const HEADER: usize = 3;

#[derive(Clone, Copy)]
pub(crate) struct Watch {
    /// Twice the place of the clause, one more if it has two literals.
    code: u32,
    /// Some other literal of the clause; if it is true the clause need not be looked at.
    blocker: Lit,
}

impl Watch {
    fn new(clause: ClauseRef, blocker: Lit, is_binary: bool) -> Watch {
        Watch { code: clause << 1 | u32::from(is_binary), blocker }
    }

    pub(crate) fn clause(self) -> ClauseRef {
        self.code >> 1
    }

    /// Whether there are only two literals: then the clause itself is not looked at, and keeps their order.
    pub(crate) fn is_binary(self) -> bool {
        self.code & 1 == 1
    }
}

/// A solver.
pub struct Solver {
    pub(crate) store: Vec<u32>,
    learnt: Vec<ClauseRef>,
    pub(crate) watches: Vec<Vec<Watch>>,
    /// By literal: 1 if it is true, -1 if it is false, 0 if it has no value.
    pub(crate) values: Vec<i8>,
    pub(crate) phase: Vec<bool>,
    pub(crate) level: Vec<u32>,
    pub(crate) reason: Vec<ClauseRef>,
    pub(crate) position: Vec<u32>,
    /// The number of the unit clause of a variable that has its value for good.
    unit_id: Vec<u32>,
    pub(crate) trail: Vec<Lit>,
    pub(crate) trail_limits: Vec<usize>,
    /// So many literals of the trail have their values for good and are written down.
    recorded: usize,
    pub(crate) propagated: usize,
    pub(crate) heap: Heap,
    pub(crate) activity: Vec<f64>,
    increment: f64,
    pub(crate) seen: Vec<bool>,
    /// Variables that do not follow from the clause that is learnt.
    vain: Vec<bool>,
    /// By level: the clause that was learnt last with a literal of it.
    clause_levels: Vec<u32>,
    model: Vec<bool>,
    pub(crate) inconsistent: bool,
    /// A clause of the problem that was false when it was added.
    false_clause: Option<ClauseRef>,
    next_id: u32,
    pub(crate) recording: Recording,
    proof: Proof,
    pub(crate) budget: Budget,
    /// How many propagations and looks at the heap the budget was charged for.
    charged: u64,
    /// How many variables were taken from the heap. Most have a value already, and in a large question they are more work than
    /// the propagations between them.
    pub(crate) popped: u64,
    average_fast: f64,
    average_slow: f64,
    next_reduction: u64,
    /// How often the decay was changed, and when it is next.
    turns: usize,
    next_turn: u64,
    stamps: Vec<u32>,
    stamp: u32,
    /// Whether literals of lower levels may stand among those of higher ones.
    pub(crate) out_of_order: bool,
    /// Going back over more levels than this is avoided.
    pub(crate) far: u32,
    /// The gates whose clauses these are.
    pub(crate) structure: Structure,
    /// Questions of so many conflicts are asked in the plainest way, and those of so many have their gates compared.
    pub(crate) easy: u64,
    pub(crate) first_sweep: u64,
    /// Inputs on which most of the question depends, if they are few.
    pub(crate) choosers: Vec<Var>,
    /// What was counted.
    pub statistics: Statistics,
}

/// How much activities count that were raised before the last conflict, in turn: what is learnt now comes first, or what
/// was learnt all the time. Each is right for other questions, and nobody knows for which.
const DECAYS: [f64; 2] = [0.8, 0.95];
/// After so many conflicts it is the turn of the other; and then after twice as many each time both were tried.
const FIRST_TURN: u64 = 1_000;
/// So many literals are propagated in the time of a unit of an SMT solver's work, as measured on a dozen programs.
const PROPAGATIONS_PER_UNIT: u64 = 8;
/// Questions of fewer conflicts are asked in the plainest way.
const EASY: u64 = 100;
const FIRST_REDUCTION: u64 = 2_000;
const REDUCTION_GROWTH: u64 = 300;

impl Solver {
    /// A solver without clauses.
    pub fn new(recording: Recording, budget: Budget) -> Solver {
        Solver {
            store: Vec::new(),
            learnt: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            phase: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            position: Vec::new(),
            unit_id: Vec::new(),
            trail: Vec::new(),
            trail_limits: Vec::new(),
            recorded: 0,
            propagated: 0,
            heap: Heap::default(),
            activity: Vec::new(),
            increment: 1.0,
            seen: Vec::new(),
            vain: Vec::new(),
            clause_levels: vec![0],
            model: Vec::new(),
            inconsistent: false,
            false_clause: None,
            next_id: 1,
            recording,
            proof: Proof::default(),
            budget,
            charged: 0,
            popped: 0,
            average_fast: 0.0,
            average_slow: 0.0,
            next_reduction: FIRST_REDUCTION,
            turns: 0,
            next_turn: FIRST_TURN,
            stamps: Vec::new(),
            stamp: 0,
            out_of_order: false,
            far: FAR,
            structure: Structure::default(),
            easy: EASY,
            first_sweep: FIRST_SWEEP,
            choosers: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// A new variable.
    pub fn new_var(&mut self) -> Var {
        let var = Var(self.level.len() as u32);
        self.values.extend([0, 0]);
        self.phase.push(false);
        self.level.push(0);
        self.reason.push(NO_REASON);
        self.position.push(0);
        self.unit_id.push(0);
        self.activity.push(0.0);
        self.seen.push(false);
        self.vain.push(false);
        self.stamps.push(0);
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.heap.grow();
        self.heap.insert(var, &self.activity);
        var
    }

    /// How many variables there are.
    pub fn variables(&self) -> u32 {
        self.level.len() as u32
    }

    /// The proof, once an answer without assumptions was [`Answer::Unsat`].
    pub fn into_proof(self) -> Proof {
        self.proof
    }

    /// The value of a literal in the assignment that was found last.
    pub fn value(&self, lit: Lit) -> bool {
        self.model.get(lit.var().0 as usize).is_some_and(|&value| value == lit.polarity())
    }

    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.index()] > 0
    }

    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.index()] < 0
    }

    pub(crate) fn is_open(&self, lit: Lit) -> bool {
        self.values[lit.index()] == 0
    }

    pub(crate) fn current_level(&self) -> u32 {
        self.trail_limits.len() as u32
    }

    fn fresh_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    fn record(&mut self, id: u32, clause: &[Lit], hints: Vec<u32>) {
        if self.recording == Recording::Proof {
            self.proof.steps.push(Step { id, clause: clause.to_vec(), hints });
        }
    }

    /// Adds a clause of the problem; its number. The clauses have the numbers 1, 2, … as long as no question is asked: what is
    /// learnt from a question has numbers as well, before those of clauses that come later.
    pub fn add_clause(&mut self, clause: &[Lit]) -> u32 {
        let id = self.fresh_id();
        self.store_problem_clause(clause, id);
        id
    }

    fn store_problem_clause(&mut self, clause: &[Lit], id: u32) {
        self.backtrack(0);
        if let [lit] = clause {
            self.structure.roots.push(lit.var());
        }
        if self.inconsistent {
            return;
        }
        let mut lits: Vec<Lit> = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let tautology = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        if tautology || lits.iter().any(|&lit| self.is_true(lit)) {
            return;
        }
        if self.recording == Recording::Proof {
            // The clause stays as it is, so that it keeps its number; false literals go last.
            lits.sort_by_key(|&lit| !self.is_open(lit));
        } else {
            lits.retain(|&lit| self.is_open(lit));
        }
        let open = lits.iter().filter(|&&lit| self.is_open(lit)).count();
        match open {
            // Written down when the first question is asked, so that the numbers of steps follow those of clauses.
            0 => {
                self.false_clause = Some(self.store_clause(&lits, 0, id));
                self.inconsistent = true;
            }
            1 => {
                let unit = lits[0];
                let reference = self.store_clause(&lits, 0, id);
                self.assign(unit, reference);
            }
            _ => {
                let reference = self.store_clause(&lits, 0, id);
                self.watch(reference);
            }
        }
    }

    fn unit_hints(&self, lits: &[Lit]) -> Vec<u32> {
        lits.iter().map(|lit| self.unit_id[lit.var().0 as usize]).filter(|&id| id != 0).collect()
    }

    fn store_clause(&mut self, lits: &[Lit], levels: u32, id: u32) -> ClauseRef {
        let reference = self.store.len() as ClauseRef;
        self.store.extend([lits.len() as u32, levels, id]);
        self.store.extend(lits.iter().map(|lit| lit.code()));
        reference
    }

    pub(crate) fn lit_at(&self, clause: ClauseRef, index: usize) -> Lit {
        Lit::from_code(self.store[clause as usize + HEADER + index])
    }

    pub(crate) fn clause_len(&self, clause: ClauseRef) -> usize {
        self.store[clause as usize] as usize
    }

    fn clause_id(&self, clause: ClauseRef) -> u32 {
        self.store[clause as usize + 2]
    }

    fn watch(&mut self, clause: ClauseRef) {
        let (first, second) = (self.lit_at(clause, 0), self.lit_at(clause, 1));
        let is_binary = self.clause_len(clause) == 2;
        self.watches[(!first).index()].push(Watch::new(clause, second, is_binary));
        self.watches[(!second).index()].push(Watch::new(clause, first, is_binary));
    }

    pub(crate) fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        let var = lit.var().0 as usize;
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.level[var] = self.current_level();
        self.reason[var] = reason;
        self.position[var] = self.trail.len() as u32;
        self.trail.push(lit);
    }

    fn imply(&mut self, lit: Lit, clause: ClauseRef) {
        if self.out_of_order {
            self.assign_out_of_order(lit, clause);
        } else {
            self.assign(lit, clause);
        }
    }

    /// One more literal that watches a clause of more than two.
    pub(crate) fn push_watch(&mut self, at: Lit, clause: ClauseRef, blocker: Lit) {
        self.watches[at.index()].push(Watch::new(clause, blocker, false));
    }

    /// Propagates; a clause that became false, if there is one.
    fn propagate(&mut self) -> Option<ClauseRef> {
        while self.propagated < self.trail.len() {
            let lit = self.trail[self.propagated];
            self.propagated += 1;
            self.statistics.propagations += 1;
            let mut list = std::mem::take(&mut self.watches[lit.index()]);
            let (mut read, mut write) = (0, 0);
            let mut conflict = None;
            'clauses: while read < list.len() {
                let watch = list[read];
                read += 1;
                if self.is_true(watch.blocker) {
                    list[write] = watch;
                    write += 1;
                    continue;
                }
                if watch.is_binary() {
                    list[write] = watch;
                    write += 1;
                    if self.is_false(watch.blocker) {
                        conflict = Some(watch.clause());
                        break;
                    }
                    self.imply(watch.blocker, watch.clause());
                    continue;
                }
                let clause = watch.clause();
                let base = clause as usize + HEADER;
                let false_code = (!lit).code();
                if self.store[base] == false_code {
                    self.store.swap(base, base + 1);
                }
                let first = Lit::from_code(self.store[base]);
                let kept = Watch { blocker: first, ..watch };
                if first != watch.blocker && self.is_true(first) {
                    list[write] = kept;
                    write += 1;
                    continue;
                }
                let end = base + self.store[clause as usize] as usize;
                for at in base + 2..end {
                    let other = Lit::from_code(self.store[at]);
                    if !self.is_false(other) {
                        self.store.swap(base + 1, at);
                        self.watches[(!other).index()].push(kept);
                        continue 'clauses;
                    }
                }
                list[write] = kept;
                write += 1;
                if self.is_false(first) {
                    conflict = Some(clause);
                    break;
                }
                self.imply(first, clause);
            }
            list.copy_within(read.., write);
            write += list.len() - read;
            list.truncate(write);
            self.watches[lit.index()] = list;
            if conflict.is_some() {
                self.propagated = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Writes down the unit clauses of what has its value for good since the last time.
    pub(crate) fn record_units(&mut self, from: usize) {
        if self.recording != Recording::Proof {
            return;
        }
        for at in from..self.trail.len() {
            let lit = self.trail[at];
            let var = lit.var().0 as usize;
            if self.unit_id[var] != 0 {
                continue;
            }
            let reason = self.reason[var];
            let others: Vec<Lit> = (0..self.clause_len(reason))
                .map(|index| self.lit_at(reason, index))
                .filter(|&other| other != lit)
                .collect();
            let mut hints = self.unit_hints(&others);
            hints.push(self.clause_id(reason));
            let id = self.fresh_id();
            self.record(id, &[lit], hints);
            self.unit_id[var] = id;
        }
    }

    /// Writes down the units at the bottom, where all of the trail has its values for good.
    fn record_bottom(&mut self) {
        self.record_units(self.recorded);
        self.recorded = self.trail.len();
    }

    /// Propagation at the bottom, where values are for good. False if there is a contradiction.
    fn propagate_bottom(&mut self) -> bool {
        let conflict = self.propagate();
        self.record_bottom();
        if let Some(conflict) = conflict {
            self.contradict(conflict);
        }
        conflict.is_none()
    }

    /// A clause is false for good: there is no assignment.
    fn contradict(&mut self, conflict: ClauseRef) {
        self.record_bottom();
        self.inconsistent = true;
        let lits: Vec<Lit> =
            (0..self.clause_len(conflict)).map(|index| self.lit_at(conflict, index)).collect();
        let mut hints = self.unit_hints(&lits);
        hints.push(self.clause_id(conflict));
        let id = self.fresh_id();
        self.record(id, &[], hints);
    }

    fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.0 as usize];
        *activity += self.increment;
        if *activity > 1e100 {
            for value in &mut self.activity {
                *value *= 1e-100;
            }
            self.increment *= 1e-100;
        }
        self.heap.raised(var, &self.activity);
    }

    /// A learnt clause is used: it may have fewer levels by now than when it was learnt.
    fn use_clause(&mut self, clause: ClauseRef) {
        let before = self.store[clause as usize + 1];
        if before > 2 {
            let levels =
                self.levels_of((0..self.clause_len(clause)).map(|index| clause as usize + HEADER + index));
            self.store[clause as usize + 1] = levels.clamp(1, before);
        }
    }

    /// Learns from a conflict: the clause, whose first literal becomes true at the level that comes with it.
    fn analyse(&mut self, conflict: ClauseRef) -> (Vec<Lit>, u32, Vec<u32>) {
        let mut learnt = vec![Lit::from_code(0)];
        let mut used: Vec<usize> = Vec::new();
        let mut bottom: Vec<usize> = Vec::new();
        let mut marked: Vec<usize> = Vec::new();
        let (mut open, mut clause, mut skip, mut at) = (0, conflict, None, self.trail.len());
        loop {
            self.use_clause(clause);
            for index in 0..self.clause_len(clause) {
                let lit = self.lit_at(clause, index);
                let var = lit.var().0 as usize;
                if Some(lit) == skip || self.seen[var] {
                    continue;
                }
                self.seen[var] = true;
                marked.push(var);
                if self.level[var] == 0 {
                    bottom.push(var);
                    continue;
                }
                self.bump(lit.var());
                if self.level[var] == self.current_level() {
                    open += 1;
                } else {
                    learnt.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                let lit = self.trail[at];
                let var = lit.var().0 as usize;
                if self.seen[var] && self.level[var] == self.current_level() {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                learnt[0] = !lit;
                break;
            }
            let var = lit.var().0 as usize;
            used.push(var);
            clause = self.reason[var];
            skip = Some(lit);
        }
        self.minimise(&mut learnt, &mut used, &mut bottom, &mut marked);
        let hints = self.hints(conflict, used, &bottom);
        for var in marked {
            self.seen[var] = false;
        }
        let mut back = 0;
        if learnt.len() > 1 {
            let highest = (1..learnt.len()).max_by_key(|&index| self.level[learnt[index].var().0 as usize]);
            learnt.swap(1, highest.unwrap_or(1));
            back = self.level[learnt[1].var().0 as usize];
        }
        (learnt, back, hints)
    }

    /// Drops literals that follow from others of the clause by their reasons, and the reasons of those (Sörensson and
    /// Biere, "Minimizing Learned Clauses").
    fn minimise(
        &mut self,
        learnt: &mut Vec<Lit>,
        used: &mut Vec<usize>,
        bottom: &mut Vec<usize>,
        marked: &mut Vec<usize>,
    ) {
        self.stamp += 1;
        let stamp = self.stamp;
        let levels = self.clause_levels.len().max(self.current_level() as usize + 1);
        self.clause_levels.resize(levels, 0);
        for lit in &learnt[1..] {
            self.clause_levels[self.level[lit.var().0 as usize] as usize] = stamp;
        }
        let mut tried: Vec<usize> = Vec::new();
        let mut kept = vec![learnt[0]];
        for &lit in &learnt[1..] {
            let var = lit.var().0 as usize;
            if self.reason[var] == NO_REASON || !self.follows(var, stamp, &mut tried, used, bottom, marked) {
                kept.push(lit);
            }
        }
        for var in tried {
            self.vain[var] = false;
        }
        *learnt = kept;
    }

    /// Whether the value of a variable follows from literals that are seen. If it does, all variables through which it
    /// does are used; those through which it does not are tried in vain.
    fn follows(
        &mut self,
        var: usize,
        stamp: u32,
        tried: &mut Vec<usize>,
        used: &mut Vec<usize>,
        bottom: &mut Vec<usize>,
        marked: &mut Vec<usize>,
    ) -> bool {
        // A variable with the place in its reason up to which it was looked at.
        let mut path = vec![(var, 0)];
        while let Some((at, index)) = path.pop() {
            let reason = self.reason[at];
            if index == self.clause_len(reason) {
                used.push(at);
                if !self.seen[at] {
                    self.seen[at] = true;
                    marked.push(at);
                }
                continue;
            }
            path.push((at, index + 1));
            let other = self.lit_at(reason, index).var().0 as usize;
            if other == at || self.seen[other] {
                continue;
            }
            if self.level[other] == 0 {
                self.seen[other] = true;
                marked.push(other);
                bottom.push(other);
                continue;
            }
            let hopeless = self.reason[other] == NO_REASON
                || self.vain[other]
                || self.clause_levels[self.level[other] as usize] != stamp;
            if hopeless {
                for &(vain, _) in &path {
                    if !self.vain[vain] {
                        self.vain[vain] = true;
                        tried.push(vain);
                    }
                }
                return false;
            }
            path.push((other, 0));
        }
        true
    }

    /// The clauses in the order in which they become unit when the learnt clause is supposed to be false.
    pub(crate) fn hints(&self, conflict: ClauseRef, mut used: Vec<usize>, bottom: &[usize]) -> Vec<u32> {
        if self.recording == Recording::Nothing {
            return Vec::new();
        }
        used.sort_unstable_by_key(|&var| self.position[var]);
        let units = bottom.iter().map(|&var| self.unit_id[var]);
        let reasons = used.iter().map(|&var| self.clause_id(self.reason[var]));
        units.chain(reasons).chain([self.clause_id(conflict)]).collect()
    }

    /// How many levels the literals at these places of the store have.
    fn levels_of(&mut self, places: impl Iterator<Item = usize>) -> u32 {
        self.stamp += 1;
        let mut count = 0;
        for place in places {
            let level = self.level[Lit::from_code(self.store[place]).var().0 as usize] as usize;
            count += u32::from(Self::stamp_level(&mut self.stamps, level, self.stamp));
        }
        count
    }

    /// How many levels a clause has.
    fn levels(&mut self, lits: &[Lit]) -> u32 {
        self.stamp += 1;
        let mut count = 0;
        for lit in lits {
            let level = self.level[lit.var().0 as usize] as usize;
            count += u32::from(Self::stamp_level(&mut self.stamps, level, self.stamp));
        }
        count
    }

    /// Marks a level; whether it was not marked before.
    fn stamp_level(stamps: &mut Vec<u32>, level: usize, stamp: u32) -> bool {
        if level >= stamps.len() {
            stamps.resize(level + 1, 0);
        }
        std::mem::replace(&mut stamps[level], stamp) != stamp
    }

    /// Learns, goes back, and goes on with the learnt literal.
    fn resolve(&mut self, conflict: ClauseRef) {
        self.statistics.conflicts += 1;
        let (learnt, back, hints) = self.analyse(conflict);
        let levels = self.levels(&learnt);
        // The first values count for more, so that the averages begin with what was seen.

        self.average_fast += (f64::from(levels) - self.average_fast) / 32.0;
        self.average_slow += (f64::from(levels) - self.average_slow) / 4096.0;
        let id = self.fresh_id();
        self.record(id, &learnt, hints);
        self.go_back(back);
        let reference = self.store_clause(&learnt, levels.max(1), id);
        if learnt.len() > 1 {
            self.watch(reference);
            self.learnt.push(reference);
        } else if self.recording == Recording::Proof {
            self.unit_id[learnt[0].var().0 as usize] = id;
        }
        self.imply(learnt[0], reference);
        self.increment /= DECAYS[self.turns % 2];
        if self.statistics.conflicts >= self.next_turn {
            self.turns += 1;
            self.next_turn += FIRST_TURN << (self.turns / 2).min(20);
        }
    }

    /// Adds a clause of literals without values that follows from others, where all values are for good.
    pub(crate) fn learn_at_bottom(&mut self, clause: &[Lit], hints: Vec<u32>) {
        let id = self.fresh_id();
        self.record(id, clause, hints);
        let reference = self.store_clause(clause, 1, id);
        if let [unit] = clause {
            if self.recording == Recording::Proof {
                self.unit_id[unit.var().0 as usize] = id;
            }
            self.assign(*unit, reference);
        } else {
            self.watch(reference);
            self.learnt.push(reference);
        }
    }

    /// Forgets half of the learnt clauses of many levels.
    fn reduce(&mut self) {
        let locked = |solver: &Solver, clause: ClauseRef| {
            let first = solver.lit_at(clause, 0);
            !solver.is_open(first) && solver.reason[first.var().0 as usize] == clause
        };
        let mut candidates: Vec<ClauseRef> = self
            .learnt
            .iter()
            .copied()
            .filter(|&clause| self.clause_len(clause) > 2 && self.store[clause as usize + 1] > 2)
            .filter(|&clause| !locked(self, clause))
            .collect();
        candidates.sort_by_key(|&clause| {
            (std::cmp::Reverse(self.store[clause as usize + 1]), self.store[clause as usize], clause)
        });
        candidates.truncate(candidates.len() / 2);
        candidates.sort_unstable();
        let gone = |clause: ClauseRef| candidates.binary_search(&clause).is_ok();
        for list in &mut self.watches {
            list.retain(|watch| watch.is_binary() || !gone(watch.clause()));
        }
        self.learnt.retain(|&clause| !gone(clause));
        for &clause in &candidates {
            // Marked as garbage; the place is reused when the store is compacted.
            self.store[clause as usize + 1] = u32::MAX;
        }
        self.compact();
    }

    /// Moves the clauses together.
    fn compact(&mut self) {
        let mut moved: Vec<(ClauseRef, ClauseRef)> = Vec::new();
        let (mut read, mut write) = (0, 0);
        while read < self.store.len() {
            let size = HEADER + self.store[read] as usize;
            if self.store[read + 1] != u32::MAX {
                moved.push((read as ClauseRef, write as ClauseRef));
                self.store.copy_within(read..read + size, write);
                write += size;
            }
            read += size;
        }
        self.store.truncate(write);
        let new = |old: ClauseRef| match moved.binary_search_by_key(&old, |&(from, _)| from) {
            Ok(index) => moved[index].1,
            Err(_) => NO_REASON,
        };
        for list in &mut self.watches {
            for watch in list {
                *watch = Watch::new(new(watch.clause()), watch.blocker, watch.is_binary());
            }
        }
        for clause in &mut self.learnt {
            *clause = new(*clause);
        }
        for reason in &mut self.reason {
            if *reason != NO_REASON {
                *reason = new(*reason);
            }
        }
    }

    /// Is there an assignment that makes all clauses and all assumptions true?
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<Answer, Interrupted> {
        loop {
            if let Some(answer) = self.solve_within(assumptions, u64::MAX)? {
                return Ok(answer);
            }
        }
    }

    /// As [`solve`](Solver::solve), but without an answer after so many conflicts.
    pub fn solve_within(
        &mut self,
        assumptions: &[Lit],
        conflicts: u64,
    ) -> Result<Option<Answer>, Interrupted> {
        self.statistics.solved += 1;
        self.choosers.clear();
        if !self.structure.is_known() {
            return self.search(assumptions, conflicts);
        }
        // What turns out to be hard is looked at in other ways.
        let most = self.statistics.conflicts.saturating_add(conflicts);
        let begin = (self.statistics.conflicts, self.statistics.propagations);
        let mut next_sweep = self.first_sweep;
        if let Some(answer) = self.search(assumptions, conflicts.min(self.easy))? {
            return Ok(Some(answer));
        }
        self.choosers = self.find_choosers(assumptions);
        loop {
            let left = most.saturating_sub(self.statistics.conflicts);
            if left == 0 {
                return Ok(None);
            }
            let spent = self.statistics.conflicts - begin.0;
            if let Some(answer) = self.search(assumptions, next_sweep.saturating_sub(spent).min(left))? {
                return Ok(Some(answer));
            }
            if self.statistics.conflicts - begin.0 >= next_sweep {
                self.sweep(assumptions, begin)?;
                next_sweep = SWEEP_GROWTH * (self.statistics.conflicts - begin.0);
            }
        }
    }

    /// Looks for an assignment, without an answer after so many conflicts.
    pub(crate) fn search(
        &mut self,
        assumptions: &[Lit],
        conflicts: u64,
    ) -> Result<Option<Answer>, Interrupted> {
        let most = self.statistics.conflicts.saturating_add(conflicts);
        self.backtrack(0);
        if let Some(clause) = self.false_clause.take() {
            self.contradict(clause);
        }
        if self.inconsistent || !self.propagate_bottom() {
            return Ok(Some(Answer::Unsat));
        }
        let mut restart_at = self.statistics.conflicts + 50;
        self.structure.is_stale = true;
        loop {
            let done = self.statistics.propagations + self.popped;
            let work = done - self.charged;
            if work > 1_000 {
                self.charged = done;
                self.budget.spend(work / PROPAGATIONS_PER_UNIT);
                self.budget.check()?;
            }
            if let Some(conflict) = self.propagate() {
                if let Conflict::Implied = self.at_level_of(conflict) {
                    if self.current_level() == 0 && !self.propagate_bottom() {
                        return Ok(Some(Answer::Unsat));
                    }
                    continue;
                }
                if self.current_level() == 0 {
                    self.contradict(conflict);
                    return Ok(Some(Answer::Unsat));
                }
                self.resolve(conflict);
                if self.current_level() == 0 && !self.propagate_bottom() {
                    return Ok(Some(Answer::Unsat));
                }
                continue;
            }
            if self.statistics.conflicts >= most {
                return Ok(None);
            }
            if self.statistics.conflicts >= restart_at && self.average_fast > 1.15 * self.average_slow {
                restart_at = self.statistics.conflicts + 50;
                self.restart(assumptions.len());
                if self.current_level() == 0 && !self.propagate_bottom() {
                    return Ok(Some(Answer::Unsat));
                }
                if self.propagated < self.trail.len() {
                    continue;
                }
            }
            if self.statistics.conflicts >= self.next_reduction {
                self.next_reduction +=
                    FIRST_REDUCTION + REDUCTION_GROWTH * (self.next_reduction / FIRST_REDUCTION);
                self.reduce();
            }
            match self.decide(assumptions) {
                Decision::Made => {}
                Decision::Complete => {
                    self.model.clear();
                    self.model.extend(self.values.iter().step_by(2).map(|&value| value > 0));
                    return Ok(Some(Answer::Sat));
                }
                Decision::Refused => return Ok(Some(Answer::Unsat)),
            }
        }
    }

    fn decide(&mut self, assumptions: &[Lit]) -> Decision {
        while let Some(&assumption) = assumptions.get(self.current_level() as usize) {
            if self.is_false(assumption) {
                return Decision::Refused;
            }
            self.trail_limits.push(self.trail.len());
            if self.is_open(assumption) {
                self.assign(assumption, NO_REASON);
                return Decision::Made;
            }
        }
        if self.chooses_first() {
            let open = |var: &&Var| self.is_open(Lit::new(**var, true));
            return match self.choosers.iter().find(open) {
                Some(&var) => self.choose(Lit::new(var, self.phase[var.0 as usize])),
                // What is left is copying, and activities would go through all that is copied.
                None => self.explain_roots(assumptions),
            };
        }
        if self.structure.is_known() {
            return self.decide_by_structure(assumptions);
        }
        loop {
            let Some(var) = self.heap.pop(&self.activity) else { return Decision::Complete };
            self.popped += 1;
            if self.is_open(Lit::new(var, true)) {
                return self.choose(Lit::new(var, self.phase[var.0 as usize]));
            }
        }
    }

    /// Whether the inputs that choose have their turn.
    fn chooses_first(&self) -> bool {
        !self.choosers.is_empty() && self.turns % 4 < 2
    }

    /// Decides that a literal is true.
    pub(crate) fn choose(&mut self, lit: Lit) -> Decision {
        self.trail_limits.push(self.trail.len());
        self.assign(lit, NO_REASON);
        Decision::Made
    }
}

/// How a decision ends.
pub(crate) enum Decision {
    /// A literal was chosen.
    Made,
    /// Every variable has a value.
    Complete,
    /// An assumption is false.
    Refused,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lrat;
    use proptest::prelude::*;

    fn solver(variables: u32, clauses: &[Vec<Lit>], recording: Recording, far: u32) -> Solver {
        let mut solver = Solver::new(recording, Budget::unlimited());
        solver.far = far;
        for _ in 0..variables {
            solver.new_var();
        }
        for clause in clauses {
            solver.add_clause(clause);
        }
        solver
    }

    fn satisfied(clauses: &[Vec<Lit>], assignment: u32) -> bool {
        let holds = |lit: &Lit| (assignment >> lit.var().0 & 1 == 1) == lit.polarity();
        clauses.iter().all(|clause| clause.iter().any(holds))
    }

    fn clauses() -> impl Strategy<Value = Vec<Vec<Lit>>> {
        let lit = (0..20_u32).prop_map(Lit::from_code);
        prop::collection::vec(prop::collection::vec(lit, 1..4), 1..60)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn answers_are_those_of_enumeration(clauses in clauses(), assumption in 0..20_u32, far in 0..4_u32) {
            let expected = (0..1024).any(|assignment| satisfied(&clauses, assignment));
            let mut solver = solver(10, &clauses, Recording::Nothing, far);
            let answer = solver.solve(&[]).unwrap();
            prop_assert_eq!(answer == Answer::Sat, expected);
            if answer == Answer::Sat {
                for clause in &clauses {
                    prop_assert!(clause.iter().any(|&lit| solver.value(lit)));
                }
            }
            let assumption = Lit::from_code(assumption);
            let mut with = clauses.clone();
            with.push(vec![assumption]);
            let expected = (0..1024).any(|assignment| satisfied(&with, assignment));
            prop_assert_eq!(solver.solve(&[assumption]).unwrap() == Answer::Sat, expected);
        }

        #[test]
        fn proofs_are_accepted_and_mutants_are_not_believed(clauses in clauses(), at in 0..1000_usize, far in 0..4_u32) {
            let mut solver = solver(10, &clauses, Recording::Proof, far);
            if solver.solve(&[]).unwrap() == Answer::Unsat {
                let proof = solver.into_proof();
                prop_assert_eq!(lrat::check(10, &clauses, &proof, &Budget::unlimited()), Ok(()));
                // Without one of the clauses the proof is accepted only if the rest is unsatisfiable, too.
                let mut fewer = clauses.clone();
                fewer[at % clauses.len()] = vec![Lit::from_code(0), Lit::from_code(1)];
                if lrat::check(10, &fewer, &proof, &Budget::unlimited()).is_ok() {
                    prop_assert!(!(0..1024).any(|assignment| satisfied(&fewer, assignment)));
                }
            }
        }
    }

    /// So many pigeons in one hole less: no assignment, and many conflicts.
    #[test]
    fn pigeons() {
        for far in [0, 1, FAR] {
            many_pigeons(far);
        }
    }

    fn many_pigeons(far: u32) {
        let (pigeons, holes) = (7_u32, 6_u32);
        let lit = |pigeon: u32, hole: u32, value| Lit::new(Var(pigeon * holes + hole), value);
        let mut clauses: Vec<Vec<Lit>> =
            (0..pigeons).map(|p| (0..holes).map(|h| lit(p, h, true)).collect()).collect();
        for hole in 0..holes {
            for p in 0..pigeons {
                clauses.extend((0..p).map(|q| vec![lit(p, hole, false), lit(q, hole, false)]));
            }
        }
        let mut solver = solver(pigeons * holes, &clauses, Recording::Proof, far);
        assert_eq!(solver.solve(&[]), Ok(Answer::Unsat));
        let proof = solver.into_proof();
        assert_eq!(lrat::check(pigeons * holes, &clauses, &proof, &Budget::unlimited()), Ok(()));
        for cut in 0..proof.steps.len() {
            let mut mutant = proof.clone();
            mutant.steps.truncate(cut);
            assert_eq!(
                lrat::check(pigeons * holes, &clauses, &mutant, &Budget::unlimited()),
                Err(lrat::ProofError::NotEmpty)
            );
        }
    }

    /// Random clauses of three literals where both answers are as likely: however far the solver goes back, the answer is
    /// the same, its proof is accepted, and its assignment satisfies all clauses.
    #[test]
    fn going_back_less_changes_no_answer() {
        let (variables, mut answers) = (60_u32, [0, 0]);
        for seed in 0..40 {
            let mut random = base::Random::new(seed);
            let mut lit = || Lit::from_code(random.number(u64::from(2 * variables)) as u32);
            let clauses: Vec<Vec<Lit>> = (0..255).map(|_| vec![lit(), lit(), lit()]).collect();
            let found = [0, 3, FAR].map(|far| {
                let mut solver = solver(variables, &clauses, Recording::Proof, far);
                let answer = solver.solve(&[]).unwrap();
                if answer == Answer::Sat {
                    assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| solver.value(lit))));
                } else {
                    let proof = solver.into_proof();
                    assert_eq!(lrat::check(variables, &clauses, &proof, &Budget::unlimited()), Ok(()));
                }
                answer
            });
            assert!(found.iter().all(|&answer| answer == found[0]), "seed {seed}");
            answers[usize::from(found[0] == Answer::Sat)] += 1;
        }
        assert!(answers[0] > 5 && answers[1] > 5, "both answers occur: {answers:?}");
    }
}
