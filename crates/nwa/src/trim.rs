//! Removal of what no accepting run uses.
//!
//! * [`remove_unreachable`] keeps what some run visits;
//! * [`remove_dead_ends`] keeps what some *accepting* run visits;
//! * [`remove_non_live_states`] keeps what some infinite run that visits final states infinitely often visits.
//!
//! All three remove states and transitions, and return transitions also where only their hierarchical predecessor
//! makes them useless. The language is that of the operand (for the third one: the language of infinite words).
//!
//! A state may be useful with one hierarchical predecessor and useless with another. The analysis first finds the
//! states from which the goal is reachable without returning from the current call, with whatever is below; for
//! the other ones it walks back from useful returns along pairs of a state and its hierarchical predecessor. Cost:
//! linear in the table of [`reach`](crate::reach) and in the pairs that are walked.

use crate::on_demand::{Explicit, explicit};
use crate::reach::{Context, Reach};
use crate::{Budget, EntityRef, EntitySet, Interrupted, Nwa, NwaBuilder, PrimaryMap, SecondaryMap, State};
use rustc_hash::FxHashSet;

/// The part that runs visit.
pub fn remove_unreachable(nwa: &Nwa, budget: &dyn Budget) -> Result<Explicit<State>, Interrupted> {
    explicit(nwa, budget)
}

/// The part that accepting runs visit.
pub fn remove_dead_ends(nwa: &Nwa, budget: &dyn Budget) -> Result<Explicit<State>, Interrupted> {
    let mut automaton = nwa;
    let reach = Reach::compute(&mut automaton, budget)?;
    let goals = nwa.states().filter(|&state| nwa.is_final(state) && reach.is_reachable(state)).collect();
    Useful::compute(nwa, &reach, goals, budget)?.restrict()
}

/// The part that infinite accepting runs visit.
pub fn remove_non_live_states(nwa: &Nwa, budget: &dyn Budget) -> Result<Explicit<State>, Interrupted> {
    let mut automaton = nwa;
    let reach = Reach::compute(&mut automaton, budget)?;
    let goals = accepting_cycles(nwa, &reach, budget)?;
    Useful::compute(nwa, &reach, goals, budget)?.restrict()
}

/// Whether no infinite run visits final states infinitely often.
pub(crate) fn has_no_accepting_cycle(nwa: &Nwa, budget: &dyn Budget) -> Result<bool, Interrupted> {
    let mut automaton = nwa;
    let reach = Reach::compute(&mut automaton, budget)?;
    Ok(accepting_cycles(nwa, &reach, budget)?.is_empty())
}

/// The states behind any step, whether calls and returns match or not.
fn any_steps(nwa: &Nwa, state: State, out: &mut Vec<usize>) {
    let returns = nwa.returns(state).flat_map(|(_, edges)| edges);
    let edges = nwa.internal(state).iter().chain(nwa.calls(state)).chain(returns);
    out.extend(edges.map(|edge| edge.state.index()));
}

/// The states on cycles through wanted states only, whether calls and returns match or not. A run that visits a state
/// infinitely often goes round such cycles.
fn cyclic_states(nwa: &Nwa, wanted: impl Fn(State) -> bool) -> EntitySet<State> {
    let steps = |node: usize, out: &mut Vec<usize>| {
        if wanted(State::new(node)) {
            any_steps(nwa, State::new(node), out);
            out.retain(|&target| wanted(State::new(target)));
        }
    };
    let mut next = Vec::new();
    let component = graph::components(nwa.num_states(), |node, out| {
        let mut targets = Vec::new();
        steps(node, &mut targets);
        out.append(&mut targets);
    })
    .numbers();
    let mut cyclic = EntitySet::new();
    for state in nwa.states() {
        next.clear();
        steps(state.index(), &mut next);
        for &target in next.iter().filter(|&&target| component[target] == component[state.index()]) {
            cyclic.insert(State::new(target));
        }
    }
    cyclic
}

/// The same language of infinite words, with only those final states that a run can visit infinitely often.
pub(crate) fn only_visited_for_ever(nwa: &Nwa, budget: &dyn Budget) -> Result<Nwa, Interrupted> {
    let cyclic = cyclic_states(nwa, |_| true);
    with_finals(nwa, |state| nwa.is_final(state) && cyclic.contains(state), budget)
}

/// The same language of infinite words, with all states final that can only be visited infinitely often together with
/// final ones.
pub(crate) fn most_final(nwa: &Nwa, budget: &dyn Budget) -> Result<Nwa, Interrupted> {
    let without_visits = cyclic_states(nwa, |state| !nwa.is_final(state));
    with_finals(nwa, |state| !without_visits.contains(state), budget)
}

/// The automaton with other final states.
fn with_finals(nwa: &Nwa, is_final: impl Fn(State) -> bool, budget: &dyn Budget) -> Result<Nwa, Interrupted> {
    let mut builder = NwaBuilder::new(nwa.alphabet().clone());
    builder.add_states(nwa.num_states());
    nwa.initial().iter().for_each(|&state| builder.set_initial(state));
    for state in nwa.states() {
        budget.check()?;
        if is_final(state) {
            builder.set_final(state);
        }
        for edge in nwa.internal(state) {
            builder.add_internal(state, edge.letter, edge.state);
        }
        for edge in nwa.calls(state) {
            builder.add_call(state, edge.letter, edge.state);
        }
        for (hier, edges) in nwa.returns(state) {
            for edge in edges {
                builder.add_return(state, hier, edge.letter, edge.state);
            }
        }
    }
    Ok(builder.finish())
}

/// The targets of the steps that do not return: internal steps, summaries, and calls.
fn forward(nwa: &Nwa, reach: &Reach, state: State, out: &mut Vec<usize>) {
    let edges = nwa.internal(state).iter().chain(nwa.calls(state)).map(|edge| edge.state);
    out.extend(edges.chain(reach.summaries(state).iter().copied()).map(State::index));
}

/// The states on cycles of forward steps that visit a final state, possibly inside a summary.
fn accepting_cycles(nwa: &Nwa, reach: &Reach, budget: &dyn Budget) -> Result<Vec<State>, Interrupted> {
    let accepting = accepting_summaries(nwa, reach, budget)?;
    let components =
        graph::components(nwa.num_states(), |node, out| forward(nwa, reach, State::new(node), out));
    let component = components.numbers();
    let mut accepts = vec![false; components.len()];
    let mut targets = Vec::new();
    for state in nwa.states().filter(|&state| reach.is_reachable(state)) {
        let own = component[state.index()];
        targets.clear();
        forward(nwa, reach, state, &mut targets);
        let inside = |target: &usize| component[*target] == own;
        accepts[own] |= nwa.is_final(state) && targets.iter().any(inside);
        accepts[own] |= reach
            .summaries(state)
            .iter()
            .any(|&target| accepting.contains(&(state, target)) && inside(&target.index()));
    }
    let live = |state: &State| reach.is_reachable(*state) && accepts[component[state.index()]];
    Ok(nwa.states().filter(live).collect())
}

/// The summaries that have a run which visits a final state inside the call.
fn accepting_summaries(
    nwa: &Nwa,
    reach: &Reach,
    budget: &dyn Budget,
) -> Result<FxHashSet<(State, State)>, Interrupted> {
    let mut visited: FxHashSet<(Context, State)> = FxHashSet::default();
    let mut accepting = FxHashSet::default();
    let mut work: Vec<(Context, State)> = Vec::new();
    for state in nwa.states().filter(|&state| nwa.is_final(state)) {
        work.extend(reach.contexts_of(state).iter().map(|&context| (context, state)));
    }
    while let Some((context, state)) = work.pop() {
        budget.check()?;
        if !visited.insert((context, state)) {
            continue;
        }
        work.extend(nwa.internal(state).iter().map(|edge| (context, edge.state)));
        work.extend(reach.summaries(state).iter().map(|&target| (context, target)));
        for &caller in &reach.contexts[context].callers {
            for edge in nwa.returns_with(state, caller) {
                if accepting.insert((caller, edge.state)) {
                    work.extend(reach.contexts_of(caller).iter().map(|&context| (context, edge.state)));
                }
            }
        }
    }
    Ok(accepting)
}

/// What is useful to reach a goal.
struct Useful<'a> {
    nwa: &'a Nwa,
    reach: &'a Reach,
    /// The states from which a goal is reachable without returning from the current call.
    anyhow: EntitySet<State>,
    /// For the other states the hierarchical predecessors with which a goal is reachable.
    with: SecondaryMap<State, Vec<State>>,
    pairs: FxHashSet<(State, State)>,
    work: Vec<(State, State)>,
}

impl<'a> Useful<'a> {
    fn compute(
        nwa: &'a Nwa,
        reach: &'a Reach,
        goals: Vec<State>,
        budget: &dyn Budget,
    ) -> Result<Useful<'a>, Interrupted> {
        let mut useful = Useful {
            nwa,
            reach,
            anyhow: EntitySet::new(),
            with: SecondaryMap::new(),
            pairs: FxHashSet::default(),
            work: Vec::new(),
        };
        useful.walk_back(goals, budget)?;
        for state in nwa.states().filter(|&state| useful.anyhow.contains(state)).collect::<Vec<_>>() {
            for ret in nwa.returns_into(state) {
                if reach.is_double_decker(ret.linear, ret.hier) {
                    useful.add(ret.linear, ret.hier);
                }
            }
        }
        while let Some((state, hier)) = useful.work.pop() {
            budget.check()?;
            for edge in nwa.internal_into(state) {
                if reach.is_double_decker(edge.state, hier) {
                    useful.add(edge.state, hier);
                }
            }
            for ret in nwa.returns_into(state) {
                if reach.is_double_decker(ret.hier, hier) && reach.is_double_decker(ret.linear, ret.hier) {
                    useful.add(ret.linear, ret.hier);
                    useful.add(ret.hier, hier);
                }
            }
        }
        Ok(useful)
    }

    /// Finds the states from which a goal is reachable by forward steps.
    fn walk_back(&mut self, goals: Vec<State>, budget: &dyn Budget) -> Result<(), Interrupted> {
        let (nwa, reach) = (self.nwa, self.reach);
        let mut work = goals;
        for &goal in &work {
            self.anyhow.insert(goal);
        }
        while let Some(state) = work.pop() {
            budget.check()?;
            let edges = nwa.internal_into(state).iter().chain(nwa.calls_into(state)).map(|edge| edge.state);
            let returns = nwa.returns_into(state).iter();
            let callers =
                returns.filter(|ret| reach.is_double_decker(ret.linear, ret.hier)).map(|ret| ret.hier);
            for source in edges.chain(callers) {
                if reach.is_reachable(source) && self.anyhow.insert(source) {
                    work.push(source);
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, state: State, hier: State) {
        if !self.anyhow.contains(state) && self.pairs.insert((state, hier)) {
            self.with[state].push(hier);
            self.work.push((state, hier));
        }
    }

    /// Whether a goal is reachable from a state with some hierarchical predecessor that `source` can have too.
    fn after(&self, source: State, state: State) -> bool {
        self.anyhow.contains(state)
            || self.with[state].iter().any(|&hier| self.reach.is_double_decker(source, hier))
    }

    /// The automaton of what is useful.
    fn restrict(&self) -> Result<Explicit<State>, Interrupted> {
        let (nwa, reach) = (self.nwa, self.reach);
        let mut origin = PrimaryMap::new();
        let mut image: SecondaryMap<State, Option<State>> = SecondaryMap::new();
        for state in nwa.states() {
            if self.anyhow.contains(state) || !self.with[state].is_empty() {
                image[state] = Some(origin.push(state));
            }
        }
        let mut builder = NwaBuilder::new(nwa.alphabet().clone());
        builder.add_states(origin.len());
        for (new, &old) in &origin {
            if nwa.is_final(old) {
                builder.set_final(new);
            }
            for edge in nwa.internal(old).iter().filter(|edge| self.after(old, edge.state)) {
                if let Some(target) = image[edge.state] {
                    builder.add_internal(new, edge.letter, target);
                }
            }
            let enters = |target| self.anyhow.contains(target) || self.pairs.contains(&(target, old));
            for edge in nwa.calls(old).iter().filter(|edge| enters(edge.state)) {
                if let Some(target) = image[edge.state] {
                    builder.add_call(new, edge.letter, target);
                }
            }
            for (hier, edges) in nwa.returns(old).filter(|&(hier, _)| reach.is_double_decker(old, hier)) {
                for edge in edges.iter().filter(|edge| self.after(hier, edge.state)) {
                    if let (Some(hier), Some(target)) = (image[hier], image[edge.state]) {
                        builder.add_return(new, hier, edge.letter, target);
                    }
                }
            }
        }
        for &state in nwa.initial() {
            // An initial state that is only useful inside a call cannot start an accepting run.
            if let Some(image) = image[state].filter(|_| self.anyhow.contains(state)) {
                builder.set_initial(image);
            }
        }
        Ok(Explicit { nwa: builder.finish(), origin })
    }
}
