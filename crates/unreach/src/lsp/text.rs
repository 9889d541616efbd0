//! Places of a text as the protocol counts them: lines from zero, and in a line the units of UTF-16.

use serde_json::{Value, json};

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    starts: Vec<usize>,
}

/// A place as the protocol has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) character: usize,
}

impl Position {
    pub(super) fn json(self) -> Value {
        json!({ "line": self.line, "character": self.character })
    }

    pub(super) fn of_json(value: &Value) -> Option<Position> {
        let number = |key: &str| usize::try_from(value[key].as_u64()?).ok();
        Some(Position { line: number("line")?, character: number("character")? })
    }
}

impl Lines {
    pub(super) fn new(text: &str) -> Lines {
        let behind = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        Lines { starts: std::iter::once(0).chain(behind).collect() }
    }

    /// The place of a byte; behind the end, that of the end.
    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let character = text[self.starts[line]..offset].encode_utf16().count();
        Position { line, character }
    }

    /// The byte at a place; places behind the end of their line mean its end.
    pub(super) fn offset(&self, text: &str, at: Position) -> usize {
        let Some(&start) = self.starts.get(at.line) else { return text.len() };
        let end = self.end(text, at.line);
        let mut units = 0;
        for (offset, letter) in text[start..end].char_indices() {
            if units >= at.character {
                return start + offset;
            }
            units += letter.len_utf16();
        }
        end
    }

    /// The end of a line, before its line break.
    pub(super) fn end(&self, text: &str, line: usize) -> usize {
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        text[..end].trim_end_matches(['\n', '\r']).len().max(self.starts[line.min(self.starts.len() - 1)])
    }

    /// A range of bytes.
    pub(super) fn range(&self, text: &str, (start, end): (usize, usize)) -> Value {
        json!({ "start": self.position(text, start).json(), "end": self.position(text, end.max(start)).json() })
    }
}

/// The word at a byte, with its place: letters, digits, and what names of Boogie and C may contain besides.
pub(super) fn word(text: &str, offset: usize) -> Option<(usize, &str)> {
    let is_word = |letter: char| letter.is_alphanumeric() || "_.$#'`~^\\?".contains(letter);
    let before = text[..offset].char_indices().rev().take_while(|&(_, letter)| is_word(letter)).last();
    let start = before.map_or(offset, |(at, _)| at);
    let length =
        text[start..].chars().take_while(|&letter| is_word(letter)).map(char::len_utf8).sum::<usize>();
    (length > 0).then(|| (start, &text[start..start + length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_there_and_back() {
        let text = "a𝒳é\r\n\nxy";
        let lines = Lines::new(text);
        for (offset, _) in text.char_indices().filter(|(_, letter)| !"\r\n".contains(*letter)) {
            assert_eq!(lines.offset(text, lines.position(text, offset)), offset);
        }
        assert_eq!(lines.position(text, 5), Position { line: 0, character: 3 });
        assert_eq!(lines.offset(text, Position { line: 0, character: 99 }), 7);
        assert_eq!(lines.offset(text, Position { line: 9, character: 0 }), text.len());
        assert_eq!(lines.position(text, 99), Position { line: 2, character: 2 });
    }

    #[test]
    fn words() {
        assert_eq!(word("x := foo.bar1;", 6), Some((5, "foo.bar1")));
        assert_eq!(word("x := 1", 2), None);
    }
}
