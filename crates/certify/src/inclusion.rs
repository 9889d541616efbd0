//! Every error trace is accepted by one of the automata.
//!
//! The error traces are kept as a nested word automaton of their own kind ([`Traces`]). One Floyd-Hoare automaton
//! after the other is made deterministic on the fly and subtracted; at the end nothing may be left. A trace of which
//! a prefix is accepted counts as accepted: no execution gets beyond the prefix.
//!
//! The deterministic state of a nondeterministic automaton is a set of pairs: the state in which the current
//! procedure was entered, and the state now.

use crate::Refusal;
use crate::certificate::{Automaton, Certificate, Letter};
use base::{Budget, EntitySet};
use program::{Edge, EdgeKind, Location, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Checks that nothing is left after subtracting all automata.
pub fn check(program: &Program, certificate: &Certificate, budget: &Budget) -> Result<(), Refusal> {
    let mut traces = Traces::of_program(program, &certificate.cut_points);
    for automaton in &certificate.automata {
        traces = traces.without(&Deterministic::new(automaton), budget)?;
    }
    match traces.shortest_error(budget)? {
        None => Ok(()),
        Some(locations) => Err(Refusal::NotCovered(locations)),
    }
}

/// A return edge with its call edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Comeback {
    call: Edge,
    ret: Edge,
}

/// A nested word automaton of error traces. States are positions; each knows its location.
#[derive(Default)]
struct Traces {
    locations: Vec<Location>,
    errors: Vec<bool>,
    initial: Vec<usize>,
    internal: Vec<Vec<(Letter, usize)>>,
    calls: Vec<Vec<(Edge, usize)>>,
    /// Hierarchical predecessor, call edge and return edge, successor.
    returns: Vec<Vec<(usize, Comeback, usize)>>,
}

impl Traces {
    fn add(&mut self, location: Location, error: bool) -> usize {
        self.locations.push(location);
        self.errors.push(error);
        self.internal.push(Vec::new());
        self.calls.push(Vec::new());
        self.returns.push(Vec::new());
        self.locations.len() - 1
    }

    /// One state per cut point.
    fn of_program(program: &Program, cut_points: &EntitySet<Location>) -> Traces {
        let mut traces = Traces::default();
        let mut states: FxHashMap<Location, usize> = FxHashMap::default();
        for (location, data) in
            program.locations.iter().filter(|(location, _)| cut_points.contains(*location))
        {
            let state = traces.add(location, data.error.is_some());
            states.insert(location, state);
        }
        traces.initial = program.initial.iter().map(|location| states[location]).collect();
        for from in program.locations.keys().filter(|&location| cut_points.contains(location)) {
            let source = states[&from];
            for to in block_targets(program, from, cut_points) {
                traces.internal[source].push((Letter::Block(from, to), states[&to]));
            }
            for &edge in &program.outgoing[from] {
                let target = program.edges[edge].target;
                match &program.edges[edge].kind {
                    EdgeKind::Internal(_) => {}
                    EdgeKind::Call(_) => traces.calls[source].push((edge, states[&target])),
                    EdgeKind::Return(returning) => {
                        let (call, _) = program.call_of(returning);
                        let comeback = Comeback { call: returning.call, ret: edge };
                        // Without a cut point before it the call is not in use, and nothing comes back from it.
                        if let Some(&over) = states.get(&call.source) {
                            traces.returns[source].push((over, comeback, states[&target]));
                        }
                    }
                }
            }
        }
        traces
    }

    /// The traces that the automaton does not accept.
    fn without(&self, automaton: &Deterministic<'_>, budget: &Budget) -> Result<Traces, Refusal> {
        let mut product = Product::new(self, automaton);
        product.explore(budget)?;
        let Product { mut traces, .. } = product;
        traces.remove_dead_ends();
        Ok(traces)
    }

    /// Removes transitions to states from which no error can be reached.
    fn remove_dead_ends(&mut self) {
        let mut backward: Vec<Vec<usize>> = vec![Vec::new(); self.locations.len()];
        for source in 0..self.locations.len() {
            self.internal[source].iter().for_each(|&(_, target)| backward[target].push(source));
            self.calls[source].iter().for_each(|&(_, target)| backward[target].push(source));
            for &(hier, _, target) in &self.returns[source] {
                backward[target].extend([source, hier]);
            }
        }
        let mut useful = self.errors.clone();
        let mut pending: Vec<usize> = (0..useful.len()).filter(|&state| useful[state]).collect();
        while let Some(state) = pending.pop() {
            for &before in &backward[state] {
                if !std::mem::replace(&mut useful[before], true) {
                    pending.push(before);
                }
            }
        }
        for state in 0..self.locations.len() {
            self.internal[state].retain(|&(_, target)| useful[target]);
            self.calls[state].retain(|&(_, target)| useful[target]);
            self.returns[state].retain(|&(hier, _, target)| useful[target] && useful[hier]);
        }
        self.initial.retain(|&state| useful[state]);
    }

    /// The locations of an error trace that is left.
    fn shortest_error(&self, budget: &Budget) -> Result<Option<Vec<Location>>, Refusal> {
        let mut pairs = Pairs::default();
        for &state in &self.initial {
            pairs.add((state, None), None);
        }
        while let Some((state, hier)) = pairs.next() {
            budget.check()?;
            if self.errors[state] {
                return Ok(Some(pairs.path((state, hier)).into_iter().map(|s| self.locations[s]).collect()));
            }
            for &(_, target) in &self.internal[state] {
                pairs.add((target, hier), Some((state, hier)));
            }
            for &(_, target) in &self.calls[state] {
                pairs.add((target, Some(state)), Some((state, hier)));
            }
            for &(over, _, target) in &self.returns[state] {
                if hier == Some(over) {
                    pairs.summarise(over, target, (state, hier));
                }
            }
        }
        Ok(None)
    }
}

/// A state, and the state in which the current procedure was called.
type Pair = (usize, Option<usize>);

/// Reachable pairs, breadth first; a procedure that returns continues for all callers of its call.
#[derive(Default)]
struct Pairs {
    found: FxHashMap<Pair, Option<Pair>>,
    queue: std::collections::VecDeque<Pair>,
    hierarchical: FxHashMap<usize, Vec<Option<usize>>>,
    summaries: FxHashMap<usize, Vec<usize>>,
}

impl Pairs {
    fn add(&mut self, pair: Pair, from: Option<Pair>) {
        if self.found.contains_key(&pair) {
            return;
        }
        self.found.insert(pair, from);
        self.queue.push_back(pair);
        let (state, hier) = pair;
        self.hierarchical.entry(state).or_default().push(hier);
    }

    /// A call made in `caller` comes back in `target`.
    fn summarise(&mut self, caller: usize, target: usize, from: Pair) {
        let known = self.summaries.entry(caller).or_default();
        if known.contains(&target) {
            return;
        }
        known.push(target);
        for hier in self.hierarchical.get(&caller).cloned().unwrap_or_default() {
            self.add((target, hier), Some(from));
        }
    }

    fn next(&mut self) -> Option<Pair> {
        let pair = self.queue.pop_front()?;
        for target in self.summaries.get(&pair.0).cloned().unwrap_or_default() {
            self.add((target, pair.1), Some(pair));
        }
        Some(pair)
    }

    fn path(&self, last: Pair) -> Vec<usize> {
        let mut path = vec![last.0];
        let mut current = last;
        while let Some(&Some(before)) = self.found.get(&current) {
            path.push(before.0);
            current = before;
        }
        path.reverse();
        path
    }
}

/// The cut points that blocks lead to.
fn block_targets(program: &Program, from: Location, cut_points: &EntitySet<Location>) -> BTreeSet<Location> {
    let mut targets = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut pending = vec![from];
    while let Some(location) = pending.pop() {
        for &edge in &program.outgoing[location] {
            let data = &program.edges[edge];
            if !matches!(data.kind, EdgeKind::Internal(_)) {
                continue;
            }
            if cut_points.contains(data.target) {
                targets.insert(data.target);
            } else if seen.insert(data.target) {
                pending.push(data.target);
            }
        }
    }
    targets
}

/// The transitions of an automaton, ready to be made deterministic.
struct Deterministic<'a> {
    automaton: &'a Automaton,
    steps: FxHashMap<(usize, Letter), Vec<usize>>,
    returns: FxHashMap<(usize, usize, Letter), Vec<usize>>,
}

/// Where the procedure was entered, and where the automaton is now.
type States = BTreeSet<(usize, usize)>;

impl<'a> Deterministic<'a> {
    fn new(automaton: &'a Automaton) -> Deterministic<'a> {
        let mut steps: FxHashMap<(usize, Letter), Vec<usize>> = FxHashMap::default();
        for &(from, letter, to) in &automaton.steps {
            steps.entry((from, letter)).or_default().push(to);
        }
        let mut returns: FxHashMap<(usize, usize, Letter), Vec<usize>> = FxHashMap::default();
        for &(from, hier, letter, to) in &automaton.returns {
            returns.entry((from, hier, letter)).or_default().push(to);
        }
        Deterministic { automaton, steps, returns }
    }

    fn initial(&self) -> States {
        self.automaton.initial.iter().map(|&state| (state, state)).collect()
    }

    fn after(&self, state: usize, letter: Letter) -> &[usize] {
        self.steps.get(&(state, letter)).map_or(&[], |targets| &targets[..])
    }

    fn internal(&self, states: &States, letter: Letter) -> States {
        let targets =
            |&(entry, now): &(usize, usize)| self.after(now, letter).iter().map(move |&to| (entry, to));
        states.iter().flat_map(targets).collect()
    }

    fn call(&self, states: &States, edge: Edge) -> States {
        let targets =
            |&(_, now): &(usize, usize)| self.after(now, Letter::Call(edge)).iter().map(|&to| (to, to));
        states.iter().flat_map(targets).collect()
    }

    /// After a return: the callee went from `entry` to `now`, the caller was in `at` when it made the call.
    fn ret(&self, inside: &States, caller: &States, comeback: Comeback) -> States {
        let mut result = States::new();
        for &(outer, at) in caller {
            let entries = self.after(at, Letter::Call(comeback.call));
            for &(_, now) in inside.iter().filter(|(entry, _)| entries.contains(entry)) {
                let targets = self.returns.get(&(now, at, Letter::Return(comeback.ret)));
                result.extend(targets.into_iter().flatten().map(|&to| (outer, to)));
            }
        }
        result
    }

    /// Is everything that got here infeasible?
    fn accepts(&self, states: &States) -> bool {
        states.iter().any(|&(_, now)| self.automaton.labels[now].is_false())
    }
}

/// The product of traces with the complement of an automaton.
struct Product<'a> {
    left: &'a Traces,
    right: &'a Deterministic<'a>,
    sets: Vec<States>,
    set_ids: FxHashMap<States, usize>,
    states: FxHashMap<(usize, usize), usize>,
    parts: Vec<(usize, usize)>,
    pairs: Pairs,
    seen_returns: FxHashSet<(usize, usize, Comeback)>,
    expanded: FxHashSet<usize>,
    traces: Traces,
}

impl<'a> Product<'a> {
    fn new(left: &'a Traces, right: &'a Deterministic<'a>) -> Product<'a> {
        Product {
            left,
            right,
            sets: Vec::new(),
            set_ids: FxHashMap::default(),
            states: FxHashMap::default(),
            parts: Vec::new(),
            pairs: Pairs::default(),
            seen_returns: FxHashSet::default(),
            expanded: FxHashSet::default(),
            traces: Traces::default(),
        }
    }

    /// The product state of a trace state and a set of automaton states; none if the automaton accepts there.
    fn state(&mut self, left: usize, set: States) -> Option<usize> {
        if self.right.accepts(&set) {
            return None;
        }
        let id = match self.set_ids.get(&set) {
            Some(&id) => id,
            None => {
                self.sets.push(set.clone());
                self.set_ids.insert(set, self.sets.len() - 1);
                self.sets.len() - 1
            }
        };
        if let Some(&known) = self.states.get(&(left, id)) {
            return Some(known);
        }
        let state = self.traces.add(self.left.locations[left], self.left.errors[left]);
        self.states.insert((left, id), state);
        self.parts.push((left, id));
        Some(state)
    }

    fn explore(&mut self, budget: &Budget) -> Result<(), Refusal> {
        for &left in &self.left.initial {
            if let Some(state) = self.state(left, self.right.initial()) {
                self.traces.initial.push(state);
                self.pairs.add((state, None), None);
            }
        }
        while let Some((state, hier)) = self.pairs.next() {
            budget.check()?;
            if self.expanded.insert(state) {
                self.expand(state);
            }
            for index in 0..self.traces.internal[state].len() {
                let (_, target) = self.traces.internal[state][index];
                self.pairs.add((target, hier), Some((state, hier)));
            }
            for index in 0..self.traces.calls[state].len() {
                let (_, target) = self.traces.calls[state][index];
                self.pairs.add((target, Some(state)), Some((state, hier)));
            }
            if let Some(hier) = hier {
                self.returns(state, hier);
            }
        }
        Ok(())
    }

    /// The internal and call transitions of a product state.
    fn expand(&mut self, state: usize) {
        let (left, set) = self.parts[state];
        for &(letter, target) in &self.left.internal[left] {
            let after = self.right.internal(&self.sets[set], letter);
            if let Some(target) = self.state(target, after) {
                self.traces.internal[state].push((letter, target));
            }
        }
        for &(edge, target) in &self.left.calls[left] {
            let after = self.right.call(&self.sets[set], edge);
            if let Some(target) = self.state(target, after) {
                self.traces.calls[state].push((edge, target));
            }
        }
    }

    /// The return transitions of a product state to the callers of a product state.
    fn returns(&mut self, state: usize, hier: usize) {
        let ((left, set), (left_hier, set_hier)) = (self.parts[state], self.parts[hier]);
        for &(over, comeback, target) in &self.left.returns[left] {
            if over != left_hier || !self.seen_returns.insert((state, hier, comeback)) {
                continue;
            }
            let after = self.right.ret(&self.sets[set], &self.sets[set_hier], comeback);
            if let Some(target) = self.state(target, after) {
                self.traces.returns[state].push((hier, comeback, target));
                self.pairs.summarise(hier, target, (state, Some(hier)));
            }
        }
    }
}
