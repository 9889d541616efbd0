//! A log of queries: each becomes a script that asks the same question.
//!
//! A script holds the assertions and assumptions of one query as plain assertions, says what the answer was, and can be
//! given to any SMT-LIB 2 solver. This crate does not touch files: the scripts go to a sink.

use crate::solver::{Answer, Reason, Solver};
use crate::stack::AssertionStack;
use logic::smtlib::print;
use logic::{Model, Term, Terms};
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

/// Where the scripts go. One sink numbers the queries of all sessions that share it, in the order in which they were asked.
#[derive(Clone)]
pub struct QuerySink {
    shared: Rc<RefCell<Shared>>,
}

/// Takes the name and the text of a script.
type WriteScript = dyn FnMut(&str, &str);

struct Shared {
    count: u64,
    write: Box<WriteScript>,
}

impl QuerySink {
    /// Calls `write` with a file name (`000001.smt2`, `000002.smt2`, …) and a script for each query.
    pub fn new(write: impl FnMut(&str, &str) + 'static) -> QuerySink {
        QuerySink { shared: Rc::new(RefCell::new(Shared { count: 0, write: Box::new(write) })) }
    }

    fn write(&self, script: &str) {
        let mut shared = self.shared.borrow_mut();
        shared.count += 1;
        let name = format!("{:06}.smt2", shared.count);
        (shared.write)(&name, script);
    }
}

/// A session whose queries are logged.
pub struct LoggedSolver<S> {
    solver: S,
    sink: QuerySink,
    stack: AssertionStack,
    rlimit: Option<u32>,
}

impl<S: Solver> LoggedSolver<S> {
    /// Logs the queries of a session that has no assertions yet.
    pub fn new(solver: S, sink: QuerySink) -> LoggedSolver<S> {
        LoggedSolver { solver, sink, stack: AssertionStack::default(), rlimit: None }
    }

    fn script(&self, terms: &Terms, assumptions: &[Term], answer: &Answer) -> String {
        let formulas = [self.stack.formulas(), assumptions].concat();
        let status = match answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let mut script = String::new();
        if let Answer::Unknown(reason) = answer {
            let _ = writeln!(script, "; {}", reason.to_string().replace('\n', " "));
        }
        if let Some(limit) = self.rlimit {
            let _ = writeln!(script, "; asked with the resource limit {limit}");
        }
        let _ = writeln!(script, "(set-info :status {status})");
        script.push_str(&print::script(terms, &formulas));
        script
    }
}

impl<S: Solver> Solver for LoggedSolver<S> {
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
        let answer = self.solver.check_assuming(terms, assumptions);
        self.sink.write(&self.script(terms, assumptions, &answer));
        answer
    }

    fn model(&mut self, terms: &mut Terms) -> Result<Model, Reason> {
        self.solver.model(terms)
    }

    fn core(&mut self, terms: &Terms) -> Result<Vec<Term>, Reason> {
        self.solver.core(terms)
    }

    fn set_rlimit(&mut self, limit: Option<u32>) {
        self.rlimit = limit;
        self.solver.set_rlimit(limit);
    }
}
