//! Many checks at once: what fails within a few rounds of loops, and what static analysis shows.
//!
//! To ask for one failure after the other, and to halve the checks until those are alone that are hard, costs a verification for each.
//! An unwinding knows of every check whether it can fail within its bound, and an analysis of the whole program which errors its
//! facts exclude; both are asked once, before anything else. The failures are run again, and what the facts exclude is proven
//! by the same engine in a question of its own, so that all evidence is that of [`verify`](crate::verify).
//!
//! Costs: at most the effort below, which does not depend on the machine. What is not found out in it is left to the others.

use super::{Check, Found, Selection, Surveyor, failing, is_at};
use crate::answer::{Answer, Decision, Failure, confirmed};
use crate::attempt::{Shared, attempt_with};
use crate::plan::{Control, Entry, Inlining, Plan};
use crate::problem::Problem;
use crate::race::{Lane, NEVER, Won, race, shares};
use crate::view::{BitOperations, View};
use base::{Budget, Limit};
use engines::Engine;
use engines::bounded::failures::failing_runs;
use engines::table::{ABSTRACT_INTERPRETATION, BOUNDED};
use logic::Terms;
use program::{ConcreteRun, ErrorData, Reason, Verdict};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// The effort of looking for failures: so much, and so much more for each check.
const FAILURES: u64 = 200_000;
const FAILURES_OF_A_CHECK: u64 = 5_000;
/// The effort of running a failure again.
const MOMENT: u64 = 20_000;
/// The effort of static analysis.
const FACTS: u64 = 1_000_000;

impl Surveyor<'_> {
    /// Settles what can be settled at once.
    pub(super) fn at_once(&mut self, view: &Arc<View>) -> Result<(), Failure> {
        if view.is_concurrent() || view.is_temporal() {
            return Ok(());
        }
        let group = self.open.clone();
        for (check, decision) in self.failures_at_once(&group, Selection::default())? {
            self.settle(check, Found::Fails(Box::new(decision)));
        }
        self.proofs_at_once(view)
    }

    fn uses(&self, engine: &Engine) -> bool {
        self.plan.entries.iter().any(|entry| entry.engine == engine)
    }

    /// The checks of a group that fail within a few rounds of loops, with an execution for each.
    pub(super) fn failures_at_once(
        &self,
        group: &BTreeSet<Check>,
        selection: Selection,
    ) -> Result<Vec<(Check, Decision)>, Failure> {
        if !self.uses(BOUNDED) || group.is_empty() {
            return Ok(Vec::new());
        }
        let problem = Problem { selection, ..self.problem.clone() };
        // Bit operations are taken as they are: a bounded one spoils the execution.
        let Ok(view) = View::new(&problem, BitOperations::Exact).map(Arc::new) else { return Ok(Vec::new()) };
        let effort = FAILURES + FAILURES_OF_A_CHECK * group.len() as u64;
        let runs = found_runs(&view, effort, self.budget)?;
        let mut known = BTreeSet::new();
        let mut found = Vec::new();
        for run in &runs {
            // To run it again is worth a moment behind the limit.
            let (moment, _guard) = Budget::unlimited().part(MOMENT);
            let answer = confirmed(certify::rerun(&view.program, run, &moment));
            let engine = Some(BOUNDED);
            let decision = Decision {
                answer,
                engine,
                ..Decision::unknown(Reason::Limit(Limit::Effort), Arc::clone(&view))
            };
            if let Some(check) = failing(&decision.answer, &decision, group)
                && known.insert(check.clone())
            {
                found.push((check, decision));
            }
        }
        Ok(found)
    }

    /// Proves the open checks that the facts of static analysis show.
    pub(super) fn proofs_at_once(&mut self, view: &Arc<View>) -> Result<(), Failure> {
        if !self.uses(ABSTRACT_INTERPRETATION) || self.open.is_empty() {
            return Ok(());
        }
        let (part, _guard) = self.budget.part(FACTS);
        let Some(left) = self.not_excluded(view, &part) else { return Ok(()) };
        let shown = |check: &&Check| !left.iter().any(|error| is_at(check, error));
        let group: BTreeSet<Check> = self.open.iter().filter(shown).cloned().collect();
        if group.is_empty() {
            return Ok(());
        }
        let problem = Problem { selection: self.only(&group), ..self.problem.clone() };
        let entry = analysis();
        let plan = Plan { entries: vec![entry], ..self.plan.clone() };
        let (part, _guard) = self.budget.part(FACTS);
        let decision = crate::verify(&problem, &plan, &part, Arc::clone(&self.observer))?;
        if matches!(decision.answer, Answer::Safe(_)) {
            self.prove(group, decision);
        }
        Ok(())
    }

    /// The errors that the facts of static analysis do not exclude; nothing if there is no analysis in time.
    fn not_excluded(&self, view: &Arc<View>, budget: &Budget) -> Option<Vec<ErrorData>> {
        let problem = Problem { selection: self.only(&self.open), ..self.problem.clone() };
        let view = match self.open.len() == self.all.len() {
            true => Arc::clone(view),
            false => Arc::new(View::new(&problem, BitOperations::Marked).ok()?),
        };
        let mut terms = Terms::new();
        let subject = view.subject(&mut terms).ok()?;
        let (plan, observer) = (self.plan.clone(), Arc::clone(&self.observer));
        let shared = Shared { view, exact: None, subject, terms, plan, observer };
        let left: Mutex<Option<Vec<ErrorData>>> = Mutex::new(None);
        attempt_with(&shared, &analysis(), budget, &|_, task| {
            let errors = engines::abstract_interpretation::not_excluded(task)?;
            let data = errors.iter().map(|&error| task.single.errors[error].clone()).collect();
            *left.lock().unwrap_or_else(PoisonError::into_inner) = Some(data);
            Ok(Verdict::Unknown(Reason::NotShown { first: None, others: errors.len() }))
        });
        left.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs that fail, as far as the effort goes. The unwinding has a thread of its own, which is left alone at the limit of time.
fn found_runs(view: &Arc<View>, effort: u64, budget: &Budget) -> Result<Vec<ConcreteRun>, Failure> {
    let unwound = Arc::clone(view);
    // What was found before a limit stands, also if the thread does not come back.
    let runs: Arc<Mutex<Vec<ConcreteRun>>> = Arc::default();
    let found = Arc::clone(&runs);
    let look = move |budget: &Budget| {
        let tell = |run| found.lock().unwrap_or_else(PoisonError::into_inner).push(run);
        catch_unwind(AssertUnwindSafe(|| failing_runs(&unwound.program, budget, &tell))).is_ok()
    };
    let share = shares(effort);
    let lane = Lane {
        name: BOUNDED.name,
        share,
        late_share: share,
        behind: NEVER,
        from: 0,
        alone: true,
        run: Box::new(look),
    };
    if let Ok(Won { said: false, .. }) = race(vec![lane], |_| true, (1, 1), budget) {
        return Err(Failure::Internal(format!("{} failed", BOUNDED.name)));
    }
    let mut runs = runs.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(std::mem::take(&mut *runs))
}

/// Static analysis as a line of a plan.
fn analysis() -> Entry {
    Entry {
        engine: ABSTRACT_INTERPRETATION,
        inlining: Inlining::IfSmall,
        control: Control::InData,
        share: 1,
        from: 0,
    }
}
