//! The whole program as Horn clauses: one query to a Horn solver, which does all the work.
//!
//! A solution is an inductive annotation of all locations, hence a Floyd-Hoare automaton that follows the program. A
//! refutation is a tree of clauses; read in the order of execution it is a nested error trace, which has to stand the
//! trace check like any other. What the encoding relaxes (quantifiers) can only make it fail there.

use super::{Class, Errors, HornProblem, Step, WholeProgram};
use crate::context::Context;
use crate::facts;
use crate::refutation::verdict_of_feasible;
use crate::task::Task;
use crate::trace_check::{Feasibility, check_trace};
use crate::traces::{Ssa, Trace};
use base::{Interrupted, PrimaryMap};
use logic::Term;
use program::{Edge, EdgeKind, FloydHoareAutomaton, Program, Proof, Reason, Verdict};
use rustc_hash::FxHashMap;
use smt::horn::{Derivation, DerivationStep, Relation, Solution};

/// With more arguments in all clauses than this they take gigabytes, and nothing comes of it.
const MOST_ARGUMENTS: usize = 10_000_000;

/// The engine.
pub fn run(task: &mut Task<'_>) -> Result<Verdict, Interrupted> {
    let single = task.single;
    whole_program(&mut task.context(), single)
}

/// Asks the Horn solver about the whole program. `single` is the single-step form of the context's program; facts of its
/// static analysis are given to the solver.
pub fn whole_program(context: &mut Context<'_>, single: &Program) -> Result<Verdict, Interrupted> {
    let whole = WholeProgram::of(context.program);
    if arguments(context.program, &whole) > MOST_ARGUMENTS {
        return Ok(unknown("the program has too many variables at too many places"));
    }
    let known = facts::inductive(context, single, &whole)?;
    solve(context, &whole, &known, u32::MAX)
}

/// How many arguments the relations of the sources and targets of all steps have, at most.
fn arguments(program: &Program, whole: &WholeProgram) -> usize {
    let mut scopes: FxHashMap<ir::Procedure, usize> = FxHashMap::default();
    let mut at = |class: Class| {
        let location = whole.locations[class];
        let procedure = program.locations[location].procedure;
        *scopes.entry(procedure).or_insert_with(|| program.scope(location).count())
    };
    whole.steps.iter().map(|step| at(step.source) + step.target.map_or(0, &mut at)).sum()
}

/// Asks the Horn solver, with a bound on its work, about a program of which inductive facts are known. A proof has one
/// automaton, whose first states are the classes of the whole program.
pub fn solve(
    context: &mut Context<'_>,
    whole: &WholeProgram,
    known: &[Vec<Term>],
    rlimit: u32,
) -> Result<Verdict, Interrupted> {
    let problem = whole.problem_knowing(context.program, known, context.terms);
    let solution = problem.ask(context, rlimit)?;
    Ok(match solution {
        Solution::Solved(solution) => {
            match floyd_hoare_automaton(context, whole, (&problem, known), &solution) {
                Some(automaton) => Verdict::Safe(Proof { automata: vec![automaton] }),
                None => unknown("the invariants cannot be said in the language of the program"),
            }
        }
        Solution::Refuted(derivation) => refuted(context, whole, derivation)?,
        Solution::Unknown(why) => Verdict::Unknown(Reason::HornSolver(why.to_string())),
    })
}

/// The trace of a refutation. If the solver does not say how, the error is so easy to reach that a shortest way to one
/// of the errors should do.
fn refuted(
    context: &mut Context<'_>,
    whole: &WholeProgram,
    derivation: Option<Derivation>,
) -> Result<Verdict, Interrupted> {
    let shortest = |(number, step): (usize, &Step)| {
        let clause = whole.initial.len() + number;
        let premises = vec![None; 1 + usize::from(step.call.is_some())];
        step.target.is_none().then(|| Derivation { steps: vec![DerivationStep { clause, premises }] })
    };
    let derivations = match derivation {
        Some(derivation) => vec![derivation],
        None => whole.steps.iter().enumerate().filter_map(shortest).collect(),
    };
    for derivation in derivations {
        let Some(edges) = error_trace(context.program, whole, &derivation) else { continue };
        match confirmed(context, edges)? {
            Verdict::Unknown(Reason::HornSolver(_)) => {}
            verdict => return Ok(verdict),
        }
    }
    Ok(unknown("its refutation is no execution"))
}

fn unknown(why: &str) -> Verdict {
    Verdict::Unknown(Reason::HornSolver(why.to_owned()))
}

/// The program as its own proof: every location is labelled with its relation.
fn floyd_hoare_automaton(
    context: &mut Context<'_>,
    whole: &WholeProgram,
    (problem, known): (&HornProblem, &[Vec<Term>]),
    solution: &PrimaryMap<Relation, Term>,
) -> Option<FloydHoareAutomaton> {
    let mut labels: Vec<Term> = Vec::with_capacity(whole.locations.len());
    for (class, facts) in known.iter().enumerate() {
        // Nothing is known at the beginning; what the solver says there follows from the axioms.
        let formula = if whole.initial.contains(&class) {
            Term::TRUE
        } else {
            let found = problem.formula(solution, class, context.terms)?;
            context.terms.and(facts.iter().copied().chain([found]))
        };
        labels.push(formula);
    }
    Some(whole.labelled(context.program, &labels, Errors::Excluded))
}

/// Which part of an execution is still to be told, backwards from a class: up to the beginning of the run, or only up to
/// the entry of the procedure.
struct Part {
    class: Class,
    step: Option<usize>,
    to_the_beginning: bool,
}

/// The edges of a derivation in the order of execution.
///
/// The derivation of a return has two branches: the caller up to the call, and the callee up to its exit, which begins
/// with some call as well; of the second only what happens inside of the callee is taken. Where the solver does not say
/// how a class is reached, any way to it will do, so a shortest one is taken.
fn error_trace(program: &Program, whole: &WholeProgram, derivation: &Derivation) -> Option<Vec<Edge>> {
    let arrivals = shortest_arrivals(whole);
    let mut backwards: Vec<Edge> = Vec::new();
    let last = &derivation.steps[0];
    let last_step = &whole.steps[last.clause.checked_sub(whole.initial.len())?];
    backwards.push(last_step.edge);
    let mut pending =
        vec![(None, Part { class: last_step.source, step: last.premises[0], to_the_beginning: true })];
    while let Some((call, mut part)) = pending.pop() {
        backwards.extend(call);
        loop {
            let used = part.step.map(|step| &derivation.steps[step]);
            // The first clauses say where runs begin.
            let number = match used {
                Some(used) => used.clause.checked_sub(whole.initial.len()),
                None => arrivals[part.class],
            };
            let Some(number) = number else { break };
            let step = &whole.steps[number];
            let data = &program.edges[step.edge];
            let enters = match data.kind {
                EdgeKind::Call(_) => true,
                // An entry of the program leads to the entry of a procedure that may be called as well.
                EdgeKind::Internal(_) => program.initial.contains(&data.source),
                EdgeKind::Return(_) => false,
            };
            if enters && !part.to_the_beginning {
                break;
            }
            backwards.push(step.edge);
            let premise = |index: usize| used.and_then(|used| used.premises[index]);
            let before =
                Part { class: step.source, step: premise(0), to_the_beginning: part.to_the_beginning };
            if let EdgeKind::Return(returning) = &data.kind {
                let caller = Part { class: step.call?, step: premise(1), ..before };
                pending.push((Some(returning.call), caller));
                pending.push((None, Part { to_the_beginning: false, ..before }));
                break;
            }
            part = before;
        }
    }
    backwards.reverse();
    Some(backwards)
}

/// For each class the last step of a shortest way to it from where runs begin, without returns; none at the beginning
/// and where no way leads.
fn shortest_arrivals(whole: &WholeProgram) -> Vec<Option<usize>> {
    let mut arrivals = vec![None; whole.locations.len()];
    let mut reached = whole.initial.clone();
    let mut next = 0;
    while let Some(&class) = reached.get(next) {
        next += 1;
        for (number, step) in whole.steps.iter().enumerate() {
            if let (true, None, Some(target)) = (step.source == class, step.call, step.target)
                && !reached.contains(&target)
            {
                arrivals[target] = Some(number);
                reached.push(target);
            }
        }
    }
    arrivals
}

/// A verdict about the trace of a refutation.
fn confirmed(context: &mut Context<'_>, edges: Vec<Edge>) -> Result<Verdict, Interrupted> {
    if !is_path(context.program, &edges) {
        return Ok(unknown("its refutation is no path of the program"));
    }
    let trace = &Trace::new(context.program, edges);
    let mut ssa = Ssa::new(context.program, trace, context.terms);
    let mut solver = context.session();
    let feasibility =
        check_trace(context.program, trace, &mut ssa, context.terms, &mut *solver, &context.budget)?;
    Ok(match feasibility {
        Feasibility::Feasible(counterexample) => verdict_of_feasible(context.program, trace, *counterexample),
        Feasibility::Infeasible(_) => unknown("its refutation is no execution"),
        Feasibility::Unknown(why) => Verdict::Unknown(Reason::TraceCheck(why)),
    })
}

/// Do the edges follow each other from an initial location, with returns to the last open call?
fn is_path(program: &Program, edges: &[Edge]) -> bool {
    let mut open: Vec<Edge> = Vec::new();
    let mut here = None;
    for &edge in edges {
        let data = &program.edges[edge];
        if here.map_or_else(|| !program.initial.contains(&data.source), |here| data.source != here) {
            return false;
        }
        match &data.kind {
            EdgeKind::Internal(_) => {}
            EdgeKind::Call(_) => open.push(edge),
            EdgeKind::Return(returning) if open.pop() == Some(returning.call) => {}
            EdgeKind::Return(_) => return false,
        }
        here = Some(data.target);
    }
    here.is_some()
}
