//! Sessions with an SMT-LIB 2 process.
//!
//! The session keeps its own record of the assertions. The process is started by the first query, commands are collected
//! and sent with the next query, and when the process is gone, for whatever reason, the next query starts
//! another one and replays the record.
//!
//! Nothing is asked of the solver beyond SMT-LIB 2.6: `push`, `check-sat-assuming` over constants, `get-value`,
//! `get-unsat-assumptions`. Declarations are repeated where a `pop` has removed them.

use super::child::{Failure, Process, ProcessOptions};
use super::values;
use crate::solver::{Answer, Reason, Solver};
use crate::stack::AssertionStack;
use base::{Budget, Interrupted, Limit};
use logic::smtlib::names::decode;
use logic::smtlib::print;
use logic::smtlib::print::Declarations;
use logic::smtlib::sexpr::{Document, Sexpr};
use logic::{Model, Term, Terms};
use std::fmt::Write;

/// A session with a solver process.
pub struct ProcessSession {
    options: ProcessOptions,
    budget: Budget,
    stack: AssertionStack,
    running: Option<Running>,
    rlimit: Option<u32>,
    last: Option<Answer>,
    assumptions: Vec<Term>,
}

/// A process with what it knows.
struct Running {
    process: Process,
    /// Commands that were not sent yet.
    pending: String,
    /// What is declared at each level of scopes.
    declared: Vec<Declarations>,
    /// Is the scope of the last query's assumptions still open?
    assuming: bool,
}

impl ProcessSession {
    /// A session without assertions. Nothing is started before the first query.
    pub fn new(options: ProcessOptions, budget: &Budget) -> ProcessSession {
        ProcessSession {
            options,
            budget: budget.clone(),
            stack: AssertionStack::default(),
            running: None,
            rlimit: None,
            last: None,
            assumptions: Vec::new(),
        }
    }

    /// The id of the process that runs at the moment, if one does.
    pub fn process_id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.process.id())
    }

    /// Makes sure that a process runs and knows all assertions.
    fn start(&mut self, terms: &Terms) -> Result<&mut Running, Failure> {
        if self.running.is_none() {
            let mut process = Process::start(&self.options, &self.budget)?;
            let mut preamble = String::from(PREAMBLE);
            if let Some(limit) = self.rlimit {
                let _ = writeln!(preamble, "(set-option :reproducible-resource-limit {limit})");
            }
            preamble.push_str("(set-logic ALL)");
            // An option that the solver does not know will be missed, or not, when its effect is needed.
            process.exchange(&preamble, self.options.patience)?;
            let declared = vec![Declarations::new()];
            let mut running = Running { process, pending: String::new(), declared, assuming: false };
            for (level, formulas) in self.stack.levels().enumerate() {
                if level > 0 {
                    running.push();
                }
                for &formula in formulas {
                    running.assert(terms, formula);
                }
            }
            self.running = Some(running);
        }
        Ok(self.running.as_mut().expect("it was just started"))
    }

    fn query(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, Failure> {
        let patience = self.options.patience;
        let running = self.start(terms)?;
        running.end_assumptions();
        if assumptions.is_empty() {
            running.pending.push_str("(check-sat)");
        } else {
            running.assume(terms, assumptions);
        }
        let commands = std::mem::take(&mut running.pending);
        let replies = running.process.exchange(&commands, patience)?;
        if let Some(message) = replies.iter().find_map(|reply| error_message(reply)) {
            // What the solver has refused it does not know, so its record differs from ours.
            self.running = None;
            return Ok(Answer::Unknown(Reason::Error(message)));
        }
        match replies.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["sat"] => Ok(Answer::Sat),
            ["unsat"] => Ok(Answer::Unsat),
            ["unknown"] => {
                let why = running.process.exchange("(get-info :reason-unknown)", patience)?;
                Ok(Answer::Unknown(reason(&why.join(" "))))
            }
            _ => Err(Failure::garbage(replies.join(" ").as_bytes())),
        }
    }

    /// A command that asks about the last query, and its one reply.
    fn ask(&mut self, command: &str) -> Result<String, Reason> {
        let patience = self.options.patience;
        let running = self.running.as_mut().ok_or(Reason::NothingToAsk)?;
        let replies = running.process.exchange(command, patience);
        let reply = replies.and_then(|replies| match <[String; 1]>::try_from(replies) {
            Ok([reply]) => Ok(reply),
            Err(replies) => Err(Failure::garbage(replies.join(" ").as_bytes())),
        });
        let reply = reply.map_err(|failure| self.bury(failure))?;
        error_message(&reply).map_or(Ok(reply), |message| Err(Reason::Error(message)))
    }

    /// Ends the process after a failure and says what it means.
    fn bury(&mut self, failure: Failure) -> Reason {
        self.running = None;
        match failure {
            Failure::TimedOut => Reason::ResourceLimit,
            Failure::Interrupted => {
                let Interrupted(limit) = self.budget.check().err().unwrap_or(Interrupted(Limit::Cancelled));
                Reason::Interrupted(limit)
            }
            other => Reason::SolverDied(other.to_string()),
        }
    }
}

/// Said to every process first.
const PREAMBLE: &str = "(set-option :print-success false)
(set-option :produce-models true)
(set-option :produce-unsat-assumptions true)
";

impl Solver for ProcessSession {
    fn push(&mut self) {
        self.last = None;
        self.stack.push();
        if let Some(running) = &mut self.running {
            running.end_assumptions();
            running.push();
        }
    }

    fn pop(&mut self) {
        self.last = None;
        self.stack.pop();
        if let Some(running) = &mut self.running {
            running.end_assumptions();
            running.pop();
        }
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.last = None;
        self.stack.assert(formula);
        if let Some(running) = &mut self.running {
            running.end_assumptions();
            running.assert(terms, formula);
        }
    }

    fn check_assuming(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        if let Err(Interrupted(limit)) = self.budget.check() {
            return Answer::Unknown(Reason::Interrupted(limit));
        }
        let answer = match self.query(terms, assumptions) {
            Ok(answer) => answer,
            Err(failure) => Answer::Unknown(self.bury(failure)),
        };
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        self.last = Some(answer.clone());
        answer
    }

    fn model(&mut self, terms: &mut Terms) -> Result<Model, Reason> {
        if self.last != Some(Answer::Sat) {
            return Err(Reason::NothingToAsk);
        }
        let formulas = [self.stack.formulas(), &self.assumptions].concat();
        let wanted = values::Wanted::of(terms, &formulas);
        if wanted.terms().is_empty() {
            return Ok(Model::new());
        }
        let reply = self.ask(&wanted.command(terms))?;
        wanted.model(terms, &reply).map_err(Reason::Error)
    }

    fn core(&mut self, _: &Terms) -> Result<Vec<Term>, Reason> {
        if self.last != Some(Answer::Unsat) {
            return Err(Reason::NothingToAsk);
        }
        if self.assumptions.is_empty() {
            return Ok(Vec::new());
        }
        let reply = self.ask("(get-unsat-assumptions)")?;
        let positions = assumption_positions(&reply).ok_or_else(|| {
            let garbage = Failure::garbage(reply.as_bytes());
            self.bury(garbage)
        })?;
        let assumptions = self.assumptions.iter().enumerate();
        Ok(assumptions.filter(|(i, _)| positions.contains(i)).map(|(_, &assumption)| assumption).collect())
    }

    fn set_rlimit(&mut self, limit: Option<u32>) {
        if self.rlimit != limit {
            self.rlimit = limit;
            // Not every solver takes options after the beginning, so this needs a new one.
            self.running = None;
            self.last = None;
        }
    }
}

impl Running {
    fn push(&mut self) {
        self.pending.push_str("(push 1)\n");
        let innermost = self.declared.last().cloned().unwrap_or_default();
        self.declared.push(innermost);
    }

    fn pop(&mut self) {
        self.pending.push_str("(pop 1)\n");
        self.declared.pop();
    }

    fn declare(&mut self, terms: &Terms, roots: &[Term]) {
        let declared = self.declared.last_mut().expect("the outermost level is never closed");
        self.pending.push_str(&declared.of(terms, roots));
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.declare(terms, &[formula]);
        let _ = writeln!(self.pending, "(assert {})", print::term(terms, formula));
    }

    /// Asks under assumptions. Only constants may be assumed, so each formula gets one, in a scope of their own.
    fn assume(&mut self, terms: &Terms, assumptions: &[Term]) {
        self.push();
        self.assuming = true;
        self.declare(terms, assumptions);
        let mut names = String::new();
        for (i, &assumption) in assumptions.iter().enumerate() {
            let formula = print::term(terms, assumption);
            let _ = writeln!(self.pending, "(declare-const |{ASSUMPTION}{i}| Bool)");
            let _ = writeln!(self.pending, "(assert (=> |{ASSUMPTION}{i}| {formula}))");
            let _ = write!(names, " |{ASSUMPTION}{i}|");
        }
        let _ = write!(self.pending, "(check-sat-assuming ({}))", names.trim_start());
    }

    fn end_assumptions(&mut self) {
        if std::mem::take(&mut self.assuming) {
            self.pop();
        }
    }
}

/// How the constants of assumptions are named; no front end makes names with a blank.
const ASSUMPTION: &str = "unreach assumption ";

/// The positions of the assumptions that are listed in a reply.
fn assumption_positions(reply: &str) -> Option<Vec<usize>> {
    let document = Document::read(reply).ok()?;
    let &[root] = document.roots() else { return None };
    let names = document.list(root)?.iter().map(|&node| document.symbol(node));
    names.map(|name| decode(name?).strip_prefix(ASSUMPTION)?.parse().ok()).collect()
}

/// The message of `(error "…")`. A command that the solver does not support is an error as well.
fn error_message(reply: &str) -> Option<String> {
    if reply == "unsupported" {
        return Some("a command is not supported".to_owned());
    }
    let document = Document::read(reply).ok()?;
    let &[root] = document.roots() else { return None };
    match document.list(root) {
        Some(&[head, ref rest @ ..]) if document.symbol(head) == Some("error") => Some(match rest {
            &[message] => match document.get(message) {
                Sexpr::String(text) => text.replace("\"\"", "\""),
                _ => reply.to_owned(),
            },
            _ => reply.to_owned(),
        }),
        _ => None,
    }
}

/// What the reply to `(get-info :reason-unknown)` means.
fn reason(reply: &str) -> Reason {
    let words = reply.strip_prefix("(:reason-unknown").and_then(|rest| rest.strip_suffix(')'));
    let words = words.unwrap_or(reply).trim().trim_matches('"');
    let limits = ["resource", "timeout", "canceled", "memout"];
    if limits.iter().any(|limit| words.contains(limit)) {
        Reason::ResourceLimit
    } else {
        Reason::Incomplete(words.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_understood() {
        assert_eq!(
            error_message("(error \"line 3: \"\"x\"\" is unknown\")"),
            Some("line 3: \"x\" is unknown".into())
        );
        assert_eq!(error_message("(errors)"), None);
        assert_eq!(assumption_positions("(|unreach assumption 3| |unreach assumption 0|)"), Some(vec![3, 0]));
        assert_eq!(assumption_positions("()"), Some(vec![]));
        assert_eq!(assumption_positions("(x)"), None);
        assert_eq!(reason("(:reason-unknown \"(resource limits reached)\")"), Reason::ResourceLimit);
        assert_eq!(reason("(:reason-unknown incomplete)"), Reason::Incomplete("incomplete".into()));
    }
}
