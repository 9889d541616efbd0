//! What is left to prove: the error traces of a program that no automaton of a proof accepts yet (paper "Software Model
//! Checking for People who Love Automata": P∖A).
//!
//! It is a nested word automaton over the edges of the program, so it can be searched for a trace, another
//! Floyd-Hoare automaton can be subtracted from it, and it can be analysed as a program of its own, in which one
//! location of the program may have become several.

use crate::context::Context;
use crate::floyd_hoare::on_demand::OnDemand;
use crate::floyd_hoare::{Letters, explicit};
use crate::predicates::Predicate;
use crate::traces::Trace;
use analysis::graph::{Arc, Graph, Node};
use base::{Budget, Interrupted};
use nwa::{Difference, Letter, NestedWord, Nwa, NwaBuilder, Symbol};
use program::{Edge, EdgeKind, FloydHoareAutomaton, Location, Program};
use rustc_hash::FxHashMap;

/// A longer trace is not made: its formula alone would take gigabytes.
const LONGEST_TRACE: u64 = 300_000;

/// The shortest trace has more blocks than anybody analyses: so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong(pub u64);

/// The error traces that are not yet proven infeasible.
#[derive(Clone)]
pub struct Remainder {
    automaton: Nwa,
    letters: Letters,
}

impl Remainder {
    /// All error traces of a program.
    pub fn of(program: &Program) -> Remainder {
        let (automaton, letters) = explicit::program_automaton(program);
        Remainder { automaton, letters }
    }

    /// The number of states.
    pub fn size(&self) -> usize {
        self.automaton.num_states()
    }

    /// The edges of the program.
    pub fn edges(&self) -> Vec<Edge> {
        self.letters.iter().map(|(_, edge)| edge).collect()
    }

    /// A shortest trace that is left.
    pub fn shortest_trace(
        &self,
        program: &Program,
        budget: &Budget,
    ) -> Result<Result<Option<Trace>, TooLong>, Interrupted> {
        Ok(self.shortest_traces(program, 1, budget)?.map(|mut traces| traces.pop()))
    }

    /// Shortest traces that are left and end in different edges, at most so many. The first is a shortest of all; each of the others
    /// is a shortest without the last edges of those before it. Procedures that call each other twice have traces as long as two to the
    /// power of their number.
    pub fn shortest_traces(
        &self,
        program: &Program,
        most: usize,
        budget: &Budget,
    ) -> Result<Result<Vec<Trace>, TooLong>, Interrupted> {
        let (mut traces, mut ends) = (Vec::new(), Vec::new());
        while traces.len() < most {
            let run = match ends.is_empty() {
                true => nwa::shortest_run_within(&self.automaton, LONGEST_TRACE, budget)?,
                false => nwa::shortest_run_within(&self.without(&ends, budget)?, LONGEST_TRACE, budget)?,
            };
            let run = match run {
                Some(Ok(run)) => run,
                Some(Err(blocks)) if traces.is_empty() => return Ok(Err(TooLong(blocks))),
                Some(Err(_)) | None => break,
            };
            let symbols = run.word.symbols();
            let edges = symbols.iter().map(|symbol| self.letters.edge(symbol.letter())).collect();
            traces.push(Trace::new(program, edges));
            ends.extend(symbols.last().map(|symbol| symbol.letter()));
        }
        Ok(Ok(traces))
    }

    /// The traces that are left and have none of these letters.
    fn without(&self, letters: &[Letter], budget: &Budget) -> Result<Nwa, Interrupted> {
        let stays = |edge: &&nwa::Edge| !letters.contains(&edge.letter);
        let mut builder = NwaBuilder::new(self.automaton.alphabet().clone());
        builder.add_states(self.automaton.num_states());
        self.automaton.initial().iter().for_each(|&state| builder.set_initial(state));
        for state in self.automaton.states() {
            budget.check()?;
            if self.automaton.is_final(state) {
                builder.set_final(state);
            }
            for edge in self.automaton.internal(state).iter().filter(stays) {
                builder.add_internal(state, edge.letter, edge.state);
            }
            for edge in self.automaton.calls(state).iter().filter(stays) {
                builder.add_call(state, edge.letter, edge.state);
            }
            for (hier, edges) in self.automaton.returns(state) {
                for edge in edges.iter().filter(stays) {
                    builder.add_return(state, hier, edge.letter, edge.state);
                }
            }
        }
        Ok(builder.finish())
    }

    /// Is the trace among those that are left?
    pub fn has(&self, program: &Program, trace: &Trace, budget: &Budget) -> Result<bool, Interrupted> {
        let by_edge: FxHashMap<Edge, Letter> =
            self.letters.iter().map(|(letter, edge)| (edge, letter)).collect();
        let symbol = |edge: &Edge| match program.edges[*edge].kind {
            EdgeKind::Internal(_) => Symbol::Internal(by_edge[edge]),
            EdgeKind::Call(_) => Symbol::Call(by_edge[edge]),
            EdgeKind::Return(_) => Symbol::Return(by_edge[edge]),
        };
        let word = NestedWord::new(trace.edges.iter().map(symbol).collect());
        nwa::accepts(&self.automaton, &word.expect("a trace is a nested word"), budget)
    }

    /// Removes the traces of the deterministic automaton over some predicates, which finds its triples on the way.
    /// Gives back the part that was used.
    pub fn subtract_on_demand(
        &mut self,
        context: &mut Context<'_>,
        predicates: Vec<Predicate>,
    ) -> Result<FloydHoareAutomaton, Interrupted> {
        let (automaton, used) = self.difference(context, predicates)?;
        self.automaton = automaton;
        self.reduce(&context.budget)?;
        Ok(used)
    }

    /// The part of that automaton that these traces use. It is as good as the whole to subtract from them, or from fewer.
    pub fn used_by(
        &self,
        context: &mut Context<'_>,
        predicates: Vec<Predicate>,
    ) -> Result<FloydHoareAutomaton, Interrupted> {
        Ok(self.difference(context, predicates)?.1)
    }

    fn difference(
        &self,
        context: &mut Context<'_>,
        predicates: Vec<Predicate>,
    ) -> Result<(Nwa, FloydHoareAutomaton), Interrupted> {
        let Context { program, terms, pool, checker, budget, .. } = context;
        let mut subtrahend = OnDemand::new(program, &self.letters, terms, pool, checker, predicates);
        let mut difference = Difference::subtract(&self.automaton, &mut subtrahend);
        let automaton = nwa::explicit(&mut difference, budget)?.nwa;
        Ok((automaton, subtrahend.into_proof()))
    }

    /// Removes the traces of an automaton.
    pub fn subtract(
        &mut self,
        context: &Context<'_>,
        automaton: &FloydHoareAutomaton,
    ) -> Result<(), Interrupted> {
        let subtrahend = explicit::floyd_hoare_automaton(context.program, &self.letters, automaton);
        self.automaton = nwa::difference(&self.automaton, &subtrahend, &context.budget)?.nwa;
        self.reduce(&context.budget)
    }

    /// Drops states that do not matter and merges states that behave alike.
    fn reduce(&mut self, budget: &Budget) -> Result<(), Interrupted> {
        self.automaton = nwa::reduce::by_bisimulation(&self.automaton, |_| 0, budget)?.nwa;
        Ok(())
    }

    /// The traces that are left, as a program that can be analysed. Errors keep their locations.
    pub fn graph(&self, program: &Program) -> Graph {
        let mut graph = Graph::default();
        let mut nodes: FxHashMap<(nwa::State, Location), Node> = FxHashMap::default();
        let mut node = |graph: &mut Graph, state: nwa::State, location: Location| {
            *nodes.entry((state, location)).or_insert_with(|| graph.nodes.push(location))
        };
        for &state in self.automaton.initial() {
            for location in self.locations(program, state) {
                let initial = node(&mut graph, state, location);
                graph.begin_at(initial);
            }
        }
        for source in self.automaton.states() {
            for edge in self.automaton.internal(source).iter().chain(self.automaton.calls(source)) {
                let (edge, state) = (self.letters.edge(edge.letter), edge.state);
                let data = &program.edges[edge];
                let (source, target) =
                    (node(&mut graph, source, data.source), node(&mut graph, state, data.target));
                graph.add(Arc { source, target, edge, call: None });
            }
            for (hier, edges) in self.automaton.returns(source) {
                for edge in edges {
                    let (edge, state) = (self.letters.edge(edge.letter), edge.state);
                    let data = &program.edges[edge];
                    let EdgeKind::Return(returning) = &data.kind else { continue };
                    let call = node(&mut graph, hier, program.call_of(returning).0.source);
                    let (source, target) =
                        (node(&mut graph, source, data.source), node(&mut graph, state, data.target));
                    graph.add(Arc { source, target, edge, call: Some(call) });
                }
            }
        }
        graph
    }

    /// The locations at which the edges out of a state begin: one, because an edge has one source, unless there are none.
    fn locations(&self, program: &Program, state: nwa::State) -> Vec<Location> {
        let steps = self.automaton.internal(state).iter().chain(self.automaton.calls(state));
        let letters = steps.map(|edge| edge.letter);
        let back = self.automaton.returns(state).flat_map(|(_, edges)| edges.iter().map(|edge| edge.letter));
        let source = |letter: Letter| program.edges[self.letters.edge(letter)].source;
        let mut locations: Vec<Location> = letters.chain(back).map(source).collect();
        locations.sort_unstable();
        locations.dedup();
        locations
    }
}
