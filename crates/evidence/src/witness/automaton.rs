//! Violation witnesses in GraphML 1.0: automata that executions follow to a violation.
//!
//! Read are automata with one way from the entry to the violation, and with edges to sinks beside it. Every edge of the way ends a
//! segment of the [`Monitor`](c::Monitor), and edges to sinks are what the segment avoids:
//!
//! | the edge has | the segment ends when |
//! |---|---|
//! | `assumption` with `\result`, `assumption.resultfunction` | the call of this function in the line has returned such a value |
//! | `assumption` | it holds behind the statement in the line |
//! | `control` | the condition in the line is evaluated so |
//! | nothing of this, to the violation | a statement in the line violates the property |
//! | nothing of this | at once: the edge says nothing |
//!
//! Producers differ in what an edge stands for (a statement, a part of a condition). So of a witness with assumptions about
//! statements or with conditions it is never concluded that it is wrong ([`Witness::doubt`]). What has another shape is a gap.

use super::Witness;
use super::graphml::{data, is_true};
use crate::Malformed;
use c::{Event, Place, Segment, Waypoint};
use roxmltree::Node;

/// Keys of edges that say more than is understood.
const FOREIGN: [&str; 2] = ["threadId", "createThread"];

/// Reads the automaton of a graph into the monitor of a witness.
pub(super) fn read(
    nodes: &[Node<'_, '_>],
    edges: &[Node<'_, '_>],
    witness: &mut Witness,
    malformed: &dyn Fn(Node<'_, '_>, &str) -> Malformed,
) -> Result<(), Malformed> {
    let is_marked = |id: &str, key: &str| {
        nodes.iter().any(|node| node.attribute("id") == Some(id) && is_true(*node, key))
    };
    let entry = nodes.iter().find(|node| is_true(**node, "entry"));
    let Some(entry) = entry.and_then(|node| node.attribute("id")) else {
        witness.gaps.push("an automaton without an entry".to_owned());
        return Ok(());
    };
    let mut reader = Reader { witness, entries: 0 };
    let mut at = entry;
    for _ in 0..=nodes.len() {
        if is_marked(at, "violation") {
            return Ok(());
        }
        let leaving = edges.iter().filter(|edge| edge.attribute("source") == Some(at));
        let (mut avoid, mut ways) = (Vec::new(), Vec::new());
        for &edge in leaving {
            let to = edge.attribute("target").ok_or_else(|| malformed(edge, "an edge has a `target`"))?;
            match to {
                _ if to == at => {}
                _ if is_marked(to, "sink") => avoid.extend(reader.waypoint(edge, false)),
                _ => ways.push((edge, to)),
            }
        }
        let [(edge, to)] = ways[..] else {
            let what = if ways.is_empty() { "no way to a violation" } else { "several ways from a node" };
            reader.witness.gaps.push(format!("a violation witness in GraphML with {what} (node {at})"));
            return Ok(());
        };
        match reader.waypoint(edge, is_marked(to, "violation")) {
            Some(follow) => reader.witness.monitor.segments.push(Segment { avoid, follow }),
            None if avoid.is_empty() => {}
            None => {
                reader
                    .witness
                    .gaps
                    .push(format!("an edge that says nothing beside one to a sink (node {at})"));
            }
        }
        at = to;
    }
    reader.witness.gaps.push("a violation witness in GraphML with a cycle".to_owned());
    Ok(())
}

struct Reader<'w> {
    witness: &'w mut Witness,
    entries: u32,
}

impl Reader<'_> {
    /// What an edge asks for; nothing if it says nothing. What is not understood is noted.
    fn waypoint(&mut self, edge: Node<'_, '_>, violates: bool) -> Option<Waypoint> {
        self.entries += 1;
        let entry = self.entries;
        let mut gap = |what: &str| self.witness.gaps.push(format!("entry {entry}: {what}"));
        if FOREIGN.iter().any(|key| data(edge, key).is_some()) {
            gap("an edge in GraphML about threads");
        }
        let line: Option<u32> = data(edge, "startline").and_then(|line| line.trim().parse().ok());
        let assumption = data(edge, "assumption").and_then(conjunction);
        let decided = match data(edge, "control").map(str::trim) {
            Some("condition-true") => Some(true),
            Some("condition-false") => Some(false),
            _ => None,
        };
        let event = match (assumption, decided) {
            (None, None) if violates => Event::TargetOfLine,
            (None, None) => return None,
            (Some(_), Some(_)) => {
                gap("an edge in GraphML with an assumption and a condition");
                return None;
            }
            (Some(text), None) if text.contains("\\result") => {
                let Some(function) = data(edge, "assumption.resultfunction") else {
                    gap("a result of a function that is not named");
                    return None;
                };
                Event::ReturnOf(function.trim().to_owned(), text)
            }
            (Some(text), None) => Event::Behind(text),
            (None, Some(way)) => Event::Decision(way),
        };
        let Some(line) = line.filter(|&line| line > 0) else {
            gap("an edge in GraphML without a line");
            return None;
        };
        if violates && event != Event::TargetOfLine {
            gap("an edge to the violation with an assumption or a condition");
        }
        if let Event::Behind(_) | Event::Decision(_) = event {
            self.witness.doubt = Some("what edges in GraphML stand for is not known for certain".to_owned());
        }
        Some(Waypoint { entry, place: Place { line, column: None }, event, thread: None })
    }
}

/// Assumptions, each ended by a semicolon, as one expression; nothing if there are none.
fn conjunction(text: &str) -> Option<String> {
    let parts: Vec<String> = text
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| format!("({part})"))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" && "))
}
