//! What is printed: the verdict line first, then the evidence. What happens meanwhile is told by `progress`.

use super::exit::Exit;
use super::progress::{Display, Watched};
use base::diagnostics::Style;
use base::{Diagnostic, SourceMap};
use engines::{Engine, Progress};
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use unreach::checks::Survey;
use unreach::report::{self, Target};
use unreach::review::Review;
use unreach::{Answer, Decision, Failure, Limit, News, Observer, Property, Reason};

/// How many messages are shown; the rest is counted.
const MOST_MESSAGES: usize = 20;

/// Prints the outcome of one run, once.
#[derive(Clone)]
pub(crate) struct Terminal {
    property: Property,
    target: Target,
    json: bool,
    stats: bool,
    /// How far the run has come, also for runs that do not come to their end.
    watched: Arc<Watched>,
    /// Set by whoever has the last word: the run itself, or the watchdog if the run does not come back.
    closed: Arc<AtomicBool>,
}

impl Observer for Terminal {
    fn engine(&self, engine: &'static Engine, news: &News) {
        self.watched.engine(engine, news);
    }

    fn progress(&self, progress: Progress) {
        self.watched.progress(progress);
    }

    fn warnings(&self, sources: &SourceMap, warnings: &[Diagnostic]) {
        self.watched.begins(sources);
        if manner() != Manner::Quiet {
            show(sources, warnings);
        }
    }
}

impl Terminal {
    pub(crate) fn new(property: Property, json: bool, stats: bool) -> Terminal {
        let display = match manner() {
            Manner::Verbose => Display::Lines,
            Manner::Usual if std::io::stderr().is_terminal() && !json && !is_dumb() => Display::Live,
            Manner::Usual | Manner::Quiet => Display::Nothing,
        };
        let watched = Watched::new(display);
        Terminal { property, target: Target::Error, json, stats, watched, closed: Arc::default() }
    }

    /// The run ends after so long, at the latest.
    pub(crate) fn limited(self, time: Option<Duration>) -> Terminal {
        self.watched.limited(time);
        self
    }

    /// The terminal of a question whether something is reachable, to which reaching it is the good answer.
    pub(crate) fn of_question(json: bool, stats: bool) -> Terminal {
        Terminal { target: Target::Goal, ..Terminal::new(Property::Assert, json, stats) }
    }

    /// The run did not come back after a limit: the verdict is printed here, and the process ends.
    pub(crate) fn overrun(&self, limit: Limit) {
        if !self.closed.swap(true, Ordering::SeqCst) {
            self.watched.close();
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
        self.watched.close();
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
            (0, Answer::Unknown(_)) => Exit::Unknown,
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

    /// Whether nothing but the verdict is said.
    pub(crate) fn is_quiet(&self) -> bool {
        manner() == Manner::Quiet
    }

    /// Itself, as what is told about a run.
    pub(crate) fn observer(&self) -> Arc<dyn Observer> {
        Arc::new(self.clone())
    }

    fn verdict(&self, decision: &Decision) {
        let proven = self.watched.proven();
        let is_unknown = matches!(decision.answer, Answer::Unknown(_));
        if self.json {
            let mut object = report::json(decision, self.property, self.target);
            if is_unknown {
                object["proven_traces"] = proven.into();
            }
            line(&object.to_string());
            return;
        }
        let verdict = report::verdict(decision, self.property, self.target);
        line(&coloured(&decision.answer, &verdict));
        if manner() == Manner::Quiet {
            return;
        }
        let evidence = report::text(decision, self.target);
        if !evidence.is_empty() {
            line(evidence.trim_end());
        }
        if proven > 0 && matches!(decision.answer, Answer::Unknown(Reason::Limit(_))) {
            line(&format!(
                "{proven} error traces were proven infeasible, with all that are infeasible for the same reasons."
            ));
        }
        if is_unknown && self.target == Target::Error {
            if let Some(stuck) = self.watched.stuck() {
                line(&stuck);
            }
            for advice in report::advice::of(decision) {
                line(&advice);
            }
        }
    }
}

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// The verdict only.
    Quiet,
    /// The verdict and its evidence; progress on a terminal.
    Usual,
    /// What the engines do, too.
    Verbose,
}

static MANNER: OnceLock<Manner> = OnceLock::new();

/// Chooses how much is said; the first choice counts.
pub(crate) fn choose(manner: Manner) {
    MANNER.get_or_init(|| manner);
}

fn manner() -> Manner {
    MANNER.get().copied().unwrap_or(Manner::Usual)
}

/// Whether the terminal says that it cannot move its cursor.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|kind| kind == "dumb")
}

/// Whether colours are welcome on a stream; see no-color.org.
fn has_colours(is_terminal: bool) -> bool {
    is_terminal && !is_dumb() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A verdict in the colour of its answer, on a terminal.
fn coloured(answer: &Answer, verdict: &str) -> String {
    if !has_colours(std::io::stdout().is_terminal()) {
        return verdict.to_owned();
    }
    let colour = match answer {
        Answer::Safe(_) | Answer::Terminates(_) => 32,
        Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_) => 31,
        Answer::Unknown(_) => 33,
    };
    format!("\x1b[1;{colour}m{verdict}\x1b[0m")
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
    let style = if has_colours(std::io::stderr().is_terminal()) { Style::Colour } else { Style::Plain };
    for diagnostic in diagnostics.iter().take(MOST_MESSAGES) {
        eprint!("{}", diagnostic.render(sources, style));
    }
    if diagnostics.len() > MOST_MESSAGES {
        eprintln!("… and {} more", diagnostics.len() - MOST_MESSAGES);
    }
}
