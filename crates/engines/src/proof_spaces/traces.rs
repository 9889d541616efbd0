//! Traces of the program with threads: are they feasible, and why not?
//!
//! A trace is made a program without branches, whose variables are those of its threads. So the trace check and the
//! interpolation of all engines do the work.

use super::letters::Alphabet;
use crate::context::Context;
use crate::interpolation::{Interpolation, Interpolator, Level};
use crate::trace_check::{Feasibility, check_trace};
use crate::traces::{Ssa, Trace};
use alternating::{EntityRef, Reading, Thread};
use base::{Budget, Interrupted};
use ir::Procedure;
use logic::{Term, Terms};
use program::automaton::{EdgeData, ErrorData, ErrorKind, LocationData};
use program::steps::OriginData;
use program::{Edge, EdgeKind, Program};
use smt::Solvers;

/// Where interpolants come from, one after the other, if those before do not prove a trace.
pub(super) const SOURCES: &[Interpolation] = &[
    Interpolation::WeakestPre(Level::Core),
    Interpolation::Farkas,
    Interpolation::Craig,
    Interpolation::StrongestPost(Level::Core),
];

/// What was found out about a trace.
pub(super) enum Outcome {
    /// The solver has values for it.
    Feasible,
    /// It is infeasible, and these formulas say why.
    Infeasible(Vec<Term>),
    /// No source has formulas that say why.
    NotProven,
    /// The solver could not tell.
    Unclear(String),
}

/// What the check of a trace needs.
pub(super) struct Checker<'c> {
    pub(super) solvers: &'c Solvers,
    pub(super) budget: Budget,
    /// The program whose axioms hold.
    pub(super) single: &'c Program,
    /// The procedure that all variables belong to.
    pub(super) procedure: Procedure,
}

impl Checker<'_> {
    /// Checks a trace. Its formulas are about the families with the numbers of the threads in it, in the order in which they come.
    pub(super) fn check(
        &self,
        alphabet: &mut Alphabet,
        trace: &[Reading],
        sources: &[Interpolation],
        terms: &mut Terms,
    ) -> Result<Outcome, Interrupted> {
        let program = self.program(alphabet, trace, terms);
        let edges: Vec<Edge> = program.edges.keys().collect();
        let straight = Trace::new(&program, edges);
        let mut context = Context::new(&program, terms, self.solvers, self.budget.clone());
        let mut ssa = Ssa::new(&program, &straight, context.terms);
        let mut solver = context.session();
        let feasibility =
            check_trace(&program, &straight, &mut ssa, context.terms, &mut *solver, &self.budget)?;
        let core = match feasibility {
            Feasibility::Feasible(_) => return Ok(Outcome::Feasible),
            Feasibility::Unknown(why) => return Ok(Outcome::Unclear(why)),
            Feasibility::Infeasible(core) => core,
        };
        for &source in sources {
            let sequences = Interpolator::new(source).interpolate(&mut context, &straight, &core)?;
            if sequences.is_empty() {
                continue;
            }
            let mut formulas = Vec::new();
            for set in sequences.iter().flat_map(|sequence| &sequence.predicates) {
                for &member in context.pool.members(*set) {
                    formulas.push(context.pool[member].formula);
                }
            }
            formulas.sort_unstable();
            formulas.dedup();
            return Ok(Outcome::Infeasible(formulas));
        }
        Ok(Outcome::NotProven)
    }

    /// The trace as a program.
    fn program(&self, alphabet: &mut Alphabet, trace: &[Reading], terms: &mut Terms) -> Program {
        let mut threads: Vec<Thread> = Vec::new();
        for &thread in trace.iter().flat_map(|reading| &reading.threads) {
            if !threads.contains(&thread) {
                threads.push(thread);
            }
        }
        alphabet.reserve(threads.len(), terms);
        let span = self.single.locations[self.single.frames[&self.procedure].entry].span;
        let mut program = Program {
            variables: alphabet.variables.clone(),
            axioms: self.single.axioms.clone(),
            functions: self.single.functions.clone(),
            ..Program::default()
        };
        let origin = program.origins.push(OriginData::Empty);
        let location = LocationData { procedure: self.procedure, span, error: None };
        let mut here = program.locations.push(location.clone());
        program.initial.push(here);
        for reading in trace {
            let families: Vec<usize> = reading
                .threads
                .iter()
                .map(|thread| threads.iter().position(|known| known == thread).unwrap_or(0))
                .collect();
            let relation = alphabet.relation(reading.letter.index(), &families, terms);
            let target = program.locations.push(location.clone());
            program.add_edge(EdgeData {
                source: here,
                target,
                kind: EdgeKind::Internal(relation),
                origin,
                overapproximates: false,
            });
            here = target;
        }
        let error = ErrorData { location: here, kind: ErrorKind::Assert, span, condition: span };
        program.locations[here].error = Some(program.errors.push(error));
        program
    }
}
