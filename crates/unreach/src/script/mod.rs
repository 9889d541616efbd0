//! SV-LIB scripts: what each of their commands is told.
//!
//! A call is correct if the answer to all its questions is yes, and incorrect if the answer to one of them is no. Every
//! answer is one of [`verify`](crate::verify) about the program of a question, with its evidence.

pub mod witness;

use crate::answer::{Answer, Decision, Failure};
use crate::observer::Observer;
use crate::plan::Plan;
use crate::problem::{Problem, Source};
use crate::property::Property;
use crate::view::{NoView, no_script};
use base::{Budget, SourceMap};
use program::Reason;
use std::sync::Arc;
use svlib::{Call, Question, Ranks, Response, Script};

/// What a command is told.
#[derive(Debug)]
pub enum Said {
    /// `verify-call`
    Verdict(Judged),
    /// `get-witness`
    Witness(Result<String, String>),
    /// Something is wrong with a command; what.
    Error(String),
}

/// A call with the answers to its questions.
#[derive(Debug)]
pub struct Judged {
    /// Where the call stands: file, line, column.
    pub place: String,
    /// The answers, in the order of the questions; after an answer no, there are no more.
    pub decisions: Vec<Decision>,
    /// Why it is not known, if the answers do not say so.
    doubt: Option<Reason>,
}

/// Whether a call fulfils all properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It does.
    Correct,
    /// It does not.
    Incorrect,
    /// It was not found out.
    Unknown,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Correct => "correct",
            Verdict::Incorrect => "incorrect",
            Verdict::Unknown => "unknown",
        }
    }
}

impl Judged {
    /// The answer to all questions together.
    pub fn verdict(&self) -> Verdict {
        if self.doubt.is_some() {
            return Verdict::Unknown;
        }
        let mut verdict = Verdict::Correct;
        for decision in &self.decisions {
            match decision.answer {
                Answer::Safe(_) | Answer::Terminates(_) => {}
                Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_) => return Verdict::Incorrect,
                Answer::Unknown(_) => verdict = Verdict::Unknown,
            }
        }
        verdict
    }

    /// Why it was not found out.
    pub fn reason(&self) -> Option<Reason> {
        self.doubt.clone().or_else(|| {
            self.decisions.iter().find_map(|decision| match &decision.answer {
                Answer::Unknown(reason) => Some(reason.clone()),
                _ => None,
            })
        })
    }
}

/// What the commands of a script are told, in their order.
pub fn respond(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Vec<Said>, NoView> {
    respond_to(problem, Wanted::All, plan, budget, observer)
}

/// Which commands are told something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    LastCall,
}

fn respond_to(
    problem: &Problem,
    wanted: Wanted,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Vec<Said>, NoView> {
    let Source::Text { name, text, .. } = &problem.source else {
        return Err(NoView::Failure(Failure::Internal("a script is a text".to_owned())));
    };
    let mut sources = SourceMap::new();
    let file = sources.add(name.clone(), text.clone());
    let script = Script::read(file, text).map_err(|failure| no_script(sources.clone(), failure))?;
    let judge = Judge { script: &script, sources: &sources, plan, budget, observer };
    let witness = |call: Call, judged: &Judged| {
        let place = script.span(call);
        let task = witness::Task { name, text, call: place.start as usize..place.end as usize };
        witness::of(judged, &task, |problem| respond_to(problem, Wanted::LastCall, plan, budget, observer))
    };
    if wanted == Wanted::LastCall {
        let last = script.calls().last().map(|call| judge.call(call));
        return last.into_iter().map(|judged| Ok(Said::Verdict(judged?))).collect();
    }
    let mut said: Vec<Said> = Vec::new();
    for response in &script.responses {
        said.push(match response {
            Response::Verdict(call) => Said::Verdict(judge.call(*call)?),
            Response::Witness(call) => match said.last() {
                Some(Said::Verdict(judged)) => Said::Witness(witness(*call, judged)),
                _ => Said::Error("there is nothing to witness".to_owned()),
            },
            Response::Error(why) => Said::Error(why.clone()),
        });
    }
    Ok(said)
}

/// Are all calls of a script correct? The decision is the one that says no, or else one that is open, or else the last.
pub(crate) fn verify(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Decision, Failure> {
    let said = match respond(problem, plan, budget, observer) {
        Ok(said) => said,
        Err(NoView::Unknown(reason)) => return Ok(Decision::without_view(reason)),
        Err(NoView::Failure(failure)) => return Err(failure),
    };
    let judged = said.into_iter().filter_map(|said| match said {
        Said::Verdict(judged) => Some(judged),
        Said::Witness(_) | Said::Error(_) => None,
    });
    let rank = |verdict: Verdict| match verdict {
        Verdict::Correct => 0,
        Verdict::Unknown => 1,
        Verdict::Incorrect => 2,
    };
    let worst =
        judged.reduce(|one, other| if rank(other.verdict()) > rank(one.verdict()) { other } else { one });
    let Some(mut worst) = worst else {
        return Err(Failure::Internal("a script without calls".to_owned()));
    };
    let (verdict, reason) = (worst.verdict(), worst.reason());
    let last = worst.decisions.pop();
    match (verdict, reason, last) {
        (Verdict::Unknown, Some(reason), last) => {
            let view = last.and_then(|last| last.view);
            Ok(Decision { view, ..Decision::without_view(reason) })
        }
        (_, _, Some(last)) => Ok(last),
        _ => Err(Failure::Internal("a call without questions".to_owned())),
    }
}

struct Judge<'a> {
    script: &'a Script,
    sources: &'a SourceMap,
    plan: &'a Plan,
    budget: &'a Budget,
    observer: &'a Arc<dyn Observer>,
}

impl Judge<'_> {
    fn call(&self, call: Call) -> Result<Judged, NoView> {
        let questions =
            self.script.questions(call).map_err(|failure| no_script(self.sources.clone(), failure))?;
        let place = self.sources.place(self.script.span(call));
        let mut judged = Judged { place, decisions: Vec::new(), doubt: None };
        for question in questions {
            let mut decision = self.ask(call, question)?;
            if question == Question::Safety(Ranks::Always) && is_no(&decision) {
                let lenient = self.ask(call, Question::Safety(Ranks::InRounds))?;
                if !is_no(&lenient) {
                    judged.doubt = Some(Reason::Unsupported(
                        "a ranking function that is negative where no round begins".to_owned(),
                    ));
                }
                decision = lenient;
            }
            let (no, stopped) = (is_no(&decision), self.budget.check().is_err());
            let yes = matches!(decision.answer, Answer::Safe(_) | Answer::Terminates(_));
            judged.decisions.push(decision);
            if self.script.has_trace(call) && yes {
                let why = "the selected trace does not violate what it says".to_owned();
                judged.doubt = Some(Reason::NotReplayed(why));
            }
            if no || stopped {
                break;
            }
        }
        Ok(judged)
    }

    fn ask(&self, call: Call, question: Question) -> Result<Decision, NoView> {
        let compiled = self.script.program(call, question);
        let compiled = compiled.map_err(|failure| no_script(self.sources.clone(), failure))?;
        let property = match question {
            Question::Safety(_) => Property::Assert,
            Question::NotRecurring | Question::Recurring(_) => Property::Termination,
        };
        let problem = Problem::question(compiled, self.sources.clone(), property);
        crate::verify(&problem, self.plan, self.budget, Arc::clone(self.observer)).map_err(NoView::Failure)
    }
}

/// Is something violated?
fn is_no(decision: &Decision) -> bool {
    matches!(decision.answer, Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_))
}
