//! What every solver can do.

use base::Limit;
use logic::{Model, Term, Terms};
use std::fmt;

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver does not know; why.
    Unknown(Reason),
}

impl Answer {
    /// Is there certainly no model?
    pub fn is_unsat(&self) -> bool {
        *self == Answer::Unsat
    }

    /// Is there certainly a model?
    pub fn is_sat(&self) -> bool {
        *self == Answer::Sat
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat => write!(f, "sat"),
            Answer::Unsat => write!(f, "unsat"),
            Answer::Unknown(reason) => write!(f, "unknown ({reason})"),
        }
    }
}

/// Why a solver does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The theory or the quantifiers are too hard for it; in its own words.
    Incomplete(String),
    /// The query took more than the [`rlimit`](Solver::set_rlimit) or the patience allowed.
    ResourceLimit,
    /// The budget of the run was tripped.
    Interrupted(Limit),
    /// The solver could not be started, ended, or behaved like no solver does. The session has started anew.
    SolverDied(String),
    /// The solver refused the query or failed inside.
    Error(String),
    /// Two solvers gave opposite answers: one of them, or the translation, is wrong. This is an internal error.
    Disagreement(String),
    /// There is no model, or no core, to be asked for.
    NothingToAsk,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Incomplete(words) => write!(f, "incomplete: {words}"),
            Reason::ResourceLimit => write!(f, "resource limit"),
            Reason::Interrupted(limit) => limit.fmt(f),
            Reason::SolverDied(how) => f.write_str(how),
            Reason::Error(message) => write!(f, "solver error: {message}"),
            Reason::Disagreement(who) => write!(f, "solvers disagree: {who}"),
            Reason::NothingToAsk => write!(f, "the last query has no such result"),
        }
    }
}

/// A session with a solver: a stack of assertions, and queries about it.
///
/// Symbols, functions and sorts are declared by being used. A session is used with one [`Terms`] store. Whatever goes
/// wrong, in an assertion too, shows in the answers as long as it matters; the session stays usable.
pub trait Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost scope: its assertions are forgotten. One must be open.
    fn pop(&mut self);

    /// Adds a formula to the innermost scope.
    fn assert(&mut self, terms: &Terms, formula: Term);

    /// Have the assertions a model?
    fn check(&mut self, terms: &Terms) -> Answer {
        self.check_assuming(terms, &[])
    }

    /// Have the assertions together with these formulas a model?
    fn check_assuming(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer;

    /// A model, if the last call was a query with the answer [`Answer::Sat`]. Fails for models that are no
    /// [`Model`]: irrational numbers, arrays with infinitely many values. A solver may also use that an uninterpreted
    /// sort can be finite, which a [`Model`] cannot say; so evaluate the formulas before you build on a model.
    fn model(&mut self, terms: &mut Terms) -> Result<Model, Reason>;

    /// Assumptions that suffice for [`Answer::Unsat`], in the order in which they were given, if the last call was
    /// a query with this answer. They need not be a smallest set.
    fn core(&mut self, terms: &Terms) -> Result<Vec<Term>, Reason>;

    /// Bounds the work of each later query, in steps that mean something to the solver only; `None` is no bound.
    fn set_rlimit(&mut self, limit: Option<u32>);
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn push(&mut self) {
        (**self).push();
    }

    fn pop(&mut self) {
        (**self).pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        (**self).assert(terms, formula);
    }

    fn check_assuming(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        (**self).check_assuming(terms, assumptions)
    }

    fn model(&mut self, terms: &mut Terms) -> Result<Model, Reason> {
        (**self).model(terms)
    }

    fn core(&mut self, terms: &Terms) -> Result<Vec<Term>, Reason> {
        (**self).core(terms)
    }

    fn set_rlimit(&mut self, limit: Option<u32>) {
        (**self).set_rlimit(limit);
    }
}
