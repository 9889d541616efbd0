//! Where the sessions of a run come from.

use crate::cross_check::{CrossCheck, CrossCheckedSolver};
use crate::faults::{Faults, FaultySolver};
use crate::query_log::{LoggedSolver, QuerySink};
use crate::solver::Solver;
use crate::z3::Z3;
use base::Budget;
use std::cell::OnceCell;

/// Makes sessions: of Z3 in this process, logged and cross-checked if wanted.
pub struct Solvers {
    budget: Budget,
    /// Made when somebody asks something: a context costs some milliseconds, and engines that run programs need none.
    z3: OnceCell<Z3>,
    sink: Option<QuerySink>,
    cross_check: Option<CrossCheck>,
    faults: Option<Faults>,
}

impl Solvers {
    /// Plain sessions, interrupted when the budget is tripped.
    pub fn new(budget: &Budget) -> Solvers {
        Solvers { budget: budget.clone(), z3: OnceCell::new(), sink: None, cross_check: None, faults: None }
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
        let mut session: Box<dyn Solver> = Box::new(self.z3().session());
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

    /// The context behind the sessions, for what only Z3 can do.
    pub fn z3(&self) -> &Z3 {
        self.z3.get_or_init(|| Z3::new(&self.budget))
    }
}
