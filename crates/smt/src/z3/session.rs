//! Solver sessions of Z3.
//!
//! The session keeps its own record of the assertions. So the solver behind it can be made when the first query
//! comes, of the kind that suits the theories seen until then, and be replaced by a more general one,
//! or by a fresh one after an internal error, at any time. For the same reason it can be given up while nobody asks:
//! only the sessions of a context that were asked last have a solver ([`Awake`]), since one takes up to a megabyte however small its question is.

use super::Z3;
use super::context::{Context, Parameters, Setting, Z3Error, reason, text};
use super::model::ModelReader;
use super::theories::{Kind, Theories};
use crate::solver::{Answer, Reason, Solver};
use crate::stack::AssertionStack;
use base::{Budget, Interrupted};
use logic::{Model, Term, Terms};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use z3_sys::*;

/// So many sessions of a context have a solver at once.
const MOST_AWAKE: usize = 32;

/// The sessions of a context that have a solver.
#[derive(Default)]
pub(super) struct Awake {
    slots: RefCell<Vec<Weak<Slot>>>,
    /// How often any of the sessions was asked.
    asked: Cell<u64>,
}

/// The place for the solver of a session.
#[derive(Default)]
struct Slot {
    running: RefCell<Option<Running>>,
    /// The number of its last question.
    asked: Cell<u64>,
}

impl Awake {
    /// The session of this slot is asked.
    fn ask(&self, slot: &Slot) {
        self.asked.set(self.asked.get() + 1);
        slot.asked.set(self.asked.get());
    }

    /// The session of this slot is about to get a solver. Whoever was not asked for the longest time gives up its own, if there are too many;
    /// this is what comes back.
    fn make_room(&self, slot: &Rc<Slot>) -> Option<Running> {
        let mut given_up = None;
        let mut slots = self.slots.borrow_mut();
        let awake = |other: &Weak<Slot>| {
            other.upgrade().is_some_and(|other| !Rc::ptr_eq(&other, slot) && other.running.borrow().is_some())
        };
        slots.retain(awake);
        while slots.len() >= MOST_AWAKE {
            let oldest = (0..slots.len()).min_by_key(|&at| slots[at].upgrade().map(|slot| slot.asked.get()));
            let oldest = slots.swap_remove(oldest.expect("there are some")).upgrade();
            given_up = oldest.expect("it was just looked at").running.take();
        }
        slots.push(Rc::downgrade(slot));
        given_up
    }
}

/// A session with a solver of Z3.
pub struct Z3Session {
    z3: Z3,
    stack: AssertionStack,
    slot: Rc<Slot>,
    /// Whether it may go on with a solver that another session has given up.
    takes_over: bool,
    rlimit: Option<u32>,
    /// The number of open scopes, and what could not be translated at that depth.
    refused: Option<(usize, Z3Error)>,
    depth: usize,
    last: Option<Answer>,
    assumptions: Vec<Term>,
    translated: Vec<Z3_ast>,
}

impl Z3Session {
    pub(super) fn new(z3: Z3) -> Z3Session {
        Z3Session {
            z3,
            stack: AssertionStack::default(),
            slot: Rc::default(),
            takes_over: false,
            rlimit: None,
            refused: None,
            depth: 0,
            last: None,
            assumptions: Vec::new(),
            translated: Vec::new(),
        }
    }

    /// Lets it go on with solvers that others have given up, which is quicker than to make one.
    pub(crate) fn taking_over(self) -> Z3Session {
        Z3Session { takes_over: true, ..self }
    }

    /// Makes sure that there is a solver that knows these theories and has all assertions.
    fn start(&mut self, terms: &Terms, theories: Theories) -> Result<(), Z3Error> {
        if self.slot.running.borrow().as_ref().is_some_and(|running| running.kind.covers(theories)) {
            return Ok(());
        }
        let given_up = self.z3.awake.make_room(&self.slot);
        let mut encoder = self.z3.encoder.borrow_mut();
        let mut needed = theories;
        for &formula in self.stack.formulas() {
            needed = needed | encoder.encode(terms, formula)?.1;
        }
        let kind = Kind::for_theories(needed);
        let running = match given_up.filter(|other| self.takes_over && other.kind == kind) {
            Some(other) if other.forget()? => other,
            _ => Running::new(&self.z3.context, kind)?,
        };
        if self.takes_over {
            running.begin();
        }
        for (level, formulas) in self.stack.levels().enumerate() {
            if level > 0 {
                running.push();
            }
            for &formula in formulas {
                running.assert(encoder.encode(terms, formula)?.0);
            }
        }
        running.context.done()?;
        self.slot.running.replace(Some(running));
        Ok(())
    }

    /// Asks the last question again if its solver was given up since then.
    fn ask_again_if_given_up(&mut self, terms: &Terms) {
        let answered = matches!(self.last, Some(Answer::Sat | Answer::Unsat));
        if answered && self.slot.running.borrow().is_none() {
            let assumptions = std::mem::take(&mut self.assumptions);
            self.check_assuming(terms, &assumptions);
        }
    }

    /// The model of the last query, with its count raised.
    fn raw_model(&self) -> Result<Z3_model, Reason> {
        let running = self.slot.running.borrow();
        let (Some(Answer::Sat), Some(running)) = (&self.last, &*running) else {
            return Err(Reason::NothingToAsk);
        };
        let model = running.model().map_err(Reason::from)?;
        // SAFETY: the model comes right out of a call.
        unsafe { Z3_model_inc_ref(self.z3.context.raw(), model) }
        Ok(model)
    }

    fn query(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, Z3Error> {
        if let Some((_, error)) = &self.refused {
            return Err(error.clone());
        }
        self.translated.clear();
        let mut theories = Theories::NONE;
        for &assumption in assumptions {
            let (ast, needed) = self.z3.encoder.borrow_mut().encode(terms, assumption)?;
            self.translated.push(ast);
            theories = theories | needed;
        }
        self.z3.awake.ask(&self.slot);
        self.start(terms, theories)?;
        let running = self.slot.running.borrow();
        let running = running.as_ref().expect("it was just started");
        // A query that costs more than is left is held up like anything else, and then asked again with more.
        let budget = self.z3.context.budget();
        loop {
            let limit = slice(budget, self.rlimit);
            let before = budget.effort();
            running.set_rlimit(limit)?;
            let answer = running.check(&self.translated)?;
            // Who gives up without having worked would do so again.
            let worked = limit.is_some_and(|limit| budget.effort() - before >= u64::from(limit) / 4);
            let again = worked && limit != self.rlimit && answer == Answer::Unknown(Reason::ResourceLimit);
            if !again || budget.check().is_err() {
                return Ok(answer);
            }
        }
    }
}

impl Solver for Z3Session {
    fn push(&mut self) {
        self.last = None;
        self.depth += 1;
        self.stack.push();
        if let Some(running) = &*self.slot.running.borrow() {
            running.push();
        }
    }

    fn pop(&mut self) {
        self.last = None;
        self.stack.pop();
        self.depth -= 1;
        if self.refused.as_ref().is_some_and(|(depth, _)| *depth > self.depth) {
            self.refused = None;
        }
        if let Some(running) = &*self.slot.running.borrow() {
            running.pop();
        }
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.last = None;
        let translated = self.z3.encoder.borrow_mut().encode(terms, formula);
        match translated {
            Ok((ast, theories)) => {
                self.stack.assert(formula);
                let mut running = self.slot.running.borrow_mut();
                match &*running {
                    Some(running) if running.kind.covers(theories) => running.assert(ast),
                    // The next query starts a solver that knows this formula.
                    _ => *running = None,
                }
            }
            Err(error) => {
                self.refused.get_or_insert((self.depth, error));
            }
        }
    }

    fn check_assuming(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        if let Err(Interrupted(limit)) = self.z3.context.budget().check() {
            return Answer::Unknown(Reason::Interrupted(limit));
        }
        let answer = self.query(terms, assumptions).unwrap_or_else(|error| {
            // Nobody knows in which state an error leaves the solver.
            self.slot.running.take();
            Answer::Unknown(error.into())
        });
        let answer = match (answer, self.z3.context.budget().check()) {
            (Answer::Unknown(_), Err(Interrupted(limit))) => Answer::Unknown(Reason::Interrupted(limit)),
            (answer, _) => answer,
        };
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        self.last = Some(answer.clone());
        answer
    }

    fn model(&mut self, terms: &mut Terms) -> Result<Model, Reason> {
        self.ask_again_if_given_up(terms);
        let reader = ModelReader::new(&self.z3, self.raw_model()?);
        reader.read(terms).map_err(Reason::from)
    }

    fn core(&mut self, terms: &Terms) -> Result<Vec<Term>, Reason> {
        self.ask_again_if_given_up(terms);
        let running = self.slot.running.borrow();
        let (Some(Answer::Unsat), Some(running)) = (&self.last, &*running) else {
            return Err(Reason::NothingToAsk);
        };
        let core = running.core().map_err(Reason::from)?;
        let pairs = self.assumptions.iter().zip(&self.translated);
        Ok(pairs.filter(|(_, ast)| core.contains(ast)).map(|(&assumption, _)| assumption).collect())
    }

    fn set_rlimit(&mut self, limit: Option<u32>) {
        self.rlimit = limit;
    }
}

/// The least work for which asking is worth its while.
const LEAST_SLICE: u64 = 200_000;

/// The bound of a query that may cost so much: no more than is left of the budget, or a little. Powers of two, so that
/// it seldom changes.
pub(super) fn slice(budget: &Budget, rlimit: Option<u32>) -> Option<u32> {
    let left = budget.left().max(LEAST_SLICE).checked_next_power_of_two();
    let left = left.and_then(|left| u32::try_from(left).ok());
    match (left, rlimit) {
        (Some(left), Some(rlimit)) => Some(left.min(rlimit)),
        (left, rlimit) => left.or(rlimit),
    }
}

/// A solver object of Z3.
struct Running {
    context: Rc<Context>,
    raw: Z3_solver,
    kind: Kind,
    /// The bound that is set; none before any was.
    bound: Cell<Option<Option<u32>>>,
    /// How many scopes are open.
    scopes: Cell<u32>,
    /// Whether the outermost scope has everything in it, and no question was left open.
    can_forget: Cell<bool>,
}

// SAFETY, for all calls below: the context is alive because the `Rc` is, the solver because its count was raised, and
// terms that are passed in are kept alive by the encoder.
impl Running {
    fn new(context: &Rc<Context>, kind: Kind) -> Result<Running, Z3Error> {
        let c = context.raw();
        let made = match kind {
            Kind::Simple => unsafe { Z3_mk_simple_solver(c) },
            Kind::Logic(name, _) => {
                let name = context.symbol(name)?;
                unsafe { Z3_mk_solver_for_logic(c, name) }
            }
        };
        let raw = context.checked(made)?;
        unsafe { Z3_solver_inc_ref(c, raw) }
        Ok(Running {
            context: Rc::clone(context),
            raw,
            kind,
            bound: Cell::new(None),
            scopes: Cell::new(0),
            can_forget: Cell::new(false),
        })
    }

    /// Sets the bound on each query. Also keeps Z3 from catching Ctrl-C, which is the business of the budget.
    fn set_rlimit(&self, limit: Option<u32>) -> Result<(), Z3Error> {
        if self.bound.replace(Some(limit)) == Some(limit) {
            return Ok(());
        }
        let settings = [("rlimit", Setting::Number(limit.unwrap_or(0))), ("ctrl_c", Setting::Flag(false))];
        let parameters = Parameters::new(&self.context, &settings)?;
        unsafe { Z3_solver_set_params(self.context.raw(), self.raw, parameters.raw) }
        self.context.done()
    }

    /// Opens a scope for all that follows, before anything is asserted.
    fn begin(&self) {
        self.push();
        self.can_forget.set(true);
    }

    /// Forgets everything, if it can.
    fn forget(&self) -> Result<bool, Z3Error> {
        if !self.can_forget.get() {
            return Ok(false);
        }
        unsafe { Z3_solver_pop(self.context.raw(), self.raw, self.scopes.replace(0)) }
        self.context.done()?;
        Ok(true)
    }

    fn push(&self) {
        self.scopes.set(self.scopes.get() + 1);
        unsafe { Z3_solver_push(self.context.raw(), self.raw) }
    }

    fn pop(&self) {
        self.scopes.set(self.scopes.get() - 1);
        unsafe { Z3_solver_pop(self.context.raw(), self.raw, 1) }
    }

    fn assert(&self, formula: Z3_ast) {
        unsafe { Z3_solver_assert(self.context.raw(), self.raw, formula) }
    }

    fn check(&self, assumptions: &[Z3_ast]) -> Result<Answer, Z3Error> {
        let c = self.context.raw();
        let count = assumptions.len() as u32;
        let answer = match unsafe { Z3_solver_check_assumptions(c, self.raw, count, assumptions.as_ptr()) } {
            Z3_L_TRUE => Answer::Sat,
            Z3_L_FALSE => Answer::Unsat,
            _ => {
                self.can_forget.set(false);
                self.context.done()?;
                let words = unsafe { text(Z3_solver_get_reason_unknown(c, self.raw)) };
                Answer::Unknown(reason(words))
            }
        };
        self.context.count_effort(unsafe { Z3_solver_get_statistics(c, self.raw) });
        Ok(answer)
    }

    /// The model of the last query.
    fn model(&self) -> Result<Z3_model, Z3Error> {
        self.context.checked(unsafe { Z3_solver_get_model(self.context.raw(), self.raw) })
    }

    /// The core of the last query; its terms are assumptions, which the caller keeps alive.
    fn core(&self) -> Result<Vec<Z3_ast>, Z3Error> {
        let c = self.context.raw();
        unsafe {
            let vector = self.context.checked(Z3_solver_get_unsat_core(c, self.raw))?;
            Z3_ast_vector_inc_ref(c, vector);
            let core = (0..Z3_ast_vector_size(c, vector))
                .map(|i| self.context.checked(Z3_ast_vector_get(c, vector, i)));
            let core = core.collect();
            Z3_ast_vector_dec_ref(c, vector);
            core
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        unsafe { Z3_solver_dec_ref(self.context.raw(), self.raw) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;

    /// Each session keeps its assertions, its scopes and what was answered last, also while others have the solvers.
    #[test]
    fn sessions_that_gave_up_their_solver_go_on_as_before() {
        for takes_over in [false, true] {
            many_sessions(takes_over);
        }
    }

    fn many_sessions(takes_over: bool) {
        let budget = Budget::unlimited();
        let mut terms = Terms::new();
        let x = terms.named("x", Sort::INT);
        let symbol = terms.as_symbol(x).expect("a name is a symbol");
        let z3 = Z3::new(&budget);
        let count = 3 * MOST_AWAKE as i64;
        let mut sessions: Vec<Z3Session> = Vec::new();
        for number in 0..count {
            let mut session = Z3Session { takes_over, ..z3.session() };
            let bound = terms.int(number);
            let above = terms.lt(bound, x);
            session.assert(&terms, above);
            session.push();
            let below = terms.lt(x, bound);
            assert_eq!(session.check_assuming(&terms, &[below]), Answer::Unsat);
            let next = terms.int(number + 2);
            let below = terms.lt(x, next);
            session.assert(&terms, below);
            assert_eq!(session.check(&terms), Answer::Sat);
            sessions.push(session);
        }
        let running = |sessions: &[Z3Session]| {
            sessions.iter().filter(|session| session.slot.running.borrow().is_some()).count()
        };
        assert_eq!(running(&sessions), MOST_AWAKE);
        for number in 0..count {
            let model = sessions[number as usize].model(&mut terms).expect("the last answer was `sat`");
            assert_eq!(model.value(&terms, symbol), logic::Value::Int((number + 1).into()));
        }
        for number in 0..count {
            let session = &mut sessions[number as usize];
            session.pop();
            let (bound, far) = (terms.int(number + 5), terms.int(number));
            let (above, below) = (terms.lt(bound, x), terms.le(x, far));
            assert_eq!(session.check_assuming(&terms, &[above]), Answer::Sat);
            assert_eq!(session.check_assuming(&terms, &[above, below]), Answer::Unsat);
        }
        for session in &mut sessions {
            assert!(!session.core(&terms).expect("the last answer was `unsat`").is_empty());
        }
        assert_eq!(running(&sessions), MOST_AWAKE);
    }
}
