//! Do all runs end? Which views of a problem are judged for that, one after the other.
//!
//! In C a signed overflow has no meaning, and one that ends the run would let nearly every loop end. So a proof must not
//! rest on it: it is looked for in the view in which numbers grow beyond their type, whose runs contain all others. An
//! infinite run is looked for in the view in which an overflow is the end: it is one whatever an overflow does. If all runs
//! end, but some only by an overflow, the answer is unknown.

use crate::answer::{Answer, Decision, Failure};
use crate::observer::Observer;
use crate::plan::{Inlining, Plan};
use crate::problem::Problem;
use crate::property::Property;
use crate::view::{BitOperations, NoView, View};
use crate::{Effort, Item, judge};
use base::Budget;
use c::SignedOverflow;
use engines::table::TERMINATION;
use engines::termination::Aim;
use program::Reason;
use std::sync::Arc;

/// Whether a plan and a problem are about termination: the problem says so, or the only engine knows no other question.
pub(crate) fn is_asked(problem: &Problem, plan: &Plan) -> bool {
    let only = matches!(&plan.entries[..], [entry] if entry.engine == TERMINATION);
    only || problem.property == Property::Termination
}

/// Do all runs of a problem end?
pub(crate) fn verify(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Decision, Failure> {
    let problem = Problem { property: Property::Termination, ..problem.clone() };
    if let [entry] = &plan.entries[..]
        && entry.engine != TERMINATION
    {
        let what = format!("termination with the engine {}", entry.engine.name);
        return Ok(Decision::without_view(Reason::Unsupported(what)));
    }
    let mut judge = Judge { problem, plan, budget, observer };
    let decision = judge.with_bits(BitOperations::Marked)?;
    let marked = decision.view.as_ref().and_then(|view| view.back.as_ref()).is_some_and(|back| back.bounded_bits);
    // What depends on bit operations or floating numbers that were only bounded is decided in bit-vectors.
    if marked && matches!(decision.answer, Answer::Unknown(Reason::Termination(_))) {
        return judge.with_bits(BitOperations::Exact);
    }
    Ok(decision)
}

struct Judge<'a> {
    problem: Problem,
    plan: &'a Plan,
    budget: &'a Budget,
    observer: &'a Arc<dyn Observer>,
}

impl Judge<'_> {
    fn with_bits(&mut self, bits: BitOperations) -> Result<Decision, Failure> {
        let view = |overflow| View::of_problem(&self.problem, bits, overflow).map(Arc::new);
        let views = view(SignedOverflow::Ends).and_then(|ends| Ok((ends, view(SignedOverflow::GoesOn)?)));
        let (ends, goes_on) = match views {
            Ok(views) => views,
            Err(NoView::Unknown(reason)) => return Ok(Decision::without_view(reason)),
            Err(NoView::Failure(failure)) => return Err(failure),
        };
        self.observer.warnings(&ends.sources, &ends.warnings);
        if ends.is_concurrent() {
            let reason = Reason::Unsupported("termination of programs with threads".to_owned());
            return Ok(Decision::unknown(reason, ends));
        }
        if ends.program.to_string() == goes_on.program.to_string() {
            return self.view(&ends, Aim::All);
        }
        let proof = self.view(&goes_on, Aim::Ranks)?;
        if !is_open(&proof) {
            return Ok(proof);
        }
        let found = self.view(&ends, Aim::RanksAndRuns)?;
        if matches!(found.answer, Answer::Infinite(_)) {
            return Ok(found);
        }
        let proof = self.view(&goes_on, Aim::Proof)?;
        match (&proof.answer, &found.answer) {
            (Answer::Unknown(Reason::Termination(_)), Answer::Terminates(_)) => {
                let why = "all of them do if a signed overflow is the end of a run, and some may not otherwise";
                Ok(Decision { answer: Answer::Unknown(Reason::Termination(why.to_owned())), ..proof })
            }
            _ => Ok(proof),
        }
    }

    /// The answer of the engine about a view.
    fn view(&self, view: &Arc<View>, aim: Aim) -> Result<Decision, Failure> {
        let mut plan = Plan { blocks: self.plan.blocks, ..Plan::only(TERMINATION, Inlining::Never) };
        plan.options = engines::Options { termination: aim, ..self.plan.options.clone() };
        plan.solvers = self.plan.solvers.clone();
        plan.certificate = self.plan.certificate;
        let item = Item { view: Arc::clone(view), effort: Effort::Rounds(u32::MAX) };
        judge(item, &plan, self.budget, self.observer)
    }
}

/// Can another view still answer?
fn is_open(decision: &Decision) -> bool {
    matches!(decision.answer, Answer::Unknown(Reason::Termination(_) | Reason::NotConfirmed(_)))
}
