//! Asking a second solver the same questions.
//!
//! Where one says `sat` and the other `unsat`, the answer is [`Reason::Disagreement`], so that nothing can be built on it,
//! and the disagreement is recorded: it is an internal error, and the run must not end in a verdict.
//!
//! All sessions share one second session, so there is one process however many sessions there are. It gets the whole
//! question each time; nobody cross-checks to save time.

use crate::solver::{Answer, Reason, Solver};
use crate::stack::AssertionStack;
use logic::{Model, Term, Terms};
use std::cell::RefCell;
use std::rc::Rc;

/// The second solver, and what it disagreed about. Clones are the same.
#[derive(Clone)]
pub struct CrossCheck {
    shared: Rc<RefCell<Shared>>,
}

struct Shared {
    second: Box<dyn Solver>,
    disagreements: Vec<String>,
}

impl CrossCheck {
    /// Asks a session that has no assertions.
    pub fn new(second: impl Solver + 'static) -> CrossCheck {
        CrossCheck {
            shared: Rc::new(RefCell::new(Shared { second: Box::new(second), disagreements: Vec::new() })),
        }
    }

    /// All disagreements so far, in order. If there are any, no verdict of the run can be trusted.
    pub fn disagreements(&self) -> Vec<String> {
        self.shared.borrow().disagreements.clone()
    }

    /// What becomes of the answer of the first solver.
    fn compare(&self, terms: &Terms, formulas: &[Term], assumptions: &[Term], first: Answer) -> Answer {
        if matches!(first, Answer::Unknown(_)) {
            return first;
        }
        let mut shared = self.shared.borrow_mut();
        shared.second.push();
        for &formula in formulas {
            shared.second.assert(terms, formula);
        }
        let second = shared.second.check_assuming(terms, assumptions);
        shared.second.pop();
        if first == second || matches!(second, Answer::Unknown(_)) {
            return first;
        }
        let text = format!("{first} by the first, {second} by the second");
        shared.disagreements.push(text.clone());
        Answer::Unknown(Reason::Disagreement(text))
    }
}

/// A session whose answers are compared with those of a second solver.
pub struct CrossCheckedSolver<S> {
    solver: S,
    cross_check: CrossCheck,
    stack: AssertionStack,
    /// Was the last query answered differently? Then there is nothing to ask about it.
    disagreed: bool,
}

impl<S: Solver> CrossCheckedSolver<S> {
    /// Compares the answers of a session that has no assertions yet.
    pub fn new(solver: S, cross_check: CrossCheck) -> CrossCheckedSolver<S> {
        CrossCheckedSolver { solver, cross_check, stack: AssertionStack::default(), disagreed: false }
    }
}

impl<S: Solver> Solver for CrossCheckedSolver<S> {
    fn push(&mut self) {
        self.stack.push();
        self.solver.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.solver.pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.stack.assert(formula);
        self.solver.assert(terms, formula);
    }

    fn check_assuming(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let first = self.solver.check_assuming(terms, assumptions);
        let answer = self.cross_check.compare(terms, self.stack.formulas(), assumptions, first);
        self.disagreed = matches!(answer, Answer::Unknown(Reason::Disagreement(_)));
        answer
    }

    fn model(&mut self, terms: &mut Terms) -> Result<Model, Reason> {
        if self.disagreed { Err(Reason::NothingToAsk) } else { self.solver.model(terms) }
    }

    fn core(&mut self, terms: &Terms) -> Result<Vec<Term>, Reason> {
        if self.disagreed { Err(Reason::NothingToAsk) } else { self.solver.core(terms) }
    }

    fn set_rlimit(&mut self, limit: Option<u32>) {
        self.solver.set_rlimit(limit);
    }
}
