//! Why a program is not translated.

use base::{Diagnostic, Interrupted, SourceMap, Span};

/// A construct that is C, and that this front end does not model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is, as it stands in `UNKNOWN (unsupported: WHAT at FILE:LINE)`.
    pub what: String,
    /// Where it is.
    pub span: Span,
}

impl Unsupported {
    /// The text for the verdict line.
    pub fn describe(&self, sources: &SourceMap) -> String {
        let file = &sources.file(self.span.file).name;
        format!("unsupported: {} at {file}:{}", self.what, sources.line_column(self.span).line)
    }
}

/// Why a program is not translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The program is not C.
    Error(Box<Diagnostic>),
    /// The program uses something that is not modelled.
    Unsupported(Unsupported),
    /// There was no time to translate it.
    Interrupted(Interrupted),
}

impl Problem {
    /// An error in the program.
    pub(crate) fn error(span: Span, message: impl Into<String>) -> Problem {
        Problem::Error(Box::new(Diagnostic::error(span, message)))
    }

    /// A construct that is not modelled.
    pub(crate) fn unsupported(span: Span, what: impl Into<String>) -> Problem {
        Problem::Unsupported(Unsupported { what: what.into(), span })
    }
}

impl From<Diagnostic> for Problem {
    fn from(diagnostic: Diagnostic) -> Problem {
        Problem::Error(Box::new(diagnostic))
    }
}
