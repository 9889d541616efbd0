//! Every infinite sequence of steps is accepted by one of the modules.
//!
//! The sequences are kept as a Büchi automaton ([`Traces`]). One module after the other is complemented on the fly and
//! subtracted; at the end nothing may be left. Modules have to be semi-deterministic: behind an accepting state, a state
//! has at most one successor at each location. The complement is that of F. Blahoudek, M. Heizmann, S. Schewe,
//! J. Strejček, M.-H. Tsai, *Complementing Semi-deterministic Büchi Automata* (TACAS 2016), Section 3, as it stands there:
//! every state that the module can be in is marked as one that no accepting state was seen before ([`Mark::Choosing`]),
//! that may still see accepting states ([`Mark::Checked`]; [`Mark::Watched`] since the last time when none was), or
//! that is promised to see none ([`Mark::Safe`]).

use super::steps::SpineStep;
use crate::Refusal;
use base::{Budget, Interrupted, Limit};
use program::{Location, Module};
use rustc_hash::FxHashMap;

/// More states than this count as out of memory.
const MOST_STATES: usize = 2_000_000;
/// More successors of one state than this do so, too.
const MOST_SUCCESSORS: usize = 1 << 16;

/// A Büchi automaton of sequences of locations.
#[derive(Default)]
pub(super) struct Traces {
    locations: Vec<Location>,
    accepting: Vec<bool>,
    initial: Vec<usize>,
    next: Vec<Vec<usize>>,
}

/// What is said about a state of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Mark {
    Choosing,
    Checked,
    Watched,
    Safe,
}

/// States of the module with their marks, sorted.
type Marked = Vec<(usize, Mark)>;

/// A state of the difference.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair {
    trace: usize,
    marked: Marked,
    /// Whether an accepting state of the traces was seen since the last accepting state of the difference.
    seen: bool,
}

impl Traces {
    /// All infinite sequences of steps among some locations, from those where they may begin.
    pub(super) fn of_steps<'s>(
        locations: &[Location],
        steps: impl Iterator<Item = &'s SpineStep>,
        begins: impl Fn(Location) -> bool,
    ) -> Traces {
        let count = locations.len();
        let position = |location: Location| locations.iter().position(|&other| other == location);
        let mut next = vec![Vec::new(); count];
        for step in steps {
            if let (Some(from), Some(to)) = (position(step.from), position(step.to))
                && !next[from].contains(&to)
            {
                next[from].push(to);
            }
        }
        let initial = (0..count).filter(|&state| begins(locations[state])).collect();
        Traces { locations: locations.to_vec(), accepting: vec![true; count], initial, next }
    }

    /// The sequences that a module does not accept.
    pub(super) fn without(&self, module: &Module, budget: &Budget) -> Result<Traces, Refusal> {
        let module = Subtrahend::new(module)?;
        let mut found = Traces::default();
        let mut pairs: Vec<Pair> = Vec::new();
        let mut numbers: FxHashMap<Pair, usize> = FxHashMap::default();
        let mut number = |pair: Pair, found: &mut Traces, pairs: &mut Vec<Pair>| {
            *numbers.entry(pair).or_insert_with_key(|pair| {
                let watched = pair.marked.iter().any(|&(_, mark)| mark == Mark::Watched);
                found.locations.push(self.locations[pair.trace]);
                found.accepting.push(pair.seen && !watched);
                found.next.push(Vec::new());
                pairs.push(pair.clone());
                pairs.len() - 1
            })
        };
        for &trace in &self.initial {
            for marked in module.beginnings(self.locations[trace]) {
                let state = number(Pair { trace, marked, seen: false }, &mut found, &mut pairs);
                found.initial.push(state);
            }
        }
        let mut position = 0;
        while position < pairs.len() {
            budget.check()?;
            if pairs.len() > MOST_STATES {
                return Err(Refusal::Interrupted(Interrupted(Limit::Memory)));
            }
            let Pair { trace, marked, seen } = pairs[position].clone();
            let seen = if found.accepting[position] { false } else { seen || self.accepting[trace] };
            for &next in &self.next[trace] {
                for marked in module.steps(&marked, self.locations[next])? {
                    let target = number(Pair { trace: next, marked, seen }, &mut found, &mut pairs);
                    found.next[position].push(target);
                }
            }
            position += 1;
        }
        Ok(found.trimmed())
    }

    /// The states from which an accepting cycle is reached.
    fn trimmed(self) -> Traces {
        let count = self.next.len();
        let component = components(&self.next);
        let mut alive = vec![false; count];
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (state, next) in self.next.iter().enumerate() {
            for &to in next {
                into[to].push(state);
            }
        }
        let on_cycle = |state: usize| self.next[state].iter().any(|&to| component[to] == component[state]);
        let mut pending: Vec<usize> =
            (0..count).filter(|&state| self.accepting[state] && on_cycle(state)).collect();
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut alive[state], true) {
                pending.extend(&into[state]);
            }
        }
        let mut numbers = vec![None; count];
        let mut kept = Traces::default();
        for state in (0..count).filter(|&state| alive[state]) {
            numbers[state] = Some(kept.locations.len());
            kept.locations.push(self.locations[state]);
            kept.accepting.push(self.accepting[state]);
        }
        for state in (0..count).filter(|&state| alive[state]) {
            kept.next.push(self.next[state].iter().filter_map(|&to| numbers[to]).collect());
        }
        kept.initial = self.initial.iter().filter_map(|&state| numbers[state]).collect();
        kept
    }

    /// The locations of some sequence that is left, up to where it repeats; none if there is no sequence. The automaton
    /// has been trimmed, or all its states are accepting.
    pub(super) fn lasso(&self) -> Option<Vec<Location>> {
        let trimmed = Traces {
            locations: self.locations.clone(),
            accepting: self.accepting.clone(),
            initial: self.initial.clone(),
            next: self.next.clone(),
        };
        let trimmed = trimmed.trimmed();
        let mut state = *trimmed.initial.first()?;
        let mut seen = vec![false; trimmed.next.len()];
        let mut path = Vec::new();
        while !std::mem::replace(&mut seen[state], true) {
            path.push(trimmed.locations[state]);
            state = *trimmed.next[state].first()?;
        }
        path.push(trimmed.locations[state]);
        Some(path)
    }
}

/// A module, ready to be complemented.
struct Subtrahend<'m> {
    module: &'m Module,
    next: Vec<Vec<usize>>,
    /// Whether an accepting state is at or before a state.
    deterministic: Vec<bool>,
}

impl<'m> Subtrahend<'m> {
    fn new(module: &'m Module) -> Result<Subtrahend<'m>, Refusal> {
        let count = module.states.len();
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &(from, to) in &module.transitions {
            if !next[from].contains(&to) {
                next[from].push(to);
            }
        }
        let mut deterministic = vec![false; count];
        let mut pending: Vec<usize> =
            (0..count).filter(|&state| module.states[state].rank.is_some()).collect();
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut deterministic[state], true) {
                pending.extend(&next[state]);
            }
        }
        let choosing = (0..count).filter(|&state| deterministic[state]).any(|state| {
            let location = |to: usize| module.states[to].location;
            let targets = &next[state];
            targets.iter().enumerate().any(|(position, &to)| {
                targets[..position].iter().any(|&other| location(other) == location(to))
            })
        });
        if choosing {
            let what = "a module has a choice behind an accepting state";
            return Err(Refusal::Malformed(what.to_owned()));
        }
        Ok(Subtrahend { module, next, deterministic })
    }

    fn is_accepting(&self, state: usize) -> bool {
        self.module.states[state].rank.is_some()
    }

    /// The states behind some states, at a location.
    fn behind(&self, state: usize, location: Location) -> impl Iterator<Item = usize> + '_ {
        let at = move |&to: &usize| self.module.states[to].location == location;
        self.next[state].iter().copied().filter(at)
    }

    fn beginnings(&self, location: Location) -> Vec<Marked> {
        let mut all: Vec<Marked> = vec![Vec::new()];
        let mut begin = self.module.initial.clone();
        begin.sort_unstable();
        begin.dedup();
        for state in begin {
            if self.module.states[state].location != location {
                continue;
            }
            let marks: &[Mark] = if !self.deterministic[state] {
                &[Mark::Choosing]
            } else if self.is_accepting(state) {
                &[Mark::Watched]
            } else {
                &[Mark::Watched, Mark::Safe]
            };
            all = extended(all, state, marks);
        }
        all
    }

    /// The marked states behind marked states.
    fn steps(&self, marked: &Marked, location: Location) -> Result<Vec<Marked>, Refusal> {
        let new_watch = !marked.iter().any(|&(_, mark)| mark == Mark::Watched);
        // For every state behind: whether it must be safe, must not be safe, and is watched.
        let mut behind: std::collections::BTreeMap<usize, [bool; 3]> = std::collections::BTreeMap::new();
        for &(state, mark) in marked {
            for to in self.behind(state, location) {
                let entry = behind.entry(to).or_default();
                entry[0] |= mark == Mark::Safe;
                let stays = matches!(mark, Mark::Checked | Mark::Watched) && !self.is_accepting(state);
                entry[1] |= stays || self.is_accepting(to);
                entry[2] |= mark == Mark::Watched;
            }
        }
        let mut all: Vec<Marked> = vec![Vec::new()];
        for (to, [safe, not_safe, watched]) in behind {
            let checked = if new_watch || watched { Mark::Watched } else { Mark::Checked };
            let marks: &[Mark] = match (self.deterministic[to], safe, not_safe) {
                (false, ..) => &[Mark::Choosing],
                (true, true, true) => return Ok(Vec::new()),
                (true, true, false) => &[Mark::Safe],
                (true, false, true) => &[checked],
                (true, false, false) => &[checked, Mark::Safe],
            };
            all = extended(all, to, marks);
            if all.len() > MOST_SUCCESSORS {
                return Err(Refusal::Interrupted(Interrupted(Limit::Memory)));
            }
        }
        Ok(all)
    }
}

/// Each marked set with each mark for one more state.
fn extended(all: Vec<Marked>, state: usize, marks: &[Mark]) -> Vec<Marked> {
    let mut longer = Vec::with_capacity(all.len() * marks.len());
    for marked in all {
        for &mark in marks {
            let mut marked = marked.clone();
            marked.push((state, mark));
            longer.push(marked);
        }
    }
    longer
}

/// The strongly connected components of a graph: the number of each state's (Tarjan, SIAM Journal on Computing 1972).
pub(super) fn components(next: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = next.len();
    let (mut index, mut low, mut component) = (vec![NONE; count], vec![0; count], vec![NONE; count]);
    let (mut order, mut found) = (0, 0);
    let mut open: Vec<usize> = Vec::new();
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        let mut pending = vec![(root, 0usize)];
        while let Some(&mut (state, ref mut position)) = pending.last_mut() {
            if *position == 0 {
                index[state] = order;
                low[state] = order;
                order += 1;
                open.push(state);
            }
            if let Some(&to) = next[state].get(*position) {
                *position += 1;
                if index[to] == NONE {
                    pending.push((to, 0));
                } else if component[to] == NONE {
                    low[state] = low[state].min(index[to]);
                }
                continue;
            }
            pending.pop();
            if let Some(&(before, _)) = pending.last() {
                low[before] = low[before].min(low[state]);
            }
            if low[state] == index[state] {
                while let Some(member) = open.pop() {
                    component[member] = found;
                    if member == state {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}
