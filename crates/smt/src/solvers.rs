//! Where the sessions of a run come from.

use crate::cross_check::{CrossCheck, CrossCheckedSolver};
use crate::faults::{Faults, FaultySolver};
use crate::horn::{Clauses, Solution};
use crate::query_log::{LoggedSolver, QuerySink};
use crate::quick::{QuickSession, RungStatistics};
use crate::solver::{Answer, Reason, Solver};
use crate::z3::{Z3, Z3Session};
use base::Budget;
use logic::{Model, Term, Terms};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// Makes sessions: of Z3 in this process, logged and cross-checked if wanted.
///
/// Z3 takes some milliseconds to begin, so it begins with the first question: some engines answer without one, and some proofs
/// leave nothing to ask.
pub struct Solvers {
    z3: Rc<LateZ3>,
    sink: Option<QuerySink>,
    cross_check: Option<CrossCheck>,
    faults: Option<Faults>,
    rungs: Rc<Cell<RungStatistics>>,
}

impl Solvers {
    /// Plain sessions, interrupted when the budget is tripped.
    pub fn new(budget: &Budget) -> Solvers {
        let z3 = Rc::new(LateZ3 { begun: OnceCell::new(), budget: budget.clone() });
        Solvers { z3, sink: None, cross_check: None, faults: None, rungs: Rc::default() }
    }

    /// Logs every query.
    pub fn with_query_log(self, sink: QuerySink) -> Solvers {
        Solvers { sink: Some(sink), ..self }
    }

    /// Asks a second solver about every query.
    pub fn with_cross_check(self, cross_check: CrossCheck) -> Solvers {
        Solvers { cross_check: Some(cross_check), ..self }
    }

    /// Lets sessions fail, for tests.
    pub fn with_faults(self, faults: Faults) -> Solvers {
        Solvers { faults: Some(faults), ..self }
    }

    /// A session without assertions.
    pub fn session(&self) -> Box<dyn Solver> {
        self.around(Box::new(self.late(false)))
    }

    /// A session without assertions that answers easy questions without the solver ([`crate::quick`]). It is not for who checks
    /// evidence.
    pub fn quick_session(&self) -> Box<dyn Solver> {
        self.around(Box::new(QuickSession::new(self.late(true), &self.z3.budget, Rc::clone(&self.rungs))))
    }

    /// Who answered the questions of quick sessions so far.
    pub fn rungs(&self) -> RungStatistics {
        self.rungs.get()
    }

    /// The same, which counts from zero again.
    pub fn take_rungs(&self) -> RungStatistics {
        self.rungs.take()
    }

    /// Adds to that what quick sessions of other solvers have answered that worked on the same question.
    pub fn add_rungs(&self, others: &RungStatistics) {
        let mut rungs = self.rungs.get();
        rungs.merge(others);
        self.rungs.set(rungs);
    }

    /// Whether sessions are of Z3 and nothing else: nobody counts, logs or compares their questions. Only then others, with solvers
    /// of their own, can take some of the questions.
    pub fn are_plain(&self) -> bool {
        self.sink.is_none() && self.cross_check.is_none() && self.faults.is_none()
    }

    /// Sessions of engines go on with solvers that others have given up. The checker's do not: each question of it is seen by a solver that
    /// has seen nothing else but what belongs to it.
    fn late(&self, takes_over: bool) -> LateSession {
        LateSession { z3: Rc::clone(&self.z3), takes_over, rlimit: None, begun: None }
    }

    /// What is wanted besides.
    fn around(&self, mut session: Box<dyn Solver>) -> Box<dyn Solver> {
        if let Some(faults) = &self.faults {
            session = Box::new(FaultySolver::new(session, faults.clone()));
        }
        if let Some(cross_check) = &self.cross_check {
            session = Box::new(CrossCheckedSolver::new(session, cross_check.clone()));
        }
        if let Some(sink) = &self.sink {
            session = Box::new(LoggedSolver::new(session, sink.clone()));
        }
        session
    }

    /// Looks for relations that satisfy all clauses, as [`Z3::spacer`] does.
    pub fn spacer(&self, terms: &mut Terms, clauses: &Clauses, rlimit: u32) -> Solution {
        match &self.faults {
            None => self.z3.get().spacer(terms, clauses, rlimit),
            Some(faults) => faults.spacer(self.z3.get(), terms, clauses, rlimit),
        }
    }
}

/// A context that is made when it is needed.
struct LateZ3 {
    begun: OnceCell<Z3>,
    budget: Budget,
}

impl LateZ3 {
    fn get(&self) -> &Z3 {
        self.begun.get_or_init(|| Z3::new(&self.budget))
    }
}

/// A session that is opened when it is needed.
struct LateSession {
    z3: Rc<LateZ3>,
    takes_over: bool,
    rlimit: Option<u32>,
    begun: Option<Z3Session>,
}

impl LateSession {
    fn get(&mut self) -> &mut Z3Session {
        let (z3, takes_over, rlimit) = (&self.z3, self.takes_over, self.rlimit);
        self.begun.get_or_insert_with(|| {
            let session = z3.get().session();
            let mut session = if takes_over { session.taking_over() } else { session };
            session.set_rlimit(rlimit);
            session
        })
    }
}

impl Solver for LateSession {
    fn push(&mut self) {
        self.get().push();
    }

    fn pop(&mut self) {
        self.get().pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.get().assert(terms, formula);
    }

    fn check_assuming(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.get().check_assuming(terms, assumptions)
    }

    fn model(&mut self, terms: &mut Terms) -> Result<Model, Reason> {
        self.get().model(terms)
    }

    fn core(&mut self, terms: &Terms) -> Result<Vec<Term>, Reason> {
        self.get().core(terms)
    }

    fn set_rlimit(&mut self, limit: Option<u32>) {
        self.rlimit = limit;
        if let Some(session) = &mut self.begun {
            session.set_rlimit(limit);
        }
    }
}
