//! Script text as tokens.
//!
//! Names are generous: state names such as `9thFromLast` or `q0#L1` need no quotes. Whatever is not white space,
//! not a comment (`// …`, `/* … */`) and not one of the special characters belongs to a name; a name of digits
//! is a number. The work is linear in the text.

use base::{Diagnostic, FileId, Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name, a keyword or a number.
    Name,
    /// A text in quotes.
    Text,
    /// An operator or a bracket, as it is written.
    Punctuation(&'static str),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// The operators and brackets; a longer one comes before its prefixes.
const PUNCTUATION: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "(", ")", "{", "}", "[",
    "]", "=", ",", ";", "<", ">", "!", "+", "-", "*", "/", "%", "&", "|",
];

fn in_name(c: char) -> bool {
    !c.is_whitespace() && !"(){}[]=,;<>!+-*/%&|\"".contains(c)
}

/// Cuts a text into tokens; the last one is [`Kind::End`].
pub(crate) fn tokens(file: FileId, text: &str) -> Result<Vec<Token>, Box<Diagnostic>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let span = |length: usize| Span::new(file, at as u32, (at + length) as u32);
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let Some(length) = rest.find("*/") else {
                return Err(Box::new(Diagnostic::error(span(2), "this comment is not closed")));
            };
            at += length + 2;
        } else if c == '"' {
            let Some(length) = closing_quote(rest) else {
                return Err(Box::new(Diagnostic::error(span(1), "this text has no closing quote")));
            };
            tokens.push(Token { kind: Kind::Text, span: span(length + 1) });
            at += length + 1;
        } else if in_name(c) {
            let length = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
            tokens.push(Token { kind: Kind::Name, span: span(length) });
            at += length;
        } else if let Some(found) = PUNCTUATION.iter().find(|&&punctuation| rest.starts_with(punctuation)) {
            tokens.push(Token { kind: Kind::Punctuation(found), span: span(found.len()) });
            at += found.len();
        } else {
            let message = format!("`{c}` has no meaning in a script");
            return Err(Box::new(Diagnostic::error(span(c.len_utf8()), message)));
        }
    }
    let end = Span::new(file, at as u32, at as u32);
    tokens.push(Token { kind: Kind::End, span: end });
    Ok(tokens)
}

/// The offset of the quote that closes the one at the start; `\"` does not.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (offset, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some(offset),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SourceMap;

    fn cut(text: &str) -> String {
        let mut sources = SourceMap::new();
        let file = sources.add("test", text);
        match tokens(file, text) {
            Ok(tokens) => tokens.iter().map(|token| sources.text(token.span)).collect::<Vec<_>>().join(" "),
            Err(diagnostic) => format!("{}: {}", sources.line_column(diagnostic.span), diagnostic.message),
        }
    }

    #[test]
    fn names_are_generous_and_comments_are_skipped() {
        let text = "9thFromLast q0' // c\n/* d\n */ \"a b\"< >r i++ <= 5;";
        assert_eq!(cut(text), "9thFromLast q0' \"a b\" < > r i ++ <= 5 ; ");
    }

    #[test]
    fn open_comments_and_texts_are_reported_where_they_start() {
        assert_eq!(cut("a\n /* b"), "2:2: this comment is not closed");
        assert_eq!(cut("a \"b\\\""), "1:3: this text has no closing quote");
    }
}
