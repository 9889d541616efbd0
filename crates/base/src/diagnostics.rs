//! What is wrong with the user's input.
//!
//! A [`Diagnostic`] is one message with a place; it is drawn with its source line by
//! [`Diagnostic::render`]. Diagnostics are for the user's source only: limits travel as
//! [`Interrupted`](crate::Interrupted), and our own bugs end in exit code 4.

use crate::source::{SourceMap, Span};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but probably does not mean what its author wanted.
    Warning,
}

/// One message about the user's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// The place it is about.
    pub span: Span,
    /// What to write under the place; may be empty.
    pub label: String,
    /// Other places that help to understand it.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, span, message.into())
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, span, message.into())
    }

    fn new(severity: Severity, span: Span, message: String) -> Diagnostic {
        Diagnostic { severity, message, span, label: String::new(), related: Vec::new(), help: None }
    }

    /// Writes `label` under the place.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds another place, for example that of a first declaration.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push((span, label.into()));
        self
    }

    /// Says what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Draws the message with its source line, as compilers do. Ends with a line break.
    pub fn render(&self, sources: &SourceMap, style: Style) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let annotation = |span: Span, kind: AnnotationKind, label: &str| {
            let range = span.start as usize..span.end as usize;
            kind.span(range).label(if label.is_empty() { None } else { Some(label.to_owned()) })
        };
        let snippet = |span: Span| {
            let file = sources.file(span.file);
            Snippet::source(file.text.as_str()).path(file.name.as_str())
        };
        // Places in the same file are drawn into one picture.
        let (here, elsewhere): (Vec<_>, Vec<_>) =
            self.related.iter().partition(|(span, _)| span.file == self.span.file);
        let primary = annotation(self.span, AnnotationKind::Primary, &self.label);
        let related = here.iter().map(|(span, label)| annotation(*span, AnnotationKind::Context, label));
        let picture = snippet(self.span).annotation(primary).annotations(related);
        let mut group = level.primary_title(self.message.as_str()).element(picture);
        for (span, label) in elsewhere {
            let context = annotation(*span, AnnotationKind::Context, label);
            group = group.element(snippet(*span).annotation(context));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Colour => Renderer::styled(),
        };
        let mut text = renderer.render(&[group]);
        text.push('\n');
        text
    }
}

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Plain text, for pipes and files.
    Plain,
    /// With terminal colours.
    Colour,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_its_line() {
        let mut sources = SourceMap::new();
        let file = sources.add("p.bpl", "var x: int;\nvar x: bool;\n");
        let text = Diagnostic::error(Span::new(file, 16, 17), "`x` is declared twice")
            .label("second declaration")
            .related(Span::new(file, 4, 5), "first declaration")
            .help("rename one of them")
            .render(&sources, Style::Plain);
        assert!(text.starts_with("error: `x` is declared twice\n"), "{text}");
        for part in
            ["p.bpl:2:5", "var x: bool;", "second declaration", "first declaration", "rename one of them"]
        {
            assert!(text.contains(part), "{part} is missing in:\n{text}");
        }
    }

    #[test]
    fn the_end_of_a_file_can_be_shown() {
        let mut sources = SourceMap::new();
        let file = sources.add("p.bpl", "var x");
        let text = Diagnostic::error(Span::new(file, 5, 5), "expected `:`").render(&sources, Style::Plain);
        assert!(text.contains("p.bpl:1:6"), "{text}");
    }
}
