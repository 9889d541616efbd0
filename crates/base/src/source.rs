//! Source files, byte spans in them, and the way from a byte to its line and column.
//!
//! A [`Span`] is twelve bytes and `Copy`, so every token and tree node can carry one. Line starts are
//! found once per file, when it is added; a look-up is a binary search.

use crate::ids::PrimaryMap;
use std::fmt;

crate::id!(
    /// A source file of a [`SourceMap`].
    FileId,
    "file"
);

/// The bytes `start..end` of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        debug_assert!(start <= end);
        Span { file, start, end }
    }

    /// The smallest span around both; they must be of one file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file);
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at the end of this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// A place for people: both count from one, and columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A file: its name as the user gave it, its text, and where its lines start.
#[derive(Clone)]
pub struct SourceFile {
    /// The name as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: String,
    line_starts: Vec<u32>,
    /// How many characters begin before every multiple of [`STRIDE`] bytes, so that long lines cost no more than short ones.
    characters: Vec<u32>,
}

/// After so many bytes characters are counted anew.
const STRIDE: usize = 1 << 10;

/// How many characters begin in some bytes of a text.
fn beginnings(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

impl std::fmt::Debug for SourceFile {
    /// The name; the text would drown everything else.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SourceFile").field(&self.name).finish()
    }
}

impl SourceFile {
    fn new(name: String, text: String) -> SourceFile {
        assert!(
            u32::try_from(text.len()).is_ok(),
            "sources of 4 GiB and more are refused when they are read"
        );
        let after_newline = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(after_newline).collect();
        let mut characters = vec![0];
        for piece in text.as_bytes().chunks(STRIDE) {
            characters.push(characters[characters.len() - 1] + beginnings(piece));
        }
        SourceFile { name, text, line_starts, characters }
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let column = self.characters_before(offset) - self.characters_before(self.line_starts[line]);
        LineColumn { line: line as u32 + 1, column: column + 1 }
    }

    /// How many characters begin before a byte.
    fn characters_before(&self, offset: u32) -> u32 {
        let offset = (offset as usize).min(self.text.len());
        let counted = offset / STRIDE;
        self.characters[counted] + beginnings(&self.text.as_bytes()[counted * STRIDE..offset])
    }

    /// The text of a line (from 1), without its line break.
    pub fn line(&self, line: u32) -> &str {
        let index = line as usize - 1;
        let start = self.line_starts[index] as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// How many lines there are.
    pub fn lines(&self) -> u32 {
        self.line_starts.len() as u32
    }
}

/// What a preprocessor says about the lines behind it: `# 12 "file.h" 1` or `#line 12 "file.h"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineMarker<'a> {
    /// The number of the next line.
    pub line: u32,
    /// The file that it belongs to, if it says so.
    pub file: Option<&'a str>,
    /// What stands behind the name: 1 where an included file begins, 2 where one is over.
    pub flags: &'a str,
}

impl LineMarker<'_> {
    /// The marker that a line is.
    pub fn read(line: &str) -> Option<LineMarker<'_>> {
        let rest = line.strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let named = rest[digits..].trim_start().strip_prefix('"').and_then(|name| name.split_once('"'));
        let line = rest[..digits].parse().ok()?;
        Some(LineMarker {
            line,
            file: named.map(|(file, _)| file),
            flags: named.map_or("", |(_, flags)| flags),
        })
    }
}

/// All files of a run.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    files: PrimaryMap<FileId, SourceFile>,
}

impl SourceMap {
    /// No files yet.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file. Its text must be shorter than 4 GiB.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile::new(name.into(), text.into()))
    }

    /// A file by its id.
    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file]
    }

    /// The text under a span.
    pub fn text(&self, span: Span) -> &str {
        &self.files[span.file].text[span.start as usize..span.end as usize]
    }

    /// Line and column where a span starts.
    pub fn line_column(&self, span: Span) -> LineColumn {
        self.files[span.file].line_column(span.start)
    }

    /// The file and line that a preprocessor's marker (`# 12 "file.h"`) before a span says it comes from.
    pub fn origin(&self, span: Span) -> Option<(&str, u32)> {
        let file = &self.files[span.file];
        let here = file.line_column(span.start).line;
        let (line, marker) =
            (1..here).rev().find_map(|line| Some((line, LineMarker::read(file.line(line))?)))?;
        Some((marker.file?, marker.line.checked_add(here - line - 1)?))
    }

    /// `file:line:column` of the start of a span.
    pub fn place(&self, span: Span) -> String {
        format!("{}:{}", self.files[span.file].name, self.line_column(span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_say_where_lines_come_from() {
        let mut sources = SourceMap::new();
        let file = sources.add("p.i", "int a;\n# 7 \"h.h\" 1\nint b;\nint c;\n#line 3\n#pragma x\nint d;\n");
        let at = |word: &str| {
            let start = sources.file(file).text.find(word).expect("the word is there") as u32;
            sources.origin(Span::new(file, start, start + 1))
        };
        assert_eq!(at("int a"), None);
        assert_eq!(at("int b"), Some(("h.h", 7)));
        assert_eq!(at("int c"), Some(("h.h", 8)));
        assert_eq!(at("int d"), None, "the marker does not name its file");
    }

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.bpl", "x\nπ := y;\r\n");
        let at = |start| sources.file(file).line_column(start).to_string();
        assert_eq!([at(0), at(1), at(2), at(4), at(11)], ["1:1", "1:2", "2:1", "2:2", "2:9"]);
        assert_eq!(sources.file(file).line(2), "π := y;");
        assert_eq!(sources.place(Span::new(file, 8, 9)), "a.bpl:2:6");
    }

    #[test]
    fn an_empty_file_has_one_empty_line() {
        let mut sources = SourceMap::new();
        let file = sources.add("e", "");
        assert_eq!((sources.file(file).lines(), sources.file(file).line(1)), (1, ""));
        assert_eq!(sources.file(file).line_column(0).to_string(), "1:1");
    }
}
