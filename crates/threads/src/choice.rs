//! Which threads go on at a state of the product.
//!
//! A set of threads may be chosen if no thread in it depends on one outside ([`Explorer::depend`]); [`crate::product`] says why. For every
//! thread there is a smallest such set that contains it. Of these, one is taken in which somebody can surely go on, that has as few threads that can go on as
//! possible, and then as few threads at all; of several such sets, that of the thread whose turn it is earlier.
//!
//! Mostly the first thread depends on nobody and can go on, and no set is better than that one: it costs to look at each of the others once.
//! Otherwise threads that are at the same place are taken together, as they depend on the same threads and the same threads depend on them. (A join may wait for a
//! thread by its name, so it is taken by itself.) Who may depend on whom is looked up by the variables that both access. So the cost is the size of what
//! all threads can still access, plus, for every place, that of the sets. Where nobody can surely go on, only the set of all threads would be better than one thread; nobody's
//! set has all of them if there are two with which no other one conflicts.

use crate::code::Action;
use crate::product::{Explorer, State};
use rustc_hash::FxHashMap;

/// With assertions of the compiler, choices among so many threads are compared with their definition.
const MOST_COMPARED: usize = 8;

/// A choice that is to be made.
pub(crate) struct Choice<'c, 'a, 'e> {
    pub(crate) explorer: &'c Explorer<'a, 'e>,
    pub(crate) state: &'c State,
    /// The threads that are not over, in ascending order.
    pub(crate) live: &'c [usize],
}

/// What tells threads apart: their code, where they are in it, the pool where it makes a difference, and, for joins, the slot.
type Kind = (usize, u32, Option<usize>, Option<usize>);

/// Threads at the same place.
struct Class {
    members: Vec<usize>,
    /// Whether they depend on each other.
    on_itself: bool,
    /// The other classes on which they depend; nothing as long as nobody has asked.
    on: Option<Vec<On>>,
    /// How many of them can go on, as far as control tells.
    ways: usize,
    total: bool,
}

/// What a class depends on.
#[derive(Clone, Copy)]
enum On {
    All(usize),
    /// A join that waits for one of several threads depends on that one.
    One(usize),
}

/// How good a set is: whether nobody in it can surely go on, how many can, how many there are.
type Rank = (bool, usize, usize);

impl Choice<'_, '_, '_> {
    /// The threads that go on in ascending order, and whether one of them surely can. Nothing if there are no threads.
    pub(crate) fn made(&self) -> Option<(Vec<usize>, bool)> {
        let made = self.quickly();
        debug_assert!(self.live.len() > MOST_COMPARED || made == self.slowly());
        made
    }

    /// The choice as it is defined.
    fn slowly(&self) -> Option<(Vec<usize>, bool)> {
        let turn = self.live.partition_point(|&slot| slot < self.state.turn as usize);
        let (before, after) = self.live.split_at(turn);
        let mut sets: Vec<(Rank, Vec<usize>)> = Vec::new();
        for &seed in after.iter().chain(before) {
            let mut chosen = vec![seed];
            let mut next = 0;
            while let Some(&slot) = chosen.get(next) {
                next += 1;
                for &other in self.live {
                    if !chosen.contains(&other) && self.depend(slot, other) {
                        chosen.push(other);
                    }
                }
            }
            let stuck = chosen.len() < self.live.len() && !chosen.iter().any(|&slot| self.is_total(slot));
            let goes_on = |&&slot: &&usize| self.explorer.may_go_on(self.state, slot);
            let ways = chosen.iter().filter(goes_on).count();
            sets.push(((stuck, ways, chosen.len()), chosen));
        }
        let (_, mut chosen) = sets.into_iter().min_by_key(|&(rank, _)| rank)?;
        chosen.sort_unstable();
        let total = chosen.iter().any(|&slot| self.is_total(slot));
        Some((chosen, total))
    }

    fn quickly(&self) -> Option<(Vec<usize>, bool)> {
        let turn = self.live.partition_point(|&slot| slot < self.state.turn as usize);
        let (before, after) = self.live.split_at(turn);
        let seeds = || after.iter().chain(before).copied();
        let first = seeds().next()?;
        let alone = || self.live.iter().all(|&other| other == first || !self.depend(first, other));
        if self.is_total(first) && alone() {
            return Some((vec![first], true));
        }
        let mut graph = Graph::of(self);
        let mut seen = vec![false; graph.classes.len()];
        let (rank, chosen) = graph.closure(self, first);
        seen[graph.class_of[&first]] = !graph.named;
        let mut best = (rank, chosen);
        // A better set has somebody who surely goes on, or nobody who goes on at all, or all threads.
        let hopeless = best.0 == (true, 1, 1)
            && graph.classes.iter().all(|class| !class.total && class.ways == class.members.len())
            && graph.unseen(self) > 1;
        for seed in seeds() {
            if hopeless || best.0 == (false, 1, 1) {
                break;
            }
            // Others of a class have sets that are just as good, unless these are about threads with certain names.
            let class = graph.class_of[&seed];
            if seed == first || seen[class] {
                continue;
            }
            let (rank, chosen) = graph.closure(self, seed);
            seen[class] = !graph.named;
            if rank < best.0 {
                best = (rank, chosen);
            }
        }
        let (_, mut chosen) = best;
        chosen.sort_unstable();
        let total = chosen.iter().any(|&slot| self.is_total(slot));
        Some((chosen, total))
    }

    fn is_total(&self, slot: usize) -> bool {
        self.explorer.facts(slot, self.state.at[slot]).total
    }

    fn depend(&self, slot: usize, other: usize) -> bool {
        self.explorer.depend(self.state, slot, other)
    }

    fn joins(&self, slot: usize) -> bool {
        let code = &self.explorer.system.codes[self.explorer.slots[slot].code];
        matches!(code.nodes[self.state.at[slot] as usize].action, Action::Join { .. })
    }
}

/// Who depends on whom.
struct Graph {
    classes: Vec<Class>,
    class_of: FxHashMap<usize, usize>,
    /// The shared variables with the classes that may still read them, and with those that may still write them, in ascending order.
    readers: Vec<(usize, usize)>,
    writers: Vec<(usize, usize)>,
    /// The number of the present set, and of the last ones for which a class was looked up and chosen as a whole.
    round: usize,
    looked_up: Vec<usize>,
    chosen: Vec<usize>,
    /// Whether the present set has a join that depends on some threads of a class only.
    named: bool,
}

impl Graph {
    fn of(choice: &Choice<'_, '_, '_>) -> Graph {
        let Choice { explorer, state, live } = *choice;
        let mut graph = Graph {
            classes: Vec::new(),
            class_of: FxHashMap::default(),
            readers: Vec::new(),
            writers: Vec::new(),
            round: 0,
            looked_up: Vec::new(),
            chosen: Vec::new(),
            named: false,
        };
        let mut numbers: FxHashMap<Kind, usize> = FxHashMap::default();
        for &slot in live {
            let place = explorer.slots[slot];
            let joins = choice.joins(slot).then_some(slot);
            let kind = (place.code, state.at[slot], explorer.system.until(place.pool), joins);
            let number = *numbers.entry(kind).or_insert(graph.classes.len());
            if number == graph.classes.len() {
                let (members, total) = (Vec::new(), choice.is_total(slot));
                graph.classes.push(Class { members, on_itself: false, on: None, ways: 0, total });
                let future = &explorer.facts(slot, state.at[slot]).future;
                graph.readers.extend(future.reads.members().map(|variable| (variable, number)));
                graph.writers.extend(future.writes.members().map(|variable| (variable, number)));
            }
            let class = &mut graph.classes[number];
            class.ways += usize::from(explorer.may_go_on(state, slot));
            class.members.push(slot);
            graph.class_of.insert(slot, number);
        }
        graph.readers.sort_unstable();
        graph.writers.sort_unstable();
        graph.looked_up = vec![0; graph.classes.len()];
        graph.chosen = vec![0; graph.classes.len()];
        graph
    }

    /// The classes with which the next step of a class conflicts, perhaps its own among them.
    fn near(&self, choice: &Choice<'_, '_, '_>, class: usize) -> Vec<usize> {
        let slot = self.classes[class].members[0];
        let step = &choice.explorer.facts(slot, choice.state.at[slot]).step;
        let with = |of: &[(usize, usize)], variable: usize, near: &mut Vec<usize>| {
            let first = of.partition_point(|&(known, _)| known < variable);
            let found = of[first..].iter().take_while(|&&(known, _)| known == variable);
            near.extend(found.map(|&(_, class)| class));
        };
        let mut near: Vec<usize> = Vec::new();
        for variable in step.writes.members() {
            with(&self.readers, variable, &mut near);
            with(&self.writers, variable, &mut near);
        }
        step.reads.members().for_each(|variable| with(&self.writers, variable, &mut near));
        near.sort_unstable();
        near.dedup();
        near
    }

    /// How many threads there are with which no step of another one conflicts: a set that contains two of them was not
    /// found by looking for those on which others depend.
    fn unseen(&self, choice: &Choice<'_, '_, '_>) -> usize {
        let mut seen = vec![false; self.classes.len()];
        for class in 0..self.classes.len() {
            for other in self.near(choice, class) {
                seen[other] |= other != class || self.classes[class].members.len() > 1;
            }
        }
        seen.into_iter()
            .zip(&self.classes)
            .filter(|(seen, _)| !seen)
            .map(|(_, class)| class.members.len())
            .sum()
    }

    /// Finds out on whom the threads of a class depend.
    fn look_up(&mut self, choice: &Choice<'_, '_, '_>, class: usize) {
        if self.classes[class].on.is_some() {
            return;
        }
        let slot = self.classes[class].members[0];
        let near = self.near(choice, class);
        let joins = choice.joins(slot);
        let mut on = Vec::new();
        for other in near {
            let members = &self.classes[other].members;
            if other == class {
                self.classes[class].on_itself =
                    members.get(1).is_some_and(|&another| choice.depend(slot, another));
            } else if joins {
                on.extend(
                    members.iter().filter(|&&other| choice.depend(slot, other)).map(|&slot| On::One(slot)),
                );
            } else if choice.depend(slot, members[0]) {
                on.push(On::All(other));
            }
        }
        self.classes[class].on = Some(on);
    }

    /// The smallest set that contains a thread and all on which its members depend.
    fn closure(&mut self, choice: &Choice<'_, '_, '_>, seed: usize) -> (Rank, Vec<usize>) {
        self.round += 1;
        self.named = false;
        // Classes that are chosen as a whole, and threads of others.
        let mut whole: Vec<usize> = Vec::new();
        let mut single: Vec<usize> = vec![seed];
        let mut pending: Vec<usize> = vec![self.class_of[&seed]];
        while let Some(class) = pending.pop() {
            if std::mem::replace(&mut self.looked_up[class], self.round) == self.round {
                continue;
            }
            self.look_up(choice, class);
            if self.classes[class].on_itself {
                self.add_whole(class, &mut whole);
            }
            for on in self.classes[class].on.clone().into_iter().flatten() {
                match on {
                    On::All(other) => {
                        self.add_whole(other, &mut whole);
                        pending.push(other);
                    }
                    On::One(slot) => {
                        self.named = true;
                        single.push(slot);
                        pending.push(self.class_of[&slot]);
                    }
                }
            }
        }
        single.sort_unstable();
        single.dedup();
        single.retain(|slot| self.chosen[self.class_of[slot]] != self.round);
        let mut ways = single.iter().filter(|&&slot| choice.explorer.may_go_on(choice.state, slot)).count();
        let mut total = single.iter().any(|&slot| choice.is_total(slot));
        let mut chosen = single;
        for class in whole.into_iter().map(|class| &self.classes[class]) {
            chosen.extend(&class.members);
            ways += class.ways;
            total |= class.total;
        }
        let stuck = chosen.len() < choice.live.len() && !total;
        ((stuck, ways, chosen.len()), chosen)
    }

    fn add_whole(&mut self, class: usize, whole: &mut Vec<usize>) {
        if std::mem::replace(&mut self.chosen[class], self.round) != self.round {
            whole.push(class);
        }
    }
}
