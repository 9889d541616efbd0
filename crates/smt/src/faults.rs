//! Faults on purpose: a solver that fails at the n-th question, for tests of what is built on it.
//!
//! Questions are counted over all sessions that share the [`Faults`], so with one thread the same question fails in every run.
//! Nothing is ever answered wrongly: a fault is an answer less.

use crate::horn::{Clauses, Solution};
use crate::solver::{Answer, Reason, Solver};
use crate::z3::Z3;
use logic::{Model, Term, Terms};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The solver says that it does not know.
    Unknown,
    /// The solver is stopped inside of the question, after so many of its steps.
    Stopped(u32),
    /// The solver has no memory left: the question fails inside, and what it answered before is gone.
    OutOfMemory,
    /// There is no model, and no core, of an answer.
    NothingToTell,
}

/// At which questions there is a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// At one of them.
    Once(u64),
    /// At this one and all behind it.
    From(u64),
}

/// Faults for all sessions that share them.
#[derive(Clone, Debug)]
pub struct Faults {
    fault: Fault,
    when: When,
    asked: Arc<AtomicU64>,
}

impl Faults {
    /// Faults of a kind; questions count from 1.
    pub fn new(fault: Fault, when: When) -> Faults {
        Faults { fault, when, asked: Arc::new(AtomicU64::new(0)) }
    }

    /// How many questions were asked so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// The fault of the next question.
    fn next(&self) -> Option<Fault> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let fails = match self.when {
            When::Once(one) => number == one,
            When::From(first) => number >= first,
        };
        fails.then_some(self.fault)
    }

    /// Horn clauses are one question, too.
    pub(crate) fn spacer(&self, z3: &Z3, terms: &mut Terms, clauses: &Clauses, rlimit: u32) -> Solution {
        match self.next() {
            None => z3.spacer(terms, clauses, rlimit),
            Some(Fault::Unknown) => Solution::Unknown(Reason::Incomplete("a fault".to_owned())),
            Some(Fault::OutOfMemory) => Solution::Unknown(Reason::Error("out of memory".to_owned())),
            Some(Fault::Stopped(steps)) => z3.spacer(terms, clauses, steps),
            Some(Fault::NothingToTell) => match z3.spacer(terms, clauses, rlimit) {
                // That there is a contradiction is said, but not which.
                Solution::Refuted(_) => Solution::Refuted(None),
                Solution::Solved(_) => Solution::Unknown(Reason::NothingToAsk),
                unknown @ Solution::Unknown(_) => unknown,
            },
        }
    }
}

/// A session with faults.
pub struct FaultySolver<S> {
    solver: S,
    faults: Faults,
    rlimit: Option<u32>,
    /// The last question had no model and no core.
    tells_nothing: bool,
}

impl<S: Solver> FaultySolver<S> {
    /// A session that fails where it is said.
    pub fn new(solver: S, faults: Faults) -> FaultySolver<S> {
        FaultySolver { solver, faults, rlimit: None, tells_nothing: false }
    }
}

impl<S: Solver> Solver for FaultySolver<S> {
    fn push(&mut self) {
        self.solver.push();
    }

    fn pop(&mut self) {
        self.solver.pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.solver.assert(terms, formula);
    }

    fn check_assuming(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let fault = self.faults.next();
        self.tells_nothing = fault.is_some();
        match fault {
            None | Some(Fault::NothingToTell) => self.solver.check_assuming(terms, assumptions),
            Some(Fault::Unknown) => Answer::Unknown(Reason::Incomplete("a fault".to_owned())),
            Some(Fault::OutOfMemory) => Answer::Unknown(Reason::Error("out of memory".to_owned())),
            Some(Fault::Stopped(steps)) => {
                self.solver.set_rlimit(Some(steps));
                let answer = self.solver.check_assuming(terms, assumptions);
                self.solver.set_rlimit(self.rlimit);
                // A question that is easier than that is answered, and what it tells is right.
                self.tells_nothing = matches!(answer, Answer::Unknown(_));
                answer
            }
        }
    }

    fn model(&mut self, terms: &mut Terms) -> Result<Model, Reason> {
        if self.tells_nothing { Err(Reason::NothingToAsk) } else { self.solver.model(terms) }
    }

    fn core(&mut self, terms: &Terms) -> Result<Vec<Term>, Reason> {
        if self.tells_nothing { Err(Reason::NothingToAsk) } else { self.solver.core(terms) }
    }

    fn set_rlimit(&mut self, limit: Option<u32>) {
        self.rlimit = limit;
        self.solver.set_rlimit(limit);
    }
}
