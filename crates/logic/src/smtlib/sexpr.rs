//! S-expressions: the concrete syntax of SMT-LIB 2.6 (chapter 3.1), read into one flat arena.
//!
//! Reading is iterative and linear in the text, and a [`Document`] is dropped without recursion, so the depth of nesting
//! is bounded by memory only. Every node knows where it stands, for messages.

use base::LineColumn;
use std::fmt;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The place.
    pub at: LineColumn,
    /// One sentence, lower case, no full stop.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for Error {}

/// A node of a [`Document`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node(u32);

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sexpr<'d> {
    /// A symbol as it is meant: without the bars of a quoted one.
    Symbol(&'d str),
    /// A keyword, without its colon.
    Keyword(&'d str),
    /// Digits.
    Numeral(&'d str),
    /// Digits, a point, digits.
    Decimal(&'d str),
    /// Hexadecimal digits, without `#x`.
    Hexadecimal(&'d str),
    /// Binary digits, without `#b`.
    Binary(&'d str),
    /// A string as it is written: without its quotes, with quotes inside still doubled.
    String(&'d str),
    /// A list.
    List(&'d [Node]),
}

#[derive(Clone, Copy)]
enum Kind {
    Symbol,
    Keyword,
    Numeral,
    Decimal,
    Hexadecimal,
    Binary,
    String,
    List,
}

struct Data {
    kind: Kind,
    /// Where the node starts in the text.
    offset: u32,
    /// The bytes of an atom's content, or the positions of a list's children.
    start: u32,
    end: u32,
}

/// The s-expressions of a text.
pub struct Document<'t> {
    text: &'t str,
    nodes: Vec<Data>,
    children: Vec<Node>,
    roots: Vec<Node>,
}

impl<'t> Document<'t> {
    /// Reads all s-expressions of a text.
    pub fn read(text: &'t str) -> Result<Document<'t>, Error> {
        let document = Document { text, nodes: Vec::new(), children: Vec::new(), roots: Vec::new() };
        if u32::try_from(text.len()).is_err() {
            return Err(document.error_at(0, "the text has 4 GiB or more"));
        }
        Reader { document, at: 0 }.read()
    }

    /// The outermost s-expressions, in order.
    pub fn roots(&self) -> &[Node] {
        &self.roots
    }

    /// What a node is.
    pub fn get(&self, node: Node) -> Sexpr<'_> {
        let data = &self.nodes[node.0 as usize];
        let (start, end) = (data.start as usize, data.end as usize);
        match data.kind {
            Kind::Symbol => Sexpr::Symbol(&self.text[start..end]),
            Kind::Keyword => Sexpr::Keyword(&self.text[start..end]),
            Kind::Numeral => Sexpr::Numeral(&self.text[start..end]),
            Kind::Decimal => Sexpr::Decimal(&self.text[start..end]),
            Kind::Hexadecimal => Sexpr::Hexadecimal(&self.text[start..end]),
            Kind::Binary => Sexpr::Binary(&self.text[start..end]),
            Kind::String => Sexpr::String(&self.text[start..end]),
            Kind::List => Sexpr::List(&self.children[start..end]),
        }
    }

    /// The symbol that a node is.
    pub fn symbol(&self, node: Node) -> Option<&str> {
        match self.get(node) {
            Sexpr::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The elements of the list that a node is.
    pub fn list(&self, node: Node) -> Option<&[Node]> {
        match self.get(node) {
            Sexpr::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// The line and column of a node.
    pub fn place(&self, node: Node) -> LineColumn {
        self.line_column(self.nodes[node.0 as usize].offset as usize)
    }

    /// An error at a node.
    pub fn error(&self, node: Node, message: impl Into<String>) -> Error {
        Error { at: self.place(node), message: message.into() }
    }

    fn error_at(&self, offset: usize, message: impl Into<String>) -> Error {
        Error { at: self.line_column(offset), message: message.into() }
    }

    fn line_column(&self, offset: usize) -> LineColumn {
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&b| b == b'\n').count() as u32 + 1;
        LineColumn { line, column: before[start..].chars().count() as u32 + 1 }
    }
}

struct Reader<'t> {
    document: Document<'t>,
    at: usize,
}

impl<'t> Reader<'t> {
    fn read(mut self) -> Result<Document<'t>, Error> {
        // Lists that are not closed yet, with the elements read so far.
        let mut open: Vec<(usize, Vec<Node>)> = Vec::new();
        let bytes = self.document.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let start = self.at;
            let finished = match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {
                    self.at += 1;
                    continue;
                }
                b';' => {
                    let rest = &bytes[self.at..];
                    self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                    continue;
                }
                b'(' => {
                    self.at += 1;
                    open.push((start, Vec::new()));
                    continue;
                }
                b')' => {
                    self.at += 1;
                    let Some((start, elements)) = open.pop() else {
                        return Err(self.document.error_at(start, "unexpected `)`"));
                    };
                    let first = self.document.children.len();
                    self.document.children.extend(elements);
                    self.push(Kind::List, start, first, self.document.children.len())
                }
                _ => self.atom(start)?,
            };
            match open.last_mut() {
                Some((_, elements)) => elements.push(finished),
                None => self.document.roots.push(finished),
            }
        }
        match open.last() {
            Some(&(start, _)) => Err(self.document.error_at(start, "this `(` is never closed")),
            None => Ok(self.document),
        }
    }

    fn push(&mut self, kind: Kind, offset: usize, start: usize, end: usize) -> Node {
        let node = Node(self.document.nodes.len() as u32);
        let [offset, start, end] = [offset, start, end].map(|n| n as u32);
        self.document.nodes.push(Data { kind, offset, start, end });
        node
    }

    fn atom(&mut self, start: usize) -> Result<Node, Error> {
        let bytes = self.document.text.as_bytes();
        match bytes[start] {
            b'|' => {
                let end = self
                    .until(b'|', start + 1)
                    .ok_or_else(|| self.document.error_at(start, "this quoted symbol is never closed"))?;
                self.at = end + 1;
                Ok(self.push(Kind::Symbol, start, start + 1, end))
            }
            b'"' => {
                let mut end = start + 1;
                loop {
                    end = self
                        .until(b'"', end)
                        .ok_or_else(|| self.document.error_at(start, "this string is never closed"))?;
                    if bytes.get(end + 1) != Some(&b'"') {
                        break;
                    }
                    end += 2;
                }
                self.at = end + 1;
                Ok(self.push(Kind::String, start, start + 1, end))
            }
            b':' => {
                self.at = self.word_end(start + 1);
                self.non_empty(start, start + 1)?;
                Ok(self.push(Kind::Keyword, start, start + 1, self.at))
            }
            b'#' => {
                self.at = self.word_end((start + 2).min(bytes.len()));
                let digits = &bytes[(start + 2).min(self.at)..self.at];
                let kind = match bytes.get(start + 1) {
                    Some(b'x') if digits.iter().all(u8::is_ascii_hexdigit) => Kind::Hexadecimal,
                    Some(b'b') if digits.iter().all(|b| matches!(b, b'0' | b'1')) => Kind::Binary,
                    _ => return Err(self.document.error_at(start, "`#` starts no literal here")),
                };
                self.non_empty(start, start + 2)?;
                Ok(self.push(kind, start, start + 2, self.at))
            }
            b'0'..=b'9' => self.number(start),
            byte if is_symbol_byte(byte) => {
                self.at = self.word_end(start);
                Ok(self.push(Kind::Symbol, start, start, self.at))
            }
            _ => {
                let character = self.document.text[start..].chars().next().unwrap_or(' ');
                Err(self.document.error_at(start, format!("unexpected character {character:?}")))
            }
        }
    }

    fn number(&mut self, start: usize) -> Result<Node, Error> {
        self.at = self.word_end(start);
        let word = &self.document.text[start..self.at];
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let kind = match word.split_once('.') {
            None if digits(word) => Kind::Numeral,
            Some((whole, fraction)) if digits(whole) && digits(fraction) => Kind::Decimal,
            _ => return Err(self.document.error_at(start, format!("`{word}` is no number"))),
        };
        Ok(self.push(kind, start, start, self.at))
    }

    fn until(&self, byte: u8, from: usize) -> Option<usize> {
        self.document.text.as_bytes()[from..].iter().position(|&b| b == byte).map(|offset| from + offset)
    }

    fn word_end(&self, from: usize) -> usize {
        let rest = &self.document.text.as_bytes()[from..];
        from + rest.iter().position(|&b| !is_symbol_byte(b)).unwrap_or(rest.len())
    }

    fn non_empty(&self, start: usize, content: usize) -> Result<(), Error> {
        if self.at > content { Ok(()) } else { Err(self.document.error_at(start, "a word is missing here")) }
    }
}

/// The characters of symbols that need no bars.
pub(super) fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(text: &str) -> Result<String, Error> {
        let document = Document::read(text)?;
        let mut out = String::new();
        let mut pending: Vec<Option<Node>> = document.roots().iter().rev().map(|&root| Some(root)).collect();
        while let Some(next) = pending.pop() {
            match next.map(|node| document.get(node)) {
                None => out.push(')'),
                Some(Sexpr::List(elements)) => {
                    out.push('(');
                    pending.push(None);
                    pending.extend(elements.iter().rev().map(|&element| Some(element)));
                }
                Some(atom) => out.push_str(&format!("{atom:?} ")),
            }
        }
        Ok(out)
    }

    #[test]
    fn atoms_are_told_apart() {
        let cases = [
            ("x |a b| + ; (comment", r#"Symbol("x") Symbol("a b") Symbol("+") "#),
            ("(1 2.50 #xfF #b01)", r#"(Numeral("1") Decimal("2.50") Hexadecimal("fF") Binary("01") )"#),
            (r#"(! :named "a""b")"#, r#"(Symbol("!") Keyword("named") String("a\"\"b") )"#),
            ("()()", "()()"),
        ];
        for (text, expected) in cases {
            assert_eq!(flat(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn errors_have_a_place() {
        let cases = [
            ("(a\n (b c)", "1:1: this `(` is never closed"),
            ("(a)\n )", "2:2: unexpected `)`"),
            ("(a\n |b)", "2:2: this quoted symbol is never closed"),
            ("\"a", "1:1: this string is never closed"),
            ("1x", "1:1: `1x` is no number"),
            ("1.", "1:1: `1.` is no number"),
            ("#", "1:1: `#` starts no literal here"),
            ("#b", "1:1: a word is missing here"),
            ("#b2", "1:1: `#` starts no literal here"),
            ("a :", "1:3: a word is missing here"),
            ("a é", "1:3: unexpected character 'é'"),
            ("'", "1:1: unexpected character '\\''"),
        ];
        for (text, expected) in cases {
            assert_eq!(flat(text).map_err(|error| error.to_string()), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn nesting_is_bounded_by_memory_only() {
        let depth = 200_000;
        let text = "(".repeat(depth) + &")".repeat(depth);
        assert_eq!(flat(&text), Ok(text));
    }
}
