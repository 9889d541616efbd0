//! Witnesses in GraphML 1.0; those of violations are read by [`automaton`].
//!
//! Of a correctness witness the invariants at loop heads and branches are read: nodes that are entered by edges marked
//! `enterLoopHead` only, or left by edges that decide a condition. The place is the line where these edges begin.

use super::{Kind, Witness, automaton, data_model};
use crate::Malformed;
use c::{Claim, Place, When};
use roxmltree::{Document, Node};

pub(super) fn read(text: &str) -> Result<Witness, Malformed> {
    let document = Document::parse(text).map_err(|error| {
        let at = error.pos();
        Malformed { line: at.row, column: at.col, message: error.to_string() }
    })?;
    let malformed = |node: Node<'_, '_>, message: &str| {
        let at = document.text_pos_at(node.range().start);
        Malformed { line: at.row, column: at.col, message: message.to_owned() }
    };
    let root = document.root_element();
    let graph = root.children().find(|node| node.has_tag_name_without_space("graph"));
    let graph = graph.ok_or_else(|| malformed(root, "a witness has a `graph`"))?;
    let kind = match data(graph, "witness-type") {
        Some("violation_witness") => Kind::Violation,
        Some("correctness_witness") => Kind::Correctness,
        _ => return Err(malformed(graph, "the graph has no `witness-type`")),
    };
    let mut witness = Witness::new(kind, "1.0");
    witness.specification = data(graph, "specification").map(str::to_owned);
    witness.data_model = data(graph, "architecture").and_then(data_model);
    let edges: Vec<Node<'_, '_>> =
        graph.children().filter(|node| node.has_tag_name_without_space("edge")).collect();
    if kind == Kind::Violation {
        let nodes: Vec<Node<'_, '_>> =
            graph.children().filter(|node| node.has_tag_name_without_space("node")).collect();
        automaton::read(&nodes, &edges, &mut witness, &malformed)?;
        return Ok(witness);
    }
    let mut entry = 0;
    for node in graph.children().filter(|node| node.has_tag_name_without_space("node")) {
        let Some(invariant) = data(node, "invariant") else { continue };
        entry += 1;
        let id = node.attribute("id").ok_or_else(|| malformed(node, "a node has an `id`"))?;
        let mut entering = edges.iter().filter(|edge| edge.attribute("target") == Some(id)).peekable();
        let is_head = entering.peek().is_some() && entering.all(|edge| is_true(*edge, "enterLoopHead"));
        let leaving = || edges.iter().filter(|edge| edge.attribute("source") == Some(id));
        let decides = leaving().all(|edge| {
            data(*edge, "control").is_some()
                || data(*edge, "sourcecode").is_some_and(|code| code.trim_start().starts_with('['))
        });
        let mut lines: Vec<u32> =
            leaving().filter_map(|edge| data(*edge, "startline")?.trim().parse().ok()).collect();
        lines.sort_unstable();
        lines.dedup();
        match lines[..] {
            [line] if is_head || decides => witness.monitor.claims.push(Claim {
                entry,
                when: When::LoopOrStatement,
                place: Place { line, column: None },
                text: invariant.to_owned(),
            }),
            _ => witness
                .gaps
                .push(format!("node {id}: an invariant that is neither at a loop nor at a branch")),
        }
    }
    Ok(witness)
}

/// Tag names without their name space: not all producers give one.
trait TagName {
    fn has_tag_name_without_space(&self, name: &str) -> bool;
}

impl TagName for Node<'_, '_> {
    fn has_tag_name_without_space(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

/// Whether the `data` child with a key says `true`.
pub(super) fn is_true(node: Node<'_, '_>, key: &str) -> bool {
    data(node, key).is_some_and(|text| text.trim() == "true")
}

/// The text of the `data` child with a key.
pub(super) fn data<'a>(node: Node<'a, '_>, key: &str) -> Option<&'a str> {
    let is_it = |child: &Node<'_, '_>| {
        child.has_tag_name_without_space("data") && child.attribute("key") == Some(key)
    };
    node.children().find(is_it)?.text()
}
