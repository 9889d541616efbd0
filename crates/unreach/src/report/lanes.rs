//! An execution of several threads in columns: one for each thread, its steps below each other, so that it is seen who
//! does something while the others stand still.

use super::execution::Line;
use crate::view::View;
use base::Span;
use std::fmt::Write;

/// The width of all columns together, and the least and the greatest width of one.
const WIDTH: usize = 108;
const NARROWEST: usize = 24;
const WIDEST: usize = 54;

/// The columns of an execution.
pub(super) struct Lanes {
    names: Vec<String>,
    width: usize,
}

impl Lanes {
    /// The lanes of an execution, in the order in which the threads appear; none if there is only one thread.
    pub(super) fn of<'l>(threads: impl Iterator<Item = &'l str>) -> Option<Lanes> {
        let mut names: Vec<String> = Vec::new();
        for name in threads {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        let width = (WIDTH / names.len().max(1)).clamp(NARROWEST, WIDEST);
        (names.len() > 1).then_some(Lanes { names, width })
    }

    /// The names above the columns.
    pub(super) fn head(&self, out: &mut String) {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        self.row("", &names, out);
        let lines = "─".repeat(self.width);
        self.row("", &vec![lines.as_str(); self.names.len()], out);
    }

    /// A line of the listing in the column of its thread, and its values below it.
    pub(super) fn line(&self, view: &View, line: &Line, out: &mut String) {
        self.step(view, line.thread.as_deref(), line.span, out);
        if !line.note.is_empty() {
            self.text(line.thread.as_deref(), &format!("  {}", line.note), out);
        }
    }

    /// A step that a thread makes.
    pub(super) fn step(&self, view: &View, thread: Option<&str>, span: Span, out: &mut String) {
        let number = view.sources.line_column(span).line;
        let source = view.sources.file(span.file).line(number).trim();
        self.cells(&number.to_string(), thread, source, out);
    }

    /// A remark in the column of a thread.
    pub(super) fn text(&self, thread: Option<&str>, text: &str, out: &mut String) {
        self.cells("", thread, text, out);
    }

    fn cells(&self, number: &str, thread: Option<&str>, text: &str, out: &mut String) {
        let own = thread.and_then(|thread| self.names.iter().position(|name| name == thread)).unwrap_or(0);
        let mut cells = vec![""; self.names.len()];
        cells[own] = text;
        self.row(number, &cells, out);
    }

    fn row(&self, number: &str, cells: &[&str], out: &mut String) {
        let cut = |text: &str| match text.chars().count() > self.width {
            true => text.chars().take(self.width - 1).chain(['…']).collect(),
            false => text.to_owned(),
        };
        let cells: Vec<String> = cells.iter().map(|cell| format!("{:<1$}", cut(cell), self.width)).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", format!("{number:>5} | {}", cells.join(" | ")).trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_has_a_column() {
        assert!(Lanes::of(["main", "main"].into_iter()).is_none());
        let lanes = Lanes::of(["main", "worker", "main"].into_iter()).expect("two threads");
        let mut out = String::new();
        lanes.text(Some("main"), "x = 1;", &mut out);
        lanes.text(Some("worker"), "y = 2;", &mut out);
        let columns: Vec<Option<usize>> =
            out.lines().map(|line| line.find("x = 1;").or(line.find("y = 2;"))).collect();
        assert_eq!(columns, [Some(8), Some(8 + lanes.width + 3)]);
        lanes.text(Some("main"), &"long ".repeat(100), &mut out);
        assert!(out.lines().all(|line| line.chars().count() <= 8 + 2 * lanes.width + 3), "{out}");
    }
}
