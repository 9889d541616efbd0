//! Is an error trace feasible? (Paper "Nested Interpolants", Section 3.)
//!
//! The constraints of the trace's SSA form are satisfiable exactly if an execution follows the trace. Each position
//! has a Boolean of its own that switches its constraints on, so an infeasible trace comes with the positions that
//! contradict each other, and a feasible one with the values of every variable at every position.

use crate::traces::{Ssa, Trace};
use base::{Budget, Interrupted};
use logic::evaluate::{CannotEvaluate, Evaluator};
use logic::{Model, Sort, Term, Terms};
use program::{Counterexample, Program};
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};

/// What a trace is.
pub enum Feasibility {
    /// An execution follows it.
    Feasible(Box<Counterexample>),
    /// None does; the constraints of these positions contradict each other.
    Infeasible(Vec<usize>),
    /// The solver could not tell.
    Unknown(String),
}

/// Checks a trace.
pub fn check_trace(
    program: &Program,
    trace: &Trace,
    ssa: &mut Ssa,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Feasibility, Interrupted> {
    for &axiom in &program.axioms {
        solver.assert(terms, axiom);
    }
    let mut switches: Vec<Term> = Vec::with_capacity(trace.len());
    let mut positions: FxHashMap<Term, usize> = FxHashMap::default();
    for position in 0..trace.len() {
        let switch = terms.named(&format!("position {position}"), Sort::BOOL);
        let constraint = terms.and(ssa.constraints[position].iter().copied());
        if !constraint.is_true() {
            let switched = terms.implies(switch, constraint);
            solver.assert(terms, switched);
            switches.push(switch);
            positions.insert(switch, position);
        }
    }
    let answer = solver.check_assuming(terms, &switches);
    budget.check()?;
    Ok(match answer {
        Answer::Unsat => {
            let core = match solver.core(terms) {
                Ok(core) => core,
                Err(reason) => return Ok(Feasibility::Unknown(reason.to_string())),
            };
            let mut positions: Vec<usize> = core.iter().map(|switch| positions[switch]).collect();
            positions.sort_unstable();
            Feasibility::Infeasible(positions)
        }
        Answer::Sat => match solver.model(terms) {
            Ok(model) => match counterexample(program, trace, ssa, terms, &model) {
                Ok(counterexample) => Feasibility::Feasible(Box::new(counterexample)),
                Err(CannotEvaluate(_)) => Feasibility::Unknown("the model has quantifiers".to_owned()),
            },
            Err(reason) => Feasibility::Unknown(reason.to_string()),
        },
        Answer::Unknown(reason) => Feasibility::Unknown(reason.to_string()),
    })
}

/// The values of the state before every edge.
fn counterexample(
    program: &Program,
    trace: &Trace,
    ssa: &mut Ssa,
    terms: &mut Terms,
    model: &Model,
) -> Result<Counterexample, CannotEvaluate> {
    let mut evaluator = Evaluator::new(model);
    let mut states = Vec::with_capacity(trace.len() + 1);
    for cut in 0..=trace.len() {
        // Functions keep their tables; symbols get their values at this cut.
        let mut state = model.clone();
        let location = trace.location(program, cut);
        for var in program.scope(location).collect::<Vec<_>>() {
            let version = ssa.version(program, cut, var, terms);
            state.set(program.variables[var].symbol, evaluator.evaluate(terms, version)?);
        }
        for &(symbol, version) in ssa.auxiliaries.get(cut).map_or(&[][..], |list| &list[..]) {
            state.set(symbol, evaluator.evaluate(terms, version)?);
        }
        states.push(state);
    }
    let error =
        program.locations[trace.location(program, trace.len())].error.expect("a trace ends in an error");
    Ok(Counterexample { error, edges: trace.edges.clone(), states })
}
