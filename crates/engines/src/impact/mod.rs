//! Impact: lazy abstraction with interpolants (as compared with in paper "Splitting via Interpolants", Section 5).
//!
//! The program is unwound into a tree. An error vertex is refined: if its path is feasible it is a counterexample,
//! else the interpolants of the path strengthen the labels along it, down to `false` at the error. A vertex is covered
//! by an earlier one at the same location whose label it implies; *forced* covering tries to strengthen the path to a
//! vertex so that it becomes covered. When every leaf is covered or labelled `false`, the labels are a proof.
//!
//! Requires a program without calls. Works for any size of blocks; with large ones an edge stands for many paths.
//! The proof's states are the vertices that are not closed, and a covered vertex is replaced by the one that
//! covers it.

mod forced;
mod unwinding;

use crate::context::Context;
use crate::implication::Implications;
use crate::interpolation::{Interpolation, Sequence};
use crate::predicates::PredicateSet;
use crate::refutation::{Refutation, Refuter};
use crate::task::Task;
use crate::traces::Trace;
use base::Interrupted;
use logic::Term;
use program::{Edge, FloydHoareAutomaton, Proof, Verdict};
use rustc_hash::FxHashMap;
use unwinding::{Unwinding, Vertex};

base::statistics! {
    /// What the unwinding did, in the words of the paper's Table 1: a split is a vertex that was strengthened.
    pub struct ImpactStatistics {
        splits: "splits",
        theorem_prover_calls: "theorem prover calls",
        vertices: "vertices of the unwinding",
        covered: "vertices covered",
        forced: "vertices covered by force",
    }
}

/// How many vertices a vertex is forced against, the nearest first: each attempt is a query for every vertex in between.
const FORCED: usize = 2;

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let interpolation = task.options.interpolation;
    let mut context = task.context();
    let mut engine = Impact::new(&mut context, interpolation);
    let verdict = engine.run();
    let (own, refuter) = (engine.statistics, engine.refuter.counters());
    drop(engine);
    let triples = context.checker.statistics;
    drop(context);
    task.counted.add(own.entries().chain(refuter).chain(triples.entries()));
    verdict
}

/// The algorithm.
pub struct Impact<'c, 'p> {
    context: &'c mut Context<'p>,
    refuter: Refuter,
    implications: Implications<'p>,
    unwinding: Unwinding<'p>,
    top: PredicateSet,
    /// What was counted.
    pub statistics: ImpactStatistics,
}

impl<'c, 'p> Impact<'c, 'p> {
    /// The algorithm before its first step.
    pub fn new(context: &'c mut Context<'p>, interpolation: Interpolation) -> Impact<'c, 'p> {
        let top = context.pool.set(Vec::new());
        let bottom = context.pool.set(vec![crate::predicates::Predicate::bottom()]);
        Impact {
            refuter: Refuter::new(interpolation),
            implications: Implications::new(context),
            unwinding: Unwinding::new(context.program, top, bottom),
            context,
            top,
            statistics: ImpactStatistics::default(),
        }
    }

    /// Runs the algorithm to its end.
    pub fn run(&mut self) -> Result<Verdict, Interrupted> {
        let verdict = self.unwind();
        self.count();
        verdict
    }

    fn unwind(&mut self) -> Result<Verdict, Interrupted> {
        loop {
            self.context.budget.check()?;
            let Some(leaf) = self.unwinding.open_leaf() else { return Ok(Verdict::Safe(self.proof())) };
            self.close(leaf)?;
            if self.unwinding.is_closed(leaf) {
                continue;
            }
            if !self.is_error(leaf) {
                self.unwinding.expand(leaf, self.top);
                continue;
            }
            let path = self.unwinding.path(leaf);
            let trace = Trace::new(self.context.program, self.edges(&path));
            match self.refuter.refute(self.context, &trace)? {
                Refutation::Ended(verdict) => return Ok(verdict),
                Refutation::Refuted(interpolants) => self.refine(&path, &interpolants)?,
            }
        }
    }

    fn is_error(&self, vertex: Vertex) -> bool {
        let location = self.unwinding.vertices[vertex].location;
        self.context.program.locations[location].error.is_some()
    }

    /// The edges between the vertices of a path.
    fn edges(&self, path: &[Vertex]) -> Vec<Edge> {
        let incoming = |&vertex: &Vertex| self.unwinding.vertices[vertex].parent.map(|(_, edge)| edge);
        path.iter().skip(1).filter_map(incoming).collect()
    }

    /// Strengthens the labels along a path, and looks for new covers there.
    fn refine(&mut self, path: &[Vertex], interpolants: &Sequence) -> Result<(), Interrupted> {
        let mut stronger = Vec::new();
        for (&vertex, &interpolant) in path.iter().zip(&interpolants.predicates) {
            if self.strengthen(vertex, interpolant)? {
                self.statistics.splits += 1;
                stronger.push(vertex);
            }
        }
        for vertex in stronger {
            if !self.unwinding.is_closed(vertex) {
                self.cover(vertex)?;
            }
        }
        Ok(())
    }

    /// Adds predicates to a label; whether it did not have them. Vertices that it covers stay covered only if they
    /// still imply it.
    fn strengthen(&mut self, vertex: Vertex, more: PredicateSet) -> Result<bool, Interrupted> {
        let label = self.unwinding.vertices[vertex].label;
        if self.implications.implies(self.context, label, more)? {
            return Ok(false);
        }
        let pool = &mut self.context.pool;
        let members = [pool.members(label), pool.members(more)].concat();
        let stronger = pool.set(members);
        let contradictory = pool.is_contradictory(stronger);
        self.unwinding.vertices[vertex].label = stronger;
        if contradictory {
            self.unwinding.abandon(vertex);
            return Ok(true);
        }
        for covered in self.unwinding.covered_by(vertex) {
            let label = self.unwinding.vertices[covered].label;
            if !self.implications.implies(self.context, label, stronger)? {
                self.unwinding.uncover(covered);
            }
        }
        Ok(true)
    }

    /// Covers a vertex if possible, by force if need be.
    fn close(&mut self, vertex: Vertex) -> Result<(), Interrupted> {
        if !self.is_error(vertex) && !self.cover(vertex)? {
            self.force(vertex)?;
        }
        Ok(())
    }

    /// Covers a vertex by an earlier one whose label it implies.
    fn cover(&mut self, vertex: Vertex) -> Result<bool, Interrupted> {
        let label = self.unwinding.vertices[vertex].label;
        for by in self.unwinding.candidates(vertex) {
            let other = self.unwinding.vertices[by].label;
            if self.implications.implies(self.context, label, other)? {
                self.unwinding.cover(vertex, by);
                self.statistics.covered += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Strengthens the path to a vertex so that an earlier one covers it.
    fn force(&mut self, vertex: Vertex) -> Result<(), Interrupted> {
        let path = self.unwinding.path(vertex);
        for by in self.unwinding.candidates(vertex).into_iter().take(FORCED) {
            let other = self.unwinding.path(by);
            let common = path.iter().zip(&other).take_while(|(a, b)| a == b).count();
            if common == 0 {
                continue;
            }
            // The path from the nearest common ancestor to the vertex. Its vertices become stronger; if that took
            // away covers, forcing one vertex could undo what was gained by forcing another, without end.
            let path = &path[common - 1..];
            if path.iter().skip(1).any(|&vertex| self.unwinding.gives_covers(vertex)) {
                continue;
            }
            if self.force_against(path, by)? {
                self.unwinding.cover(vertex, by);
                self.statistics.covered += 1;
                self.statistics.forced += 1;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes the label of `by` hold at the end of a path, if what is known at its beginning suffices.
    fn force_against(&mut self, path: &[Vertex], by: Vertex) -> Result<bool, Interrupted> {
        let wanted = self.unwinding.vertices[by].label;
        let goal = self.context.pool.conjunction(wanted, self.context.terms);
        let edges = self.edges(path);
        let Some((&first, rest)) = edges.split_first() else { return Ok(false) };
        let Some(formulas) = forced::preconditions(self.context, rest, goal)? else { return Ok(false) };
        let mut needed = Vec::with_capacity(path.len());
        for formula in formulas {
            match self.context.predicate_set(formula) {
                Some(set) => needed.push(set),
                None => return Ok(false),
            }
        }
        needed.push(wanted);
        // One step needs no formula of its own: it is a Hoare triple.
        let known = self.unwinding.vertices[path[0]].label;
        if !self.context.is_valid(known, None, first, needed[0])? {
            return Ok(false);
        }
        for (&vertex, &set) in path.iter().skip(1).zip(&needed) {
            self.strengthen(vertex, set)?;
        }
        Ok(true)
    }

    fn proof(&mut self) -> Proof {
        let mut automaton = FloydHoareAutomaton::default();
        let mut states: FxHashMap<Vertex, program::verdict::State> = FxHashMap::default();
        let mut pending = Vec::new();
        let Impact { context, unwinding, .. } = self;
        let mut state = |vertex: Vertex, automaton: &mut FloydHoareAutomaton, pending: &mut Vec<Vertex>| {
            let standing = unwinding.vertices[vertex].covered_by.unwrap_or(vertex);
            *states.entry(standing).or_insert_with(|| {
                pending.push(standing);
                let data = &unwinding.vertices[standing];
                // No error is left open, also if its label is only found contradictory together with the axioms.
                let label = match context.program.locations[data.location].error {
                    Some(_) => Term::FALSE,
                    None => context.pool.conjunction(data.label, context.terms),
                };
                automaton.states.push(label)
            })
        };
        for &root in &unwinding.roots {
            let initial = state(root, &mut automaton, &mut pending);
            automaton.initial.push(initial);
        }
        while let Some(vertex) = pending.pop() {
            if unwinding.is_closed(vertex) {
                continue;
            }
            let source = state(vertex, &mut automaton, &mut pending);
            for &child in unwinding.vertices[vertex].children.iter().flatten() {
                let (_, edge) = unwinding.vertices[child].parent.expect("a child has a parent");
                let target = state(child, &mut automaton, &mut pending);
                automaton.internal.push((source, edge, target));
            }
        }
        Proof { automata: vec![automaton] }
    }

    fn count(&mut self) {
        let triples = &self.context.checker.statistics;
        let paths = self.refuter.statistics.paths;
        self.statistics.theorem_prover_calls =
            paths + triples.solver + triples.unknown + self.implications.statistics.solver;
        self.statistics.vertices = self.unwinding.vertices.len() as u64;
    }
}
