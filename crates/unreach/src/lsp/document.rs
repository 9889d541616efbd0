//! A text that is open in the editor, with what the front end says about it.

use super::found::Found;
use super::outline::Outline;
use super::text::Lines;
use crate::answer::Failure;
use crate::c_settings::CSettings;
use crate::problem::{Language, Problem};
use crate::project::{Entries, questions_about};
use crate::view::{BitOperations, NoView, View};
use base::diagnostics::Severity;
use base::{Diagnostic, SourceMap};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// What the client wishes.
#[derive(Clone, Debug)]
pub(super) struct Wishes {
    pub(super) verify: When,
    pub(super) seconds: u64,
    /// How many bytes the process may use.
    pub(super) memory: Option<u64>,
    pub(super) c: CSettings,
    pub(super) status: bool,
}

/// When programs are verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    Save,
    Type,
    Never,
}

impl Wishes {
    pub(super) fn of_json(options: &Value, memory: Option<u64>) -> Wishes {
        const SECONDS: u64 = 20;
        let texts = |key: &str| -> Vec<String> {
            let list = options[key].as_array();
            list.into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned)).collect()
        };
        let checked =
            [c::Check::Deref, c::Check::Free, c::Check::Overflow, c::Check::Division, c::Check::Shift];
        let c = CSettings {
            include: texts("include").into_iter().map(PathBuf::from).collect(),
            define: texts("define"),
            checks: checked.into_iter().fold(c::Checks::default(), c::Checks::with),
            contracts: c::Contracts::checked(),
            ..CSettings::default()
        };
        Wishes {
            verify: match options["verify"].as_str() {
                Some("type") => When::Type,
                Some("never") => When::Never,
                _ => When::Save,
            },
            seconds: options["timeout"].as_u64().unwrap_or(SECONDS),
            memory,
            c,
            status: options["status"] == true,
        }
    }
}

/// What is being done about a text.
#[derive(Debug)]
pub(super) enum State {
    /// Nothing yet.
    New,
    /// It is being verified, or waits for its turn.
    Running,
    /// This was found out about the text as it is.
    Known(Box<Found>),
    /// What was known was about an older text.
    Stale,
}

/// An open text.
pub(super) struct Document {
    pub(super) uri: String,
    pub(super) language: Language,
    pub(super) version: i64,
    pub(super) text: String,
    pub(super) lines: Lines,
    pub(super) state: State,
    /// What the front end says; none if the text has changed since.
    front: Option<Front>,
}

/// What the front end says about a text.
#[derive(Default)]
pub(super) struct Front {
    pub(super) diagnostics: Vec<Value>,
    pub(super) outline: Outline,
    /// Names and places of procedures or functions with a body.
    pub(super) procedures: Vec<(String, (usize, usize))>,
    /// The places of the checks, in their order.
    pub(super) checks: Vec<(usize, usize)>,
    /// Whether it can be verified.
    pub(super) is_program: bool,
}

impl Document {
    /// A text of a language that is read here, by its name.
    pub(super) fn new(uri: String, version: i64, text: String) -> Option<Document> {
        let language = Language::of_path(&path(&uri)).ok().filter(|it| *it != Language::SvLib)?;
        let lines = Lines::new(&text);
        Some(Document { uri, language, version, text, lines, state: State::New, front: None })
    }

    pub(super) fn change(&mut self, version: i64, text: String) {
        self.lines = Lines::new(&text);
        self.text = text;
        self.version = version;
        self.front = None;
        self.state = State::Stale;
    }

    pub(super) fn problem(&self, wishes: &Wishes) -> Problem {
        let name = path(&self.uri).display().to_string();
        let mut problem = match self.language {
            Language::C => Problem::c(name, self.text.clone()),
            Language::Boogie | Language::SvLib => Problem::boogie(name, self.text.clone()),
        };
        problem.c = wishes.c.clone();
        problem
    }

    /// What the front end says; it runs if the text has changed since it was asked last.
    pub(super) fn front(&mut self, wishes: &Wishes) -> &Front {
        if self.front.is_none() {
            // A mistake of the front end must not end the editor's session: the next edit may be without it.
            let front = catch_unwind(AssertUnwindSafe(|| self.analyse(wishes)));
            self.front = Some(front.unwrap_or_else(|_| {
                let mut front = Front::default();
                front.add(self, "internal error: the front end failed");
                front
            }));
        }
        self.front.as_ref().expect("it was just made")
    }

    /// What the front end says, if it has been asked.
    pub(super) fn known_front(&self) -> Option<&Front> {
        self.front.as_ref()
    }

    fn analyse(&self, wishes: &Wishes) -> Front {
        let problem = self.problem(wishes);
        let outline = match self.language {
            Language::Boogie => Outline::of_boogie(&self.text),
            Language::C | Language::SvLib => Outline::default(),
        };
        let mut front = Front { outline, is_program: true, ..Front::default() };
        // A C file without `main` is a program for each of its functions.
        let first = questions_about(problem, &Entries::Main).map(|questions| questions.into_iter().next());
        let view = match first.map(|first| first.and_then(|question| question.problem().ok())) {
            Ok(Some((problem, _))) => View::new(&problem, BitOperations::Marked),
            Ok(None) => return front,
            Err(failure) => Err(NoView::Failure(failure)),
        };
        match view {
            Ok(view) => {
                front.diagnostics = self.diagnostics(&view.sources, &view.warnings);
                let here = |span: base::Span| {
                    let is_here = view.sources.file(span.file).text.starts_with(&self.text);
                    let place = (span.start as usize, span.end as usize);
                    (is_here && place.1 <= self.text.len()).then_some(place)
                };
                for data in view.program.procedures.values().filter(|data| data.body.is_some()) {
                    if let Some(place) = here(data.span).filter(|_| data.name != ir::program::START) {
                        front.procedures.push((data.name.clone(), place));
                    }
                }
                let checks = crate::checks::checks(&view.program);
                front.checks = checks.iter().filter_map(|check| here(check.span)).collect();
                front.checks.dedup();
                if self.language == Language::Boogie {
                    let own = front.outline.procedures().map(|it| (it.name.clone(), it.place));
                    let bodies: Vec<&String> = front.procedures.iter().map(|(name, _)| name).collect();
                    front.procedures = own.filter(|(name, _)| bodies.contains(&name)).collect();
                }
            }
            Err(NoView::Failure(Failure::Mistakes(sources, mistakes))) => {
                front.is_program = false;
                front.diagnostics = self.diagnostics(&sources, &mistakes);
            }
            Err(NoView::Failure(Failure::Input(error))) => front.add(self, &error.to_string()),
            Err(NoView::Failure(Failure::Internal(what))) => {
                front.add(self, &format!("internal error: {what}"))
            }
            Err(NoView::Unknown(reason)) => front.add(self, &reason.to_string()),
        }
        front
    }

    fn diagnostics(&self, sources: &SourceMap, all: &[Diagnostic]) -> Vec<Value> {
        let here = |span: base::Span| sources.file(span.file).text.starts_with(&self.text);
        let range = |span: base::Span| match here(span) {
            true => self.lines.range(&self.text, (span.start as usize, span.end as usize)),
            // A mistake in another file is told at the beginning, with its place.
            false => self.lines.range(&self.text, (0, 0)),
        };
        let one = |diagnostic: &Diagnostic| {
            let place = match here(diagnostic.span) {
                true => String::new(),
                false => format!("{}: ", sources.place(diagnostic.span)),
            };
            let help = diagnostic.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
            let label = match diagnostic.label.as_str() {
                "" => String::new(),
                label => format!(": {label}"),
            };
            let related: Vec<Value> = diagnostic
                .related
                .iter()
                .filter(|(span, _)| here(*span))
                .map(|(span, text)| {
                    json!({ "location": { "uri": self.uri, "range": range(*span) }, "message": text })
                })
                .collect();
            json!({
                "range": range(diagnostic.span),
                "severity": if diagnostic.severity == Severity::Error { 1 } else { 2 },
                "source": "unreach",
                "message": format!("{place}{}{label}{help}", diagnostic.message),
                "relatedInformation": related,
            })
        };
        all.iter().map(one).collect()
    }

    /// A range of bytes as the protocol has it.
    pub(super) fn range(&self, place: (usize, usize)) -> Value {
        self.lines.range(&self.text, place)
    }
}

impl Front {
    /// Something that keeps the program from being verified, without a place of its own.
    fn add(&mut self, document: &Document, what: &str) {
        self.is_program = false;
        self.diagnostics.push(json!({
            "range": document.range((0, 0)), "severity": 2, "source": "unreach", "message": what,
        }));
    }
}

/// The path of a `file:` address; of any other address its last part, which still tells the language.
pub(super) fn path(uri: &str) -> PathBuf {
    let rest = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::new();
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        let mut after = left.clone();
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        match (byte, digit(after.next()), digit(after.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                left = after;
            }
            _ => bytes.push(byte),
        }
    }
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::path;
    use std::path::Path;

    #[test]
    fn paths_of_addresses() {
        assert_eq!(path("file:///a%20b/c%C3%A9.bpl"), Path::new("/a b/cé.bpl"));
        assert_eq!(path("untitled:x.c"), Path::new("untitled:x.c"));
        assert_eq!(path("file:///100%"), Path::new("/100%"));
    }
}
