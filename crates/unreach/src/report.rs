//! What people and tools see: the verdict line first, then the evidence.

use crate::outcome::Exit;
use crate::property::Property;
use crate::source::Loaded;
use base::Limit;
use engines::trace_abstraction::Progress;
use program::{Counterexample, Reason};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The end of a run.
pub(crate) enum Answer {
    /// No error is reachable; the proof was accepted.
    Safe,
    /// An error is reachable.
    Unsafe(Counterexample),
    /// It was not found out.
    Unknown(Reason),
    /// Something is wrong with this program.
    Internal(String),
}

/// Prints the outcome of one run, once.
#[derive(Clone)]
pub(crate) struct Report {
    property: Property,
    json: bool,
    stats: bool,
    live: bool,
    /// Set by whoever has the last word: the run itself, or the watchdog if the run does not come back.
    closed: Arc<AtomicBool>,
}

impl Report {
    pub(crate) fn new(property: Property, json: bool, stats: bool) -> Report {
        let live = std::io::stderr().is_terminal() && !json;
        Report { property, json, stats, live, closed: Arc::new(AtomicBool::new(false)) }
    }

    /// A line that overwrites itself, on a terminal only.
    pub(crate) fn progress(&self, progress: Progress) {
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

    /// What was counted.
    pub(crate) fn statistics(&self, parts: &[&str]) {
        if self.stats {
            self.clear_progress();
            for part in parts {
                eprint!("{part}");
            }
        }
    }

    /// The run did not come back after a limit: the verdict is printed here, and the process ends.
    pub(crate) fn overrun(&self, limit: Limit) {
        if !self.closed.swap(true, Ordering::SeqCst) {
            self.clear_progress();
            self.print_unknown(&Reason::Limit(limit).to_string());
            std::process::exit(Exit::Unknown as i32);
        }
    }

    fn print_unknown(&self, reason: &str) {
        if self.json {
            println!("{}", serde_json::json!({ "verdict": "UNKNOWN", "reason": reason }));
        } else {
            println!("UNKNOWN ({reason})");
        }
    }

    /// Prints the verdict and its evidence.
    pub(crate) fn finish(&self, _loaded: &Loaded, answer: Answer) -> Exit {
        if self.closed.swap(true, Ordering::SeqCst) {
            // The watchdog is printing and will end the process.
            std::thread::park();
        }
        self.clear_progress();
        match answer {
            Answer::Safe => {
                println!("TRUE");
                Exit::Success
            }
            Answer::Unsafe(_) => {
                println!("FALSE({})", self.property);
                Exit::Unsafe
            }
            Answer::Unknown(reason) => {
                self.print_unknown(&reason.to_string());
                Exit::Unknown
            }
            Answer::Internal(what) => {
                eprintln!("unreach: internal error: {what}");
                Exit::InternalError
            }
        }
    }
}
