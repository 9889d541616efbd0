//! How far one has come when there is no answer: what holds at loops all the same, and which checks cannot fail.
//!
//! Static analysis is asked once more, without an engine. Its facts are pruned until they are inductive, and the independent
//! check has to accept them together with the errors that they exclude; so what is told here is as sure as a proof. It is only
//! not enough of one.
//!
//! Where kinds of checks were asked about by themselves ([`checks::kinds`](crate::checks)), those that were proven are known as well.
//!
//! The cost is that of one analysis, a query for each step of the program until no fact is dropped any more, and the check.

use crate::checks::Check;
use crate::plan::Inlining;
use crate::prepared::Prepared;
use crate::report::proof::{Invariant, in_words};
use crate::report::reasons::prover::{Claim, Prover};
use crate::view::View;
use base::{Budget, EntityRef, Span};
use certify::Subject;
use certify::block::Ends;
use engines::context::Context;
use engines::horn::{Errors, WholeProgram};
use engines::table::TRACE_ABSTRACTION;
use logic::{Term, Terms};
use program::verdict::State;
use program::{Program, Proof};
use smt::Solvers;
use std::collections::{BTreeMap, BTreeSet};
use transform::BlockSize;

/// Programs with more steps than this are not looked at.
const MOST_STEPS: usize = 600;

/// What is known without an answer.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Stand {
    /// What holds at loops and at the ends of procedures.
    pub holds: Vec<Invariant>,
    /// The checks that cannot fail.
    pub proven: BTreeSet<Check>,
}

impl Stand {
    /// What is known here and what is known there.
    #[must_use]
    pub fn and(mut self, other: Stand) -> Stand {
        self.holds.extend(other.holds);
        self.proven.extend(other.proven);
        self
    }
}

/// How far one has come with a program; nothing if it has threads, or if that is not found out within the budget.
pub fn stand(view: &View, budget: &Budget) -> Option<Stand> {
    // The product of so many threads does not say what more of them do, unless all of it is proven.
    if view.is_of_threads() {
        return None;
    }
    let mut terms = Terms::new();
    let subject = Subject::new(&view.program, &mut terms).ok()?;
    let prepared = Prepared::new(&subject, TRACE_ABSTRACTION, Inlining::Never, &mut terms).ok()?;
    let blocks = transform::compose(&prepared.single, BlockSize::Moderate, &mut terms);
    let program = &blocks.program;
    if program.live_edges().nth(MOST_STEPS).is_some() {
        return None;
    }
    let solvers = Solvers::new(budget);
    let whole = WholeProgram::of(program);
    let mut context = Context::new(program, &mut terms, &solvers, budget.clone());
    let facts = engines::facts::inductive(&mut context, &prepared.single, &whole).ok()?;
    drop(context);
    let labels: Vec<Term> = facts.iter().map(|known| terms.and(known.iter().copied())).collect();
    let mut automaton = whole.labelled(program, &labels, Errors::Ignored);
    let never = automaton.states.push(Term::FALSE);
    let mut open: BTreeSet<Span> = BTreeSet::new();
    let mut prover = Prover::new(&prepared.single, &solvers, &terms, budget);
    for step in whole.steps.iter().filter(|step| step.target.is_none()) {
        let Some(condition) = condition_at(program, step.edge) else { continue };
        let data = &program.edges[step.edge];
        let ends = Ends { from: data.source, to: data.target };
        let claim = Claim { before: &facts[step.source], ends, after: Term::FALSE };
        if prover.holds(&prepared.single, &blocks.cut_points, claim, &mut terms).ok()? {
            automaton.internal.push((State::new(step.source), step.edge, never));
        } else {
            open.insert(condition);
        }
    }
    let proof = Proof { automata: vec![automaton] };
    let certificate = prepared.certificate((&subject, &blocks), &proof, &mut terms).ok()?;
    certify::check_labels(&subject, &certificate, &mut terms, &mut *solvers.session(), budget).ok()?;
    // A check that no edge of the program violates, such as `assert true`, cannot fail either.
    let all = crate::checks::checks(&view.program).into_iter();
    let proven: BTreeSet<Check> = all.filter(|check| !open.contains(&check.condition)).collect();
    let known: BTreeMap<_, _> =
        whole.locations.iter().copied().zip(facts.iter().map(Vec::as_slice)).collect();
    let mut holds =
        in_words(view, &prepared.single, known.into_iter(), (&mut terms, &solvers), budget).ok()?;
    // Nobody has asked about the models of a library, and the translation's own variables say nothing to anybody.
    holds.retain(|invariant| {
        !invariant.formula.contains('#') && view.sources.file(invariant.span.file).name != c::LIBRARY
    });
    Some(Stand { holds, proven })
}

/// The condition that fails where an edge leads to.
fn condition_at(program: &Program, edge: program::Edge) -> Option<Span> {
    let error = program.locations[program.edges[edge].target].error?;
    Some(program.errors[error].condition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::view::BitOperations;

    fn stand_of(text: &str) -> (Vec<String>, Vec<String>) {
        let problem = Problem::boogie("stand.bpl".to_owned(), text.to_owned());
        let view = View::new(&problem, BitOperations::Marked).expect("a program");
        let stand = stand(&view, &Budget::unlimited()).expect("there is no limit");
        let proven = stand.proven.iter().map(|check| view.sources.text(check.condition).to_owned()).collect();
        (proven, stand.holds.into_iter().map(|invariant| invariant.formula).collect())
    }

    #[test]
    fn some_checks_are_proven_and_others_are_not() {
        let text = "procedure main(n: int) { var x, i: int; x := n; i := 0;\n\
            while (*) { x := x * x; i := i + 1; }\n\
            assert i >= 0; assert n == n; assert x != 7 || n == 7; assert i != 3; }";
        let (proven, holds) = stand_of(text);
        assert_eq!(
            (proven, holds),
            (vec!["i >= 0".to_owned(), "n == n".to_owned()], vec!["i >= 0".to_owned()])
        );
    }

    #[test]
    fn nothing_is_known_about_a_program_without_facts() {
        let text = "procedure main(n: int) { var x: int; x := n; while (*) { x := x * x; } assert x != 7 || n == 7; }";
        assert_eq!(stand_of(text), (Vec::new(), Vec::new()));
    }
}
