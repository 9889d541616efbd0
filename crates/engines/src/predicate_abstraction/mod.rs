//! Predicate abstraction (paper "Nested Interpolants", Section 3.3).
//!
//! The program is intersected with the predicate automaton of its predicates ([`automaton`]). While an error trace is
//! left: if it is feasible, it is a counterexample; if not, its interpolants become predicates of the locations that
//! they belong to. When no error trace is left, the predicate automaton is the proof.
//!
//! Works on nested words, so recursion is supported. The abstraction is Cartesian, or Boolean where it is asked for;
//! Boolean abstraction falls back to Cartesian at a step with too many cases.

mod automaton;
mod boolean;

use crate::context::Context;
use crate::floyd_hoare::{Letters, explicit};
use crate::interpolation::{Interpolation, Sequence};
use crate::predicates::Predicate;
use crate::refutation::{Refutation, Refuter, no_interpolants};
use crate::task::{Options, Task};
use crate::traces::Trace;
use automaton::{Precision, PredicateAutomaton};
use base::Interrupted;
use nwa::{Difference, Nwa, ShortestFirst};
use program::{FloydHoareAutomaton, Proof, Verdict};

/// What a state of the predicate automaton can say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abstraction {
    /// A conjunction of predicates.
    Cartesian,
    /// Any Boolean combination of predicates.
    Boolean,
}

base::statistics! {
    /// What the loop did.
    pub struct PredicateAbstractionStatistics {
        iterations: "iterations of the refinement loop",
        predicates: "predicates, counted at each location",
        theorem_prover_calls: "theorem prover calls",
    }
}

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let Options { interpolation, abstraction, .. } = *task.options;
    let mut context = task.context();
    let mut engine = PredicateAbstraction::new(&mut context, interpolation, abstraction);
    let verdict = engine.run();
    let (own, refuter) = (engine.statistics, engine.refuter.counters());
    let triples = context.checker.statistics;
    drop(context);
    task.counted.add(own.entries().chain(refuter).chain(triples.entries()));
    verdict
}

/// The refinement loop.
pub struct PredicateAbstraction<'c, 'p> {
    context: &'c mut Context<'p>,
    refuter: Refuter,
    abstraction: Abstraction,
    control: Nwa,
    letters: Letters,
    precision: Precision,
    questions: u64,
    /// What was counted.
    pub statistics: PredicateAbstractionStatistics,
}

impl<'c, 'p> PredicateAbstraction<'c, 'p> {
    /// The loop before its first iteration, without predicates.
    pub fn new(
        context: &'c mut Context<'p>,
        interpolation: Interpolation,
        abstraction: Abstraction,
    ) -> PredicateAbstraction<'c, 'p> {
        let (control, letters) = explicit::program_automaton(context.program);
        PredicateAbstraction {
            context,
            refuter: Refuter::new(interpolation),
            abstraction,
            control,
            letters,
            precision: Precision::new(),
            questions: 0,
            statistics: PredicateAbstractionStatistics::default(),
        }
    }

    /// Runs the loop to its end.
    pub fn run(&mut self) -> Result<Verdict, Interrupted> {
        let verdict = self.refinement_loop();
        let triples = &self.context.checker.statistics;
        let paths = self.refuter.statistics.paths;
        self.statistics.theorem_prover_calls = paths + triples.solver + triples.unknown + self.questions;
        verdict
    }

    fn refinement_loop(&mut self) -> Result<Verdict, Interrupted> {
        loop {
            self.context.budget.check()?;
            self.statistics.iterations += 1;
            let trace = match self.abstract_error_trace()? {
                Ok(trace) => trace,
                Err(automaton) => return Ok(Verdict::Safe(Proof { automata: vec![automaton] })),
            };
            match self.refuter.refute(self.context, &trace)? {
                Refutation::Ended(verdict) => return Ok(verdict),
                Refutation::Refuted(interpolants) => {
                    if !self.refine(&trace, &interpolants) {
                        return Ok(Verdict::Unknown(no_interpolants(&trace)));
                    }
                }
            }
        }
    }

    /// A shortest error trace that the predicates do not exclude; or the automaton that excludes all.
    fn abstract_error_trace(&mut self) -> Result<Result<Trace, FloydHoareAutomaton>, Interrupted> {
        let (program, budget) = (self.context.program, self.context.budget.clone());
        let mut automaton =
            PredicateAutomaton::new(self.context, &self.letters, &self.precision, self.abstraction);
        let left = Difference::subtract(&self.control, &mut automaton);
        let run = nwa::cheapest_run(left, ShortestFirst, &budget)?;
        self.questions += automaton.questions;
        Ok(match run {
            None => Err(automaton.into_proof()),
            Some(run) => {
                let symbols = run.word.symbols().iter();
                let edges = symbols.map(|symbol| self.letters.edge(symbol.letter())).collect();
                Ok(Trace::new(program, edges))
            }
        })
    }

    /// Adds the predicates of a sequence to the locations of its trace; whether any is new.
    fn refine(&mut self, trace: &Trace, interpolants: &Sequence) -> bool {
        let mut any = false;
        for (cut, &set) in interpolants.predicates.iter().enumerate() {
            let known = &mut self.precision[trace.location(self.context.program, cut)];
            for &predicate in self.context.pool.members(set) {
                if predicate == Predicate::bottom() {
                    continue;
                }
                if let Err(position) = known.binary_search(&predicate) {
                    known.insert(position, predicate);
                    self.statistics.predicates += 1;
                    any = true;
                }
            }
        }
        any
    }
}
