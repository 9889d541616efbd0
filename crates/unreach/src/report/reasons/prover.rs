//! Hoare triples about single steps, put to the solver one by one, with a bound on the work.

use base::{Budget, EntitySet, Interrupted};
use certify::block::{Ends, Obligation, obligation};
use certify::obligations::successors_first;
use logic::{Term, Terms};
use program::{Edge, EdgeKind, Location, Program};
use smt::{Answer, Solver, Solvers};
use std::collections::BTreeSet;

/// How much work the solver may have with one question.
const RLIMIT: u32 = 300_000;
/// So many questions are asked about a proof.
const MOST_QUESTIONS: usize = 1_500;
/// After so many questions without an answer no more are asked: each has cost all the work that it may.
const MOST_UNANSWERED: usize = 15;

/// `{before} every way between two places {after}`.
#[derive(Clone, Copy)]
pub(crate) struct Claim<'c> {
    pub(crate) before: &'c [Term],
    pub(crate) ends: Ends,
    pub(crate) after: Term,
}

/// Asks the solver.
pub(crate) struct Prover<'b> {
    session: Box<dyn Solver>,
    budget: &'b Budget,
    questions: usize,
    unanswered: usize,
}

impl<'b> Prover<'b> {
    pub(crate) fn new(program: &Program, solvers: &Solvers, terms: &Terms, budget: &'b Budget) -> Prover<'b> {
        let mut session = solvers.session();
        for &axiom in &program.axioms {
            session.assert(terms, axiom);
        }
        session.set_rlimit(Some(RLIMIT));
        Prover { session, budget, questions: 0, unanswered: 0 }
    }

    /// Whether no more questions are asked.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.questions >= MOST_QUESTIONS || self.unanswered >= MOST_UNANSWERED
    }

    /// Whether a claim about a program is seen to hold. The ways go through no cut point but at their ends.
    pub(crate) fn holds(
        &mut self,
        program: &Program,
        cut_points: &EntitySet<Location>,
        claim: Claim<'_>,
        terms: &mut Terms,
    ) -> Result<bool, Interrupted> {
        self.budget.check()?;
        if claim.after.is_true() || claim.before.iter().any(|known| known.is_false()) {
            return Ok(true);
        }
        if self.is_exhausted() {
            return Ok(false);
        }
        self.questions += 1;
        let order = successors_first(program, claim.ends.from, cut_points);
        let Obligation { premises, goal } =
            obligation(program, claim.ends, (&order, cut_points), claim.after, terms);
        let mut formulas = [&premises[..], claim.before].concat();
        formulas.push(terms.not(goal));
        let all = terms.and(formulas.iter().copied());
        if terms.has_quantifier(all) {
            formulas.extend(logic::instances(terms, &[all]));
        }
        self.session.push();
        for formula in formulas {
            self.session.assert(terms, formula);
        }
        let answer = self.session.check(terms);
        self.session.pop();
        self.unanswered += usize::from(matches!(answer, Answer::Unknown(_)));
        Ok(answer.is_unsat())
    }
}

/// The internal edges on the ways between two places that go through no cut point.
pub(crate) fn edges_between(program: &Program, cut_points: &EntitySet<Location>, ends: Ends) -> Vec<Edge> {
    let mut leads_there: BTreeSet<Location> = BTreeSet::new();
    let mut edges = Vec::new();
    for location in successors_first(program, ends.from, cut_points) {
        for &edge in &program.outgoing[location] {
            let data = &program.edges[edge];
            let inside = data.target == ends.to
                || (!cut_points.contains(data.target) && leads_there.contains(&data.target));
            if inside && matches!(data.kind, EdgeKind::Internal(_)) {
                leads_there.insert(location);
                edges.push(edge);
            }
        }
    }
    edges.sort_unstable();
    edges
}
