//! What engines read of a program about any number of threads.
//!
//! Such a program is a recursive procedure without parameters (crate `threads`): it returns a state of the first thread and of some others,
//! and calls itself to get the states from which it makes a step. Its summaries are invariants of any number of threads. Here are its [`paths`](mod@paths), the
//! meaning of its results, and how a summary becomes a proof.

pub(crate) mod paths;

use crate::context::Context;
use crate::horn::{Errors, WholeProgram};
use base::{Budget, Interrupted};
use ir::{Mark, Procedure};
use logic::{Substitution, Term, Terms};
use paths::{Instance, Paths, paths};
use program::{Program, Proof, Reason, Var, Verdict};

/// The procedure.
pub(crate) struct Subject<'p> {
    pub(crate) single: &'p Program,
    pub(crate) procedure: Procedure,
    /// Its results as variables of the program automaton: what all threads share, the first thread, then the others.
    pub(crate) results: Vec<Var>,
    /// Which of the results are control variables.
    pub(crate) controls: Vec<usize>,
    /// Which of them say how many threads are somewhere.
    pub(crate) tallies: Vec<usize>,
    pub(crate) found: Paths,
}

impl<'p> Subject<'p> {
    /// The procedure of a program about any number of threads; or why there is none that can be used.
    pub(crate) fn of(
        source: &ir::Program,
        single: &'p Program,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Result<Subject<'p>, Verdict>, Interrupted> {
        let Some((procedure, results)) = subject(source, single) else {
            return Ok(Err(unsupported("a program that is not about any number of threads")));
        };
        let Some(found) = paths(single, (procedure, &results), terms, budget)? else {
            return Ok(Err(unsupported("pieces of threads with loops, or with very many paths")));
        };
        let marked = |mark: Mark| -> Vec<usize> {
            let is_marked = |&number: &usize| {
                let variable = single.variables[results[number]].source;
                variable.is_some_and(|variable| mark.is_in(&source.variables[variable].attributes))
            };
            (0..results.len()).filter(is_marked).collect()
        };
        let (controls, tallies) = (marked(Mark::Control), marked(Mark::Tally));
        Ok(Ok(Subject { single, procedure, results, controls, tallies, found }))
    }

    /// A formula about the results, about an instance.
    pub(crate) fn about(&self, terms: &mut Terms, formula: Term, instance: &Instance) -> Term {
        let mut put = Substitution::new();
        for (&result, &variable) in self.results.iter().zip(instance) {
            let value = self.single.variables.term(terms, variable);
            put.insert(self.single.variables[result].symbol, value);
        }
        put.apply(terms, formula)
    }

    /// A summary as a proof: the end of the procedure has it, and every place what is known of the results of calls. None if nothing is known of
    /// some place.
    pub(crate) fn proof(
        &self,
        context: &mut Context<'_>,
        mut summary: impl FnMut(&mut Terms, &Instance) -> Term,
    ) -> Option<Proof> {
        let whole = WholeProgram::of(context.program);
        let exit = self.single.frames[&self.procedure].exit;
        let mut labels = Vec::with_capacity(whole.locations.len());
        for &location in &whole.locations {
            let inside = context.program.locations[location].procedure == self.procedure;
            let label = if location == exit {
                summary(context.terms, &self.results)
            } else if let Some(instances) = self.found.known.get(&location) {
                let parts: Vec<Term> =
                    instances.iter().map(|instance| summary(context.terms, instance)).collect();
                context.terms.and(parts)
            } else if inside {
                return None;
            } else {
                Term::TRUE
            };
            labels.push(label);
        }
        Some(Proof { automata: vec![whole.labelled(context.program, &labels, Errors::Excluded)] })
    }
}

/// The procedure, and its results as variables of the program automaton.
fn subject(source: &ir::Program, single: &Program) -> Option<(Procedure, Vec<Var>)> {
    let marked = |variable: &ir::Variable| Mark::Control.is_in(&source.variables[*variable].attributes);
    let mut procedures = source
        .procedures
        .iter()
        .filter(|(procedure, data)| single.frames.contains_key(procedure) && data.results.iter().any(marked));
    let (procedure, data) = procedures.next()?;
    let results: Option<Vec<Var>> =
        data.results.iter().map(|&result| single.variables.of_source(result)).collect();
    Some((procedure, results?))
}

/// The engine does not handle this.
pub(crate) fn unsupported(what: &str) -> Verdict {
    Verdict::Unknown(Reason::Unsupported(what.to_owned()))
}
