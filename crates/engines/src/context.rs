//! What an engine works with: the program, the terms, the predicates, the triple checker, the solvers, the budget.

use crate::hoare::{Triple, TripleChecker, Validity};
use crate::predicates::{Predicate, PredicatePool, PredicateSet};
use analysis::{Model, Precision};
use base::{Budget, Interrupted};
use logic::{Term, Terms};
use program::{Edge, EdgeKind, Program};
use smt::{Solver, Solvers};
use std::rc::Rc;

/// The state that the parts of an engine share.
pub struct Context<'p> {
    /// The program automaton, with blocks of the chosen size.
    pub program: &'p Program,
    /// The store of all terms of the job.
    pub terms: &'p mut Terms,
    /// The predicates.
    pub pool: PredicatePool,
    /// Hoare triples.
    pub checker: TripleChecker<'p>,
    /// Makes solver sessions and Horn solvers.
    pub solvers: &'p Solvers,
    /// When to stop.
    pub budget: Budget,
    /// The program made ready for analysis, once somebody wants that.
    model: Option<Rc<Model<'p>>>,
    /// The same with polyhedra.
    polyhedral_model: Option<Rc<Model<'p>>>,
}

/// Programs with more edges are analysed without relations between variables. Groups of related variables are small in large programs, so the cost
/// grows with the program; what is kept at every location does so, too.
const MOST_RELATED_EDGES: usize = 500_000;

/// Programs with more edges are not made ready for polyhedra.
const MOST_POLYHEDRAL_EDGES: usize = 20_000;

/// How precisely a program can be analysed, by its size.
pub fn precision(program: &Program) -> Precision {
    match program.live_edges().nth(MOST_RELATED_EDGES) {
        Some(_) => Precision::Values,
        None => Precision::Relations,
    }
}

/// How much work a single query may cost: a deterministic bound on what the solver does.
const QUERY_RLIMIT: u32 = 20_000_000;

impl<'p> Context<'p> {
    /// A context without predicates.
    pub fn new(
        program: &'p Program,
        terms: &'p mut Terms,
        solvers: &'p Solvers,
        budget: Budget,
    ) -> Context<'p> {
        let checker = TripleChecker::new(program, budget.clone(), move || session(solvers));
        Context {
            program,
            terms,
            pool: PredicatePool::new(),
            checker,
            solvers,
            budget,
            model: None,
            polyhedral_model: None,
        }
    }

    /// A fresh solver session.
    pub fn session(&self) -> Box<dyn Solver> {
        session(self.solvers)
    }

    /// Lets the program be analysed with this precision and no other.
    pub fn prepare_analysis(&mut self, precision: Precision) -> Result<(), Interrupted> {
        self.model = Some(Rc::new(Model::new(self.program, self.terms, precision, &self.budget)?));
        Ok(())
    }

    /// The program, ready for analysis.
    pub fn model(&mut self) -> Result<Rc<Model<'p>>, Interrupted> {
        loop {
            match &self.model {
                Some(model) => return Ok(Rc::clone(model)),
                None => self.prepare_analysis(precision(self.program))?,
            }
        }
    }

    /// The program, ready for analysis with polyhedra; nothing where it is too large.
    pub fn polyhedral_model(&mut self) -> Result<Option<Rc<Model<'p>>>, Interrupted> {
        if self.polyhedral_model.is_none() {
            if self.program.live_edges().nth(MOST_POLYHEDRAL_EDGES).is_some() {
                return Ok(None);
            }
            let model = Model::new(self.program, self.terms, Precision::Polyhedra, &self.budget)?;
            self.polyhedral_model = Some(Rc::new(model));
        }
        Ok(self.polyhedral_model.clone())
    }

    /// The predicate set of a formula: its conjuncts. None if it is no formula over the state.
    pub fn predicate_set(&mut self, formula: Term) -> Option<PredicateSet> {
        let mut members = Vec::new();
        for conjunct in self.terms.conjuncts(formula) {
            members.push(self.pool.add(self.program, self.terms, conjunct)?);
        }
        Some(self.pool.set(members))
    }

    /// Is `{pre} {call} edge {post}` valid for a whole set of postconditions?
    pub fn is_valid(
        &mut self,
        pre: PredicateSet,
        call: Option<PredicateSet>,
        edge: Edge,
        post: PredicateSet,
    ) -> Result<bool, Interrupted> {
        let call = call.filter(|_| matches!(self.program.edges[edge].kind, EdgeKind::Return(_)));
        // A contradiction implies everything, however it is written.
        let goals: Vec<Predicate> = self.pool.members(post).to_vec();
        for post in goals {
            let triple = Triple { pre, call, edge, post };
            if self.checker.check(self.terms, &self.pool, triple)? != Validity::Valid {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn session(solvers: &Solvers) -> Box<dyn Solver> {
    let mut solver = solvers.quick_session();
    solver.set_rlimit(Some(QUERY_RLIMIT));
    solver
}
