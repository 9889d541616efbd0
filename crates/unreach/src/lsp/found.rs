//! What a run has found out about a text, by bytes of it: what editors show.

use crate::answer::{Answer, Decision, Failure};
use crate::assertions::{Assertion, Status, judged, status};
use crate::checks::{self, Survey};
use crate::problem::Problem;
use crate::report::proof::InvariantKind;
use crate::report::{Target, execution, verdict};
use crate::view::View;
use base::{EntityRef, FileId, Span};
use std::sync::Arc;

/// A check with the bytes where it stands.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) place: (usize, usize),
    pub(super) assertion: Assertion,
}

/// Something that holds at a place.
#[derive(Clone, Debug)]
pub(super) struct Holds {
    pub(super) place: (usize, usize),
    /// The procedure that ensures it; none for an invariant of a loop.
    pub(super) of: Option<String>,
    pub(super) formula: String,
}

/// An execution that fails.
#[derive(Clone, Debug)]
pub(super) struct Failing {
    pub(super) place: (usize, usize),
    pub(super) message: String,
    pub(super) steps: Vec<Step>,
}

/// A step of it.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) place: (usize, usize),
    pub(super) note: String,
    pub(super) values: Vec<(String, String)>,
}

/// What was found out by one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// What the run was about, and its verdict.
    pub(super) verdicts: Vec<(String, String)>,
    pub(super) assertions: Vec<Judged>,
    pub(super) holds: Vec<Holds>,
    pub(super) failing: Vec<Failing>,
    /// Why something is not known, and what to do.
    pub(super) open: Vec<String>,
    /// The decision that the report is about: the first that fails, else the first.
    pub(super) decision: Option<Arc<(Problem, Decision)>>,
}

/// The file that is being edited.
fn main_file(view: &View) -> FileId {
    view.back.as_ref().and_then(|back| back.file).unwrap_or(FileId::new(0))
}

fn bytes(view: &View, span: Span) -> Option<(usize, usize)> {
    (span.file == main_file(view)).then_some((span.start as usize, span.end as usize))
}

impl Found {
    /// Adds what a run about the whole program, or about the function `about`, has found out.
    pub(super) fn add(&mut self, about: &str, problem: Problem, decision: Result<Decision, Failure>) {
        let decision = match decision {
            Ok(decision) => decision,
            Err(failure) => {
                let why = match failure {
                    Failure::Input(error) => error.to_string(),
                    Failure::Internal(what) => format!("internal error: {what}"),
                    Failure::Mistakes(..) => "the program has mistakes".to_owned(),
                };
                self.verdicts.push((about.to_owned(), why.clone()));
                self.open.push(why);
                return;
            }
        };
        let word = verdict(&decision, problem.property, Target::Error);
        self.verdicts.push((about.to_owned(), word.clone()));
        self.open
            .extend(crate::report::advice::of(&decision).into_iter().filter(|it| it.starts_with("Next")));
        if matches!(decision.answer, Answer::Unknown(_)) {
            self.open.insert(0, word);
        }
        if let Some(view) = decision.view.clone() {
            self.add_judgements(about, &view, &decision);
            self.add_failure(&view, &decision);
            self.add_invariants(&view, &decision);
        }
        self.keep(problem, decision);
    }

    /// Keeps the decision for the report: the first that fails, else the first.
    fn keep(&mut self, problem: Problem, decision: Decision) {
        let fails =
            |answer: &Answer| matches!(answer, Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_));
        let is_better =
            self.decision.as_ref().is_none_or(|kept| !fails(&kept.1.answer) && fails(&decision.answer));
        if is_better {
            self.decision = Some(Arc::new((problem, decision)));
        }
    }

    fn add_judgements(&mut self, about: &str, view: &View, decision: &Decision) {
        // Where functions are asked about one by one, each answers for its own checks.
        let own = |name: &Option<String>| about.is_empty() || name.as_deref() == Some(about);
        for assertion in judged(decision) {
            if let Some(place) = bytes(view, assertion.check.span).filter(|_| own(&assertion.procedure)) {
                self.assertions.push(Judged { place, assertion });
            }
        }
    }

    fn add_failure(&mut self, view: &View, decision: &Decision) {
        let steps = execution(decision).unwrap_or_default();
        let (span, message) = match (&decision.answer, steps.last()) {
            (Answer::Unsafe(_), Some(last)) => (last.span, last.note.clone()),
            (Answer::Leaps(leaps), _) => {
                (leaps.error.span, "can fail, after many loop iterations".to_owned())
            }
            _ => return,
        };
        let Some(place) = bytes(view, span) else { return };
        let steps = steps.into_iter().filter_map(|step| {
            Some(Step { place: bytes(view, step.span)?, note: step.note, values: step.values })
        });
        if !self.failing.iter().any(|known| known.place == place) {
            self.failing.push(Failing { place, message, steps: steps.collect() });
        }
    }

    fn add_invariants(&mut self, view: &View, decision: &Decision) {
        let Answer::Safe(safe) = &decision.answer else { return };
        for invariant in &safe.invariants {
            let Some(place) = bytes(view, invariant.span) else { continue };
            let of = match &invariant.kind {
                InvariantKind::Loop | InvariantKind::Rank | InvariantKind::PartialRank => None,
                InvariantKind::Ensures(name) => Some(name.clone()),
            };
            self.holds.push(Holds { place, of, formula: invariant.formula.clone() });
        }
    }

    /// Adds what was found out check by check, after a run about all of them that ended without a proof.
    pub(super) fn add_survey(&mut self, problem: &Problem, survey: Survey) {
        for (check, found) in survey.checks {
            for judged in self.assertions.iter_mut().filter(|it| it.assertion.check == check) {
                judged.assertion.status = status(&found);
            }
            if let checks::Found::Fails(decision) = found
                && let Some(view) = decision.view.clone()
            {
                self.add_failure(&view, &decision);
                self.keep(problem.clone(), *decision);
            }
        }
        let is_open = |judged: &Judged| judged.assertion.status == Status::Open;
        if !self.assertions.iter().any(is_open) {
            self.open.clear();
        }
    }

    /// What is known about a procedure: the worst of its assertions; nothing if it has none.
    pub(super) fn status(&self, procedure: &str) -> Option<(Status, usize, usize)> {
        let all = self.assertions.iter().map(|judged| &judged.assertion);
        let own = || all.clone().filter(|it| it.procedure.as_deref() == Some(procedure));
        let worst = own().map(|it| it.status).max()?;
        Some((worst, own().filter(|it| it.status == worst).count(), own().count()))
    }
}
