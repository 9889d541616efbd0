//! What is wrong with a script.

use base::{Diagnostic, Span};

/// Something that SV-LIB allows and that has no meaning here yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is.
    pub what: String,
    /// Where it stands.
    pub span: Span,
}

/// Why a script cannot be used.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Failure {
    /// Mistakes of its author.
    pub errors: Vec<Diagnostic>,
    /// What has no meaning here yet.
    pub unsupported: Vec<Unsupported>,
}

impl Failure {
    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty() && self.unsupported.is_empty()
    }

    pub(crate) fn add(&mut self, problem: Problem) {
        match problem {
            Problem::Mistake(diagnostic) => {
                if !self.errors.contains(&diagnostic) {
                    self.errors.push(*diagnostic);
                }
            }
            Problem::Unsupported(unsupported) => self.unsupported.push(unsupported),
        }
    }
}

/// One thing that is wrong.
pub(crate) enum Problem {
    Mistake(Box<Diagnostic>),
    Unsupported(Unsupported),
}

pub(crate) fn mistake(span: Span, message: impl Into<String>) -> Problem {
    Problem::Mistake(Box::new(Diagnostic::error(span, message)))
}

pub(crate) fn unsupported(span: Span, what: impl Into<String>) -> Problem {
    Problem::Unsupported(Unsupported { what: what.into(), span })
}
