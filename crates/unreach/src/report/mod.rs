//! What people and tools see: the verdict line first, then the evidence.

mod c_words;
mod execution;
pub(crate) mod formula;
mod leaps;
pub(crate) mod proof;

use leaps::Target;
pub(crate) use leaps::{LeapReport, LeapStage};

use crate::arguments::Engine;
use crate::outcome::Exit;
use crate::property::Property;
use crate::source::Loaded;
use base::Limit;
use certify::Execution;
use engines::trace_abstraction::Progress;
use program::Reason;
use proof::Invariant;
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The end of a run.
pub(crate) enum Answer {
    /// No error is reachable; the proof was accepted.
    Safe(Vec<Invariant>),
    /// An error is reachable; the execution was replayed.
    Unsafe(Box<Execution>),
    /// An error is reachable by leaps over loops; the conditions were accepted.
    Leaps(Box<LeapReport>),
    /// It was not found out.
    Unknown(Reason),
    /// Something is wrong with this program.
    Internal(String),
}

/// Adds what only a C program has: the data model that it was read for, and how much was checked.
fn about_c(loaded: &Loaded, answer: &mut serde_json::Value) {
    let Some(back) = &loaded.back else { return };
    answer["checks"] = json!(back.checks);
    answer["data_model"] = json!(match back.data_model {
        c::DataModel::Ilp32 => "ILP32",
        c::DataModel::Lp64 => "LP64",
    });
}

/// Prints the outcome of one run, once.
#[derive(Clone)]
pub(crate) struct Report {
    property: Property,
    question: bool,
    json: bool,
    stats: bool,
    live: bool,
    /// How many iterations there were, for runs that do not come to their end.
    iterations: Arc<AtomicU64>,
    /// Set by whoever has the last word: the run itself, or the watchdog if the run does not come back.
    closed: Arc<AtomicBool>,
}

impl Report {
    pub(crate) fn new(property: Property, json: bool, stats: bool) -> Report {
        let live = std::io::stderr().is_terminal() && !json;
        Report {
            property,
            question: false,
            json,
            stats,
            live,
            iterations: Arc::default(),
            closed: Arc::default(),
        }
    }

    /// The report of a question whether something is reachable, to which reaching it is the good answer.
    pub(crate) fn of_question(json: bool, stats: bool) -> Report {
        Report { question: true, ..Report::new(Property::Assert, json, stats) }
    }

    /// A line that overwrites itself, on a terminal only.
    pub(crate) fn progress(&self, progress: Progress) {
        self.iterations.store(progress.iterations, Ordering::Relaxed);
        if self.live {
            let Progress { iterations, trace, states } = progress;
            eprint!("\r\x1b[Kiteration {iterations}: {states} states, trace of {trace} blocks");
            // A terminal that cannot be written to does not need a progress line.
            let _ = std::io::stderr().flush();
        }
    }

    fn clear_progress(&self) {
        if self.live {
            eprint!("\r\x1b[K");
        }
    }

    /// What an engine counted.
    pub(crate) fn statistics(&self, counted: &str) {
        if self.stats {
            self.clear_progress();
            eprint!("{counted}");
        }
    }

    /// The run did not come back after a limit: the verdict is printed here, and the process ends.
    pub(crate) fn overrun(&self, limit: Limit) {
        if !self.closed.swap(true, Ordering::SeqCst) {
            self.clear_progress();
            self.unknown(&Reason::Limit(limit), "");
            std::process::exit(Exit::Unknown as i32);
        }
    }

    fn unknown(&self, reason: &Reason, place: &str) {
        let proven = self.iterations.load(Ordering::Relaxed).saturating_sub(1);
        if self.json {
            self.line(
                &json!({ "verdict": "UNKNOWN", "reason": format!("{reason}{place}"), "proven_traces": proven })
                    .to_string(),
            );
        } else {
            self.line(&format!("UNKNOWN ({reason}{place})"));
            if proven > 0 && matches!(reason, Reason::Limit(_)) {
                self.line(&format!("{proven} error traces were proven infeasible, with all that are infeasible for the same reasons."));
            }
        }
    }

    /// Writes a line to standard output. A reader that has closed the pipe does not want the rest.
    fn line(&self, text: &str) {
        let _ = writeln!(std::io::stdout().lock(), "{text}");
    }

    /// Prints the verdict and its evidence.
    pub(crate) fn finish(&self, loaded: &Loaded, answer: Answer, engine: Option<Engine>) -> Exit {
        if self.closed.swap(true, Ordering::SeqCst) {
            // The watchdog is printing and will end the process.
            loop {
                std::thread::park();
            }
        }
        self.clear_progress();
        let engine = engine.map(Engine::name);
        match answer {
            Answer::Safe(invariants) => {
                let nothing = loaded.back.as_ref().is_some_and(|back| back.checks == 0);
                if self.json {
                    let invariants = proof::json(loaded, &invariants);
                    let mut answer = json!({ "verdict": "TRUE", "engine": engine, "invariants": invariants });
                    about_c(loaded, &mut answer);
                    self.line(&answer.to_string());
                } else {
                    self.line("TRUE");
                    if nothing {
                        self.line(&format!("Nothing was checked: the program has no check of {}.", self.property));
                    }
                    self.line(proof::text(loaded, &invariants).trim_end());
                }
                Exit::Success
            }
            Answer::Unsafe(execution) => {
                let verdict = format!("FALSE({})", self.property);
                if self.json {
                    let evidence = execution::json(loaded, &execution);
                    let mut answer =
                        json!({ "verdict": verdict, "engine": engine, "counterexample": evidence });
                    about_c(loaded, &mut answer);
                    self.line(&answer.to_string());
                } else {
                    self.line(&verdict);
                    self.line(execution::text(loaded, &execution).trim_end());
                }
                Exit::Unsafe
            }
            Answer::Leaps(leaps) => {
                let (verdict, exit, target) = if self.question {
                    ("REACHABLE".to_owned(), Exit::Success, Target::Goal)
                } else {
                    (format!("FALSE({})", self.property), Exit::Unsafe, Target::Error)
                };
                if self.json {
                    let evidence = leaps::json(loaded, &leaps);
                    self.line(
                        &json!({ "verdict": verdict, "engine": engine, "leaps": evidence }).to_string(),
                    );
                } else {
                    self.line(&verdict);
                    self.line(leaps::text(loaded, &leaps, target).trim_end());
                }
                exit
            }
            Answer::Unknown(reason) => {
                let place = match reason {
                    Reason::Overapproximation(span) => format!(" behind {}", loaded.sources.place(span)),
                    _ => String::new(),
                };
                self.unknown(&reason, &place);
                Exit::Unknown
            }
            Answer::Internal(what) => {
                eprintln!("unreach: internal error: {what}");
                Exit::InternalError
            }
        }
    }
}
