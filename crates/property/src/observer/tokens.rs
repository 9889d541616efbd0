//! The words of the observer language.

use base::{Diagnostic, FileId, Span};

/// A word with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A name or a word of the language.
    Word(String),
    /// A number, perhaps with a sign.
    Number(String),
    /// A text in quotes, without them.
    Text(String),
    /// Any other character.
    Sign(char),
    End,
}

/// What the program's language writes in a name; also the dots and dollars of Boogie.
fn in_word(character: char) -> bool {
    character.is_alphanumeric() || "_.$#'`~^\\?".contains(character)
}

/// All words of a text, with [`TokenKind::End`] at its end. Comments are left out.
pub(super) fn tokens(file: FileId, text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        let begin = at;
        let span = |end: usize| Span::new(file, position(begin), position(end));
        let length_while = |inside: &dyn Fn(char) -> bool| rest.find(|c| !inside(c)).unwrap_or(rest.len());
        if character.is_whitespace() {
            at += character.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                return Err(Diagnostic::error(span(at + 2), "the comment has no end"));
            };
            at += end + 2;
        } else if character == '"' {
            let Some(end) = rest[1..].find(['"', '\n']).filter(|end| rest.as_bytes()[1 + *end] == b'"')
            else {
                return Err(Diagnostic::error(span(at + 1), "the text has no end in this line"));
            };
            at += end + 2;
            tokens.push(Token { kind: TokenKind::Text(rest[1..=end].to_owned()), span: span(at) });
        } else if character.is_ascii_digit()
            || (character == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            at += 1 + rest[1..].find(|c| !in_word(c)).unwrap_or(rest.len() - 1);
            tokens.push(Token { kind: TokenKind::Number(text[begin..at].to_owned()), span: span(at) });
        } else if in_word(character) {
            at += length_while(&in_word);
            tokens.push(Token { kind: TokenKind::Word(text[begin..at].to_owned()), span: span(at) });
        } else {
            at += character.len_utf8();
            tokens.push(Token { kind: TokenKind::Sign(character), span: span(at) });
        }
    }
    let end = position(text.len());
    tokens.push(Token { kind: TokenKind::End, span: Span::new(file, end, end) });
    Ok(tokens)
}

/// Files have less than 4 GiB.
fn position(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
