//! Z3 in this process.
//!
//! A [`Z3`] is a context with its translation tables; [`Z3::session`] opens solver sessions in it. Sessions of one
//! context share the translated terms, so that one session per transition is cheap. A context and its
//! sessions live on one thread; other threads make their own.
//!
//! Besides sessions there is what only Z3 offers: [`spacer`](Z3::spacer). Its elimination of quantifiers is not used: the complete
//! procedures (`qe2`, `qe_rec`) and model-based projection (`Z3_qe_model_project`) gave wrong results on small formulas, and
//! projection also overflows the stack. [`logic::qe`] does that work, with models from a
//! [`SolverOracle`](crate::oracle::SolverOracle).
#![allow(unsafe_code, reason = "this folder is the binding to Z3; `context` says what makes it safe")]

#[cfg(test)]
mod agreement;
mod context;
mod decode;
mod encode;
mod floats;
pub mod heaps;
mod model;
mod numbers;
mod operators;
mod session;
mod spacer;
mod theories;

pub use context::Z3Error;
pub use session::Z3Session;

use base::Budget;
use context::Context;
use decode::Decoder;
use encode::Encoder;
use logic::{Term, Terms};
use session::Awake;
use std::cell::RefCell;
use std::rc::Rc;
use z3_sys::Z3_ast;

/// A Z3 context, to be used with one [`Terms`] store. Clones are the same context.
#[derive(Clone)]
pub struct Z3 {
    context: Rc<Context>,
    encoder: Rc<RefCell<Encoder>>,
    awake: Rc<Awake>,
}

impl Z3 {
    /// A fresh context. Tripping the budget interrupts whatever runs in it.
    pub fn new(budget: &Budget) -> Z3 {
        let context = Rc::new(Context::new(budget));
        let encoder = Rc::new(RefCell::new(Encoder::new(Rc::clone(&context))));
        Z3 { context, encoder, awake: Rc::default() }
    }

    /// Opens a session without assertions.
    pub fn session(&self) -> Z3Session {
        Z3Session::new(self.clone())
    }

    /// The translation of a term, which stays alive as long as the context.
    fn encode(&self, terms: &Terms, term: Term) -> Result<Z3_ast, Z3Error> {
        Ok(self.encoder.borrow_mut().encode(terms, term)?.0)
    }

    /// The term that a term of Z3 is the translation of. The caller keeps `ast` alive.
    /// `free` is what the variables stand for that no quantifier inside binds; the last is number 0.
    fn decode(&self, terms: &mut Terms, ast: Z3_ast, free: &[Term]) -> Result<Term, Z3Error> {
        Decoder::new(&self.context, &mut self.encoder.borrow_mut(), terms, free).decode(ast)
    }
}

/// The version of the linked library, as it names itself.
pub fn version() -> String {
    // SAFETY: Z3 returns a string that is never freed.
    unsafe { context::text(z3_sys::Z3_get_full_version()) }
}

#[cfg(test)]
mod tests {
    use super::Z3;
    use crate::solver::{Answer, Solver};
    use base::Budget;
    use logic::{Sort, Terms};

    /// The plan relies on it: the same questions cost the same effort.
    #[test]
    fn effort_is_counted_and_repeatable() {
        let effort = || {
            let budget = Budget::unlimited();
            let mut terms = Terms::new();
            let [x, y] = ["x", "y"].map(|name| terms.named(name, Sort::INT));
            let (less, more) = (terms.lt(x, y), terms.lt(y, x));
            let mut session = Z3::new(&budget).session();
            session.assert(&terms, less);
            assert_eq!(session.check(&terms), Answer::Sat);
            let first = budget.effort();
            session.assert(&terms, more);
            assert_eq!(session.check(&terms), Answer::Unsat);
            assert!(first > 0 && budget.effort() > first);
            budget.effort()
        };
        assert_eq!(effort(), effort());
    }

    #[test]
    fn the_library_is_the_one_that_was_asked_for() {
        let (version, wanted) = (super::version(), env!("UNREACH_Z3_VERSION"));
        assert!(version.starts_with(wanted), "Z3 {version} is loaded instead of {wanted}");
    }
}
