//! What a script came to.

use base::{Diagnostic, Limit, Severity, SourceMap, Span};
use std::fmt::Write as _;

/// How an assertion turned out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It compares the size of an automaton with a number, and ours is smaller for the same language: a success.
    Smaller {
        /// The number in the script.
        asserted: i64,
        /// Our size.
        found: i64,
    },
    /// As before, but ours is larger: a loss.
    Larger {
        /// The number in the script.
        asserted: i64,
        /// Our size.
        found: i64,
    },
    /// It does not hold.
    Fails,
    /// It depends on an operation that is not supported.
    Unsupported(String),
}

/// An assertion that was evaluated.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// Its place.
    pub span: Span,
    /// How it turned out.
    pub verdict: Verdict,
}

/// The outcome of a whole script, from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// All assertions hold.
    Passed,
    /// Some operations are not supported; all other assertions hold.
    Unsupported,
    /// A limit was reached.
    Interrupted(Limit),
    /// An assertion does not hold, or an automaton is larger than asserted.
    Failed,
    /// The script cannot be used.
    BadInput,
}

/// What happened when a script was run.
pub struct Report {
    /// The script and the files that it loads.
    pub sources: SourceMap,
    /// The assertions in the order in which they were evaluated.
    pub assertions: Vec<Assertion>,
    /// The operations that are not supported, with the places where they are used.
    pub unsupported: Vec<(String, Span)>,
    /// What is wrong with the script; warnings too.
    pub diagnostics: Vec<Diagnostic>,
    /// The limit that ended the run.
    pub interrupted: Option<Limit>,
}

/// How many assertions turned out how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Assertions that hold, smaller sizes included.
    pub passed: usize,
    /// Among them, those where our automaton is smaller than asserted.
    pub smaller: usize,
    /// Assertions that do not hold, larger sizes included.
    pub failed: usize,
    /// Among them, those where only our automaton is larger than asserted.
    pub larger: usize,
    /// Assertions that depend on unsupported operations.
    pub unsupported: usize,
}

impl Counts {
    /// Adds the counts of another script.
    pub fn add(&mut self, other: Counts) {
        self.passed += other.passed;
        self.smaller += other.smaller;
        self.failed += other.failed;
        self.larger += other.larger;
        self.unsupported += other.unsupported;
    }
}

impl Report {
    /// How many assertions turned out how.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for assertion in &self.assertions {
            match assertion.verdict {
                Verdict::Holds => counts.passed += 1,
                Verdict::Smaller { .. } => {
                    counts.passed += 1;
                    counts.smaller += 1;
                }
                Verdict::Larger { .. } => {
                    counts.failed += 1;
                    counts.larger += 1;
                }
                Verdict::Fails => counts.failed += 1,
                Verdict::Unsupported(_) => counts.unsupported += 1,
            }
        }
        counts
    }

    /// The outcome of the script.
    pub fn outcome(&self) -> Outcome {
        if self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Outcome::BadInput;
        }
        if self.counts().failed > 0 {
            return Outcome::Failed;
        }
        match self.interrupted {
            Some(limit) => Outcome::Interrupted(limit),
            None if self.unsupported.is_empty() => Outcome::Passed,
            None => Outcome::Unsupported,
        }
    }

    /// The names of the unsupported operations, each once, in the order of their first use.
    pub fn unsupported_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in &self.unsupported {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// One line for each assertion that does not simply hold.
    pub fn remarks(&self) -> String {
        let mut text = String::new();
        for assertion in &self.assertions {
            let remark = match &assertion.verdict {
                Verdict::Holds => continue,
                Verdict::Smaller { asserted, found } => {
                    format!("smaller than asserted: {found} instead of {asserted}")
                }
                Verdict::Larger { asserted, found } => {
                    format!("larger than asserted: {found} instead of {asserted}")
                }
                Verdict::Fails => "the assertion fails".to_owned(),
                Verdict::Unsupported(name) => format!("not checked: `{name}` is not supported"),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}: {remark}", self.sources.place(assertion.span));
        }
        text
    }
}
