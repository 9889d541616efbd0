//! The product of all threads: where each of them is, and which of them goes on, reduced to what errors need.
//!
//! **Reduction.** At every state a set T of threads is chosen such that the next step of each thread in T is independent
//! of everything that the others can do from where they are, as long as T does nothing (they wait where they join a thread
//! in T): neither accesses what the other writes, or neither can fail and the step of T can always go first
//! ([`crate::exchange`]). Only the threads in T go on. Take any execution to an error from here. If it contains a step of T, then the first such step can be moved
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
//! **Races.** At a state where two threads are about to access a cell of a watched variable and not both only read or both are
//! atomic ([`ir::accesses`]), there is a transition to an error. Such steps depend on each other, so if a set T as above contains one of
//! the two threads, it contains the other: either T moves neither of them, or it moves both and the state at which they meet is reached
//! by the argument above, as an execution to it has no step of theirs left exactly when they are there. In an atomic part only its
//! owner can meet others; the race counts when the part comes to its end, so until then a state remembers it.
//!
//! Guarantees: an error is reachable in the product if and only if it is reachable in some interleaving in which no fork
//! finds its pool full; a fork that does is a transition of its own. Cost: for every state the number of threads, where the first one
//! that can go on depends on no other; otherwise that of [`crate::choice`].

use crate::bits::{Accesses, Bits};
use crate::choice::Choice;
use crate::code::Action;
use crate::constants::{Constants, Follow, Known, MOST_VALUES};
use crate::exchange::Exchange;
use crate::recursion;
use crate::system::{Facts, System};
use crate::{Beyond, Options, Order, Refused};
use base::Budget;
use ir::accesses::Access;
use ir::{Boundary, Mark, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) at: Box<[u32]>,
    /// The thread in an atomic part, and how deep it is in there.
    atomic: Option<(u32, u32)>,
    /// The values of variables that name threads.
    known: Known,
    /// The names of the threads, where they are numbers that are known.
    names: Rc<[Option<i64>]>,
    /// Who goes first where the order makes no difference.
    pub(crate) turn: u32,
    /// The race that the present atomic part is in.
    raced: Option<u32>,
}

impl Hash for State {
    /// The names of threads say little that the rest does not, so they are left out. Values are mixed before they are hashed, because that is
    /// quicker than to hash each by itself.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let mix = |hash: u64, known: &Option<i64>| {
            hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(known.map_or(1, |value| value as u64 ^ 2))
        };
        self.at.hash(hasher);
        (self.atomic, self.turn, self.raced).hash(hasher);
        self.known.iter().fold(0, mix).hash(hasher);
    }
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
    /// A recursive call that others may disturb is not one step.
    Disturbed,
    /// The thread in the slot is joined; whether it is surely the one that was asked for.
    Join(usize, bool),
    /// Two threads race, if the indices of their accesses say so.
    Race(usize),
    /// Two threads race in an atomic part, which goes on.
    Note(usize),
    /// The atomic part with a race has come to its end.
    Raced(usize),
    /// All threads wait, if what they wait for says so.
    Stuck(usize),
}

/// A thread that waits at an assumption or for the end of another one.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) slot: usize,
    pub(crate) node: usize,
    /// The threads that are over and may have the name that a join asks for.
    pub(crate) others: Vec<usize>,
}

/// An access that a thread is about to make.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Accessing {
    pub(crate) slot: usize,
    pub(crate) node: usize,
    /// The number of the access among those of the node.
    pub(crate) access: usize,
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
    /// The accesses that may be races, by the numbers in events.
    pub(crate) races: Vec<[Accessing; 2]>,
    /// The threads that may all wait, by the numbers in events.
    pub(crate) waiting: Vec<Vec<Waiting>>,
    /// Whether a fork may find no slot.
    pub(crate) bounded: bool,
    /// A recursive call that others may disturb: its code and its node.
    pub(crate) disturbed: Option<(usize, usize)>,
    /// Whether it was a thread's turn before that of one in an earlier slot.
    pub(crate) turns: bool,
}

/// What threads can access of watched variables: one of them at least, and several.
struct Watchers {
    one: Accesses,
    several: Accesses,
}

impl Watchers {
    fn add(&mut self, watched: &Accesses) {
        let reads = (&mut self.one.reads, &mut self.several.reads, &watched.reads);
        let writes = (&mut self.one.writes, &mut self.several.writes, &watched.writes);
        for (one, several, watched) in [reads, writes] {
            for variable in watched.members() {
                if one.contains(variable) { &mut *several } else { &mut *one }.insert(variable);
            }
        }
    }

    /// Whether a thread with such accesses, one of those that were added, conflicts with another one.
    fn disturb(&self, own: &Accesses) -> bool {
        let others_read = |variable: usize| match own.reads.contains(variable) {
            true => self.several.reads.contains(variable),
            false => self.one.reads.contains(variable),
        };
        let others_write = |variable: usize| match own.writes.contains(variable) {
            true => self.several.writes.contains(variable),
            false => self.one.writes.contains(variable),
        };
        own.writes.members().any(|variable| others_read(variable) || others_write(variable))
            || own.reads.members().any(others_write)
    }
}

pub(crate) struct Explorer<'a, 'e> {
    /// Whether it is an error if all threads wait. Then all threads are kept, and at a state from which no thread surely
    /// goes on, all are explored: so a state in which nobody can go on is reached as in the full product.
    finds_deadlocks: bool,
    program: &'a Program,
    pub(crate) system: &'a System,
    options: &'a Options,
    pub(crate) slots: Vec<Slot>,
    /// The first slot of every pool.
    first_slots: Vec<usize>,
    states: Vec<Rc<State>>,
    numbers: FxHashMap<Rc<State>, usize>,
    transitions: Vec<Vec<Transition>>,
    races: Vec<[Accessing; 2]>,
    race_numbers: FxHashMap<[Accessing; 2], usize>,
    /// Whether there are watched variables.
    watches: bool,
    waiting: Vec<Vec<Waiting>>,
    on_stack: Vec<bool>,
    visible: Bits,
    bounded: bool,
    disturbed: Option<(usize, usize)>,
    turns: bool,
    constants: &'a Constants<'a>,
    exchange: &'a Exchange<'e>,
    /// The values that the variables had so far.
    values: Vec<BTreeSet<i64>>,
    /// A variable that had too many.
    too_many: Option<usize>,
}

/// The product of the threads of a system.
pub(crate) fn explore(
    program: &Program,
    system: &System,
    options: &Options,
    budget: &Budget,
) -> Result<Product, Refused> {
    let exchange = Exchange::new(program, system, budget);
    match explore_following(Follow::NamesAndFlags, (program, system, &exchange), options, budget) {
        // Flags that are not followed are for the engines to think about, and make fewer states.
        Err(Refused::TooManyStates(_)) => {
            explore_following(Follow::Names, (program, system, &exchange), options, budget)
        }
        other => other,
    }
}

fn explore_following(
    follow: Follow,
    (program, system, exchange): (&Program, &System, &Exchange<'_>),
    options: &Options,
    budget: &Budget,
) -> Result<Product, Refused> {
    let mut constants = Constants::new(program, system, follow);
    loop {
        match explore_with((program, system, exchange), &constants, options, budget)? {
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
    (program, system, exchange): (&Program, &System, &Exchange<'_>),
    constants: &Constants<'_>,
    options: &Options,
    budget: &Budget,
) -> Result<Explored, Refused> {
    let mut slots = vec![Slot { pool: None, code: 0 }];
    let mut first_slots = Vec::new();
    for (pool, data) in system.pools.iter().enumerate() {
        first_slots.push(slots.len());
        slots.extend((0..data.slots).map(|_| Slot { pool: Some(pool), code: data.code }));
    }
    let mut at = vec![IDLE; slots.len()];
    at[0] = system.codes[0].entry as u32;
    let names = vec![None; slots.len()].into();
    let known = constants.nothing();
    let mut explorer = Explorer {
        values: vec![BTreeSet::new(); known.len()],
        too_many: None,
        constants,
        exchange,
        finds_deadlocks: system.finds_deadlocks,
        program,
        system,
        options,
        slots,
        first_slots,
        states: Vec::new(),
        numbers: FxHashMap::default(),
        transitions: Vec::new(),
        races: Vec::new(),
        race_numbers: FxHashMap::default(),
        watches: ir::accesses::watches(program),
        waiting: Vec::new(),
        on_stack: Vec::new(),
        visible: system.without_capacities(),
        bounded: false,
        disturbed: None,
        turns: false,
    };
    explorer.number(State { at: at.into(), atomic: None, known, names, turn: 0, raced: None });
    if let Some(number) = explorer.run(budget)? {
        return Ok(Explored::TooManyValues(number));
    }
    let Explorer { slots, transitions, races, waiting, bounded, disturbed, turns, .. } = explorer;
    Ok(Explored::Product(Product { slots, transitions, races, waiting, bounded, disturbed, turns }))
}

impl Explorer<'_, '_> {
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
                if self.too_many.is_some() {
                    return Ok(self.too_many);
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

    pub(crate) fn facts(&self, slot: usize, node: u32) -> &Facts {
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
        // What the state before has as well was seen there.
        let before = self.states.last().map(Rc::clone);
        for (variable, known) in state.known.iter().enumerate() {
            if before.as_ref().is_none_or(|before| before.known[variable] != *known) {
                self.values[variable].extend(known);
                if self.values[variable].len() > MOST_VALUES {
                    self.too_many.get_or_insert(variable);
                }
            }
        }
        let state = Rc::new(state);
        let number = self.states.len();
        self.numbers.insert(Rc::clone(&state), number);
        self.states.push(state);
        self.transitions.push(Vec::new());
        self.on_stack.push(false);
        number
    }

    /// Leaves out threads without influence.
    fn forget(&self, state: &mut State) {
        let live = self.live(state);
        let future = |slot: usize| &self.facts(slot, state.at[slot]).future;
        let mut rest: Vec<usize> = Vec::new();
        // What those read that stay.
        let mut reads = Bits::empty_like(&self.visible);
        // What an atomic part has begun counts only if it comes to its end.
        let owner = state.atomic.map(|(owner, _)| owner as usize);
        let meetings = self.watchers(state, &live);
        for &slot in &live {
            let stays =
                owner == Some(slot) || self.finds_deadlocks || self.may_fail(state, slot, meetings.as_ref());
            if stays {
                reads.unite(&future(slot).reads);
            } else {
                rest.push(slot);
            }
        }
        // Nobody waits for a free slot, so capacities are of no interest.
        loop {
            let mut visible = reads.intersection(&self.visible);
            let before = rest.len();
            rest.retain(|&slot| {
                let stays = future(slot).writes.intersects(&visible);
                if stays && reads.unite(&future(slot).reads) {
                    visible = reads.intersection(&self.visible);
                }
                !stays
            });
            if rest.len() == before {
                break;
            }
        }
        // Those that stay read which of the threads that they may join are over.
        let awaited =
            |slot: usize| self.slots[slot].pool.is_some_and(|pool| self.system.awaits(pool, &reads));
        let over: Vec<usize> = (0..state.at.len())
            .filter(|&slot| state.at[slot] == FINISHED && !awaited(slot))
            .chain(rest.iter().copied())
            .collect();
        for slot in over {
            state.at[slot] = IDLE;
        }
        let is_left = |slot: &usize| state.at[*slot] == IDLE && state.names[*slot].is_some();
        let without: Vec<usize> = (0..state.at.len()).filter(is_left).collect();
        for slot in without {
            Rc::make_mut(&mut state.names)[slot] = None;
        }
        let mut live = (0..state.at.len()).filter(|&slot| state.at[slot] < FINISHED).peekable();
        if let Some(&first) = live.peek() {
            let next = live.find(|&slot| slot >= state.turn as usize);
            state.turn = next.unwrap_or(first) as u32;
        }
    }

    /// The transitions of a state that are explored.
    fn expand(&mut self, number: usize) -> Vec<Transition> {
        let state = Rc::clone(&self.states[number]);
        if let (Some(race), None) = (state.raced, state.atomic) {
            let race = race as usize;
            let Accessing { slot, node, .. } = self.races[race][0];
            return vec![Transition { slot, node, event: Event::Raced(race), targets: Vec::new() }];
        }
        let mut transitions = self.races(&state);
        if let Some(certain) = transitions.iter().find(|transition| self.is_certain(transition)) {
            // Whoever comes here has made an error, whatever may follow.
            return vec![certain.clone()];
        }
        if let Some((owner, _)) = state.atomic {
            transitions.extend(self.transitions_of(&state, owner as usize));
            return transitions;
        }
        let live = self.live(&state);
        let Some((mut chosen, total)) = Choice { explorer: self, state: &state, live: &live }.made() else {
            return transitions;
        };
        if self.finds_deadlocks {
            if live.iter().all(|&slot| self.may_wait(&state, slot)) {
                let (slot, node) = (live[0], state.at[live[0]] as usize);
                let event = Event::Stuck(self.waiting.len());
                let waiting = |&slot: &usize| {
                    let node = state.at[slot] as usize;
                    let code = self.slots[slot].code;
                    let joins = matches!(self.system.codes[code].nodes[node].action, Action::Join { .. });
                    let joinable = if joins { self.joinable(&state, code, node) } else { Vec::new() };
                    Waiting { slot, node, others: joinable.into_iter().map(|(other, _)| other).collect() }
                };
                self.waiting.push(live.iter().map(waiting).collect());
                transitions.push(Transition { slot, node, event, targets: Vec::new() });
            }
            if !total {
                chosen.clone_from(&live);
            }
        }
        for &slot in &chosen {
            transitions.extend(self.transitions_of(&state, slot));
        }
        if chosen.len() < live.len() {
            self.turns |= live[0] < state.turn as usize;
            let mut targets = transitions.iter().flat_map(|transition| &transition.targets);
            let returns = targets.any(|&target| self.on_stack[target]);
            if self.finds_deadlocks && returns {
                for &slot in live.iter().filter(|slot| chosen.binary_search(slot).is_err()) {
                    transitions.extend(self.transitions_of(&state, slot));
                }
            } else if !total || returns {
                let mut others = State::clone(&state);
                for &slot in &chosen {
                    others.at[slot] = IDLE;
                }
                let left = self.live(&others);
                let meetings = self.watchers(&others, &left);
                if left.iter().any(|&slot| self.may_fail(&others, slot, meetings.as_ref())) {
                    let (slot, node) = (chosen[0], state.at[chosen[0]] as usize);
                    let targets = vec![self.number(others)];
                    transitions.push(Transition { slot, node, event: Event::Silent, targets });
                }
            }
        }
        transitions
    }

    /// What the threads at a state can still access of watched variables, if there are any.
    fn watchers(&self, state: &State, live: &[usize]) -> Option<Watchers> {
        if !self.watches {
            return None;
        }
        let nothing = Bits::empty_like(&self.visible);
        let [one, several] = [(); 2].map(|()| Accesses { reads: nothing.clone(), writes: nothing.clone() });
        let mut watchers = Watchers { one, several };
        live.iter().for_each(|&slot| watchers.add(&self.facts(slot, state.at[slot]).watched));
        Some(watchers)
    }

    /// Whether a thread, or one that it starts, can fail from where it is, or race with another.
    fn may_fail(&self, state: &State, slot: usize, watchers: Option<&Watchers>) -> bool {
        let facts = self.facts(slot, state.at[slot]);
        // A thread that starts others may start those that race.
        let races = |watchers: &Watchers| {
            (facts.meets && facts.watched.conflict(&facts.watched)) || watchers.disturb(&facts.watched)
        };
        facts.can_fail || watchers.is_some_and(races)
    }

    /// The races at a state.
    fn races(&mut self, state: &State) -> Vec<Transition> {
        if state.raced.is_some() || !self.watches {
            return Vec::new();
        }
        let accesses = |slot: &usize| {
            let (slot, node) = (*slot, state.at[*slot] as usize);
            !self.system.codes[self.slots[slot].code].nodes[node].accesses.is_empty()
        };
        let about: Vec<usize> = self.live(state).into_iter().filter(accesses).collect();
        let owner = state.atomic.map(|(owner, _)| owner as usize);
        let mut found: Vec<[Accessing; 2]> = Vec::new();
        for (position, &one) in about.iter().enumerate() {
            for &other in &about[position + 1..] {
                match owner {
                    None => self.meetings(state, [one, other], &mut found),
                    Some(owner) if owner == one => self.meetings(state, [one, other], &mut found),
                    Some(owner) if owner == other => self.meetings(state, [other, one], &mut found),
                    Some(_) => {}
                }
            }
        }
        let mut transitions = Vec::new();
        for race in found {
            let races = &mut self.races;
            let number = *self.race_numbers.entry(race).or_insert_with(|| {
                races.push(race);
                races.len() - 1
            });
            let Accessing { slot, node, .. } = race[0];
            let (event, targets) = match owner {
                None => (Event::Race(number), Vec::new()),
                Some(_) => {
                    let raced = State { raced: Some(number as u32), ..state.clone() };
                    (Event::Note(number), vec![self.number(raced)])
                }
            };
            transitions.push(Transition { slot, node, event, targets });
        }
        transitions
    }

    /// The pairs of accesses of two threads that may be races. The first thread may be in an atomic part.
    fn meetings(&self, state: &State, slots: [usize; 2], found: &mut Vec<[Accessing; 2]>) {
        let accesses = |slot: usize| {
            let node = state.at[slot] as usize;
            let all = self.system.codes[self.slots[slot].code].nodes[node].accesses.iter().enumerate();
            all.map(move |(access, data)| (Accessing { slot, node, access }, data)).collect::<Vec<_>>()
        };
        let [first, second] = slots.map(accesses);
        let mut known: Vec<(&Access, &Access)> = Vec::new();
        for writes in [true, false] {
            for &(one, left) in &first {
                for &(other, right) in &second {
                    let atomic = (left.atomic || state.atomic.is_some()) && right.atomic;
                    // A step that also reads what it writes makes one race of both.
                    let same = |known: &Access, new: &Access| {
                        known.variable == new.variable && known.path == new.path && known.guards == new.guards
                    };
                    let is_new = !known.iter().any(|known| same(known.0, left) && same(known.1, right));
                    if (left.write && right.write) == writes
                        && !atomic
                        && ir::accesses::may_race(self.program, left, right)
                        && is_new
                    {
                        known.push((left, right));
                        found.push([one, other]);
                    }
                }
            }
        }
    }

    /// Whether a thread waits at a state, if what it waits for says so.
    fn may_wait(&self, state: &State, slot: usize) -> bool {
        let (code, node) = (self.slots[slot].code, state.at[slot] as usize);
        match &self.system.codes[code].nodes[node].action {
            Action::Join { .. } => !self.joinable(state, code, node).iter().any(|&(_, sure)| sure),
            Action::Step(statements) => matches!(&statements[..], [statement]
                if Mark::Waits.is_in(&statement.attributes)),
            _ => false,
        }
    }

    /// Whether two threads surely race.
    fn is_certain(&self, transition: &Transition) -> bool {
        let Event::Race(race) = transition.event else { return false };
        self.races[race].iter().all(|&Accessing { slot, node, access }| {
            let access = &self.system.codes[self.slots[slot].code].nodes[node].accesses[access];
            access.path.is_empty() && access.guards.is_empty() && access.exact
        })
    }

    /// Whether the next step of a thread depends on what another one can do from where it is.
    pub(crate) fn depend(&self, state: &State, slot: usize, other: usize) -> bool {
        let (own, others) = (self.facts(slot, state.at[slot]), self.facts(other, state.at[other]));
        let (pool, code) = (self.system.until(self.slots[slot].pool), self.slots[other].code);
        let future = self.system.future_without(pool, code, state.at[other] as usize);
        if !own.step.conflict(future) {
            return false;
        }
        // A join that waits for a thread by its name does not care for the end of others.
        if let Some(awaited) = self.awaited(state, slot)
            && !awaited.contains(&other)
            && !others.meets
        {
            return own.alone.conflict(future);
        }
        let step = (self.slots[slot].code, state.at[slot] as usize);
        !self.exchange.goes_first(step, pool, (code, state.at[other] as usize))
    }

    /// Whether a thread is about to make a recursive call, and others may meanwhile access what it writes or write what it accesses.
    fn may_be_disturbed(&self, state: &State, slot: usize) -> bool {
        let (code, node) = (self.slots[slot].code, state.at[slot] as usize);
        let Action::Step(statements) = &self.system.codes[code].nodes[node].action else { return false };
        let stays = |statement| recursion::is_kept(self.program, statement).is_some();
        if state.atomic.is_some() || !statements.iter().any(stays) {
            return false;
        }
        let own = &self.facts(slot, state.at[slot]).step;
        self.live(state).into_iter().filter(|&other| other != slot).any(|other| {
            let (pool, code) = (self.slots[slot].pool, self.slots[other].code);
            own.conflict(self.system.future_without(pool, code, state.at[other] as usize))
        })
    }

    /// The slots whose threads a join waits for, if the names of all threads are known.
    fn awaited(&self, state: &State, slot: usize) -> Option<Vec<usize>> {
        let (code, node) = (self.slots[slot].code, state.at[slot] as usize);
        let name = self.asked(state, code, node)?;
        let pools = &self.system.joined[&(code, node)];
        let mut found = Vec::new();
        for other in (0..state.at.len()).filter(|&other| state.at[other] != IDLE) {
            let Some(pool) = self.slots[other].pool else { continue };
            let waits = pools.binary_search_by_key(&pool, |&(known, _)| known).is_ok();
            if waits && state.names[other]? == name {
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
    pub(crate) fn may_go_on(&self, state: &State, slot: usize) -> bool {
        let (code, node) = (self.slots[slot].code, state.at[slot] as usize);
        match self.system.codes[code].nodes[node].action {
            Action::Join { .. } => !self.joinable(state, code, node).is_empty(),
            _ => true,
        }
    }

    /// The slots whose threads a join can take now.
    fn joinable(&self, state: &State, code: usize, node: usize) -> Vec<(usize, bool)> {
        let pools = &self.system.joined[&(code, node)];
        let sure = |pool: usize| {
            let found = pools.binary_search_by_key(&pool, |&(known, _)| known).ok()?;
            Some(pools[found].1)
        };
        let finished = (0..state.at.len()).filter(|&slot| state.at[slot] == FINISHED);
        let asked = self.asked(state, code, node);
        let named = |slot: usize, sure: bool| match (asked, state.names[slot]) {
            (Some(asked), Some(name)) => (asked == name).then_some((slot, true)),
            _ => Some((slot, sure)),
        };
        finished.filter_map(|slot| named(slot, sure(self.slots[slot].pool?)?)).collect()
    }

    /// The thread does what stands where it is, and comes to a state of which the effect on what is known is still to be told.
    fn step(&mut self, state: &State, slot: usize, mut after: State) -> Vec<Transition> {
        let node = state.at[slot] as usize;
        let Action::Step(statements) = &self.system.codes[self.slots[slot].code].nodes[node].action else {
            unreachable!("only steps have statements")
        };
        if !self.constants.execute(&mut after.known, statements) {
            return Vec::new();
        }
        let targets = vec![self.number(after)];
        vec![Transition { slot, node, event: Event::Step, targets }]
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
            Action::Step(_) if self.may_be_disturbed(state, slot) => {
                self.disturbed.get_or_insert((code, node));
                self.bounded = true;
                match self.options.beyond {
                    Beyond::Marked => {
                        vec![Transition { slot, node, event: Event::Disturbed, targets: Vec::new() }]
                    }
                    Beyond::Cut => self.step(state, slot, moved(data.next[0])),
                }
            }
            Action::Step(_) => self.step(state, slot, moved(data.next[0])),
            Action::Branch(condition) => match self.constants.holds(&state.known, *condition) {
                Some(truth) => silent(self, moved(data.next[usize::from(!truth)])),
                None => {
                    let mut targets = Vec::new();
                    for (&next, truth) in data.next.iter().zip([true, false]) {
                        let mut after = moved(next);
                        self.constants.learn(&mut after.known, *condition, truth);
                        targets.push(self.number(after));
                    }
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
                let first = self.first_slots[pool];
                let mut places = first..first + self.system.pools[pool].slots;
                let Some(other) = places.find(|&other| state.at[other] == IDLE) else {
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
                let running = || self.live(state).into_iter().filter(|&slot| slot > 0).count();
                // Who never gets a turn does not wait.
                let most = self.options.running.filter(|_| !self.finds_deadlocks);
                if most.is_none_or(|most| running() < most) {
                    after.at[other] = started.entry as u32;
                    let name = match thread[..] {
                        [name] => self.constants.number(&state.known, name),
                        _ => None,
                    };
                    if after.names[other] != name {
                        Rc::make_mut(&mut after.names)[other] = name;
                    }
                } else {
                    self.bounded = true;
                }
                if !self.constants.execute(&mut after.known, &started.start) {
                    return Vec::new();
                }
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
