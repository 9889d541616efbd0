//! What is printed: the verdict line first, then the evidence. Progress goes to a terminal only.

use super::exit::Exit;
use base::diagnostics::Style;
use base::{Diagnostic, SourceMap};
use engines::Progress;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use unreach::checks::Survey;
use unreach::report::{self, Target};
use unreach::review::Review;
use unreach::{Answer, Decision, Failure, Limit, Observer, Property, Reason};

/// How many messages are shown; the rest is counted.
const MOST_MESSAGES: usize = 20;

/// Prints the outcome of one run, once.
#[derive(Clone)]
pub(crate) struct Terminal {
    property: Property,
    target: Target,
    json: bool,
    stats: bool,
    live: bool,
    /// How many iterations there were, for runs that do not come to their end.
    iterations: Arc<AtomicU64>,
    /// Set by whoever has the last word: the run itself, or the watchdog if the run does not come back.
    closed: Arc<AtomicBool>,
}

impl Observer for Terminal {
    /// A line that overwrites itself, on a terminal only.
    fn progress(&self, progress: Progress) {
        self.iterations.store(progress.iterations, Ordering::Relaxed);
        if self.live {
            let Progress { iterations, trace, states } = progress;
            eprint!("\r\x1b[Kiteration {iterations}: {states} states, trace of {trace} blocks");
            // A terminal that cannot be written to does not need a progress line.
            let _ = std::io::stderr().flush();
        }
    }

    fn warnings(&self, sources: &SourceMap, warnings: &[Diagnostic]) {
        show(sources, warnings);
    }
}

impl Terminal {
    pub(crate) fn new(property: Property, json: bool, stats: bool) -> Terminal {
        let live = std::io::stderr().is_terminal() && !json;
        let (iterations, closed) = (Arc::default(), Arc::default());
        Terminal { property, target: Target::Error, json, stats, live, iterations, closed }
    }

    /// The terminal of a question whether something is reachable, to which reaching it is the good answer.
    pub(crate) fn of_question(json: bool, stats: bool) -> Terminal {
        Terminal { target: Target::Goal, ..Terminal::new(Property::Assert, json, stats) }
    }

    fn clear_progress(&self) {
        if self.live {
            eprint!("\r\x1b[K");
        }
    }

    /// The run did not come back after a limit: the verdict is printed here, and the process ends.
    pub(crate) fn overrun(&self, limit: Limit) {
        if !self.closed.swap(true, Ordering::SeqCst) {
            self.clear_progress();
            self.verdict(&Decision::limited(limit));
            std::process::exit(Exit::Unknown as i32);
        }
    }

    /// Takes the last word for something else than a decision.
    pub(crate) fn close(&self) {
        if self.closed.swap(true, Ordering::SeqCst) {
            // The watchdog is printing and will end the process.
            loop {
                std::thread::park();
            }
        }
        self.clear_progress();
    }

    /// Prints the verdict and its evidence.
    pub(crate) fn finish(&self, decision: &Decision) -> Exit {
        self.close();
        if self.stats {
            eprint!("{}", statistics(decision));
        }
        self.verdict(decision);
        match (&decision.answer, self.target) {
            (Answer::Safe(_) | Answer::Terminates(_), _) | (Answer::Leaps(_), Target::Goal) => Exit::Success,
            (Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_), _) => Exit::Unsafe,
            (Answer::Unknown(_), _) => Exit::Unknown,
        }
    }

    /// Prints a survey of all checks.
    pub(crate) fn surveyed(&self, survey: &Survey) -> Exit {
        self.close();
        let decision = report::checks::decisive(survey);
        if self.stats {
            eprint!("{}", statistics(decision));
        }
        if self.json {
            let mut object = report::json(decision, self.property, self.target);
            object["results"] = report::checks::json(survey, self.property);
            line(&object.to_string());
        } else {
            line(&report::verdict(decision, self.property, self.target));
            line(report::checks::listing(survey).trim_end());
        }
        let counts = report::checks::counts(survey);
        match (counts.failing, &decision.answer) {
            (0, Answer::Safe(_)) => Exit::Success,
            (0, _) => Exit::Unknown,
            _ => Exit::Unsafe,
        }
    }

    /// Prints a review; the exit code is that of the worst procedure.
    pub(crate) fn reviewed(&self, review: &Review) -> Exit {
        self.close();
        if self.json {
            line(&report::review::json(review, self.property).to_string());
        } else {
            line(&report::review::verdict(review, self.property));
            line(&report::review::text(review));
        }
        let counts = report::review::counts(review);
        match (counts.failing, counts.unknown) {
            (0, 0) => Exit::Success,
            (0, _) => Exit::Unknown,
            _ => Exit::Unsafe,
        }
    }

    /// Itself, as what is told about a run.
    pub(crate) fn observer(&self) -> Arc<dyn Observer> {
        Arc::new(self.clone())
    }

    fn verdict(&self, decision: &Decision) {
        let proven = self.iterations.load(Ordering::Relaxed).saturating_sub(1);
        if self.json {
            let mut object = report::json(decision, self.property, self.target);
            if matches!(decision.answer, Answer::Unknown(_)) {
                object["proven_traces"] = proven.into();
            }
            line(&object.to_string());
            return;
        }
        line(&report::verdict(decision, self.property, self.target));
        let evidence = report::text(decision, self.target);
        if !evidence.is_empty() {
            line(evidence.trim_end());
        }
        if proven > 0 && matches!(decision.answer, Answer::Unknown(Reason::Limit(_))) {
            line(&format!(
                "{proven} error traces were proven infeasible, with all that are infeasible for the same reasons."
            ));
        }
    }
}

/// What engines counted, as a table.
fn statistics(decision: &Decision) -> String {
    let mut text = String::new();
    for (engine, counted) in &decision.counted {
        text += &format!("{}:\n", engine.name);
        for (_, meaning, value) in counted.entries() {
            text += &format!("{value:>10}  {meaning}\n");
        }
    }
    text
}

/// Why something could not be written to standard output.
static LOST: OnceLock<ErrorKind> = OnceLock::new();

/// Writes a line to standard output.
pub(crate) fn line(text: &str) {
    emit(&format!("{text}\n"));
}

/// Writes to standard output. A reader that has closed the pipe does not want the rest; what cannot be written
/// otherwise is told in the end, see [`lost_output`].
pub(crate) fn emit(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = LOST.set(error.kind());
    }
}

/// Why an answer may not have arrived, if it was written in vain.
pub(crate) fn lost_output() -> Option<ErrorKind> {
    LOST.get().copied()
}

/// Says why there is no answer at all; the exit code.
pub(crate) fn failed(failure: Failure) -> Exit {
    match failure {
        Failure::Input(error) => {
            eprintln!("unreach: {error}");
            Exit::BadInput
        }
        Failure::Mistakes(sources, diagnostics) => {
            show(&sources, &diagnostics);
            Exit::BadInput
        }
        Failure::Internal(what) => {
            eprintln!("unreach: internal error: {what}");
            Exit::InternalError
        }
    }
}

/// Draws messages on standard error.
pub(crate) fn show(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let style = if std::io::stderr().is_terminal() { Style::Colour } else { Style::Plain };
    for diagnostic in diagnostics.iter().take(MOST_MESSAGES) {
        eprint!("{}", diagnostic.render(sources, style));
    }
    if diagnostics.len() > MOST_MESSAGES {
        eprintln!("… and {} more", diagnostics.len() - MOST_MESSAGES);
    }
}
