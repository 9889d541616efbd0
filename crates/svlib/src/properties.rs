//! Attributes of statements: tags, and properties (SV-LIB 1.0, Section 6).

use crate::builder::Builder;
use crate::problem::{Problem, mistake, unsupported};
use crate::syntax::{Data, Document, Node};
use base::Span;

/// What a property says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// Holds whenever the statement is about to be executed.
    CheckTrue(Node),
    /// Is visited infinitely often by every infinite execution.
    Recurring,
    /// Is visited finitely often by every execution.
    NotRecurring,
    /// Holds before the statement.
    Requires(Node),
    /// Holds after the statement.
    Ensures(Node),
    /// Is inductive at the head of a loop.
    Invariant(Node),
    /// The first of these that changes with a round becomes smaller, and is not negative before.
    Decreases(Vec<Node>),
}

/// A property with where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Property {
    pub(crate) claim: Claim,
    /// Its keyword, which also tells properties apart.
    pub(crate) keyword: Node,
    /// The keyword with its value.
    pub(crate) span: Span,
    /// The command in which it stands.
    pub(crate) command: usize,
}

/// The attributes of `(! statement attribute+)` or of `annotate-tag`.
#[derive(Clone, Default, Debug)]
pub(crate) struct Attributes {
    pub(crate) tags: Vec<String>,
    pub(crate) properties: Vec<Property>,
}

/// Properties that a script gives to all statements with a tag.
#[derive(Clone, Debug)]
pub(crate) struct Annotation {
    pub(crate) tag: String,
    pub(crate) span: Span,
    pub(crate) properties: Vec<Property>,
}

/// Reads attributes.
pub(crate) fn attributes(document: &Document, nodes: &[Node], command: usize) -> Result<Attributes, Problem> {
    let mut found = Attributes::default();
    let mut rest = nodes.iter().copied().peekable();
    while let Some(keyword) = rest.next() {
        let span = document.span(keyword);
        let Data::Keyword(name) = document.data(keyword) else {
            return Err(mistake(span, "an attribute such as `:tag` is expected here"));
        };
        let value = rest.next_if(|&node| !matches!(document.data(node), Data::Keyword(_)));
        let whole = value.map_or(span, |value| span.to(document.span(value)));
        let claim = match (name.as_str(), value) {
            ("tag", Some(value)) => match document.symbol(value) {
                Some(tag) => {
                    found.tags.push(tag.to_owned());
                    continue;
                }
                None => return Err(mistake(document.span(value), "a tag is a symbol")),
            },
            ("named", Some(_)) => continue,
            ("check-true", Some(value)) => Claim::CheckTrue(value),
            ("requires", Some(value)) => Claim::Requires(value),
            ("ensures", Some(value)) => Claim::Ensures(value),
            ("invariant", Some(value)) => Claim::Invariant(value),
            ("decreases", Some(value)) => Claim::Decreases(vec![value]),
            ("decreases-lex", Some(value)) => match document.list(value) {
                Some(entries) if !entries.is_empty() => Claim::Decreases(entries.to_vec()),
                _ => return Err(mistake(document.span(value), "a list of terms is expected here")),
            },
            ("recurring", None) => Claim::Recurring,
            ("not-recurring", None) => Claim::NotRecurring,
            ("recurring" | "not-recurring", Some(value)) => {
                return Err(mistake(document.span(value), format!("`:{name}` has no value")));
            }
            (
                "tag" | "named" | "check-true" | "requires" | "ensures" | "invariant" | "decreases"
                | "decreases-lex",
                None,
            ) => return Err(mistake(span, format!("`:{name}` lacks its value"))),
            _ => return Err(unsupported(span, format!("the attribute `:{name}`"))),
        };
        found.properties.push(Property { claim, keyword, span: whole, command });
    }
    Ok(found)
}

/// A statement without its attributes, which may stand in several layers around it.
pub(crate) fn unwrapped(
    document: &Document,
    mut node: Node,
    command: usize,
) -> Result<(Node, Attributes), Problem> {
    let mut all = Attributes::default();
    while let Some(("!", parts)) = document.headed(node) {
        let [inner, attached @ ..] = parts else {
            return Err(mistake(document.span(node), "`!` stands before a statement"));
        };
        if attached.is_empty() {
            return Err(mistake(document.span(node), "`!` attaches at least one attribute"));
        }
        let found = attributes(document, attached, command)?;
        all.tags.extend(found.tags);
        all.properties.extend(found.properties);
        node = *inner;
    }
    Ok((node, all))
}

impl Builder<'_> {
    /// A statement without its attributes; the properties that the script gives to its tags are among them.
    pub(crate) fn annotated(&self, node: Node, command: usize) -> Result<(Node, Attributes), Problem> {
        let (base, mut found) = unwrapped(self.document, node, command)?;
        for annotation in &self.annotations {
            if found.tags.contains(&annotation.tag) {
                found.properties.extend(annotation.properties.iter().cloned());
            }
        }
        Ok((base, found))
    }
}
