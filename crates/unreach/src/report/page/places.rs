//! Places of the source as the page has them: a number for the file, and lines and columns that count from one.

use crate::assertions::is_library;
use crate::view::View;
use base::{EntityRef, FileId, Span};
use serde_json::{Value, json};

/// The files that are shown, in the order of their numbers.
pub(super) struct Places<'v> {
    view: Option<&'v View>,
    files: Vec<FileId>,
}

impl<'v> Places<'v> {
    /// The first file of a program is always shown, others when something is said about a place of theirs.
    pub(super) fn new(view: Option<&'v View>) -> Places<'v> {
        let first = view.and_then(|view| view.back.as_ref()?.file).unwrap_or(FileId::new(0));
        Places { view, files: vec![first] }
    }

    /// A place; nothing if it is in the models of the library.
    pub(super) fn of(&mut self, span: Span) -> Option<Value> {
        let view = self.view?;
        if is_library(&view.sources, span) {
            return None;
        }
        let number = self.files.iter().position(|&file| file == span.file).unwrap_or_else(|| {
            self.files.push(span.file);
            self.files.len() - 1
        });
        let start = view.sources.line_column(span);
        let end = view.sources.line_column(span.after());
        Some(json!([number, start.line, start.column, end.line, end.column]))
    }

    /// The files with their texts.
    pub(super) fn files(&self) -> Value {
        let Some(view) = self.view else { return json!([]) };
        let one = |&file: &FileId| {
            let file = view.sources.file(file);
            json!({ "name": file.name, "text": file.text })
        };
        self.files.iter().map(one).collect()
    }
}
