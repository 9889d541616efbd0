//! S-expressions with their places: the syntax of SMT-LIB 2.7, Section 3.1, which SV-LIB shares.
//!
//! All nodes live in one arena, so neither reading nor dropping a text depends on how deep it is nested. Linear in the text.

use base::{Diagnostic, FileId, PrimaryMap, Span};

base::id!(
    /// An S-expression in the arena of its text.
    Node,
    "node"
);

/// What an S-expression is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Data {
    /// `x`, or `|x|`, which is the same symbol.
    Symbol(String),
    /// `:tag`, without its colon.
    Keyword(String),
    /// `12`
    Numeral(String),
    /// `1.50`
    Decimal(String),
    /// `#xff`, without its prefix.
    Hexadecimal(String),
    /// `#b01`, without its prefix.
    Binary(String),
    /// `"text"`, without its quotes.
    Text(String),
    /// `( … )`
    List(Vec<Node>),
}

struct Item {
    data: Data,
    span: Span,
}

/// A text as S-expressions.
pub(crate) struct Document {
    items: PrimaryMap<Node, Item>,
    /// Those that stand in no other one.
    pub(crate) roots: Vec<Node>,
}

impl Document {
    /// Reads a text, or says what is wrong with it.
    pub(crate) fn read(file: FileId, text: &str) -> Result<Document, Diagnostic> {
        let mut reader = Reader { file, text, position: 0 };
        let mut items = PrimaryMap::new();
        let mut roots = Vec::new();
        let mut open: Vec<(usize, Vec<Node>)> = Vec::new();
        loop {
            reader.skip_blanks();
            let start = reader.position;
            let Some(first) = reader.rest().chars().next() else { break };
            let data = match first {
                '(' => {
                    reader.position += 1;
                    open.push((start, Vec::new()));
                    continue;
                }
                ')' => {
                    reader.position += 1;
                    let Some((begin, children)) = open.pop() else {
                        return Err(Diagnostic::error(reader.span(start), "this `)` closes nothing"));
                    };
                    let span = reader.span(begin);
                    let node = items.push(Item { data: Data::List(children), span });
                    open.last_mut().map_or(&mut roots, |(_, siblings)| siblings).push(node);
                    continue;
                }
                _ => reader.atom(first)?,
            };
            let span = reader.span(start);
            let node = items.push(Item { data, span });
            open.last_mut().map_or(&mut roots, |(_, siblings)| siblings).push(node);
        }
        if let Some(&(begin, _)) = open.last() {
            reader.position = begin + 1;
            return Err(Diagnostic::error(reader.span(begin), "this `(` is never closed"));
        }
        Ok(Document { items, roots })
    }

    pub(crate) fn data(&self, node: Node) -> &Data {
        &self.items[node].data
    }

    pub(crate) fn span(&self, node: Node) -> Span {
        self.items[node].span
    }

    /// The parts of a list.
    pub(crate) fn list(&self, node: Node) -> Option<&[Node]> {
        match self.data(node) {
            Data::List(children) => Some(children),
            _ => None,
        }
    }

    /// The name of a symbol.
    pub(crate) fn symbol(&self, node: Node) -> Option<&str> {
        match self.data(node) {
            Data::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The symbol that a list begins with, and what follows it.
    pub(crate) fn headed(&self, node: Node) -> Option<(&str, &[Node])> {
        let (head, rest) = self.list(node)?.split_first()?;
        Some((self.symbol(*head)?, rest))
    }

    /// Whether two S-expressions are the same but for their places.
    pub(crate) fn same(&self, left: Node, right: Node) -> bool {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            match (self.data(left), self.data(right)) {
                (Data::List(one), Data::List(other)) if one.len() == other.len() => {
                    pending.extend(one.iter().copied().zip(other.iter().copied()));
                }
                (one, other) if one == other => {}
                _ => return false,
            }
        }
        true
    }

    /// An S-expression as text, on one line.
    pub(crate) fn text(&self, node: Node) -> String {
        let mut out = String::new();
        let mut pending = vec![Piece::Node(node)];
        while let Some(piece) = pending.pop() {
            match piece {
                Piece::Close => out.push(')'),
                Piece::Blank => out.push(' '),
                Piece::Node(node) => match self.data(node) {
                    Data::Symbol(name) => out += &crate::names::quoted(name),
                    Data::Keyword(name) => out += &format!(":{name}"),
                    Data::Numeral(digits) | Data::Decimal(digits) => out += digits,
                    Data::Hexadecimal(digits) => out += &format!("#x{digits}"),
                    Data::Binary(digits) => out += &format!("#b{digits}"),
                    Data::Text(text) => out += &format!("\"{}\"", text.replace('"', "\"\"")),
                    Data::List(children) => {
                        out.push('(');
                        pending.push(Piece::Close);
                        for (position, &child) in children.iter().enumerate().rev() {
                            pending.push(Piece::Node(child));
                            if position > 0 {
                                pending.push(Piece::Blank);
                            }
                        }
                    }
                },
            }
        }
        out
    }
}

/// What is still to be written.
enum Piece {
    Node(Node),
    Blank,
    Close,
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    position: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    /// From a position to here. The callers of this crate refuse texts of more than 4 GiB.
    fn span(&self, start: usize) -> Span {
        let short = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
        Span::new(self.file, short(start), short(self.position))
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.position += blank;
            if !self.rest().starts_with(';') {
                return;
            }
            self.position += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn taken(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|character| !belongs(character)).unwrap_or(rest.len());
        self.position += end;
        &rest[..end]
    }

    fn atom(&mut self, first: char) -> Result<Data, Diagnostic> {
        let start = self.position;
        match first {
            '"' => self.string(),
            '|' => {
                self.position += 1;
                let name = self.taken(|character| character != '|' && character != '\\').to_owned();
                if !self.rest().starts_with('|') {
                    self.position = start + 1;
                    return Err(Diagnostic::error(
                        self.span(start),
                        "this `|` begins a symbol that never ends",
                    ));
                }
                self.position += 1;
                Ok(Data::Symbol(name))
            }
            ':' => {
                self.position += 1;
                Ok(Data::Keyword(self.taken(in_symbol).to_owned()))
            }
            '#' => self.bits(start),
            '0'..='9' => {
                let whole = self.taken(|character| character.is_ascii_digit()).to_owned();
                if self.rest().starts_with('.') {
                    self.position += 1;
                    let fraction = self.taken(|character| character.is_ascii_digit());
                    return Ok(Data::Decimal(format!("{whole}.{fraction}")));
                }
                if self.rest().chars().next().is_some_and(in_symbol) {
                    self.taken(in_symbol);
                    return Err(Diagnostic::error(self.span(start), "a symbol does not begin with a digit"));
                }
                Ok(Data::Numeral(whole))
            }
            _ if in_symbol(first) => Ok(Data::Symbol(self.taken(in_symbol).to_owned())),
            _ => {
                self.position += first.len_utf8();
                let message = format!("`{first}` has no meaning here");
                Err(Diagnostic::error(self.span(start), message))
            }
        }
    }

    fn bits(&mut self, start: usize) -> Result<Data, Diagnostic> {
        self.position += 1;
        let digits = self.taken(in_symbol);
        match digits.split_at_checked(1) {
            Some(("x", digits)) if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit()) => {
                Ok(Data::Hexadecimal(digits.to_owned()))
            }
            Some(("b", digits)) if !digits.is_empty() && digits.chars().all(|c| matches!(c, '0' | '1')) => {
                Ok(Data::Binary(digits.to_owned()))
            }
            _ => {
                let message = "a symbol does not begin with `#`, and this is no bit-vector";
                Err(Diagnostic::error(self.span(start), message))
            }
        }
    }

    fn string(&mut self) -> Result<Data, Diagnostic> {
        let start = self.position;
        self.position += 1;
        let mut text = String::new();
        loop {
            text += self.taken(|character| character != '"');
            if self.rest().is_empty() {
                self.position = start + 1;
                return Err(Diagnostic::error(self.span(start), "this string never ends"));
            }
            self.position += 1;
            if !self.rest().starts_with('"') {
                return Ok(Data::Text(text));
            }
            text.push('"');
            self.position += 1;
        }
    }
}

/// Whether a character may stand in a simple symbol.
pub(crate) fn in_symbol(character: char) -> bool {
    character.is_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SourceMap;

    fn read(text: &str) -> Result<Document, Diagnostic> {
        let mut sources = SourceMap::new();
        let file = sources.add("test.svlib", text);
        Document::read(file, text)
    }

    #[test]
    fn text_reads_back() {
        let text = "(assign (x (+ |y z| 1)) (b #b01) (h #xFf) (r 1.50)) (a :tag \"say \"\"x\"\"\")";
        let document = read(text).expect("it is well formed");
        let again: Vec<String> = document.roots.iter().map(|&root| document.text(root)).collect();
        assert_eq!(again.join(" "), text);
    }

    #[test]
    fn mistakes_have_places() {
        for (text, message, at) in [
            ("(a (b)", "this `(` is never closed", 0),
            ("(a))", "this `)` closes nothing", 3),
            ("(a |b)", "this `|` begins a symbol that never ends", 3),
            ("(a \"b)", "this string never ends", 3),
            ("(a #q)", "a symbol does not begin with `#`, and this is no bit-vector", 3),
            ("(a 1b)", "a symbol does not begin with a digit", 3),
            ("(a {)", "`{` has no meaning here", 3),
        ] {
            let mistake = read(text).err().expect(text);
            assert_eq!((mistake.message.as_str(), mistake.span.start), (message, at), "{text}");
        }
    }

    #[test]
    fn no_depth_is_too_deep() {
        let text = format!("{}{}", "(".repeat(200_000), ")".repeat(200_000));
        let document = read(&text).expect("it is well formed");
        assert_eq!(document.text(document.roots[0]), text);
    }
}
