//! The search for a cheapest accepting run, on demand and with summaries.
//!
//! An *item* is a state with a context: either the *spine*, the part of the run outside all calls that return,
//! or an *entry*, the target of a call, whose items are the states that are reachable from it without returning.
//! The cost of an item is that of a cheapest run from an initial state (spine) or from the entry. A call on the
//! spine may stay pending; a call with its matching return is a *summary*, which is found when the exit is
//! settled and then used like one step. Items are settled in the order of their costs (Knuth's generalisation
//! of Dijkstra's algorithm to grammars), so the first final state settled on the spine ends a cheapest run.
//! An entry's items are only made once some caller is settled: nothing unreachable is ever asked for.
//!
//! Cost: O((items + edges) · log items). There is no recursion, and back pointers share the bodies of calls, so
//! memory does not grow with the length of the run, which may be exponential in the size of the automaton.

use crate::automaton::Edge;
use crate::emptiness::Step;
use crate::ids::PackedOption;
use crate::on_demand::Transitions;
use crate::{Budget, Interrupted, Letter, Limit, NestedWord, PrimaryMap, Run, SecondaryMap, State, Symbol};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

crate::ids::id!(
    /// A state in a context.
    Item,
    "item"
);
crate::ids::id!(
    /// A target of calls.
    Entry,
    "entry"
);

/// The automaton that is searched, with what guides and prunes the search.
pub(crate) trait Guide: Transitions {
    /// The cost of a step.
    fn cost(&mut self, step: Step<State>) -> u64 {
        let _ = step;
        1
    }

    /// A guess of the cost from a state to the end, added to the priority on the spine.
    fn estimate(&mut self, state: State) -> u64 {
        let _ = state;
        0
    }

    /// Called once per settled item: whether an earlier one of the same context makes it superfluous.
    fn covered(&mut self, context: Option<Entry>, state: State) -> bool {
        let _ = (context, state);
        false
    }
}

impl Guide for &crate::Nwa {}

/// How an item was reached.
#[derive(Clone, Copy)]
enum Back {
    /// It is an initial state or an entry.
    Start,
    /// By an internal step.
    Internal { from: Item, letter: Letter },
    /// By a call that stays pending.
    Pending { from: Item, letter: Letter },
    /// From `from` by a call, the run to `exit` inside, and the matching return.
    Summary { from: Item, exit: Item, call: Letter, ret: Letter },
}

struct ItemData {
    state: State,
    context: PackedOption<Entry>,
    cost: u64,
    back: Back,
    settled: bool,
    /// The next settled item with the same state.
    next: PackedOption<Item>,
}

#[derive(Clone, Copy)]
struct Caller {
    state: State,
    letter: Letter,
    cost: u64,
}

struct EntryData {
    state: State,
    callers: Vec<Caller>,
    /// The settled items in whose state a return may be read.
    exits: Vec<Item>,
}

/// A call with a run to its matching return.
#[derive(Clone, Copy)]
pub(crate) struct Summary {
    /// The state behind the return.
    pub(crate) target: State,
    /// The cost of all steps.
    pub(crate) cost: u64,
    exit: Item,
    call: Letter,
    ret: Letter,
}

#[derive(Clone, Default)]
struct StateData {
    spine: PackedOption<Item>,
    /// The first of the settled items.
    settled: PackedOption<Item>,
    entry: PackedOption<Entry>,
    summaries: Vec<Summary>,
}

/// The state of a search.
pub(crate) struct Search<'a, G: Guide> {
    guide: &'a mut G,
    budget: &'a dyn Budget,
    states: SecondaryMap<State, StateData>,
    items: PrimaryMap<Item, ItemData>,
    inside: FxHashMap<(Entry, State), Item>,
    entries: PrimaryMap<Entry, EntryData>,
    /// The cost of the cheapest summary between two states.
    cheapest: FxHashMap<(State, State), u64>,
    queue: BinaryHeap<Reverse<(u64, Item)>>,
}

impl<'a, G: Guide> Search<'a, G> {
    pub(crate) fn new(guide: &'a mut G, budget: &'a dyn Budget) -> Search<'a, G> {
        Search {
            guide,
            budget,
            states: SecondaryMap::new(),
            items: PrimaryMap::new(),
            inside: FxHashMap::default(),
            entries: PrimaryMap::new(),
            cheapest: FxHashMap::default(),
            queue: BinaryHeap::new(),
        }
    }

    /// The last item of a cheapest accepting run.
    pub(crate) fn run(&mut self) -> Result<Option<Item>, Interrupted> {
        let mut initial = Vec::new();
        self.guide.initial(&mut initial)?;
        for state in initial {
            self.relax(None.into(), state, 0, Back::Start);
        }
        while let Some(Reverse((_, item))) = self.queue.pop() {
            self.budget.check()?;
            let ItemData { state, context, settled, .. } = self.items[item];
            if settled {
                continue;
            }
            self.items[item].settled = true;
            if self.guide.covered(context.expand(), state) {
                continue;
            }
            if context.is_none() && self.guide.is_final(state)? {
                return Ok(Some(item));
            }
            self.settle(item)?;
        }
        Ok(None)
    }

    /// Offers a way to reach a state in a context.
    fn relax(&mut self, context: PackedOption<Entry>, state: State, cost: u64, back: Back) {
        let known = match context.expand() {
            None => self.states[state].spine.expand(),
            Some(entry) => self.inside.get(&(entry, state)).copied(),
        };
        let item = match known {
            Some(item) => {
                let data = &mut self.items[item];
                if data.settled || data.cost <= cost {
                    return;
                }
                (data.cost, data.back) = (cost, back);
                item
            }
            None => {
                let data = ItemData { state, context, cost, back, settled: false, next: None.into() };
                let item = self.items.push(data);
                match context.expand() {
                    None => self.states[state].spine = item.into(),
                    Some(entry) => {
                        self.inside.insert((entry, state), item);
                    }
                }
                item
            }
        };
        let estimate = if context.is_none() { self.guide.estimate(state) } else { 0 };
        self.queue.push(Reverse((cost.saturating_add(estimate), item)));
    }

    fn settle(&mut self, item: Item) -> Result<(), Interrupted> {
        let ItemData { state, context, cost, .. } = self.items[item];
        let expanded = self.states[state].settled.is_some();
        self.items[item].next = self.states[state].settled;
        self.states[state].settled = item.into();

        for index in 0..self.guide.internal(state)?.len() {
            let Edge { letter, state: target } = self.guide.internal(state)?[index];
            let step = Step::Internal { source: state, letter, target };
            let cost = cost.saturating_add(self.guide.cost(step));
            self.relax(context, target, cost, Back::Internal { from: item, letter });
        }
        for index in 0..self.states[state].summaries.len() {
            let summary = self.states[state].summaries[index];
            self.take(item, summary);
        }
        for index in 0..self.guide.calls(state)?.len() {
            let Edge { letter, state: target } = self.guide.calls(state)?[index];
            let step = self.guide.cost(Step::Call { source: state, letter, target });
            if context.is_none() {
                let cost = cost.saturating_add(step);
                self.relax(context, target, cost, Back::Pending { from: item, letter });
            }
            if !expanded {
                self.call(target, Caller { state, letter, cost: step })?;
            }
        }
        if let Some(entry) = context.expand()
            && self.guide.may_return(state)?
        {
            self.entries[entry].exits.push(item);
            for index in 0..self.entries[entry].callers.len() {
                self.join(item, self.entries[entry].callers[index])?;
            }
        }
        Ok(())
    }

    /// Uses a summary from a settled item.
    fn take(&mut self, item: Item, summary: Summary) {
        let ItemData { context, cost, .. } = self.items[item];
        let Summary { target, exit, call, ret, .. } = summary;
        let back = Back::Summary { from: item, exit, call, ret };
        self.relax(context, target, cost.saturating_add(summary.cost), back);
    }

    /// Notes a caller of an entry.
    fn call(&mut self, target: State, caller: Caller) -> Result<(), Interrupted> {
        let entry = match self.states[target].entry.expand() {
            Some(entry) => entry,
            None => {
                let data = EntryData { state: target, callers: Vec::new(), exits: Vec::new() };
                let entry = self.entries.push(data);
                self.states[target].entry = entry.into();
                self.relax(entry.into(), target, 0, Back::Start);
                entry
            }
        };
        self.entries[entry].callers.push(caller);
        for index in 0..self.entries[entry].exits.len() {
            self.join(self.entries[entry].exits[index], caller)?;
        }
        Ok(())
    }

    /// Combines an exit with a caller into summaries.
    fn join(&mut self, exit: Item, caller: Caller) -> Result<(), Interrupted> {
        let (linear, inside) = (self.items[exit].state, self.items[exit].cost);
        for index in 0..self.guide.returns(linear, caller.state)?.len() {
            let Edge { letter, state: target } = self.guide.returns(linear, caller.state)?[index];
            let step = Step::Return { linear, hier: caller.state, letter, target };
            let cost = caller.cost.saturating_add(inside).saturating_add(self.guide.cost(step));
            if self.cheapest.get(&(caller.state, target)).is_some_and(|&known| known <= cost) {
                continue;
            }
            self.cheapest.insert((caller.state, target), cost);
            let summary = Summary { target, cost, exit, call: caller.letter, ret: letter };
            self.states[caller.state].summaries.push(summary);
            let mut next = self.states[caller.state].settled;
            while let Some(item) = next.expand() {
                self.take(item, summary);
                next = self.items[item].next;
            }
        }
        Ok(())
    }

    /// The summaries from a state that were found, with cheaper ones later.
    pub(crate) fn summaries(&self, state: State) -> &[Summary] {
        &self.states[state].summaries
    }

    /// What the run to an item costs.
    pub(crate) fn cost(&self, item: Item) -> u64 {
        self.items[item].cost
    }

    /// The run that ends in an item. Fails if it does not fit into memory.
    pub(crate) fn run_to(&self, last: Item) -> Result<Run, Interrupted> {
        let (mut symbols, mut states) = (Vec::new(), Vec::new());
        self.write_back(vec![Task::Walk(last)], &mut symbols, &mut states)?;
        symbols.reverse();
        states.reverse();
        let word = NestedWord::new(symbols).expect("a summary writes its call before its return");
        Ok(Run { word, states })
    }

    /// Appends the symbols of a summary and the states behind them. Fails if they do not fit into memory.
    pub(crate) fn write_summary(
        &self,
        summary: Summary,
        symbols: &mut Vec<Symbol>,
        states: &mut Vec<State>,
    ) -> Result<(), Interrupted> {
        let (first_symbol, first_state) = (symbols.len(), states.len());
        symbols.push(Symbol::Return(summary.ret));
        states.push(summary.target);
        let mut tasks = Vec::new();
        tasks.extend(self.entry_of(summary.exit).map(|entry| Task::Call(summary.call, entry)));
        tasks.push(Task::Walk(summary.exit));
        self.write_back(tasks, symbols, states)?;
        symbols[first_symbol..].reverse();
        states[first_state..].reverse();
        Ok(())
    }

    /// The target of the call in whose context an item is.
    fn entry_of(&self, item: Item) -> Option<State> {
        self.items[item].context.expand().map(|entry| self.entries[entry].state)
    }

    /// Writes symbols and the states behind them from the end of a run to its start.
    fn write_back(
        &self,
        mut tasks: Vec<Task>,
        symbols: &mut Vec<Symbol>,
        states: &mut Vec<State>,
    ) -> Result<(), Interrupted> {
        while let Some(task) = tasks.pop() {
            self.budget.check()?;
            if symbols.len() >= LONGEST_RUN {
                return Err(Interrupted(Limit::Memory));
            }
            let item = match task {
                Task::Call(letter, entry) => {
                    symbols.push(Symbol::Call(letter));
                    states.push(entry);
                    continue;
                }
                Task::Walk(item) => item,
            };
            let data = &self.items[item];
            match data.back {
                Back::Start => {
                    if data.context.is_none() {
                        states.push(data.state);
                    }
                }
                Back::Internal { from, letter } => {
                    symbols.push(Symbol::Internal(letter));
                    states.push(data.state);
                    tasks.push(Task::Walk(from));
                }
                Back::Pending { from, letter } => {
                    tasks.push(Task::Walk(from));
                    tasks.push(Task::Call(letter, data.state));
                }
                Back::Summary { from, exit, call, ret } => {
                    symbols.push(Symbol::Return(ret));
                    states.push(data.state);
                    tasks.push(Task::Walk(from));
                    tasks.extend(self.entry_of(exit).map(|entry| Task::Call(call, entry)));
                    tasks.push(Task::Walk(exit));
                }
            }
        }
        Ok(())
    }
}

/// What remains to be written, from the end of a run to its start.
enum Task {
    Walk(Item),
    Call(Letter, State),
}

/// A longer run counts as out of memory: with what is made of it, it would take gigabytes.
const LONGEST_RUN: usize = 1 << 24;
