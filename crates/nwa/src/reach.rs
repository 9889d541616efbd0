//! Which states a run can visit, and with which call open.
//!
//! The analysis tabulates, for every *context*, the states that are reachable in it without returning from it. A
//! context is the bottom of the stack or an *entry*, the target of a call. A *summary* leads from the state in
//! which a call is read to the state behind a matching return; it is found when a return is possible from a state
//! of the entry's context, and it is used like an internal step. A state `q` can occur with hierarchical
//! predecessor `h` (the pair is a *double decker*) iff `h` calls an entry in whose context `q` lies.
//!
//! Entries instead of callers as contexts keep the table small: the body of a procedure is walked once for each
//! of its entries, not once for each of its callers. Cost: linear in the table (context × state) times degree,
//! plus the pairs of returning states and callers. A worklist, no recursion.

use crate::State;
use crate::ids::PackedOption;
use crate::on_demand::Transitions;
use crate::{Budget, Interrupted, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashSet;

crate::ids::id!(
    /// The bottom of the stack or an entry.
    Context,
    "context"
);

/// What is known of a context.
#[derive(Default)]
pub(crate) struct ContextData {
    /// The entry; `None` for the bottom of the stack.
    pub(crate) entry: PackedOption<State>,
    /// The states in which calls of this entry are read.
    pub(crate) callers: Vec<State>,
    /// The states that are reachable in this context.
    pub(crate) members: Vec<State>,
}

/// The result of the analysis.
pub(crate) struct Reach {
    /// All contexts; the first is the bottom of the stack.
    pub(crate) contexts: PrimaryMap<Context, ContextData>,
    /// The context of which a state is the entry.
    entered: SecondaryMap<State, PackedOption<Context>>,
    /// The contexts in which a state lies, in the order of discovery.
    memberships: Lists<Context>,
    /// For each state the targets of the summaries from it.
    summaries: Lists<State>,
    /// The entries' contexts that a state calls, once it has been expanded.
    called: SecondaryMap<State, Option<Vec<Context>>>,
    work: Vec<(Context, State)>,
}

/// So long a list is looked through; the members of longer ones are in a hash table, too. Most lists are short, and tables
/// of pairs do not fit the caches.
const SHORT: usize = 8;

/// A list of different members for each state.
struct Lists<T> {
    lists: SecondaryMap<State, Vec<T>>,
    long: FxHashSet<(State, T)>,
}

impl<T: Copy + Eq + std::hash::Hash> Lists<T> {
    fn new() -> Lists<T> {
        Lists { lists: SecondaryMap::new(), long: FxHashSet::default() }
    }

    fn of(&self, state: State) -> &[T] {
        &self.lists[state]
    }

    fn contains(&self, state: State, member: T) -> bool {
        let list = &self.lists[state];
        if list.len() <= SHORT { list.contains(&member) } else { self.long.contains(&(state, member)) }
    }

    /// Adds a member; false if it is there already.
    fn insert(&mut self, state: State, member: T) -> bool {
        if self.contains(state, member) {
            return false;
        }
        let list = &mut self.lists[state];
        list.push(member);
        match list.len() {
            ..=SHORT => {}
            length if length == SHORT + 1 => self.long.extend(list.iter().map(|&member| (state, member))),
            _ => {
                self.long.insert((state, member));
            }
        }
        true
    }
}

impl Reach {
    /// Walks everything that is reachable.
    pub(crate) fn compute(
        automaton: &mut impl Transitions,
        budget: &dyn Budget,
    ) -> Result<Reach, Interrupted> {
        let mut reach = Reach {
            contexts: PrimaryMap::new(),
            entered: SecondaryMap::new(),
            memberships: Lists::new(),
            summaries: Lists::new(),
            called: SecondaryMap::new(),
            work: Vec::new(),
        };
        let bottom = reach.contexts.push(ContextData::default());
        let mut initial = Vec::new();
        automaton.initial(&mut initial)?;
        for state in initial {
            reach.add(bottom, state);
        }
        // First in, first out in waves: automata that are computed on demand then get their ids in an order that
        // follows the distance from the initial states.
        while !reach.work.is_empty() {
            for (context, state) in std::mem::take(&mut reach.work) {
                budget.check()?;
                reach.step(automaton, context, state)?;
            }
        }
        Ok(reach)
    }

    fn add(&mut self, context: Context, state: State) {
        if self.memberships.insert(state, context) {
            self.contexts[context].members.push(state);
            self.work.push((context, state));
        }
    }

    fn step(
        &mut self,
        automaton: &mut impl Transitions,
        context: Context,
        state: State,
    ) -> Result<(), Interrupted> {
        for edge in automaton.internal(state)? {
            self.add(context, edge.state);
        }
        for index in 0..self.summaries.of(state).len() {
            self.add(context, self.summaries.of(state)[index]);
        }
        if self.called[state].is_none() {
            self.expand_calls(automaton, state)?;
        }
        if self.contexts[context].entry.is_some() && automaton.may_return(state)? {
            for index in 0..self.contexts[context].callers.len() {
                let caller = self.contexts[context].callers[index];
                self.join(automaton, state, caller)?;
            }
        }
        Ok(())
    }

    fn expand_calls(&mut self, automaton: &mut impl Transitions, state: State) -> Result<(), Interrupted> {
        let mut called: Vec<Context> =
            automaton.calls(state)?.iter().map(|edge| self.context_of(edge.state)).collect();
        called.sort_unstable();
        called.dedup();
        for &context in &called {
            self.contexts[context].callers.push(state);
            if let Some(entry) = self.contexts[context].entry.expand() {
                self.add(context, entry);
            }
            for index in 0..self.contexts[context].members.len() {
                let member = self.contexts[context].members[index];
                if automaton.may_return(member)? {
                    self.join(automaton, member, state)?;
                }
            }
        }
        self.called[state] = Some(called);
        Ok(())
    }

    fn context_of(&mut self, entry: State) -> Context {
        match self.entered[entry].expand() {
            Some(context) => context,
            None => {
                let context =
                    self.contexts.push(ContextData { entry: entry.into(), ..ContextData::default() });
                self.entered[entry] = context.into();
                context
            }
        }
    }

    /// Combines a state with a caller of its context into summaries. That it is done again, where the caller calls several
    /// entries that lead to the state, is rare and harmless.
    fn join(
        &mut self,
        automaton: &mut impl Transitions,
        state: State,
        caller: State,
    ) -> Result<(), Interrupted> {
        for edge in automaton.returns(state, caller)? {
            if self.summaries.insert(caller, edge.state) {
                for index in 0..self.memberships.of(caller).len() {
                    let context = self.memberships.of(caller)[index];
                    self.add(context, edge.state);
                }
            }
        }
        Ok(())
    }

    /// Whether some run visits the state.
    pub(crate) fn is_reachable(&self, state: State) -> bool {
        !self.memberships.of(state).is_empty()
    }

    /// The contexts in which a state lies.
    pub(crate) fn contexts_of(&self, state: State) -> &[Context] {
        self.memberships.of(state)
    }

    /// Whether a state is reachable in a context.
    pub(crate) fn is_member(&self, context: Context, state: State) -> bool {
        self.memberships.contains(state, context)
    }

    /// The contexts of the entries that a state calls.
    pub(crate) fn called(&self, state: State) -> &[Context] {
        self.called[state].as_deref().unwrap_or(&[])
    }

    /// The targets of the summaries from a state.
    pub(crate) fn summaries(&self, state: State) -> &[State] {
        self.summaries.of(state)
    }

    /// Whether a state can occur with this hierarchical predecessor.
    pub(crate) fn is_double_decker(&self, state: State, hier: State) -> bool {
        self.called(hier).iter().any(|&context| self.is_member(context, state))
    }
}
