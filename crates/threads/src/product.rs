//! The product of all threads: where each of them is, and which of them goes on, reduced to what errors need.
//!
//! **Reduction.** At every state a set T of threads is chosen such that the next step of each thread in T is independent
//! of everything that the others can do from where they are, as long as T does nothing (they wait where they join a thread
//! in T): neither accesses what the other writes. Only the threads in
//! T go on. Take any execution to an error from here. If it contains a step of T, then the first such step can be moved
//! to its front. If it contains none, it can also be executed after a step of T, or without the threads in T. So it is
//! enough to explore the steps of T, and, where these might lead nowhere, additionally what the others do without T: at
//! states where no step of T is always possible, and at one state at least of every cycle. The latter are found by
//! depth-first search: a state whose successor is on the stack.
//!
//! **Threads without influence** are left out as soon as they have none: those that cannot fail and write nothing that
//! the rest will read. A thread that is left out gives its slot back, so does one that is over and will not be joined.
//!
//! **Order.** Where the order of threads makes no difference, the first one goes on as far as it can; or, in lockstep, the
//! threads take turns, an iteration of a loop each ([`Order`]).
//!
//! In an atomic part only one thread goes on; if it cannot, the execution ends, as if the part had not begun.
//!
//! Guarantees: an error is reachable in the product if and only if it is reachable in some interleaving in which no fork
//! finds its pool full; a fork that does is a transition of its own. Cost: number of states times the square of the
//! number of threads.

use crate::bits::{Accesses, Bits};
use crate::code::Action;
use crate::constants::{Constants, Known, MOST_VALUES};
use crate::system::{Facts, System};
use crate::{Beyond, Options, Order, Refused};
use base::Budget;
use ir::{Boundary, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A slot whose thread is not there.
const IDLE: u32 = u32::MAX;
/// A slot whose thread is over and waits to be joined.
const FINISHED: u32 = u32::MAX - 1;
/// Deeper nesting of atomic parts is not counted.
const DEEPEST: u32 = 1000;

/// A place for a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Nothing for the first thread.
    pub(crate) pool: Option<usize>,
    pub(crate) code: usize,
}

/// Where all threads are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    at: Box<[u32]>,
    /// The thread in an atomic part, and how deep it is in there.
    atomic: Option<(u32, u32)>,
    /// The values of variables that name threads.
    known: Known,
    /// The names of the threads, where they are numbers that are known.
    names: Box<[Option<i64>]>,
    /// Who goes first where the order makes no difference.
    turn: u32,
}

/// What happens between two states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The thread does what stands at the node.
    Step,
    /// Nothing that is seen.
    Silent,
    /// A thread starts in the slot.
    Fork(usize),
    /// There is no slot for a new thread.
    Full,
    /// The thread in the slot is joined; whether it is surely the one that was asked for.
    Join(usize, bool),
}

/// A way from a state to one of others.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) slot: usize,
    pub(crate) node: usize,
    pub(crate) event: Event,
    pub(crate) targets: Vec<usize>,
}

/// The product.
pub(crate) struct Product {
    pub(crate) slots: Vec<Slot>,
    /// The transitions of every state; the first state is the initial one.
    pub(crate) transitions: Vec<Vec<Transition>>,
    /// Whether a fork may find no slot.
    pub(crate) bounded: bool,
    /// Whether it was a thread's turn before that of one in an earlier slot.
    pub(crate) turns: bool,
}

struct Explorer<'a> {
    system: &'a System,
    options: &'a Options,
    slots: Vec<Slot>,
    states: Vec<State>,
    numbers: FxHashMap<State, usize>,
    transitions: Vec<Vec<Transition>>,
    on_stack: Vec<bool>,
    visible: Bits,
    bounded: bool,
    turns: bool,
    constants: &'a Constants<'a>,
    /// The values that the variables had so far.
    values: Vec<BTreeSet<i64>>,
}

/// The product of the threads of a system.
pub(crate) fn explore(
    program: &Program,
    system: &System,
    options: &Options,
    budget: &Budget,
) -> Result<Product, Refused> {
    let mut constants = Constants::new(program, system);
    loop {
        match explore_with(&constants, system, options, budget)? {
            Explored::Product(product) => return Ok(product),
            Explored::TooManyValues(number) => constants.give_up(number),
        }
    }
}

/// How an exploration ends.
enum Explored {
    Product(Product),
    /// A variable had too many values to be followed.
    TooManyValues(usize),
}

fn explore_with(
    constants: &Constants<'_>,
    system: &System,
    options: &Options,
    budget: &Budget,
) -> Result<Explored, Refused> {
    let mut slots = vec![Slot { pool: None, code: 0 }];
    for (pool, data) in system.pools.iter().enumerate() {
        slots.extend((0..data.slots).map(|_| Slot { pool: Some(pool), code: data.code }));
    }
    let mut at = vec![IDLE; slots.len()];
    at[0] = system.codes[0].entry as u32;
    let names = vec![None; slots.len()].into();
    let known = constants.nothing();
    let mut explorer = Explorer {
        values: vec![BTreeSet::new(); known.len()],
        constants,
        system,
        options,
        slots,
        states: Vec::new(),
        numbers: FxHashMap::default(),
        transitions: Vec::new(),
        on_stack: Vec::new(),
        visible: system.without_capacities(),
        bounded: false,
        turns: false,
    };
    explorer.number(State { at: at.into(), atomic: None, known, names, turn: 0 });
    if let Some(number) = explorer.run(budget)? {
        return Ok(Explored::TooManyValues(number));
    }
    let Explorer { slots, transitions, bounded, turns, .. } = explorer;
    Ok(Explored::Product(Product { slots, transitions, bounded, turns }))
}

impl Explorer<'_> {
    /// Explores; ends early at a variable that has too many values.
    fn run(&mut self, budget: &Budget) -> Result<Option<usize>, Refused> {
        // States on the way with the successors that are still to be visited.
        let mut stack: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut next = Some(0);
        let mut expanded = vec![false];
        loop {
            if let Some(state) = next.take() {
                budget.check().map_err(Refused::Interrupted)?;
                self.on_stack[state] = true;
                let transitions = self.expand(state);
                if let Some(number) = self.values.iter().position(|values| values.len() > MOST_VALUES) {
                    return Ok(Some(number));
                }
                expanded.resize(self.states.len(), false);
                expanded[state] = true;
                let mut successors: Vec<usize> =
                    transitions.iter().flat_map(|transition| transition.targets.iter().copied()).collect();
                successors.reverse();
                self.transitions[state] = transitions;
                if self.states.len() > self.options.most_states {
                    return Err(Refused::TooManyStates(self.options.most_states));
                }
                stack.push((state, successors));
            }
            let Some((state, successors)) = stack.last_mut() else { return Ok(None) };
            match successors.pop() {
                Some(successor) if !expanded[successor] => next = Some(successor),
                Some(_) => {}
                None => {
                    self.on_stack[*state] = false;
                    stack.pop();
                }
            }
        }
    }

    fn facts(&self, slot: usize, node: u32) -> &Facts {
        &self.system.facts[self.slots[slot].code][node as usize]
    }

    /// The slots with threads that can go on.
    fn live(&self, state: &State) -> Vec<usize> {
        (0..state.at.len()).filter(|&slot| state.at[slot] < FINISHED).collect()
    }

    fn number(&mut self, mut state: State) -> usize {
        self.forget(&mut state);
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        for (values, known) in self.values.iter_mut().zip(&state.known) {
            values.extend(known);
        }
        let number = self.states.len();
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        self.transitions.push(Vec::new());
        self.on_stack.push(false);
        number
    }

    /// Leaves out threads without influence.
    fn forget(&self, state: &mut State) {
        let live = self.live(state);
        let future = |slot: usize| &self.facts(slot, state.at[slot]).future;
        let mut kept: Vec<usize> = Vec::new();
        let mut rest: Vec<usize> = Vec::new();
        // What an atomic part has begun counts only if it comes to its end.
        let owner = state.atomic.map(|(owner, _)| owner as usize);
        for &slot in &live {
            let stays = owner == Some(slot) || self.facts(slot, state.at[slot]).can_fail;
            if stays { &mut kept } else { &mut rest }.push(slot);
        }
        // What those read that stay. Nobody waits for a free slot, so capacities are of no interest.
        let mut reads = Accesses::default().reads;
        if let Some(&first) = live.first() {
            reads = Bits::empty_like(&future(first).reads);
        }
        kept.iter().for_each(|&slot| {
            reads.unite(&future(slot).reads);
        });
        loop {
            let visible = reads.intersection(&self.visible);
            let found = rest.iter().position(|&slot| future(slot).writes.intersects(&visible));
            let Some(position) = found else { break };
            let slot = rest.remove(position);
            reads.unite(&future(slot).reads);
            kept.push(slot);
        }
        let awaited = |slot: usize| {
            let pool = self.slots[slot].pool;
            pool.is_some_and(|pool| kept.iter().any(|&other| self.system.awaits(pool, future(other))))
        };
        let over: Vec<usize> = (0..state.at.len())
            .filter(|&slot| state.at[slot] == FINISHED && !awaited(slot))
            .chain(rest.iter().copied())
            .collect();
        for slot in over {
            state.at[slot] = IDLE;
        }
        for slot in 0..state.at.len() {
            if state.at[slot] == IDLE {
                state.names[slot] = None;
            }
        }
        let live = self.live(state);
        if let Some(&first) = live.first() {
            let next = live.iter().find(|&&slot| slot >= state.turn as usize);
            state.turn = *next.unwrap_or(&first) as u32;
        }
    }

    /// The transitions of a state that are explored.
    fn expand(&mut self, number: usize) -> Vec<Transition> {
        let state = self.states[number].clone();
        if let Some((owner, _)) = state.atomic {
            return self.transitions_of(&state, owner as usize);
        }
        let live = self.live(&state);
        let Some((chosen, total)) = self.choose(&state, &live) else { return Vec::new() };
        let mut transitions = Vec::new();
        for &slot in &chosen {
            transitions.extend(self.transitions_of(&state, slot));
        }
        if chosen.len() < live.len() {
            self.turns |= live[0] < state.turn as usize;
            let mut targets = transitions.iter().flat_map(|transition| &transition.targets);
            if !total || targets.any(|&target| self.on_stack[target]) {
                let mut others = state.clone();
                for &slot in &chosen {
                    others.at[slot] = IDLE;
                }
                let can_fail = |slot: &usize| self.facts(*slot, others.at[*slot]).can_fail;
                if self.live(&others).iter().any(can_fail) {
                    let (slot, node) = (chosen[0], state.at[chosen[0]] as usize);
                    let targets = vec![self.number(others)];
                    transitions.push(Transition { slot, node, event: Event::Silent, targets });
                }
            }
        }
        transitions
    }

    /// The threads that go on, and whether one of them surely can.
    fn choose(&self, state: &State, live: &[usize]) -> Option<(Vec<usize>, bool)> {
        let facts = |slot: usize| self.facts(slot, state.at[slot]);
        let mut best: Option<((bool, usize, usize), Vec<usize>)> = None;
        let (before, after) = live.split_at(live.partition_point(|&slot| slot < state.turn as usize));
        for &seed in after.iter().chain(before) {
            let mut chosen = vec![seed];
            let mut next = 0;
            while let Some(&slot) = chosen.get(next) {
                next += 1;
                for &other in live {
                    if !chosen.contains(&other) && self.depend(state, slot, other) {
                        chosen.push(other);
                    }
                }
            }
            let stuck = chosen.len() < live.len() && !chosen.iter().any(|&slot| facts(slot).total);
            let ways = chosen.iter().filter(|&&slot| self.may_go_on(state, slot)).count();
            let rank = (stuck, ways, chosen.len());
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, chosen));
            }
        }
        let (_, mut chosen) = best?;
        chosen.sort_unstable();
        let total = chosen.iter().any(|&slot| facts(slot).total);
        Some((chosen, total))
    }

    /// Whether the next step of a thread depends on what another one can do from where it is.
    fn depend(&self, state: &State, slot: usize, other: usize) -> bool {
        let (own, others) = (self.facts(slot, state.at[slot]), self.facts(other, state.at[other]));
        let (pool, code) = (self.slots[slot].pool, self.slots[other].code);
        let future = self.system.future_without(pool, code, state.at[other] as usize);
        if !own.step.conflict(future) {
            return false;
        }
        // A join that waits for a thread by its name does not care for the end of others.
        match self.awaited(state, slot) {
            Some(awaited) if !awaited.contains(&other) && !others.meets => own.alone.conflict(future),
            _ => true,
        }
    }

    /// The slots whose threads a join waits for, if the names of all threads are known.
    fn awaited(&self, state: &State, slot: usize) -> Option<Vec<usize>> {
        let (code, node) = (self.slots[slot].code, state.at[slot] as usize);
        let name = self.asked(state, code, node)?;
        let pools = &self.system.joined[&(code, node)];
        let mut found = Vec::new();
        for other in (0..state.at.len()).filter(|&other| state.at[other] != IDLE) {
            let Some(pool) = self.slots[other].pool else { continue };
            if pools.iter().any(|&(known, _)| known == pool) && state.names[other]? == name {
                found.push(other);
            }
        }
        Some(found)
    }

    /// The name that a join asks for, if it is known.
    fn asked(&self, state: &State, code: usize, node: usize) -> Option<i64> {
        match &self.system.codes[code].nodes[node].action {
            Action::Join { thread, .. } => match thread[..] {
                [name] => self.constants.number(&state.known, name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a thread has a step here, as far as control tells.
    fn may_go_on(&self, state: &State, slot: usize) -> bool {
        let (code, node) = (self.slots[slot].code, state.at[slot] as usize);
        match self.system.codes[code].nodes[node].action {
            Action::Join { .. } => !self.joinable(state, code, node).is_empty(),
            _ => true,
        }
    }

    /// The slots whose threads a join can take now.
    fn joinable(&self, state: &State, code: usize, node: usize) -> Vec<(usize, bool)> {
        let pools = &self.system.joined[&(code, node)];
        let sure = |pool: usize| pools.iter().find(|(known, _)| *known == pool).map(|(_, sure)| *sure);
        let finished = (0..state.at.len()).filter(|&slot| state.at[slot] == FINISHED);
        let asked = self.asked(state, code, node);
        let named = |slot: usize, sure: bool| match (asked, state.names[slot]) {
            (Some(asked), Some(name)) => (asked == name).then_some((slot, true)),
            _ => Some((slot, sure)),
        };
        finished.filter_map(|slot| named(slot, sure(self.slots[slot].pool?)?)).collect()
    }

    /// What a thread can do.
    fn transitions_of(&mut self, state: &State, slot: usize) -> Vec<Transition> {
        let code = self.slots[slot].code;
        let node = state.at[slot] as usize;
        let data = &self.system.codes[code].nodes[node];
        let moved = |next: usize| {
            let mut moved = state.clone();
            moved.at[slot] = next as u32;
            if self.options.order == Order::Lockstep && self.system.heads[code][next] {
                moved.turn = slot as u32 + 1;
            }
            moved
        };
        let silent = |explorer: &mut Self, state: State| {
            let targets = vec![explorer.number(state)];
            vec![Transition { slot, node, event: Event::Silent, targets }]
        };
        match &data.action {
            Action::Step(statements) => {
                let mut after = moved(data.next[0]);
                self.constants.execute(&mut after.known, statements);
                let targets = vec![self.number(after)];
                vec![Transition { slot, node, event: Event::Step, targets }]
            }
            Action::Branch(condition) => match self.constants.holds(&state.known, *condition) {
                Some(truth) => silent(self, moved(data.next[usize::from(!truth)])),
                None => {
                    let targets = data.next.iter().map(|&next| self.number(moved(next))).collect();
                    vec![Transition { slot, node, event: Event::Step, targets }]
                }
            },
            Action::Goto => {
                let targets = data.next.iter().map(|&next| self.number(moved(next))).collect();
                vec![Transition { slot, node, event: Event::Step, targets }]
            }
            Action::Atomic(boundary) => {
                let mut after = moved(data.next[0]);
                let depth = state.atomic.map_or(0, |(_, depth)| depth);
                let depth = match boundary {
                    Boundary::Begin => (depth + 1).min(DEEPEST),
                    Boundary::End => depth.saturating_sub(1),
                };
                after.atomic = (depth > 0).then_some((slot as u32, depth));
                silent(self, after)
            }
            Action::End => {
                let joinable = self.slots[slot].pool.is_some_and(|pool| self.system.pools[pool].joinable);
                let mut after = state.clone();
                after.at[slot] = if joinable { FINISHED } else { IDLE };
                after.atomic = None;
                silent(self, after)
            }
            Action::Fork { thread, .. } => {
                let pool = self.system.pool_of[&(code, node)];
                let free = |&other: &usize| self.slots[other].pool == Some(pool) && state.at[other] == IDLE;
                let found = (0..self.slots.len()).find(free);
                let Some(other) = found else {
                    self.bounded = true;
                    return match self.options.beyond {
                        Beyond::Marked => {
                            vec![Transition { slot, node, event: Event::Full, targets: Vec::new() }]
                        }
                        Beyond::Cut => Vec::new(),
                    };
                };
                let mut after = moved(data.next[0]);
                let started = &self.system.codes[self.slots[other].code];
                after.at[other] = started.entry as u32;
                after.names[other] = match thread[..] {
                    [name] => self.constants.number(&state.known, name),
                    _ => None,
                };
                self.constants.execute(&mut after.known, &started.start);
                let targets = vec![self.number(after)];
                vec![Transition { slot, node, event: Event::Fork(other), targets }]
            }
            Action::Join { results, .. } => {
                let mut transitions = Vec::new();
                for (other, sure) in self.joinable(state, code, node) {
                    let mut after = moved(data.next[0]);
                    self.constants.forget(&mut after.known, results);
                    after.at[other] = IDLE;
                    let targets = vec![self.number(after)];
                    transitions.push(Transition { slot, node, event: Event::Join(other, sure), targets });
                }
                transitions
            }
        }
    }
}
