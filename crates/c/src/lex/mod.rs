//! Text to tokens (C11 6.4), with the annotations of ACSL that state assertions and contracts.
//!
//! The lexer is one pass over the bytes of a file and allocates only for new spellings. Comments are white
//! space, except `//@ assert …`, `//@ ghost …` and those that begin with a clause of a contract (and their
//! `/*@ … */` forms): their inside is lexed like C, between the tokens `/*@` and `@*/`. All other annotations are
//! comments.
//!
//! A backslash at the end of a line joins lines between tokens, in literals and in comments; inside any other
//! token it is an error, as no sane program needs it.

pub mod token;

use crate::symbols::{Symbol, Symbols};
use base::{Diagnostic, FileId, Span};
use token::{Punct, Token, TokenKind};

/// A position in the text of one file.
#[derive(Clone, Debug)]
pub struct Lexer {
    file: FileId,
    position: usize,
    first_on_line: bool,
    annotation: Option<Annotation>,
}

/// Inside which kind of annotation the lexer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Annotation {
    Line,
    Block,
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_name_part(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}

/// The length of a line splice (`\` and the end of a line) at the start of the bytes, or 0.
fn splice(bytes: &[u8]) -> usize {
    match bytes {
        [b'\\', b'\n', ..] => 2,
        [b'\\', b'\r', b'\n', ..] => 3,
        _ => 0,
    }
}

impl Lexer {
    /// A lexer at the start of a file.
    pub fn new(file: FileId) -> Lexer {
        Lexer { file, position: 0, first_on_line: true, annotation: None }
    }

    /// The next token of `text`, which must be the text of the lexer's file at every call.
    pub fn next(&mut self, text: &str, symbols: &mut Symbols) -> Result<Token, Diagnostic> {
        let bytes = text.as_bytes();
        if self.position == 0 && text.starts_with('\u{feff}') {
            // A byte order mark is no part of the text.
            self.position = '\u{feff}'.len_utf8();
        }
        let before = self.position;
        if let Some(token) = self.skip_space(bytes)? {
            return Ok(token);
        }
        let space_before = self.position > before;
        let start = self.position;
        let (kind, length) = match self.scan(text, symbols)? {
            Some(found) => found,
            None => {
                let character = text[start..].chars().next().unwrap_or(' ');
                let message = format!("the character `{}` cannot start a token", character.escape_default());
                return Err(Diagnostic::error(self.span(start, start + character.len_utf8()), message));
            }
        };
        self.position = start + length;
        if kind != TokenKind::End && splice(&bytes[self.position..]) > 0 {
            let next = self.position + splice(&bytes[self.position..]);
            let joins = bytes.get(next).is_some_and(|&b| is_name_part(b));
            if joins && matches!(kind, TokenKind::Name(_) | TokenKind::Number(_)) {
                let span = self.span(start, self.position);
                return Err(Diagnostic::error(
                    span,
                    "this token is split by a backslash at the end of a line",
                ));
            }
        }
        Ok(self.token(kind, start, space_before))
    }

    /// Steps over one character that cannot start a token; false at the end of the text.
    pub fn skip_character(&mut self, text: &str) -> bool {
        match text[self.position..].chars().next() {
            Some(character) => {
                self.position += character.len_utf8();
                true
            }
            None => false,
        }
    }

    /// Whether nothing was read yet of the line of the position.
    pub fn is_first_on_line(&self) -> bool {
        self.first_on_line
    }

    fn token(&mut self, kind: TokenKind, start: usize, space_before: bool) -> Token {
        let first_on_line = std::mem::replace(&mut self.first_on_line, false);
        Token { kind, span: self.span(start, self.position), first_on_line, space_before, painted: false }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    /// Skips white space and comments. Gives a token where an annotation begins or ends.
    fn skip_space(&mut self, bytes: &[u8]) -> Result<Option<Token>, Diagnostic> {
        loop {
            let rest = &bytes[self.position..];
            match rest {
                [] if self.annotation == Some(Annotation::Line) => return Ok(Some(self.end_annotation(0))),
                [b'\n', ..] => {
                    if self.annotation == Some(Annotation::Line) {
                        return Ok(Some(self.end_annotation(0)));
                    }
                    self.position += 1;
                    self.first_on_line = true;
                }
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => self.position += 1,
                [b'*', b'/', ..] if self.annotation == Some(Annotation::Block) => {
                    return Ok(Some(self.end_annotation(2)));
                }
                [b'@', ..] if self.annotation == Some(Annotation::Block) => self.position += 1,
                [b'/', b'/', ..] => {
                    if self.annotation.is_none() && is_annotation(&rest[2..]) {
                        return Ok(Some(self.begin_annotation(Annotation::Line)));
                    }
                    self.position += line_comment_length(rest);
                }
                [b'/', b'*', ..] => {
                    if self.annotation.is_none() && is_annotation(&rest[2..]) {
                        return Ok(Some(self.begin_annotation(Annotation::Block)));
                    }
                    let Some(length) = rest[2..].windows(2).position(|pair| pair == b"*/") else {
                        let span = self.span(self.position, self.position + 2);
                        return Err(Diagnostic::error(span, "this comment is not closed"));
                    };
                    self.position += length + 4;
                }
                _ if splice(rest) > 0 => self.position += splice(rest),
                _ => return Ok(None),
            }
        }
    }

    fn begin_annotation(&mut self, annotation: Annotation) -> Token {
        let start = self.position;
        self.position += 3;
        self.annotation = Some(annotation);
        self.token(TokenKind::Punct(Punct::AnnotationBegin), start, true)
    }

    fn end_annotation(&mut self, length: usize) -> Token {
        let start = self.position;
        self.position += length;
        self.annotation = None;
        self.token(TokenKind::Punct(Punct::AnnotationEnd), start, true)
    }

    /// The kind and length of the token at the position; `None` if no token starts so.
    fn scan(&self, text: &str, symbols: &mut Symbols) -> Result<Option<(TokenKind, usize)>, Diagnostic> {
        let rest = &text[self.position..];
        let bytes = rest.as_bytes();
        let Some(&first) = bytes.first() else { return Ok(Some((TokenKind::End, 0))) };
        let mut intern = |length: usize, make: fn(Symbol) -> TokenKind| {
            Some((make(symbols.intern(&rest[..length])), length))
        };
        let prefix = match bytes {
            [b'u', b'8', b'"', ..] => 2,
            [b'L' | b'u' | b'U', b'"' | b'\'', ..] => 1,
            _ => 0,
        };
        if let quote @ (b'"' | b'\'') = bytes[prefix] {
            let length = match self.literal_length(bytes, prefix, quote) {
                // A comment need not be C: whoever reads the annotation finds something that it does not understand.
                Err(_) if self.annotation.is_some() => {
                    return Ok(Some((TokenKind::Punct(Punct::Backslash), prefix + 1)));
                }
                length => length?,
            };
            return Ok(intern(length, if quote == b'"' { TokenKind::Text } else { TokenKind::Char }));
        }
        if first.is_ascii_digit() || (first == b'.' && bytes.get(1).is_some_and(u8::is_ascii_digit)) {
            // In an annotation `0..n` is a range and no preprocessing number.
            let mut length = number_length(bytes);
            if self.annotation.is_some() {
                let range = bytes[..length].windows(2).position(|pair| pair == b"..");
                length = range.unwrap_or(length);
            }
            return Ok(intern(length, TokenKind::Number));
        }
        if is_name_start(first) {
            let length = bytes.iter().position(|&b| !is_name_part(b)).unwrap_or(bytes.len());
            return Ok(intern(length, TokenKind::Name));
        }
        if self.annotation.is_some() && first == b'\\' && bytes.get(1).is_some_and(|&b| is_name_start(b)) {
            let length = 1 + bytes[1..].iter().position(|&b| !is_name_part(b)).unwrap_or(bytes.len() - 1);
            return Ok(intern(length, TokenKind::Name));
        }
        Ok(punct(bytes, self.annotation.is_some()).map(|(punct, length)| (TokenKind::Punct(punct), length)))
    }

    fn literal_length(&self, bytes: &[u8], prefix: usize, quote: u8) -> Result<usize, Diagnostic> {
        let mut index = prefix + 1;
        loop {
            match bytes.get(index) {
                Some(&b) if b == quote => return Ok(index + 1),
                Some(b'\\') => index += splice(&bytes[index..]).max(2),
                Some(b'\n') | None => {
                    let span = self.span(self.position, self.position + prefix + 1);
                    let what = if quote == b'"' { "string" } else { "character constant" };
                    return Err(Diagnostic::error(span, format!("this {what} is not closed")));
                }
                Some(_) => index += 1,
            }
        }
    }
}

/// Whether a comment (its text after the two opening characters) states something that has to be read.
fn is_annotation(bytes: &[u8]) -> bool {
    let [b'@', rest @ ..] = bytes else { return false };
    let start = rest.iter().position(|&b| !b.is_ascii_whitespace() && b != b'@').unwrap_or(rest.len());
    let word = rest[start..].split(|&b| !is_name_part(b)).next().unwrap_or(&[]);
    const WORDS: &[&[u8]] = &[
        b"assert",
        b"ghost",
        b"requires",
        b"ensures",
        b"assigns",
        b"frees",
        b"behavior",
        b"loop",
        b"decreases",
    ];
    let next = rest[start + word.len()..].trim_ascii_start().split(|&b| !is_name_part(b)).next();
    let of_loop = matches!(next, Some(b"invariant" | b"assigns" | b"variant" | b"frees"));
    if word == b"loop" {
        return of_loop;
    }
    // These are words of any text as well: the rest has to look like an annotation.
    let more = match word {
        b"for" => {
            let behind = rest[start + word.len()..].trim_ascii_start();
            behind.iter().find(|&&b| !is_name_part(b) && !b.is_ascii_whitespace()) == Some(&b':')
        }
        b"predicate" | b"logic" | b"axiomatic" | b"lemma" => true,
        b"global" => next == Some(b"invariant"),
        b"complete" | b"disjoint" => next == Some(b"behaviors"),
        _ => false,
    };
    WORDS.contains(&word) || more
}

/// The length of a `//` comment without its line break; a splice continues it.
fn line_comment_length(bytes: &[u8]) -> usize {
    let mut index = 0;
    while index < bytes.len() && bytes[index] != b'\n' {
        index += splice(&bytes[index..]).max(1);
    }
    index.min(bytes.len())
}

/// The length of a preprocessing number (C11 6.4.8), with the separators of C23.
fn number_length(bytes: &[u8]) -> usize {
    let mut index = 1;
    while let Some(&byte) = bytes.get(index) {
        if byte == b'\'' && bytes.get(index + 1).is_some_and(|&next| is_name_part(next)) {
            index += 2;
            continue;
        }
        let sign = matches!(byte, b'+' | b'-') && matches!(bytes[index - 1], b'e' | b'E' | b'p' | b'P');
        // In `0xE+1` the sign belongs to the number by the standard, which makes it malformed: gcc agrees.
        if !(sign || byte == b'.' || is_name_part(byte)) {
            break;
        }
        index += 1;
    }
    index
}

/// The longest operator at the start of the bytes.
fn punct(bytes: &[u8], annotation: bool) -> Option<(Punct, usize)> {
    use Punct::*;
    if annotation {
        match bytes {
            [b'=', b'=', b'>', ..] => return Some((Implies, 3)),
            [b'<', b'=', b'=', b'>', ..] => return Some((Iff, 4)),
            [b'.', b'.', next, ..] if *next != b'.' => return Some((DotDot, 2)),
            _ => {}
        }
    }
    Some(match bytes {
        [b'.', b'.', b'.', ..] => (Ellipsis, 3),
        [b'<', b'<', b'=', ..] => (ShiftLeftAssign, 3),
        [b'>', b'>', b'=', ..] => (ShiftRightAssign, 3),
        [b'%', b':', b'%', b':', ..] => (HashHash, 4),
        [b'-', b'>', ..] => (Arrow, 2),
        [b'+', b'+', ..] => (PlusPlus, 2),
        [b'-', b'-', ..] => (MinusMinus, 2),
        [b'<', b'<', ..] => (ShiftLeft, 2),
        [b'>', b'>', ..] => (ShiftRight, 2),
        [b'<', b'=', ..] => (LessEqual, 2),
        [b'>', b'=', ..] => (GreaterEqual, 2),
        [b'=', b'=', ..] => (EqualEqual, 2),
        [b'!', b'=', ..] => (NotEqual, 2),
        [b'&', b'&', ..] => (AndAnd, 2),
        [b'|', b'|', ..] => (OrOr, 2),
        [b'*', b'=', ..] => (StarAssign, 2),
        [b'/', b'=', ..] => (SlashAssign, 2),
        [b'%', b'=', ..] => (PercentAssign, 2),
        [b'+', b'=', ..] => (PlusAssign, 2),
        [b'-', b'=', ..] => (MinusAssign, 2),
        [b'&', b'=', ..] => (AndAssign, 2),
        [b'^', b'=', ..] => (CaretAssign, 2),
        [b'|', b'=', ..] => (OrAssign, 2),
        [b'#', b'#', ..] => (HashHash, 2),
        [b'<', b':', ..] => (OpenBracket, 2),
        [b':', b'>', ..] => (CloseBracket, 2),
        [b'<', b'%', ..] => (OpenBrace, 2),
        [b'%', b'>', ..] => (CloseBrace, 2),
        [b'%', b':', ..] => (Hash, 2),
        [b'(', ..] => (OpenParen, 1),
        [b')', ..] => (CloseParen, 1),
        [b'[', ..] => (OpenBracket, 1),
        [b']', ..] => (CloseBracket, 1),
        [b'{', ..] => (OpenBrace, 1),
        [b'}', ..] => (CloseBrace, 1),
        [b'.', ..] => (Dot, 1),
        [b'&', ..] => (And, 1),
        [b'*', ..] => (Star, 1),
        [b'+', ..] => (Plus, 1),
        [b'-', ..] => (Minus, 1),
        [b'~', ..] => (Tilde, 1),
        [b'!', ..] => (Not, 1),
        [b'/', ..] => (Slash, 1),
        [b'%', ..] => (Percent, 1),
        [b'<', ..] => (Less, 1),
        [b'>', ..] => (Greater, 1),
        [b'^', ..] => (Caret, 1),
        [b'|', ..] => (Or, 1),
        [b'?', ..] => (Question, 1),
        [b':', ..] => (Colon, 1),
        [b';', ..] => (Semicolon, 1),
        [b'=', ..] => (Assign, 1),
        [b',', ..] => (Comma, 1),
        [b'#', ..] => (Hash, 1),
        [b'@', ..] => (At, 1),
        [b'\\', ..] => (Backslash, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SourceMap;

    fn lex(text: &str) -> String {
        let mut sources = SourceMap::new();
        let file = sources.add("t.c", text);
        let (mut lexer, mut symbols, mut out) = (Lexer::new(file), Symbols::new(), Vec::new());
        loop {
            match lexer.next(text, &mut symbols) {
                Ok(Token { kind: TokenKind::End, .. }) => return out.join(" "),
                Ok(Token { kind, .. }) => out.push(match kind {
                    TokenKind::Name(s) => format!("n:{}", symbols.text(s)),
                    TokenKind::Number(s) => format!("#:{}", symbols.text(s)),
                    TokenKind::Char(s) | TokenKind::Text(s) => format!("t:{}", symbols.text(s)),
                    TokenKind::Punct(p) => p.text().to_owned(),
                    TokenKind::End => unreachable!("handled above"),
                }),
                Err(diagnostic) => return format!("{} error: {}", out.join(" "), diagnostic.message),
            }
        }
    }

    #[test]
    fn tokens() {
        for (text, expected) in [
            ("a+++b", "n:a ++ + n:b"),
            ("x<<=1.5e-3f...", "n:x <<= #:1.5e-3f..."),
            ("L'a' u8\"s\\\"\" 'x'", "t:L'a' t:u8\"s\\\"\" t:'x'"),
            ("a /* c */ b // d\n c", "n:a n:b n:c"),
            ("a \\\n b", "n:a n:b"),
            ("ab\\\ncd", " error: this token is split by a backslash at the end of a line"),
            ("\"abc", " error: this string is not closed"),
            ("/* x", " error: this comment is not closed"),
            ("<: :> <% %> %:", "[ ] { } #"),
        ] {
            assert_eq!(lex(text), expected, "{text}");
        }
    }

    #[test]
    fn annotations_are_lexed_and_other_comments_are_not() {
        for (text, expected) in [
            ("x; //@ assert \\false;\ny", "n:x ; /*@ n:assert n:\\false ; @*/ n:y"),
            ("/*@ assert a ==> b; */ y", "/*@ n:assert n:a ==> n:b ; @*/ n:y"),
            ("//@ don't\ny", "n:y"),
            ("a ==> b", "n:a == > n:b"),
        ] {
            assert_eq!(lex(text), expected, "{text}");
        }
    }
}
