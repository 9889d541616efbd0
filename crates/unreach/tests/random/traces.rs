//! Random error traces of random programs: feasible for the solver exactly if the interpreter can run them.
//!
//! A trace is walked at random through the automaton of a generated program. What it decides at jumps and branches fixes
//! the path of the interpreter; what the program chooses is counted through. The solver says whether the SSA form of the
//! trace has a model, and if it has one, the interpreter must fail with the model's values too.
//!
//! `UNREACH_RANDOM_TRACES=N` looks at N programs instead of the usual number.

use crate::generate;
use crate::odometer::Odometer;
use crate::support::Job;
use base::Budget;
use base::Random;
use engines::trace_check::{Feasibility, check_trace};
use engines::traces::{Ssa, Trace};
use ir::interpreter::{Driver, Event, Interpreter, Limits, Outcome, Reason, State, Value};
use program::steps::{OriginData, Step};
use program::{Edge, EdgeKind, Program};

/// Traces have at most so many edges.
const LONGEST: usize = 60;
/// So many walks are tried in each program.
const WALKS: usize = 12;
/// A trace with more choices than that takes too long to count through.
const MOST_RUNS: usize = 3_000;

/// A walk from the beginning to an error; none if it gets stuck or becomes too long.
fn walk(program: &Program, random: &mut Random) -> Option<Vec<Edge>> {
    if program.initial.is_empty() {
        return None;
    }
    let mut here = program.initial[random.below(program.initial.len())];
    let (mut edges, mut open): (Vec<Edge>, Vec<Edge>) = (Vec::new(), Vec::new());
    while edges.len() < LONGEST {
        let fits = |&edge: &Edge| match &program.edges[edge].kind {
            EdgeKind::Return(returning) => open.last() == Some(&returning.call),
            _ => true,
        };
        let choices: Vec<Edge> = program.outgoing[here].iter().copied().filter(fits).collect();
        if choices.is_empty() {
            return None;
        }
        let edge = choices[random.below(choices.len())];
        match &program.edges[edge].kind {
            EdgeKind::Internal(_) => {}
            EdgeKind::Call(_) => open.push(edge),
            EdgeKind::Return(_) => {
                open.pop();
            }
        }
        edges.push(edge);
        here = program.edges[edge].target;
        if program.locations[here].error.is_some() {
            return Some(edges);
        }
    }
    None
}

/// What a trace decides, in the order of execution: targets of jumps, and branches (0 or 1).
fn decisions(program: &Program, edges: &[Edge]) -> Vec<usize> {
    let steps = edges.iter().filter_map(|&edge| match &program.origins[program.edges[edge].origin] {
        OriginData::Step { step: Step::Goto { target, .. }, .. } => Some(*target),
        OriginData::Step { step: Step::Branch { holds, .. }, .. } => Some(usize::from(*holds)),
        _ => None,
    });
    steps.collect()
}

/// Follows the decisions of a trace and counts through the choices of the program.
struct Guide<'t> {
    decisions: &'t [usize],
    /// How many decisions were followed.
    followed: usize,
    odometer: Odometer,
}

impl Driver for Guide<'_> {
    fn choose(&mut self, program: &ir::Program, variable: ir::Variable, reason: Reason) -> Option<Value> {
        let ty = program.variables[variable].ty;
        if !matches!(reason, Reason::Havoc | Reason::Contract(_)) {
            return Some(Value::default_of(program, ty));
        }
        Some(self.odometer.value(program, ty))
    }

    fn goto(&mut self, _: &ir::Program, _: ir::Procedure, _: ir::Block) -> Option<usize> {
        // Behind the end of the trace any target will do, because the run is over there.
        Some(self.decisions.get(self.followed).copied().unwrap_or(0))
    }

    fn observe(&mut self, _: &State<'_>, event: Event<'_>) -> bool {
        let taken = match event {
            Event::Jumped(_, target) => target,
            Event::Branched(_, holds) => usize::from(holds),
            _ => return true,
        };
        let as_in_trace = self.decisions.get(self.followed) == Some(&taken);
        self.followed += 1;
        as_in_trace
    }
}

/// Does some run of the interpreter fail at the end of the trace? None if there are too many to say.
fn runs(job: &Job, edges: &[Edge]) -> Option<bool> {
    let decisions = decisions(&job.single, edges);
    let entry = job.single.locations[job.single.edges[edges[0]].source].procedure;
    let last = &job.single.edges[*edges.last().expect("an edge")];
    let step = match &job.single.origins[last.origin] {
        OriginData::Step { step, .. } => step,
        other => panic!("a single step has one step: {other:?}"),
    };
    let mut guide = Guide { decisions: &decisions, followed: 0, odometer: Odometer::default() };
    for _ in 0..MOST_RUNS {
        guide.followed = 0;
        guide.odometer.restart();
        let mut interpreter = Interpreter::new(&job.source, Budget::unlimited());
        let outcome = interpreter.run(entry, &[], &mut guide, Limits::default()).expect("no interruption");
        if let Outcome::Failed(failure) = outcome {
            let place = failure.place;
            let at_the_end = match *step {
                Step::Fail(at) | Step::FailRequires(at, _) => {
                    (at.procedure, at.block, at.index) == (place.procedure, place.block, place.index)
                }
                Step::FailEnsures(procedure, block, _) => {
                    (procedure, block) == (place.procedure, place.block)
                }
                _ => panic!("an error trace ends with a failure: {step:?}"),
            };
            if at_the_end && guide.followed == decisions.len() {
                return Some(true);
            }
        }
        if !guide.odometer.advance() {
            return Some(false);
        }
    }
    None
}

#[test]
fn feasible_means_executable() {
    let count =
        std::env::var("UNREACH_RANDOM_TRACES").ok().map_or(150, |text| text.parse().expect("a number"));
    let (mut feasible, mut infeasible) = (0, 0);
    for seed in 0..count {
        let text = generate::program(seed);
        let mut job = Job::new(&text);
        let mut random = Random::new(seed);
        for _ in 0..WALKS {
            let Some(edges) = walk(&job.single, &mut random) else { continue };
            let Some(executable) = runs(&job, &edges) else { continue };
            let trace = Trace::new(&job.single, edges);
            let mut ssa = Ssa::new(&job.single, &trace, &mut job.terms);
            let mut solver = job.solvers.session();
            let checked =
                check_trace(&job.single, &trace, &mut ssa, &mut job.terms, &mut *solver, &job.budget);
            match checked.expect("no interruption") {
                Feasibility::Feasible(counterexample) => {
                    assert!(executable, "{seed}: no run follows a feasible trace\n{trace:?}\n{text}");
                    let replayed = certify::replay(
                        &job.source,
                        &job.single,
                        &counterexample,
                        &mut job.terms,
                        &job.budget,
                    );
                    assert!(replayed.is_ok(), "{seed}: {:?}\n{text}", replayed.err());
                    feasible += 1;
                }
                Feasibility::Infeasible(_) => {
                    assert!(!executable, "{seed}: a run follows an infeasible trace\n{trace:?}\n{text}");
                    infeasible += 1;
                }
                Feasibility::Unknown(why) => panic!("{seed}: {why}\n{text}"),
            }
        }
    }
    assert!(feasible * 20 > count && infeasible * 5 > count, "a poor mix: {feasible} and {infeasible}");
}
