//! Rungs before the solver: questions that need none.
//!
//! Most of what engines ask is about a handful of linear constraints with a few cases. A [`QuickSession`] keeps the assertions, and looks
//! at each question with means of its own first: bounds of numbers, congruence (equal arguments have equal results, what was written
//! is read), the exact simplex method with divisions where a number has to be whole, and a division into a few cases
//! ([`search`]). Questions in which operations on bits and integers meet become circuits ([`circuits`]). What that does not decide goes to the session behind it, which until then has not heard of any assertion, and need
//! not even be open.
//!
//! Only engines use these sessions: the checker asks the solver itself, so that nothing here has to be trusted. In builds
//! with debug assertions the solver is asked about every answer.
//!
//! Cost: a question has at most [`search::MOST_STEPS`] steps of some ten nanoseconds. A session that is of no use several times in a row is asked rarely.

mod circuits;
mod evaluation;
mod number;
mod search;
mod simplex;

use crate::solver::{Answer, Reason, Solver};
use base::Budget;
use circuits::Decided;
use evaluation::Assignment;
use logic::{Model, Op, Term, Terms};
use search::{End, Rung, Search};
use std::cell::Cell;
use std::rc::Rc;

base::statistics! {
    /// Who answered the questions of engines.
    pub struct RungStatistics {
        by_bounds: "questions answered from bounds and truth values",
        by_congruence: "questions answered by congruence closure",
        by_simplex: "questions answered by the simplex method",
        by_cases: "questions answered by a few cases",
        by_circuits: "questions about bits of integers answered by circuits",
        by_solver: "questions left to the SMT solver",
    }
}

/// After so many questions in a row without an answer, a session is asked rarely.
const MOST_MISSES: u32 = 4;
/// Then every so many questions.
const RARELY: u32 = 16;
/// Of so many assumptions, each is tried by itself to find a core.
const MOST_TRIED: usize = 40;
/// Of so many, parts of them are tried first, large ones and then smaller ones; a core of more is left to the solver.
const MOST_TRIED_IN_PARTS: usize = 400;
/// … namely so many.
const PARTS: usize = 8;
/// How much work the solver may have with a question about the bits of integers that circuits leave open.
const CONVERSIONS_RLIMIT: u32 = 2_000_000;
/// So many steps count as a unit of effort, which in the solver takes about as long.
const STEPS_PER_UNIT: u32 = 8;

/// The result of the last question.
enum Last {
    Nothing,
    /// Nobody but we have seen it.
    Own(Result<Assignment, End>),
    /// The same, as a circuit.
    Circuit(Box<Decided>),
    /// The session behind has answered.
    Behind,
}

/// A session that answers easy questions itself.
pub(crate) struct QuickSession<S> {
    behind: S,
    budget: Budget,
    formulas: Vec<Term>,
    /// Where each scope begins.
    scopes: Vec<usize>,
    /// How many formulas and scopes the session behind has heard of.
    told: usize,
    told_scopes: usize,
    assumptions: Vec<Term>,
    last: Last,
    misses: u32,
    rlimit: Option<u32>,
    statistics: Rc<Cell<RungStatistics>>,
}

impl<S: Solver> QuickSession<S> {
    /// Puts the rungs before a session without assertions.
    pub(crate) fn new(behind: S, budget: &Budget, statistics: Rc<Cell<RungStatistics>>) -> QuickSession<S> {
        QuickSession {
            behind,
            budget: budget.clone(),
            formulas: Vec::new(),
            scopes: Vec::new(),
            told: 0,
            told_scopes: 0,
            assumptions: Vec::new(),
            last: Last::Nothing,
            misses: 0,
            rlimit: None,
            statistics,
        }
    }

    fn count(&self, counter: impl FnOnce(&mut RungStatistics)) {
        let mut statistics = self.statistics.get();
        counter(&mut statistics);
        self.statistics.set(statistics);
    }

    /// Looks at a question; `None` if it stays open.
    fn decide(&self, terms: &Terms, assumptions: &[Term]) -> (Option<Result<Assignment, End>>, Rung) {
        let question: Vec<Term> = self.formulas.iter().chain(assumptions).copied().collect();
        let mut search = Search::new(terms, question);
        let found = search.run();
        self.budget.spend(u64::from(1 + search.steps / STEPS_PER_UNIT));
        let decided = !matches!(found, Err(End::GaveUp));
        (decided.then_some(found), search.rung)
    }

    /// Leaves out parts of so many assumptions, as far as what is left is still contradictory.
    fn leave_out(&self, terms: &Terms, core: &mut Vec<Term>, size: usize) {
        let mut end = core.len();
        while end > 0 {
            let start = end.saturating_sub(size.max(1));
            let left_out: Vec<Term> = core.drain(start..end).collect();
            if !matches!(self.decide(terms, core).0, Some(Err(_))) {
                core.splice(start..start, left_out);
            }
            end = start;
        }
    }

    /// Looks at a question about the bits of integers; `None` if it stays open.
    fn decide_by_circuit(&mut self, terms: &Terms, assumptions: &[Term]) -> Option<Answer> {
        self.budget.check().ok()?;
        let decided = circuits::decide(terms, &self.formulas, assumptions, &self.budget)?;
        self.count(|statistics| statistics.by_circuits += 1);
        let answer = if decided.model.is_some() { Answer::Sat } else { Answer::Unsat };
        self.last = Last::Circuit(Box::new(decided));
        Some(answer)
    }

    /// Tells the session behind what it has not heard yet.
    fn tell(&mut self, terms: &Terms) {
        for position in self.told..=self.formulas.len() {
            while self.scopes.get(self.told_scopes).is_some_and(|&start| start <= position) {
                self.behind.push();
                self.told_scopes += 1;
            }
            if let Some(&formula) = self.formulas.get(position) {
                self.behind.assert(terms, formula);
            }
        }
        self.told = self.formulas.len();
    }

    /// Whether the question has a product of variables. Z3 can narrow the bounds of such a product for ever, and counts nothing of that as work.
    fn has_products(&self, terms: &Terms) -> bool {
        let question: Vec<Term> = self.formulas.iter().chain(&self.assumptions).copied().collect();
        let mut found = false;
        terms.for_each_subterm(&question, |term| found |= matches!(terms.op(term), Op::Mul));
        found
    }

    fn ask(&mut self, terms: &Terms) -> Answer {
        self.tell(terms);
        let assumptions = std::mem::take(&mut self.assumptions);
        let answer = self.behind.check_assuming(terms, &assumptions);
        self.assumptions = assumptions;
        self.last = Last::Behind;
        answer
    }
}

impl<S: Solver> Solver for QuickSession<S> {
    fn push(&mut self) {
        self.last = Last::Nothing;
        self.scopes.push(self.formulas.len());
    }

    fn pop(&mut self) {
        self.last = Last::Nothing;
        let start = self.scopes.pop().expect("a scope is open");
        self.formulas.truncate(start);
        self.told = self.told.min(start);
        if self.told_scopes > self.scopes.len() {
            self.behind.pop();
            self.told_scopes -= 1;
        }
    }

    fn assert(&mut self, _: &Terms, formula: Term) {
        self.last = Last::Nothing;
        self.formulas.push(formula);
    }

    fn check_assuming(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        let tries = self.misses < MOST_MISSES || self.misses.is_multiple_of(RARELY);
        self.misses = self.misses.saturating_add(1);
        if tries && self.budget.check().is_ok() {
            let (found, rung) = self.decide(terms, assumptions);
            if let Some(found) = found {
                self.misses = 0;
                self.count(|statistics| match rung {
                    Rung::Bounds => statistics.by_bounds += 1,
                    Rung::Congruence => statistics.by_congruence += 1,
                    Rung::Simplex => statistics.by_simplex += 1,
                    Rung::Cases => statistics.by_cases += 1,
                });
                let answer = if found.is_ok() { Answer::Sat } else { Answer::Unsat };
                if cfg!(debug_assertions) && !self.has_products(terms) {
                    let other = self.ask(terms);
                    // A solver that was stopped may have lost what it was told.
                    let stopped = self.budget.check().is_err();
                    assert!(
                        stopped || matches!(other, Answer::Unknown(_)) || other == answer,
                        "the rungs say {answer}, and the solver {other}"
                    );
                }
                self.last = Last::Own(found);
                return answer;
            }
        }
        let about_bits = terms.has_conversions(&self.formulas) || terms.has_conversions(assumptions);
        if about_bits && let Some(answer) = self.decide_by_circuit(terms, assumptions) {
            return answer;
        }
        self.count(|statistics| statistics.by_solver += 1);
        if !about_bits {
            return self.ask(terms);
        }
        // The solver seldom knows what circuits do not, and ponders it for long.
        let rlimit = self.rlimit.map_or(CONVERSIONS_RLIMIT, |rlimit| rlimit.min(CONVERSIONS_RLIMIT));
        self.behind.set_rlimit(Some(rlimit));
        let answer = self.ask(terms);
        self.behind.set_rlimit(self.rlimit);
        answer
    }

    fn model(&mut self, terms: &mut Terms) -> Result<Model, Reason> {
        match &self.last {
            Last::Nothing | Last::Own(Err(_)) => return Err(Reason::NothingToAsk),
            Last::Circuit(decided) => return decided.model.clone().ok_or(Reason::NothingToAsk),
            Last::Own(Ok(assignment)) => {
                if let Some(model) = assignment.model(terms) {
                    return Ok(model);
                }
                if let Answer::Unknown(reason) = self.ask(terms) {
                    return Err(reason);
                }
            }
            Last::Behind => {}
        }
        self.behind.model(terms)
    }

    fn core(&mut self, terms: &Terms) -> Result<Vec<Term>, Reason> {
        match &mut self.last {
            Last::Nothing | Last::Own(Ok(_)) => return Err(Reason::NothingToAsk),
            Last::Circuit(decided) if decided.model.is_some() => return Err(Reason::NothingToAsk),
            Last::Circuit(decided) => return Ok(decided.core()),
            Last::Own(Err(_)) if self.assumptions.len() <= MOST_TRIED_IN_PARTS => {
                let mut core = self.assumptions.clone();
                while core.len() > MOST_TRIED {
                    let before = core.len();
                    self.leave_out(terms, &mut core, before / PARTS);
                    if core.len() == before {
                        break;
                    }
                }
                self.leave_out(terms, &mut core, 1);
                return Ok(core);
            }
            Last::Own(Err(_)) => {
                if let Answer::Unknown(reason) = self.ask(terms) {
                    return Err(reason);
                }
            }
            Last::Behind => {}
        }
        self.behind.core(terms)
    }

    fn set_rlimit(&mut self, limit: Option<u32>) {
        self.rlimit = limit;
        self.behind.set_rlimit(limit);
    }
}
