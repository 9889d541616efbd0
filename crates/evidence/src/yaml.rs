//! YAML as a tree whose nodes know their place. Scalars are texts: what they mean is the reader's business.
//!
//! Anchors and aliases are refused: witnesses have none, and they would let a small file become a large tree.
//! Cost: linear in the text; nesting is bounded by [`MAX_DEPTH`].

use crate::Malformed;
use saphyr_parser::{Event, Parser, Span};

/// How deep values may be nested.
const MAX_DEPTH: usize = 100;

/// A value with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What it is.
    pub value: Value,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A text, a number, a truth value or nothing: as it is written, without quotes.
    Scalar(String),
    /// A list.
    List(Vec<Node>),
    /// Keys and values, in order.
    Mapping(Vec<(Node, Node)>),
}

impl Node {
    fn at(span: Span, value: Value) -> Node {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Node { line: number(span.start.line()), column: number(span.start.col() + 1), value }
    }

    /// A message about this node.
    pub fn malformed(&self, message: impl Into<String>) -> Malformed {
        Malformed { line: self.line, column: self.column, message: message.into() }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Result<&str, Malformed> {
        match &self.value {
            Value::Scalar(text) => Ok(text),
            _ => Err(self.malformed("expected a text")),
        }
    }

    /// A positive number.
    pub fn number(&self) -> Result<u32, Malformed> {
        self.text()?.parse().map_err(|_| self.malformed("expected a number"))
    }

    /// The elements of a list.
    pub fn list(&self) -> Result<&[Node], Malformed> {
        match &self.value {
            Value::List(nodes) => Ok(nodes),
            _ => Err(self.malformed("expected a list")),
        }
    }

    /// The pairs of a mapping.
    pub fn pairs(&self) -> Result<&[(Node, Node)], Malformed> {
        match &self.value {
            Value::Mapping(pairs) => Ok(pairs),
            _ => Err(self.malformed("expected a mapping")),
        }
    }

    /// The value of a key; none if it is not there.
    pub fn get(&self, key: &str) -> Result<Option<&Node>, Malformed> {
        let is_key = |node: &Node| matches!(&node.value, Value::Scalar(text) if text == key);
        Ok(self.pairs()?.iter().find(|(name, _)| is_key(name)).map(|(_, value)| value))
    }

    /// The value of a key that must be there.
    pub fn require(&self, key: &str) -> Result<&Node, Malformed> {
        self.get(key)?.ok_or_else(|| self.malformed(format!("the key `{key}` is missing")))
    }
}

/// What is open: a list, or a mapping with the key that waits for its value.
enum Open {
    List(Span, Vec<Node>),
    Mapping(Span, Vec<(Node, Node)>, Option<Node>),
}

/// Reads one document.
pub fn read(text: &str) -> Result<Node, Malformed> {
    let mut open: Vec<Open> = Vec::new();
    let mut root: Option<Node> = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| Malformed {
            line: u32::try_from(error.marker().line()).unwrap_or(u32::MAX),
            column: u32::try_from(error.marker().col() + 1).unwrap_or(u32::MAX),
            message: error.info().to_owned(),
        })?;
        let done = match event {
            Event::Scalar(text, ..) => Node::at(span, Value::Scalar(text.into_owned())),
            Event::SequenceStart(..) => {
                open.push(Open::List(span, Vec::new()));
                check_depth(&open, span)?;
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Mapping(span, Vec::new(), None));
                check_depth(&open, span)?;
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(span, nodes)) => Node::at(span, Value::List(nodes)),
                Some(Open::Mapping(span, pairs, _)) => Node::at(span, Value::Mapping(pairs)),
                None => continue,
            },
            Event::Alias(_) => {
                return Err(Node::at(span, Value::List(Vec::new())).malformed("aliases are not supported"));
            }
            Event::DocumentStart(_) if root.is_some() => {
                return Err(Node::at(span, Value::List(Vec::new())).malformed("a second document"));
            }
            _ => continue,
        };
        match open.last_mut() {
            Some(Open::List(_, nodes)) => nodes.push(done),
            Some(Open::Mapping(_, pairs, key)) => match key.take() {
                Some(key) => {
                    if pairs.iter().any(|(other, _)| other.value == key.value) {
                        return Err(key.malformed("this key was given before"));
                    }
                    pairs.push((key, done));
                }
                None => *key = Some(done),
            },
            None => root = Some(done),
        }
    }
    root.ok_or(Malformed { line: 1, column: 1, message: "the file is empty".to_owned() })
}

fn check_depth(open: &[Open], span: Span) -> Result<(), Malformed> {
    if open.len() <= MAX_DEPTH {
        return Ok(());
    }
    let message = format!("values are nested more than {MAX_DEPTH} levels deep here");
    Err(Node::at(span, Value::List(Vec::new())).malformed(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let root = read("- a: '2.0'\n  b: [x, \"y z\"]\n").expect("YAML");
        let first = &root.list().expect("a list")[0];
        assert_eq!(first.require("a").and_then(Node::text), Ok("2.0"));
        let b = first.require("b").expect("b");
        assert_eq!((b.line, b.column), (2, 6));
        assert_eq!(b.list().expect("a list")[1].text(), Ok("y z"));
        assert_eq!(first.require("c").expect_err("no c").to_string(), "1:3: the key `c` is missing");
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        for (text, message) in [
            ("a: 1\na: 2\n", "2:1: this key was given before"),
            ("", "1:1: the file is empty"),
            ("- &x 1\n- *x\n", "2:3: aliases are not supported"),
        ] {
            assert_eq!(read(text).expect_err("refused").to_string(), message, "{text}");
        }
        assert!(read("a: [1, 2").is_err());
        assert!(read(&"[".repeat(2000)).is_err());
    }
}
