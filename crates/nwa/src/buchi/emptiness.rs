//! Emptiness of Büchi automata, with a lasso that shows that the language is not empty.
//!
//! An accepting run over an infinite nested word visits infinitely many states *on its spine*, outside of all calls that
//! return. The spine is a path in the graph whose edges are internal steps, calls that stay pending, and *summaries*:
//! calls with everything up to their matching return. So the language is not empty iff the graph has a reachable cycle
//! with a final state on it, or with one inside of a summary; a lasso of the graph is a lasso of the automaton.
//!
//! The lasso that is found has the least length of stem and loop together, summaries counted with all their symbols.
//! Loop heads are tried in the order of their distance from the initial states, as long as a shorter lasso is possible
//! and the effort of [`effort`] is not used up; then the shortest lasso so far is the answer. (The exact search is
//! quadratic for automata that are one long cycle.) Summaries are found by [`search`](crate::search) on the automaton
//! with two copies of each state, before and after a visit of a final state.

use super::LassoRun;
use crate::search::{Search, Summary};
use crate::{Budget, EntityRef, Interrupted, Letter, NestedWord, Nwa, NwaBuilder, Run, State, Symbol};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Whether no infinite nested word is accepted. Linear in the table of reachable states and calls.
pub fn is_empty(nwa: &Nwa, budget: &dyn Budget) -> Result<bool, Interrupted> {
    crate::trim::has_no_accepting_cycle(nwa, budget)
}

/// A shortest accepting lasso, if the language of infinite words is not empty.
pub fn shortest_lasso(nwa: &Nwa, budget: &dyn Budget) -> Result<Option<LassoRun>, Interrupted> {
    let doubled = doubled(nwa);
    let mut automaton = &doubled;
    let mut search = Search::new(&mut automaton, budget);
    search.run()?;
    let spine = Spine::new(nwa, &search);
    let Some(lasso) = spine.lasso(budget)? else { return Ok(None) };
    let stem = lasso.stem.run(&search)?;
    let repeated = lasso.repeated.run(&search)?;
    Ok(Some(LassoRun { stem, repeated }))
}

/// How many steps the search for shorter loops may take in a graph with so many edges.
fn effort(edges: usize) -> usize {
    200_000 + 8 * edges
}

/// The length of two parts together. Recursion makes paths exponentially long: beyond the largest number they all count
/// as equally long, but shorter than what is not reachable.
fn longer(length: u64, more: u64) -> u64 {
    length.saturating_add(more).min(u64::MAX - 1)
}

/// The copy of a state before or after a visit of a final state.
fn copy(state: State, visited: bool) -> State {
    State::new(2 * state.index() + usize::from(visited))
}

/// The state of a copy, and whether a final state was visited.
fn original(copy: State) -> (State, bool) {
    (State::new(copy.index() / 2), copy.index() % 2 == 1)
}

/// The automaton with two copies of each state. No state is final; the search starts wherever a call is possible, so
/// that it finds all summaries.
fn doubled(nwa: &Nwa) -> Nwa {
    let mut builder = NwaBuilder::new(nwa.alphabet().clone());
    builder.add_states(2 * nwa.num_states());
    for state in nwa.states() {
        if !nwa.calls(state).is_empty() {
            builder.set_initial(copy(state, false));
        }
        for visited in [false, true] {
            let after = |target| copy(target, visited || nwa.is_final(target));
            for edge in nwa.internal(state) {
                builder.add_internal(copy(state, visited), edge.letter, after(edge.state));
            }
            for edge in nwa.calls(state) {
                builder.add_call(copy(state, visited), edge.letter, after(edge.state));
            }
            for (hier, edges) in nwa.returns(state) {
                for edge in edges {
                    let target = after(edge.state);
                    builder.add_return(copy(state, visited), copy(hier, false), edge.letter, target);
                    if visited {
                        builder.add_return(copy(state, true), copy(hier, true), edge.letter, target);
                    }
                }
            }
        }
    }
    builder.finish()
}

/// What an edge of the spine stands for.
#[derive(Clone, Copy)]
enum Hop {
    Internal(Letter),
    Call(Letter),
    Summary(Summary),
}

/// An edge of the spine.
#[derive(Clone, Copy)]
struct Arc {
    target: State,
    length: u64,
    /// Whether a final state behind the source is visited.
    visit: bool,
    hop: Hop,
}

/// The graph of the spine.
struct Spine<'a> {
    nwa: &'a Nwa,
    arcs: Vec<Vec<Arc>>,
}

/// A path of the spine.
struct Path {
    start: State,
    arcs: Vec<Arc>,
}

impl Path {
    /// The run that the path stands for.
    fn run(&self, search: &Search<'_, &Nwa>) -> Result<Run, Interrupted> {
        let (mut symbols, mut states) = (Vec::new(), vec![self.start]);
        for arc in &self.arcs {
            match arc.hop {
                Hop::Internal(letter) => symbols.push(Symbol::Internal(letter)),
                Hop::Call(letter) => symbols.push(Symbol::Call(letter)),
                Hop::Summary(summary) => {
                    let first = states.len();
                    search.write_summary(summary, &mut symbols, &mut states)?;
                    for state in &mut states[first..] {
                        *state = original(*state).0;
                    }
                    continue;
                }
            }
            states.push(arc.target);
        }
        let word = NestedWord::new(symbols).expect("the returns of a path are inside of summaries");
        Ok(Run { word, states })
    }
}

/// A lasso of the spine.
struct SpineLasso {
    stem: Path,
    repeated: Path,
}

/// The distances of states from some start, with the way there.
struct Distances {
    /// For each node its distance, the node before, and the arc from there.
    reached: Vec<Option<(u64, usize, Arc)>>,
    start: usize,
}

impl Distances {
    fn path(&self, mut node: usize, state: impl Fn(usize) -> State) -> Path {
        let mut arcs = Vec::new();
        while let Some((_, before, arc)) = self.reached[node] {
            arcs.push(arc);
            node = before;
            if node == self.start {
                break;
            }
        }
        arcs.reverse();
        Path { start: state(node), arcs }
    }
}

impl<'a> Spine<'a> {
    fn new(nwa: &'a Nwa, search: &Search<'_, &Nwa>) -> Spine<'a> {
        let mut arcs = Vec::with_capacity(nwa.num_states());
        for state in nwa.states() {
            let step = |letter, target, hop: fn(Letter) -> Hop| Arc {
                target,
                length: 1,
                visit: nwa.is_final(target),
                hop: hop(letter),
            };
            let mut row: Vec<Arc> = Vec::new();
            row.extend(nwa.internal(state).iter().map(|edge| step(edge.letter, edge.state, Hop::Internal)));
            row.extend(nwa.calls(state).iter().map(|edge| step(edge.letter, edge.state, Hop::Call)));
            row.extend(search.summaries(copy(state, false)).iter().map(|&summary| {
                let (target, visit) = original(summary.target);
                Arc { target, length: summary.cost, visit, hop: Hop::Summary(summary) }
            }));
            arcs.push(row);
        }
        Spine { nwa, arcs }
    }

    /// The shortest ways from the initial states, in the order of their lengths.
    fn distances(&self, budget: &dyn Budget) -> Result<(Distances, Vec<(u64, State)>), Interrupted> {
        // The node behind the last state is before all initial states.
        let start = self.nwa.num_states();
        let mut distances = Distances { reached: vec![None; start + 1], start };
        let mut settled = vec![false; start];
        let mut order = Vec::new();
        let mut queue = BinaryHeap::new();
        let mut origin: Vec<u64> = vec![u64::MAX; start];
        for &state in self.nwa.initial() {
            origin[state.index()] = 0;
            queue.push(Reverse((0, state)));
        }
        while let Some(Reverse((distance, state))) = queue.pop() {
            if std::mem::replace(&mut settled[state.index()], true) {
                continue;
            }
            budget.check()?;
            order.push((distance, state));
            for &arc in &self.arcs[state.index()] {
                let length = longer(distance, arc.length);
                let target = arc.target.index();
                if length < origin[target] {
                    origin[target] = length;
                    distances.reached[target] = Some((length, state.index(), arc));
                    queue.push(Reverse((length, arc.target)));
                }
            }
        }
        Ok((distances, order))
    }

    fn lasso(&self, budget: &dyn Budget) -> Result<Option<SpineLasso>, Interrupted> {
        let states = self.nwa.num_states();
        let components = graph::components(states, |node, out| {
            out.extend(self.arcs[node].iter().map(|arc| arc.target.index()));
        });
        let component = components.numbers();
        let mut accepting = vec![false; components.len()];
        for (node, row) in self.arcs.iter().enumerate() {
            let own = component[node];
            accepting[own] |= row.iter().any(|arc| arc.visit && component[arc.target.index()] == own);
        }
        let (distances, order) = self.distances(budget)?;
        let mut loops = Loops {
            spine: self,
            component: &component,
            reached: vec![None; 2 * states],
            touched: Vec::new(),
            effort: effort(self.arcs.iter().map(Vec::len).sum()),
        };
        let mut best: Option<(u64, State, Path)> = None;
        for (distance, head) in order {
            if !accepting[component[head.index()]] {
                continue;
            }
            let bound = best.as_ref().map_or(u64::MAX, |best| best.0.saturating_sub(distance));
            if best.is_some() && (bound <= 1 || loops.effort == 0) {
                break;
            }
            if let Some((length, path)) = loops.shortest(head, bound, budget)? {
                best = Some((distance.saturating_add(length), head, path));
            }
        }
        Ok(best.map(|(_, head, repeated)| SpineLasso {
            stem: distances.path(head.index(), State::new),
            repeated,
        }))
    }
}

/// The search for loops, with buffers that are used again.
struct Loops<'a> {
    spine: &'a Spine<'a>,
    component: &'a [usize],
    reached: Vec<Option<(u64, usize, Arc)>>,
    touched: Vec<usize>,
    effort: usize,
}

impl Loops<'_> {
    /// A shortest loop with a visit of a final state, if there is one that is shorter than the bound. (The first loop is
    /// searched with the bound `u64::MAX` and whatever the effort is.)
    fn shortest(
        &mut self,
        head: State,
        bound: u64,
        budget: &dyn Budget,
    ) -> Result<Option<(u64, Path)>, Interrupted> {
        for node in self.touched.drain(..) {
            self.reached[node] = None;
        }
        let (start, goal) = (copy(head, false).index(), copy(head, true).index());
        let mut queue = BinaryHeap::from([Reverse((0u64, start))]);
        while let Some(Reverse((length, node))) = queue.pop() {
            budget.check()?;
            if node == goal {
                let distances = Distances { reached: std::mem::take(&mut self.reached), start };
                let path = distances.path(node, |node| original(State::new(node)).0);
                self.reached = distances.reached;
                return Ok(Some((length, path)));
            }
            if node != start && self.reached[node].is_some_and(|(known, ..)| known < length) {
                continue;
            }
            if bound < u64::MAX {
                if self.effort == 0 {
                    return Ok(None);
                }
                self.effort -= 1;
            }
            let (state, visited) = original(State::new(node));
            for &arc in &self.spine.arcs[state.index()] {
                if self.component[arc.target.index()] != self.component[head.index()] {
                    continue;
                }
                let length = longer(length, arc.length);
                let target = copy(arc.target, visited || arc.visit).index();
                let better = self.reached[target].is_none_or(|(known, ..)| length < known);
                if better && target != start && length < bound {
                    self.reached[target] = Some((length, node, arc));
                    self.touched.push(target);
                    queue.push(Reverse((length, target)));
                }
            }
        }
        Ok(None)
    }
}
