//! The lexer: bytes to tokens, one at a time.
//!
//! Comments are `// …` and `/* … */`. Boogie nests the latter, other tools do not: a comment that would
//! never end when nested is read as not nested, and so are all that follow it. Every byte is looked at
//! a bounded number of times, so the cost is linear.

use crate::tokens::{Token, TokenKind};
use ir::names::{is_letter, is_wide_letter};

/// Reads tokens from a text of less than 4 GiB.
#[derive(Clone)]
pub struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    nested_comments: bool,
}

/// For every byte, whether it may stand inside a name.
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_letter(byte as u8) || (byte as u8).is_ascii_digit();
        byte += 1;
    }
    table
};

impl<'a> Lexer<'a> {
    /// Starts at the beginning of the text.
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, bytes: text.as_bytes(), position: 0, nested_comments: true }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position + ahead).copied().unwrap_or(0)
    }

    /// The next token; at the end of the text, [`TokenKind::End`] again and again.
    pub fn next_token(&mut self) -> Token {
        if let Err(start) = self.skip_blanks() {
            return Token { kind: TokenKind::Unterminated, start: start as u32, end: self.position as u32 };
        }
        let start = self.position;
        let kind = match self.bytes.get(start) {
            None => TokenKind::End,
            Some(&byte) if is_letter(byte) => self.name(),
            Some(byte) if byte.is_ascii_digit() => self.number(),
            Some(b'"') => self.string(),
            Some(byte) if byte.is_ascii() => self.symbol(),
            Some(_) if self.wide_letter().is_some() => self.name(),
            Some(_) => self.unicode_symbol(),
        };
        Token { kind, start: start as u32, end: self.position as u32 }
    }

    /// Skips white space and comments; fails with the start of a comment that is never closed.
    fn skip_blanks(&mut self) -> Result<(), usize> {
        loop {
            match self.peek(0) {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.position += 1,
                b'/' if self.peek(1) == b'/' => {
                    let rest = &self.bytes[self.position..];
                    self.position += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                b'/' if self.peek(1) == b'*' => self.skip_comment()?,
                // A byte order mark is white space too.
                0xef if self.text[self.position..].starts_with('\u{feff}') => self.position += 3,
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), usize> {
        let start = self.position;
        if self.nested_comments {
            if let Some(end) = comment_end(self.bytes, start, true) {
                self.position = end;
                return Ok(());
            }
            self.nested_comments = false;
        }
        match comment_end(self.bytes, start, false) {
            Some(end) => {
                self.position = end;
                Ok(())
            }
            None => {
                self.position = self.bytes.len();
                Err(start)
            }
        }
    }

    fn name(&mut self) -> TokenKind {
        let start = self.position;
        loop {
            let rest = &self.bytes[self.position..];
            self.position += rest.iter().position(|&byte| !IN_NAME[byte as usize]).unwrap_or(rest.len());
            match self.wide_letter() {
                Some(letter) => self.position += letter.len_utf8(),
                None => break,
            }
        }
        let (rest, length) = (&self.bytes[start..], self.position - start);
        // Every reserved word is short, and most names are longer or contain other characters.
        if length > 14 || !rest[0].is_ascii_lowercase() {
            return TokenKind::Identifier;
        }
        TokenKind::keyword(&self.text[start..self.position]).unwrap_or(TokenKind::Identifier)
    }

    /// The letter beyond ASCII that stands here.
    fn wide_letter(&self) -> Option<char> {
        match self.peek(0).is_ascii() {
            true => None,
            false => self.text[self.position..].chars().next().filter(|&letter| is_wide_letter(letter)),
        }
    }

    fn skip_digits(&mut self) {
        while self.peek(0).is_ascii_digit() {
            self.position += 1;
        }
    }

    fn number(&mut self) -> TokenKind {
        if self.peek(0) == b'0' && self.peek(1) == b'x' {
            let rest = &self.bytes[self.position..];
            let mut length = 0;
            // A minus belongs to the number behind the letter of the exponent only.
            while rest.get(length).is_some_and(|&byte| {
                let sign = byte == b'-' && length > 2 && rest[length - 1] == b'e';
                byte.is_ascii_alphanumeric() || byte == b'.' || sign
            }) {
                length += 1;
            }
            self.position += length;
            return TokenKind::Float;
        }
        if self.peek(0) == b'0'
            && let Some(length) = special_float(&self.bytes[self.position..])
        {
            self.position += length;
            return TokenKind::Float;
        }
        self.skip_digits();
        if self.peek(0) == b'b' && self.peek(1) == b'v' && self.peek(2).is_ascii_digit() {
            self.position += 2;
            self.skip_digits();
            return TokenKind::BitVector;
        }
        let mut kind = TokenKind::Natural;
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.position += 1;
            self.skip_digits();
            kind = TokenKind::Decimal;
        }
        if self.peek(0) == b'e' {
            let sign = usize::from(self.peek(1) == b'-');
            if self.peek(1 + sign).is_ascii_digit() {
                self.position += 1 + sign;
                self.skip_digits();
                kind = TokenKind::Decimal;
            }
        }
        kind
    }

    fn string(&mut self) -> TokenKind {
        self.position += 1;
        loop {
            match self.peek(0) {
                b'"' => {
                    self.position += 1;
                    return TokenKind::Text;
                }
                b'\\' if self.peek(1) == b'"' => self.position += 2,
                b'\n' | 0 => return TokenKind::Unterminated,
                _ => self.position += 1,
            }
        }
    }

    fn symbol(&mut self) -> TokenKind {
        use TokenKind as T;
        let (kind, length) = match (self.peek(0), self.peek(1), self.peek(2)) {
            (b'(', ..) => (T::LeftParen, 1),
            (b')', ..) => (T::RightParen, 1),
            (b'[', ..) => (T::LeftBracket, 1),
            (b']', ..) => (T::RightBracket, 1),
            (b'{', ..) => (T::LeftBrace, 1),
            (b'}', ..) => (T::RightBrace, 1),
            (b';', ..) => (T::Semicolon, 1),
            (b',', ..) => (T::Comma, 1),
            (b':', b'=', _) => (T::Assign, 2),
            (b':', b':', _) => (T::ColonColon, 2),
            (b':', ..) => (T::Colon, 1),
            (b'=', b'=', b'>') => (T::Implies, 3),
            (b'=', b'=', _) => (T::EqualEqual, 2),
            (b'=', ..) => (T::Equals, 1),
            (b'!', b'=', _) => (T::NotEqual, 2),
            (b'!', ..) => (T::Not, 1),
            (b'<', b'=', b'=') if self.peek(3) == b'>' => (T::Iff, 4),
            (b'<', b'=', b'=') => (T::Explies, 3),
            (b'<', b'=', _) => (T::LessEqual, 2),
            (b'<', b':', _) => (T::Extends, 2),
            (b'<', ..) => (T::Less, 1),
            (b'>', b'=', _) => (T::GreaterEqual, 2),
            (b'>', ..) => (T::Greater, 1),
            (b'&', b'&', _) => (T::And, 2),
            (b'|', b'|', _) => (T::Or, 2),
            (b'|', ..) => (T::Bar, 1),
            (b'+', b'+', _) => (T::PlusPlus, 2),
            (b'+', ..) => (T::Plus, 1),
            (b'-', b'>', _) => (T::Arrow, 2),
            (b'-', ..) => (T::Minus, 1),
            (b'*', b'*', _) => (T::StarStar, 2),
            (b'*', ..) => (T::Star, 1),
            (b'/', ..) => (T::Slash, 1),
            (b'%', ..) => (T::Percent, 1),
            _ => (T::Unknown, 1),
        };
        self.position += length;
        kind
    }

    /// Boogie also has its operators as single characters.
    fn unicode_symbol(&mut self) -> TokenKind {
        let Some(character) = self.text[self.position..].chars().next() else { return TokenKind::End };
        self.position += character.len_utf8();
        match character {
            '⇔' => TokenKind::Iff,
            '⇒' => TokenKind::Implies,
            '⇐' => TokenKind::Explies,
            '∧' => TokenKind::And,
            '∨' => TokenKind::Or,
            '¬' => TokenKind::Not,
            '≠' => TokenKind::NotEqual,
            '≤' => TokenKind::LessEqual,
            '≥' => TokenKind::GreaterEqual,
            '∀' => TokenKind::Forall,
            '∃' => TokenKind::Exists,
            'λ' => TokenKind::Lambda,
            '•' => TokenKind::ColonColon,
            _ => TokenKind::Unknown,
        }
    }
}

/// The length of `0NaN24e8`, `0+oo24e8` and the like.
fn special_float(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let count = bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        (count > 0).then_some(from + count)
    };
    let prefix = ["0NaN", "0nan", "0+oo", "0-oo"].iter().find(|text| bytes.starts_with(text.as_bytes()))?;
    let behind = digits(prefix.len())?;
    if bytes.get(behind) != Some(&b'e') {
        return None;
    }
    digits(behind + 1)
}

/// Where the comment that opens at `start` ends.
fn comment_end(bytes: &[u8], start: usize, nested: bool) -> Option<usize> {
    let mut depth = 1;
    let mut position = start + 2;
    while position + 1 < bytes.len() {
        match (bytes[position], bytes[position + 1]) {
            (b'*', b'/') => {
                depth -= 1;
                position += 2;
                if depth == 0 {
                    return Some(position);
                }
            }
            (b'/', b'*') if nested => {
                depth += 1;
                position += 2;
            }
            _ => position += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next_token();
            if token.kind == TokenKind::End {
                return tokens;
            }
            tokens.push((token.kind, &text[token.start as usize..token.end as usize]));
        }
    }

    fn kinds(text: &str) -> Vec<TokenKind> {
        lex(text).into_iter().map(|(kind, _)| kind).collect()
    }

    #[test]
    fn names_take_all_of_boogies_letters() {
        let names = [
            "#t~ret0",
            "$Pointer$",
            "ULTIMATE.start",
            "x'",
            "a^b",
            "`q?",
            "\\if",
            "_",
            "assertion",
            "é",
            "größe2",
        ];
        for name in names {
            assert_eq!(lex(name), [(TokenKind::Identifier, name)]);
        }
    }

    #[test]
    fn the_reserved_words_are_those_of_the_text_form() {
        assert_eq!(crate::tokens::KEYWORDS, ir::names::KEYWORDS);
    }

    #[test]
    fn numbers() {
        use TokenKind as T;
        for (text, kind) in [
            ("0", T::Natural),
            ("1.5", T::Decimal),
            ("1e10", T::Decimal),
            ("1.25e-3", T::Decimal),
            ("255bv8", T::BitVector),
            ("0x1.8e0f24e8", T::Float),
        ] {
            assert_eq!(lex(text), [(kind, text)]);
        }
        assert_eq!(lex("3bv"), [(T::Natural, "3"), (T::Identifier, "bv")]);
        assert_eq!(lex("1ex"), [(T::Natural, "1"), (T::Identifier, "ex")]);
        assert_eq!(lex("1.x"), [(T::Natural, "1"), (T::Identifier, ".x")]);
    }

    #[test]
    fn the_longest_operator_wins() {
        use TokenKind as T;
        assert_eq!(
            kinds("<==> <== <= <: < ==> == = :: := : ++ + ** * != ! || |"),
            [
                T::Iff,
                T::Explies,
                T::LessEqual,
                T::Extends,
                T::Less,
                T::Implies,
                T::EqualEqual,
                T::Equals,
                T::ColonColon,
                T::Assign,
                T::Colon,
                T::PlusPlus,
                T::Plus,
                T::StarStar,
                T::Star,
                T::NotEqual,
                T::Not,
                T::Or,
                T::Bar
            ]
        );
        assert_eq!(kinds("∀x•x≤y⇒¬z"), kinds("forall x::x<=y==>!z"));
    }

    #[test]
    fn comments_nest_unless_that_would_never_end() {
        assert_eq!(lex("a /* 1 /* 2 */ 3 */ b // c\n d").len(), 3);
        assert_eq!(lex("a /* 1 /* 2 */ b /* 3 */ c").len(), 3);
        assert_eq!(kinds("a /* b"), [TokenKind::Identifier, TokenKind::Unterminated]);
        assert_eq!(kinds("/*/ */ x"), [TokenKind::Identifier]);
    }

    #[test]
    fn strings_may_contain_quotes() {
        assert_eq!(lex(r#""a \" b" c"#)[0], (TokenKind::Text, r#""a \" b""#));
        assert_eq!(kinds("\"abc"), [TokenKind::Unterminated]);
        assert_eq!(kinds("\"abc\nx"), [TokenKind::Unterminated, TokenKind::Identifier]);
    }

    #[test]
    fn unknown_characters_are_tokens_of_their_own() {
        assert_eq!(
            lex("x @ €"),
            [(TokenKind::Identifier, "x"), (TokenKind::Unknown, "@"), (TokenKind::Unknown, "€")]
        );
    }
}
