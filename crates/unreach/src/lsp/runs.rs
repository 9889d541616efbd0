//! Verification in the background: one run at a time, each in a thread of its own, cancelled when its text changes.
//!
//! A run that does not come back after its budget was tripped is left behind: its answer is not wanted any more, and the
//! next run begins without it.

use super::document::{Document, Wishes};
use super::found::Found;
use super::server::Event;
use crate::answer::{Answer, Decision, Failure};
use crate::checks::survey;
use crate::observer::Silent;
use crate::plan::Plan;
use crate::problem::{Language, Problem};
use crate::project::{Entries, questions_about};
use crate::reuse::Reuse;
use base::budget::Limits;
use base::{Budget, Limit};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// How long a run may take to come back after it was stopped.
const GRACE: Duration = Duration::from_secs(2);
/// So long it may take to find out why a proof is one.
const TIME_FOR_REASONS: Duration = Duration::from_secs(5);
/// So many rounds of the plan are tried before the checks are looked at one by one.
const FIRST_ROUNDS: u32 = 5;
/// Programs are read with a recursion that is bounded, but solvers do not promise as much.
pub(super) const STACK: usize = 64 << 20;

/// What is waiting and what is running.
pub(super) struct Runs {
    waiting: VecDeque<Job>,
    running: Option<(u64, String, Budget)>,
    next: u64,
    events: Sender<Event>,
    /// What was found out about earlier versions of the texts.
    reuse: Reuse,
    judge: Judge,
}

/// Somebody who judges a program with what earlier versions have left, and tells what is known whenever there is more.
pub(super) type Judge = fn(&Problem, Reuse, &Budget, &dyn Fn(Found));

struct Job {
    uri: String,
    problem: Problem,
    seconds: u64,
    memory: Option<u64>,
}

impl Runs {
    pub(super) fn new(events: Sender<Event>, judge: Judge) -> Runs {
        let reuse = Reuse::in_memory();
        Runs { waiting: VecDeque::new(), running: None, next: 0, events, reuse, judge }
    }

    /// What was found out about the texts.
    pub(super) fn reuse(&self) -> Reuse {
        self.reuse.clone()
    }

    /// Lets a text be verified, now or after those that were asked for before.
    pub(super) fn add(&mut self, document: &Document, wishes: &Wishes) {
        self.cancel(&document.uri);
        let (uri, problem) = (document.uri.clone(), document.problem(wishes));
        self.waiting.push_back(Job { uri, problem, seconds: wishes.seconds, memory: wishes.memory });
        self.start();
    }

    /// What was asked for about a text is not wanted any more.
    pub(super) fn cancel(&mut self, uri: &str) {
        self.waiting.retain(|job| job.uri != uri);
        if self.running.as_ref().is_some_and(|(_, running, _)| running == uri)
            && let Some((_, _, budget)) = self.running.take()
        {
            budget.trip(Limit::Cancelled);
        }
        self.start();
    }

    /// A run has ended: the address of its text, if the run is still wanted.
    pub(super) fn ended(&mut self, number: u64) -> Option<String> {
        let uri = match &self.running {
            Some((running, uri, _)) if *running == number => uri.clone(),
            _ => return None,
        };
        self.running = None;
        self.start();
        Some(uri)
    }

    /// Stops everything.
    pub(super) fn stop(&mut self) {
        self.waiting.clear();
        if let Some((_, _, budget)) = &self.running {
            budget.trip(Limit::Cancelled);
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Whether an answer is still wanted.
    pub(super) fn is_running(&self, number: u64) -> Option<&str> {
        self.running.as_ref().filter(|(running, ..)| *running == number).map(|(_, uri, _)| uri.as_str())
    }

    fn start(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(job) = self.waiting.pop_front() else { return };
        self.next += 1;
        let (number, budget) = (self.next, Budget::unlimited());
        self.running = Some((number, job.uri.clone(), budget.clone()));
        let (events, reuse, judge) = (self.events.clone(), self.reuse.clone(), self.judge);
        let run = move || {
            let ended = events.clone();
            let limits = Limits { time: Some(Duration::from_secs(job.seconds)), memory: job.memory };
            let late = ended.clone();
            // The receiver lives as long as the server; without it nobody wants to know.
            let watchdog = budget.watch(limits, GRACE, move |_| _ = late.send(Event::Ended(number)));
            let tell = |found: Found| _ = events.send(Event::Found(number, Box::new(found)));
            let judged = catch_unwind(AssertUnwindSafe(|| judge(&job.problem, reuse, &budget, &tell)));
            if judged.is_err() {
                let mut found = Found::default();
                found.add("", job.problem.clone(), Err(Failure::Internal("a run failed".to_owned())));
                tell(found);
            }
            drop(watchdog);
            _ = ended.send(Event::Ended(number));
        };
        let name = format!("verify {number}");
        if std::thread::Builder::new().name(name).stack_size(STACK).spawn(run).is_err() {
            self.running = None;
        }
    }
}

/// The decision about a problem once more, with why its proof is one; nothing if there is no proof, or no time.
pub(super) fn reasons(
    problem: &Problem,
    decision: &Decision,
    reuse: Reuse,
    memory: Option<u64>,
) -> Option<Decision> {
    let Answer::Safe(_) = &decision.answer else { return None };
    let mut plan = Plan::default().with_reuse(Some(reuse));
    plan.reasons = true;
    let budget = Budget::unlimited();
    let limits = Limits { time: Some(TIME_FOR_REASONS), memory };
    // A run that does not come back has no answer that anybody waits for: the page is made without.
    let watchdog = budget.watch(limits, GRACE, |_| {});
    let verified =
        catch_unwind(AssertUnwindSafe(|| crate::verify(problem, &plan, &budget, Arc::new(Silent))));
    drop(watchdog);
    let decision = verified.ok()?.ok()?;
    matches!(decision.answer, Answer::Safe(_)).then_some(decision)
}

/// Verifies a program, or each function of it, and tells what is known whenever there is more.
pub(super) fn judge(problem: &Problem, reuse: Reuse, budget: &Budget, tell: &dyn Fn(Found)) {
    let plan = Plan::default().with_reuse(Some(reuse));
    let questions = match questions_about(problem.clone(), &Entries::Main) {
        Ok(questions) => questions,
        // The front end has told it.
        Err(_) => return,
    };
    let whole =
        questions.iter().any(|question| question.name == "main") || problem.language() != Some(Language::C);
    let observer: Arc<dyn crate::observer::Observer> = Arc::new(Silent);
    let mut found = Found::default();
    for question in questions {
        let about = if whole { "" } else { &question.name };
        let Ok((problem, _)) = question.problem() else { continue };
        let first = plan.clone().with_rounds(FIRST_ROUNDS);
        let decision = crate::verify(&problem, &first, budget, Arc::clone(&observer));
        let (is_settled, fails) = match decision.as_ref().map(|decision| &decision.answer) {
            Ok(Answer::Safe(_)) | Err(_) => (true, false),
            Ok(Answer::Unknown(_)) => (false, false),
            Ok(_) => (false, true),
        };
        found.add(about, problem.clone(), decision);
        if is_settled {
            continue;
        }
        if fails {
            // The first failure is shown at once; then every check is looked at by itself.
            tell(found.clone());
        }
        if let Ok(Ok(survey)) = survey(&problem, &plan, budget, &observer) {
            found.add_survey(&problem, survey);
        }
    }
    tell(found);
}
